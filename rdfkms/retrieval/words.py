"""Words as they are indexed and searched: folded words, and Chinese by one and two characters."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

# Han (with extensions and compatibility forms) and kana are written without spaces.
_UNSPACED = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_RUN = re.compile(rf"([{_UNSPACED}]+)|([^\W_{_UNSPACED}]+)")
# Combining accents belong to their letter: they do not end a word.
_WORD = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}](?:[^\W_{_UNSPACED}]|[\u0300-\u036f])*")
_LETTERS = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ß": "ss", "ſ": "s", "đ": "d", "ł": "l"})
_LONGEST = 100  # characters of one indexed word


@dataclass(frozen=True, slots=True)
class Words:
    """A text taken apart: words with pairs of Han characters, and single Han characters."""

    words: tuple[str, ...]
    singles: tuple[str, ...]


def fold(text: str) -> str:
    """Return the text without capitals and accents: "Peñarrasa" gives "penarrasa"."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(c for c in plain if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", bare).translate(_LETTERS)


def is_unspaced(word: str) -> bool:
    """Return whether a word is of Han characters or kana."""
    return bool(word) and re.fullmatch(f"[{_UNSPACED}]+", word) is not None


def split(text: str) -> Words:
    """Return the indexed words of a text, in order."""
    words: list[str] = []
    singles: list[str] = []
    for match in _RUN.finditer(fold(text)):
        run, word = match.groups()
        if word:
            words.append(word[:_LONGEST])
        else:
            singles.extend(run)
            words.extend(run[i : i + 2] for i in range(len(run) - 1))
    return Words(tuple(words), tuple(singles))


def split_query(text: str) -> Words:
    """Return the words of a query: single Han characters only where one stands alone."""
    words: list[str] = []
    singles: list[str] = []
    for match in _RUN.finditer(fold(text)):
        run, word = match.groups()
        if word:
            words.append(word[:_LONGEST])
        elif len(run) == 1:
            singles.append(run)
        else:
            words.extend(run[i : i + 2] for i in range(len(run) - 1))
    return Words(tuple(words), tuple(singles))


@dataclass(frozen=True, slots=True)
class Place:
    """A word with its folded form and where it stands in the text as written."""

    start: int
    end: int
    folded: str


def places(text: str) -> list[Place]:
    """Return the words of a text with their offsets; a run of Han characters is one word."""
    return [Place(m.start(), m.end(), fold(m[0])) for m in _WORD.finditer(text)]
