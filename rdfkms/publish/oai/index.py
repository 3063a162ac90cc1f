"""What can be harvested, in an SQLite file beside the search indexes: datestamps from the journal.

A datestamp is the time of the newest row of the journal that touched the public description of a
record (OAI-PMH 2.0, section 2.7.1); it never runs backwards. The file can be made anew at any
time. It is brought to the present under the commit lock: what has a time before that of an answer
is in the answer, so that a harvester who comes back with it loses nothing.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path

import zstandard

from rdfkms.errors import Broken, Conflict, Unavailable
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.journal import Entry
from rdfkms.ledger.ledger import Ledger
from rdfkms.publish.oai.rendering import Renderer
from rdfkms.publish.oai.touching import Reader, Touched
from rdfkms.publish.oai.view import INSIDE, View

NAME = "harvest.sqlite"
_FORMAT = 1
_SCHEMA = """
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE item(
  key TEXT PRIMARY KEY, stamp INTEGER NOT NULL, deleted INTEGER NOT NULL,
  edm INTEGER NOT NULL DEFAULT 0, stale INTEGER NOT NULL DEFAULT 1,
  edm_xml BLOB, dc_xml BLOB) WITHOUT ROWID;
CREATE INDEX item_order ON item(stamp, key, deleted, edm);
CREATE INDEX item_stale ON item(stale) WHERE stale > 0;
CREATE TABLE edge(
  parent TEXT NOT NULL, child TEXT NOT NULL, PRIMARY KEY(parent, child)) WITHOUT ROWID;
