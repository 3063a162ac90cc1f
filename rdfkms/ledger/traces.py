"""Finds every trace of things in the journal, so that an erasure by law leaves none (DESIGN 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from pyoxigraph import Literal, NamedNode, Quad, Triple

from rdfkms.ledger.changes import from_lines
from rdfkms.ledger.journal import Journal

SHORTEST = 3  # characters of a text that may give somebody away


@dataclass(frozen=True)
class Trace:
    """What gives things away: quads of their nodes, their own words, sentences that quote them.

    `nodes` are IRIs without fragment; `words` texts that nothing else says; `asserted` what they
    alone asserted of others. `quotes` are their words as sentences quote them, and `sentence`
    gives the text of a quad that may be such a sentence, empty for any other.
    """

    nodes: frozenset[str]
    words: frozenset[Literal]
    quotes: frozenset[str]
    asserted: frozenset[Triple]
    sentence: Callable[[Quad], str]

    def is_of(self, quad: Quad) -> bool:
        """Return whether the quad is one of the nodes' own."""
        subject = quad.subject
        return isinstance(subject, NamedNode) and subject.value.partition("#")[0] in self.nodes

    def meets(self, quad: Quad) -> bool:
        """Return whether the quad is of a node, says words of theirs alone, or quotes them."""
        if self.is_of(quad) or quad.object in self.words:
            return True
        if Triple(quad.subject, quad.predicate, quad.object) in self.asserted:
            return True
        told = self.sentence(quad)
        return bool(told) and any(quote in told for quote in self.quotes)


def trace(
    journal: Journal,
    nodes: Iterable[str],
    asserted: Iterable[Triple],
    is_left: Callable[[Literal], bool],
    quote: Callable[[Quad], str],
    sentence: Callable[[Quad], str],
) -> tuple[list[int], Trace]:
    """Return the revisions that hold a trace of these nodes, and the whole trace.

    Words that the nodes had in any revision count; `is_left` tells whether other things say a
    literal too. `quote` gives the words of a node's quad as sentences quote them, or nothing.
    """
    found = Trace(frozenset(nodes), frozenset(), frozenset(), frozenset(asserted), sentence)
    words: set[Literal] = set()
    quotes: set[str] = set()
    for entry in journal.entries():
        for quad in from_lines((entry.removed or b"") + (entry.added or b"")):
            if isinstance(quad.object, Literal) and found.is_of(quad):
                if _is_text(quad.object):
                    words.add(quad.object)
                quotes.add(quote(quad))
    own = frozenset(word for word in words if not is_left(word))
    found = replace(found, words=own, quotes=frozenset(quotes - {""}))
    doomed = [
        entry.revision
        for entry in journal.entries()
        if not entry.erased
        and any(found.meets(q) for q in from_lines((entry.removed or b"") + (entry.added or b"")))
    ]
    return doomed, found


def _is_text(literal: Literal) -> bool:
    """A number or a sign or two give nobody away, and others say them too."""
    told = literal.value
    return len(told) >= SHORTEST and any(sign.isalpha() for sign in told)
