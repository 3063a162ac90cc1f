"""A value that is made once for each revision, when it is first asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from rdfkms.errors import Unavailable
from rdfkms.ledger.ledger import Ledger

T = TypeVar("T")
PATIENCE = 20.0  # seconds that others wait while one makes it


class PerRevision(Generic[T]):
    """Keeps what `make` returned for the newest revision; nobody gets that of an older one."""

    def __init__(self, ledger: Ledger, make: Callable[[int], T]) -> None:
        self._ledger = ledger
        self._make = make
        self._lock = threading.Lock()
        self._kept: tuple[int, T] | None = None

    def current(self) -> T:
        """Return the value; others wait while one makes it."""
        wanted = self._ledger.revision
        if not self._lock.acquire(timeout=PATIENCE):
            raise Unavailable("This is being made anew.", hint="Ask again in a moment.")
        try:
            if self._kept is None or self._kept[0] < wanted:
                # What is committed while it is made may be in it; it counts as older all the same.
                revision = self._ledger.revision
                self._kept = (revision, self._make(revision))
            return self._kept[1]
        finally:
            self._lock.release()
