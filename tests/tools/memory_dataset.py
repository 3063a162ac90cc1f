"""An empty dataset in memory behind the protocols' port, and a server of both protocols over it.

The W3C suites write; an archive refuses that. So they run over this dataset, with the same code of
the protocols that serves archives.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext

from flask import Flask, Response, request
from pyoxigraph import (
    DefaultGraph,
    NamedNode,
    Quad,
    QueryBoolean,
    QuerySolutions,
    Store,
    Triple,
    serialize,
)
from werkzeug.serving import make_server

from rdfkms.errors import BadInput, Denied, NotFound
from rdfkms.publish import results, service_description
from rdfkms.publish.dataset import (
    GraphRequest,
    GraphWrite,
    NotAcceptable,
    Request,
    Update,
)
from rdfkms.publish.dataset import Response as Answer
from rdfkms.publish.negotiation import Format
from rdfkms.publish.tokenizer import Query, tokens
from rdfkms.settings import SparqlSettings
from rdfkms.vocab import Base
from rdfkms.web.protocols.graph_store import GraphStoreProtocol
from rdfkms.web.protocols.sparql import SparqlProtocol


class MemoryDataset:
    """The port `publish.dataset.Dataset` over a store in memory that may be written."""

    read_only = ""

    def __init__(self, address: str = "http://localhost") -> None:
        self.settings = SparqlSettings()
        self._store = Store()
        self._graphs: set[str] = set()  # those that are there though they are empty
        self._address = address
        self._made = 0

    def answer(self, request: Request) -> Answer:
        form = Query(request.query).form or "SELECT"
        chosen = results.choose(form, request.format, request.accept, html=False)
        if chosen is None:
            raise NotAcceptable(f"The answer of {form} cannot be had so.")
        default, named = request.default_graphs, request.named_graphs
        graphs = (
            {"default_graph": [NamedNode(g) for g in default],
             "named_graphs": [NamedNode(g) for g in named]}
            if default or named
            else {}
        )  # fmt: skip
        try:
            data = self._serialised(request, chosen[0], graphs)
        except SyntaxError as err:
            raise BadInput(f"Syntax error in the query: {err}.") from err
        assert data is not None
        return Answer(200, form, chosen[1], io.BytesIO(data), len(data))

    def _serialised(
        self, request: Request, form: Format, graphs: dict[str, list[NamedNode]]
    ) -> bytes | None:
        found = self._store.query(request.query, base_iri=request.base, **graphs)  # type: ignore[arg-type]
        try:
            if Query(request.query).calls_service:  # it was read; nothing is asked of others
                raise Denied("SERVICE is not allowed here.")
            if isinstance(found, QuerySolutions | QueryBoolean):
                return found.serialize(format=results.ENGINE_FORMATS[form.extension])
            assert form.rdf is not None
            return serialize(found, format=form.rdf)
        finally:
            del found  # it may be dropped by this thread alone, which a traceback would not heed

    def update(self, request: Update) -> None:
        text = request.text
        if request.using or request.using_named:
            text = _with_using(text, request.using, request.using_named)
        try:
            self._store.update(text, base_iri=request.base)
        except SyntaxError as err:
            raise BadInput(f"Syntax error in the update: {err}.") from err

    def graph(self, request: GraphRequest) -> Answer:
        if request.graph and not self._has(request.graph):
            raise NotFound(f"There is no graph {request.graph}.")
        chosen = results.choose("CONSTRUCT", request.format, request.accept, html=False)
        if chosen is None or chosen[0].rdf is None:
            raise NotAcceptable("A graph cannot be had so.")
        quads = self._store.quads_for_pattern(None, None, None, self._name(request.graph))
        data = serialize((quad.triple for quad in quads), format=chosen[0].rdf)
        assert data is not None
        return Answer(200, "CONSTRUCT", chosen[1], io.BytesIO(data), len(data))

    def write(self, change: GraphWrite) -> tuple[str, bool]:
        graph = change.graph
        if graph is None:
            self._made += 1
            graph = f"{self._address}/made/{self._made}"
        is_new, name = bool(graph) and not self._has(graph), self._name(graph)
        if change.action == "drop":
            if is_new:
                raise NotFound(f"There is no graph {graph}.")
            if isinstance(name, NamedNode):
                self._store.remove_graph(name)
            else:
                self._store.clear_graph(name)
            self._graphs.discard(graph)
            return graph, False
        if change.action == "replace" and not is_new:
            self._store.clear_graph(name)
        self._store.extend(Quad(t.subject, t.predicate, t.object, name) for t in change.triples)
        self._graphs.add(graph)
        return graph, is_new

    def describe(self, address: str) -> Sequence[Triple]:
        return service_description.describe(address, Base("http://localhost"))

    def _has(self, graph: str) -> bool:
        return graph in self._graphs or self._store.contains_named_graph(NamedNode(graph))

    @staticmethod
    def _name(graph: str) -> NamedNode | DefaultGraph:
        return NamedNode(graph) if graph else DefaultGraph()


def _with_using(text: str, using: Sequence[str], named: Sequence[str]) -> str:
    """Put USING before each WHERE of an update that has none of its own (2.2.3 of the protocol)."""
    read = [token for token in tokens(text) if token.kind == "word"]
    if any(token.upper in ("USING", "WITH") for token in read):
        raise BadInput("The update names its graphs itself, by USING or WITH.")
    told = "".join(f"USING <{g}> " for g in using) + "".join(f"USING NAMED <{g}> " for g in named)
    for token in reversed([token for token in read if token.upper == "WHERE"]):
        text = text[: token.start] + told + text[token.start :]
    return text


@contextmanager
def serving(dataset: MemoryDataset) -> Iterator[str]:
    """Serve /sparql, /graph-store and, below it, graphs by their own address; yields host:port."""
    app = Flask(__name__)

    @app.route("/sparql", methods=["GET", "POST", "PUT"])
    def sparql() -> Response:
        if request.method == "PUT":
            return Response(status=405)
        return SparqlProtocol(dataset, f"{request.host_url}sparql", nullcontext).respond()

    @app.route("/graph-store", methods=["GET", "PUT", "POST", "DELETE"])
    def store() -> Response:
        return GraphStoreProtocol(dataset, nullcontext).respond()

    @app.route("/<path:name>", methods=["GET", "PUT", "POST", "DELETE"])
    def direct(name: str) -> Response:
        return GraphStoreProtocol(dataset, nullcontext, request.base_url).respond()

    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
