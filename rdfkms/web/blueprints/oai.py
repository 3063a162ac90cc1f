"""/oai: harvesting by OAI-PMH 2.0, by GET and POST; see docs/harvesting.md."""

from __future__ import annotations

import threading

from flask import Blueprint, Response, current_app, request
from flask.blueprints import BlueprintSetupState

from rdfkms.errors import TooLarge, Unavailable
from rdfkms.publish.oai.provider import Provider
from rdfkms.web.site import site

blueprint = Blueprint("oai", __name__)

_AT_ONCE = 3  # of the threads that serve: pages must be answered meanwhile
_PATIENCE = 5.0
_MAX_BODY = 20_000
_PROVIDER, _TURNS = "rdfkms.oai", "rdfkms.oai.turns"


@blueprint.record_once
def _prepare(state: BlueprintSetupState) -> None:
    state.app.extensions[_TURNS] = threading.BoundedSemaphore(_AT_ONCE)


@blueprint.route("/oai", methods=["GET", "POST"])
def harvest() -> Response:
    """Answer a harvester; errors of the protocol have HTTP status 200."""
    turns: threading.BoundedSemaphore = current_app.extensions[_TURNS]
    if not turns.acquire(timeout=_PATIENCE):
        raise Unavailable("Too many harvesters are being served.", hint="Come back a little later.")
    try:
        body = _provider().answer(_arguments())
    finally:
        turns.release()
    response = Response(body, content_type="text/xml; charset=utf-8")
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


def _provider() -> Provider:
    services = site().services
    made = current_app.extensions.get(_PROVIDER)
    if made is None:
        made = Provider(services.ledger, services.mapping, services.settings)
        made = current_app.extensions.setdefault(_PROVIDER, made)
    assert isinstance(made, Provider)
    return made


def _arguments() -> list[tuple[str, str]]:
    if request.method == "POST":
        if (request.content_length or 0) > _MAX_BODY:
            raise TooLarge("The request is too long.", hint="OAI-PMH takes short forms only.")
        return list(request.form.items(multi=True))
    return list(request.args.items(multi=True))
