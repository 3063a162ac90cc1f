"""Calls of a model: the order of answers, the budget of a document, the second question."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from rdfkms.admission.judging import Gate, decide
from rdfkms.admission.screening import screen
from rdfkms.admission.shapes import ShapesGate
from rdfkms.app.asking import asking, high_risk
from rdfkms.errors import Misconfigured, Unavailable
from rdfkms.ingest import profiles
from rdfkms.knowledge import mapping
from rdfkms.knowledge.names import Names
from rdfkms.knowledge.proposers.calls import Budget, Call, Caller, Spent, in_order
from rdfkms.knowledge.proposers.language_model import LanguageModelProposer
from rdfkms.ledger import usage
from rdfkms.ledger.work import Work
from rdfkms.model import Candidate, Decision, EvidenceUnit, Kind, Modality, UnitText, View
from rdfkms.ports import Answer
from rdfkms.settings import ModelSettings
from rdfkms.vocab import Base

TEXT = "Luis Ruiz es juez de Orna."
OFFICE = {
    "name": "OfficeHolding", "subject": "Luis Ruiz", "subject_type": "Person",
    "object": "juez de Orna", "object_type": "Title", "value": None, "time": None,
    "cue": "es", "quote": TEXT,
}  # fmt: skip
MENTIONS = [
    {"type": "Person", "text": "Luis Ruiz", "quote": "Luis Ruiz"},
    {"type": "Title", "text": "juez de Orna", "quote": "juez de Orna"},
]
YES = {"stated": "yes", "quote": TEXT, "ambiguity": None}


def unit(number: int = 1, text: str = TEXT) -> EvidenceUnit:
    raw = UnitText(f"t{number}", f"u{number}", "v1", View.RAW, text, 0, len(text), "es")
    return EvidenceUnit(
        f"u{number}", "r1", "s1", "p1", number, Modality.DOCUMENT, "es", "1", number, (raw,), ()
    )


class Model:
    """Answers by a function of the request, counts how many are in the making at once."""

    name = "m"
    version = "1"

    def __init__(self, answer: Callable[[str], Answer], pause: float = 0.0) -> None:
        self.answer = answer
        self.pause = pause
        self.asked: list[str] = []
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()

    def complete(
        self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any] | None
    ) -> Answer:
        with self._lock:
            self.asked.append(messages[-1]["content"])
            self._now += 1
            self.most = max(self.most, self._now)
        time.sleep(self.pause)
        try:
            return self.answer(messages[-1]["content"])
        finally:
            with self._lock:
                self._now -= 1


def said(tokens: int = 10, **lists: Any) -> Answer:
    return Answer(json.dumps(lists), "stop", tokens, 0)


# ---- order, width, budget ----------------------------------------------------------------------


def test_answers_come_in_the_order_of_the_units_however_many_are_asked_at_once() -> None:
    units = [unit(n) for n in range(12)]
    slow = {f"u{n}": 0.02 * (n % 3) for n in range(12)}

    def work(one: EvidenceUnit) -> str:
        time.sleep(slow[one.key])
        return one.key

    for width in (1, 3, 8):
        found = list(in_order(work, units, width))
        assert [result for _, result in found] == [u.key for u in units]


def test_no_more_are_in_the_making_than_the_width_and_no_fewer_where_there_is_work() -> None:
    model = Model(lambda asked: said(), pause=0.02)
    proposer = LanguageModelProposer(model, mapping.load(), width=3)
    proposer.for_units([unit(n, f"{TEXT} {n}") for n in range(9)])
    assert model.most == 3
    assert len(model.asked) == 9


@pytest.mark.parametrize("width", [1, 2, 4])
def test_a_document_over_its_budget_is_asked_no_further_and_says_so(
    tmp_path: Path, width: int
) -> None:
    settings = ModelSettings(max_tokens_per_document=30, concurrency=width)
    work = Work(tmp_path / "work.sqlite")
    model = Model(lambda asked: said(tokens=10))
    late = asking(model, settings, work, mapping.load(), "run1")
    units = [unit(n, f"{TEXT} {n}") for n in range(8)]
    (proposer,) = late("plain", "es")
    proposer.for_units(units)  # type: ignore[attr-defined]
    # Three fill the budget; those already under way when that is seen are let through.
    assert len(model.asked) == 3 + width - 1
    record: Any = type("Record", (), {"title": "Causa 1", "key": "r1"})()
    (fault,) = late.faults(record, "1")
    assert f"{8 - len(model.asked)} passages" in fault.reason
    assert "max_tokens_per_document" in fault.hint
    assert late.faults(record, "2") == ()
    # The same run begun anew goes exactly as far, out of the cache.
    again = Model(lambda asked: pytest.fail("asked again"))
    (proposer,) = asking(again, settings, work, mapping.load(), "run1")("plain", "es")
    proposer.for_units(units)  # type: ignore[attr-defined]
    assert usage.report(work, "run1")["calls"] == 3 + width - 1
    work.close()


def test_a_resumed_document_counts_what_other_pages_took() -> None:
    earlier = {("x", "extract"): 25, ("u0", "extract"): 10}
    budget = Budget(30, known=lambda record: earlier)
    asked = []

    def work(one: EvidenceUnit) -> None:
        asked.append(one.key)
        budget.note(Spent(one.key, "extract", one.key, "r1", "m", 10, 0, 0.0, False))

    list(in_order(work, [unit(n) for n in range(4)], 1, budget))
    assert asked == ["u0"]  # asked before; with it the document stands at 35 of 30
    assert budget.skipped == ["u1", "u2", "u3"]


def test_when_the_service_dies_what_was_answered_is_kept_and_the_rest_not_asked(
    tmp_path: Path,
) -> None:
    work = Work(tmp_path / "work.sqlite")

    def dies(asked: str) -> Answer:
        if f"{TEXT} 3" in asked:
            raise Unavailable("The server is gone.")
        return said()

    settings = ModelSettings(concurrency=2)
    units = [unit(n, f"{TEXT} {n}") for n in range(8)]
    first = Model(dies)
    (proposer,) = asking(first, settings, work, mapping.load(), "run1")("plain", "es")
    with pytest.raises(Unavailable):
        proposer.for_units(units)  # type: ignore[attr-defined]
    assert len(first.asked) <= 5
    second = Model(lambda asked: said())
    (proposer,) = asking(second, settings, work, mapping.load(), "run1")("plain", "es")
    proposer.for_units(units)  # type: ignore[attr-defined]
    kept = len(first.asked) - 1
    assert len(second.asked) == 8 - kept
    work.close()


def test_accounts_hold_tokens_seconds_and_cost_of_each_call_and_document(tmp_path: Path) -> None:
    work = Work(tmp_path / "work.sqlite")
    settings = ModelSettings(price_in=2.0, price_out=10.0)
    model = Model(lambda asked: Answer("{}", "stop", 1000, 500, 1.5))
    for run in ("run1", "run2"):
        (proposer,) = asking(model, settings, work, mapping.load(), run)("plain", "es")
        proposer.for_units([unit(1), unit(2, "Otra.")])  # type: ignore[attr-defined]
    first, second = usage.report(work, "run1"), usage.report(work, "run2")
    assert (first["calls"], first["kept"], first["tokens_in"], first["tokens_out"]) == (
        2, 0, 2000, 1000,
    )  # fmt: skip
    assert first["seconds"] == 3.0
    assert first["cost"] == pytest.approx(2 * (1000 * 2 + 500 * 10) / 1e6)
    assert first["documents"]["r1"]["tokens_paid"] == 3000
    assert (second["kept"], second["tokens_paid"], second["cost"]) == (2, 0, 0)
    assert usage.report(work, "run3") == {}
    assert {row.purpose for row in usage.rows(work)} == {"extract"}
    work.close()


def test_an_old_file_of_rows_gets_the_table_of_accounts(tmp_path: Path) -> None:
    path = tmp_path / "work.sqlite"
    work = Work(path)
    with work.transaction() as db:
        db.execute("DROP TABLE usage")
        db.execute("PRAGMA user_version = 1")
    work.close()
    again = Work(path)
    assert usage.report(again) == {}
    again.close()


def test_calls_are_told_apart_by_all_that_decides_the_answer() -> None:
    model = Model(lambda asked: said())
    call = Call("extract", unit(), "p.v1", [{"role": "user", "content": "x"}], {})
    keys = {
        Caller(model).key(call),
        Caller(model, sampling="t=1").key(call),
        Caller(model).key(Call("extract", unit(), "p.v2", call.messages, {})),
        Caller(model).key(Call("extract", unit(), "p.v1", call.messages, {"type": "object"})),
    }
    assert len(keys) == 4


# ---- the second question -----------------------------------------------------------------------


def proposed(confirmation: str | dict[str, Any]) -> tuple[Candidate, ...]:
    text = confirmation if isinstance(confirmation, str) else json.dumps(confirmation)

    def answer(asked: str) -> Answer:
        if "Statement" in asked:
            return Answer(text, "stop")
        return said(mentions=MENTIONS, statements=[OFFICE])

    return LanguageModelProposer(Model(answer), mapping.load()).propose(unit())


def judged(candidates: Sequence[Candidate]) -> dict[str, Any]:
    table = mapping.load()
    screened = [screen(candidate, unit(), table) for candidate in candidates]
    gate = Gate(table, ShapesGate(), Base())
    decided = decide(screened, {"u1": unit()}, Names(), gate, lambda c: "run1")
    (office,) = [one for one in decided.judged if one.candidate.name == "OfficeHolding"]
    return {"verdict": office.verdict, "claim": office.claim, "all": decided}


def test_a_plain_yes_with_words_of_the_passage_confirms() -> None:
    found = judged(proposed(YES))
    assert found["verdict"].decision is Decision.ADMITTED
    assert found["claim"].status.value == "admitted"


@pytest.mark.parametrize(
    ("confirmation", "why"),
    [
        ({"stated": "no", "quote": None, "ambiguity": None}, "answered no"),
        ({"stated": "unclear", "quote": None, "ambiguity": "Which Luis?"}, "unclear"),
        ({"stated": "yes", "quote": TEXT, "ambiguity": "Mayor or acting mayor?"}, "ambiguity"),
        ({"stated": "yes", "quote": "Luis Ruiz was mayor", "ambiguity": None}, "quote"),
        ({"stated": "yes", "quote": "Luis Ruiz", "ambiguity": None}, "quote"),
        ({"stated": "yes", "quote": None, "ambiguity": None}, "quote"),
        ({"stated": "certainly", "quote": TEXT, "ambiguity": None}, "could not be read"),
        ("I confirm it.", "could not be read"),
    ],
)
def test_anything_else_leaves_the_relation_to_a_person(
    confirmation: str | dict[str, Any], why: str
) -> None:
    found = judged(proposed(confirmation))
    verdict = found["verdict"]
    assert (verdict.decision, verdict.stage) == (Decision.QUARANTINED, "confirmation")
    assert verdict.reasons[0].code == "notConfirmed"
    assert why in verdict.reasons[0].sentence
    assert found["claim"].status.value == "quarantined"
    assert found["claim"].reasons == verdict.reasons
    # The mentions are none of its business.
    others = [one for one in found["all"].judged if one.candidate.kind is Kind.MENTION]
    assert {one.verdict.decision for one in others} == {Decision.ADMITTED}


def test_the_second_question_shows_the_relation_and_the_passage_alone() -> None:
    model = Model(
        lambda asked: (
            Answer(json.dumps(YES), "stop")
            if "Statement" in asked
            else said(mentions=MENTIONS, statements=[OFFICE])
        )
    )
    LanguageModelProposer(model, mapping.load()).propose(unit())
    second = model.asked[1]
    assert "“Luis Ruiz” (Person)" in second
    assert "“juez de Orna” (Title)" in second
    assert TEXT in second
    assert '"cue"' not in second


def test_what_is_of_no_risk_or_not_in_the_passage_is_not_asked_twice() -> None:
    kin = {**OFFICE, "name": "Kinship/spouse", "object_type": "Person"}
    invented = {**OFFICE, "subject": "Nadie Ninguno"}
    for item in (kin, invented):
        model = Model(lambda asked, item=item: said(statements=[item]))  # type: ignore[misc]
        LanguageModelProposer(model, mapping.load()).propose(unit())
        assert len(model.asked) == 1


def test_a_profile_may_name_more_relations_of_high_risk() -> None:
    kin = {**OFFICE, "name": "Kinship/spouse", "object_type": "Person"}
    model = Model(
        lambda asked: (
            Answer(json.dumps(YES), "stop") if "Statement" in asked else said(statements=[kin])
        )
    )
    named = ("Kinship/spouse",)
    LanguageModelProposer(model, mapping.load(), high_risk=named).propose(unit())
    assert len(model.asked) == 2


def test_a_profile_that_names_no_relation_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = profiles.load("plain").model_copy(update={"high_risk": ("Weather",)})
    monkeypatch.setattr(profiles, "load", lambda name: wrong)
    with pytest.raises(Misconfigured, match="Weather"):
        high_risk("plain", mapping.load())


def test_a_rule_that_says_the_same_needs_no_confirmation() -> None:
    from dataclasses import replace

    candidates = proposed({"stated": "no", "quote": None, "ambiguity": None})
    (office,) = [c for c in candidates if c.name == "OfficeHolding"]
    by_rule = replace(office, proposer="patterns:x", note="", raw="")
    found = judged([*(c for c in candidates if c is not office), by_rule])
    assert found["verdict"].decision is Decision.ADMITTED
    table = mapping.load()
    screened = [screen(c, unit(), table) for c in (*candidates, by_rule)]
    gate = Gate(table, ShapesGate(), Base())
    decided = decide(screened, {"u1": unit()}, Names(), gate, lambda c: "run1")
    held = {one.verdict.decision for one in decided.judged if one.candidate.name == office.name}
    assert held == {Decision.ADMITTED}


# ---- uncertainties, invented units -------------------------------------------------------------


def test_what_a_model_leaves_open_waits_for_a_person_and_is_no_claim() -> None:
    doubt = {"about": "identity", "question": "Which Luis Ruiz?", "quote": "Luis Ruiz"}
    model = Model(lambda asked: said(uncertainties=[doubt]))
    (candidate,) = LanguageModelProposer(model, mapping.load()).propose(unit())
    assert (candidate.kind, candidate.name, candidate.note) == (
        Kind.UNCERTAINTY, "identity", "Which Luis Ruiz?",
    )  # fmt: skip
    screened, verdict = screen(candidate, unit(), mapping.load())
    assert verdict is not None
    assert verdict.decision is Decision.QUARANTINED
    assert "Which Luis Ruiz?" in verdict.reasons[0].sentence
    assert TEXT[screened.start : screened.end] == screened.quote == "Luis Ruiz"
    gate = Gate(mapping.load(), ShapesGate(), Base())
    decided = decide([(screened, verdict)], {"u1": unit()}, Names(), gate, lambda c: "run1")
    assert decided.claims == ()


def test_a_doubt_about_words_that_are_not_there_is_rejected() -> None:
    doubt = {"about": "reading", "question": "Orna or Olna?", "quote": "Olna"}
    model = Model(lambda asked: said(uncertainties=[doubt]))
    (candidate,) = LanguageModelProposer(model, mapping.load()).propose(unit())
    _, verdict = screen(candidate, unit(), mapping.load())
    assert verdict is not None
    assert verdict.decision is Decision.REJECTED


def test_an_answer_about_another_unit_is_rejected_item_by_item() -> None:
    model = Model(lambda asked: said(unit="u99", mentions=MENTIONS, statements=[OFFICE]))
    candidates = LanguageModelProposer(model, mapping.load()).propose(unit())
    assert len(candidates) == 3
    for candidate in candidates:
        _, verdict = screen(candidate, unit(), mapping.load())
        assert verdict is not None
        assert verdict.reasons[0].code == "wrongUnit"
    assert len(model.asked) == 1  # and no second question about it


def test_the_prompt_names_unit_source_place_and_both_texts() -> None:
    model = Model(lambda asked: said())
    text = "Ana Rviz fve alcaldeſa."
    made = unit(1, text)
    normal = UnitText("n1", "u1", "v1", View.NORMALISED, "Luis Ruiz fue alcaldesa.", 0, 23, "es")
    from dataclasses import replace

    both = replace(made, texts=(*made.texts, normal), section="x")
    LanguageModelProposer(model, mapping.load()).propose(both)
    (asked,) = model.asked
    for part in ("u1", "s1", "page 1, passage 1", "document", text, normal.text):
        assert part in asked
