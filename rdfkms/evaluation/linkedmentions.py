"""Gold mentions with identifiers, read from HIPE-2022 files, and how links are counted (R143).

A link is a pair of mentions of one collection that are one entity. A mention that the annotators
could not identify (NIL) is linked like any other but counted apart: nobody knows its pairs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from rdfkms.errors import BadInput
from rdfkms.knowledge.nameforms import normal
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
    name, language, book, rows = "", "", False, []
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


# ---- counting --------------------------------------------------------------------------------


@dataclass
class Pairs:
    """Pairs of mentions: linked, truly one, and both."""

    made: int = 0
    true: int = 0
    right: int = 0

    def add(self, other: Pairs) -> None:
        """Add the counts of another group of pairs."""
        self.made += other.made
        self.true += other.true
        self.right += other.right

    def scores(self) -> dict[str, float | int]:
        """Return precision, recall and F1 with the counts; shares of nothing are 0."""
        precision = self.right / self.made if self.made else 0.0
        recall = self.right / self.true if self.true else 0.0
        both = precision + recall
        return {
            "precision": round(precision, 4), "recall": round(recall, 4),
            "f1": round(2 * precision * recall / both, 4) if both else 0.0,
            "links": self.made, "true_pairs": self.true, "right": self.right,
        }  # fmt: skip


def pairs(linked: Sequence[Hashable], gold: Sequence[Hashable]) -> Pairs:
    """Return the pair counts of two clusterings of the same mentions, in the same order."""
    return Pairs(
        _pairs_within(linked),
        _pairs_within(gold),
        _pairs_within(list(zip(linked, gold, strict=True))),
    )


def _pairs_within(labels: Iterable[Hashable]) -> int:
    return sum(n * (n - 1) // 2 for n in Counter(labels).values())


@dataclass
class Scored:
    """The figures of one way of linking over several collections."""

    whole: Pairs = field(default_factory=Pairs)
    types: defaultdict[str, Pairs] = field(default_factory=lambda: defaultdict(Pairs))
    collections: defaultdict[str, Pairs] = field(default_factory=lambda: defaultdict(Pairs))
    nil: Pairs = field(default_factory=Pairs)
    wrong: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    missed: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def add(self, collection: Collection, labels: Sequence[Hashable]) -> None:
        """Count the links of a collection: `labels` names the entity of each mention."""
        rows = list(zip(collection.mentions, labels, strict=True))
        known = [(m, label) for m, label in rows if m.identifier != NIL]
        counted = _count(known)
        self.whole.add(counted)
        self.collections[collection.name].add(counted)
        for type_ in sorted({m.type for m, _ in known}):
            self.types[type_].add(_count([(m, label) for m, label in known if m.type == type_]))
        self._nil(rows)
        self._cases(known)

    def _nil(self, rows: Sequence[tuple[GoldMention, Hashable]]) -> None:
        """A link of a NIL with an identified mention is surely wrong; NIL with NIL is unknown."""
        unknown = Counter(label for m, label in rows if m.identifier == NIL)
        known = Counter(label for m, label in rows if m.identifier != NIL)
        self.nil.made += sum(n * known[label] for label, n in unknown.items())
        self.nil.true += sum(unknown.values())

    def _cases(self, known: Sequence[tuple[GoldMention, Hashable]]) -> None:
        for (one, label), (other, other_label) in combinations(known, 2):
            same, linked = one.identifier == other.identifier, label == other_label
            if same == linked:
                continue
            names = sorted(_shown(m.candidate.quote) for m in (one, other))
            (self.wrong if linked else self.missed)[(one.type, names[0], names[1])] += 1


def _count(rows: Sequence[tuple[GoldMention, Hashable]]) -> Pairs:
    return pairs([label for _, label in rows], [m.identifier for m, _ in rows])


def _shown(text: str) -> str:
    return " ".join(text.split())


def exact(mention: GoldMention) -> Hashable:
    """Return the baseline's entity of a mention: its type and its normalised name."""
    form = normal(mention.candidate.quote, mention.type)
    return (mention.type, form or mention.candidate.key)


Linker = Callable[[Collection], Sequence[Hashable]]


def score(collections: Iterable[Collection], link: Linker) -> Scored:
    """Return the figures of a way of linking over the collections."""
    found = Scored()
    for collection in collections:
        found.add(collection, link(collection))
    return found
