"""Events by their trigger words, with the time, place and people named beside them (R50).

For texts of which no formula is known: a word list says which words report which events, and which
characters beside them tell another word. Arguments are what stands nearest in the same sentence.
The list is kept in simplified characters; texts in traditional ones are read through a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, ValidationError

from rdfkms.errors import Misconfigured
from rdfkms.knowledge import dates, lexicons
from rdfkms.knowledge.proposers import bounded
from rdfkms.knowledge.proposers.candidates import Quoting
from rdfkms.model import Anchor, Candidate, EvidenceUnit, Kind
from rdfkms.vocab import key_of

CONFIDENCE, ARGUMENT_CONFIDENCE = 0.7, 0.5
ANY = "*"
NEAR = 4  # characters between a trigger and what it acts on
DATE_HOLDS = 60  # characters for which a date holds, over the ends of sentences, until the next
_END = re.compile(r"[。！？；\n]")
Place = tuple[int, int]


class TriggerTable(BaseModel):
    """The table `[triggers]` of a profile: word lists, and expressions for what fills roles."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    lexicon: str
    characters: str = ""
    version: str = "1"
    languages: tuple[str, ...] = ("lzh",)
    time: str = ""
    person: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Trigger:
    """A word that reports events of a type, and characters that may not stand beside it."""

    word: str
    type: str
    before: frozenset[str]
    behind: frozenset[str]

    def stands(self, before: str, behind: str) -> bool:
        """Return whether the word is meant between these two characters."""
        return before not in self.before and behind not in self.behind


class TriggerProposer:
    """Proposes events and their arguments; `name` is ``triggers:<profile>``."""

    def __init__(self, profile: str, table: TriggerTable) -> None:
        self.name = f"triggers:{profile}"
        self.version = table.version
        self._languages = table.languages
        self._triggers = _triggers(table.lexicon)
        self._longest = max((len(word) for word in self._triggers), default=0)
        pairs = lexicons.rows(table.characters) if table.characters else ()
        self._characters = {ord(row[0]): row[1] for row in pairs}
        self._patterns = {
            role: bounded.compile(expression)
            for role, expression in (
                ("time", table.time), ("participant", table.person), ("location", table.place)
            )
            if expression
        }  # fmt: skip

    def propose(self, unit: EvidenceUnit) -> tuple[Candidate, ...]:
        """Return events in order of place, each with its arguments and their mentions."""
        if unit.language not in self._languages:
            return ()
        text = unit.raw.text.translate(self._characters)
        return tuple(self._events(unit, text))

    def _events(self, unit: EvidenceUnit, text: str) -> Iterator[Candidate]:
        quoting = Quoting(unit, self.name)
        named: set[tuple[Place, str]] = set()
        for span, trigger in self._found(text):
            anchor = quoting.anchor(span)
            group = key_of("event", unit.key, trigger.type, *span)
            yield quoting.candidate(
                Kind.EVENT, trigger.type, span,
                subject=anchor, cue=anchor, group=group, confidence=CONFIDENCE,
            )  # fmt: skip
            for role, place in self._arguments(text, span):
                type_ = {"participant": "Person", "location": "Location"}.get(role)
                if type_ is not None and (place, type_) not in named:
                    named.add((place, type_))
                    yield quoting.mention(place, type_, ARGUMENT_CONFIDENCE)
                yield self._argument(quoting, role, place, anchor, group)

    def _argument(
        self, quoting: Quoting, role: str, place: Place, trigger: Anchor, group: str
    ) -> Candidate:
        spans = (place, (trigger.start, trigger.end))
        fields = {"cue": trigger, "group": group, "confidence": ARGUMENT_CONFIDENCE}
        if role == "time":
            words = quoting.anchor(place).surface
            value = dates.time_value(words, quoting.unit.language)
            return quoting.candidate(Kind.ARGUMENT, role, *spans, value=value, **fields)
        thing = quoting.anchor(place, "Person" if role == "participant" else "Location")
        return quoting.candidate(Kind.ARGUMENT, role, *spans, object=thing, **fields)

    def _found(self, text: str) -> Iterator[tuple[Place, Trigger]]:
        """Yield the triggers, the longest first, without overlap."""
        at, always = 0, self._triggers.get(ANY)
        while at < len(text):
            step = 1
            for length in range(min(self._longest, len(text) - at), 0, -1):
                trigger = self._triggers.get(text[at : at + length])
                if trigger is None:
                    continue
                step = length
                before, behind = (
                    text[at - 1 : at] if at else "",
                    text[at + length : at + length + 1],
                )
                meant = trigger.stands(before, behind)
                if meant and (length > 1 or always is None or always.stands(before, behind)):
                    yield (at, at + length), trigger
                break
            at += step

    def _arguments(self, text: str, trigger: Place) -> Iterator[tuple[str, Place]]:
        """Yield roles with what fills them: the nearest time before, people and place beside."""
        first = max((m.end() for m in _END.finditer(text, 0, trigger[0])), default=0)
        stop = _END.search(text, trigger[1])
        last = stop.start() if stop else len(text)
        for role, pattern in self._patterns.items():
            since = max(0, trigger[0] - DATE_HOLDS) if role == "time" else first
            before = [m.span() for m in pattern.finditer(text, since, trigger[0]) if m[0]]
            behind = [m.span() for m in pattern.finditer(text, trigger[1], last) if m[0]]
            near = [place for place in behind[:1] if place[0] - trigger[1] <= NEAR]
            chosen = {"time": before[-1:], "location": near}.get(role, [*before[-1:], *near])
            yield from ((role, place) for place in chosen)


def from_table(profile: str, tables: Mapping[str, object]) -> TriggerProposer | None:
    """Return the trigger proposer of a profile, None where it has no table `[triggers]`.

    Raises `Misconfigured` with the profile and the reason.
    """
    if not tables.get("triggers"):
        return None
    try:
        return TriggerProposer(profile, TriggerTable.model_validate(tables["triggers"]))
    except ValidationError as err:
        first = err.errors()[0]
        where = ".".join(str(step) for step in first["loc"])
        raise Misconfigured(f"profile {profile!r}: triggers.{where}: {first['msg']}.") from err
    except ValueError as err:
        raise Misconfigured(f"profile {profile!r}: triggers: {err}.") from err


def _triggers(name: str) -> dict[str, Trigger]:
    found = {}
    for row in lexicons.rows(name):
        if len(row) != 4:
            raise Misconfigured(f"ingest/lexicons/{name}.tsv: {row[0]}: {len(row)} cells, not 4.")
        word, type_, before, behind = row
        found[word] = Trigger(
            word, type_, frozenset(before.strip("-")), frozenset(behind.strip("-"))
        )
    return found
