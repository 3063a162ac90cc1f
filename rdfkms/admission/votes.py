"""Several verifiers on one claim: each votes, the votes are kept, one label comes out (R76, R85).

The rules are always asked, and first; what they do not support no model can vote in. Models are
asked only about what the rules support, so that a refused claim costs no call.

strictest   the worst label of all votes
majority    the label with most votes, of equals the worse
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rdfkms.admission.reasons import reason
from rdfkms.admission.roles import NO_TRIGGERS, OPEN, Span, Triggers
from rdfkms.admission.verification import NAME, WORST, verify
from rdfkms.model import Candidate, EvidenceUnit, Kind, Label, Verification, Vote
from rdfkms.ports import Verifier

VOTES = ("strictest", "majority")


@dataclass
class Panel:
    """The verifiers of a gate; it asks each once about a candidate, however often it is asked.

    It remembers the triggers of events that it supported: arguments are held against them, so
    events are to be asked about first (`ask_all` does). Triggers matter to the rules alone, and
    what is noted on a candidate or how sure it is to nobody: the votes of models are kept apart.
    """

    verifiers: Sequence[Verifier] = ()
    vote: str = VOTES[0]
    _known: dict[tuple[Candidate, str, Triggers], Verification] = field(default_factory=dict)
    _votes: dict[tuple[Candidate, str], list[Verification]] = field(default_factory=dict)
    _events: dict[str, dict[Span, set[str]]] = field(default_factory=dict)

    def ask_all(self, candidates: Sequence[Candidate], units: Mapping[str, EvidenceUnit]) -> None:
        """Verify candidates, events first; `units` by key. What is found is remembered."""
        for candidate in sorted(candidates, key=lambda one: one.kind is not Kind.EVENT):
            self.verify(candidate, units[candidate.unit])

    def verify(self, candidate: Candidate, unit: EvidenceUnit) -> Verification:
        """Return the combined finding about a screened candidate."""
        triggers = self._triggers(candidate, unit)
        key = (candidate, unit.key, triggers)
        if key not in self._known:
            self._known[key] = self._ask(candidate, unit, triggers)
            if candidate.kind is Kind.EVENT:
                self._meet(candidate, self._known[key])
        return self._known[key]

    def _meet(self, event: Candidate, found: Verification) -> None:
        if found.label is Label.SUPPORTED and event.subject is not None and event.group:
            span = (event.subject.start, event.subject.end)
            self._events.setdefault(event.unit, {}).setdefault(span, set()).add(event.group)

    def _triggers(self, candidate: Candidate, unit: EvidenceUnit) -> Triggers:
        if candidate.kind is not Kind.ARGUMENT or candidate.name not in OPEN:
            return NO_TRIGGERS
        known = sorted(self._events.get(unit.key, {}).items())
        own = tuple(span for span, groups in known if candidate.group in groups)
        return Triggers(own, tuple(span for span, _ in known if span not in own))

    def supports(self, candidate: Candidate, unit: EvidenceUnit) -> bool:
        """Return whether the combined finding is that the passage supports the candidate."""
        return self.verify(candidate, unit).label is Label.SUPPORTED

    def _ask(self, candidate: Candidate, unit: EvidenceUnit, triggers: Triggers) -> Verification:
        first = verify(candidate, unit, triggers)
        if first.label is not Label.SUPPORTED:
            return first
        return combine([first, *self._others(candidate, unit)], self.vote)

    def _others(self, candidate: Candidate, unit: EvidenceUnit) -> list[Verification]:
        key = (replace(candidate, note="", confidence=0.0), unit.key)
        if key not in self._votes:
            found = [v.verify(candidate, unit) for v in self.verifiers if v.name != NAME]
            self._votes[key] = found
        return self._votes[key]


def combine(found: Sequence[Verification], vote: str = VOTES[0]) -> Verification:
    """Return one finding for the findings of several verifiers, the rules' first.

    It has the quote, elements and reason of overreach of those who gave the label that came out,
    and every vote. A single finding comes back as it is.
    """
    if len(found) == 1:
        return found[0]
    label = _label([one.label for one in found], vote)
    agreeing = [one for one in found if one.label is label]
    votes = tuple(v for one in found for v in one.votes or (Vote(one.verifier, one.label),))
    told = "; ".join(f"{v.verifier}: {v.label.value}" for v in votes)
    reasons = dict.fromkeys(r for one in agreeing for r in one.reasons)
    scores = [one.score for one in agreeing if one.score is not None]
    return replace(
        agreeing[0],
        reasons=(*reasons, reason("votes", what=told)),
        unsupported_elements=tuple(
            dict.fromkeys(e for one in agreeing for e in one.unsupported_elements)
        ),
        overreach_reason=next((o.overreach_reason for o in agreeing if o.overreach_reason), ""),
        verifier=" + ".join(dict.fromkeys(v.verifier for v in votes)),
        score=min(scores, default=None),
        votes=votes,
    )


def _label(labels: Sequence[Label], vote: str) -> Label:
    """Return the label that the votes give; the first is the rules', whose refusal stands."""
    strictest = min(labels, key=WORST.index)
    if vote != "majority":
        return strictest
    counts = Counter(labels)
    most = max(counts.values())
    chosen = min((label for label, n in counts.items() if n == most), key=WORST.index)
    return labels[0] if chosen is Label.SUPPORTED else chosen
