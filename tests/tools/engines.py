"""Real SPARQL stores of others, started for a test in folders of their own: Oxigraph, Virtuoso."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

_START_SECONDS = 60.0
_VIRTUOSO = """\
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
[TempDatabase]
DatabaseFile = {folder}/virtuoso-temp.db
TransactionFile = {folder}/virtuoso-temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
NumberOfBuffers = 2000
MaxDirtyBuffers = 1200
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerThreads = 4
[SPARQL]
ResultSetMaxRows = 10000
"""


@dataclass
class Engine:
    """A store of another make: where it is asked and written, and how to stop and start it."""

    name: str
    query_url: str
    update_url: str
    start: Callable[[], None]
    stop: Callable[[], None]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def oxigraph(folder: Path) -> Iterator[Engine]:
    """Run `oxigraph serve` (PyPI oxigraph)."""
    program = Path(sys.executable).parent / "oxigraph"
    if not program.exists():
        pytest.skip("no Oxigraph server: pip install oxigraph")
    port = free_port()
    line = [str(program), "serve", "--location", str(folder), "--bind", f"127.0.0.1:{port}"]
    with _running("oxigraph", line, f"http://127.0.0.1:{port}", "/query", "/update") as engine:
        yield engine


@contextmanager
def virtuoso(folder: Path) -> Iterator[Engine]:
    """Run Virtuoso (Debian virtuoso-opensource-7-bin); anybody who reaches it may write."""
    program, isql = shutil.which("virtuoso-t"), shutil.which("isql-vt")
    if program is None or isql is None:
        pytest.skip("no Virtuoso: apt install virtuoso-opensource-7-bin")
    folder.mkdir(parents=True, exist_ok=True)
    sql, http = free_port(), free_port()
    settings = folder / "virtuoso.ini"
    settings.write_text(_VIRTUOSO.format(folder=folder, sql=sql, http=http))
    line = [program, "-f", "-c", str(settings)]
    with _running("virtuoso", line, f"http://127.0.0.1:{http}", "/sparql", "/sparql") as engine:
        subprocess.run(
            [isql, f"127.0.0.1:{sql}", "dba", "dba"], check=True, capture_output=True,
            input=b'grant SPARQL_UPDATE to "SPARQL";\n',
        )  # fmt: skip
        yield engine


@contextmanager
def _running(name: str, line: list[str], address: str, query: str, update: str) -> Iterator[Engine]:
    held: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        held.append(subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        deadline = time.monotonic() + _START_SECONDS
        while True:
            try:
                with urllib.request.urlopen(f"{address}{query}?query=ASK%7B%7D", timeout=2):
                    return
            except urllib.error.HTTPError:
                return
            except OSError:
                assert time.monotonic() < deadline, f"{name} did not start"
                time.sleep(0.1)

    def stop() -> None:
        for process in held:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        held.clear()

    try:
        start()
        yield Engine(name, address + query, address + update, start, stop)
    finally:
        stop()
