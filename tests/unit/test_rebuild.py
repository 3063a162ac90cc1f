"""The store is made again from the journal, checked, and put in place whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.errors import Broken
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.ledger.lock import Lock
from rdfkms.ledger.rebuild import compare, rebuild
from rdfkms.model import Principal, Role
from rdfkms.settings import Settings
from rdfkms.vocab import Base

BASE = Base()
ANA = Principal("ana", Role.CONTRIBUTOR)


def quad(n: int) -> Quad:
    return Quad(BASE.iri("claim", str(n)), NamedNode("http://p"), Literal(str(n)), BASE.public)


def quads_of(archive: Archive) -> set[Quad]:
    store = OxigraphStore(archive.store_path)
    found = set(store.match())
    store.close()
    return found


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    made = Archive.create(tmp_path / "a", Settings())
    ledger = Ledger(made, OxigraphStore(made.store_path))
    for n in range(0, 30, 3):
        add = tuple(map(quad, range(n, n + 3)))
        remove = (quad(n - 1),) if n % 2 else ()
        ledger.commit(Change(Activity("ingest"), add, remove), ANA)
    ledger.close()
    return made


def test_a_rebuilt_store_has_the_same_quads_and_revision(archive: Archive) -> None:
    before = quads_of(archive)
    seen: list[tuple[int, int]] = []
    report = rebuild(archive, OxigraphStore, lambda done, total: seen.append((done, total)))
    assert quads_of(archive) == before
    assert (report.revision, report.quads) == (10, len(before))
    assert seen[-1] == (10, 10)
    assert not (archive.root / "store.old").exists()
    assert not list(archive.root.glob(".tmp-*"))


def test_a_store_that_was_lost_or_changed_behind_the_ledger_is_made_good(archive: Archive) -> None:
    before = quads_of(archive)
    store = OxigraphStore(archive.store_path)
    store.patch([quad(4)], [quad(999)])
    store.close()
    ledger = Ledger(archive, OxigraphStore(archive.store_path))
    reasons = [fault.reason for fault in compare(ledger.journal, ledger.store, BASE)]
    assert reasons == ["it lacks 1 of the journal.", "it has 1 that the journal lacks."]
    ledger.close()
    rebuild(archive, OxigraphStore)
    assert quads_of(archive) == before


def test_an_empty_archive_is_rebuilt_to_an_empty_store(tmp_path: Path) -> None:
    archive = Archive.create(tmp_path / "a", Settings())
    assert rebuild(archive, OxigraphStore).quads == 0
    assert quads_of(archive) == set()


def test_a_tampered_journal_is_not_made_a_store(archive: Archive) -> None:
    before = quads_of(archive)
    journal = sqlite3.connect(archive.journal_path)
    with journal:
        journal.execute("UPDATE entry SET removed_count = 8 WHERE revision = 3")
    journal.close()
    with pytest.raises(Broken, match="revision 3"):
        rebuild(archive, OxigraphStore)
    assert quads_of(archive) == before


class LosesOne(OxigraphStore):
    def bulk(self, files: Iterable[Path]) -> None:
        super().bulk(files)
        self.patch([next(self.match())], [])


def test_a_new_store_of_the_wrong_size_is_not_put_in_place(archive: Archive) -> None:
    before = quads_of(archive)
    with pytest.raises(Broken, match="The old store is kept"):
        rebuild(archive, LosesOne)
    assert quads_of(archive) == before


class FailsAt:
    """Lets the n-th rename fail, as a crash there would."""

    def __init__(self, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = n
        plain = Path.rename

        def rename(path: Path, target: Path) -> Path:
            if path.name.startswith("store"):
                self.left -= 1
                if self.left == 0:
                    raise KeyboardInterrupt
            return plain(path, target)

        monkeypatch.setattr(Path, "rename", rename)


@pytest.fixture
def patched() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as context:
        yield context


@pytest.mark.parametrize("step", [1, 2])
def test_a_crash_while_the_stores_are_swapped_leaves_a_whole_store(
    archive: Archive, step: int, patched: pytest.MonkeyPatch
) -> None:
    before = quads_of(archive)
    FailsAt(step, patched)
    with pytest.raises(KeyboardInterrupt):
        rebuild(archive, OxigraphStore)
    patched.undo()
    with Lock(archive, "next"):
        pass
    assert quads_of(archive) == before
    assert not (archive.root / "store.new").exists()
