"""The second question about a relation of high risk: is it stated, where, what stays open (R58).

The model sees the relation and the passage, nothing of its own first answer. A plain yes with
words of the passage that hold both ends confirms; anything else is noted on the candidate, and
the gate keeps it for a person (`admission.confirmation`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from rdfkms import prompts
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.proposers import finding, schema
from rdfkms.knowledge.proposers.answers import LONGEST_ANSWER, read
from rdfkms.knowledge.proposers.calls import Call, Caller
from rdfkms.model import Anchor, Candidate, EvidenceUnit, Kind
from rdfkms.ports import Answer

CONFIRMED, UNCONFIRMED = "confirmed", "unconfirmed"
# What may stand in the note of a candidate that was not confirmed, after ``unconfirmed:``.
NO, UNCLEAR, OPEN, QUOTE, UNREADABLE = "no", "unclear", "open", "quote", "unreadable"
_NOTHING_OPEN = frozenset({"", "none", "no", "null", "n/a", "-"})


class Confirmer:
    """Puts relations of high risk to a model a second time, one by one."""

    def __init__(self, caller: Caller, mapping: Mapping, high_risk: Collection[str] = ()) -> None:
        self._caller = caller
        self._mapping = mapping
        self._prompt = prompts.load("confirm")
        self._schema = schema.schema_of(schema.Confirmation)
        self._high_risk = frozenset(high_risk)
        self.label = self._prompt.label

    def confirm(self, candidate: Candidate, unit: EvidenceUnit) -> Candidate:
        """Return the candidate with what the second question gave in its note.

        One that is of no high risk, or that quotes nothing to ask about, comes back as it was:
        the gate refuses or holds the latter. Raises `Unavailable` when the service does not answer.
        """
        if not is_high_risk(candidate, self._mapping, self._high_risk):
            return candidate
        if not _stands(candidate, unit):
            return candidate
        call = Call("confirm", unit, self._prompt.label, self._messages(candidate, unit),
                    self._schema)  # fmt: skip
        answer = self._caller.ask(call)
        found = _judged(answer, candidate, unit)
        note = f"{candidate.note} {found}".strip()
        raw = f"{candidate.raw}\n---- second question ----\n{answer.text}"
        return replace(candidate, note=note, raw=raw[:LONGEST_ANSWER])

    def _messages(self, candidate: Candidate, unit: EvidenceUnit) -> list[dict[str, str]]:
        rule = self._mapping.statement(candidate.name)
        return self._prompt.messages(
            language=unit.language,
            document=prompts.fenced(unit.raw.text),
            subject=_shown(candidate.subject),
            relation=f"{candidate.name} ({rule.label_en})",
            object=_shown(candidate.object)
            or (candidate.value.verbatim or candidate.value.lexical if candidate.value else ""),
            time=candidate.time.verbatim if candidate.time else "not given",
        )


def is_high_risk(candidate: Candidate, mapping: Mapping, named: Collection[str] = ()) -> bool:
    """Return whether a candidate is a relation of high risk: by the table, or one of `named`."""
    if candidate.kind is not Kind.RELATION:
        return False
    rule = mapping.statements.get(candidate.name)
    return candidate.name in named or (rule is not None and rule.high_risk)


def _stands(candidate: Candidate, unit: EvidenceUnit) -> bool:
    if candidate.unit != unit.key:
        return False
    text = unit.raw.text
    ends = [end for end in (candidate.subject, candidate.object) if end is not None]
    there = all(text[end.start : end.end] == end.surface for end in ends)
    return bool(ends) and there and finding.locate(candidate.quote, text) is not None


def _judged(answer: Answer, candidate: Candidate, unit: EvidenceUnit) -> str:
    said, _ = read(answer, schema.Confirmation)
    if said is None:
        return f"{UNCONFIRMED}:{UNREADABLE}"
    if said.stated != "yes":
        return f"{UNCONFIRMED}:{NO if said.stated == 'no' else UNCLEAR}"
    if (said.ambiguity or "").strip().lower().strip(".") not in _NOTHING_OPEN:
        return f"{UNCONFIRMED}:{OPEN}"
    if not _holds_both(said.quote or "", candidate, unit.raw.text):
        return f"{UNCONFIRMED}:{QUOTE}"
    return CONFIRMED


def _holds_both(quote: str, candidate: Candidate, text: str) -> bool:
    """Return whether the quote stands in the text and the words of both ends in the quote."""
    span = finding.locate(quote, text)
    if span is None:
        return False
    within = text[slice(*span)]
    ends = [end.surface for end in (candidate.subject, candidate.object) if end is not None]
    return all(finding.locate(surface, within) is not None for surface in ends)


def _shown(end: Anchor | None) -> str:
    return f"{prompts.inline(end.surface)} ({end.type})" if end is not None else ""
