"""Finds a quote again in a newer transcription of its passage: exactly, or nearly in its place.

Nothing is set to words that say something else: figures must be the same, and what stands before
and after must be alike. What cannot be found so is for a person (law 1 holds meanwhile: the older
transcription stays).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from rapidfuzz.distance import Levenshtein

from rdfkms.admission.reasons import quoted, reason
from rdfkms.ingest.aligning import Places, likeness
from rdfkms.model import Claim, Kind, Pointer, UnitText

FAR = 0.25  # most edits, as a share of the longer of the two quotes
AROUND = 24  # characters before and after that are compared
AGREEING = 0.5  # least likeness of what stands around, on average
LONG = 30  # a quote this long that stands once is the same wherever it stands
_FIGURES = re.compile(r"(?<![^\W_])\d+(?![^\W_])")  # within a word it is a misread letter


@dataclass(frozen=True, slots=True)
class Anchored:
    """A quote in the newer text: its span, its words there, whether they are to the letter."""

    start: int
    end: int
    quote: str
    is_exact: bool


def found_again(places: Places, start: int, end: int) -> Anchored | None:
    """Return where ``places.old[start:end]`` stands in ``places.new``, or None."""
    quote, text = places.old[start:end], places.new
    spots = [at for at in _occurrences(quote, text) if _same_edges(places, start, end, at)]
    best = max(spots, key=lambda at: _rank(places, start, end, at), default=None)
    if best is not None:
        alone = len(spots) == 1 and len(quote) >= LONG
        if alone or _agreement(places, start, end, best, best + len(quote)) >= AGREEING:
            return Anchored(best, best + len(quote), quote, True)
    a, b = places.span(start, end)
    piece = text[a:b]
    a, b = a + len(piece) - len(piece.lstrip()), b - (len(piece) - len(piece.rstrip()))
    now = text[a:b]
    near = bool(now) and Levenshtein.normalized_distance(quote, now) <= FAR
    if not near or _FIGURES.findall(quote) != _FIGURES.findall(now):
        return None
    if _agreement(places, start, end, a, b) < AGREEING:
        return None
    return Anchored(a, b, now, now == quote)


def _occurrences(quote: str, text: str) -> list[int]:
    spots, at = [], text.find(quote)
    while at >= 0:
        spots.append(at)
        at = text.find(quote, at + 1)
    return spots


def _same_edges(places: Places, start: int, end: int, at: int) -> bool:
    """A quote of whole words is not found within a longer word."""
    last = at + end - start

    def whole(text: str, a: int, b: int) -> tuple[bool, bool]:
        before = a > 0 and text[a - 1].isalnum() and text[a].isalnum()
        after = b < len(text) and text[b - 1].isalnum() and text[b].isalnum()
        return before, after

    return whole(places.new, at, last) == whole(places.old, start, end)


def _rank(places: Places, start: int, end: int, at: int) -> tuple[float, int]:
    near = -abs(at - places.span(start, end)[0])
    return round(_agreement(places, start, end, at, at + end - start), 2), near


def _agreement(places: Places, start: int, end: int, a: int, b: int) -> float:
    """Return how alike the texts around two spans are; 1 where both stand alone."""
    pairs = [
        (places.old[max(0, start - AROUND) : start], places.new[max(0, a - AROUND) : a]),
        (places.old[end : end + AROUND], places.new[b : b + AROUND]),
    ]
    told = [likeness(one, other) for one, other in pairs if one.strip() or other.strip()]
    return sum(told) / len(told) if told else 1.0


def carried(
    claim: Claim, pointer: Pointer, places: Places, text: UnitText
) -> tuple[Claim, Pointer, bool] | None:
    """Return a claim with one of its pointers set into the newer `text`, and if to the letter.

    A mention or trigger takes the words that stand there now: that is what it says. Any other
    claim whose value no longer stands in its quote is not carried over. None where it cannot be.
    """
    now = found_again(places, pointer.start, pointer.end)
    if now is None:
        return None
    after = claim if now.is_exact else _reworded(claim, pointer, places, now)
    if after is None:
        return None
    return after, Pointer(pointer.unit, text.key, now.start, now.end, now.quote), now.is_exact


def _reworded(claim: Claim, pointer: Pointer, places: Places, now: Anchored) -> Claim | None:
    said = (claim.value.verbatim or claim.value.lexical) if claim.value else ""
    at = pointer.quote.find(said) if said else -1
    if claim.value is None or at < 0:
        return claim
    start = pointer.start + at
    inside = found_again(places, start, start + len(said))
    if inside is None or not now.start <= inside.start < inside.end <= now.end:
        return None
    if inside.quote == said:
        return claim
    if claim.kind not in (Kind.MENTION, Kind.EVENT):
        return None
    return replace(claim, value=replace(claim.value, lexical=inside.quote))


def told(claim: Claim, *, code: str = "reanchored", what: str = "") -> Claim:
    """Return the claim with the reason that says what a newer transcription did to its quote."""
    kept = tuple(r for r in claim.reasons if r.code not in ("reanchored", "quoteLost"))
    found = reason(code, what=quoted(what)) if what else reason(code)
    return replace(claim, reasons=(*kept, found))
