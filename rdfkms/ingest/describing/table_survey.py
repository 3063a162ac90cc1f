"""What is learnt of a table before it is read: its headings, whose parent is whose, and faults.

Identifiers and parents are all that is kept, some numbers and words for each row.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rdfkms.errors import BadInput
from rdfkms.ingest.describing.table_columns import (
    IDENTIFIER,
    LEVEL,
    PARENT,
    ROLES,
    TYPE,
    Column,
    Columns,
    folded,
)
from rdfkms.ingest.describing.table_rows import DELIMITERS, Broken, Data, Row, rows
from rdfkms.model import Fault

MOST_NOTES = 500  # faults that are told one by one
_SHOWN = 10  # rows of a circle
_NONE = -1
_SPREADSHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")


@dataclass(frozen=True, slots=True)
class Head:
    """The row of headings: which column is declared for each cell, and what is missing.

    `declared` has a place for each cell, None where no column is declared for it. `roles` are the
    cells that identify a row, name its parent and tell its type.
    """

    delimiter: str
    line: int
    headings: tuple[str, ...]
    declared: tuple[Column | None, ...]
    roles: dict[str, int]

    @property
    def undeclared(self) -> tuple[str, ...]:
        """The headings of the file of which the profile says nothing."""
        told = zip(self.headings, self.declared, strict=True)
        return tuple(
            heading or f"{number} (without heading)"
            for number, (heading, column) in enumerate(told, 1)
            if column is None
        )

    def lacking(self, columns: Columns) -> tuple[str, ...]:
        """Return the declared columns that the file does not have, by their first heading."""
        return tuple(one.headings[0] for one in columns.columns if one not in self.declared)

    def told(self, row: Row, role: str) -> str:
        """Return what a row says in the column of a role, white space folded; "" for none."""
        at = self.roles.get(role)
        return "" if at is None else " ".join(row.content(row.cells[at]).split())


def head_of(path: Path, data: Data, columns: Columns) -> Head:
    """Return the headings; raises `BadInput` where there are none that identify the rows."""
    if bytes(data[:4]) in _SPREADSHEETS:
        raise BadInput(
            f"{path.name} is a file of a spreadsheet program, not a table in plain text.",
            hint="Save it as CSV in UTF-8.",
        )
    found = [
        _head(row, one, columns)
        for one in ([columns.delimiter] if columns.delimiter else DELIMITERS)
        if isinstance(row := next(rows(data, one), None), Row)
    ]
    if not found:
        raise BadInput(f"{path.name} has no row of headings.", hint="Export it again, as CSV.")
    # The delimiter is the one that leads to the columns that are declared.
    head = max(found, key=lambda one: (sum(c is not None for c in one.declared),
                                       len(one.headings)))  # fmt: skip
    if IDENTIFIER not in head.roles:
        wanted = next(one for one in columns.columns if one.says == IDENTIFIER)
        shown = ", ".join(filter(None, head.headings))
        raise BadInput(
            f"{path.name}, line {head.line}: no column has the heading "
            f"{' or '.join(map(repr, wanted.headings))}, which identifies the rows.",
            hint=f"The headings are: {shown[:300]}. Declare them in a column profile.",
        )
    return head


def _head(row: Row, delimiter: str, columns: Columns) -> Head:
    headings = tuple(" ".join(row.content(cell).split()) for cell in row.cells)
    roles: dict[str, int] = {}
    declared: list[Column | None] = []
    for place, heading in enumerate(headings):
        column = columns.column_of(heading)
        if column is not None and column.says in ROLES:
            if column.says in roles:
                column = None  # what plays a part does so once
            else:
                roles[column.says] = place
        declared.append(column)
    return Head(delimiter, row.line, headings, tuple(declared), roles)


@dataclass(slots=True)
class Notes:
    """Faults by line; those beyond `MOST_NOTES` are counted."""

    source: str
    _told: list[tuple[int, Fault]] = field(default_factory=list)
    _more: int = 0

    def add(self, line: int, reason: str, hint: str, last: int = 0) -> None:
        """Note what is wrong with the row of a line, or of several."""
        if len(self._told) == MOST_NOTES:
            self._more += 1
            return
        place = f"lines {line} to {last}" if last > line else f"line {line}"
        self._told.append((line, Fault(self.source, place, reason, hint)))

    def all(self) -> Iterator[Fault]:
        """Yield the faults in the order of the file."""
        for _, fault in sorted(self._told, key=lambda one: one[0]):
            yield fault
        if self._more:
            reason = f"There are {self._more:,} faults more."
            yield Fault(
                self.source, "the file", reason, "Mend those that are told, and look again."
            )


@dataclass(slots=True)
class Survey:
    """What the rows of a table are to each other; rows are counted from 0, those read alone."""

    head: Head
    parents: array[int]
    types: list[str]
    again: set[int]

    def parent(self, index: int) -> int | None:
        """Return the row that a row belongs to, or None."""
        found = self.parents[index]
        return None if found == _NONE else found


def survey(data: Data, head: Head, columns: Columns, notes: Notes) -> Survey:
    """Read a table once for identifiers, parents and types; `notes` gets all that is wrong."""
    lines, parents = array("l"), array("l")
    first: dict[str, int] = {}
    named: list[str] = []
    types: list[str] = []
    again: set[int] = set()
    kept: dict[str, str] = {}  # the same words once
    unknown: set[str] = set()
    for row in good_rows(data, head, notes):
        index = len(lines)
        lines.append(row.line)
        identifier, parent = head.told(row, IDENTIFIER), head.told(row, PARENT)
        if not identifier:
            notes.add(row.line, "The row has no identifier; it is known by its line.",
                      "Give each row an identifier of its own.")  # fmt: skip
        elif first.setdefault(identifier, index) != index:
            again.add(index)
            notes.add(
                row.line,
                f"The identifier {identifier!r} is that of line {lines[first[identifier]]} as "
                "well; this row is known by its line.",
                "Give each row an identifier of its own.",
            )
        named.append(kept.setdefault(parent, parent))
        types.append(_type(row, head, columns, notes, unknown))
    for index, parent in enumerate(named):
        found = first.get(parent, _NONE) if parent else _NONE
        if parent and found == _NONE:
            notes.add(lines[index], f"No row has the identifier {parent!r}, which is given as the "
                      "parent; the row was read as belonging to none.",
                      "Look whether it is written as in its own row.")  # fmt: skip
        parents.append(found)
    _cut_circles(parents, lines, named, notes)
    _settle_types(parents, types)
    return Survey(head, parents, types, again)


def good_rows(data: Data, head: Head, notes: Notes | None) -> Iterator[Row]:
    """Yield the rows below the headings that have as many cells; others are noted."""
    width = len(head.headings)
    for row in rows(data, head.delimiter):
        if row.number == 0:
            continue
        if isinstance(row, Broken):
            if notes is not None:
                notes.add(row.line, f"The row was not read: {row.why}.", "Mend it in the file.",
                          row.last)  # fmt: skip
        elif len(row.cells) == width:
            yield row
        elif notes is not None:
            notes.add(
                row.line,
                f"The row was not read: it has {len(row.cells)} cells, the headings are {width}.",
                f"Look at its quotation marks and at each {head.delimiter!r} in it.",
            )


def type_of(word: str, columns: Columns) -> tuple[str, str]:
    """Return the entity type and the type of record set that a word for a level or type means."""
    told = columns.types.get(folded(word))
    return (told.type, told.set) if told is not None else (columns.type, "")


def _type(row: Row, head: Head, columns: Columns, notes: Notes, unknown: set[str]) -> str:
    word = head.told(row, LEVEL) or head.told(row, TYPE)
    if word and folded(word) not in columns.types and folded(word) not in unknown:
        unknown.add(folded(word))
        notes.add(row.line, f"What {word!r} means is not declared; such rows were read as "
                  f"{columns.type}.", "Declare it in [types] of the column profile.")  # fmt: skip
    return type_of(word, columns)[0]


def _cut_circles(parents: array[int], lines: array[int], named: list[str], notes: Notes) -> None:
    """Make each row of a circle of parents one without parent."""
    walk = array("l", [0]) * len(parents)  # on which walk a row was met; 0: on none yet
    for start in range(len(parents)):
        at, path = start, list[int]()
        while at != _NONE and not walk[at]:
            walk[at] = start + 1
            path.append(at)
            at = parents[at]
        if at == _NONE or walk[at] != start + 1:
            continue
        circle = path[path.index(at) :]
        shown = ", ".join(f"line {lines[one]} (parent {named[one]!r})" for one in circle[:_SHOWN])
        more = f" and {len(circle) - _SHOWN:,} more" if len(circle) > _SHOWN else ""
        for one in circle:
            parents[one] = _NONE
        notes.add(min(lines[one] for one in circle),
                  f"Rows are parents of each other in a circle: {shown}{more}; each was read as "
                  "belonging to none.", "Mend the parents of these rows.")  # fmt: skip


def _settle_types(parents: array[int], types: list[str]) -> None:
    """Make what belongs to a record, or to a part of one, a part of it."""
    settled = bytearray(len(parents))
    for start in range(len(parents)):
        at, path = start, list[int]()
        while at != _NONE and not settled[at]:
            path.append(at)
            at = parents[at]
        for one in reversed(path):
            parent = parents[one]
            if parent != _NONE and types[parent] != "RecordSet":
                types[one] = "RecordPart"
            settled[one] = 1
