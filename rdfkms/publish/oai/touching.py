"""Which records a row of the journal touches, read from its N-Quads and the links in the store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pyoxigraph import NamedNode

from rdfkms.ledger.journal import Entry
from rdfkms.ports import QuadReader
from rdfkms.vocab import KMS, KV, RICO, TYPE, Base

Thing = tuple[str, str]  # kind and key

_UP = {  # predicate from the part to what holds it
    RICO("isDirectConstituentOf"), KMS("ofPage"), KMS("ofUnit"), KMS("unitText"),
}  # fmt: skip
_DOWN = {  # predicate from what holds it to the part
    RICO("hasOrHadDigitalInstantiation"), RICO("hasOrHadInstantiation"),
    RICO("hasDirectComponent"),
}  # fmt: skip
_INCLUDES, _MERGED, _SUBJECT = RICO("directlyIncludes"), KMS("mergedInto"), KMS("claimSubject")
_COPY, _USE = (str(RICO(n)).encode() for n in ("hasCopy", "conditionsOfUse"))
_RECORD, _STONE = str(RICO("Record")).encode(), str(KMS("Tombstone")).encode()
_EVERYWHERE = {  # what is said once and holds in every record that names the thing
    str(KMS("rank")).encode(): str(KMS("preferred")).encode(),
    str(KMS("statementType")).encode(): str(KV("sameAsAuthority")).encode(),
}
_NAMES = {str(p).encode(): p for p in (*_UP, *_DOWN, _INCLUDES, _MERGED, _SUBJECT, TYPE)}
_DEEPEST = 12  # from a claim's pointer to its record are five steps


@dataclass(slots=True)
class Touched:
    """What one row changes in public: records by key, and the sets that hold them."""

    records: set[str] = field(default_factory=set)
    appeared: set[str] = field(default_factory=set)
    vanished: set[str] = field(default_factory=set)
    stones: set[str] = field(default_factory=set)
    joined: set[tuple[str, str]] = field(default_factory=set)  # (set, what it includes)
    left: set[tuple[str, str]] = field(default_factory=set)
    renamed_sets: set[str] = field(default_factory=set)


class Reader:
    """Reads the rows of one archive's journal."""

    def __init__(self, store: QuadReader, base: Base) -> None:
        self._store = store
        self._base = base
        self._start = f"<{base.base}/id/".encode()
        self._end = f" {base.public} .".encode()

    def read(self, entry: Entry) -> Touched:
        """Return what the row touches; a row whose patch was erased touches nothing."""
        return _Row(self._store, self._base, self, entry).touched

    def lines(self, block: bytes | None) -> Iterator[tuple[Thing, bytes, bytes]]:
        """Yield subject, predicate and object of the public quads about things of the archive."""
        for line in (block or b"").splitlines():
            if line.startswith(self._start) and line.endswith(self._end):
                subject, predicate, rest = line.split(b" ", 2)
                thing = self.thing(subject)
                if thing is not None:
                    yield thing, predicate, rest[: -len(self._end)]

    def thing(self, term: bytes) -> Thing | None:
        """Return kind and key of a thing of the archive; a claim's pointer is the claim."""
        if not term.startswith(self._start) or not term.endswith(b">"):
            return None
        split = self._base.split(term[1:-1].decode("utf-8", "replace"))
        return split


