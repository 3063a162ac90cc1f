"""Batches of prompts through vLLM in an interpreter of its own: JSONL in and out (port).

The worker (`vllm_worker.py`) is run as a file by `vllm.python`; rdfkms never imports vLLM. What a
worker leaves is read line by line: half-written lines, unknown keys and other forms are passed
over, and an earlier batch that was broken off is used as far as it went.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rdfkms.errors import Misconfigured
from rdfkms.ports import Answer, Question
from rdfkms.settings import ModelSettings, VllmSettings

WORKER = Path(__file__).with_name("vllm_worker.py")
SEED = 1
LONGEST_LINE = 4_000_000
_SHOWN = 300


class VllmBatch:
    """Answers many questions in one go; `name` is the model."""

    version = "vllm offline"

    def __init__(self, settings: VllmSettings, models: ModelSettings) -> None:
        if not settings.python or not settings.model:
            raise Misconfigured(
                "No vLLM is set.", hint="Set python and model in the section [vllm]."
            )
        if not os.access(settings.python, os.X_OK):
            raise Misconfigured(
                f"vllm.python: {settings.python} cannot be run.",
                hint="Name the python of the environment that has vllm.",
            )
        self.name = settings.model
        self._settings = settings
        self._models = models

    def answer_all(
        self, questions: Sequence[Question], folder: Path
    ) -> tuple[dict[str, Answer], str]:
        """Return the answers by key, and a sentence about what went wrong, "" for nothing.

        The files of the exchange stay in `folder`; answers that lie there are used.
        """
        folder.mkdir(parents=True, exist_ok=True)
        wanted = {question.key for question in questions}
        answers = folder / "answers.jsonl"
        found = dict(_read(answers, wanted))
        left = [question for question in questions if question.key not in found]
        fault = self._work(left, folder) if left else ""
        found = dict(_read(answers, wanted))
        missing = len(wanted) - len(found)
        if missing and not fault:
            fault = "The vLLM worker ended well, but left questions unanswered."
        return found, f"{fault} {missing} of {len(wanted)} answers are missing." if missing else ""

    def _work(self, questions: Sequence[Question], folder: Path) -> str:
        requests, settings = folder / "requests.jsonl", folder / "settings.json"
        with requests.open("w", encoding="utf-8") as out:
            for one in questions:
                line = {"key": one.key, "messages": list(one.messages), "schema": one.schema}
                out.write(json.dumps(line, ensure_ascii=True) + "\n")
        settings.write_text(json.dumps(self._told()), encoding="utf-8")
        answers, log = folder / "answers.jsonl", folder / "worker.log"
        _end_last_line(answers)
        command = [self._settings.python, str(WORKER), str(requests), str(answers), str(settings)]
        hidden = {self._models.llm_key_env}
        environment = {k: v for k, v in os.environ.items() if k not in hidden}
        with log.open("wb") as said:
            # A session of its own: vLLM starts processes, and all of them must end with it.
            worker = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=environment,
                start_new_session=True,
            )  # fmt: skip
            try:
                code = worker.wait(self._settings.seconds)
            except subprocess.TimeoutExpired:
                return f"The vLLM worker was stopped after {self._settings.seconds} s."
            finally:
                _end(worker)
        last = _last_line(log)
        return f"The vLLM worker ended with code {code} ({last}); see {log}." if code else ""

    def _told(self) -> dict[str, Any]:
        m = self._models
        return {
            "model": self._settings.model,
            "args": self._settings.args,
            "at_once": self._settings.at_once,
            "sampling": {
                "temperature": m.temperature, "top_p": m.top_p, "top_k": m.top_k, "seed": SEED,
                "max_tokens": m.max_tokens,
            },
        }  # fmt: skip


def _end(worker: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()


def _read(path: Path, wanted: set[str]) -> Iterator[tuple[str, Answer]]:
    if not path.is_file():
        return
    with path.open("rb") as lines:
        while line := lines.readline(LONGEST_LINE):
            answer = _answer(line)
            if answer is not None and answer[0] in wanted:
                yield answer


def _answer(line: bytes) -> tuple[str, Answer] | None:
    try:
        said = json.loads(line)
        seconds = float(said["seconds"])
        asked, told = int(said["tokens_in"]), int(said["tokens_out"])
        texts = [said[name] for name in ("key", "text", "finish_reason")]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if not all(isinstance(text, str) for text in texts) or min(asked, told, seconds) < 0:
        return None
    return texts[0], Answer(texts[1], texts[2], asked, told, seconds, "json_schema")


def _end_last_line(path: Path) -> None:
    """End a line that a worker was killed in, so that the next answer is not lost with it."""
    if path.is_file() and path.stat().st_size:
        with path.open("r+b") as stream:
            stream.seek(-1, os.SEEK_END)
            if stream.read(1) != b"\n":
                stream.write(b"\n")


def _last_line(log: Path) -> str:
    with log.open("rb") as stream:
        stream.seek(max(0, log.stat().st_size - 4_000))
        lines = stream.read().decode("utf-8", "replace").split("\n")
    said = [line.strip() for line in lines if line.strip()]
    return said[-1][:_SHOWN] if said else "it said nothing"
