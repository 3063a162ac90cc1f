"""Merge, keep apart, split: people decide who is who, and no claim is rewritten by it (R65, R66).

A merge adds ``kms:mergedInto`` between two things and projects anew; claims stay as they were, so
that undoing it restores both sides exactly. Nothing is merged that was not named: A with B and B
with C are two decisions. A split gives some mentions, and what is said of them, to a new thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pyoxigraph import Quad

from rdfkms.admission.conflicts import conflicts
from rdfkms.admission.reasons import quoted, reason
from rdfkms.errors import BadInput, Conflict, NotFound
from rdfkms.knowledge import decoding
from rdfkms.knowledge.encoding import ref_iri
from rdfkms.model import Anchor, Candidate, Claim, Kind, Principal, Ref, Status
from rdfkms.review import decisions
from rdfkms.review.decisions import Decision, Desk, Draft
from rdfkms.review.edits import row_of
from rdfkms.review.merges import merges
from rdfkms.vocab import KMS, OWL, TYPE, key_of

DIFFERENT = OWL("differentFrom")
_LIVE = (Status.ADMITTED, Status.QUARANTINED)


def merge(desk: Desk, one: Ref, other: Ref, principal: Principal, *, note: str = "") -> Decision:
    """Make two things one; returns the decision. The better known of them stands for both.

    Raises `NotFound`, `BadInput` for things of two kinds or one thing twice, `Conflict` where they
    are one already or a person has declared them different.
    """
    with desk.ledger.frozen():
        head, tail = _heads(desk, one, other)
        _demand_not_different(desk, head, tail)
        base = desk.base
        seen = all(_is_public(desk, ref) for ref in (head, tail))
        graph = base.public if seen else base.internal
        link = Quad(ref_iri(tail, base), KMS("mergedInto"), ref_iri(head, base), graph)
        flagged = _flagged(desk, head, tail)
        draft = Draft("merge", flagged, add=(link,), things=(head, tail), note=note)
        made = decisions.write(desk, draft, principal)
        desk.work.close_merge(one, other, "accepted", principal)
        return made


def differ(desk: Desk, one: Ref, other: Ref, principal: Principal, *, note: str = "") -> Decision:
    """Declare two things different: they are neither merged nor proposed again; the decision."""
    with desk.ledger.frozen():
        for ref in (one, other):
            _demand_there(desk, ref)
        if one == other:
            raise BadInput(f"{one.path} is named twice; a thing does not differ from itself.")
        known = merges(desk.ledger.store, desk.base)
        if known.canonical(one) == known.canonical(other):
            raise Conflict(
                f"{one.path} and {other.path} are merged.",
                hint="Undo the merge first: rdfkms review undo DECISION",
            )
        first, second = sorted((one, other), key=lambda ref: ref.path)
        link = Quad(
            ref_iri(first, desk.base), DIFFERENT, ref_iri(second, desk.base), desk.base.internal
        )
        if desk.ledger.store.contains(link):
            raise Conflict(f"{one.path} and {other.path} are known to differ already.")
        draft = Draft("differ", add=(link,), things=(first, second), note=note)
        made = decisions.write(desk, draft, principal)
        desk.work.close_merge(one, other, "refused", principal)
        return made


def split(
    desk: Desk, thing: Ref, mentions: Sequence[str], principal: Principal, *, note: str = ""
) -> Decision:
    """Give some mentions of a thing, and what is said of them there, to a new thing.

    `mentions` are keys of its mention claims. Returns the decision, whose things are the old and
    the new one. Raises `BadInput` where the mentions are not of the thing or are all it has.
    """
    with desk.ledger.frozen():
        _demand_there(desk, thing)
        said = decoding.claims_of_thing(desk.ledger.store, desk.base, thing)
        own = [c for c in said if c.kind is Kind.MENTION and c.status in _LIVE]
        chosen = [c for c in own if c.key in set(mentions)]
        if len(chosen) != len(set(mentions)) or not chosen:
            raise BadInput(
                f"Not all of these are mentions of {thing.path}: {', '.join(mentions)[:200]}.",
                hint=f"`rdfkms review thing {thing.path}` lists its mentions.",
            )
        if len(chosen) == len(own):
            raise BadInput("These are all its mentions; a split leaves some behind.")
        new = Ref(thing.kind, key_of("split", thing.path, *sorted(c.key for c in chosen)))
        which = _Chosen.of(desk, chosen, own)
        live = [c for c in said if c.status in _LIVE]
        moved = [which.given(c, row_of(desk, c.key), thing, new) for c in live]
        changed = tuple(c for c in moved if c is not None)
        first, second = sorted((thing, new), key=lambda ref: ref.path)
        apart = Quad(
            ref_iri(first, desk.base), DIFFERENT, ref_iri(second, desk.base), desk.base.internal
        )
        draft = Draft("split", changed, add=(apart,), things=(thing, new), note=note)
        return decisions.write(desk, draft, principal)


# ---- which things -------------------------------------------------------------------------------


def thing_of(path: str) -> Ref:
    """Return the thing of ``kind/key`` or of an IRI that ends so; raises `BadInput`."""
    parts = path.rstrip("/").split("/")
    if len(parts) < 2 or not all(parts[-2:]):
        raise BadInput(f"{path[:80]!r} names no thing.", hint="Write it as person/KEY.")
    return Ref(parts[-2], parts[-1])


def _heads(desk: Desk, one: Ref, other: Ref) -> tuple[Ref, Ref]:
    """Return what stands for each, the better known first: public, then with more claims."""
    for ref in (one, other):
        _demand_there(desk, ref)
    if one == other:
        raise BadInput(f"{one.path} is named twice; nothing is merged with itself.")
    if one.kind != other.kind:
        raise BadInput(f"A {one.kind} and a {other.kind} cannot be one.")
    known = merges(desk.ledger.store, desk.base)
    heads = [known.canonical(one), known.canonical(other)]
    if heads[0] == heads[1]:
        raise Conflict(f"{one.path} and {other.path} are one already.")
    store, base = desk.ledger.store, desk.base

    def weight(ref: Ref) -> tuple[bool, int, str]:
        return not _is_public(desk, ref), -len(decoding.claims_of_thing(store, base, ref)), ref.path

    heads.sort(key=weight)
    return heads[0], heads[1]


def _demand_there(desk: Desk, ref: Ref) -> None:
    about = ref_iri(ref, desk.base)
    graphs = (desk.base.public, desk.base.internal)
    found = (desk.ledger.store.match(None, KMS("claimSubject"), about, g) for g in graphs)
    if desk.mapping.by_kind(ref.kind) is None or not any(next(iter(f), None) for f in found):
        raise NotFound(f"No claim speaks of a thing {ref.path}.", hint="Search for its name.")


def _is_public(desk: Desk, ref: Ref) -> bool:
    types = desk.ledger.store.match(ref_iri(ref, desk.base), TYPE, None, desk.base.public)
    return any(quad.object != KMS("Tombstone") for quad in types)


def _demand_not_different(desk: Desk, head: Ref, tail: Ref) -> None:
    known = merges(desk.ledger.store, desk.base)
    for one in known.members(head):
        for other in known.members(tail):
            pair = sorted((one, other), key=lambda ref: ref.path)
            first, second = (ref_iri(ref, desk.base) for ref in pair)
            if desk.ledger.store.contains(Quad(first, DIFFERENT, second, desk.base.internal)):
                raise Conflict(
                    f"A person declared {one.path} and {other.path} to be different.",
                    hint=f"Undo that decision first: rdfkms review decisions --thing {one.path}",
                )


# ---- what a merge brings to light ---------------------------------------------------------------


def _flagged(desk: Desk, head: Ref, tail: Ref) -> tuple[Claim, ...]:
    """Claims of the two that answer one question differently, flagged side by side (law 7)."""
    store, base = desk.ledger.store, desk.base
    known = merges(store, base)
    ours, theirs = (
        [c for ref in known.members(end) for c in _single(desk, ref)] for end in (head, tail)
    )
    changed: dict[str, Claim] = {}
    for claim, rivals in [*((c, theirs) for c in ours), *((c, ours) for c in theirs)]:
        open_ = desk.is_open(claim)
        seen = [r for r in rivals if not open_ or desk.is_open(r)]
        keys = conflicts(claim, seen, desk.mapping)
        new = [r for r in seen if r.key in keys and r.key not in claim.conflicts]
        if new:
            told = "; ".join(quoted(r.pointers[0].quote) for r in new)
            said = (*claim.reasons, reason("conflictsWith", what=told))
            flags = (*claim.conflicts, *(r.key for r in new))
            changed[claim.key] = replace(claim, conflicts=flags, reasons=said)
    return tuple(changed.values())


def _single(desk: Desk, ref: Ref) -> Iterable[Claim]:
    for claim in decoding.claims_of_thing(desk.ledger.store, desk.base, ref):
        single = desk.mapping.statement(claim.statement).single_valued
        if single and claim.subject == ref and claim.status is Status.ADMITTED:
            yield claim


# ---- what a split takes along -----------------------------------------------------------------


@dataclass(frozen=True)
class _Chosen:
    """The mentions that go to the new thing: their places, and passages where all of them go."""

    keys: frozenset[str]
    spans: frozenset[tuple[str, int, int]]
    units: frozenset[str]

    @classmethod
    def of(cls, desk: Desk, chosen: Sequence[Claim], own: Sequence[Claim]) -> _Chosen:
        keys = frozenset(c.key for c in chosen)
        spans = set()
        for claim in chosen:
            row = row_of(desk, claim.key)
            if row is not None and row.subject is not None:
                spans.add((claim.pointers[0].unit, row.subject.start, row.subject.end))
        left = {c.pointers[0].unit for c in own if c.key not in keys}
        units = {c.pointers[0].unit for c in chosen} - left
        return cls(keys, frozenset(spans), frozenset(units))

    def given(self, claim: Claim, said: Candidate | None, old: Ref, new: Ref) -> Claim | None:
        """Return the claim with `new` for `old` where its ends are chosen mentions, or None."""
        unit = claim.pointers[0].unit

        def end(ref: Ref | None, anchor: Anchor | None) -> Ref | None:
            if ref != old:
                return ref
            if claim.kind is Kind.MENTION:
                return new if claim.key in self.keys else ref
            placed = anchor is not None and (unit, anchor.start, anchor.end) in self.spans
            return new if placed or unit in self.units else ref

        changed = replace(
            claim,
            subject=end(claim.subject, said.subject if said else None) or claim.subject,
            object=end(claim.object, said.object if said else None),
            place=end(claim.place, said.place if said else None),
        )
        return None if changed == claim else changed
