"""What an archive's SPARQL service has beside plain queries: search, graphs, releases, limits."""

from __future__ import annotations

import io
import json
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from pyoxigraph import (
    Literal,
    NamedNode,
    Quad,
    QuerySolutions,
    RdfFormat,
    Store,
    parse,
    parse_query_results,
)
from rdflib.query import Result
from SPARQLWrapper import JSON, XML, SPARQLWrapper

from rdfkms.app.composition import open_store
from rdfkms.knowledge import mapping
from rdfkms.ledger import releases
from rdfkms.ledger.ledger import Activity, Change
from rdfkms.model import Access
from rdfkms.publish import results
from rdfkms.publish.example_queries import SH
from rdfkms.publish.service_description import SD
from rdfkms.retrieval import recall
from rdfkms.review import conditions
from rdfkms.vocab import KMS, RDFS, TYPE
from tests.tools import small_archive, w3c
from tests.tools.sparql_server import Service
from tests.tools.w3c import SyntaxTest

HEAD = f"PREFIX kms: <{KMS.iri}> "
ANY = "SELECT ?s ?p ?o WHERE { ?s ?p ?o } LIMIT 20"
TEXTS = "?t kms:ofUnit ?u ; kms:view kms:raw ; kms:text ?text"
SYNTAX = w3c.syntax_tests()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    made = Service(tmp_path_factory.mktemp("extras"))
    yield made
    made.close()


def rows(service: Service, query: str) -> list[dict[str, Any]]:
    status, _, body = service.get(query, Accept="application/json")
    assert status == 200, body
    found: list[dict[str, Any]] = json.loads(body)["results"]["bindings"]
    return found


# ---- search --------------------------------------------------------------------------------------


def test_words_are_found_inside_a_query(service: Service) -> None:
    query = f'{HEAD} SELECT * {{ ?u kms:textMatch ("procesado" ?score) . {TEXTS} }}'
    found = rows(service, query)
    assert found
    assert all("procesado" in row["text"]["value"] for row in found)
    assert all(float(row["score"]["value"]) > 0 for row in found)
    assert rows(service, f'{HEAD} SELECT * {{ ?u kms:textMatch "zzzz" }}') == []


def test_meaning_is_found_where_there_is_an_embedder(service: Service) -> None:
    query = f'{HEAD} SELECT * {{ ?u kms:similarTo ("consejo de guerra" ?score) }}'
    if service.indexes.embedder is None:
        assert service.get(query)[0] == 501
        return
    found = rows(service, query)
    assert found
    assert all(0.15 <= float(row["score"]["value"]) <= 1 for row in found)


def test_a_search_that_finds_more_has_another_tag(service: Service) -> None:
    query = f'PREFIX t: <{KMS.iri}text> SELECT * {{ ?u t:Match "procesado" }}'
    first = service.get(query)[1]["etag"]
    service.indexes.revision += 1
    try:
        assert service.get(query)[1]["etag"] != first
    finally:
        service.indexes.revision -= 1
    assert service.get(query)[1]["etag"] == first


def test_another_form_of_a_search_is_refused_with_the_right_one(service: Service) -> None:
    status, _, body = service.get(
        f'{HEAD} SELECT * {{ ?u a kms:EvidenceUnit ; kms:textMatch "x" }}',
        Accept="application/json",
    )
    assert status == 400
    assert 'kms:textMatch ("words" ?score)' in json.loads(body)["hint"]


