"""Which snapshot a public query reads: taken when one is asked for, at most twice a second."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from rdfkms.errors import Broken
from rdfkms.ledger import snapshots
from rdfkms.ledger.ledger import Ledger
from rdfkms.ledger.snapshots import Snapshot

_OLD = 0.5  # seconds after which a snapshot that lacks commits is replaced


class FreshSnapshots:
    """Gives folder and revision of a snapshot at most half a second behind the ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._lock = threading.Lock()
        self._newest: Snapshot | None = None
        self._made = -_OLD

    def __call__(self) -> tuple[Path, int]:
        """Return the newest snapshot, taken now if it is too old; raises `Broken` without one."""
        with self._lock:
            current = self._newest or snapshots.newest(self._ledger.archive)
            if current is None or self._is_old(current):
                current = self._take(current)
            self._newest = current
            return current.path, current.revision

    def _is_old(self, snapshot: Snapshot) -> bool:
        if not snapshot.path.exists():
            return True
        behind = snapshot.revision != self._ledger.revision
        return behind and time.monotonic() - self._made >= _OLD

    def _take(self, before: Snapshot | None) -> Snapshot:
        try:
            taken = snapshots.make(self._ledger)
        except Broken:
            # The disk may be full: readers go on with what there is.
            if before is None or not before.path.exists():
                raise
            return before
        self._made = time.monotonic()
        return taken
