"""The step from a screened candidate with its entities to a claim (`mapping.describe` of DESIGN 3).

It adds to `statements.describe` what needs more than one candidate: events that belong to a whole
record, and what reconciliation found.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rdfkms.knowledge import statements
from rdfkms.knowledge.mapping import EVENT_SEGMENT
from rdfkms.knowledge.proposers.candidates import plain
from rdfkms.knowledge.reconciliation import Reconciliation
from rdfkms.model import Candidate, Claim, EvidenceUnit, Kind, Ref, Value
from rdfkms.vocab import KEY_LENGTH, key_of

_KEY = re.compile(rf"[0-9a-f]{{{KEY_LENGTH}}}\Z")


def describe(candidate: Candidate, unit: EvidenceUnit, refs: Reconciliation, run: str) -> Claim:
    """Return the claim of a screened candidate, status admitted until the gate judges.

    Raises `KeyError` for an anchor that reconciliation was not shown.
    """
    claim = statements.describe(candidate, unit, lambda a: refs.ref_of(unit.key, a), run)
    if candidate.subject is not None and candidate.kind in (Kind.MENTION, Kind.EVENT):
        # The name as one line; the quote keeps the line break and the hyphen as printed.
        language = unit.raw.language
        words = plain(candidate.subject.surface, language)
        claim = replace(claim, value=Value(words, language=language))
    if candidate.group is None:
        return claim
    group = event_key(candidate.group, unit)
    in_event = candidate.kind in (Kind.EVENT, Kind.ARGUMENT)
    subject = Ref(EVENT_SEGMENT, group) if in_event else claim.subject
    return replace(claim, group=group, subject=subject)


def event_key(group: str, unit: EvidenceUnit) -> str:
    """Return the key of an event and of its group of claims.

    A group given as a key is one event of the record, whichever passage speaks of it (a trial);
    any other name, such as a model's "e1", holds within its passage. Neither reaches into
    another record.
    """
    if _KEY.match(group):
        return key_of("group", unit.record, group)
    return statements.group_key(unit.key, group)
