"""Queries that would reach the network, never end, or eat the machine."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad, Store

from rdfkms.errors import Denied, RdfkmsError, Unavailable
from rdfkms.publish.endpoint import Request, SparqlService
from rdfkms.publish.pool import Pool
from rdfkms.settings import SparqlSettings
from rdfkms.vocab import Base

BASE = Base("http://archive.test")
JOIN = "?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l"
CROSS = {
    "count": f"SELECT (COUNT(*) AS ?n) {{ {JOIN} }}",
    "unbounded": f"SELECT * {{ {JOIN} }}",
    "ordered": f"SELECT * {{ {JOIN} }} ORDER BY ?l LIMIT 3",
}
FEDERATED = [
    "SELECT * { SERVICE <%s> { ?s ?p ?o } }",
    "SELECT * { SERVICE SILENT <%s> { ?s ?p ?o } }",
    "SELECT * { ?s ?p ?o FILTER EXISTS { SERVICE <%s> { ?s ?p ?o } } }",
    "SELECT * { SERVICE # here\n <%s> { ?s ?p ?o } }",
    "INSERT { ?s ?p ?o } WHERE { SERVICE <%s> { ?s ?p ?o } }",
    "LOAD <%s>",
    "LOAD SILENT <%s> INTO GRAPH <http://g>",
]


class Trap:
    """A listening socket that counts who comes."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.settimeout(0.2)
        self.visits = 0
        self._open = True
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}/x"

    def _listen(self) -> None:
        while self._open:
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            self.visits += 1
            connection.close()

    def close(self) -> None:
        self._open = False
        self._thread.join()
        self._socket.close()


@pytest.fixture
def trap() -> Iterator[Trap]:
    made = Trap()
    yield made
    made.close()


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    store = Store(str(folder / "store"))
    predicate = NamedNode("http://x/p")
    store.extend(
        Quad(NamedNode(f"http://x/{n}"), predicate, Literal(f"value {n}"), BASE.public)
        for n in range(600)
    )
    store.backup(str(folder / "copy"))
    del store
    return folder / "copy"


@pytest.fixture
def service(snapshot: Path) -> Iterator[SparqlService]:
    made = SparqlService(lambda: (snapshot, 1), BASE, SparqlSettings(timeout=2))
    yield made
    made.close()


@pytest.mark.parametrize("text", FEDERATED)
def test_no_spelling_reaches_a_socket(service: SparqlService, trap: Trap, text: str) -> None:
    with pytest.raises(Denied):
        service.answer(Request(text.replace("%s", trap.url)))
    time.sleep(0.3)
    assert trap.visits == 0


def test_workers_have_no_network_even_if_the_text_is_let_through(
    snapshot: Path, trap: Trap
) -> None:
    pool = Pool(workers=1, memory_mb=1024, waiting=1)
    try:
        if not pool.is_isolated():
            pytest.skip("this kernel allows no network namespace: doctor says so")
        job = {
            "snapshot": str(snapshot),
            "query": f"SELECT * {{ SERVICE <{trap.url}> {{ ?s ?p ?o }} }}",
            "default": [BASE.public.value],
            "named": [],
            "format": "json",
            "max_rows": 10,
            "max_bytes": 1000,
        }
        with pytest.raises(RdfkmsError):
            pool.answer(job, 5)
        time.sleep(0.3)
        assert trap.visits == 0
    finally:
        pool.close()


@pytest.mark.parametrize("name", CROSS)
def test_a_cross_join_ends_within_its_limit(service: SparqlService, name: str) -> None:
    began = time.monotonic()
    with pytest.raises(RdfkmsError) as refused:
        service.answer(Request(CROSS[name]))
    assert time.monotonic() - began <= 3
    assert refused.value.http_status in (413, 503)


def test_twenty_cross_joins_leave_threads_and_workers_for_others(service: SparqlService) -> None:
    """Of 20 callers at most workers + waiting are held; the others are refused at once."""

    def run(_: int) -> tuple[str, float]:
        began = time.monotonic()
        try:
            service.answer(Request(CROSS["count"]))
        except Unavailable as refusal:
            return refusal.message, time.monotonic() - began
        return "answered", 0.0

    with ThreadPoolExecutor(20) as threads:
        outcomes = list(threads.map(run, range(20)))
    assert all(message != "answered" for message, _ in outcomes)
    assert max(seconds for _, seconds in outcomes) <= 3.5
    assert sum(seconds < 0.5 for _, seconds in outcomes) >= 20 - 2 - 4
    response = service.answer(Request("SELECT * { ?s ?p ?o }"))
    assert response.rows == 600
    assert response.body is not None
    response.body.close()


def test_stopped_processes_are_gone(service: SparqlService) -> None:
    def children() -> set[str]:
        path = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
        return set(path.read_text(encoding="ascii").split()) if path.exists() else set()

    before = children()
    with pytest.raises(Unavailable):
        service.answer(Request(CROSS["count"], timeout=0.2))
    service.close()
    assert children() <= before


def test_a_query_that_eats_memory_is_refused_and_the_service_lives(snapshot: Path) -> None:
    settings = SparqlSettings(timeout=20, workers=1, memory_mb=400)
    service = SparqlService(lambda: (snapshot, 1), BASE, settings)
    hungry = "SELECT (GROUP_CONCAT(CONCAT(?c, ?f, ?i)) AS ?all) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    try:
        with pytest.raises(Unavailable, match=r"memory|stopped"):
            service.answer(Request(hungry))
        response = service.answer(Request("ASK { ?s ?p ?o }"))
        assert response.body is not None
        response.body.close()
    finally:
        service.close()


def test_a_snapshot_that_went_away_is_taken_again(snapshot: Path, tmp_path: Path) -> None:
    offered = [tmp_path / "gone", snapshot]
    service = SparqlService(lambda: (offered.pop(0), 1), BASE, SparqlSettings(workers=1))
    try:
        response = service.answer(Request("SELECT * { ?s ?p ?o }"))
        assert response.rows == 600
        assert response.body is not None
        response.body.close()
    finally:
        service.close()
