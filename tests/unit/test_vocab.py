"""The concept schemes and the kms profile hold every name that the code uses."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, parse

from rdfkms import resources
from rdfkms.admission.reasons import REASONS
from rdfkms.knowledge import encoding
from rdfkms.knowledge.mapping import load
from rdfkms.model import Flag, Label, Modality, Rank, Status, View
from rdfkms.vocab import KMS, KV, RDFS, RICO, SKOS, TYPE, Base, key_of


def quads(name: str) -> list[Quad]:
    return list(parse(path=resources.file(name), format=RdfFormat.TURTLE))


VOCABULARY = quads("ontology/vocab.ttl")
PROFILE = quads("ontology/rdfkms.ttl")
CONCEPTS = {q.subject for q in VOCABULARY if q.predicate == TYPE and q.object == SKOS("Concept")}


def test_every_name_of_the_mapping_table_has_a_labelled_concept() -> None:
    labels = {(q.subject, q.object) for q in VOCABULARY if q.predicate == SKOS("prefLabel")}
    for rule in load().rules():
        assert rule.concept in CONCEPTS, rule.name
        assert (rule.concept, Literal(rule.label_en, language="en")) in labels, rule.name


def test_every_concept_stands_in_a_scheme_of_this_file() -> None:
    schemes = {q.subject for q in VOCABULARY if q.object == SKOS("ConceptScheme")}
    placed = {
        q.subject for q in VOCABULARY if q.predicate == SKOS("inScheme") if q.object in schemes
    }
    assert placed == CONCEPTS


def test_every_reason_of_a_verdict_is_a_concept() -> None:
    missing = [code for code in REASONS if KV(code) not in CONCEPTS]
    assert not missing


@pytest.mark.parametrize("kind", [Status, Rank, Label, View, Modality, Flag])
def test_every_word_of_a_closed_list_is_an_individual_of_the_profile(kind: type[Status]) -> None:
    typed = {q.subject for q in PROFILE if q.predicate == TYPE}
    assert not [word for word in kind if KMS(word.value) not in typed]


def test_concepts_are_of_the_rico_type_that_their_property_leads_to() -> None:
    types = {(q.subject, q.object) for q in VOCABULARY if q.predicate == TYPE}
    mapping = load()
    for event in mapping.events.values():
        name = event.type_predicate.value.removeprefix(RICO.iri)
        wanted = {"hasActivityType": "ActivityType", "hasEventType": "EventType"}[name]
        assert (event.concept, RICO(wanted)) in types
    for rule in mapping.statements.values():
        if rule.role is not None:
            assert (rule.role, RICO("RoleType")) in types
        elif rule.relation_class is not None:
            assert (rule.concept, RICO("Type")) in types


def used_names() -> Iterator[tuple[str, str]]:
    """The kms: and kv: names in the code, the queries and the shapes, with where they stand."""
    root = resources.folder("shapes").parent
    code = [(p, r'\b(KMS|KV)\("(\w+)"\)') for p in sorted((root / "rdfkms").rglob("*.py"))]
    data = [
        (p, r"(?<![\w-])(kms|kv):([A-Za-z]\w*)")
        for folder in ("sparql", "shapes")
        for p in sorted(resources.folder(folder).rglob("*.*"))
    ]
    for path, pattern in code + data:
        for prefix, name in re.findall(pattern, path.read_text(encoding="utf-8")):
            yield f"{prefix.lower()}:{name}", str(path.relative_to(root))


def test_every_kms_and_kv_name_in_use_is_defined() -> None:
    names = [q.subject.value for q in VOCABULARY + PROFILE if isinstance(q.subject, NamedNode)]
    iris = {n.replace(KMS.iri, "kms:").replace(KV.iri, "kv:") for n in names}
    unknown = sorted({(name, where) for name, where in used_names() if name not in iris})
    assert not unknown


def test_profile_and_vocabulary_hold_no_blank_node_and_label_everything() -> None:
    labelled = {q.subject for q in PROFILE if q.predicate == RDFS("label")}
    assert {q.subject for q in PROFILE} == labelled
    for quad in VOCABULARY + PROFILE:
        assert not isinstance(quad.subject, BlankNode)
        assert not isinstance(quad.object, BlankNode)


def test_the_vocabulary_of_a_new_archive_is_both_files() -> None:
    assert len(set(encoding.vocabulary_triples())) == len(VOCABULARY) + len(PROFILE)


def test_an_iri_is_split_into_what_it_was_made_of() -> None:
    base = Base("http://example.org")
    assert base.split(base.iri("person", "a1").value) == ("person", "a1")
    assert base.split(base.part("claim", "b2", "p1").value) == ("claim", "b2")
    assert base.split("http://elsewhere.org/id/person/a1") is None
    assert isinstance(base.public, NamedNode)


def test_a_key_depends_on_where_its_parts_end() -> None:
    assert key_of("ab", "c") != key_of("a", "bc")
    assert key_of("a", None) != key_of("a", "")
    assert key_of("a", 1) == key_of("a", "1")
