"""Errors as pages or JSON, by Accept: a sentence and what to do next, never a trace."""

from __future__ import annotations

import logging

from flask import Flask, Response, g, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from rdfkms.access import ANONYMOUS
from rdfkms.errors import RdfkmsError
from rdfkms.publish import negotiation
from rdfkms.web.site import Unauthorised

log = logging.getLogger(__name__)

_JSON = negotiation.Format("JSON", "json", ("application/json", *negotiation.JSON_LD.media_types))
_FORMS = (negotiation.HTML, _JSON)
_SENTENCES = {
    400: "The request cannot be read.",
    404: "There is no page at this address.",
    405: "This address does not take that method.",
    406: "This thing has no form that your program accepts.",
    413: "The request is too large.",
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
    response = answer(error.http_status, error.message, error.hint)
    if error.http_status == 503:
        response.headers["Retry-After"] = "5"
    return response


def _http(error: HTTPException) -> Response:
    status = error.code or 500
    if status < 400:
        return make_response(error.get_response())
    response = answer(status, _SENTENCES.get(status, error.name + "."), "")
    if status == 405:
        response.headers["Allow"] = error.get_response().headers.get("Allow", "GET")
    return response


def _unauthorised(error: Unauthorised) -> Response:
    response = answer(
        401, "The token is not valid.", "Ask an administrator for a new one (rdfkms token add)."
    )
    response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _gone(error: Gone) -> Response:
    when = f" on {error.date}" if error.date else ""
    why = f" ({error.reason})" if error.reason else ""
    return answer(410, f"This was withdrawn{when}{why}.", "Its address stays reserved.")


def _unknown(error: Exception) -> Response:
    log.exception("%s %s failed", request.method, request.path)
    return answer(500, "Something went wrong here.", "The log of the service says what.")


def answer(status: int, sentence: str, hint: str) -> Response:
    """Return the error as a page, or as JSON for a program."""
    g.setdefault("principal", ANONYMOUS)  # the error may be that the token cannot be checked
    accept = request.headers.get("Accept", "")
    if request.path.startswith("/api/") or negotiation.best(accept, _FORMS) is _JSON:
        response = jsonify({"status": status, "error": sentence, "hint": hint})
    else:
        response = make_response(
            render_template("error.html", status=status, sentence=sentence, hint=hint)
        )
    response.status_code = status
    response.vary.add("Accept")
    response.headers["Cache-Control"] = "no-store"
    return response
