"""The normalised view of a unit (R23): for searching and models. Raw is never changed."""

from __future__ import annotations

import re
import unicodedata

_BROKEN = re.compile(r"(?<=\w)(?:-|\u00ac|\u00ad|\u2010|=)[ \t]*\n\s*(?=[^\W\d_])")
_SPACE = re.compile(r"\s+")
_HAN = "\u2e80-\u2fdf\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_HAN_BREAK = re.compile(rf"(?<=[{_HAN}])\s*\n\s*(?=[{_HAN}])")
_EMPHASIS = re.compile(r"(\*\*|__|\*|`)(?=\S)(.+?)(?<=\S)\1")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")


def normalise(text: str, *, markdown: bool = False) -> str:
    """Return `text` with line-end hyphens joined, NFC, long s as s and white space folded."""
    text = unicodedata.normalize("NFC", text).replace("ſ", "s")
    text = _BROKEN.sub(_join, text)
    text = _HAN_BREAK.sub("", text)
    if markdown:
        text = _LINK.sub(r"\1", text)
        text = _EMPHASIS.sub(r"\2", text)
    return _SPACE.sub(" ", text).strip()


def _join(match: re.Match[str]) -> str:
    # "sub-\nrayado" was one word; "Saint-\nJean" and "Ruiz-\nMateos" keep their hyphen.
    following = match.string[match.end() : match.end() + 1]
    before = match.string[match.start() - 1]
    return "-" if following.isupper() and not before.isupper() else ""
