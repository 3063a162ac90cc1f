"""Takes back claims, or all that only one run stands behind; a plan is its own dry run (DESIGN 5).

Rolled back claims become `withdrawn` in the graph `internal`; what they projected goes, unless
other admitted claims say it too. Where others built on them, the plan says so and is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pyoxigraph import Quad

from rdfkms.access import demand, today
from rdfkms.errors import Conflict, NotFound
from rdfkms.knowledge import decoding
from rdfkms.knowledge.mapping import load
from rdfkms.knowledge.nodes import key_in
from rdfkms.knowledge.statements import NAMED_AS, TRIGGERED_BY
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.ledger.overlay import Overlaid
from rdfkms.model import Claim, Modality, Principal, Rank, Reason, Ref, Role, Status
from rdfkms.ports import TripleStore
from rdfkms.review.acts import standing_down
from rdfkms.review.merges import Merges, merges
from rdfkms.review.projecting import is_public, projection
from rdfkms.review.rewriting import retold, rewritten
from rdfkms.review.tombstones import stones
from rdfkms.vocab import KMS, PROV, Base

_DESCRIPTION = KMS(Modality.DESCRIPTION.value)
_GENERATED = PROV("wasGeneratedBy")
_LIVE = (Status.ADMITTED, Status.QUARANTINED)
_NAMING = (NAMED_AS, TRIGGERED_BY)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A claim that cannot be taken back, and why."""

    claim: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class RollbackPlan:
    """What a rollback would do at `revision`; nothing is done where `refusals` has any.

    `withdrawn`: claims as they are now. `kept`: claims that other runs stand behind too, which
    only lose the run. `entities`: things that no admitted claim would name any more.
    """

    targets: tuple[str, ...]
    withdrawn: tuple[Claim, ...]
    kept: tuple[Claim, ...]
    entities: tuple[Ref, ...]
    remove: tuple[Quad, ...]
    add: tuple[Quad, ...]
    refusals: tuple[Refusal, ...]
    revision: int


@dataclass(frozen=True, slots=True)
class Found:
    """What is meant by targets at a revision, and why it may not all be taken back."""

    targets: tuple[str, ...]
    revision: int
    withdrawn: tuple[Claim, ...]
    kept: tuple[Claim, ...]
    runs: frozenset[str]
    lost: tuple[Ref, ...]
    refusals: tuple[Refusal, ...]


def find(ledger: Ledger, targets: Sequence[str]) -> Found:
    """Return what targets (keys or IRIs of claims or runs) mean, and who objects.

    What taking them back would do is not worked out. Raises `NotFound` for what is neither.
    """
    store, base = ledger.store, ledger.base
    revision = ledger.revision
    claims, runs, refusals = _resolve(store, base, targets)
    named = set(_keys(base, targets))
    withdrawn = tuple(c for c in claims if not set(c.runs) - runs or c.key in named)
    kept = tuple(c for c in claims if set(c.runs) - runs and c.key not in named)
    lost = _unnamed(store, base, withdrawn)
    refusals += _built_upon(ledger, withdrawn, lost, merges(store, base))
    return Found(
        tuple(targets), revision, withdrawn, kept, frozenset(runs), tuple(lost), tuple(refusals)
    )


def plan(ledger: Ledger, targets: Sequence[str], why: Reason | None = None) -> RollbackPlan:
    """Return what taking back `targets` (keys or IRIs of claims or runs) would do.

    `why` is told on the claims. Raises `NotFound` for a target that is neither.
    """
    return plan_of(ledger, find(ledger, targets), why)


def plan_of(ledger: Ledger, found: Found, why: Reason | None = None) -> RollbackPlan:
    """Return what taking back what was found would do, as long as nobody wrote since."""
    store, base = ledger.store, ledger.base
    remove, add = _patch(store, base, found, why)
    return RollbackPlan(
        targets=found.targets,
        withdrawn=found.withdrawn,
        kept=found.kept,
        entities=found.lost,
        remove=tuple(dict.fromkeys(remove)),
        add=tuple(dict.fromkeys(add)),
        refusals=found.refusals,
        revision=found.revision,
    )


