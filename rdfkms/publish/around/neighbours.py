"""The claims that join a thing to others: the steps of its local network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyoxigraph import NamedNode

from rdfkms.knowledge.mapping import EVENT_SEGMENT
from rdfkms.publish.views import Scope, iri_of, key_in, label_of, text_of

MOST = 1_000  # as the LIMIT in sparql/pages/neighbours.rq


@dataclass(frozen=True, slots=True)
class Step:
    """One claim seen from one of its ends; `outward` where that end is the subject."""

    claim: str
    thing: NamedNode
    other: NamedNode
    outward: bool
    label: str


def steps(scope: Scope, things: Sequence[NamedNode]) -> list[Step]:
    """Return the admitted steps from things, ordered by claim; at most `MOST`. One query."""
    found = []
    for row in scope.select_of("pages/neighbours", "thing", things):
        thing, other = iri_of(row["thing"]), iri_of(row["other"])
        if thing is None or other is None or thing == other or not scope.base.split(other.value):
            continue
        label = label_of(
            scope, iri_of(row["statement"]), iri_of(row["role"]), iri_of(row["predicate"])
        )
        outward = text_of(row["outward"]) == "true"
        found.append(Step(key_in(scope, row["claim"]), thing, other, outward, label))
    return found


def is_event(scope: Scope, thing: NamedNode) -> bool:
    """Return whether a thing is an event, through which others are met."""
    return (scope.base.split(thing.value) or ("",))[0] == EVENT_SEGMENT


def events_of(scope: Scope, found: Sequence[Step]) -> list[NamedNode]:
    """Return the events among the ends of steps, in order of their IRIs."""
    events = {step.other for step in found if is_event(scope, step.other)}
    return sorted(events, key=lambda event: event.value)
