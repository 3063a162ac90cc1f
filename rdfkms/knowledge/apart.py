"""Entities that a person declared to be different: they are never linked nor proposed again (R65).

A decision of review stands as ``<a> owl:differentFrom <b>``; it holds in both directions, and for
whatever either was merged into.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rdfkms.model import Ref
from rdfkms.ports import TripleStore
from rdfkms.vocab import OWL, Base

DIFFERENT = OWL("differentFrom")


class Apart:
    """Pairs that are never to be merged, read once."""

    def __init__(
        self, pairs: Iterable[tuple[Ref, Ref]] = (), merged: Mapping[Ref, Ref] | None = None
    ) -> None:
        self._merged = dict(merged or {})
        ends = ((self._end(a), self._end(b)) for a, b in pairs)
        self._pairs = frozenset(frozenset(pair) for pair in ends if pair[0] != pair[1])

    @classmethod
    def from_store(cls, store: TripleStore, base: Base, merged: Mapping[Ref, Ref]) -> Apart:
        """Return the declared pairs of both graphs: what is closed must not be joined either."""
        pairs = []
        for graph in (base.public, base.internal):
            for quad in store.match(None, DIFFERENT, None, graph):
                one = base.split(getattr(quad.subject, "value", ""))
                other = base.split(getattr(quad.object, "value", ""))
                if one is not None and other is not None:
                    pairs.append((Ref(*one), Ref(*other)))
        return cls(pairs, merged)

    def between(self, one: Ref, other: Ref) -> bool:
        """Return whether the two, or what they became, were declared to be different."""
        if not self._pairs:
            return False
        return frozenset((self._end(one), self._end(other))) in self._pairs

    def _end(self, ref: Ref) -> Ref:
        return self._merged.get(ref, ref)
