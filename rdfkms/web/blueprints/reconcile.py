"""/reconcile: the Reconciliation Service API 0.2, for OpenRefine and other clients.

All of it is public, whoever asks: tokens change nothing here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

from flask import Blueprint, Response, jsonify, make_response, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from rdfkms.errors import BadInput, NotFound, RdfkmsError, Unavailable
from rdfkms.knowledge.mapping import EntityRule
from rdfkms.knowledge.names import Entity
from rdfkms.model import Ref
from rdfkms.publish import entities
from rdfkms.publish.reconciliation import answers, asked, extending
from rdfkms.publish.reconciliation.index import Index, public_index
from rdfkms.web.addresses import root
from rdfkms.web.blueprints.pages import demand_not_withdrawn
from rdfkms.web.faults import Gone
from rdfkms.web.keeping import kept
from rdfkms.web.site import site

blueprint = Blueprint("reconcile", __name__)

PATH = "/reconcile"
_KEPT = "rdfkms-public-index"
_TURNS, _PATIENCE = threading.BoundedSemaphore(3), 5.0  # requests at a time, seconds of waiting
P = ParamSpec("P")
_SHOWN = 4  # names and statements of a preview
# A preview stands in a frame of the client's page, wherever that is.
_FRAMED = "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors *"


def in_turn(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """Answer a few requests at a time, so that pages are served meanwhile; else 503."""

    @wraps(view)
    def answer(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        if not _TURNS.acquire(timeout=_PATIENCE):
            raise Unavailable("Other clients are being served.", hint="Ask again in a second.")
        try:
            return view(*args, **kwargs)
        finally:
            _TURNS.release()

    return answer


@blueprint.route(PATH, methods=["GET", "POST"], provide_automatic_options=False)
@in_turn
def service() -> ResponseReturnValue:
    """Answer a batch, a single query or a data extension query; else say what is offered."""
    mapping, given = site().services.mapping, request.values
    if "queries" in given:
        batch = asked.batch(given["queries"], mapping)
        index = _index()
        return jsonify({key: answers.result(index, one) for key, one in batch.items()})
    if "query" in given:
        one = asked.single(given["query"], mapping)
        return jsonify(answers.result(_index(), one))
    if "extend" in given:
        ids, wanted = asked.extension(given["extend"], mapping)
        return jsonify(extending.extend(_index(), ids, wanted))
    if request.method == "POST":
        raise BadInput(
            "The form has no field queries, query or extend.",
            hint="Send it as application/x-www-form-urlencoded.",
        )
    return jsonify(answers.manifest(_index(), root(), site().services.settings.title))


@blueprint.get(f"{PATH}/suggest/<what>")
@in_turn
def suggest(what: str) -> ResponseReturnValue:
    """Suggest entities, types or properties for what was typed so far."""
    prefix, skip = _text("prefix"), _number("cursor")
    makers: dict[str, Callable[[], dict[str, Any]]] = {
        "entity": lambda: answers.suggested_entities(_index(), prefix, _types(), skip),
        "type": lambda: answers.suggested_types(_index(), prefix, skip),
        "property": lambda: answers.suggested_properties(_index(), prefix, _types(), skip),
    }
    if what not in makers:
        raise NotFound("Only entity, type and property are suggested.")
    return jsonify(makers[what]())


@blueprint.get(f"{PATH}/flyout/<what>")
@in_turn
def flyout(what: str) -> ResponseReturnValue:
    """Return a small piece of HTML about an entity, type or property."""
    index, identifier = _index(), _text("id")
    if what == "entity":
        entity = _entity(index, identifier)
        name, text = index.called(entity.ref).link.text, answers.description(index, entity)
    elif what == "type":
        rule = asked.type_of(index.mapping, identifier)
        name, text = rule.label_en, f"{index.types.get(rule.name, 0)} here"
    elif what == "property":
        known = answers.suggested_properties(index, identifier, (), 0)["result"]
        found = next((one for one in known if one["id"] == identifier), None)
        if found is None:
            asked.property_of(index.mapping, identifier)
            raise NotFound(f"There is no property {identifier[:40]!r}.")
        name, text = found["name"], found["description"]
    else:
        raise NotFound("Only entity, type and property have a flyout.")
    html = render_template("reconcile_flyout.html", name=name, text=text)
    return jsonify({"id": identifier, "html": html})


@blueprint.get(f"{PATH}/properties")
def properties() -> ResponseReturnValue:
    """Propose properties that may be fetched of entities of a type."""
    index, name, most = _index(), _text("type"), _number("limit")
    rule = asked.type_of(index.mapping, name) if name else None
    told: dict[str, Any] = {"properties": extending.proposals(index, rule, most)}
    if name:
        told["type"] = name
    if most:
        told["limit"] = most
    return jsonify(told)


@blueprint.get(f"{PATH}/preview")
def preview() -> ResponseReturnValue:
    """Show an entity in a frame: names with where each was read, statements with quotes."""
    index = _index()
    entity = _entity(index, _text("id"))
    view = entities.entity(index.scope, entity.ref)
    statements = [(g.label, s) for g in view.groups for s in g.statements if s.evidences]
    page = render_template(
        "reconcile_preview.html",
        view=view,
        names=view.names[:_SHOWN],
        statements=statements[:_SHOWN],
        elsewhere=view.inverse.rows[: max(0, _SHOWN - len(statements))],
        more=max(0, len(statements) - _SHOWN) + max(0, len(view.names) - _SHOWN),
    )
    response = make_response(page)
    response.headers["Content-Security-Policy"] = _FRAMED
    return response


@blueprint.route(PATH, methods=["OPTIONS"])
@blueprint.route(f"{PATH}/<path:rest>", methods=["OPTIONS"])
def options(rest: str = "") -> ResponseReturnValue:
    """Say what programs of other sites may send (CORS)."""
    response = make_response("", 204)
    methods = "GET, HEAD, OPTIONS" if rest else "GET, HEAD, POST, OPTIONS"
    response.headers["Allow"] = methods
    response.headers["Access-Control-Allow-Methods"] = methods
    response.headers["Access-Control-Allow-Headers"] = "Accept, Content-Type"
    response.headers["Access-Control-Max-Age"] = "86400"
    return response


def _index() -> Index:
    return kept(_KEPT, lambda of: public_index(of.ledger, of.mapping)).current()


def _entity(index: Index, identifier: str) -> Entity:
    entity = index.entity(identifier)
    if entity is None:
        kind, _, key = identifier.removeprefix(f"{index.scope.base.base}/id/").partition("/")
        if kind.isalnum() and key.isalnum():
            demand_not_withdrawn(index.scope, Ref(kind, key))
        raise NotFound(
            f"There is no entity {identifier[:60]!r} here.",
            hint="An identifier has the form person/0123abc; /reconcile/suggest/entity finds it.",
        )
    return entity


def _types() -> tuple[EntityRule, ...]:
    mapping = site().services.mapping
    names = [name for name in request.args.getlist("type") if name]
    return tuple(asked.type_of(mapping, name) for name in names[: asked.PROPERTIES])


def _text(name: str) -> str:
    value = request.args.get(name, "")
    if len(value) > asked.LONGEST:
        raise BadInput(f"'{name}' has {len(value)} characters; at most {asked.LONGEST} are read.")
    return value


def _number(name: str) -> int:
    value = request.args.get(name, "") or "0"
    if not value.isdecimal() or len(value) > 6:
        raise BadInput(f"'{name}' must be a whole number.")
    return int(value)


@blueprint.errorhandler(RdfkmsError)
def refused(error: RdfkmsError) -> Response:
    """Answer a refusal as JSON: clients of this interface read nothing else."""
    return _refusal(error.http_status, error.message, error.hint)


@blueprint.errorhandler(HTTPException)
def failed(error: HTTPException) -> Response:
    """Answer what Flask refuses (too large a body, a wrong method) as JSON."""
    sentence = "The request is too large." if error.code == 413 else f"{error.name}."
    return _refusal(error.code or 500, sentence, "")


@blueprint.errorhandler(Gone)
def gone(error: Gone) -> Response:
    """Say that an entity was withdrawn."""
    return _refusal(410, f"This was withdrawn on {error.date}.", "Its identifier stays reserved.")


def _refusal(status: int, sentence: str, hint: str) -> Response:
    response = jsonify({"status": status, "error": sentence, "hint": hint})
    response.status_code = status
    response.headers["Cache-Control"] = "no-store"
    if status == 503:
        response.headers["Retry-After"] = "2"
    return response


@blueprint.after_request
def crossing(response: Response) -> Response:
    """Let programs of any site read the answer (CORS, which version 0.2 demands)."""
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.vary.add("Host")
    return response
