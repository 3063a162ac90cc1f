"""How many queries one client may have running at a time (R90: nobody may hold all workers)."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rdfkms.errors import Unavailable


class TooManyRequests(Unavailable):
    """This client runs as many queries as it may."""

    http_status = 429


class Places:
    """Lends places for running queries, at most `each` to one client; 0 lends without end."""

    def __init__(self, each: int) -> None:
        self._each = each
        self._running: Counter[str] = Counter()
        self._lock = threading.Lock()

    @contextmanager
    def of(self, client: str) -> Iterator[None]:
        """Lend a place to a client; raises `TooManyRequests` where it has all of its own."""
        with self._lock:
            if 0 < self._each <= self._running[client]:
                raise TooManyRequests(
                    f"You have {self._each} queries running here.",
                    hint="Wait until one of them has answered.",
                )
            self._running[client] += 1
        try:
            yield
        finally:
            with self._lock:
                self._running[client] -= 1
                if not self._running[client]:
                    del self._running[client]
