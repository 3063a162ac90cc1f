"""Manifests of records: a canvas for each page picture (IIIF Presentation API 3.0, section 5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rdfkms.errors import NotFound
from rdfkms.publish import negotiation, records
from rdfkms.publish.iiif.request import largest
from rdfkms.publish.iiif.terms import LEVEL, PRESENTATION, Addresses, Json, label, said
from rdfkms.publish.records import PageBlock, RecordView
from rdfkms.publish.views import Scope, key_in, text_of
from rdfkms.vocab import RICO

THUMBNAIL = 240  # pixels of the longer side
ANNOTATIONS = ("text", "lines", "claims")
# What `rights` may name (section 3.2): anything else is shown as a condition in words.
_LICENCES = re.compile(r"https?://(?:creativecommons|rightsstatements)\.org/\S+")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the record and the pages (keys) that its passages stand on, in order."""

    title: str
    pages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pictured:
    """A record with its pages that have pictures."""

    view: RecordView
    pages: tuple[PageBlock, ...]
    sections: tuple[Section, ...]
    read: frozenset[str]  # pages on which passages stand
    use: str  # conditions of use, as a licence's address or in words


def pictured(scope: Scope, key: str) -> Pictured:
    """Return a record and its pictured pages; `NotFound` for one without pictures, or none."""
    view = records.record(scope, "record", key, offset=10**9)
    pages = tuple(p for p in records.pages_of(scope, key) if p.picture and p.width and p.height)
    if not pages:
        raise NotFound(
            "This record has no page pictures, so it has no manifest.",
            hint=f"Read it at /page/record/{key}.",
        )
    rows = scope.select("iiif/passages", record=scope.base.iri("record", key))
    order = {page.key: number for number, page in enumerate(pages)}
    placed = [
        (order[page], int(text_of(row["first"]) or 0), text_of(row["section"]))
        for row in rows
        if (page := key_in(scope, row["page"])) in order
    ]
    use = next(
        (
            text_of(row["o"])
            for row in scope.select_of(
                "publishing/records", "record", [scope.base.iri("record", key)]
            )
            if row["p"] == RICO("conditionsOfUse")
        ),
        "",
    )
    return Pictured(
        view,
        pages,
        _sections(sorted(placed), pages),
        frozenset(pages[number].key for number, _, _ in placed),
        use,
    )


def _sections(
    placed: Sequence[tuple[int, int, str]], pages: Sequence[PageBlock]
) -> tuple[Section, ...]:
    """Return the sections in reading order; one that goes on over a page stays one."""
    found: list[tuple[str, list[str]]] = []
    for number, _, title in placed:
        if not title:
            continue
        page = pages[number].key
        if found and found[-1][0] == title:
            if page not in found[-1][1]:
                found[-1][1].append(page)
        else:
            found.append((title, [page]))
    return tuple(Section(title, tuple(keys)) for title, keys in found)


def manifest(shown: Pictured, at: Addresses, archive_title: str) -> Json:
    """Return the manifest of a record."""
    view = shown.view
    address = at.manifest(view.key)
    made: Json = {
        "@context": PRESENTATION,
        "id": address,
        "type": "Manifest",
        "label": said(view.title, view.language),
        "metadata": _metadata(shown, at),
        "requiredStatement": {"label": label("held_by"), "value": said(archive_title)},
        "provider": [provider(at, archive_title)],
        "homepage": [
            {
                "id": at.page("record", view.key),
                "type": "Text",
                "label": label("record_page"),
                "format": "text/html",
                "language": ["en"],
            }
        ],
        "seeAlso": _data(view, at),
        "thumbnail": [thumbnail(shown.pages[0], at)],
        "service": [_search(view.key, at)],
        "partOf": [
            {"id": at.collection(p.key), "type": "Collection", "label": said(p.text, p.language)}
            for p in view.parents
        ],
        "items": [_canvas(shown, page, at) for page in shown.pages],
    }
    if _LICENCES.fullmatch(shown.use):
        made["rights"] = shown.use.replace("https:", "http:", 1)
    if shown.sections:
        made["structures"] = [_contents(shown, at)]
    return {name: value for name, value in made.items() if value}


