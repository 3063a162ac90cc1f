"""The normal form of a name, by which mentions are compared (never shown, never stored as text).

Case and accents are folded, printed hyphenation is joined, punctuation and white space fold to
single spaces, honorifics before a person's name go, Han characters stay as they are. Shapes that
OCR takes for one another become equal within words: ``l 1 i``, ``0 o``, ``5 s``, ``rn m``.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from rdfkms.knowledge import lexicons

PERSON = "Person"
ORGANIZATION = "OrganizationState"

_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad¬=][ \t]*\n\s*(?=[^\W\d_])")
_WORD = re.compile(r"[^\W_]+")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_GAP = re.compile(r"\s+")
_ALIKE = str.maketrans({"1": "i", "l": "i", "0": "o", "5": "s"})
# As they are after folding, where an l has become an i.
_PARTICLES = frozenset({"de", "dei", "des", "du", "da", "das", "do", "dos", "y", "e", "i", "et",
                        "ia", "ias", "ie", "ies", "ios", "ei", "o", "d", "von", "van", "of",
                        "the"})  # fmt: skip


@lru_cache(maxsize=65_536)
def normal(surface: str, type: str = "") -> str:
    """Return the normal form of a name of an entity `type`; empty when it holds no letter."""
    joined = _HYPHEN.sub("", surface)
    folded = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", joined).casefold())
    bare = "".join(c for c in folded if not unicodedata.combining(c))
    if _HAN.search(bare):
        return "".join(_WORD.findall(_GAP.sub("", bare)))
    words = _WORD.findall(bare)
    if type == PERSON:
        words = _without_honorifics(words)
    return " ".join(_skeleton(word) for word in words)


def tokens(form: str) -> tuple[str, ...]:
    """Return the words of a normal form that carry it: particles such as ``de`` left out."""
    return tuple(word for word in form.split() if word not in _PARTICLES)


def is_han(form: str) -> bool:
    """Return whether the form is written in Han characters."""
    return _HAN.search(form) is not None


def is_full(form: str) -> bool:
    """Return whether a person's form may name one being beyond its record.

    That is two words and more of two letters and more; in Han two characters and more.
    """
    if is_han(form):
        return len(form) >= 2
    words = tokens(form)
    return len(words) >= 2 and all(len(word) >= 2 for word in words)


def is_short_for(short: str, long: str, type: str) -> bool:
    """Return whether `short` may be a shorter form of the name `long` within one record.

    Persons: the words of the short form stand in the long one in the same order, an initial for
    a word that begins so ("A. Vidal", "Vidal Soler" for "Andrés Vidal Soler"). Bodies: the long
    name begins with the short one. Han: the long name ends with the short one.
    """
    if short == long or not short:
        return False
    if is_han(short) or is_han(long):
        return type == PERSON and len(short) >= 2 and long.endswith(short)
    brief, whole = tokens(short), tokens(long)
    if not brief or len(brief) > len(whole):
        return False
    if type == ORGANIZATION:
        return whole[: len(brief)] == brief
    named = any(len(word) >= 3 for word in brief) and not _dignities().issuperset(brief)
    rest = iter(whole)
    return type == PERSON and named and all(any(_fits(w, o) for o in rest) for w in brief)


def _fits(word: str, other: str) -> bool:
    return word == other or (len(word) == 1 and other.startswith(word))


def _without_honorifics(words: list[str]) -> list[str]:
    titles = _honorifics()
    at = 0
    while at < len(words) - 1 and (words[at] in titles or words[at] in _PARTICLES):
        at += 1
    # A lone letter is a title only where a name of two words follows: "D. Vidal" may be Diego.
    kept = words[at:]
    if len(kept) == 1 and at and len(words[at - 1]) == 1:
        kept = words[at - 1 :]
    return kept


@cache
def _dignities() -> frozenset[str]:
    return frozenset(normal(word) for word in lexicons.words("dignities"))


@cache
def _honorifics() -> frozenset[str]:
    return frozenset(lexicons.words("honorifics"))


def _skeleton(word: str) -> str:
    if word.isdigit():
        return word
    return word.translate(_ALIKE).replace("rn", "m")
