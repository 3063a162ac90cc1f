"""Lays a new transcription of a page onto the passages that are there (DESIGN 4, law 3).

Passages keep their keys for ever; a new reading is cut anew and aligned onto them in reading
order, so that a correction or a better scan never orphans what was cited.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rapidfuzz.distance import Indel, Levenshtein

from rdfkms.model import Box, Word

ALIKE = 0.6  # least similarity (0..1) of a passage and its counterpart, spacing and case aside
_GROUPS = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1))  # old passages, new passages

Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Alignment:
    """For each old passage its stretch of the new text, or None; the new passages left over."""

    stretches: tuple[Stretch | None, ...]
    fresh: tuple[int, ...]


def align(old: Sequence[str], text: str, spans: Sequence[Stretch]) -> Alignment:
    """Lay `spans` of the new `text` onto the `old` passages, both in reading order.

    Up to three passages of one side may be one of the other: cutting differs between readings.
    The result has the greatest similarity, weighed by length, over the whole page.
    """
    steps = _best(old, text, spans)
    stretches: list[Stretch | None] = [None] * len(old)
    used: set[int] = set()
    for i, j, many, news in steps:
        whole = (spans[j][0], spans[j + news - 1][1])
        used.update(range(j, j + news))
        parts = [whole] if many == 1 else _parts(old[i : i + many], text, whole)
        for at, part in enumerate(parts, i):
            stretches[at] = part
    fresh = tuple(j for j in range(len(spans)) if j not in used)
    return Alignment(tuple(stretches), fresh)


def _best(
    old: Sequence[str], text: str, spans: Sequence[Stretch]
) -> list[tuple[int, int, int, int]]:
    """Return the groups of the best alignment: first old and new passage, how many of each."""
    rows, columns = len(old), len(spans)
    score = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    choice: dict[tuple[int, int], tuple[int, int]] = {}
    for i in range(rows, -1, -1):
        for j in range(columns, -1, -1):
            options = [(score[i + 1][j], (1, 0))] if i < rows else []
            options += [(score[i][j + 1], (0, 1))] if j < columns else []
            for many, news in _GROUPS:
                if i + many <= rows and j + news <= columns:
                    one = "\n".join(old[i : i + many])
                    alike = likeness(one, text[spans[j][0] : spans[j + news - 1][1]])
                    if alike >= ALIKE:
                        gain = alike * len(one) + score[i + many][j + news]
                        options.append((gain, (many, news)))
            if options:
                score[i][j], choice[i, j] = max(options)
    steps, i, j = [], 0, 0
    while (i, j) in choice:
        many, news = choice[i, j]
        if many and news:
            steps.append((i, j, many, news))
        i, j = i + many, j + news
    return steps


def _parts(old: Sequence[str], text: str, whole: Stretch) -> list[Stretch | None]:
    """Divide a stretch among several old passages where their ends fall in it."""
    start, end = whole
    places = Places("\n".join(old), text[start:end])
    parts: list[Stretch | None] = []
    at = 0
    for passage in old:
        a, b = places.span(at, at + len(passage))
        at += len(passage) + 1
        piece = text[start + a : start + b]
        a, b = a + len(piece) - len(piece.lstrip()), b - (len(piece) - len(piece.rstrip()))
        parts.append((start + a, start + b) if a < b else None)
    return parts


def likeness(one: str, other: str) -> float:
    """Return how alike two texts are, 0 to 1, spacing and case aside."""
    return float(Indel.normalized_similarity(_folded(one), _folded(other)))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


@dataclass(frozen=True)
class Places:
    """Where the places of one text are in another reading of it."""

    old: str
    new: str

    @cached_property
    def _codes(self) -> list[tuple[str, int, int, int, int]]:
        codes = Levenshtein.opcodes(self.old, self.new)
        return [(c.tag, c.src_start, c.src_end, c.dest_start, c.dest_end) for c in codes]

    def span(self, start: int, end: int) -> Stretch:
        """Return the stretch of the new text that stands for ``old[start:end]``.

        It ends at word ends where the old stretch did.
        """
        a, b = self._at(start, ends=False), self._at(end, ends=True)
        if _is_edge(self.old, start):
            while a > 0 and not _is_edge(self.new, a):
                a -= 1
        if _is_edge(self.old, end):
            while b < len(self.new) and not _is_edge(self.new, b):
                b += 1
        return a, max(a, b)

    def _at(self, place: int, *, ends: bool) -> int:
        for tag, i1, i2, j1, j2 in self._codes:
            inside = i1 < place <= i2 if ends else i1 <= place < i2
            if inside:
                if tag == "equal":
                    return j1 + place - i1
                if ends:
                    return j2 if place == i2 else min(j1 + place - i1, j2)
                return min(j1 + place - i1, j2)
        return len(self.new) if place >= len(self.old) else 0


def _is_edge(text: str, place: int) -> bool:
    if place <= 0 or place >= len(text):
        return True
    return not (text[place - 1].isalnum() and text[place].isalnum())


def boxed(old: str, words: Sequence[Word], new: str) -> tuple[Word, ...]:
    """Return the words of a corrected text, each with the box of what stood there before.

    A word that stands for several has the box around them; an added word has none.
    """
    places = Places(new, old)
    found = []
    for start, end in _tokens(new):
        a, b = places.span(start, end)
        under = [w for w in words if w.box is not None and w.start < b and w.end > a]
        box: Box | None = None
        for word in under:
            if word.box is not None and word.line == under[0].line:
                box = word.box if box is None else box.union(word.box)
        if under:
            found.append(replace(under[0], start=start, end=end, box=box, confidence=None))
        else:
            line = found[-1].line if found else 0
            block = found[-1].block if found else 0
            found.append(Word(start, end, None, None, line, block))
    return tuple(found)


def _tokens(text: str) -> list[Stretch]:
    tokens, start = [], -1
    for at, sign in enumerate(f"{text} "):
        if sign.isspace():
            if start >= 0:
                tokens.append((start, at))
            start = -1
        elif start < 0:
            start = at
    return tokens
