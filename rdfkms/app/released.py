"""The SPARQL services of named releases (R80): opened when first asked, few at a time.

A release keeps what was corrected since. What was closed or withdrawn with its source since is told
no more, as in its dumps: then a copy without it is asked in its stead.
"""

from __future__ import annotations

import shutil
import threading
from collections import OrderedDict
from pathlib import Path

from rdfkms.ledger import releases, snapshots
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.changes import to_lines
from rdfkms.ledger.disk import guard, temporary
from rdfkms.ledger.ledger import Ledger
from rdfkms.ledger.releases import OpenStore, Release
from rdfkms.publish.dcat import dumps
from rdfkms.publish.endpoint import CHANGING, SparqlService

MOST_OPEN = 3


def folder(archive: Archive) -> Path:
    """Return where releases lie without what was closed since; all in it can be made again."""
    return archive.root / "released"


def forget(archive: Archive) -> None:
    """Remove all such copies, as an erasure must."""
    shutil.rmtree(folder(archive), ignore_errors=True)


class ReleaseSparql:
    """Gives the service of a release by name; an erasure makes it another service."""

    def __init__(self, ledger: Ledger, open_store: OpenStore, make_store: OpenStore) -> None:
        self._ledger = ledger
        self._stores = (open_store, make_store)
        self._lock = threading.Lock()
        self._open: OrderedDict[tuple[str, str], SparqlService] = OrderedDict()

    def __call__(self, name: str) -> SparqlService:
        """Return the service; raises `NotFound`, or `BadInput` for what is no name."""
        known = releases.release(self._ledger.archive, name)
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
        archive = self._ledger.archive
        settings = archive.settings.sparql.model_copy(update={"workers": 1})
        told = _Told(self._ledger, known, *self._stores)
        return SparqlService(told, archive.base, settings, salt=known.sha256)

    def close(self) -> None:
        """End all workers and remove what was made for them."""
        with self._lock:
            for service in self._open.values():
                service.close()
            self._open.clear()
        forget(self._ledger.archive)


class _Told:
    """The store of a release as far as it may be told at the present revision."""

    def __init__(
        self, ledger: Ledger, known: Release, open_store: OpenStore, make_store: OpenStore
    ) -> None:
        self._ledger, self._known = ledger, known
        self._open_store, self._make_store = open_store, make_store
        self._whole = releases.folder(ledger.archive, known.name) / "store"
        self._path, self._checked = self._whole, -1
        self._lock = threading.Lock()

    def __call__(self) -> tuple[Path, int]:
        """Return its folder and revision; no answer of a cut one is kept by clients."""
        with self._lock:
            revision = self._ledger.revision
            if revision != self._checked:
                before, self._path = self._path, self._present(revision)
                self._checked = revision
                if before not in (self._path, self._whole):
                    snapshots.discard(before)
            return self._path, self._known.revision if self._path == self._whole else CHANGING

    def _present(self, revision: int) -> Path:
        if self._is_public(self._whole):
            return self._whole
        kept = self._path != self._whole and self._path.is_dir()  # an erasure removes it
        if kept and self._is_public(self._path):
            return self._path
        return self._cut(revision)

    def _is_public(self, path: Path) -> bool:
        store = self._open_store(path)
        try:
            return dumps.still_public(store, self._ledger.store, self._ledger.base) is None
        finally:
            store.close()

    def _cut(self, revision: int) -> Path:
        """Return a copy that holds only what is public now."""
        place = folder(self._ledger.archive)
        path = place / f"{self._known.name}-{self._known.sha256[:16]}-r{revision:09}"
        if path.is_dir():  # named by what it was made of, and whole: it came by a rename
            return path
        with guard(path, "making a release that can be told"):
            place.mkdir(exist_ok=True)
            draft = temporary(place)
            lines = draft.with_suffix(".nq")
            whole = self._open_store(self._whole)
            try:
                with lines.open("wb") as out:
                    for quad in whole.match(None, None, None, self._ledger.base.public):
                        if self._ledger.store.contains(quad):
                            out.write(to_lines([quad]))
                made = self._make_store(draft)
                made.bulk([lines])
                made.close()
                draft.rename(path)
            finally:
                whole.close()
                lines.unlink(missing_ok=True)
                shutil.rmtree(draft, ignore_errors=True)
        return path
