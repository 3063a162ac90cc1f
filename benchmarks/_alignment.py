"""Aligns what was read with what is written, so that spans of one are spans of the other."""

from __future__ import annotations

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

_LEAST = 60.0  # per cent that a passage must be like the place where it is put
_MARGIN = 30  # characters around that place


class Aligner:
    """Places passages of a reading in the true text of the page."""

    def __init__(self, truth: str) -> None:
        self.truth = truth
        self._maps: dict[str, list[int] | None] = {}

    def locate(self, passage: str, start: int, end: int) -> tuple[int, int] | None:
        """Return the span of the truth for ``passage[start:end]``, or None."""
        if passage not in self._maps:
            self._maps[passage] = self._map(passage)
        places = self._maps[passage]
        if places is None:
            return None
        first, last = places[start], places[end - 1] + 1
        return (first, last) if first < last else (first, first + 1)

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
