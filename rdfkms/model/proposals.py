"""What proposers say, and what the gate answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rdfkms.model.words import Decision, Label


class Kind(StrEnum):
    """What a candidate would become: each becomes at most one claim.

    The last three never do: an answer that is none, a doubt that a model states, a free triple
    whose predicate no name of the table fits. They are kept for people to look at.
    """

    MENTION = "mention"
    RELATION = "relation"
    ATTRIBUTE = "attribute"
    EVENT = "event"
    ARGUMENT = "argument"
    UNPARSEABLE = "unparseable"
    UNCERTAINTY = "uncertainty"
    TRIPLE = "triple"


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
    * UNCERTAINTY name = what it is about, note = the question that remains.
    * TRIPLE     subject, object, cue = the predicate's words, note = the nearest names.
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


@dataclass(frozen=True, slots=True)
class Vote:
    """What one verifier said: its name and version (``rules@3``) and its label."""

    verifier: str
    label: Label


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether the evidence says what the claim says (R72, R73).

    `supporting_quote` is an exact stretch of the passage, or empty; `unsupported_elements` are the
    words of the claim that the passage does not say; `score` tells from 0 to 1 how much of the
    claim stands there, None where the verifier does not measure; `votes` has one entry for each
    verifier that was asked. With the candidate, its unit and the verdict these are all fields of
    R73 (`admission.records.fields`).
    """

    label: Label
    reasons: tuple[Reason, ...] = ()
    supporting_quote: str = ""
    unsupported_elements: tuple[str, ...] = ()
    overreach_reason: str = ""
    verifier: str = ""
    score: float | None = None
    votes: tuple[Vote, ...] = ()
