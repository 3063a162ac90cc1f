"""/linkset/...: all typed links of a thing; pages and identifiers carry them in their headers."""

from __future__ import annotations

import json

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotAcceptable

from rdfkms.access import ANONYMOUS
from rdfkms.errors import NotFound
from rdfkms.model import Ref
from rdfkms.publish import negotiation, signposting
from rdfkms.publish.signposting import LINKSET, LINKSET_TEXT, Signs, TypedLink
from rdfkms.publish.views import Scope, scope_of
from rdfkms.web.addresses import root
from rdfkms.web.blueprints.pages import demand_not_withdrawn
from rdfkms.web.site import by_revision, site

blueprint = Blueprint("linksets", __name__)

_SIGNED = ("pages.page", "data.identify", "data.document")


@blueprint.get("/linkset/<kind>/<key>")
@blueprint.get("/linkset/<kind>/<key>.<extension>")
@by_revision
def linkset(kind: str, key: str, extension: str = "") -> ResponseReturnValue:
    """Serve the links of a thing's page and documents, as JSON or as text."""
    offers = (LINKSET, LINKSET_TEXT)
    if extension:
        form = next((offer for offer in offers if offer.extension == extension), None)
        if form is None:
            raise NotFound("A link set is there as json and as txt.")
    else:
        form = negotiation.best(request.headers.get("Accept", ""), offers)
        if form is None:
            raise NotAcceptable
    seen, ref = public_scope(), Ref(kind, key)
    demand_not_withdrawn(seen, ref)
    found = signposting.links(seen, ref, _signs())
    if form is LINKSET:
        body = json.dumps(signposting.json_document(found), indent=1)
    else:
        body = signposting.text(found)
    response = Response(body, content_type=form.media_type)
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


def public_scope() -> Scope:
    """Return what anyone may read, whoever asks."""
    services = site().services
    ledger = services.ledger
    return scope_of(ledger.store, ledger.base, services.mapping, ANONYMOUS)


def _signs() -> Signs:
    return Signs(root(), site().services.settings.dataset.license)


def sign(response: Response) -> Response:
    """Add the typed links to the answers of pages, identifiers and data documents."""
    if request.endpoint not in _SIGNED or response.status_code not in (200, 303):
        return response
    values = request.view_args or {}
    ref = Ref(values.get("kind", ""), values.get("key", ""))
    try:
        found = signposting.links(public_scope(), ref, _signs())
    except NotFound:  # of what staff alone may see there are no signs
        return response
    chosen = _chosen(found, ref)
    before = response.headers.get("Link")
    response.headers["Link"] = ", ".join(filter(None, (before, signposting.header(chosen))))
    return response


def _chosen(found: list[TypedLink], ref: Ref) -> list[TypedLink]:
    """Return the links of what was asked: page and identifier share theirs."""
    if request.endpoint != "data.document":
        return signposting.of_page(found, f"{root()}/page/{ref.path}")
    extension = (request.view_args or {}).get("extension", "")
    own = f"{root()}/data/{ref.path}.{extension}"
    return [link for link in found if link.anchor == own]
