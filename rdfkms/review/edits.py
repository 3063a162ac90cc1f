"""Edit: a reviewer corrects a proposal; the corrected statement passes the same gate (R78).

The old claim is superseded, never changed: the new one says what it revises. The quote must stand
in the passage like any other; doubts about its sense the reviewer answers for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pyoxigraph import Literal, Quad

from rdfkms.access import is_open, today
from rdfkms.admission import overruling
from rdfkms.admission.judged import Judged
from rdfkms.admission.judging import Gate, judge_batch
from rdfkms.admission.reasons import quoted, reason
from rdfkms.admission.screening import screen
from rdfkms.errors import BadInput, Conflict
from rdfkms.knowledge import decoding
from rdfkms.knowledge.names import Names
from rdfkms.knowledge.proposers import finding
from rdfkms.knowledge.proposers.candidates import keyed
from rdfkms.knowledge.reconciliation import Reconciliation
from rdfkms.knowledge.spots import Place, place_of
from rdfkms.knowledge.statements import claim_key, entity_ref
from rdfkms.model import (
    Anchor,
    Candidate,
    Claim,
    EvidenceUnit,
    Kind,
    Principal,
    Reason,
    Ref,
    Status,
    Value,
    Verdict,
)
from rdfkms.model import Decision as Verdicts
from rdfkms.review import acts, decisions, lessons
from rdfkms.review.decisions import Decision, Desk, Draft
from rdfkms.review.queue import Queue
from rdfkms.review.tasks import OPEN
from rdfkms.vocab import KMS, PROV, TYPE

CONFIDENCE = 1.0
_NO_STATEMENT = (Kind.UNPARSEABLE, Kind.UNCERTAINTY, Kind.TRIPLE)


@dataclass(frozen=True, slots=True)
class Correction:
    """What a reviewer changes; None leaves a part as it was.

    `quote` is exact words of the passage, at `start` where they stand twice; `name` another
    statement, or the type of a mention or event; `subject` and `object` words that the passage
    names; `value` a literal (a date in EDTF), `verbatim` the words of the passage it stands for.
    """

    quote: str | None = None
    start: int | None = None
    name: str | None = None
    subject: str | None = None
    object: str | None = None
    value: str | None = None
    verbatim: str | None = None

    def __bool__(self) -> bool:
        return any(getattr(self, name) is not None for name in self.__slots__)


@dataclass(frozen=True, slots=True)
class Origin:
    """What is corrected: a candidate about a passage, and the claim that it became, if any."""

    candidate: Candidate
    unit: EvidenceUnit
    is_open: bool
    claim: Claim | None = None


def edit(
    desk: Desk,
    item: str,
    correction: Correction,
    principal: Principal,
    *,
    note: str = "",
    with_dependents: bool = False,
    seen: str = "",
) -> Decision:
    """Replace a claim, or a candidate that became none, by a corrected one that is admitted.

    Where two persons are demanded (`gate.four_eyes`) the corrected claim waits for the second.

    `item` is ``claim/KEY``, ``candidate/KEY`` or the key of a claim. Returns the decision. Raises
    `Conflict` with the gate's reasons where it refuses the correction, or where the claim is not
    to be edited; `BadInput` for one that changes nothing or names what is not there.
    """
    if not correction:
        raise BadInput("The correction changes nothing.", hint="Give --quote, --value, --name ...")
    with desk.ledger.frozen():
        origin = _origin(desk, item, seen)
        old = origin.claim
        candidate = corrected(desk, origin, correction, principal)
        judged, new = _judge(desk, origin, candidate)
        waits = new.status is not Status.ADMITTED  # then nothing admitted may rest on it
        moved = old is not None and (waits or new.subject != old.subject)
        sent = acts.sent_back(desk, old, allowed=with_dependents) if old and moved else []
        taught = lessons.of_acceptance(new) if new.status is Status.ADMITTED else None
        draft = Draft(
            "edit",
            (new, *((acts.superseded(old),) if old else ()), *sent),
            rows=(judged,),
            add=tuple(provenance(desk, new, old, principal)),
            things=() if old else (Ref("candidate", origin.candidate.key),),
            teaches=(taught,) if taught else (),
            note=note,
        )
        made = decisions.write(desk, draft, principal)
        if old is None:
            Queue(desk.work).close(f"candidate/{origin.candidate.key}", made.key)
        return made


def _origin(desk: Desk, item: str, seen: str) -> Origin:
    if item.startswith("candidate/"):
        row = next(iter(desk.work.candidates(key=item.partition("/")[2])), None)
        if row is None or row.candidate.kind in _NO_STATEMENT:
            raise Conflict(f"{item} holds no proposal that could be corrected.")
        task = Queue(desk.work).task(item)
        if task.state != OPEN:
            raise Conflict(f"{item} is {task.state} already.", hint="Nothing was changed.")
        if decoding.is_withdrawn_unit(desk.ledger.store, desk.base, row.candidate.unit):
            raise Conflict(f"The source of {item} was withdrawn.", hint="Nothing was changed.")
        unit = decoding.unit(desk.ledger.store, desk.base, row.candidate.unit)
        access = decoding.access_of_record(desk.ledger.store, desk.base, unit.record)
        return Origin(row.candidate, unit, is_open(access))
    claim = desk.claim(item.rpartition("/")[2])
    acts.demand_state(desk, claim, seen)
    if claim.status not in (Status.ADMITTED, Status.QUARANTINED, Status.REJECTED):
        raise Conflict(f"Claim {claim.key} is {claim.status}; it cannot be edited.")
    return Origin(original(desk, claim), desk.unit(claim), desk.is_open(claim), claim)


def provenance(desk: Desk, new: Claim, old: Claim | None, principal: Principal) -> list[Quad]:
    """Return what the new claim revises, and the person's work as a run; neither is public."""
    base, graph = desk.base, desk.base.internal
    run = base.iri("run", run_of(desk, principal.id))
    here = base.iri("claim", new.key)
    revised = [Quad(here, PROV("wasRevisionOf"), base.iri("claim", old.key), graph)] if old else []
    return [
        *revised,
        Quad(run, TYPE, PROV("Activity"), graph),
        Quad(run, KMS("runKind"), Literal("review"), graph),
        Quad(run, KMS("decidedBy"), Literal(principal.id), graph),
    ]


