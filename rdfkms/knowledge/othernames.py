"""Other names of one person: by office and surname, and by sound across scripts (R63).

"蕭相國" is an office behind a surname, "alcalde Vidal" one before it. A Han name and a Latin one
may be one name in two scripts: Han is read as pinyin where the setting ``gate.pinyin`` asks for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from rdfkms.errors import Missing
from rdfkms.knowledge import lexicons
from rdfkms.knowledge.nameforms import is_han, normal

_LATIN = ("offices.en", "offices.es", "offices.fr")
_LONGEST_SURNAME = 2  # characters of a Han surname


@dataclass(frozen=True, slots=True)
class Titled:
    """A name that is an office and a surname, both in normal form."""

    office: str
    surname: str


def titled(form: str) -> Titled | None:
    """Return office and surname of a normal form, or None where it is no such name."""
    if is_han(form):
        if form in _offices("offices.lzh"):
            return None
        for cut in range(1, min(_LONGEST_SURNAME, len(form) - 1) + 1):
            if form[cut:] in _offices("offices.lzh"):
                return Titled(form[cut:], form[:cut])
        return None
    words = form.split()
    for cut in range(len(words) - 1, 0, -1):
        office = " ".join(words[:cut])
        if any(office in _offices(name) for name in _LATIN):
            return Titled(office, " ".join(words[cut:]))
    return None


def bears(whole: str, surname: str) -> bool:
    """Return whether a full name bears the surname: Han names begin, others do not begin with it.

    A given name alone is no surname: "alcalde Andrés" is not "Andrés Vidal".
    """
    if is_han(whole):
        return len(whole) > len(surname) and whole.startswith(surname)
    words, wanted = whole.split(), surname.split()
    places = range(1, len(words) - len(wanted) + 1)
    return any(words[at : at + len(wanted)] == wanted for at in places)


@lru_cache(maxsize=65_536)
def sound(form: str) -> str:
    """Return how a normal form sounds, without spaces: Han as pinyin without tones.

    Raises `Missing` for a Han form where pypinyin is not installed.
    """
    if not is_han(form):
        return form.replace(" ", "")
    try:
        from pypinyin import Style, lazy_pinyin
    except ImportError as err:
        raise Missing(
            "Names are to be compared by pinyin, and pypinyin is not installed.",
            hint='Install it with: pip install "rdfkms[local]", or set gate.pinyin to false.',
        ) from err
    read: list[str] = lazy_pinyin(form, style=Style.NORMAL)
    return normal("".join(read))


@cache
def _offices(name: str) -> frozenset[str]:
    return frozenset(normal(word) for word in lexicons.words(name))
