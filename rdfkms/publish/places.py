"""Where the quotes of a claim stand on a page picture: the region to cut and the words to mark."""

from __future__ import annotations

from dataclasses import dataclass

from rdfkms.errors import NotFound
from rdfkms.ledger.archive import Archive
from rdfkms.model import Box
from rdfkms.publish import sources
from rdfkms.publish.sources import box_of, span_boxes
from rdfkms.publish.views import Scope, text_of

MARGIN_LINES = 1.3


@dataclass(frozen=True, slots=True)
class Cut:
    """What to cut out of which picture, and which boxes to mark in it (page pixels)."""

    picture: str
    region: Box
    marks: tuple[Box, ...]


def cut_of_claim(scope: Scope, archive: Archive, claim: str, pointer: str) -> Cut:
    """Return the cut that shows the quote of a pointer; `NotFound` where there is no picture."""
    rows = scope.select("pages/pointer_places", claim=scope.base.iri("claim", claim))
    mine = [r for r in rows if text_of(r["pointer"]).partition("#")[2] == pointer]
    # A passage may stand on an older and on a newer scan: the words are those of one of them.
    read = [r for r in mine if r["ofPage"] is not None and r["page"] == r["ofPage"]]
    for row in read or mine:
        if row["picture"] is None:
            continue
        page = Box(0, 0, int(text_of(row["width"]) or 0), int(text_of(row["height"]) or 0))
        passage = box_of(text_of(row["fragment"])) or page
        span = (int(text_of(row["start"])), int(text_of(row["end"])))
        words = span_boxes(archive, text_of(row["layout"]), int(text_of(row["from"])), [span])
        inside = tuple(w for w in words if _touches(w, passage))
        if words and not inside:
            continue  # the quote stands on another page of a passage that crosses pages
        return Cut(text_of(row["picture"]), region_around(passage, inside, page), inside)
    raise NotFound("There is no page picture for this quote.", hint="Open its evidence page.")


def cut_of_passage(scope: Scope, archive: Archive, unit: str, question: str) -> Cut:
    """Return the cut that shows the words of a question in a passage, else all of the passage."""
    view = sources.unit(scope, archive, unit, question=question)
    for place in view.places:
        if place.picture:
            page = Box(0, 0, place.width, place.height)
            passage = place.frame or page
            inside = tuple(w for w in place.words if _touches(w, passage))
            return Cut(place.picture, region_around(passage, inside, page), inside)
    raise NotFound("There is no page picture for this passage.", hint="Open its evidence page.")


def region_around(passage: Box, words: tuple[Box, ...], page: Box) -> Box:
    """Return the lines of the quote with a margin, as wide as the passage, inside the page."""
    if not words:
        return passage
    quote = words[0]
    for word in words[1:]:
        quote = quote.union(word)
    line = max(12, sorted(w.h for w in words)[len(words) // 2])
    margin = round(line * MARGIN_LINES)
    left = min(passage.x, quote.x) - line
    right = max(passage.x + passage.w, quote.x + quote.w) + line
    top, bottom = quote.y - margin, quote.y + quote.h + margin
    left, top = max(0, left), max(0, top)
    return Box(left, top, min(page.w, right) - left, min(page.h, bottom) - top)


def _touches(a: Box, b: Box) -> bool:
    return a.x < b.x + b.w and b.x < a.x + a.w and a.y < b.y + b.h and b.y < a.y + a.h
