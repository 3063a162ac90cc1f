"""`rdfkms serve` in a process of its own, and requests to it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.tools.small_run import ROOT

JSON_ROWS = "application/sparql-results+json"


@dataclass(frozen=True)
class Service:
    """A running service over an archive."""

    address: str
    archive: Path
    process: subprocess.Popen[bytes]

    def signal(self, number: int) -> None:
        """Send a signal to the whole group of processes, as a terminal does."""
        os.killpg(self.process.pid, number)

    def get(self, path: str, accept: str = "text/html", token: str = "") -> tuple[int, str]:
        """Return status and text of a GET; redirects are followed."""
        headers = {"Accept": accept}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        return self._send(urllib.request.Request(self.address + path, headers=headers))

    def sparql(self, query: str, accept: str = JSON_ROWS, **fields: str) -> tuple[int, str]:
        """Return status and answer of a query sent as a form."""
        data = urllib.parse.urlencode({"query": query, **fields}).encode()
        return self._send(
            urllib.request.Request(self.address + "/sparql", data, {"Accept": accept})
        )

    def command(self, name: str, arguments: dict[str, Any], token: str) -> dict[str, Any]:
        """Return the last line of a command sent over HTTP, or status and text of a refusal."""
        request = urllib.request.Request(
            f"{self.address}/api/commands/{name}",
            json.dumps(arguments).encode(),
            {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        )
        status, text = self._send(request)
        if status != 200:
            return {"status": status, "text": text}
        last: dict[str, Any] = json.loads(text.splitlines()[-1])
        return last

    def _send(self, request: urllib.request.Request) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read().decode("utf-8", "replace")
        except urllib.error.HTTPError as err:
            with err:
                return err.code, err.read().decode("utf-8", "replace")


def free_port() -> int:
    """Return a port on which nobody listens at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(archive: Path, port: int = 0) -> Iterator[Service]:
    """Serve an archive for the time of the block, on a free port unless one is named."""
    port = port or free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "rdfkms", "serve", "--archive", str(archive), "--port", str(port)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    made = Service(f"http://127.0.0.1:{port}", archive, process)
    try:
        _wait(made)
        yield made
    finally:
        if process.poll() is None:
            made.signal(signal.SIGTERM)
        try:
            process.wait(30)
        finally:
            process.kill()


def _wait(made: Service) -> None:
    for _ in range(200):
        try:
            if made.get("/health")[0] == 200:
                return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError("the service did not start")
