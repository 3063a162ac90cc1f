"""Content negotiation: which form a client gets."""

from __future__ import annotations

import json

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, parse
from rdflib.compare import isomorphic

from rdfkms.publish import negotiation
from rdfkms.publish.negotiation import DATA, HTML, JSON_LD, N_TRIPLES, RDF_XML, TURTLE
from rdfkms.vocab import KMS, TYPE, XSD, Base

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("", HTML),
        ("*/*", HTML),
        (BROWSER, HTML),
        ("text/turtle", TURTLE),
        ("TEXT/TURTLE", TURTLE),
        ("application/ld+json", JSON_LD),
        ("application/n-triples", N_TRIPLES),
        ("application/rdf+xml", RDF_XML),
        ("text/turtle;q=0.5, application/rdf+xml", RDF_XML),
        ("text/html;q=0.2, text/turtle;q=0.9", TURTLE),
        ("text/html;q=0, */*", TURTLE),
        ("text/turtle;q=abc, text/html;q=0.1", HTML),
        ("application/*", JSON_LD),
    ],
)
def test_the_client_gets_what_it_likes_best(accept: str, form: negotiation.Format) -> None:
    assert negotiation.best(accept) is form


@pytest.mark.parametrize("accept", ["image/png", "text/turtle;q=0", "nonsense", "video/*;q=1"])
def test_nothing_acceptable_is_none(accept: str) -> None:
    assert negotiation.best(accept) is None


@pytest.mark.parametrize("name", ["ttl", "Turtle", "text/turtle"])
def test_a_format_is_found_by_extension_name_or_type(name: str) -> None:
    assert negotiation.by_name(name) is TURTLE
    assert negotiation.by_name("doc") is None


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")  # inside rdflib
def test_every_format_carries_the_same_graph_in_the_same_bytes() -> None:
    subject = NamedNode("http://localhost:8080/id/person/é")
    name = NamedNode("https://www.ica.org/standards/RiC/ontology#name")
    triples = [Triple(subject, name, Literal('漢 "<&>\n', language="zh")) for _ in range(2)]
    triples.append(Triple(subject, name, Literal("<script>")))
    graphs = []
    for form, parser in zip(DATA, ("turtle", "json-ld", "nt", "xml"), strict=True):
        data = negotiation.serialise(triples, form)
        assert data == negotiation.serialise(reversed(triples), form)
        graphs.append(rdflib.Graph().parse(data=data, format=parser))
    assert len(graphs[0]) == 2
    assert all(isomorphic(graphs[0], graph) for graph in graphs)


def test_html_is_no_format_of_data() -> None:
    with pytest.raises(ValueError, match="HTML"):
        negotiation.serialise([], HTML)


# ---- JSON-LD with our context --------------------------------------------------------------------

_IRIS = st.sampled_from(
    [
        "http://localhost:8080/id/person/a", "https://w3id.org/rdfkms/ns#Claim",
        "https://www.ica.org/standards/RiC/ontology#hasBirthPlace", "urn:x:y", "mailto:a@b.example",
        "https://w3id.org/rdfkms/ns#claimSubject", "http://purl.org/dc/terms/title",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "kms:looks-like-a-prefix",
        "http://example.org/%22%3E", "https://w3id.org/rdfkms/ns#quote", "id:type",
        "https://w3id.org/rdfkms/ns#start", "https://www.ica.org/standards/RiC/ontology#title",
    ]
).map(NamedNode)  # fmt: skip
_LITERALS = st.one_of(
    st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=12).map(Literal),
    st.sampled_from(
        [
            Literal("088", datatype=XSD("integer")), Literal("0.90", datatype=XSD("decimal")),
            Literal("true", datatype=XSD("boolean")), Literal("1939-02-30", datatype=XSD("date")),
            Literal("né à", language="fr"), Literal("出生", language="zh-Hans"), Literal("@id"),
            Literal("kms:Claim"), Literal(""), Literal("1.0E0", datatype=XSD("double")),
        ]
    ),
)  # fmt: skip


@given(st.sets(st.builds(Triple, _IRIS, _IRIS, st.one_of(_IRIS, _LITERALS)), max_size=12))
def test_compacted_json_ld_says_the_same_to_the_letter(triples: set[Triple]) -> None:
    usable = {t for t in triples if t.predicate != TYPE or isinstance(t.object, NamedNode)}
    data = negotiation.serialise(usable, negotiation.JSON_LD)
    assert data == negotiation.serialise(list(usable)[::-1], negotiation.JSON_LD)
    assert {q.triple for q in parse(data, format=RdfFormat.JSON_LD)} == usable


def test_json_ld_is_short_and_brings_its_context_along() -> None:
    base = Base()
    claim, person = base.iri("claim", "c"), base.iri("person", "p")
    triples = [
        Triple(claim, TYPE, KMS("Claim")), Triple(claim, KMS("claimSubject"), person),
        Triple(claim, KMS("claimPredicate"), KMS("namedAs")),
    ]  # fmt: skip
    told = json.loads(negotiation.serialise(triples, negotiation.JSON_LD))
    assert told["@context"]["kms"] == KMS.iri, "nobody has to fetch it"
    assert told["@graph"] == [
        {"id": claim.value, "type": "kms:Claim", "claimSubject": person.value,
         "claimPredicate": "kms:namedAs"}
    ]  # fmt: skip