def test_a_cut_search_is_told_in_a_header_and_on_the_page(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = f'{HEAD} SELECT * {{ ?u kms:textMatch "de" }}'
    assert "search-cut" not in service.get(query)[1]
    monkeypatch.setattr(recall, "MOST", 1)
    status, headers, body = service.get(f"{query} #", Accept="application/json")
    assert (status, headers["search-cut"]) == (200, "textMatch 1")
    assert len(json.loads(body)["results"]["bindings"]) == 1
    assert b"only the best were joined" in service.get(f"{query} #", Accept="text/html")[2]


def test_what_is_not_public_is_found_by_no_search_though_the_index_is_old(
    service: Service,
) -> None:
    query = f'{HEAD} SELECT * {{ ?u kms:textMatch "procesado" }}'
    (first, *_) = [row["u"]["value"] for row in rows(service, query)]
    ledger = service.small.ledger
    quads = tuple(
        quad for quad in ledger.store.match(None, TYPE, KMS("EvidenceUnit"), ledger.base.public)
        if quad.subject == NamedNode(first)
    )  # fmt: skip
    hidden = tuple(Quad(q.subject, q.predicate, q.object, ledger.base.internal) for q in quads)
    ledger.commit(Change(Activity("access"), add=hidden, remove=quads), small_archive.OWNER)
    try:
        assert first not in [row["u"]["value"] for row in rows(service, f"{query} #")]
    finally:
        ledger.commit(Change(Activity("access"), add=quads, remove=hidden), small_archive.OWNER)
        service.indexes.update(ledger)
    assert not rows(service, f'{HEAD} SELECT * {{ ?u kms:textMatch "Oculto" }}')


# ---- graphs --------------------------------------------------------------------------------------


def test_the_public_graph_is_read_whole_by_each_of_its_names(service: Service) -> None:
    time.sleep(0.6)  # what a test before committed may be half a second behind
    base = service.small.ledger.base
    everything = Store()
    for path in (
        "/graph-store?default",
        f"/graph-store?graph={quote(base.public.value, safe='')}",
        "/graph/public",
    ):
        status, headers, body = service.ask("GET", path, Accept="application/n-triples")
        assert (status, headers["content-type"]) == (200, "application/n-triples")
        found = Store()
        found.load(body, format=RdfFormat.N_TRIPLES)
        if not len(everything):
            everything = found
        assert len(found) == len(everything) > 100
        assert b"Oculto" not in body
        again = service.ask(
            "GET", path, Accept="application/n-triples", If_None_Match=headers["etag"]
        )
        assert again[0] == 304
        head = service.ask("HEAD", path, Accept="application/n-triples")
        assert (head[0], head[2]) == (200, b"")
        assert headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/graph-store", 400),
        ("/graph-store?default&graph=http://x/y", 400),
        ("/graph-store?graph=not%20an%20iri", 400),
        ("/graph-store?graph=%3Cx%3E%0d%0aX-Y:1", 400),
        ("/graph-store?graph=http://x/y", 404),
        ("/graph-store?default&format=png", 406),
    ],
)
def test_what_is_no_public_graph_is_refused(service: Service, path: str, status: int) -> None:
    assert service.ask("GET", path)[0] == status


def test_no_internal_graph_is_read(service: Service) -> None:
    base = service.small.ledger.base
    for graph in (base.internal.value, base.system.value):
        status, _, body = service.ask("GET", f"/graph-store?graph={quote(graph, safe='')}")
        assert status == 404
        assert b"internal" not in body or b"There is no public graph" in body


@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE", "PATCH"])
@pytest.mark.parametrize("path", ["/graph-store?default", "/graph/public", "/graph-store"])
def test_a_graph_is_not_written_and_the_reason_is_told(
    service: Service, method: str, path: str
) -> None:
    revision = service.small.ledger.revision
    status, _, body = service.ask(method, path, b"<a:b> <a:c> <a:d> .", Content_Type="text/turtle")
    assert status == 403
    assert "enters by the gate" in json.loads(body)["error"]
    assert service.small.ledger.revision == revision


# ---- the W3C's syntax files on an archive -----------------------------------------------------


@pytest.mark.parametrize("test", SYNTAX, ids=[t.name for t in SYNTAX])
def test_an_archive_reads_what_is_right_and_refuses_what_changes_or_asks_others(
    service: Service, test: SyntaxTest
) -> None:
    text = test.path.read_text(encoding="utf-8")
    kind = "update" if test.is_update else "query"
    status, _, body = service.ask(
        "POST", "/sparql", text.encode(), Content_Type=f"application/sparql-{kind}",
        Accept="application/json, text/turtle;q=0.9",
    )  # fmt: skip
    if test.is_update:
        assert status == 403 and b"enters by the gate" in body
    elif "service" in test.name.lower():
        assert status == 403 and b"SERVICE is not allowed here" in body
    else:
        unknown = test.is_good and b"is not supported" in body  # a function of the test's own
        assert status == (200 if test.is_good and not unknown else 400), body


