"""The search page: names, and passages with the matched words marked and their page crop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from rdfkms.publish.sources import marked_pieces
from rdfkms.publish.views import Link, Scope, key_in, names_of, text_of
from rdfkms.retrieval import searching
from rdfkms.retrieval.index import Indexes
from rdfkms.web.languages import gettext
from rdfkms.web.site import page_scope, principal, site

blueprint = Blueprint("search", __name__)

LONGEST = 400
PASSAGES = 20
NAMES = 12


@dataclass(frozen=True, slots=True)
class HitView:
    """A passage found, ready for the page."""

    path: str
    record_title: str
    page_label: str
    language: str
    pieces: tuple[tuple[str, bool], ...]
    before: bool
    after: bool
    crop: str
    machine: bool


@blueprint.get("/search")
def search() -> ResponseReturnValue:
    """Show what is found for ``?q=``: names first, then passages."""
    query = request.args.get("q", "").strip()[:LONGEST]
    indexes = site().services.indexes
    names: Sequence[Link] = ()
    hits: Sequence[HitView] = ()
    notice = ""
    if indexes is None:
        notice = gettext("This service runs without a search index: browse the lists instead.")
    elif query:
        seen = page_scope()
        names, hits = _names(query, indexes, seen), _passages(query, indexes, seen)
    return render_template("search.html", query=query, names=names, hits=hits, notice=notice)


def _names(query: str, indexes: Indexes, seen: Scope) -> list[Link]:
    found = searching.find_things(query, indexes, seen.store, principal(), NAMES)
    iris = [seen.base.iri(thing.ref.kind, thing.ref.key) for thing in found]
    links = names_of(seen, iris)
    return [links[iri.value] for iri in iris]


def _passages(query: str, indexes: Indexes, seen: Scope) -> list[HitView]:
    hits = searching.search(query, indexes, seen.store, principal(), PASSAGES, machine=True)
    iris = [seen.base.iri("evidence", hit.citation.unit) for hit in hits]
    rows = seen.select_of("pages/languages", "unit", iris)
    languages = {key_in(seen, row["unit"]): text_of(row["language"]) for row in rows}
    return [_view(query, hit, languages.get(hit.citation.unit, "")) for hit in hits]


def _view(query: str, hit: searching.Hit, language: str) -> HitView:
    found = hit.citation
    asked = urlencode({"q": query})
    return HitView(
        path=f"/page/evidence/{found.unit}?{asked}",
        record_title=found.record_title,
        page_label=found.page_label,
        language=language,
        pieces=marked_pieces(found.quote, searching.matches(query, found.quote)),
        before=found.start > 0,
        after=found.end < len(found.context),
        crop=f"/crop/passage/{found.unit}.jpg?{asked}" if found.picture else "",
        machine=hit.only_machine,
    )
