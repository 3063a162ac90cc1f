"""The journal: an append-only chain of net patches in SQLite, the truth about every change.

Each row's hash covers the previous hash, the row's metadata and the hash of its payload, so that
`erase` can drop a payload by law and the chain still proves itself (DESIGN 5).
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import zstandard

from rdfkms.errors import Broken, NotFound
from rdfkms.ledger.changes import Activity
from rdfkms.ledger.disk import guard
from rdfkms.model import Fault, Principal, Role

ERASE = "erase"
_GENESIS = "0" * 64
_FORMAT = 2  # 2: an index of the kinds of rows
_LEVEL = 3
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entry(
  revision INTEGER PRIMARY KEY, time TEXT NOT NULL, principal TEXT NOT NULL, role TEXT NOT NULL,
  kind TEXT NOT NULL, subject TEXT NOT NULL, run TEXT NOT NULL, batch TEXT NOT NULL,
  note TEXT NOT NULL, removed_count INTEGER NOT NULL, added_count INTEGER NOT NULL,
  removed BLOB, added BLOB,
  payload_hash TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS entry_batch ON entry(batch) WHERE batch <> '';
CREATE INDEX IF NOT EXISTS entry_run ON entry(run) WHERE run <> '';
DROP INDEX IF EXISTS entry_erase;
CREATE INDEX IF NOT EXISTS entry_kind ON entry(kind, revision);
"""
_COLUMNS = (
    "revision, time, principal, role, kind, subject, run, batch, note, removed_count, "
    "added_count, payload_hash, previous, hash, removed IS NULL"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One row. `removed` and `added` are N-Quads; None where not asked for or erased."""

    time: str
    principal: Principal
    activity: Activity
    removed: bytes | None = None
    added: bytes | None = None
    removed_count: int = 0
    added_count: int = 0
    revision: int = 0
    payload_hash: str = ""
    previous: str = ""
    hash: str = ""
    erased: bool = False


class Journal:
    """The chain of one archive. Safe to share by threads; one process writes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        with guard(path, "opening the journal"):
            self._db = sqlite3.connect(
                path, isolation_level=None, check_same_thread=False, timeout=30
            )
            try:
                self._prepare()
            except BaseException:
                self._db.close()
                raise

    def _prepare(self) -> None:
        version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        if version > _FORMAT:
            raise Broken(
                f"{self.path} was written by a newer rdfkms (format {version}).",
                hint="Install that version or a later one.",
            )
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA secure_delete = ON")
        if version < _FORMAT:
            self._db.executescript(_SCHEMA)
            self._db.execute(f"PRAGMA user_version = {_FORMAT}")

    def append(self, entry: Entry) -> int:
        """Add a row, durable when this returns; returns its revision. Raises `Broken`."""
        with self._lock, guard(self.path, "writing the journal"):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                sealed = self._seal(entry)
                self._insert(sealed)
                self._db.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise
        return sealed.revision

    def _roll_back(self) -> None:
        try:
            self._db.execute("ROLLBACK")
        except sqlite3.Error:  # SQLite has done so itself (a full disk ends the transaction)
            return

    def _seal(self, entry: Entry) -> Entry:
        row = self._db.execute(
            "SELECT revision, hash FROM entry ORDER BY revision DESC LIMIT 1"
        ).fetchone()
        revision, previous = row or (0, _GENESIS)
        payload_hash = _payload_hash(entry.removed or b"", entry.added or b"")
        sealed = replace(entry, revision=revision + 1, previous=previous, payload_hash=payload_hash)
        return replace(sealed, hash=_entry_hash(sealed))

    def _insert(self, entry: Entry) -> None:
        told = entry.activity
        pack = zstandard.ZstdCompressor(level=_LEVEL).compress
        self._db.execute(
            f"INSERT INTO entry VALUES ({', '.join('?' * 16)})",
            (
                entry.revision, entry.time, entry.principal.id, str(entry.principal.role),
                told.kind, told.subject, told.run, told.batch, told.note,
                entry.removed_count, entry.added_count,
                pack(entry.removed or b""), pack(entry.added or b""),
                entry.payload_hash, entry.previous, entry.hash,
            ),
        )  # fmt: skip

    def entries(
        self,
        after: int = 0,
        *,
        payload: bool = True,
        run: str = "",
        kind: str = "",
        descending: bool = False,
    ) -> Iterator[Entry]:
        """Yield the rows after a revision in order (or newest first).

        With `run` or `kind` only those of that run or kind of activity.
        """
        step = -1 if descending else 1
        edge = self.last() + 1 if descending else after
        while True:
            entry = self._next(edge, step, payload, run, kind)
            if entry is None or entry.revision <= after:
                return
            yield entry
            edge = entry.revision

    def _next(
        self, edge: int, step: int, payload: bool, run: str = "", kind: str = ""
    ) -> Entry | None:
        beyond, order = ("revision > ?", "ASC") if step > 0 else ("revision < ?", "DESC")
        blobs = "removed, added" if payload else "NULL, NULL"
        wanted = {name: value for name, value in (("run", run), ("kind", kind)) if value}
        tests = " AND ".join([beyond, *(f"{name} = ?" for name in wanted)])
        with self._lock, guard(self.path, "reading the journal"):
            row = self._db.execute(
                f"SELECT {_COLUMNS}, {blobs} FROM entry WHERE {tests} "
                f"ORDER BY revision {order} LIMIT 1",
                (edge, *wanted.values()),
            ).fetchone()
        return _entry(row) if row else None

    def entry(self, revision: int) -> Entry:
        """Return one row with its payload; `NotFound`."""
        found = self._next(revision - 1, 1, True)
        if found is None or found.revision != revision:
            raise NotFound(f"The journal has no revision {revision}.")
        return found

    def last(self) -> int:
        """Return the newest revision, 0 when there is none."""
        with self._lock, guard(self.path, "reading the journal"):
            row = self._db.execute("SELECT max(revision) FROM entry").fetchone()
        return int(row[0] or 0)

    def has_batch(self, batch: str) -> bool:
        """Return whether a row belongs to the batch."""
        with self._lock, guard(self.path, "reading the journal"):
            row = self._db.execute("SELECT 1 FROM entry WHERE batch = ? LIMIT 1", (batch,))
            return row.fetchone() is not None

    def revision_of_batch(self, batch: str) -> int:
        """Return the newest revision that belongs to the batch, 0 when there is none."""
        with self._lock, guard(self.path, "reading the journal"):
            row = self._db.execute(
                "SELECT max(revision) FROM entry WHERE batch = ? AND batch <> ''", (batch,)
            ).fetchone()
        return int(row[0] or 0)

    def removals(self) -> Iterator[bytes]:
        """Yield the removed quads of every row that removed any, as N-Quads."""
        edge = 0
        while True:
            with self._lock, guard(self.path, "reading the journal"):
                row = self._db.execute(
                    "SELECT revision, removed FROM entry WHERE revision > ? "
                    "AND removed_count > 0 AND removed IS NOT NULL ORDER BY revision LIMIT 1",
                    (edge,),
                ).fetchone()
            if row is None:
                return
            edge = row[0]
            yield _unpack(row[1]) or b""

    def erase(self, revision: int) -> None:
        """Drop the payload of a row for good; its metadata and the chain stay.

        Use `erasure.erase`, which first writes the row that names what goes and saves the rest.
        """
        with self._lock, guard(self.path, "erasing from the journal"):
            self._db.execute(
                "UPDATE entry SET removed = NULL, added = NULL WHERE revision = ?", (revision,)
            )
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def finish_erasures(self) -> None:
        """Drop the payloads that rows of kind "erase" name (also those a crash left)."""
        with self._lock, guard(self.path, "erasing from the journal"):
            told = self._db.execute("SELECT subject FROM entry WHERE kind = 'erase'").fetchall()
            named = {int(part) for (subject,) in told for part in str(subject).split()}
            for revision in sorted(named):
                row = self._db.execute(
                    "SELECT removed IS NULL FROM entry WHERE revision = ?", (revision,)
                ).fetchone()
                if row and not row[0]:
                    self.erase(revision)

    def verify(self) -> list[Fault]:
        """Return what breaks the chain, row by row; empty when the journal is whole."""
        faults: list[Fault] = []
        previous, expected = _GENESIS, 1
        missing: set[int] = set()
        named: set[int] = set()
        for entry in self.entries():
            if entry.revision != expected:
                faults.append(_fault(expected, "the row is missing"))
            if entry.previous != previous:
                faults.append(_fault(entry.revision, "it does not follow from the row before"))
            if entry.hash != _entry_hash(entry):
                faults.append(_fault(entry.revision, "who, when or why was changed"))
            if entry.erased:
                missing.add(entry.revision)
            elif entry.payload_hash != _payload_hash(entry.removed or b"", entry.added or b""):
                faults.append(_fault(entry.revision, "the patch was changed"))
            if entry.activity.kind == ERASE:
                named.update(int(part) for part in entry.activity.subject.split())
            previous, expected = entry.hash, entry.revision + 1
        faults += [
            _fault(n, "the patch is gone without an erasure") for n in sorted(missing - named)
        ]
        return faults

    def copy_to(self, target: Path) -> None:
        """Write a consistent copy of the journal to a new file."""
        copy_database(self._db, self._lock, target)

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._db.close()


def copy_database(source: sqlite3.Connection, lock: threading.RLock, target: Path) -> None:
    """Write a consistent copy of an SQLite database to a new file."""
    with lock, guard(target, "copying a database"):
        copy = sqlite3.connect(target)
        try:
            source.backup(copy)
        finally:
            copy.close()


def _entry(row: tuple[object, ...]) -> Entry:
    (revision, time, who, role, kind, subject, run, batch, note, removed_count, added_count,
     payload_hash, previous, sealed, erased, removed, added) = row  # fmt: skip
    return Entry(
        time=str(time),
        principal=Principal(str(who), Role(str(role))),
        activity=Activity(str(kind), str(subject), str(run), str(batch), str(note)),
        removed=_unpack(removed),
        added=_unpack(added),
        removed_count=int(str(removed_count)),
        added_count=int(str(added_count)),
        revision=int(str(revision)),
        payload_hash=str(payload_hash),
        previous=str(previous),
        hash=str(sealed),
        erased=bool(erased),
    )


def _unpack(blob: object) -> bytes | None:
    if not isinstance(blob, bytes):
        return None
    try:
        return zstandard.ZstdDecompressor().decompress(blob)
    except zstandard.ZstdError:
        return b"\x00damaged"  # is no N-Quads and has another hash: verify names the row


def _payload_hash(removed: bytes, added: bytes) -> str:
    digest = hashlib.sha256(len(removed).to_bytes(8, "big"))
    digest.update(removed)
    digest.update(added)
    return digest.hexdigest()


def _entry_hash(entry: Entry) -> str:
    told = entry.activity
    metadata = json.dumps(
        [
            entry.revision, entry.time, entry.principal.id, str(entry.principal.role),
            told.kind, told.subject, told.run, told.batch, told.note,
            entry.removed_count, entry.added_count,
        ],
        ensure_ascii=True,
    )  # fmt: skip
    text = f"{entry.previous}\n{metadata}\n{entry.payload_hash}"
    return hashlib.sha256(text.encode()).hexdigest()


def _fault(revision: int, reason: str) -> Fault:
    return Fault(
        "journal.sqlite",
        f"revision {revision}",
        f"{reason}.",
        "Somebody changed the file, or the disk did: restore a backup (rdfkms restore).",
    )
