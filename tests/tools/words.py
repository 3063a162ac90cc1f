"""Readings made of words at places, as an engine would give them."""

from __future__ import annotations

from collections.abc import Sequence

from rdfkms.model import Box, Reading, Word

WIDTH, HEIGHT = 14, 20  # of a letter of the fictional typewriter


def reading(lines: Sequence[Sequence[tuple[str, int, int]]], confidence: float = 0.9) -> Reading:
    """Return a reading; each line is pieces (text, x, y), each piece split into words."""
    out = ""
    words: list[Word] = []
    for number, pieces in enumerate(lines):
        out += "\n" if number else ""
        fresh = True
        for text, left, y in pieces:
            x = left
            for word in text.split():
                out += "" if fresh else " "
                fresh = False
                box = Box(x, y, WIDTH * len(word), HEIGHT)
                words.append(Word(len(out), len(out) + len(word), box, confidence, number, 0))
                out += word
                x += WIDTH * (len(word) + 1)
    return Reading(out, tuple(words), "typewriter", "1")


def column(
    lines: Sequence[str], x: int = 100, y: int = 100, pitch: int = 40
) -> list[list[tuple[str, int, int]]]:
    """Return lines below each other for `reading`; an empty line leaves a gap."""
    return [[(line, x, y + pitch * n)] for n, line in enumerate(lines) if line]
