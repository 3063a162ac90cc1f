"""Orders of time that cannot be: birth after death, acts outside a life, ages that do not fit.

Only what the dates exclude however they are understood is named: a coarse date contradicts little.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rdfkms.knowledge.details import year_of
from rdfkms.knowledge.timespans import Timespan, timespan
from rdfkms.model import Claim

BIRTH, DEATH, AGE, TIME = "birthDate", "deathDate", "age", "time"
LIFE = (BIRTH, DEATH)
# Years by which an age may miss what birth date and date of the paper give.
AGE_TOLERANCE = 1


def disordered(one: Claim, other: Claim) -> bool:
    """Return whether a birth and a death of one being stand in the wrong order."""
    if {one.statement, other.statement} != {BIRTH, DEATH}:
        return False
    birth, death = (one, other) if one.statement == BIRTH else (other, one)
    born, died = timespan(birth.value), timespan(death.value)
    return born is not None and died is not None and died.before(born)


def outside(life: Claim, when: Iterable[Timespan]) -> bool:
    """Return whether a birth or death excludes all of these times of an event."""
    limit, times = timespan(life.value), list(when)
    if limit is None or not times:
        return False
    if life.statement == BIRTH:
        return all(time.before(limit) for time in times)
    return all(limit.before(time) for time in times)


def misaged(age: Claim, birth: Claim, years: Sequence[int]) -> bool:
    """Return whether an age fits the birth date in none of the years it may have been stated in."""
    born, number = timespan(birth.value), _number(age)
    own = year_of(age.time)
    stated = [own] if own is not None else list(years)
    if born is None or number is None or not stated:
        return False
    low, high = born.first // 10_000, born.last // 10_000
    return not any(
        year - high - AGE_TOLERANCE <= number <= year - low + AGE_TOLERANCE for year in stated
    )


def _number(claim: Claim) -> int | None:
    try:
        return int(claim.value.lexical) if claim.value else None
    except ValueError:
        return None
