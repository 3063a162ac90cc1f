"""The one way to write (law 2): journal first, then the store (DESIGN 5)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.access import demand
from rdfkms.errors import BadInput, Broken, Conflict, Unavailable
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.changes import Activity, Change, Patch, from_lines, net, to_lines
from rdfkms.ledger.journal import Entry, Journal
from rdfkms.model import Principal, Role
from rdfkms.ports import TripleStore
from rdfkms.vocab import KMS, XSD, Base

__all__ = ["Activity", "Change", "Ledger", "revision_of", "revision_quad"]

_REVISION = KMS("revision")


class Ledger:
    """Writes to one archive. One thread commits at a time; reading needs no lock.

    Opening applies what the journal has and the store lacks (after a crash or a power cut).
    After a failure of the disk it refuses to write until it is opened again.
    """

    def __init__(self, archive: Archive, store: TripleStore, *, read_only: bool = False) -> None:
        self.archive = archive
        self.store = store
        self.base: Base = archive.base
        self.journal = Journal(archive.journal_path)
        self._lock = threading.RLock()
        self._failure = ""
        self._read_only = read_only
        try:
            # A snapshot stays as it is: its reader says its revision and never writes.
            self._revision = revision_of(store, archive.base) if read_only else self._catch_up()
        except BaseException:
            self.journal.close()
            raise

    @property
    def revision(self) -> int:
        """The revision that the store shows."""
        return self._revision

    def commit(self, change: Change, principal: Principal, *, expect: int | None = None) -> int:
        """Write a change; returns the revision at which it is visible.

        The net patch goes to the journal (durable) and then to the store (atomic). A change that
        comes to nothing writes no row and returns the present revision. Raises `Conflict` when
        the revision is not `expect`, `Denied` by role, `BadInput` for quads that may not be kept,
        `Broken` when the disk fails.
        """
        self._demand(change, principal)
        with self._lock:
            self._demand_whole()
            if expect is not None and expect != self._revision:
                raise Conflict(
                    f"The archive is at revision {self._revision}, not at {expect}: someone else "
                    "wrote meanwhile.",
                    hint="Read it again and repeat what you wanted to change.",
                )
            patch = net(self.store, self.base, change)
            if not patch:
                return self._revision
            entry = Entry(
                time=datetime.now(UTC).isoformat(timespec="milliseconds"),
                principal=principal,
                activity=change.activity,
                removed=to_lines(patch.remove),
                added=to_lines(patch.add),
                removed_count=len(patch.remove),
                added_count=len(patch.add),
            )
            return self._write(entry, patch)

    def _write(self, entry: Entry, patch: Patch) -> int:
        try:
            revision = self.journal.append(entry)
            self._apply(patch, revision)
        except BaseException as err:
            # Also an interrupt: whether the row or the patch arrived is only known by reading.
            self._failure = str(err) or type(err).__name__
            raise
        return revision

    def _apply(self, patch: Patch, revision: int) -> None:
        before = revision_quad(self.base, self._revision)
        after = revision_quad(self.base, revision)
        gone = patch.remove if self._revision == 0 else (*patch.remove, before)
        self.store.patch(gone, (*patch.add, after))
        self._revision = revision

    def append_entry(self, entry: Entry, patch: Patch) -> int:
        """Write a row as it stands. For `erasure`, whose row repeats what it saves."""
        with self._lock:
            self._demand_whole()
            return self._write(entry, patch)

    @contextmanager
    def frozen(self, patience: float = -1.0) -> Iterator[int]:
        """Hold the commit lock; gives the revision. Raises `Broken` as `commit` does.

        Raises `Unavailable` where others hold it for more than `patience` seconds (-1: any time).
        """
        if not self._lock.acquire(timeout=patience):
            raise Unavailable("The archive is being written to.", hint="Ask again in a moment.")
        try:
            self._demand_whole()
            yield self._revision
        finally:
            self._lock.release()

    def close(self) -> None:
        """Close journal and store; a second call does nothing."""
        with self._lock:
            self._failure = self._failure or "The ledger is closed."
            self.journal.close()
            self.store.close()

    def _demand(self, change: Change, principal: Principal) -> None:
        own = f"{self.base.base}/graph/conversation/"
        graphs = {quad.graph_name for quad in (*change.add, *change.remove)}
        if any(not str(getattr(graph, "value", "")).startswith(own) for graph in graphs):
            demand(principal, Role.CONTRIBUTOR, "write to the archive")
        if self.base.system in graphs and any(
            quad.predicate == _REVISION for quad in (*change.add, *change.remove)
        ):
            raise BadInput("The revision in the system graph is written by the ledger alone.")

    def _demand_whole(self) -> None:
        if self._read_only:
            raise Conflict(
                "The archive was opened for reading, as it is in use.",
                hint="Wait until the process that holds it ends, or ask the running service.",
            )
        if self._failure:
            raise Broken(
                f"The ledger refuses to write since a failure: {self._failure}",
                hint="Open the archive again: it heals itself from the journal.",
            )

    def _catch_up(self) -> int:
        """Apply the revisions that the store lacks; returns the store's revision."""
        self._revision = revision_of(self.store, self.base)
        last = self.journal.last()
        if self._revision > last:
            raise Broken(
                f"The store is at revision {self._revision}, the journal ends at {last}.",
                hint="Rows of the journal are lost: restore a backup, "
                "or take the journal as it is with `rdfkms rebuild`.",
            )
        for entry in self.journal.entries(after=self._revision):
            if entry.erased:
                raise Broken(
                    f"The store lacks revision {entry.revision}, whose patch was erased.",
                    hint="Make the store again with `rdfkms rebuild`.",
                )
            patch = Patch(from_lines(entry.removed or b""), from_lines(entry.added or b""))
            self._apply(patch, entry.revision)
        self.journal.finish_erasures()
        return self._revision


def revision_quad(base: Base, revision: int) -> Quad:
    """Return the quad in the graph `system` that says which revision a store shows."""
    number = Literal(str(revision), datatype=XSD("integer"))
    return Quad(NamedNode(base.base), _REVISION, number, base.system)


def revision_of(store: TripleStore, base: Base) -> int:
    """Return the revision that a store shows, 0 for an empty one."""
    quads = store.match(NamedNode(base.base), _REVISION, None, base.system)
    numbers = [int(quad.object.value) for quad in quads if isinstance(quad.object, Literal)]
    return max(numbers, default=0)
