"""A pointer of a claim as a Web Annotation: the claim is the body, the quoted place the target.

Source: W3C Web Annotation Data Model (2017), sections 3.1, 4.2.1 (fragment), 4.2.4 (quote), 4.2.5
(position). Positions count code points of the unit's text, as everywhere here.
"""

from __future__ import annotations

from typing import Any

from rdfkms.errors import NotFound
from rdfkms.ledger.archive import Archive
from rdfkms.model import Box
from rdfkms.ports import Row
from rdfkms.publish import places
from rdfkms.publish.histories import claim as history_of
from rdfkms.publish.views import Scope, iri_of, literal_of, text_of

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
MEDIA_FRAGMENTS = "http://www.w3.org/TR/media-frags/"
TEXT_FRAGMENTS = "http://tools.ietf.org/rfc/rfc5147"  # lines and characters
_AROUND = 32  # characters before and after a quote, by which it is found again
Document = dict[str, Any]


def address(base: str, claim: str, pointer: str) -> str:
    """Return the IRI of the annotation, where it is served, too."""
    return f"{base}/data/annotation/{claim}/{pointer}.jsonld"


def annotation(
    scope: Scope, archive: Archive, claim: str, pointer: str, rights: str = ""
) -> Document:
    """Return the annotation of a pointer (``p1``) of an admitted claim; raises `NotFound`."""
    rows = scope.select("dataset/annotation", pointer=scope.base.part("claim", claim, pointer))
    if not rows:
        raise NotFound(
            f"There is no pointer {pointer[:16]} of a claim {claim[:32]} here.",
            hint="The page of the claim lists its evidence.",
        )
    row = rows[0]
    text = literal_of(row["text"])
    start, end = int(text_of(row["start"])), int(text_of(row["end"]))
    whole = text.value if text is not None else ""
    quoted: Document = {
        "type": "SpecificResource",
        "source": text_of(row["unitText"]),
        "scope": text_of(row["unit"]),
        "selector": [
            {
                "type": "TextQuoteSelector",
                "exact": whole[start:end],
                "prefix": whole[max(0, start - _AROUND) : start],
                "suffix": whole[end : end + _AROUND],
            },
            {"type": "TextPositionSelector", "start": start, "end": end},
        ],
    }
    found: Document = {
        "@context": CONTEXT,
        "id": address(scope.base.base, claim, pointer),
        "type": "Annotation",
        "motivation": "linking",
        "body": [
            {"id": text_of(row["claim"]), "format": "text/turtle"},
            {
                "type": "TextualBody",
                "value": _sentence(scope, claim),
                "format": "text/plain",
                "purpose": "describing",
            },
        ],
        "target": [quoted, *_regions(scope, archive, claim, pointer, rows)],
    }
    if rights:
        found["rights"] = rights
    return found


def _sentence(scope: Scope, claim: str) -> str:
    """Return what the claim says, in words."""
    said = history_of(scope, claim).said
    other = said.object.text if said.object is not None else said.value
    return f"{said.subject.text} – {said.label} – {other}"


def _regions(
    scope: Scope, archive: Archive, claim: str, pointer: str, rows: list[Row]
) -> list[Document]:
    """Return the places on pages or recordings: of the quoted words, else of the passage."""
    fragments = {
        page.value: text_of(row["fragment"])
        for row in rows
        if (page := iri_of(row["page"])) is not None and row["fragment"] is not None
    }
    try:
        cut = places.cut_of_claim(scope, archive, claim, pointer)
    except NotFound:
        cut = None
    if cut is not None and cut.marks:
        marked = scope.select("pages/pointer_places", claim=scope.base.iri("claim", claim))
        for row in marked:
            page = iri_of(row["page"])
            if page is not None and text_of(row["picture"]) == cut.picture:
                fragments = {page.value: _around(cut.marks).fragment}
                break
    return [
        {
            "type": "SpecificResource",
            "source": page,
            "selector": {
                "type": "FragmentSelector", "conformsTo": _standard(fragment), "value": fragment,
            },
        }
        for page, fragment in sorted(fragments.items())
    ]  # fmt: skip


def _standard(fragment: str) -> str:
    return TEXT_FRAGMENTS if fragment.startswith(("line=", "char=")) else MEDIA_FRAGMENTS


def _around(boxes: tuple[Box, ...]) -> Box:
    whole = boxes[0]
    for box in boxes[1:]:
        whole = whole.union(box)
    return whole
