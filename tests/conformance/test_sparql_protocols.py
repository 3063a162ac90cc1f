"""The W3C suites of the SPARQL 1.1 Protocol, the Graph Store Protocol and the syntax, over HTTP.

The protocols' code runs here over a dataset in memory (`tests/tools/memory_dataset.py`), because an
archive refuses to be written; `test_sparql_service` shows the same code over an archive.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from urllib.parse import quote, urlencode

import pytest
from rdflib import RDF, Graph, URIRef
from rdflib.compare import isomorphic
from rdflib.namespace import Namespace

from tests.tools import w3c
from tests.tools.memory_dataset import MemoryDataset, serving
from tests.tools.w3c import Exchange, ProtocolTest, SyntaxTest

PROTOCOL = w3c.protocol_tests("protocol/manifest.ttl")
STORE = [
    *w3c.protocol_tests("graph-store-protocol/manifest-indirect.ttl"),
    *w3c.protocol_tests("graph-store-protocol/manifest-direct.ttl"),
]
SYNTAX = w3c.syntax_tests()
SD = Namespace("http://www.w3.org/ns/sparql-service-description#")
# Property: class of its subject, class of its object ("" where another vocabulary's or any).
DESCRIBED = {
    "endpoint": ("Service", ""), "supportedLanguage": ("Service", ""),
    "resultFormat": ("Service", ""), "inputFormat": ("Service", ""), "feature": ("Service", ""),
    "propertyFeature": ("Service", ""), "extensionFunction": ("Service", ""),
    "defaultDataset": ("Service", "Dataset"), "defaultGraph": ("Dataset", "Graph"),
    "namedGraph": ("Dataset", "NamedGraph"), "name": ("NamedGraph", ""),
    "graph": ("NamedGraph", "Graph"),
}  # fmt: skip
CLASSES = {"Service", "Dataset", "Graph", "NamedGraph", "GraphCollection", "Language", "Feature"}
DATA = "http://kasei.us/2009/09/sparql/data/"
TYPES = {
    "boolean": ("application/sparql-results+json", "application/sparql-results+xml"),
    "tabular": ("application/sparql-results+json", "application/sparql-results+xml"),
    "RDF": ("text/turtle", "application/rdf+xml", "application/n-triples"),
}


def test_the_suites_are_there_and_whole(shared: object) -> None:
    assert (len(PROTOCOL), len(STORE), len(SYNTAX)) == (34, 13, 169)


@pytest.fixture
def host() -> Iterator[str]:
    with serving(MemoryDataset()) as address:
        yield address


@pytest.fixture(scope="module")
def lasting() -> Iterator[str]:
    with serving(MemoryDataset()) as address:
        yield address


def send(
    host: str, method: str, path: str, headers: dict[str, str] | None = None, body: bytes = b""
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(host, timeout=20)
    try:
        connection.request(method, path, body or None, headers or {})
        answer = connection.getresponse()
        got = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, got, answer.read()
    finally:
        connection.close()


def check(exchange: Exchange, answer: tuple[int, dict[str, str], bytes]) -> None:
    status, headers, body = answer
    assert exchange.accepts(status), (exchange, status, body)
    kind = headers.get("content-type", "").partition(";")[0]
    if exchange.answers:
        assert kind in TYPES[exchange.answers]
    if exchange.boolean is not None:
        told = json.loads(body)["boolean"] if "json" in kind else b"<boolean>true" in body
        assert told is exchange.boolean
    if exchange.graph is not None and status == 200:
        wanted = Graph().parse(data=exchange.graph, format="turtle")
        assert isomorphic(Graph().parse(data=body, format="turtle"), wanted)


@pytest.mark.parametrize("test", PROTOCOL, ids=[t.name for t in PROTOCOL])
def test_the_protocol(test: ProtocolTest, host: str) -> None:
    for number in (1, 2, 3):
        iri = f"{DATA}data{number}.rdf"
        text = f"<{iri}> a <http://xmlns.com/foaf/0.1/Document> ."
        path = f"/graph-store?graph={quote(iri, safe='')}"
        assert send(host, "PUT", path, {"content-type": "text/turtle"}, text.encode())[0] == 201
    for exchange in test.exchanges:
        path = exchange.path.replace("/sparql/", "/sparql", 1)
        got = send(host, exchange.method, path, exchange.headers, exchange.body or b"")
        check(exchange, got)


@pytest.mark.parametrize("test", STORE, ids=[t.name for t in STORE])
def test_the_graph_store_protocol(test: ProtocolTest, host: str) -> None:
    made = ""
    for exchange in test.exchanges:
        path = exchange.path.replace("$LOCATION$", quote(made, safe=""))
        path = path.replace("/gsp", "/graph-store", 1)
        got = send(host, exchange.method, path, exchange.headers, exchange.body or b"")
        check(exchange, got)
        made = got[1].get("location", made)


@pytest.mark.parametrize("test", SYNTAX, ids=[t.name for t in SYNTAX])
def test_the_syntax(test: SyntaxTest, lasting: str) -> None:
    text = test.path.read_text(encoding="utf-8")
    form = urlencode({"update" if test.is_update else "query": text})
    headers = {"content-type": "application/x-www-form-urlencoded"}
    status, _, body = send(lasting, "POST", "/sparql", headers, form.encode())
    if test.is_good:
        # Nothing here reaches a network or file: LOAD and SERVICE fail after they were read.
        assert status in (200, 204) or b"yntax error" not in body, body
    else:
        assert status == 400


# ---- Service Description (the three tests of its manifest, which are words) ---------------------


def described(host: str) -> Graph:
    status, headers, body = send(host, "GET", "/sparql", {"accept": "text/turtle"})
    assert (status, headers["content-type"].partition(";")[0]) == (200, "text/turtle")
    return Graph().parse(data=body, format="turtle")


def test_the_endpoint_gives_rdf_about_itself(lasting: str) -> None:
    assert len(described(lasting)) > 10


def test_the_description_names_the_endpoint_that_gave_it(lasting: str) -> None:
    graph = described(lasting)
    assert set(graph.objects(None, SD.endpoint)) == {URIRef(f"http://{lasting}/sparql")}


def test_the_description_uses_the_vocabulary_as_it_is_defined(lasting: str) -> None:
    graph = described(lasting)
    for subject, predicate, thing in graph:
        if str(predicate).startswith(SD):
            domain, range_ = DESCRIBED[str(predicate).removeprefix(SD)]
            assert not domain or (subject, RDF.type, SD[domain]) in graph, predicate
            assert not range_ or (thing, RDF.type, SD[range_]) in graph, predicate
        if predicate == RDF.type and str(thing).startswith(SD):
            assert str(thing).removeprefix(SD) in CLASSES
