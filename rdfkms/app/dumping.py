"""Dumps as files: of the newest state and of each release, made once for each revision."""

from __future__ import annotations

import re
import shutil
import threading
from pathlib import Path
from typing import IO

from rdfkms.app.composition import open_store
from rdfkms.errors import Unavailable
from rdfkms.ledger import releases, snapshots
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.disk import guard, temporary
from rdfkms.ledger.ledger import Ledger
from rdfkms.publish.dcat import dumps
from rdfkms.publish.dcat.description import DumpKind

PATIENCE = 2.0  # seconds that others wait while one is written
_DUMP = re.compile(r"(.+?)(?:-[0-9a-f]{16})?-r\d{9,}\.(?:nq|trig|trig12)\.zst")
_lock = threading.Lock()


def folder(archive: Archive) -> Path:
    """Return where the dumps lie; all in it can be made again."""
    return archive.root / "dumps"


def forget(archive: Archive) -> None:
    """Remove all dumps that were made, as an erasure must."""
    shutil.rmtree(folder(archive), ignore_errors=True)


def file(ledger: Ledger, name: str, kind: DumpKind) -> Path:
    """Return the dump of ``latest`` or of a release as it may be told at this revision.

    The first to ask waits until it is made; older ones of that name are removed. Raises `NotFound`
    for a release that is not there, `BadInput` for what is no name of one.
    """
    archive = ledger.archive
    state = "" if name == dumps.LATEST else f"-{releases.release(archive, name).sha256[:16]}"
    if not _lock.acquire(timeout=PATIENCE):
        raise Unavailable("A dump is being written.", hint="Ask again in a minute.")
    try:
        path = folder(archive) / f"{name}{state}-r{ledger.revision:09}.{kind.extension}.zst"
        if path.is_file():
            return path
        with guard(path, "writing a dump"):
            folder(archive).mkdir(exist_ok=True)
            for rest in folder(archive).glob(".tmp-*"):  # of a process that was killed
                rest.unlink(missing_ok=True)
            draft = temporary(folder(archive))
            try:
                with draft.open("xb") as out:
                    revision = write(ledger, name, kind, out)
                path = path.with_name(f"{name}{state}-r{revision:09}.{kind.extension}.zst")
                draft.rename(path)
            finally:
                draft.unlink(missing_ok=True)
        for old in folder(archive).glob(f"{name}*.{kind.extension}.zst"):
            if old != path and _name(old) == name:
                old.unlink(missing_ok=True)
        return path
    finally:
        _lock.release()


def _name(path: Path) -> str:
    """Return the name of the state that a dump is of: ``v1-0123-r000000007.nq.zst`` is of v1."""
    found = _DUMP.fullmatch(path.name)
    return found[1] if found else ""


def write(ledger: Ledger, name: str, kind: DumpKind, out: IO[bytes]) -> int:
    """Write a dump; returns the revision at which it could be told. Raises what `file` raises."""
    if name == dumps.LATEST:
        newest = snapshots.make(ledger)
        with snapshots.hold(newest) as path:
            store = open_store(path)
            try:
                dumps.write(store, ledger.base, kind, out, None)
            finally:
                store.close()
        return newest.revision
    releases.release(ledger.archive, name)
    revision = ledger.revision  # what is withdrawn while it is written counts for the next
    store = open_store(releases.folder(ledger.archive, name) / "store")
    try:
        keep = dumps.still_public(store, ledger.store, ledger.base)
        dumps.write(store, ledger.base, kind, out, keep)
    finally:
        store.close()
    return revision
