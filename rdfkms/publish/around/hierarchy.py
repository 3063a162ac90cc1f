"""Where a described thing stands: what holds it, what stands beside it, what it holds, in order.

Four to seven queries, whatever the size of the whole: a level is shown a page at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from rdfkms.errors import BadInput
from rdfkms.knowledge.encoding import integer
from rdfkms.model import Ref
from rdfkms.ports import Row
from rdfkms.publish.views import Link, Scope, iri_of, names_of, text_of
from rdfkms.vocab import Base

KINDS = ("set", "item", "itempart")
SHOWN = 100  # of a level at a time; sparql/pages/children.rq gives one more
MOST_DATES = 3  # of a component, in words
BESIDE = 5  # on each side of the thing, among its siblings
_DEEPEST = 100
_LAST = "\U0010ffff"  # behind every IRI


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
    nothing holds it. `next` tells behind which component the level below goes on, "" at its end.
    """

    above: tuple[Link, ...]
    beside: tuple[Node, ...]
    here: Node
    below: tuple[Node, ...]
    next: str


@dataclass(frozen=True, slots=True)
class Behind:
    """Where a page of a level begins: behind a place, and there behind a component."""

    place: int = -1
    last: str = ""

    def told(self, base: Base) -> str:
        """Return it as it stands in an address: ``12/set/KEY``."""
        split = base.split(self.last)
        return "/".join((str(self.place), *(split or ())))


def behind(base: Base, told: str) -> Behind:
    """Return what an address tells; raises `BadInput` for what tells no place."""
    place, _, path = told.partition("/")
    kind, _, key = path.partition("/")
    if not place:
        return Behind()
    if not (place.isascii() and place.isdigit() and len(place) < 10):
        raise BadInput(f"{told!r} is no place in a list.", hint="Follow the link to more.")
    if not path:
        return Behind(int(place), _LAST)
    if kind not in KINDS or not key.isalnum():
        raise BadInput(f"{told!r} is no place in a list.", hint="Follow the link to more.")
    return Behind(int(place), base.iri(kind, key).value)


def trail(scope: Scope, ref: Ref) -> tuple[Link, ...]:
    """Return what holds a thing, outermost first. Two queries."""
    chain = _chain(scope, scope.base.iri(ref.kind, ref.key))
    names = names_of(scope, chain)
    return tuple(names[one.value] for one in chain)


def hierarchy(scope: Scope, ref: Ref, after: str = "") -> Hierarchy:
    """Return where a thing stands; what it holds begins behind `after`, as `next` told it.

    Raises `BadInput` for what tells no place.
    """
    thing = scope.base.iri(ref.kind, ref.key)
    chain = _chain(scope, thing)
    places = _children(scope, thing, behind(scope.base, after))
    below, more = list(places)[:SHOWN], len(places) > SHOWN
    beside = _beside(scope, chain[-1], thing) if chain else {}
    places |= beside
    wanted = list(dict.fromkeys([*chain, thing, *beside, *below]))
    names = names_of(scope, wanted)
    told = _told(scope, wanted)
    counts = {
        text_of(row["thing"]): int(text_of(row["count"]))
        for row in scope.select_of("pages/children_counts", "thing", wanted)
    }

    def node(one: NamedNode) -> Node:
        level, dates = told.get(one.value, ("", ""))
        count = counts.get(one.value, 0)
        return Node(names[one.value], count, places.get(one, 0), level, dates)

    last = Behind(places[below[-1]], below[-1].value) if below else Behind()
    return Hierarchy(
        above=tuple(names[one.value] for one in chain),
        beside=tuple(map(node, beside)),
        here=node(thing),
        below=tuple(map(node, below)),
        next=last.told(scope.base) if more else "",
    )


def _beside(scope: Scope, parent: NamedNode, thing: NamedNode) -> dict[NamedNode, int]:
    """Return the siblings around a thing, itself among them, with their places."""
    place = _place(scope, parent, thing)
    start = Behind(max(place - BESIDE - 1, -1), _LAST) if place else Behind()
    around = list(_children(scope, parent, start).items())
    at = next((number for number, (one, _) in enumerate(around) if one == thing), None)
    if at is None:  # among many without a place
        return {thing: place}
    return dict(around[max(at - BESIDE, 0) : at + BESIDE + 1])


def _told(scope: Scope, things: Sequence[NamedNode]) -> dict[str, tuple[str, str]]:
    """Return level and dates in words of components, by IRI."""
    levels: dict[str, str] = {}
    dates: dict[str, list[str]] = {}
    for row in scope.select_of("pages/components", "child", things):
        child, level, date = (text_of(row[name]) for name in ("child", "level", "dates"))
        if level:
            levels.setdefault(child, level)
        elif date:
            dates.setdefault(child, []).append(date)
    shown = {
        child: "; ".join(some[:MOST_DATES]) + ("; …" if len(some) > MOST_DATES else "")
        for child, some in dates.items()
    }
    return {child: (levels.get(child, ""), shown.get(child, "")) for child in {*levels, *shown}}


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


def _children(scope: Scope, thing: NamedNode, start: Behind) -> dict[NamedNode, int]:
    """Return some of what a thing holds, with their places, in order: at most one page and one."""
    places: dict[NamedNode, int] = {}
    rows = scope.select(
        "pages/children", thing=thing, after=integer(start.place), last=Literal(start.last)
    )
    for row in rows:
        child = iri_of(row["child"])
        if child is not None:
            places.setdefault(child, int(text_of(row["place"]) or 0))
    return places


def _place(scope: Scope, parent: NamedNode, thing: NamedNode) -> int:
    found: Sequence[Row] = scope.select("pages/rank", parent=parent, thing=thing)
    return max((int(text_of(row["place"]) or 0) for row in found), default=0)
