"""/rdfkms/ns and /rdfkms/vocab: what the terms of rdfkms mean, at the path of their IRIs."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotAcceptable

from rdfkms import resources
from rdfkms.errors import NotFound
from rdfkms.publish import negotiation, vocabularies
from rdfkms.publish.vocabularies import Vocabulary
from rdfkms.web.languages import language
from rdfkms.web.site import by_revision

blueprint = Blueprint("vocabulary", __name__)


@blueprint.get("/rdfkms/<name>")
@by_revision
def vocabulary(name: str) -> ResponseReturnValue:
    """Show a vocabulary in the form that the client likes best."""
    known = _known(name)
    form = negotiation.best(request.headers.get("Accept", ""), negotiation.ALL)
    if form is None:
        raise NotAcceptable
    return _sent(known, form)


@blueprint.get("/rdfkms/<name>.<extension>")
@by_revision
def document(name: str, extension: str) -> ResponseReturnValue:
    """Serve a vocabulary in one format."""
    if (name, extension) == ("context", "jsonld"):
        text = resources.file("ontology/context.jsonld").read_text(encoding="utf-8")
        return _open(Response(text, content_type="application/ld+json"))
    known = _known(name)
    form = negotiation.by_name(extension, negotiation.ALL)
    if form is None or form.extension != extension:
        raise NotFound("There is no such format.", hint="Use html, ttl, jsonld, nt or rdf.")
    return _sent(known, form)


def _known(name: str) -> Vocabulary:
    found = vocabularies.VOCABULARIES.get(name)
    if found is None:
        raise NotFound(
            f"There is no vocabulary {name[:40]!r} here.", hint="See /rdfkms/ns and /rdfkms/vocab."
        )
    return found


def _sent(known: Vocabulary, form: negotiation.Format) -> Response:
    if form is negotiation.HTML:
        page = render_template(
            "vocabulary.html",
            vocabulary=known,
            groups=vocabularies.groups(known.name, language()),
            others=[v for v in vocabularies.VOCABULARIES.values() if v is not known],
            forms=negotiation.DATA,
        )
        return Response(page, content_type="text/html; charset=utf-8")
    body = negotiation.serialise(vocabularies.triples(known.file), form)
    response = Response(body, content_type=form.media_type)
    if form is not negotiation.JSON_LD:
        response.content_type = f"{form.media_type}; charset=utf-8"
    return _open(response)


def _open(response: Response) -> Response:
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response
