"""The journal is a chain that proves itself, also after an erasure."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from rdfkms.errors import Broken, NotFound
from rdfkms.ledger.changes import Activity
from rdfkms.ledger.journal import Entry, Journal
from rdfkms.model import Principal, Role

WHO = Principal("ana", Role.CONTRIBUTOR)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    found = Journal(tmp_path / "journal.sqlite")
    yield found
    found.close()


def entry(text: str, kind: str = "ingest", run: str = "", batch: str = "") -> Entry:
    activity = Activity(kind, subject=text, run=run, batch=batch)
    return Entry("2026-01-01T00:00:00Z", WHO, activity, b"", f"{text}\n".encode(), 0, 1)


def tamper(path: Path, sql: str) -> None:
    other = sqlite3.connect(path)
    with other:
        other.execute(sql)
    other.close()


def test_rows_are_numbered_from_one_and_read_back(journal: Journal) -> None:
    assert journal.last() == 0
    assert [journal.append(entry(t)) for t in "abc"] == [1, 2, 3]
    assert [e.added for e in journal.entries(after=1)] == [b"b\n", b"c\n"]
    assert [e.revision for e in journal.entries(descending=True)] == [3, 2, 1]
    assert all(e.added is None and not e.erased for e in journal.entries(payload=False))
    assert journal.entry(2).principal == WHO
    with pytest.raises(NotFound):
        journal.entry(9)


def test_rows_are_found_by_run_kind_and_batch(journal: Journal) -> None:
    journal.append(entry("a", run="r1", batch="b1"))
    journal.append(entry("b", kind="decision", run="r2"))
    assert [e.revision for e in journal.entries(run="r2")] == [2]
    assert [e.revision for e in journal.entries(kind="ingest")] == [1]
    assert journal.has_batch("b1")
    assert not journal.has_batch("b2")


def test_an_untouched_journal_has_no_faults(journal: Journal) -> None:
    for text in "abc":
        journal.append(entry(text))
    assert journal.verify() == []


@pytest.mark.parametrize(
    ("sql", "place"),
    [
        ("UPDATE entry SET principal = 'eva' WHERE revision = 2", "revision 2"),
        ("UPDATE entry SET time = '2027' WHERE revision = 1", "revision 1"),
        ("UPDATE entry SET added_count = 7 WHERE revision = 3", "revision 3"),
        ("UPDATE entry SET added = (SELECT added FROM entry WHERE revision = 1) "
         "WHERE revision = 2", "revision 2"),
        ("UPDATE entry SET added = x'00' WHERE revision = 2", "revision 2"),
        ("UPDATE entry SET added = NULL, removed = NULL WHERE revision = 2", "revision 2"),
        ("DELETE FROM entry WHERE revision = 2", "revision 2"),
    ],
)  # fmt: skip
def test_every_way_of_tampering_is_found_at_its_row(journal: Journal, sql: str, place: str) -> None:
    for text in "abc":
        journal.append(entry(text))
    tamper(journal.path, sql)
    assert place in [fault.place for fault in journal.verify()]


def test_an_erased_payload_is_gone_from_the_file_and_the_chain_holds(journal: Journal) -> None:
    secret = "nombre-secreto-" + "x" * 8
    journal.append(entry("a"))
    activity = Activity("ingest")
    journal.append(Entry("t", WHO, activity, b"", secret.encode(), 0, 1))
    journal.append(entry("2", kind="erase"))
    journal.finish_erasures()
    assert journal.verify() == []
    assert journal.entry(2).erased
    assert journal.entry(2).added is None
    journal.close()
    assert all(secret.encode() not in path.read_bytes() for path in journal.path.parent.iterdir())


def test_a_journal_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    Journal(tmp_path / "j").close()
    tamper(tmp_path / "j", "PRAGMA user_version = 99")
    with pytest.raises(Broken, match="newer rdfkms"):
        Journal(tmp_path / "j")
