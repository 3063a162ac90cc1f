"""The local network of a thing as a drawing: who is joined to it, and through its events to whom.

Three columns: the thing, its neighbours, and those met in its events. Places are computed here, so
that the same archive always gives the same drawing and no script is needed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyoxigraph import NamedNode

from rdfkms.model import Ref
from rdfkms.publish.around.neighbours import Step, around
from rdfkms.publish.histories import Said, said_of
from rdfkms.publish.views import Link, Scope, names_of

NEAR, FAR = 30, 40  # things drawn in the second and the third column
ROW, WIDTH, GAP, MARGIN = 46, 250, 90, 12  # units of the drawing
LISTED = 12  # statements listed of each neighbour
CLAIMS_SHOWN = 300
TIES = 150  # neighbours listed


@dataclass(frozen=True, slots=True)
class Node:
    """A thing in the drawing: where it stands, and the words by which it is joined."""

    link: Link
    column: int
    x: int
    y: int
    words: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A line between two things, from the right side of one to the left side of the other."""

    source: str  # keys of the nodes
    target: str
    path: str


@dataclass(frozen=True, slots=True)
class Tie:
    """A neighbour with the statements that join it."""

    link: Link
    said: tuple[Said, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Network:
    """The drawing and, in words, what it draws; `left_out` things are not drawn."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    width: int
    height: int
    ties: tuple[Tie, ...]
    left_out: int
    cut: bool


def network(scope: Scope, ref: Ref) -> Network:
    """Return the local network of a thing; empty where no admitted claim joins it to another."""
    centre = scope.base.iri(ref.kind, ref.key)
    found = around(scope, centre)
    first, second = found.first, found.second
    near = _heaviest(first, {centre})
    drawn = set(near[:NEAR])
    behind = [s for s in second if s.thing in drawn and s.other not in drawn]
    far = _heaviest(behind, {centre, *drawn})
    links = names_of(scope, {centre, *near[:TIES], *far[:FAR]})
    nodes = _nodes(centre, near[:NEAR], far[:FAR], first, behind, links)
    return Network(
        nodes=tuple(nodes.values()),
        edges=_edges([*first, *(s for s in second if s.thing in drawn)], nodes),
        width=3 * WIDTH + 2 * GAP + 2 * MARGIN,
        height=max((n.y for n in nodes.values()), default=0) + ROW,
        ties=_ties(scope, near[:TIES], first, links),
        left_out=max(0, len(near) - NEAR) + max(0, len(far) - FAR),
        cut=found.cut,
    )


def _heaviest(found: Sequence[Step], without: set[NamedNode]) -> list[NamedNode]:
    """Return the ends of steps, those first that most claims lead to."""
    weight: defaultdict[NamedNode, int] = defaultdict(int)
    for step in found:
        if step.other not in without:
            weight[step.other] += 1
    return sorted(weight, key=lambda thing: (-weight[thing], thing.value))


def _nodes(
    centre: NamedNode,
    near: Sequence[NamedNode],
    far: Sequence[NamedNode],
    first: Sequence[Step],
    behind: Sequence[Step],
    links: Mapping[str, Link],
) -> dict[NamedNode, Node]:
    ordered = sorted(near, key=lambda t: (links[t.value].kind, links[t.value].text, t.value))
    row = {thing: place for place, thing in enumerate(ordered)}
    parents: defaultdict[NamedNode, list[int]] = defaultdict(list)
    for step in behind:
        parents[step.other].append(row[step.thing])
    last = sorted(
        far, key=lambda t: (sum(parents[t]) / len(parents[t]), links[t.value].text, t.value)
    )
    rows = max(len(ordered), len(last), 1)
    said = {
        thing: _words(found, thing)
        for column, found in ((ordered, first), (last, behind))
        for thing in column
    }
    nodes = {}
    for number, column in enumerate(([centre], ordered, last)):
        above = (rows - len(column)) * ROW // 2
        for place, thing in enumerate(column):
            nodes[thing] = Node(
                links[thing.value],
                number,
                MARGIN + number * (WIDTH + GAP),
                MARGIN + above + place * ROW,
                said.get(thing, ""),
            )
    return nodes


def _words(found: Sequence[Step], thing: NamedNode) -> str:
    """Return how a thing is joined; what is said of it and not by it has an arrow back."""
    said = {
        step.label if step.outward else f"← {step.label}" for step in found if step.other == thing
    }
    return ", ".join(sorted(said))


def _edges(found: Sequence[Step], nodes: Mapping[NamedNode, Node]) -> tuple[Edge, ...]:
    drawn = {}
    for step in found:
        one, other = nodes.get(step.thing), nodes.get(step.other)
        if one is None or other is None or one.column == other.column:
            continue
        left, right = sorted((one, other), key=lambda node: node.column)
        begin, end = left.x + WIDTH, right.x
        middle = (begin + end) // 2
        y, z = left.y + ROW // 2 - 4, right.y + ROW // 2 - 4
        path = f"M{begin} {y}C{middle} {y} {middle} {z} {end} {z}"
        drawn[left.link.key, right.link.key] = Edge(left.link.key, right.link.key, path)
    return tuple(drawn[pair] for pair in sorted(drawn))


def _ties(
    scope: Scope, near: Sequence[NamedNode], first: Sequence[Step], links: Mapping[str, Link]
) -> tuple[Tie, ...]:
    claims: defaultdict[NamedNode, list[str]] = defaultdict(list)
    for step in first:
        claims[step.other].append(step.claim)
    shown = [key for thing in near for key in claims[thing][:LISTED]][:CLAIMS_SHOWN]
    said = said_of(scope, shown)
    ties = []
    for thing in near:
        listed = tuple(said[key] for key in claims[thing][:LISTED] if key in said)
        if listed:
            ties.append(Tie(links[thing.value], listed, len(set(claims[thing]))))
    return tuple(ties)
