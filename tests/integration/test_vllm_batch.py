"""Batches through vLLM: the exchange with the worker, tried on a stand-in for the package `vllm`.

vLLM itself (several gigabytes, pinned to its own torch) is not installed where these tests run. A
stand-in package with the few names that the worker uses is written to a folder on the worker's
PYTHONPATH: what is tested is the exchange, not vLLM.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from rdfkms.app import composition, operations
from rdfkms.backends.vllm_offline import VllmBatch
from rdfkms.errors import Misconfigured
from rdfkms.ledger import usage
from rdfkms.ports import Question
from rdfkms.settings import ModelSettings, VllmSettings

STAND_IN = '''
"""A stand-in for vLLM in tests: answers by rule, keeps what it was given, dies on request."""
import json, os, re
from pathlib import Path
from vllm.sampling_params import SamplingParams

class _Said:
    def __init__(self, text):
        self.text, self.finish_reason, self.token_ids = text, "stop", [0] * 5

class _Output:
    def __init__(self, text):
        self.outputs, self.prompt_token_ids = [_Said(text)], [0] * 11

class LLM:
    def __init__(self, model, seed, **args):
        Path(os.environ["STAND_IN"], "made.json").write_text(
            json.dumps({"model": model, "seed": seed, "args": args}))
        self.calls = 0

    def chat(self, conversations, sampling, use_tqdm=True):
        assert len(conversations) == len(sampling)
        self.calls += 1
        if str(self.calls) == os.environ.get("DIE_AT"):
            print("CUDA out of memory", flush=True)
            os._exit(9)
        return [_Output(self.answer(c, s)) for c, s in zip(conversations, sampling)]

    def answer(self, messages, sampling):
        seen = Path(os.environ["STAND_IN"], "seen.jsonl")
        with seen.open("a") as out:
            out.write(json.dumps([sampling.given, sampling.structured_outputs.json]) + "\\n")
        asked = messages[-1]["content"]
        if "Statement" in asked:
            quote = re.search(r"Rosa Ferrer.{0,40}juez", asked)
            return json.dumps({"stated": "yes", "quote": quote and quote[0], "ambiguity": None})
        if "was refused because" in asked:
            return '{"mentions": []}'
        if "broken" in asked:
            return "no JSON"
        mentions = [{"type": "Person", "text": "Rosa Ferrer", "quote": "Rosa Ferrer"}]
        statements = []
        if "juez" in asked:
            mentions.append({"type": "Title", "text": "juez", "quote": "juez"})
            statements.append({"name": "OfficeHolding", "subject": "Rosa Ferrer",
                "subject_type": "Person", "object": "juez", "object_type": "Title",
                "value": None, "time": None, "cue": None, "quote": "Rosa Ferrer fue juez"})
        return json.dumps({"mentions": mentions, "statements": statements})
'''
SAMPLING = """
class StructuredOutputsParams:
    def __init__(self, json=None):
        self.json = json

class SamplingParams:
    def __init__(self, structured_outputs=None, **given):
        self.given, self.structured_outputs = given, structured_outputs
"""
PAGES = {
    "registro-p1.md": "# Registro\n\nRosa Ferrer fue juez de Castrovil en aquel tiempo.\n",
    "registro-p2.md": "# Registro\n\nRosa Ferrer, de cuarenta y dos años, es broken aquí.\n",
    "registro-p3.md": "# Registro\n\nRosa Ferrer: treinta años, natural de Castrovil, maestra.\n",
}


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the stand-in where the worker's python finds it; returns the folder it writes to."""
    package = tmp_path / "path" / "vllm"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(STAND_IN)
    (package / "sampling_params.py").write_text(SAMPLING)
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    monkeypatch.setenv("STAND_IN", str(tmp_path))
    monkeypatch.delenv("DIE_AT", raising=False)
    return tmp_path


def batch(**more: Any) -> VllmBatch:
    told = {"python": sys.executable, "model": "some/model", **more}
    return VllmBatch(VllmSettings.model_validate(told), ModelSettings())


def questions(count: int) -> list[Question]:
    schema = {"type": "object", "properties": {}}
    return [
        Question(f"k{n}", [{"role": "user", "content": f"Rosa {n}"}], schema) for n in range(count)
    ]


def seen(stand_in: Path) -> list[Any]:
    return [json.loads(line) for line in (stand_in / "seen.jsonl").read_text().splitlines()]


def test_prompts_go_out_with_schema_and_sampling_and_answers_come_back(stand_in: Path) -> None:
    made = batch(args={"max_model_len": 8192, "enforce_eager": True})
    answers, fault = made.answer_all(questions(3), stand_in / "batch")
    assert (sorted(answers), fault) == (["k0", "k1", "k2"], "")
    assert (answers["k0"].tokens_in, answers["k0"].tokens_out) == (11, 5)
    assert json.loads((stand_in / "made.json").read_text()) == {
        "model": "some/model", "seed": 1, "args": {"max_model_len": 8192, "enforce_eager": True},
    }  # fmt: skip
    given, schema = seen(stand_in)[0]
    assert given == {
        "temperature": 0.6, "top_p": 0.95, "top_k": 20, "seed": 1, "max_tokens": 2048,
    }  # fmt: skip
    assert schema == {"type": "object", "properties": {}}


