"""Makes the verifiers that an archive's settings name, beside the rules (R72-R77)."""

from __future__ import annotations

from collections.abc import Callable

from rdfkms import backends
from rdfkms.admission import wording
from rdfkms.admission.model_verifier import ModelVerifier
from rdfkms.admission.verification import RulesVerifier
from rdfkms.app import asking
from rdfkms.errors import Misconfigured
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.proposers.calls import Budget, CallCache, Caller
from rdfkms.ledger.work import Work
from rdfkms.ports import LanguageModel, Verifier
from rdfkms.settings import Settings


def verifiers(
    settings: Settings, work: Work, mapping: Mapping, run: str, budget: Budget | None = None
) -> tuple[Verifier, ...]:
    """Return the verifiers of `gate.verifiers`, in that order.

    What a language model is asked is in the accounts of `run`, and counts for `budget`. Raises
    `Misconfigured` where one lacks its settings, `Missing` where its software or model is not on
    this machine.
    """
    made: dict[str, Callable[[], Verifier]] = {
        "rules": RulesVerifier,
        "nli": lambda: _entailment(settings, mapping),
        "llm": lambda: _model(settings, work, mapping, run, budget),
    }
    return tuple(made[name]() for name in settings.gate.verifiers)


def _entailment(settings: Settings, mapping: Mapping) -> Verifier:
    verifier: Verifier = backends.load("verifier", "nli")(
        settings.gate.nli_model,
        lambda candidate: wording.said(candidate, mapping),
        download=settings.gate.nli_download,
    )
    return verifier


def _model(
    settings: Settings, work: Work, mapping: Mapping, run: str, budget: Budget | None
) -> Verifier:
    models = settings.models
    if not models.llm_url:
        raise Misconfigured(
            "The verifier 'llm' has no language model to ask.",
            hint="Set models.llm_url in archive.toml, or take 'llm' out of gate.verifiers.",
        )
    model: LanguageModel = backends.load("llm", "openai")(models)
    kept = CallCache(work.call, work.keep_call)
    note = asking.accounts(work, run, models, budget)
    caller = Caller(model, kept, asking.sampling(models), note)
    return ModelVerifier(model, mapping, caller=caller)
