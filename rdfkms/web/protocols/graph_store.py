"""The SPARQL 1.1 Graph Store HTTP Protocol: reading graphs, and writing where a dataset may."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass

from flask import Response, make_response, request
from pyoxigraph import RdfFormat, Triple, parse

from rdfkms.errors import BadInput, Denied, RdfkmsError
from rdfkms.publish import negotiation
from rdfkms.publish.dataset import Dataset, GraphRequest, GraphWrite
from rdfkms.web.protocols import answers

METHODS = "GET, HEAD, OPTIONS"
WRITING = "GET, HEAD, PUT, POST, DELETE, OPTIONS"
_ACTIONS = {"PUT": "replace", "POST": "merge", "DELETE": "drop"}
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^<>\"{}|\\^`\x00-\x20]+")
_MULTIPART = "multipart/form-data"


@dataclass(frozen=True, slots=True)
class GraphStoreProtocol:
    """Answers the requests at one address; `graph` is set where the address is itself a graph."""

    dataset: Dataset
    admit: Callable[[], AbstractContextManager[object]]
    graph: str | None = None

    def respond(self) -> Response:
        """Return the answer to the present request; refusals are answers too."""
        try:
            if request.method in ("GET", "HEAD"):
                return answers.crossing(self._read())
            return answers.crossing(self._written())
        except RdfkmsError as error:
            return answers.crossing(answers.refusal(error))

    def _read(self) -> Response:
        asked = GraphRequest(
            self._named(), request.args.get("format", ""), request.headers.get("Accept", ""),
            answers.known_tags(),
        )  # fmt: skip
        with self.admit():
            return answers.sent(self.dataset.graph(asked))

    def _written(self) -> Response:
        if self.dataset.read_only:
            raise Denied(self.dataset.read_only)
        action = _ACTIONS.get(request.method)
        if action is None:
            raise BadInput(f"{request.method} of a graph is not understood.")
        is_new = request.method == "POST" and self.graph is None and not self._names_any()
        graph = None if is_new else self._named()
        triples = () if action == "drop" else tuple(_triples())
        with self.admit():
            iri, made = self.dataset.write(GraphWrite(action, graph, triples))
        response = make_response("", 201 if made else 204)
        if is_new:
            response.headers["Location"] = iri
        return response

    def _names_any(self) -> bool:
        return "graph" in request.args or "default" in request.args

    def _named(self) -> str:
        """Return the graph that the request names, "" for the default graph."""
        if self.graph is not None:
            return self.graph
        graphs, default = request.args.getlist("graph"), "default" in request.args
        if len(graphs) + default != 1:
            raise BadInput(
                "Name one graph: ?default, or ?graph= with its IRI.",
                hint="The public statements are the default graph.",
            )
        if graphs and _ABSOLUTE.fullmatch(graphs[0]) is None:
            raise BadInput(f"{graphs[0][:200]!r} is no absolute IRI of a graph.")
        return "" if default else graphs[0]


def _triples() -> Iterator[Triple]:
    if request.mimetype != _MULTIPART:
        yield from _parsed(request.get_data(), request.mimetype)
        return
    for upload in request.files.values():
        yield from _parsed(upload.read(), upload.mimetype)


def _parsed(data: bytes, media_type: str) -> Iterator[Triple]:
    form = next((f for f in negotiation.DATA if media_type in f.media_types), None)
    if form is None or form.rdf is None:
        raise answers.UnknownType(
            f"A graph of type '{media_type[:60]}' is not understood.",
            hint=f"Send one of {', '.join(f.media_type for f in negotiation.DATA)}.",
        )
    try:
        rdf: RdfFormat = form.rdf
        for quad in parse(data, format=rdf, base_iri=request.base_url, without_named_graphs=True):
            yield quad.triple
    except (SyntaxError, ValueError, OSError) as err:
        raise BadInput(f"The graph cannot be read as {form.name}: {err}.") from err
