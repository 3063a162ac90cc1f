"""What a person states is evidence of that person: judged like a source, and told from one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Quad

from rdfkms.app import checking, composition, operations
from rdfkms.app.composition import App
from rdfkms.errors import BadInput, Conflict, Denied
from rdfkms.knowledge import decoding
from rdfkms.model import Modality, Principal, Role
from rdfkms.review import withdrawing
from rdfkms.vocab import KMS, TYPE

EVA, ANA = Principal("eva", Role.REVIEWER), Principal("ana", Role.CONTRIBUTOR)
TEXT = "Según rumor público, Rosa Ferrer Quiles nació en Montelargo."
SAID = "Rosa Ferrer Quiles nació en Montelargo."
TRIPLE = {
    "subject": "Rosa Ferrer Quiles", "predicate": "nació en", "object": "Montelargo",
    "quote": "Rosa Ferrer Quiles nació en Montelargo", "subject_type": "Person",
    "object_type": "Location",
}  # fmt: skip
State = Callable[..., dict[str, Any]]


@pytest.fixture
def app(copy: Path) -> Iterator[App]:
    with composition.writing(copy, "test") as opened:
        yield opened


@pytest.fixture
def state(app: App) -> State:
    def perform(who: Principal, **given: object) -> dict[str, Any]:
        arguments = {"text": SAID, "language": "es", "triples": [TRIPLE], **given}
        return operations.perform_here(app, "state", arguments, who)

    return perform


def decisions(told: dict[str, Any]) -> dict[str, str]:
    return {one["name"]: one["decision"] for one in told["proposals"]}


def is_public(app: App, unit: str) -> bool:
    iri = app.base.iri("evidence", unit)
    return app.ledger.store.contains(Quad(iri, TYPE, KMS("EvidenceUnit"), app.base.public))


def test_a_reviewers_statement_is_admitted_as_evidence_of_that_person(
    app: App, state: State
) -> None:
    told = state(EVA)
    assert decisions(told)["birthplace"] == "admitted"
    (unit,) = told["units"]
    kept = decoding.unit(app.ledger.store, app.base, unit)
    assert kept.modality is Modality.EXPERT
    record = decoding.record(app.ledger.store, app.base, told["record"])
    assert record.title.startswith("Statement of eva")
    assert is_public(app, unit)
    assert [f for test in checking.TESTS.values() for f in test(app)] == []


def test_a_contributors_statement_is_closed_and_waits_for_a_reviewer(
    app: App, state: State
) -> None:
    told = state(ANA)
    assert set(decisions(told).values()) == {"quarantined"}
    assert not is_public(app, told["units"][0])
    claim = next(one["claim"] for one in told["proposals"] if one["name"] == "birthplace")
    waiting = operations.perform_here(app, "review_list", {"code": "expertStatement"}, EVA)
    assert waiting["total"] >= 2
    made = operations.perform_here(app, "review_accept", {"item": claim, "with_ends": True}, EVA)
    assert made["decision"]["kind"] == "accept"
    assert not is_public(app, told["units"][0])
    assert [f for test in checking.TESTS.values() for f in test(app)] == []


def test_who_contributes_is_named_nowhere_in_public(app: App, state: State) -> None:
    state(Principal("contributor-hidden", Role.CONTRIBUTOR))
    public = app.ledger.store.match(None, None, None, app.base.public)
    assert [str(q) for q in public if "contributor-hidden" in str(q)] == []


def test_what_was_withdrawn_or_erased_is_not_stated_again(app: App, state: State) -> None:
    told = state(EVA)
    withdrawing.apply(app.desk, withdrawing.plan(app.desk, told["record"]), EVA)
    with pytest.raises(Conflict, match="withdrawn"):
        state(EVA)
    assert not is_public(app, told["units"][0])
    assert [f for test in checking.TESTS.values() for f in test(app)] == []


def test_hearsay_stays_hearsay_whoever_states_it(state: State) -> None:
    told = state(EVA, text=TEXT)
    assert decisions(told)["birthplace"] == "quarantined"


def test_with_four_eyes_a_reviewers_own_statement_waits_too(app: App, state: State) -> None:
    object.__setattr__(app.settings.gate, "four_eyes", True)
    try:
        assert set(decisions(state(EVA)).values()) == {"quarantined"}
    finally:
        object.__setattr__(app.settings.gate, "four_eyes", False)


def test_readers_state_nothing_and_bad_statements_say_why(state: State) -> None:
    with pytest.raises(Denied):
        state(Principal("leo", Role.READER))
    for wrong, told in (
        ({"text": " "}, "needs a text"),
        ({"text": "x" * 9000}, "may have"),
        ({"triples": "nothing"}, "must be a list"),
        ({"triples": [{"subject": "x"}]}, "needs subject"),
    ):
        with pytest.raises(BadInput, match=told):
            state(EVA, **wrong)
