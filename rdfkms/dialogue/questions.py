"""Takes a question apart without a model: names, what is asked about them, other words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from rapidfuzz.distance import Levenshtein

from rdfkms.knowledge import lexicons
from rdfkms.retrieval import words

_STOP = "stop"
_FREE = frozenset({_STOP, "time", "place", "amount"})  # any evidence may hold them
_CAPITAL = r"[^\W\d_a-zà-öø-ÿ][\w’'\-]*"
_LINK = r"(?:\s+(?:de|del|de la|de los|du|des|of|von|y|et|d)\s+|\s+|(?<=[’'])|-)(?:[dlDL][’'])?"
_NAME = re.compile(f"{_CAPITAL}(?:{_LINK}{_CAPITAL})*")
_STEM = 5  # letters that words of one stem share at least
_LIKE = 0.8  # normalised similarity from which a misread word is taken for the same


@dataclass(frozen=True, slots=True)
class Meaning:
    """Something that can be asked: statements that answer it, words that speak of it."""

    name: str
    statements: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question taken apart; `han` is what a Chinese question says besides its asking words."""

    text: str
    names: tuple[str, ...]
    meanings: tuple[Meaning, ...]
    words: tuple[str, ...]
    han: tuple[str, ...]


@cache
def meanings() -> tuple[Meaning, ...]:
    """Return the meanings of ``ingest/lexicons/questions.tsv``."""
    found = []
    for name, statements, *columns in lexicons.rows("questions"):
        listed = [words.fold(w) for column in columns for w in column.split()]
        said = () if statements == "-" else tuple(statements.split("|"))
        found.append(Meaning(name, said, tuple(dict.fromkeys(listed))))
    return tuple(found)


def is_word(word: str, listed: Iterable[str]) -> bool:
    """Return whether a folded word is in a list, in which ``*`` stands for any ending."""
    return any(
        word.startswith(entry[:-1]) if entry.endswith("*") else word == entry for entry in listed
    )


def parse(text: str) -> Question:
    """Return the question taken apart.

    Latin names are runs of words with capitals; the first word of a sentence only where it is no
    asking word. Chinese has no capitals: names are found later, among the things of the archive.
    """
    stop = _named(_STOP).words
    names, rest = [], text
    for match in _NAME.finditer(text):
        parts = [w.folded for w in words.places(match[0]) if not is_word(w.folded, stop)]
        if parts and not words.is_unspaced(parts[0]) and not _is_opening(match, text, parts):
            names.append(_trimmed(match[0]))
            rest = rest.replace(match[0], " ", 1)
    asked: list[Meaning] = []
    others: list[str] = []
    han: list[str] = []
    for place in words.places(rest):
        if words.is_unspaced(place.folded):
            han += _han(place.folded, asked)
            continue
        found = [m for m in meanings() if is_word(place.folded, m.words)]
        if not found and len(place.folded) > 2:
            others.append(place.folded)
        if not any(m.name in _FREE for m in found):
            asked += found
    unique = {meaning.name: meaning for meaning in asked}
    return Question(
        text, tuple(dict.fromkeys(names)), tuple(unique.values()), tuple(others), tuple(han)
    )


def _named(name: str) -> Meaning:
    return next(meaning for meaning in meanings() if meaning.name == name)


def _is_opening(match: re.Match[str], text: str, parts: list[str]) -> bool:
    """Return whether it is a single capital word only because a sentence begins with it."""
    before = text[: match.start()].rstrip(" ¿¡«\"'")
    at_start = not before or before[-1] in ".?!"
    return at_start and len(parts) == 1 and any(is_word(parts[0], m.words) for m in meanings())


def _trimmed(name: str) -> str:
    """Return the name without asking words before it ("Fue Andrés Vidal": "Andrés Vidal")."""
    stop = _named(_STOP).words
    found = words.places(name)
    first = next((p for p in found if not is_word(p.folded, stop)), found[0])
    articles = {"el", "la", "los", "las", "le", "les"}
    before = [p for p in found if p.end <= first.start]
    if before and before[-1].folded in articles and len(before) == 1:
        first = before[0]  # "El Rubio del Molino" keeps its article
    return name[first.start :]


