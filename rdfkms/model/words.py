"""Closed word lists, principals and access conditions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Modality(StrEnum):
    """What kind of source a unit comes from (R38)."""

    DOCUMENT = "document"
    AUDIO = "oral_history_audio"
    BORN_DIGITAL = "born_digital_text"
    EXPERT = "expert_statement"
    DESCRIPTION = "archival_description"


class View(StrEnum):
    """The two views of a unit's text (R23, R30)."""

    RAW = "raw"
    NORMALISED = "normalised"


class Flag(StrEnum):
    """Quality flags set at ingest (R32), and by a newer transcription."""

    LOW_CONFIDENCE = "lowConfidence"
    MISSING_GLYPHS = "missingGlyphs"
    DENSE_NAMES = "denseNames"
    SEGMENTATION_ANOMALY = "segmentationAnomaly"
    NO_COUNTERPART = "noCounterpart"  # the newer transcription of its page has no such passage


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
