"""A verifier over a model of natural-language inference: a cross-encoder (extra `models`).

The passage is the premise, the claim in words the hypothesis. What the classes of the model mean
is read from its configuration (`id2label`); a model that does not say is refused. A passage longer
than the model reads is read in windows that overlap: the best window may entail, any window may
contradict.

entailment from `ENTAILS` on, and more than contradiction   supported
contradiction is the likeliest                               unsupported (contradicted)
neutral, some entailment (from `TOUCHES` on)                 overreaching
neutral                                                      unsupported

No weights come with this software. `model` is a folder, or the name of a model in the local cache
of transformers; it is fetched only where `download` allows it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfkms.errors import Misconfigured, Missing
from rdfkms.model import Candidate, EvidenceUnit, Label, Reason, Verification, Vote

ENTAILS = 0.5
TOUCHES = 0.2
BATCH = 8
# Tokens that two windows of one passage share, and the most that a model is asked to read at once.
STRIDE = 64
MOST_TOKENS = 512
CLASSES = ("entailment", "neutral", "contradiction")


@dataclass(frozen=True, slots=True)
class Inference:
    """Probabilities of one pair over its windows, and the span of the window that entails most."""

    entailment: float
    contradiction: float
    start: int
    end: int


class NliVerifier:
    """The port `Verifier`; `said` gives the words of a candidate's claim."""

    name = "nli"

    def __init__(
        self,
        model: str,
        said: Callable[[Candidate], str] = lambda candidate: candidate.quote,
        *,
        download: bool = False,
        batch: int = BATCH,
    ) -> None:
        if not model:
            raise Misconfigured(
                "The verifier 'nli' needs a model.",
                hint="Set gate.nli_model in archive.toml to the folder or the name of one.",
            )
        try:
            import torch
            import transformers
        except ImportError as err:
            raise Missing(
                f"The verifier 'nli' needs software that is not installed ({err.name}).",
                hint='Install it with: pip install "rdfkms[models]".',
            ) from err
        local = {"local_files_only": not download, "trust_remote_code": False}
        try:
            self._tokenizer: Any = transformers.AutoTokenizer.from_pretrained(model, **local)
            kind = transformers.AutoModelForSequenceClassification
            self._model: Any = kind.from_pretrained(model, **local).eval()
        except (OSError, ValueError) as err:
            raise Missing(
                f"There is no model of inference at {model!r}: {str(err).splitlines()[0]}",
                hint="Copy the model's folder to this machine and set gate.nli_model to it, "
                "or allow gate.nli_download.",
            ) from err
        self._torch: Any = torch
        self._classes = classes(self._model.config.id2label, model)
        if not self._tokenizer.is_fast:
            raise Misconfigured(f"The model {model!r} has no fast tokenizer; choose another one.")
        self._longest = min(self._tokenizer.model_max_length, MOST_TOKENS, self._positions())
        self._said = said
        self._batch = batch
        self._lock = threading.Lock()
        self.version = f"{transformers.__version__} {model}"

    def verify(self, candidate: Candidate, unit: EvidenceUnit) -> Verification:
        """Return what the model finds about a screened candidate."""
        return self.verify_many([(candidate, unit)])[0]

    def verify_many(self, cases: Sequence[tuple[Candidate, EvidenceUnit]]) -> list[Verification]:
        """Return what the model finds about each candidate, asked in batches."""
        pairs = [(unit.raw.text, self._said(candidate)) for candidate, unit in cases]
        return [
            self._finding(pair, found) for pair, found in zip(pairs, self.infer(pairs), strict=True)
        ]

    def verify_sentence(
        self, claim: str, evidence: str | Sequence[str], language: str
    ) -> Verification:
        """Return what the model finds about a claim in words; its languages are the model's."""
        text = evidence if isinstance(evidence, str) else "\n".join(evidence)
        return self._finding((text, claim), self.infer([(text, claim)])[0])

    def infer(self, pairs: Sequence[tuple[str, str]]) -> list[Inference | None]:
        """Return the inference of each (premise, hypothesis).

        None where the premise is empty or the hypothesis fills half of what the model reads.
        """
        fitting = [n for n, pair in enumerate(pairs) if pair[0].strip() and self._fits(pair[1])]
        found: list[Inference | None] = [None] * len(pairs)
        for first in range(0, len(fitting), self._batch):
            numbers = fitting[first : first + self._batch]
            some = self._infer([pairs[n] for n in numbers])
            for number, inference in zip(numbers, some, strict=True):
                found[number] = inference
        return found

    def _infer(self, pairs: Sequence[tuple[str, str]]) -> list[Inference]:
        with self._lock:
            encoded = self._tokenizer(
                [premise for premise, _ in pairs],
                [hypothesis for _, hypothesis in pairs],
                truncation="only_first",
                max_length=self._longest,
                stride=min(STRIDE, self._longest // 4),
                return_overflowing_tokens=True,
                return_offsets_mapping=True,
                padding=True,
                return_tensors="pt",
            )
            owners = encoded.pop("overflow_to_sample_mapping").tolist()
            offsets = encoded.pop("offset_mapping").tolist()
            spans = [_span(offsets[n], encoded.sequence_ids(n)) for n in range(len(owners))]
            shares = self._probabilities(dict(encoded))
        best: dict[int, Inference] = {}
        for owner, (start, end), (entails, _, contradicts) in zip(
            owners, spans, shares.tolist(), strict=True
        ):
            old = best.get(owner)
            against = max(contradicts, old.contradiction if old else 0.0)
            if old is None or entails > old.entailment:
                best[owner] = Inference(entails, against, start, end)
            else:
                best[owner] = Inference(old.entailment, against, old.start, old.end)
        return [best[n] for n in range(len(pairs))]

    def _probabilities(self, encoded: Mapping[str, Any]) -> NDArray[np.float64]:
        """Return rows of (entailment, neutral, contradiction); a class that is absent has 0."""
        rows = []
        width = len(encoded["input_ids"])
        with self._torch.inference_mode():
            for first in range(0, width, self._batch):
                part = {k: v[first : first + self._batch] for k, v in encoded.items()}
                logits = self._model(**part).logits
                rows.append(self._torch.softmax(logits.double(), dim=-1).cpu().numpy())
        shares = np.concatenate(rows)
        wide = np.zeros((len(shares), len(CLASSES)), dtype=np.float64)
        for column, name in self._classes.items():
            wide[:, CLASSES.index(name)] += shares[:, column]
        return wide

    def _positions(self) -> int:
        # Models of the RoBERTa family keep the first positions for padding.
        most = int(getattr(self._model.config, "max_position_embeddings", MOST_TOKENS) or 0)
        return most - 2 if most > 2 else MOST_TOKENS

    def _fits(self, hypothesis: str) -> bool:
        words = self._tokenizer(hypothesis, add_special_tokens=False, truncation=False)
        return bool(0 < len(words["input_ids"]) <= self._longest // 2)

    def _finding(self, pair: tuple[str, str], found: Inference | None) -> Verification:
        verifier = f"{self.name}@{self.version}"
        if found is None:
            sentence = "The verifier cannot read this: empty, or too long a claim for the model."
            unusable = (Reason("verifierUnusable", sentence),)
            votes = (Vote(verifier, Label.AMBIGUOUS),)
            return Verification(Label.AMBIGUOUS, unusable, verifier=verifier, votes=votes)
        label = label_of(found)
        told = f"entailment {found.entailment:.2f}, contradiction {found.contradiction:.2f}"
        reasons = [Reason("modelFinds", f"The model judges: {told}.")]
        if label is Label.UNSUPPORTED and found.contradiction > TOUCHES:
            reasons.append(Reason("contradicted", "The passage says otherwise, to the model."))
        quote = "" if label is Label.UNSUPPORTED else pair[0][found.start : found.end]
        over = reasons[0].sentence if label is Label.OVERREACHING else ""
        return Verification(label, tuple(reasons), quote, (), over, verifier,
                            round(found.entailment, 4), (Vote(verifier, label),))  # fmt: skip


def label_of(found: Inference) -> Label:
    """Return the label that an inference amounts to."""
    neutral = 1 - found.entailment - found.contradiction
    if found.entailment >= ENTAILS and found.entailment > found.contradiction:
        return Label.SUPPORTED
    if found.contradiction > max(found.entailment, neutral):
        return Label.UNSUPPORTED
    return Label.OVERREACHING if found.entailment >= TOUCHES else Label.UNSUPPORTED


def classes(id2label: Mapping[int, str], model: str) -> dict[int, str]:
    """Return what each class of a model means: one of `CLASSES`, by its name in the configuration.

    "not_entailment" of models with two classes is neutral. Raises `Misconfigured` for a model whose
    names do not say.
    """
    found = dict(_meanings(id2label))
    if "entailment" not in found.values() or len(found) != len(id2label) or len(found) < 2:
        raise Misconfigured(
            f"The model {model!r} does not say which of its classes is entailment "
            f"(id2label: {', '.join(map(str, id2label.values()))}).",
            hint="Choose a model of natural-language inference, or name the classes in its "
            "config.json.",
        )
    return found


def _meanings(id2label: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    for number, name in id2label.items():
        plain = name.lower().replace("-", "_").replace(" ", "_")
        if plain.startswith(("not_", "non_")) or plain == "neutral":
            yield int(number), "neutral"
        elif plain.startswith("entail"):
            yield int(number), "entailment"
        elif plain.startswith("contradict"):
            yield int(number), "contradiction"


def _span(offsets: Sequence[Sequence[int]], owners: Sequence[int | None]) -> tuple[int, int]:
    """Return the span of the premise that a window holds."""
    held = [pair for pair, owner in zip(offsets, owners, strict=True) if owner == 0]
    ends = [pair for pair in held if pair[1] > pair[0]]
    return (ends[0][0], ends[-1][1]) if ends else (0, 0)
