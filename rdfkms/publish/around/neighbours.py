"""The claims that join a thing to others: the steps of its local network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pyoxigraph import NamedNode

from rdfkms.knowledge.mapping import EVENT_SEGMENT
from rdfkms.ports import Row
from rdfkms.publish.views import Scope, iri_of, key_in, label_of, text_of

MOST = 1_000  # as the LIMIT in sparql/pages/neighbours.rq
EVENTS = 200  # that are looked behind


@dataclass(frozen=True, slots=True)
class Step:
    """One claim seen from one of its ends; `outward` where that end is the subject."""

    claim: str
    thing: NamedNode
    other: NamedNode
    outward: bool
    label: str


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a thing: steps from it, its events, and steps from these.

    `cut` where there is more than was read.
    """

    first: tuple[Step, ...]
    events: tuple[NamedNode, ...]
    second: tuple[Step, ...]
    cut: bool


def around(scope: Scope, thing: NamedNode) -> Around:
    """Return the admitted steps from a thing and from its first `EVENTS` events. Two queries."""
    rows = scope.select_of("pages/neighbours", "thing", [thing])
    first = tuple(_steps(scope, rows))
    events = sorted({s.other for s in first if is_event(scope, s.other)}, key=lambda e: e.value)
    behind = scope.select_of("pages/neighbours", "thing", events[:EVENTS])
    second = tuple(step for step in _steps(scope, behind) if step.other != thing)
    cut = max(len(rows), len(behind)) >= MOST or len(events) > EVENTS
    return Around(first, tuple(events[:EVENTS]), second, cut)


def _steps(scope: Scope, rows: Sequence[Row]) -> Iterator[Step]:
    for row in rows:
        thing, other = iri_of(row["thing"]), iri_of(row["other"])
        if thing is None or other is None or thing == other or not scope.base.split(other.value):
            continue
        label = label_of(
            scope, iri_of(row["statement"]), iri_of(row["role"]), iri_of(row["predicate"])
        )
        outward = text_of(row["outward"]) == "true"
        yield Step(key_in(scope, row["claim"]), thing, other, outward, label)


def is_event(scope: Scope, thing: NamedNode) -> bool:
    """Return whether a thing is an event, through which others are met."""
    return (scope.base.split(thing.value) or ("",))[0] == EVENT_SEGMENT
