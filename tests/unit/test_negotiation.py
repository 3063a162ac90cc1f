"""Content negotiation: which form a client gets."""

from __future__ import annotations

import pytest
import rdflib
from pyoxigraph import Literal, NamedNode, Triple
from rdflib.compare import isomorphic

from rdfkms.publish import negotiation
from rdfkms.publish.negotiation import DATA, HTML, JSON_LD, N_TRIPLES, RDF_XML, TURTLE

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
