"""Sources and what is read from them.

Offsets count Unicode code points, end exclusive. Boxes are whole pixels of the page picture as
read, origin top left.
"""

from __future__ import annotations

from dataclasses import dataclass

from rdfkms.model.words import Access, Flag, Modality, View


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
    """A record (item): title, how it is read, who may see it, its files and pages in order.

    `use` is its condition of use (rico:conditionsOfUse): the address of a licence or rights
    statement, or words; "" where none is stated. `personal_data` tells that living people, or
    those whose kin live, can be known from it.
    """

    key: str
    title: str
    profile: str
    language: str
    access: Access
    modality: Modality
    files: tuple[SourceFile, ...]
    pages: tuple[Page, ...]
    part_of: str | None = None
    use: str = ""
    personal_data: bool = False


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
