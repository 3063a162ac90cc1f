"""The SHACL stage of the gate: shapes parsed once, each delta added, validated in place, removed.

pyshacl is fed as was measured fastest: one data graph that keeps the slim RiC-O axioms, only
the shapes that a node's classes and properties call for, no inference (it invents types), never
`ont_graph` per call. pyshacl builds the constraints of a shape anew for each focus node; here they
are built once and given all focus nodes together. That uses pyshacl's inner classes, so its
version is pinned and a test compares the answers with `pyshacl.validate`. One writer calls it: it
is not safe for threads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, parse
from pyshacl.constraints import CONSTRAINT_PARAMETERS_MAP
from pyshacl.pytypes import SHACLExecutor
from pyshacl.shapes_graph import ShapesGraph
from rdflib import Graph, URIRef
from rdflib import Literal as RdflibLiteral
from rdflib.namespace import RDFS, SH
from rdflib.term import Node

from rdfkms import resources
from rdfkms.admission.overlay import OverlayGraph, Row
from rdfkms.errors import Misconfigured
from rdfkms.model import Reason
from rdfkms.vocab import KMS, PROV, TYPE, XSD
from rdfkms.vocab import RDFS as RDFS_

SHAPE_VIOLATION = "shapeViolation"

_AXIOMS = ("ontology/rico-slim.ttl", "ontology/rdfkms.ttl", "ontology/vocab.ttl")
_SUBCLASS = RDFS_("subClassOf")
_DERIVED = PROV("wasDerivedFrom").value
_SUBJECT = KMS("claimSubject").value
_OBJECT, _VALUE = KMS("claimObject").value, KMS("claimValue").value
_PREDICATE = KMS("claimPredicate").value
_MAKES_A_THING = (KMS("entityType").value, KMS("eventType").value)
_CACHED_NODES = 200_000

Properties = dict[str, list[str]]
Spot = tuple[str, str]  # a node and the property for whose sake it is looked at
Owners = dict[str, frozenset[str]]  # who answers for a node, and which values are theirs


@dataclass(frozen=True, eq=False)
class _Rules:
    """One targeted node shape: its own and its properties' constraints, built once."""

    name: str
    constraints: tuple[tuple[Any, tuple[Any, ...]], ...]  # pyshacl's Shape, ConstraintComponents


