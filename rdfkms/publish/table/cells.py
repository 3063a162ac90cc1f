"""What stands in the cells of a row: the values of its claims, column by column."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rdfkms.ingest.describing import languages
from rdfkms.ingest.describing.dates import edges
from rdfkms.ingest.describing.table_columns import NAME, Column, Meaning
from rdfkms.ingest.describing.table_telling import date_in, folded_lines
from rdfkms.ingest.describing.things import ends_of_span, folded
from rdfkms.knowledge.encoding import EDTF
from rdfkms.publish.describing.reading import Account, Said
from rdfkms.publish.rico.units import is_title
from rdfkms.publish.table.things import Thing

_DATE = "description/unitDate"
_CODES = ("description/languageCode", "description/membersLanguageCode")
_ONE_LINE = frozenset({"description/identifier", NAME})


@dataclass(frozen=True, slots=True)
class Piece:
    """A value for a cell, and the claims that it carries."""

    words: str
    carries: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Filled:
    """The cells of the columns of one row, and the claims that they carry."""

    cells: dict[int, str]
    carried: frozenset[str]


def fill(account: Account, columns: tuple[Column, ...], thing: Thing) -> Filled:
    """Return the cells of a row for the columns that say statements, by place of the column.

    Where several columns say one statement, one without a separator takes one value, and one with
    a separator all that are left. A value with the separator in it has no place there.
    """
    cells: dict[int, str] = {}
    carried: set[str] = set()
    for place, column in enumerate(columns):
        meaning = column.meaning
        if meaning is None or thing.type not in meaning.about:
            continue
        pieces = [
            one for one in _pieces(account, column, meaning, thing)
            if one.words and any(said.claim not in carried for said in one.carries)
        ]  # fmt: skip
        some = _some(pieces, column, meaning)
        if some:
            between = f"{column.separator} " if column.separator else "\n"
            cells[place] = between.join(dict.fromkeys(one.words for one in some))
            carried |= {said.claim for one in some for said in one.carries}
    return Filled(cells, frozenset(carried))


def _some(pieces: list[Piece], column: Column, meaning: Meaning) -> list[Piece]:
    """Return those of the pieces that a cell of the column can hold; texts stand on their lines."""
    if column.separator:
        mark = column.separator.strip()
        return [one for one in pieces if mark not in one.words]
    if meaning.reads == "text" and column.says not in _ONE_LINE:
        return pieces
    return pieces[:1]


def _pieces(account: Account, column: Column, meaning: Meaning, thing: Thing) -> Iterator[Piece]:
    return _PIECES[meaning.reads](account, column, meaning, thing)


def _texts(account: Account, column: Column, meaning: Meaning, thing: Thing) -> Iterator[Piece]:
    for said in account.of(thing.iri, column.says):
        if column.says == NAME and not is_title(account, said):
            continue
        words = folded_lines(said.text)
        if column.says in _ONE_LINE:
            words = words.replace("\n", " ")
            if column.says != NAME and words == thing.identifier:
                continue  # it stands in the column that identifies the row
        yield Piece(words, (said,))


def _dates(account: Account, column: Column, meaning: Meaning, thing: Thing) -> Iterator[Piece]:
    """Yield dates in their words where these are read as the same date, else in EDTF."""
    names = ends_of_span(thing.type)
    named = dict(zip(ends_of_span(""), names, strict=True))
    for said in account.of(thing.iri, named.get(column.says, column.says)):
        normal = said.text if said.value is not None and said.value.datatype == EDTF else ""
        told = said.words.value if said.words is not None else said.text
        words = " ".join(told.split())
        if normal and date_in(words, column) != normal and date_in(normal, column) == normal:
            words = normal
        ends = []
        if column.says == _DATE:
            for name, end in zip(names, edges(date_in(words, column), words), strict=True):
                ends += [one for one in account.of(thing.iri, name) if end and one.text == end]
        yield Piece(words, (said, *ends))


def _names(account: Account, column: Column, meaning: Meaning, thing: Thing) -> Iterator[Piece]:
    """Yield the names of things of the type that the column names, or that is open there."""
    wanted = column.type or meaning.things[0]
    statement = column.says
    if statement == "description/form" and thing.type == "RecordSet":
        statement = "description/membersForm"
    seen: set[str] = set()
    for said in account.of(thing.iri, statement):
        rule = account.scope.mapping.by_kind(account.kind(said.object))
        if rule is None or wanted not in (rule.name, "Agent"):
            continue
        names = account.of(said.object, NAME)
        words = next((" ".join(one.text.split()) for one in names), "")
        if folded(words) not in seen:
            seen.add(folded(words))
            yield Piece(words, (said, *(n for n in names if " ".join(n.text.split()) == words)))


def _languages(account: Account, column: Column, meaning: Meaning, thing: Thing) -> Iterator[Piece]:
    for said in account.of(thing.iri, *_CODES, column.says):
        if said.name == column.says:
            yield Piece(folded_lines(said.text), (said,))
            continue
        written = said.words.value if said.words is not None else said.text.rpartition("/")[2]
        for code in (written, languages.tag(written)):
            found = languages.thing(code) if languages.is_code(code) else None
            if found is not None and found.lexical == said.text:
                yield Piece(code, (said,))
                break


def _copies(account: Account, column: Column, meaning: Meaning, thing: Thing) -> Iterator[Piece]:
    for said in account.of(thing.iri, column.says):
        where = account.of(said.object, "description/address", "description/identifier")[:1]
        for one in where:
            yield Piece(one.words.value if one.words is not None else one.text, (said, one))


def _addresses(account: Account, column: Column, meaning: Meaning, thing: Thing) -> Iterator[Piece]:
    for said in account.of(thing.iri, column.says):
        yield Piece(said.words.value if said.words is not None else said.text, (said,))


_PIECES: dict[str, Callable[[Account, Column, Meaning, Thing], Iterator[Piece]]] = {
    "text": _texts,
    "date": _dates,
    "names": _names,
    "language": _languages,
    "copy": _copies,
    "address": _addresses,
}
