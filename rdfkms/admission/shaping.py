"""Asks the shapes about a batch: which claims would bring in what the shapes refuse.

One call validates the claims of the batch with everything they would project, beside the types
of the things they point at, so that each shape sees what the store would hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from pyoxigraph import NamedNode, Triple

from rdfkms.knowledge import encoding, statements
from rdfkms.knowledge.mapping import Mapping as Table
from rdfkms.model import Claim, EvidenceUnit, Reason, Ref
from rdfkms.vocab import TYPE, Base


class Shapes(Protocol):
    """Validates nodes of a small graph against the shapes of the archive."""

    def validate(
        self, triples: Iterable[Triple], focus: Sequence[NamedNode]
    ) -> Mapping[NamedNode, tuple[Reason, ...]]:
        """Return what is wrong with each focus node that breaks a shape."""
        ...


def broken(
    shapes: Shapes,
    cases: Sequence[tuple[Claim, EvidenceUnit]],
    context: Iterable[Claim],
    base: Base,
    mapping: Table,
    known: Iterable[Triple] = (),
) -> dict[str, tuple[Reason, ...]]:
    """Return the reasons of each claim (by key) that breaks a shape by itself or by projecting.

    `context` are admitted claims whose projection the cases may lean on, `known` triples of the
    archive that they may.
    """
    if not cases:
        return {}
    triples: dict[Triple, None] = dict.fromkeys(known)
    for claim in context:
        triples |= dict.fromkeys(statements.project(claim, base, mapping))
    for unit in {unit.key: unit for _, unit in cases}.values():
        triples |= dict.fromkeys(encoding.unit_triples(unit, base))
    for claim, _ in cases:
        triples |= dict.fromkeys(encoding.claim_triples(claim, base, mapping))
        triples |= dict.fromkeys(statements.project(claim, base, mapping))
        triples |= dict.fromkeys(_types(claim, base, mapping))
    keys = {base.iri("claim", claim.key): claim.key for claim, _ in cases}
    found = shapes.validate(triples, list(keys))
    return {keys[node]: reasons for node, reasons in found.items() if node in keys}


def _types(claim: Claim, base: Base, mapping: Table) -> list[Triple]:
    """The types of the things that the claim speaks of, by the kind in their IRIs."""
    things: list[Ref] = [r for r in (claim.subject, claim.object, claim.place) if r is not None]
    triples = []
    for thing in things:
        rule = mapping.by_kind(thing.kind)
        if rule is not None:
            triples.append(Triple(encoding.ref_iri(thing, base), TYPE, rule.cls))
            if rule.superclass is not None:
                triples.append(Triple(encoding.ref_iri(thing, base), TYPE, rule.superclass))
    return triples
