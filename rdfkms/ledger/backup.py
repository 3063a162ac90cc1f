"""Backup and restore of a whole archive (DESIGN 5)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from rdfkms.errors import Broken, Conflict, NotFound
from rdfkms.ledger import releases
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.disk import guard, link_or_copy, sync_folder, temporary, write_atomic
from rdfkms.ledger.journal import Journal
from rdfkms.ledger.ledger import Ledger
from rdfkms.ledger.work import Work, now

_MANIFEST = "backup.json"


def backup(ledger: Ledger, work: Work, target: Path) -> int:
    """Write a complete copy of the archive to the new folder `target`; returns its revision.

    Commits wait while the store and the databases are copied, not while the files are. Kept
    files are hard links where `target` is on the same file system. A folder without
    `backup.json` is an unfinished backup. Raises `Conflict` where `target` is not empty.
    """
    archive, target = ledger.archive, target.absolute()
    _demand_empty(target)
    draft = temporary(archive.snapshots)
    with guard(target, "writing a backup"):
        target.mkdir(parents=True, exist_ok=True)
        try:
            with ledger.frozen() as revision:
                ledger.store.snapshot(draft)
                ledger.journal.copy_to(target / "journal.sqlite")
                work.copy_to(target / "work.sqlite")
            shutil.copytree(draft, target / "store")
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        _copy_rest(archive.root, target, link_or_copy)
        told = {"revision": revision, "time": now(), "base": archive.base.base}
        write_atomic(target / _MANIFEST, json.dumps(told).encode())
    return revision


def restore(source: Path, target: Path) -> Archive:
    """Make an archive in the new folder `target` from a backup; returns it.

    Raises `NotFound` where `source` is no finished backup, `Broken` where its journal does not
    prove itself, `Conflict` where `target` is not empty.
    """
    source, target = source.absolute(), target.absolute()
    if not (source / _MANIFEST).is_file():
        raise NotFound(
            f"{source} holds no finished backup ({_MANIFEST} is missing).",
            hint="Name the folder that `rdfkms backup` wrote.",
        )
    _demand_empty(target)
    with guard(target, "restoring a backup"):
        target.mkdir(parents=True, exist_ok=True)
        # Copies, not links: what is restored must not change the backup.
        for name in ("journal.sqlite", "work.sqlite"):
            shutil.copyfile(source / name, target / name)
        _demand_proof(target / "journal.sqlite")
        shutil.copytree(source / "store", target / "store")
        _copy_rest(source, target, shutil.copy2)
    return Archive.open(target)


def _copy_rest(source: Path, target: Path, copy: Callable[[Path, Path], object]) -> None:
    """Copy files and releases and, last, `archive.toml`, which makes the folder an archive."""
    for name in ("files", "snapshots", "indexes"):
        (target / name).mkdir()
    for folder in sorted(p for p in (source / "files").iterdir() if p.is_dir()):
        (target / "files" / folder.name).mkdir()
        for file in sorted(folder.iterdir()):
            if not file.name.startswith("."):
                copy(file, target / "files" / folder.name / file.name)
    releases.copy(source, target)
    if (source / "secret").is_file():
        shutil.copy2(source / "secret", target / "secret")
    shutil.copyfile(source / "archive.toml", target / "archive.toml")
    sync_folder(target)


def _demand_empty(target: Path) -> None:
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise Conflict(f"{target} is there and not empty.", hint="Name a new folder.")


def _demand_proof(path: Path) -> None:
    journal = Journal(path)
    try:
        faults = journal.verify()
    finally:
        journal.close()
    if faults:
        raise Broken(
            f"The journal of the backup is damaged at {faults[0].place}: {faults[0].reason}",
            hint="Take an older backup.",
        )
