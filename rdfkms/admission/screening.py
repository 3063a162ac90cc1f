"""Screening: structure, then pointer. Pure: it looks at nothing but the candidate and its unit."""

from __future__ import annotations

from rdfkms.admission import decisions, pointers, structure
from rdfkms.knowledge.mapping import Mapping
from rdfkms.model import Candidate, EvidenceUnit, Verdict

STAGE = "structure"


def screen(
    candidate: Candidate, unit: EvidenceUnit, mapping: Mapping, *, reanchor: bool = True
) -> tuple[Candidate, Verdict | None]:
    """Return the candidate with exact start, end and quote, and None where it passed.

    A refused one comes back as it was, with the verdict that the decision table gives for its
    form or its quote. Never raises (law 5).
    `reanchor` allows a quote that differs in place, spacing or composition (gate.reanchor).
    """
    faults = structure.faults(candidate, unit, mapping)
    if faults:
        return candidate, Verdict(decisions.table().decide(STAGE, faults), STAGE, faults)
    return pointers.resolve(candidate, unit, reanchor=reanchor)
