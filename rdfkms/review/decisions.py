"""How a decision of a person is written: one change, journaled with who, when and why (R78, R80).

A decision is a node of the graph `internal`; the claims it touches, what they project, tombstones
and lessons are in the same change, so that it is there whole or not at all, and can be undone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.access import demand, is_open, today
from rdfkms.admission.judged import Judged
from rdfkms.admission.judging import Gate
from rdfkms.admission.known import RivalsInSight
from rdfkms.admission.shaping import Shapes
from rdfkms.errors import BadInput, NotFound
from rdfkms.knowledge import decoding
from rdfkms.knowledge.encoding import ref_iri
from rdfkms.knowledge.mapping import Mapping as Table
from rdfkms.knowledge.nodes import key_in
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.ledger.overlay import Overlaid
from rdfkms.ledger.work import CandidateRow, Work, now
from rdfkms.model import Claim, EvidenceUnit, Principal, Ref, Role, Status
from rdfkms.ports import QuadReader
from rdfkms.review import lessons, tasks
from rdfkms.review.lessons import Lesson
from rdfkms.review.projecting import projection
from rdfkms.review.queue import Queue
from rdfkms.review.rewriting import retold, rewritten
from rdfkms.review.tasks import Task
from rdfkms.review.tombstones import stones
from rdfkms.vocab import KMS, PROV, TYPE, XSD, Base

LONGEST_NOTE = 2_000
KINDS = (
    "accept", "reject", "edit", "amend", "merge", "differ", "split", "rank", "reopen", "keep",
    "dismiss", "undo", "withdraw", "replace",
)  # fmt: skip
_STONE = {
    "edit": "corrected", "amend": "corrected", "reopen": "reopened", "reject": "rejected",
    "merge": "mergedAway", "withdraw": "sourceWithdrawn", "replace": "reopened",
}  # fmt: skip


@dataclass(frozen=True)
class Desk:
    """What a reviewer's act needs: the archive's ledger and rows, the mapping, the shapes."""

    ledger: Ledger
    work: Work
    mapping: Table
    shapes: Shapes

    @cached_property
    def base(self) -> Base:
        """The base of the archive's IRIs."""
        return self.ledger.base

    def gate(self, view: QuadReader, *, is_open: bool) -> Gate:
        """Return the gate over `view` for claims of records that are open, or not."""
        known = RivalsInSight(view, self.base, is_open=is_open)
        settings = self.ledger.archive.settings.gate
        return Gate(self.mapping, self.shapes, self.base, settings, known)

    def claim(self, key: str) -> Claim:
        """Return a claim; raises `NotFound` with what to do."""
        found = decoding.claims(self.ledger.store, self.base, [key])
        if not found:
            raise NotFound(f"There is no claim {key}.", hint="See `rdfkms review list`.")
        return found[0]

    def claims_of_unit(self, unit: str) -> list[Claim]:
        """Return the claims that quote a passage, whatever their status."""
        return decoding.claims_of_unit(self.ledger.store, self.base, unit)

    def unit(self, claim: Claim) -> EvidenceUnit:
        """Return the passage that the claim quotes first."""
        return decoding.unit(self.ledger.store, self.base, claim.pointers[0].unit)

    def is_open(self, claim: Claim, view: QuadReader | None = None) -> bool:
        """Return whether anyone may read every record that the claim quotes, as `view` has them."""
        store = view or self.ledger.store
        records = {decoding.unit(store, self.base, p.unit).record for p in claim.pointers}
        return all(is_open(decoding.access_of_record(store, self.base, r)) for r in records)


