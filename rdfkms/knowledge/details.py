"""Details that tell beings of one name apart: what agrees, what cannot be true of both (R65)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rdfkms.knowledge.nameforms import normal
from rdfkms.model import Ref, Value

ACTED = "acted"  # had part in an event of that date
_YEAR = re.compile(r"-?[0-9]{4}")
_THINGS = frozenset({"birthplace", "residence", "OfficeHolding", "Membership"})
_WORDS = frozenset({"occupation", "militaryRank", "Alias"})
_DATES = frozenset({"birthDate", "deathDate"})
# One being has one of each; what differs here speaks against one being.
_SINGLE = frozenset({"birthplace", "birthDate", "deathDate"})
# Years by which two ages may differ: known years of both sources, or not; and beyond which they
# cannot be one being's.
_NEAR = {True: 1, False: 2}
_FAR = {True: 3, False: 5}


@dataclass(frozen=True, slots=True)
class Detail:
    """One detail of a being: which statement, and its value in comparable form.

    `value` is the path of a thing, a normal form or an EDTF text; ages have `number` and, where
    it is known, the `year` in which the age was stated. `shown` is how a person reads it.
    """

    statement: str
    value: str
    shown: str = ""
    number: int | None = None
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement about an entity, from a claim or from a candidate of the batch."""

    statement: str
    subject: Ref
    object: Ref | None = None
    value: Value | None = None
    time: Value | None = None


def year_of(value: Value | None) -> int | None:
    """Return the year of an EDTF value, or None."""
    found = _YEAR.match(value.lexical) if value is not None and value.datatype != "string" else None
    return int(found[0]) if found else None


def act(fact: Fact) -> Detail | None:
    """Return the year in which the fact shows its subject active, or None."""
    year = year_of(fact.value if fact.statement == ACTED else fact.time)
    if year is None or fact.statement in _DATES:
        return None
    return Detail(ACTED, str(year), str(year), year=year)


def of_subject(
    fact: Fact, object_name: str, year: int | None, object_form: str = ""
) -> Detail | None:
    """Return what the fact says about its subject, or None.

    `object_name` is the name of the fact's object and `object_form` its normal form; `year` that
    of the source.
    """
    statement, value = fact.statement, fact.value
    if statement in _THINGS and fact.object is not None:
        return Detail(statement, fact.object.path, object_name)
    if statement.startswith("Kinship/"):
        return Detail(f"{statement} of", object_form, object_name) if object_form else None
    if value is None:
        return None
    return _literal(statement, value, year_of(fact.time) or year)


def _literal(statement: str, value: Value, year: int | None) -> Detail | None:
    if statement in _WORDS:
        form = normal(value.lexical, "Person" if statement == "Alias" else "")
        return Detail(statement, form, value.lexical)
    if statement in _DATES and value.datatype != "string":
        return Detail(statement, value.lexical, value.lexical)
    if statement == "age" and value.datatype == "integer":
        number = int(value.lexical)
        return Detail("age", str(number), str(number), number, year)
    return None


def of_object(fact: Fact, subject_name: str, subject_form: str) -> Detail | None:
    """Return what the fact says about its object: kin from the other side."""
    symmetric = fact.statement in {"Kinship/spouse", "Kinship/sibling", "Kinship/other"}
    if fact.statement.startswith("Kinship/") and subject_form:
        direction = "of" if symmetric else "to"
        return Detail(f"{fact.statement} {direction}", subject_form, subject_name)
    return None


def agreeing(ours: Iterable[Detail], theirs: Iterable[Detail]) -> list[Detail]:
    """Return those of our details that they share, each statement once, sorted."""
    known = list(theirs)
    found: dict[str, Detail] = {}
    for detail in sorted(ours, key=_order):
        if any(_agree(detail, other) for other in known):
            found.setdefault(detail.statement, detail)
    return list(found.values())


def disagreeing(ours: Iterable[Detail], theirs: Iterable[Detail]) -> list[tuple[Detail, Detail]]:
    """Return pairs of details that one being cannot both have, each statement once, sorted."""
    known = sorted(theirs, key=_order)
    found: dict[str, tuple[Detail, Detail]] = {}
    for detail in sorted(ours, key=_order):
        same = [other for other in known if other.statement == detail.statement]
        if not same or any(_agree(detail, other) for other in same):
            continue
        clash = next((other for other in same if _clash(detail, other)), None)
        if clash is not None:
            found.setdefault(detail.statement, (detail, clash))
    return list(found.values())


def _agree(one: Detail, other: Detail) -> bool:
    if one.statement != other.statement:
        return False
    if one.number is not None and other.number is not None:
        difference, dated = _years_apart(one, other)
        return difference <= _NEAR[dated]
    return one.value == other.value


def _clash(one: Detail, other: Detail) -> bool:
    if one.number is not None and other.number is not None:
        difference, dated = _years_apart(one, other)
        return difference > _FAR[dated]
    if one.statement in _DATES:
        # A coarser date does not contradict a finer one.
        return not (one.value.startswith(other.value) or other.value.startswith(one.value))
    return one.statement in _SINGLE and one.value != other.value


def _years_apart(one: Detail, other: Detail) -> tuple[int, bool]:
    """Return by how many years the ages differ, at one time where both years are known."""
    ours, theirs = one.number or 0, other.number or 0
    if one.year is None or other.year is None:
        return abs(ours - theirs), False
    return abs((ours - one.year) - (theirs - other.year)), True


def _order(detail: Detail) -> tuple[str, str, int]:
    return detail.statement, detail.value, detail.year or 0
