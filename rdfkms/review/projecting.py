"""What a patch of claims comes to: the projection that follows, known before anything is written.

Every act of a person (accept, reject, edit, merge, split, rank, undo, rollback) changes claims'
own quads, merges or both. What the entities then are follows from the claims alone (DESIGN 4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pyoxigraph import NamedNode, Quad

from rdfkms.knowledge import decoding
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.rivalry import rivals
from rdfkms.knowledge.statements import reproject
from rdfkms.ledger.overlay import Overlaid
from rdfkms.model import Claim, Ref
from rdfkms.ports import QuadReader, TripleStore
from rdfkms.review.merges import Merges, merges
from rdfkms.vocab import KMS, TYPE, Base

Patch = tuple[list[Quad], list[Quad]]


def projection(
    store: TripleStore,
    base: Base,
    mapping: Mapping,
    remove: Sequence[Quad],
    add: Sequence[Quad],
    parted: Iterable[Ref] = (),
) -> Patch:
    """Return the projected quads to remove and to add when claims' own quads change so.

    `parted` are the things that are merged or no longer merged by the patch.
    """
    after_store = Overlaid(store, remove, add)
    keys = claim_keys(base, [*remove, *add])
    before, after = decoding.claims(store, base, keys), decoding.claims(after_store, base, keys)
    was, now = merges(store, base), merges(after_store, base)
    things = list(dict.fromkeys(parted))
    beside = {c.key for c in rivals(store, base, mapping, [*before, *after], _both(was, now))}
    if things:
        around = decoding.neighbours(store, base, things, _both(was, now))
        for thing in {m for t in things for m in _both(was, now)(t)}:
            around += decoding.claims_of_thing(store, base, thing)
        beside |= {c.key for c in around}
    rest = sorted(beside - set(keys))
    old, new = reproject(
        [*before, *decoding.claims(store, base, rest)],
        [*after, *decoding.claims(after_store, base, rest)],
        _seen(after_store, base),
        base,
        mapping,
        now.canonical,
        was_visible=_seen(store, base),
        was_canonical=was.canonical,
    )
    return list(old), list(new)


def is_public(store: QuadReader, base: Base, key: str) -> bool:
    """Return whether the claim stands in the public graph."""
    return store.contains(Quad(base.iri("claim", key), TYPE, KMS("Claim"), base.public))


def _seen(store: QuadReader, base: Base) -> Callable[[Claim], bool]:
    def visible(claim: Claim) -> bool:
        return is_public(store, base, claim.key)

    return visible


def _both(was: Merges, now: Merges) -> Callable[[Ref], list[Ref]]:
    def members(ref: Ref) -> list[Ref]:
        return list(dict.fromkeys([*was.members(ref), *now.members(ref)]))

    return members


def claim_keys(base: Base, quads: Iterable[Quad]) -> list[str]:
    """Return the keys of the claims whose own quads are among these, in order."""
    keys: dict[str, None] = {}
    for quad in quads:
        split = base.split(quad.subject.value) if isinstance(quad.subject, NamedNode) else None
        if split is not None and split[0] == "claim":
            keys[split[1]] = None
    return list(keys)
