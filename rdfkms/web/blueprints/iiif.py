"""IIIF manifests, their parts, collections, search (Presentation 3, Search 2), and changes."""

from __future__ import annotations

import json
import re

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from rdfkms.errors import BadInput, Missing, NotFound
from rdfkms.model import Ref
from rdfkms.publish import negotiation
from rdfkms.publish.iiif import (
    activity,
    annotating,
    collections,
    completing,
    presentation,
    searching,
)
from rdfkms.publish.iiif.presentation import Pictured
from rdfkms.publish.iiif.terms import PRESENTATION, Addresses, Json
from rdfkms.publish.records import PageBlock
from rdfkms.retrieval.searching import graphs_for
from rdfkms.web.blueprints.iiif_images import crossing
from rdfkms.web.blueprints.pages import demand_not_withdrawn
from rdfkms.web.site import by_revision, is_staff, principal, scope, site

blueprint = Blueprint("iiif", __name__)

_COUNT = re.compile(r"[1-9][0-9]{0,5}")
_JSON = negotiation.Format("JSON", "json", ("application/json",))


@blueprint.after_request
def open_to_all(response: Response) -> Response:
    """Let viewers of any site read what the reader may read (CORS; no cookies travel)."""
    return crossing(response)


@blueprint.get("/iiif/manifest/<record>")
@by_revision
def manifest(record: str) -> ResponseReturnValue:
    """Serve the manifest of a record with page pictures."""
    return _document(_manifest(_pictured(record)))


@blueprint.get("/iiif/manifest/<record>/canvas/<page>/<name>")
@blueprint.get("/iiif/manifest/<record>/canvas/<page>/<name>/<one>")
@by_revision
def annotation_page(record: str, page: str, name: str, one: str = "") -> ResponseReturnValue:
    """Serve an annotation page of a canvas, or one annotation of it."""
    if name not in presentation.ANNOTATIONS:
        return part(record, "/".join(filter(None, ("canvas", page, name, one))))
    shown = _pictured(record)
    block = next((p for p in shown.pages if p.key == page), None)
    if block is None:
        raise NotFound("This record has no such page with a picture.", hint="See its manifest.")
    made = _annotations(record, block, name)
    return _document(_part_of(made, f"{made['id']}/{one}") if one else made)


@blueprint.get("/iiif/manifest/<record>/<path:rest>")
@by_revision
def part(record: str, rest: str) -> ResponseReturnValue:
    """Serve a canvas, range, annotation page or annotation that stands in the manifest."""
    whole = _manifest(_pictured(record))
    return _document(_part_of(whole, f"{whole['id']}/{rest}"))


@blueprint.get("/iiif/collection/<key>")
@blueprint.get("/iiif/collection/<key>/<number>")
@by_revision
def collection(key: str, number: str = "") -> ResponseReturnValue:
    """Serve the collection of a record set, or the one of all (``top``)."""
    if number and not _COUNT.fullmatch(number):
        raise NotFound("This collection has no such part.", hint="Parts are counted from 1 on.")
    seen, here = scope(), site().services
    _demand_key(key)
    try:
        made = collections.collection(
            seen, _addresses(), here.settings.title, key, int(number or 0)
        )
    except NotFound:
        demand_not_withdrawn(seen, Ref("recordset", key))
        raise
    return _document(made)


@blueprint.get("/iiif/search/<record>")
def search(record: str) -> ResponseReturnValue:
    """Find the words ``?q=`` in a record; parameters that are not heeded are named.

    Without an ETag: the index may be a moment behind the revision.
    """
    shown = _pictured(record)
    here = site().services
    if here.indexes is None:
        raise Missing("This service runs without a search index.", hint="See `rdfkms doctor`.")
    part = request.args.get("part", "1")
    if not _COUNT.fullmatch(part):
        raise BadInput("'part' must be a whole number from 1 on.", hint="Follow 'next'.")
    words, ignored = _asked_words()
    graphs = graphs_for(principal())
    asked = searching.Search(words, ignored, int(part))
    made = searching.search(scope(), here.archive, here.indexes, graphs, shown, asked, _addresses())
    response = _document(made, searching.CONTEXT)
    response.vary.update(("Accept", "Authorization", "Cookie"))
    if is_staff():
        response.headers["Cache-Control"] = "private, no-cache"
    return response


