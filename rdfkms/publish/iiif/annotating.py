"""Annotation pages of a canvas: passages, lines, and what was read there (Presentation 3, 5.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rdfkms.ingest import wordsfile
from rdfkms.ledger.archive import Archive
from rdfkms.model import Box, Word
from rdfkms.ports import Row
from rdfkms.publish.iiif.terms import (
    PRESENTATION,
    Addresses,
    Json,
    around,
    inside,
    label,
    on_canvas,
)
from rdfkms.publish.records import PageBlock
from rdfkms.publish.sources import box_of
from rdfkms.publish.views import (
    NAMED_AS,
    ClaimRow,
    Scope,
    claims_of,
    humanise,
    iri_of,
    key_in,
    literal_of,
    local_name,
    names_of,
    statement_label,
    text_of,
)
from rdfkms.retrieval import documents

GRANULARITY = "http://iiif.io/api/extension/text-granularity/context.json"


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage as read best: where it stands on one page, its text, its words file."""

    unit: str
    page: str
    frames: tuple[Box, ...]
    ordinal: int
    text: str
    language: str
    start: int
    layout: str
    read_on: str  # the page that the text was read from


def passages(scope: Scope, variable: str, keys: Sequence[str]) -> list[Passage]:
    """Return the passages on pages, or some passages by key ("page" or "unit"), in order.

    A passage that crosses pages is there once for each of them.
    """
    kind = "inst" if variable == "page" else "evidence"
    found: dict[tuple[str, str], list[Row]] = {}
    for some in documents.chunks(list(keys)):
        terms = [scope.base.iri(kind, key) for key in some]
        for row in scope.select_of("iiif/texts", variable, terms):
            found.setdefault((text_of(row["page"]), text_of(row["unit"])), []).append(row)
    made = [_passage(scope, rows) for rows in found.values()]
    return sorted(made, key=lambda p: (p.ordinal, p.unit, p.page))


def _passage(scope: Scope, rows: Sequence[Row]) -> Passage:
    best = documents.best_text(rows)
    frames = {box_of(text_of(row["fragment"])) for row in rows} - {None}
    literal = literal_of(best["text"])
    return Passage(
        unit=key_in(scope, best["unit"]),
        page=key_in(scope, best["page"]),
        frames=tuple(sorted((f for f in frames if f), key=lambda f: (f.y, f.x))),
        ordinal=int(text_of(best["ordinal"]) or 0),
        text=text_of(best["text"]),
        language=(literal.language or "") if literal is not None else "",
        start=int(text_of(best["start"])),
        layout=text_of(best["layout"]),
        read_on=key_in(scope, best["ofPage"]) or key_in(scope, best["page"]),
    )


def page_of_text(scope: Scope, record: str, page: PageBlock, at: Addresses) -> Json:
    """Return the passages of a page, each on its frames."""
    canvas = at.canvas(record, page.key)
    items = []
    for passage in passages(scope, "page", [page.key]):
        frames = [f for b in passage.frames if (f := inside(b, page.width, page.height))]
        targets = [on_canvas(canvas, frame) for frame in frames] or [canvas]
        items.append(
            {
                "id": f"{canvas}/text/{passage.unit}",
                "type": "Annotation",
                "textGranularity": "block",
                "motivation": "supplementing",
                "body": textual(passage.text, passage.language),
                "seeAlso": [
                    {
                        "id": f"{at.base}/data/evidence/{passage.unit}.jsonld",
                        "type": "Dataset",
                        "format": "application/ld+json",
                    }
                ],
                "target": targets[0] if len(targets) == 1 else targets,
            }
        )
    return _page(canvas, "text", items)


def page_of_lines(
    scope: Scope, archive: Archive, record: str, page: PageBlock, at: Addresses
) -> Json:
    """Return the lines of a page's passages, each in the box of its words."""
    canvas = at.canvas(record, page.key)
    here = [p for p in passages(scope, "page", [page.key]) if p.layout and p.read_on == page.key]
    items = []
    for layout in dict.fromkeys(p.layout for p in here):
        text, words = wordsfile.load(archive.read(layout))
        for passage in (p for p in here if p.layout == layout):
            for line, (said_there, box) in _lines(text, words, passage).items():
                frame = inside(box, page.width, page.height)
                if frame is None:
                    continue
                items.append(
                    {
                        "id": f"{canvas}/lines/{passage.unit}.{line}",
                        "type": "Annotation",
                        "textGranularity": "line",
                        "motivation": "supplementing",
                        "body": textual(said_there, passage.language),
                        "target": on_canvas(canvas, frame),
                    }
                )
    return _page(canvas, "lines", items)


