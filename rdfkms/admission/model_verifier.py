"""A verifier that asks a language model: one vote among others, never the last word (R72-R76, R85).

The model sees the claim in words, the quote and the passage, nothing else. Its answer is data from
an untrusted source (law 4): a label outside the five, a quote that does not stand in the passage
(an invented one, or the prompt's example), a part of the claim named as missing beside "supported",
or no JSON after one repair call never becomes `supported`. Calls are cached as the proposer's are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from rdfkms import prompts
from rdfkms.admission import wording
from rdfkms.admission.reasons import quoted, reason
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.proposers.answers import read
from rdfkms.knowledge.proposers.calls import Call, CallCache, Caller
from rdfkms.knowledge.proposers.schema import schema_of
from rdfkms.model import Candidate, EvidenceUnit, Label, Reason, Verification, Vote
from rdfkms.ports import Answer, LanguageModel

LABELS = {
    "supported": Label.SUPPORTED,
    "unsupported": Label.UNSUPPORTED,
    "partially_supported": Label.PARTIAL,
    "overreaching": Label.OVERREACHING,
    "ambiguous": Label.AMBIGUOUS,
}
MOST_ELEMENTS = 20


class Finding(BaseModel):
    """The answer that is asked for, and the one source of its JSON Schema."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    label: Literal["supported", "unsupported", "partially_supported", "overreaching", "ambiguous"]
    supporting_quote: str
    unsupported_elements: list[str]
    overreach_reason: str


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of an answer, in the forms that all servers understand."""
    return schema_of(Finding, most=MOST_ELEMENTS)


class ModelVerifier:
    """The port `Verifier` over a language model; `name` is ``model:<model>``.

    `sampling` names the settings that decide answers: part of the cache key. A `caller` replaces
    model and cache, and its accounts count what the verifier asks.
    """

    def __init__(
        self,
        model: LanguageModel,
        mapping: Mapping,
        cache: CallCache | None = None,
        *,
        sampling: str = "",
        caller: Caller | None = None,
    ) -> None:
        self._mapping = mapping
        self._caller = caller or Caller(model, cache, sampling)
        self._schema = json_schema()
        self._prompt = prompts.load("verify")
        self._repair = prompts.load("repair")
        self.name = f"model:{model.name}"
        self.version = f"{model.version} {self._prompt.label}"

    def verify(self, candidate: Candidate, unit: EvidenceUnit) -> Verification:
        """Return what the model finds, as far as it can be believed.

        Raises `Unavailable` when the service does not answer.
        """
        messages = self._prompt.messages(
            language=unit.language,
            claim=prompts.fenced(wording.said(candidate, self._mapping)),
            quote=prompts.fenced(candidate.quote),
            document=prompts.fenced(unit.raw.text),
        )
        answer = self._ask(unit, "verify", messages)
        found, fault = read(answer, Finding)
        if found is None and answer.finish_reason not in ("refused", "too_long"):
            answer = self._ask(unit, "verify repair", self._repairing(answer, fault))
            found, second = read(answer, Finding)
            fault = f"{fault}; after one repair call: {second}"
        if found is None:
            unusable = reason("verifierUnusable", what=quoted(fault))
            return self._verification(Label.AMBIGUOUS, (unusable,))
        return self._believed(found, candidate.quote, unit.raw.text)

    def _believed(self, found: Finding, quote: str, passage: str) -> Verification:
        """Return the finding with its quote checked: what cannot be checked supports nothing."""
        label = LABELS[found.label]
        elements = tuple(dict.fromkeys(e for e in found.unsupported_elements if e.strip()))
        reasons: tuple[Reason, ...] = (reason("modelFinds", what=found.label.replace("_", " ")),)
        stands = bool(found.supporting_quote.strip()) and found.supporting_quote in passage
        if found.supporting_quote.strip() and not stands:
            reasons += (reason("verifierQuote", what=quoted(found.supporting_quote)),)
        elif label is Label.SUPPORTED and not stands:
            reasons += (reason("verifierUnusable", what="it quotes nothing"),)
        elif label is Label.SUPPORTED and not _meet(found.supporting_quote, quote, passage):
            elsewhere = "it quotes another place than the claim"
            reasons += (reason("verifierUnusable", what=elsewhere),)
        if label is Label.SUPPORTED and elements:
            reasons += (reason("wordsUnstated", what=quoted(", ".join(elements))),)
        if label is Label.SUPPORTED and len(reasons) > 1:
            label = Label.AMBIGUOUS
        shown = found.supporting_quote if stands and label is not Label.UNSUPPORTED else ""
        over = found.overreach_reason if label is Label.OVERREACHING else ""
        return self._verification(label, reasons, shown, elements[:MOST_ELEMENTS], over)

    def _verification(
        self,
        label: Label,
        reasons: tuple[Reason, ...],
        quote: str = "",
        elements: tuple[str, ...] = (),
        over: str = "",
    ) -> Verification:
        verifier = f"{self.name}@{self.version}"
        votes = (Vote(verifier, label),)
        return Verification(label, reasons, quote, elements, quoted(over) if over else "",
                            verifier, votes=votes)  # fmt: skip

    def _repairing(self, answer: Answer, fault: str) -> list[dict[str, str]]:
        shown = prompts.fenced(answer.text.strip()[:8_000])
        return self._repair.messages(
            reason=fault, schema=json.dumps(self._schema, ensure_ascii=False), document=shown
        )

    def _ask(self, unit: EvidenceUnit, purpose: str, messages: Sequence[dict[str, str]]) -> Answer:
        return self._caller.ask(Call(purpose, unit, self._prompt.label, messages, self._schema))


def _meet(one: str, other: str, passage: str) -> bool:
    """Return whether two quotes share a place of the passage."""
    spans = [[m.span() for m in re.finditer(re.escape(words), passage)] for words in (one, other)]
    return any(a < d and c < b for a, b in spans[0] for c, d in spans[1])
