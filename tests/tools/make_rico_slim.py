"""Write ontology/rico-slim.ttl from the RiC-O 1.1 file: the axioms between IRIs, nothing else.

Usage: python tests/tools/make_rico_slim.py RiC-O_1-1.rdf ontology/rico-slim.ttl

The validator clones literals and blank nodes at every call, which the whole ontology makes too
slow. A domain or range that is a union stands as schema:domainIncludes / rangeIncludes.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from itertools import combinations
from pathlib import Path

from pyoxigraph import BlankNode, Dataset, NamedNode, RdfFormat, parse

from rdfkms.vocab import OWL, RDF, RDFS, RICO, RST, TYPE, XSD, Namespace

SCHEMA = Namespace("https://schema.org/")
KINDS = (
    OWL("Class"), OWL("ObjectProperty"), OWL("DatatypeProperty"), OWL("SymmetricProperty"),
    OWL("TransitiveProperty"),
)  # fmt: skip
AXIOMS = (
    RDFS("subClassOf"), RDFS("subPropertyOf"), RDFS("domain"), RDFS("range"), OWL("inverseOf"),
    OWL("disjointWith"),
)  # fmt: skip
UNIONS = {RDFS("domain"): SCHEMA("domainIncludes"), RDFS("range"): SCHEMA("rangeIncludes")}
NOTICE = """\
# The axioms between IRIs of Records in Contexts Ontology (RiC-O) 1.1, 2025-05-22.
# Copyright 2019-2025 International Council on Archives (ICA), Expert Group on Archival Description.
# Licence: CC BY 4.0, https://creativecommons.org/licenses/by/4.0/
# Source: https://www.ica.org/standards/RiC/ontology, version 1.1 (git tag v1.1). A selection of it
# without change of meaning: labels, comments, restrictions, property chains and the helper
# properties *_role are left out; unions of domain or range stand as schema:...Includes.
# Written by tests/tools/make_rico_slim.py; do not edit.
"""

Axiom = tuple[NamedNode, NamedNode, NamedNode]


def axioms(graph: Dataset) -> set[Axiom]:
    """Return the axioms between IRIs of RiC-O's own terms and of its record set types."""
    found: set[Axiom] = set()
    for quad in graph:
        subject, predicate, object_ = quad.subject, quad.predicate, quad.object
        if not isinstance(subject, NamedNode) or not _ours(subject):
            continue
        if isinstance(object_, NamedNode):
            typed = predicate == TYPE and (object_ in KINDS or object_.value.startswith(RICO.iri))
            if typed or (predicate in AXIOMS and (_ours(object_) or _literal(object_))):
                found.add((subject, predicate, object_))
        elif isinstance(object_, BlankNode) and predicate in UNIONS:
            for member in _union(graph, object_):
                found.add((subject, UNIONS[predicate], member))
    return found | _disjoint(graph)


def _ours(iri: NamedNode) -> bool:
    name = iri.value
    return name.startswith((RICO.iri, RST.iri)) and not name.endswith("_role")


def _literal(iri: NamedNode) -> bool:
    return iri == RDFS("Literal") or iri.value.startswith(XSD.iri)


def _union(graph: Dataset, node: BlankNode) -> list[NamedNode]:
    lists = graph.quads_for_subject(node)
    return [m for q in lists if q.predicate == OWL("unionOf") for m in _members(graph, q.object)]


def _members(graph: Dataset, head: object) -> list[NamedNode]:
    members: list[NamedNode] = []
    while isinstance(head, BlankNode):
        cell = {q.predicate: q.object for q in graph.quads_for_subject(head)}
        first, head = cell[RDF("first")], cell[RDF("rest")]
        if isinstance(first, NamedNode):
            members.append(first)
    return members


def _disjoint(graph: Dataset) -> set[Axiom]:
    found: set[Axiom] = set()
    for quad in graph.quads_for_predicate(OWL("members")):
        members = sorted(_members(graph, quad.object), key=str)
        found |= {(a, OWL("disjointWith"), b) for a, b in combinations(members, 2)}
    return found


def turtle(found: set[Axiom]) -> str:
    """Return the axioms as sorted Turtle under the notice."""
    prefixes = {
        "owl": OWL, "rdfs": RDFS, "rico": RICO, "rst": RST, "schema": SCHEMA, "xsd": XSD,
    }  # fmt: skip
    by_subject: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for subject, predicate, object_ in found:
        name = "a" if predicate == TYPE else _short(predicate, prefixes)
        by_subject[_short(subject, prefixes)][name].add(_short(object_, prefixes))
    lines = [NOTICE, *(f"@prefix {p}: <{n.iri}> ." for p, n in prefixes.items())]
    lines.append("\n<https://www.ica.org/standards/RiC/ontology/1.1> a owl:Ontology .\n")
    for thing in sorted(by_subject):
        parts = [f"{p} {' , '.join(sorted(o))}" for p, o in sorted(by_subject[thing].items())]
        lines.append(f"{thing} {' ; '.join(parts)} .")
    return "\n".join(lines) + "\n"


def _short(iri: NamedNode, prefixes: dict[str, Namespace]) -> str:
    for prefix, space in prefixes.items():
        if iri.value.startswith(space.iri):
            return f"{prefix}:{iri.value.removeprefix(space.iri)}"
    return str(iri)


def main(source: Path, target: Path) -> None:
    """Write the file."""
    graph = Dataset(parse(path=source, format=RdfFormat.RDF_XML))
    target.write_text(turtle(axioms(graph)), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
