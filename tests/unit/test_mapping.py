"""The mapping table is complete, closed and refuses a broken row with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from rdfkms import resources
from rdfkms.errors import Misconfigured
from rdfkms.knowledge.mapping import EntityRule, EventRule, StatementRule, load, read, term
from rdfkms.model import Kind
from rdfkms.vocab import KMS, KV, RICO

MAPPING = load()
ENTITIES = (
    "Person Location OrganizationState Title Artifact Work TimeExpression Concept HeritageItem "
    "Technique Ritual Tool Material Charge Sentence"
)
RELATIONS = (
    "Alias Kinship/child Kinship/spouse Kinship/sibling Kinship/other PoliticalRelation/ally "
    "PoliticalRelation/enemy PoliticalRelation/subordinate Succession GeographicControl "
    "OfficeHolding Authorship CitationSourceLink MasterApprenticeRelation FamilyTransmission "
    "PracticesAt PerformedAt UsesTool UsesMaterial Membership"
)
ATTRIBUTES = "birthplace residence age occupation militaryRank maritalStatus birthDate deathDate"
EVENTS = (
    "MilitaryConflict InstitutionalChange DiplomacyMeeting NaturalPhenomenon LearningEvent "
    "TransmissionEvent PerformanceEvent RitualEvent CraftProductionEvent CourtMartial"
)
ROLES = (
    "time location participant outcome accused judge prosecutor defender witness court charge "
    "sentence plea verdict commander"
)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (Kind.MENTION, ENTITIES), (Kind.RELATION, RELATIONS), (Kind.ATTRIBUTE, ATTRIBUTES),
        (Kind.EVENT, EVENTS), (Kind.ARGUMENT, ROLES),
    ],
)  # fmt: skip
def test_the_table_holds_exactly_the_names_that_may_be_proposed(kind: Kind, names: str) -> None:
    assert set(MAPPING.names(kind)) == set(names.split())
    assert not MAPPING.knows(kind, "Person/unknown")


@pytest.mark.parametrize(
    ("name", "cls", "order"),
    [
        # the subject is the target: Group -> Person, Place -> Thing, Appellation -> Thing
        ("Membership", RICO("MembershipRelation"), "target-source"),
        ("PracticesAt", RICO("PlaceRelation"), "target-source"),
        ("birthplace", RICO("PlaceRelation"), "target-source"),
        ("Alias", RICO("AppellationRelation"), "target-source"),
        ("OfficeHolding", RICO("PositionHoldingRelation"), "source-target"),
        ("Authorship", KMS("WorkAuthorshipRelation"), "source-target"),
        ("Kinship/child", RICO("ChildRelation"), "source-target"),
        ("Kinship/sibling", RICO("SiblingRelation"), "connects"),
        ("accused", KMS("ParticipationRelation"), "source-target"),
    ],
)
def test_relations_run_in_the_order_of_the_ontology(name: str, cls: object, order: str) -> None:
    rule = MAPPING.statement(name)
    assert (rule.relation_class, rule.order) == (cls, order)


def test_rules_are_found_by_concept_class_and_kind() -> None:
    assert MAPPING.by_concept(KV("accused")) is MAPPING.statement("accused")
    assert MAPPING.by_concept(KV("courtMartial")) is MAPPING.event("CourtMartial")
    assert MAPPING.by_concept(KV("nothing")) is None
    assert MAPPING.by_class(RICO("Position")) is MAPPING.entity("Title")
    assert MAPPING.by_kind("organization") is MAPPING.entity("OrganizationState")
    kinds = [rule.kind for rule in MAPPING.entities.values()]
    assert len(kinds) == len(set(kinds))


def test_symmetric_single_valued_and_high_risk_statements_are_marked() -> None:
    rules = [rule for rule in MAPPING.statements.values() if not rule.declared]
    assert {r.name for r in rules if r.symmetric} == {
        "Kinship/spouse", "Kinship/sibling", "Kinship/other", "PoliticalRelation/ally",
        "PoliticalRelation/enemy",
    }  # fmt: skip
    assert {r.name for r in rules if r.high_risk} == {
        "OfficeHolding", "CitationSourceLink", "Succession",
    }  # fmt: skip
    assert {r.name for r in rules if r.single_valued} == {
        "birthplace", "age", "birthDate", "deathDate", "time", "plea", "verdict"
    }  # fmt: skip


def test_names_are_shared_only_by_the_types_that_identify_across_records() -> None:
    for rule in MAPPING.statements.values():
        assert rule.declared is rule.name.startswith("description/")
        assert not rule.declared or not MAPPING.knows(rule.claim_kind, rule.name)
    shared = {rule.name for rule in MAPPING.entities.values() if rule.scope == "global"}
    assert shared == {"Person", "Location", "OrganizationState", "Title", "TimeExpression"}


def test_subjects_and_objects_are_checked_by_type() -> None:
    assert MAPPING.accepts_subject("time", "NaturalPhenomenon")
    assert MAPPING.accepts_subject("plea", "CourtMartial")
    assert not MAPPING.accepts_subject("plea", "RitualEvent")
    assert not MAPPING.accepts_subject("age", "Location")
    assert MAPPING.accepts_object("GeographicControl", "Location")
    assert not MAPPING.accepts_object("age", "Person")


def test_a_natural_phenomenon_is_an_event_and_never_an_activity() -> None:
    assert MAPPING.event("NaturalPhenomenon").cls == RICO("Event")
    assert MAPPING.event("NaturalPhenomenon").type_predicate == RICO("hasEventType")
    assert MAPPING.event("CourtMartial").cls == RICO("Activity")


def test_each_rule_is_of_its_kind() -> None:
    kinds = {type(rule) for rule in MAPPING.rules()}
    assert kinds == {EntityRule, StatementRule, EventRule}


HEAD, *ROWS = [
    line
    for line in resources.file("ontology/mapping.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
PERSON = next(row for row in ROWS if row.startswith("entity\tPerson"))
AGE = next(row for row in ROWS if row.startswith("attribute\tage"))
CHILD = next(row for row in ROWS if row.startswith("relation\tKinship/child"))


@pytest.mark.parametrize(
    ("rows", "where", "why"),
    [
        ([PERSON.replace("rico:Person", "ric:Person")], ":2:", "no prefixed name"),
        ([PERSON.replace("global", "world")], ":2:", "neither global nor record nor declared"),
        ([PERSON + "\t-"], ":2:", "15 cells, 14 columns"),
        ([PERSON, PERSON.replace("Person", "Human", 1)], ":3:", "stands twice"),
        ([AGE], "age", "unknown type 'Person'"),
        ([PERSON, CHILD.replace("source-target", "-")], ":3:", "a relation class needs an order"),
        ([PERSON, CHILD.replace("source-target", "up")], ":3:", "unknown order 'up'"),
        (["oddity" + PERSON.removeprefix("entity")], ":2:", "unknown kind 'oddity'"),
    ],
)
def test_a_broken_row_is_refused_with_its_line(
    rows: list[str], where: str, why: str, tmp_path: Path
) -> None:
    path = tmp_path / "mapping.tsv"
    path.write_text("\n".join([HEAD, *rows]) + "\n", encoding="utf-8")
    with pytest.raises(Misconfigured) as caught:
        read(path)
    assert where in str(caught.value)
    assert why in str(caught.value)


def test_a_table_with_other_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mapping.tsv"
    path.write_text("name\tclass\n", encoding="utf-8")
    with pytest.raises(Misconfigured, match="columns must be"):
        read(path)


def test_a_prefixed_name_becomes_a_term() -> None:
    assert term("rico:Person") == RICO("Person")
    with pytest.raises(ValueError, match="no prefixed name"):
        term("Person")