def _han(text: str, asked: list[Meaning]) -> list[str]:
    """Return the stretches of a Chinese question that say something; note what it asks."""
    marks = sorted(
        (w for w in _named(_STOP).words if words.is_unspaced(w)), key=lambda w: (-len(w), w)
    )
    pieces = [p for p in re.split("|".join(map(re.escape, marks)), text) if p]
    free = {w for name in ("time", "place") for w in _named(name).words}
    kept = []
    for piece in pieces:
        rest, found = _asked_in(piece)
        asked += found
        if rest and rest not in free:
            kept.append(rest)
    return kept


def _asked_in(piece: str) -> tuple[str, list[Meaning]]:
    """Return a Chinese piece without the word at its end that asks something, and what it asks."""
    listed = [m for m in meanings() if m.name not in _FREE]
    for end in (piece, piece[-2:], piece[-1:]):
        found = [m for m in listed if end in m.words]
        if found:
            return piece[: len(piece) - len(end)], found
    return piece, []


def asks_amount(text: str) -> bool:
    """Return whether the question wants a number or a date: evidence without one is none."""
    asking = _named("amount").words
    folded = words.fold(text)
    return any(is_word(p.folded, asking) for p in words.places(text)) or any(
        words.is_unspaced(w) and w in folded for w in asking
    )


@cache
def _amounts() -> frozenset[str]:
    """Number words (longer than "un") and names of months, folded."""
    listed = (*lexicons.words("numbers"), *lexicons.words("months"))
    folded = {words.fold(word) for word in listed}
    return frozenset(w for w in folded if len(w) > 3 or words.is_unspaced(w))


def has_amount(text: str) -> bool:
    """Return whether a text has a number, in figures or words, or the name of a month."""
    return any(
        p.folded in _amounts()
        or any(c.isdigit() for c in p.folded)
        or (words.is_unspaced(p.folded) and any(w in p.folded for w in _amounts()))
        for p in words.places(text)
    )


def sentences(text: str) -> list[str]:
    """Return the sentences of a passage, roughly: split after stops and semicolons.

    A Chinese passage stays whole: its sentences are short and the date stands some before.
    """
    if any(words.is_unspaced(p.folded) for p in words.places(text)):
        return [text]
    return [s for s in re.split(r"(?<=[.;!?])\s+", text) if s.strip()]


def same_word(asked: str, read: str) -> bool:
    """Return whether two folded words are the same, of one stem, or one the other misread."""
    if asked == read:
        return True
    if min(len(asked), len(read)) < _STEM or not (asked.isalpha() and read.isalpha()):
        return False
    if asked[:_STEM] == read[:_STEM] and abs(len(asked) - len(read)) <= 4:
        return True
    return float(Levenshtein.normalized_similarity(asked, read)) >= _LIKE


def name_spans(name: str, text: str) -> list[tuple[int, int]]:
    """Return where `text` has all the words of a name close together, misread ones included."""
    if words.is_unspaced(words.fold(name)):
        return [(m.start(), m.end()) for m in re.finditer(re.escape(name), text)]
    stop = _named(_STOP).words
    wanted = [p.folded for p in words.places(name) if not is_word(p.folded, stop)]
    read = words.places(text)
    spans = []
    for i, place in enumerate(read):
        if wanted and _near(wanted[0], place.folded):
            nearby = read[max(0, i - len(wanted) - 2) : i + 2 * len(wanted) + 3]
            hits = [next((p for p in nearby if _near(w, p.folded)), None) for w in wanted]
            if all(hits):
                there = [p for p in hits if p is not None]
                spans.append((min(p.start for p in there), max(p.end for p in there)))
    return spans


def _near(asked: str, read: str) -> bool:
    if asked == read:
        return True
    return len(asked) >= 4 and float(Levenshtein.normalized_similarity(asked, read)) >= _LIKE