# ---- releases ------------------------------------------------------------------------------------


def test_a_release_is_queried_under_its_own_path(service: Service) -> None:
    ledger = service.small.ledger
    releases.create(
        ledger, "first", small_archive.OWNER, open_store,
        lambda: service.indexes.update(ledger),
    )  # fmt: skip
    count = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"

    def counted(path: str) -> int:
        asked = urlencode({"query": count})
        status, _, body = service.ask("GET", f"{path}?{asked}", Accept="application/json")
        assert status == 200, body
        return int(json.loads(body)["results"]["bindings"][0]["n"]["value"])

    before = counted("/releases/first/sparql")
    quad = Quad(ledger.base.iri("person", "x"), TYPE, KMS("Thing"), ledger.base.public)
    ledger.commit(Change(Activity("ingest"), add=(quad,)), small_archive.OWNER)
    assert counted("/releases/first/sparql") == before
    assert before == releases.release(ledger.archive, "first").counts["statements"]
    status, _, page = service.ask("GET", "/releases/first/sparql", Accept="text/html")
    assert status == 200 and b'action="/releases/first/sparql"' in page
    assert b"Query release first" in page and b"All that is public here" not in page
    told = service.ask("GET", "/releases/none/sparql?query=ASK%7B%7D", Accept="*/*")
    assert (told[0], told[1]["access-control-allow-origin"]) == (404, "*")
    for name, expected in (("none", 404), ("..", 400), ("A%20B", 400)):
        asked = urlencode({"query": count})
        assert service.ask("GET", f"/releases/{name}/sparql?{asked}")[0] == expected
    update = service.ask("POST", "/releases/first/sparql", b"update=CLEAR+ALL",
                         Content_Type="application/x-www-form-urlencoded")  # fmt: skip
    assert update[0] == 403


def test_a_release_tells_no_more_what_was_closed_since(service: Service) -> None:
    ledger, small = service.small.ledger, service.small
    releases.create(
        ledger, "before", small_archive.OWNER, open_store, lambda: service.indexes.update(ledger)
    )
    asked = urlencode({"query": "SELECT ?o { ?s ?p ?o }", "format": "csv"})

    def told() -> tuple[str, str]:
        status, headers, body = service.ask("GET", f"/releases/before/sparql?{asked}")
        assert status == 200, body
        return body.decode(), headers.get("etag", "")

    whole, tag = told()
    assert "juzgado en consejo de guerra" in whole and tag
    conditions.change(ledger, mapping.load(), small.record, Access("closed"), small_archive.OWNER)
    try:
        cut, none = told()
        assert "consejo de guerra" not in cut and none == ""
        assert len(cut.splitlines()) > 20  # what is public still is told still
        again = service.ask("GET", f"/releases/before/sparql?{asked}", If_None_Match=tag)
        assert again[0] == 200
    finally:
        conditions.change(ledger, mapping.load(), small.record, Access(), small_archive.OWNER)
    assert told() == (whole, tag)


# ---- description -----------------------------------------------------------------------------


def test_the_examples_are_data_that_runs(service: Service) -> None:
    status, _, body = service.ask("GET", "/sparql/examples", Accept="text/turtle")
    assert status == 200
    store = Store()
    store.load(body, format=RdfFormat.TURTLE)
    texts = [quad.object for quad in store.quads_for_pattern(None, SH("select"), None)]
    assert len(texts) >= 8
    for text in texts:
        assert isinstance(text, Literal)
        status, _, answer = service.get(text.value, Accept="application/json")
        assert status == 200, answer
    typed = list(store.quads_for_pattern(None, TYPE, SH("SPARQLExecutable")))
    commented = list(store.quads_for_pattern(None, RDFS("comment"), None))
    assert len(typed) == len(commented)
    assert service.ask("GET", "/sparql/examples", Accept="image/png")[0] == 406


