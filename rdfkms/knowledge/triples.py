"""Free triples, of conversations or models, to candidates for the gate (R60, R61).

A triple says subject, predicate and object in words and quotes the passage. Its predicate is
mapped on the ontology (`predicates`), names said as one are taken apart (`conjunctions`), and each
end is looked for in the quote. Nothing is decided here: what has no name, or a predicate too long
to be one, becomes a candidate of kind TRIPLE that the gate keeps or refuses with its reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from rdfkms.knowledge import dates
from rdfkms.knowledge.conjunctions import parts
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.predicates import Mapped, Predicates, too_long
from rdfkms.knowledge.proposers import finding
from rdfkms.knowledge.proposers.candidates import keyed
from rdfkms.model import Anchor, Candidate, EvidenceUnit, Kind, Value
from rdfkms.settings import TripleSettings

CONFIDENCE = {"lexicon": 0.6, "letters": 0.5, "meaning": 0.4}
TOO_LONG = "too-long"
Span = tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Triple:
    """What somebody said in words about one passage, with its quote; types where they are known."""

    subject: str
    predicate: str
    object: str
    quote: str
    subject_type: str = ""
    object_type: str = ""


def candidates(
    triple: Triple,
    unit: EvidenceUnit,
    mapping: Mapping,
    predicates: Predicates,
    settings: TripleSettings,
    proposer: str,
    *,
    type_of: Callable[[str], str] = lambda surface: "",
    known: Collection[str] = (),
) -> tuple[Candidate, ...]:
    """Return the candidates that a triple comes to: mentions and statements, or one TRIPLE.

    `type_of` tells the entity type of a surface that is known in the passage, "" else; then the
    first type that the relation allows is proposed. `known` are names never to be divided.
    """
    made = _Making(triple, unit, mapping, proposer, type_of, known)
    if too_long(triple.predicate, settings):
        return (made.free(f"{TOO_LONG} {settings.longest_words}/{settings.longest_han}"),)
    mapped = predicates.map(triple.predicate, unit.language)
    if not mapped.name or mapped.name not in mapping.statements:
        return (made.free(", ".join(mapped.nearest) or "none"),)
    return tuple(dict.fromkeys(made.statements(mapped)))


@dataclass
class _Making:
    triple: Triple
    unit: EvidenceUnit
    mapping: Mapping
    proposer: str
    type_of: Callable[[str], str]
    known: Collection[str]

    @property
    def within(self) -> Span:
        return finding.locate(self.triple.quote, self.unit.raw.text)

    def free(self, note: str) -> Candidate:
        """The triple as it was said, for a person."""
        cue = self.anchor(self.triple.predicate)
        told = note.startswith(TOO_LONG) or cue.surface != self.triple.predicate
        name = self.triple.predicate[:200]
        return self.make(Kind.TRIPLE, name, cue=None if told and not _found(cue, self) else cue,
                         note=note, confidence=0.3)  # fmt: skip

    def statements(self, mapped: Mapped) -> Iterator[Candidate]:
        rule = self.mapping.statement(mapped.name)
        first, second = self.triple.subject, self.triple.object
        types = self.triple.subject_type, self.triple.object_type
        if mapped.inverse:
            first, second, types = second, first, (types[1], types[0])
        subject_type = types[0] or self.type_of(first) or rule.domain[0]
        allowed = rule.range[0] if rule.range else ""
        object_type = types[1] or self.type_of(second) or allowed
        subjects = parts(first, subject_type, self.known)
        objects = (second,) if rule.literal else parts(second, object_type, self.known)
        if rule.symmetric and not second.strip() and len(subjects) == 2:
            subjects, objects = subjects[:1], subjects[1:]
        note = f"mapped by {mapped.how}"
        kind = rule.claim_kind
        for one in subjects:
            subject = self.anchor(one, self.type_of(one) or subject_type)
            yield self.make(Kind.MENTION, subject.type, subject=subject, confidence=0.5)
            for other in objects:
                shared = {"subject": subject, "note": note, "confidence": CONFIDENCE[mapped.how],
                          "cue": self.cue()}  # fmt: skip
                if rule.literal:
                    value = self.value(other, rule.literal)
                    yield self.make(kind, mapped.name, value=value, **shared)
                    continue
                thing = self.anchor(other, self.type_of(other) or object_type)
                yield self.make(Kind.MENTION, thing.type, subject=thing, confidence=0.5)
                yield self.make(kind, mapped.name, object=thing, **shared)

    def anchor(self, words: str, type: str = "") -> Anchor:
        return finding.anchor(words.strip(), self.unit.raw.text, self.within, type)

    def cue(self) -> Anchor | None:
        cue = self.anchor(self.triple.predicate)
        return cue if _found(cue, self) else None

    def value(self, words: str, literal: str) -> Value:
        language = self.unit.language
        if literal == "edtf":
            return dates.time_value(words, language)
        number = dates.number(words, language) if literal == "integer" else None
        if number is not None:
            return Value(str(number), "integer", "", words)
        return Value(words, "string", language, words)

    def make(self, kind: Kind, name: str, **fields: Any) -> Candidate:
        quote = self.triple.quote
        if kind is Kind.MENTION and isinstance(subject := fields.get("subject"), Anchor):
            quote = subject.surface
        span = finding.locate(quote, self.unit.raw.text, self.within)
        exact = span is not None and self.unit.raw.text[slice(*span)] == quote
        made = Candidate(
            "", kind, self.unit.key, name, quote,
            span[0] if span and exact else None, span[1] if span and exact else None,
            proposer=self.proposer, raw=json.dumps(asdict(self.triple), ensure_ascii=False),
            **fields,
        )  # fmt: skip
        return keyed(made)


def _found(anchor: Anchor, made: _Making) -> bool:
    return made.unit.raw.text[anchor.start : anchor.end] == anchor.surface
