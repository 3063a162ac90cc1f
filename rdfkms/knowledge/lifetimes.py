"""Whether one life can hold what is known of two: births, deaths and the years of acts (R63)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from rdfkms.knowledge.details import ACTED, Detail
from rdfkms.knowledge.thresholds import TimeLimits

_YEAR = re.compile(r"-?[0-9]{4}")
_AFTER_DEATH = 1  # years after a death in which papers still name its dead as acting


@dataclass
class _Life:
    """Years known of one being, each with the detail that gives it."""

    births: list[tuple[int, Detail]] = field(default_factory=list)
    deaths: list[tuple[int, Detail]] = field(default_factory=list)
    acts: list[tuple[int, Detail]] = field(default_factory=list)


def clash(
    ours: Iterable[Detail], theirs: Iterable[Detail], limits: TimeLimits
) -> tuple[Detail, Detail] | None:
    """Return two details that no one life can hold, ours first, or None."""
    one, other = _life(ours), _life(theirs)
    found = _against(one, other, limits)
    if found is None:
        turned = _against(other, one, limits)
        found = (turned[1], turned[0]) if turned else None
    return found


def near(
    ours: Iterable[Detail], theirs: Iterable[Detail], limits: TimeLimits
) -> tuple[Detail, Detail] | None:
    """Return the two nearest acts where both are known to have acted within one life."""
    one, other = _life(ours), _life(theirs)
    both = [(abs(a - b), first, second) for a, first in one.acts for b, second in other.acts]
    if not both or clash(ours, theirs, limits) is not None:
        return None
    _, first, second = min(both, key=lambda pair: (pair[0], pair[1].shown, pair[2].shown))
    return first, second


def _life(details: Iterable[Detail]) -> _Life:
    life = _Life()
    for detail in sorted(details, key=lambda d: (d.statement, d.value, d.year or 0)):
        year = _YEAR.match(detail.value)
        if detail.statement == "birthDate" and year:
            life.births.append((int(year[0]), detail))
        elif detail.statement == "deathDate" and year:
            life.deaths.append((int(year[0]), detail))
        elif detail.statement == ACTED and detail.year is not None:
            life.acts.append((detail.year, detail))
        elif detail.number is not None and detail.year is not None:
            life.births.append((detail.year - detail.number, detail))
            life.acts.append((detail.year, detail))
    return life


def _against(one: _Life, other: _Life, limits: TimeLimits) -> tuple[Detail, Detail] | None:
    for born, detail in one.births:
        for year, act in other.acts:
            aged = act.number is not None or detail.number is not None
            if year > born + limits.longest_life or (not aged and year < born + limits.active_age):
                return detail, act
        for died, end in other.deaths:
            if died < born or died > born + limits.longest_life:
                return detail, end
    for died, detail in one.deaths:
        for year, act in other.acts:
            if year > died + _AFTER_DEATH:
                return detail, act
    for year, detail in one.acts:
        for later, act in other.acts:
            if later - year > limits.longest_activity:
                return detail, act
    return None
