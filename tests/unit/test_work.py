"""Rows of work: first verdicts stay, counts add up, the crash rule holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rdfkms.errors import NotFound
from rdfkms.ledger.changes import Activity
from rdfkms.ledger.journal import Entry, Journal
from rdfkms.ledger.work import CandidateRow, Work, recover
from rdfkms.model import (
    Anchor,
    Candidate,
    Decision,
    Fault,
    Kind,
    Label,
    MergeProposal,
    Principal,
    Reason,
    Ref,
    Role,
    Run,
    Value,
    Verdict,
)

REASON = Reason("quoteNotFound", "The quote «朱重八» is not in the passage.")
ANA, BOB = Ref("person", "ana"), Ref("person", "bob")


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Work]:
    found = Work(tmp_path / "work.sqlite")
    yield found
    found.close()


def row(
    key: str, batch: str, decision: Decision = Decision.ADMITTED, *reasons: Reason
) -> CandidateRow:
    candidate = Candidate(
        key=key, kind=Kind.RELATION, unit="u1", name="Kinship/child", quote="朱", start=1, end=2,
        subject=Anchor(1, 2, "朱", "Person"), value=Value("31", "integer"), time=Value("1940"),
    )  # fmt: skip
    verdict = Verdict(decision, "pointer", reasons, Label.SUPPORTED if not reasons else None)
    claim = f"claim-{key}" if decision is not Decision.REJECTED else None
    return CandidateRow(candidate, verdict, claim, "run1", batch)


def merge(score: float = 0.9) -> MergeProposal:
    return MergeProposal(ANA, BOB, score, (REASON,))


def test_a_row_comes_back_as_it_was(work: Work) -> None:
    rows = [row("a", "b1"), row("b", "b1", Decision.REJECTED, REASON)]
    work.prepare("b1", "run1", rows, [merge()], [Fault("x.png", "page 1", "cut short")])
    assert list(work.candidates()) == rows
    assert work.merge(BOB.path, ANA.path) == work.merges()[0]
    assert work.merge(ANA.path, ANA.path) is None
    assert work.merges()[0].proposal == merge()
    assert work.faults("run1") == [Fault("x.png", "page 1", "cut short")]


def test_candidates_are_found_by_what_they_are(work: Work) -> None:
    rows = [row("a", "b1"), row("b", "b1", Decision.REJECTED, REASON)]
    work.prepare("b1", "run1", rows, [], [])
    assert [r.candidate.key for r in work.candidates(decision="rejected")] == ["b"]
    assert [r.candidate.key for r in work.candidates(reason="quoteNotFound")] == ["b"]
    assert [r.candidate.key for r in work.candidates(claim="claim-a", unit="u1")] == ["a"]
    with pytest.raises(TypeError):
        list(work.candidates(colour="red"))


def test_more_rows_than_one_page_are_all_yielded(work: Work) -> None:
    work.prepare("b1", "run1", [row(f"k{n}", "b1") for n in range(1203)], [], [])
    assert len({r.candidate.key for r in work.candidates()}) == 1203


def test_counts_add_up(work: Work) -> None:
    other = Reason("hearsay", "Said to be so.")
    rows = [
        row("a", "b1"),
        row("b", "b1", Decision.REJECTED, REASON),
        row("c", "b1", Decision.QUARANTINED, REASON, other),
        row("d", "b1", Decision.PENDING),
    ]
    work.prepare("b1", "run1", rows, [], [])
    counts = work.counts()
    assert counts["verdicts"] == {"admitted": 1, "quarantined": 1, "rejected": 1, "pending": 1}
    assert sum(counts["verdicts"].values()) == counts["candidates"] == 4
    assert counts["by_reason"] == {"quoteNotFound": 2, "hearsay": 1}


def test_preparing_a_batch_again_replaces_its_rows(work: Work) -> None:
    fault = Fault("x.png", "page 1", "cut short")
    work.prepare("b1", "run1", [row("a", "b1"), row("b", "b1")], [merge()], [fault])
    work.prepare("b1", "run1", [row("c", "b1")], [], [])
    assert [r.candidate.key for r in work.candidates()] == ["c"]
    assert (work.merges(), work.faults()) == ([], [])


def test_a_settled_first_verdict_stays(work: Work) -> None:
    work.prepare("b1", "run1", [row("a", "b1")], [], [])
    work.settle("b1")
    work.prepare("b2", "run1", [row("a", "b2", Decision.REJECTED, REASON)], [], [])
    assert list(work.candidates()) == [row("a", "b1")]


def test_an_unsettled_verdict_gives_way_to_another_batch(work: Work) -> None:
    work.prepare("b1", "run1", [row("a", "b1")], [], [])
    work.prepare("b2", "run1", [row("a", "b2", Decision.REJECTED, REASON)], [], [])
    work.drop("b1")
    assert [r.batch for r in work.candidates()] == ["b2"]


def test_the_crash_rule_settles_what_the_journal_has_and_drops_the_rest(
    work: Work, tmp_path: Path
) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    for batch in ("done", "committed", "lost"):
        work.prepare(batch, "run1", [row(batch, batch)], [], [])
    work.settle("done")
    who = Principal("ana", Role.CONTRIBUTOR)
    journal.append(Entry("t", who, Activity("extract", batch="committed")))
    assert recover(work, journal, "run1") == (["committed"], ["lost"])
    journal.close()
    assert work.batches("run1") == {"done": "done", "committed": "done"}
    assert {r.candidate.key for r in work.candidates()} == {"done", "committed"}


def test_a_run_is_begun_ended_and_resumed(work: Work) -> None:
    run = Run("run1", "extract", "rules", "1", '{"a": 1}', "0.1.0", "2026-01-01")
    work.begin_run(run)
    work.end_run("run1", "failed", '{"units": 3}')
    found = work.run("run1")
    assert found is not None
    assert (found.run, found.status, found.report) == (run, "failed", '{"units": 3}')
    work.begin_run(replace(run, started="2026-02-02"))
    found = work.run("run1")
    assert found is not None
    assert (found.status, found.run.started) == ("running", "2026-01-01")
    assert [r.run.key for r in work.runs()] == ["run1"]
    assert work.run("other") is None
    with pytest.raises(NotFound):
        work.end_run("other", "done", "{}")


def test_a_decided_merge_is_not_opened_again_by_a_later_proposal(work: Work) -> None:
    work.prepare("b1", "run1", [], [merge()], [])
    work.close_merge(ANA, BOB, "refused", Principal("eva", Role.REVIEWER))
    work.prepare("b2", "run1", [], [merge(0.99)], [])
    work.drop("b1")
    assert work.merges() == []
    (kept,) = work.merges("")
    assert (kept.state, kept.principal, kept.proposal.score) == ("refused", "eva", 0.9)


def test_the_first_answer_of_a_model_is_kept(work: Work) -> None:
    assert work.call("k") is None
    work.keep_call("k", '{"text": "a"}')
    work.keep_call("k", '{"text": "b"}')
    assert work.call("k") == '{"text": "a"}'


def test_rows_outlive_the_process(work: Work) -> None:
    work.prepare("b1", "run1", [row("a", "b1")], [], [])
    again = Work(work.path)
    assert [r.candidate.key for r in again.candidates()] == ["a"]
    again.close()
