"""Small passages and candidates about them, for tests of the gate."""

from __future__ import annotations

from typing import Any

from rdfkms.model import (
    Anchor,
    Candidate,
    EvidenceUnit,
    Kind,
    Modality,
    UnitText,
    View,
)
from rdfkms.vocab import key_of

RULES = "patterns:test"


def passage(
    text: str, language: str = "es", record: str = "causa-1", name: str = "p1"
) -> EvidenceUnit:
    """Return a passage of a record; `name` tells passages apart."""
    unit, version = key_of("unit", record, name), key_of("version", record, name)
    raw = UnitText(key_of("text", unit), unit, version, View.RAW, text, 0, len(text), language)
    return EvidenceUnit(
        unit, key_of("record", record), "a" * 64, key_of("page", record, name), 1,
        Modality.DOCUMENT, language, "1", 1, (raw,), (),
    )  # fmt: skip


def anchor(unit: EvidenceUnit, surface: str, type: str = "", nth: int = 0) -> Anchor:
    """Return the anchor of the nth place where the passage says `surface`."""
    at = -1
    for _ in range(nth + 1):
        at = unit.raw.text.index(surface, at + 1)
    return Anchor(at, at + len(surface), surface, type)


def mention(unit: EvidenceUnit, surface: str, type: str = "Person", nth: int = 0) -> Candidate:
    """Return a mention with an exact quote."""
    named = anchor(unit, surface, type, nth)
    return candidate(unit, Kind.MENTION, type, named.start, named.end, subject=named)


def candidate(
    unit: EvidenceUnit, kind: Kind, name: str, start: int, end: int, **fields: Any
) -> Candidate:
    """Return a candidate that quotes [start, end) of the passage."""
    fields.setdefault("proposer", RULES)
    quote = unit.raw.text[start:end]
    key = key_of(kind.value, name, unit.key, start, end, repr(sorted(fields.items())))
    return Candidate(key, kind, unit.key, name, quote, start, end, **fields)


def about(unit: EvidenceUnit, kind: Kind, name: str, **fields: Any) -> Candidate:
    """Return a candidate that quotes the whole passage."""
    return candidate(unit, kind, name, 0, len(unit.raw.text), **fields)
