"""Making candidates: exact quotes, anchors and keys from spans of a unit's raw text."""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass, replace
from typing import Any

from rdfkms.model import Anchor, Candidate, EvidenceUnit, Kind
from rdfkms.vocab import key_of

Span = tuple[int, int]


def content_key(candidate: Candidate) -> str:
    """Return the key of what the candidate says, whoever says it and however surely."""
    said = replace(candidate, key="", confidence=0.0, proposer="", note="", cue=None)
    return key_of("candidate", repr(astuple(said)))


def keyed(candidate: Candidate) -> Candidate:
    """Return the candidate under the key of its content."""
    return replace(candidate, key=content_key(candidate))


def plain(surface: str, language: str) -> str:
    """Return a surface form as one line: printed hyphenation joined, white space folded."""
    surface = re.sub(r"(?<=[^\W\d_])[-\u00ad¬]\n\s{0,8}(?=[a-zà-öø-ÿ])", "", surface)
    return "".join(surface.split()) if language == "lzh" else " ".join(surface.split())


@dataclass(frozen=True, slots=True)
class Quoting:
    """Makes the candidates of one proposer about one unit."""

    unit: EvidenceUnit
    proposer: str

    def anchor(self, span: Span, type: str = "") -> Anchor:
        """Return the anchor of a raw span."""
        return Anchor(*span, self.unit.raw.text[slice(*span)], type)

    def candidate(self, kind: Kind, name: str, *spans: Span, **fields: Any) -> Candidate:
        """Return a candidate whose quote runs from the first to the last of `spans`.

        The quote also covers the anchors and the cue among `fields`.
        """
        anchors = [fields.get(name) for name in ("subject", "object", "cue", "place")]
        stretch = [*spans, *((a.start, a.end) for a in anchors if a is not None)]
        start, end = min(s for s, _ in stretch), max(e for _, e in stretch)
        quote = self.unit.raw.text[start:end]
        made = Candidate(
            "", kind, self.unit.key, name, quote, start, end, proposer=self.proposer, **fields
        )
        return keyed(made)

    def mention(self, span: Span, type: str, confidence: float) -> Candidate:
        """Return the mention of an entity of `type` at a raw span."""
        return self.candidate(
            Kind.MENTION, type, subject=self.anchor(span, type), confidence=confidence
        )