def apply(ledger: Ledger, plan: RollbackPlan, principal: Principal) -> int:
    """Do what a plan says; returns the new revision.

    Raises `Conflict` where the plan was refused or somebody wrote since it was made, `Denied`
    below the role reviewer.
    """
    demand(principal, Role.REVIEWER, "take back claims")
    if plan.refusals:
        first = plan.refusals[0].reason.sentence
        raise Conflict(
            f"Not taken back: {first} ({len(plan.refusals)} reasons in all.)",
            hint="Take back what was built on it first, or name it too.",
        )
    activity = Activity("rollback", subject=" ".join(plan.targets))
    change = Change(activity, add=plan.add, remove=plan.remove)
    return ledger.commit(change, principal, expect=plan.revision)


# ---- what is meant ----------------------------------------------------------------------------


def _keys(base: Base, targets: Iterable[str]) -> list[str]:
    found = []
    for target in targets:
        split = base.split(target)
        found.append(split[1] if split else target.rpartition("/")[2])
    return found


def _resolve(
    store: TripleStore, base: Base, targets: Sequence[str]
) -> tuple[list[Claim], set[str], list[Refusal]]:
    """Return the live claims meant, the runs meant, and refusals of claims that are not live."""
    found: dict[str, Claim] = {}
    runs: set[str] = set()
    refusals: list[Refusal] = []
    for target, key in zip(targets, _keys(base, targets), strict=True):
        one = decoding.claims(store, base, [key])
        of_run = [] if one else decoding.claims_of_run(store, base, key)
        if not one and not of_run:
            raise NotFound(
                f"{target} is neither a claim nor a run with claims.",
                hint="`rdfkms audit log` lists the runs; a claim's page shows its key.",
            )
        if of_run:
            runs.add(key)
        for claim in one or of_run:
            if claim.status in _LIVE:
                found[claim.key] = claim
            elif claim.status is Status.SUPERSEDED:
                refusals.append(_refusal(claim, "edited", "was replaced by an edited claim"))
            elif one:
                refusals.append(_refusal(claim, "notLive", f"is {claim.status} already"))
    return [found[key] for key in sorted(found)], runs, refusals


def _refusal(claim: Claim, code: str, predicate: str) -> Refusal:
    return Refusal(claim.key, Reason(code, f"Claim {claim.key} {predicate}."))


# ---- who built on it --------------------------------------------------------------------------


def _unnamed(store: TripleStore, base: Base, withdrawn: Sequence[Claim]) -> list[Ref]:
    """Return the things that no admitted claim would name once these claims are gone."""
    gone = {claim.key for claim in withdrawn}
    things = sorted({c.subject for c in withdrawn if c.statement in _NAMING}, key=lambda r: r.path)
    return [
        thing
        for thing in things
        if not any(
            other.statement in _NAMING and other.status is Status.ADMITTED
            for other in decoding.claims_of_thing(store, base, thing)
            if other.subject == thing and other.key not in gone
        )
    ]


def _built_upon(
    ledger: Ledger, withdrawn: Sequence[Claim], lost: Sequence[Ref], known: Merges
) -> list[Refusal]:
    """Return why others' work forbids it: decisions, merges, claims about what would go."""
    gone = {claim.key: claim for claim in withdrawn}
    decided = _decided(ledger)
    refusals = [
        _refusal(claim, "decided", "was decided by a person, whose decision rests on it")
        for claim in withdrawn
        if claim.key in decided or claim.rank is not Rank.NORMAL
    ]
    for thing in lost:
        naming = next(c for c in withdrawn if c.subject == thing and c.statement in _NAMING)
        if known.touches(thing):
            refusals.append(_refusal(naming, "merged", f"names {thing.path}, which was merged"))
        for other in decoding.claims_of_thing(ledger.store, ledger.base, thing):
            if other.key not in gone and other.status in _LIVE:
                said = f"alone names {thing.path}, of which claim {other.key} speaks"
                refusals.append(_refusal(naming, "spokenOf", said))
    return [*refusals, *_resting(ledger, gone, set(lost))]


