"""Relations of RiC-O as nodes: who stands at their ends, where, and which statement they make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from rdfkms.ingest.describing.rico_graph import Arc, Identity, Node, Sight
from rdfkms.ingest.describing.rico_terms import OWN_ENDS, Rule, frame, guess, rico
from rdfkms.model import Thing

MOST_PAIRS = 50  # each two ends of a relation are a statement: hundreds of ends would be thousands
_PLACES = tuple(map(rico, ("hasOrHadLocation", "isAssociatedWithPlace", "relationHasContext")))


@dataclass(slots=True)
class Ends:
    """The ends of a relation, by their roles, and the arcs that name them."""

    source: dict[Identity, Arc | None] = field(default_factory=dict)
    target: dict[Identity, Arc | None] = field(default_factory=dict)
    connects: dict[Identity, Arc | None] = field(default_factory=dict)

    @property
    def arcs(self) -> tuple[Arc, ...]:
        """The arcs of the relation that name its ends."""
        every = (*self.source.values(), *self.target.values(), *self.connects.values())
        return tuple(arc for arc in every if arc is not None)

    @property
    def count(self) -> int:
        """How many pairs there are."""
        several = len(self.connects)
        return len(self.source) * len(self.target) + several * (several - 1) // 2

    def pairs(self) -> Iterator[tuple[Identity, Identity, bool]]:
        """Yield each two ends; the last tells whether they run from source to target."""
        if self.source and self.target:
            for one in self.source:
                for other in self.target:
                    yield one, other, True
        for one, other in combinations(self.connects, 2):
            yield one, other, False

    def quote(self, one: Identity, other: Identity, node: Node) -> tuple[int, int]:
        """Return the place that names both ends, or the other one of what stands around."""
        known = {**self.source, **self.target, **self.connects}
        arcs = [arc for identity in (one, other) if (arc := known.get(identity)) is not None]
        if not arcs:
            return node.start, node.end
        if len(arcs) == 1:
            return arcs[0].start, arcs[0].end
        return min(arc.outer_start for arc in arcs), max(arc.outer_end for arc in arcs)


def ends_of(node: Node, pointers: Sequence[tuple[Identity, str]]) -> Ends:
    """Return the ends of a relation: those that it names itself, and those that point to it."""
    ends = Ends()
    for arc in node.arcs:
        role = OWN_ENDS.get(arc.predicate)
        if role is not None and arc.target is not None:
            getattr(ends, role)[arc.target.identity] = arc
    for identity, role in pointers:
        getattr(ends, role).setdefault(identity, None)
    return ends


def place_of(node: Node, sight: Sight) -> tuple[Thing | None, tuple[Arc, ...]]:
    """Return the one place at which a relation held, and the arc that says so."""
    found = [
        arc for arc in node.arcs
        if arc.predicate in _PLACES and arc.target is not None
        and sight.types.get(arc.target.identity) == "Location"
    ]  # fmt: skip
    if len(found) != 1 or found[0].target is None:
        return None, ()
    return Thing("Location", found[0].target.identity), (found[0],)


def fitting(
    rule: Rule, subject: Identity, object_: Identity, types: dict[Identity, str]
) -> tuple[str, Thing, Thing] | None:
    """Return the first statement of a rule that takes both ends, with them; None if none does."""
    for name in rule.says:
        ends = frame(name)
        kinds = (types.get(subject, ""), types.get(object_, ""))
        if rule.known and not all(kinds):
            continue
        one, other = kinds[0] or guess(ends.domain), kinds[1] or guess(ends.range)
        if one in ends.domain and other in ends.range:
            return name, Thing(one, subject), Thing(other, object_)
    return None
