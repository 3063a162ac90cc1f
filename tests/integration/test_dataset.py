"""The description of the dataset: DCAT-AP's shapes, counts against SPARQL, every serialisation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import rdflib
from pyshacl import validate
from rdflib import RDF
from rdflib.compare import isomorphic
from rdflib.namespace import DCAT, DCTERMS, SH, VOID

from tests.integration.conftest import LICENCE
from tests.tools.service import Service
from tests.tools.small_archive import Small
from tests.tools.web import fetch

DCAT3 = rdflib.Namespace("http://www.w3.org/ns/dcat#")  # with terms of version 3
HAS_VERSION, VERSION = DCAT3.hasVersion, DCAT3.version
FORMS = {
    "ttl": "text/turtle",
    "jsonld": "application/ld+json",
    "nt": "application/n-triples",
    "rdf": "application/rdf+xml",
}


@pytest.fixture(scope="module")
def described(small_service: Service) -> rdflib.Graph:
    """Return the description as Turtle gives it."""
    return fetch(f"{small_service.address}/dataset", "text/turtle").graph


@pytest.fixture(scope="module")
def dataset(described: rdflib.Graph) -> rdflib.URIRef:
    """Return the dataset's own IRI."""
    document = next(described.subjects(RDF.type, VOID.DatasetDescription))
    found = next(described.objects(document, rdflib.FOAF.primaryTopic))
    assert isinstance(found, rdflib.URIRef)
    return found


@pytest.mark.parametrize("name", ["shapes.ttl", "range.ttl", "dcat-ap-SHACL.ttl"])
def test_the_description_passes_the_shapes_of_dcat_ap(
    described: rdflib.Graph, shared: Path, name: str
) -> None:
    shapes = rdflib.Graph().parse(shared / "data/validators/dcat-ap" / name)
    # The file of 3.0.1 names two property shapes that it does not have; pyshacl stops at these.
    missing = [s for s in shapes.objects(None, SH.property) if (s, SH.path, None) not in shapes]
    assert len(missing) <= 2
    for shape in missing:
        shapes.remove((None, SH.property, shape))
    conforms, _, text = validate(described, shacl_graph=shapes, advanced=True)
    assert conforms, text


def test_the_shapes_find_a_dataset_without_a_title(
    described: rdflib.Graph, dataset: rdflib.URIRef, shared: Path
) -> None:
    broken = rdflib.Graph() + described
    broken.remove((dataset, DCTERMS.title, None))
    shapes = rdflib.Graph().parse(shared / "data/validators/dcat-ap/shapes.ttl")
    assert not validate(broken, shacl_graph=shapes, advanced=True)[0]


@pytest.mark.parametrize(
    ("partition", "of", "number", "query"),
    [
        (VOID.classPartition, VOID["class"], VOID.entities,
         "SELECT ?x (COUNT(DISTINCT ?s) AS ?n) { ?s a ?x } GROUP BY ?x"),
        (VOID.propertyPartition, VOID.property, VOID.triples,
         "SELECT ?x (COUNT(*) AS ?n) { ?s ?x ?o } GROUP BY ?x"),
    ],
)  # fmt: skip
def test_counts_are_those_of_sparql(
    small_service: Service,
    described: rdflib.Graph,
    dataset: rdflib.URIRef,
    partition: rdflib.URIRef,
    of: rdflib.URIRef,
    number: rdflib.URIRef,
    query: str,
) -> None:
    rows = json.loads(small_service.sparql(query)[1])["results"]["bindings"]
    told = {
        str(described.value(part, of)): int(str(described.value(part, number)))
        for part in described.objects(dataset, partition)
    }
    assert told == {row["x"]["value"]: int(row["n"]["value"]) for row in rows}
    total = small_service.sparql("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")[1]
    found = json.loads(total)["results"]["bindings"][0]["n"]["value"]
    assert int(str(described.value(dataset, VOID.triples))) == int(found)


def test_every_form_says_the_same(small_service: Service, described: rdflib.Graph) -> None:
    for extension, media_type in FORMS.items():
        for path in (f"/dataset.{extension}", f"/dataset?format={extension}"):
            answer = fetch(small_service.address + path)
            assert answer.status == 200 and answer.type == media_type
            assert isomorphic(answer.graph, described), path
        asked = fetch(f"{small_service.address}/dataset", media_type)
        assert asked.type == media_type and "Accept" in asked.headers["Vary"]
    page = fetch(f"{small_service.address}/dataset", "text/html")
    assert page.type == "text/html" and LICENCE in page.text and "Archivo de Belmira" in page.text
    assert fetch(f"{small_service.address}/dataset", "image/png").status == 406
    assert fetch(f"{small_service.address}/dataset?format=docx").status == 400
    assert fetch(f"{small_service.address}/dataset.docx").status == 404


def test_the_well_known_address_leads_there(small_service: Service) -> None:
    for accept, end in (("*/*", "ttl"), ("application/rdf+xml", "rdf"), ("text/html", "html")):
        answer = fetch(f"{small_service.address}/.well-known/void", accept)
        assert answer.status == 302 and answer.headers["Location"].endswith(f"/dataset.{end}")
        assert fetch(f"{small_service.address}/dataset.{end}").status == 200


def test_releases_are_versions(described: rdflib.Graph, dataset: rdflib.URIRef) -> None:
    version = described.value(dataset, HAS_VERSION)
    assert str(described.value(version, VERSION)) == "v1"
    assert str(described.value(version, DCTERMS.license)) == LICENCE
    files = {
        str(described.value(d, DCAT.downloadURL))
        for d in described.objects(version, DCAT.distribution)
    }
    assert {file.rpartition("/")[2] for file in files} == {"v1.nq.zst", "v1.trig.zst"}


def test_an_unchanged_description_is_not_sent_again(small_service: Service) -> None:
    first = fetch(f"{small_service.address}/dataset.ttl")
    again = fetch(f"{small_service.address}/dataset.ttl", If_None_Match=first.headers["ETag"])
    assert again.status == 304 and not again.body


def test_what_is_closed_is_not_counted(small_archive: Small, described: rdflib.Graph) -> None:
    text = described.serialize(format="nt")
    assert small_archive.closed_record not in text and "Oculto" not in text
