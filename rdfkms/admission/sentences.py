"""Sentences and their words, as a claim in words is compared with a passage (en, fr, es, de, zh).

A word has a form (case and accents folded), a stem (Snowball; in Chinese each character) and
a class: what carries a statement, what is a name, a number, or only grammar. The word lists are
`ingest/lexicons/wording.<lang>.tsv`; a language without one is compared by its forms alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

import snowballstemmer

from rdfkms import resources
from rdfkms.errors import Misconfigured
from rdfkms.knowledge import dates, lexicons
from rdfkms.knowledge.nameforms import is_han

KINDS = frozenset({"function", "filler", "speaker", "negation", "hedge", "cause", "comparison",
                   "evaluation", "opposite", "spent"})  # fmt: skip
_STEMMERS = {"en": "english", "fr": "french", "es": "spanish", "de": "german"}
_FILES = {"lzh": "zh", "chi": "zh", "cmn": "zh"}
_END = re.compile(
    r"(?<=[.!?])[\"'”’)\]]?\s+(?=[\"'“‘(\[¿¡«]?[^\W_a-zà-öø-ÿ])|(?<=[。！？；])|\n\s*\n"
)
_NO_END = re.compile(
    r"(?:\b(?:[A-Z]|Mr|Mrs|Ms|Dr|St|No|Sr|Jr|vs|M|Mme|Mlle|Nr|Hr|Fr|etc|[DS]ra?))\.$"
)
# A mark such as D66, a number with its thousands, a word, and a word that a line break parts.
_WORD = re.compile(
    r"(?<!\w)[^\W\d_]\d\w*|\d+(?:[.,\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?"
    r"|[^\W\d_]+(?:['’\u0301][^\W\d_]+|[-\u00ad¬]\n[ \t]{0,8}[a-zà-öø-ÿ]+)*"
)
_BREAK = re.compile(r"[-\u00ad¬]\n[ \t]*")
_ISO = re.compile(r"(?<!\d)\d{4}-(?P<month>0[1-9]|1[0-2])-\d\d(?!\d)")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_ELIDED = re.compile(r"^(?:[cdjlmnst]|qu|lorsqu|puisqu|jusqu|quoiqu|quelqu)['’]", re.IGNORECASE)
_OWNER = re.compile(r"['’]s?$", re.IGNORECASE)


class Class(StrEnum):
    """What a word is good for in a comparison."""

    CONTENT = "content"
    NAME = "name"
    NUMBER = "number"
    FUNCTION = "function"
    SPEAKER = "speaker"
    FILLER = "filler"


@dataclass(frozen=True, slots=True)
class Word:
    """A word at [start, end) of its text."""

    start: int
    end: int
    surface: str
    form: str
    stem: str
    cls: Class

    @property
    def tells(self) -> bool:
        """Whether the word carries something of what is said."""
        return self.cls in (Class.CONTENT, Class.NAME, Class.NUMBER)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence at [start, end) of its text, with its words (offsets into the text)."""

    start: int
    end: int
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Lists:
    """The words of one language by kind, and the groups of words that exclude each other.

    The groups hold folded forms and stems.
    """

    language: str
    words: dict[str, frozenset[str]]
    opposites: tuple[tuple[frozenset[str], frozenset[str]], ...]

    def of(self, kind: str) -> frozenset[str]:
        """Return the folded words of a kind."""
        return self.words.get(kind, frozenset())


def primary(language: str) -> str:
    """Return the two letters by which the word lists call a BCP 47 language."""
    short = language.lower().partition("-")[0]
    return _FILES.get(short, short)


@cache
def lists(language: str) -> Lists:
    """Return the lists of a language as `primary` calls it; empty ones where it has none.

    Raises `Misconfigured` for a row that is not of a known kind.
    """
    path = resources.file(f"ingest/lexicons/wording.{language}.tsv")
    if not re.fullmatch(r"[a-z]{2,3}", language) or not path.is_file():
        return Lists(language, {}, ())
    words: dict[str, set[str]] = {}
    opposites = []
    for row in lexicons.rows(f"wording.{language}"):
        if len(row) != 2 or row[0] not in KINDS:
            raise Misconfigured(f"{path}: {row[0]!r}: a row needs a kind and its words.")
        if row[0] == "opposite":
            one, _, other = row[1].partition("/")
            opposites.append(_apart(_forms(one, language), _forms(other, language)))
        else:
            words.setdefault(row[0], set()).update(fold(word) for word in row[1].split())
    return Lists(language, {k: frozenset(v) for k, v in words.items()}, tuple(opposites))


def _forms(words: str, language: str) -> frozenset[str]:
    return frozenset(f for word in words.split() for f in (fold(word), stem(word, language)))


