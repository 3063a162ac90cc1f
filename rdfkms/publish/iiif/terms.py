"""What all IIIF documents share: addresses, language maps, labels, boxes."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from rdfkms import resources
from rdfkms.errors import Misconfigured
from rdfkms.model import Box

Json = dict[str, Any]
LanguageMap = dict[str, list[str]]

PRESENTATION = "http://iiif.io/api/presentation/3/context.json"
LEVEL = "level2"


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the documents of one archive are, under its fixed base."""

    base: str

    def image(self, sha256: str) -> str:
        """Return the base address of a picture's image service."""
        return f"{self.base}/iiif/image/{sha256}"

    def manifest(self, record: str) -> str:
        """Return the address of a record's manifest."""
        return f"{self.base}/iiif/manifest/{record}"

    def canvas(self, record: str, page: str) -> str:
        """Return the address of a page's canvas."""
        return f"{self.manifest(record)}/canvas/{page}"

    def collection(self, key: str, part: int = 0) -> str:
        """Return the address of a collection, or of one part of a long one."""
        return f"{self.base}/iiif/collection/{key}" + (f"/{part}" if part else "")

    def search(self, record: str) -> str:
        """Return the address of the search inside a record."""
        return f"{self.base}/iiif/search/{record}"

    def page(self, kind: str, key: str) -> str:
        """Return the address of the page for people."""
        return f"{self.base}/page/{kind}/{key}"


def said(text: str, language: str = "") -> LanguageMap:
    """Return a text as a language map; "none" where the language is not known."""
    return {language or "none": [text]}


def label(name: str, *values: object) -> LanguageMap:
    """Return a label of ``ontology/iiif-labels.tsv`` in all its languages."""
    known = _labels()
    if name not in known:
        raise Misconfigured(f"ontology/iiif-labels.tsv has no line '{name}'.")
    return {language: [form.format(*values)] for language, form in known[name].items()}


@cache
def _labels() -> dict[str, dict[str, str]]:
    path = resources.folder("ontology") / "iiif-labels.tsv"
    lines = [li for li in path.read_text(encoding="utf-8").splitlines() if not li.startswith("#")]
    rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    return {row.pop("name"): dict(row) for row in rows}


def around(boxes: Iterable[Box]) -> Box | None:
    """Return the smallest box around all, None around none."""
    found: Box | None = None
    for box in boxes:
        found = box if found is None else found.union(box)
    return found


def inside(box: Box, width: int, height: int) -> Box | None:
    """Return what of a box lies on a canvas, None where nothing does."""
    left, top = min(box.x, width), min(box.y, height)
    right, bottom = min(box.x + box.w, width), min(box.y + box.h, height)
    return Box(left, top, right - left, bottom - top) if right > left and bottom > top else None


def on_canvas(canvas: str, box: Box | None) -> str:
    """Return the target of an annotation: a region of a canvas, or all of it."""
    return f"{canvas}#{box.fragment}" if box is not None else canvas
