"""The verifier over a model of inference: classes, windows, labels, and what is missing.

No weights of such a model are at hand: what runs the model does so with one of random weights,
which is made here and shows that loading, windows and batches work, not that its verdicts are
good. These tests need transformers and skip without.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from rdfkms import backends
from rdfkms.backends import nli_verifier
from rdfkms.backends.nli_verifier import Inference, NliVerifier, classes, label_of
from rdfkms.errors import Misconfigured, Missing
from rdfkms.model import Label
from tests.tools.passages import mention, passage

HAS_TRANSFORMERS = all(importlib.util.find_spec(name) for name in ("torch", "transformers"))
needs_transformers = pytest.mark.skipif(
    not HAS_TRANSFORMERS, reason="torch and transformers (extra models) are not installed"
)
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "ana", "ruiz", "entró", "en", "el", "ateneo", ".",
         "murió", "belmira", "no", "la", "de"]  # fmt: skip
LABELS = {0: "contradiction", 1: "entailment", 2: "neutral"}


@pytest.mark.parametrize(
    ("id2label", "meaning"),
    [
        ({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}, "contradiction neutral entailment"),
        ({0: "entailment", 1: "not_entailment"}, "entailment neutral"),
        ({0: "Entails", 1: "Neutral", 2: "Contradicts"}, "entailment neutral contradiction"),
    ],
)
def test_classes_are_read_from_their_names(id2label: dict[int, str], meaning: str) -> None:
    assert list(classes(id2label, "m").values()) == meaning.split()


@pytest.mark.parametrize(
    "id2label",
    [{0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}, {0: "entailment"}, {0: "neutral", 1: "positive"},
     {0: "entailment", 1: "positive"}],
)  # fmt: skip
def test_a_model_that_does_not_say_its_classes_is_refused(id2label: dict[int, str]) -> None:
    with pytest.raises(Misconfigured, match="which of its classes is entailment"):
        classes(id2label, "m")


@pytest.mark.parametrize(
    ("entailment", "contradiction", "label"),
    [
        (0.9, 0.05, Label.SUPPORTED),
        (0.5, 0.4, Label.SUPPORTED),
        (0.55, 0.6, Label.UNSUPPORTED),
        (0.1, 0.8, Label.UNSUPPORTED),
        (0.3, 0.1, Label.OVERREACHING),
        (0.1, 0.1, Label.UNSUPPORTED),
    ],
)
def test_an_inference_becomes_a_label(
    entailment: float, contradiction: float, label: Label
) -> None:
    assert label_of(Inference(entailment, contradiction, 0, 1)) is label


def test_no_model_and_no_software_are_said_in_one_sentence() -> None:
    with pytest.raises(Misconfigured, match="needs a model"):
        NliVerifier("")
    if not HAS_TRANSFORMERS:
        with pytest.raises(Missing, match=r"rdfkms\[models\]"):
            backends.load("verifier", "nli")("/no/such/model")


@needs_transformers
def test_a_model_that_is_not_there_is_said_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Missing, match="no model of inference at"):
        NliVerifier(str(tmp_path))


def tiny(folder: Path, labels: dict[int, str] = LABELS) -> str:
    """Write a model of random weights with one small layer, and a tokenizer of a few words."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    torch.manual_seed(7)
    config = transformers.BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=42, num_labels=len(labels),
        id2label=labels, label2id={v: k for k, v in labels.items()},
    )  # fmt: skip
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    words = Tokenizer(models.WordLevel({w: n for n, w in enumerate(WORDS)}, unk_token="[UNK]"))
    words.normalizer = normalizers.Lowercase()  # type: ignore[assignment, unused-ignore]
    words.pre_tokenizer = pre_tokenizers.Whitespace()  # type: ignore[assignment, unused-ignore]
    words.post_processor = processors.TemplateProcessing(  # type: ignore[assignment, unused-ignore]
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )  # fmt: skip
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
        sep_token="[SEP]", model_max_length=40,
    ).save_pretrained(folder)  # fmt: skip
    return str(folder)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    if not HAS_TRANSFORMERS:
        pytest.skip("torch and transformers (extra models) are not installed")
    return tiny(tmp_path_factory.mktemp("nli"))