def _apart(one: frozenset[str], other: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return both groups without what they share: hijo and hija have one stem and two forms."""
    return one - other, other - one


@lru_cache(maxsize=65_536)
def fold(word: str) -> str:
    """Return a word in lower case, without accents, in its compatible form."""
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", word).casefold())
    return "".join(c for c in plain if not unicodedata.combining(c)).replace("’", "'")


@cache
def _stemmer(name: str) -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer(name)


@lru_cache(maxsize=65_536)
def stem(word: str, language: str) -> str:
    """Return the folded stem of a word."""
    plain = unicodedata.normalize("NFC", word).lower()
    name = _STEMMERS.get(language)
    return fold(_stemmer(name).stemWord(plain) if name else plain)


def split(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences of a text, in order; white space around them left out."""
    spans, start = [], 0
    for match in _END.finditer(text):
        if _NO_END.search(text, start, match.start()):
            continue
        spans.append((start, match.start() if match[0].isspace() else match.end()))
        start = match.end()
    spans.append((start, len(text)))
    return [span for raw in spans if (span := _trimmed(text, *raw)) is not None]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    piece = text[start:end]
    lead = len(piece) - len(piece.lstrip())
    tail = len(piece) - len(piece.rstrip())
    return (start + lead, end - tail) if lead < len(piece) else None


@lru_cache(maxsize=4096)
def read(text: str, language: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text in a language, with their words."""
    short = primary(language)
    return tuple(
        Sentence(start, end, tuple(_words(text, start, end, short))) for start, end in split(text)
    )


def _words(text: str, start: int, end: int, language: str) -> Iterator[Word]:
    known = lists(language)
    found = list(_pieces(text, start, end))
    months = {m.start("month"): f"m{int(m['month'])}" for m in _ISO.finditer(text, start, end)}
    for at, (first, last) in enumerate(found):
        surface = text[first:last]
        if is_han(surface):
            yield from _han_words(text, first, last, known)
            continue
        whole = _BREAK.sub("", surface)
        form = fold(whole)
        value = months.get(first) or _number(surface, form, language)
        if value is not None:
            yield Word(first, last, surface, form, value, Class.NUMBER)
            continue
        cls = _class(surface, form, known)
        if cls is Class.CONTENT and _is_name(text, found, at, language):
            cls = Class.NAME
        yield Word(first, last, surface, form, stem(whole, language), cls)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The spans of words: elided articles and the owner's s are pieces of their own."""
    for match in _WORD.finditer(text, start, end):
        first, last = match.span()
        elided = _ELIDED.match(match[0])
        while elided is not None and first + elided.end() < last:
            yield first, first + elided.end()
            first += elided.end()
            elided = _ELIDED.match(text[first:last])
        owner = _OWNER.search(text[first:last])
        if owner is not None and owner.start() > 0:
            last = first + owner.start()
        yield first, last


def _han_words(text: str, start: int, end: int, known: Lists) -> Iterator[Word]:
    function = known.of("function")
    for at in range(start, end):
        char = text[at]
        cls = Class.FUNCTION if char in function else Class.CONTENT
        yield Word(at, at + 1, char, char, char, cls)


def _class(surface: str, form: str, known: Lists) -> Class:
    if form in known.of("speaker"):
        return Class.FUNCTION if surface == "US" else Class.SPEAKER
    if form in known.of("filler"):
        return Class.FILLER
    single = len(form) == 1 and not surface.isupper()
    return Class.FUNCTION if single or form in known.of("function") else Class.CONTENT


def _is_name(text: str, found: list[tuple[int, int]], at: int, language: str) -> bool:
    """Whether the word is written as a name; German writes all nouns so, and has none here."""
    first, last = found[at]
    if language == "de" or not text[first].isupper():
        return False
    if at > 0:
        return True
    follower = text[found[1][0]] if len(found) > 1 else ""
    return follower.isupper() or text[first:last].isupper()


@lru_cache(maxsize=16_384)
def _number(surface: str, form: str, language: str) -> str | None:
    """Return the value that a word writes, as digits; for a month ``m`` and its number."""
    if surface[0].isdigit():
        return _digits(surface)
    month = _months(language).get(form)
    if month is not None and surface[0].isupper() | (language in ("fr", "es")):
        return f"m{month}"
    if len(form) < 3 or form in ("una", "uno", "une"):
        return None
    value = _number_words(language).get(form)
    return str(value) if value is not None and value > 1 else None


def _digits(surface: str) -> str:
    plain = re.sub(r"[.,\u00a0\u202f ](?=\d{3}(?!\d))", "", surface)
    whole, _, part = plain.replace(",", ".").partition(".")
    part = part.rstrip("0")
    return f"{int(whole[:300])}{'.' + part if part else ''}"


@cache
def _months(language: str) -> dict[str, str]:
    return {dates.fold(row[0]): row[2] for row in lexicons.rows("months") if row[1] == language}


@cache
def _number_words(language: str) -> dict[str, int]:
    return {
        dates.fold(row[0]): int(row[2]) for row in lexicons.rows("numbers") if row[1] == language
    }
