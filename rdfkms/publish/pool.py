"""A few warm worker processes, at most one query in each, killed at the deadline (DESIGN 6)."""

from __future__ import annotations

import contextlib
import ctypes.util
import json
import os
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import IO, Any

from rdfkms.errors import BadInput, Broken, TooLarge, Unavailable

_START_SECONDS = 20.0
_SPOOL_BYTES = 1 << 20
_PACKAGE_ROOT = str(Path(__file__).resolve().parent.parent.parent)


@cache
def _allocator() -> str | None:
    """Return the library of jemalloc where it is installed: the engine answers faster with it."""
    return ctypes.util.find_library("jemalloc")


class _Worker:
    """The parent's end of one worker process."""

    def __init__(self, memory_mb: int) -> None:
        paths = [_PACKAGE_ROOT, os.environ.get("PYTHONPATH", "")]
        environment = dict(os.environ)
        environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
        environment["MALLOC_ARENA_MAX"] = "2"  # address space is what is limited
        if (allocator := _allocator()) is not None:
            environment |= {"LD_PRELOAD": allocator, "MALLOC_CONF": "narenas:2,thp:always"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "rdfkms.publish.worker", str(memory_mb)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            bufsize=0,
        )
        self._memory_mb = memory_mb
        self.isolated: bool | None = None

    def _read(self, size: int, deadline: float) -> bytes:
        """Return `size` bytes of the worker's output; TimeoutError, or EOFError when it is gone."""
        output = self._process.stdout
        assert output is not None
        data = bytearray()
        while len(data) < size:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([output], [], [], left)[0]:
                raise TimeoutError
            piece = os.read(output.fileno(), size - len(data))
            if not piece:
                raise EOFError
            data += piece
        return bytes(data)

    def _frame(self, deadline: float) -> tuple[bytes, bytes]:
        head = self._read(5, deadline)
        return head[:1], self._read(int.from_bytes(head[1:], "big"), deadline)

    def wait_ready(self) -> None:
        """Wait until the process has started; raises `Unavailable` when it does not."""
        if self.isolated is not None:
            return
        try:
            _, payload = self._frame(time.monotonic() + _START_SECONDS)
        except (TimeoutError, EOFError) as err:
            raise Unavailable("A SPARQL worker process did not start.") from err
        self.isolated = bool(json.loads(payload)["isolated"])

    def answer(self, job: Mapping[str, Any], deadline: float) -> tuple[IO[bytes], dict[str, int]]:
        """Return the whole answer as a file at its start, and its size; see `Pool.answer`."""
        request = json.dumps(job).encode()
        stdin = self._process.stdin
        assert stdin is not None
        # Closed by the one who reads the answer, or below where there is none.
        spool = tempfile.SpooledTemporaryFile(max_size=_SPOOL_BYTES)  # noqa: SIM115 - as said
        try:
            _write_all(stdin.fileno(), b"J" + len(request).to_bytes(4, "big") + request)
            while True:
                kind, payload = self._frame(deadline)
                if kind == b"D":
                    spool.write(payload)
                elif kind == b"E":
                    spool.seek(0)
                    return spool, json.loads(payload)
                else:
                    raise _error(json.loads(payload))
        except (EOFError, BrokenPipeError) as err:
            spool.close()
            raise Unavailable(
                f"The query needed more than {self._memory_mb} MB of memory, or its process ended.",
                hint="Ask for less at once, for instance without ORDER BY or DISTINCT.",
            ) from err
        except BaseException:
            spool.close()
            raise

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._process.wait()


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _error(failure: Mapping[str, str]) -> Exception:
    message = failure["message"]
    match failure["kind"]:
        case "syntax":
            return BadInput(f"Syntax error in the query: {message}.")
        case "unsupported":  # a function that the engine does not know, for instance
            return BadInput(f"The query cannot be answered: {message}.")
        case "limit":
            return TooLarge(message, hint="Nothing was sent: add LIMIT, or ask for a part of it.")
        case "memory":
            return Unavailable("The query needed more memory than it may take.")
        case _:
            # for instance because its snapshot was replaced meanwhile
            return Broken(f"The SPARQL engine failed: {message}.")


class Pool:
    """Up to `workers` processes, started when first needed; each runs one query at a time.

    At most `waiting` callers wait, for up to `patience` seconds each: with them
    `workers + waiting` threads of the server can be busy here, the others stay free.
    """

    def __init__(self, workers: int, memory_mb: int, waiting: int, patience: float = 1.0) -> None:
        self._idle: list[_Worker | None] = [None] * workers
        self._memory_mb = memory_mb
        self._free = threading.Condition()
        self._waiting = 0
        self._max_waiting = waiting
        self._patience = patience
        self._closed = False

    def _take(self) -> _Worker:
        with self._free:
            if not self._idle:
                if self._waiting >= self._max_waiting:
                    raise Unavailable("All SPARQL workers are busy.", hint="Try again in a second.")
                self._waiting += 1
                ready = self._free.wait_for(lambda: self._idle, self._patience)
                self._waiting -= 1
                if not ready:
                    raise Unavailable("All SPARQL workers are busy.", hint="Try again in a second.")
            if self._closed:
                raise Unavailable("The SPARQL service is closed.")
            self._idle.sort(key=lambda worker: worker is not None)
            worker = self._idle.pop()
        if worker is not None:
            return worker
        made = self._made()
        if made is None:
            self._give(None)
            raise Unavailable("No SPARQL worker could be started.", hint="Try again in a minute.")
        return made

    def _made(self) -> _Worker | None:
        """Return a new worker, None where the machine has no process or memory left for one."""
        try:
            return _Worker(self._memory_mb)
        except OSError:
            return None

    def _give(self, worker: _Worker | None) -> None:
        with self._free:
            if self._closed and worker is not None:
                worker.kill()
                worker = None
            self._idle.append(worker)
            self._free.notify()

    def answer(self, job: Mapping[str, Any], seconds: float) -> tuple[IO[bytes], dict[str, int]]:
        """Return the whole answer to `job` (see `worker`) and its rows and bytes.

        Raises `Unavailable` (busy, too slow, out of memory), `BadInput` (syntax), `TooLarge`
        (rows, bytes) or `Broken` (the engine failed).
        """
        with self._borrowed() as worker:
            try:
                return worker.answer({**job, "seconds": seconds}, time.monotonic() + seconds)
            except TimeoutError as err:
                raise Unavailable(
                    f"The query took longer than {seconds:g} seconds and was stopped.",
                    hint="Bind more of the pattern, or add LIMIT to an inner SELECT.",
                ) from err

    def is_isolated(self) -> bool:
        """Return whether workers are cut off from the network, by starting one if need be."""
        with self._borrowed() as worker:
            return bool(worker.isolated)

    @contextlib.contextmanager
    def _borrowed(self) -> Iterator[_Worker]:
        """Lend a worker that is ready; it is killed unless it ended its job in good order."""
        lent, worker = self._take(), None
        try:
            lent.wait_ready()
            yield lent
            worker = lent
        except (BadInput, Broken):  # it answered, with a refusal
            worker = lent
            raise
        finally:
            if worker is None:
                lent.kill()
                worker = self._made()  # warm by the time that the next query comes
            self._give(worker)

    def close(self) -> None:
        """End the idle processes; a busy one ends with its query."""
        with self._free:
            self._closed = True
            for worker in self._idle:
                if worker is not None:
                    worker.kill()
            self._idle = [None] * len(self._idle)
