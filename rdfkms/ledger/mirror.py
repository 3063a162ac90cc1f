"""Feeds a read mirror with the public graph, revision by revision, from the journal (DESIGN 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pyoxigraph import NamedNode, Quad

from rdfkms.errors import Broken
from rdfkms.ledger.changes import from_lines
from rdfkms.ledger.journal import Journal
from rdfkms.ledger.ledger import revision_quad
from rdfkms.vocab import Base


class Mirror(Protocol):
    """A remote store that shows the public graph."""

    def revision(self, archive: NamedNode) -> int:
        """Return the revision up to which it was fed, 0 for a new one."""
        ...

    def apply(self, remove: Sequence[Quad], add: Sequence[Quad]) -> None:
        """Take out and put in, in one request; doing it twice must do no harm."""
        ...


def feed(journal: Journal, base: Base, mirror: Mirror) -> int:
    """Bring a mirror up to the journal's end; returns its revision.

    Raises `Broken` where a patch it lacks was erased, `Unavailable` from the mirror itself.
    """
    revision = mirror.revision(NamedNode(base.base))
    for entry in journal.entries(after=revision):
        if entry.erased:
            raise Broken(
                f"The mirror lacks revision {entry.revision}, whose patch was erased.",
                hint="Empty the mirror and load the present public graph into it.",
            )
        gone = [q for q in from_lines(entry.removed or b"") if q.graph_name == base.public]
        new = [q for q in from_lines(entry.added or b"") if q.graph_name == base.public]
        if revision:
            gone.append(revision_quad(base, revision))
        mirror.apply(gone, [*new, revision_quad(base, entry.revision)])
        revision = entry.revision
    return revision