def test_the_service_describes_itself_as_it_is(service: Service) -> None:
    status, _, body = service.ask("GET", Accept="text/turtle")
    assert status == 200
    store = Store()
    store.load(body, format=RdfFormat.TURTLE)
    address = f"{service.small.ledger.base.base}/sparql"
    assert [q.object for q in store.quads_for_pattern(None, SD("endpoint"), None)] == [
        NamedNode(address)
    ]
    features = {q.object for q in store.quads_for_pattern(None, SD("propertyFeature"), None)}
    assert features == {KMS("textMatch"), KMS("similarTo")}
    assert not list(store.quads_for_pattern(None, SD("feature"), None))


# ---- limits and clients --------------------------------------------------------------------------


def test_one_client_runs_a_few_queries_at_a_time(service: Service) -> None:
    cross = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
    answers: list[tuple[int, str]] = []

    def ask() -> None:
        status, headers, _ = service.get(cross)
        answers.append((status, headers.get("retry-after", "")))

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    assert service.ask("GET", "/health")[0] == 200
    for thread in threads:
        thread.join()
    assert {status for status, _ in answers} <= {429, 503}
    assert sum(status == 429 for status, _ in answers) >= 12 - 4 - 4
    assert all(retry for _, retry in answers)
    assert service.get(ANY)[0] == 200


def test_relative_iris_are_those_of_the_service(service: Service) -> None:
    found = rows(service, "SELECT ?x { BIND(<x> AS ?x) }")
    base = service.small.ledger.base.base
    assert found[0]["x"]["value"] == f"{base}/x"


def solutions(body: bytes, name: str) -> int:
    """Return how many solutions pyoxigraph reads.

    In a frame of its own: what later frames leave behind can keep that of a test, and then the
    engine's object would end in whatever thread collects garbage, which it does not allow.
    """
    found = parse_query_results(body, format=results.ENGINE_FORMATS[name])
    assert isinstance(found, QuerySolutions)
    return len(list(found))


@pytest.mark.parametrize("name", ["json", "xml", "csv", "tsv"])
def test_results_are_read_back_alike_by_several_clients(service: Service, name: str) -> None:
    status, _, body = service.ask("GET", f"/sparql?{urlencode({'query': ANY, 'format': name})}")
    assert status == 200
    if name != "csv":  # which pyoxigraph writes and does not read
        assert solutions(body, name) == 20
    assert len(list(Result.parse(io.BytesIO(body), format=name))) == 20
    client = SPARQLWrapper(service.url)
    client.setQuery(ANY)
    if name == "json":
        client.setReturnFormat(JSON)
        answer: Any = client.queryAndConvert()
        assert len(answer["results"]["bindings"]) == 20
    elif name == "xml":
        client.setReturnFormat(XML)
        document: Any = client.queryAndConvert()
        assert len(document.getElementsByTagName("result")) == 20


@pytest.mark.parametrize("told", ["sparql@", ""])  # told what it is, or left to find out
def test_comunica_asks_and_finds_out_what_the_service_is(service: Service, told: str) -> None:
    client = Path(__file__).parent.parent / "clients/node_modules/.bin/comunica-sparql"
    if not client.exists():
        pytest.skip("no Comunica: npm ci in tests/clients")
    query = "SELECT ?s WHERE { ?s a <https://www.ica.org/standards/RiC/ontology#Person> }"
    done = subprocess.run(
        [client, f"{told}{service.url}", query, "-t", "application/sparql-results+json"],
        capture_output=True, check=True, timeout=60,
    )  # fmt: skip
    found = {row["s"]["value"] for row in json.loads(done.stdout)["results"]["bindings"]}
    assert found == {row["s"]["value"] for row in rows(service, query)} != set()


def test_a_construct_can_be_had_in_each_graph_format(service: Service) -> None:
    sizes = set()
    for form in (RdfFormat.TURTLE, RdfFormat.N_TRIPLES, RdfFormat.RDF_XML, RdfFormat.JSON_LD,
                 RdfFormat.TRIG, RdfFormat.N_QUADS):  # fmt: skip
        status, headers, body = service.get(
            "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }", Accept=form.media_type
        )
        assert (status, headers["content-type"].partition(";")[0]) == (200, form.media_type)
        sizes.add(len(set(quad.triple for quad in parse(body, format=form))))
    assert len(sizes) == 1
