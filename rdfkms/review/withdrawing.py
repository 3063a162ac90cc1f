"""Withdraws a source: what rests on it alone asserts nothing any more, the rest stays (R43, R81).

The plan is its own dry run. Files stay where they are: raw is never overwritten (law 3); `erasing`
takes them out where a law demands it. A withdrawal is a decision and can be undone exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pyoxigraph import NamedNode, Quad

from rdfkms.access import today
from rdfkms.admission import overruling
from rdfkms.errors import Conflict
from rdfkms.knowledge import decoding
from rdfkms.knowledge.decoding_sources import SOURCE_STATUS, WITHDRAWN
from rdfkms.knowledge.encoding import ref_iri
from rdfkms.ledger.overlay import Overlaid
from rdfkms.model import Claim, Kind, Principal, Reason, Ref, Status
from rdfkms.ports import QuadReader
from rdfkms.review import acts, decisions, sources
from rdfkms.review.decisions import Decision, Desk, Draft
from rdfkms.review.merges import merges
from rdfkms.review.sources import Source
from rdfkms.review.tombstones import tombstone
from rdfkms.vocab import KEY_LENGTH, KMS, Base

NAMING = (Kind.MENTION, Kind.EVENT)
# A superseded claim stays what it is: the one that replaced it is withdrawn in its place.
_LIVE = (Status.ADMITTED, Status.QUARANTINED)
_GOING = (Status.ADMITTED, Status.QUARANTINED, Status.REJECTED)


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What withdrawing a source would do at `revision`; nothing is done where `refusals` has any.

    `withdrawn` are claims as they are now; `kept` lose their pointers into the source and keep
    others; `sent_back` lose an end and wait for review; no admitted claim names `entities` any
    more; the merges `parted` had one of these at an end.
    """

    source: Source
    withdrawn: tuple[Claim, ...]
    kept: tuple[Claim, ...]
    sent_back: tuple[Claim, ...]
    entities: tuple[Ref, ...]
    parted: tuple[tuple[Ref, Ref], ...]
    remove: tuple[Quad, ...]
    add: tuple[Quad, ...]
    refusals: tuple[Reason, ...]
    revision: int
    draft: Draft


def plan(desk: Desk, record: str, file: str = "") -> Withdrawal:
    """Return what withdrawing a record, or one file of it, would do.

    Raises `NotFound` for a record that is not there or has no such file.
    """
    store, base = desk.ledger.store, desk.base
    with desk.ledger.frozen() as revision:
        source = sources.source_of(store, base, record, file)
        refusals = _refusals(store, base, source)
        going, kept = _parted_claims(store, base, source)
        if refusals:
            going, kept = [], []
        lost = unnamed(store, base, going)
        gone = [acts.standing_down(replace(c, status=Status.WITHDRAWN)) for c in going]
        sent = bereft(desk, Draft("withdraw", (*gone, *kept)), going, lost)
        changed = {c.key: c for c in (*gone, *kept, *sent)}
        links = _links(store, base, lost)
        things = dict.fromkeys(unnamed(store, base, going, _LIVE))  # their proposals close
        things |= {ref: None for pair in links for ref in pair[:2]}
        draft = Draft(
            "withdraw",
            tuple(changed.values()),
            remove=(*sources.quads_of(store, source, base.public), *(q for _, _, q in links)),
            add=tuple(_added(store, base, source, links)),
            things=(*_things(source), *things),
        )
        patch = decisions.Patch() if refusals else decisions.patch_of(desk, draft)
    return Withdrawal(
        source=source,
        withdrawn=tuple(going),
        kept=tuple(kept),
        sent_back=tuple(sent),
        entities=tuple(lost),
        parted=tuple((one, other) for one, other, _ in links),
        remove=tuple(dict.fromkeys(patch.remove)),
        add=tuple(dict.fromkeys(patch.add)),
        refusals=tuple(refusals),
        revision=revision,
        draft=draft,
    )


def apply(desk: Desk, plan: Withdrawal, principal: Principal, *, note: str = "") -> Decision:
    """Do what a plan says; returns the decision.

    Raises `Conflict` where the plan was refused or somebody wrote since it was made, `Denied`
    below the role reviewer.
    """
    with desk.ledger.frozen() as revision:
        if plan.refusals:
            raise Conflict(f"Not withdrawn: {plan.refusals[0].sentence}")
        if plan.revision != revision:
            raise Conflict(
                f"The archive is at revision {revision}, not at {plan.revision}.",
                hint="Plan it again: somebody wrote meanwhile.",
            )
        return decisions.write(desk, replace(plan.draft, note=note), principal)


def unnamed(
    store: QuadReader,
    base: Base,
    going: Sequence[Claim],
    standing: tuple[Status, ...] = (Status.ADMITTED,),
) -> list[Ref]:
    """Return the things that no standing claim names once these claims are gone, by path."""
    gone = {claim.key for claim in going}
    things = {c.subject for c in going if c.kind in NAMING and c.status in standing}
    return [
        thing
        for thing in sorted(things, key=lambda ref: ref.path)
        if not any(
            other.kind in NAMING and other.subject == thing and other.key not in gone
            for other in decoding.claims_of_thing(store, base, thing)
            if other.status in standing
        )
    ]