@needs_transformers
def test_a_model_is_loaded_from_its_folder_and_asked(model: str) -> None:
    unit = passage("Ana Ruiz entró en el Ateneo.")
    verifier = NliVerifier(model, lambda candidate: candidate.quote)
    found = verifier.verify(mention(unit, "Ana Ruiz"), unit)
    assert found.verifier == f"nli@{verifier.version}" and found.votes[0].label is found.label
    assert found.score is not None and 0 <= found.score <= 1
    assert found.supporting_quote in unit.raw.text


@needs_transformers
def test_the_same_pair_gets_the_same_answer_alone_and_in_a_batch(model: str) -> None:
    verifier = NliVerifier(model, batch=3)
    pairs = [("Ana Ruiz murió en Belmira .", "Ana murió"), ("no", "Ana Ruiz entró"),
             ("el Ateneo " * 60, "Ana"), ("Ana", "Belmira"), ("la", "de la")]  # fmt: skip
    together = verifier.infer(pairs)
    for pair, found in zip(pairs, together, strict=True):
        alone = verifier.infer([pair])[0]
        assert alone is not None and found is not None
        assert alone.entailment == pytest.approx(found.entailment, abs=1e-6)
        assert alone.contradiction == pytest.approx(found.contradiction, abs=1e-6)


@needs_transformers
def test_a_long_passage_is_read_to_its_end_in_windows(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "en el de la " * 40 + "Ana Ruiz entró"
    verifier = NliVerifier(model)
    spans: list[tuple[int, int]] = []
    plain = nli_verifier._span

    def watched(offsets: Any, owners: Any) -> tuple[int, int]:
        spans.append(plain(offsets, owners))
        return spans[-1]

    monkeypatch.setattr(nli_verifier, "_span", watched)
    found = verifier.infer([(text, "Ana")])[0]
    assert found is not None and (found.start, found.end) in spans
    assert len(spans) > 3 and spans[0][0] == 0 and max(end for _, end in spans) == len(text)
    ordered = sorted(spans)
    assert all(a[1] > b[0] for a, b in itertools.pairwise(ordered)), "no gap between"


@needs_transformers
def test_the_best_window_entails_and_any_window_contradicts(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    verifier = NliVerifier(model)

    def shares(encoded: Any) -> Any:
        import numpy as np

        rows = np.tile([0.2, 0.7, 0.1], (len(encoded["input_ids"]), 1))
        rows[1], rows[2] = [0.6, 0.3, 0.1], [0.1, 0.1, 0.8]
        return rows

    monkeypatch.setattr(verifier, "_probabilities", shares)
    text = "en el de la " * 40
    found = verifier.infer([(text, "Ana")])[0]
    assert found is not None and (found.entailment, found.contradiction) == (0.6, 0.8)
    said = verifier.verify_sentence("Ana", text, "es")
    assert said.label is Label.UNSUPPORTED and said.supporting_quote == ""
    assert {reason.code for reason in said.reasons} == {"modelFinds", "contradicted"}


@needs_transformers
def test_what_the_model_cannot_read_is_ambiguous(model: str) -> None:
    verifier = NliVerifier(model)
    for claim, text in (("Ana", " "), ("Ana " * 30, "Ana Ruiz")):
        found = verifier.verify_sentence(claim, text, "es")
        assert found.label is Label.AMBIGUOUS
        assert [reason.code for reason in found.reasons] == ["verifierUnusable"]


@needs_transformers
def test_two_classes_and_unnamed_classes(tmp_path: Path) -> None:
    two = NliVerifier(tiny(tmp_path / "two", {0: "entailment", 1: "not_entailment"}))
    found = two.infer([("Ana Ruiz", "Ana")])[0]
    assert found is not None and found.contradiction == 0 and 0 < found.entailment < 1
    unnamed = tiny(tmp_path / "unnamed")
    config = Path(unnamed) / "config.json"
    settings = json.loads(config.read_text())
    settings["id2label"] = {str(n): f"LABEL_{n}" for n in range(3)}
    config.write_text(json.dumps(settings))
    with pytest.raises(Misconfigured, match="LABEL_0"):
        NliVerifier(unnamed)
