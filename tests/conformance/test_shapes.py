"""Each shape accepts its example and refuses each of its counter-examples (golden files).

A file holds one named graph ``accepted`` and graphs ``refused-N``; the default graph says what
they refer to, which node is looked at (``rdfs:member``) and the sentence of each refusal
(``rdfs:comment``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyshacl
import pytest
from pyoxigraph import (
    Literal,
    NamedNode,
    Quad,
    RdfFormat,
    Triple,
    parse,
    serialize,
)
from rdflib import Graph, URIRef
from rdflib.namespace import SH

from rdfkms import resources
from rdfkms.admission.shapes import ShapesGate
from rdfkms.knowledge import encoding, statements
from rdfkms.knowledge.mapping import load
from rdfkms.model import Claim, Kind, Pointer, Ref, Status, Value
from rdfkms.vocab import KMS, RDFS, RICO, TYPE, Base

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "shapes"
BASE = Base()
SHAPES = "https://w3id.org/rdfkms/shapes#"


@dataclass(frozen=True)
class Examples:
    """The examples of one shape; `refused` by the sentence that is expected."""

    focus: NamedNode
    accepted: tuple[Triple, ...]
    refused: tuple[tuple[str, tuple[Triple, ...]], ...]


@cache
def gate() -> ShapesGate:
    return ShapesGate()


@cache
def shapes_graph() -> Graph:
    graph = Graph()
    for path in sorted(resources.folder("shapes").glob("*.ttl")):
        graph.parse(path, format="turtle")
    return graph


def shape_names() -> list[str]:
    return sorted(str(s).removeprefix(SHAPES) for s in shapes_graph().subjects(None, SH.NodeShape))


@cache
def examples(name: str) -> Examples:
    graphs: dict[str, list[Triple]] = {}
    said: list[Quad] = []
    for quad in parse(path=GOLDEN / f"{name}.trig", format=RdfFormat.TRIG):
        if isinstance(quad.graph_name, NamedNode):
            graphs.setdefault(quad.graph_name.value, []).append(quad.triple)
        else:
            said.append(quad)
    notes = (RDFS("member"), RDFS("comment"))
    context = [q.triple for q in said if q.predicate not in notes]
    focus = next(q.object for q in said if q.predicate == notes[0])
    assert isinstance(focus, NamedNode)
    refused = []
    for quad in said:
        if quad.predicate == notes[1]:
            assert isinstance(quad.subject, NamedNode)
            assert isinstance(quad.object, Literal)
            refused.append((quad.object.value, (*context, *graphs[quad.subject.value])))
    accepted = next(triples for iri, triples in graphs.items() if iri.endswith("/accepted"))
    return Examples(focus, (*context, *accepted), tuple(refused))


def sentences(name: str) -> set[str]:
    """The sentences that the shape, or a property of it, gives for a refusal."""
    graph, shape = shapes_graph(), URIRef(SHAPES + name)
    nodes = [shape, *graph.objects(shape, SH.property)]
    return {str(m) for node in nodes for m in graph.objects(node, SH.message)}


def reasons(triples: Iterable[Triple], focus: NamedNode) -> set[str]:
    return {reason.sentence for reason in gate().validate(triples, [focus]).get(focus, ())}


def test_every_shape_has_examples_and_every_example_a_shape() -> None:
    assert [path.stem for path in sorted(GOLDEN.glob("*.trig"))] == shape_names()


@pytest.mark.parametrize("name", shape_names())
def test_a_shape_accepts_its_example(name: str) -> None:
    found = examples(name)
    assert not reasons(found.accepted, found.focus) & sentences(name)


@pytest.mark.parametrize("name", shape_names())
def test_a_shape_refuses_its_counter_examples_with_a_sentence(name: str) -> None:
    found = examples(name)
    assert len(found.refused) >= 1
    for sentence, triples in found.refused:
        assert sentence in sentences(name)
        assert sentence in reasons(triples, found.focus), sentence


@cache
def axioms() -> Graph:
    graph = Graph()
    for name in ("rico-slim", "rdfkms", "vocab"):
        graph.parse(resources.file(f"ontology/{name}.ttl"), format="turtle")
    return graph


def by_pyshacl(name: str, triples: Iterable[Triple], focus: NamedNode) -> set[str]:
    """The sentences of the validator's own, whole run of one shape."""
    data = Graph() + axioms()
    text = serialize(triples, format=RdfFormat.N_TRIPLES)
    assert text is not None
    data.parse(data=text, format="nt")
    _, report, _ = pyshacl.validate(
        data, shacl_graph=shapes_graph(), inplace=True, use_shapes=[SHAPES + name],
        focus_nodes=[focus.value],
    )  # fmt: skip
    return {
        str(message)
        for result in report.subjects(SH.focusNode, URIRef(focus.value))
        for message in report.objects(result, SH.resultMessage)
    }


# One per kind of constraint; all shapes would take a minute and show nothing more.
@pytest.mark.parametrize(
    "name", ["Claim", "Pointer", "Mention", "RecordResourceIsNoCopy", "UseRelation", "Name",
             "statement-ageAtEvent", "RecordSet"],
)  # fmt: skip
def test_the_gate_answers_as_the_validator_does(name: str) -> None:
    found = examples(name)
    for triples in (found.accepted, *(triples for _, triples in found.refused)):
        ours = reasons(triples, found.focus) & sentences(name)
        assert ours == by_pyshacl(name, triples, found.focus) & sentences(name)


