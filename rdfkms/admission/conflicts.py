"""Conflicts: single-valued statements that differ stay side by side, flagged (law 7)."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz.distance import Prefix

from rdfkms.knowledge.details import year_of
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.nameforms import normal
from rdfkms.knowledge.names import Names
from rdfkms.model import Claim, Rank, Status, Value

# Years by which an age may differ when both sources are dated.
AGE_TOLERANCE = 1
# Words that share so many letters are forms of one word: condenamos, condenar.
_SAME_STEM = 5


def conflicts(
    claim: Claim, others: Iterable[Claim], mapping: Mapping, names: Names | None = None
) -> tuple[str, ...]:
    """Return the keys, sorted, of admitted claims that say otherwise on a single-valued statement.

    `names` lets two spellings of one place count as the same.
    """
    if not mapping.statement(claim.statement).single_valued:
        return ()
    return tuple(sorted({other.key for other in others if _differ(claim, other, names)}))


def _differ(claim: Claim, other: Claim, names: Names | None) -> bool:
    standing = other.status is Status.ADMITTED and other.rank is not Rank.DEPRECATED
    if not standing or other.key == claim.key or other.statement != claim.statement:
        return False
    if claim.object is not None and other.object is not None:
        same = names is not None and _same_form(claim, other, names)
        return claim.object != other.object and not same
    if claim.value is None or other.value is None:
        return False
    if claim.statement == "age":
        return _ages_differ(claim, other)
    return _values_differ(claim.value, other.value)


def _same_form(claim: Claim, other: Claim, names: Names) -> bool:
    one = names.entity(claim.object) if claim.object else None
    two = names.entity(other.object) if other.object else None
    return one is not None and two is not None and bool(set(one.forms) & set(two.forms))


def _ages_differ(claim: Claim, other: Claim) -> bool:
    ages = [_number(c.value) for c in (claim, other)]
    if ages[0] is None or ages[1] is None:
        return False
    years = [year_of(c.time) for c in (claim, other)]
    if years[0] is None or years[1] is None:
        return ages[0] != ages[1]
    return abs((ages[0] - years[0]) - (ages[1] - years[1])) > AGE_TOLERANCE


def _number(value: Value | None) -> int | None:
    try:
        return int(value.lexical) if value else None
    except ValueError:
        return None


def _values_differ(one: Value, other: Value) -> bool:
    dated = [value.datatype in ("edtf", "date") for value in (one, other)]
    if dated[0] != dated[1]:
        return False  # a date in words cannot be compared with one that was understood
    if all(dated):
        # A coarser date does not contradict a finer one.
        return not (one.lexical.startswith(other.lexical) or other.lexical.startswith(one.lexical))
    ours, theirs = normal(one.lexical), normal(other.lexical)
    return ours != theirs and Prefix.similarity(ours, theirs) < _SAME_STEM
