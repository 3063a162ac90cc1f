"""The graph that the shapes look at: axioms that stay, and over them one delta at a time.

rdflib's own store keeps three indexes and a context for each triple, which costs more than the
validation. This one has what validation asks for: the objects of a subject and predicate, the
subjects of an object, the classes above a class. A delta is dropped whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterable
from typing import Any

from rdflib import Graph, URIRef
from rdflib.namespace import RDFS
from rdflib.term import Node

from rdfkms.errors import Misconfigured

Row = tuple[URIRef, URIRef, Node]
_Index = dict[Node, dict[Node, list[Node]]]


class OverlayGraph(Graph):
    """A read-only rdflib graph over kept axioms and one delta."""

    def __init__(self, axioms: Iterable[Row]) -> None:
        super().__init__()
        self._kept = frozenset(axioms)
        self._kept_objects, _ = _indexes(self._kept)
        self._objects: _Index = {}
        self._subjects: _Index = {}
        self._above: dict[Node, tuple[Node, ...]] = {}

    def lay(self, delta: Iterable[Row]) -> list[Row]:
        """Lay a delta over the axioms in place of the one before; returns its new triples."""
        rows = [row for row in dict.fromkeys(delta) if row not in self._kept]
        self._objects, self._subjects = _indexes(rows)
        return rows

    def classes_above(self, cls: Node) -> tuple[Node, ...]:
        """Return the class and its superclasses; a delta cannot change them."""
        found = self._above.get(cls)
        if found is None:
            reached: dict[Node, None] = {cls: None}
            todo = [cls]
            while todo:
                for parent in self._kept_objects.get(todo.pop(), {}).get(RDFS.subClassOf, ()):
                    if parent not in reached:
                        reached[parent] = None
                        todo.append(parent)
            found = self._above[cls] = tuple(reached)
        return found

    # ---- what pyshacl asks a data graph --------------------------------------------------------

    def objects(
        self, subject: Any = None, predicate: Any = None, *_: Any
    ) -> Generator[Any, None, None]:
        """Yield the objects of a subject and predicate."""
        yield from self._objects.get(subject, {}).get(predicate, ())
        yield from self._kept_objects.get(subject, {}).get(predicate, ())

    def subjects(
        self, predicate: Any = None, object: Any = None, *_: Any
    ) -> Generator[Any, None, None]:
        """Yield the subjects in the delta of a predicate and object."""
        yield from self._subjects.get(object, {}).get(predicate, ())

    def transitive_objects(
        self, subject: Any, predicate: Any, remember: Any = None
    ) -> Generator[Any, None, None]:
        """Yield the class and its superclasses; no other predicate is asked for."""
        if predicate != RDFS.subClassOf:  # loud, so that a new shape is not passed in silence
            raise Misconfigured(
                f"A shape asks for a chain of {predicate}, which the gate does not follow.",
                hint="Write it in shapes/ without a property path of any length.",
            )
        yield from self.classes_above(subject)

    def triples(self, triple: Any) -> Any:
        """Yield the triples of a pattern, the slow way: no constraint in use needs it."""
        for index in (self._objects, self._kept_objects):
            for s, by_predicate in index.items():
                for p, objects in by_predicate.items():
                    for row in ((s, p, o) for o in objects):
                        if all(w is None or w == r for w, r in zip(triple, row, strict=True)):
                            yield row


def _indexes(rows: Iterable[Row]) -> tuple[_Index, _Index]:
    by_subject: _Index = defaultdict(lambda: defaultdict(list))
    by_object: _Index = defaultdict(lambda: defaultdict(list))
    for subject, predicate, object_ in rows:
        by_subject[subject][predicate].append(object_)
        by_object[object_][predicate].append(subject)
    return by_subject, by_object
