"""The claims that join a thing to others: the steps of its local network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pyoxigraph import NamedNode

from rdfkms.knowledge.mapping import EVENT_SEGMENT
from rdfkms.ports import Row
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


@dataclass(frozen=True, slots=True)
class Steps:
    """Steps in the order of their claims; `cut` where there are more than were read."""

    found: tuple[Step, ...]
    cut: bool


def steps(scope: Scope, things: Sequence[NamedNode]) -> list[Step]:
    """Return the admitted steps from things, ordered by claim; at most `MOST`. One query."""
    return list(read_steps(scope, things).found)


def read_steps(scope: Scope, things: Sequence[NamedNode]) -> Steps:
    """Return the steps as `steps` does, and whether they are all."""
    rows = scope.select_of("pages/neighbours", "thing", things)
    return Steps(tuple(_steps(scope, rows)), len(rows) >= MOST)


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


def events_of(scope: Scope, found: Sequence[Step]) -> list[NamedNode]:
    """Return the events among the ends of steps, in order of their IRIs."""
    events = {step.other for step in found if is_event(scope, step.other)}
    return sorted(events, key=lambda event: event.value)
