"""One admitted claim as a nanopublication: assertion, provenance, publication info.

Source: Nanopublication Guidelines (nanopub.net), "Structure": four named graphs, the head among
them. Only what is public is told; IRIs are made of the claim's, so that the same claim gives the
same nanopublication.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Triple, serialize

from rdfkms.errors import Conflict, NotFound
from rdfkms.knowledge import decoding, statements
from rdfkms.model import Claim, Status
from rdfkms.publish.dcat.description import FOAF
from rdfkms.publish.views import Scope
from rdfkms.review.merges import merges
from rdfkms.settings import Settings
from rdfkms.vocab import DCTERMS, KMS, PREFIXES, PROV, RICO, TYPE, XSD, Namespace

NP = Namespace("http://www.nanopub.org/nschema#")
# What of a claim says how it is known, not what it says.
_OF_CLAIM = frozenset(
    KMS(name).value
    for name in (
        "confidence",
        "verificationLabel",
        "claimStatus",
        "rank",
        "statementType",
        "pointer",
    )
) | {PROV("wasGeneratedBy").value}
_OF_RUN = frozenset({TYPE.value, PROV("wasAssociatedWith").value, PROV("startedAtTime").value,
                     KMS("runKind").value, KMS("pipelineVersion").value})  # fmt: skip


def nanopub(scope: Scope, settings: Settings, key: str, time: str) -> list[Quad]:
    """Return the quads of the nanopublication of a claim; `time` is when it was proposed.

    Raises `NotFound` where the scope has no such admitted claim, `Conflict` for one that asserts
    nothing (disowned, or another value is preferred).
    """
    base = scope.base
    try:
        claim = decoding.claim(scope.store, base, key, scope.graphs)
    except NotFound as err:
        raise NotFound(f"There is no public claim {key[:40]}.", hint="See `rdfkms query`.") from err
    if claim.status is not Status.ADMITTED:
        raise NotFound(f"The claim {key} is not admitted.", hint="Only admitted claims assert.")
    this = NamedNode(f"{base.base}/nanopub/{key}")
    graphs = {
        n: NamedNode(f"{this.value}#{n}") for n in ("head", "assertion", "provenance", "pubinfo")
    }
    parts = {
        "head": _head(this, graphs),
        "assertion": _assertion(scope, claim),
        "provenance": _provenance(scope, claim, graphs["assertion"]),
        "pubinfo": _pubinfo(scope, settings, this, time),
    }
    return [
        Quad(t.subject, t.predicate, t.object, graphs[name])
        for name, triples in parts.items()
        for t in sorted(set(triples), key=str)
    ]


def trig(quads: list[Quad]) -> bytes:
    """Return the nanopublication as TriG."""
    prefixes = {**PREFIXES, "np": NP.iri, "foaf": FOAF.iri}
    return serialize(quads, format=RdfFormat.TRIG, prefixes=prefixes) or b""


def _head(this: NamedNode, graphs: dict[str, NamedNode]) -> Iterator[Triple]:
    yield Triple(this, TYPE, NP("Nanopublication"))
    yield Triple(this, NP("hasAssertion"), graphs["assertion"])
    yield Triple(this, NP("hasProvenance"), graphs["provenance"])
    yield Triple(this, NP("hasPublicationInfo"), graphs["pubinfo"])


def _assertion(scope: Scope, claim: Claim) -> list[Triple]:
    """Return what the claim projects and the public graph holds, without where it was read."""
    canonical = merges(scope.store, scope.base).canonical
    found = statements.project(claim, scope.base, scope.mapping, canonical)
    origin = {PROV("wasDerivedFrom"), RICO("isEvidencedBy"), KMS("readIn")}
    kept = [
        t
        for t in found
        if t.predicate not in origin
        and any(
            scope.store.contains(Quad(t.subject, t.predicate, t.object, g)) for g in scope.graphs
        )
    ]
    if not kept:
        raise Conflict(
            f"The claim {claim.key} asserts nothing: it is disowned, or another is preferred.",
            hint="Its page says which.",
        )
    return kept


def _provenance(scope: Scope, claim: Claim, assertion: NamedNode) -> Iterator[Triple]:
    base = scope.base
    iri = base.iri("claim", claim.key)
    yield Triple(assertion, PROV("wasDerivedFrom"), iri)
    yield Triple(iri, TYPE, KMS("Claim"))
    for one in _properties(scope, iri):
        if one.predicate.value in _OF_CLAIM:
            yield one
        if one.predicate == KMS("pointer") and isinstance(one.object, NamedNode):
            yield from _quoted(scope, one.object, assertion)
    for run in claim.runs:
        node = base.iri("run", run)
        yield Triple(assertion, PROV("wasGeneratedBy"), node)
        for one in _properties(scope, node):
            if one.predicate.value in _OF_RUN:
                yield one
                if one.predicate == PROV("wasAssociatedWith") and isinstance(one.object, NamedNode):
                    yield Triple(assertion, PROV("wasAttributedTo"), one.object)
                    yield from _properties(scope, one.object)


def _quoted(scope: Scope, pointer: NamedNode, assertion: NamedNode) -> Iterator[Triple]:
    """Yield a pointer with its words, and the passage that it cites as the source."""
    for one in _properties(scope, pointer):
        yield one
        if one.predicate == KMS("citesUnit") and isinstance(one.object, NamedNode):
            yield Triple(assertion, PROV("hadPrimarySource"), one.object)
            for said in _properties(scope, one.object):
                if said.predicate == RICO("isDirectConstituentOf"):
                    yield said


def _properties(scope: Scope, node: NamedNode) -> list[Triple]:
    return [
        quad.triple for graph in scope.graphs for quad in scope.store.match(node, None, None, graph)
    ]


def _pubinfo(scope: Scope, settings: Settings, this: NamedNode, time: str) -> Iterator[Triple]:
    told = settings.dataset
    base = scope.base.base
    agent = NamedNode(told.publisher_iri or f"{base}/dataset#publisher")
    if time:
        yield Triple(this, DCTERMS("created"), Literal(time, datatype=XSD("dateTime")))
    yield Triple(this, PROV("wasAttributedTo"), agent)
    yield Triple(this, DCTERMS("creator"), agent)
    yield Triple(this, DCTERMS("isPartOf"), NamedNode(f"{base}/dataset#dataset"))
    yield Triple(agent, FOAF("name"), Literal(told.publisher or settings.title))
    if told.license:
        yield Triple(this, DCTERMS("license"), NamedNode(told.license))
