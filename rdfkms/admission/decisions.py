"""The decision table: which finding of which stage admits, quarantines or rejects (R74, R75).

It is one file, ``shapes/decisions.toml``, published on the service's page of rules. The stages
find; this table decides. It is part of the software, not of an archive: no setting reaches it, and
one that would admit anything but what verification calls supported is refused when it is read. Of
conflicts it may say only that they inform: no source wins by itself (law 7).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from rdfkms import resources
from rdfkms.admission.reasons import REASONS
from rdfkms.errors import Misconfigured
from rdfkms.model import Decision, Label, Reason

STAGES = (
    "structure", "pointer", "ends", "verification", "confirmation", "review", "shapes",
    "conflicts",
)  # fmt: skip
ANY = "*"
_STRICTEST = (Decision.REJECTED, Decision.QUARANTINED, Decision.ADMITTED)


class _RowForm(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    stage: str
    decision: Decision
    words: str
    label: Label | None = None
    reasons: tuple[str, ...] = ()
    informs: bool = False


class _TableForm(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    version: int
    row: tuple[_RowForm, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: at `stage`, the label or any of the reason codes -> the decision.

    `informs` marks findings that are told and decide nothing; `words` says the row to a person.
    """

    stage: str
    label: Label | None
    reasons: tuple[str, ...]
    decision: Decision
    informs: bool
    words: str


@dataclass(frozen=True, slots=True)
class Table:
    """The rows, in the order of the file, and the number of the version."""

    version: int
    rows: tuple[Row, ...]

    def decide(
        self, stage: str, reasons: Iterable[Reason] = (), label: Label | None = None
    ) -> Decision:
        """Return what becomes of a proposal with these findings of one stage.

        The strictest of the rows that apply; quarantined where none does.
        """
        codes = {reason.code for reason in reasons}
        found = list(self._apply(stage, codes, label))
        return min(found, key=_STRICTEST.index) if found else Decision.QUARANTINED

    def _apply(self, stage: str, codes: set[str], label: Label | None) -> Iterator[Decision]:
        rows = [row for row in self.rows if row.stage == stage]
        named = {code for row in rows for code in row.reasons}
        for row in rows:
            if row.label is not None:
                if row.label is label:
                    yield row.decision
            elif codes & set(row.reasons) or (ANY in row.reasons and codes - named):
                yield row.decision


@cache
def table() -> Table:
    """Return the decision table of this software; raises `Misconfigured` for a bad one."""
    return load(resources.file("shapes/decisions.toml"))


def load(path: Path) -> Table:
    """Return the table in `path`; raises `Misconfigured` with file, row and reason.

    Refused are stages, labels and reasons that do not exist, labels without a row, and every row
    that would admit what verification does not call supported.
    """
    try:
        form = _TableForm.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as err:
        raise Misconfigured(f"{path}: cannot be read as TOML: {err}.") from err
    except ValidationError as err:
        first = err.errors()[0]
        where = ".".join(str(step) for step in first["loc"])
        raise Misconfigured(f"{path}: {where}: {first['msg']}.") from err
    for number, row in enumerate(form.row, 1):
        fault = _fault(row)
        if fault:
            raise Misconfigured(f"{path}: row {number}: {fault}")
    rows = tuple(Row(r.stage, r.label, r.reasons, r.decision, r.informs, r.words) for r in form.row)
    _check_whole(path, rows)
    return Table(form.version, rows)


def _fault(row: _RowForm) -> str:
    unknown = [code for code in row.reasons if code not in REASONS and code != ANY]
    informs = row.informs and row.stage == "conflicts" and ANY not in row.reasons
    loose = row.decision is Decision.ADMITTED and row.label is not Label.SUPPORTED and not informs
    faults = (
        (row.stage not in STAGES, f"no stage {row.stage!r}; known: {', '.join(STAGES)}."),
        ((row.label is None) is (not row.reasons), "a row names a label or reasons, one of both."),
        (row.label is not None and row.stage != "verification", "only verification gives labels."),
        (bool(unknown), f"there is no reason {', '.join(map(repr, unknown))}."),
        (row.decision is Decision.PENDING, "pending is no decision."),
        (row.informs is not (row.stage == "conflicts"), "conflicts inform, and nothing else does."),
        (loose, "only what verification calls supported may be admitted."),
        (not row.words.strip(), "say in words what the row does."),
    )
    return next((sentence for wrong, sentence in faults if wrong), "")


def _check_whole(path: Path, rows: Sequence[Row]) -> None:
    for label in Label:
        if not any(row.label is label for row in rows):
            raise Misconfigured(f"{path}: no row says what becomes of the label {label.value!r}.")
    for stage in STAGES:
        if not any(row.stage == stage for row in rows):
            raise Misconfigured(f"{path}: no row is about the stage {stage!r}.")
    if not any(r.stage == "structure" and "wrongUnit" in r.reasons for r in rows):
        raise Misconfigured(f"{path}: a row must say what a pointer to another passage leads to.")
