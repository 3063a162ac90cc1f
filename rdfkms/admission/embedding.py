"""Statements that stand inside what someone reports: "the whole town has it that ...".

No list holds every way to pass on hearsay, so here the form decides and the lists only say who may
report. A statement is embedded where right before it stands

* a complementiser with a clause before it ("todo el mundo da por hecho *que* ...");
* a word that names where the words come from, up to a comma ("*a creer* lo que se oye, ...");
* a sentence and a colon;
* in Chinese, a word of speech (聞, 言, 謂).

It is a report of nobody unless that clause holds a source that answers for it: a name, a document,
a witness, or the formulas of courts and registers (kind "source" in the lists).
"""

from __future__ import annotations

import re

from rdfkms.admission import cues
from rdfkms.admission.cues import HAN, Marked

TITLES = 4  # words without weight that may stand between "que" and the name of the statement
# Words of the clause, from its end, among which a source or the name of one must stand.
NEAR = 8
LABEL = 5  # words from which what stands before a colon is a sentence and no label
BEFORE = 240  # characters of the sentence before the statement that are looked at
_CLAUSE = re.compile(r"[;:(]")
_WORD = re.compile(r"[^\W\d_][\w'-]*")
_HAN_OPEN = re.compile(r"[：，「『“\s]{0,3}\Z")


def reported(marked: Marked, language: str, first: int, starts: tuple[int, ...]) -> str:
    """Return the words that report the statement without a source, "" where there are none.

    `first` is where its sentence begins; `starts` are the offsets at which it may itself begin.
    """
    known = cues.rules(language)
    found = (_before(known, marked.text[max(first, s - BEFORE) : s]) for s in starts)
    return next((words for words in found if words), "")


def _before(known: cues.Rules, text: str) -> str:
    if known.language == HAN:
        return _speech(known, text)
    flat = cues.folded(text + "|").removesuffix("|")
    return (
        _clause(known, text, flat)
        or _attributed(known, text, flat)
        or _announced(known, text, flat)
    )


def _clause(known: cues.Rules, text: str, flat: str) -> str:
    """The clause of a complementiser that the statement follows at once."""
    hits = list(known.of("complementiser").finditer(flat))
    if not hits:
        return ""
    hit = hits[-1]
    between = flat[hit.end() :]
    words = _WORD.findall(between)
    if len(words) > TITLES or re.search(r"[,;:!?()]", between):
        return ""
    if known.of("title").sub("", between).strip(" .-\"'"):
        return ""
    before = _CLAUSE.split(flat[: hit.start()])[-1]
    if any(one.end() >= len(before.rstrip()) for one in known.of("connective").finditer(before)):
        return ""
    return _unless_sourced(known, before, text)


def _attributed(known: cues.Rules, text: str, flat: str) -> str:
    """The words between an attribution and the comma that the statement follows."""
    for hit in reversed(list(known.of("attribution").finditer(flat))):
        inside, comma, behind = flat[hit.end() :].rpartition(",")
        rest = known.of("title").sub("", behind).strip(" .-\"'")
        if not comma or rest or _CLAUSE.search(inside):
            continue
        words = _WORD.findall(inside)
        if known.of("source").search(inside) or _names(known, text) & set(words):
            return ""
        return hit[0] + inside if words else ""
    return ""


def _announced(known: cues.Rules, text: str, flat: str) -> str:
    """The sentence before a colon that the statement follows; a label is none."""
    before, colon, behind = flat.rpartition(":")
    if not colon or known.of("title").sub("", behind).strip(" .-\"'"):
        return ""
    clause = _CLAUSE.split(before)[-1].rpartition(".")[2]
    words = _WORD.findall(clause)
    if len(words) < LABEL or _names(known, text) & set(words[1:]):
        return ""
    return _unless_sourced(known, clause, text)


def _unless_sourced(known: cues.Rules, clause: str, text: str) -> str:
    """Return the clause, or "" where someone or something answers for what it reports.

    A name answers for it only with a verb of speech: "Garandel affirme que".
    """
    pieces = [piece for piece in clause.split(",") if len(_WORD.findall(piece)) >= 2]
    words = _WORD.findall(clause)[-NEAR:]
    near = " ".join(words)
    if not words or known.of("source").search(near):
        return ""
    spoken = known.of("speech").search(near) and not known.of("copula").fullmatch(words[-1])
    piece = _WORD.findall(pieces[-1] if pieces else clause)
    named = _names(known, text) & set(piece[1:][-NEAR:])
    return "" if spoken and named else near


def _names(known: cues.Rules, text: str) -> set[str]:
    """Return the capitalised words of a text that are no titles, folded."""
    names = {cues.folded(word) for word in _WORD.findall(text) if _named(word)}
    plain = (known.of("title"), known.of("complementiser"))
    return {name for name in names if not any(one.fullmatch(name) for one in plain)}


def _named(word: str) -> bool:
    return word[0].isupper() and len(word) > 1


def _speech(known: cues.Rules, text: str) -> str:
    flat = cues.plain(text)
    bare = flat[: m.start()] if (m := _HAN_OPEN.search(flat)) else flat
    hits = [h for h in known.of("complementiser").finditer(bare) if h.end() == len(bare)]
    sources = [h for h in known.of("source").finditer(bare) if h.end() == len(bare)]
    return hits[0][0] if hits and not sources else ""
