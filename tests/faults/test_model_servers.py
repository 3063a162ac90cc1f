"""What servers of language models do wrong, over real HTTP: all of it ends in a sentence.

The server is `tests/tools/model_server.py`; client, proposer and gate are the real ones.
"""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from rdfkms.admission.screening import screen
from rdfkms.app.asking import asking
from rdfkms.backends.openai_http import OpenAIModel
from rdfkms.errors import Unavailable
from rdfkms.knowledge import mapping
from rdfkms.knowledge.proposers.language_model import LanguageModelProposer
from rdfkms.ledger import usage
from rdfkms.ledger.work import Work
from rdfkms.model import Decision, EvidenceUnit, Kind, Modality, UnitText, View
from rdfkms.settings import ModelSettings
from tests.tools.model_server import Body, Handler, completion, serving

READY = '{"ready": "yes"}'
TEXT = "Rosa Ferrer vino a Orna."
GOOD = json.dumps({"mentions": [{"type": "Person", "text": "Rosa Ferrer", "quote": "Rosa Ferrer"}]})


def unit(number: int = 0) -> EvidenceUnit:
    text = f"{TEXT} {number}"
    raw = UnitText(f"t{number}", f"u{number}", "v1", View.RAW, text, 0, len(text), "es")
    return EvidenceUnit(
        f"u{number}", "r1", "s1", "p1", number, Modality.DOCUMENT, "es", "1", number, (raw,), ()
    )


def settings(url: str, **more: Any) -> ModelSettings:
    return ModelSettings.model_validate({"llm_url": url, "llm_model": "m", "timeout": 3.0, **more})


def probing(body: Body) -> bool:
    return "ready" in body["messages"][-1]["content"]


def proposals(url: str, **more: Any) -> list[Any]:
    model = OpenAIModel(settings(url, **more), wait=0.0)
    try:
        return list(LanguageModelProposer(model, mapping.load()).propose(unit()))
    finally:
        model.close()


def the_refusal(candidates: list[Any]) -> Any:
    (candidate,) = candidates
    assert candidate.kind is Kind.UNPARSEABLE
    _, verdict = screen(candidate, unit(), mapping.load())
    assert verdict is not None
    assert verdict.decision is Decision.QUARANTINED
    assert verdict.reasons[0].code == "unparseable"
    return candidate


def test_fifty_megabytes_are_not_taken_into_memory() -> None:
    def behave(handler: Handler, body: Body) -> None:
        if probing(body):
            return handler.answer(completion(READY))
        return handler.stream(b'{"choices": "' + b"x" * 65_523 for _ in range(800))

    with serving(behave) as server:
        tracemalloc.start()
        candidate = the_refusal(proposals(server.url))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert "longer" in candidate.note
    assert peak < 20_000_000
    assert server.sent < 30_000_000  # the connection is cut, with what lies in buffers
    assert len(server.requests) == 2  # no repair call for it


def test_an_announced_length_over_the_limit_is_refused_before_reading() -> None:
    def behave(handler: Handler, body: Body) -> None:
        if probing(body):
            return handler.answer(completion(READY))
        return handler.answer(completion("x" * 5_000_000))

    with serving(behave) as server:
        assert "longer" in the_refusal(proposals(server.url)).note


def test_a_packed_answer_is_not_unpacked() -> None:
    def behave(handler: Handler, body: Body) -> None:
        handler.answer(b"\x1f\x8b" + b"\0" * 100, Content_Encoding="gzip")

    with serving(behave) as server:
        assert "longer" in the_refusal(proposals(server.url)).note


def test_an_answer_that_drips_for_ever_ends_with_the_time_out() -> None:
    def drip(handler: Handler) -> Iterator[bytes]:
        while not handler.server.ended.wait(0.1):
            yield b" "

    with serving(lambda handler, body: handler.stream(drip(handler))) as server:
        model = OpenAIModel(settings(server.url, timeout=0.6), attempts=2, wait=0.0)
        started = time.monotonic()
        with pytest.raises(Unavailable, match=r"no answer within 0\.6 s"):
            model.complete([{"role": "user", "content": "x"}], None)
        assert time.monotonic() - started < 5
        model.close()


@pytest.mark.parametrize(
    ("text", "finish", "note"),
    [
        (" \n" * 50_000, "stop", "empty"),
        ('{"mentions": [' + " \n" * 50_000, "length", "cut off"),
        (GOOD[:40], "stop", "no JSON"),
        (GOOD, "length", "cut off"),
        ("Sure! The passage names Rosa Ferrer.", "stop", "no JSON"),
        ('{"persons": ["Rosa Ferrer"]}', "stop", "another form"),
        ("<think>Who is named here? Let me see", "stop", "thought without an end"),
        ("", "content_filter", "empty"),
    ],
)
def test_answers_that_are_none_are_asked_for_once_more_and_then_kept_as_unparseable(
    text: str, finish: str, note: str
) -> None:
    def behave(handler: Handler, body: Body) -> None:
        handler.answer(completion(READY if probing(body) else text, finish))

    with serving(behave) as server:
        candidate = the_refusal(proposals(server.url))
    assert note in candidate.note
    assert "after one repair call" in candidate.raw
    assert len(server.requests) == 3


def test_thoughts_are_dropped_and_what_follows_is_read() -> None:
    def behave(handler: Handler, body: Body) -> None:
        text = READY if probing(body) else f"<think>Is {{Rosa}} named?</think>\n{GOOD}"
        handler.answer(completion(text))

    with serving(behave) as server:
        (candidate,) = proposals(server.url)
    assert (candidate.kind, candidate.quote) == (Kind.MENTION, "Rosa Ferrer")