def run_of(desk: Desk, person: str) -> str:
    """Return the key of the run under which a person's own statements stand."""
    return desk.ledger.archive.persons_key("run", "review", person)


# ---- the corrected candidate --------------------------------------------------------------------


def corrected(
    desk: Desk, origin: Origin, correction: Correction, principal: Principal
) -> Candidate:
    """Return the candidate of the correction; raises `BadInput` for words that are not there."""
    first, unit = origin.candidate, origin.unit
    text = unit.raw.text
    quote = first.quote if correction.quote is None else correction.quote
    start = correction.start if correction.start is not None else None
    if correction.quote is None and correction.start is None:
        start = first.start
    within = finding.locate(quote, text) if start is None else (start, start + len(quote))
    name = correction.name or first.name
    made = replace(
        first,
        kind=_kind(desk, first, name),
        name=name,
        quote=quote,
        start=start,
        end=None if start is None else start + len(quote),
        subject=_subject(first, correction, text, within, name),
        object=_end(desk, unit, first.object, correction.object, "object", within),
        value=_value(desk, first, correction, unit, name),
        confidence=CONFIDENCE,
        proposer=f"person:{principal.id}",
        cue=None,
        raw="",
        note="",
    )
    if first.kind not in (Kind.MENTION, Kind.EVENT, Kind.ARGUMENT) and correction.subject:
        found = _end(desk, unit, first.subject, correction.subject, "subject", within)
        made = replace(made, subject=found)
    return keyed(made)


def _kind(desk: Desk, first: Candidate, name: str) -> Kind:
    """A relation may turn out to be an attribute; the statement's name says which it is."""
    rule = desk.mapping.statements.get(name)
    either = (Kind.RELATION, Kind.ATTRIBUTE)
    if rule is None or first.kind not in either or rule.claim_kind not in either:
        return first.kind
    return rule.claim_kind


def row_of(desk: Desk, claim: str) -> Candidate | None:
    """Return the candidate that became the claim (key), None where no row tells."""
    row = next(iter(desk.work.candidates(claim=claim)), None)
    return row.candidate if row else None


def original(desk: Desk, claim: Claim) -> Candidate:
    """Return the candidate that became the claim; raises `Conflict` where its row is gone."""
    candidate = row_of(desk, claim.key)
    if candidate is None:
        raise Conflict(
            f"The proposal behind claim {claim.key} is not in work.sqlite.",
            hint="Reject the claim and state it anew.",
        )
    pointer = claim.pointers[0]
    return replace(candidate, quote=pointer.quote, start=pointer.start, end=pointer.end)


def _subject(
    first: Candidate,
    correction: Correction,
    text: str,
    within: tuple[int, int] | None,
    name: str,
) -> Anchor | None:
    """A mention's or trigger's own words: as corrected, else the quote itself where that moved."""
    if first.kind not in (Kind.MENTION, Kind.EVENT) or first.subject is None:
        return first.subject
    words = correction.subject or correction.quote or first.subject.surface
    type_ = name if first.kind is Kind.MENTION else ""
    span = finding.locate(words, text, within)
    if span is None:
        raise BadInput(f"The passage does not hold the words “{words[:80]}”.")
    return Anchor(*span, text[slice(*span)], type_)


def _end(
    desk: Desk,
    unit: EvidenceUnit,
    anchor: Anchor | None,
    words: str | None,
    field: str,
    within: tuple[int, int] | None,
) -> Anchor | None:
    """Return the anchor of a mention in the passage that reads so; near the quote comes first."""
    if words is None:
        return anchor
    if anchor is None:
        raise BadInput(f"This statement has no {field} that is a thing; correct its value.")
    places = [m for m in _mentions(desk, unit) if m.surface.split() == words.split()]
    if within is not None:
        places.sort(key=lambda m: not (within[0] <= m.start and m.end <= within[1]))
    if not places:
        raise BadInput(
            f"The passage has no mention “{words[:80]}” to be the {field}.",
            hint="Accept or edit the mention first; a statement is about things that are named.",
        )
    return places[0]


