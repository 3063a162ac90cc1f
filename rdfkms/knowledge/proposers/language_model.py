"""The proposer that asks a language model: an untrusted source of candidates (law 4).

Every answer becomes candidates, also a bad one: unknown names, invented quotes and leaked prompt
examples are proposed as they were said and refused by the gate with reasons; what is no JSON after
one repair call is one candidate of kind UNPARSEABLE. Calls are cached by the hash of all that
decides the answer, so that the same run asks once (law 10). Relations of high risk are put to the
model a second time, one by one (`confirming`, R58).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from pydantic import BaseModel

from rdfkms import prompts
from rdfkms.knowledge import dates
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.proposers import finding, schema
from rdfkms.knowledge.proposers.answers import LONGEST_ANSWER, read
from rdfkms.knowledge.proposers.calls import Budget, Call, CallCache, Caller, in_order
from rdfkms.knowledge.proposers.candidates import keyed
from rdfkms.knowledge.proposers.confirming import Confirmer
from rdfkms.knowledge.proposers.schema import (
    ArgumentItem,
    EventItem,
    Extraction,
    StatementItem,
    UncertaintyItem,
)
from rdfkms.model import Anchor, Candidate, EvidenceUnit, Kind, Value, View
from rdfkms.ports import Answer, LanguageModel, Proposer
from rdfkms.vocab import key_of

__all__ = ["LONGEST_ANSWER", "CallCache", "LanguageModelProposer", "parse"]

CONFIDENCE = 0.5
LONGEST_QUESTION = 600


class LanguageModelProposer:
    """Proposes what a language model says of a unit; `name` is ``model:<model>``.

    `sampling` names the settings that decide answers (temperature, seed ...): part of the cache
    key; `most_items` bounds each list of an answer. `high_risk` names relations that are put to
    the model twice, besides those of the mapping table. A `caller` replaces model and cache.
    `propose` raises `Unavailable` when the service does not answer.
    """

    def __init__(
        self,
        model: LanguageModel,
        mapping: Mapping,
        cache: CallCache | None = None,
        *,
        sampling: str = "",
        most_items: int = schema.MOST_ITEMS,
        high_risk: Collection[str] = (),
        caller: Caller | None = None,
        width: int = 1,
        budget: Budget | None = None,
    ) -> None:
        self._mapping = mapping
        self._caller = caller or Caller(model, cache, sampling)
        self._schema = schema.json_schema(mapping, most_items)
        self._prompt = prompts.load("extract")
        self._repair = prompts.load("repair")
        self._confirmer = Confirmer(self._caller, mapping, high_risk)
        self._width = width
        self._budget = budget
        self.name = f"model:{model.name}"
        self.version = f"{model.version} {self._prompt.label} {self._confirmer.label}"

    def for_units(self, units: Sequence[EvidenceUnit]) -> Proposer:
        """Ask about all units of a page, `width` at a time, as far as the budget goes."""
        found = {
            u.key: said for u, said in in_order(self.propose, units, self._width, self._budget)
        }
        return Told(self.name, self.version, found)

    def propose(self, unit: EvidenceUnit) -> tuple[Candidate, ...]:
        """Return one candidate for each item of the answer, or one that says why there is none."""
        answer = self._ask(unit, "extract", self._messages(unit))
        parsed, reason = parse(answer)
        said = answer.text
        if parsed is None and answer.finish_reason not in ("refused", "too_long"):
            repaired = self._ask(unit, "repair", self._repairing(answer, reason))
            parsed, second = parse(repaired)
            said = f"{said[:LONGEST_ANSWER]}\n---- after one repair call ----\n{repaired.text}"
            reason = f"{reason}; after repair: {second}"
        if parsed is None:
            return (unparseable(unit, self.name, said, reason),)
        proposed = _Saying(self._mapping, unit, self.name).candidates(parsed)
        return tuple(self._confirmer.confirm(candidate, unit) for candidate in proposed)

    def _messages(self, unit: EvidenceUnit) -> list[dict[str, str]]:
        return self._prompt.messages(
            unit=unit.key,
            source=unit.source,
            locator=locator(unit),
            modality=unit.modality.value,
            language=unit.language,
            document=prompts.fenced(unit.raw.text),
            normalised=_normalised(unit),
            entities=_listed(self._mapping, Kind.MENTION),
            relations=_listed(self._mapping, Kind.RELATION),
            attributes=_listed(self._mapping, Kind.ATTRIBUTE),
            events=_listed(self._mapping, Kind.EVENT),
            roles=_listed(self._mapping, Kind.ARGUMENT),
        )

    def _repairing(self, answer: Answer, reason: str) -> list[dict[str, str]]:
        shown = prompts.fenced(answer.text.strip()[:8_000])
        return self._repair.messages(
            reason=reason, schema=json.dumps(self._schema, ensure_ascii=False), document=shown
        )

    def _ask(self, unit: EvidenceUnit, purpose: str, messages: Sequence[dict[str, str]]) -> Answer:
        return self._caller.ask(Call(purpose, unit, self._prompt.label, messages, self._schema))


class Told:
    """A proposer that has its answers already: those of one page."""

    def __init__(self, name: str, version: str, found: dict[str, tuple[Candidate, ...]]) -> None:
        self.name = name
        self.version = version
        self._found = found

    def propose(self, unit: EvidenceUnit) -> tuple[Candidate, ...]:
        """Return what was said of the unit, () where it was not asked about."""
        return self._found.get(unit.key, ())


def locator(unit: EvidenceUnit) -> str:
    """Return the place of a unit in words: page or juan, passage, fragment (R40)."""
    parts = [f"juan {unit.juan}"] if unit.juan else []
    parts += [f"page {unit.page_label}", f"passage {unit.passage_number}"]
    parts += [place.fragment for place in unit.locators[:1] if place.fragment]
    return ", ".join(parts)


def _normalised(unit: EvidenceUnit) -> str:
    texts = [t.text for t in unit.texts if t.view is View.NORMALISED and t.text != unit.raw.text]
    return prompts.fenced(texts[-1]) if texts else "(the same)"


def _listed(mapping: Mapping, kind: Kind) -> str:
    return "\n".join(f"- {name}{_meaning(mapping, kind, name)}" for name in mapping.names(kind))


def _meaning(mapping: Mapping, kind: Kind, name: str) -> str:
    if kind is Kind.MENTION:
        return f": {mapping.entity(name).label_en}"
    if kind is Kind.EVENT:
        return f": {mapping.event(name).label_en}"
    rule = mapping.statement(name)
    ends = "|".join(rule.range) or f"a value ({rule.literal})"
    return f" ({'|'.join(rule.domain)} -> {ends}): {rule.label_en}"


def unparseable(unit: EvidenceUnit, proposer: str, said: str, reason: str) -> Candidate:
    """Return the candidate that stands for an answer which is none."""
    return keyed(
        Candidate(
            "", Kind.UNPARSEABLE, unit.key, "", "", None, None,
            confidence=0.0, proposer=proposer, raw=said[:LONGEST_ANSWER], note=reason,
        )
    )  # fmt: skip


def parse(answer: Answer) -> tuple[Extraction | None, str]:
    """Return the extraction in an answer, or None and the reason why it is none."""
    return read(answer, Extraction)


class _Saying:
    """Turns the items of an answer about one unit into candidates, as they were said."""

    def __init__(self, mapping: Mapping, unit: EvidenceUnit, proposer: str) -> None:
        self.mapping = mapping
        self.unit = unit
        self.proposer = proposer
        self.text = unit.raw.text
        self.key = unit.key

    def candidates(self, said: Extraction) -> Iterator[Candidate]:
        self.key = said.unit or self.unit.key  # another one is for the gate to refuse
        for mention in said.mentions:
            subject = self._anchor(mention.text, mention.quote, mention.type)
            yield self._make(Kind.MENTION, mention.type, mention, subject=subject)
        for statement in said.statements:
            yield self._statement(statement)
        groups = {}
        for event in said.events:
            made = self._event(event)
            groups[event.number] = made.group
            yield made
        for argument in said.arguments:
            yield self._argument(argument, groups.get(argument.event))
        for doubt in said.uncertainties:
            yield self._doubt(doubt)

    def _statement(self, item: StatementItem) -> Candidate:
        attributes = self.mapping.names(Kind.ATTRIBUTE)
        kind = Kind.ATTRIBUTE if item.name in attributes else Kind.RELATION
        return self._make(
            kind,
            item.name,
            item,
            subject=self._anchor(item.subject, item.quote, item.subject_type),
            object=self._object(item),
            value=self._value(kind, item.name, item.value),
            cue=self._anchor(item.cue, item.quote) if item.cue else None,
            time=dates.time_value(item.time, self.unit.language) if item.time else None,
        )

    def _event(self, item: EventItem) -> Candidate:
        trigger = self._anchor(item.trigger, item.quote)
        group = key_of("event", self.unit.key, item.type, trigger.start, trigger.end)
        return self._make(Kind.EVENT, item.type, item, subject=trigger, cue=trigger, group=group)

    def _argument(self, item: ArgumentItem, group: str | None) -> Candidate:
        return self._make(
            Kind.ARGUMENT,
            item.role,
            item,
            object=self._object(item),
            value=self._value(Kind.ARGUMENT, item.role, item.value),
            group=group,
        )

    def _doubt(self, item: UncertaintyItem) -> Candidate:
        name = item.about if item.about in schema.DOUBTS else "sense"
        return self._make(Kind.UNCERTAINTY, name, item, note=item.question[:LONGEST_QUESTION])

    def _make(self, kind: Kind, name: str, item: BaseModel, **fields: Any) -> Candidate:
        quote: str = getattr(item, "quote", "")
        at = self.text.find(quote) if quote else -1
        once = at >= 0 and self.text.find(quote, at + 1) < 0
        made = Candidate(
            "", kind, self.key, name, quote,
            at if once else None, at + len(quote) if once else None,
            confidence=CONFIDENCE, proposer=self.proposer,
            raw=item.model_dump_json(), **fields,
        )  # fmt: skip
        return keyed(made)

    def _anchor(self, words: str, quote: str, type: str = "") -> Anchor:
        return finding.anchor(words, self.text, finding.locate(quote, self.text), type)

    def _object(self, item: StatementItem | ArgumentItem) -> Anchor | None:
        return (
            self._anchor(item.object, item.quote, item.object_type or "") if item.object else None
        )

    def _value(self, kind: Kind, name: str, words: str | None) -> Value | None:
        if words is None or not self.mapping.knows(kind, name):
            return None if words is None else Value(words, "string", "", words)
        literal = self.mapping.statement(name).literal
        if literal == "edtf":
            return dates.time_value(words, self.unit.language)
        number = dates.number(words, self.unit.language) if literal == "integer" else None
        if number is not None:
            return Value(str(number), "integer", "", words)
        return Value(words, "string", self.unit.language, words)
