"""Accept, reject, reopen and rank a claim: what a reviewer does with what the gate left to them.

Each act examines the archive and writes in one hold of the ledger, so that of two reviewers the
second sees what the first decided (R78, R79). The gate's laws hold for people too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pyoxigraph import Quad

from rdfkms.access import demand, today
from rdfkms.admission import overruling
from rdfkms.admission.conflicts import CODES
from rdfkms.admission.reasons import quoted, reason
from rdfkms.errors import BadInput, Conflict
from rdfkms.knowledge import decoding
from rdfkms.knowledge.nodes import key_in
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.ledger.overlay import Overlaid
from rdfkms.model import Claim, Kind, Principal, Rank, Reason, Ref, Role, Status
from rdfkms.review import amended, decisions, lessons
from rdfkms.review.decisions import Decision, Desk, Draft
from rdfkms.review.queue import Queue
from rdfkms.review.rewriting import rewritten
from rdfkms.review.tasks import CONFLICT, OPEN
from rdfkms.vocab import PROV

_SHOWN = 5
_OPEN = (Status.QUARANTINED, Status.REJECTED)


def accept(
    desk: Desk,
    key: str,
    principal: Principal,
    *,
    note: str = "",
    with_ends: bool = False,
    seen: str = "",
) -> Decision:
    """Admit a quarantined or rejected claim; returns the decision.

    `with_ends` admits the mentions at its ends and its trigger too, where they wait for review.
    What the claim was stated to replace, and stood until now, is superseded.
    `seen` is the state in which the reviewer saw the claim. Raises `Conflict` where somebody
    decided meanwhile or the gate objects, saying why.
    """
    with desk.ledger.frozen():
        claim = desk.claim(key)
        demand_state(desk, claim, seen)
        if claim.status not in _OPEN:
            raise Conflict(f"Claim {key} is {claim.status} already{_by(desk, key)}.")
        chain = [*(ends(desk, claim) if with_ends else ()), claim]
        taken = _admitted(desk, chain)
        revised = [superseded(old) for one in taken for old in _revised(desk, one)]
        gone, come = _brought_to_light(desk, taken)
        teaches = [t for c in taken if (t := lessons.of_acceptance(c)) is not None]
        forgets = [t for c in taken if (t := lessons.of_rejection(c)) is not None]
        draft = Draft(
            "accept", (*taken, *revised), remove=tuple(gone), add=tuple(come),
            teaches=tuple(teaches), forgets=tuple(forgets), note=note,
        )  # fmt: skip
        return decisions.write(desk, draft, principal)


def _revised(desk: Desk, claim: Claim) -> list[Claim]:
    """Return what a claim was stated to replace and still stands: it waited for a second person."""
    base, told = desk.base, PROV("wasRevisionOf")
    said = desk.ledger.store.match(base.iri("claim", claim.key), told, None, base.internal)
    keys = [key_in(base, quad.object) for quad in said]
    live = (Status.ADMITTED, Status.QUARANTINED)
    return [c for c in decoding.claims(desk.ledger.store, base, keys) if c.status in live]


def superseded(old: Claim) -> Claim:
    """Return the claim as it stands down for a corrected one."""
    said = reason("editedByPerson", day=today().isoformat())
    kept = tuple(r for r in old.reasons if r.code not in CODES)
    return standing_down(replace(old, status=Status.SUPERSEDED, reasons=(*kept, said)))


def _brought_to_light(desk: Desk, taken: Sequence[Claim]) -> tuple[list[Quad], list[Quad]]:
    """Return what makes words public that waited with their claim."""
    gone: dict[Quad, None] = {}
    come: dict[Quad, None] = {}
    for claim in taken:
        hidden, shown = amended.brought_to_light(desk, claim)
        gone |= dict.fromkeys(hidden)
        come |= dict.fromkeys(shown)
    return list(gone), list(come)


def demand_acceptable(
    desk: Desk, key: str, principal: Principal, *, with_ends: bool = False
) -> None:
    """Raise what `accept` would raise, and write nothing: the first of two persons says yes."""
    demand(principal, Role.REVIEWER, "decide on claims")
    with desk.ledger.frozen():
        claim = desk.claim(key)
        if claim.status not in _OPEN:
            raise Conflict(f"Claim {key} is {claim.status} already{_by(desk, key)}.")
        _admitted(desk, [*(ends(desk, claim) if with_ends else ()), claim])


def _admitted(desk: Desk, chain: Sequence[Claim]) -> list[Claim]:
    """Return the claims as admitted, each examined with those before it standing."""
    remove: list[Quad] = []
    add: list[Quad] = []
    taken: list[Claim] = []
    for claim in chain:
        is_open = desk.is_open(claim)
        gate = desk.gate(Overlaid(desk.ledger.store, remove, add), is_open=is_open)
        unit = desk.unit(claim)
        found = overruling.objections(claim, unit, gate)
        if found:
            raise refused(claim, found)
        after = overruling.accepted(claim, unit, gate, today().isoformat())
        patch = rewritten(desk.ledger.store, desk.base, desk.mapping, after, public=is_open)
        remove, add = [*remove, *patch[0]], [*add, *patch[1]]
        taken.append(after)
    return taken


def refused(claim: Claim, found: Sequence[Reason]) -> Conflict:
    """Return the error that says why the gate does not admit a claim whoever wishes it."""
    told = " ".join(one.sentence for one in found[:_SHOWN])
    hint = "Accept its ends with it (--with-ends), or edit the claim."
    return Conflict(f"The gate does not admit claim {claim.key}: {told}", hint=hint)


def ends(desk: Desk, claim: Claim) -> list[Claim]:
    """Return the quarantined mentions at the ends of a claim, and its quarantined trigger."""
    gate = desk.gate(desk.ledger.store, is_open=desk.is_open(claim))
    found = overruling.missing_ends(claim, desk.unit(claim), gate)
    if claim.kind is Kind.ARGUMENT:
        reports = _reports(desk, claim.subject)
        if not any(c.status is Status.ADMITTED for c in reports):
            found += [c for c in reports if c.status is Status.QUARANTINED]
    return found


def _reports(desk: Desk, event: Ref) -> list[Claim]:
    said = decoding.claims_of_thing(desk.ledger.store, desk.base, event)
    return [c for c in said if c.kind is Kind.EVENT and c.subject == event]


def reject(
    desk: Desk,
    key: str,
    principal: Principal,
    *,
    note: str = "",
    with_dependents: bool = False,
    seen: str = "",
    teaches: bool = True,
) -> Decision:
    """Reject a claim, quarantined or admitted: it asserts nothing any more; returns the decision.

    What rests on an admitted mention or trigger would lose its end: that is refused unless
    `with_dependents` sends it back to review. With `teaches`, later runs hold back what reads so.
    Raises `Conflict`.
    """
    after = reason("rejectedByPerson", day=today().isoformat())
    with desk.ledger.frozen():
        claim = desk.claim(key)
        demand_state(desk, claim, seen)
        if claim.status not in (Status.QUARANTINED, Status.ADMITTED):
            raise Conflict(f"Claim {key} is {claim.status} already{_by(desk, key)}.")
        gone = replace(claim, status=Status.REJECTED, reasons=(*_doubts(claim), after))
        taught = lessons.of_rejection(claim) if teaches else None
        known = lessons.of_acceptance(claim) if teaches else None
        draft = Draft(
            "reject",
            (standing_down(gone), *sent_back(desk, claim, allowed=with_dependents)),
            teaches=(taught,) if taught else (),
            forgets=(known,) if known else (),
            note=note,
        )
        return decisions.write(desk, draft, principal)


def reopen(
    desk: Desk,
    key: str,
    principal: Principal,
    *,
    note: str = "",
    with_dependents: bool = False,
    seen: str = "",
) -> Decision:
    """Send an admitted or rejected claim back to review; returns the decision."""
    with desk.ledger.frozen():
        claim = desk.claim(key)
        demand_state(desk, claim, seen)
        if claim.status not in (Status.ADMITTED, Status.REJECTED):
            raise Conflict(f"Claim {key} is {claim.status}; only what was decided is reopened.")
        back = standing_down(replace(claim, status=Status.QUARANTINED))
        draft = Draft("reopen", (back, *sent_back(desk, claim, allowed=with_dependents)), note=note)
        return decisions.write(desk, draft, principal)


def rank(
    desk: Desk, key: str, wanted: str, principal: Principal, *, note: str = "", seen: str = ""
) -> Decision:
    """Rank an admitted claim among those that answer the same question (law 7)."""
    if wanted not in list(Rank):
        raise BadInput(f"There is no rank {wanted!r}.", hint=f"Ranks: {', '.join(Rank)}.")
    with desk.ledger.frozen():
        claim = desk.claim(key)
        demand_state(desk, claim, seen)
        if claim.status is not Status.ADMITTED:
            raise Conflict(f"Claim {key} is {claim.status}; only admitted claims have a rank.")
        if claim.rank == wanted:
            raise Conflict(f"Claim {key} is ranked {wanted} already.")
        if Rank(wanted) is Rank.DEPRECATED and dependents(desk, claim):
            raise Conflict(
                f"Claim {key} names what other claims speak of; it cannot be deprecated.",
                hint="Reject it with what rests on it, or rank another name as preferred.",
            )
        draft = Draft("rank", (replace(claim, rank=Rank(wanted)),), note=note)
        return decisions.write(desk, draft, principal)


def keep(desk: Desk, item: str, principal: Principal, *, note: str = "") -> Decision:
    """Leave an item of the queue as it is: a conflict that stays side by side, a proposal refused.

    Nothing changes but that it was decided. A proposal to merge is refused by `identities.differ`.
    Raises `NotFound`, or `BadInput` for an item that waits for more than that.
    """
    queue = Queue(desk.work)
    with desk.ledger.frozen():
        task = queue.task(item)
        if task.kind == CONFLICT:
            draft = Draft("keep", decides=task.things, note=note)
        elif task.item.startswith("candidate/"):
            draft = Draft("dismiss", things=(Ref("candidate", task.key),), note=note)
        else:
            raise BadInput(f"{task.item} waits for a verdict: accept, reject, edit or merge.")
        if task.state != OPEN:
            raise Conflict(f"{task.item} is {task.state} already.", hint="Nothing was changed.")
        made = decisions.write(desk, draft, principal)
        queue.close(task.item, made.key)
        return made


# ---- what rests on a claim ----------------------------------------------------------------------


def dependents(desk: Desk, claim: Claim) -> list[Claim]:
    """Return the admitted claims that would lose an end without this one."""
    if claim.status is not Status.ADMITTED:
        return []
    store, base = desk.ledger.store, desk.base
    if claim.kind is Kind.EVENT:
        reports = _reports(desk, claim.subject)
        if any(c.status is Status.ADMITTED and c.key != claim.key for c in reports):
            return []
        said = decoding.claims_of_thing(store, base, claim.subject)
        return [c for c in said if c.kind is Kind.ARGUMENT and c.status is Status.ADMITTED]
    if claim.kind is not Kind.MENTION:
        return []
    unit = claim.pointers[0].unit
    near = decoding.claims_of_unit(store, base, unit)
    standing = [c for c in near if c.status is Status.ADMITTED and c.key != claim.key]
    if any(c.kind is Kind.MENTION and c.subject == claim.subject for c in standing):
        return []
    resting = [c for c in standing if claim.subject in (c.subject, c.object, c.place)]
    return _without_told(desk, claim, resting)


def _without_told(desk: Desk, name: Claim, resting: list[Claim]) -> list[Claim]:
    """Leave out what descriptions state where the thing has another name.

    They tell things apart by identifiers, and need no name in their own passage.
    """
    told = [c for c in resting if desk.mapping.statement(c.statement).declared]
    if not told:
        return resting
    gate = desk.gate(desk.ledger.store, is_open=desk.is_open(name))
    others = gate.known.about(name.subject, NAMED_AS)
    is_named = any(other.key != name.key for other in others)
    return [c for c in resting if c not in told] if is_named else resting


def sent_back(desk: Desk, claim: Claim, *, allowed: bool) -> list[Claim]:
    """Return what rests on the claim as it waits for review; `Conflict` where not `allowed`."""
    resting = dependents(desk, claim)
    if resting and not allowed:
        shown = ", ".join(f"{c.statement} {quoted(c.pointers[0].quote)}" for c in resting[:_SHOWN])
        raise Conflict(
            f"{len(resting)} admitted claims rest on claim {claim.key}: {shown}.",
            hint="Send them back to review with it: --with-dependents.",
        )
    return [standing_down(bereft(c, claim)) for c in resting]


def bereft(claim: Claim, lost: Claim) -> Claim:
    """Return the claim as it waits for review since what it speaks of lost its evidence."""
    words = lost.value.lexical if lost.value else lost.key
    said = reason("endWithdrawn", what=quoted(words))
    return replace(claim, status=Status.QUARANTINED, reasons=(*_doubts(claim), said))


def standing_down(claim: Claim) -> Claim:
    """Return the claim without rank and conflicts: only what is admitted has them."""
    kept = tuple(r for r in claim.reasons if r.code not in CODES)
    return replace(claim, rank=Rank.NORMAL, conflicts=(), reasons=kept)


def _doubts(claim: Claim) -> Iterable[Reason]:
    gone = ("acceptedByPerson", "rejectedByPerson", *CODES)
    return (r for r in claim.reasons if r.code not in gone)


# ---- two reviewers on one claim -----------------------------------------------------------------


def state_of(desk: Desk, claim: Claim) -> str:
    """Return the state of a claim as a reviewer sees it: status, rank and last decision."""
    past = decisions.of_claim(desk.ledger, claim.key)
    return f"{claim.status}-{claim.rank}-{past[-1].key if past else 'none'}"


def demand_state(desk: Desk, claim: Claim, seen: str) -> None:
    """Raise `Conflict` where the claim is no longer in the state that the reviewer saw."""
    if seen and seen != state_of(desk, claim):
        raise Conflict(
            f"Claim {claim.key} is {claim.status} now{_by(desk, claim.key)}.",
            hint="Look at it again; nothing was changed.",
        )


def _by(desk: Desk, key: str) -> str:
    past = decisions.of_claim(desk.ledger, key)
    if not past:
        return ""
    last = past[-1]
    return f" ({last.kind} by {last.principal}, {last.time})"
