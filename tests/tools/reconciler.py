"""A reconciliation service of a few entries, sound or misbehaving on request, for tests."""

from __future__ import annotations

import json
import threading
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reconciler:
    """What the service knows, how it behaves, and the queries that it was asked."""

    address: str = ""
    entries: list[dict[str, Any]] = field(default_factory=list)
    # Answers given before the sound one: (status, body); the last one stays when `stuck`.
    first: list[tuple[int, bytes]] = field(default_factory=list)
    stuck: bool = False
    asked: list[dict[str, Any]] = field(default_factory=list)

    def answer(self, form: dict[str, list[str]]) -> tuple[int, bytes]:
        """Return status and body for a form."""
        query = json.loads(form["queries"][0])["q0"]
        self.asked.append(query)
        if self.first:
            return self.first[0] if self.stuck else self.first.pop(0)
        return 200, json.dumps({"q0": {"result": self.entries}}).encode()


@contextmanager
def serving() -> Iterator[Reconciler]:
    """Serve on a free port of this machine until the block ends."""
    service = Reconciler()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            form = urllib.parse.parse_qs(self.rfile.read(length).decode())
            status, body = service.answer(form)
            self.send_response(status)
            if status in (301, 302):
                self.send_header("Location", body.decode())
                body = b""
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Keep the output of tests clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    service.address = f"http://127.0.0.1:{server.server_port}/api"
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
