"""Relations of high risk that only models say: asked again or held, and silent until then (R58)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from rdfkms.admission.judged import Decided, Judged
from rdfkms.admission.judging import Gate, decide
from rdfkms.admission.screening import screen
from rdfkms.knowledge import mapping
from rdfkms.knowledge.names import Names
from rdfkms.knowledge.predicates import Predicates
from rdfkms.knowledge.proposers.calls import Caller
from rdfkms.knowledge.proposers.free_triples import FreeTripleProposer
from rdfkms.model import Candidate, Decision, EvidenceUnit, Kind, Value
from rdfkms.ports import Answer
from rdfkms.settings import TripleSettings
from rdfkms.vocab import Base
from tests.tools.passages import about, anchor, candidate, mention, passage
from tests.unit.test_judging import Shapes

TABLE = mapping.load()
TEXT = "Luis Ruiz fue sucedido por Juan Soler."
UNIT = passage(TEXT)
ITEM = {"subject": "Luis Ruiz", "predicate": "sucedido por", "object": "Juan Soler", "quote": TEXT}
YES = {"stated": "yes", "quote": TEXT, "ambiguity": None}
NO = {"stated": "no", "quote": None, "ambiguity": None}


class Model:
    """Says one triple, and what it is told to the second question."""

    name, version = "m", "1"

    def __init__(self, second: dict[str, Any]) -> None:
        self.second = second
        self.asked: list[str] = []

    def complete(
        self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any] | None
    ) -> Answer:
        self.asked.append(messages[-1]["content"])
        again = "stated" in (schema or {}).get("properties", {})
        return Answer(json.dumps(self.second if again else {"triples": [ITEM]}), "stop")


def proposed(model: Model) -> tuple[Candidate, ...]:
    settings = TripleSettings()
    made = FreeTripleProposer(model, TABLE, Caller(model), Predicates(settings), settings)
    return made.propose(UNIT)


def judged(
    candidates: Sequence[Candidate], unit: EvidenceUnit = UNIT, high_risk: Sequence[str] = ()
) -> Decided:
    gate = Gate(TABLE, Shapes(), Base(), high_risk=high_risk)
    screened = [screen(one, unit, TABLE) for one in candidates]
    return decide(screened, {unit.key: unit}, Names(), gate, lambda one: "run1")


def relations(decided: Decided) -> list[Judged]:
    return [one for one in decided.judged if one.candidate.kind is Kind.RELATION]


@pytest.mark.parametrize(("second", "admitted"), [(YES, True), (NO, False)])
def test_a_free_triple_of_high_risk_is_asked_again(second: dict[str, Any], admitted: bool) -> None:
    model = Model(second)
    (one,) = relations(judged(proposed(model)))
    assert len(model.asked) == 2
    assert (one.verdict.decision is Decision.ADMITTED) is admitted
    assert ("notConfirmed" in {r.code for r in one.verdict.reasons}) is not admitted


def test_what_no_second_question_was_asked_about_clears_nobody() -> None:
    candidates = proposed(Model(NO))
    unmarked = [replace(c, note="", proposer="model:other") for c in candidates]
    for said in (unmarked, [*candidates, *unmarked], [*unmarked, *candidates]):
        for one in relations(judged(said)):
            assert one.verdict.decision is Decision.QUARANTINED
            assert (one.verdict.stage, one.verdict.reasons[0].code) == (
                "confirmation", "notConfirmed",
            )  # fmt: skip
    (alone,) = relations(judged(unmarked))
    assert "not asked again" in alone.verdict.reasons[0].sentence


def test_one_sound_proposer_is_enough_in_either_order() -> None:
    doubted, sure = proposed(Model(NO)), proposed(Model(YES))
    by_rule = [replace(c, note="", proposer="patterns:x") for c in doubted]
    for sound in (sure, by_rule):
        for said in ([*doubted, *sound], [*sound, *doubted]):
            found = {one.verdict.decision for one in relations(judged(said))}
            assert found == {Decision.ADMITTED}


def test_a_relation_that_the_profile_names_is_held_as_well() -> None:
    unit = passage("Ana Ruiz ingresó en el Ateneo")
    said = about(
        unit, Kind.RELATION, "Membership", subject=anchor(unit, "Ana Ruiz", "Person"),
        object=anchor(unit, "Ateneo", "OrganizationState"), cue=anchor(unit, "ingresó"),
        proposer="model:m",
    )  # fmt: skip
    names = [mention(unit, "Ana Ruiz"), mention(unit, "Ateneo", "OrganizationState")]
    (free,) = relations(judged([*names, said], unit))
    (held,) = relations(judged([*names, said], unit, ["Membership"]))
    assert free.verdict.decision is Decision.ADMITTED
    assert held.verdict.decision is Decision.QUARANTINED


def test_what_waits_for_a_person_speaks_against_nobody() -> None:
    title = "alcalde de Belmira"
    text = "; ".join(f"{who} tomó posesión como {title} en 1937" for who in ("Ana Ruiz", "Eva Gil"))
    unit = passage(text)

    def holds(who: str, nth: int, start: int, end: int, **more: Any) -> Candidate:
        return candidate(
            unit, Kind.RELATION, "OfficeHolding", start, end, subject=anchor(unit, who, "Person"),
            object=anchor(unit, title, "Title", nth), cue=anchor(unit, "tomó posesión", "", nth),
            time=Value("1937", "edtf", "", "1937"), **more,
        )  # fmt: skip

    names = [mention(unit, "Ana Ruiz"), mention(unit, "Eva Gil"),
             mention(unit, title, "Title"), mention(unit, title, "Title", 1)]  # fmt: skip
    half = text.index(";")
    sure = holds("Ana Ruiz", 0, 0, half)
    by_model = holds("Eva Gil", 1, half + 2, len(text), proposer="model:m")
    one, other = relations(judged([*names, sure, replace(by_model, note="confirmed")], unit))
    assert one.claim is not None and other.claim is not None
    assert one.claim.conflicts == (other.claim.key,)
    one, other = relations(judged([*names, sure, replace(by_model, note="unconfirmed:no")], unit))
    assert one.claim is not None and other.claim is not None
    assert other.verdict.stage == "confirmation"
    assert (one.claim.conflicts, other.claim.conflicts) == ((), ())
    assert "Eva Gil" not in "".join(r.sentence for r in (*one.claim.reasons, *one.verdict.reasons))
