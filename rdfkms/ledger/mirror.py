"""Feeds a read mirror with the public graph, revision by revision, from the journal (DESIGN 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.errors import Broken
from rdfkms.ledger.changes import from_lines
from rdfkms.ledger.journal import Entry, Journal
from rdfkms.ledger.ledger import revision_quad
from rdfkms.ports import Mirror, MirrorState, TripleStore
from rdfkms.vocab import KMS, XSD, Base

TOGETHER = 2_000  # quads of a patch: revisions that change less are joined up to it
CHUNK = 1_000  # quads of one request when all is loaded anew

_DIGEST, _LOADING = KMS("journalHash"), KMS("loading")
_TRUE = Literal("true", datatype=XSD("boolean"))

Report = Callable[[str, int, int], None]


class Erased(Broken):
    """A mirror lacks a patch that a law took out of the journal."""


@dataclass(frozen=True, slots=True)
class _Patch:
    """What some revisions in a row come to in the public graph."""

    revision: int
    digest: str
    remove: tuple[Quad, ...]
    add: tuple[Quad, ...]


def feed(journal: Journal, base: Base, mirror: Mirror) -> int:
    """Bring a mirror up to the journal's end; returns its revision.

    Raises `Broken` where a patch it lacks was erased (it then tells no revision any more, so that
    nobody goes on reading from it) or it shows what this journal never had, `Unavailable` from the
    mirror itself. What is broken off is done again by the next call.
    """
    told = mirror.state(NamedNode(base.base))
    demand_same_history(journal, told)
    try:
        for patch in _patches(journal, base, told.revision):
            before = _mark(base, told.revision, told.digest)
            _send(mirror, base, patch, before, _mark(base, patch.revision, patch.digest))
            told = MirrorState(patch.revision, patch.digest)
    except Erased:
        mirror.clear(base.system)
        raise
    return told.revision


def _send(mirror: Mirror, base: Base, patch: _Patch, before: list[Quad], after: list[Quad]) -> None:
    """Send a patch: in one request where it is small, so that it is seen whole or not at all.

    Either way the mark of one that was broken off before goes with it.
    """
    loading = Quad(NamedNode(base.base), _LOADING, _TRUE, base.system)
    if len(patch.remove) + len(patch.add) <= CHUNK:
        mirror.apply([*patch.remove, *before, loading], [*patch.add, *after])
        return
    mirror.apply([], [loading])
    for some in chunks(patch.remove):
        mirror.apply(some, [])
    for some in chunks(patch.add):
        mirror.apply([], some)
    mirror.apply([*before, loading], after)


def demand_same_history(journal: Journal, told: MirrorState) -> None:
    """Raise `Broken` where the mirror shows what this journal never had."""
    if not told.revision:
        return
    last = journal.last()
    same = told.revision <= last and journal.entry(told.revision).hash == told.digest
    if not same:
        raise Broken(
            f"The mirror says that it shows revision {told.revision} of another history; the "
            f"archive is at {last}.",
            hint="Another archive feeds it, or this one was restored: `rdfkms mirror rebuild`.",
        )


def _mark(base: Base, revision: int, digest: str) -> list[Quad]:
    """Return the statements by which a mirror tells its revision; none for none."""
    if not revision:
        return []
    told = Quad(NamedNode(base.base), _DIGEST, Literal(digest), base.system)
    return [revision_quad(base, revision), told]


def rebuild(store: TripleStore, base: Base, entry: Entry, mirror: Mirror, report: Report) -> int:
    """Load the public graph of a store, as it is at a revision, into an emptied mirror.

    Returns its size. `entry` is the journal's row of that revision.

    Until it is done the mirror shows no revision, so that nobody takes it for whole.
    """
    mirror.clear(base.system)
    mirror.clear(base.public)
    quads = store.match(None, None, None, base.public)
    total = 0
    for some in chunks(quads):
        mirror.apply([], some)
        total += len(some)
        report("triples", total, 0)
    mirror.apply([], _mark(base, entry.revision, entry.hash))
    return total


def chunks(quads: Iterable[Quad]) -> Iterator[list[Quad]]:
    """Yield the quads in lists of a size that every store takes in one request."""
    rest = iter(quads)
    while some := list(islice(rest, CHUNK)):
        yield some


def _patches(journal: Journal, base: Base, after: int) -> Iterator[_Patch]:
    """Yield what follows a revision, small revisions joined: the last word on a quad counts."""
    told: dict[Quad, bool] = {}
    revision, digest = after, ""
    for entry in journal.entries(after=after):
        if entry.erased:
            raise Erased(
                f"The mirror lacks revision {entry.revision}, whose patch was erased.",
                hint="Load the present public graph into it: `rdfkms mirror rebuild`.",
            )
        for data, is_added in ((entry.removed, False), (entry.added, True)):
            for quad in from_lines(data or b""):
                if quad.graph_name == base.public:
                    told.pop(quad, None)
                    told[quad] = is_added
        revision, digest = entry.revision, entry.hash
        if len(told) >= TOGETHER:
            yield _patch(revision, digest, told)
            told, after = {}, revision
    if revision != after:
        yield _patch(revision, digest, told)


def _patch(revision: int, digest: str, told: dict[Quad, bool]) -> _Patch:
    add = tuple(quad for quad, is_added in told.items() if is_added)
    return _Patch(revision, digest, tuple(quad for quad in told if not told[quad]), add)
