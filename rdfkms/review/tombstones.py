"""What stays public of a thing that was withdrawn: its IRI, the day and the kind of reason."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.ports import TripleStore
from rdfkms.vocab import DCTERMS, KMS, KV, TYPE, XSD, Base

_TOMBSTONE = KMS("Tombstone")
_REASON = KMS("withdrawalReason")
_DATE = DCTERMS("date")


def tombstone(iri: NamedNode, reason: str, day: date, base: Base) -> tuple[Quad, ...]:
    """Return the public quads that say that a thing was withdrawn; `reason` is a `kv:` concept."""
    said = Literal(day.isoformat(), datatype=XSD("date"))
    return (
        Quad(iri, TYPE, _TOMBSTONE, base.public),
        Quad(iri, _REASON, KV(reason), base.public),
        Quad(iri, _DATE, said, base.public),
    )


def lifted(store: TripleStore, base: Base, iris: Iterable[NamedNode]) -> tuple[Quad, ...]:
    """Return the quads to remove where things come back that had a tombstone."""
    gone: list[Quad] = []
    for iri in dict.fromkeys(iris):
        mark = Quad(iri, TYPE, _TOMBSTONE, base.public)
        if store.contains(mark):
            gone.append(mark)
            gone += store.match(iri, _REASON, None, base.public)
            gone += store.match(iri, _DATE, None, base.public)
    return tuple(gone)
