"""Screening: structure, then pointer. Pure: it looks at nothing but the candidate and its unit."""

from __future__ import annotations

from dataclasses import replace

from rdfkms.admission import decisions, pointers, structure
from rdfkms.admission.reasons import quoted, reason
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.triples import TOO_LONG
from rdfkms.model import Candidate, EvidenceUnit, Kind, Verdict

STAGE = "structure"


def screen(
    candidate: Candidate, unit: EvidenceUnit, mapping: Mapping, *, reanchor: bool = True
) -> tuple[Candidate, Verdict | None]:
    """Return the candidate with exact start, end and quote, and None where it passed.

    A refused one comes back as it was, with the verdict that the decision table gives for its
    form or its quote. What is for people to read and can be no claim (an uncertainty, a triple
    without a name) has its verdict once its quote is found. Never raises (law 5).
    `reanchor` allows a quote that differs in place, spacing or composition (gate.reanchor).
    """
    faults = structure.faults(candidate, unit, mapping)
    if faults:
        return candidate, Verdict(decisions.table().decide(STAGE, faults), STAGE, faults)
    found, refused = pointers.resolve(candidate, unit, reanchor=reanchor)
    if refused is None and candidate.kind in (Kind.UNCERTAINTY, Kind.TRIPLE):
        return replace(found, note=candidate.note), _for_people(candidate)
    return found, refused


def _for_people(candidate: Candidate) -> Verdict:
    if candidate.kind is Kind.UNCERTAINTY:
        found = reason("statedUncertain", what=quoted(candidate.note), name=candidate.name)
    elif candidate.note.startswith(TOO_LONG):
        limit = candidate.note.partition(" ")[2]
        found = reason("longPredicate", what=quoted(candidate.name), count=limit)
    else:
        words = candidate.cue.surface if candidate.cue else candidate.name
        found = reason("unmappedPredicate", what=quoted(words), allowed=candidate.note)
    return Verdict(decisions.table().decide(STAGE, [found]), STAGE, (found,))