def test_every_property_that_claims_project_has_a_shape() -> None:
    named = {str(t) for t in shapes_graph().objects(None, SH.targetSubjectsOf)}
    for rule in load().statements.values():
        if rule.name not in ("namedAs", "triggeredBy", "Alias"):
            assert rule.predicate.value in named, rule.name
            assert rule.node_predicate is None or rule.node_predicate.value in named, rule.name


def test_every_class_of_the_mapping_table_has_a_shape() -> None:
    named = {str(t) for t in shapes_graph().objects(None, SH.targetClass)}
    mapping = load()
    for entity in mapping.entities.values():
        assert entity.cls.value in named, entity.name
    for statement in mapping.statements.values():
        if statement.relation_class is not None:
            assert statement.relation_class.value in named, statement.name


# ---- how the gate accounts ---------------------------------------------------------------------


def child(key: str, subject: Ref, object_: Ref) -> Claim:
    pointer = Pointer("e" * 24, "t" * 24, 0, 4, "Juan")
    return Claim(key, Kind.RELATION, "Kinship/child", subject, (pointer,), object=object_,
                 runs=("r" * 24,))  # fmt: skip


def named(key: str, ref: Ref, name: str) -> Claim:
    pointer = Pointer("e" * 24, "t" * 24, 0, 4, "Juan")
    return Claim(key, Kind.MENTION, "namedAs", ref, (pointer,), value=Value("Juan"), name=name,
                 runs=("r" * 24,))  # fmt: skip


EVIDENCE = [
    Triple(BASE.iri("evidence", "e" * 24), TYPE, KMS("EvidenceUnit")),
    Triple(BASE.iri("text", "t" * 24), TYPE, KMS("UnitText")),
]


def refused(claims: Iterable[Claim], more: Iterable[Triple] = ()) -> dict[str, set[str]]:
    triples = [*EVIDENCE, *more]
    for claim in claims:
        triples += encoding.claim_triples(claim, BASE)
        triples += statements.project(claim, BASE, load())
    focus = [BASE.iri("claim", claim.key) for claim in claims]
    found = gate().validate(triples, focus)
    return {node.value.rpartition("/")[2]: {r.sentence for r in why} for node, why in found.items()}


A, B, C = Ref("person", "a"), Ref("person", "b"), Ref("place", "c")


def test_a_batch_of_sound_claims_is_accepted() -> None:
    claims = [named("1", A, "Person"), named("2", B, "Person"), child("3", A, B)]
    assert not refused(claims)


def test_only_the_claim_that_breaks_a_shape_is_refused() -> None:
    claims = [
        named("1", A, "Person"), named("2", B, "Person"), named("3", C, "Location"),
        child("4", A, B), child("5", B, C),
    ]  # fmt: skip
    assert set(refused(claims)) == {"5"}


def test_two_statements_about_one_thing_answer_each_for_its_object() -> None:
    claims = [
        named("1", A, "Person"), named("2", B, "Person"), named("3", C, "Location"),
        child("4", A, B), child("5", A, C),
    ]  # fmt: skip
    assert set(refused(claims)) == {"5"}


def test_a_claim_that_points_at_nothing_is_refused() -> None:
    assert set(refused([named("1", A, "Person"), child("2", A, B)])) == {"2"}


def test_a_claim_typed_as_a_relation_is_refused() -> None:
    claim = child("4", A, B)
    typed = Triple(BASE.iri("claim", "4"), TYPE, RICO("TeachingRelation"))
    claims = [named("1", A, "Person"), named("2", B, "Person"), claim]
    assert set(refused(claims, [typed])) == {"4"}


def test_a_claim_without_evidence_is_refused() -> None:
    claim = Claim("1", Kind.MENTION, "namedAs", A, (), value=Value("Juan"), name="Person",
                  runs=("r" * 24,))  # fmt: skip
    assert "A claim without an evidence pointer is refused." in refused([claim])["1"]


def test_a_quarantined_claim_asserts_nothing_and_passes_as_a_claim() -> None:
    claim = Claim("1", Kind.MENTION, "namedAs", A, named("1", A, "Person").pointers,
                  value=Value("Juan"), name="Person", status=Status.QUARANTINED,
                  runs=("r" * 24,))  # fmt: skip
    triples = [*EVIDENCE, *encoding.claim_triples(claim, BASE)]
    assert not statements.project(claim, BASE, load())
    found = gate().validate(triples, [BASE.iri("claim", "1")])
    assert not found


def test_what_was_validated_leaves_no_trace() -> None:
    claims = [named("1", A, "Person"), named("2", B, "Person"), child("3", A, B)]
    assert not refused(claims)
    assert set(refused([child("3", A, B)])) == {"3"}


def test_an_axiom_in_the_delta_does_not_take_the_kept_one_away() -> None:
    axiom = Triple(RICO("Person"), RDFS("subClassOf"), RICO("Agent"))
    claims = [named("1", A, "Person"), named("2", B, "Person"), child("3", A, B)]
    assert not refused(claims, [axiom])
    assert not refused(claims)
