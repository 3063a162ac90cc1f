"""A small server that speaks as an OpenAI-compatible one does, and misbehaves as it is told."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


def completion(text: str, finish: str = "stop", tokens: tuple[int, int] = (7, 5)) -> bytes:
    """Return the JSON of a chat completion."""
    message = {"role": "assistant", "content": text}
    return json.dumps({
        "id": "1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1],
                  "total_tokens": sum(tokens)},
    }).encode()  # fmt: skip


class ModelServer(ThreadingHTTPServer):
    """Hands each request to `behave(handler, body)`; keeps the requests with their times."""

    daemon_threads = True

    def __init__(self, behave: Callable[[Handler, Body], None]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.behave = behave
        self.requests: list[tuple[float, Body]] = []
        self.ended = threading.Event()
        self.sent = 0
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        """The address for `models.llm_url`."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that go away: that is what some tests are about."""


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: ModelServer

    def do_POST(self) -> None:
        """Keep the request and misbehave."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.requests.append((time.monotonic(), body))
        with contextlib.suppress(ConnectionError):
            self.server.behave(self, body)

    def answer(self, data: bytes, status: int = 200, **headers: str) -> None:
        """Send a whole answer."""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def stream(self, pieces: Iterator[bytes]) -> None:
        """Send pieces without saying how long the whole will be, then close."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        for piece in pieces:
            self.wfile.write(piece)
            self.wfile.flush()
            self.server.sent += len(piece)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def serving(behave: Callable[[Handler, Body], None]) -> Iterator[ModelServer]:
    """Serve until the block ends."""
    server = ModelServer(behave)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
