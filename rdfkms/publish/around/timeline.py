"""What is dated around a thing: of itself, and of the events in which it takes part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from rdfkms.knowledge.timespans import Timespan, timespan
from rdfkms.model import Ref, Value
from rdfkms.ports import Row
from rdfkms.publish.around.neighbours import around
from rdfkms.publish.histories import Said, said_of
from rdfkms.publish.views import Scope, key_in, text_of

MOST = 200  # entries drawn
READ = 1_000  # as the LIMIT in sparql/pages/dated.rq
ROW, LEFT, AXIS, RIGHT = 26, 12, 620, 330  # units of the drawing
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1_000, 2_000, 5_000)
_FURTHEST = 10_000  # years; an open end of an interval lies beyond
_TICKS = 8
MONTHS, _LAST_DAY = 12, 31
# Spring, summer, autumn, winter as months of a year of the north; winter by its beginning.
_SEASONS = {21: (3, 5), 22: (6, 8), 23: (9, 11), 24: (12, 12)}


@dataclass(frozen=True, slots=True)
class Entry:
    """A dated claim: the date as it stands (EDTF), and where its bar is."""

    date: str
    said: Said
    x: float
    width: float
    y: int


@dataclass(frozen=True, slots=True)
class Tick:
    """A year of the axis."""

    year: int
    x: float


@dataclass(frozen=True, slots=True)
class Timeline:
    """The entries in order of time, the axis, and how many dates could not be placed on it.

    `left_out` later dates are not drawn; `cut` where not all statements were looked at.
    """

    entries: tuple[Entry, ...]
    ticks: tuple[Tick, ...]
    width: int
    height: int
    unplaced: int
    left_out: int
    cut: bool


def timeline(scope: Scope, ref: Ref) -> Timeline:
    """Return the timeline of a thing; without entries where nothing around it has a date."""
    thing = scope.base.iri(ref.kind, ref.key)
    near = around(scope, thing)
    rows = scope.select_of("pages/dated", "thing", [thing, *near.events])
    dated, unplaced = _dated(scope, rows)
    said = said_of(scope, [key for _, key, _ in dated[:MOST]])
    shown = [(span, said[key], date) for span, key, date in dated[:MOST] if key in said]
    low, high = _bounds([span for span, _, _ in shown])
    entries = []
    for place, (span, one, date) in enumerate(shown):
        begin = _place(_year(span.first, low, high), low, high)
        end = _place(_year(span.last, low, high, ends=True), low, high)
        entries.append(Entry(date, one, begin, max(end - begin, 5.0), 34 + place * ROW))
    return Timeline(
        tuple(entries), _ticks(low, high) if shown else (), LEFT + AXIS + RIGHT,
        40 + len(shown) * ROW, unplaced, max(0, len(dated) - MOST),
        near.cut or len(rows) >= READ,
    )  # fmt: skip


def _dated(scope: Scope, rows: Sequence[Row]) -> tuple[list[tuple[Timespan, str, str]], int]:
    """Return (span, claim, date as it stands) in order of time; and the number of other dates."""
    found, others = {}, set()
    for row in rows:
        key, date = key_in(scope, row["claim"]), text_of(row["date"])
        span = timespan(Value(date, "edtf"))
        if span is None:
            others.add((key, date))
        else:
            found[key, date] = span
    ordered = sorted(found, key=lambda k: (found[k].first, found[k].last, k))
    return [(found[k], *k) for k in ordered], len(others)


def _year(day: int, low: float, high: float, *, ends: bool = False) -> float:
    """Return a day (yyyymmdd) as a year with its fraction; an open end is that of the axis."""
    if abs(day) > _FURTHEST * 10_000:
        return low if day < 0 else high
    year, rest = divmod(day, 10_000)
    month, date = divmod(rest, 100)
    if month > MONTHS:  # a season or another part of a year (EDTF level 1 and 2)
        first, last = _SEASONS.get(month, (1, MONTHS))
        month, date = (last, _LAST_DAY) if ends else (first, 1)
    return year + (month - 1) / 12 + (date - (0 if ends else 1)) / 372


def _bounds(spans: Sequence[Timespan]) -> tuple[float, float]:
    days = [d for s in spans for d in (s.first, s.last) if abs(d) <= _FURTHEST * 10_000]
    if not days:
        return 0.0, 1.0
    low, high = _year(min(days), 0, 0), _year(max(days), 0, 0, ends=True) + 0.001
    return float(floor(low)), float(ceil(high))


def _place(year: float, low: float, high: float) -> float:
    return round(LEFT + (year - low) / (high - low) * AXIS, 1)


def _ticks(low: float, high: float) -> tuple[Tick, ...]:
    step = next((s for s in _STEPS if (high - low) / s <= _TICKS), _STEPS[-1])
    first = -(-int(low // 1) // step) * step
    years = [y for y in range(first, int(high) + 1, step) if low <= y <= high]
    return tuple(Tick(year, _place(year, low, high)) for year in years)
