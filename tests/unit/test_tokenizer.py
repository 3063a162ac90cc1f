"""SPARQL terminals: federation is refused in every spelling, and only federation."""

from __future__ import annotations

import contextlib
import time

import pytest

from rdfkms.errors import BadInput
from rdfkms.publish.tokenizer import Query, tokens

TARGET = "<http://127.0.0.1:9/>"
FEDERATED = {
    "plain": "SELECT * { SERVICE %s { ?s ?p ?o } }",
    "silent": "SELECT * { service SILENT %s { ?s ?p ?o } }",
    "in exists": "SELECT * { ?a ?b ?c FILTER EXISTS { SERVICE %s { ?s ?p ?o } } }",
    "comment between": "SELECT * { SERVICE # <x> {\n %s { ?s ?p ?o } }",
    "comment with silent": "SELECT * { SERVICE#\nSILENT#\n%s{} }",
    "sub-select": "SELECT * { { SELECT * { SERVICE %s { ?s ?p ?o } } } }",
    "escaped letters": r"SELECT * { SERV\u0049CE %s { ?s ?p ?o } }",
    "long escape": r"SELECT * { \U00000053ERVICE %s { ?s ?p ?o } }",
    "no space": "SELECT*{SERVICE%s{?s ?p ?o}}",
    "run together with silent": "SELECT * { SERVICESILENT%s{?s ?p ?o} }",
    "after a literal": "SELECT * { ?s ?p trueSERVICE%s{?s ?p ?o} }",
    "after a number": "SELECT * { ?x ?y 1SERVICE%s{?s ?p ?o} }",
    "hidden in a string that is none": (
        "SELECT * {?a ?b ?c FILTER(?a<'>')SERVICE%s{?s ?p ?o} FILTER(?b='')}"
    ),
    "hidden in an IRI that is none": "SELECT * {?a ?b ?c FILTER(?a<1)SERVICE#>\n%s{?s ?p ?o}}",
    "variable target": "SELECT * { ?s ?p ?x SERVICE ?x { ?a ?b ?c } }",
    "prefixed target": "PREFIX e: <http://127.0.0.1:9/> SELECT * { SERVICE e:x { ?s ?p ?o } }",
    "prefix glued to the keyword": (
        "PREFIX e: <http://127.0.0.1:9/> SELECT * { SERVICEe:x { ?s ?p ?o } }"
    ),
}
HARMLESS = {
    "IRI": "SELECT * { ?s <http://x.org/service> ?o }",
    "comment": "# SERVICE <http://x> {\nSELECT * { ?s ?p ?o }",
    "string": "SELECT * { ?s ?p 'SERVICE <http://x> { }' }",
    "long string": 'SELECT * { ?s ?p """a " SERVICE <http://x> { }""" }',
    "variable": "SELECT ?service { ?service ?p ?o }",
    "prefix": "PREFIX service: <http://x/> SELECT * { GRAPH service:g { ?s service:p ?o } }",
    "comparison": "SELECT * { ?a ?b ?c FILTER(?a < ?c && ?c > 1) }",
}


@pytest.mark.parametrize("name", FEDERATED)
def test_every_spelling_of_service_is_seen(name: str) -> None:
    assert Query(FEDERATED[name].replace("%s", TARGET)).calls_service


@pytest.mark.parametrize("name", HARMLESS)
def test_the_word_service_elsewhere_is_no_call(name: str) -> None:
    assert not Query(HARMLESS[name]).calls_service


@pytest.mark.parametrize(
    "text",
    [
        "LOAD <http://x>",
        "load silent <http://x> into graph <http://y>",
        "PREFIX a: <http://b/>\nINSERT DATA { a:a a:b a:c }",
        "BASE <http://b/> # c\n DELETE WHERE { ?s ?p ?o }",
        "WITH <http://g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
        r"\u004COAD <http://x>",
        "CLEAR ALL",
    ],
)
def test_updates_are_recognised(text: str) -> None:
    assert Query(text).is_update
    assert Query(text).form == ""


def test_form_and_dataset_are_read_through_prologue_and_template() -> None:
    query = Query(
        "PREFIX g: <http://g/>\nCONSTRUCT { ?s ?p ?o } FROM g:a FROM NAMED <http://h> "
        "WHERE { ?s ?p 'FROM <http://no>' }"
    )
    assert query.form == "CONSTRUCT"
    assert query.dataset == (["http://g/a"], ["http://h"])
    assert Query("ASK { ?s ?p ?o }").dataset is None


def test_a_clock_makes_a_query_unstable() -> None:
    assert not Query("SELECT (NOW() AS ?n) {}").is_stable
    assert Query("SELECT ?now { ?now ?p 'now' }").is_stable


def test_tokens_put_together_are_the_text_without_space() -> None:
    text = 'SELECT ?x WHERE { ?x a <http://a#b> ; b:c.d \'it\'\'s\' , """q"q""" . }'
    assert "".join(t.text for t in tokens(text)) == (
        'SELECT?xWHERE{?xa<http://a#b>;b:c.d\'it\'\'s\',"""q"q""".}'
    )


@pytest.mark.parametrize(
    "filling",
    [
        "'\\" * 40_000,
        '"' * 99_000,
        "<a>" * 33_000,
        "a." * 45_000,
        "'''\\" * 24_000,
        "a:%aa" * 19_000,
    ],
    ids=["escapes", "quotes", "IRIs", "dots", "long quotes", "percent"],
)
def test_hostile_texts_are_read_in_bounded_time(filling: str) -> None:
    began = time.process_time()
    with contextlib.suppress(BadInput):
        assert not Query("SELECT * { SERVICE " + filling).calls_service
    assert time.process_time() - began < 8
