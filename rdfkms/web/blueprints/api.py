"""/api/v1: the JSON API of review, under bearer tokens; every answer is JSON, also a refusal."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import BaseModel, ValidationError
from pyoxigraph import RdfFormat, parse

from rdfkms.access import ANONYMOUS
from rdfkms.admission.incoming import Unfit
from rdfkms.errors import BadInput
from rdfkms.model import Principal
from rdfkms.publish import negotiation
from rdfkms.web import site
from rdfkms.web.api.endpoints import ENDPOINTS, PREFIX, Endpoint
from rdfkms.web.api.openapi import document
from rdfkms.web.site import Unauthorised

Perform = Callable[[str, dict[str, Any], Principal], dict[str, Any]]
MAX_BODY = 200_000
_JSON = negotiation.Format("JSON", "json", ("application/json",))
_NAME = re.compile(r"[A-Za-z0-9._-]{1,80}\Z")


def blueprint(perform: Perform) -> Blueprint:
    """Return the blueprint; `perform` does one operation of the archive."""
    api = Blueprint("api", __name__, url_prefix=PREFIX)
    api.add_url_rule("/openapi.json", "openapi", _described)
    api.register_error_handler(Unfit, _unfit)
    for endpoint in ENDPOINTS:
        view = _view(endpoint, perform)
        api.add_url_rule(endpoint.path, endpoint.name, view, methods=[endpoint.method])
    return api


def _described() -> Response:
    settings = site.site().services.settings
    response = jsonify(document(request.host_url.rstrip("/"), settings.title))
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


def _view(endpoint: Endpoint, perform: Perform) -> Callable[..., ResponseReturnValue]:
    def view(**path: str) -> ResponseReturnValue:
        """Do one operation and answer with its result."""
        principal = site.bearer()
        if principal is ANONYMOUS and not endpoint.public:
            raise Unauthorised
        if endpoint.consumes:
            arguments = _document(endpoint)
        else:
            given = _query(endpoint) if endpoint.method == "GET" else _body(endpoint)
            arguments = given.model_dump(exclude_none=True) | _joined(endpoint, path)
        response = jsonify(perform(endpoint.operation, arguments, principal))
        response.headers["Cache-Control"] = "no-store"
        return response

    return view


def _joined(endpoint: Endpoint, path: dict[str, str]) -> dict[str, str]:
    for name, value in path.items():
        if not _NAME.match(value):
            raise BadInput(f"The {name} in the address holds characters that no {name} has.")
    return {endpoint.joins: "/".join(path.values())} if endpoint.joins else {}


def _query(endpoint: Endpoint) -> BaseModel:
    given: dict[str, Any] = {}
    for name, values in request.args.lists():
        if len(values) > 1:
            raise BadInput(f"{name[:40]!r} is given twice.")
        given[name] = values[0]
    try:
        return endpoint.takes.model_validate(given, strict=False)
    except ValidationError as err:
        raise _unread("query", err) from err


def _body(endpoint: Endpoint) -> BaseModel:
    if (request.content_length or 0) > MAX_BODY:
        raise BadInput(f"The body may have {MAX_BODY} bytes.")
    if request.mimetype != "application/json":
        raise BadInput("The body must be JSON.", hint="Send Content-Type: application/json.")
    data = request.get_data(cache=False)
    try:
        text = data.decode("utf-8")
        parsed = json.loads(text or "{}")
        if not isinstance(parsed, dict):
            raise BadInput("The body must be one JSON object.")
        return endpoint.takes.model_validate(parsed)
    except ValidationError as err:
        raise _unread("body", err) from err
    except (ValueError, RecursionError) as err:
        raise BadInput(f"The body is no JSON: {str(err)[:200]}") from err


def _document(endpoint: Endpoint) -> dict[str, Any]:
    """Return the RDF of the body; read and checked where it is judged."""
    if request.mimetype not in endpoint.consumes:
        raise BadInput(
            "The body must be RDF.", hint=f"Send Content-Type: {', '.join(endpoint.consumes)}."
        )
    try:
        return {"data": request.get_data().decode("utf-8"), "media_type": request.mimetype}
    except UnicodeDecodeError as err:
        raise BadInput(f"The body is no UTF-8: byte {err.start}.") from err


def _unfit(error: Unfit) -> Response:
    """Answer with the SHACL report, as RDF where the client likes that better than JSON."""
    form = negotiation.best(request.headers.get("Accept", ""), (_JSON, *negotiation.DATA))
    if form is None or form is _JSON:
        told = asdict(error.report)
        turtle = told.pop("turtle")
        response = jsonify(status=422, error=error.message, hint=error.hint, report=turtle, **told)
    else:
        triples = parse(error.report.turtle, format=RdfFormat.TURTLE)
        body = negotiation.serialise((quad.triple for quad in triples), form)
        response = Response(body, content_type=form.media_type)
    response.status_code = 422
    response.vary.add("Accept")
    response.headers["Cache-Control"] = "no-store"
    return response


def _unread(what: str, err: ValidationError) -> BadInput:
    first = err.errors()[0]
    where = ".".join(str(step) for step in first["loc"])[:100]
    return BadInput(f"The {what} cannot be read: {where}: {first['msg']}.")
