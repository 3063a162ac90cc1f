"""What a row of a table states, each statement with the words of its cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rdfkms.ingest.describing import languages
from rdfkms.ingest.describing.dates import edges, edtf, span
from rdfkms.ingest.describing.table_columns import (
    IDENTIFIER,
    LEVEL,
    NAME,
    NOTE,
    PARENT,
    Column,
    Meaning,
)
from rdfkms.ingest.describing.table_rows import Cell, Row
from rdfkms.ingest.describing.things import (
    AGENTS,
    SET_TYPES,
    address,
    by_name,
    ends_of_span,
    the_file,
)
from rdfkms.model import Statement, Thing, Value

FILE = the_file()
_HAS_WORDS = re.compile(r"\w")
_SOME_MONTH = re.compile(r"\d{4}-\d\d")  # "1905-12" may be eight years as well


@dataclass(frozen=True, slots=True)
class Piece:
    """A value within a cell: where it stands in the row, and its words, each line folded."""

    start: int
    end: int
    words: str

    @property
    def line(self) -> str:
        """The words on one line."""
        return self.words.replace("\n", " ")


@dataclass
class Telling:
    """Collects the statements of a row about a thing; `file` names the table in identities."""

    row: Row
    about: Thing
    file: str
    language: str = ""
    _said: dict[Statement, None] = field(default_factory=dict)  # each once, in order

    def say(
        self,
        name: str,
        piece: Piece,
        value: Value | str | None = None,
        *,
        subject: Thing | None = None,
        object: Thing | None = None,
    ) -> None:
        """Add a statement that quotes a piece; a string is a value in no language."""
        if isinstance(value, str):
            value = Value(value)
        made = Statement(name, subject or self.about, piece.start, piece.end, value, object)
        self._said.setdefault(made)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """What was said so far, in order."""
        return tuple(self._said)

    def whole(self, cell: Cell | None) -> Piece:
        """Return all words of a cell, or of the row where it has none."""
        pieces = pieces_of(self.row, cell, "") if cell is not None else iter(())
        raw = self.row.raw
        start = len(raw) - len(raw.lstrip())
        return next(pieces, Piece(start, len(raw.rstrip()), raw))


def pieces_of(row: Row, cell: Cell, separator: str) -> Iterator[Piece]:
    """Yield the values of a cell that have words, without the space around them."""
    raw, at = row.raw[cell.start : cell.end], cell.start
    for piece in raw.split(separator) if separator else (raw,):
        bare = piece.strip()
        if bare:
            start = at + len(piece) - len(piece.lstrip())
            told = bare.replace('""', '"') if cell.quoted else bare
            yield Piece(start, start + len(bare), folded_lines(told))
        at += len(piece) + len(separator)


def folded_lines(text: str) -> str:
    """Return words with the white space of each line folded, lines without any left out."""
    lines = (" ".join(line.split()) for line in re.split(r"\r\n|\n|\r", text))
    return "\n".join(line for line in lines if line)


# ---- the place of a row ------------------------------------------------------------------------


def say_place(telling: Telling, roles: dict[str, int], parent: Thing | None, rank: int) -> None:
    """Say where a row belongs, or that the file describes it, and by what it is identified."""
    cells = telling.row.cells
    told = {role: cells[at] for role, at in roles.items()}
    self = telling.whole(told[IDENTIFIER])
    if parent is None:
        telling.say("description/describes", self, subject=FILE, object=telling.about)
    else:
        part_of = "description/constituent"
        if parent.type == "RecordSet":
            whole = telling.about.type != "RecordPart"
            part_of = "description/includes" if whole else "description/part"
        telling.say(part_of, telling.whole(told[PARENT]), subject=parent, object=telling.about)
        telling.say("description/rank", self, Value(str(rank), "integer"))
    for piece in pieces_of(telling.row, told[IDENTIFIER], ""):
        telling.say("description/identifier", piece, piece.line)


def say_level(telling: Telling, roles: dict[str, int], set_type: str) -> None:
    """Say the level of a record and the type of record set that it means."""
    if LEVEL not in roles:
        return
    for piece in pieces_of(telling.row, telling.row.cells[roles[LEVEL]], ""):
        telling.say("description/level", piece, piece.line)
        if set_type and telling.about.type == "RecordSet":
            kind = Value(SET_TYPES + set_type, "anyURI", verbatim=piece.line)
            telling.say("description/recordSetType", piece, kind)


def say_name(telling: Telling) -> None:
    """Name a thing by its identifier where no column has named it, else by its date or level."""
    own = [one for one in telling.statements if one.subject == telling.about]
    if any(one.name == NAME for one in own):
        return
    for name in ("description/identifier", "description/unitDate", "description/level"):
        for one in own:
            if one.name == name and one.value is not None:
                words = one.value.verbatim or one.value.lexical
                piece = Piece(one.start, one.end, words)
                telling.say(NAME, piece, Value(words, language=one.value.language))
                return


# ---- columns -----------------------------------------------------------------------------------


def say_cell(telling: Telling, column: Column, cell: Cell) -> None:
    """Say what a column declares of each value of a cell.

    What may not be said of a thing of this type is a note about it.
    """
    meaning = column.meaning
    if meaning is None:
        return
    for piece in pieces_of(telling.row, cell, column.separator):
        if telling.about.type in meaning.about:
            _SAY[meaning.reads](telling, column, meaning, piece)
        else:
            telling.say(NOTE, piece, _in_words(telling, column, piece))


def _in_words(telling: Telling, column: Column, piece: Piece) -> Value:
    return Value(piece.words, language=column.language or telling.language)


def _text(telling: Telling, column: Column, meaning: Meaning, piece: Piece) -> None:
    plain = column.says == "description/identifier"
    telling.say(column.says, piece, piece.line if plain else _in_words(telling, column, piece))


def _date(telling: Telling, column: Column, meaning: Meaning, piece: Piece) -> None:
    """Say a date; of the span in which an agent existed, its two ends as well."""
    normal = date_in(piece.line, column)
    language = column.language or telling.language
    value = Value(normal, "edtf", language, piece.line) if normal else Value(
        piece.line, language=language
    )  # fmt: skip
    names = ends_of_span(telling.about.type)
    named = dict(zip(ends_of_span(""), names, strict=True))
    telling.say(named.get(column.says, column.says), piece, value)
    if column.says == "description/unitDate" and telling.about.type in AGENTS:
        for name, end in zip(names, edges(normal, piece.line), strict=True):
            if end:
                telling.say(name, piece, Value(end, "edtf", language, piece.line))


def date_in(words: str, column: Column) -> str:
    """Return a date in words or in a normal form as EDTF, "" where it is not sure."""
    if column.normal:
        return edtf(words) or span(words)
    return span(words) or ("" if _SOME_MONTH.fullmatch(words) else edtf(words))


def _names(telling: Telling, column: Column, meaning: Meaning, piece: Piece) -> None:
    if not _HAS_WORDS.search(piece.line):
        return
    kind = column.type or meaning.things[0]
    thing = by_name(kind, telling.file, piece.line)
    statement = column.says
    if statement == "description/form" and telling.about.type == "RecordSet":
        statement = "description/membersForm"
    telling.say(statement, piece, object=thing)
    name = Value(piece.line, language=column.language or telling.language)
    telling.say(NAME, piece, name, subject=thing)


def _language(telling: Telling, column: Column, meaning: Meaning, piece: Piece) -> None:
    """Say a language by its code in ISO 639, or in words."""
    language = languages.thing(piece.line) if languages.is_code(piece.line) else None
    if language is not None:
        members = telling.about.type == "RecordSet"
        coded = "description/membersLanguageCode" if members else "description/languageCode"
        telling.say(coded, piece, language)
    else:
        telling.say(column.says, piece, _in_words(telling, column, piece))


def _copy(telling: Telling, column: Column, meaning: Meaning, piece: Piece) -> None:
    """Say a digital copy: by its address, which is the same everywhere, or by a name of its own."""
    remote = address(piece.words)
    where = (piece.words,) if remote else (telling.file, piece.line)
    copy = Thing(meaning.things[0], ("dao", *where))
    telling.say(column.says, piece, object=copy)
    if remote is not None:
        telling.say("description/address", piece, remote, subject=copy)
    else:
        telling.say("description/identifier", piece, piece.line, subject=copy)


def _address(telling: Telling, column: Column, meaning: Meaning, piece: Piece) -> None:
    remote = address(piece.words)
    if remote is not None:
        telling.say(column.says, piece, remote)
    else:
        telling.say(NOTE, piece, _in_words(telling, column, piece))


_SAY: dict[str, Callable[[Telling, Column, Meaning, Piece], None]] = {
    "text": _text,
    "date": _date,
    "names": _names,
    "language": _language,
    "copy": _copy,
    "address": _address,
}
