"""Words to lines, lines to paragraphs, by where they stand on the page. Pure geometry.

Vertical pages are turned in thought: a column becomes a line, so one set of rules serves both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from statistics import median

from rdfkms.model import Box, Word

# What may end a paragraph; a colon announces what follows: "Presidente:", then his name.
_ENDS = re.compile(r"[.!?…;。！？」]['\"»”’)\]]*\s*$")
_STOP = re.compile(r"[.!?…。！？」]['\"»”’)\]]*\s*$")


@dataclass(frozen=True, slots=True)
class Line:
    """A line (or vertical column) of a reading: ``text[start:end]``, its box on the page.

    `flow` is the box turned so that text runs from left to right and lines from top to bottom.
    """

    start: int
    end: int
    box: Box
    flow: Box
    block: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines that belong together."""

    lines: tuple[Line, ...]

    @property
    def start(self) -> int:
        """Offset of the first code point."""
        return self.lines[0].start

    @property
    def end(self) -> int:
        """Offset after the last code point."""
        return self.lines[-1].end


def lines_of(text: str, words: Sequence[Word], *, vertical: bool = False) -> list[Line]:
    """Return the lines of a reading in reading order."""
    groups: dict[int, list[Word]] = {}
    for word in words:
        if word.box is not None:
            groups.setdefault(word.line, []).append(word)
    lines = []
    for members in groups.values():
        box = union(_core(text, members))
        start, end = members[0].start, members[-1].end
        flow = Box(box.y, -(box.x + box.w), box.h, box.w) if vertical else box
        lines.append(Line(start, end, box, flow, members[0].block, text[start:end]))
    return lines


def _core(text: str, words: Sequence[Word]) -> list[Box]:
    """Return the boxes of a line without specks far from it: a hole, a page's edge."""
    found = [(text[w.start : w.end], w.box) for w in words if w.box is not None]
    reach = 3 * median(box.h for _, box in found)
    while len(found) > 1 and _speck(found[0][0]) and _apart(found[0][1], found[1][1]) > reach:
        found.pop(0)
    while len(found) > 1 and _speck(found[-1][0]) and _apart(found[-2][1], found[-1][1]) > reach:
        found.pop()
    return [box for _, box in found]


def _speck(text: str) -> bool:
    letters = [c for c in text if c.isalnum()]
    return len(letters) < 2 and all(c.isascii() for c in letters)  # one Han character is a word


def _apart(a: Box, b: Box) -> int:
    """The free space between two boxes along the line, of whichever direction."""
    return max(b.x - a.x - a.w, b.y - a.y - a.h, a.x - b.x - b.w)


def union(boxes: Iterable[Box]) -> Box:
    """Return the smallest box around all (at least one)."""
    return reduce(Box.union, boxes)


def paragraphs(lines: Sequence[Line], opens: Callable[[str], bool]) -> list[Paragraph]:
    """Return paragraphs; `opens` says whether a line must begin one (a section header)."""
    if not lines:
        return []
    pitch = _pitch(lines)
    frames = [_frame(lines, i) for i in range(len(lines))]
    result: list[list[Line]] = [[lines[0]]]
    for i in range(1, len(lines)):
        before, line = lines[i - 1], lines[i]
        if opens(line.text) or _breaks(before, line, frames[i - 1], frames[i], pitch):
            result.append([])
        result[-1].append(line)
    return [Paragraph(tuple(group)) for group in result]


def _breaks(before: Line, line: Line, old: Box, frame: Box, pitch: float) -> bool:
    """Whether a new paragraph begins with `line`."""
    open_sentence = not _STOP.search(before.text) and line.text[:1].islower()
    if not same_column(before.flow, line.flow):
        # The next column goes on with the sentence, or it is something else.
        words = len(before.text.split()) > 1 or line.flow != line.box
        return not ((open_sentence and words) or before.text.rstrip().endswith("-"))
    gap = (line.flow.y + line.flow.h / 2) - (before.flow.y + before.flow.h / 2)
    if gap > 2.2 * pitch:
        return True
    if gap > 1.28 * pitch and not open_sentence:
        return True
    size = line.flow.h / max(1, before.flow.h)
    if not 0.5 < size < 2.0 and not open_sentence and abs(line.flow.h - before.flow.h) > pitch / 2:
        return True
    return _indented(before, line, old, frame, pitch)


def _indented(before: Line, line: Line, old: Box, frame: Box, pitch: float) -> bool:
    # A vertical column is filled to its foot unless the entry ends, whatever OCR makes of "。".
    ends = bool(_ENDS.search(before.text)) or line.flow != line.box
    short = before.flow.x + before.flow.w < old.x + old.w - max(2 * pitch, old.w * 0.12)
    indent = line.flow.x > frame.x + 0.6 * pitch and line.flow.x > before.flow.x + 0.6 * pitch
    return ends and (short or indent)


def same_column(a: Box, b: Box) -> bool:
    """Whether `b` stands below `a`: it goes on downwards and shares half of the narrower width."""
    shared = min(a.x + a.w, b.x + b.w) - max(a.x, b.x)
    return shared > 0.5 * min(a.w, b.w) and b.y + b.h / 2 > a.y + a.h / 2


def _frame(lines: Sequence[Line], index: int) -> Box:
    """The column around a line: lines reached without leaving it, upwards and downwards."""
    low = high = index
    while low > 0 and index - low < 40 and same_column(lines[low - 1].flow, lines[low].flow):
        low -= 1
    while (
        high + 1 < len(lines)
        and high - index < 40
        and same_column(lines[high].flow, lines[high + 1].flow)
    ):
        high += 1
    return union([line.flow for line in lines[low : high + 1]])


def _pitch(lines: Sequence[Line]) -> float:
    """The usual distance from line to line."""
    steps = []
    for before, line in pairwise(lines):
        if same_column(before.flow, line.flow):
            steps.append(line.flow.y + line.flow.h / 2 - before.flow.y - before.flow.h / 2)
    if steps:
        return max(1.0, median(steps))
    return 1.5 * max(1.0, median(line.flow.h for line in lines))


def columns_of(boxes: Sequence[tuple[Box, Box]]) -> tuple[Box, ...]:
    """Return one box for each column that lines cross; given (box, flow) of lines in order."""
    result: list[Box] = []
    before: Box | None = None
    for box, flow in boxes:
        if before is not None and same_column(before, flow):
            result[-1] = result[-1].union(box)
        else:
            result.append(box)
        before = flow
    return tuple(result)
