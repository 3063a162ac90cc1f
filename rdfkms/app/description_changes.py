"""What a version of a description file changes, and how that is done: by identifier, with a trace.

A statement that is the same is the same claim, wherever in the file it moved. What the new file
says otherwise comes in as for any file; what it says no more is taken back, as a rollback takes
claims back, and can be looked up ever after. What a person decided stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from pyoxigraph import Literal, NamedNode

from rdfkms import queries
from rdfkms.admission.reasons import quoted, reason
from rdfkms.app.composition import App
from rdfkms.app.description_records import path_of
from rdfkms.ingest.describing.passages import Section
from rdfkms.knowledge.declaring import Declaring, RefOf
from rdfkms.model import Claim, Fault, Principal, Record, SourceFile
from rdfkms.pipeline.describing import SAID_NO_MORE, SCAN, past
from rdfkms.review import rollback as rollbacks
from rdfkms.review.queue import Queue
from rdfkms.vocab import KMS

MOST_SHOWN = 200  # lines of a difference in the report of a run
_LONGEST = 120
_LIVE = (KMS("admitted"), KMS("quarantined"))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a difference: ``+`` comes or ``-`` goes, of which thing, which statement."""

    sign: str
    subject: str
    statement: str
    value: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What a changed file changes: how many statements stay, which come and which go.

    `settled` counts what it says and a person decided against: it is not said anew. `gone` are the
    keys of the claims that the new file says no more.
    """

    kept: int
    added: int
    settled: int
    gone: tuple[str, ...]
    lines: tuple[Line, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.gone)

    def told(self) -> dict[str, Any]:
        """Return the difference for a report, its first lines only."""
        return {
            "kept": self.kept,
            "added": self.added,
            "settled": self.settled,
            "removed": len(self.gone),
            "lines": [asdict(line) for line in self.lines[:MOST_SHOWN]],
        }


def difference(app: App, record: Record, sections: Iterable[Section], ref_of: RefOf) -> Difference:
    """Return what the sections of a file would change. Writes nothing."""
    standing, settled = _known(app, record)
    declaring = Declaring(ref_of, app.mapping, is_past=past(app.ledger.store, app.base))
    said: dict[str, Claim] = {}
    for section in sections:
        for unit, stretch in zip(section.units, section.stretches, strict=True):
            for one in declaring.declare(stretch, unit):
                said.setdefault(one.claim.key, one.claim)
    added = [_line("+", c) for key, c in said.items() if key not in standing | settled]
    gone = tuple(sorted(standing.keys() - said.keys()))
    lines = [*added, *(standing[key] for key in gone)]
    lines.sort(key=lambda line: (line.subject, line.statement, line.sign == "+", line.value))
    return Difference(
        len(said.keys() & standing.keys()), len(added), len(said.keys() & settled.keys()), gone,
        tuple(lines),
    )  # fmt: skip


def _line(sign: str, claim: Claim) -> Line:
    value = claim.value.lexical if claim.value else ""
    other = claim.object.path if claim.object else ""
    return Line(sign, claim.subject.path, claim.statement, _short(value, other))


def _known(app: App, record: Record) -> tuple[dict[str, Line], dict[str, Line]]:
    """Return the claims of the file that stand, and those that do not, by key."""
    store, base = app.ledger.store, app.base
    standing: dict[str, Line] = {}
    settled: dict[str, Line] = {}
    rows = store.select(
        queries.text("describing/standing"),
        {"record": base.iri("record", record.key)},
        [base.public, base.internal],
    )
    for row in rows:
        claim, subject = path_of(app, row["claim"]), path_of(app, row["subject"])
        concept = row["statement"]
        rule = app.mapping.by_concept(concept) if isinstance(concept, NamedNode) else None
        told = row.get("value")
        value = told.value if isinstance(told, Literal) else ""
        other = path_of(app, row.get("object"))
        name = rule.name if rule is not None else ""
        if name == SCAN:  # it rests on the file's words, and no file says it
            continue
        known = standing if row["status"] in _LIVE else settled
        known[claim.partition("/")[2]] = Line("-", subject, name, _short(value, other))
    return standing, settled


def _short(value: str, other: str) -> str:
    text = " ".join((value or other).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def removable(app: App, found: Difference) -> tuple[rollbacks.Found, dict[str, str]]:
    """Return what of it can be taken back, and why other claims that go have to stay."""
    kept: dict[str, str] = {}
    left = list(found.gone)
    while True:
        meant = rollbacks.find(app.ledger, left)
        if not meant.refusals:
            return meant, kept
        kept |= {one.claim: one.reason.sentence for one in meant.refusals}
        left = [key for key in left if key not in kept]


def take_back(app: App, source: SourceFile, found: Difference, principal: Principal) -> list[Fault]:
    """Take back what a changed file says no more; returns what stays because others built on it."""
    meant, kept = removable(app, found)
    if meant.withdrawn:
        why = reason(SAID_NO_MORE, what=quoted(source.name))
        plan = rollbacks.plan_of(app.ledger, meant, why)
        revision = rollbacks.apply(app.ledger, plan, principal)
        touched = [claim.key for claim in (*plan.withdrawn, *plan.kept)]
        paths = [ref.path for ref in plan.entities]
        Queue(app.work).follow(touched, paths, app.ledger.store, app.base, revision)
    hint = (
        "Look at it under /page/claim/..., and take it back by hand: rdfkms rollback --claim KEY."
    )
    return [
        Fault(
            source.name, f"claim {key}", f"It stays, though the file says it no more: {why}", hint
        )
        for key, why in sorted(kept.items())
    ]
