"""/sparql: the SPARQL protocol for programs and a plain editor for people."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from flask import Blueprint, Response, jsonify, make_response, render_template, request
from flask.typing import ResponseReturnValue

from rdfkms import queries
from rdfkms.errors import BadInput, Denied, Missing, RdfkmsError, TooLarge
from rdfkms.publish import endpoint, negotiation, results, service_description
from rdfkms.vocab import PREFIXES
from rdfkms.web.site import site

blueprint = Blueprint("sparql", __name__)

SHOWN_ROWS = 500
SHOWN_CHARS = 200_000
_QUERY_TYPE = "application/sparql-query"
_FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
_PROBLEM = negotiation.Format("JSON", "json", ("application/json", *results.JSON.media_types))
_TEXT = negotiation.Format("Text", "txt", ("text/plain",))


@blueprint.route("/sparql", methods=["GET", "POST"], provide_automatic_options=False)
def sparql() -> ResponseReturnValue:
    """Answer a query, show the editor, or describe the service."""
    parameters: Sequence[str] = ()
    try:
        parameters = _queries()
        if not parameters:
            return _crossing(_without_query())
        return _crossing(_answer(_read(parameters)))
    except RdfkmsError as error:
        return _crossing(_refusal(error, parameters[0] if parameters else ""))


@blueprint.route("/sparql", methods=["OPTIONS"])
def options() -> ResponseReturnValue:
    """Say what programs of other sites may send (CORS)."""
    response = _crossing(make_response("", 204))
    response.headers["Allow"] = "GET, HEAD, POST, OPTIONS"
    response.headers["Access-Control-Allow-Methods"] = "GET, HEAD, POST, OPTIONS"
    response.headers["Access-Control-Allow-Headers"] = "Accept, Content-Type, If-None-Match"
    response.headers["Access-Control-Max-Age"] = "86400"
    return response


def _service() -> endpoint.SparqlService:
    service = site().services.sparql
    if service is None:
        raise Missing("This service runs without SPARQL workers.", hint="See `rdfkms doctor`.")
    return cast(endpoint.SparqlService, service)


def _queries() -> list[str]:
    """Return the query texts of the request, whichever way they came; none for a plain GET."""
    if "update" in request.args:
        raise Denied("This address only reads: updates are not accepted.")
    if request.method != "POST":
        return [text for text in request.args.getlist("query") if text.strip()]
    kind = request.mimetype
    if kind == "application/sparql-update":
        raise Denied("This address only reads: updates are not accepted.")
    if kind == _QUERY_TYPE:
        return [_body(), *request.args.getlist("query")]
    if kind not in _FORM_TYPES:
        raise _UnknownType(
            f"A body of type '{kind[:60]}' is not understood.",
            hint=f"Send {_QUERY_TYPE} or a form with the field query.",
        )
    if "update" in request.form:
        raise Denied("This address only reads: updates are not accepted.")
    texts = request.form.getlist("query") + request.args.getlist("query")
    if not texts:
        raise BadInput("The form has no field query.")
    return texts


class _UnknownType(BadInput):
    http_status = 415


def _body() -> str:
    """Return the body as text, refusing early what is longer than a query may be."""
    limit = 4 * _service().settings.max_query_chars
    data = request.stream.read(limit + 1)
    if len(data) > limit:
        raise TooLarge(f"The query is longer than {limit} bytes.")
    if request.mimetype_params.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise BadInput("A SPARQL query is sent in UTF-8.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as err:
        raise BadInput("The query is not UTF-8 text.") from err


def _read(texts: Sequence[str]) -> endpoint.Request:
    values = request.values
    timeout = values.get("timeout", "")
    try:
        seconds = float(timeout) if timeout else None
    except ValueError as err:
        raise BadInput("timeout is a number of seconds.") from err
    if seconds is not None and not math.isfinite(seconds):
        raise BadInput("timeout is a number of seconds.")
    return endpoint.Request(
        query=endpoint.single("query", texts),
        default_graphs=tuple(values.getlist("default-graph-uri")),
        named_graphs=tuple(values.getlist("named-graph-uri")),
        format=values.get("format", ""),
        accept=request.headers.get("Accept", ""),
        timeout=seconds,
        known=tuple(tag.strip() for tag in request.headers.get("If-None-Match", "").split(",")),
    )


def _answer(asked: endpoint.Request) -> Response:
    answer = _service().answer(asked)
    if answer.body is None:
        response = make_response("", answer.status)
    elif answer.media_type in negotiation.HTML.media_types:
        with answer.body:
            shown = _table(answer) if answer.form in ("SELECT", "ASK") else _graph(answer)
        response = make_response(_page(asked.query, shown=shown))
    else:
        response = Response(answer.body, mimetype=answer.media_type, direct_passthrough=True)
        response.content_length = answer.bytes
        response.call_on_close(answer.body.close)
        if answer.form in ("SELECT", "ASK"):
            response.headers["X-Total-Rows"] = str(answer.rows)
    if answer.tag:
        response.headers["ETag"] = answer.tag
        response.headers["Cache-Control"] = "no-cache"
    else:
        response.headers["Cache-Control"] = "no-store"
    response.vary.add("Accept")
    return response


def _table(answer: endpoint.Response) -> dict[str, Any]:
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


def _graph(answer: endpoint.Response) -> dict[str, Any]:
    assert answer.body is not None
    text = answer.body.read().decode("utf-8", "replace")
    return {"kind": "graph", "text": text[:SHOWN_CHARS], "total": len(text)}


def _without_query() -> Response:
    offers = (negotiation.HTML, *negotiation.DATA)
    name = request.args.get("format", "")
    accept = request.headers.get("Accept", "")
    form = negotiation.by_name(name, offers) if name else negotiation.best(accept, offers)
    if form is None or not (name or accept.strip(" */,;q=.0123456789")):
        form = negotiation.HTML
    if form is negotiation.HTML:
        response = make_response(_page(""))
    else:
        service_url = f"{site().services.settings.base}/sparql"
        triples = service_description.describe(service_url, site().services.ledger.base)
        response = make_response(negotiation.serialise(triples, form))
        response.mimetype = form.media_type
    response.headers["Cache-Control"] = "no-cache"
    response.vary.add("Accept")
    return response


@cache
def _examples() -> list[queries.Query]:
    return [queries.load(name) for name in queries.names() if name.startswith("examples/")]


def _page(
    query: str, shown: dict[str, Any] | None = None, problem: RdfkmsError | None = None
) -> str:
    settings = site().services.settings.sparql
    head = "\n".join(f"PREFIX {k}: <{v}>" for k, v in PREFIXES.items() if k in ("rico", "kms"))
    return render_template(
        "sparql.html",
        query=query or f"{head}\n\n",
        here=request.host_url.rstrip("/"),
        shown=shown,
        problem=problem,
        examples=_examples(),
        limits=settings,
        shown_rows=SHOWN_ROWS,
        shown_chars=SHOWN_CHARS,
    )


def _refusal(error: RdfkmsError, query: str) -> Response:
    """Return the reason as JSON, plain text or in the editor, by Accept."""
    accept = request.headers.get("Accept", "")
    form = negotiation.best(accept, (_PROBLEM, _TEXT, negotiation.HTML)) or _PROBLEM
    if form is negotiation.HTML:
        response = make_response(_page(query[:SHOWN_CHARS], problem=error))
    elif form is _TEXT:
        response = make_response(f"{error}\n")
        response.mimetype = "text/plain"
    else:
        body = {"status": error.http_status, "error": error.message, "hint": error.hint}
        response = jsonify(body)
    response.status_code = error.http_status
    if error.http_status == 503:
        response.headers["Retry-After"] = "2"
    response.headers["Cache-Control"] = "no-store"
    response.vary.add("Accept")
    return response


def _crossing(response: Response) -> Response:
    """Let programs of any site read the answer (CORS): all of it is public."""
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Expose-Headers"] = "ETag, Retry-After, X-Total-Rows"
    return response
