"""Keeps relations of high risk that a second question did not confirm for a person (R58).

The proposer asks and notes the answer; what follows from it is decided here, while judging, before
conflicts are looked for: what waits for a person speaks against nobody (law 6). Sound is what no
model proposed, and what a model confirmed; one sound proposer of a statement is enough.
"""

from __future__ import annotations

from collections.abc import Collection

from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.proposers.confirming import (
    CONFIRMED,
    NO,
    OPEN,
    QUOTE,
    UNCLEAR,
    UNCONFIRMED,
    UNREADABLE,
    is_high_risk,
)
from rdfkms.model import Candidate

STAGE = "confirmation"
MODELS = "model:"  # how proposers that are models are named
_UNASKED = "it was not asked again"
_WHAT = {
    NO: "it answered no",
    UNCLEAR: "it answered that this is unclear",
    OPEN: "it named an ambiguity",
    QUOTE: "its quote does not hold both ends in the passage",
    UNREADABLE: "its answer could not be read",
}


def doubt(candidate: Candidate, mapping: Mapping, high_risk: Collection[str] = ()) -> str:
    """Return why a candidate is held for want of confirmation, "" where nothing holds it.

    `high_risk` names relations of high risk besides those of the mapping table.
    """
    words = candidate.note.split()
    marks = [word.partition(":")[2] for word in words if word.startswith(f"{UNCONFIRMED}:")]
    if marks:
        return _WHAT.get(marks[-1], _WHAT[UNCLEAR])
    if not candidate.proposer.startswith(MODELS) or CONFIRMED in words:
        return ""
    return _UNASKED if is_high_risk(candidate, mapping, high_risk) else ""
