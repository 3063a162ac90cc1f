"""The words of a version as a file: zstd JSON, content-addressed (DESIGN 4, "text of a unit")."""

from __future__ import annotations

import json

import zstandard

from rdfkms.errors import Broken
from rdfkms.model import Box, TextVersion, Word

_LARGEST = 500_000_000


def dump(version: TextVersion) -> bytes:
    """Return ``{"text", "words": [[start, end, x, y, w, h, confidence, line, block], ...]}``."""
    rows = [[w.start, w.end, *_sides(w.box), w.confidence, w.line, w.block] for w in version.words]
    value = {"text": version.text, "words": rows}
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    return zstandard.ZstdCompressor(level=9).compress(data)


def load(data: bytes) -> tuple[str, tuple[Word, ...]]:
    """Return text and words of a words file; raises `Broken` when it is none."""
    try:
        value = json.loads(zstandard.ZstdDecompressor().decompress(data, max_output_size=_LARGEST))
        words = tuple(_word(row) for row in value["words"])
        return str(value["text"]), words
    except (zstandard.ZstdError, ValueError, KeyError, TypeError) as err:
        raise Broken(
            f"A words file is damaged: {err}.", hint="Restore files/ from a backup."
        ) from err


def boxes_of(words: tuple[Word, ...], start: int, end: int) -> tuple[Box, ...]:
    """Return the boxes of the words that [start, end) touches, merged line by line."""
    merged: dict[int, Box] = {}
    for word in words:
        if word.box is not None and word.start < end and word.end > start:
            known = merged.get(word.line)
            merged[word.line] = word.box if known is None else known.union(word.box)
    return tuple(merged[line] for line in sorted(merged))


def _sides(box: Box | None) -> tuple[int | None, ...]:
    return (None,) * 4 if box is None else (box.x, box.y, box.w, box.h)


def _word(row: list[int | float | None]) -> Word:
    start, end, x, y, w, h, confidence, line, block = row
    box = None if x is None else Box(int(x), int(y or 0), int(w or 0), int(h or 0))
    return Word(int(start or 0), int(end or 0), box, confidence, int(line or 0), int(block or 0))