@blueprint.get("/iiif/search/<record>/terms")
@by_revision
def terms(record: str) -> ResponseReturnValue:
    """Offer words of a record that begin with ``?q=``."""
    shown, here = _pictured(record), site()
    words, ignored = _asked_words()
    lexicon = here.lexicons.of(scope(), shown.view.key, here.services.ledger.revision)
    made = completing.complete(lexicon, shown.view.key, words, ignored, _addresses())
    return _document(made, searching.CONTEXT)


@blueprint.get("/iiif/activity")
@by_revision
def activities() -> ResponseReturnValue:
    """Lead to what became of the manifests, oldest first."""
    return _document(activity.whole(site().activities.all(), _addresses()), activity.CONTEXT)


@blueprint.get("/iiif/activity/page/<number>")
@by_revision
def activity_page(number: str) -> ResponseReturnValue:
    """Serve a page of activities, counted from 0."""
    found = site().activities.all()
    made = activity.page(found, _whole_number(number), _addresses())
    return _document(made, activity.CONTEXT)


@blueprint.get("/iiif/activity/revision/<revision>/<record>")
@by_revision
def one_activity(revision: str, record: str) -> ResponseReturnValue:
    """Serve one activity."""
    found = site().activities.all()
    made = activity.one(found, _whole_number(revision), record, _addresses())
    return _document(made, activity.CONTEXT)


@blueprint.get("/iiif/")
@blueprint.get("/iiif/<path:rest>")
def nothing(rest: str = "") -> ResponseReturnValue:
    """Say what there is under this address."""
    raise NotFound(
        "There is no IIIF document at this address.", hint="Begin at /iiif/collection/top."
    )


def _pictured(record: str) -> Pictured:
    """Return the record; raises `Gone` for a withdrawn one, else `NotFound`."""
    seen = scope()
    _demand_key(record)
    try:
        return presentation.pictured(seen, record)
    except NotFound:
        demand_not_withdrawn(seen, Ref("record", record))
        raise


def _asked_words() -> tuple[str, tuple[str, ...]]:
    """Return the words asked for, and the parameters that are not heeded."""
    words = request.args.get("q", "").strip()
    if len(words) > searching.LONGEST:
        raise BadInput(
            f"'q' is longer than {searching.LONGEST} characters.", hint="Search for fewer words."
        )
    unheeded = set(searching.KNOWN) - set(searching.ANSWERED)
    return words, tuple(name for name in searching.KNOWN if name in unheeded & set(request.args))


def _whole_number(text: str) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,8}", text):
        raise NotFound("There is no IIIF document at this address.", hint="Check the address.")
    return int(text)


def _demand_key(text: str) -> None:
    """Raise `NotFound` for what can be no key: it need not be looked up, nor made an IRI of."""
    if not re.fullmatch(r"[0-9A-Za-z_-]{1,64}", text):
        raise NotFound("There is no IIIF document at this address.", hint="Check the address.")


def _manifest(shown: Pictured) -> Json:
    return presentation.manifest(shown, _addresses(), site().services.settings.title)


def _annotations(record: str, page: PageBlock, name: str) -> Json:
    seen, archive, at = scope(), site().services.archive, _addresses()
    if name == "text":
        return annotating.page_of_text(seen, record, page, at)
    if name == "lines":
        return annotating.page_of_lines(seen, archive, record, page, at)
    return annotating.page_of_claims(seen, archive, record, page, at)


def _part_of(document: Json, address: str) -> Json:
    found = presentation.part(document, address)
    if found is None:
        raise NotFound("There is no such part of this document.", hint="See the manifest.")
    return found


def _addresses() -> Addresses:
    return Addresses(site().services.settings.base)


def _document(value: Json, context: str = PRESENTATION) -> Response:
    """Return a document as JSON, or as JSON-LD with its profile where that is asked for."""
    response = Response(json.dumps(value, ensure_ascii=False), content_type="application/json")
    asked = request.headers.get("Accept", "")
    if negotiation.best(asked, (_JSON, negotiation.JSON_LD)) is negotiation.JSON_LD:
        response.content_type = f'application/ld+json;profile="{context}"'
    return response
