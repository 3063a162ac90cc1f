"""The proposer that asks a language model: an untrusted source of candidates (law 4).

Every answer becomes candidates, also a bad one: unknown names, invented quotes and leaked prompt
examples are proposed as they were said and refused by the gate with reasons; what is no JSON after
one repair call is one candidate of kind UNPARSEABLE. Calls are cached by the hash of all that
decides the answer, so that the same run asks once (law 10).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from rdfkms import prompts
from rdfkms.knowledge import dates
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.proposers import finding, schema
from rdfkms.knowledge.proposers.candidates import keyed
from rdfkms.knowledge.proposers.schema import ArgumentItem, EventItem, Extraction, StatementItem
from rdfkms.model import Anchor, Candidate, EvidenceUnit, Kind, Value
from rdfkms.ports import Answer, LanguageModel
from rdfkms.vocab import key_of

LONGEST_ANSWER = 200_000
CONFIDENCE = 0.5
_THOUGHT = re.compile(r"\A\s*(?:<think>)?.{0,100000}?</think>", re.DOTALL)
_OPEN_THOUGHT = re.compile(r"\A\s*<think>")
_CODE_FENCE = re.compile(r"\A```(?:json)?\s*\n(.*)\n```\s*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CallCache:
    """Answers of earlier calls: `get` returns the kept JSON or None, `put` keeps it."""

    get: Callable[[str], str | None]
    put: Callable[[str, str], None]


class LanguageModelProposer:
    """Proposes what a language model says of a unit; `name` is ``model:<model>``.

    `sampling` names the settings that decide answers (temperature, seed ...): part of the cache
    key; `most_items` bounds each list of an answer. `propose` raises `Unavailable` when the
    service does not answer.
    """

    def __init__(
        self,
        model: LanguageModel,
        mapping: Mapping,
        cache: CallCache | None = None,
        *,
        sampling: str = "",
        most_items: int = schema.MOST_ITEMS,
    ) -> None:
        self._model = model
        self._mapping = mapping
        self._cache = cache
        self._sampling = sampling
        self._schema = schema.json_schema(mapping, most_items)
        self._prompt = prompts.load("extract")
        self._repair = prompts.load("repair")
        self.name = f"model:{model.name}"
        self.version = f"{model.version} {self._prompt.label}"

    def propose(self, unit: EvidenceUnit) -> tuple[Candidate, ...]:
        """Return one candidate for each item of the answer, or one that says why there is none."""
        answer = self._ask(self._messages(unit))
        parsed, reason = parse(answer)
        said = answer.text
        if parsed is None and answer.finish_reason != "refused":
            repaired = self._ask(self._repairing(answer, reason))
            parsed, second = parse(repaired)
            said = f"{said}\n---- after one repair call ----\n{repaired.text}"
            reason = f"{reason}; after repair: {second}"
        if parsed is None:
            return (self._unparseable(unit, said, reason),)
        return tuple(_Saying(self._mapping, unit, self.name).candidates(parsed))

    def _messages(self, unit: EvidenceUnit) -> list[dict[str, str]]:
        names = {
            "entities": Kind.MENTION,
            "relations": Kind.RELATION,
            "attributes": Kind.ATTRIBUTE,
            "events": Kind.EVENT,
            "roles": Kind.ARGUMENT,
        }
        listed = {slot: ", ".join(self._mapping.names(kind)) for slot, kind in names.items()}
        return self._prompt.messages(
            language=unit.language, document=prompts.fenced(unit.raw.text), **listed
        )

    def _repairing(self, answer: Answer, reason: str) -> list[dict[str, str]]:
        shown = prompts.fenced(answer.text.strip()[:8_000])
        return self._repair.messages(
            reason=reason, schema=json.dumps(self._schema, ensure_ascii=False), document=shown
        )

    def _ask(self, messages: Sequence[dict[str, str]]) -> Answer:
        key = key_of(
            "call",
            self._model.name,
            self._model.version,
            self._prompt.label,
            self._sampling,
            json.dumps(messages, ensure_ascii=False, sort_keys=True),
            json.dumps(self._schema, sort_keys=True),
        )
        kept = self._cache.get(key) if self._cache else None
        if kept is not None:
            return Answer(**json.loads(kept))
        answer = self._model.complete(messages, self._schema)
        if self._cache:
            self._cache.put(key, json.dumps(asdict(answer), ensure_ascii=False))
        return answer

    def _unparseable(self, unit: EvidenceUnit, said: str, reason: str) -> Candidate:
        return keyed(
            Candidate(
                "", Kind.UNPARSEABLE, unit.key, "", "", None, None,
                confidence=0.0, proposer=self.name, raw=said[:LONGEST_ANSWER], note=reason,
            )
        )  # fmt: skip


def parse(answer: Answer) -> tuple[Extraction | None, str]:
    """Return the extraction in an answer, or None and the reason why it is none."""
    fault = _unusable(answer)
    if fault:
        return None, fault
    text = _THOUGHT.sub("", answer.text, count=1)
    if _OPEN_THOUGHT.match(text):
        return None, "the answer is a thought without an end"
    text = text.strip()
    fence = _CODE_FENCE.match(text)
    try:
        found = json.loads(fence[1] if fence else text, parse_constant=_no_number)
        return Extraction.model_validate_json(json.dumps(found)), ""
    except ValidationError as err:
        first = err.errors()[0]
        where = ".".join(str(step) for step in first["loc"])
        return None, f"the JSON has another form: {where}: {first['msg']}"
    except (ValueError, RecursionError) as err:
        return None, f"the answer is no JSON: {str(err)[:200]}"


def _unusable(answer: Answer) -> str:
    if answer.finish_reason == "refused":
        return f"the server refused the request: {answer.text[:200]}"
    if answer.finish_reason == "length":
        return "the answer was cut off at the limit of tokens"
    too_long = len(answer.text) > LONGEST_ANSWER
    return "the answer is longer than any true answer" if too_long else ""


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


class _Saying:
    """Turns the items of an answer about one unit into candidates, as they were said."""

    def __init__(self, mapping: Mapping, unit: EvidenceUnit, proposer: str) -> None:
        self.mapping = mapping
        self.unit = unit
        self.proposer = proposer
        self.text = unit.raw.text

    def candidates(self, said: Extraction) -> Iterator[Candidate]:
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

    def _make(self, kind: Kind, name: str, item: BaseModel, **fields: Any) -> Candidate:
        quote: str = getattr(item, "quote", "")
        at = self.text.find(quote) if quote else -1
        once = at >= 0 and self.text.find(quote, at + 1) < 0
        made = Candidate(
            "", kind, self.unit.key, name, quote,
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
