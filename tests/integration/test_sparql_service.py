"""/sparql over HTTP: the protocol, formats, refusals and the editor, as clients meet them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store, parse
from SPARQLWrapper import JSON, TURTLE, SPARQLWrapper

from rdfkms import queries
from rdfkms.ledger.ledger import Activity, Change
from rdfkms.ledger.snapshots import listing
from rdfkms.publish.service_description import SD
from tests.tools import small_archive
from tests.tools.sparql_server import Service

FORM = "application/x-www-form-urlencoded"
ANY = "SELECT ?s WHERE { ?s ?p ?o } LIMIT 3"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    made = Service(tmp_path_factory.mktemp("service"))
    yield made
    made.close()


def test_sparqlwrapper_gets_persons_with_quote_and_box(service: Service) -> None:
    client = SPARQLWrapper(service.url)
    client.setQuery(queries.text("examples/persons-with-evidence"))
    client.setReturnFormat(JSON)
    answer: Any = client.queryAndConvert()
    rows = answer["results"]["bindings"]
    found = {(r["name"]["value"], r["quote"]["value"], r.get("box", {}).get("value")) for r in rows}
    name = "Andrés Vidal Soler"
    assert any(n == q == name and str(box).startswith("xywh=") for n, q, box in found)
    assert not any("Oculto" in n for n, _, _ in found)


def test_sparqlwrapper_gets_a_graph(service: Service) -> None:
    client = SPARQLWrapper(service.url)
    client.setQuery(queries.text("examples/description-of-the-collections"))
    client.setReturnFormat(TURTLE)
    assert list(parse(client.query().response.read(), format=RdfFormat.TURTLE))


@pytest.mark.parametrize("name", [n for n in queries.names() if n.startswith("examples/")])
def test_the_examples_run(service: Service, name: str) -> None:
    status, headers, _ = service.get(queries.text(name), Accept="text/html")
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")


def test_get_form_and_direct_post_give_the_same(service: Service) -> None:
    plain = service.get(ANY)
    form = service.ask("POST", body=urlencode({"query": ANY}), Content_Type=FORM)
    direct = service.ask("POST", body=ANY, Content_Type="application/sparql-query")
    assert plain[0] == form[0] == direct[0] == 200
    assert plain[2] == form[2] == direct[2]
    assert len(json.loads(plain[2])["results"]["bindings"]) == 3
    assert plain[1]["content-type"] == "application/sparql-results+json"
    assert plain[1]["vary"] == "Accept"
    assert plain[1]["access-control-allow-origin"] == "*"
    assert int(plain[1]["content-length"]) == len(plain[2])


REFUSED: dict[str, tuple[int, str, str, bytes | None, str]] = {
    "syntax": (400, "GET", "/sparql?query=" + quote("SELECT *\n{ ?s ?p }"), None, ""),
    "two queries": (400, "GET", "/sparql?query=ASK%7B%7D&query=ASK%7B%7D", None, ""),
    "no query": (400, "POST", "/sparql", b"x=1", FORM),
    "not UTF-8": (400, "POST", "/sparql", b"ASK {} # \xff", "application/sparql-query"),
    "timeout": (400, "GET", "/sparql?query=ASK%7B%7D&timeout=soon", None, ""),
    "update by GET": (403, "GET", "/sparql?update=CLEAR+ALL", None, ""),
    "update by form": (403, "POST", "/sparql", b"update=CLEAR+ALL", FORM),
    "update as query": (403, "POST", "/sparql", b"query=CLEAR+ALL", FORM),
    "update directly": (403, "POST", "/sparql", b"CLEAR ALL", "application/sparql-update"),
    "service": (403, "GET", "/sparql?query=" + quote("ASK { SERVICE <http://x> {} }"), None, ""),
    "put": (405, "PUT", "/sparql", b"x", "text/turtle"),
    "format": (406, "GET", "/sparql?format=png&query=ASK%7B%7D", None, ""),
    "length": (413, "POST", "/sparql", b"ASK {} #" + b"x" * 1_000_000, "application/sparql-query"),
    "type": (415, "POST", "/sparql", b"ASK {}", "text/plain"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_answered_is_refused_with_a_reason(service: Service, name: str) -> None:
    expected, method, path, body, kind = REFUSED[name]
    headers = {"Content_Type": kind} if kind else {}
    status, got, answer = service.ask(method, path, body, Accept="application/json", **headers)
    assert status == expected, answer
    assert json.loads(answer)["error"]
    assert got["content-type"].startswith("application/json")


def test_a_syntax_error_says_where(service: Service) -> None:
    _, _, body = service.get("SELECT *\n{ ?s ?p }", Accept="application/json")
    assert b"2:10" in body


def test_the_tag_saves_the_second_answer(service: Service) -> None:
    status, headers, _ = service.get(ANY)
    again = service.get(ANY, If_None_Match=headers["etag"])
    assert (status, again[0], again[2]) == (200, 304, b"")
    assert again[1]["etag"] == headers["etag"]
    other = service.get(ANY, If_None_Match=headers["etag"], Accept="text/csv")
    assert other[0] == 200


def test_programs_of_other_sites_may_ask(service: Service) -> None:
    status, headers, _ = service.ask("OPTIONS", Origin="https://elsewhere.example")
    assert status == 204
    assert "POST" in headers["access-control-allow-methods"]
    assert headers["access-control-allow-origin"] == "*"


def test_head_has_the_headers_of_get_and_no_body(service: Service) -> None:
    status, headers, body = service.ask("HEAD", f"/sparql?{urlencode({'query': ANY})}")
    assert (status, body) == (200, b"")
    assert int(headers["content-length"]) > 0


def test_without_a_query_people_get_the_editor_and_programs_the_description(
    service: Service,
) -> None:
    status, _, page = service.ask("GET", Accept="text/html")
    assert status == 200
    assert b"<textarea" in page
    assert b"Persons, with the words that name them" in page
    assert f"<code>{service.url}</code>".encode() in page  # where it is served, not its base
    assert b"<script" not in page
    status, headers, body = service.ask("GET", Accept="text/turtle")
    assert (status, headers["content-type"].split(";")[0]) == (200, "text/turtle")
    store = Store()
    store.load(body, format=RdfFormat.TURTLE)
    assert list(store.quads_for_pattern(None, SD("endpoint"), None))
    federated = NamedNode(f"{SD.iri}BasicFederatedQuery")
    assert not list(store.quads_for_pattern(None, None, federated))


def test_the_page_shows_rows_with_text_as_text(service: Service) -> None:
    query = "PREFIX kms: <https://w3id.org/rdfkms/ns#> SELECT ?q { ?p kms:quote ?q }"
    status, _, page = service.get(query, Accept="text/html")
    assert status == 200
    assert b"&lt;script&gt;alert" in page
    assert b"<script>alert" not in page
    assert "Andrés Vidal Soler".encode() in page


def test_the_page_links_no_address_that_could_run_code(service: Service) -> None:
    query = "SELECT ?x { BIND(IRI('javascript:alert(1)') AS ?x) }"
    _, _, page = service.get(query, Accept="text/html")
    assert b"javascript:alert(1)" in page
    assert b'href="javascript' not in page


def test_the_page_keeps_a_refused_query_to_be_mended(service: Service) -> None:
    status, _, page = service.get("SELECT * { ?broken", Accept="text/html")
    assert status == 400
    assert b"?broken" in page
    assert b"Syntax error" in page


def test_nothing_internal_is_in_any_answer(service: Service) -> None:
    internal = service.small.ledger.base.internal.value
    for query in (
        "SELECT * { ?s ?p ?o }",
        "SELECT * { GRAPH ?g { ?s ?p ?o } }",
        f"SELECT * FROM <{internal}> {{ ?s ?p ?o }}",
        f"SELECT * FROM NAMED <{internal}> {{ GRAPH ?g {{ ?s ?p ?o }} }}",
        "CONSTRUCT { ?s ?p ?o } { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }",
        f"DESCRIBE <{service.small.ledger.base.iri('claim', service.small.secret_claim).value}>",
    ):
        for more in ("", f"&default-graph-uri={quote(internal)}", f"&named-graph-uri={internal}"):
            status, _, body = service.ask("GET", f"/sparql?query={quote(query)}{more}")
            assert status == 200, body
            assert b"Oculto" not in body
            assert b"quarantined" not in body
            assert b"graph/system" not in body


def test_a_commit_is_seen_within_a_second_and_two_snapshots_are_kept(service: Service) -> None:
    ledger = service.small.ledger
    query = "SELECT ?o { <http://x/new> <http://x/p> ?o }"
    service.get(query)
    for number in range(4):
        quad = Quad(
            NamedNode("http://x/new"), NamedNode("http://x/p"), Literal(str(number)),
            ledger.base.public,
        )  # fmt: skip
        ledger.commit(Change(Activity("ingest"), add=(quad,)), small_archive.OWNER)
        time.sleep(0.6)
        _, _, body = service.get(query)
        assert len(json.loads(body)["results"]["bindings"]) == number + 1
    # Each of the two workers may hold one more that it read last.
    assert 2 <= len(listing(ledger.archive)) <= 4
