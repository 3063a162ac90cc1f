"""A claim in words, for verifiers that read sentences.

The words are those of the passage and of the table of statements, nothing else: what a model
judges is what would be written.
"""

from __future__ import annotations

from rdfkms.knowledge.mapping import Mapping
from rdfkms.model import Candidate, Kind


def said(candidate: Candidate, mapping: Mapping) -> str:
    """Return one sentence that says what a screened candidate claims: "Ana Ruiz: age: 31"."""
    subject = candidate.subject.surface if candidate.subject else ""
    if candidate.kind is Kind.MENTION:
        return f"{_line(subject)}: {mapping.entity(candidate.name).label_en}"
    if candidate.kind is Kind.EVENT:
        return f"{_line(subject)}: {mapping.event(candidate.name).label_en}"
    label = mapping.statement(candidate.name).label_en
    parts = [_line(subject or (candidate.cue.surface if candidate.cue else "")), label]
    if candidate.object is not None:
        parts.append(_line(candidate.object.surface))
    elif candidate.value is not None:
        parts.append(_line(candidate.value.verbatim or candidate.value.lexical))
    words = ": ".join(part for part in parts if part)
    if candidate.time is not None:
        words += f"; date: {_line(candidate.time.verbatim or candidate.time.lexical)}"
    if candidate.place is not None:
        words += f"; place: {_line(candidate.place.surface)}"
    return words


def _line(text: str) -> str:
    return " ".join(text.split())
