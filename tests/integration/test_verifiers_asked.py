"""Verifiers that are models are asked before the ledger is held, never while it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from rdfkms.admission.verification import RulesVerifier
from rdfkms.app import asking, composition, operations, verifying
from rdfkms.knowledge.nameforms import normal
from rdfkms.knowledge.proposers.candidates import Quoting
from rdfkms.model import Candidate, EvidenceUnit, Fault, Kind, Label, Record, Verification
from rdfkms.ports import Proposer
from rdfkms.review import lessons
from rdfkms.review.lessons import NAME, Lesson, Lessons

TEXT = "楚莊王伐鄭。新城無雨。"
KING, TOWN = "楚莊王", "新城"


class Said:
    """A late proposer that names an argument before the event that it belongs to."""

    name, version = "model:m", "1"

    def propose(self, unit: EvidenceUnit) -> tuple[Candidate, ...]:
        text, quoting = unit.raw.text, Quoting(unit, self.name)
        if KING not in text:
            return ()
        at = text.index(KING)
        cue, king = (at + 3, at + 4), quoting.anchor((at, at + 3), "Person")
        trigger = quoting.anchor(cue)
        return (
            quoting.mention((at, at + 3), "Person", 0.5),
            quoting.candidate(Kind.ARGUMENT, "participant", cue, object=king, group="a"),
            quoting.candidate(
                Kind.EVENT, "MilitaryConflict", cue, subject=trigger, cue=trigger, group="a"
            ),
        )


class Late:
    """The late proposers of the run."""

    budget = None

    def __call__(self, profile: str, language: str) -> Sequence[Proposer]:
        return (Said(),)

    def faults(self, record: Record, page: str) -> tuple[Fault, ...]:
        return ()


class Watched:
    """A verifier that agrees, and tells what it was asked while the ledger was held."""

    name, version = "model:watched", "1"

    def __init__(self) -> None:
        self.held = 0
        self.free: list[Candidate] = []
        self.frozen: list[Candidate] = []

    def verify(self, candidate: Candidate, unit: EvidenceUnit) -> Verification:
        (self.frozen if self.held else self.free).append(candidate)
        return Verification(Label.SUPPORTED, verifier="model:watched@1")


def test_no_model_is_asked_while_the_ledger_is_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched()
    taught = Lessons(
        names=(Lesson(NAME, "Location", TOWN, ""),),
        rejected=frozenset({("Person", normal(KING))}),
    )
    monkeypatch.setattr(lessons, "load", lambda store, base: taught)
    monkeypatch.setattr(asking, "of_settings", lambda *given: Late())
    monkeypatch.setattr(verifying, "verifiers", lambda *given: (RulesVerifier(), watched))
    folder, root = tmp_path / "texts", tmp_path / "A"
    folder.mkdir()
    (folder / "p1.txt").write_text(TEXT, encoding="utf-8")
    operations.create(root, title="T", base="", profile="plain")
    with composition.writing(root, "test") as app:
        frozen = app.ledger.frozen

        @contextmanager
        def watching() -> Iterator[int]:
            with frozen() as revision:
                watched.held += 1
                yield revision
                watched.held -= 1

        monkeypatch.setattr(app.ledger, "frozen", watching)
        given = {"paths": [str(folder)], "jobs": 1, "language": "lzh"}
        operations.perform_here(app, "run", given, composition.OWNER)
        rows = list(app.work.candidates())
    asked = {(one.kind, one.name) for one in watched.free}
    assert {(Kind.EVENT, "MilitaryConflict"), (Kind.ARGUMENT, "participant")} <= asked
    assert "review:names" in {one.proposer for one in watched.free}
    assert "rejectedBefore" in {reason.code for row in rows for reason in row.verdict.reasons}
    assert watched.frozen == []