def test_a_worker_that_dies_leaves_what_it_did_and_the_next_asks_for_the_rest(
    stand_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIE_AT", "2")
    made = batch(at_once=2)
    answers, fault = made.answer_all(questions(5), stand_in / "batch")
    assert sorted(answers) == ["k0", "k1"]
    assert "code 9" in fault
    assert "CUDA out of memory" in fault
    assert "3 of 5 answers are missing" in fault
    # Killed in the middle of a line.
    with (stand_in / "batch" / "answers.jsonl").open("a") as out:
        out.write('{"key": "k2", "text": "{}", "fin')
    monkeypatch.delenv("DIE_AT")
    answers, fault = made.answer_all(questions(5), stand_in / "batch")
    assert (len(answers), fault) == (5, "")
    assert len(seen(stand_in)) == 5  # none of them twice


def _line(**changed: Any) -> str:
    whole = {
        "key": "k0", "text": "", "finish_reason": "", "tokens_in": 1, "tokens_out": 1, "seconds": 0,
    }  # fmt: skip
    return json.dumps({**whole, **changed})


@pytest.mark.parametrize(
    "line",
    ["", "[]", "{", '"x"', '{"key": "k0"}', "\x00\x00", "[" * 50_000,
     _line(text=7), _line(key="k9"), _line(tokens_in=-1), _line(seconds="x"),
    ],
)  # fmt: skip
def test_lines_that_are_no_answers_are_passed_over(stand_in: Path, line: str) -> None:
    folder = stand_in / "batch"
    folder.mkdir()
    (folder / "answers.jsonl").write_text(line + "\n")
    answers, fault = batch().answer_all(questions(2), folder)
    assert (sorted(answers), fault) == (["k0", "k1"], "")


def test_a_worker_that_leaves_questions_unanswered_or_hangs_is_told_of(
    stand_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (stand_in / "path" / "vllm" / "__init__.py").write_text("import time; time.sleep(60)")
    _, fault = batch(seconds=1).answer_all(questions(2), stand_in / "hangs")
    assert "stopped after 1 s" in fault
    (stand_in / "path" / "vllm" / "__init__.py").write_text("raise SystemExit(0)")
    _, fault = batch().answer_all(questions(2), stand_in / "silent")
    assert "ended well, but left questions" in fault
    monkeypatch.setenv("PYTHONPATH", "")
    _, fault = batch().answer_all(questions(2), stand_in / "absent")
    assert "No module named 'vllm'" in fault


def test_an_interpreter_that_is_not_there_is_a_matter_of_settings(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match=r"\[vllm\]"):
        VllmBatch(VllmSettings(), ModelSettings())
    with pytest.raises(Misconfigured, match="cannot be run"):
        batch(python=str(tmp_path / "nowhere"))


# ---- extraction out of a batch -----------------------------------------------------------------


def archive_of(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    rules = '[[records]]\nmatch = "*.md"\nprofile = "register"\n'
    (folder / "records.toml").write_text(rules)
    root = tmp_path / "A"
    operations.perform(root, "ingest", {"paths": [str(folder)], "jobs": 1})
    with (root / "archive.toml").open("a") as out:
        out.write(f'\n[vllm]\npython = "{sys.executable}"\nmodel = "some/model"\nat_once = 1\n')
    return root


def test_an_extraction_reads_its_answers_from_the_batch(stand_in: Path) -> None:
    root = archive_of(stand_in)
    report = operations.perform(root, "extract", {"offline_batch": True})
    assert report["faults"] == []
    # Three passages, one repair, one second question.
    assert report["usage"]["calls"] == 5
    assert report["usage"]["purposes"]["confirm"]["calls"] == 1
    assert report["usage"]["purposes"]["repair"]["calls"] == 1
    with composition.reading(root) as app:
        said = [c for c in app.work.candidates() if c.candidate.proposer.startswith("model:")]
        (office,) = [c for c in said if c.candidate.name == "OfficeHolding"]
        assert office.candidate.note.endswith("confirmed")
        assert {row.cached for row in usage.rows(app.work)} == {False}
    count = len(seen(stand_in))
    again = operations.perform(root, "extract", {"offline_batch": True})
    assert len(seen(stand_in)) == count
    assert again["verdicts"] == report["verdicts"]


def test_a_batch_that_breaks_off_is_a_fault_and_the_rest_goes_on(
    stand_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = archive_of(stand_in)
    monkeypatch.setenv("DIE_AT", "2")
    report = operations.perform(root, "extract", {"offline_batch": True})
    assert report["verdicts"]["admitted"] > 3  # by rules, and by what was answered
    assert len(report["faults"]) == 2
    for fault in report["faults"]:
        assert "no answer about 1 passages" in fault["reason"]
        assert "code 9" in fault["reason"]
    monkeypatch.delenv("DIE_AT")
    again = operations.perform(root, "extract", {"offline_batch": True})
    assert again["usage"]["calls"] == 5
