"""/dataset and /.well-known/void: what this dataset is, for people and for catalogues."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from rdfkms.errors import BadInput, NotFound
from rdfkms.ledger import releases
from rdfkms.publish import negotiation
from rdfkms.publish.dcat import description, statistics
from rdfkms.publish.perrevision import PerRevision
from rdfkms.web.faults import answer
from rdfkms.web.keeping import kept
from rdfkms.web.services import Services
from rdfkms.web.site import by_revision, site

blueprint = Blueprint("dataset", __name__)

_KEPT = "rdfkms-statistics"
_HINT = "Use html, ttl, jsonld, nt or rdf."


@blueprint.get("/dataset")
@by_revision
def dataset() -> ResponseReturnValue:
    """Describe the dataset in the form that the client likes best."""
    named, accept = request.args.get("format"), request.headers.get("Accept", "")
    if named is None:
        form = negotiation.best(accept, negotiation.ALL)
    else:
        form = negotiation.by_name(named, negotiation.ALL)
        if form is None:
            raise BadInput(f"There is no format '{named[:20]}'.", hint=_HINT)
    if form is None:
        offered = ", ".join(f.media_type for f in negotiation.ALL)
        return answer(406, "The description has no form that you accept.", f"Offered: {offered}.")
    return _sent(form)


@blueprint.get("/dataset.<extension>")
@by_revision
def document(extension: str) -> ResponseReturnValue:
    """Describe the dataset in one format."""
    form = negotiation.by_name(extension, negotiation.ALL)
    if form is None or form.extension != extension:
        raise NotFound(f"There is no format '{extension[:20]}'.", hint=_HINT)
    return _sent(form)


@blueprint.get("/.well-known/void")
def well_known() -> ResponseReturnValue:
    """Lead from the well-known address to the description (VoID, section 7.2)."""
    offers = (*negotiation.DATA, negotiation.HTML)
    form = negotiation.best(request.headers.get("Accept", ""), offers) or negotiation.TURTLE
    response = make_response(redirect(f"/dataset.{form.extension}", 302))
    response.vary.add("Accept")
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


def described() -> description.Described:
    """Return what is described now."""
    services = site().services
    made = releases.listing(services.archive)
    counts = kept(_KEPT, _counting).current()
    return description.Described(services.settings, services.ledger.base, counts, made)


def _counting(services: Services) -> PerRevision[statistics.Statistics]:
    return PerRevision(
        services.ledger,
        lambda revision: statistics.count(services.ledger, services.mapping, revision),
    )


def _sent(form: negotiation.Format) -> Response:
    told = described()
    if form is negotiation.HTML:
        made = make_response(
            render_template(
                "dataset.html",
                told=told,
                counts=told.counts,
                publisher=description.publisher(told.settings),
                summary=description.summary(told.settings),
                forms=negotiation.DATA,
                dumps=description.FORMS,
            )
        )
    else:
        body = negotiation.serialise(description.describe(told), form, description.PREFIXES)
        made = make_response(body)
        made.content_type = form.media_type
        if form is not negotiation.JSON_LD:
            made.content_type += "; charset=utf-8"
    made.headers["Access-Control-Allow-Origin"] = "*"
    return made
