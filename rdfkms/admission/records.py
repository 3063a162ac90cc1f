"""The output of verification as one flat record: all fields of R73, for audit and evaluation."""

from __future__ import annotations

from rdfkms.admission.judged import Judged
from rdfkms.model import Decision, EvidenceUnit

# How R74 calls the decisions.
ACTIONS = {
    Decision.ADMITTED: "admit",
    Decision.QUARANTINED: "quarantine",
    Decision.REJECTED: "reject",
    Decision.PENDING: "pending",
}


def fields(judged: Judged, unit: EvidenceUnit) -> dict[str, object]:
    """Return the fields of R73 (and votes, score and verifier) about one judged candidate.

    `claim_id` is None where no claim came of it; `resolved_pointer` is the span in the raw text
    of the passage, None where the pointer did not resolve; offsets are code points. `locator`
    lists the places on the page, each with its media fragment.
    """
    candidate, found = judged.candidate, judged.verification
    span = (candidate.start, candidate.end)
    resolved = judged.claim is not None and None not in span
    label = found.label if found else judged.verdict.label
    return {
        "claim_id": judged.claim.key if judged.claim else None,
        "verification_label": label.value if label else None,
        "supporting_quote": found.supporting_quote if found else "",
        "unsupported_elements": list(found.unsupported_elements) if found else [],
        "overreach_reason": found.overreach_reason if found else "",
        "resolved_pointer": list(span) if resolved else None,
        "evidence_unit_id": unit.key,
        "source_id": unit.source,
        "locator": [f"{one.page}#{one.fragment}".rstrip("#") for one in unit.locators],
        "admission_decision": ACTIONS[judged.verdict.decision],
        "reasons": [[r.code, r.sentence] for r in judged.verdict.reasons],
        "verifier": found.verifier if found else "",
        "votes": {v.verifier: v.label.value for v in found.votes} if found else {},
        "score": found.score if found else None,
    }
