"""Why a link to an authority is proposed: reasons on the claim that waits for a reviewer."""

from __future__ import annotations

import json

from rdfkms.admission.reasons import quoted, reason
from rdfkms.model import Candidate, Reason

MOST_LETTERS = 400


def explained(candidate: Candidate) -> tuple[Reason, ...]:
    """Return what the proposer said for the link, and that a person must decide.

    `candidate.raw` holds JSON with source, label and why; anything else is passed over.
    """
    waits = reason("authorityAwaitsReview")
    try:
        said = json.loads(candidate.raw)
        source, label, why = (str(said[name]) for name in ("source", "label", "why"))
    except (ValueError, TypeError, KeyError):
        return (waits,)
    what = candidate.subject.surface if candidate.subject is not None else candidate.quote
    told = reason(
        "authorityCandidate",
        source=source[:MOST_LETTERS],
        what=quoted(what),
        label=quoted(label),
        why=why[:MOST_LETTERS],
    )
    return told, waits
