"""Reading order where an engine mixed two columns line by line; pure geometry.

Two columns that are not level, such as the head of a typescript, are often read as one: left and
right halves of lines take turns. Such a stretch is found by the gap that stays free on all its
lines, and put in order: all of the left column, then all of the right one, then the specks that
the engine took for words between the lines. All other text is left as the engine read it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from rdfkms.model import Box, Reading, Word

_GAP = 2.0  # widths of a gap between columns, in heights of a line
_LONG_RUN = 6  # lines on one side before the other's turn, on average
_LEVEL = 0.3  # halves of a line nearer than this, in heights, stand level


@dataclass(frozen=True, slots=True)
class _Piece:
    """Words of one line without a wide gap; `speck` where none of them looks like a word."""

    words: tuple[Word, ...]
    box: Box
    text: str
    speck: bool

    @property
    def middle(self) -> float:
        return self.box.y + self.box.h / 2


def untangled(reading: Reading) -> Reading:
    """Return the reading with mixed columns put in order; itself where there are none."""
    boxes = [word.box for word in reading.words if word.box is not None]
    if len(boxes) < len(reading.words) or not boxes:
        return reading
    height = median(box.h for box in boxes)
    pieces = list(_pieces(reading, _GAP * height))
    breaks: set[int] = set()  # first words of the columns that were put in order
    moved = False
    for gutter in _gutters(pieces, height):
        for start, end in list(_stretches(pieces, gutter, height)):
            stretch = pieces[start:end]
            if _tangled(stretch, gutter, height):
                pieces[start:end], firsts = _in_order(stretch, gutter)
                breaks |= firsts
                if end < len(pieces):
                    breaks.add(pieces[end].words[0].start)
                moved = True
    return _assembled(reading, pieces, breaks) if moved else reading


def _pieces(reading: Reading, wide: float) -> Iterator[_Piece]:
    group: list[Word] = []
    for word in reading.words:
        before = group[-1] if group else None
        if before is not None and (before.line != word.line or _gap(before, word) > wide):
            yield _piece(reading, group)
            group = []
        group.append(word)
    if group:
        yield _piece(reading, group)


def _gap(before: Word, word: Word) -> float:
    if before.box is None or word.box is None:
        return 0.0
    return word.box.x - before.box.x - before.box.w


def _piece(reading: Reading, words: Sequence[Word]) -> _Piece:
    boxes = [word.box for word in words if word.box is not None]
    box = boxes[0]
    for other in boxes[1:]:
        box = box.union(other)
    text = reading.text[words[0].start : words[-1].end]
    speck = not any(_sound(reading.text[w.start : w.end], w.confidence) for w in words)
    return _Piece(tuple(words), box, text, speck)


def _sound(text: str, confidence: float | None) -> bool:
    letters = sum(1 for c in text if c.isalnum())
    return letters >= 2 and letters * 2 > len(text) and (confidence is None or confidence > 0.3)


def _gutters(pieces: Sequence[_Piece], height: float) -> list[tuple[float, float]]:
    """Return the free strips (left, right) before edges at which two or more pieces begin."""
    edges = sorted(piece.box.x for piece in pieces if not piece.speck)
    groups: list[list[int]] = []
    for edge in edges:
        if groups and edge - groups[-1][0] <= height:
            groups[-1].append(edge)
        else:
            groups.append([edge])
    return [(g[0] - height, g[0]) for g in groups if len(g) > 1 and g[0] - height > edges[0]]


def _stretches(
    pieces: Sequence[_Piece], gutter: tuple[float, float], height: float
) -> Iterator[tuple[int, int]]:
    """Yield runs of pieces, in the engine's order, between which the strip stays free."""
    start = 0
    for index, piece in enumerate(pieces):
        across = piece.box.x < gutter[0] and piece.box.x + piece.box.w > gutter[1]
        if (across and not piece.speck) or _begins_anew(pieces[start : index + 1], gutter, height):
            yield start, index
            start = index + 1 if across else index
    yield start, len(pieces)


def _begins_anew(stretch: Sequence[_Piece], gutter: tuple[float, float], height: float) -> bool:
    """Whether the last piece stands clearly below both columns: it is another story."""
    last = stretch[-1]
    others = [piece for piece in stretch[:-1] if not piece.speck]
    if last.speck or not others or _is_right(last, gutter) or not _is_right(others[-1], gutter):
        return False
    return last.box.y - max(p.box.y + p.box.h for p in others) > height


def _is_right(piece: _Piece, gutter: tuple[float, float]) -> bool:
    return piece.box.x + piece.box.w / 2 > gutter[1]


def _tangled(stretch: Sequence[_Piece], gutter: tuple[float, float], height: float) -> bool:
    solid = [piece for piece in stretch if not piece.speck]
    sides = [_is_right(piece, gutter) for piece in solid]
    if not any(before and not side for before, side in pairwise(sides)):
        return False
    runs = 1 + sum(a is not b for a, b in pairwise(sides))
    if len(solid) > _LONG_RUN * runs:
        return False  # the engine saw the columns; what jumps is something else
    left = [p for p, side in zip(solid, sides, strict=True) if not side]
    right = [p for p, side in zip(solid, sides, strict=True) if side]
    if min(len(left), len(right)) < 2 or not (_wordy(left) and _wordy(right)):
        return False
    level = sum(1 for a in left if any(abs(a.middle - b.middle) < _LEVEL * height for b in right))
    # Halves that stand level may be the rows of a table: only running text is parted.
    return level * 2 <= len(left) or (_running(left) and _running(right))


def _wordy(pieces: Sequence[_Piece]) -> bool:
    """Whether these are lines of words, not figures or single words of a table."""
    text = "".join(piece.text for piece in pieces)
    letters = sum(1 for c in text if c.isalpha())
    return sum(len(p.words) for p in pieces) >= 1.5 * len(pieces) and letters * 2 > len(text)


def _running(pieces: Sequence[_Piece]) -> bool:
    """Whether lines go on from one to the next."""
    goes_on = [b.text[:1].islower() or a.text.endswith("-") for a, b in pairwise(pieces)]
    return sum(goes_on) * 3 >= len(goes_on) > 0


def _in_order(
    stretch: Sequence[_Piece], gutter: tuple[float, float]
) -> tuple[list[_Piece], set[int]]:
    """Return left column, right column and specks, with the first words of each."""
    left = [p for p in stretch if not p.speck and not _is_right(p, gutter)]
    right = [p for p in stretch if not p.speck and _is_right(p, gutter)]
    specks = [p for p in stretch if p.speck]
    return left + right + specks, {part[0].words[0].start for part in (left, right, specks) if part}


def _assembled(reading: Reading, pieces: Sequence[_Piece], breaks: set[int]) -> Reading:
    """Return the text and words in the order of the pieces; each piece that moved is a line."""
    out: list[str] = []
    words: list[Word] = []
    at = line = block = 0
    before: Word | None = None
    for word, first in ((w, i == 0) for piece in pieces for i, w in enumerate(piece.words)):
        if before is not None:
            gap = reading.text[before.end : word.start] if before.end <= word.start else "\n"
            if first and word.start in breaks:
                gap = "\n\n"
            elif gap.strip():
                gap = "\n"  # words between them went elsewhere
            line += "\n" in gap
            block += gap.count("\n") > 1
            out.append(gap)
            at += len(gap)
        text = reading.text[word.start : word.end]
        words.append(replace(word, start=at, end=at + len(text), line=line, block=block))
        out.append(text)
        at += len(text)
        before = word
    return replace(reading, text="".join(out), words=tuple(words))
