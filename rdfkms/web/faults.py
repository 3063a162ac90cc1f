"""Errors as pages or JSON, by Accept: a sentence and what to do next, never a trace."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from flask import Flask, Response, g, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from rdfkms.access import ANONYMOUS
from rdfkms.errors import NotFound, RdfkmsError
from rdfkms.publish import negotiation
from rdfkms.publish.suggesting import suggest
from rdfkms.publish.views import Link
from rdfkms.web.languages import DEFAULT, N_, gettext, language
from rdfkms.web.site import Unauthorised, page_scope, principal, site

log = logging.getLogger(__name__)

_JSON = negotiation.Format("JSON", "json", ("application/json", *negotiation.JSON_LD.media_types))
_FORMS = (negotiation.HTML, _JSON)
_SENTENCES = {
    400: N_("The request cannot be read."),
    404: N_("There is no page at this address."),
    405: N_("This address does not take that method."),
    406: N_("This thing has no form that your program accepts."),
    413: N_("The request is too large."),
}


class Gone(Exception):
    """A thing that was public and was withdrawn: its tombstone says when and why."""

    def __init__(self, reason: str, date: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.date = date


def install(app: Flask) -> None:
    """Register the handlers."""
    app.register_error_handler(RdfkmsError, _known)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Unauthorised, _unauthorised)
    app.register_error_handler(Gone, _gone)
    app.register_error_handler(Exception, _unknown)


def _known(error: RdfkmsError) -> Response:
    if error.http_status >= 500:
        log.error("%s %s: %s", request.method, request.path, error)
    if isinstance(error, NotFound) and language() != DEFAULT and not _is_for_programs():
        # Its own sentence is English; that it is not there can be said to every reader.
        told = gettext("There is nothing at this address.")
        response = answer(error.http_status, told, gettext("Search for its name instead."))
    else:
        response = answer(error.http_status, error.message, error.hint, spoken=DEFAULT)
    if error.http_status == 503:
        response.headers["Retry-After"] = "5"
    return response


def _http(error: HTTPException) -> Response:
    status = error.code or 500
    if status < 400:
        return make_response(error.get_response())
    response = answer(status, gettext(_SENTENCES.get(status, f"{error.name}.")), "")
    if status == 405:
        response.headers["Allow"] = error.get_response().headers.get("Allow", "GET")
    return response


def _unauthorised(error: Unauthorised) -> Response:
    response = answer(
        401,
        gettext("The token is not valid."),
        gettext("Ask an administrator for a new one (rdfkms token add)."),
    )
    response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _gone(error: Gone) -> Response:
    told = gettext("This was withdrawn.")
    more = ", ".join(part for part in (error.date, error.reason) if part)
    kept = gettext("Its address stays reserved.")
    return answer(410, told, f"{more}. {kept}" if more else kept)


def _unknown(error: Exception) -> Response:
    log.exception("%s %s failed", request.method, request.path)
    return answer(
        500, gettext("Something went wrong here."), gettext("The log of the service says what.")
    )


def _suggestions() -> Sequence[Link]:
    """Return what may have been meant; an archive that cannot be read just now suggests nothing."""
    here = site()
    try:
        return suggest(
            page_scope(), here.catalogue, here.services.indexes, principal(), request.path
        )
    except RdfkmsError:
        return ()


def _is_for_programs() -> bool:
    accept = request.headers.get("Accept", "")
    return request.path.startswith("/api/") or negotiation.best(accept, _FORMS) is _JSON


def answer(status: int, sentence: str, hint: str, *, spoken: str = "") -> Response:
    """Return the error as a page, or as JSON for a program; `spoken` where it is not the page's."""
    g.setdefault("principal", ANONYMOUS)  # the error may be that the token cannot be checked
    if _is_for_programs():
        response = jsonify({"status": status, "error": sentence, "hint": hint})
    else:
        found = _suggestions() if status == 404 else ()
        response = make_response(
            render_template(
                "error.html",
                status=status,
                sentence=sentence,
                hint=hint,
                spoken_here=spoken,
                suggestions=found,
            )
        )
    response.status_code = status
    response.vary.add("Accept")
    response.headers["Cache-Control"] = "no-store"
    return response
