"""/sparql and /graph-store of an archive and of its releases, with a plain editor for people."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from rdfkms.errors import Missing, NotFound, RdfkmsError
from rdfkms.publish import dataset, example_queries, negotiation
from rdfkms.publish.dataset import Dataset, NotAcceptable
from rdfkms.vocab import PREFIXES
from rdfkms.web.protocols import answers, graph_store
from rdfkms.web.protocols.graph_store import GraphStoreProtocol
from rdfkms.web.protocols.sparql import METHODS, Editor, SparqlProtocol
from rdfkms.web.site import site

blueprint = Blueprint("sparql", __name__)

SHOWN_ROWS = 500
SHOWN_CHARS = 200_000
_WRITING = ["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH"]


@blueprint.route("/sparql", methods=["GET", "POST"], provide_automatic_options=False)
def sparql() -> ResponseReturnValue:
    """Answer a query, show the editor, or describe the service."""
    return _protocol("/sparql", _archive).respond()


@blueprint.route(
    "/releases/<name>/sparql", methods=["GET", "POST"], provide_automatic_options=False
)
def release(name: str) -> ResponseReturnValue:
    """Do the same on a named release, less what was closed since."""
    try:
        return _protocol(f"/releases/{name}/sparql", lambda: _released(name)).respond()
    except RdfkmsError as error:  # there is no such release: said as the protocol says it
        return answers.crossing(answers.refusal(error))


@blueprint.get("/sparql/examples")
def examples() -> ResponseReturnValue:
    """Serve the example queries as data (sh:SPARQLExecutable)."""
    name, accept = request.args.get("format", ""), request.headers.get("Accept", "")
    offers = negotiation.DATA
    form = negotiation.by_name(name, offers) if name else negotiation.best(accept, offers)
    if form is None:
        offered = ", ".join(offer.media_type for offer in offers)
        return answers.refusal(NotAcceptable(f"The examples can be had as {offered}."))
    address = f"{site().services.settings.base}/sparql"
    body = negotiation.serialise(example_queries.describe(address), form)
    response = answers.crossing(Response(body, mimetype=form.media_type))
    response.vary.add("Accept")
    return response


@blueprint.route("/sparql", methods=["OPTIONS"])
@blueprint.route("/releases/<name>/sparql", methods=["OPTIONS"])
def options(name: str = "") -> ResponseReturnValue:
    """Say what programs of other sites may send (CORS)."""
    return answers.preflight(METHODS)


@blueprint.route("/graph-store", methods=_WRITING, provide_automatic_options=False)
def graphs() -> ResponseReturnValue:
    """Serve the public graph that ``?default`` or ``?graph=`` names."""
    return _graph(None)


@blueprint.route("/graph/public", methods=_WRITING, provide_automatic_options=False)
def public() -> ResponseReturnValue:
    """Serve the public graph at its own IRI."""
    return _graph(site().services.ledger.base.public.value)


@blueprint.route("/graph-store", methods=["OPTIONS"])
@blueprint.route("/graph/public", methods=["OPTIONS"])
def graph_options() -> ResponseReturnValue:
    """Say what programs of other sites may send (CORS)."""
    return answers.preflight(graph_store.METHODS)


def _protocol(path: str, served: Callable[[], Dataset]) -> SparqlProtocol:
    """Return the protocol over a dataset; raises `Missing` where there are no workers."""
    address = f"{site().services.settings.base}{path}"
    return SparqlProtocol(served(), address, _admit, _editor(path))


def _graph(iri: str | None) -> Response:
    return GraphStoreProtocol(_archive(), _admit, iri).respond()


def _admit() -> AbstractContextManager[None]:
    return site().places.of(request.remote_addr or "")


def _archive() -> Dataset:
    service: Dataset | None = site().services.sparql
    if service is None:
        raise Missing("This service runs without SPARQL workers.", hint="See `rdfkms doctor`.")
    return service


def _released(name: str) -> Dataset:
    of_release = site().services.release_sparql
    if of_release is None:
        raise NotFound(f"There is no release {name[:40]} here.", hint="See /releases.")
    found: Dataset = of_release(name)
    return found


# ---- pages ---------------------------------------------------------------------------------------


def _editor(path: str) -> Editor:
    def shown(text: str, answer: dataset.Response) -> str:
        made = _table(answer) if answer.form in ("SELECT", "ASK") else _text(answer)
        made["cut"] = answer.headers.get("Search-Cut", "")
        return _page(path, text, shown=made)

    def refused(text: str, problem: RdfkmsError) -> str:
        return _page(path, text[:SHOWN_CHARS], problem=problem)

    return Editor(lambda: _page(path, ""), shown, refused)


def _table(answer: dataset.Response) -> dict[str, Any]:
    """Return the solutions for the page; what is not shown is counted."""
    assert answer.body is not None
    document = json.load(answer.body)
    if "boolean" in document:
        return {"kind": "boolean", "value": document["boolean"]}
    names = document["head"]["vars"]
    rows = [
        [row.get(name) for name in names] for row in document["results"]["bindings"][:SHOWN_ROWS]
    ]
    return {"kind": "table", "names": names, "rows": rows, "total": answer.rows}


def _text(answer: dataset.Response) -> dict[str, Any]:
    assert answer.body is not None
    text = answer.body.read().decode("utf-8", "replace")
    return {"kind": "graph", "text": text[:SHOWN_CHARS], "total": len(text)}


def _page(
    path: str, query: str, shown: dict[str, Any] | None = None, problem: RdfkmsError | None = None
) -> str:
    settings = site().services.settings.sparql
    head = "\n".join(f"PREFIX {k}: <{v}>" for k, v in PREFIXES.items() if k in ("rico", "kms"))
    return render_template(
        "sparql.html",
        query=query or f"{head}\n\n",
        path=path,
        release=(request.view_args or {}).get("name", ""),
        here=request.host_url.rstrip("/") + path,
        shown=shown,
        problem=problem,
        examples=example_queries.examples(),
        limits=settings,
        shown_rows=SHOWN_ROWS,
        shown_chars=SHOWN_CHARS,
    )
