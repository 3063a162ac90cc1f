"""The nouns: frozen values that pass between the steps. No I/O, no RDF terms (DESIGN 3 and 4).

Offsets count Unicode code points, end exclusive. Boxes are whole pixels of the page picture as
read, origin top left. Keys are made by `vocab.key_of` and never carry the base IRI.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum


class Modality(StrEnum):
    """What kind of source a unit comes from (R38)."""

    DOCUMENT = "document"
    AUDIO = "oral_history_audio"
    BORN_DIGITAL = "born_digital_text"
    EXPERT = "expert_statement"


class View(StrEnum):
    """The two views of a unit's text (R23, R30)."""

    RAW = "raw"
    NORMALISED = "normalised"


class Flag(StrEnum):
    """Quality flags set at ingest (R32)."""

    LOW_CONFIDENCE = "lowConfidence"
    MISSING_GLYPHS = "missingGlyphs"
    DENSE_NAMES = "denseNames"
    SEGMENTATION_ANOMALY = "segmentationAnomaly"


class Decision(StrEnum):
    """The first verdict on a candidate (law 5); `PENDING` only while a run is open."""

    ADMITTED = "admitted"
    QUARANTINED = "quarantined"
    REJECTED = "rejected"
    PENDING = "pending"


class Status(StrEnum):
    """The present status of a claim."""

    ADMITTED = "admitted"
    QUARANTINED = "quarantined"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


class Rank(StrEnum):
    """Rank among admitted claims that answer the same question (law 7)."""

    PREFERRED = "preferred"
    NORMAL = "normal"
    DEPRECATED = "deprecated"


class Label(StrEnum):
    """Verification labels (R72)."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    PARTIAL = "partiallySupported"
    OVERREACHING = "overreaching"
    AMBIGUOUS = "ambiguous"


class Role(StrEnum):
    """What a principal may do."""

    READER = "reader"
    CONTRIBUTOR = "contributor"
    REVIEWER = "reviewer"
    ADMINISTRATOR = "administrator"


@dataclass(frozen=True, slots=True)
class Principal:
    """Who acts: an id that is recorded with every write, and a role."""

    id: str
    role: Role


@dataclass(frozen=True, slots=True)
class Access:
    """The access condition of a record: ``open``, ``closed`` or ``embargo`` until a day."""

    condition: str = "open"
    until: date | None = None


# ---- sources and what is read from them ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels of the page picture."""

    x: int
    y: int
    w: int
    h: int

    @property
    def fragment(self) -> str:
        """The media fragment ``xywh=x,y,w,h``."""
        return f"xywh={self.x},{self.y},{self.w},{self.h}"

    def union(self, other: Box) -> Box:
        """Return the smallest box around both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        right = max(self.x + self.w, other.x + other.w)
        bottom = max(self.y + self.h, other.y + other.h)
        return Box(x, y, right - x, bottom - y)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a reading: ``text == version.text[start:end]``; confidence 0..1 or None."""

    start: int
    end: int
    box: Box | None
    confidence: float | None
    line: int
    block: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What an engine read on one page picture: text, word by word, and by which engine."""

    text: str
    words: tuple[Word, ...]
    engine: str
    version: str
    parameters: str = ""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file kept in the archive under its SHA-256."""

    sha256: str
    name: str
    media_type: str
    size: int