class ShapesGate:
    """Validates what would be written against every shape in `shapes/` that applies."""

    def __init__(self, folder: Path | None = None) -> None:
        shapes = ShapesGraph(_read_shapes(folder or resources.folder("shapes")))
        self._by_class: dict[str, list[_Rules]] = defaultdict(list)
        self._by_property: dict[str, list[_Rules]] = defaultdict(list)
        for shape in shapes.shapes:
            rules = _Rules(str(shape.node), tuple(_constraints(shapes, shape)))
            for target in shapes.graph.objects(shape.node, SH.targetClass):
                self._by_class[str(target)].append(rules)
            for target in shapes.graph.objects(shape.node, SH.targetSubjectsOf):
                self._by_property[str(target)].append(rules)
        self._nodes: dict[str, URIRef] = {}
        self._graph = OverlayGraph(row for name in _AXIOMS for row in self._axioms(name))
        self._executor = SHACLExecutor()

    def validate(
        self, triples: Iterable[Triple], focus: Sequence[NamedNode]
    ) -> dict[NamedNode, tuple[Reason, ...]]:
        """Return, for each focus node that violates a shape, the reasons; none is an empty dict.

        `triples` holds what would be written (for a claim: itself, its pointers and what it would
        project) and what that refers to (the unit and its texts, the types of things at its ends).
        A claim in `focus` answers also for its pointers, for the nodes derived from it, for the
        statement it projects, and, as mention or trigger, for the thing it makes.
        """
        rows = self._graph.lay(self._convert(t) for t in triples)
        try:
            return self._run(_Spots(rows, [node.value for node in focus], self._by_property))
        finally:
            self._graph.lay(())

    def _run(self, spots: _Spots) -> dict[NamedNode, tuple[Reason, ...]]:
        work: dict[_Rules, dict[str, Owners]] = defaultdict(lambda: defaultdict(dict))
        for node, owners in spots.things.items():
            for shape in self._shapes_of_classes(spots.classes(node)):
                work[shape][node] |= owners
        for (node, name), owners in spots.statements.items():
            for shape in self._by_property.get(name, ()):
                work[shape][node] |= owners
        found: dict[str, dict[Reason, None]] = defaultdict(dict)
        for shape in sorted(work, key=lambda rules: rules.name):
            nodes = work[shape]
            for node, value, message in self._violations(shape, nodes):
                for owner in _answerable(nodes.get(node, {}), value):
                    found[owner][Reason(SHAPE_VIOLATION, message)] = None
        return {NamedNode(owner): tuple(reasons) for owner, reasons in sorted(found.items())}

    def _violations(self, rules: _Rules, nodes: Iterable[str]) -> list[tuple[str, str, str]]:
        """The (focus node, value, sentence) of each violation of one shape by some nodes."""
        focus = [self._node(node) for node in nodes]
        found: list[tuple[str, str, str]] = []
        for shape, constraints in rules.constraints:
            values = shape.value_nodes(self._graph, focus)
            for constraint in constraints:
                path = [shape, constraint]
                conforms, reports = constraint.evaluate(self._executor, self._graph, values, path)
                if not conforms:
                    found += [_violation(report) for report in reports]
        return found

    def _shapes_of_classes(self, classes: Iterable[str]) -> set[_Rules]:
        found: set[_Rules] = set()
        for cls in classes:
            for above in self._graph.classes_above(self._node(cls)):
                found.update(self._by_class.get(str(above), ()))
        return found

    def _axioms(self, name: str) -> Iterator[Row]:
        """What `sh:class` needs of a file: subclasses, and the classes of concepts."""
        for quad in parse(path=resources.file(name), format=RdfFormat.TURTLE):
            if quad.predicate in (_SUBCLASS, TYPE):
                yield self._convert(quad.triple)

    def _convert(self, triple: Triple) -> Row:
        subject, object_ = triple.subject, triple.object
        if not isinstance(subject, NamedNode) or not isinstance(object_, NamedNode | Literal):
            raise Misconfigured(f"{triple}: a blank node or triple term is not kept.")
        if isinstance(object_, NamedNode):
            term: Node = self._node(object_.value)
        else:
            term = _literal(object_)
        return self._node(subject.value), self._node(triple.predicate.value), term

    def _node(self, iri: str) -> URIRef:
        node = self._nodes.get(iri)
        if node is None:
            if len(self._nodes) >= _CACHED_NODES:
                self._nodes.clear()
            # pyoxigraph has checked the IRI; rdflib's own constructor would do so again.
            node = self._nodes[iri] = str.__new__(URIRef, iri)
        return node


