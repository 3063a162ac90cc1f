"""Accounts of model calls: tokens, seconds and cost of each call, by run, document and unit."""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from typing import Any

from rdfkms.ledger.work import Work

_SUMS = (
    "count(*), sum(cached), sum(tokens_in), sum(tokens_out), sum(seconds), sum(cost), "
    "sum(CASE WHEN cached THEN 0 ELSE tokens_in + tokens_out END)"
)
_NAMES = ("calls", "kept", "tokens_in", "tokens_out", "seconds", "cost", "tokens_paid")


@dataclass(frozen=True, slots=True)
class UsageRow:
    """What one call about one unit took in one run; a kept answer costs nothing."""

    run: str
    unit: str
    call: str
    record: str
    purpose: str
    model: str
    tokens_in: int
    tokens_out: int
    seconds: float
    cached: bool
    cost: float


def add(work: Work, row: UsageRow) -> None:
    """Note a call; the same call of a unit in a run counts once, as it was made first."""
    with work.transaction() as db:
        db.execute(
            "INSERT OR IGNORE INTO usage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", astuple(row)
        )


def rows(work: Work, run: str = "") -> list[UsageRow]:
    """Return the calls of a run, or all, in the order in which they were noted."""
    found = work.rows(
        "SELECT run, unit, call, record, purpose, model, tokens_in, tokens_out, seconds, cached, "
        "cost FROM usage WHERE ? IN ('', run) ORDER BY rowid",
        (run,),
    )
    return [replace(UsageRow(*row), cached=bool(row[9])) for row in found]


def taken(work: Work, run: str, record: str) -> dict[tuple[str, str], int]:
    """Return the tokens that the units of a record took in a run, by unit and purpose."""
    found = work.rows(
        "SELECT unit, purpose, sum(tokens_in + tokens_out) FROM usage "
        "WHERE run = ? AND record = ? GROUP BY unit, purpose",
        (run, record),
    )
    return {(unit, purpose): int(tokens) for unit, purpose, tokens in found}


def report(work: Work, run: str = "") -> dict[str, Any]:
    """Return the sums of a run (or of all), with those of each model and each document.

    `kept` counts the calls whose answers were there already; `tokens_paid` leaves these out.
    Empty where no model was asked.
    """
    found = work.rows(f"SELECT {_SUMS} FROM usage WHERE ? IN ('', run)", (run,))
    if not found or not found[0][0]:
        return {}
    return {
        **_sums(found[0]),
        "models": _grouped(work, run, "model"),
        "purposes": _grouped(work, run, "purpose"),
        "documents": _grouped(work, run, "record"),
    }


def _grouped(work: Work, run: str, column: str) -> dict[str, dict[str, Any]]:
    found = work.rows(
        f"SELECT {_SUMS}, {column} FROM usage WHERE ? IN ('', run) "
        f"GROUP BY {column} ORDER BY {column}",
        (run,),
    )
    return {str(row[-1]): _sums(row) for row in found}


def _sums(row: tuple[Any, ...]) -> dict[str, Any]:
    named = dict(zip(_NAMES, row, strict=False))
    return {**named, "seconds": round(named["seconds"], 3), "cost": round(named["cost"], 6)}
