"""A change to the graphs: what is asked for, what it comes to (the net patch), and as bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, Triple, parse, serialize

from rdfkms.errors import BadInput
from rdfkms.ports import TripleStore
from rdfkms.vocab import XSD, Base, key_of

_PLAIN = XSD("string")


@dataclass(frozen=True, slots=True)
class Activity:
    """Why something is written: kind ("ingest", "extract", "decision" ...), subject, run, batch."""

    kind: str
    subject: str = ""
    run: str = ""
    batch: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """What an activity wants to add and remove; a quad in both is there afterwards."""

    activity: Activity
    add: tuple[Quad, ...] = ()
    remove: tuple[Quad, ...] = ()


@dataclass(frozen=True, slots=True)
class Patch:
    """What a change comes to: only quads that are there go, only quads that are not come."""

    remove: tuple[Quad, ...] = ()
    add: tuple[Quad, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.remove or self.add)


def net(store: TripleStore, base: Base, change: Change) -> Patch:
    """Return the net patch of a change on the present store (DESIGN 4, "Graphs are visibility").

    No triple stands in two graphs: adding to `public` takes the same triple out of `internal`,
    adding to `internal` what is public is dropped. Raises `BadInput` for quads that may not be in
    the store (no graph of this archive, triple terms).
    """
    door = _Door(store, base, change.activity)
    state = _Overlay(store)
    public, internal = base.public, base.internal
    for quad in door.admit(change.remove):
        state.remove(quad)
    for quad in door.admit(change.add):
        graph = quad.graph_name
        if graph == public:
            state.remove(Quad(quad.subject, quad.predicate, quad.object, internal))
        elif graph == internal and state.has(
            Quad(quad.subject, quad.predicate, quad.object, public)
        ):
            continue
        state.add(quad)
    return state.patch()


class _Overlay:
    """The store with a change laid over it: of each touched quad, was it there and is it now."""

    def __init__(self, store: TripleStore) -> None:
        self._contains = store.contains
        self._before: dict[Quad, bool] = {}
        self._now: dict[Quad, bool] = {}

    def has(self, quad: Quad) -> bool:
        now = self._now.get(quad)
        return self._contains(quad) if now is None else now

    def remove(self, quad: Quad) -> None:
        if self.has(quad):
            self._before.setdefault(quad, True)
            self._now[quad] = False

    def add(self, quad: Quad) -> None:
        if not self.has(quad):
            self._before.setdefault(quad, False)
            self._now[quad] = True

    def patch(self) -> Patch:
        changed = [quad for quad, before in self._before.items() if self._now[quad] is not before]
        return Patch(
            remove=tuple(quad for quad in changed if not self._now[quad]),
            add=tuple(quad for quad in changed if self._now[quad]),
        )


class _Door:
    """Brings quads into the form in which the store keeps them."""

    def __init__(self, store: TripleStore, base: Base, activity: Activity) -> None:
        self._store = store
        self._base = base
        self._activity = activity
        self._graphs = f"{base.base}/graph/"
        self._known: set[object] = set()

    def admit(self, quads: Iterable[Quad]) -> Iterator[Quad]:
        for quad in quads:
            graph, subject, thing = quad.graph_name, quad.subject, quad.object
            if graph not in self._known:
                self._demand_ours(quad)
                self._known.add(graph)
            if isinstance(thing, Triple) or isinstance(subject, Triple):
                raise BadInput(f"{quad}: triple terms are not kept (RDF 1.1).")
            node, term = self._node(subject), self._term(thing)
            same = node is subject and term is thing
            yield quad if same else Quad(node, quad.predicate, term, graph)

    def _demand_ours(self, quad: Quad) -> None:
        graph = quad.graph_name
        if not isinstance(graph, NamedNode) or not graph.value.startswith(self._graphs):
            raise BadInput(f"{quad}: the graph is none of this archive ({self._graphs}...).")

    def _node(self, node: NamedNode | BlankNode) -> NamedNode:
        if isinstance(node, NamedNode):
            return node
        told = self._activity
        key = key_of("node", told.kind, told.subject, told.run, told.batch, node.value)
        return self._base.iri("node", key)

    def _term(self, term: NamedNode | BlankNode | Literal) -> NamedNode | Literal:
        if not isinstance(term, Literal):
            return self._node(term)
        if term.datatype == _PLAIN or not term.datatype.value.startswith(XSD.iri):
            return term
        same = self._store.canonical(term)
        return term if same == term else same


def to_lines(quads: Iterable[Quad]) -> bytes:
    """Return the quads as N-Quads, one a line, in the given order."""
    return serialize(quads, format=RdfFormat.N_QUADS) or b""


def from_lines(lines: bytes) -> tuple[Quad, ...]:
    """Return the quads of N-Quads lines."""
    return tuple(cast(Iterator[Quad], parse(lines, format=RdfFormat.N_QUADS)))
