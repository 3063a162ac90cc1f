"""Feeds a read mirror with the public graph, revision by revision, from the journal (DESIGN 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from pyoxigraph import NamedNode, Quad

from rdfkms.errors import Broken
from rdfkms.ledger.changes import from_lines
from rdfkms.ledger.journal import Journal
from rdfkms.ledger.ledger import revision_quad
from rdfkms.ports import TripleStore
from rdfkms.vocab import Base

TOGETHER = 2_000  # quads of a patch: revisions that change less are joined up to it
CHUNK = 1_000  # quads of one request when all is loaded anew

Report = Callable[[str, int, int], None]


class Mirror(Protocol):
    """A remote store that shows the public graph."""

    def revision(self, archive: NamedNode) -> int:
        """Return the revision up to which it was fed, 0 for a new one."""
        ...

    def apply(self, remove: Sequence[Quad], add: Sequence[Quad]) -> None:
        """Take out and put in, in one request; doing it twice must do no harm."""
        ...

    def clear(self, graph: NamedNode) -> None:
        """Empty a graph."""
        ...

    def count(self, graph: NamedNode) -> int:
        """Return the number of triples in a graph."""
        ...


@dataclass(frozen=True, slots=True)
class _Patch:
    """What some revisions in a row come to in the public graph."""

    revision: int
    remove: tuple[Quad, ...]
    add: tuple[Quad, ...]


def feed(journal: Journal, base: Base, mirror: Mirror) -> int:
    """Bring a mirror up to the journal's end; returns its revision.

    Raises `Broken` where a patch it lacks was erased or it shows what this journal never had,
    `Unavailable` from the mirror itself. What is broken off is done again by the next call.
    """
    revision = mirror.revision(NamedNode(base.base))
    last = journal.last()
    if revision > last:
        raise Broken(
            f"The mirror says that it shows revision {revision}, and the archive is at {last}.",
            hint="Another archive feeds it, or this one was restored: `rdfkms mirror rebuild`.",
        )
    for patch in _patches(journal, base, revision):
        before = [revision_quad(base, revision)] if revision else []
        after = revision_quad(base, patch.revision)
        if len(patch.remove) + len(patch.add) <= CHUNK:  # in one request: seen whole or not at all
            mirror.apply([*patch.remove, *before], [*patch.add, after])
        else:
            for some in chunks(patch.remove):
                mirror.apply(some, [])
            for some in chunks(patch.add):
                mirror.apply([], some)
            mirror.apply(before, [after])
        revision = patch.revision
    return revision


def rebuild(store: TripleStore, base: Base, revision: int, mirror: Mirror, report: Report) -> int:
    """Load the public graph of a store at a revision into an emptied mirror; returns its size.

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
    mirror.apply([], [revision_quad(base, revision)])
    return total


def chunks(quads: Iterable[Quad]) -> Iterator[list[Quad]]:
    """Yield the quads in lists of a size that every store takes in one request."""
    rest = iter(quads)
    while some := list(islice(rest, CHUNK)):
        yield some


def _patches(journal: Journal, base: Base, after: int) -> Iterator[_Patch]:
    """Yield what follows a revision, small revisions joined: the last word on a quad counts."""
    told: dict[Quad, bool] = {}
    revision = after
    for entry in journal.entries(after=after):
        if entry.erased:
            raise Broken(
                f"The mirror lacks revision {entry.revision}, whose patch was erased.",
                hint="Load the present public graph into it: `rdfkms mirror rebuild`.",
            )
        for data, is_added in ((entry.removed, False), (entry.added, True)):
            for quad in from_lines(data or b""):
                if quad.graph_name == base.public:
                    told.pop(quad, None)
                    told[quad] = is_added
        revision = entry.revision
        if len(told) >= TOGETHER:
            yield _patch(revision, told)
            told = {}
    if revision != after:
        yield _patch(revision, told)


def _patch(revision: int, told: dict[Quad, bool]) -> _Patch:
    add = tuple(quad for quad, is_added in told.items() if is_added)
    return _Patch(revision, tuple(quad for quad in told if not told[quad]), add)
