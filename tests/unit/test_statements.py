"""Claims from candidates, and what admitted claims assert."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, Triple

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.knowledge import decoding, encoding, statements
from rdfkms.knowledge.encoding import EDTF
from rdfkms.knowledge.mapping import load
from rdfkms.knowledge.statements import claim_key, describe, project, projections, reproject
from rdfkms.model import (
    Anchor,
    Candidate,
    Claim,
    EvidenceUnit,
    Kind,
    Label,
    Modality,
    Pointer,
    Rank,
    Ref,
    Status,
    UnitText,
    Value,
    View,
)
from rdfkms.vocab import KMS, KV, PROV, RICO, TYPE, Base, key_of

BASE, MAPPING = Base(), load()
UNIT = "e1"
POINTER = Pointer(UNIT, "t1", 0, 4, "Juan")
P, Q, L, G, E = (
    Ref("person", "p"), Ref("person", "q"), Ref("place", "l"), Ref("organization", "g"),
    Ref("event", "g1"),
)  # fmt: skip


def iri(ref: Ref) -> NamedNode:
    return BASE.iri(ref.kind, ref.key)


def relation(statement: str, subject: Ref, object_: Ref, key: str = "c") -> Claim:
    kind = MAPPING.statement(statement).claim_kind
    return Claim(key, kind, statement, subject, (POINTER,), object=object_, label=Label.SUPPORTED)


def literal(statement: str, value: Value, subject: Ref = P) -> Claim:
    kind = MAPPING.statement(statement).claim_kind
    return Claim("c", kind, statement, subject, (POINTER,), value=value)


def asserted(claim: Claim) -> set[Triple]:
    return set(project(claim, BASE, MAPPING))


def node(kind: str, key: str = "c") -> NamedNode:
    return BASE.iri(kind, key)


# ---- what a claim projects ---------------------------------------------------------------------


@pytest.mark.parametrize("status", [s for s in Status if s is not Status.ADMITTED])
def test_a_claim_that_is_not_admitted_asserts_nothing(status: Status) -> None:
    for claim in (relation("Kinship/child", P, Q), mention("Person", P)):
        assert project(replace(claim, status=status), BASE, MAPPING) == ()


def test_a_deprecated_claim_asserts_nothing() -> None:
    deprecated = replace(relation("Kinship/child", P, Q), rank=Rank.DEPRECATED)
    assert project(deprecated, BASE, MAPPING) == ()


def mention(name: str, ref: Ref, time: Value | None = None) -> Claim:
    return Claim("m", Kind.MENTION, "namedAs", ref, (POINTER,), value=Value("Juan", language="es"),
                 name=name, time=time)  # fmt: skip


def test_a_mention_makes_the_entity_with_a_name_that_was_read_somewhere() -> None:
    assert asserted(mention("Person", P)) == {
        Triple(iri(P), TYPE, RICO("Person")),
        Triple(iri(P), RICO("hasOrHadAgentName"), node("name", "m")),
        Triple(node("name", "m"), TYPE, RICO("AgentName")),
        Triple(node("name", "m"), RICO("textualValue"), Literal("Juan", language="es")),
        Triple(node("name", "m"), KMS("readIn"), BASE.iri("evidence", UNIT)),
        Triple(node("name", "m"), PROV("wasDerivedFrom"), node("claim", "m")),
    }


def test_an_own_class_is_projected_with_its_rico_class() -> None:
    types = {
        t.object for t in asserted(mention("Charge", Ref("charge", "x"))) if t.predicate == TYPE
    }
    assert {KMS("Charge"), RICO("Concept"), RICO("Name")} == types


def test_a_time_expression_keeps_what_is_written_and_what_it_means() -> None:
    time = Ref("date", "d")
    found = asserted(mention("TimeExpression", time, Value("1940-03", "edtf")))
    assert Triple(iri(time), RICO("expressedDate"), Literal("Juan", language="es")) in found
    normal = Literal("1940-03", datatype=EDTF)
    assert Triple(iri(time), RICO("normalizedDateValue"), normal) in found


def test_an_alias_is_one_more_name_of_the_same_thing() -> None:
    found = asserted(literal("Alias", Value("el Rubio", language="es")))
    assert Triple(iri(P), RICO("hasOrHadAgentName"), node("name")) in found
    assert Triple(node("name"), RICO("textualValue"), Literal("el Rubio", language="es")) in found
    assert Triple(node("name"), RICO("hasOrHadType"), KV("alias")) in found
    assert not [t for t in found if t.predicate == KMS("alsoNamed")]


def test_a_plain_relation_is_the_shortcut_alone() -> None:
    assert asserted(relation("Membership", P, G)) == {
        Triple(iri(P), RICO("isOrWasMemberOf"), iri(G))
    }


def test_a_symmetric_relation_is_asserted_both_ways() -> None:
    assert asserted(relation("Kinship/sibling", P, Q)) == {
        Triple(iri(P), RICO("hasSibling"), iri(Q)),
        Triple(iri(Q), RICO("hasSibling"), iri(P)),
    }


def test_a_dated_membership_runs_from_the_group_to_the_person() -> None:
    time = Value("1937/1939", "edtf", "es", "de 1937 a 1939")
    found = asserted(replace(relation("Membership", P, G), time=time, place=L))
    rel, date = node("rel"), BASE.iri("date", key_of("time", "c"))
    for predicate, object_ in [
        (TYPE, RICO("MembershipRelation")),
        (RICO("relationHasSource"), iri(G)),
        (RICO("relationHasTarget"), iri(P)),
        (RICO("relationHasDate"), date),
        (RICO("isAssociatedWithPlace"), iri(L)),
        (RICO("isEvidencedBy"), BASE.iri("evidence", UNIT)),
        (PROV("wasDerivedFrom"), node("claim")),
        (RICO("hasOrHadType"), KV("membership")),
    ]:
        assert Triple(rel, predicate, object_) in found
    expressed = Literal("de 1937 a 1939", language="es")
    assert Triple(date, RICO("expressedDate"), expressed) in found


def test_doubt_is_said_on_the_relation_node() -> None:
    found = asserted(replace(relation("Kinship/child", P, Q), label=Label.PARTIAL))
    assert Triple(node("rel"), RICO("relationCertainty"), Literal("uncertain")) in found


def test_a_role_is_the_context_of_a_participation() -> None:
    claim = replace(relation("accused", E, P), group="g1")
    found = asserted(claim)
    assert Triple(iri(E), RICO("hasOrHadParticipant"), iri(P)) in found
    assert Triple(node("rel"), TYPE, KMS("ParticipationRelation")) in found
    assert Triple(node("rel"), TYPE, RICO("EventRelation")) in found
    assert Triple(node("rel"), RICO("relationHasSource"), iri(E)) in found
    assert Triple(node("rel"), RICO("relationHasTarget"), iri(P)) in found
    assert Triple(node("rel"), RICO("relationHasContext"), KV("accused")) in found


def test_a_court_performs_the_trial() -> None:
    found = asserted(relation("court", E, G))
    assert found == {Triple(iri(E), RICO("isOrWasPerformedBy"), iri(G))}


def test_the_time_of_an_event_is_a_date_with_both_forms() -> None:
    found = asserted(literal("time", Value("1940-03", "edtf", "es", "marzo de 1940"), E))
    assert Triple(iri(E), RICO("occurredAtDate"), node("date")) in found
    assert Triple(iri(E), RICO("date"), Literal("1940-03", datatype=EDTF)) in found
    assert (
        Triple(node("date"), RICO("expressedDate"), Literal("marzo de 1940", language="es"))
        in found
    )
    normal = Literal("1940-03", datatype=EDTF)
    assert Triple(node("date"), RICO("normalizedDateValue"), normal) in found


def test_an_occupation_is_a_literal_and_a_type_with_its_name() -> None:
    written = Literal("labrador", language="es")
    found = asserted(literal("occupation", Value("labrador", language="es")))
    assert Triple(iri(P), KMS("occupation"), written) in found
    assert Triple(iri(P), RICO("hasOrHadOccupationOfType"), node("occupation")) in found
    assert Triple(node("occupation"), RICO("name"), written) in found


def test_an_event_gets_its_class_and_type() -> None:
    claim = Claim("t", Kind.EVENT, "triggeredBy", E, (POINTER,), value=Value("eclipse"),
                  name="NaturalPhenomenon", group="g1")  # fmt: skip
    assert asserted(claim) == {
        Triple(iri(E), TYPE, RICO("Event")),
        Triple(iri(E), RICO("hasEventType"), KV("naturalPhenomenon")),
    }


def test_a_merged_thing_is_projected_as_the_one_it_was_merged_into() -> None:
    merged = project(relation("Kinship/child", P, Q), BASE, MAPPING, lambda r: P if r == Q else r)
    assert merged == (Triple(iri(P), RICO("hasChild"), iri(P)),)


# ---- rank and visibility -----------------------------------------------------------------------


def everyone(_: Claim) -> bool:
    return True


def test_only_the_preferred_of_rival_claims_projects() -> None:
    first, second = (
        relation("birthplace", P, L, "1"),
        relation("birthplace", P, Ref("place", "m"), "2"),
    )
    both = projections([first, second], everyone, BASE, MAPPING)
    assert len(both) == 2
    one = projections([first, replace(second, rank=Rank.PREFERRED)], everyone, BASE, MAPPING)
    assert {q.object for q in one} == {BASE.iri("place", "m")}


def test_a_preferred_claim_that_is_closed_takes_nothing_from_the_public() -> None:
    open_ = relation("birthplace", P, L, "1")
    closed = replace(relation("birthplace", P, Ref("place", "m"), "2"), rank=Rank.PREFERRED)
    found = projections([open_, closed], lambda c: c is open_, BASE, MAPPING)
    assert {(q.object, q.graph_name) for q in found} == {
        (iri(L), BASE.public),
        (BASE.iri("place", "m"), BASE.internal),
    }


def test_what_both_an_open_and_a_closed_claim_say_stands_in_public_only() -> None:
    one, two = relation("birthplace", P, L, "1"), relation("birthplace", P, L, "2")
    found = projections([one, two], lambda c: c is one, BASE, MAPPING)
    assert {q.graph_name for q in found} == {BASE.public}


PEOPLE = [Ref("person", name) for name in "abc"]
PLACES = [Ref("place", name) for name in "xy"]


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[Claim], Claim]:
    """Some claims about few things, and one of them as it becomes."""
    claims = []
    for number in range(draw(st.integers(1, 9))):
        name = draw(st.sampled_from(["Kinship/sibling", "Kinship/child", "birthplace"]))
        ends = PLACES if name == "birthplace" else PEOPLE
        claims.append(
            replace(
                relation(name, draw(st.sampled_from(PEOPLE)), draw(st.sampled_from(ends))),
                key=f"{number}{draw(st.sampled_from('oc'))}",
                status=draw(st.sampled_from([Status.ADMITTED, Status.QUARANTINED])),
                rank=draw(st.sampled_from(Rank)),
                label=draw(st.sampled_from([Label.SUPPORTED, Label.PARTIAL])),
            )
        )
    changed = draw(st.sampled_from(claims))
    return claims, replace(
        changed, status=draw(st.sampled_from(Status)), rank=draw(st.sampled_from(Rank))
    )


def is_open(claim: Claim) -> bool:
    return claim.key.endswith("o")


@settings(max_examples=200, deadline=None)
@given(worlds())
def test_a_change_seen_from_its_neighbours_gives_what_a_new_projection_gives(
    world: tuple[list[Claim], Claim],
) -> None:
    claims, changed = world
    store = OxigraphStore()
    graph = BASE.public
    for claim in claims:
        triples = encoding.claim_triples(claim, BASE)
        store.patch((), [Quad(t.subject, t.predicate, t.object, graph) for t in triples])
    things = [changed.subject, changed.object] if changed.object else [changed.subject]
    before = decoding.neighbours(store, BASE, things)
    after = [changed if c.key == changed.key else c for c in before]
    remove, add = reproject(before, after, is_open, BASE, MAPPING)
    was = projections(claims, is_open, BASE, MAPPING)
    now = [changed if c.key == changed.key else c for c in claims]
    assert (was - set(remove)) | set(add) == projections(now, is_open, BASE, MAPPING)


# ---- from candidate to claim -------------------------------------------------------------------

TEXT = "el procesado Juan, natural de Alcoy"
U = EvidenceUnit(
    UNIT, "r1", "a" * 64, "p1", 1, Modality.DOCUMENT, "es", "1", 1,
    (UnitText("t1", UNIT, "v1", View.RAW, TEXT, 0, len(TEXT), "es"),), (),
)  # fmt: skip
JUAN, ALCOY = Anchor(13, 17, "Juan", "Person"), Anchor(30, 35, "Alcoy", "Location")
BORN = Candidate(
    "k1", Kind.ATTRIBUTE, UNIT, "birthplace", TEXT[13:35], 13, 35, subject=JUAN, object=ALCOY,
    confidence=0.8, proposer="rules",
)  # fmt: skip


def refs(anchor: Anchor) -> Ref:
    return {"Person": P, "Location": L}[anchor.type]


def test_a_candidate_becomes_a_claim_with_its_pointer() -> None:
    claim = describe(BORN, U, refs, "run1")
    assert (claim.subject, claim.object, claim.statement) == (P, L, "birthplace")
    assert claim.pointers == (Pointer(UNIT, "t1", 13, 35, "Juan, natural de Alcoy"),)
    assert claim.runs == ("run1",)


def test_a_mention_and_a_trigger_take_their_words_as_value() -> None:
    candidate = Candidate("k", Kind.MENTION, UNIT, "Person", "Juan", 13, 17, subject=JUAN)
    claim = describe(candidate, U, refs, "run1")
    assert (claim.statement, claim.name, claim.value) == (
        "namedAs", "Person", Value("Juan", language="es")
    )  # fmt: skip
    trigger = Anchor(3, 12, "procesado")
    candidate = Candidate("k", Kind.EVENT, UNIT, "CourtMartial", "procesado", 3, 12,
                          subject=trigger, group="1")  # fmt: skip
    event = describe(candidate, U, refs, "run1")
    assert event.subject == Ref("event", statements.group_key(UNIT, "1"))
    argument = Candidate("k", Kind.ARGUMENT, UNIT, "accused", TEXT[3:17], 3, 17, object=JUAN,
                         group="1")  # fmt: skip
    assert describe(argument, U, refs, "run1").subject == event.subject
    assert describe(argument, U, refs, "run1").group == event.group


def test_the_key_of_a_claim_does_not_depend_on_who_proposed_it_or_whom_it_was_linked_to() -> None:
    other = replace(BORN, key="k2", proposer="model", confidence=0.1, note="reanchored", raw="{}")
    assert claim_key(other) == claim_key(BORN)


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "residence"}, {"unit": "e2"}, {"start": 12}, {"subject": replace(JUAN, end=18)},
        {"object": replace(ALCOY, start=31)}, {"object": None, "value": Value("Alcoy")},
        {"time": Value("1940", "edtf")}, {"place": ALCOY}, {"quote": "Juan"},
    ],
)  # fmt: skip
def test_the_key_of_a_claim_depends_on_what_it_says_and_where(changes: dict[str, object]) -> None:
    assert claim_key(replace(BORN, **changes)) != claim_key(BORN)  # type: ignore[arg-type]


def test_a_candidate_that_was_not_screened_is_an_error() -> None:
    for candidate in (replace(BORN, start=None), replace(BORN, subject=None)):
        with pytest.raises(ValueError, match="screen it first"):
            describe(candidate, U, refs, "run1")
