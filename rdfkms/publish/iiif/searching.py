"""Words inside one record, each with its box on the canvas (IIIF Content Search API 2.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from rdfkms.ingest import wordsfile
from rdfkms.ledger.archive import Archive
from rdfkms.model import Box, Word
from rdfkms.publish.iiif.annotating import Passage, passages, textual
from rdfkms.publish.iiif.presentation import Pictured
from rdfkms.publish.iiif.terms import Addresses, Json, around, inside, on_canvas
from rdfkms.publish.records import PageBlock
from rdfkms.publish.views import Scope
from rdfkms.retrieval import words
from rdfkms.retrieval.index import Indexes
from rdfkms.retrieval.searching import matches

CONTEXT = "http://iiif.io/api/search/2/context.json"
LONGEST = 400  # characters of a query
ANSWERED = ("q",)
KNOWN = ("q", "motivation", "date", "user")  # section 3.3.1
PASSAGES = 40  # whose words one document shows
_MOST = 2_000  # passages of a record that are looked at
_AROUND = 40  # characters of context on each side


@dataclass(frozen=True, slots=True)
class Search:
    """What is asked: the words, parameters that are not heeded, and the document of the answer."""

    words: str
    ignored: tuple[str, ...] = ()
    part: int = 1


def search(
    scope: Scope,
    archive: Archive,
    indexes: Indexes,
    graphs: Sequence[str],
    shown: Pictured,
    asked: Search,
    at: Addresses,
) -> Json:
    """Return an annotation page with each place of the words in the passages that have them all.

    The passages come in reading order, `PASSAGES` in a document.
    """
    found = _found(scope, indexes, graphs, shown, asked.words)
    first = (asked.part - 1) * PASSAGES
    address = _address(at, shown.view.key, asked.words, asked.part)
    pages = {page.key: page for page in shown.pages}
    files: dict[str, tuple[Word, ...]] = {}
    items: list[Json] = []
    contexts: list[Json] = []
    for passage in found[first : first + PASSAGES]:
        page = pages[passage.page]
        for start, end in matches(asked.words, passage.text):
            item = _item(archive, files, shown.view.key, page, passage, (start, end), at)
            if item is not None:
                items.append(item)
                contexts.append(_context(address, item, passage.text, start, end))
    made: Json = {
        "@context": CONTEXT,
        "id": address,
        "type": "AnnotationPage",
        "items": items,
    }
    if asked.ignored:
        made["ignored"] = list(asked.ignored)
    if contexts:
        made["annotations"] = [
            {"id": f"{address}#contexts", "type": "AnnotationPage", "items": contexts}
        ]
    return {**made, **_paging(at, shown.view.key, asked, len(found))}


def _found(
    scope: Scope, indexes: Indexes, graphs: Sequence[str], shown: Pictured, asked: str
) -> list[Passage]:
    """Return the passages on pictured pages that have all the words, in reading order."""
    parted = words.split_query(asked)
    wanted = {*parted.words, *parted.singles}
    if not wanted:
        return []
    hits = indexes.fulltext.search(asked, _MOST, kind="unit", graphs=graphs, record=shown.view.key)
    order = {page.key: number for number, page in enumerate(shown.pages)}
    here = [
        passage
        for passage in passages(scope, "unit", [key for key, _ in hits])
        if passage.page in order
        and passage.read_on == passage.page
        and wanted <= _words_of(passage.text)
    ]
    return sorted(here, key=lambda p: (order[p.page], p.ordinal, p.unit))


def _words_of(text: str) -> set[str]:
    parted = words.split(text)
    return {*parted.words, *parted.singles}


def _item(
    archive: Archive,
    files: dict[str, tuple[Word, ...]],
    record: str,
    page: PageBlock,
    passage: Passage,
    span: tuple[int, int],
    at: Addresses,
) -> Json | None:
    start, end = span
    box = _box(archive, files, passage, span)
    frame = inside(box, page.width, page.height) if box is not None else None
    if frame is None:
        return None
    canvas = at.canvas(record, page.key)
    return {
        "id": f"{canvas}/text/{passage.unit}#char={start},{end}",
        "type": "Annotation",
        "motivation": "supplementing",
        "body": textual(passage.text[start:end], passage.language),
        "target": on_canvas(canvas, frame),
    }


def _box(
    archive: Archive,
    files: dict[str, tuple[Word, ...]],
    passage: Passage,
    span: tuple[int, int],
) -> Box | None:
    """Return the box of some words, else that of their passage."""
    if passage.layout and passage.layout not in files:
        files[passage.layout] = wordsfile.load(archive.read(passage.layout))[1]
    known = files.get(passage.layout, ())
    start, end = (passage.start + offset for offset in span)
    return around(wordsfile.boxes_of(known, start, end)) or around(passage.frames)


def _context(address: str, item: Mapping[str, object], text: str, start: int, end: int) -> Json:
    """Return the annotation that shows the words of a hit in their text (section 3.5.2)."""
    quote = {
        "type": "TextQuoteSelector",
        "prefix": text[max(0, start - _AROUND) : start],
        "exact": text[start:end],
        "suffix": text[end : end + _AROUND],
    }
    return {
        "id": f"{item['id']}&context",
        "type": "Annotation",
        "motivation": "contextualizing",
        "target": {"type": "SpecificResource", "source": item["id"], "selector": [quote]},
    }


def _address(at: Addresses, record: str, asked: str, part: int = 1) -> str:
    query = {"q": asked, **({"part": str(part)} if part > 1 else {})}
    return f"{at.search(record)}?{urlencode(query)}"


def _paging(at: Addresses, record: str, asked: Search, count: int) -> Json:
    """Return what leads from one document of a long answer to the others (section 3.4.2)."""
    last = max(1, -(-count // PASSAGES))
    if last == 1:
        return {}
    whole: Json = {
        "id": f"{_address(at, record, asked.words)}#all",
        "type": "AnnotationCollection",
        "first": {"id": _address(at, record, asked.words), "type": "AnnotationPage"},
        "last": {"id": _address(at, record, asked.words, last), "type": "AnnotationPage"},
    }
    made: Json = {"partOf": whole}
    if asked.part > 1:
        before = _address(at, record, asked.words, asked.part - 1)
        made["prev"] = {"id": before, "type": "AnnotationPage"}
    if asked.part < last:
        after = _address(at, record, asked.words, asked.part + 1)
        made["next"] = {"id": after, "type": "AnnotationPage"}
    return made