CREATE INDEX edge_child ON edge(child);
"""
_TOUCHED, _REVISED = 1, 2  # why an item is stale: by the journal, by settings or a new version
_AT_ONCE = 100
_SECONDS = 8.0  # of making the index that one request does before it says "later"
_PATIENCE = 5.0
_HELD = 1.0  # of the commit lock: writers wait meanwhile


def discard(archive: Archive) -> None:
    """Remove the file; it is made anew when a harvester comes."""
    for name in (NAME, f"{NAME}-wal", f"{NAME}-shm"):
        (archive.indexes / name).unlink(missing_ok=True)


class HarvestIndex:
    """The index of one archive. Threads may share it; one at a time brings it to the present."""

    def __init__(self, ledger: Ledger, renderer: Renderer) -> None:
        self._ledger = ledger
        self._renderer = renderer
        self._reader = Reader(ledger.store, ledger.base)
        self._path: Path = ledger.archive.indexes / NAME
        self._lock = threading.RLock()
        self._to_forget = False
        self._checked = False

    @contextmanager
    def present(self) -> Iterator[View]:
        """Give a view of what is public now, with the time of the answer.

        Raises `Unavailable` while the index is being made, or others write for too long.
        """
        with ExitStack() as stack:
            with self._one_at_a_time():
                try:
                    db, now = self._opened()
                except sqlite3.OperationalError as err:  # a full disk, a folder of somebody else
                    raise Unavailable(
                        f"The index of harvesters cannot be written: {err}.",
                        hint="See the disk and the rights of the archive's folder.",
                    ) from err
                except sqlite3.DatabaseError:  # damaged: it is only an index
                    discard(self._ledger.archive)
                    self._checked = False
                    db, now = self._opened()
                stack.callback(db.close)
                db.execute("BEGIN")  # readers go on with this state while others bring it forward
                earliest = _meta(db, "earliest")
            yield View(db, now, int(earliest) if earliest else now)

    @contextmanager
    def _one_at_a_time(self) -> Iterator[None]:
        if not self._lock.acquire(timeout=_PATIENCE):
            raise Unavailable("Other harvesters are being served.", hint="Ask again in a moment.")
        try:
            yield
        finally:
            self._lock.release()

    def _catch_up(self, db: sqlite3.Connection) -> int:
        """Bring the file to the present; return the time from which on anything may follow."""
        until = time.monotonic() + _SECONDS
        self._follow(db, until)  # the long way, while others may write
        with ExitStack() as held:
            with suppress(Broken, Conflict):  # the archive is read only: nobody writes
                held.enter_context(self._ledger.frozen(_PATIENCE))
            now = int(time.time())
            self._follow(db, time.monotonic() + _HELD)
        self._forget(db)
        return now

    # ---- the file -----------------------------------------------------------------------------

    def _opened(self) -> tuple[sqlite3.Connection, int]:
        """Return the file brought to the present, and the time of that."""
        db = self._connect()
        try:
            return db, self._catch_up(db)
        except BaseException:
            db.close()
            raise

    def _connect(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=30)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("PRAGMA secure_delete = ON")
            if not self._fits(db):
                _clear(db)
            return db
        except BaseException:
            db.close()
            raise

    def _fits(self, db: sqlite3.Connection) -> bool:
        """Return whether the file is of this format, and of a state that the journal knows."""
        if db.execute("PRAGMA user_version").fetchone()[0] != _FORMAT:
            return False
        if self._checked:
            return True
        revision = int(_meta(db, "revision") or 0)
        known = self._ledger.journal.entries(after=revision - 1, payload=False)
        entry = next(known, None) if revision else None
        self._checked = not revision or (entry is not None and entry.hash == _meta(db, "hash"))
        return self._checked

    # ---- in step with the journal ---------------------------------------------------------------

    def _follow(self, db: sqlite3.Connection, until: float) -> None:
        target = self._ledger.revision
        revision = int(_meta(db, "revision") or 0)
        while revision < target:
            _demand_time(until)
            revision = self._absorb(db, revision, target)
        self._revise(db)
        while self._render(db):
            if db.execute("SELECT 1 FROM item WHERE stale > 0 LIMIT 1").fetchone():
                _demand_time(until)

    def _absorb(self, db: sqlite3.Connection, revision: int, target: int) -> int:
        """Take in some rows of the journal in one transaction; return the revision reached."""
        stamp, hashed, hidden = int(_meta(db, "stamp") or 0), "", False
        with _transaction(db):
            for entry in self._ledger.journal.entries(after=revision):
                if entry.revision > target or entry.revision > revision + _AT_ONCE:
                    break
                stamp = max(stamp, seconds_of(entry.time))
                if not _meta(db, "earliest"):
                    _set_meta(db, "earliest", str(stamp))
                hidden = self._take(db, entry, stamp) or hidden
                reached, hashed = entry.revision, entry.hash
            if not hashed:  # never while the store is in step with its journal
                raise Broken(f"The journal lacks revision {revision + 1}.")
            for name, value in (
                ("revision", str(reached)),
                ("hash", hashed),
                ("stamp", str(stamp)),
            ):
                _set_meta(db, name, value)
        self._to_forget = self._to_forget or hidden
        return reached

    def _forget(self, db: sqlite3.Connection) -> None:
        """Let no older state of the file keep what is not public any more.

        It waits for nobody: what a reader holds up is done with the next request.
        """
        if not self._to_forget:
            return
        db.execute("PRAGMA busy_timeout = 0")
        try:
            busy = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            self._to_forget = bool(busy)
        except sqlite3.OperationalError:
            pass  # a reader holds it: the next request does it
        finally:
            db.execute("PRAGMA busy_timeout = 30000")

    def _take(self, db: sqlite3.Connection, entry: Entry, stamp: int) -> bool:
        """Take in one row; returns whether it hid a record."""
        if entry.erased:
            return False
        touched = self._reader.read(entry)
        gone = (touched.vanished | touched.stones) - touched.appeared
        _hide(db, gone, stamp)
        _show(db, touched.appeared, stamp)
        _link(db, touched)
        records = set(touched.records)
        for name in touched.renamed_sets:
            records.update(_inside(db, name))
        db.executemany(
            "UPDATE item SET stamp = ?, stale = ? WHERE key = ? AND deleted = 0",
            [(stamp, _TOUCHED, key) for key in sorted(records)],
        )
        return bool(gone)

    def _revise(self, db: sqlite3.Connection) -> None:
        """Mark every item where settings, crosswalks or the version of the program changed."""
        made_by = self._renderer.version
        if _meta(db, "made_by") == made_by:
            return
        with _transaction(db):
            db.execute("UPDATE item SET stale = ? WHERE deleted = 0 AND stale = 0", (_REVISED,))
            _set_meta(db, "made_by", made_by)

    def _render(self, db: sqlite3.Connection) -> bool:
        """Write the forms of some stale items; returns whether there were any."""
        rows = db.execute(
            "SELECT key, stale, edm, edm_xml, dc_xml, stamp FROM item WHERE stale > 0 LIMIT ?",
            (_AT_ONCE,),
        ).fetchall()
        if not rows:
            return False
        made = self._renderer.render([row[0] for row in rows])
        now = max(int(time.time()), int(_meta(db, "stamp") or 0))
        changed = []
        for key, why, had, old_edm, old_dc, stamp in rows:
            forms = made.get(key)
            edm = _pack(forms.edm) if forms is not None and forms.edm else None
            dc = _pack(forms.dc) if forms is not None else None
            state = 1 if edm is not None else -1 if had else 0
            is_other = why == _REVISED and (edm, dc) != (old_edm, old_dc)
            changed.append((now if is_other else stamp, state, edm, dc, key))
        with _transaction(db):
            db.executemany(
                "UPDATE item SET stamp = ?, edm = ?, edm_xml = ?, dc_xml = ?, stale = 0 "
                "WHERE key = ?",
                changed,
            )
            if any(row[1] == _REVISED for row in rows):
                _set_meta(db, "stamp", str(max(int(_meta(db, "stamp") or 0), now)))
        return True


def seconds_of(text: str) -> int:
    """Return a time of the journal as whole seconds since 1970."""
    return int(datetime.fromisoformat(text).replace(microsecond=0).timestamp())


def _inside(db: sqlite3.Connection, name: str) -> list[str]:
    return [row[0] for row in db.execute(INSIDE, (name,))]


def _hide(db: sqlite3.Connection, keys: Iterable[str], stamp: int) -> None:
    """Make headers of deleted records; what they held goes."""
    db.executemany(
        "INSERT INTO item(key, stamp, deleted, stale) VALUES (?, ?, 1, 0) ON CONFLICT(key) DO "
        "UPDATE SET stamp = excluded.stamp, deleted = 1, stale = 0, edm_xml = NULL, dc_xml = NULL",
        [(key, stamp) for key in sorted(keys)],
    )


def _show(db: sqlite3.Connection, keys: Iterable[str], stamp: int) -> None:
    for key in sorted(keys):
        db.execute("DELETE FROM edge WHERE child = ?", (key,))  # those of before it was deleted
        db.execute(
            "INSERT INTO item(key, stamp, deleted) VALUES (?, ?, 0) ON CONFLICT(key) DO "
            "UPDATE SET stamp = excluded.stamp, deleted = 0, stale = 1",
            (key, stamp),
        )


def _link(db: sqlite3.Connection, touched: Touched) -> None:
    """Keep who is in which set; a record that goes stays in its sets as a deleted one."""
    gone = touched.vanished | touched.stones
    db.executemany(
        "DELETE FROM edge WHERE parent = ? AND child = ?",
        sorted(edge for edge in touched.left if edge[1] not in gone),
    )
    db.executemany("INSERT OR IGNORE INTO edge VALUES (?, ?)", sorted(touched.joined))


def _clear(db: sqlite3.Connection) -> None:
    with _transaction(db):
        for name in ("meta", "item", "edge"):
            db.execute(f"DROP TABLE IF EXISTS {name}")
        for statement in _SCHEMA.split(";"):
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {_FORMAT}")


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def _meta(db: sqlite3.Connection, name: str) -> str:
    row = db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""


def _set_meta(db: sqlite3.Connection, name: str, value: str) -> None:
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))


def _pack(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=3).compress(data)


def _demand_time(until: float) -> None:
    if time.monotonic() > until:
        raise Unavailable(
            "What can be harvested is still being listed.", hint="Ask again in a few seconds."
        )