def bereft(desk: Desk, draft: Draft, going: Sequence[Claim], lost: Sequence[Ref]) -> list[Claim]:
    """Return the admitted claims that lose an end by a draft, as they wait for review.

    They are sought among the draft's own claims that stay admitted, and what is said of `lost`.
    """
    store, base = desk.ledger.store, desk.base
    patch = decisions.own_patch(desk, draft)
    after = Overlaid(store, patch.remove, patch.add)
    beside = {c.key: c for ref in lost for c in decoding.claims_of_thing(store, base, ref)}
    beside |= {c.key: c for c in draft.claims}
    names = {c.subject: c for c in going if c.kind in NAMING}
    found = []
    for claim in beside.values():
        if claim.status is not Status.ADMITTED or not claim.pointers:
            continue
        gate = desk.gate(after, is_open=desk.is_open(claim))
        if next(overruling.lacking(claim, desk.unit(claim), gate), None) is not None:
            ends = [names[r] for r in (claim.subject, claim.object, claim.place) if r in names]
            found.append(acts.standing_down(acts.bereft(claim, (ends or [claim])[0])))
    return found


# ---- what goes ----------------------------------------------------------------------------------


def _parted_claims(
    store: QuadReader, base: Base, source: Source
) -> tuple[list[Claim], list[Claim]]:
    """Return the claims that rest on the source alone, and the others as they stay without it."""
    units = set(source.units)
    going: list[Claim] = []
    kept: list[Claim] = []
    for claim in sources.claims_on(store, base, source.units):
        left = tuple(p for p in claim.pointers if p.unit not in units)
        if left:
            kept.append(replace(claim, pointers=left))
        elif claim.status in _GOING:
            going.append(claim)
    if source.is_whole:
        known = {claim.key for claim in going}
        naming = sources.claims_naming(store, base, source.record)
        going += [c for c in naming if c.status in _GOING and c.key not in known]
    return going, kept


def _links(store: QuadReader, base: Base, lost: Sequence[Ref]) -> list[tuple[Ref, Ref, Quad]]:
    """Return the merges with a lost thing at an end: the identity has lost its evidence.

    They are dissolved, not refused: what a person decided on words that are no longer there must
    not go on joining two other things. The undo of the withdrawal brings them back.
    """
    known = merges(store, base)
    found = {}
    for ref in lost:
        if not known.touches(ref):
            continue
        iri = ref_iri(ref, base)
        for graph in (base.public, base.internal):
            for quad in (
                *store.match(iri, KMS("mergedInto"), None, graph),
                *store.match(None, KMS("mergedInto"), iri, graph),
            ):
                found[quad] = (_ref(base, quad.subject), _ref(base, quad.object), quad)
    return [found[quad] for quad in sorted(found, key=str)]


def _ref(base: Base, term: object) -> Ref:
    split = base.split(term.value) if isinstance(term, NamedNode) else None
    return Ref(*(split or ("", "")))


def _added(
    store: QuadReader, base: Base, source: Source, links: Iterable[tuple[Ref, Ref, Quad]]
) -> Iterable[Quad]:
    for quad in sources.quads_of(store, source, base.public):
        yield Quad(quad.subject, quad.predicate, quad.object, base.internal)
    yield Quad(source.iri(base), SOURCE_STATUS, WITHDRAWN, base.internal)
    for one, _, link in links:  # what was public of it was that it is another thing
        if link.graph_name == base.public:
            yield from tombstone(ref_iri(one, base), "sourceWithdrawn", today(), base)


def _things(source: Source) -> tuple[Ref, ...]:
    record = Ref("record", source.record)
    return (record,) if source.is_whole else (record, Ref("inst", source.file[:KEY_LENGTH]))


# ---- why not ------------------------------------------------------------------------------------


def _refusals(store: QuadReader, base: Base, source: Source) -> list[Reason]:
    if sources.is_withdrawn(store, base, source):
        return [Reason("notLive", f"{source.iri(base).value} is withdrawn already.")]
    if source.is_whole:
        return []
    left = [
        file.sha256
        for file in decoding.record(store, base, source.record).files
        if not decoding.is_withdrawn(store, base, "inst", file.sha256[:KEY_LENGTH])
    ]
    later = left[left.index(source.file) + 1 :] if source.file in left else []
    if sources.is_description(store, base, source.file) and any(
        sources.is_description(store, base, one) for one in later
    ):
        said = (
            "A later version of this description rests on its passages too; describe the version "
            "that is to stand, with --update, or withdraw the whole record."
        )
        return [Reason("notLive", said)]
    if left == [source.file]:
        said = "It is the last file of its record; withdraw the whole record."
        return [Reason("notLive", said)]
    if not source.files:
        return [Reason("notLive", "Another record has this file too; withdraw the whole record.")]
    return _replaced(store, base, source)


def _replaced(store: QuadReader, base: Base, source: Source) -> list[Reason]:
    """Passages that outlived a replacement are of two files: neither can go alone."""
    mine, nodes = set(source.units), set(source.nodes)
    graphs = (base.public, base.internal)
    for key in source.units:
        texts = decoding.unit(store, base, key).texts
        if any(base.iri("inst", text.version) not in nodes for text in texts):
            said = "It was replaced by another file; undo that first, or withdraw the record."
            return [Reason("notLive", said)]
    brought = [
        quad.object
        for node in nodes
        for graph in graphs
        for text in store.match(None, KMS("inVersion"), node, graph)
        if isinstance(text.subject, NamedNode)
        for quad in store.match(text.subject, KMS("ofUnit"), None, graph)
    ]
    transcribed = any(
        next(iter(store.match(None, KMS("transcribedIn"), source.iri(base), graph)), None)
        for graph in graphs
    )
    if transcribed or any(_ref(base, unit).key not in mine for unit in brought):
        return [Reason("notLive", "It replaced another file; undo that replacement instead.")]
    return []
