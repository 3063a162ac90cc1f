"""A full disk is said in a sentence, stops the writing, and heals when the archive is reopened.

On a real small file system (tmpfs, mounted by root), and by injected errors where that is refused.
"""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.errors import Broken
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.ledger.rebuild import compare
from rdfkms.ledger.work import Work
from rdfkms.model import Principal, Role
from rdfkms.settings import Settings
from rdfkms.vocab import Base

BASE = Base()
ANA = Principal("ana", Role.CONTRIBUTOR)
MEGABYTE = 1 << 20


def change(n: int, size: int) -> Change:
    text = os.urandom(size).hex()
    quad = Quad(BASE.iri("claim", str(n)), NamedNode("http://p"), Literal(text), BASE.public)
    return Change(Activity("ingest"), (quad,))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 48 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small file system")
    options = ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(folder)]
    mounted = subprocess.run(options, capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"no small file system can be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path, leave: int = 0) -> Path:
    """Use up the disk but for `leave` bytes; returns the file that does."""
    ballast = folder / "ballast"
    free = os.statvfs(folder)
    size = free.f_bavail * free.f_frsize - leave
    with ballast.open("wb") as out:
        os.posix_fallocate(out.fileno(), 0, size)
    return ballast


def open_ledger(archive: Archive) -> Ledger:
    return Ledger(archive, OxigraphStore(archive.store_path))


def test_the_ledger_stops_on_a_full_disk_and_heals_when_reopened(small_disk: Path) -> None:
    archive = Archive.create(small_disk / "a", Settings())
    ledger = open_ledger(archive)
    ledger.commit(change(0, 1000), ANA)
    ballast = fill(small_disk, leave=2 * MEGABYTE)
    written = 1
    with pytest.raises(Broken, match="No space is left"):
        for n in range(1, 100):
            ledger.commit(change(n, 100_000), ANA)
            written += 1
    with pytest.raises(Broken, match="refuses to write"):
        ledger.commit(change(200, 10), ANA)
    ledger.close()
    ballast.unlink()
    again = open_ledger(archive)
    # The one under way may have reached the journal: then it was applied on opening.
    assert again.revision in (written, written + 1)
    assert again.journal.verify() == compare(again.journal, again.store, BASE) == []
    revision = again.revision
    assert again.commit(change(201, 1000), ANA) == revision + 1
    again.close()


def test_a_store_that_meets_the_full_disk_after_the_journal_heals(
    small_disk: Path, tmp_path: Path
) -> None:
    archive = Archive.create(tmp_path / "a", Settings())
    store_path = small_disk / "store"
    ledger = Ledger(archive, OxigraphStore(store_path))
    ledger.commit(change(0, 1000), ANA)
    ballast = fill(small_disk, leave=MEGABYTE)
    with pytest.raises(Broken, match="No space is left for the store"):
        for n in range(1, 200):
            ledger.commit(change(n, 100_000), ANA)
    journaled = ledger.journal.last()
    assert ledger.revision == journaled - 1
    with pytest.raises(Broken, match="refuses to write"):
        ledger.commit(change(200, 10), ANA)
    ledger.close()
    ballast.unlink()
    again = Ledger(archive, OxigraphStore(store_path))
    assert again.revision == journaled
    assert compare(again.journal, again.store, BASE) == []
    again.close()


def test_a_file_is_kept_whole_or_not_at_all(small_disk: Path) -> None:
    archive = Archive.create(small_disk / "a", Settings())
    ballast = fill(small_disk, leave=MEGABYTE)
    data = os.urandom(3 * MEGABYTE)
    with pytest.raises(Broken, match="No space is left on the disk"):
        archive.keep(data)
    assert [p for p in archive.files.rglob("*") if p.is_file()] == []
    ballast.unlink()
    assert archive.read(archive.keep(data)) == data


def test_rows_of_work_are_written_whole_or_not_at_all(small_disk: Path) -> None:
    archive = Archive.create(small_disk / "a", Settings())
    work = Work(archive.work_path)
    ballast = fill(small_disk, leave=MEGABYTE)
    with pytest.raises(Broken, match="No space is left on the disk"):
        work.keep_call("k", os.urandom(3 * MEGABYTE).hex())
    assert work.call("k") is None
    ballast.unlink()
    work.keep_call("k", "answer")
    assert work.call("k") == "answer"
    work.close()


def test_an_archive_cannot_be_made_on_a_full_disk_and_the_sentence_says_so(
    small_disk: Path,
) -> None:
    # A tmpfs counts blocks: the folders still fit, the settings do not.
    fill(small_disk)
    with pytest.raises(Broken, match="No space is left"):
        Archive.create(small_disk / "a", Settings(title="x" * 10_000))


def test_injected_a_file_that_does_not_fit_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = Archive.create(tmp_path / "a", Settings())

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(Broken, match="Free some space"):
            archive.keep(b"pixels")
    assert [p for p in archive.files.rglob("*") if p.is_file()] == []
    assert archive.read(archive.keep(b"pixels")) == b"pixels"
