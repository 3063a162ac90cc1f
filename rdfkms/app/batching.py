"""A batch of model calls before an extraction: asked all at once, kept, then read from the cache.

The proposer is the same as with a server. First it is run over all units only to collect what it
would ask; a batch answers that; repairs and second questions come in the next rounds. Then the
extraction runs, and what the batch did not answer is a fault and not a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rdfkms import backends
from rdfkms.app.asking import accounts, high_risk, sampling
from rdfkms.errors import Unavailable
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.proposers.calls import Call, CallCache, Caller, Spent, dump
from rdfkms.knowledge.proposers.language_model import LanguageModelProposer
from rdfkms.ledger.work import Work
from rdfkms.model import Candidate, EvidenceUnit, Fault, Record
from rdfkms.ports import Answer, BatchModel, LanguageModel, Proposer, Question
from rdfkms.settings import Settings

ROUNDS = 3  # first answers; repairs and second questions; second questions about repaired ones
_HINT = "What was answered is kept. Run the same command again to ask for the rest."


class Unanswered(Unavailable):
    """The batch has no answer to this question."""


@dataclass
class Batched:
    """Proposers whose answers a batch gave; `faults` names the passages it gave none about."""

    model: LanguageModel
    mapping: Mapping
    caller: Caller
    fault: str = ""
    missing: list[str] = field(default_factory=list)

    def __call__(self, profile: str, language: str) -> Sequence[Proposer]:
        """Return the proposers for the records of a profile."""
        return (_Tolerant(proposer_of(self, self.caller, profile), self.missing),)

    def faults(self, record: Record, page: str) -> tuple[Fault, ...]:
        """Return one fault where the page has passages without an answer."""
        count = len(self.missing)
        self.missing.clear()
        if not count:
            return ()
        reason = f"The batch gave no answer about {count} passages. {self.fault}".strip()
        return (Fault(record.title, f"page {page}", reason, _HINT),)


class _Tolerant:
    """A proposer that is silent about a unit whose question was not answered, and notes it."""

    def __init__(self, inner: Proposer, missing: list[str]) -> None:
        self.name, self.version = inner.name, inner.version
        self._inner = inner
        self._missing = missing

    def propose(self, unit: EvidenceUnit) -> tuple[Candidate, ...]:
        try:
            return self._inner.propose(unit)
        except Unanswered:
            self._missing.append(unit.key)
            return ()


class _Named:
    """Stands where a model is named but never asked."""

    def __init__(self, batch: BatchModel) -> None:
        self.name, self.version = batch.name, batch.version

    def complete(self, messages: object, schema: object) -> Answer:
        raise Unanswered("A batch answers no single question.")


def proposer_of(batched: Batched, caller: Caller, profile: str) -> LanguageModelProposer:
    """Return the proposer of a profile that asks through `caller`."""
    named = high_risk(profile, batched.mapping)
    return LanguageModelProposer(batched.model, batched.mapping, high_risk=named, caller=caller)


def ask_ahead(
    settings: Settings,
    work: Work,
    mapping: Mapping,
    run: str,
    units: Callable[[], Sequence[tuple[Record, EvidenceUnit]]],
    folder: Path,
) -> Batched:
    """Ask about all units in batches and return the proposers that read the answers.

    `units` gives the units with their records; it is called once for each round. Raises
    `Misconfigured` where no vLLM is set; a worker that dies is a fault of what it leaves open.
    """
    batch: BatchModel = backends.load("batch", "vllm")(settings.vllm, settings.models)
    kept = CallCache(work.call, work.keep_call)
    decides = sampling(settings.models)
    note = accounts(work, run, settings.models)
    model = _Named(batch)
    reader = Caller(model, kept, decides, note, _unanswered)
    batched = Batched(model, mapping, reader)
    for number in range(1, ROUNDS + 1):
        asked = _collect(batched, kept, decides, units())
        if not asked:
            break
        questions = [Question(key, call.messages, call.schema) for key, call in asked.items()]
        answers, batched.fault = batch.answer_all(questions, folder / str(number))
        for key, answer in answers.items():
            work.keep_call(key, dump(answer))
            note(_spent(key, asked[key], answer, batch.name))
        if not answers:
            break
    return batched


def _collect(
    batched: Batched,
    kept: CallCache,
    decides: str,
    units: Sequence[tuple[Record, EvidenceUnit]],
) -> dict[str, Call]:
    """Return the questions that would be asked now, by key, in the order of the units."""
    asked: dict[str, Call] = {}

    def missing(key: str, call: Call) -> Answer:
        asked.setdefault(key, call)
        if call.purpose == "confirm":
            return Answer("", "pending")  # the next one can be asked in the same round
        raise Unanswered("To be asked.")

    caller = Caller(batched.model, kept, decides, missing=missing)
    proposers: dict[str, Proposer] = {}
    for record, unit in units:
        if record.profile not in proposers:
            inner = proposer_of(batched, caller, record.profile)
            proposers[record.profile] = _Tolerant(inner, [])
        proposers[record.profile].propose(unit)
    return asked


def _unanswered(key: str, call: Call) -> Answer:
    if call.purpose == "confirm":
        return Answer("", "pending")  # read as no answer: the relation waits for a person
    raise Unanswered("The batch has no answer.")


def _spent(key: str, call: Call, answer: Answer, model: str) -> Spent:
    return Spent(
        key, call.purpose, call.unit.key, call.unit.record, model,
        answer.tokens_in, answer.tokens_out, answer.seconds, cached=False,
    )  # fmt: skip
