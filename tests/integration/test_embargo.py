"""A page with a picture under embargo: absent from every surface, there for a reviewer."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
from pyoxigraph import Literal, NamedNode

from rdfkms.app import composition
from rdfkms.knowledge import decoding
from rdfkms.vocab import KMS
from tests.tools.service import Service, serving
from tests.tools.small_run import Built, command, result

SECRET = "Hilario Benaque Ruiz"  # the court's record alone names him
WORD = "Benaque"
INTERNAL = "http://localhost:8080/graph/internal"
TRIPLES = f"{{ ?s ?p ?o FILTER(CONTAINS(STR(?o), '{WORD}')) }}"
QUERIES = (
    f"SELECT ?o {TRIPLES}",
    f"SELECT ?o {{ GRAPH ?g {TRIPLES} }}",
    f"SELECT ?o FROM <{INTERNAL}> {TRIPLES}",
    f"SELECT ?o FROM NAMED <{INTERNAL}> {{ GRAPH <{INTERNAL}> {TRIPLES} }}",
    f"CONSTRUCT {TRIPLES} WHERE {TRIPLES}".replace(f" FILTER(CONTAINS(STR(?o), '{WORD}'))", "", 1),
    f"DESCRIBE ?s {TRIPLES}",
)


@dataclass(frozen=True)
class Closed:
    """A served archive, and what of it belongs to the record that is closed."""

    service: Service
    record: str
    paths: tuple[str, ...]  # of pages, documents, pictures and crops
    token: str


def _paths(archive: Path) -> tuple[str, tuple[str, ...]]:
    """Return the key of the court's record and every path that shows something of it."""
    with composition.reading(archive) as app:
        store, base = app.ledger.store, app.base
        court = Literal("court-martial")
        (held,) = store.match(None, KMS("profile"), court, base.public)
        assert isinstance(held.subject, NamedNode)
        key = held.subject.value.rpartition("/")[2]
        record = decoding.record(store, base, key)
        units = decoding.units_of_record(store, base, key)
        claims = [c for u in units for c in decoding.claims_of_unit(store, base, u.key)]
        (person,) = {c.subject for c in claims if c.value and c.value.lexical == SECRET}
    ids = [f"record/{key}", f"evidence/{units[0].key}", f"claim/{claims[0].key}", person.path]
    ids += [f"inst/{page.key}" for page in record.pages]
    paths = [f"/{form}/{one}" for form in ("page", "id") for one in ids]
    paths += [f"/data/{one}.{end}" for one in ids for end in ("ttl", "jsonld", "nt", "rdf")]
    page = record.pages[0]
    paths += [f"/picture/{page.picture}.jpg", f"/crop/{page.key}?xywh=10,10,200,200"]
    paths += [f"/crop/claim/{claims[0].key}/p1.jpg", f"/crop/passage/{units[0].key}.jpg"]
    return key, tuple(paths)


@pytest.fixture(scope="module")
def closed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Closed]:
    """Serve a copy of the archive; its court's record is closed by a command to the service."""
    archive = Path(shutil.copytree(built.archive, tmp_path_factory.mktemp("embargo") / "A"))
    record, paths = _paths(archive)
    with serving(archive) as service:
        shown = [path for path in paths if service.get(path)[0] != 200]
        assert shown == []
        token = result("token", "add", "ana", "--role", "reviewer", "--archive", archive)
        until = ("--until", "2999-01-01")
        result("access", record, "embargo", *until, "--archive", archive)
        time.sleep(0.6)  # public SPARQL reads a snapshot at most half a second old
        yield Closed(service, record, paths, token["secret"])


def test_no_page_document_picture_or_crop_is_served(closed: Closed) -> None:
    shown = {path: closed.service.get(path)[0] for path in closed.paths}
    assert {path: status for path, status in shown.items() if status != 404} == {}


def test_a_reviewer_is_served_all_of_them(closed: Closed) -> None:
    shown = {path: closed.service.get(path, token=closed.token)[0] for path in closed.paths}
    assert {path: status for path, status in shown.items() if status != 200} == {}


def test_no_form_of_query_reaches_it(closed: Closed) -> None:
    for query in QUERIES:
        accept = "application/sparql-results+json, text/turtle"
        for fields in ({}, {"default-graph-uri": INTERNAL}, {"named-graph-uri": INTERNAL}):
            status, said = closed.service.sparql(query, accept, **fields)
            assert status in (200, 400, 403), query
            assert WORD not in said.replace(query, ""), (query, fields)
        got = closed.service.get(f"/sparql?query={quote(query)}", accept)[1]
        assert WORD not in got.replace(query, "")


def test_lists_search_and_questions_do_not_know_it(closed: Closed) -> None:
    at = ("--archive", closed.service.archive)
    lists = ("/", "/browse/person", "/browse/place", "/collections", "/runs")
    said = [closed.service.get(path)[1] for path in lists]
    said.append(result_text("search", WORD, *at))
    answer = json.loads(result_text("ask", f"¿Qué consta de {SECRET}?", "--json", *at))
    said.append(str([answer["statements"], answer["evidence"]]))
    said.append(result_text("query", QUERIES[0], *at))
    found = closed.service.get(f"/search?q={WORD}")[1]
    said.append(re.sub(r'value="[^"]*"|<title>.*?</title>|<h1>.*?</h1>', "", found))
    for text in said:
        assert SECRET not in text
        assert closed.record not in text


def result_text(*line: str | Path) -> str:
    return command(*line, check=False).stdout


def test_opened_it_is_served_again_and_closed_again_it_is_not(closed: Closed) -> None:
    at = ("--archive", closed.service.archive)
    result("access", closed.record, "open", *at)
    assert {closed.service.get(path)[0] for path in closed.paths} == {200}
    time.sleep(0.6)
    assert WORD in closed.service.sparql(QUERIES[0])[1]
    assert result("search", SECRET, *at)["entities"]
    result("access", closed.record, "closed", *at)
    assert {closed.service.get(path)[0] for path in closed.paths} == {404}
    assert result("check", *at)["ok"]


def test_tokens_do_what_their_role_may(closed: Closed) -> None:
    at = ("--archive", closed.service.archive)
    secret = result("token", "add", "bea", "--role", "contributor", *at)["secret"]
    send = closed.service.command
    assert send("run", {"paths": ["/etc"]}, secret)["exit_code"] == 5
    assert send("backup", {"target": "/tmp/x"}, secret)["exit_code"] == 5
    assert send("access", {"record": closed.record, "condition": "open"}, secret)["exit_code"] == 5
    assert send("token_add", {"id": "x", "role": "administrator"}, secret)["exit_code"] == 5
    assert send("nonsense", {}, secret)["exit_code"] == 4
    assert send("access", {}, closed.token)["exit_code"] == 3
    assert (
        send("access", {"record": closed.record, "condition": "x"}, closed.token)["exit_code"] == 3
    )
    assert send("token_list", {}, "wrong")["status"] == 401
    result("token", "revoke", "bea", *at)
    assert send("extract", {}, secret)["status"] == 401


def test_commands_at_the_same_time_all_end(closed: Closed) -> None:
    at = ("--archive", closed.service.archive)
    lines = [("extract",), ("extract",), ("access", closed.record, "open"), ("token", "list")]
    with ThreadPoolExecutor(len(lines)) as pool:
        done = list(pool.map(lambda line: command(*line, *at, check=False), lines))
    assert [one.returncode for one in done] == [0, 0, 0, 0], [one.stderr for one in done]
    assert result("check", *at)["ok"]
    result("access", closed.record, "closed", *at)
    assert {closed.service.get(path)[0] for path in closed.paths} == {404}
