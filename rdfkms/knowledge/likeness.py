"""How sure it is that two entities are one, in words and as a score (published thresholds).

Scores of merge proposals: 0.8 same name and a detail in common but not decided, 0.6 same name and
nothing else, 0.5 a short form of several, likeness x 0.8 for names that are alike, with 0.1 more
for agreeing details; 0.2 whenever a detail disagrees that a being has only once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rdfkms.knowledge.details import Detail, agreeing, disagreeing
from rdfkms.knowledge.names import Entity
from rdfkms.model import MergeProposal, Reason, Ref

SAME_NAME, DETAIL, SHORT, ALIKE, NAMESAKES = 0.6, 0.2, 0.5, 0.8, 0.2


@dataclass(frozen=True, slots=True)
class Likeness:
    """How two names are alike: a score without details, and the reason to show."""

    score: float
    reason: Reason

    @classmethod
    def same(cls, surface: str) -> Likeness:
        """Both bear the same name."""
        return cls(SAME_NAME, Reason("sameName", f"Both are called “{_plain(surface)}”."))

    @classmethod
    def short(cls, surface: str, other: str) -> Likeness:
        """One may be a short form of the other."""
        sentence = f"“{_plain(surface)}” may be short for “{_plain(other)}”."
        return cls(SHORT, Reason("shortForm", sentence))

    @classmethod
    def alike(cls, surface: str, other: str, score: float) -> Likeness:
        """The names differ by few letters."""
        sentence = f"The names “{_plain(surface)}” and “{_plain(other)}” are {score:.0%} alike."
        return cls(round(score * ALIKE, 4), Reason("similarName", sentence))


@dataclass(frozen=True, slots=True)
class Weighed:
    """An entity with the details that agree with ours, and those that speak against."""

    entity: Entity
    agree: tuple[Detail, ...]
    against: tuple[tuple[Detail, Detail], ...]

    @classmethod
    def of(cls, entity: Entity, ours: Iterable[Detail], theirs: Iterable[Detail]) -> Weighed:
        """Return the comparison of our details with the entity's."""
        mine, others = list(ours), list(theirs)
        return cls(entity, tuple(agreeing(mine, others)), tuple(disagreeing(mine, others)))

    def reasons(self) -> tuple[Reason, ...]:
        """Return one reason a detail, agreeing ones first."""
        agree = [
            Reason("agreeingDetail", f"Both agree on {d.statement}: {_plain(d.shown)}.")
            for d in self.agree
        ]
        against = [
            Reason(
                "disagreeingDetail",
                f"They differ on {a.statement}: {_plain(a.shown)} and {_plain(b.shown)}; "
                "namesakes?",
            )
            for a, b in self.against
        ]
        return (*agree, *against)


def propose(ref: Ref, weighed: Weighed, likeness: Likeness) -> MergeProposal | None:
    """Return the proposal that both may be one, or None where they are one already."""
    other = weighed.entity.ref
    if other == ref:
        return None
    score = likeness.score
    reasons = (likeness.reason, *weighed.reasons())
    if weighed.against:
        score = NAMESAKES
    elif weighed.agree:
        score = min(0.95, score + DETAIL)
    else:
        thin = "Nothing but the name speaks for one being; look at both sources."
        reasons = (*reasons, Reason("thinEvidence", thin))
    a, b = sorted((ref, other), key=lambda r: r.path)
    return MergeProposal(a, b, round(score, 4), reasons)


def _plain(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 80 else words[:79] + "…"
