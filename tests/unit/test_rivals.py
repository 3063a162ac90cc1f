"""Impossible orders of time and offices with two holders: flagged on both sides, never refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import pytest
from pyoxigraph import Quad

from rdfkms.admission import decisions
from rdfkms.admission.conflicts import CODES, Rivals
from rdfkms.admission.judged import Decided
from rdfkms.admission.judging import Gate, decide
from rdfkms.admission.known import NothingKnown, StoredClaims
from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.knowledge import mapping
from rdfkms.knowledge.encoding import claim_triples
from rdfkms.knowledge.names import Names
from rdfkms.model import Claim, Decision, EvidenceUnit, Kind, Pointer, Rank, Ref, Status, Value
from rdfkms.vocab import Base, key_of
from tests.tools.passages import about, anchor, mention, passage
from tests.unit.test_judging import Shapes

TABLE, BASE = mapping.load(), Base()
ANA, EVA = Ref("person", "a" * 24), Ref("person", "b" * 24)
MAYOR, TOWN, TRIAL = Ref("position", "m" * 24), Ref("place", "t" * 24), Ref("event", "e" * 24)


def key(text: str) -> str:
    return key_of("claim", text)


def dated(name: str, statement: str, when: str) -> Claim:
    return Claim(key(name), Kind.ATTRIBUTE, statement, ANA, (), value=Value(when, "edtf"))


def part(name: str, role: str = "accused") -> Claim:
    return Claim(key(name), Kind.ARGUMENT, role, TRIAL, (), object=ANA)


def when(name: str, year: str) -> Claim:
    return Claim(key(name), Kind.ARGUMENT, "time", TRIAL, (), value=Value(year, "edtf"))


def aged(name: str, years: int, year: str = "") -> Claim:
    time = Value(year, "edtf") if year else None
    value = Value(str(years), "integer")
    return Claim(key(name), Kind.ATTRIBUTE, "age", ANA, (), value=value, time=time)


def holds(name: str, who: Ref, time: str, place: Ref | None = None) -> Claim:
    return Claim(
        key(name), Kind.RELATION, "OfficeHolding", who, (), object=MAYOR,
        time=Value(time, "edtf") if time else None, place=place,
    )  # fmt: skip


def flags(claims: Sequence[Claim], years: Sequence[int] = ()) -> dict[str, dict[str, set[str]]]:
    """What the rules say of each claim: code -> the claims that contradict it."""
    names = Names()
    names.add(MAYOR, "Title", "alcalde de Belmira", "r1")
    rivals = Rivals(claims, NothingKnown(), TABLE, names, lambda claim: years)
    told = {c.key: {code: {o.key for o in other} for code, other in rivals.of(c)} for c in claims}
    return {claim: found for claim, found in told.items() if found}


def both(code: str, one: Claim, other: Claim) -> dict[str, dict[str, set[str]]]:
    return {one.key: {code: {other.key}}, other.key: {code: {one.key}}}


def test_nobody_dies_before_birth() -> None:
    born, died = dated("b", "birthDate", "1901"), dated("d", "deathDate", "1899-05")
    assert flags([born, died]) == both("impossibleOrder", born, died)
    assert flags([born, dated("d2", "deathDate", "1901-05")]) == {}
    assert flags([born, dated("d3", "deathDate", "en mayo")]) == {}


@pytest.mark.parametrize(
    ("statement", "year", "trial", "wrong"),
    [
        ("birthDate", "1901", "1899", True),
        ("deathDate", "1936", "1939-03-12", True),
        ("birthDate", "1901", "1939", False),
        ("deathDate", "1939", "1939-03-12", False),
    ],
)
def test_nobody_takes_part_outside_life(statement: str, year: str, trial: str, wrong: bool) -> None:
    life, role, time = dated("l", statement, year), part("p"), when("t", trial)
    found = flags([life, role, time])
    # The time itself is no party: the part in the event and the life contradict one another.
    assert {k: v for k, v in found.items() if k != time.key} == (
        both("impossibleOrder", life, role) if wrong else {}
    )


def test_one_of_two_times_of_an_event_is_enough_for_the_life() -> None:
    life, role = dated("l", "deathDate", "1936"), part("p")
    found = flags([life, role, when("t1", "1939"), when("t2", "1935")])
    assert "impossibleOrder" not in {code for codes in found.values() for code in codes}


@pytest.mark.parametrize(
    ("age", "year", "papers", "wrong"),
    [
        (38, "1939", (), False),
        (39, "1939", (), False),
        (20, "1939", (), True),
        (20, "", (1939,), True),
        (20, "", (1921, 1939), False),
        (20, "", (), False),
    ],
)
def test_ages_are_held_against_birth(
    age: int, year: str, papers: tuple[int, ...], wrong: bool
) -> None:
    born, old = dated("b", "birthDate", "1901"), aged("a", age, year)
    assert flags([born, old], papers) == (both("ageAgainstDates", born, old) if wrong else {})


def test_one_office_has_one_holder_at_a_time() -> None:
    one, other = holds("1", ANA, "1936/1938", TOWN), holds("2", EVA, "1937/1940", TOWN)
    assert flags([one, other]) == both("officeHeldTwice", one, other)
    for peaceful in (
        holds("3", EVA, "1938/1940", TOWN),
        holds("4", EVA, "", TOWN),
        holds("5", EVA, "1937/1940", Ref("place", "z" * 24)),
        holds("6", ANA, "1937/1940", TOWN),
        holds("7", EVA, "1937/1940"),
    ):
        assert flags([one, peaceful]) == {}, peaceful


def test_a_bare_office_word_needs_its_place() -> None:
    names = Names()
    for title, clash in (("alcalde", False), ("alcalde de Belmira", True)):
        names = Names()
        names.add(MAYOR, "Title", title, "r1")
        claims = [holds("1", ANA, "1936/1938"), holds("2", EVA, "1937/1940")]
        rivals = Rivals(claims, NothingKnown(), TABLE, names)
        assert bool(list(rivals.of(claims[0]))) is clash


def test_entities_of_one_name_may_be_one_holder() -> None:
    names = Names()
    for who in (ANA, EVA):
        names.add(who, "Person", "Ana Ruiz", "r1")
    claims = [holds("1", ANA, "1936/1938", TOWN), holds("2", EVA, "1937/1940", TOWN)]
    assert list(Rivals(claims, NothingKnown(), TABLE, names).of(claims[0])) == []


# ---- through the gate, and against the archive ------------------------------------------------


@pytest.fixture
def store() -> Iterator[OxigraphStore]:
    made = OxigraphStore()
    yield made
    made.close()


def keep(store: OxigraphStore, claims: Iterable[Claim]) -> None:
    quads = [Quad(t.subject, t.predicate, t.object, BASE.public)
             for claim in claims for t in claim_triples(claim, BASE, TABLE)]  # fmt: skip
    store.patch([], quads)


def placed(claim: Claim, status: Status = Status.ADMITTED, rank: Rank = Rank.NORMAL) -> Claim:
    pointer = Pointer("u" * 24, "v" * 24, 0, 3, "Ana")
    return Claim(
        claim.key, claim.kind, claim.statement, claim.subject, (pointer,), claim.object,
        claim.value, time=claim.time, place=claim.place, status=status, rank=rank,
    )  # fmt: skip


def read(unit: EvidenceUnit, names: Names, known: NothingKnown | StoredClaims) -> Decided:
    who = anchor(unit, "Ana Ruiz Gil", "Person")
    died = Value("1890", "edtf", "", "1890")
    said = [mention(unit, "Ana Ruiz Gil"),
            about(unit, Kind.ATTRIBUTE, "deathDate", subject=who, value=died)]  # fmt: skip
    gate = Gate(TABLE, Shapes(), BASE, known=known)
    return decide([(c, None) for c in said], {unit.key: unit}, names, gate, lambda c: "run1")


def test_the_archive_is_asked_and_admission_is_not_refused(store: OxigraphStore) -> None:
    unit = passage("Ana Ruiz Gil, fallecida en 1890", record="r1")
    names = Names()
    names.add(ANA, "Person", "Ana Ruiz Gil", unit.record)
    born = dated("b", "birthDate", "1901")
    keep(store, [placed(c) for c in (born, part("p"), when("t", "1939"))])
    decided = read(unit, names, StoredClaims(store, BASE))
    death = decided.judged[1]
    assert death.verdict.decision is Decision.ADMITTED
    assert death.claim is not None
    assert set(death.claim.conflicts) == {key("b"), key("p")}
    assert "impossibleOrder" in {r.code for r in death.claim.reasons}


def test_what_was_withdrawn_or_disowned_contradicts_nobody(store: OxigraphStore) -> None:
    unit = passage("Ana Ruiz Gil, fallecida en 1890", record="r1")
    names = Names()
    names.add(ANA, "Person", "Ana Ruiz Gil", unit.record)
    keep(store, [placed(dated("b1", "birthDate", "1901"), Status.WITHDRAWN),
                 placed(dated("b2", "birthDate", "1902"), rank=Rank.DEPRECATED)])  # fmt: skip
    decided = read(unit, names, StoredClaims(store, BASE))
    assert decided.judged[1].claim is not None
    assert decided.judged[1].claim.conflicts == ()


def test_a_new_time_is_held_against_the_lives_of_those_named_before(store: OxigraphStore) -> None:
    died = dated("d", "deathDate", "1936")
    keep(store, [placed(died), placed(part("p"))])
    time = when("t", "1939")
    rivals = Rivals([time], StoredClaims(store, BASE), TABLE, Names())
    assert [(code, [c.key for c in o]) for code, o in rivals.of(time)] == [
        ("impossibleOrder", [died.key])
    ]


def test_the_decision_table_knows_every_kind_of_contradiction() -> None:
    informing = {code for row in decisions.table().rows if row.informs for code in row.reasons}
    assert set(CODES) <= informing


def test_only_visible_claims_are_named(store: OxigraphStore) -> None:
    keep(store, [placed(part("p"))])

    class Narrow(StoredClaims):
        def about(self, subject: Ref, statement: str) -> Sequence[Claim]:
            return ()

    assert [c.key for c in StoredClaims(store, BASE).naming(ANA, ("accused",))] == [key("p")]
    assert Narrow(store, BASE).naming(ANA, ("accused",)) == []
