"""Votes: the rules' refusal stands, models can only add refusals, every vote is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rdfkms.admission.verification import RulesVerifier
from rdfkms.admission.votes import Panel, combine
from rdfkms.model import Candidate, EvidenceUnit, Kind, Label, Verification, Vote
from tests.tools.passages import about, anchor, candidate, passage

YES, NO, PART = Label.SUPPORTED, Label.UNSUPPORTED, Label.PARTIAL
OVER, OPEN = Label.OVERREACHING, Label.AMBIGUOUS


class Says:
    """A verifier that always says the same, and counts how often it is asked."""

    version = "1"

    def __init__(self, name: str, label: Label) -> None:
        self.name = name
        self.label = label
        self.asked = 0

    def verify(self, candidate: Candidate, unit: EvidenceUnit) -> Verification:
        self.asked += 1
        return Verification(self.label, verifier=f"{self.name}@1")


def membership(text: str) -> tuple[Candidate, EvidenceUnit]:
    unit = passage(text)
    made = about(
        unit, Kind.RELATION, "Membership", subject=anchor(unit, "Ana Ruiz", "Person"),
        object=anchor(unit, "Ateneo", "OrganizationState"), cue=anchor(unit, "ingresó"),
    )  # fmt: skip
    return made, unit


@pytest.mark.parametrize(
    ("labels", "strictest", "majority"),
    [
        ([YES, YES], YES, YES),
        ([YES, OVER], OVER, OVER),
        ([YES, YES, OPEN], OPEN, YES),
        ([YES, OPEN, OPEN], OPEN, OPEN),
        ([YES, PART, OVER], OVER, OVER),
        ([OPEN, YES, YES], OPEN, OPEN),
        ([NO, YES, YES, YES], NO, NO),
        ([YES, NO, NO, PART], NO, NO),
    ],
)
def test_labels_become_one(labels: list[Label], strictest: Label, majority: Label) -> None:
    found = [Verification(label, verifier=f"v{n}@1") for n, label in enumerate(labels)]
    assert combine(found, "strictest").label is strictest
    assert combine(found, "majority").label is majority
    assert [v.label for v in combine(found, "majority").votes] == labels


def test_every_vote_is_kept_and_told() -> None:
    made, unit = membership("Ana Ruiz ingresó en el Ateneo")
    found = Panel([RulesVerifier(), Says("nli", OVER)]).verify(made, unit)
    assert found.label is OVER
    assert found.votes == (Vote("rules@3", YES), Vote("nli@1", OVER))
    assert found.reasons[-1].sentence == (
        "The verifiers say: rules@3: supported; nli@1: overreaching."
    )


@pytest.mark.parametrize("vote", ["strictest", "majority"])
def test_models_cannot_vote_in_what_the_rules_refuse_and_are_not_asked(vote: str) -> None:
    made, unit = membership("Ana Ruiz no ingresó en el Ateneo")
    models = [Says(f"m{n}", YES) for n in range(3)]
    assert Panel(models, vote).verify(made, unit).label is OPEN
    assert [model.asked for model in models] == [0, 0, 0]


def test_the_rules_verify_also_where_only_a_model_is_given() -> None:
    made, unit = membership("Ana Ruiz ingresó en el Ateneo")
    found = Panel([Says("m", YES)]).verify(made, unit)
    assert [v.verifier for v in found.votes] == ["rules@3", "m@1"]


def test_a_verifier_is_asked_once_about_a_candidate() -> None:
    made, unit = membership("Ana Ruiz ingresó en el Ateneo")
    model = Says("m", YES)
    panel = Panel([model])
    assert panel.supports(made, unit)
    assert panel.verify(made, unit) is panel.verify(made, unit)
    assert model.asked == 1


def test_notes_confidence_and_later_events_ask_no_model_again() -> None:
    unit = passage("楚子伐鄭。", "lzh")
    trigger = anchor(unit, "伐")
    event = candidate(
        unit, Kind.EVENT, "MilitaryConflict", trigger.start, trigger.end, subject=trigger,
        group="a", proposer="model:m",
    )  # fmt: skip
    role = about(
        unit, Kind.ARGUMENT, "participant", object=anchor(unit, "楚子", "Person"),
        group="a", proposer="model:m",
    )  # fmt: skip
    model = Says("m", YES)
    panel = Panel([model])
    panel.ask_all([role, event], {unit.key: unit})
    assert model.asked == 2, "the event comes first, so that its argument is asked about"
    for again in (replace(event, note="rejectedBefore"), replace(role, confidence=0.9, note="x")):
        assert panel.supports(again, unit)
    assert model.asked == 2
    late = anchor(unit, "鄭")
    panel.ask_all(
        [candidate(unit, Kind.EVENT, "MilitaryConflict", late.start, late.end, subject=late,
                   group="c", proposer="model:m")],
        {unit.key: unit},
    )  # fmt: skip
    before = model.asked
    assert panel.supports(role, unit), "triggers are now others, and only the rules are asked"
    assert model.asked == before
