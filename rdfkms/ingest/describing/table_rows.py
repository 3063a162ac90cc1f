"""Rows of delimited text (RFC 4180) with the place of each cell in the file.

Lines end with LF, CRLF or CR. A row that is broken is told with its lines, and the reading goes on
behind it; no row may be larger than `MOST_ROW`, so that a quotation mark which is never closed
does not take in the rest of the file.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator
from dataclasses import dataclass

MOST_ROW = 1_000_000  # bytes
DELIMITERS = (",", ";", "\t", "|")
_END = re.compile(rb"\r\n|\n|\r")
_QUOTED = re.compile(rb'"((?:[^"]++|"")*+)"')
# the same that the gate takes for unwritable: RDF/XML has no place for these
_UNWRITABLE = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\ufffe\uffff]")

Data = mmap.mmap | bytes


@dataclass(frozen=True, slots=True)
class Cell:
    """Where the content of a cell stands in its row, in code points, quotation marks not counted.

    In a `quoted` cell a quotation mark of its words is written twice.
    """

    start: int
    end: int
    quoted: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it stands in the file, without the end of its line.

    `number` counts the rows of the file that are not blank, from 0: the headings. `line`, from 1,
    and `start`, a byte, are where it begins.
    """

    number: int
    line: int
    start: int
    raw: str
    cells: tuple[Cell, ...]

    def content(self, cell: Cell) -> str:
        """Return the words of a cell: as it stands, doubled quotation marks resolved."""
        raw = self.raw[cell.start : cell.end]
        return raw.replace('""', '"') if cell.quoted else raw


@dataclass(frozen=True, slots=True)
class Broken:
    """A row that cannot be read: its lines and why, in words that go on from them."""

    number: int
    line: int
    last: int
    why: str


def rows(data: Data, delimiter: str) -> Iterator[Row | Broken]:
    """Yield the rows of a table in UTF-8 in its order; blank ones are left out."""
    reader = _Reader(data, delimiter)
    at, line, number = 0, 1, 0
    while at < len(data):
        told, after = reader.at(at, line, number)
        line += breaks(data[at:after])
        at = after
        if told is not None:
            number += 1
            yield told


def breaks(data: bytes) -> int:
    """Return how many ends of lines there are."""
    found = data.count(b"\n")
    if b"\r" in data:
        found += data.count(b"\r") - data.count(b"\r\n")
    return found


class _Reader:
    def __init__(self, data: Data, delimiter: str) -> None:
        self._data, self._delimiter = data, delimiter.encode()
        self._plain = re.compile(rb"[^\r\n" + re.escape(self._delimiter) + rb"]*")

    def at(self, at: int, line: int, number: int) -> tuple[Row | Broken | None, int]:
        """Return the row that begins at a byte, None for a blank one, and where the next begins."""
        limit = min(len(self._data), at + MOST_ROW)
        end = _END.search(self._data, at, limit)
        if end is not None or limit == len(self._data):
            stop, after = end.span() if end is not None else (limit, limit)
            raw = self._data[at:stop]
            if b'"' not in raw:
                return _row(at, raw, self._split(raw), line, number), after
        spans, stop, fault = self._cells(at, limit)
        if fault:
            after = self._behind(stop)
            last = line + max(breaks(self._data[at:after]) - 1, 0)
            return Broken(number, line, last, fault), after
        raw = self._data[at:stop]
        inner = [(start - at, end - at, quoted) for start, end, quoted in spans]
        end = _END.match(self._data, stop)
        return _row(at, raw, inner, line, number), end.end() if end is not None else stop

    def _split(self, raw: bytes) -> list[tuple[int, int, bool]]:
        spans, at = [], 0
        for piece in raw.split(self._delimiter):
            spans.append((at, at + len(piece), False))
            at += len(piece) + 1
        return spans

    def _cells(self, at: int, limit: int) -> tuple[list[tuple[int, int, bool]], int, str]:
        """Return the cells from a byte to the end of the row, where that is, and what is wrong.

        Where something is, the place is one in the last line that belongs to it.
        """
        data, spans = self._data, list[tuple[int, int, bool]]()
        while True:
            opened = at
            if data[at : at + 1] == b'"':
                found = _QUOTED.match(data, at, limit)
                if found is None:  # it is the mark that is wrong: the lines behind it are rows
                    return spans, opened, "a quotation mark is opened and never closed"
                spans.append((*found.span(1), True))
                at = found.end()
                if at < limit and data[at : at + 1] not in (self._delimiter, b"\r", b"\n"):
                    return spans, at, "words stand behind the quotation mark that closes a cell"
            else:
                plain = self._plain.match(data, at, limit)
                at = plain.end() if plain is not None else at
                spans.append((opened, at, False))
            if at == limit and limit < len(data):
                return spans, at, f"the row has more than {MOST_ROW:,} bytes"
            if data[at : at + 1] != self._delimiter:
                return spans, at, ""
            at += 1

    def _behind(self, at: int) -> int:
        """Return where the next line begins."""
        end = _END.search(self._data, at)
        return end.end() if end is not None else len(self._data)


def _row(
    at: int, raw: bytes, spans: list[tuple[int, int, bool]], line: int, number: int
) -> Row | Broken | None:
    if not any(raw[start:end].decode().strip() for start, end, _ in spans):
        return None
    text = raw.decode()
    if _UNWRITABLE.search(text):
        last = line + breaks(raw)
        return Broken(number, line, last, "it has control characters, which no text has")
    if len(text) == len(raw):
        return Row(number, line, at, text, tuple(Cell(*span) for span in spans))
    cells, before, place = [], 0, 0
    for start, end, quoted in spans:
        place += start - before  # delimiter and quotation marks: a byte each
        width = len(raw[start:end].decode())
        cells.append(Cell(place, place + width, quoted))
        place, before = place + width, end
    return Row(number, line, at, text, tuple(cells))
