"""What stays public of a thing that was withdrawn: its IRI, the day and the kind of reason."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.ports import QuadReader
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


def is_stone(quad: Quad) -> bool:
    """Return whether the quad is part of a tombstone, not of the thing that was there."""
    return quad.predicate in (_REASON, _DATE) or quad.object == _TOMBSTONE


def lifted(store: QuadReader, base: Base, iris: Iterable[NamedNode]) -> tuple[Quad, ...]:
    """Return the quads to remove where things come back that had a tombstone."""
    gone: list[Quad] = []
    for iri in dict.fromkeys(iris):
        mark = Quad(iri, TYPE, _TOMBSTONE, base.public)
        if store.contains(mark):
            gone.append(mark)
            gone += store.match(iri, _REASON, None, base.public)
            gone += store.match(iri, _DATE, None, base.public)
    return tuple(gone)


def coming_back(store: QuadReader, base: Base, added: Iterable[Quad]) -> tuple[Quad, ...]:
    """Return the quads to remove so that what is added to the public is withdrawn no more."""
    things = (q.subject for q in added if q.graph_name == base.public and q.predicate == TYPE)
    return lifted(store, base, (one for one in things if isinstance(one, NamedNode)))


def stones(
    store: QuadReader,
    after: QuadReader,
    base: Base,
    touched: Iterable[Quad],
    reason: str,
    day: date,
) -> tuple[list[Quad], list[Quad]]:
    """Return the tombstones to lift and to set when the store becomes `after`.

    A claim or entity that loses its last public type, and was not merged into another, leaves one.
    """
    remove: list[Quad] = []
    add: list[Quad] = []
    things = {
        q.subject
        for q in touched
        if q.graph_name == base.public and q.predicate == TYPE and isinstance(q.subject, NamedNode)
    }
    for thing in sorted(things, key=str):
        was, now = _alive(store, base, thing), _alive(after, base, thing)
        merged = next(iter(after.match(thing, KMS("mergedInto"), None, base.public)), None)
        if now and not was:
            remove += lifted(store, base, [thing])
        elif was and not now and merged is None and base.split(thing.value) is not None:
            add += tombstone(thing, reason, day, base)
    return remove, add


def _alive(store: QuadReader, base: Base, thing: NamedNode) -> bool:
    types = (quad.object for quad in store.match(thing, TYPE, None, base.public))
    return any(type_ != _TOMBSTONE for type_ in types)