def _resting(ledger: Ledger, gone: dict[str, Claim], lost: set[Ref]) -> list[Refusal]:
    """Return why a name may not go: what its own passage says of the thing needs it there."""
    refusals = []
    for claim in gone.values():
        admitted = claim.status is Status.ADMITTED and claim.statement == NAMED_AS
        if not admitted or claim.subject in lost or not claim.pointers:
            continue
        unit = claim.pointers[0].unit
        if _describes(ledger, unit):
            continue
        near = decoding.claims_of_unit(ledger.store, ledger.base, unit)
        left = [c for c in near if c.status is Status.ADMITTED and c.key not in gone]
        if any(c.statement == NAMED_AS and c.subject == claim.subject for c in left):
            continue
        for other in left:
            if claim.subject in (other.subject, other.object, other.place):
                said = f"alone names in its passage that of which claim {other.key} speaks"
                refusals.append(_refusal(claim, "spokenOf", said))
    return refusals


def _describes(ledger: Ledger, unit: str) -> bool:
    """Whether a passage is a description: what it says needs nobody to be named within it."""
    iri, base = ledger.base.iri("evidence", unit), ledger.base
    return any(
        ledger.store.contains(Quad(iri, KMS("modality"), _DESCRIPTION, graph))
        for graph in (base.public, base.internal)
    )


def _decided(ledger: Ledger) -> set[str]:
    """Return the keys that people's decisions name, without those that were undone."""
    named: set[str] = set()
    undone: set[str] = set()
    for entry in ledger.journal.entries(payload=False, kind="decision", descending=True):
        words = [word.partition("/")[::2] for word in entry.activity.subject.split()]
        back = {key for kind, key in words if kind == "undoes"}
        if undone & {key for kind, key in words if kind == "decision"}:
            continue
        if back:
            undone |= back
        else:
            named |= {key for kind, key in words}
    return named


# ---- the patch --------------------------------------------------------------------------------


def _patch(
    store: TripleStore, base: Base, found: Found, why: Reason | None
) -> tuple[list[Quad], list[Quad]]:
    mapping = load()
    remove = [q for c in found.kept for run in found.runs for q in _generated(store, base, c, run)]
    add: list[Quad] = []
    told = (why,) if why is not None else ()
    after = [
        standing_down(replace(c, status=Status.WITHDRAWN, reasons=(*c.reasons, *told)))
        for c in found.withdrawn
    ]
    for claim in (*after, *_freed(store, base, found.withdrawn)):
        public = claim.status is not Status.WITHDRAWN and is_public(store, base, claim.key)
        gone, new = rewritten(store, base, mapping, claim, public=public)
        remove += gone
        add += new
    old, new = projection(store, base, mapping, remove, add)
    remove += old
    add += new
    lifted, stones_ = stones(
        store, Overlaid(store, remove, add), base, [*remove, *add], "rolledBack", today()
    )
    return [*remove, *lifted], [*add, *stones_]


def _freed(store: TripleStore, base: Base, withdrawn: Sequence[Claim]) -> list[Claim]:
    """Return the claims that conflicted with some of these, as they are without them."""
    gone = {claim.key for claim in withdrawn}
    keys = {
        key_in(base, quad.subject)
        for key in gone
        for graph in (base.public, base.internal)
        for quad in store.match(None, KMS("conflictsWith"), base.iri("claim", key), graph)
    }
    freed = []
    for claim in decoding.claims(store, base, sorted(keys - gone)):
        left = tuple(key for key in claim.conflicts if key not in gone)
        freed.append(replace(claim, conflicts=left, reasons=retold(store, base, claim, left)))
    return freed


def _generated(store: TripleStore, base: Base, claim: Claim, run: str) -> list[Quad]:
    iri, of_run = base.iri("claim", claim.key), base.iri("run", run)
    return [
        quad
        for graph in (base.public, base.internal)
        for quad in store.match(iri, _GENERATED, of_run, graph)
    ]
