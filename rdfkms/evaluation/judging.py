"""What the annotation says of proposals that were not made from it: those of real proposers.

A mention is supported where it overlaps an annotated one of its type; an event likewise by its
trigger; a statement where one of its name leads from the same things to the same thing or value.
What a corpus does not annotate cannot be told: None, and it counts in no rate of error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from rdfkms.evaluation.gold import Made, Material
from rdfkms.knowledge.nameforms import normal
from rdfkms.model import Anchor, Candidate, Kind, Value

JUDGED = "proposed"


@dataclass(frozen=True)
class Judge:
    """The annotation of a material, by passage."""

    sound: dict[str, list[Candidate]]
    rumours: dict[str, list[Candidate]]
    types: frozenset[str]
    kinds: frozenset[Kind]
    whole: bool
    memory: dict[str, Made] = field(default_factory=dict)

    @classmethod
    def of(cls, material: Material) -> Judge:
        """Return the judge of a material."""
        told = [one.candidate for one in material.sound]
        return cls(
            _by_unit(material.sound),
            _by_unit(material.rumours),
            frozenset(c.name for c in told if c.kind is Kind.MENTION),
            frozenset(c.kind for c in told),
            material.whole,
        )

    def made(self, candidate: Candidate, unit: str) -> Made:
        """Return a proposal with what the annotation says of it."""
        if candidate.kind is Kind.UNPARSEABLE:
            return Made(candidate, unit, JUDGED, False)
        if any(_same(candidate, other) for other in self.sound.get(unit, ())):
            return Made(candidate, unit, "sound")
        if any(_same(candidate, other) for other in self.rumours.get(unit, ())):
            return Made(candidate, unit, JUDGED, False, True)
        return Made(candidate, unit, JUDGED, False if self._annotated(candidate) else None)

    def _annotated(self, candidate: Candidate) -> bool:
        if candidate.kind is Kind.MENTION:
            return candidate.name in self.types
        return self.whole or candidate.kind in self.kinds


def _by_unit(made: Sequence[Made]) -> dict[str, list[Candidate]]:
    found: defaultdict[str, list[Candidate]] = defaultdict(list)
    for one in made:
        found[one.asked].append(one.candidate)
    return dict(found)


def _same(ours: Candidate, theirs: Candidate) -> bool:
    if (ours.kind, ours.name) != (theirs.kind, theirs.name):
        return False
    if ours.kind in (Kind.MENTION, Kind.EVENT):
        return _overlap(ours.subject, theirs.subject)
    ends = ours.kind is Kind.ARGUMENT or _overlap(ours.subject, theirs.subject)
    if theirs.object is not None:
        return ends and _overlap(ours.object, theirs.object)
    return ends and _equal(ours.value, theirs.value)


def _overlap(one: Anchor | None, other: Anchor | None) -> bool:
    if one is None or other is None:
        return False
    return one.start < other.end and other.start < one.end


def _equal(one: Value | None, other: Value | None) -> bool:
    if one is None or other is None:
        return False
    forms = [{normal(v.lexical), normal(v.verbatim)} - {""} for v in (one, other)]
    return bool(forms[0] & forms[1])
