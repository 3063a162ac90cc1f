"""A mirror shows the public graph, is fed from where it stands, and is read over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import pyoxigraph as ox
import pytest
from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.backends.sparql_http import SparqlMirror
from rdfkms.errors import Broken, Unavailable
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.erasure import erase
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.ledger.mirror import feed
from rdfkms.model import Principal, Role
from rdfkms.settings import Settings
from rdfkms.vocab import Base

BASE = Base()
ANA = Principal("ana", Role.ADMINISTRATOR)
ALL = "SELECT ?o ?g WHERE { GRAPH ?g { ?s <http://p> ?o } } ORDER BY ?o"


def quad(value: Literal | str, graph: NamedNode = BASE.public) -> Quad:
    literal = Literal(value) if isinstance(value, str) else value
    return Quad(BASE.iri("claim", "c"), NamedNode("http://p"), literal, graph)


@pytest.fixture
def remote() -> Iterator[SparqlMirror]:
    """A SPARQL 1.1 service (query and update) of another process' kind: an own store over HTTP."""
    store = ox.Store()

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            try:
                if "update" in form:
                    store.update(form["update"][0])
                    body = b""
                else:
                    found = store.query(form["query"][0])
                    assert isinstance(found, ox.QuerySolutions)
                    body = found.serialize(format=ox.QueryResultsFormat.JSON) or b""
                self.send_response(200)
            except SyntaxError as err:
                body = str(err).encode()
                self.send_response(400)
            self.send_header("Content-Type", "application/sparql-results+json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}/sparql"
    yield SparqlMirror(url, url, timeout=10)
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    archive = Archive.create(tmp_path / "a", Settings())
    found = Ledger(archive, OxigraphStore(archive.store_path))
    yield found
    found.close()


def test_a_mirror_gets_the_public_graph_and_only_that(ledger: Ledger, remote: SparqlMirror) -> None:
    odd = Literal('"} ; DROP ALL #\\u0022\n朱', language="lzh")
    ledger.commit(
        Change(Activity("ingest"), (quad("a"), quad(odd), quad("secret", BASE.internal))), ANA
    )
    assert feed(ledger.journal, BASE, remote) == 1
    ledger.commit(Change(Activity("ingest"), (quad("b"),), (quad("a"),)), ANA)
    assert feed(ledger.journal, BASE, remote) == 2
    assert feed(ledger.journal, BASE, remote) == remote.revision(NamedNode(BASE.base)) == 2
    rows = remote.select(ALL)
    assert {row["o"] for row in rows} == {Literal("b"), odd}
    assert {row["g"] for row in rows} == {BASE.public}


def test_a_mirror_that_lacks_an_erased_revision_is_not_fed_half(
    ledger: Ledger, remote: SparqlMirror
) -> None:
    ledger.commit(Change(Activity("ingest"), (quad("a"),)), ANA)
    erase(ledger, [1], ANA)
    with pytest.raises(Broken, match="Load the present public graph"):
        feed(ledger.journal, BASE, remote)


def test_a_mirror_that_does_not_answer_is_unavailable(ledger: Ledger) -> None:
    away = SparqlMirror("http://127.0.0.1:9/sparql", "http://127.0.0.1:9/sparql", timeout=2)
    with pytest.raises(Unavailable, match="nothing is lost"):
        feed(ledger.journal, BASE, away)


def test_a_query_that_the_service_refuses_is_unavailable(remote: SparqlMirror) -> None:
    with pytest.raises(Unavailable):
        remote.select("SELECT ?x WHERE { ?x }")
