"""Keeps relations of high risk that a second question did not confirm for a person (R58).

The proposer asks and notes the answer; what follows from it is decided here, after judging: such
a relation is quarantined with a reason of its own, unless another proposer (a rule, say) made the
same statement and needs no confirmation.
"""

from __future__ import annotations

from dataclasses import replace

from rdfkms.admission import decisions
from rdfkms.admission.judged import Decided, Judged
from rdfkms.admission.reasons import reason
from rdfkms.knowledge.proposers.confirming import (
    NO,
    OPEN,
    QUOTE,
    UNCLEAR,
    UNCONFIRMED,
    UNREADABLE,
)
from rdfkms.model import Candidate, Decision, Status, Verdict

STAGE = "confirmation"
_WHAT = {
    NO: "it answered no",
    UNCLEAR: "it answered that this is unclear",
    OPEN: "it named an ambiguity",
    QUOTE: "its quote does not hold both ends in the passage",
    UNREADABLE: "its answer could not be read",
}


def hold(decided: Decided) -> Decided:
    """Return the batch with its unconfirmed relations quarantined instead of admitted."""
    sound = {one.claim.key for one in decided.judged if one.claim and not doubt(one.candidate)}
    return replace(decided, judged=tuple(_held(one, sound) for one in decided.judged))


def doubt(candidate: Candidate) -> str:
    """Return what the second question found against a candidate, "" for nothing."""
    marks = [word for word in candidate.note.split() if word.startswith(f"{UNCONFIRMED}:")]
    return _WHAT.get(marks[-1].partition(":")[2], _WHAT[UNCLEAR]) if marks else ""


def _held(one: Judged, sound: set[str]) -> Judged:
    found = doubt(one.candidate)
    if not found or one.claim is None or one.claim.key in sound:
        return one
    if one.verdict.stage == "known" or one.verdict.decision is not Decision.ADMITTED:
        return one
    unconfirmed = reason("notConfirmed", name=one.claim.statement, what=found)
    reasons = (unconfirmed, *one.verdict.reasons)
    decision = decisions.table().decide(STAGE, [unconfirmed])
    verdict = Verdict(decision, STAGE, reasons, one.verdict.label)
    claim = replace(one.claim, status=Status(decision.value), reasons=reasons)
    return Judged(one.candidate, claim, verdict)
