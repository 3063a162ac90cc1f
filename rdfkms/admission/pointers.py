"""Pointer: every candidate quotes the text at its span, code point for code point (law 1).

The policy: the quote stands at the given span, or exactly once in the passage (or just once where
the anchors can stand in it); or it does so after NFC and white-space folding and is then set to
the raw words and noted as `reanchored`. More than one possible place is a matter for a person.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rdfkms.admission import decisions
from rdfkms.admission.reasons import quoted, reason
from rdfkms.model import Candidate, EvidenceUnit, Reason, Verdict

STAGE = "pointer"
REANCHORED = "reanchored"
MOST_PLACES = 1_000
Span = tuple[int, int]


def resolve(
    candidate: Candidate, unit: EvidenceUnit, *, reanchor: bool = True
) -> tuple[Candidate, Verdict | None]:
    """Return the candidate with exact span and quote, or with the verdict that refuses it."""
    text, quote = unit.raw.text, candidate.quote
    span = _given(candidate)
    if span is not None and text[slice(*span)] == quote:
        return candidate, None
    places = [(at, at + len(quote)) for at in _all(text, quote)]
    moved = span is not None or not places
    if not places:
        places = _folded_places(text, quote)
    if not places or (moved and not reanchor):
        return candidate, _verdict(reason("quoteNotFound", what=quoted(quote)))
    chosen = _choose(places, candidate)
    if chosen is None:
        twice = reason("quoteTwice", what=quoted(quote), count=len(places))
        return candidate, _verdict(twice)
    note = f"{candidate.note} {REANCHORED}".strip() if moved else candidate.note
    exact = text[slice(*chosen)]
    return replace(candidate, start=chosen[0], end=chosen[1], quote=exact, note=note), None


def _verdict(found: Reason) -> Verdict:
    return Verdict(decisions.table().decide(STAGE, (found,)), STAGE, (found,))


def _given(candidate: Candidate) -> Span | None:
    if candidate.start is None or candidate.end is None:
        return None
    return candidate.start, candidate.end


def _all(text: str, quote: str) -> Iterator[int]:
    at = text.find(quote)
    for _ in range(MOST_PLACES):
        if at < 0:
            return
        yield at
        at = text.find(quote, at + 1)


def _choose(places: list[Span], candidate: Candidate) -> Span | None:
    """Return the only place, or the only one that the span or the anchors allow."""
    if len(places) == 1:
        return places[0]
    span = _given(candidate)
    if span is not None:
        overlapping = [p for p in places if p[0] < span[1] and span[0] < p[1]]
        if len(overlapping) == 1:
            return overlapping[0]
    anchors = [a for a in (candidate.subject, candidate.object) if a is not None]
    if not anchors:
        return None
    holding = [p for p in places if all(p[0] <= a.start and a.end <= p[1] for a in anchors)]
    return holding[0] if len(holding) == 1 else None


# ---- NFC and white-space folding --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Folded:
    """Folded text; `starts` and `ends` are raw offsets, -1 inside a cluster."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def _folded_places(text: str, quote: str) -> list[Span]:
    wanted = _fold_plain(quote)
    folded = _fold(text) if wanted else None
    if folded is None:
        return []
    spans = []
    for at in _all(folded.text, wanted):
        start, end = folded.starts[at], folded.ends[at + len(wanted) - 1]
        if 0 <= start < end and _fold_plain(text[start:end]) == wanted:
            spans.append((start, end))
    return spans


def _fold_plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _fold(text: str) -> _Folded | None:
    """Return the folded text with its places; None where clusters cannot be told apart."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _clusters(text):
        composed = unicodedata.normalize("NFC", text[start:end])
        if composed.isspace():
            if pieces and pieces[-1] == " ":
                ends[-1] = end
                continue
            composed = " "
        inner = [-1] * (len(composed) - 1)
        pieces += list(composed)
        starts += [start, *inner]
        ends += [*inner, end]
    folded = "".join(pieces)
    if _fold_plain(folded) != _fold_plain(text):
        return None
    return _Folded(folded, tuple(starts), tuple(ends))


def _clusters(text: str) -> Iterator[Span]:
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not _joins(text[at]):
            yield start, at
            start = at


def _joins(character: str) -> bool:
    # Hangul vowels and finals compose though they are starters.
    return unicodedata.combining(character) != 0 or "\u1160" <= character <= "\u11ff"
