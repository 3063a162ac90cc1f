"""Screening: structure, then pointer. Pure: it looks at nothing but the candidate and its unit."""

from __future__ import annotations

from rdfkms.admission import pointers, structure
from rdfkms.knowledge.mapping import Mapping
from rdfkms.model import Candidate, Decision, EvidenceUnit, Verdict

STAGE = "structure"


def screen(
    candidate: Candidate, unit: EvidenceUnit, mapping: Mapping, *, reanchor: bool = True
) -> tuple[Candidate, Verdict | None]:
    """Return the candidate with exact start, end and quote, and None where it passed.

    A refused one comes back as it was, with the verdict: rejected for its form or for a quote
    that is not there, quarantined for a quote that stands twice. Never raises (law 5).
    `reanchor` allows a quote that differs in place, spacing or composition (gate.reanchor).
    """
    faults = structure.faults(candidate, unit, mapping)
    if faults:
        return candidate, Verdict(Decision.REJECTED, STAGE, faults)
    return pointers.resolve(candidate, unit, reanchor=reanchor)
