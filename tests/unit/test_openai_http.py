"""The client of OpenAI-compatible servers, against a server that misbehaves on request."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from rdfkms.backends.openai_http import OpenAIModel
from rdfkms.errors import Misconfigured, Unavailable
from rdfkms.settings import ModelSettings

SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
ASKED = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]


class Server(ThreadingHTTPServer):
    """Answers from a script: a status, or a function of the request."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: list[Any] = []
        self.requests: list[dict[str, Any]] = []
        self.released = threading.Event()


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(body)
        step = self.server.script.pop(0) if self.server.script else "ok"
        if step == "hang":
            self.server.released.wait(5)
            step = 500
        if callable(step):
            step = step(body)
        status, payload = (
            (step, {"error": {"message": f"status {step}"}})
            if isinstance(step, int)
            else (200, _completion("{}" if step == "ok" else step))
        )
        if isinstance(step, tuple):
            status, payload = step
        data = json.dumps(payload).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if status == 429:
            self.send_header("Retry-After", "7")
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


def _completion(text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
    }  # fmt: skip


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield made
    made.released.set()
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.fixture
def model(server: Server) -> Iterator[OpenAIModel]:
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    made = OpenAIModel(ModelSettings(llm_url=url, llm_model="m", timeout=0.5), wait=0.0)
    yield made
    made.close()


READY = '{"ready": "yes"}'


def test_a_server_that_obeys_a_schema_is_asked_with_it_and_probed_once(
    server: Server, model: OpenAIModel
) -> None:
    server.script = [READY, "{}", "{}"]
    assert model.complete(ASKED, SCHEMA).mode == "json_schema"
    assert model.complete(ASKED, SCHEMA).tokens_in == 3
    assert len(server.requests) == 3
    assert server.requests[1]["response_format"]["type"] == "json_schema"
    assert server.requests[1]["seed"] == 1


def test_a_server_that_refuses_schemas_gets_the_schema_in_the_prompt(
    server: Server, model: OpenAIModel
) -> None:
    server.script = [400, READY, "{}"]
    assert model.complete(ASKED, SCHEMA).mode == "json_object"
    assert "JSON Schema" in server.requests[-1]["messages"][0]["content"]


def test_a_server_that_ignores_the_schema_is_found_out(server: Server, model: OpenAIModel) -> None:
    server.script = ["Sure! Here you are.", "Of course.", "{}"]
    assert model.complete(ASKED, SCHEMA).mode == "text"
    assert "response_format" not in server.requests[-1]


def test_busy_and_broken_servers_are_asked_again(server: Server, model: OpenAIModel) -> None:
    server.script = [429, 503, 408, "{}"]
    assert model.complete(ASKED, None).text == "{}"
    assert len(server.requests) == 4


def test_after_four_attempts_the_service_counts_as_unavailable(
    server: Server, model: OpenAIModel
) -> None:
    server.script = [500] * 9
    with pytest.raises(Unavailable, match="500"):
        model.complete(ASKED, None)
    assert len(server.requests) == 4


def test_a_server_that_hangs_ends_in_unavailable(server: Server) -> None:
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    model = OpenAIModel(
        ModelSettings(llm_url=url, llm_model="m", timeout=0.2), attempts=2, wait=0.0
    )
    server.script = ["hang", "hang"]
    with pytest.raises(Unavailable, match="no answer"):
        model.complete(ASKED, None)
    model.close()


def test_a_request_the_server_cannot_take_is_a_refusal_and_not_repeated(
    server: Server, model: OpenAIModel
) -> None:
    server.script = [400]
    assert model.complete(ASKED, None).finish_reason == "refused"
    assert len(server.requests) == 1


def test_a_service_without_top_k_is_asked_without_it(server: Server, model: OpenAIModel) -> None:
    server.script = [(400, {"error": {"message": "unknown parameter top_k"}}), "{}"]
    assert model.complete(ASKED, None).finish_reason == "stop"
    assert "top_k" in server.requests[0]
    assert "top_k" not in server.requests[1]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_wrong_key_or_model_is_a_matter_of_settings(
    server: Server, model: OpenAIModel, status: int
) -> None:
    server.script = [status]
    with pytest.raises(Misconfigured):
        model.complete(ASKED, None)


def test_an_absent_server_is_unavailable_at_once() -> None:
    settings = ModelSettings(llm_url="http://127.0.0.1:9/v1", llm_model="m", timeout=0.5)
    model = OpenAIModel(settings, wait=0.0)
    with pytest.raises(Unavailable, match="cannot be reached"):
        model.complete(ASKED, None)
    model.close()


def test_without_settings_there_is_no_model() -> None:
    with pytest.raises(Misconfigured, match="llm_url"):
        OpenAIModel(ModelSettings())