@dataclass(frozen=True, slots=True)
class Draft:
    """What a person wants: claims as they are to be, and quads that are no claim's own.

    `rows` are new candidates with their verdicts; `things` are merged or parted by it.
    """

    kind: str
    claims: tuple[Claim, ...] = ()
    decides: tuple[str, ...] = ()  # claims that it names without rewriting them
    rows: tuple[Judged, ...] = ()
    remove: tuple[Quad, ...] = ()
    add: tuple[Quad, ...] = ()
    things: tuple[Ref, ...] = ()
    teaches: tuple[Lesson, ...] = ()
    forgets: tuple[Lesson, ...] = ()
    note: str = ""
    undoes: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision as it was written: key, kind, who, when, why, on what, at which revision."""

    key: str
    kind: str
    principal: str
    role: str
    time: str
    note: str
    claims: tuple[str, ...]
    things: tuple[Ref, ...] = ()
    undoes: str = ""
    undone_by: str = ""
    revision: int = 0


@dataclass
class Patch:
    """Quads to remove and to add, as they are gathered."""

    remove: list[Quad] = field(default_factory=list)
    add: list[Quad] = field(default_factory=list)

    def include(self, patch: tuple[list[Quad], list[Quad]]) -> None:
        """Add the quads of another patch."""
        self.remove += patch[0]
        self.add += patch[1]


def write(desk: Desk, draft: Draft, principal: Principal, own: Patch | None = None) -> Decision:
    """Write the decision with all that follows from it; returns it.

    The caller holds the ledger (`Ledger.frozen`), so that nothing changes between what was
    examined and what is written. Raises `Denied` below reviewer, `BadInput` for too long a note.
    """
    demand(principal, Role.REVIEWER, "decide on claims")
    if len(draft.note) > LONGEST_NOTE:
        raise BadInput(f"A note may have {LONGEST_NOTE} characters; this has {len(draft.note)}.")
    ledger, base = desk.ledger, desk.base
    patch = patch_of(desk, draft, own)
    key = ledger.archive.persons_key(
        "decision", draft.kind, ledger.revision + 1, principal.id, *_named(draft)
    )
    made = Decision(
        key=key, kind=draft.kind, principal=principal.id, role=str(principal.role),
        time=now("milliseconds"),
        note=draft.note, claims=_keys(draft), things=draft.things,
        undoes=draft.undoes,
    )  # fmt: skip
    patch.add += list(_described(made, base))
    for lesson in draft.forgets:
        patch.remove += lessons.forgotten(ledger.store, base, lesson)
    for lesson in draft.teaches:
        patch.add += list(lessons.quads(lesson, key, base))
    undoes = [f"undoes/{draft.undoes}"] if draft.undoes else []
    subject = " ".join([f"decision/{key}", *undoes, *(f"claim/{k}" for k in _keys(draft))])
    activity = Activity("decision", subject=subject, batch=key, note=draft.note)
    change = Change(activity, add=tuple(patch.add), remove=tuple(patch.remove))
    if draft.rows:
        rows = [
            CandidateRow(r.candidate, r.verdict, r.claim.key if r.claim else None, "", key)
            for r in draft.rows
        ]
        desk.work.prepare(key, "", rows, (), ())
    revision = ledger.commit(change, principal)
    if draft.rows:
        desk.work.settle(key)
    made = replace(made, revision=revision)
    follow(desk, made)
    return made


def patch_of(desk: Desk, draft: Draft, own: Patch | None = None) -> Patch:
    """Return what a decision comes to, with what follows for entities; nothing is written."""
    store, base = desk.ledger.store, desk.base
    patch = own or own_patch(desk, draft)
    patch.include(projection(store, base, desk.mapping, patch.remove, patch.add, draft.things))
    after = Overlaid(store, patch.remove, patch.add)
    told = _STONE.get(draft.kind, "rolledBack")
    patch.include(stones(store, after, base, [*patch.remove, *patch.add], told, today()))
    return patch


def follow(desk: Desk, made: Decision) -> None:
    """Bring the queue in step with a decision: what it settled closes, what it raised opens."""
    store, base, queue = desk.ledger.store, desk.base, Queue(desk.work)
    raised: list[Task] = []
    for claim in decoding.claims(store, base, made.claims):
        if claim.status is Status.QUARANTINED:
            raised.append(tasks.of_claim(claim, desk.unit(claim), desk.mapping))
        elif claim.status is Status.ADMITTED:
            raised += tasks.of_conflicts(claim)
    queue.add(raised)
    paths = [ref.path for ref in made.things]
    queue.follow(made.claims, paths, store, base, made.revision, made.undoes or made.key)


def own_patch(desk: Desk, draft: Draft) -> Patch:
    """Return what a decision changes of claims' own quads, before anything is projected."""
    patch = Patch(list(draft.remove), list(draft.add))
    store = desk.ledger.store
    view = Overlaid(store, draft.remove, draft.add)  # what is quoted may come with the decision
    changed = {claim.key: claim for claim in draft.claims}
    beside = {c.key: c for claim in draft.claims for c in _rivals(desk, claim, changed)}
    for claim in (*draft.claims, *beside.values()):
        public = claim.status is Status.ADMITTED and desk.is_open(claim, view)
        patch.include(rewritten(store, desk.base, desk.mapping, claim, public=public))
        patch.add += _flags(desk, claim, public=public) if claim.key in changed else ()
    return patch


