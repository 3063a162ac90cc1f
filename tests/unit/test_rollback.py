"""Rollback: what was claimed asserts nothing any more; others' work is not undermined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pyoxigraph import NamedNode, Quad

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.errors import Conflict, Denied, NotFound
from rdfkms.knowledge import decoding
from rdfkms.knowledge.encoding import claim_triples, ref_iri
from rdfkms.knowledge.mapping import load
from rdfkms.knowledge.statements import projections
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.ledger.rebuild import compare
from rdfkms.model import Claim, Kind, Pointer, Principal, Rank, Ref, Role, Status, Value
from rdfkms.review import rollback
from rdfkms.review.tombstones import lifted
from rdfkms.settings import Settings
from rdfkms.vocab import KMS, RICO, TYPE, Base, key_of

BASE = Base()
EVA = Principal("eva", Role.REVIEWER)
MAPPING = load()
ANA, BOB, ALCOY = Ref("person", "ana"), Ref("person", "bob"), Ref("place", "alcoy")


def claim(
    name: str, kind: Kind, statement: str, subject: Ref, runs: tuple[str, ...], *,
    object: Ref | None = None, value: str = "", type: str = "",
) -> Claim:  # fmt: skip
    pointer = Pointer(key_of("unit", name), key_of("text", name), 0, 5, "quote")
    return Claim(
        key=key_of(name), kind=kind, statement=statement, subject=subject, pointers=(pointer,),
        object=object, value=Value(value) if value else None, name=type, runs=runs,
    )  # fmt: skip


NAMES_ANA = claim("m1", Kind.MENTION, "namedAs", ANA, ("r1",), value="Ana", type="Person")
AGAIN_ANA = claim("m2", Kind.MENTION, "namedAs", ANA, ("r2",), value="Ana V.", type="Person")
NAMES_BOB = claim("m3", Kind.MENTION, "namedAs", BOB, ("r1",), value="Bob", type="Person")
NAMES_ALCOY = claim(
    "m4", Kind.MENTION, "namedAs", ALCOY, ("r1", "r2"), value="Alcoy", type="Location"
)
SIBLINGS = claim("c1", Kind.RELATION, "Kinship/sibling", ANA, ("r1",), object=BOB)
BORN = claim("c2", Kind.ATTRIBUTE, "birthplace", ANA, ("r2",), object=ALCOY)
ALL = (NAMES_ANA, AGAIN_ANA, NAMES_BOB, NAMES_ALCOY, SIBLINGS, BORN)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    archive = Archive.create(tmp_path / "a", Settings())
    found = Ledger(archive, OxigraphStore(archive.store_path))
    yield found
    found.close()


def admit(ledger: Ledger, *claims: Claim) -> None:
    quads = [
        Quad(t.subject, t.predicate, t.object, graph)
        for c in claims
        for graph in [BASE.public if c.status is Status.ADMITTED else BASE.internal]
        for t in claim_triples(c, BASE, MAPPING)
    ]
    quads += projections(claims, lambda c: c.status is Status.ADMITTED, BASE, MAPPING)
    ledger.commit(Change(Activity("extract"), tuple(quads)), EVA)


def public(ledger: Ledger) -> set[Quad]:
    return set(ledger.store.match(None, None, None, BASE.public))


def has(ledger: Ledger, subject: NamedNode, predicate: NamedNode, object: NamedNode) -> bool:
    return ledger.store.contains(Quad(subject, predicate, object, BASE.public))


def taken_back(ledger: Ledger, *targets: str) -> rollback.RollbackPlan:
    plan = rollback.plan(ledger, targets)
    assert plan.refusals == ()
    rollback.apply(ledger, plan, EVA)
    return plan


def test_a_plan_changes_nothing(ledger: Ledger) -> None:
    admit(ledger, *ALL)
    before = set(ledger.store.match())
    plan = rollback.plan(ledger, [SIBLINGS.key])
    assert [c.key for c in plan.withdrawn] == [SIBLINGS.key]
    assert set(ledger.store.match()) == before


def test_a_claim_taken_back_asserts_nothing_and_says_so(ledger: Ledger) -> None:
    admit(ledger, *ALL)
    plan = taken_back(ledger, BASE.iri("claim", SIBLINGS.key).value)
    ana, bob = ref_iri(ANA, BASE), ref_iri(BOB, BASE)
    predicate = MAPPING.statement("Kinship/sibling").predicate
    assert not has(ledger, ana, predicate, bob)
    assert not has(ledger, bob, predicate, ana)
    (now,) = decoding.claims(ledger.store, BASE, [SIBLINGS.key], [BASE.internal])
    assert now == replace(SIBLINGS, status=Status.WITHDRAWN)
    left = list(ledger.store.match(BASE.iri("claim", SIBLINGS.key), None, None, BASE.public))
    assert {q.predicate for q in left} == {
        TYPE, KMS("withdrawalReason"), NamedNode("http://purl.org/dc/terms/date"),
    }  # fmt: skip
    assert has(ledger, BASE.iri("claim", SIBLINGS.key), TYPE, KMS("Tombstone"))
    assert plan.entities == ()
    assert compare(ledger.journal, ledger.store, BASE) == []


def test_taking_back_the_last_of_everything_leaves_only_tombstones_in_public(
    ledger: Ledger,
) -> None:
    admit(ledger, *ALL)
    taken_back(ledger, "r1", "r2")
    left = public(ledger)
    stones = {q.subject for q in left if q.object == KMS("Tombstone")}
    assert {q.subject for q in left} == stones
    assert {ref_iri(r, BASE) for r in (ANA, BOB, ALCOY)} < stones


def test_what_another_run_says_too_stays_and_only_loses_the_run(ledger: Ledger) -> None:
    admit(ledger, *ALL)
    plan = taken_back(ledger, "r1")
    assert {c.key for c in plan.withdrawn} == {NAMES_ANA.key, NAMES_BOB.key, SIBLINGS.key}
    assert [c.key for c in plan.kept] == [NAMES_ALCOY.key]
    assert decoding.claim(ledger.store, BASE, NAMES_ALCOY.key).runs == ("r2",)
    assert plan.entities == (BOB,)
    assert has(ledger, ref_iri(ANA, BASE), TYPE, RICO("Person")), "r2 names her too"
    assert not has(ledger, ref_iri(BOB, BASE), TYPE, RICO("Person"))


def test_the_result_is_as_if_the_claims_had_never_been_admitted(
    ledger: Ledger, tmp_path: Path
) -> None:
    admit(ledger, *ALL)
    taken_back(ledger, "r1")
    archive = Archive.create(tmp_path / "b", Settings())
    never = Ledger(archive, OxigraphStore(archive.store_path))
    admit(never, AGAIN_ANA, BORN, replace(NAMES_ALCOY, runs=("r2",)))
    stones = {q.subject for q in public(ledger) if q.object == KMS("Tombstone")}
    assert {q for q in public(ledger) if q.subject not in stones} == public(never)
    never.close()


def test_a_name_that_others_speak_of_is_not_taken_back_alone(ledger: Ledger) -> None:
    admit(ledger, *ALL)
    plan = rollback.plan(ledger, [NAMES_BOB.key])
    assert [(r.claim, r.reason.code) for r in plan.refusals] == [(NAMES_BOB.key, "spokenOf")]
    assert SIBLINGS.key in plan.refusals[0].reason.sentence
    with pytest.raises(Conflict, match="Take back what was built on it first"):
        rollback.apply(ledger, plan, EVA)
    taken_back(ledger, NAMES_BOB.key, SIBLINGS.key)


def test_what_a_person_decided_is_not_taken_back(ledger: Ledger) -> None:
    admit(ledger, *ALL)
    ledger.commit(
        Change(
            Activity("decision", subject=f"claim/{BORN.key}"),
            (Quad(BASE.iri("decision", "d"), TYPE, KMS("Decision"), BASE.public),),
        ),
        EVA,
    )
    assert [r.reason.code for r in rollback.plan(ledger, [BORN.key]).refusals] == ["decided"]


def test_a_preferred_claim_and_a_merged_name_are_not_taken_back(ledger: Ledger) -> None:
    admit(ledger, *(replace(c, rank=Rank.PREFERRED) if c is BORN else c for c in ALL))
    merged = Quad(ref_iri(BOB, BASE), KMS("mergedInto"), ref_iri(ANA, BASE), BASE.public)
    ledger.commit(Change(Activity("merge"), (merged,)), EVA)
    plan = rollback.plan(ledger, [BORN.key, NAMES_BOB.key, SIBLINGS.key])
    assert {r.reason.code for r in plan.refusals} == {"decided", "merged"}


def test_a_claim_is_taken_back_once(ledger: Ledger) -> None:
    admit(ledger, *ALL)
    taken_back(ledger, SIBLINGS.key)
    assert [r.reason.code for r in rollback.plan(ledger, [SIBLINGS.key]).refusals] == ["notLive"]


def test_a_quarantined_claim_is_withdrawn_without_a_tombstone(ledger: Ledger) -> None:
    doubtful = replace(BORN, status=Status.QUARANTINED)
    admit(ledger, NAMES_ANA, NAMES_ALCOY, doubtful)
    before = public(ledger)
    taken_back(ledger, BORN.key)
    assert public(ledger) == before
    assert decoding.claim(ledger.store, BASE, BORN.key).status is Status.WITHDRAWN


def test_a_claim_in_conflict_is_freed_when_its_rival_is_taken_back(ledger: Ledger) -> None:
    rival = claim("c3", Kind.ATTRIBUTE, "birthplace", ANA, ("r3",), object=ALCOY)
    born = replace(BORN, conflicts=(rival.key,))
    admit(ledger, NAMES_ANA, NAMES_ALCOY, born, replace(rival, conflicts=(born.key,)))
    taken_back(ledger, "r3")
    assert decoding.claim(ledger.store, BASE, born.key).conflicts == ()
    assert has(ledger, ref_iri(ANA, BASE), MAPPING.statement("birthplace").predicate,
               ref_iri(ALCOY, BASE))  # fmt: skip


def test_of_a_plan_that_somebody_overtook_nothing_is_done(ledger: Ledger) -> None:
    admit(ledger, *ALL)
    plan = rollback.plan(ledger, [SIBLINGS.key])
    taken_back(ledger, BORN.key)
    with pytest.raises(Conflict, match="someone else"):
        rollback.apply(ledger, plan, EVA)


def test_rights_and_unknown_targets(ledger: Ledger) -> None:
    admit(ledger, *ALL)
    plan = rollback.plan(ledger, [SIBLINGS.key])
    with pytest.raises(Denied):
        rollback.apply(ledger, plan, Principal("carl", Role.CONTRIBUTOR))
    with pytest.raises(NotFound, match="audit log"):
        rollback.plan(ledger, ["nothing"])


def test_a_tombstone_is_lifted_where_a_thing_comes_back(ledger: Ledger) -> None:
    admit(ledger, *ALL)
    taken_back(ledger, "r1")
    iri = ref_iri(BOB, BASE)
    gone = lifted(ledger.store, BASE, [iri, ref_iri(ANA, BASE)])
    assert {q.subject for q in gone} == {iri}
    ledger.commit(Change(Activity("extract"), (), gone), EVA)
    assert list(ledger.store.match(iri, None, None, BASE.public)) == []
