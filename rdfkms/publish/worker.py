"""One process that answers SPARQL queries on a snapshot, and can be killed (DESIGN 6).

Run as ``python -m rdfkms.publish.worker MEMORY_MB``. It takes jobs as frames on standard input
and answers with frames on standard output; a frame is one letter, four bytes of length, payload:

    in   ``J`` job as JSON: snapshot, query, base, default, named, format, seconds, max_rows,
         max_bytes; without a snapshot the query is only read, by the grammar, and not answered
    out  ``R`` ready, with {"isolated": bool};  ``D`` a piece of the answer;
         ``E`` the end, with {"rows", "bytes"};  ``F`` failure, with {"kind", "message"}

The parent kills it at the deadline; an alarm of the kernel ends it should the parent be gone.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pyoxigraph
from pyoxigraph import NamedNode, QueryBoolean, QuerySolutions, RdfFormat, Store, Triple

from rdfkms.publish.results import ENGINE_FORMATS, RowCounter
from rdfkms.vocab import PREFIXES

_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000
_PIECE = 1 << 16
_GRACE = 2.0  # seconds that an orphan may outlive its deadline

GRAPH_FORMATS = {
    "ttl": RdfFormat.TURTLE,
    "nt": RdfFormat.N_TRIPLES,
    "jsonld": RdfFormat.JSON_LD,
    "rdf": RdfFormat.RDF_XML,
    "trig": RdfFormat.TRIG,
    "nq": RdfFormat.N_QUADS,
}


class OverLimit(Exception):
    """An answer is larger than it may be."""


def write_frame(stream: IO[bytes], kind: bytes, payload: bytes) -> None:
    """Send one frame."""
    stream.write(kind + len(payload).to_bytes(4, "big") + payload)
    stream.flush()


def read_frame(stream: IO[bytes]) -> tuple[bytes, bytes] | None:
    """Return kind and payload of the next frame, None at the end of the stream."""
    head = stream.read(5)
    if len(head) < 5:
        return None
    return head[:1], stream.read(int.from_bytes(head[1:], "big"))


def leave_network() -> bool:
    """Move this process into a network namespace of its own; return whether the kernel allows."""
    unshare: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "unshare", None)
    if unshare is None:
        return False
    user, group = os.getuid(), os.getgid()
    if unshare(_CLONE_NEWUSER | _CLONE_NEWNET) != 0:
        return unshare(_CLONE_NEWNET) == 0
    try:
        Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    except OSError:
        pass  # without a map only the displayed ids differ
    return True


def limit_memory(megabytes: int) -> None:
    """Let allocations beyond this fail, and leave no core file."""
    size = megabytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class _Opened:
    """A snapshot that is read, and held: `ledger.snapshots.prune` leaves it alone meanwhile."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
            self.store = Store.read_only(path)
        except BaseException:
            os.close(self._handle)
            raise

    def close(self) -> None:
        """Let go of the snapshot."""
        del self.store
        os.close(self._handle)


class _Answer:
    """A file that the engine writes to: counts, refuses what is too much, sends pieces."""

    def __init__(self, stream: IO[bytes], job: dict[str, Any], counter: RowCounter | None) -> None:
        self._stream = stream
        self._max_bytes: int = job["max_bytes"]
        self._max_rows: int = job["max_rows"]
        self._counter = counter
        self._held = bytearray()
        self.bytes = 0
        self.rows = 0

    def write(self, data: bytes) -> int:
        self.bytes += len(data)
        if self.bytes > self._max_bytes:
            raise OverLimit(f"The answer is larger than {self._max_bytes} bytes.")
        self._held += data
        if len(self._held) >= _PIECE:
            self.send()
        return len(data)

    def row(self, rows: int) -> None:
        """Note how many rows there are."""
        self.rows = rows
        if rows > self._max_rows:
            raise OverLimit(f"The answer has more than {self._max_rows} rows.")

    def flush(self) -> None:
        """Nothing: pieces are sent when they are large enough."""

    def send(self) -> None:
        """Send what is held back."""
        piece = bytes(self._held)
        self._held.clear()
        if self._counter is not None:
            self.row(self._counter.add(piece))
        if piece:
            write_frame(self._stream, b"D", piece)


def _counted(triples: Iterator[Triple], answer: _Answer) -> Iterator[Triple]:
    for number, triple in enumerate(triples, 1):
        answer.row(number)
        yield triple


def run(store: Store, job: dict[str, Any], stream: IO[bytes]) -> _Answer:
    """Answer one job; raises SyntaxError, OSError, OverLimit, ValueError."""
    result = store.query(
        job["query"],
        base_iri=job["base"],
        default_graph=[NamedNode(iri) for iri in job["default"]],
        named_graphs=[NamedNode(iri) for iri in job["named"]],
    )
    extension: str = job["format"]
    if isinstance(result, QuerySolutions | QueryBoolean):
        is_table = isinstance(result, QuerySolutions)
        answer = _Answer(stream, job, RowCounter(extension) if is_table else None)
        # The stubs ask for IO[bytes]; the engine only ever calls `write`.
        result.serialize(answer, format=ENGINE_FORMATS[extension])  # type: ignore[arg-type]
    else:
        answer = _Answer(stream, job, None)
        pyoxigraph.serialize(
            _counted(result, answer),
            answer,  # type: ignore[arg-type]  # as above
            format=GRAPH_FORMATS[extension],
            prefixes=dict(PREFIXES),
        )
    answer.send()
    return answer


def _failure(error: BaseException) -> dict[str, str]:
    kinds = {
        SyntaxError: "syntax",
        OverLimit: "limit",
        MemoryError: "memory",
        RuntimeError: "unsupported",
    }
    return {"kind": kinds.get(type(error), "engine"), "message": str(error)}


def main() -> None:
    """Answer jobs until standard input ends."""
    isolated = leave_network()
    limit_memory(int(sys.argv[1]))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    source, target = sys.stdin.buffer, sys.stdout.buffer
    write_frame(target, b"R", json.dumps({"isolated": isolated}).encode())
    opened: _Opened | None = None
    while (frame := read_frame(source)) is not None:
        job = json.loads(frame[1])
        signal.setitimer(signal.ITIMER_REAL, job["seconds"] + _GRACE)
        try:
            if not job["snapshot"]:
                Store().query(job["query"], base_iri=job["base"])
                rows = size = 0
            else:
                if opened is None or opened.path != job["snapshot"]:
                    if opened is not None:
                        opened.close()
                    opened = None
                    opened = _Opened(job["snapshot"])
                answer = run(opened.store, job, target)
                rows, size = answer.rows, answer.bytes
            end = json.dumps({"rows": rows, "bytes": size})
            write_frame(target, b"E", end.encode())
        except (SyntaxError, OverLimit, MemoryError, OSError, ValueError, RuntimeError) as err:
            write_frame(target, b"F", json.dumps(_failure(err)).encode())
        signal.setitimer(signal.ITIMER_REAL, 0)


if __name__ == "__main__":
    main()
