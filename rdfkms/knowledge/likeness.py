"""How sure it is that two entities are one: features with values and weights, in words (R63-R65).

A proposal's score is that of the names (`Likeness`) and what each further feature adds; the
weights stand in `ingest/reconciliation.toml`. A detail that a being has only once and that
disagrees outweighs all the rest. The type is a condition, not a feature: only entities of one type
are compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rdfkms.knowledge import lifetimes
from rdfkms.knowledge.details import ACTED, Detail, agreeing, disagreeing
from rdfkms.knowledge.names import Entity
from rdfkms.knowledge.thresholds import Thresholds, load
from rdfkms.model import MergeProposal, Reason, Ref

_MOST_SHOWN = 3  # names of a company that count and are shown
_MOST_LETTERS = 80


@dataclass(frozen=True, slots=True)
class Likeness:
    """How two names are alike: a score without details, and the reason to show."""

    score: float
    reason: Reason

    @classmethod
    def same(cls, surface: str) -> Likeness:
        """Both bear the same name."""
        weight = load().scores.same_name
        return cls(weight, _reason("sameName", f"Both are called “{_plain(surface)}”.", weight))

    @classmethod
    def short(cls, surface: str, other: str) -> Likeness:
        """One may be a short form of the other."""
        weight = load().scores.short
        sentence = f"“{_plain(surface)}” may be short for “{_plain(other)}”."
        return cls(weight, _reason("shortForm", sentence, weight))

    @classmethod
    def variant(cls, surface: str, other: str) -> Likeness:
        """The names differ as spellings or readings of one name do."""
        weight = load().scores.variant
        sentence = f"“{_plain(surface)}” may be a spelling or misreading of “{_plain(other)}”."
        return cls(weight, _reason("variantName", sentence, weight))

    @classmethod
    def other_name(cls, surface: str, other: str) -> Likeness:
        """One is another name of the other: an alias, a courtesy name, a title, another script."""
        weight = load().scores.sound
        sentence = f"“{_plain(surface)}” may be another name of “{_plain(other)}”."
        return cls(weight, _reason("otherName", sentence, weight))

    @classmethod
    def alike(cls, surface: str, other: str, score: float) -> Likeness:
        """The names differ by few letters."""
        weight = round(score * load().scores.alike, 4)
        sentence = f"The names “{_plain(surface)}” and “{_plain(other)}” are {score:.0%} alike."
        return cls(weight, _reason("similarName", sentence, weight))


@dataclass(frozen=True, slots=True)
class Weighed:
    """An entity with what speaks for and against its being ours.

    `agree` and `against` are details; `lifetime` two details that no one life can hold, `near`
    two acts within one life; `company` and `places` what both records name besides; `context`
    the cosine of what is said around the names, None where it was not asked.
    """

    entity: Entity
    agree: tuple[Detail, ...] = ()
    against: tuple[tuple[Detail, Detail], ...] = ()
    lifetime: tuple[Detail, Detail] | None = None
    near: tuple[Detail, Detail] | None = None
    company: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    context: float | None = None

    @classmethod
    def of(cls, entity: Entity, ours: Iterable[Detail], theirs: Iterable[Detail]) -> Weighed:
        """Return the comparison of our details with the entity's."""
        mine, others = list(ours), list(theirs)
        limits = load().time
        return cls(
            entity,
            tuple(agreeing(mine, others)),
            tuple(disagreeing(mine, others)),
            lifetimes.clash(mine, others, limits),
            lifetimes.near(mine, others, limits),
        )

    @property
    def excluded(self) -> bool:
        """Whether something disagrees that a being has only once."""
        return bool(self.against) or self.lifetime is not None

    @property
    def details(self) -> int:
        """How many details agree; enough shared company counts as one."""
        return len(self.agree) + (len(self.company) >= load().links.company)

    def score(self, named: float) -> float:
        """Return the score of a proposal whose names give `named`."""
        weights = load().scores
        if self.excluded:
            return weights.disagreeing
        score = named + (weights.detail if self.agree else 0.0)
        score += weights.company * min(len(self.company), _MOST_SHOWN)
        score += weights.places * min(len(self.places), _MOST_SHOWN)
        score += weights.time if self.near else 0.0
        score += weights.context * max(self.context or 0.0, 0.0)
        return min(weights.most, score)

    def reasons(self) -> tuple[Reason, ...]:
        """Return one reason a feature with its weight: what agrees, then what disagrees."""
        return (*self._for(load()), *self._against())

    def _for(self, limits: Thresholds) -> list[Reason]:
        weights = limits.scores
        found = []
        for at, detail in enumerate(self.agree):
            sentence = f"Both agree on {_said(detail)}: {_plain(detail.shown)}."
            found.append(_reason("agreeingDetail", sentence, 0.0 if at else weights.detail))
        if self.company:
            sentence = f"Both records also name {_listed(self.company)}."
            found.append(_reason("sharedCompany", sentence, _each(weights.company, self.company)))
        if self.places:
            sentence = f"Both records name the places {_listed(self.places)}."
            found.append(_reason("sharedPlaces", sentence, _each(weights.places, self.places)))
        if self.near is not None:
            years = " and ".join(detail.shown for detail in self.near)
            sentence = f"One life can hold both: active in {years}."
            found.append(_reason("plausibleTime", sentence, weights.time))
        if self.context is not None:
            sentence = f"What is said around the names is {self.context:.0%} alike."
            weight = weights.context * max(self.context, 0.0)
            found.append(_reason("similarContext", sentence, weight))
        return found

    def _against(self) -> list[Reason]:
        found = [
            Reason(
                "disagreeingDetail",
                f"They differ on {_said(a)}: {_plain(a.shown)} and {_plain(b.shown)}; namesakes?",
            )
            for a, b in self.against
        ]
        if self.lifetime is not None:
            a, b = self.lifetime
            sentence = (
                f"One life can hardly hold both: {_said(a)} {_plain(a.shown)} and "
                f"{_said(b)} {_plain(b.shown)}."
            )
            found.append(Reason("implausibleTime", sentence))
        return found


def propose(ref: Ref, weighed: Weighed, likeness: Likeness) -> MergeProposal | None:
    """Return the proposal that both may be one, or None where they are one already."""
    other = weighed.entity.ref
    if other == ref:
        return None
    reasons = (likeness.reason, *weighed.reasons())
    if len(reasons) == 1:
        thin = "Nothing but the name speaks for one being; look at both sources."
        reasons = (*reasons, Reason("thinEvidence", thin))
    a, b = sorted((ref, other), key=lambda r: r.path)
    return MergeProposal(a, b, round(weighed.score(likeness.score), 4), reasons)


def _reason(code: str, sentence: str, weight: float) -> Reason:
    return Reason(code, f"{sentence} (weight {weight:.2f})" if weight else sentence)


def _each(weight: float, things: tuple[str, ...]) -> float:
    return weight * min(len(things), _MOST_SHOWN)


def _said(detail: Detail) -> str:
    return "activity in" if detail.statement == ACTED else detail.statement


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(f"“{_plain(name)}”" for name in names[:_MOST_SHOWN])
    more = len(names) - _MOST_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def _plain(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _MOST_LETTERS else words[: _MOST_LETTERS - 1] + "…"
