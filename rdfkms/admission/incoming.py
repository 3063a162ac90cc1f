"""Whether RDF from outside has the shape of claims: a SHACL report, before the gate decides."""

from __future__ import annotations

import io
from dataclasses import dataclass

from pyoxigraph import RdfFormat, serialize

from rdfkms import resources
from rdfkms.errors import BadInput
from rdfkms.knowledge.incoming import Graph
from rdfkms.vocab import PREFIXES

SHAPES = "shapes/incoming/claim.ttl"
TOLD = 5  # results told in the sentence; the report holds all


@dataclass(frozen=True, slots=True)
class Result:
    """One thing that breaks the shape: where, which property, and what is asked for."""

    focus: str
    path: str
    message: str
    value: str


@dataclass(frozen=True, slots=True)
class Report:
    """A SHACL validation report (Turtle, SHACL section 3) and its results in order."""

    turtle: str
    results: tuple[Result, ...]


class Unfit(BadInput):
    """RDF that breaks the shape of what may come in; `report` says where."""

    http_status = 422

    def __init__(self, report: Report) -> None:
        count, shown = len(report.results), report.results[:TOLD]
        told = " ".join(f"{r.focus} {r.path}: {r.message}" for r in shown)
        more = f" And {count - TOLD} more." if count > TOLD else ""
        super().__init__(
            f"The RDF does not have the shape of claims. {told}{more}", hint=f"See {SHAPES}."
        )
        self.report = report

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.report,))


def demand_shape(graph: Graph) -> None:
    """Raise `Unfit` with the report unless the graph fits."""
    import rdflib
    from pyshacl import validate  # takes half a second to load

    data = rdflib.Graph()
    lines = serialize(graph.triples, format=RdfFormat.N_TRIPLES)
    data.parse(io.BytesIO(lines or b""), format="nt")
    shapes = rdflib.Graph().parse(resources.file(SHAPES), format="turtle")
    fits, told, _ = validate(data, shacl_graph=shapes, inference="none", meta_shacl=False)
    if not fits:
        assert isinstance(told, rdflib.Graph)
        raise Unfit(_report(told))


def _report(told: object) -> Report:
    import rdflib
    from rdflib.namespace import RDF, SH

    assert isinstance(told, rdflib.Graph)
    for prefix, iri in PREFIXES.items():
        told.bind(prefix, iri)
    results = [
        Result(
            _said(told.value(node, SH.focusNode)),
            _said(told.value(node, SH.resultPath)),
            str(told.value(node, SH.resultMessage) or "It breaks the shape."),
            _said(told.value(node, SH.value)),
        )
        for node in told.subjects(RDF.type, SH.ValidationResult)
    ]
    # What has a name of its own first: blank nodes are named anew with each reading.
    results.sort(key=lambda r: (r.focus.startswith("_:"), r.focus, r.path, r.message, r.value))
    return Report(told.serialize(format="turtle"), tuple(results))


def _said(node: object) -> str:
    import rdflib

    if node is None:
        return ""
    return f"_:{node}" if isinstance(node, rdflib.BNode) else str(node)[:500]
