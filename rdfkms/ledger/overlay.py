"""The store as it would be after a patch, so that what a decision comes to is known beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyoxigraph import NamedNode, Quad

from rdfkms.ports import QuadReader, Term


class Overlaid:
    """A store without the quads of `remove` and with those of `add`; one in both is there."""

    def __init__(self, store: QuadReader, remove: Iterable[Quad], add: Iterable[Quad]) -> None:
        self._store = store
        self._add = dict.fromkeys(add)
        self._gone = frozenset(remove) - self._add.keys()
        self._by_subject: dict[object, list[Quad]] = {}
        for quad in self._add:
            self._by_subject.setdefault(quad.subject, []).append(quad)

    def match(
        self,
        subject: NamedNode | None = None,
        predicate: NamedNode | None = None,
        object: Term | None = None,
        graph: NamedNode | None = None,
    ) -> Iterator[Quad]:
        """Yield the quads of a pattern, each once."""
        for quad in self._store.match(subject, predicate, object, graph):
            if quad not in self._gone and quad not in self._add:
                yield quad
        for quad in self._add if subject is None else self._by_subject.get(subject, ()):
            if (
                predicate in (None, quad.predicate)
                and object in (None, quad.object)
                and graph in (None, quad.graph_name)
            ):
                yield quad

    def contains(self, quad: Quad) -> bool:
        """Return whether the quad is there."""
        return quad in self._add or (quad not in self._gone and self._store.contains(quad))
