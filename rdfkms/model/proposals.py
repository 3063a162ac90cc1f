"""What proposers say, and what the gate answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rdfkms.model.words import Decision, Label


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