def _rivals(desk: Desk, claim: Claim, changed: Mapping[str, Claim]) -> list[Claim]:
    """The claims that conflicted with one that stands no more, as they are without it."""
    if claim.status is Status.ADMITTED:
        return []
    base, store = desk.base, desk.ledger.store
    iri, flag = base.iri("claim", claim.key), KMS("conflictsWith")
    keys = {
        key_in(base, quad.subject)
        for graph in (base.public, base.internal)
        for quad in store.match(None, flag, iri, graph)
    }
    found = []
    for rival in decoding.claims(store, base, sorted(keys - changed.keys())):
        left = tuple(key for key in rival.conflicts if key not in changed)
        found.append(replace(rival, conflicts=left, reasons=retold(store, base, rival, left)))
    return found


def _flags(desk: Desk, claim: Claim, *, public: bool) -> list[Quad]:
    """A conflict is flagged on both sides; a public claim never names an internal one."""
    base = desk.base
    iri, here = base.iri("claim", claim.key), base.public if public else base.internal
    return [Quad(base.iri("claim", k), KMS("conflictsWith"), iri, here) for k in claim.conflicts]


def _keys(draft: Draft) -> tuple[str, ...]:
    return (*(claim.key for claim in draft.claims), *draft.decides)


def _named(draft: Draft) -> Iterator[str]:
    yield from _keys(draft)
    yield from (ref.path for ref in draft.things)
    yield draft.undoes


def _described(made: Decision, base: Base) -> Iterator[Quad]:
    """Yield the quads of the decision itself: they stay when it is undone."""
    iri, graph = base.iri("decision", made.key), base.internal

    def text(name: str, value: str) -> Quad:
        return Quad(iri, KMS(name), Literal(value), graph)

    yield Quad(iri, TYPE, KMS("Decision"), graph)
    yield Quad(iri, TYPE, PROV("Activity"), graph)
    yield text("decisionKind", made.kind)
    yield text("decidedBy", made.principal)
    yield text("decidedAs", made.role)
    yield Quad(iri, PROV("endedAtTime"), Literal(made.time, datatype=XSD("dateTime")), graph)
    if made.note:
        yield text("decisionNote", made.note)
    for key in made.claims:
        yield Quad(iri, KMS("decides"), base.iri("claim", key), graph)
    for ref in made.things:
        yield Quad(iri, KMS("decides"), ref_iri(ref, base), graph)
    if made.undoes:
        yield Quad(iri, KMS("undoes"), base.iri("decision", made.undoes), graph)


def read(ledger: Ledger, key: str) -> Decision:
    """Return a decision; raises `NotFound`."""
    store, base = ledger.store, ledger.base
    iri = base.iri("decision", key)
    terms: dict[str, list[str]] = {}
    for quad in store.match(iri, None, None, base.internal):
        value = getattr(quad.object, "value", "")
        terms.setdefault(quad.predicate.value.rpartition("#")[2], []).append(value)
    if "decisionKind" not in terms:
        raise NotFound(f"There is no decision {key}.", hint="See `rdfkms review decisions`.")
    decided = [r for v in sorted(terms.get("decides", [])) if (r := base.split(v)) is not None]
    later = next(iter(store.match(None, KMS("undoes"), iri, base.internal)), None)
    return Decision(
        key=key,
        kind=terms["decisionKind"][0],
        principal=terms["decidedBy"][0],
        role=terms["decidedAs"][0],
        time=terms["endedAtTime"][0],
        note=terms.get("decisionNote", [""])[0],
        claims=tuple(key for kind, key in decided if kind == "claim"),
        things=tuple(Ref(*r) for r in decided if r[0] != "claim"),
        undoes=_key(base, terms.get("undoes", [""])[0]),
        undone_by=_key(base, str(getattr(later.subject, "value", ""))) if later else "",
        revision=ledger.journal.revision_of_batch(key),
    )


def of_claim(ledger: Ledger, key: str) -> list[Decision]:
    """Return the decisions on a claim, in order of time."""
    return about(ledger, key)


def about(ledger: Ledger, name: str) -> list[Decision]:
    """Return the decisions on a claim (key) or thing (``kind/key``), in order of time."""
    store, base = ledger.store, ledger.base
    kind, slash, key = name.rpartition("/")
    iri = base.iri(kind.rpartition("/")[2] if slash else "claim", key)
    found = [
        read(ledger, _key(base, quad.subject.value))
        for quad in list(store.match(None, KMS("decides"), iri, base.internal))
        if isinstance(quad.subject, NamedNode)
    ]
    return sorted(found, key=lambda d: (d.revision, d.key))


def latest(ledger: Ledger, limit: int) -> list[Decision]:
    """Return the newest decisions, the newest first."""
    entries = ledger.journal.entries(payload=False, kind="decision", descending=True)
    return [read(ledger, entry.activity.batch) for entry in islice(entries, limit)]


def _key(base: Base, iri: str) -> str:
    split = base.split(iri)
    return split[1] if split else ""