def test_an_endpoint_that_takes_the_schema_and_ignores_it_is_found_out_and_asked_in_words() -> None:
    def behave(handler: Handler, body: Body) -> None:
        handler.answer(completion("As you wish." if probing(body) else GOOD))

    with serving(behave) as server:
        (candidate,) = proposals(server.url)
        last = server.requests[-1][1]
    assert candidate.quote == "Rosa Ferrer"
    assert "response_format" not in last
    assert "JSON Schema" in last["messages"][0]["content"]


def test_what_is_no_json_at_all_is_a_service_that_is_out_of_order() -> None:
    with serving(lambda handler, body: handler.answer(b"<html>It works!</html>")) as server:
        model = OpenAIModel(settings(server.url), wait=0.0)
        with pytest.raises(Unavailable, match="no JSON"):
            model.complete([{"role": "user", "content": "x"}], None)
        model.close()


# ---- storms and deaths -------------------------------------------------------------------------


def test_a_storm_of_refusals_is_waited_out_by_all_threads_together(tmp_path: Path) -> None:
    state = {"until": 0.0, "refused": 0}

    def behave(handler: Handler, body: Body) -> None:
        if probing(body):
            return handler.answer(completion(READY))
        with handler.server.lock:
            if state["refused"] == 0:
                state["until"] = time.monotonic() + 1.0
            busy = time.monotonic() < state["until"]
            state["refused"] += busy
        if busy:
            return handler.answer(b'{"error": {"message": "slow"}}', 429, Retry_After="1.05")
        return handler.answer(completion(GOOD))

    work = Work(tmp_path / "work.sqlite")
    with serving(behave) as server:
        asked = settings(server.url, concurrency=4)
        model = OpenAIModel(asked)
        (proposer,) = asking(model, asked, work, mapping.load(), "run1")("plain", "es")
        units = [unit(n) for n in range(12)]
        # The port says nothing of batches; this proposer offers them.
        told = proposer.for_units(units)  # type: ignore[attr-defined]
        model.close()
        times = [at for at, body in server.requests if not probing(body)]
    assert all(len(told.propose(one)) == 1 for one in units)
    # Only what was under way when the storm broke was refused; nobody came back too early.
    assert 1 <= state["refused"] <= 4
    assert len(times) == 12 + state["refused"]
    assert usage.report(work)["calls"] == 12
    work.close()


def test_a_date_as_retry_after_is_understood() -> None:
    state = {"refused": 0.0}

    def behave(handler: Handler, body: Body) -> None:
        if not state["refused"]:
            state["refused"] = time.time()
            when = formatdate(time.time() + 2, usegmt=True)
            return handler.answer(b"{}", 503, Retry_After=when)
        return handler.answer(completion("{}"))

    with serving(behave) as server:
        model = OpenAIModel(settings(server.url))
        model.complete([{"role": "user", "content": "x"}], None)
        model.close()
        first, second = (at for at, _ in server.requests)
    assert second - first > 0.9  # dates have whole seconds


def test_a_server_that_asks_for_more_patience_than_is_set_ends_the_run_with_a_sentence() -> None:
    def behave(handler: Handler, body: Body) -> None:
        handler.answer(b"{}", 429, Retry_After="3600")

    with serving(behave) as server:
        model = OpenAIModel(settings(server.url, longest_wait=60))
        with pytest.raises(Unavailable, match="asks to wait 3600 s"):
            model.complete([{"role": "user", "content": "x"}], None)
        model.close()
        assert len(server.requests) == 1


def test_a_server_that_dies_within_a_batch_leaves_what_it_answered_and_the_run_goes_on_later(
    tmp_path: Path,
) -> None:
    work = Work(tmp_path / "work.sqlite")
    units = [unit(n) for n in range(10)]
    answered: list[str] = []

    def dying(handler: Handler, body: Body) -> None:
        if probing(body):
            return handler.answer(completion(READY))
        with handler.server.lock:
            alive = len(answered) < 4
            if alive:
                answered.append(body["messages"][-1]["content"])
        if alive:
            return handler.answer(completion(GOOD))
        handler.connection.close()  # in the middle of a request, without a word
        return None

    def good(handler: Handler, body: Body) -> None:
        handler.answer(completion(READY if probing(body) else GOOD))

    with serving(dying) as server:
        asked = settings(server.url, concurrency=3)
        model = OpenAIModel(asked, attempts=1)
        (proposer,) = asking(model, asked, work, mapping.load(), "run1")("plain", "es")
        with pytest.raises(Unavailable, match="cannot be reached, or broke off"):
            proposer.for_units(units)  # type: ignore[attr-defined]
        model.close()
        assert usage.report(work)["calls"] == 4
        port = server.server_address[1]
    with serving(good) as server:
        second = OpenAIModel(settings(server.url), wait=0.0)
        second.version = f"http://127.0.0.1:{port}/v1"  # the same service, risen again
        (proposer,) = asking(second, asked, work, mapping.load(), "run1")("plain", "es")
        told = proposer.for_units(units)  # type: ignore[attr-defined]
        second.close()
        calls = [body for _, body in server.requests if not probing(body)]
    assert len(calls) == 6
    assert not {body["messages"][-1]["content"] for body in calls} & set(answered)
    assert all(len(told.propose(one)) == 1 for one in units)
    work.close()
