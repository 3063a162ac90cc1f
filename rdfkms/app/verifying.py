"""Makes the verifiers that an archive's settings name, beside the rules (R72-R77)."""

from __future__ import annotations

from collections.abc import Callable

from rdfkms import backends
from rdfkms.admission import wording
from rdfkms.admission.model_verifier import ModelVerifier
from rdfkms.admission.verification import RulesVerifier
from rdfkms.errors import Misconfigured
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.proposers.language_model import CallCache
from rdfkms.ledger.work import Work
from rdfkms.ports import Verifier
from rdfkms.settings import Settings


def verifiers(settings: Settings, work: Work, mapping: Mapping) -> tuple[Verifier, ...]:
    """Return the verifiers of `gate.verifiers`, in that order.

    Raises `Misconfigured` where one lacks its settings, `Missing` where its software or model is
    not on this machine.
    """
    made: dict[str, Callable[[], Verifier]] = {
        "rules": RulesVerifier,
        "nli": lambda: _entailment(settings, mapping),
        "llm": lambda: _model(settings, work, mapping),
    }
    return tuple(made[name]() for name in settings.gate.verifiers)


def _entailment(settings: Settings, mapping: Mapping) -> Verifier:
    verifier: Verifier = backends.load("verifier", "nli")(
        settings.gate.nli_model,
        lambda candidate: wording.said(candidate, mapping),
        download=settings.gate.nli_download,
    )
    return verifier


def _model(settings: Settings, work: Work, mapping: Mapping) -> Verifier:
    models = settings.models
    if not models.llm_url:
        raise Misconfigured(
            "The verifier 'llm' has no language model to ask.",
            hint="Set models.llm_url in archive.toml, or take 'llm' out of gate.verifiers.",
        )
    sampling = f"temperature={models.temperature} top_p={models.top_p} top_k={models.top_k}"
    cache = CallCache(work.call, work.keep_call)
    return ModelVerifier(backends.load("llm", "openai")(models), mapping, cache, sampling=sampling)
