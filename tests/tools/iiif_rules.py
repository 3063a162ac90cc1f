"""Rules of Presentation 3.0 that iiif-prezi3 lets through, as sentences about what breaks them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_LANGUAGE = re.compile(r"none|[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_MAPS = ("label", "summary")
_LISTS = ("items", "thumbnail", "service", "seeAlso", "homepage", "provider", "partOf", "metadata",
          "annotations", "structures", "rendering")  # fmt: skip
_ADDRESS = re.compile(r"https?://[^\s<>\"{}|\\^`]+")


def breaches(document: Any) -> list[str]:
    """Return one sentence for each rule that a document breaks."""
    return [*_walk(document, "$"), *_whole(document)]


def parts(document: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of a document."""
    if isinstance(document, dict):
        yield document
        for value in document.values():
            yield from parts(value)
    elif isinstance(document, list):
        for value in document:
            yield from parts(value)


def _walk(value: Any, where: str) -> Iterator[str]:
    if isinstance(value, list):
        for number, one in enumerate(value):
            yield from _walk(one, f"{where}[{number}]")
    if not isinstance(value, dict):
        return
    yield from _own(value, where)
    for name, inner in value.items():
        if not _is_map(name, value):
            yield from _walk(inner, f"{where}.{name}")


def _is_map(name: str, owner: dict[str, Any]) -> bool:
    return name in _MAPS or (name == "value" and "label" in owner)


def _own(value: dict[str, Any], where: str) -> Iterator[str]:
    for name, inner in value.items():
        if _is_map(name, value) and not _is_language_map(inner):
            yield f"{where}.{name} is no language map: {inner!r}"
        if name in _LISTS and not isinstance(inner, list):
            yield f"{where}.{name} is no list"
        if name in _LISTS and inner == [] and value.get("type") not in ("AnnotationPage",):
            yield f"{where}.{name} is empty"
    if ("width" in value) is not ("height" in value):
        yield f"{where} has a width or a height alone"
    for name in ("width", "height"):
        if name in value and not (type(value[name]) is int and value[name] > 0):
            yield f"{where}.{name} is no whole number over 0"
    if "id" in value and not _ADDRESS.fullmatch(str(value["id"])):
        yield f"{where}.id is no http address: {value['id']!r}"
    if "id" in value and "type" not in value:
        yield f"{where} has no type"


def _is_language_map(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and bool(value)
        and all(
            _LANGUAGE.fullmatch(language)
            and isinstance(texts, list)
            and texts
            and all(isinstance(text, str) and text for text in texts)
            for language, texts in value.items()
        )
    )


def _whole(document: dict[str, Any]) -> Iterator[str]:
    """Yield breaches of what holds between the parts of a document."""
    if next(iter(document)) != "@context":
        yield "@context does not come first"
    if document.get("type") != "Manifest":
        return
    canvases = [c["id"] for c in document.get("items", [])]
    if not canvases or len(set(canvases)) < len(canvases):
        yield "the canvases are none, or two have one id"
    if any("#" in canvas for canvas in canvases):
        yield "a canvas has a fragment"
    for canvas in document.get("items", []):
        for page in canvas["items"]:
            for painting in page["items"]:
                if painting["motivation"] != "painting" or painting["target"] != canvas["id"]:
                    yield f"{painting['id']} does not paint its canvas"
    for part in parts(document.get("structures", [])):
        if part.get("type") == "Canvas" and part["id"] not in canvases:
            yield f"a range names a canvas that is not there: {part['id']}"
