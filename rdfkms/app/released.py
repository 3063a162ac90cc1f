"""The SPARQL services of named releases (R80): opened when first asked, few at a time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path

from rdfkms.ledger import releases
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.releases import Release
from rdfkms.publish.endpoint import SparqlService

MOST_OPEN = 3


class ReleaseSparql:
    """Gives the service of a release by name; an erasure makes it another service."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._lock = threading.Lock()
        self._open: OrderedDict[tuple[str, str], SparqlService] = OrderedDict()

    def __call__(self, name: str) -> SparqlService:
        """Return the service; raises `NotFound`, or `BadInput` for what is no name."""
        known = releases.release(self._archive, name)
        key = (name, known.sha256)
        with self._lock:
            found = self._open.pop(key, None) or self._opened(known)
            self._open[key] = found
            stale = [k for k in self._open if k[0] == name and k != key]
            while len(self._open) - len(stale) > MOST_OPEN:
                stale.append(next(k for k in self._open if k not in stale))
            for old in stale:
                self._open.pop(old).close()
        return found

    def _opened(self, known: Release) -> SparqlService:
        store: Path = releases.folder(self._archive, known.name) / "store"
        settings = self._archive.settings.sparql.model_copy(update={"workers": 1})
        return SparqlService(lambda: (store, known.revision), self._archive.base, settings)

    def close(self) -> None:
        """End all workers."""
        with self._lock:
            for service in self._open.values():
                service.close()
            self._open.clear()
