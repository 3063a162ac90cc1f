"""Calls of a language model: kept, counted, bounded, and asked a few at a time (R150).

`Caller` asks one question and keeps the answer under the hash of all that decides it (law 10).
`Budget` says when a document has had its tokens. `in_order` asks about many passages at once and
gives the answers in the order of the passages, so that what comes out does not depend on which
answer came first.
"""

from __future__ import annotations

import json
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from rdfkms.model import EvidenceUnit
from rdfkms.ports import Answer, LanguageModel
from rdfkms.vocab import key_of

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class CallCache:
    """Answers of earlier calls: `get` returns the kept JSON or None, `put` keeps it."""

    get: Callable[[str], str | None]
    put: Callable[[str, str], None]


@dataclass(frozen=True, slots=True)
class Call:
    """One question: for what, about which passage, by which prompt, in which words."""

    purpose: str  # extract | repair | confirm | triples | enrich | verify | verify repair
    unit: EvidenceUnit
    prompt: str
    messages: Sequence[Mapping[str, str]]
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Spent:
    """What one call took: key of the call, tokens in and out, seconds; 0 s where it was kept."""

    call: str
    purpose: str
    unit: str
    record: str
    model: str
    tokens_in: int
    tokens_out: int
    seconds: float
    cached: bool


class Caller:
    """Asks a model; safe to share by threads.

    `sampling` names the settings that decide answers (temperature, seed ...), part of the key.
    `note` is told what each call took. `missing` answers instead of the model what was not kept:
    a batch collects its questions with it.
    """

    def __init__(
        self,
        model: LanguageModel,
        cache: CallCache | None = None,
        sampling: str = "",
        note: Callable[[Spent], None] | None = None,
        missing: Callable[[str, Call], Answer] | None = None,
    ) -> None:
        self.model = model
        self._cache = cache
        self._sampling = sampling
        self._note = note
        self._missing = missing

    def key(self, call: Call) -> str:
        """Return the key under which the answer is kept."""
        return key_of(
            "call",
            self.model.name,
            self.model.version,
            call.prompt,
            self._sampling,
            json.dumps(call.messages, ensure_ascii=False, sort_keys=True),
            json.dumps(call.schema, sort_keys=True),
        )

    def ask(self, call: Call) -> Answer:
        """Return the kept answer, else the model's; raises `Unavailable` where it has none."""
        key = self.key(call)
        kept = self._cache.get(key) if self._cache else None
        if kept is not None:
            answer = Answer(**json.loads(kept))
        elif self._missing is not None:
            answer = self._missing(key, call)
        else:
            answer = self.model.complete(call.messages, call.schema)
            if self._cache:
                self._cache.put(key, dump(answer))
        if self._note:
            cached = kept is not None
            self._note(
                Spent(
                    key, call.purpose, call.unit.key, call.unit.record, self.model.name,
                    answer.tokens_in, answer.tokens_out, 0.0 if cached else answer.seconds, cached,
                )
            )  # fmt: skip
        return answer


def dump(answer: Answer) -> str:
    """Return the answer as it is kept."""
    return json.dumps(asdict(answer), ensure_ascii=False)


@dataclass
class Budget:
    """Tokens that one document may take in a run, in and out; 0 is no limit.

    `known` gives the tokens that a record took earlier in the same run, by unit and purpose: a
    resumed run goes exactly as far as one that was never interrupted. `skipped` names the units
    that were not asked about.
    """

    most: int = 0
    known: Callable[[str], Mapping[tuple[str, str], int]] | None = None
    skipped: list[str] = field(default_factory=list)
    _earlier: dict[str, Mapping[tuple[str, str], int]] = field(default_factory=dict)
    _taken: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, spent: Spent) -> None:
        """Count a call; the same call of a unit counts once, kept or not."""
        with self._lock:
            calls = self._of(spent.record).setdefault(spent.unit, {})
            calls.setdefault(spent.call, spent.tokens_in + spent.tokens_out)

    def taken(self, record: str) -> dict[str, int]:
        """Return the tokens of each unit of a record so far."""
        with self._lock:
            return {unit: sum(calls.values()) for unit, calls in self._of(record).items()}

    def earlier(self, record: str) -> Mapping[tuple[str, str], int]:
        """Return what was taken before this process began, by unit and purpose."""
        with self._lock:
            if record not in self._earlier:
                self._earlier[record] = dict(self.known(record)) if self.known else {}
            return self._earlier[record]

    def _of(self, record: str) -> dict[str, dict[str, int]]:
        if record not in self._taken:
            self._taken[record] = defaultdict(dict)
        return self._taken[record]


def in_order(
    work: Callable[[EvidenceUnit], Result],
    units: Sequence[EvidenceUnit],
    width: int,
    budget: Budget | None = None,
    purpose: str = "extract",
) -> Iterator[tuple[EvidenceUnit, Result]]:
    """Yield (unit, work(unit)) in the order of the units, at most `width` of them in the making.

    A unit is begun when the one `width` places before it is done, so that a slow service is not
    buried in requests. What the budget no longer covers is left out. The first error is raised
    once those in the making have ended: their answers are kept.
    """
    purse = _Purse(budget, units, purpose) if budget is not None and budget.most else None
    waiting: deque[tuple[EvidenceUnit, Future[Result]]] = deque()
    with ThreadPoolExecutor(width, "model") as pool:
        try:
            for unit in units:
                while len(waiting) >= width:
                    yield _done(waiting, purse)
                if purse is not None and not purse.covers(unit):
                    continue
                waiting.append((unit, pool.submit(work, unit)))
            while waiting:
                yield _done(waiting, purse)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _done(
    waiting: deque[tuple[EvidenceUnit, Future[Result]]], purse: _Purse | None
) -> tuple[EvidenceUnit, Result]:
    unit, future = waiting.popleft()
    result = future.result()
    if purse is not None:
        purse.pay(unit)
    return unit, result


class _Purse:
    """The budget as it stands while the units of one page are gone through in order."""

    def __init__(self, budget: Budget, units: Sequence[EvidenceUnit], purpose: str) -> None:
        self._budget = budget
        self._purpose = purpose
        record = units[0].record if units else ""
        # What was asked before in this run is asked again: the answers are kept, and the count
        # of what stands before each unit comes out the same.
        self._before = budget.earlier(record)
        self._taken = budget.taken(record)
        mine = {unit.key for unit in units} | set(self._taken)
        passed = sum(tokens for (unit, _), tokens in self._before.items() if unit not in mine)
        self._total = passed + sum(self._taken.values())

    def covers(self, unit: EvidenceUnit) -> bool:
        if (unit.key, self._purpose) in self._before or self._total < self._budget.most:
            return True
        if unit.key not in self._budget.skipped:
            self._budget.skipped.append(unit.key)
        return False

    def pay(self, unit: EvidenceUnit) -> None:
        now = self._budget.taken(unit.record).get(unit.key, 0)
        self._total += now - self._taken.get(unit.key, 0)
