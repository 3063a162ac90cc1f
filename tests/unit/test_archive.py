"""The archive folder: files under their SHA-256, settings, locks, serve.json."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from rdfkms.errors import BadInput, Broken, Conflict, NotFound
from rdfkms.ledger import lock as locks
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.lock import Lock
from rdfkms.settings import GateSettings, Settings
from rdfkms.vocab import key_of


def test_a_created_archive_opens_with_the_same_settings(tmp_path: Path) -> None:
    settings = Settings(
        title='Archivo "de\nprueba" \x7f 史', gate=GateSettings(same_name_similarity=0.9)
    )
    Archive.create(tmp_path / "a", settings)
    assert Archive.open(tmp_path / "a").settings == settings


def test_an_archive_is_not_made_in_a_folder_with_content(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(Conflict, match="not empty"):
        Archive.create(tmp_path, Settings())


def test_opening_nothing_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="rdfkms init"):
        Archive.open(tmp_path)


def test_the_same_content_is_kept_once(tmp_path: Path) -> None:
    archive = Archive.create(tmp_path / "a", Settings())
    source = tmp_path / "scan.png"
    source.write_bytes(b"pixels")
    digest = archive.keep(source)
    assert digest == archive.keep(b"pixels") == hashlib.sha256(b"pixels").hexdigest()
    assert archive.read(digest) == b"pixels"
    assert [p.name for p in archive.files.rglob("*") if p.is_file()] == [digest]


def test_a_kept_file_that_was_cut_short_is_replaced(tmp_path: Path) -> None:
    archive = Archive.create(tmp_path / "a", Settings())
    digest = archive.keep(b"pixels")
    path = archive.path_of(digest)
    path.chmod(0o644)
    path.write_bytes(b"pix")
    assert archive.keep(b"pixels") == digest
    assert archive.read(digest) == b"pixels"


def test_a_damaged_file_is_never_read_as_whole(tmp_path: Path) -> None:
    archive = Archive.create(tmp_path / "a", Settings())
    digest = archive.keep(b"pixels")
    archive.path_of(digest).chmod(0o644)
    archive.path_of(digest).write_bytes(b"pixelz")
    with pytest.raises(Broken, match="damaged"):
        archive.read(digest)


def test_unknown_files_and_unreadable_sources_are_said(tmp_path: Path) -> None:
    archive = Archive.create(tmp_path / "a", Settings())
    with pytest.raises(NotFound):
        archive.read("0" * 64)
    with pytest.raises(BadInput, match="cannot be read"):
        archive.keep(tmp_path / "nothing.png")


def test_what_a_killed_process_left_is_cleared_by_the_next_owner(tmp_path: Path) -> None:
    archive = Archive.create(tmp_path / "a", Settings())
    digest = archive.keep(b"pixels")
    (archive.path_of(digest).parent / ".tmp-1-x").write_bytes(b"half")
    (archive.snapshots / ".tmp-1-y").mkdir()
    (archive.root / "store.old").mkdir()
    (archive.root / "store.old" / "mark").write_text("the only store")
    with Lock(archive, "test"):
        left = {p.name for p in archive.root.rglob(".tmp-*")}
    assert left == set()
    assert (archive.store_path / "mark").read_text() == "the only store"
    assert not (archive.root / "store.old").exists()


def _in_another_process(archive: Archive, code: str) -> str:
    program = (
        "import sys; from pathlib import Path\n"
        "from rdfkms.errors import Conflict\n"
        "from rdfkms.ledger.archive import Archive; from rdfkms.ledger import lock\n"
        f"archive = Archive.open(Path({str(archive.root)!r}))\n{code}"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


TAKE = """
try:
    with lock.Lock(archive, "ingest"): print("taken")
except Conflict as err: print(err)
"""


def test_a_second_process_is_told_who_holds_the_archive(tmp_path: Path) -> None:
    archive = Archive.create(tmp_path / "a", Settings())
    with Lock(archive, "serve"), Lock(archive, "rebuild"):
        said = _in_another_process(archive, TAKE)
    assert "is in use by `rdfkms serve` (process " in said
    assert _in_another_process(archive, TAKE) == "taken"


def test_the_lock_is_held_until_its_last_taker_lets_go(tmp_path: Path) -> None:
    archive = Archive.create(tmp_path / "a", Settings())
    with Lock(archive, "serve"):
        with Lock(archive, "rebuild"):
            pass
        assert locks.is_held(archive)
    assert not locks.is_held(archive)


def test_serve_json_counts_only_while_the_service_holds_the_archive(tmp_path: Path) -> None:
    archive = Archive.create(tmp_path / "a", Settings())
    show = "told = lock.served(archive); print(told and told.address)"
    with Lock(archive, "serve"):
        locks.announce(archive, "http://127.0.0.1:8080", "secret")
        path = archive.root / "serve.json"
        assert path.stat().st_mode & 0o777 == 0o600
        assert json.loads(path.read_text())["token"] == "secret"
        assert _in_another_process(archive, show) == "http://127.0.0.1:8080"
    assert path.exists(), "as after kill -9"
    assert _in_another_process(archive, show) == "None"
    locks.withdraw(archive)
    assert locks.served(archive) is None


def test_what_a_person_did_has_a_key_that_only_this_archive_can_make(tmp_path: Path) -> None:
    one, other = (Archive.create(tmp_path / name, Settings()) for name in ("one", "other"))
    parts = ("run", "review", "eva")
    assert one.persons_key(*parts) == Archive.open(one.root).persons_key(*parts)
    assert len({one.persons_key(*parts), other.persons_key(*parts), key_of(*parts)}) == 3
    assert (one.root / "secret").stat().st_mode & 0o077 == 0
