"""What became of manifests, oldest first, read from the journal (IIIF Change Discovery API 1.0).

A record's manifest is there while the public graph has the record and a picture of one of its
pages. Whatever changes record, files, pages or transcriptions is an update; claims are none.
"""

from __future__ import annotations

import re
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from rdfkms.errors import NotFound, Unavailable
from rdfkms.ledger.journal import Entry
from rdfkms.ledger.ledger import Ledger
from rdfkms.publish.iiif.terms import Addresses, Json
from rdfkms.vocab import KMS, RICO, TYPE, Base

CONTEXT = "http://iiif.io/api/discovery/1/context.json"
PAGE = 100  # activities of one page: it never changes once it is full
_PATIENCE = 10.0  # seconds that one request reads, or waits for another that does
_INCLUDES = RICO("hasOrHadDigitalInstantiation").value.encode()
_COMPONENT = RICO("hasDirectComponent").value.encode()
_PICTURE, _OF_PAGE = KMS("picture").value.encode(), KMS("ofPage").value.encode()
_PART_OF = RICO("isDirectConstituentOf").value.encode()
_TYPE = TYPE.value.encode()
_RECORD, _TOMBSTONE = RICO("Record").value.encode(), KMS("Tombstone").value.encode()


@dataclass(frozen=True, slots=True)
class Activity:
    """One thing that happened to a manifest: Create, Update or Delete, of which record, when."""

    kind: str
    record: str
    time: str
    revision: int


