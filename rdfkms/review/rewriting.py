"""A claim's own quads: what they are, and the patch that brings them to what the claim is to be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyoxigraph import NamedNode, Quad, Triple

from rdfkms.admission.conflicts import CODES
from rdfkms.admission.reasons import quoted, reason
from rdfkms.knowledge import decoding, encoding
from rdfkms.knowledge.mapping import Mapping
from rdfkms.model import Claim, Reason
from rdfkms.ports import QuadReader
from rdfkms.review.projecting import Patch, is_public
from rdfkms.review.tombstones import is_stone
from rdfkms.vocab import KMS, PROV, TYPE, Base

_DEPENDENT = (KMS("pointer"), KMS("reasonNote"))
_NEVER_PUBLIC = ("decision", "lesson")
_REVISED = PROV("wasRevisionOf")


def own_quads(store: QuadReader, base: Base, key: str) -> list[Quad]:
    """Return the quads of a claim, of its pointers and of its reasons, in both graphs."""
    iri = base.iri("claim", key)
    own: list[Quad] = []
    for graph in (base.public, base.internal):
        own += (q for q in store.match(iri, None, None, graph) if not is_stone(q))
    nodes = {q.object for q in own if q.predicate in _DEPENDENT and isinstance(q.object, NamedNode)}
    for node in sorted(nodes, key=str):
        for graph in (base.public, base.internal):
            own += store.match(node, None, None, graph)
    return own


def rewritten(
    store: QuadReader, base: Base, mapping: Mapping, after: Claim, *, public: bool
) -> Patch:
    """Return the quads to remove and to add so that the claim is what `after` says.

    Statements about the claim that are no part of the value (who revised what) stay with it. What
    stood in `internal` beside a public claim, since it names what is closed, stays there.
    """
    quads = own_quads(store, base, after.key)
    was_public = is_public(store, base, after.key)
    known = decoding.claims(store, base, [after.key])
    old = set(encoding.claim_triples(known[0], base, mapping)) if known else set()
    new = dict.fromkeys(encoding.claim_triples(after, base, mapping))
    target = base.public if public else base.internal
    remove: list[Quad] = []
    add: list[Quad] = []
    kept: set[Triple] = set()
    for quad in quads:
        triple = Triple(quad.subject, quad.predicate, quad.object)
        if triple in old and triple not in new:
            remove.append(quad)
            continue
        kept.add(triple)
        hidden = was_public and quad.graph_name == base.internal
        graph = base.internal if hidden or names_hidden(store, base, triple) else target
        if graph != quad.graph_name:
            remove.append(quad)
            add.append(Quad(triple.subject, triple.predicate, triple.object, graph))
    shut = _shut(new, {q.object for q in quads if was_public and q.graph_name == base.internal})
    for triple in new:
        if triple not in kept:
            hidden = triple in shut or names_hidden(store, base, triple)
            graph = base.internal if hidden else target
            add.append(Quad(triple.subject, triple.predicate, triple.object, graph))
    return remove, add


def retold(store: QuadReader, base: Base, rival: Claim, left: Sequence[str]) -> tuple[Reason, ...]:
    """Return a claim's reasons when of the claims that contradict it only those `left` stand.

    The words of the others are told no more, and of what is closed never on a public claim.
    """
    open_ = is_public(store, base, rival.key)
    quotes = [
        quoted(claim.pointers[0].quote)
        for claim in decoding.claims(store, base, left)
        if claim.pointers and (not open_ or is_public(store, base, claim.key))
    ]
    told: list[Reason] = []
    for one in rival.reasons:
        if one.code not in CODES:
            told.append(one)
            continue
        kept = [quote for quote in quotes if quote in one.sentence]
        if kept:
            told.append(reason(one.code, what="; ".join(kept)))
    return tuple(told)


def _shut(new: Iterable[Triple], hidden: set[object]) -> set[Triple]:
    """Return the triples of reasons whose words the public may not read, however numbered."""
    said = [t for t in new if t.predicate == KMS("reasonText") and t.object in hidden]
    nodes = {t.subject for t in said if str(t.subject).rpartition("#r")[1]}
    return {t for t in new if t in said or t.subject in nodes or t.object in nodes}


def names_hidden(store: QuadReader, base: Base, triple: Triple) -> bool:
    """Return whether the object is a claim or an act of review that the public does not see."""
    if not isinstance(triple.object, NamedNode):
        return False
    if triple.predicate == _REVISED:  # what is replaced is public no more
        return True
    split = base.split(triple.object.value)
    if split is None or "#" in triple.object.value:
        return False
    if split[0] == "claim":
        return not store.contains(Quad(triple.object, TYPE, KMS("Claim"), base.public))
    return split[0] in _NEVER_PUBLIC
