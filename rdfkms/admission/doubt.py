"""Names that were read with little confidence are for a person to see (R9, R79).

OCR gives each word a confidence. A mention whose words fall below what its profile demands
(`low_confidence`) is noted as doubtful when it is proposed; the gate quarantines it, and with it
what is said of it, instead of putting a misread name into the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rdfkms.model import Candidate, EvidenceUnit, Kind, TextVersion

DOUBTFUL = "doubtful"
STATED_BY_EXPERT = "expertStatement"  # noted where a second person must look (app.stating)
REJECTED_BEFORE = "rejectedBefore"  # noted by what reviewers taught (review.lessons)


def noted(
    candidate: Candidate, unit: EvidenceUnit, versions: Sequence[TextVersion], least: float
) -> Candidate:
    """Return a screened mention noted as doubtful where the mean confidence is below `least`.

    Texts that were not read by OCR have no confidences, and no doubts.
    """
    if candidate.kind is not Kind.MENTION or candidate.start is None or candidate.end is None:
        return candidate
    words = next((v.words for v in versions if v.key == unit.raw.version), ())
    start, end = unit.raw.start + candidate.start, unit.raw.start + candidate.end
    read = [
        word.confidence
        for word in words
        if word.confidence is not None and word.start < end and word.end > start
    ]
    if not read or sum(read) / len(read) >= least:
        return candidate
    return replace(candidate, note=f"{candidate.note} {DOUBTFUL}".strip())