class _Row:
    """One row: its links first, then those of the store."""

    def __init__(self, store: QuadReader, base: Base, reader: Reader, entry: Entry) -> None:
        self._store = store
        self._base = base
        self.touched = Touched()
        self._owners: dict[Thing, set[Thing]] = defaultdict(set)
        self._parts: dict[Thing, set[Thing]] = defaultdict(set)
        self._records: dict[Thing, frozenset[str]] = {}
        subjects: set[Thing] = set()
        named: set[Thing] = set()
        wide: set[Thing] = set()
        for block, came in ((entry.removed, False), (entry.added, True)):
            for thing, predicate, told in reader.lines(block):
                self._note(thing, predicate, told, reader.thing(told), came=came)
                self._note_scans(thing, predicate, reader.thing(told))
                if thing[0] != "recordset":
                    subjects.add(thing)
                if _EVERYWHERE.get(predicate, b"-") == told:
                    wide.add(thing)
                if _NAMES.get(predicate) == _MERGED:
                    named |= {thing, reader.thing(told) or thing}
        named |= {s for claim in wide for s in self._about(claim)}
        subjects |= {c for thing in self._merged_with(named) for c in self._claims(thing)}
        for thing in subjects:
            self.touched.records |= self._holders(thing)
        both = self.touched.appeared & self.touched.vanished
        self.touched.appeared -= both
        self.touched.vanished -= both
        stays = self.touched.joined & self.touched.left
        self.touched.joined -= stays
        self.touched.left -= stays

    def _note_scans(self, thing: Thing, predicate: bytes, other: Thing | None) -> None:
        """A scan has the conditions of what it is a scan of, and of what holds that."""
        if predicate == _COPY and other is not None and other[0] == "record":
            self.touched.records.add(other[1])
        elif predicate == _USE and thing[0] != "record":
            self.touched.records |= self._scans()

    def _scans(self) -> set[str]:
        """Return the records that are scans of something, which its conditions of use may bind."""
        found = self._store.match(None, RICO("hasCopy"), None, self._base.public)
        split = (self._base.split(q.object.value) for q in found if isinstance(q.object, NamedNode))
        return {one[1] for one in split if one is not None and one[0] == "record"}

    def _note(
        self, thing: Thing, predicate: bytes, told: bytes, other: Thing | None, *, came: bool
    ) -> None:
        name = _NAMES.get(predicate)
        kind, key = thing
        if kind == "recordset" and name != _INCLUDES:
            self.touched.renamed_sets.add(key)
        if name is None:
            return
        if name == TYPE and kind == "record":
            if told == _RECORD:
                (self.touched.appeared if came else self.touched.vanished).add(key)
            elif told == _STONE and came:
                self.touched.stones.add(key)
        if other is None:
            return
        if name == _INCLUDES:
            (self.touched.joined if came else self.touched.left).add((key, other[1]))
            if other[0] == "record":
                self.touched.records.add(other[1])
        elif name in _UP or name == _SUBJECT:
            self._parts[thing].add(other)
            if name != _SUBJECT:
                self._owners[thing].add(other)
        elif name in _DOWN:
            self._owners[other].add(thing)

    def _holders(self, thing: Thing, depth: int = 0) -> frozenset[str]:
        """Return the keys of the records that a thing is part of, or quotes."""
        if thing[0] == "record":
            return frozenset({thing[1]})
        if depth > _DEEPEST or thing[0] not in ("evidence", "text", "claim", "inst"):
            return frozenset()
        if thing not in self._records:
            self._records[thing] = frozenset()  # a circle leads nowhere
            owners = self._owners[thing] | set(self._stored(thing))
            self._records[thing] = frozenset().union(
                *(self._holders(owner, depth + 1) for owner in owners)
            )
        return self._records[thing]

    def _stored(self, thing: Thing) -> Iterator[Thing]:
        kind, key = thing
        iri = self._base.iri(kind, key)
        if kind == "claim":
            for pointer in self._objects(iri, KMS("pointer")):
                yield from self._things(self._objects(pointer, KMS("unitText")))
            return
        for predicate in _UP:
            yield from self._things(self._objects(iri, predicate))
        if kind == "inst":
            for predicate in _DOWN:
                yield from self._things(self._subjects(predicate, iri))

    def _about(self, claim: Thing) -> set[Thing]:
        """Return what a claim is about, by this row or by the store."""
        stored = self._things(self._objects(self._base.iri(*claim), _SUBJECT))
        local = {t for t in self._parts[claim] if t[0] not in ("text", "evidence", "record")}
        return {*local, *stored}

    def _merged_with(self, things: set[Thing]) -> set[Thing]:
        """Return the things and all that were merged with them, in either direction."""
        found, waiting = set(things), list(things)
        while waiting:
            iri = self._base.iri(*waiting.pop())
            near = {
                *self._things(self._objects(iri, _MERGED)),
                *self._things(self._subjects(_MERGED, iri)),
            }
            waiting += near - found
            found |= near
        return found

    def _claims(self, thing: Thing) -> Iterator[Thing]:
        """Yield the claims that name a thing as their subject or object."""
        iri = self._base.iri(*thing)
        for predicate in (_SUBJECT, KMS("claimObject")):
            yield from self._things(self._subjects(predicate, iri))

    def _objects(self, subject: NamedNode, predicate: NamedNode) -> Iterator[NamedNode]:
        for graph in (self._base.public, self._base.internal):
            for quad in self._store.match(subject, predicate, None, graph):
                if isinstance(quad.object, NamedNode):
                    yield quad.object

    def _subjects(self, predicate: NamedNode, thing: NamedNode) -> Iterator[NamedNode]:
        for graph in (self._base.public, self._base.internal):
            for quad in self._store.match(None, predicate, thing, graph):
                if isinstance(quad.subject, NamedNode):
                    yield quad.subject

    def _things(self, iris: Iterable[NamedNode]) -> Iterator[Thing]:
        for iri in iris:
            thing = self._base.split(iri.value)
            if thing is not None:
                yield thing
