"""What goes when a law forbids to keep a record or a claim: every quad that holds its words (R80).

What is erased is withdrawn first, so that nothing asserts it any more. Tombstones stay. Who
decided what and when stays too, without the words. `app.erasing` then clears journal, rows, files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pyoxigraph import Literal, NamedNode, Quad, Triple

from rdfkms.access import today
from rdfkms.admission.conflicts import CODES
from rdfkms.admission.reasons import REASONS, quoted
from rdfkms.knowledge import decoding
from rdfkms.model import Claim, Principal, Ref, Status
from rdfkms.ports import QuadReader, Term
from rdfkms.review import acts, decisions, sources, withdrawing
from rdfkms.review.decisions import Decision, Desk, Draft
from rdfkms.review.rewriting import own_quads
from rdfkms.review.tombstones import is_stone, lifted, tombstone
from rdfkms.vocab import KMS, KV, PROV, RICO, TYPE, Base, key_of

REDACTED = "“…”"
_FILES = ("sha256", "picture", "layoutFile")
_OWN = ("record", "inst", "evidence", "text", "enrichment", "claim", "lesson")
_PROJECTED = ("name", "rel", "date", "occupation")
_TOLD = ("endWithdrawn", *CODES)  # reasons that quote other claims
_OPENINGS = tuple(REASONS[code].partition("{")[0] for code in _TOLD)
_ASSERTING = (KMS("claimSubject"), KMS("claimPredicate"), KMS("claimObject"), KMS("claimValue"))
_SAID = (KMS("quote"), KMS("claimValue"), KMS("verbatim"))
_LIVE = (Status.ADMITTED, Status.QUARANTINED, Status.REJECTED)


@dataclass(frozen=True, slots=True)
class Erasure:
    """What an erasure takes out of the store, and what it must be looked for elsewhere by.

    `units` and `claims` are keys, `things` what these claims alone name, `files` SHA-256 of files
    that nothing else needs, `nodes` IRIs.
    """

    subject: str
    units: tuple[str, ...]
    claims: tuple[str, ...]
    things: tuple[str, ...]
    files: tuple[str, ...]
    names: tuple[str, ...]
    nodes: tuple[str, ...]
    remove: tuple[Quad, ...]
    add: tuple[Quad, ...]


def withdrawn_first(
    desk: Desk, record: str, claims: Sequence[str], principal: Principal, note: str
) -> Decision | None:
    """Withdraw what is to be erased and still stands; returns the decision, None for nothing."""
    with desk.ledger.frozen():
        if record:
            if decoding.is_withdrawn(desk.ledger.store, desk.base, "record", record):
                return None
            plan = withdrawing.plan(desk, record)
            return withdrawing.apply(desk, plan, principal, note=note)
        going = [c for key in claims if (c := desk.claim(key)).status in _LIVE]
        if not going:
            return None
        lost = withdrawing.unnamed(desk.ledger.store, desk.base, going)
        gone = [acts.standing_down(replace(c, status=Status.WITHDRAWN)) for c in going]
        sent = [*withdrawing.bereft(desk, Draft("withdraw", tuple(gone)), going, lost)]
        sent += [c for c in _resting(desk, going) if c.key not in {s.key for s in sent}]
        return decisions.write(desk, Draft("withdraw", (*gone, *sent), note=note), principal)


def _resting(desk: Desk, going: Sequence[Claim]) -> Iterator[Claim]:
    """Yield what would lose an end in its own passage, as it waits for review."""
    gone = {claim.key for claim in going}
    for claim in going:
        for other in acts.dependents(desk, claim):
            if other.key not in gone:
                yield acts.standing_down(acts.bereft(other, claim))


def plan(desk: Desk, record: str, claims: Sequence[str]) -> Erasure:
    """Return what erasing a record, or some claims, takes out of the store as it is now.

    Raises `NotFound` for what is not there.
    """
    store, base = desk.ledger.store, desk.base
    units: tuple[str, ...] = ()
    quads: list[Quad] = []
    nodes: list[NamedNode] = []
    names: list[str] = []
    if record:
        source = sources.source_of(store, base, record)
        units, nodes = source.units, list(source.nodes)
        quads = [
            q for g in (base.public, base.internal) for q in sources.quads_of(store, source, g)
        ]
        known = sources.claims_on(store, base, units)
        mine = set(units)
        alone = [c for c in known if all(p.unit in mine for p in c.pointers)]
        naming = sources.claims_naming(store, base, record)
        alone += [c for c in naming if c not in alone]
        names = [file.name for file in decoding.record(store, base, record).files]
    else:
        alone = [desk.claim(key) for key in claims]
    for claim in alone:
        quads += own_quads(store, base, claim.key)
        nodes.append(base.iri("claim", claim.key))
    quads += _lessons(store, base, alone)
    stale, fresh = _redacted(store, base, alone, {q.subject for q in quads})
    removed = dict.fromkeys(q for q in (*quads, *stale) if not is_stone(q))
    stones, lifted_ = _stones(store, base, nodes, f"record/{record}" if record else "")
    return Erasure(
        subject=f"record/{record}" if record else " ".join(f"claim/{c.key}" for c in alone),
        units=units,
        claims=tuple(c.key for c in alone),
        things=tuple(ref.path for ref in _things(store, base, alone)),
        files=tuple(dict.fromkeys(_files(store, quads))),
        names=tuple(names),
        nodes=(
            *_nodes(base, nodes, alone),
            *(base.iri(ref.kind, ref.key).value for ref in _things(store, base, alone)),
        ),
        remove=(*removed, *lifted_),
        add=(*fresh, *stones),
    )


def quote_of(quad: Quad) -> str:
    """Return the words of a claim's quad as reasons quote them, empty for any other quad."""
    if quad.predicate in _SAID and isinstance(quad.object, Literal):
        return quoted(quad.object.value)
    return ""