class Activities:
    """The activities of one archive, in step with its journal. Safe for threads."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._state = _State(ledger.base)
        self._found: list[Activity] = []
        self._revision = 0
        self._lock = threading.Lock()

    def all(self) -> list[Activity]:
        """Return all activities, oldest first; raises `Unavailable` while a long journal is read.

        What was read stays read: asked again, it goes on from there.
        """
        if not self._lock.acquire(timeout=_PATIENCE):
            raise _being_read()
        try:
            until = time.monotonic() + _PATIENCE
            for entry in self._ledger.journal.entries(self._revision):
                self._found.extend(self._state.take(entry))
                self._revision = entry.revision
                if time.monotonic() > until:
                    raise _being_read()
            return list(self._found)
        finally:
            self._lock.release()


def _being_read() -> Unavailable:
    return Unavailable(
        "The history of the manifests is being read from the journal.", hint="Ask again soon."
    )


class _State:
    """What the public graph holds of records, files, pages and pictures, patch by patch."""

    def __init__(self, base: Base) -> None:
        start, public = re.escape(f"<{base.base}/id/"), re.escape(str(base.public))
        self._line = re.compile(
            rf"^{start}(record|inst|evidence)/([^>#]+)> <([^>]+)> (.*) {public} \.$".encode(), re.M
        )
        self._thing = re.compile(rf"{start}(?:record|inst)/([^>#]+)>".encode())
        self._records: set[bytes] = set()
        self._files: dict[bytes, set[bytes]] = defaultdict(set)  # of a record
        self._records_of: dict[bytes, set[bytes]] = defaultdict(set)  # of a file
        self._pages: dict[bytes, set[bytes]] = defaultdict(set)  # of a file
        self._file_of: dict[bytes, bytes] = {}  # of a page
        self._pictured: set[bytes] = set()
        self._erased = False

    def take(self, entry: Entry) -> Iterator[Activity]:
        """Yield what a row of the journal did to manifests."""
        self._erased = self._erased or entry.erased
        removed = self._line.findall(entry.removed or b"")
        added = self._line.findall(entry.added or b"")
        touched = self._touched(removed) | self._touched(added)
        before = {record for record in touched if self._has_manifest(record)}
        for line in removed:
            self._note(line, added=False)
        for line in added:
            self._note(line, added=True)
        late = self._touched(added) - touched
        touched |= late
        gone = {key for _, key, p, o in added if p == _TYPE and o == b"<%b>" % _TOMBSTONE}
        for record in sorted(touched):
            now = self._has_manifest(record)
            # Of what was erased the journal tells nothing but that it is gone.
            was = record in before or (self._erased and record in gone)
            if was or now:
                kind = "Update" if was and now else "Create" if now else "Delete"
                yield Activity(kind, record.decode(), entry.time, entry.revision)

    def _touched(self, lines: list[tuple[bytes, bytes, bytes, bytes]]) -> set[bytes]:
        """Return the records that lines are about, by what is known at this time."""
        found: set[bytes] = set()
        for kind, key, predicate, value in lines:
            if kind == b"record":
                found.add(key)
            elif kind == b"evidence":
                found.update(self._thing.findall(value) if predicate == _PART_OF else ())
            else:
                named = self._thing.findall(value) if predicate == _OF_PAGE else [key]
                for inst in named:
                    found |= self._records_of.get(self._file_of.get(inst, inst), set())
        return found

    def _note(self, line: tuple[bytes, bytes, bytes, bytes], *, added: bool) -> None:
        _, key, predicate, value = line
        if predicate == _TYPE and value == b"<%b>" % _RECORD:
            _set(self._records, key, added=added)
        elif predicate == _PICTURE:
            _set(self._pictured, key, added=added)
        elif predicate == _INCLUDES:
            for file in self._thing.findall(value):
                _set(self._files[key], file, added=added)
                _set(self._records_of[file], key, added=added)
        elif predicate == _COMPONENT:
            for page in self._thing.findall(value):
                _set(self._pages[key], page, added=added)
                if added:
                    self._file_of[page] = key

    def _has_manifest(self, record: bytes) -> bool:
        return record in self._records and any(
            page in self._pictured
            for file in self._files.get(record, ())
            for page in self._pages.get(file, ())
        )


def _set(items: set[bytes], item: bytes, *, added: bool) -> None:
    if added:
        items.add(item)
    else:
        items.discard(item)


def whole(found: list[Activity], at: Addresses) -> Json:
    """Return the ordered collection that leads to the pages (section 2.2.1)."""
    last = max(0, -(-len(found) // PAGE) - 1)
    return {
        "@context": CONTEXT,
        "id": _address(at),
        "type": "OrderedCollection",
        "totalItems": len(found),
        "first": {"id": _address(at, 0), "type": "OrderedCollectionPage"},
        "last": {"id": _address(at, last), "type": "OrderedCollectionPage"},
    }


def page(found: list[Activity], number: int, at: Addresses) -> Json:
    """Return a page of activities, oldest first (section 2.2.2); `NotFound` past the last."""
    items = found[number * PAGE : (number + 1) * PAGE]
    if number and not items:
        raise NotFound("There is no such page of activities.", hint=f"Begin at {_address(at)}.")
    made: Json = {
        "@context": CONTEXT,
        "id": _address(at, number),
        "type": "OrderedCollectionPage",
        "startIndex": number * PAGE,
        "partOf": {"id": _address(at), "type": "OrderedCollection"},
        "orderedItems": [_item(item, at) for item in items],
    }
    if number:
        made["prev"] = {"id": _address(at, number - 1), "type": "OrderedCollectionPage"}
    if (number + 1) * PAGE < len(found):
        made["next"] = {"id": _address(at, number + 1), "type": "OrderedCollectionPage"}
    return made


def _item(item: Activity, at: Addresses) -> Json:
    return {
        "id": f"{_address(at)}/revision/{item.revision}/{item.record}",
        "type": item.kind,
        "endTime": item.time.replace("+00:00", "Z"),  # section 2.1.2 wants it so
        "object": {"id": at.manifest(item.record), "type": "Manifest"},
    }


def one(found: list[Activity], revision: int, record: str, at: Addresses) -> Json:
    """Return a single activity; `NotFound`."""
    for item in found:
        if (item.revision, item.record) == (revision, record):
            return {"@context": CONTEXT, **_item(item, at)}
    raise NotFound("There is no such activity.", hint=f"Begin at {_address(at)}.")


def _address(at: Addresses, number: int | None = None) -> str:
    whole_address = f"{at.base}/iiif/activity"
    return whole_address if number is None else f"{whole_address}/page/{number}"
