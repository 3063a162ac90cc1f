"""Tables of descriptions (CSV, RFC 4180), read by the column profile that is declared for them.

Each row becomes a stretch whose raw text is the row as it stands in the file, and each statement
quotes its cell. The file is read twice: first for identifiers and parents, then row by row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from rdfkms.ingest.describing.table_columns import IDENTIFIER, LEVEL, PARENT, Columns, load
from rdfkms.ingest.describing.table_rows import Row
from rdfkms.ingest.describing.table_survey import (
    Head,
    Notes,
    Survey,
    good_rows,
    head_of,
    survey,
    type_of,
)
from rdfkms.ingest.describing.table_telling import (
    Telling,
    folded_lines,
    say_cell,
    say_level,
    say_name,
    say_place,
)
from rdfkms.ingest.describing.textfile import as_utf8
from rdfkms.model import Fault, Statement, Stretch, Thing, Unmapped

__all__ = ["Columns", "Preview", "PreviewedRow", "Said", "load", "preview", "read"]

KIND = "table"  # begins the identity of each row


def read(path: Path, notes: list[Fault], columns: Columns) -> Iterator[Stretch]:
    """Yield a stretch for each row in the order of the file.

    Columns of the file that the profile does not name are told with the first row. Raises
    `BadInput` for what is no table, or none with a column that identifies its rows; `notes` gets
    what was read otherwise than the file says, and the rows that were not read.
    """
    with as_utf8(path, notes) as data:
        head = head_of(path, data, columns)
        faults = Notes(path.name)
        reader = _Reader(
            columns, columns.identity or path.name, survey(data, head, columns, faults)
        )
        notes.extend(faults.all())
        for index, row in enumerate(good_rows(data, head, None)):
            yield reader.stretch(index, row)


class _Reader:
    def __init__(self, columns: Columns, file: str, found: Survey) -> None:
        self._columns, self._file, self._survey = columns, file, found
        self._head = found.head
        self._children: dict[int, int] = {}

    def stretch(self, index: int, row: Row) -> Stretch:
        telling = Telling(row, self._thing(index, row), self._file, self._columns.language)
        self._say(telling, index)
        undeclared = self._head.undeclared if index == 0 else ()
        return Stretch(
            telling.about,
            f"row[{row.number}]",
            row.line,
            row.start,
            row.raw,
            "\n".join(filter(None, (folded_lines(row.content(cell)) for cell in row.cells))),
            self._columns.language,
            tuple(telling.statements),
            tuple(Unmapped(f"column {heading}", self._head.line) for heading in undeclared),
        )

    def _say(self, telling: Telling, index: int) -> None:
        row, roles = telling.row, self._head.roles
        parent, thing, rank = self._survey.parent(index), None, 0
        if parent is not None:
            # an identifier leads to the first row that has it, which has no line in its own
            told = self._head.told(row, PARENT)
            thing = Thing(self._survey.types[parent], (KIND, self._file, told))
            rank = self._children[parent] = self._children.get(parent, 0) + 1
        say_place(telling, roles, thing, rank)
        level = self._head.told(row, LEVEL)
        say_level(telling, roles, type_of(level, self._columns)[1] if level else "")
        for column, cell in zip(self._head.declared, row.cells, strict=True):
            if column is not None:
                say_cell(telling, column, cell)
        say_name(telling)

    def _thing(self, index: int, row: Row) -> Thing:
        identifier = self._head.told(row, IDENTIFIER)
        alone = identifier and index not in self._survey.again
        place = () if alone else (f"line {row.line}",)
        return Thing(self._survey.types[index], (KIND, self._file, identifier, *place))


# ---- preview ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Said:
    """What a column says in a row: the statement and its value, or the words that name a thing.

    `about` is the type of what the statement is about and `thing` that of what it leads to, or "".
    """

    column: str
    about: str
    statement: str
    value: str
    thing: str = ""


@dataclass(frozen=True, slots=True)
class PreviewedRow:
    """What a row would say, and what it is."""

    line: int
    type: str
    identifier: str
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What a table would say by a profile.

    `undeclared` are the headings of the file that the profile does not name, `lacking` the columns
    of the profile that the file does not have, `notes` the faults of the whole file.
    """

    file: str
    delimiter: str
    rows: tuple[PreviewedRow, ...]
    undeclared: tuple[str, ...]
    lacking: tuple[str, ...]
    notes: tuple[Fault, ...]


def preview(path: Path, columns: Columns, rows: int = 5) -> Preview:
    """Return what the first rows of a table would say; raises what `read` raises."""
    notes: list[Fault] = []
    with as_utf8(path, notes) as data:
        head = head_of(path, data, columns)
        faults = Notes(path.name)
        reader = _Reader(
            columns, columns.identity or path.name, survey(data, head, columns, faults)
        )
        first = islice(enumerate(good_rows(data, head, None)), rows)
        shown = tuple(_previewed(head, row, reader.stretch(index, row)) for index, row in first)
    return Preview(
        path.name, head.delimiter, shown, head.undeclared, head.lacking(columns),
        (*notes, *faults.all()),
    )  # fmt: skip


def _previewed(head: Head, row: Row, stretch: Stretch) -> PreviewedRow:
    said = tuple(_said(head, row, one) for one in stretch.statements)
    return PreviewedRow(row.line, stretch.about.type, head.told(row, IDENTIFIER), said)


def _said(head: Head, row: Row, one: Statement) -> Said:
    place = next((at for at, cell in enumerate(row.cells) if one.start < cell.end), 0)
    value = one.value.lexical if one.value is not None else row.raw[one.start : one.end]
    thing = one.object.type if one.object is not None else ""
    return Said(head.headings[place], one.subject.type, one.name, value, thing)
