"""The decision table: what is found leads where the file says, and the file cannot loosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from rdfkms import resources
from rdfkms.admission import decisions
from rdfkms.admission.conflicts import CODES
from rdfkms.admission.reasons import REASONS
from rdfkms.admission.screening import screen
from rdfkms.errors import Misconfigured
from rdfkms.knowledge import mapping
from rdfkms.model import Decision, Kind, Label, Reason
from rdfkms.settings import GateSettings
from tests.tools.passages import candidate, mention, passage

FILE = resources.file("shapes/decisions.toml")


def found(*codes: str) -> list[Reason]:
    return [Reason(code, "") for code in codes]


@pytest.mark.parametrize("label", list(Label))
def test_only_what_is_supported_is_admitted(label: Label) -> None:
    decided = decisions.table().decide("verification", (), label)
    assert (decided is Decision.ADMITTED) is (label is Label.SUPPORTED)


@pytest.mark.parametrize(
    ("stage", "codes", "decision"),
    [
        ("structure", ["wrongUnit"], Decision.REJECTED),
        ("structure", ["unknownName", "missingField"], Decision.REJECTED),
        ("pointer", ["quoteNotFound"], Decision.REJECTED),
        ("pointer", ["quoteTwice"], Decision.QUARANTINED),
        ("ends", ["endNotAdmitted", "allThere"], Decision.QUARANTINED),
        ("shapes", ["shapeViolation"], Decision.QUARANTINED),
        ("conflicts", ["conflictsWith"], Decision.ADMITTED),
        ("pointer", ["reanchored"], Decision.QUARANTINED),
        ("no such stage", ["allThere"], Decision.QUARANTINED),
    ],
)
def test_a_finding_leads_where_its_row_says(
    stage: str, codes: list[str], decision: Decision
) -> None:
    assert decisions.table().decide(stage, found(*codes)) is decision


def test_the_strictest_row_decides() -> None:
    table = decisions.table()
    doubtful = table.decide("verification", found("doubtfulReading"), Label.SUPPORTED)
    assert doubtful is Decision.QUARANTINED
    assert table.decide("pointer", found("quoteTwice", "quoteNotFound")) is Decision.REJECTED


@pytest.mark.parametrize("stage", decisions.STAGES)
def test_no_reason_alone_admits_anything_but_a_conflict(stage: str) -> None:
    for code in REASONS:
        decided = decisions.table().decide(stage, found(code))
        if stage != "conflicts" or code not in CODES:
            assert decided is not Decision.ADMITTED, (stage, code)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('label = "overreaching"\ndecision = "quarantined"',
         'label = "overreaching"\ndecision = "admitted"', "only what verification calls supported"),
        ('reasons = ["quoteTwice"]\ndecision = "quarantined"',
         'reasons = ["quoteTwice"]\ndecision = "admitted"', "only what verif"),
        ('reasons = ["quoteTwice"]\ndecision = "quarantined"',
         'reasons = ["quoteTwice"]\ndecision = "admitted"\ninforms = true', "conflicts inform"),
        ("informs = true\n", "", "conflicts inform"),
        ('reasons = ["conflictsWith",', 'reasons = ["*",', "only what verification"),
        ('reasons = ["quoteTwice"]', 'reasons = ["quoteThrice"]', "no reason 'quoteThrice'"),
        ('stage = "shapes"', 'stage = "shape"', "no stage 'shape'"),
        ('label = "ambiguous"', 'label = "unsupported"', "the label 'ambiguous'"),
        ('reasons = ["wrongUnit"]', 'reasons = ["unknownName"]', "another passage"),
        ("version = 1", "version = 1\nloose = true", "Extra inputs"),
        ("version = 1", "version =", "cannot be read as TOML"),
    ],
)  # fmt: skip
def test_a_table_that_would_loosen_or_makes_no_sense_is_refused(
    tmp_path: Path, old: str, new: str, why: str
) -> None:
    text = FILE.read_text(encoding="utf-8")
    assert old in text
    bad = tmp_path / "decisions.toml"
    bad.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(Misconfigured, match=why):
        decisions.load(bad)


def test_a_stricter_table_is_read(tmp_path: Path) -> None:
    text = FILE.read_text(encoding="utf-8")
    strict = tmp_path / "decisions.toml"
    old = 'label = "unsupported"\ndecision = "quarantined"'
    strict.write_text(text.replace(old, old.replace("quarantined", "rejected")), encoding="utf-8")
    decided = decisions.load(strict).decide("verification", (), Label.UNSUPPORTED)
    assert decided is Decision.REJECTED


def test_screening_takes_its_decisions_from_the_table() -> None:
    unit, table = passage("Ana vio a Ana"), mapping.load()
    other = passage("otro texto", name="p2")
    twice = candidate(unit, Kind.MENTION, "Person", 0, 3, subject=mention(unit, "Ana").subject)
    _, verdict = screen(mention(other, "otro"), unit, table)
    assert verdict is not None and verdict.decision is Decision.REJECTED
    assert verdict.reasons[0].code == "wrongUnit"
    assert screen(twice, unit, table)[1] is None


@pytest.mark.parametrize(
    "given",
    [
        {"verifiers": []},
        {"verifiers": ["nli"]},
        {"verifiers": ["rules", "rules"]},
        {"verifiers": ["rules", "oracle"]},
        {"vote": "loosest"},
        {"decisions": "mine.toml"},
    ],
)
def test_no_setting_of_an_archive_loosens_the_gate(given: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"verifiers|vote|decisions"):
        GateSettings.model_validate(given)
