"""A backup is complete or none, and is restored to the same archive."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.errors import Broken, Conflict, NotFound
from rdfkms.ledger import tokens
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.backup import backup, restore
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.ledger.rebuild import compare
from rdfkms.ledger.work import Work
from rdfkms.model import Principal, Role
from rdfkms.settings import Settings
from rdfkms.vocab import Base

BASE = Base()
ANA = Principal("ana", Role.CONTRIBUTOR)


def change(value: str) -> Change:
    quad = Quad(BASE.iri("claim", "c"), NamedNode("http://p"), Literal(value), BASE.public)
    return Change(Activity("ingest"), (quad,))


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[tuple[Ledger, Work]]:
    archive = Archive.create(tmp_path / "a", Settings(title="Archivo"))
    ledger, work = Ledger(archive, OxigraphStore(archive.store_path)), Work(archive.work_path)
    archive.keep(b"pixels")
    ledger.commit(change("a"), ANA)
    yield ledger, work
    work.close()
    ledger.close()


def test_a_restored_archive_is_the_one_that_was_backed_up(
    opened: tuple[Ledger, Work], tmp_path: Path
) -> None:
    ledger, work = opened
    secret, own = tokens.add(work, "ana", Role.REVIEWER), ledger.archive.secret
    assert backup(ledger, work, tmp_path / "b") == 1
    expected = set(ledger.store.match())
    ledger.commit(change("later"), ANA)
    archive = restore(tmp_path / "b", tmp_path / "c")
    assert archive.settings.title == "Archivo"
    again, rows = Ledger(archive, OxigraphStore(archive.store_path)), Work(archive.work_path)
    assert set(again.store.match()) == expected
    assert again.journal.verify() == compare(again.journal, again.store, BASE) == []
    assert tokens.verify(rows, secret) is not None
    assert archive.secret == own and len(own) == 64
    assert [archive.read(p.name) for p in archive.files.rglob("*") if p.is_file()] == [b"pixels"]
    again.commit(change("elsewhere"), ANA)
    again.close()
    rows.close()
    unchanged = restore(tmp_path / "b", tmp_path / "d")
    store = OxigraphStore(unchanged.store_path)
    assert set(store.match()) == expected
    store.close()


def test_kept_files_are_linked_not_copied(opened: tuple[Ledger, Work], tmp_path: Path) -> None:
    ledger, work = opened
    backup(ledger, work, tmp_path / "b")
    (kept,) = [p for p in (tmp_path / "b" / "files").rglob("*") if p.is_file()]
    assert kept.stat().st_ino == ledger.archive.path_of(kept.name).stat().st_ino


def test_an_unfinished_backup_is_not_restored(opened: tuple[Ledger, Work], tmp_path: Path) -> None:
    ledger, work = opened
    backup(ledger, work, tmp_path / "b")
    (tmp_path / "b" / "backup.json").unlink()
    with pytest.raises(NotFound, match="finished"):
        restore(tmp_path / "b", tmp_path / "c")


def test_nothing_is_overwritten(opened: tuple[Ledger, Work], tmp_path: Path) -> None:
    ledger, work = opened
    backup(ledger, work, tmp_path / "b")
    with pytest.raises(Conflict):
        backup(ledger, work, tmp_path / "b")
    with pytest.raises(Conflict):
        restore(tmp_path / "b", ledger.archive.root)


def test_a_backup_whose_journal_was_changed_is_not_restored(
    opened: tuple[Ledger, Work], tmp_path: Path
) -> None:
    ledger, work = opened
    backup(ledger, work, tmp_path / "b")
    journal = sqlite3.connect(tmp_path / "b" / "journal.sqlite")
    with journal:
        journal.execute("UPDATE entry SET principal = 'eva'")
    journal.close()
    with pytest.raises(Broken, match="older backup"):
        restore(tmp_path / "b", tmp_path / "c")
