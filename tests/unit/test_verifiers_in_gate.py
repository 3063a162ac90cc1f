"""Verifiers in the gate and from the settings of an archive, and the record of R73."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pyoxigraph import NamedNode

from rdfkms import backends
from rdfkms.admission import judging, records
from rdfkms.admission.judged import Judged
from rdfkms.admission.judging import Gate
from rdfkms.admission.model_verifier import ModelVerifier
from rdfkms.admission.screening import screen
from rdfkms.admission.verification import RulesVerifier
from rdfkms.app import verifying
from rdfkms.backends.fake import FakeJudge
from rdfkms.errors import Misconfigured, Missing
from rdfkms.knowledge import mapping
from rdfkms.knowledge.names import Names
from rdfkms.knowledge.proposers.calls import Budget
from rdfkms.ledger import usage
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.work import Work
from rdfkms.model import Candidate, EvidenceUnit, Kind, Label, Locator, Reason, Value
from rdfkms.ports import Verifier
from rdfkms.settings import GateSettings, ModelSettings, Settings
from rdfkms.vocab import Base
from tests.tools.passages import about, anchor, mention, passage

TABLE = mapping.load()
TEXT = "Ana Ruiz, natural de Alcoy"
UNIT = passage(TEXT)
NAMED, PLACED = mention(UNIT, "Ana Ruiz"), mention(UNIT, "Alcoy", "Location")


class NoShapes:
    """Shapes that nothing breaks."""

    def validate(self, triples: object, focus: object) -> dict[NamedNode, tuple[Reason, ...]]:
        return {}


def born(unit: EvidenceUnit = UNIT, **fields: object) -> Candidate:
    return about(
        unit, Kind.ATTRIBUTE, "birthplace", subject=anchor(unit, "Ana Ruiz", "Person"),
        object=anchor(unit, "Alcoy", "Location"), cue=anchor(unit, "natural"), **fields,
    )  # fmt: skip


def judged(*candidates: Candidate, verifiers: tuple[Verifier, ...] = ()) -> tuple[Judged, ...]:
    gate = Gate(TABLE, NoShapes(), Base(), verifiers=verifiers)
    screened = [screen(one, UNIT, TABLE) for one in candidates]
    return judging.decide(screened, {UNIT.key: UNIT}, Names(), gate, lambda c: "run").judged


def test_a_verifier_that_objects_quarantines_and_every_vote_is_kept() -> None:
    objecting = ModelVerifier(FakeJudge("objects"), TABLE)
    one, name, place = judged(born(), NAMED, PLACED, verifiers=(RulesVerifier(), objecting))
    assert one.verdict.decision.value == "quarantined"
    assert name.verdict.label is Label.OVERREACHING and place.verification is not None
    assert one.claim is not None and one.claim.label is Label.OVERREACHING
    votes = next(r.sentence for r in one.claim.reasons if r.code == "votes")
    assert "rules@3: supported" in votes and "model:fake-judge" in votes


def test_a_verifier_that_agrees_changes_nothing_but_the_record() -> None:
    agreeing = ModelVerifier(FakeJudge(), TABLE)
    with_it = judged(born(), NAMED, PLACED, verifiers=(RulesVerifier(), agreeing))
    without = judged(born(), NAMED, PLACED)
    assert [j.verdict.decision for j in with_it] == [j.verdict.decision for j in without]
    assert {len(j.verification.votes) for j in with_it if j.verification} == {2}


def test_a_model_is_asked_once_about_each_candidate() -> None:
    model = FakeJudge()
    judged(born(), NAMED, PLACED, verifiers=(ModelVerifier(model, TABLE),))
    assert len(model.calls) == 3


def test_the_record_has_all_fields_of_the_output_of_verification() -> None:
    late = born(time=Value("1999", "edtf", "", "mayo de 1999"))
    invented = about(UNIT, Kind.MENTION, "Person", subject=NAMED.subject)
    wrong = records.fields(judged(late, NAMED, PLACED)[0], UNIT)
    assert wrong["verification_label"] == "overreaching"
    assert wrong["admission_decision"] == "quarantine"
    assert wrong["supporting_quote"] == TEXT and wrong["resolved_pointer"] == [0, len(TEXT)]
    assert wrong["unsupported_elements"] == ["mayo de 1999"]
    assert "mayo de 1999" in str(wrong["overreach_reason"])
    assert wrong["claim_id"] and wrong["evidence_unit_id"] == UNIT.key
    assert wrong["source_id"] == UNIT.source and wrong["locator"] == []
    assert wrong["votes"] == {"rules@3": "overreaching"}
    assert records.fields(judged(invented)[0], UNIT)["admission_decision"] == "admit"


def test_the_record_of_what_was_rejected_has_no_claim_and_no_place() -> None:
    unit = replace(UNIT, locators=(Locator("page-1", "xywh=1,2,3,4"), Locator("page-2", "")))
    gone = replace(NAMED, quote="Eva Ruiz", start=None, end=None)
    refused = records.fields(judged(gone)[0], unit)
    assert refused["admission_decision"] == "reject" and refused["claim_id"] is None
    assert refused["resolved_pointer"] is None and refused["verification_label"] is None
    assert refused["locator"] == ["page-1#xywh=1,2,3,4", "page-2"]


@pytest.fixture
def work(tmp_path: Path) -> Work:
    return Work(tmp_path / "work.sqlite")


def test_the_rules_alone_are_the_default(work: Work) -> None:
    (only,) = verifying.verifiers(Settings(), work, TABLE, "run1")
    assert isinstance(only, RulesVerifier)


def test_an_archive_names_its_verifiers(work: Work) -> None:
    models = ModelSettings(llm_url="http://localhost:9/v1", llm_model="m")
    settings = Settings(gate=GateSettings(verifiers=("rules", "llm")), models=models)
    rules, model = verifying.verifiers(settings, work, TABLE, "run1")
    assert (rules.name, model.name.partition(":")[0]) == ("rules", "model")


def test_what_a_verifier_lacks_is_said(work: Work) -> None:
    with pytest.raises(Misconfigured, match="no language model to ask"):
        verifying.verifiers(
            Settings(gate=GateSettings(verifiers=("rules", "llm"))), work, TABLE, "run1"
        )
    nli = Settings(gate=GateSettings(verifiers=("rules", "nli"), nli_model="/no/such/folder"))
    with pytest.raises(Missing):
        verifying.verifiers(nli, work, TABLE, "run1")
    without = Settings(gate=GateSettings(verifiers=("rules", "nli")))
    with pytest.raises(Misconfigured, match="needs a model"):
        verifying.verifiers(without, work, TABLE, "run1")


def test_the_settings_are_kept_with_the_archive(tmp_path: Path) -> None:
    gate = GateSettings(verifiers=("rules", "llm"), vote="majority")
    Archive.create(tmp_path / "a", Settings(gate=gate))
    assert Archive.open(tmp_path / "a").settings.gate == gate
    text = (tmp_path / "a" / "archive.toml").read_text()
    loose = text.replace('"rules", ', "")
    assert loose != text
    (tmp_path / "a" / "archive.toml").write_text(loose)
    with pytest.raises(Misconfigured, match="'rules' must be among them"):
        Archive.open(tmp_path / "a")


def test_what_a_verifier_asks_is_in_the_accounts_and_kept_by_all_that_decides_it(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, budget = FakeJudge(), Budget(1000)
    monkeypatch.setattr(backends, "load", lambda *name: lambda models: judge)
    for run, most, calls in (("run1", 100, 1), ("run2", 100, 1), ("run3", 200, 2)):
        models = ModelSettings(llm_url="x", llm_model="m", max_tokens=most, price_in=2.0)
        settings = Settings(gate=GateSettings(verifiers=("rules", "llm")), models=models)
        _, model = verifying.verifiers(settings, work, TABLE, run, budget)
        assert model.verify(NAMED, UNIT).label is Label.SUPPORTED
        assert len(judge.calls) == calls, "max_tokens decides answers too"
    assert [(row.run, row.purpose, row.cached) for row in usage.rows(work)] == [
        ("run1", "verify", False), ("run2", "verify", True), ("run3", "verify", False),
    ]  # fmt: skip
    row = usage.rows(work)[0]
    assert (row.unit, row.record, row.model) == (UNIT.key, UNIT.record, "fake-judge")
    assert (row.tokens_in, row.tokens_out, row.cost) == (100, 50, 200 / 1e6)
    assert budget.taken(UNIT.record) == {UNIT.key: 2 * 150}