def provider(at: Addresses, archive_title: str) -> Json:
    """Return the archive as the agent that offers a document."""
    home = f"{at.base}/"
    return {
        "id": home,
        "type": "Agent",
        "label": said(archive_title),
        "homepage": [
            {"id": home, "type": "Text", "label": said(archive_title), "format": "text/html"}
        ],
    }


def thumbnail(page: PageBlock, at: Addresses) -> Json:
    """Return a small picture of a page, with the service that makes others."""
    scale = min(1.0, THUMBNAIL / max(page.width, page.height))
    width, height = max(1, round(page.width * scale)), max(1, round(page.height * scale))
    size = "max" if scale == 1.0 else f"{width},{height}"
    service = at.image(page.picture)
    return {
        "id": f"{service}/full/{size}/0/default.jpg",
        "type": "Image",
        "format": "image/jpeg",
        "width": width,
        "height": height,
        "service": [{"id": service, "type": "ImageService3", "profile": LEVEL}],
    }


def _search(record: str, at: Addresses) -> Json:
    address = at.search(record)
    terms = {"id": f"{address}/terms", "type": "AutoCompleteService2"}
    return {"id": address, "type": "SearchService2", "service": [terms]}


def _metadata(shown: Pictured, at: Addresses) -> list[Json]:
    view = shown.view
    facts = dict(view.facts)
    rows = [
        ("part_of", " / ".join(parent.text for parent in view.parents)),
        ("kind", facts.get("profile", "")),
        ("language", view.language),
        ("pages", str(len(shown.pages))),
        ("permalink", view.iri),
        ("use", "" if _LICENCES.fullmatch(shown.use) else shown.use),
    ]
    return [{"label": label(name), "value": said(text)} for name, text in rows if text]


def _data(view: RecordView, at: Addresses) -> list[Json]:
    return [
        {
            "id": f"{at.base}/data/record/{view.key}.{form.extension}",
            "type": "Dataset",
            "label": label("data", form.name),
            "format": form.media_type,
            "profile": RICO("").value.rstrip("#"),
        }
        for form in negotiation.DATA
    ]


def _canvas(shown: Pictured, page: PageBlock, at: Addresses) -> Json:
    """Return the canvas of a page: its picture painted on it, its annotations referred to."""
    address = at.canvas(shown.view.key, page.key)
    service = at.image(page.picture)
    width, height = largest(page.width, page.height)
    body = {
        "id": f"{service}/full/max/0/default.jpg",
        "type": "Image",
        "format": "image/jpeg",
        "width": width,
        "height": height,
        "service": [
            {
                "id": service,
                "type": "ImageService3",
                "profile": LEVEL,
                "width": page.width,
                "height": page.height,
            }
        ],
    }
    painting = {
        "id": f"{address}/painting/image",
        "type": "Annotation",
        "motivation": "painting",
        "body": body,
        "target": address,
    }
    heading = said(page.heading, shown.view.language) if page.heading else None
    made: Json = {
        "id": address,
        "type": "Canvas",
        "label": heading or label("page", page.label),
        "width": page.width,
        "height": page.height,
        "thumbnail": [thumbnail(page, at)],
        "items": [{"id": f"{address}/painting", "type": "AnnotationPage", "items": [painting]}],
    }
    if page.key in shown.read:
        made["annotations"] = [
            {"id": f"{address}/{name}", "type": "AnnotationPage", "label": label(name)}
            for name in ANNOTATIONS
        ]
    return made


def _contents(shown: Pictured, at: Addresses) -> Json:
    address = at.manifest(shown.view.key)
    return {
        "id": f"{address}/range/0",
        "type": "Range",
        "label": label("contents"),
        "items": [
            {
                "id": f"{address}/range/{number}",
                "type": "Range",
                "label": said(section.title, shown.view.language),
                "items": [
                    {"id": at.canvas(shown.view.key, page), "type": "Canvas"}
                    for page in section.pages
                ],
            }
            for number, section in enumerate(shown.sections, 1)
        ],
    }


def part(document: Json, address: str) -> Json | None:
    """Return the part of a document that has this address, as a document of its own."""
    waiting: list[object] = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            # A reference to a canvas or an annotation page has no content of its own.
            whole = "items" in value or value.get("type") == "Annotation"
            if value.get("id") == address and whole:
                return {"@context": document["@context"], **value}
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return None