def sentence_of(quad: Quad) -> str:
    """Return the sentence of a reason that quotes other claims, empty for any other quad."""
    if quad.predicate == KMS("reasonText") and isinstance(quad.object, Literal):
        said = quad.object.value
        return said if said.startswith(_OPENINGS) else ""
    return ""


def asserted(after: QuadReader, base: Base, removed: Iterable[Quad]) -> Iterator[Triple]:
    """Yield what claims among the removed quads asserted, and nobody asserts any more."""
    parts: dict[object, dict[NamedNode, Term]] = {}
    for quad in removed:
        if quad.predicate in _ASSERTING and not isinstance(quad.object, Triple):
            parts.setdefault(quad.subject, {})[quad.predicate] = quad.object
    for said in parts.values():
        subject, predicate, *things = (said.get(name) for name in _ASSERTING)
        if not isinstance(subject, NamedNode) or not isinstance(predicate, NamedNode):
            continue
        for thing in things:
            if thing is None:
                continue
            both: list[tuple[NamedNode, Term]] = [(subject, thing)]
            both += [(thing, subject)] if isinstance(thing, NamedNode) else []
            for one, other in both:
                stands = (Quad(one, predicate, other, g) for g in (base.public, base.internal))
                if not any(after.contains(quad) for quad in stands):
                    yield Triple(one, predicate, other)


def of_row(store: QuadReader, base: Base, subject: str, removed: Iterable[Quad]) -> Erasure:
    """Return an erasure from the journal's row that took it out: a crash may have come after."""
    quads = tuple(removed)
    units: set[str] = set()
    claims: set[str] = set()
    things: set[str] = set()
    names: set[str] = set()
    nodes: set[str] = set()
    for quad in quads:
        split = base.split(quad.subject.value) if isinstance(quad.subject, NamedNode) else None
        if split is None or split[0] not in _OWN or quad.predicate == KMS("reasonText"):
            continue
        kind, key = split
        nodes.add(f"{base.base}/id/{kind}/{key}")
        if kind == "evidence":
            units.add(key)
        elif kind == "claim":
            claims.add(key)
            nodes.update(_projected(base, key))
        if quad.predicate == KMS("claimSubject") and isinstance(quad.object, NamedNode):
            things |= _silent(store, base, quad.object)
        called = quad.predicate == KMS("fileName") or (
            quad.predicate == RICO("title") and kind == "record"
        )
        if called and isinstance(quad.object, Literal):
            names.add(quad.object.value)
    nodes |= {base.iri(*path.split("/", 1)).value for path in things}
    files = {
        q.object.value
        for q in quads
        if q.predicate in [KMS(name) for name in _FILES] and isinstance(q.object, Literal)
    }
    return Erasure(
        subject, tuple(sorted(units)), tuple(sorted(claims)), tuple(sorted(things)),
        tuple(sorted(files)), tuple(sorted(names)), tuple(sorted(nodes)), quads, (),
    )  # fmt: skip


