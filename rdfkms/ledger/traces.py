"""Finds every trace of things in the journal, so that an erasure by law leaves none (DESIGN 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.ledger.changes import from_lines
from rdfkms.ledger.journal import Journal


@dataclass(frozen=True)
class Trace:
    """What gives a thing away: quads of its nodes (IRIs without fragment), and its own words."""

    nodes: frozenset[str]
    words: frozenset[Literal]

    def is_of(self, quad: Quad) -> bool:
        """Return whether the quad is one of the nodes' own."""
        subject = quad.subject
        return isinstance(subject, NamedNode) and subject.value.partition("#")[0] in self.nodes

    def meets(self, quad: Quad) -> bool:
        """Return whether the quad is of a node or says words that are theirs alone."""
        return self.is_of(quad) or quad.object in self.words


def trace(
    journal: Journal,
    nodes: Iterable[str],
    removed: Iterable[Quad],
    is_left: Callable[[Literal], bool],
) -> tuple[list[int], Trace]:
    """Return the revisions that hold a trace of these nodes, and the whole trace.

    `removed` are quads that are taken out; `is_left` tells whether other things say a literal
    too. Words that the nodes had in earlier revisions count as well.
    """
    found = Trace(frozenset(nodes), frozenset())
    words = {quad.object for quad in removed if isinstance(quad.object, Literal)}
    for entry in journal.entries():
        for quad in from_lines((entry.removed or b"") + (entry.added or b"")):
            if isinstance(quad.object, Literal) and found.is_of(quad):
                words.add(quad.object)
    found = Trace(found.nodes, frozenset(word for word in words if not is_left(word)))
    doomed = [
        entry.revision
        for entry in journal.entries()
        if not entry.erased
        and any(found.meets(q) for q in from_lines((entry.removed or b"") + (entry.added or b"")))
    ]
    return doomed, found