def _mentions(desk: Desk, unit: EvidenceUnit) -> list[Anchor]:
    live = (Status.ADMITTED, Status.QUARANTINED)
    return [
        original(desk, claim).subject or Anchor(0, 0, "")
        for claim in desk.claims_of_unit(unit.key)
        if claim.kind is Kind.MENTION and claim.status in live
    ]


def _value(
    desk: Desk, first: Candidate, correction: Correction, unit: EvidenceUnit, name: str
) -> Value | None:
    if correction.value is None and correction.verbatim is None:
        return first.value
    if not desk.mapping.knows(first.kind, name) or first.kind in (Kind.MENTION, Kind.EVENT):
        raise BadInput(f"A {first.kind} has no value to correct.")
    literal = desk.mapping.statement(name).literal
    if literal is None:
        raise BadInput(f"{name} leads to a thing, not to a value; correct its object.")
    lexical = (
        correction.value
        if correction.value is not None
        else (first.value.lexical if first.value else "")
    )
    old = first.value.verbatim if first.value else ""
    verbatim = correction.verbatim if correction.verbatim is not None else old
    language = unit.raw.language if literal == "string" else ""
    return Value(lexical, literal, language, "" if verbatim == lexical else verbatim)


# ---- the same gate ------------------------------------------------------------------------------


def _judge(desk: Desk, origin: Origin, candidate: Candidate) -> tuple[Judged, Claim]:
    """Return the correction as admitted with its claim; raises `Conflict` with the reasons."""
    unit = origin.unit
    screened, verdict = screen(candidate, unit, desk.mapping)
    if verdict is not None:
        raise refused(verdict.reasons)
    key = claim_key(screened)
    if origin.claim is not None and key == origin.claim.key:
        raise BadInput("The correction says what the claim says already.")
    gate = desk.gate(desk.ledger.store, is_open=origin.is_open)
    known = gate.known.claim(key)
    if known is not None:
        raise Conflict(
            f"The corrected statement is in the archive: claim {known.key}, {known.status}.",
            hint="Decide on that one, and reject this.",
        )
    judged = _one(desk, origin, screened, gate)
    claim = judged.claim
    if claim is None:
        raise refused(judged.verdict.reasons)
    found = overruling.objections(claim, unit, gate)
    if found:
        raise refused(found)
    if gate.settings.four_eyes:
        said = reason("secondPerson", what=quoted(screened.quote))
        held = replace(claim, status=Status.QUARANTINED, reasons=(said,))
        verdict = Verdict(Verdicts.QUARANTINED, "review", (said,), judged.verdict.label)
        return Judged(keyed(screened), held, verdict), held
    taken = overruling.accepted(claim, unit, gate, today().isoformat())
    doubts = () if judged.verdict.decision is Verdicts.ADMITTED else judged.verdict.reasons
    given = Verdict(Verdicts.ADMITTED, "review", (*taken.reasons, *doubts), judged.verdict.label)
    return Judged(keyed(screened), taken, given), taken


def _one(desk: Desk, origin: Origin, candidate: Candidate, gate: Gate) -> Judged:
    unit, old = origin.unit, origin.claim
    said = Reconciliation(_refs(desk, origin, candidate), (), {}, ())
    run = run_of(desk, candidate.proposer.partition(":")[2])
    (judged,) = judge_batch(
        [(candidate, None)], said, {unit.key: unit}, gate, Names(), lambda _: run
    )
    if judged.claim is not None and old is not None and old.kind in (Kind.EVENT, Kind.ARGUMENT):
        # An event stays the event that it was, also when its trigger is read otherwise.
        claim = replace(judged.claim, group=old.group, subject=old.subject)
        judged = replace(judged, claim=claim)
    return judged


def _refs(desk: Desk, origin: Origin, candidate: Candidate) -> dict[Place, Ref]:
    """Which things the anchors name: what the passage's own mentions name there."""
    unit, old = origin.unit, origin.claim
    named: dict[Place, Ref] = {}
    for claim in desk.claims_of_unit(unit.key):
        row = row_of(desk, claim.key) if claim.kind is Kind.MENTION else None
        if row is not None and row.subject is not None:
            named[place_of(unit.key, row.subject)] = claim.subject
    for anchor in (candidate.subject, candidate.object, candidate.place):
        if anchor is not None and anchor.type:
            kind = desk.mapping.entity(anchor.type).kind
            fresh = entity_ref(kind, unit.key, anchor.start, anchor.end)
            named.setdefault(place_of(unit.key, anchor), fresh)
    if candidate.kind is Kind.MENTION and candidate.subject is not None and old is not None:
        same = desk.mapping.entity(candidate.name).kind == old.subject.kind
        if same:
            named[place_of(unit.key, candidate.subject)] = old.subject
    return named


def refused(found: tuple[Reason, ...]) -> Conflict:
    """Return the error that says why the gate refuses what a person wants to state."""
    told = " ".join(one.sentence for one in found)
    return Conflict(f"The gate refuses the correction: {told}", hint="Correct it, and try again.")
