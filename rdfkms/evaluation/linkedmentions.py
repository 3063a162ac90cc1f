"""Gold mentions with identifiers, read from files as annotated, and how links are counted (R143).

A link is a pair of mentions of one collection that are one entity. A mention that the annotators
could not identify (NIL) is linked like any other but counted apart: nobody knows its pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rdfkms.errors import BadInput
from rdfkms.model import Anchor, Candidate, EvidenceUnit, Kind, Modality, UnitText, View
from rdfkms.vocab import key_of

NIL = "NIL"
# What the corpora call the three kinds of beings that may be one across documents (R69).
TYPES = {
    "pers": "Person", "PER": "Person",
    "loc": "Location", "LOC": "Location", "BUILDING": "Location", "STREET": "Location",
    "org": "OrganizationState", "ORG": "OrganizationState",
}  # fmt: skip
_TOKEN, _COARSE, _LINK, _MISC = 0, 1, 7, 9
PROPOSER = "gold"


@dataclass(frozen=True, slots=True)
class GoldMention:
    """A mention as annotated: its candidate, its identifier or NIL, and the document's name."""

    candidate: Candidate
    identifier: str
    document: str

    @property
    def type(self) -> str:
        """The entity type."""
        return self.candidate.name


@dataclass(frozen=True, slots=True)
class Collection:
    """The documents of one file as passages, one a document, with their gold mentions."""

    name: str
    units: Mapping[str, EvidenceUnit]
    mentions: tuple[GoldMention, ...]
    others: tuple[Candidate, ...] = ()  # what is stated of them, and mentions of other types


@dataclass(frozen=True, slots=True)
class _Document:
    """A document's head; `book` where it is one page of a book, which is one record."""

    name: str
    language: str
    book: bool

    @property
    def record(self) -> str:
        """The record: an article, or the book of a page ("wecklein_0096")."""
        return self.name.rpartition("_")[0] if self.book else self.name


def read(path: Path) -> Collection:
    """Return the collection in a HIPE file; raises `BadInput` where it is none."""
    units: dict[str, EvidenceUnit] = {}
    mentions: list[GoldMention] = []
    for document, rows in _documents(path):
        text, spans = _text(rows)
        unit = _unit(path.stem, document, text)
        units[unit.key] = unit
        for start, end, type_, identifier in spans:
            mentions.append(_mention(unit, start, end, type_, identifier, document.name))
    return Collection(path.stem, units, tuple(mentions))


def _documents(path: Path) -> Iterator[tuple[_Document, list[list[str]]]]:
    name, language, book = "", "", False
    rows: list[list[str]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#"):
            key, _, value = line.lstrip("# ").partition("=")
            key = key.strip().rpartition(":")[2]
            if key == "document_id":
                if rows:
                    yield _Document(name, language, book), rows
                name, rows, book = value.strip(), [], False
            elif key == "document_type":
                book = "commentary" in value
            elif key == "language":
                language = value.strip()
        elif line and not line.startswith("TOKEN\t"):
            cells = line.split("\t")
            if len(cells) <= _MISC:
                raise BadInput(f"{path}:{number}: {len(cells)} columns, a HIPE file has 10.")
            rows.append(cells)
    if rows:
        yield _Document(name, language, book), rows


def _text(rows: Sequence[Sequence[str]]) -> tuple[str, list[tuple[int, int, str, str]]]:
    """Return the text of the tokens and the typed spans with their identifiers."""
    text, spans = "", []
    for cells in rows:
        start = len(text)
        text += cells[_TOKEN]
        mark, _, tag = cells[_COARSE].partition("-")
        if mark == "B" and tag in TYPES:
            spans.append((start, len(text), TYPES[tag], cells[_LINK]))
        elif mark == "I" and spans and TYPES.get(tag) == spans[-1][2]:
            spans[-1] = (spans[-1][0], len(text), *spans[-1][2:])
        if "EndOfLine" in cells[_MISC]:
            text += "\n"
        elif "NoSpaceAfter" not in cells[_MISC]:
            text += " "
    return text, spans


def _unit(collection: str, document: _Document, text: str) -> EvidenceUnit:
    name, language = document.name, document.language
    key = key_of("unit", collection, name)
    raw = UnitText(
        key_of("text", key), key, key_of("version", key), View.RAW, text, 0, len(text), language
    )
    return EvidenceUnit(
        key, key_of("record", collection, document.record), key_of("source", collection, name) * 2,
        key_of("page", key), 1, Modality.DOCUMENT, language, "1", 1, (raw,), (),
    )  # fmt: skip


def _mention(
    unit: EvidenceUnit, start: int, end: int, type_: str, identifier: str, document: str
) -> GoldMention:
    surface = unit.raw.text[start:end]
    candidate = Candidate(
        key_of("gold", unit.key, start, end, type_), Kind.MENTION, unit.key, type_, surface,
        start, end, subject=Anchor(start, end, surface, type_), confidence=1.0,
        proposer=PROPOSER,
    )  # fmt: skip
    known = identifier.startswith("Q")
    return GoldMention(candidate, identifier if known else NIL, document)
