"""Judging: one verdict for each candidate, ends before statements, triggers before arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pyoxigraph import NamedNode, Quad, Triple

from rdfkms.admission import judging
from rdfkms.admission.doubt import DOUBTFUL
from rdfkms.admission.judged import Decided
from rdfkms.admission.judging import Gate
from rdfkms.admission.known import NothingKnown, StoredClaims
from rdfkms.admission.reasons import reason
from rdfkms.admission.screening import screen
from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.knowledge import mapping
from rdfkms.knowledge.encoding import claim_triples
from rdfkms.knowledge.names import Names
from rdfkms.model import (
    Candidate,
    Claim,
    Decision,
    EvidenceUnit,
    Kind,
    Label,
    Reason,
    Ref,
    Status,
    Value,
)
from rdfkms.vocab import Base, key_of
from tests.tools.passages import about, anchor, mention, passage

TABLE, BASE = mapping.load(), Base()
TEXT = "Ana Ruiz, natural de Alcoy"
UNIT = passage(TEXT)
ANA, ALCOY = anchor(UNIT, "Ana Ruiz", "Person"), anchor(UNIT, "Alcoy", "Location")
NAMED, PLACED = mention(UNIT, "Ana Ruiz"), mention(UNIT, "Alcoy", "Location")
BORN = about(
    UNIT, Kind.ATTRIBUTE, "birthplace", subject=ANA, object=ALCOY, cue=anchor(UNIT, "natural")
)


class Shapes:
    """Refuses the claims it is told to."""

    def __init__(self, refused: str = "") -> None:
        self.refused = refused
        self.calls = 0

    def validate(
        self, triples: Iterable[Triple], focus: Sequence[NamedNode]
    ) -> Mapping[NamedNode, tuple[Reason, ...]]:
        self.calls += 1
        bad = [iri for iri in focus if self.refused and iri.value.endswith(self.refused)]
        return {iri: (reason("shapeViolation", what="refused"),) for iri in bad}


class Remembered(NothingKnown):
    """An archive that holds some claims."""

    def __init__(self, *claims: Claim) -> None:
        self.claims = {claim.key: claim for claim in claims}

    def claim(self, key: str) -> Claim | None:
        return self.claims.get(key)

    def about(self, subject: Ref, statement: str) -> Sequence[Claim]:
        admitted = [c for c in self.claims.values() if c.status is Status.ADMITTED]
        return [c for c in admitted if (c.subject, c.statement) == (subject, statement)]

    def triggers(self, event: Ref) -> Sequence[Claim]:
        return self.about(event, "triggeredBy")


def decide(
    *candidates: Candidate,
    unit: EvidenceUnit = UNIT,
    gate: Gate | None = None,
    names: Names | None = None,
) -> Decided:
    screened = [screen(candidate, unit, TABLE) for candidate in candidates]
    judge = gate or Gate(TABLE, Shapes(), BASE)
    runs = {"patterns:test": "run-a"}
    return judging.decide(
        screened, {unit.key: unit}, names or Names(), judge,
        lambda c: runs.get(c.proposer, "run-b"),
    )  # fmt: skip


def decisions(decided: Decided) -> list[str]:
    return [one.verdict.decision.value for one in decided.judged]


def codes(decided: Decided, at: int) -> set[str]:
    return {reason.code for reason in decided.judged[at].verdict.reasons}


def test_a_statement_with_its_mentions_is_admitted() -> None:
    decided = decide(BORN, NAMED, PLACED)
    assert decisions(decided) == ["admitted"] * 3
    claim = decided.judged[0].claim
    assert claim is not None
    assert (claim.statement, claim.label, claim.runs) == ("birthplace", Label.SUPPORTED, ("run-a",))
    assert claim.subject == decided.judged[1].claim.subject  # type: ignore[union-attr]


def test_a_statement_without_its_mentions_is_held_back() -> None:
    decided = decide(BORN, NAMED)
    assert decisions(decided) == ["quarantined", "admitted"]
    assert "endNotAdmitted" in codes(decided, 0)
    assert decided.judged[0].claim is not None
    assert decided.judged[0].claim.status is Status.QUARANTINED


def test_a_name_read_with_doubt_waits_for_a_person_with_what_is_said_of_it() -> None:
    decided = decide(BORN, replace(NAMED, note=DOUBTFUL), PLACED)
    assert decisions(decided) == ["quarantined", "quarantined", "admitted"]
    assert codes(decided, 1) == {"doubtfulReading", "named"}
    assert "endNotAdmitted" in codes(decided, 0)


def test_what_rests_on_a_doubtful_name_does_not_say_who_is_who() -> None:
    one, other = passage(TEXT, record="r1"), passage(TEXT, record="r2")
    known = Names()
    first = decide(*told(one), unit=one, names=known)
    known.learn([j.claim for j in first.judged if j.claim], {one.key: "r1"}.__getitem__)
    born, named, placed = told(other)
    sure = decide(born, named, placed, unit=other, names=known)
    doubtful = decide(born, named, replace(placed, note=DOUBTFUL), unit=other, names=known)
    (ana,) = {j.claim.subject for j in first.judged if j.claim and j.claim.name == "Person"}
    assert ana in {j.claim.subject for j in sure.judged if j.claim}
    assert ana not in {j.claim.subject for j in doubtful.judged if j.claim}


def told(unit: EvidenceUnit) -> tuple[Candidate, Candidate, Candidate]:
    ana, alcoy = anchor(unit, "Ana Ruiz", "Person"), anchor(unit, "Alcoy", "Location")
    born = about(
        unit, Kind.ATTRIBUTE, "birthplace", subject=ana, object=alcoy, cue=anchor(unit, "natural")
    )
    return born, mention(unit, "Ana Ruiz"), mention(unit, "Alcoy", "Location")


def test_refused_candidates_have_a_verdict_and_no_claim() -> None:
    invented = replace(NAMED, quote="Eva Ruiz", start=None, end=None)
    decided = decide(invented, NAMED)
    assert decisions(decided) == ["rejected", "admitted"]
    assert decided.judged[0].claim is None


def test_every_candidate_gets_one_verdict_with_reasons() -> None:
    offered = [BORN, NAMED, PLACED, replace(NAMED, name="Bird"), replace(BORN, object=None)]
    decided = decide(*offered)
    assert [one.candidate for one in decided.judged] == offered
    assert all(one.verdict.reasons for one in decided.judged)
    assert Decision.PENDING not in {one.verdict.decision for one in decided.judged}


def test_the_same_statement_twice_is_one_claim_of_two_runs() -> None:
    again = replace(NAMED, proposer="names:spacy", key="other", confidence=0.4)
    decided = decide(NAMED, again)
    assert decisions(decided) == ["admitted", "admitted"]
    assert [claim.runs for claim in decided.claims] == [("run-a", "run-b")]
    assert "sameStatement" in codes(decided, 1)


def test_what_the_archive_decided_stands() -> None:
    first = decide(NAMED, PLACED, BORN)
    withdrawn = [replace(c, status=Status.WITHDRAWN) if c.statement == "birthplace" else c
                 for c in first.claims]  # fmt: skip
    gate = Gate(TABLE, Shapes(), BASE, known=Remembered(*withdrawn))
    again = decide(replace(BORN, proposer="later"), gate=gate)
    assert decisions(again) == ["quarantined"]
    assert codes(again, 0) == {"knownStatement"}
    claim = again.claims[0]
    assert (claim.status, claim.runs) == (Status.WITHDRAWN, ("run-a", "run-b"))


def test_mentions_that_the_archive_admitted_carry_new_statements() -> None:
    first = decide(NAMED, PLACED)
    names = Names()
    names.learn(first.claims, {UNIT.key: UNIT.record}.__getitem__)
    gate = Gate(TABLE, Shapes(), BASE, known=Remembered(*first.claims))
    later = decide(BORN, gate=gate, names=names)
    assert decisions(later) == ["admitted"]
    assert later.claims[0].subject == first.claims[0].subject


def test_a_shape_holds_back_a_claim_and_what_leans_on_it() -> None:
    refused = decide(NAMED, PLACED, BORN).claims[0].key
    decided = decide(NAMED, PLACED, BORN, gate=Gate(TABLE, Shapes(refused), BASE))
    assert decisions(decided) == ["quarantined", "admitted", "quarantined"]
    assert codes(decided, 0) == {"shapeViolation"}
    assert decided.judged[0].verdict.stage == "shapes"


def test_the_shapes_are_asked_twice_a_batch_whatever_its_size() -> None:
    shapes = Shapes()
    decide(NAMED, PLACED, BORN, gate=Gate(TABLE, shapes, BASE))
    assert shapes.calls == 2


def test_an_argument_waits_for_its_trigger() -> None:
    unit = passage("Causa 118. Presidente: Ana Ruiz")
    group = key_of("event", unit.record, "CourtMartial")
    ana = anchor(unit, "Ana Ruiz", "Person")
    judge = about(unit, Kind.ARGUMENT, "judge", object=ana, group=group,
                  cue=anchor(unit, "Presidente"))  # fmt: skip
    named = mention(unit, "Ana Ruiz")
    trigger = about(unit, Kind.EVENT, "CourtMartial", subject=anchor(unit, "Causa"), group=group)
    alone = decide(judge, named, unit=unit)
    assert decisions(alone) == ["quarantined", "admitted"]
    assert "triggerNotAdmitted" in codes(alone, 0)
    together = decide(judge, named, trigger, unit=unit)
    assert decisions(together) == ["admitted"] * 3
    page2 = passage("Presidente: Ana Ruiz", name="p2")
    later = about(page2, Kind.ARGUMENT, "judge", object=anchor(page2, "Ana Ruiz", "Person"),
                  group=group, cue=anchor(page2, "Presidente"))  # fmt: skip
    gate = Gate(TABLE, Shapes(), BASE, known=Remembered(*together.claims))
    second = decide(later, mention(page2, "Ana Ruiz"), unit=page2, gate=gate)
    assert decisions(second) == ["admitted", "admitted"]
    assert second.judged[0].claim.subject == together.judged[2].claim.subject  # type: ignore[union-attr]


def test_a_role_belongs_to_its_kind_of_event() -> None:
    unit = passage("Batalla de Orna. Juez: Ana Ruiz")
    ana = anchor(unit, "Ana Ruiz", "Person")
    decided = decide(
        about(unit, Kind.ARGUMENT, "judge", object=ana, group="e1", cue=anchor(unit, "Juez")),
        about(unit, Kind.EVENT, "MilitaryConflict", subject=anchor(unit, "Batalla"), group="e1"),
        mention(unit, "Ana Ruiz"),
        unit=unit,
    )
    assert decisions(decided) == ["quarantined", "admitted", "admitted"]
    assert "wrongSubjectType" in codes(decided, 0)


def test_a_group_reaches_into_no_other_record() -> None:
    one, other = passage("Causa 1", record="r1"), passage("Causa 1", record="r2")
    group = key_of("event", one.record, "CourtMartial")
    refs = set()
    for unit in (one, other):
        trigger = about(
            unit, Kind.EVENT, "CourtMartial", subject=anchor(unit, "Causa"), group=group
        )
        refs.add(decide(trigger, unit=unit).claims[0].subject)
    assert len(refs) == 2


def test_sources_that_disagree_stand_side_by_side() -> None:
    unit = passage("Ana Ruiz, natural de Alcoy; otros dicen natural de Elche")
    ana = anchor(unit, "Ana Ruiz", "Person")
    said = [mention(unit, "Ana Ruiz"), mention(unit, "Alcoy", "Location"),
            mention(unit, "Elche", "Location")]  # fmt: skip
    for nth, place in enumerate(("Alcoy", "Elche")):
        said.append(
            about(unit, Kind.ATTRIBUTE, "birthplace", subject=ana,
                  object=anchor(unit, place, "Location"), cue=anchor(unit, "natural", nth=nth))
        )  # fmt: skip
    decided = decide(*said, unit=unit)
    assert decisions(decided) == ["admitted"] * 5
    one, other = decided.judged[3].claim, decided.judged[4].claim
    assert one is not None and other is not None
    assert (one.conflicts, other.conflicts) == ((other.key,), (one.key,))
    assert "conflictsWith" in codes(decided, 3)


def test_hearsay_is_kept_and_asserts_nothing() -> None:
    unit = passage("Según rumor público Ana Ruiz es natural de Alcoy")
    rumour = about(
        unit, Kind.ATTRIBUTE, "birthplace", subject=anchor(unit, "Ana Ruiz", "Person"),
        object=anchor(unit, "Alcoy", "Location"), cue=anchor(unit, "natural"),
    )  # fmt: skip
    decided = decide(mention(unit, "Ana Ruiz"), mention(unit, "Alcoy", "Location"), rumour,
                     unit=unit)  # fmt: skip
    assert decisions(decided) == ["admitted", "admitted", "quarantined"]
    assert decided.judged[2].verdict.label is Label.OVERREACHING


def test_a_name_is_shown_as_one_line_and_quoted_as_printed() -> None:
    unit = passage("Acusado: Andrés Vi-\ndal Soler")
    claim = decide(mention(unit, "Andrés Vi-\ndal Soler"), unit=unit).claims[0]
    assert claim.value == Value("Andrés Vidal Soler", language="es")
    assert claim.pointers[0].quote == "Andrés Vi-\ndal Soler"


def test_the_store_answers_what_the_gate_asks() -> None:
    decided = decide(NAMED, PLACED, BORN)
    store = OxigraphStore()
    quads = [Quad(t.subject, t.predicate, t.object, BASE.public)
             for claim in decided.claims for t in claim_triples(claim, BASE)]  # fmt: skip
    store.patch([], quads)
    known = StoredClaims(store, BASE)
    person = decided.claims[0].subject
    assert [c.statement for c in known.about(person, "birthplace")] == ["birthplace"]
    assert known.triggers(person) == []
    again = decide(NAMED, PLACED, BORN, gate=Gate(TABLE, Shapes(), BASE, known=known))
    assert {c.key for c in again.claims} == {c.key for c in decided.claims}
    assert all("knownStatement" in codes(again, at) for at in range(3))
    store.close()
