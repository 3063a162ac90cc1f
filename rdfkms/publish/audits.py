"""The whole life of a claim: proposals, checks, runs, decisions, revisions (R43, R80).

A reader of a public claim sees what was done and in which role; who did it, why, and what a model
answered word for word is for staff.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from rdfkms.errors import NotFound
from rdfkms.knowledge import decoding
from rdfkms.ledger.journal import Entry
from rdfkms.ledger.ledger import Ledger
from rdfkms.ledger.work import CandidateRow, Work
from rdfkms.model import Claim, Decision, Reason
from rdfkms.publish.desk import named
from rdfkms.publish.histories import Event, RunView, Said, effect, runs, said_of
from rdfkms.publish.views import Scope
from rdfkms.review import decisions as acts
from rdfkms.review.decisions import Decision as Act
from rdfkms.review.projecting import is_public

STAGES = ("structure", "pointer", "ends", "verification", "shapes")
PASSED, NOT_REACHED = "passed", "not reached"
LONGEST_RAW = 20_000
# What these say is of the passage itself; other reasons may quote sources that are closed by now.
_OF_THE_PASSAGE = frozenset(
    {
        "allThere", "named", "reanchored", "doubtfulReading", "endNotAdmitted", "noCue", "negated",
        "triggerNotAdmitted", "subjectOutsideQuote", "objectOutsideQuote", "placeOutsideQuote",
        "timeOutsideQuote", "valueOutsideQuote", "valueDiffers", "dateNotUnderstood", "hearsay",
        "modality", "otherDirection", "otherEnd", "nameWithoutLetters", "shapeViolation",
        "quoteTwice", "quoteNotFound",
        "acceptedByPerson", "rejectedByPerson", "editedByPerson",
    }
)  # fmt: skip
_OTHERS = ("rollback", "access", "erase")
_LOOKED_AT = 200  # rows of each such kind


@dataclass(frozen=True, slots=True)
class Check:
    """One stage of the gate with its result and what it found."""

    stage: str
    result: str
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate that became the claim, or said the same again, with its first verdict."""

    key: str
    kind: str
    name: str
    quote: str
    start: int | None
    end: int | None
    confidence: float
    proposer: str
    note: str
    raw: str
    run: str
    verdict: str
    label: str
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Audit:
    """All that is known of how a claim came to be what it is."""

    key: str
    iri: str
    said: Said
    status: str
    rank: str
    reasons: tuple[Reason, ...]
    quotes_stand: bool
    proposals: tuple[Proposal, ...]
    runs: tuple[RunView, ...]
    decisions: tuple[Act, ...]
    history: tuple[Event, ...]


def audit(scope: Scope, ledger: Ledger, work: Work, key: str, *, staff: bool) -> Audit:
    """Return the audit of a claim; raises `NotFound` where the reader may not see the claim."""
    said = named(scope, said_of(scope, [key]))
    found = decoding.claims(scope.store, scope.base, [key], scope.graphs)
    if key not in said or not found:
        raise NotFound(f"There is no claim {key} here.", hint="What is not public is not shown.")
    claim = found[0]
    rows = list(work.candidates(claim=key))
    decided = acts.of_claim(ledger, key)
    return Audit(
        key=key,
        iri=scope.base.iri("claim", key).value,
        said=said[key],
        status=str(claim.status),
        rank=str(claim.rank),
        reasons=claim.reasons,
        quotes_stand=_quotes_stand(scope, claim),
        proposals=tuple(_proposal(row, staff=staff) for row in rows),
        runs=runs(scope, claim.runs),
        decisions=tuple(d if staff else _for_all(scope, d) for d in decided),
        history=tuple(_history(ledger, claim, rows, decided)),
    )


def _quotes_stand(scope: Scope, claim: Claim) -> bool:
    """Return whether every quote stands at its place now, code point for code point (law 1)."""
    for pointer in claim.pointers:
        unit = decoding.unit(scope.store, scope.base, pointer.unit, scope.graphs)
        texts = {text.key: text.text for text in unit.texts}
        if texts.get(pointer.unit_text, "")[pointer.start : pointer.end] != pointer.quote:
            return False
    return bool(claim.pointers)


def _for_all(scope: Scope, act: Act) -> Act:
    """Leave out who decided and why, and the claims and things that are not for every reader."""
    public = tuple(claim for claim in act.claims if is_public(scope.store, scope.base, claim))
    return replace(act, principal="", note="", claims=public, things=())


def _proposal(row: CandidateRow, *, staff: bool) -> Proposal:
    one, verdict = row.candidate, row.verdict
    return Proposal(
        key=one.key,
        kind=str(one.kind),
        name=one.name,
        quote=one.quote,
        start=one.start,
        end=one.end,
        confidence=one.confidence,
        proposer=one.proposer if staff or not one.proposer.startswith("person:") else "a person",
        note=one.note,
        raw=one.raw[:LONGEST_RAW] if staff else "",
        run=row.run,
        verdict=str(verdict.decision),
        label=str(verdict.label or ""),
        checks=_checks(
            verdict.stage,
            verdict.decision,
            [
                r if staff or r.code in _OF_THE_PASSAGE else replace(r, sentence="")
                for r in verdict.reasons
            ],
        ),
    )


def _checks(stage: str, decision: Decision, reasons: Sequence[Reason]) -> tuple[Check, ...]:
    """The stages in order: those before the one that decided were passed."""
    if stage not in STAGES:  # known before, or decided by a person
        return (Check(stage, str(decision), tuple(reasons)),)
    if decision is Decision.ADMITTED:
        told = {"verification": tuple(reasons)}
        return tuple(Check(s, PASSED, told.get(s, ())) for s in STAGES)
    at = STAGES.index(stage)
    before = [Check(s, PASSED) for s in STAGES[:at]]
    after = [Check(s, NOT_REACHED) for s in STAGES[at + 1 :]]
    return (*before, Check(stage, str(decision), tuple(reasons)), *after)


def _history(
    ledger: Ledger, claim: Claim, rows: Sequence[CandidateRow], decided: Sequence[Act]
) -> Iterator[Event]:
    """Yield the journal's rows that touched the claim, in order of revision."""
    journal, thing = ledger.journal, ledger.base.iri("claim", claim.key)
    known = {journal.revision_of_batch(row.batch) for row in rows} | {d.revision for d in decided}
    entries = {number: journal.entry(number) for number in known if number}
    rest = [journal.entries(kind=kind, descending=True) for kind in _OTHERS]
    if not rows:  # imported, or from before candidates were kept: its runs may tell
        rest += [journal.entries(run=run) for run in claim.runs]
    for recent in rest:
        for entry in islice(recent, _LOOKED_AT):
            if effect(entry, thing):
                entries[entry.revision] = entry
    for number in sorted(entries):
        yield _event(entries[number], effect(entries[number], thing))


def _event(entry: Entry, done: str) -> Event:
    told = entry.activity
    return Event(
        entry.revision, entry.time, told.kind, str(entry.principal.role), entry.principal.id,
        told.note, done or ("erased" if entry.erased else "touched"),
    )  # fmt: skip
