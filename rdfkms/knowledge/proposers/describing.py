"""Asks a language model to describe passages (R21); machine text, never a proposal of a claim."""

from __future__ import annotations

from rdfkms import prompts
from rdfkms.knowledge.enrichments import Enrichment, Extractive, enrichments
from rdfkms.knowledge.proposers import schema
from rdfkms.knowledge.proposers.answers import read
from rdfkms.knowledge.proposers.calls import Call, Caller
from rdfkms.model import EvidenceUnit


class Describer:
    """Describes passages by a model; where its answer is none, by their own words."""

    def __init__(self, caller: Caller, fallback: Extractive) -> None:
        self._caller = caller
        self._fallback = fallback
        self._prompt = prompts.load("enrich")
        self._schema = schema.schema_of(schema.Description, most=20)
        self.name = caller.model.name
        self.version = f"{caller.model.version} {self._prompt.label}"

    def describe(self, unit: EvidenceUnit) -> tuple[Enrichment, ...]:
        """Return title, summary and keywords; raises `Unavailable`."""
        messages = self._prompt.messages(
            language=unit.language, document=prompts.fenced(unit.raw.text)
        )
        call = Call("enrich", unit, self._prompt.label, messages, self._schema)
        said, _ = read(self._caller.ask(call), schema.Description)
        if said is None:
            return self._fallback.describe(unit)
        maker = f"{self.name} {self._prompt.label}"
        made = enrichments(unit, said.title, said.summary, said.keywords, maker)
        return made or self._fallback.describe(unit)
