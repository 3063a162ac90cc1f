"""What the answers of both protocols share: bodies that are sent, refusals, CORS."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, jsonify, make_response, request
from werkzeug.wsgi import FileWrapper

from rdfkms.errors import BadInput, RdfkmsError, TooLarge
from rdfkms.publish import dataset, negotiation, results

PROBLEM = negotiation.Format("JSON", "json", ("application/json", *results.JSON.media_types))
TEXT = negotiation.Format("Text", "txt", ("text/plain",))
EXPOSED = "ETag, Link, Location, Retry-After, Search-Cut, X-Total-Rows"
_PIECE = 1 << 16
RETRY_AFTER = {429: "1", 503: "2"}

# Returns the page for a refused query, where the client is a person.
Page = Callable[[RdfkmsError], str]


class UnknownType(BadInput):
    """A body of a type that is not understood."""

    http_status = 415


def sent(answer: dataset.Response) -> Response:
    """Return the answer of a dataset with its headers; the body is closed when it was sent."""
    if answer.body is None:
        response = make_response("", answer.status)
    else:
        pieces = FileWrapper(answer.body, _PIECE)  # a file by itself would be sent line by line
        response = Response(pieces, mimetype=answer.media_type, direct_passthrough=True)
        response.content_length = answer.bytes
        response.call_on_close(answer.body.close)
        if answer.form in ("SELECT", "ASK"):
            response.headers["X-Total-Rows"] = str(answer.rows)
    return tagged(response, answer)


def tagged(response: Response, answer: dataset.Response) -> Response:
    """Add the entity tag, what caches may do and what the answer depends on."""
    if answer.tag:
        response.headers["ETag"] = answer.tag
        response.headers["Cache-Control"] = "no-cache"
    else:
        response.headers["Cache-Control"] = "no-store"
    response.headers.extend(answer.headers)
    response.vary.add("Accept")
    return response


def known_tags() -> tuple[str, ...]:
    """Return the entity tags that the client holds."""
    header = request.headers.get("If-None-Match", "")
    return tuple(tag.strip() for tag in header[:4000].split(",") if tag.strip())


def refusal(error: RdfkmsError, page: Page | None = None) -> Response:
    """Return the reason as JSON, plain text or in a page, by Accept."""
    accept = request.headers.get("Accept", "")
    offers = (PROBLEM, TEXT, negotiation.HTML) if page else (PROBLEM, TEXT)
    form = negotiation.best(accept, offers) or PROBLEM
    if form is negotiation.HTML and page is not None:
        response = make_response(page(error))
    elif form is TEXT:
        response = make_response(f"{error}\n")
        response.mimetype = "text/plain"
    else:
        body = {"status": error.http_status, "error": error.message, "hint": error.hint}
        response = jsonify(body)
    response.status_code = error.http_status
    if error.http_status in RETRY_AFTER:
        response.headers["Retry-After"] = RETRY_AFTER[error.http_status]
    response.headers["Cache-Control"] = "no-store"
    response.vary.add("Accept")
    return response


def crossing(response: Response) -> Response:
    """Let programs of any site read the answer (CORS): all of it is public."""
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Expose-Headers"] = EXPOSED
    return response


def preflight(methods: str, headers: str = "Accept, Content-Type, If-None-Match") -> Response:
    """Say what programs of other sites may send."""
    response = crossing(make_response("", 204))
    response.headers["Allow"] = methods
    response.headers["Access-Control-Allow-Methods"] = methods
    response.headers["Access-Control-Allow-Headers"] = headers
    response.headers["Access-Control-Max-Age"] = "86400"
    return response


def body_text(limit: int, what: str) -> str:
    """Return the body as text of at most `limit` bytes; raises `TooLarge`, or `BadInput`."""
    data = request.stream.read(limit + 1)
    if len(data) > limit:
        raise TooLarge(f"The {what} is longer than {limit} bytes.")
    if request.mimetype_params.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise BadInput(f"A SPARQL {what} is sent in UTF-8.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as err:
        raise BadInput(f"The {what} is not UTF-8 text.") from err