def _silent(store: QuadReader, base: Base, thing: NamedNode) -> set[str]:
    """Return the path of a thing of which no claim speaks any more."""
    ends = (KMS("claimSubject"), KMS("claimObject"), KMS("claimPlace"))
    spoken = any(next(iter(store.match(None, end, thing, None)), None) for end in ends)
    split = base.split(thing.value)
    return set() if spoken or split is None else {"/".join(split)}


# ---- what goes ----------------------------------------------------------------------------------


def _nodes(base: Base, nodes: Iterable[NamedNode], claims: Iterable[Claim]) -> Iterator[str]:
    seen = dict.fromkeys(node.value.partition("#")[0] for node in nodes)
    for claim in claims:
        seen |= dict.fromkeys(_projected(base, claim.key))
    yield from seen


def _projected(base: Base, claim: str) -> Iterator[str]:
    """Yield the IRIs of the nodes that a claim projects."""
    for kind in _PROJECTED:
        yield base.iri(kind, claim).value
    yield base.iri("date", key_of("time", claim)).value


def _things(store: QuadReader, base: Base, claims: Sequence[Claim]) -> list[Ref]:
    """Return the things of which no other claim speaks."""
    own = {claim.key for claim in claims}
    things = {ref for c in claims for ref in (c.subject, c.object, c.place) if ref is not None}
    return [
        thing
        for thing in sorted(things, key=lambda ref: ref.path)
        if not any(c.key not in own for c in decoding.claims_of_thing(store, base, thing))
    ]


def _files(store: QuadReader, quads: Iterable[Quad]) -> Iterator[str]:
    """Yield the SHA-256 of files that only these quads name."""
    own = set(quads)
    for name in _FILES:
        for quad in sorted(own, key=str):
            if quad.predicate == KMS(name) and isinstance(quad.object, Literal):
                users = (q for p in _FILES for q in store.match(None, KMS(p), quad.object, None))
                if all(user in own for user in users):
                    yield quad.object.value


def _lessons(store: QuadReader, base: Base, claims: Iterable[Claim]) -> list[Quad]:
    """Return the lessons of decisions on these claims: they repeat words of them."""
    found: list[Quad] = []
    for claim in claims:
        for told in store.match(None, KMS("decides"), base.iri("claim", claim.key), base.internal):
            if not isinstance(told.subject, NamedNode):
                continue
            for lesson in store.match(None, PROV("wasGeneratedBy"), told.subject, base.internal):
                if isinstance(lesson.subject, NamedNode) and store.contains(
                    Quad(lesson.subject, TYPE, KMS("Lesson"), base.internal)
                ):
                    found += store.match(lesson.subject, None, None, base.internal)
    return found


def _redacted(
    store: QuadReader, base: Base, claims: Iterable[Claim], own: set[object]
) -> tuple[list[Quad], list[Quad]]:
    """Return the reasons of other claims that quote these, and what takes their place."""
    words = {quoted(p.quote) for c in claims for p in c.pointers}
    words |= {quoted(c.value.lexical) for c in claims if c.value is not None}
    stale: list[Quad] = []
    fresh: list[Quad] = []
    for code in _TOLD:
        for graph in (base.public, base.internal):
            for note in store.match(None, KMS("reason"), KV(code), graph):
                if not isinstance(note.subject, NamedNode) or note.subject in own:
                    continue
                for told in store.match(note.subject, KMS("reasonText"), None, graph):
                    if not isinstance(told.object, Literal):
                        continue
                    clean = text = told.object.value
                    for said in sorted(words, key=len, reverse=True):
                        clean = clean.replace(said, REDACTED)
                    if clean == text:
                        continue
                    for g in (base.public, base.internal):  # the claim repeats it beside the note
                        for same in store.match(None, KMS("reasonText"), told.object, g):
                            if same.subject not in own:
                                stale.append(same)
                                fresh.append(Quad(same.subject, same.predicate, Literal(clean), g))
    return stale, fresh


def _stones(
    store: QuadReader, base: Base, nodes: Sequence[NamedNode], always: str
) -> tuple[list[Quad], list[Quad]]:
    """Return tombstones that say "erased", of what was public once and of the record itself.

    A page gets one too, so that the same file is not taken in again.
    """
    add: list[Quad] = []
    gone: list[Quad] = []
    for node in nodes:
        had = store.contains(Quad(node, TYPE, KMS("Tombstone"), base.public))
        split = base.split(node.value)
        kept = split is not None and (always == "/".join(split) or (always and split[0] == "inst"))
        if "#" not in node.value and (had or kept):
            gone += lifted(store, base, [node])
            add += tombstone(node, "erased", today(), base)
    return add, gone
