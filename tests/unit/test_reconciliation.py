"""Reconciliation: one being under several names, namesakes, and what is left to a person."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rdfkms.admission.reasons import REASONS
from rdfkms.knowledge import mapping
from rdfkms.knowledge.details import Fact
from rdfkms.knowledge.names import Names
from rdfkms.knowledge.reconciliation import Reconciliation, reconcile
from rdfkms.model import Candidate, EvidenceUnit, Kind, Ref, Value
from tests.tools.passages import about, anchor, mention, passage

TABLE = mapping.load()
SOLER = "Andrés Vidal Soler"


class Archive:
    """Reconciles record after record and learns what each says."""

    def __init__(self) -> None:
        self.names = Names()
        self.last: Reconciliation | None = None

    def read(self, *said: Candidate, units: Sequence[EvidenceUnit]) -> Reconciliation:
        found = reconcile(said, {u.key: u for u in units}, self.names, TABLE)
        for new in found.new_names:
            self.names.add(*new)
        records = {u.key: u.record for u in units}
        for candidate in said:
            if candidate.kind in (Kind.ATTRIBUTE, Kind.RELATION) and candidate.subject:
                end = candidate.object
                thing = found.ref_of(candidate.unit, end) if end is not None else None
                subject = found.ref_of(candidate.unit, candidate.subject)
                fact = Fact(candidate.name, subject, thing, candidate.value, candidate.time)
                self.names.add_fact(fact, records[candidate.unit])
        self.last = found
        return found

    def person(self, text: str, name: str, record: str, **details: str) -> Ref:
        """Read a record that names one person with these details, and return who it is."""
        unit = passage(text, record=record)
        who = anchor(unit, name, "Person")
        said = [mention(unit, name)]
        for statement, word in details.items():
            if statement == "birthplace":
                said.append(mention(unit, word, "Location"))
                place = anchor(unit, word, "Location")
                said.append(about(unit, Kind.ATTRIBUTE, statement, subject=who, object=place))
            else:
                kind = Kind.RELATION if statement == "Alias" else Kind.ATTRIBUTE
                datatype = "integer" if statement == "age" else "string"
                value = Value(word, datatype, "", word)
                said.append(about(unit, kind, statement, subject=who, value=value))
        return self.read(*said, units=[unit]).ref_of(unit.key, who)

    @property
    def codes(self) -> set[str]:
        """The reasons of the last proposals."""
        assert self.last is not None
        return {reason.code for p in self.last.proposals for reason in p.reasons}


def within(text: str, *names: str, aliases: dict[str, str] | None = None) -> list[Ref]:
    """The entities of these names in one passage, in the order given."""
    unit = passage(text)
    said = [mention(unit, name) for name in names]
    for name, other in (aliases or {}).items():
        who = anchor(unit, name, "Person")
        said.append(about(unit, Kind.RELATION, "Alias", subject=who, value=Value(other)))
    found = reconcile(said, {unit.key: unit}, Names(), TABLE)
    return [found.ref_of(unit.key, anchor(unit, name, "Person")) for name in names]


def test_forms_of_one_name_in_a_record_are_one_person() -> None:
    text = f"{SOLER}; A. Vidal; D. Vidal Soler; ANDRES VIDAL SOLER; el llamado Chispa"
    names = (SOLER, "A. Vidal", "Vidal Soler", "ANDRES VIDAL SOLER", "Chispa")
    refs = within(text, *names, aliases={SOLER: "Chispa"})
    assert len(set(refs)) == 1


def test_a_short_form_of_two_is_neither_and_is_proposed_for_both() -> None:
    unit = passage("Andrés Vidal Soler y su hermano Tomás Vidal Soler. Vidal Soler calló.")
    short = anchor(unit, "Vidal Soler", "Person", 2)
    said = [mention(unit, SOLER), mention(unit, "Tomás Vidal Soler"),
            mention(unit, "Vidal Soler", nth=2)]  # fmt: skip
    found = reconcile(said, {unit.key: unit}, Names(), TABLE)
    assert len(set(found.refs.values())) == 3
    mine = found.ref_of(unit.key, short)
    assert sum(mine in (p.a, p.b) for p in found.proposals) == 2


def test_father_and_son_of_one_name_stay_two() -> None:
    unit = passage("Juan Mora Gil, hijo de Juan Mora Gil, compareció")
    son, father = (anchor(unit, "Juan Mora Gil", "Person", nth) for nth in (0, 1))
    said = [mention(unit, "Juan Mora Gil"), mention(unit, "Juan Mora Gil", nth=1),
            about(unit, Kind.RELATION, "Kinship/child", subject=father, object=son)]  # fmt: skip
    found = reconcile(said, {unit.key: unit}, Names(), TABLE)
    assert found.ref_of(unit.key, son) != found.ref_of(unit.key, father)


def test_namesakes_in_one_record_are_told_apart_by_birthplace() -> None:
    unit = passage("José Marín, natural de Elda. Otro José Marín, natural de Villena.")
    said = [mention(unit, "Elda", "Location"), mention(unit, "Villena", "Location")]
    for nth, place in enumerate(("Elda", "Villena")):
        said.append(mention(unit, "José Marín", nth=nth))
        said.append(
            about(
                unit, Kind.ATTRIBUTE, "birthplace",
                subject=anchor(unit, "José Marín", "Person", nth),
                object=anchor(unit, place, "Location"),
            )
        )  # fmt: skip
    found = reconcile(said, {unit.key: unit}, Names(), TABLE)
    one, other = (found.ref_of(unit.key, anchor(unit, "José Marín", "Person", n)) for n in (0, 1))
    assert one != other
    assert [r.code for p in found.proposals for r in p.reasons] == ["sameName", "disagreeingDetail"]


def test_places_and_bodies_of_one_name_are_one_everywhere() -> None:
    names = Names()
    refs = set()
    for record in ("r1", "r2"):
        unit = passage("Peñarrasa, Ateneo Obrero", record=record)
        said = [mention(unit, "Peñarrasa", "Location"),
                mention(unit, "Ateneo Obrero", "OrganizationState")]  # fmt: skip
        found = reconcile(said, {unit.key: unit}, names, TABLE)
        refs |= set(found.refs.values())
        for new in found.new_names:
            names.add(*new)
    assert len(refs) == 2


def test_a_charge_belongs_to_its_record() -> None:
    names = Names()
    refs = set()
    for record in ("r1", "r2"):
        unit = passage("auxilio a la rebelión", record=record)
        said = [mention(unit, "auxilio a la rebelión", "Charge")]
        found = reconcile(said, {unit.key: unit}, names, TABLE)
        refs |= set(found.refs.values())
        for new in found.new_names:
            names.add(*new)
    assert len(refs) == 2


def test_a_person_is_linked_across_records_by_an_agreeing_detail() -> None:
    archive = Archive()
    one = archive.person(f"{SOLER}, natural de Alcoy", SOLER, "r1", birthplace="Alcoy")
    other = archive.person(f"{SOLER}, natural de Alcoy", SOLER, "r2", birthplace="Alcoy")
    assert one == other
    assert archive.last is not None
    assert archive.last.proposals == ()
    told = {place[3]: [r.code for r in rs] for place, rs in archive.last.reasons.items()}
    assert told == {
        "Location": ["sameName"],
        "Person": ["sameName", "agreeingDetail", "sharedPlaces"],
    }
    assert any("(weight 0.20)" in r.sentence for rs in archive.last.reasons.values() for r in rs)


def test_a_name_alone_is_only_proposed() -> None:
    archive = Archive()
    one = archive.person(f"{SOLER} calló", SOLER, "r1")
    other = archive.person(f"{SOLER} habló", SOLER, "r2")
    assert one != other
    assert archive.codes == {"sameName", "thinEvidence"}


def test_a_detail_that_disagrees_keeps_namesakes_apart() -> None:
    archive = Archive()
    said = {"occupation": "sastre"}
    text = f"{SOLER}, sastre, natural de "
    one = archive.person(f"{text}Alcoy", SOLER, "r1", birthplace="Alcoy", **said)
    other = archive.person(f"{text}Elche", SOLER, "r2", birthplace="Elche", **said)
    assert one != other
    assert "disagreeingDetail" in archive.codes
    assert archive.last is not None
    assert max(p.score for p in archive.last.proposals) <= 0.2


@pytest.mark.parametrize(("age", "same"), [("32", True), ("33", True), ("60", False)])
def test_ages_agree_within_the_years_between(age: str, same: bool) -> None:
    archive = Archive()
    one = archive.person(f"{SOLER}, de 32 años", SOLER, "r1", age="32")
    other = archive.person(f"{SOLER}, de {age} años", SOLER, "r2", age=age)
    assert (one == other) is same


def test_a_misread_name_needs_two_details() -> None:
    archive = Archive()
    text = ", sastre, natural de Alcoy"
    one = archive.person(SOLER + text, SOLER, "r1", birthplace="Alcoy", occupation="sastre")
    thin = archive.person(
        f"Andrés Vidat Soler{text}", "Andrés Vidat Soler", "r2", birthplace="Alcoy"
    )
    assert thin != one
    assert archive.codes == {"similarName", "agreeingDetail", "sharedPlaces"}
    full = archive.person(
        f"Andrés Vidal Soter{text}", "Andrés Vidal Soter", "r3",
        birthplace="Alcoy", occupation="sastre",
    )  # fmt: skip
    assert full == one


def test_details_count_wherever_the_record_gives_them() -> None:
    archive = Archive()
    one = archive.person(f"{SOLER}, sastre", SOLER, "r1", occupation="sastre")
    unit = passage(f"Acusado: {SOLER}. RESULTANDO que {SOLER}, sastre, calló", record="r2")
    later = anchor(unit, SOLER, "Person", 1)
    said = [mention(unit, SOLER), mention(unit, SOLER, nth=1),
            about(unit, Kind.ATTRIBUTE, "occupation", subject=later,
                  value=Value("sastre", "string", "", "sastre"))]  # fmt: skip
    found = archive.read(*said, units=[unit])
    assert set(found.refs.values()) == {one}


def test_hearsay_makes_nobody_one() -> None:
    archive = Archive()
    archive.person(f"{SOLER}, natural de Alcoy", SOLER, "r1", birthplace="Alcoy")
    unit = passage(f"{SOLER}, según rumor natural de Alcoy", record="r2")
    who, place = anchor(unit, SOLER, "Person"), anchor(unit, "Alcoy", "Location")
    said = [mention(unit, SOLER), mention(unit, "Alcoy", "Location"),
            about(unit, Kind.ATTRIBUTE, "birthplace", subject=who, object=place)]  # fmt: skip
    found = reconcile(
        said, {unit.key: unit}, archive.names, TABLE,
        accept=lambda candidate: candidate.kind is Kind.MENTION,
    )  # fmt: skip
    assert found.ref_of(unit.key, who).key not in {
        e.ref.key for e in archive.names.in_record(passage("", record="r1").record, "Person")
    }


def test_a_later_page_meets_the_names_of_the_first() -> None:
    archive = Archive()
    first = archive.person(f"Acusado: {SOLER}", SOLER, "r1")
    unit = passage("CONSIDERANDO que A. Vidal calló", record="r1", name="p2")
    found = archive.read(mention(unit, "A. Vidal"), units=[unit])
    assert set(found.refs.values()) == {first}


def test_the_order_of_candidates_changes_nothing() -> None:
    unit = passage(f"{SOLER}; A. Vidal; Tomás Vidal Soler; Alcoy; Alcoy")
    said = [mention(unit, SOLER), mention(unit, "A. Vidal"), mention(unit, "Tomás Vidal Soler"),
            mention(unit, "Alcoy", "Location"), mention(unit, "Alcoy", "Location", 1)]  # fmt: skip
    one = reconcile(said, {unit.key: unit}, Names(), TABLE)
    other = reconcile(said[::-1], {unit.key: unit}, Names(), TABLE)
    assert (one.refs, one.proposals) == (other.refs, other.proposals)


def test_han_names_of_one_character_stay_in_their_record() -> None:
    names = Names()
    refs = set()
    for record in ("r1", "r2"):
        unit = passage("景立", "lzh", record=record)
        found = reconcile([mention(unit, "景")], {unit.key: unit}, names, TABLE)
        refs |= set(found.refs.values())
        for new in found.new_names:
            names.add(*new)
        assert found.proposals == ()
    assert len(refs) == 2


def test_reasons_of_proposals_are_listed() -> None:
    archive = Archive()
    archive.person(f"{SOLER} calló", SOLER, "r1")
    archive.person(f"{SOLER} habló", SOLER, "r2")
    assert archive.codes <= set(REASONS)
