"""Read-only copies of the store for other processes, named by revision (DESIGN 6).

A reader that opens a copy holds it (a shared lock on its folder); `prune` leaves what is held.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from rdfkms.errors import NotFound
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.disk import guard, temporary
from rdfkms.ledger.ledger import Ledger

KEEP = 2
_NAME = re.compile(r"r(\d{9,})")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A copy of the store as it was at a revision."""

    path: Path
    revision: int


def listing(archive: Archive) -> list[Snapshot]:
    """Return the snapshots, newest first."""
    found = [
        Snapshot(path, int(name[1]))
        for path in archive.snapshots.iterdir()
        if (name := _NAME.fullmatch(path.name))
    ]
    return sorted(found, key=lambda snapshot: snapshot.revision, reverse=True)


def newest(archive: Archive) -> Snapshot | None:
    """Return the newest snapshot, or None."""
    return next(iter(listing(archive)), None)


def make(ledger: Ledger, keep: int = KEEP) -> Snapshot:
    """Return a snapshot of the present revision, making it where there is none; keeps `keep`.

    Commits wait meanwhile (hard links: milliseconds).
    """
    archive = ledger.archive
    with ledger.frozen() as revision:
        path = archive.snapshots / f"r{revision:09d}"
        if not path.exists():
            with guard(path, "making a snapshot"):
                draft = temporary(archive.snapshots)
                try:
                    ledger.store.snapshot(draft)
                    draft.rename(path)
                finally:
                    shutil.rmtree(draft, ignore_errors=True)
        prune(archive, keep)
    return Snapshot(path, revision)


def prune(archive: Archive, keep: int = KEEP) -> None:
    """Remove all but the newest `keep` snapshots, except those that a reader holds."""
    for snapshot in listing(archive)[keep:]:
        with suppress(FileNotFoundError):
            discard(snapshot.path)


def discard(path: Path) -> None:
    """Remove a copy of a store, unless a reader holds it."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        gone = temporary(path.parent)
        path.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)
    except BlockingIOError:
        return
    finally:
        os.close(handle)


@contextmanager
def hold(snapshot: Snapshot) -> Iterator[Path]:
    """Keep a snapshot from being removed while the block runs; gives its path.

    Raises `NotFound` where it has gone meanwhile: take the newest one then.
    """
    gone = NotFound(f"The snapshot {snapshot.path} has gone.", hint="Take the newest one.")
    try:
        handle = os.open(snapshot.path, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError as err:
        raise gone from err
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
            still = os.path.samestat(os.fstat(handle), snapshot.path.stat())
        except (BlockingIOError, FileNotFoundError) as err:
            raise gone from err
        if not still:
            raise gone
        yield snapshot.path
    finally:
        os.close(handle)
