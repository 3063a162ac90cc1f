"""Makes the store again from the journal, by bulk load into an empty folder (DESIGN 5).

The net patches are folded to the final quads first, not applied one by one. Since each patch is
net, a line that no patch ever removes was added once: only lines that were removed at some time
need to be remembered, so the memory needed grows with removals, not with the archive.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rdfkms.errors import Broken
from rdfkms.ledger import snapshots
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.changes import from_lines, to_lines
from rdfkms.ledger.disk import guard, sync_folder, temporary
from rdfkms.ledger.journal import Journal
from rdfkms.ledger.ledger import revision_of, revision_quad
from rdfkms.ledger.lock import Lock
from rdfkms.model import Fault
from rdfkms.ports import TripleStore
from rdfkms.vocab import Base

Progress = Callable[[int, int], None]  # revisions read so far, revisions in all


@dataclass(frozen=True, slots=True)
class Report:
    """What a rebuild made: the revision, the number of quads, seconds."""

    revision: int
    quads: int
    seconds: float


def rebuild(
    archive: Archive,
    make_store: Callable[[Path], TripleStore],
    progress: Progress = lambda done, total: None,
) -> Report:
    """Make the store again in ``store.new``, check it, and put it in place of the old one.

    The store of the archive must be closed. Raises `Conflict` when the archive is in use,
    `Broken` when the journal does not prove itself or the new store has another number of quads;
    the old store stays then.
    """
    started = time.perf_counter()
    with Lock(archive, "rebuild"):
        journal = Journal(archive.journal_path)
        lines = temporary(archive.root)
        try:
            _demand_whole(journal)
            with guard(lines, "writing out the quads"):
                count = _write_lines(journal, archive.base, lines, progress)
            revision = journal.last()
            _load(archive, make_store, lines, count)
        finally:
            journal.close()
            lines.unlink(missing_ok=True)
        _swap(archive)
        snapshots.prune(archive, keep=0)
    return Report(revision, count, time.perf_counter() - started)


def fold(journal: Journal, progress: Progress = lambda done, total: None) -> Iterator[bytes]:
    """Yield the quads that the journal comes to, as blocks of N-Quads lines; each quad once."""
    removed: set[bytes] = set()
    for block in journal.removals():
        removed.update(block.splitlines())
    contested: dict[bytes, None] = {}
    total = journal.last()
    for entry in journal.entries():
        for line in (entry.removed or b"").splitlines():
            contested.pop(line, None)
        added = entry.added or b""
        if not removed:
            yield added
        else:
            settled = []
            for line in added.splitlines():
                if line in removed:
                    contested[line] = None
                else:
                    settled.append(line)
            yield _block(settled)
        progress(entry.revision, total)
    yield _block(list(contested))


def _block(lines: list[bytes]) -> bytes:
    return b"\n".join([*lines, b""]) if lines else b""


def compare(journal: Journal, store: TripleStore, base: Base) -> list[Fault]:
    """Return how the store differs from what the journal comes to; empty when they agree."""
    faults: list[Fault] = []
    hint = "Make the store again with `rdfkms rebuild`."
    revision, last = revision_of(store, base), journal.last()
    if revision != last:
        reason = f"it shows revision {revision}, the journal ends at {last}."
        faults.append(Fault("store", "revision", reason, hint))
    count = lacking = 0
    for block in fold(journal):
        for quad in from_lines(block):
            count += 1
            lacking += not store.contains(quad)
    extra = store.size() - (1 if revision else 0) - (count - lacking)
    if lacking:
        faults.append(Fault("store", "quads", f"it lacks {lacking} of the journal.", hint))
    if extra:
        faults.append(Fault("store", "quads", f"it has {extra} that the journal lacks.", hint))
    return faults


def _demand_whole(journal: Journal) -> None:
    faults = journal.verify()
    if faults:
        first = faults[0]
        raise Broken(
            f"The journal is damaged at {first.place}: {first.reason} "
            f"({len(faults)} faults in all.)",
            hint="Restore a backup (rdfkms restore); `rdfkms audit verify` lists the faults.",
        )


def _write_lines(journal: Journal, base: Base, target: Path, progress: Progress) -> int:
    count = 0
    with target.open("wb") as out:
        for block in fold(journal, progress):
            count += block.count(b"\n")
            out.write(block)
        if journal.last():
            out.write(to_lines([revision_quad(base, journal.last())]))
            count += 1
    return count


def _load(
    archive: Archive, make_store: Callable[[Path], TripleStore], lines: Path, count: int
) -> None:
    store = make_store(archive.root / "store.new")
    try:
        store.bulk([lines])
        size = store.size()
    finally:
        store.close()
    if size != count:
        raise Broken(
            f"The new store has {size} quads, the journal comes to {count}.",
            hint="The old store is kept. Try again, and report this if it stays.",
        )


def _swap(archive: Archive) -> None:
    """Put ``store.new`` in place; `Archive.tidy` finishes it after a crash in between."""
    with guard(archive.store_path, "putting the new store in place"):
        if archive.store_path.exists():
            archive.store_path.rename(archive.root / "store.old")
        (archive.root / "store.new").rename(archive.store_path)
        sync_folder(archive.root)
        archive.tidy()
