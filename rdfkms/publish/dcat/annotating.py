"""Statements annotated with the claims that make them, in RDF 1.2 (`rdf:reifies`).

A claim states a triple; projected, it stands in the public graph. The claim is its reifier: who
reads the statement finds confidence, verification and quotes at the same node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pyoxigraph import Literal, NamedNode, Quad, Triple

from rdfkms.ports import QuadReader
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
        stated = _triple(store, claim, graph)
        if stated is None:
            continue
        quad = Quad(stated.subject, stated.predicate, stated.object, graph)
        if store.contains(quad) and (keep is None or keep(quad)):
            yield Quad(claim, REIFIES, stated, graph)


def _triple(store: QuadReader, claim: NamedNode, graph: NamedNode) -> Triple | None:
    """Return what a claim states, of the things that its ends have become."""
    parts: dict[str, NamedNode | Literal] = {}
    for name in ("claimSubject", "claimPredicate", "claimObject", "claimValue"):
        for quad in store.match(claim, KMS(name), None, graph):
            if isinstance(quad.object, NamedNode | Literal):
                parts[name] = quad.object
    subject, predicate = parts.get("claimSubject"), parts.get("claimPredicate")
    end = parts.get("claimObject") or parts.get("claimValue")
    if not isinstance(subject, NamedNode) or not isinstance(predicate, NamedNode) or end is None:
        return None
    told = _become(store, end, graph) if isinstance(end, NamedNode) else end
    return Triple(_become(store, subject, graph), predicate, told)


def _become(store: QuadReader, thing: NamedNode, graph: NamedNode) -> NamedNode:
    for _ in range(_MOST_MERGES):
        merged = next(iter(store.match(thing, KMS("mergedInto"), None, graph)), None)
        if merged is None or not isinstance(merged.object, NamedNode):
            break
        thing = merged.object
    return thing
