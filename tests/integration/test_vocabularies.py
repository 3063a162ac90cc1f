"""The terms and concept schemes at the path of their IRIs, as pages and as RDF."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
import rdflib
from rdflib.compare import isomorphic

from rdfkms import resources
from rdfkms.vocab import KMS, KV
from tests.tools.service import Service
from tests.tools.web import fetch

FILES = {"ns": ("ontology/rdfkms.ttl", KMS.iri), "vocab": ("ontology/vocab.ttl", KV.iri)}
FORMS = {"ttl": "text/turtle", "jsonld": "application/ld+json", "nt": "application/n-triples",
         "rdf": "application/rdf+xml"}  # fmt: skip


@pytest.mark.parametrize("name", list(FILES))
def test_every_form_is_the_file(small_service: Service, name: str) -> None:
    file, iri = FILES[name]
    assert urlsplit(iri).path == f"/rdfkms/{name}"
    expected = rdflib.Graph().parse(resources.file(file))
    for extension, media_type in FORMS.items():
        asked = fetch(f"{small_service.address}/rdfkms/{name}", media_type)
        named = fetch(f"{small_service.address}/rdfkms/{name}.{extension}")
        assert asked.type == named.type == media_type
        assert isomorphic(asked.graph, expected) and isomorphic(named.graph, expected)


@pytest.mark.parametrize("name", list(FILES))
def test_each_term_has_its_place_on_the_page(small_service: Service, name: str) -> None:
    file, iri = FILES[name]
    page = fetch(f"{small_service.address}/rdfkms/{name}", "text/html").text
    places = re.findall(r'id="([^"]+)"', page)
    assert len(places) == len(set(places))
    terms = {
        str(s).removeprefix(iri)
        for s in rdflib.Graph().parse(resources.file(file)).subjects()
        if str(s).startswith(iri) and str(s) != iri
    }
    assert terms and terms <= set(places)


def test_a_term_is_explained(small_service: Service) -> None:
    page = fetch(f"{small_service.address}/rdfkms/ns", "text/html").text
    assert "The smallest passage that can be cited" in page and "unidad de evidencia" in page
    assert '<a href="#EvidenceUnit">kms:EvidenceUnit</a>' in page


def test_the_context_is_served_and_nothing_else(small_service: Service) -> None:
    context = fetch(f"{small_service.address}/rdfkms/context.jsonld")
    assert context.type == "application/ld+json" and "@context" in context.json
    for path in ("nothing", "ns.docx", "context.ttl", "..%2Fsettings"):
        assert fetch(f"{small_service.address}/rdfkms/{path}").status == 404
    assert fetch(f"{small_service.address}/rdfkms/ns", "image/png").status == 406
