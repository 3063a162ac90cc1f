"""Annotated passages as plain values, and where the corpora lie (R148).

Readers give documents; `passages` cuts them as the product cuts pages, so that the unit of a
score is the unit that is cited. The annotation never decides where a document is cut.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path

from rdfkms import resources
from rdfkms.errors import BadInput, NotFound
from rdfkms.evaluation.metrics import Spot
from rdfkms.ingest import profiles
from rdfkms.ingest.segmentation import split
from rdfkms.model import EvidenceUnit, Modality, UnitText, View
from rdfkms.vocab import key_of


@dataclass(frozen=True, slots=True)
class Span:
    """An annotated stretch of a document, with the corpus's own type and ours ("" for none)."""

    start: int
    end: int
    label: str
    type: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class Argument:
    """What fills a role of an event; `role` is ours, "" where we have none."""

    start: int
    end: int
    label: str
    role: str


@dataclass(frozen=True, slots=True)
class Happening:
    """An annotated event: its trigger and its arguments."""

    trigger: Span
    arguments: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a corpus, offsets in code points of `text`."""

    key: str
    dataset: str
    language: str
    text: str
    spans: tuple[Span, ...] = ()
    events: tuple[Happening, ...] = ()
    date: str = ""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents of some files, the hashes of the files, and labels without a type of ours."""

    name: str
    split: str
    licence: str
    documents: tuple[Document, ...]
    hashes: dict[str, str]
    unmapped: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Passage:
    """A unit with what is annotated in it; offsets are those of the unit's raw text."""

    document: Document
    unit: EvidenceUnit
    spans: tuple[Span, ...]
    events: tuple[Happening, ...]

    def spots(self) -> Iterator[Spot]:
        """Yield the annotated entities that have a type of ours."""
        for span in self.spans:
            if span.type:
                yield Spot(self.document.key, self.unit.key, span.start, span.end, span.type)


# ---- where things lie --------------------------------------------------------------------------


def folder(shared: Path, name: str) -> Path:
    """Return the folder of a corpus; raises `NotFound` with the folder that is looked for."""
    path = shared / "data" / "corpora" / name
    if not path.is_dir():
        raise NotFound(
            f"The corpus {name!r} is not there: looked for the folder {path}.",
            hint="Name the folder that holds data/corpora with --shared or RDFKMS_SHARED.",
        )
    return path


def read_text(path: Path) -> str:
    """Return the text of a corpus file; raises `NotFound` or `BadInput` naming it."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as err:
        raise NotFound(f"The corpus file {path} is not there.") from err
    except (OSError, UnicodeDecodeError) as err:
        raise BadInput(f"{path}: the corpus file cannot be read: {err}.") from err


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return sha256_of(file.read())


def sha256_of(data: bytes) -> str:
    """Return the SHA-256 of bytes."""
    return sha256(data).hexdigest()


# ---- types -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Types:
    """How a corpus's labels become our names; labels that have none are counted, never lost."""

    names: dict[tuple[str, str], str]
    dataset: str
    missed: Counter[str] = field(default_factory=Counter)

    def of(self, label: str, kind: str) -> str:
        """Return our name for a label of this kind (entity, event, role), "" where we have none.

        A label that the table does not list at all raises `BadInput`: it is a new corpus.
        """
        found = self.names.get((kind, label))
        if found is None:
            raise BadInput(
                f"The label {label!r} ({kind}) of {self.dataset} is not in the table of types.",
                hint="Add it to ingest/evaluation/types.tsv, with '-' where we have no such name.",
            )
        if not found:
            self.missed[label] += 1
        return found


def types(dataset: str) -> Types:
    """Return the table of one dataset (``ingest/evaluation/types.tsv``)."""
    return Types(dict(_types().get(dataset, {})), dataset)


@cache
def _types() -> dict[str, dict[tuple[str, str], str]]:
    path = resources.file("ingest/evaluation/types.tsv")
    found: dict[str, dict[tuple[str, str], str]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 4:
            raise BadInput(f"{path}:{number}: {len(cells)} cells, not 4.")
        dataset, kind, label, name = cells
        found.setdefault(dataset, {})[kind, label] = "" if name == "-" else name
    return found


# ---- passages ----------------------------------------------------------------------------------


def passages(documents: Iterable[Document], profile: str) -> tuple[Passage, ...]:
    """Return the passages of documents, cut by the rules of a profile, without overlap.

    What is annotated across a cut stands in the passage of its first character, with an end that
    no prediction there can reach: it counts as missed.
    """
    rules = profiles.load(profile).model_copy(update={"overlap": 0})
    return tuple(
        passage
        for document in documents
        for passage in _passages(document, split(document.text, rules), rules.segmentation_id)
    )


def _passages(
    document: Document, places: Sequence[tuple[int, int]], segmentation: str
) -> Iterator[Passage]:
    for ordinal, (start, end) in enumerate(places, 1):
        reach = places[ordinal][0] if ordinal < len(places) else len(document.text) + 1
        unit = unit_of(document, ordinal, start, end, segmentation)
        spans = tuple(_shifted(s, start) for s in document.spans if start <= s.start < reach)
        events = tuple(
            Happening(
                _shifted(event.trigger, start),
                tuple(
                    Argument(a.start - start, a.end - start, a.label, a.role)
                    for a in event.arguments
                    if start <= a.start and a.end <= end
                ),
            )
            for event in document.events
            if start <= event.trigger.start < reach
        )
        yield Passage(document, unit, spans, events)


def _shifted(span: Span, by: int) -> Span:
    return Span(span.start - by, span.end - by, span.label, span.type, span.link)


def unit_of(
    document: Document, ordinal: int, start: int, end: int, segmentation: str
) -> EvidenceUnit:
    """Return the evidence unit of a stretch of a document."""
    source = sha256_of(document.text.encode("utf-8"))
    page = key_of("page", source, 1)
    version = key_of("version", page)
    key = key_of("unit", source, 1, ordinal, segmentation)
    text = UnitText(
        key_of("text", key, version, "raw"), key, version, View.RAW,
        document.text[start:end], start, end, document.language,
    )  # fmt: skip
    return EvidenceUnit(
        key=key,
        record=key_of("record", document.key),
        source=source,
        page=page,
        ordinal=ordinal,
        modality=Modality.BORN_DIGITAL,
        language=document.language,
        page_label="1",
        passage_number=ordinal,
        texts=(text,),
        locators=(),
    )
