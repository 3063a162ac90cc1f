"""A crash at any step of a commit heals at the next opening; nothing committed is lost."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.errors import Broken
from rdfkms.ledger import erasure
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.journal import Entry, Journal
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.ledger.rebuild import compare
from rdfkms.ledger.work import Work, recover
from rdfkms.model import Principal, Role
from rdfkms.settings import Settings
from rdfkms.vocab import Base

BASE = Base()
ANA = Principal("ana", Role.ADMINISTRATOR)


def quad(n: int) -> Quad:
    return Quad(BASE.iri("claim", str(n)), NamedNode("http://p"), Literal(str(n)), BASE.public)


class Crash(BaseException):
    """The process dies here."""


class FragileStore(OxigraphStore):
    """Dies before or after a patch when told to."""

    before = after = False

    def patch(self, remove: Iterable[Quad], add: Iterable[Quad]) -> None:
        if self.before:
            raise Crash
        super().patch(remove, add)
        if self.after:
            raise Crash


class FragileJournal(Journal):
    """Dies before or after a row is durable when told to."""

    before = after = False

    def append(self, entry: Entry) -> int:
        if self.before:
            raise Crash
        revision = super().append(entry)
        if self.after:
            raise Crash
        return revision


STEPS = ["none", "journal.before", "journal.after", "store.before", "store.after"]
plans = st.lists(
    st.tuples(
        st.sampled_from(STEPS),
        st.lists(st.integers(0, 8), max_size=3),
        st.lists(st.integers(0, 8), max_size=3),
    ),
    max_size=8,
)


def open_fragile(archive: Archive, store: OxigraphStore) -> Ledger:
    ledger = Ledger(archive, store)
    ledger.journal.close()
    ledger.journal = FragileJournal(archive.journal_path)
    return ledger


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans)
def test_a_crash_at_any_step_of_any_commit_leaves_it_done_or_undone(
    plan: list[tuple[str, list[int], list[int]]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        archive = Archive.create(Path(folder) / "a", Settings())
        store = FragileStore()  # survives in memory, as a store's files survive on disk
        ledger = open_fragile(archive, store)
        expected: set[Quad] = set()
        for step, add, remove in plan:
            part, _, moment = step.partition(".")
            change = Change(Activity("ingest"), tuple(map(quad, add)), tuple(map(quad, remove)))
            after = (expected - set(change.remove)) | set(change.add)
            fragile = {"journal": ledger.journal, "store": store}.get(part)
            if fragile is not None:
                setattr(fragile, moment, True)
            try:
                ledger.commit(change, ANA)
                expected = after
            except Crash:
                with pytest.raises(Broken, match="refuses to write"):
                    ledger.commit(change, ANA)
                if step != "journal.before":
                    expected = after
            ledger.journal.close()
            store.before = store.after = False
            ledger = open_fragile(archive, store)
            assert {q for q in store.match() if q.graph_name == BASE.public} == expected
            assert ledger.journal.verify() == compare(ledger.journal, store, BASE) == []
        ledger.close()


def test_a_store_that_lost_its_last_commits_gets_them_again(tmp_path: Path) -> None:
    archive = Archive.create(tmp_path / "a", Settings())
    store = OxigraphStore(archive.store_path)
    ledger = Ledger(archive, store)
    ledger.commit(Change(Activity("ingest"), (quad(0), quad(1))), ANA)
    store.snapshot(tmp_path / "as-after-a-power-cut")
    ledger.commit(Change(Activity("ingest"), (quad(2),), (quad(0),)), ANA)
    ledger.commit(Change(Activity("ingest"), (quad(3),)), ANA)
    ledger.close()
    again = Ledger(archive, OxigraphStore(tmp_path / "as-after-a-power-cut"))
    assert again.revision == 3
    assert {q for q in again.store.match() if q.graph_name == BASE.public} == {
        quad(1), quad(2), quad(3)
    }  # fmt: skip
    again.close()


def test_an_erasure_cut_short_is_finished_at_the_next_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = Archive.create(tmp_path / "a", Settings())
    ledger = Ledger(archive, OxigraphStore(archive.store_path))
    ledger.commit(Change(Activity("ingest"), (quad(0),)), ANA)

    def die(journal: Journal) -> None:
        raise Crash

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "finish_erasures", die)
        with pytest.raises(Crash):
            erasure.erase(ledger, [1], ANA)
    assert not ledger.journal.entry(1).erased
    ledger.close()
    again = Ledger(archive, OxigraphStore(archive.store_path))
    assert again.journal.entry(1).erased
    assert again.journal.verify() == compare(again.journal, again.store, BASE) == []
    again.close()


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.faults.test_ledger_crashes import *
archive = Archive.open(Path(sys.argv[1]))
ledger, work = Ledger(archive, OxigraphStore(archive.store_path)), Work(archive.work_path)
recover(work, ledger.journal)
for n in range(ledger.revision, 100_000):
    work.prepare(f"b{n}", "run", [], [], [])
    add = tuple(quad(10 * n + k) for k in range(9))
    remove = (quad(10 * (n - 1)),) if n else ()
    ledger.commit(Change(Activity("ingest", batch=f"b{n}"), add, remove), ANA)
    work.settle(f"b{n}")
    print(n, flush=True)
"""


def test_kill_9_at_any_moment_loses_no_commit_and_no_batch(tmp_path: Path) -> None:
    archive = Archive.create(tmp_path / "a", Settings())
    root = Path(__file__).resolve().parents[2]
    for turn in range(5):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(archive.root), str(root)],
            stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(root)},
        )  # fmt: skip
        assert writer.stdout is not None
        reported = [writer.stdout.readline() for _ in range(3)]
        time.sleep(0.01 * turn)
        writer.send_signal(signal.SIGKILL)
        rest, _ = writer.communicate()
        reported += rest.splitlines()
        said = max(int(line) for line in reported if line.strip())
        ledger, work = Ledger(archive, OxigraphStore(archive.store_path)), Work(archive.work_path)
        recover(work, ledger.journal)
        assert ledger.revision in (said + 1, said + 2)
        assert ledger.journal.verify() == compare(ledger.journal, ledger.store, BASE) == []
        assert set(work.batches().values()) == {"done"}
        assert len(work.batches()) == ledger.revision
        work.close()
        ledger.close()


def test_a_locked_database_is_said_and_heals(tmp_path: Path) -> None:
    archive = Archive.create(tmp_path / "a", Settings())
    ledger = Ledger(archive, OxigraphStore(archive.store_path))
    ledger.journal._db.execute("PRAGMA busy_timeout = 50")
    other = sqlite3.connect(archive.journal_path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Broken, match="locked"):
        ledger.commit(Change(Activity("ingest"), (quad(0),)), ANA)
    other.close()
    with pytest.raises(Broken, match="Open the archive again"):
        ledger.commit(Change(Activity("ingest"), (quad(0),)), ANA)
    ledger.close()
    again = Ledger(archive, OxigraphStore(archive.store_path))
    assert again.commit(Change(Activity("ingest"), (quad(0),)), ANA) == 1
    again.close()
