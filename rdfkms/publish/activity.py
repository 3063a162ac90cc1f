"""What changed, as ActivityStreams: creations, updates and deletions of public things.

Source: ActivityStreams 2.0 (W3C, 2017) in the shape of IIIF Change Discovery 1.0, section 2.2 level
2: ordered pages, the oldest first, a time for each activity. A page is a range of revisions, so
that what stands on it never moves to another. Only things that the public knows today are named:
those that it can read, that were merged, and that have a tombstone; never by more than their IRI.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rdfkms.errors import Unavailable
from rdfkms.knowledge.mapping import Mapping
from rdfkms.ledger.journal import Entry
from rdfkms.ledger.ledger import Ledger
from rdfkms.model import Ref
from rdfkms.vocab import KMS, TYPE

CONTEXT = "https://www.w3.org/ns/activitystreams"
PAGE = 100  # revisions on a page
CREATE, UPDATE, DELETE = "Create", "Update", "Delete"
_TYPES = {
    "person": "Person", "place": "Place", "organization": "Organization", "event": "Event",
    "record": "Document", "recordset": "Collection",
}  # fmt: skip
# Beside entities. Parts, claims and runs change with the things that they are about.
_NAMED = frozenset({"event", "record", "recordset"})
_DATE = "date"  # nodes of this kind are minted beside statements, too
_TOMBSTONE = str(KMS("Tombstone")).encode()
_TYPE = str(TYPE).encode()
Document = dict[str, Any]


PATIENCE = 10.0  # seconds of reading the journal for one request


@dataclass(frozen=True, slots=True)
class Changed:
    """One change of one thing at a revision."""

    revision: int
    time: str
    kind: str
    ref: Ref


class History:
    """The changes that the journal tells, read once and then as it grows."""

    def __init__(self, ledger: Ledger, mapping: Mapping) -> None:
        self._ledger = ledger
        self._kinds = (_NAMED | {rule.kind for rule in mapping.entities.values()}) - {_DATE}
        self._lock = threading.Lock()
        self._head = f"<{ledger.base.base}/id/".encode()
        self._tail = f" {ledger.base.public} .".encode()
        self._read = 0
        self._alive: Counter[Ref] = Counter()
        self._changes: list[Changed] = []

    def changes(self) -> list[Changed]:
        """Return all changes in order of revision and then of their IRIs, named or not."""
        until = time.monotonic() + PATIENCE
        if not self._lock.acquire(timeout=PATIENCE):
            raise _being_read()
        try:
            for entry in self._ledger.journal.entries(after=self._read):
                self._changes += self._of(entry)
                self._read = entry.revision  # what was read stays read
                if time.monotonic() > until:
                    raise _being_read()
            return list(self._changes)
        finally:
            self._lock.release()

    def _of(self, entry: Entry) -> Iterator[Changed]:
        touched: dict[Ref, None] = {}
        before: dict[Ref, bool] = {}
        for payload, step in ((entry.removed, -1), (entry.added, 1)):
            for ref, is_type in self._lines(payload or b""):
                touched[ref] = None
                before.setdefault(ref, self._alive[ref] > 0)
                self._alive[ref] += step * is_type
        for ref in sorted(touched, key=lambda ref: ref.path):
            is_alive = self._alive[ref] > 0
            if before[ref] or is_alive:
                kind = UPDATE if before[ref] and is_alive else CREATE if is_alive else DELETE
                yield Changed(entry.revision, entry.time, kind, ref)

    def _lines(self, payload: bytes) -> Iterator[tuple[Ref, bool]]:
        """Yield the thing of each public line, and whether the line gives it a type."""
        for line in payload.splitlines():
            if line.startswith(self._head) and line.endswith(self._tail):
                subject, predicate, rest = line.split(b" ", 2)
                path = subject[len(self._head) : -1].partition(b"#")[0].decode()
                kind, _, key = path.partition("/")
                if kind in self._kinds and key:
                    is_type = predicate == _TYPE and not rest.startswith(_TOMBSTONE)
                    yield Ref(kind, key), is_type


def _being_read() -> Unavailable:
    return Unavailable("The journal is being read.", hint="Ask again in a moment.")


@dataclass(frozen=True)
class Feed:
    """The changes of things that the public knows at a revision."""

    revision: int
    named: tuple[Changed, ...]

    @property
    def last(self) -> int:
        """The number of the last page; pages begin at 0."""
        return max(0, self.revision - 1) // PAGE


def feed(ledger: Ledger, history: History, revision: int) -> Feed:
    """Return what may be told now."""
    base, known = ledger.base, set()
    for predicate in (TYPE, KMS("mergedInto")):
        for quad in ledger.store.match(None, predicate, None, base.public):
            parts = base.split(getattr(quad.subject, "value", ""))
            if parts is not None:
                known.add(Ref(*parts))
    told = tuple(one for one in history.changes() if one.ref in known)
    return Feed(max(revision, told[-1].revision if told else 0), told)


def collection(found: Feed, root: str) -> Document:
    """Return the collection: how many activities there are, and the first and last page."""
    return {
        "@context": CONTEXT,
        "id": f"{root}/activity",
        "type": "OrderedCollection",
        "totalItems": len(found.named),
        "first": _page(root, 0),
        "last": _page(root, found.last),
    }


def page(found: Feed, number: int, root: str, base: str) -> Document:
    """Return one page, the oldest activity first."""
    low, high = number * PAGE, (number + 1) * PAGE
    told: Document = {
        "@context": CONTEXT,
        "id": f"{root}/activity/page/{number}",
        "type": "OrderedCollectionPage",
        "partOf": {"id": f"{root}/activity", "type": "OrderedCollection"},
        "orderedItems": [_item(one, base) for one in found.named if low < one.revision <= high],
    }
    if number > 0:
        told["prev"] = _page(root, number - 1)
    if number < found.last:
        told["next"] = _page(root, number + 1)
    return told


def _page(root: str, number: int) -> Document:
    return {"id": f"{root}/activity/page/{number}", "type": "OrderedCollectionPage"}


def _item(one: Changed, base: str) -> Document:
    told: Document = {
        "id": f"{base}/activity#r{one.revision}-{one.ref.kind}-{one.ref.key}",
        "type": one.kind,
        "endTime": one.time,
        "object": {
            "id": f"{base}/id/{one.ref.path}",
            "type": _TYPES.get(one.ref.kind, "Object"),
        },
    }
    if one.kind != DELETE:
        seen = {"id": f"{base}/data/{one.ref.path}.jsonld", "type": "Document"}
        told["object"]["seeAlso"] = seen | {"mediaType": "application/ld+json"}
    return told