@dataclass(frozen=True, slots=True)
class Page:
    """One page picture, or one section of a born-digital text: an Instantiation component.

    `picture` is the SHA-256 under which a displayable PNG/JPEG/TIFF frame is kept, None for text.
    `key` = key_of("page", source SHA-256, number of the page within that file).
    """

    key: str
    source: str
    sequence: int
    label: str
    width: int | None = None
    height: int | None = None
    picture: str | None = None
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A record (item): title, how it is read, who may see it, its files and pages in order."""

    key: str
    title: str
    profile: str
    language: str
    access: Access
    modality: Modality
    files: tuple[SourceFile, ...]
    pages: tuple[Page, ...]
    part_of: str | None = None


@dataclass(frozen=True, slots=True)
class TextVersion:
    """One transcription of one page: an Instantiation derived from the page or another version."""

    key: str
    page: str
    text: str
    words: tuple[Word, ...]
    origin: str  # "ocr" | "text_layer" | "born_digital" | "collated" | "corrected"
    engine: str
    engine_version: str
    derived_from: str | None = None


@dataclass(frozen=True, slots=True)
class UnitText:
    """A unit's text in one version and view. RAW: ``version.text[start:end] == text``.

    NORMALISED has the same start and end (of the raw passage in the version).
    """

    key: str
    unit: str
    version: str
    view: View
    text: str
    start: int
    end: int
    language: str


@dataclass(frozen=True, slots=True)
class Locator:
    """Where a unit is: a page (Instantiation key) and a media fragment, empty for the whole."""

    page: str
    fragment: str


@dataclass(frozen=True, slots=True)
class EvidenceUnit:
    """The smallest citable passage (R37, R38), with its texts and locators."""

    key: str
    record: str
    source: str
    page: str
    ordinal: int
    modality: Modality
    language: str
    page_label: str
    passage_number: int
    texts: tuple[UnitText, ...]
    locators: tuple[Locator, ...]
    flags: tuple[Flag, ...] = ()
    section: str = ""
    juan: str = ""

    @property
    def raw(self) -> UnitText:
        """The raw text that proposers quote."""
        return next(t for t in self.texts if t.view is View.RAW)


# ---- what proposers say ----------------------------------------------------------------------


class Kind(StrEnum):
    """What a candidate would become: each becomes at most one claim."""

    MENTION = "mention"
    RELATION = "relation"
    ATTRIBUTE = "attribute"
    EVENT = "event"
    ARGUMENT = "argument"
    UNPARSEABLE = "unparseable"


@dataclass(frozen=True, slots=True)
class Anchor:
    """A stretch of the unit's raw text and, for a named thing, its entity type."""

    start: int
    end: int
    surface: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """A literal: lexical form, XSD local name (string, integer, date, edtf) and language tag."""

    lexical: str
    datatype: str = "string"
    language: str = ""
    verbatim: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposal about one unit, as a proposer made it; untrusted until screened (law 4).

    * MENTION    name = entity type, subject = the mention.
    * RELATION   name = relation, subject and (object | value).
    * ATTRIBUTE  name = attribute, subject and (object | value).
    * EVENT      name = event type, subject = the trigger (type ""), group set.
    * ARGUMENT   name = role, group = that of its event, (object | value).
    `start`/`end` are None where the proposer did not say where its quote stands.
    `key` names the whole content, so that the same proposal twice is one row.
    """

    key: str
    kind: Kind
    unit: str
    name: str
    quote: str
    start: int | None
    end: int | None
    subject: Anchor | None = None
    object: Anchor | None = None
    value: Value | None = None
    group: str | None = None
    confidence: float = 0.5
    proposer: str = ""
    cue: Anchor | None = None
    time: Value | None = None
    place: Anchor | None = None
    raw: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a verdict fell: a stable code (camelCase, a `kv:` concept) and a sentence."""

    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision on a candidate, by which stage, with reasons a person can act on (law 5)."""

    decision: Decision
    stage: str
    reasons: tuple[Reason, ...] = ()
    label: Label | None = None


# ---- claims ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ref:
    """A thing of this archive: ``{base}/id/{kind}/{key}``."""

    kind: str
    key: str

    @property
    def path(self) -> str:
        """``kind/key``, as in the IRI."""
        return f"{self.kind}/{self.key}"


@dataclass(frozen=True, slots=True)
class Pointer:
    """An evidence pointer (R41): ``unit_text.text[start:end] == quote``, code point for code point."""

    unit: str
    unit_text: str
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement with its evidence. `statement` is a name of the mapping table.

    * mention:  statement "namedAs", value = the surface form, name = entity type.
    * event:    statement "triggeredBy", value = the trigger, name = event type, group set.
    * argument: statement = the role, subject = the event, group set.
    * others:   statement = the relation or attribute.
    """

    key: str
    kind: Kind
    statement: str
    subject: Ref
    pointers: tuple[Pointer, ...]
    object: Ref | None = None
    value: Value | None = None
    name: str = ""
    group: str | None = None
    confidence: float = 0.5
    label: Label | None = None
    status: Status = Status.ADMITTED
    rank: Rank = Rank.NORMAL
    reasons: tuple[Reason, ...] = ()
    runs: tuple[str, ...] = ()
    time: Value | None = None
    place: Ref | None = None
    conflicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """A pass over sources: key = key_of(inputs and settings), so that a resumed run keeps it."""

    key: str
    kind: str
    agent: str
    agent_version: str
    parameters: str
    pipeline_version: str
    started: str = ""


@dataclass(frozen=True, slots=True)
class MergeProposal:
    """Two entities that may be one being; a person decides (R65). a < b as paths."""

    a: Ref
    b: Ref
    score: float
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A file or page that could not be read: which, where, why, and what to do."""

    source: str
    place: str
    reason: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """Everything needed to show one piece of evidence, resolved for a reader."""

    unit: str
    record: str
    record_title: str
    page: str
    page_label: str
    quote: str
    start: int
    end: int
    context: str
    fragment: str
    picture: str | None
    boxes: tuple[Box, ...] = field(default=())
