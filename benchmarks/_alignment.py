"""Aligns what was read with what is written, so that spans of one are spans of the other."""

from __future__ import annotations

import re

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

_LEAST = 60.0  # per cent that a passage must be like the place where it is put
_SURE = 0.8  # likeness above which words are taken for the same
_SHORTEST = 6  # characters that inexact words must have to be looked for
_MARGIN = 30  # characters around that place


class Aligner:
    """Places passages of a reading in the true text of the page."""

    def __init__(self, truth: str) -> None:
        self.truth = truth
        self._maps: dict[str, list[int] | None] = {}

    def locate(self, passage: str, start: int, end: int) -> tuple[int, int] | None:
        """Return the span of the truth for ``passage[start:end]``, or None.

        Where columns were read into one another the passage as a whole lies across the page;
        then the words themselves are looked for, nearest to where the passage points.
        """
        if passage not in self._maps:
            self._maps[passage] = self._map(passage)
        places, words = self._maps[passage], passage[start:end]
        found = None
        if places is not None:
            first, last = places[start], places[end - 1] + 1
            found = (first, last) if first < last else (first, first + 1)
            if self._alike(words, found):
                return found
        return self._look_for(words, found[0] if found else 0) or found

    def _alike(self, words: str, span: tuple[int, int]) -> bool:
        there = self.truth[slice(*span)]
        return Levenshtein.normalized_similarity(_plain(words), _plain(there)) >= _SURE

    def _look_for(self, words: str, near: int) -> tuple[int, int] | None:
        pattern = r"\s+".join(re.escape(word) for word in words.split())
        exact = [match.span() for match in re.finditer(pattern, self.truth)] if pattern else []
        if exact:
            return min(exact, key=lambda span: abs(span[0] - near))
        if len(words) < _SHORTEST:
            return None
        found = fuzz.partial_ratio_alignment(words, self.truth, score_cutoff=100 * _SURE)
        return (found.dest_start, found.dest_end) if found else None

    def _map(self, passage: str) -> list[int] | None:
        """Return the offset in the truth for each character of the passage."""
        at = self.truth.find(passage)
        if at >= 0:
            return list(range(at, at + len(passage)))
        window = self._window(passage)
        if window is None:
            return None
        low, high = window
        places = [low] * len(passage)
        for step in Levenshtein.opcodes(passage, self.truth[low:high]):
            for offset, source in enumerate(range(step.src_start, step.src_end)):
                inside = min(step.dest_start + offset, max(step.dest_end - 1, step.dest_start))
                places[source] = min(low + inside, len(self.truth) - 1)
        return places

    def _window(self, passage: str) -> tuple[int, int] | None:
        if len(passage) >= len(self.truth):
            alike = fuzz.partial_ratio(passage, self.truth)
            return (0, len(self.truth)) if alike >= _LEAST else None
        found = fuzz.partial_ratio_alignment(passage, self.truth, score_cutoff=_LEAST)
        if found is None:
            return None
        low = max(0, found.dest_start - _MARGIN)
        return low, min(len(self.truth), found.dest_end + _MARGIN)


def _plain(text: str) -> str:
    return " ".join(text.split())