def _lines(text: str, words: Sequence[Word], passage: Passage) -> dict[int, tuple[str, Box]]:
    """Return text and box of each line of a passage, by the number of the line."""
    end = passage.start + len(passage.text)
    by_line: dict[int, list[Word]] = {}
    for word in words:
        if word.box is not None and word.start < end and word.end > passage.start:
            by_line.setdefault(word.line, []).append(word)
    made = {}
    for line, found in by_line.items():
        box = around(word.box for word in found if word.box is not None)
        first, last = min(w.start for w in found), max(w.end for w in found)
        if box is not None:
            made[line] = (text[max(first, passage.start) : min(last, end)], box)
    return made


def page_of_claims(
    scope: Scope, archive: Archive, record: str, page: PageBlock, at: Addresses
) -> Json:
    """Return the admitted claims that quote a page, each on the words of its quote."""
    canvas = at.canvas(record, page.key)
    rows = scope.select_of("iiif/quotes", "page", [scope.base.iri("inst", page.key)])
    quoted = {text_of(row["pointer"]): row for row in rows if _is_read_here(scope, row)}
    named = sorted({iri for row in quoted.values() if (iri := iri_of(row["claim"]))}, key=str)
    claims = [c for c in claims_of(scope, named) if c.rank != "deprecated"]
    known = {c.key: text for c, text in zip(claims, _statements(scope, claims), strict=True)}
    files: dict[str, tuple[Word, ...]] = {}
    items: list[tuple[tuple[int, int, str], Json]] = []
    for pointer, row in quoted.items():
        claim = key_in(scope, row["claim"])
        if claim not in known:
            continue
        boxes = quote_boxes(archive, files, row)
        frame = around(boxes) or box_of(text_of(row["fragment"]))
        shown = inside(frame, page.width, page.height) if frame is not None else None
        if frame is not None and shown is None:
            continue
        place = (shown.y, shown.x, pointer) if shown is not None else (-1, -1, pointer)
        body = f"{known[claim]} (“{text_of(row['quote'])}”)"
        item = {
            "id": f"{canvas}/claims/{claim}.{pointer.partition('#')[2]}",
            "type": "Annotation",
            "motivation": ["describing", "linking"],
            "body": [
                textual(body, ""),
                {"id": at.page("claim", claim), "type": "Text", "format": "text/html"},
            ],
            "target": on_canvas(canvas, shown),
        }
        items.append((place, item))
    return _page(canvas, "claims", [item for _, item in sorted(items, key=lambda pair: pair[0])])


def _is_read_here(scope: Scope, row: Row) -> bool:
    """Return whether the quote's boxes are those of this page, not of a newer or older scan."""
    return row["ofPage"] is None or row["ofPage"] == row["page"]


def quote_boxes(archive: Archive, files: dict[str, tuple[Word, ...]], row: Row) -> list[Box]:
    """Return the boxes, line by line, of a quote that stands on a page."""
    layout, start = text_of(row["layout"]), int(text_of(row["from"]))
    if not layout:
        return []
    if layout not in files:
        files[layout] = wordsfile.load(archive.read(layout))[1]
    first, last = int(text_of(row["start"])), int(text_of(row["end"]))
    return list(wordsfile.boxes_of(files[layout], start + first, start + last))


def _statements(scope: Scope, claims: Sequence[ClaimRow]) -> list[str]:
    """Return each claim as a line: subject, what is said, object or value."""
    named = {t for c in claims for t in (c.subject, c.object) if t is not None}
    links = names_of(scope, named)
    made = []
    for claim in claims:
        kind = scope.base.split(claim.subject.value)
        subject = links[claim.subject.value].text if claim.subject.value in links else ""
        if claim.predicate == NAMED_AS:
            sort = local_name(claim.entity_type) or (kind[0] if kind else "")
            made.append(f"{humanise(sort)}: {subject}")
            continue
        other = links.get(claim.object.value) if claim.object is not None else None
        value = claim.value.value if claim.value is not None else ""
        text = other.text if other is not None else value
        made.append(f"{subject}: {statement_label(scope, claim)} {text}".strip())
    return made


def textual(text: str, language: str) -> Json:
    """Return a text as the body of an annotation."""
    body: Json = {"type": "TextualBody", "value": text, "format": "text/plain"}
    return {**body, "language": language} if language else body


def _page(canvas: str, name: str, items: list[Json]) -> Json:
    context: object = [GRANULARITY, PRESENTATION] if name != "claims" else PRESENTATION
    return {
        "@context": context,
        "id": f"{canvas}/{name}",
        "type": "AnnotationPage",
        "label": label(name),
        "items": items,
    }
