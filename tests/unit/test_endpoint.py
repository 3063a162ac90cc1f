"""Formats, row counting, dataset and refusals of the SPARQL service, without HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import (
    Literal,
    NamedNode,
    Quad,
    QueryResultsFormat,
    RdfFormat,
    Store,
    parse,
    parse_query_results,
)

from rdfkms.errors import BadInput, Denied, TooLarge, Unavailable
from rdfkms.publish import results
from rdfkms.publish.endpoint import NotAcceptable, Request, Response, SparqlService
from rdfkms.publish.results import RowCounter
from rdfkms.settings import SparqlSettings
from rdfkms.vocab import Base

BASE = Base("http://archive.test")
ROWS = 300
NASTY = 'a"},{\n<result>,[{b\r\n"",\\'
PREDICATE = NamedNode("http://x/p")
CROSS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sparql")
    store = Store(str(folder / "store"))
    store.extend(
        Quad(NamedNode(f"http://x/{n}"), PREDICATE, Literal(f"{NASTY}{n}"), BASE.public)
        for n in range(ROWS)
    )
    store.add(Quad(NamedNode("http://x/s"), PREDICATE, Literal("secret"), BASE.internal))
    store.backup(str(folder / "copy"))
    del store
    return folder / "copy"


@pytest.fixture(scope="module")
def service(snapshot: Path) -> Iterator[SparqlService]:
    settings = SparqlSettings(timeout=2, workers=1, max_rows=1000, max_bytes=200_000)
    made = SparqlService(lambda: (snapshot, 7), BASE, settings)
    yield made
    made.close()


def ask(service: SparqlService, query: str, **more: object) -> tuple[Response, bytes]:
    response = service.answer(Request(query, **more))  # type: ignore[arg-type]
    assert response.body is not None
    with response.body:
        return response, response.body.read()


@pytest.mark.parametrize("extension", ["json", "xml", "csv", "tsv"])
@pytest.mark.parametrize("size", [1, 7, 8192])
def test_rows_are_counted_exactly_whatever_the_text_says(extension: str, size: int) -> None:
    store = Store()
    store.extend(Quad(NamedNode(f"http://x/{n}"), PREDICATE, Literal(NASTY)) for n in range(25))
    form = results.ENGINE_FORMATS[extension]
    for query, rows in (("SELECT * { ?s ?p ?o }", 25), ("SELECT * { ?s ?p 1 }", 0)):
        text = store.query(query).serialize(format=form)  # type: ignore[arg-type]
        assert isinstance(text, bytes)
        counter = RowCounter(extension)
        for start in range(0, len(text), size):
            counter.add(text[start : start + size])
        assert counter.rows == rows


@pytest.mark.parametrize("name", ["json", "xml", "csv", "tsv"])
def test_tables_come_whole_in_each_format(service: SparqlService, name: str) -> None:
    response, body = ask(service, "SELECT ?s ?o { ?s ?p ?o }", format=name)
    assert (response.status, response.rows, response.bytes) == (200, ROWS, len(body))
    if name == "csv":
        assert body.startswith(b"s,o\r\n")
        return
    form: QueryResultsFormat = results.ENGINE_FORMATS[name]
    rows = list(parse_query_results(body, format=form))  # type: ignore[arg-type]
    assert len(rows) == ROWS


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("ttl", RdfFormat.TURTLE),
        ("nt", RdfFormat.N_TRIPLES),
        ("json", RdfFormat.JSON_LD),
        ("rdf+xml", RdfFormat.RDF_XML),
    ],
)
def test_graphs_come_whole_in_each_format(
    service: SparqlService, name: str, form: RdfFormat
) -> None:
    response, body = ask(service, "CONSTRUCT WHERE { ?s ?p ?o }", format=name)
    assert response.rows == ROWS
    assert len(list(parse(body, format=form))) == ROWS


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("", "application/sparql-results+json"),
        ("*/*", "application/sparql-results+json"),
        ("application/json", "application/json"),
        ("text/csv;q=0.5, application/sparql-results+xml;q=0.9", "application/sparql-results+xml"),
        ("text/tab-separated-values, image/png", "text/tab-separated-values"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
    ],
)
def test_tables_are_negotiated_by_quality(accept: str, media_type: str) -> None:
    chosen = results.choose("SELECT", "", accept)
    assert chosen is not None
    assert chosen[1] == media_type


def test_graphs_are_turtle_unless_asked_otherwise() -> None:
    chosen = results.choose("CONSTRUCT", "", "*/*")
    assert chosen is not None
    assert chosen[1] == "text/turtle"
    assert results.choose("CONSTRUCT", "", "text/csv") is None


def test_an_unknown_format_is_406(service: SparqlService) -> None:
    with pytest.raises(NotAcceptable):
        service.answer(Request("SELECT * { ?s ?p ?o }", accept="image/png"))


INTERNAL = BASE.internal.value
SECRET = "{ ?s ?p 'secret' }"


@pytest.mark.parametrize(
    ("query", "more"),
    [
        (f"ASK {SECRET}", {}),
        (f"ASK {{ GRAPH ?g {SECRET} }}", {}),
        (f"ASK {{ GRAPH <{INTERNAL}> {SECRET} }}", {}),
        (f"ASK FROM <{INTERNAL}> {SECRET}", {}),
        (f"ASK FROM NAMED <{INTERNAL}> {{ GRAPH ?g {SECRET} }}", {}),
        (f"ASK {SECRET}", {"default_graphs": (INTERNAL,)}),
        (f"ASK {{ GRAPH ?g {SECRET} }}", {"named_graphs": (INTERNAL,)}),
        (f"ASK {SECRET}", {"default_graphs": (INTERNAL, BASE.public.value)}),
    ],
)
def test_nothing_internal_is_reached_by_any_dataset(
    service: SparqlService, query: str, more: dict[str, tuple[str, ...]]
) -> None:
    _, body = ask(service, query, **more)
    assert json.loads(body)["boolean"] is False


def test_naming_another_graph_gives_an_empty_dataset_not_the_public_one(
    service: SparqlService,
) -> None:
    anything = "ASK { ?s ?p ?o }"
    assert json.loads(ask(service, anything)[1])["boolean"] is True
    other = ask(service, anything, default_graphs=(INTERNAL,))[1]
    assert json.loads(other)["boolean"] is False
    public = ask(service, f"ASK FROM <{BASE.public.value}> {{ ?s ?p ?o }}")[1]
    assert json.loads(public)["boolean"] is True


def test_a_syntax_error_names_line_and_column(service: SparqlService) -> None:
    with pytest.raises(BadInput, match=r"2:\d+"):
        service.answer(Request("SELECT *\n{ ?s ?p }"))


@pytest.mark.parametrize("query", ["LOAD <http://x>", "INSERT DATA {}", "SELECT * {SERVICE ?x {}}"])
def test_updates_and_federation_are_403(service: SparqlService, query: str) -> None:
    with pytest.raises(Denied):
        service.answer(Request(query))


def test_too_many_rows_bytes_or_letters_are_refused_whole(service: SparqlService) -> None:
    with pytest.raises(TooLarge, match="1000 rows"):
        service.answer(Request("SELECT ?s ?a { ?s ?p ?o . ?a ?b ?c }", format="csv"))
    with pytest.raises(TooLarge, match="200000 bytes"):
        service.answer(Request("SELECT * { ?s ?p ?o . ?a ?b ?c }", format="json"))
    with pytest.raises(TooLarge, match="longer"):
        service.answer(Request("SELECT * {} #" + "x" * 100_000))
    with pytest.raises(TooLarge, match="1000 rows"):
        service.answer(Request("CONSTRUCT { ?s ?a ?c } { ?s ?p ?o . ?a ?b ?c }", format="nt"))


def test_a_slow_query_is_stopped_and_the_next_is_answered(service: SparqlService) -> None:
    with pytest.raises(Unavailable, match="stopped"):
        service.answer(Request(CROSS, timeout=0.3))
    assert ask(service, "SELECT * { ?s ?p ?o }")[0].rows == ROWS


def test_the_tag_tells_revision_query_and_format_apart(service: SparqlService) -> None:
    query = "SELECT * { ?s ?p ?o }"
    tag = ask(service, query)[0].tag
    assert tag.startswith('W/"7-')
    assert service.answer(Request(query, known=("x", tag))).status == 304
    assert ask(service, query, format="csv")[0].tag != tag
    assert ask(service, "SELECT (NOW() AS ?n) {}")[0].tag == ""
