"""Linked data: ``/id/...`` answers 303 by Accept, ``/data/...`` serves the documents."""

from __future__ import annotations

from typing import TypeVar

from flask import Blueprint, Response, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response as BaseResponse

from rdfkms.errors import BadInput, NotFound
from rdfkms.model import Ref
from rdfkms.publish import negotiation, things
from rdfkms.web.blueprints.pages import demand_not_withdrawn
from rdfkms.web.faults import answer
from rdfkms.web.site import by_revision, scope, site

blueprint = Blueprint("data", __name__)

R = TypeVar("R", bound=BaseResponse)


@blueprint.get("/id/<kind>/<key>")
@by_revision
def identify(kind: str, key: str) -> ResponseReturnValue:
    """Lead from a thing to a document about it in the form that the client likes best."""
    ref = Ref(kind, key)
    if not things.exists(scope(), ref):
        raise NotFound(f"There is no {kind} {key} here.", hint="Search for its name instead.")
    form = _asked(negotiation.ALL)
    if form is None:
        return _not_acceptable()
    target = (
        f"/page/{ref.path}" if form is negotiation.HTML else f"/data/{ref.path}.{form.extension}"
    )
    response = redirect(target, 303)
    response.vary.update(("Accept", "Authorization", "Cookie"))
    return _linked(response, ref)


@blueprint.get("/data/<kind>/<key>.<extension>")
@by_revision
def document(kind: str, key: str, extension: str) -> ResponseReturnValue:
    """Serve the data document of a thing in one format."""
    form = negotiation.by_name(extension, negotiation.DATA)
    if form is None or form.extension != extension:
        raise NotFound(
            f"There is no format '{extension[:20]}'.", hint="Use ttl, jsonld, nt or rdf."
        )
    ref = Ref(kind, key)
    demand_not_withdrawn(scope(), ref)
    body = negotiation.serialise(things.document(scope(), ref), form)
    response = Response(body, content_type=f"{form.media_type}; charset=utf-8")
    if form is negotiation.JSON_LD:
        response.content_type = form.media_type
    response.headers["Access-Control-Allow-Origin"] = "*"
    return _linked(response, ref)


def _asked(offers: tuple[negotiation.Format, ...]) -> negotiation.Format | None:
    named = request.args.get("format")
    if named is not None:
        form = negotiation.by_name(named, offers)
        if form is None:
            raise BadInput(
                f"There is no format '{named[:20]}'.", hint="Use html, ttl, jsonld, nt or rdf."
            )
        return form
    return negotiation.best(request.headers.get("Accept", ""), offers)


def _not_acceptable() -> Response:
    offered = ", ".join(f.media_type for f in negotiation.ALL)
    return answer(406, "This thing has no form that your program accepts.", f"Offered: {offered}.")


def _linked(response: R, ref: Ref) -> R:
    """Add Link headers: the documents, and the thing they are about."""
    base = site().services.settings.base
    links = [f'<{base}/id/{ref.path}>; rel="http://xmlns.com/foaf/0.1/primaryTopic"']
    links.append(f'</page/{ref.path}>; rel="alternate"; type="text/html"')
    links += [
        f'</data/{ref.path}.{f.extension}>; rel="alternate"; type="{f.media_type}"'
        for f in negotiation.DATA
    ]
    response.headers["Link"] = ", ".join(links)
    return response
