"""Statements annotated with the claims that make them, in RDF 1.2 (`rdf:reifies`).

A claim states a triple; projected, it stands in the public graph. The claim is its reifier: who
reads the statement finds confidence, verification and quotes at the same node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode, Quad, Triple

from rdfkms.ports import QuadReader, Term
from rdfkms.vocab import KMS, RDF, Base

REIFIES = RDF("reifies")
Keep = Callable[[Quad], bool]
_MOST_MERGES = 1_000  # of one thing into another and so on


def reifications(store: QuadReader, base: Base, keep: Keep | None = None) -> Iterator[Quad]:
    """Yield ``claim rdf:reifies <<( s p o )>>`` for each statement that stands in the public graph.

    Only of admitted claims, and with `keep` only of claims and statements that it lets pass. What
    a claim states in another form (a name, a date as a node) is not annotated.
    """
    graph = base.public
    for mark in store.match(None, KMS("claimStatus"), KMS("admitted"), graph):
        claim = mark.subject
        if not isinstance(claim, NamedNode) or (keep is not None and not keep(mark)):
            continue
        if store.contains(Quad(claim, KMS("rank"), KMS("deprecated"), graph)):
            continue  # it is disowned: the statement stands by another
        stated = _Telling(store, graph, keep).triple(claim)
        if stated is None:
            continue
        quad = Quad(stated.subject, stated.predicate, stated.object, graph)
        if store.contains(quad) and (keep is None or keep(quad)):
            yield Quad(claim, REIFIES, stated, graph)


@dataclass(frozen=True, slots=True)
class _Telling:
    """Reads what may still be told; where one part may not, nothing is."""

    store: QuadReader
    graph: NamedNode
    keep: Keep | None

    def match(self, subject: NamedNode, predicate: NamedNode) -> list[Term] | None:
        """Return the values of a property, None where one of them may not be told."""
        found: list[Term] = []
        for quad in self.store.match(subject, predicate, None, self.graph):
            if self.keep is not None and not self.keep(quad):
                return None
            if not isinstance(quad.object, Triple):
                found.append(quad.object)
        return found

    def triple(self, claim: NamedNode) -> Triple | None:
        """Return what a claim states, of the things that its ends have become."""
        subject = self.one(claim, "claimSubject")
        predicate = self.one(claim, "claimPredicate")
        end = self.one(claim, "claimObject") or self.one(claim, "claimValue")
        if not isinstance(subject, NamedNode) or not isinstance(predicate, NamedNode):
            return None
        became = self.become(subject)
        told = self.become(end) if isinstance(end, NamedNode) else end
        if became is None or not isinstance(told, NamedNode | Literal):
            return None
        return Triple(became, predicate, told)

    def one(self, claim: NamedNode, name: str) -> Term | None:
        return next(iter(self.match(claim, KMS(name)) or ()), None)

    def become(self, thing: NamedNode) -> NamedNode | None:
        for _ in range(_MOST_MERGES):
            merged = self.match(thing, KMS("mergedInto"))
            if merged is None:
                return None
            if not merged or not isinstance(merged[0], NamedNode):
                return thing
            thing = merged[0]
        return None
