"""Where a described thing stands: what holds it, what stands beside it, what it holds, in order.

Three to six queries, whatever the size of the whole: a level is shown a page at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyoxigraph import NamedNode

from rdfkms.knowledge.encoding import integer
from rdfkms.model import Ref
from rdfkms.ports import Row
from rdfkms.publish.views import Link, Scope, iri_of, names_of, text_of

KINDS = ("set", "item", "itempart")
SHOWN = 100  # of a level at a time; sparql/pages/children.rq gives at most twice as many rows
BESIDE = 5  # on each side of the thing, among its siblings
_DEEPEST = 100


@dataclass(frozen=True, slots=True)
class Node:
    """One component: how much it holds, its place among its siblings, level and dates as told."""

    link: Link
    count: int
    place: int
    level: str
    dates: str


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """The surroundings of a component.

    `above` is outermost first. `beside` are siblings with the thing itself among them, empty where
    nothing holds it. `next` is the place after which the level below goes on, 0 at its end.
    """

    above: tuple[Link, ...]
    beside: tuple[Node, ...]
    here: Node
    below: tuple[Node, ...]
    next: int


def trail(scope: Scope, ref: Ref) -> tuple[Link, ...]:
    """Return what holds a thing, outermost first. Two queries."""
    chain = _chain(scope, scope.base.iri(ref.kind, ref.key))
    names = names_of(scope, chain)
    return tuple(names[one.value] for one in chain)


def hierarchy(scope: Scope, ref: Ref, after: int = 0) -> Hierarchy:
    """Return where a thing stands; what it holds begins behind the place `after`."""
    thing = scope.base.iri(ref.kind, ref.key)
    chain = _chain(scope, thing)
    rows = _children(scope, thing, after)
    place = _place(scope, chain[-1], thing) if chain else 0
    around = _children(scope, chain[-1], max(place - BESIDE - 1, 0)) if chain else {}
    beside = dict(list(around.items())[: 2 * BESIDE + 1])
    wanted = [*chain, thing, *beside, *rows]
    names = names_of(scope, wanted)
    counts = {
        text_of(row["thing"]): int(text_of(row["count"]))
        for row in scope.select_of("pages/children_counts", "thing", [thing, *beside, *rows])
    }

    def node(one: NamedNode, row: Row | None) -> Node:
        told = row or {}
        return Node(
            names[one.value], counts.get(one.value, 0), int(text_of(told.get("place")) or 0),
            text_of(told.get("level")), text_of(told.get("dates")),
        )  # fmt: skip

    below = tuple(node(one, row) for one, row in list(rows.items())[:SHOWN])
    more = len(rows) > SHOWN
    return Hierarchy(
        above=tuple(names[one.value] for one in chain),
        beside=tuple(node(one, row) for one, row in beside.items()),
        here=node(thing, beside.get(thing)),
        below=below,
        next=below[-1].place if more and below else 0,
    )


def _chain(scope: Scope, thing: NamedNode) -> list[NamedNode]:
    """Return what holds a thing, outermost first; of several parents the first by name."""
    held: dict[NamedNode, list[NamedNode]] = {}
    inner: set[NamedNode] = set()
    for row in scope.select("pages/ancestors", thing=thing):
        up, above = iri_of(row["up"]), iri_of(row["above"])
        if up is not None:
            held.setdefault(up, [])
            if above is not None:
                held[up].append(above)
                inner.add(above)
    nearest = sorted(set(held) - inner, key=lambda one: one.value)
    chain: list[NamedNode] = []
    at = nearest[0] if nearest else None
    while at is not None and at not in chain and len(chain) < _DEEPEST:
        chain.append(at)
        at = min(held.get(at, ()), key=lambda one: one.value, default=None)
    return chain[::-1]


def _children(scope: Scope, thing: NamedNode, after: int) -> dict[NamedNode, Row]:
    rows: dict[NamedNode, Row] = {}
    for row in scope.select("pages/children", thing=thing, after=integer(after)):
        child = iri_of(row["child"])
        if child is not None:
            rows.setdefault(child, row)
    return rows


def _place(scope: Scope, parent: NamedNode, thing: NamedNode) -> int:
    found: Sequence[Row] = scope.select("pages/rank", parent=parent, thing=thing)
    return max((int(text_of(row["place"]) or 0) for row in found), default=0)
