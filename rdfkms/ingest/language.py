"""Sentence ends, word counts and the language of a passage; small and deterministic."""

from __future__ import annotations

import re
from functools import cache

from rdfkms import resources

HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
TOKEN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]|[^\\W_]+(?:['’-][^\\W_]+)*")
_END = re.compile(r"[.!?…]+[\"'»”’)\]]*(?=\s)|[;:](?=\s)|[。！？；][」』”’]*")


def _lexicon(name: str) -> list[str]:
    path = resources.folder("ingest") / "lexicons" / name
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(_lexicon("abbreviations.tsv"))


@cache
def _function_words() -> dict[str, frozenset[str]]:
    rows = (line.split("\t", 1) for line in _lexicon("function-words.tsv"))
    return {language: frozenset(words.split()) for language, words in rows}


def count_words(text: str) -> int:
    """Return the number of words, each Han character counting as one."""
    return sum(1 for _ in TOKEN.finditer(text))


def sentence_ends(text: str) -> list[int]:
    """Return the offsets just after each sentence of `text`; the last is len(text) if it has any.

    A full stop after an abbreviation, an initial or a number inside a line, or before a
    lower-case letter, ends nothing. A colon or semicolon ends a clause only at a line's end.
    """
    ends = [m.end() for m in _END.finditer(text) if _is_end(text, m)]
    if text.strip() and (not ends or text[ends[-1] :].strip()):
        ends.append(len(text))
    return ends


def _is_end(text: str, match: re.Match[str]) -> bool:
    mark = match.group()[0]
    if mark in "。！？；":
        return True
    if mark in ";:":
        return text[match.end() : match.end() + 1] == "\n"
    following = text[match.end() :].lstrip()[:1]
    if following.islower():
        return False
    if mark != ".":
        return True
    before = re.search(r"[^\W_]+$", text[max(0, match.start() - 20) : match.start()])
    if before is None:
        return True
    word = before.group()
    return not (word.casefold() in _abbreviations() or (len(word) == 1 and word.isalpha()))


def recognise(text: str, among: tuple[str, ...]) -> str:
    """Return the language of `text` among those given; the first unless another is clear."""
    if len(among) == 1:
        return among[0]
    words = [m.group().casefold() for m in TOKEN.finditer(text)]
    if not words:
        return among[0]
    han = sum(1 for w in words if HAN.match(w)) / len(words)
    scores = {tag: _score(tag, words, han) for tag in among}
    best = max(among, key=lambda tag: scores[tag])
    # A short or mixed passage stays in the default language.
    return best if scores[best] >= scores[among[0]] + 0.06 else among[0]


def _score(tag: str, words: list[str], han: float) -> float:
    primary = tag.partition("-")[0]
    if primary in {"zh", "lzh", "ja"}:
        return han
    known = _function_words().get(primary, frozenset())
    return sum(1 for word in words if word in known) / len(words)
