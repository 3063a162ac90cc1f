"""The first and last day that an EDTF date may mean, as numbers that order (yyyymmdd)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rdfkms.model import Value

_POINT = re.compile(r"Y?(-?[0-9X]{4,12})(?:-([0-9X]{2}))?(?:-([0-9X]{2}))?")
_EARLIEST, _LATEST = -(10**14), 10**14


@dataclass(frozen=True, slots=True)
class Timespan:
    """From the first to the last possible day; `lasts` for an interval, which holds throughout."""

    first: int
    last: int
    lasts: bool = False

    def before(self, other: Timespan) -> bool:
        """Return whether this is over, however it is understood, when the other begins."""
        return self.last < other.first

    def overlaps(self, other: Timespan) -> bool:
        """Return whether both may hold at one time; intervals that only meet do not."""
        if self.lasts and other.lasts:
            begins, ends = max(self.first, other.first), min(self.last, other.last)
            met = begins // 10_000 == ends // 10_000 and self.first != other.first
            return begins <= ends and not met
        return self.first <= other.last and other.first <= self.last


def timespan(value: Value | None) -> Timespan | None:
    """Return the span of a date that was understood, or None for one in words only."""
    if value is None or value.datatype not in ("edtf", "date"):
        return None
    start, slash, end = value.lexical.partition("/")
    first, last = _point(start), _point(end) if slash else _point(start)
    if first is None and last is None:
        return None
    low = first[0] if first else _EARLIEST
    high = last[1] if last else _LATEST
    return Timespan(low, high, bool(slash)) if low <= high else None


def _point(text: str) -> tuple[int, int] | None:
    found = _POINT.match(text)
    if found is None:
        return None
    return _day(found, "0", "01"), _day(found, "9", "31")


def _day(found: re.Match[str], digit: str, day: str) -> int:
    negative = found[1].startswith("-")
    year = int(found[1].replace("X", {"0": "9", "9": "0"}[digit] if negative else digit))
    month = _filled(found[2], "01" if digit == "0" else "12")
    return year * 10_000 + month * 100 + _filled(found[3], day)


def _filled(text: str | None, otherwise: str) -> int:
    return int(text) if text and text.isdigit() else int(otherwise)
