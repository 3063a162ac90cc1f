"""Conflicts: single-valued statements that differ are named, others live in peace."""

from __future__ import annotations

from dataclasses import replace

from rdfkms.admission.conflicts import conflicts
from rdfkms.knowledge import mapping
from rdfkms.knowledge.names import Names
from rdfkms.model import Claim, Kind, Rank, Ref, Status, Value

TABLE = mapping.load()
ANA, ALCOY, ELCHE = Ref("person", "ana"), Ref("place", "alcoy"), Ref("place", "elche")


def born(key: str, place: Ref) -> Claim:
    return Claim(key, Kind.ATTRIBUTE, "birthplace", ANA, (), object=place)


def valued(
    key: str, statement: str, lexical: str, datatype: str = "string", year: str = ""
) -> Claim:
    time = Value(year, "edtf") if year else None
    return Claim(
        key, Kind.ATTRIBUTE, statement, ANA, (), value=Value(lexical, datatype), time=time
    )  # fmt: skip


def test_two_birthplaces_conflict() -> None:
    assert conflicts(born("1", ALCOY), [born("1", ALCOY), born("2", ELCHE)], TABLE) == ("2",)


def test_one_place_under_two_entities_with_one_name_does_not() -> None:
    names = Names()
    names.add(ALCOY, "Location", "Alcoy", "r1")
    names.add(ELCHE, "Location", "ALCOY", "r2")
    assert conflicts(born("1", ALCOY), [born("2", ELCHE)], TABLE, names) == ()


def test_ages_at_different_years_do_not_conflict() -> None:
    young = valued("1", "age", "31", "integer", "1938")
    assert conflicts(young, [valued("2", "age", "33", "integer", "1940-02")], TABLE) == ()
    assert conflicts(young, [valued("3", "age", "40", "integer", "1940")], TABLE) == ("3",)
    assert conflicts(young, [valued("4", "age", "32", "integer")], TABLE) == ("4",)


def test_many_valued_statements_never_conflict() -> None:
    assert conflicts(valued("1", "occupation", "a"), [valued("2", "occupation", "b")], TABLE) == ()


def test_a_coarser_date_is_no_contradiction() -> None:
    day = valued("1", "deathDate", "1938-05-03", "edtf")
    assert conflicts(day, [valued("2", "deathDate", "1938-05", "edtf")], TABLE) == ()
    assert conflicts(day, [valued("3", "deathDate", "1939", "edtf")], TABLE) == ("3",)
    assert conflicts(day, [valued("4", "deathDate", "en mayo")], TABLE) == ()


def test_forms_of_one_word_agree() -> None:
    verdict = replace(valued("1", "verdict", "condenamos"), kind=Kind.ARGUMENT)
    others = [valued("2", "verdict", "condenar"), valued("3", "verdict", "absolver")]
    assert conflicts(verdict, others, TABLE) == ("3",)


def test_what_was_withdrawn_or_deprecated_contradicts_nobody() -> None:
    gone = replace(born("2", ELCHE), status=Status.WITHDRAWN)
    disowned = replace(born("3", ELCHE), rank=Rank.DEPRECATED)
    assert conflicts(born("1", ALCOY), [gone, disowned], TABLE) == ()
