"""Variant spellings of one name: a coarser key than the normal form (R63; never shown or stored).

Folded are, by word lists that curators edit: letters that stand for one another in old spellings
(`spellings`: i j y, u v, x j, ae oe ue, th, doubled letters), letters that reading by machine
confuses (`confusions`), a leading article before a place, spaces that fell into a word, and the
German genitive of a place ("Frankreichs"). Countries and cities of several names stand in an alias
table (`places.aliases`).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from rdfkms.knowledge import lexicons
from rdfkms.knowledge.nameforms import is_han, normal

LOCATION, PERSON = "Location", "Person"
_DOUBLED = re.compile(r"([^i])\1")
_GENITIVE = "de"  # the language whose names take an s in the genitive


@lru_cache(maxsize=65_536)
def key(form: str, type: str = "") -> str:
    """Return the variant key of a normal form; Han forms are their own key."""
    if is_han(form) or any(c.isdigit() for c in form):
        return form
    if type == LOCATION:
        form = _places().get(form, bare(form, type))
    folded = form.replace(" ", "") if type != PERSON else form
    for written, plain in _folds("spellings"):
        folded = folded.replace(written, plain)
    folded = _DOUBLED.sub(r"\1", folded)  # before shapes are folded, which doubles others
    for written, plain in _folds("confusions"):
        folded = folded.replace(written, plain)
    return folded


def bare(form: str, type: str) -> str:
    """Return a normal form without the article before the name of a place."""
    article, _, rest = form.partition(" ")
    return rest if type == LOCATION and article in _articles() and len(rest) >= 4 else form


def keys(form: str, type: str, language: str) -> tuple[str, ...]:
    """Return the keys under which variants of the form may stand: its own first."""
    own = key(form, type)
    if language[:2] != _GENITIVE or type != LOCATION or is_han(form):
        return (own,)
    other = form[:-1] if form.endswith("s") else f"{form}s"
    return own, key(other, type)


@cache
def _folds(name: str) -> tuple[tuple[str, str], ...]:
    """The folds as they look after the shapes of the normal form (an l has become an i)."""
    return tuple((_shape(row[0]), row[1]) for row in lexicons.rows(name))


def _shape(letters: str) -> str:
    return letters.replace("l", "i")


def is_listed(form: str, type: str) -> bool:
    """Return whether the alias table knows the form, so that even a short one may be compared."""
    return type == LOCATION and form in _places()


@cache
def _places() -> dict[str, str]:
    """The alias table of places: each normal form with the one under which it is compared."""
    return {
        normal(name): normal(row[0])
        for row in lexicons.rows("places.aliases")
        for name in row
        if name
    }


@cache
def _articles() -> frozenset[str]:
    return frozenset(normal(word) for word in lexicons.words("articles"))