class _Spots:
    """Which nodes are looked at, for the sake of which class or property, on whose account."""

    def __init__(
        self,
        triples: Sequence[Row],
        focus: Sequence[str],
        targets: Container[str],
    ) -> None:
        self._properties: dict[str, Properties] = defaultdict(lambda: defaultdict(list))
        self._parts: dict[str, set[str]] = defaultdict(set)
        self._uses: dict[str, list[Spot]] = defaultdict(list)
        self._targets = targets
        self.things: dict[str, Owners] = defaultdict(dict)
        self.statements: dict[Spot, Owners] = defaultdict(dict)
        for subject, predicate, object_ in triples:
            s, p, o = str(subject), str(predicate), str(object_)
            self._properties[s][p].append(o)
            whole, mark, _ = s.partition("#")
            if mark:
                self._parts[whole].add(s)
            if p == _DERIVED:
                self._parts[o].add(s)
            elif isinstance(object_, URIRef):
                self._uses[o].append((s, p))
        for node in focus:
            self._account(node)

    def classes(self, node: str) -> list[str]:
        """Return the direct classes of a node."""
        return self._of(node).get(TYPE.value, [])

    def _account(self, owner: str) -> None:
        own = self._of(owner)
        derived = self._parts.get(owner, set())
        for node in (owner, *derived):
            self.things[node][owner] = frozenset()
            for name in self._of(node):
                self._note(node, name, owner, frozenset())
        for node in derived:
            for user, name in self._uses.get(node, ()):
                self._note(user, name, owner, frozenset({node}))
        subjects, objects = own.get(_SUBJECT, []), own.get(_OBJECT, [])
        for predicate in own.get(_PREDICATE, []):
            for end in subjects:
                if predicate in self._of(end):
                    values = frozenset((*objects, *own.get(_VALUE, [])))
                    self._note(end, predicate, owner, values)
            for end in objects:  # the other direction of a symmetric statement
                if not set(subjects).isdisjoint(self._of(end).get(predicate, [])):
                    self._note(end, predicate, owner, frozenset(subjects))
        if any(name in own for name in _MAKES_A_THING):
            for subject in subjects:
                self.things[subject][owner] = frozenset(derived)

    def _note(self, node: str, name: str, owner: str, values: frozenset[str]) -> None:
        if name in self._targets:
            self.statements[(node, name)][owner] = values

    def _of(self, node: str) -> Properties:
        return self._properties.get(node, {})


def _read_shapes(folder: Path) -> Graph:
    graph = Graph()
    files = sorted(folder.glob("*.ttl"))
    if not files:
        raise Misconfigured(f"{folder} holds no shapes (*.ttl): nothing could be admitted.")
    for path in files:
        try:
            graph.parse(path, format="turtle")
        except Exception as err:  # rdflib's parser raises many kinds
            raise Misconfigured(f"{path}: not readable as Turtle: {err}.") from err
    if (None, RDFS.subClassOf, None) in graph:
        raise Misconfigured(f"{folder}: axioms belong to ontology/, not to shapes/.")
    return graph


def _constraints(shapes: Any, shape: Any) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Yield a node shape and its property shapes, each with its constraints."""
    kinds: dict[Any, None] = {}
    properties: list[Any] = []
    for parameter, value in shapes.graph.predicate_objects(shape.node):
        if parameter == SH.property and not shape.is_property_shape:
            properties.append(shapes.lookup_shape_from_node(value))
        elif parameter in CONSTRAINT_PARAMETERS_MAP:
            kinds[CONSTRAINT_PARAMETERS_MAP[parameter]] = None
    yield shape, tuple(kind(shape) for kind in kinds)
    for inner in properties:
        yield from _constraints(shapes, inner)


def _literal(term: Literal) -> RdflibLiteral:
    if term.language:
        return RdflibLiteral(term.value, lang=term.language)
    if term.datatype == XSD("string"):
        return RdflibLiteral(term.value)
    return RdflibLiteral(term.value, datatype=URIRef(term.datatype.value))


def _answerable(owners: Owners, value: str) -> list[str]:
    """Those who brought in the offending value, or all where it is no single one's."""
    return [owner for owner, values in owners.items() if value in values] or list(owners)


def _violation(
    report: tuple[str, Node, Sequence[tuple[Node, Node, object]]],
) -> tuple[str, str, str]:
    """The focus node, the value and the sentence of one of pyshacl's results."""
    focus, offending, message = "", "", ""
    for _, predicate, value in report[2]:
        if predicate == SH.focusNode and isinstance(value, tuple):
            focus = str(value[1])
        elif predicate == SH.value and isinstance(value, tuple):
            offending = str(value[1])
        elif predicate == SH.resultMessage:
            message = str(value)
    return focus, offending, message
