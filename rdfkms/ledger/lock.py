"""Who owns an archive: a file lock, and `serve.json` while the service runs (DESIGN 5)."""

from __future__ import annotations

import json
import os
import socket
import threading
from dataclasses import asdict, dataclass
from types import TracebackType

from filelock import FileLock, Timeout

from rdfkms.errors import Conflict
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.disk import guard, write_atomic
from rdfkms.ledger.work import now

# `served` holds the lock for an instant to see whether it is free: acquiring waits longer.
_PATIENCE = 0.5
_held: dict[str, tuple[FileLock, int]] = {}
_guard = threading.RLock()


@dataclass(frozen=True, slots=True)
class Served:
    """Where a served archive answers, and the token of its owner."""

    address: str
    token: str
    pid: int


class Lock:
    """The right to write to an archive: one process has it, its threads share it.

    ``with Lock(archive, "ingest"): ...``; taking it again in the same process is allowed.
    """

    def __init__(self, archive: Archive, command: str) -> None:
        self.archive = archive
        self.command = command
        self._path = str(archive.root / "lock")

    def acquire(self) -> None:
        """Take the lock; raises `Conflict` that says who holds it."""
        with _guard:
            if self._path in _held:
                lock, count = _held[self._path]
                _held[self._path] = (lock, count + 1)
                return
            with guard(self.archive.root, "taking the lock of the archive"):
                lock = self._take()
            try:
                with guard(self.archive.root, "taking the lock of the archive"):
                    self.archive.tidy()
                    self._say_who()
            except BaseException:
                lock.release()
                raise
            _held[self._path] = (lock, 1)

    def _take(self) -> FileLock:
        lock = FileLock(self._path, timeout=_PATIENCE, thread_local=False)
        try:
            lock.acquire(poll_interval=0.02)
        except Timeout as err:  # is an OSError: it must not reach `guard`
            raise Conflict(
                f"The archive {self.archive.root} is in use by {_holder(self.archive)}.",
                hint="Wait for it or stop it; a served archive takes commands at its address.",
            ) from err
        return lock

    def _say_who(self) -> None:
        holder = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "command": self.command,
            "since": now(),
        }
        write_atomic(self.archive.root / "lock.json", json.dumps(holder).encode())

    def release(self) -> None:
        """Give the lock back once for each time it was taken."""
        with _guard:
            lock, count = _held[self._path]
            if count > 1:
                _held[self._path] = (lock, count - 1)
                return
            del _held[self._path]
            (self.archive.root / "lock.json").unlink(missing_ok=True)
            lock.release()

    def __enter__(self) -> Lock:
        self.acquire()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


def _holder(archive: Archive) -> str:
    try:
        told = json.loads((archive.root / "lock.json").read_text())
        return f"`rdfkms {told['command']}` (process {told['pid']}, since {told['since']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def announce(archive: Archive, address: str, token: str) -> None:
    """Write `serve.json`, readable by its owner alone. The caller holds the archive's lock."""
    told = Served(address, token, os.getpid())
    path = archive.root / "serve.json"
    with guard(path, "announcing the service"):
        write_atomic(path, json.dumps(asdict(told)).encode(), mode=0o600)


def withdraw(archive: Archive) -> None:
    """Remove `serve.json` when the service ends."""
    (archive.root / "serve.json").unlink(missing_ok=True)


def served(archive: Archive) -> Served | None:
    """Return where the archive is served now, or None; what a killed service left is ignored."""
    try:
        told = Served(**json.loads((archive.root / "serve.json").read_text()))
    except (OSError, ValueError, TypeError):
        return None
    return told if is_held(archive) else None


def is_held(archive: Archive) -> bool:
    """Return whether a process (this one too) holds the archive's lock."""
    path = str(archive.root / "lock")
    with _guard:
        if path in _held:
            return True
        probe = FileLock(path, timeout=0, thread_local=False)
        try:
            probe.acquire()
        except Timeout:
            return True
        except OSError:  # a read-only copy of an archive: nobody can hold it
            return False
        probe.release()
        return False
