"""The proposers that ask a language model, with their cache, accounts, budget and width."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rdfkms import backends
from rdfkms.errors import Misconfigured
from rdfkms.ingest import profiles
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.predicates import Predicates
from rdfkms.knowledge.proposers.calls import Budget, CallCache, Caller, Spent
from rdfkms.knowledge.proposers.free_triples import FreeTripleProposer
from rdfkms.knowledge.proposers.language_model import LanguageModelProposer
from rdfkms.ledger import usage
from rdfkms.ledger.usage import UsageRow
from rdfkms.ledger.work import Work
from rdfkms.model import Fault, Kind, Record
from rdfkms.ports import Embedder, LanguageModel, Proposer
from rdfkms.settings import ModelSettings, Settings


@dataclass
class Asking:
    """Proposers of one run that ask a model; `faults` tells what the budget left unasked."""

    model: LanguageModel
    mapping: Mapping
    settings: ModelSettings
    caller: Caller
    budget: Budget
    # Makes the proposer of free triples, where it is set; it is told the relations of high risk.
    free: Callable[[Sequence[str]], Proposer] | None = None
    _made: dict[str, tuple[Proposer, ...]] = field(default_factory=dict)

    def __call__(self, profile: str, language: str) -> Sequence[Proposer]:
        """Return the proposers for the records of a profile; raises `Misconfigured`."""
        if profile not in self._made:
            named = high_risk(profile, self.mapping)
            self._made[profile] = (
                LanguageModelProposer(
                    self.model,
                    self.mapping,
                    high_risk=named,
                    caller=self.caller,
                    width=self.settings.concurrency,
                    budget=self.budget,
                ),
                *((self.free(named),) if self.free is not None else ()),
            )
        return self._made[profile]

    def faults(self, record: Record, page: str) -> tuple[Fault, ...]:
        """Return one fault where the page has passages that were not asked about."""
        skipped, self.budget.skipped = self.budget.skipped, []
        if not skipped:
            return ()
        reason = (
            f"{len(skipped)} passages were not put to {self.model.name}: the document has had "
            f"its {self.budget.most} tokens."
        )
        hint = "Raise models.max_tokens_per_document and run `rdfkms extract` again."
        return (Fault(record.title, f"page {page}", reason, hint),)


def high_risk(profile: str, mapping: Mapping) -> tuple[str, ...]:
    """Return the relations that a profile puts to a model twice; raises `Misconfigured`."""
    named = profiles.load(profile).high_risk
    for name in named:
        if not mapping.knows(Kind.RELATION, name):
            raise Misconfigured(
                f"ingest/profiles/{profile}.toml: high_risk: {name!r} is no relation.",
                hint=f"Known: {', '.join(mapping.names(Kind.RELATION))}.",
            )
    return named


def sampling(settings: ModelSettings) -> str:
    """Return what decides answers besides model and prompt: a part of each call's key."""
    return (
        f"temperature={settings.temperature} top_p={settings.top_p} top_k={settings.top_k} "
        f"max_tokens={settings.max_tokens}"
    )


def of_settings(
    settings: Settings,
    work: Work,
    mapping: Mapping,
    run: str,
    embedder: Callable[[], Embedder | None] = lambda: None,
) -> Asking | None:
    """Return the proposers that ask the server of the settings; None where none is set.

    `embedder` is called where free triples are asked for: their predicates are mapped by it.
    """
    if not settings.models.llm_url:
        return None
    model: LanguageModel = backends.load("llm", "openai")(settings.models)
    made = asking(model, settings.models, work, mapping, run)
    if settings.models.free_triples:
        predicates = Predicates(settings.triples, embedder())
        made.free = lambda named: FreeTripleProposer(
            model, mapping, made.caller, predicates, settings.triples,
            width=settings.models.concurrency, budget=made.budget, high_risk=named,
        )  # fmt: skip
    return made


def asking(
    model: LanguageModel, settings: ModelSettings, work: Work, mapping: Mapping, run: str
) -> Asking:
    """Return the proposers that ask a model in a run, with cache and accounts in `work`."""
    budget = Budget(
        settings.max_tokens_per_document, known=lambda record: usage.taken(work, run, record)
    )
    note = accounts(work, run, settings, budget)
    kept = CallCache(work.call, work.keep_call)
    caller = Caller(model, kept, sampling(settings), note)
    return Asking(model, mapping, settings, caller, budget)


def accounts(
    work: Work, run: str, settings: ModelSettings, budget: Budget | None = None
) -> Callable[[Spent], None]:
    """Return what notes each call in the accounts of a run (and in its budget)."""

    def note(spent: Spent) -> None:
        if budget is not None:
            budget.note(spent)
        price = spent.tokens_in * settings.price_in + spent.tokens_out * settings.price_out
        usage.add(
            work,
            UsageRow(
                run, spent.unit, spent.call, spent.record, spent.purpose, spent.model,
                spent.tokens_in, spent.tokens_out, round(spent.seconds, 3), spent.cached,
                0.0 if spent.cached else price / 1e6,
            ),
        )  # fmt: skip

    return note
