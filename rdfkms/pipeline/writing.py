"""What a page comes to in quads: description, texts, claims, projection; and in which graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pyoxigraph import NamedNode, Quad, Triple

from rdfkms.knowledge import decoding, encoding, statements
from rdfkms.knowledge.mapping import Mapping
from rdfkms.model import (
    Claim,
    EvidenceUnit,
    Page,
    Record,
    Ref,
    Run,
    Status,
    TextVersion,
)
from rdfkms.ports import TripleStore
from rdfkms.vocab import KMS, PROV, TYPE, Base

Canonical = Callable[[Ref], Ref]

_CONFLICTS = KMS("conflictsWith")


def in_graph(triples: Iterable[Triple], graph: NamedNode) -> Iterator[Quad]:
    """Yield the triples as quads of one graph."""
    for triple in triples:
        yield Quad(triple.subject, triple.predicate, triple.object, graph)


def description(
    record: Record,
    page: Page,
    versions: Sequence[tuple[TextVersion, str]],
    units: Sequence[EvidenceUnit],
    run: str,
    base: Base,
) -> list[Triple]:
    """Return record, page, transcriptions (each with the SHA-256 of its words file) and units."""
    triples = encoding.record_triples(record, base) + encoding.page_triples(page, base)
    for version, words in versions:
        triples += encoding.version_triples(version, page, base, words, run)
    for unit in units:
        triples += encoding.unit_triples(unit, base)
    return triples


def run_quads(main: Run, parts: Sequence[Run], base: Base) -> list[Quad]:
    """Return a run and the runs of single proposers within it, without times (law 10).

    Software is public; which person stated something is for staff, whatever the record's access.
    """
    quads = list(in_graph(encoding.run_triples(main, base), base.public))
    for part in parts:
        iri, whole = base.iri("run", part.key), base.iri("run", main.key)
        triples = [*encoding.run_triples(part, base), Triple(iri, PROV("wasInformedBy"), whole)]
        quads += in_graph(triples, base.internal if part.is_persons else base.public)
    return quads


@dataclass(frozen=True, slots=True)
class Places:
    """Where the claims of one record go: `is_open` when anyone may read the record."""

    store: TripleStore
    base: Base
    mapping: Mapping
    is_open: bool
    canonical: Canonical

    def claims(self, claims: Sequence[Claim]) -> list[Quad]:
        """Return the claims with what those project that are new, or newly said somewhere."""
        quads: list[Quad] = []
        for claim in claims:
            triples = encoding.claim_triples(claim, self.base, self.mapping)
            quads += in_graph(triples, self._at(claim))
        fresh = [c for c in claims if c.status is Status.ADMITTED and self._is_new(c)]
        return [*quads, *self._mirrored(fresh), *sorted(self._projected(fresh), key=str)]

    def _is_new(self, claim: Claim) -> bool:
        """Whether the archive lacks the claim, or the last of its places."""
        last = self.base.part("claim", claim.key, f"p{len(claim.pointers)}")
        node = last if claim.pointers else self.base.iri("claim", claim.key)
        kind = KMS("EvidencePointer") if claim.pointers else KMS("Claim")
        graphs = (self.base.public, self.base.internal)
        return not any(self.store.contains(Quad(node, TYPE, kind, g)) for g in graphs)

    def _at(self, claim: Claim) -> NamedNode:
        public = self.is_open and claim.status is Status.ADMITTED
        return self.base.public if public else self.base.internal

    def _mirrored(self, fresh: Sequence[Claim]) -> Iterator[Quad]:
        """A conflict is flagged on both sides; a public claim never names an internal one."""
        for claim in fresh:
            for other in claim.conflicts:
                there = self.base.iri("claim", other)
                yield Quad(there, _CONFLICTS, self.base.iri("claim", claim.key), self._at(claim))

    def _projected(self, fresh: Sequence[Claim]) -> Iterable[Quad]:
        def visible(claim: Claim) -> bool:
            return self.is_open

        if not self._preferred():
            return statements.projections(fresh, visible, self.base, self.mapping, self.canonical)
        # Somewhere a preferred claim stands: what else projects must be weighed against it.
        things = {ref for claim in fresh for ref in (claim.subject, claim.object) if ref}
        before = decoding.neighbours(self.store, self.base, things)
        mine = {claim.key for claim in fresh}

        def seen(claim: Claim) -> bool:
            iri = self.base.iri("claim", claim.key)
            there = self.store.contains(Quad(iri, TYPE, KMS("Claim"), self.base.public))
            return self.is_open if claim.key in mine else there

        _, add = statements.reproject(
            before, [*before, *fresh], seen, self.base, self.mapping, self.canonical
        )
        return add

    def _preferred(self) -> bool:
        preferred = KMS("preferred")
        for graph in (self.base.public, self.base.internal):
            if next(iter(self.store.match(None, KMS("rank"), preferred, graph)), None):
                return True
        return False
