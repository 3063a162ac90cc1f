"""Takes back one decision, exactly: its claims, merges and lessons are as they were before (R81).

The journal's row of the decision says what it changed of claims' own quads; what entities are then
follows anew from the claims, so that what others admitted meanwhile stands. An undo is a decision
itself and can be undone. Where somebody changed the same claims since, it is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyoxigraph import NamedNode, Quad, Triple

from rdfkms.access import is_open
from rdfkms.admission import overruling
from rdfkms.errors import Conflict
from rdfkms.knowledge import decoding, decoding_sources
from rdfkms.knowledge.encoding import ref_iri
from rdfkms.ledger.changes import from_lines
from rdfkms.ledger.journal import Entry
from rdfkms.ledger.overlay import Overlaid
from rdfkms.model import Principal, Ref, Status
from rdfkms.review import acts, amended, decisions, sources
from rdfkms.review.decisions import Decision, Desk, Draft, Patch
from rdfkms.review.merges import merges
from rdfkms.review.projecting import claim_keys, is_public
from rdfkms.review.rewriting import names_hidden, own_quads
from rdfkms.review.sources import KINDS
from rdfkms.review.tombstones import is_stone, lifted
from rdfkms.vocab import KMS, OWL, PROV, TYPE, Base

_LINKS = (KMS("mergedInto"), OWL("differentFrom"))
_FLAG, _STATUS = KMS("conflictsWith"), KMS("claimStatus")
_IS_CLAIM = KMS("Claim")
_SHOWN = 3


def undo(desk: Desk, key: str, principal: Principal, *, note: str = "") -> Decision:
    """Undo a decision; returns the decision that says so.

    Raises `NotFound`, or `Conflict` where it was undone already or others built on it.
    """
    with desk.ledger.frozen():
        old, patch = _taken_back(desk, key)
        return decisions.write(desk, _draft(old, note), principal, patch)


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """What undoing a decision would do: the decision, and the quads that would go and come."""

    decision: Decision
    remove: tuple[Quad, ...]
    add: tuple[Quad, ...]


def plan(desk: Desk, key: str) -> UndoPlan:
    """Return what undoing a decision would do; nothing is written. Raises what `undo` raises."""
    with desk.ledger.frozen():
        old, own = _taken_back(desk, key)
        patch = decisions.patch_of(desk, _draft(old, ""), own)
    return UndoPlan(old, tuple(dict.fromkeys(patch.remove)), tuple(dict.fromkeys(patch.add)))


def _draft(old: Decision, note: str) -> Draft:
    return Draft("undo", decides=old.claims, things=old.things, note=note, undoes=old.key)


def _taken_back(desk: Desk, key: str) -> tuple[Decision, Patch]:
    """Return a decision and the patch of claims' and sources' own quads that undoes it."""
    old = decisions.read(desk.ledger, key)
    _demand_last(desk, old)
    entry = desk.ledger.journal.entry(old.revision)
    if entry.erased:
        raise Conflict(f"What decision {key} changed was erased by law; it cannot be undone.")
    # The words of an amendment stay, as those of any source do: only what they state is taken back.
    changed = _Changed.read(desk.base, entry, () if old.kind == "amend" else KINDS)
    patch = Patch()
    claims = [_claim_back(desk, changed, one, patch) for one in changed.claims]
    _others_back(desk, changed, patch)
    _by_access(desk, old, patch)
    _demand_one_head(desk, changed, patch)
    _demand_unbuilt(desk, patch, {claim for claim in claims if claim})
    return old, patch


def _demand_last(desk: Desk, old: Decision) -> None:
    """Raise `Conflict` where it was undone, or a later decision on the same claims stands."""
    if old.undone_by:
        later = decisions.read(desk.ledger, old.undone_by)
        raise Conflict(
            f"Decision {old.key} was undone by {later.principal}, {later.time}.",
            hint=f"Undo that one to have it again: rdfkms review undo {later.key}",
        )
    for key in old.claims:
        for later in decisions.of_claim(desk.ledger, key):
            if later.revision > old.revision and not later.undone_by and not later.undoes:
                raise Conflict(
                    f"Claim {key} was decided on since: {later.kind} by {later.principal}, "
                    f"{later.time}.",
                    hint=f"Undo that first: rdfkms review undo {later.key}",
                )


def _demand_unbuilt(desk: Desk, patch: Patch, claims: set[str]) -> None:
    """Raise `Conflict` where admitted claims would lose an end that the undo takes away."""
    after = Overlaid(desk.ledger.store, patch.remove, patch.add)
    resting = {
        claim.key: claim
        for key in sorted(claims)
        for claim in acts.dependents(desk, desk.claim(key))
        if claim.key not in claims
    }
    bereft = []
    for claim in resting.values():
        gate = desk.gate(after, is_open=desk.is_open(claim))
        if next(overruling.lacking(claim, desk.unit(claim), gate), None) is not None:
            bereft.append(claim.key)
    if bereft:
        raise Conflict(
            f"{len(bereft)} admitted claims would lose an end: {', '.join(bereft[:_SHOWN])}.",
            hint="Send them back to review first: rdfkms review reopen KEY",
        )


# ---- what the decision changed ------------------------------------------------------------------


@dataclass(frozen=True)
class _Changed:
    """The triples of claims, lessons and links that a decision removed and added."""

    removed: dict[Triple, NamedNode]  # with the graph in which each stood
    added: dict[Triple, NamedNode]
    claims: tuple[str, ...]

    @classmethod
    def read(cls, base: Base, entry: Entry, kinds: tuple[str, ...]) -> _Changed:
        """Return what is taken back; of sources, only the `kinds` that are named."""
        removed, added = (_own(base, lines, kinds) for lines in (entry.removed, entry.added))
        both = [
            Quad(t.subject, t.predicate, t.object, g) for t, g in (*removed.items(), *added.items())
        ]
        return cls(removed, added, tuple(claim_keys(base, both)))

    def of_claim(self, base: Base, key: str) -> tuple[dict[Triple, NamedNode], set[Triple]]:
        """Return what comes back to the claim, with its graph then, and what goes."""
        mine = [t for t in (*self.removed, *self.added) if _is_of(base, t, key)]
        back = {t: self.removed[t] for t in mine if t in self.removed and t not in self.added}
        return back, {t for t in mine if t in self.added and t not in self.removed}


def _own(base: Base, lines: bytes | None, kinds: tuple[str, ...]) -> dict[Triple, NamedNode]:
    found: dict[Triple, NamedNode] = {}
    for quad in from_lines(lines or b""):
        split = base.split(quad.subject.value) if isinstance(quad.subject, NamedNode) else None
        ours = (
            split is not None and split[0] in ("claim", "lesson", *kinds)
        ) or quad.predicate in _LINKS
        if ours and isinstance(quad.graph_name, NamedNode) and not is_stone(quad):
            found[Triple(quad.subject, quad.predicate, quad.object)] = quad.graph_name
    return found


def _is_of(base: Base, triple: Triple, key: str) -> bool:
    subject = triple.subject
    return isinstance(subject, NamedNode) and base.split(subject.value) == ("claim", key)


# ---- putting it back ----------------------------------------------------------------------------


def _claim_back(desk: Desk, changed: _Changed, key: str, patch: Patch) -> str:
    """Put a claim back as it was; one that the decision made is withdrawn. Returns its key."""
    store, base = desk.ledger.store, desk.base
    iri = base.iri("claim", key)
    current = {Triple(q.subject, q.predicate, q.object): q for q in own_quads(store, base, key)}
    back, gone = changed.of_claim(base, key)
    if Triple(iri, TYPE, _IS_CLAIM) in gone:
        status = [t for t in current if t.subject == iri and t.predicate == _STATUS]
        back, gone = {Triple(iri, _STATUS, KMS(Status.WITHDRAWN)): base.internal}, set(status)
    elif (
        any(t not in current and t.predicate != _FLAG for t in gone) or back.keys() & current.keys()
    ):
        raise Conflict(
            f"Claim {key} was changed since, by a run or a change of access.",
            hint="Decide on the claim as it is now instead.",
        )
    wanted = [t for t in current if t not in gone] + list(back)
    public = Triple(iri, _STATUS, KMS(Status.ADMITTED)) in wanted and desk.is_open(desk.claim(key))
    if public:
        patch.include(amended.brought_to_light(desk, desk.claim(key)))
    was_public = is_public(store, base, key)
    then_public = changed.removed.get(Triple(iri, TYPE, _IS_CLAIM)) == base.public or was_public
    for triple in wanted:
        old = current.get(triple)
        stood = old.graph_name if old else back.get(triple)
        hidden = stood == base.internal and (was_public if old else then_public)
        shut = names_hidden(store, base, triple) and not _comes_back(desk, changed, triple)
        there = public and not hidden and not shut
        graph = base.public if there else base.internal
        if old is None or old.graph_name != graph:
            patch.add.append(Quad(triple.subject, triple.predicate, triple.object, graph))
            if old is not None:
                patch.remove.append(old)
    patch.remove += [q for t, q in current.items() if t in gone]
    return key


def _comes_back(desk: Desk, changed: _Changed, triple: Triple) -> bool:
    """Return whether the object is a claim that the same undo makes public again."""
    if not isinstance(triple.object, NamedNode):
        return False
    stood = changed.removed.get(Triple(triple.object, _STATUS, KMS(Status.ADMITTED)))
    key = desk.base.split(triple.object.value)
    return stood == desk.base.public and key is not None and desk.is_open(desk.claim(key[1]))


def _others_back(desk: Desk, changed: _Changed, patch: Patch) -> None:
    """Put back lessons and links; what a later decision took over stays as that left it."""
    store, base = desk.ledger.store, desk.base

    def is_other(triple: Triple) -> bool:
        subject = triple.subject
        split = base.split(subject.value) if isinstance(subject, NamedNode) else None
        return split is not None and split[0] != "claim"

    stale = _untaught(desk, changed)
    for triple, graph in changed.added.items():
        if is_other(triple) and triple not in changed.removed:
            quad = Quad(triple.subject, triple.predicate, triple.object, graph)
            twin = Quad(triple.subject, triple.predicate, triple.object, base.internal)
            patch.remove += [q for q in dict.fromkeys((quad, twin)) if store.contains(q)]
    for triple, graph in changed.removed.items():
        if not is_other(triple) or triple.subject in stale:
            continue
        back = Quad(triple.subject, triple.predicate, triple.object, graph)
        if triple not in changed.added:
            patch.add.append(back)
            if triple.predicate in _LINKS and isinstance(triple.subject, NamedNode):
                patch.remove += lifted(store, base, [triple.subject])
        elif changed.added[triple] != graph:  # it had moved to the other graph
            moved = Quad(triple.subject, triple.predicate, triple.object, changed.added[triple])
            if not store.contains(moved):
                raise Conflict(
                    f"{triple.subject} was changed since, by a run or a change of access.",
                    hint="Look at it as it is now: rdfkms source list",
                )
            patch.remove.append(moved)
            patch.add.append(back)


def _untaught(desk: Desk, changed: _Changed) -> set[object]:
    """Return the lessons that went and do not come back: what taught them was undone since."""
    taught = {
        triple.subject: split[1]
        for triple in changed.removed
        if triple.predicate == PROV("wasGeneratedBy") and isinstance(triple.object, NamedNode)
        if (split := desk.base.split(triple.object.value)) and split[0] == "decision"
    }
    undone = {key for key in set(taught.values()) if decisions.read(desk.ledger, key).undone_by}
    return {node for node, key in taught.items() if key in undone}


def _by_access(desk: Desk, old: Decision, patch: Patch) -> None:
    """Put what comes back of a source where its record's condition, as it is now, wants it."""
    store, base = desk.ledger.store, desk.base
    records = [ref.key for ref in old.things if ref.kind == "record"]
    opened = [is_open(decoding.access_of_record(store, base, key)) for key in records]
    if not records:
        return

    def is_ours(quad: Quad) -> bool:
        subject = quad.subject
        split = base.split(subject.value) if isinstance(subject, NamedNode) else None
        return split is not None and split[0] in KINDS

    if not all(opened):
        patch.add[:] = [
            Quad(q.subject, q.predicate, q.object, base.internal) if is_ours(q) else q
            for q in patch.add
        ]
    elif old.kind == "withdraw":  # it may have been closed when it was withdrawn
        files = [ref.key for ref in old.things if ref.kind == "inst"]
        source = sources.source_of(store, base, records[0], files[0] if files else "")
        staying = [
            q
            for q in sources.quads_of(store, source, base.internal)
            if q.predicate != decoding_sources.SOURCE_STATUS
        ]
        patch.remove += staying
        patch.add += [Quad(q.subject, q.predicate, q.object, base.public) for q in staying]


def _demand_one_head(desk: Desk, changed: _Changed, patch: Patch) -> None:
    """Raise `Conflict` where a merge would come back of what was merged otherwise since."""
    into = KMS("mergedInto")
    back = [t for t in changed.removed if t.predicate == into and t not in changed.added]
    after = Overlaid(desk.ledger.store, patch.remove, patch.add)
    known = merges(desk.ledger.store, desk.base)
    for triple in back:
        ends = [
            desk.base.split(getattr(end, "value", "")) for end in (triple.subject, triple.object)
        ]
        one, other = (Ref(*end) for end in ends if end is not None)
        heads = [
            quad
            for graph in (desk.base.public, desk.base.internal)
            for quad in after.match(ref_iri(one, desk.base), into, None, graph)
        ]
        if len(heads) > 1 or known.canonical(one) == known.canonical(other):
            raise Conflict(
                f"{one.path} was merged with another thing since.",
                hint=f"Undo that first: rdfkms review decisions --thing {one.path}",
            )
