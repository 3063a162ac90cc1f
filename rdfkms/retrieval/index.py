"""Keeps full text and vectors in step with the ledger; they can always be made anew (DESIGN 5)."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rdfkms.errors import Broken
from rdfkms.ledger.ledger import Ledger
from rdfkms.ports import Embedder, FullTextIndex, TripleStore, VectorIndex
from rdfkms.retrieval import documents, words
from rdfkms.retrieval.documents import INTERNAL, PUBLIC, Document, Touched, Tracker
from rdfkms.retrieval.words import Words
from rdfkms.vocab import Base

_FORMAT = 2  # 2: machine text
_EMBED_CHARS = 2000  # a passage is shorter; what is longer is embedded by its beginning
_BATCH = 128

Progress = Callable[[int, int], None]
Split = Callable[[str], Words]


@dataclass(frozen=True, slots=True)
class Makers:
    """How the indexes are made: given by the composition root, which alone knows the backends.

    A full-text index takes its folder and how texts and questions are split into words.
    """

    fulltext: Callable[[Path, Split, Split], FullTextIndex]
    vectors: Callable[[Path, int], VectorIndex]
    embedder: Embedder | None


class Indexes:
    """The indexes of one archive, in a folder. Searching needs no lock; one thread updates.

    Public and internal vectors are two indexes, so that what is not public cannot be met in a
    public search. `revision` is that of the ledger which they show, 0 for empty ones.
    """

    def __init__(self, folder: Path, base: Base, makers: Makers) -> None:
        self._folder = folder
        self._makers = makers
        self._lock = threading.RLock()
        self.base = base
        self.embedder = makers.embedder
        self.revision = self._saved_revision()
        try:
            self._open()
        except Broken:
            self._discard()

    def _open(self) -> None:
        self.fulltext = self._makers.fulltext(
            self._folder / "fulltext", words.split, words.split_query
        )
        self.vectors: dict[str, VectorIndex] = {}
        if self.embedder is not None:
            size = self.embedder.dimensions
            for graph in (PUBLIC, INTERNAL):
                self.vectors[graph] = self._makers.vectors(self._folder / f"vectors-{graph}", size)

    @property
    def _engines(self) -> str:
        """What the indexes were made by: another engine or version means that they are remade."""
        model = f"{self.embedder.name} {self.embedder.version}" if self.embedder else ""
        return f"{_FORMAT} {model}"

    def _saved_revision(self) -> int:
        try:
            state = json.loads((self._folder / "state.json").read_text(encoding="utf-8"))
            revision, engines = int(state["revision"]), str(state["engines"])
        except (OSError, ValueError, KeyError, TypeError):
            revision, engines = 0, ""
        if revision and engines == self._engines:
            return revision
        # Without a state that fits, what lies there was half written or made otherwise.
        shutil.rmtree(self._folder, ignore_errors=True)
        return 0

    def _save_state(self, revision: int) -> None:
        state = json.dumps({"revision": revision, "engines": self._engines})
        part = self._folder / "state.part"
        with part.open("w", encoding="utf-8") as stream:
            stream.write(state)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(self._folder / "state.json")
        self.revision = revision

    def _discard(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        self.revision = 0
        self._open()

    def update(
        self, ledger: Ledger, revision: int | None = None, progress: Progress | None = None
    ) -> int:
        """Bring the indexes to the ledger's state; return the revision that they then show.

        Does nothing when they already show `revision` (default: the ledger's own). Reads only
        what changed since; makes all anew where that cannot be told. A crash leaves an older
        state, from which the next update begins again.
        """
        with self._lock:
            target = ledger.revision
            if self.revision >= (target if revision is None else min(revision, target)):
                return self.revision
            if self.revision == 0:
                return self.rebuild(ledger, progress)
            tracker = Tracker(self.base)
            for entry in ledger.journal.entries(after=self.revision):
                if entry.erased:
                    return self.rebuild(ledger, progress)
                if entry.revision <= target:
                    tracker.add(entry.removed or b"")
                    tracker.add(entry.added or b"")
            self._refresh(ledger.store, tracker.touched(ledger.store, self.base), progress)
            self._save_state(target)
            return target

    def rebuild(self, ledger: Ledger, progress: Progress | None = None) -> int:
        """Make the indexes anew from the store; return the revision that they show."""
        with self._lock:
            self._discard()
            target = ledger.revision
            self._refresh(ledger.store, documents.all_keys(ledger.store, self.base), progress)
            self._save_state(target)
            return target

    def _refresh(self, store: TripleStore, touched: Touched, progress: Progress | None) -> None:
        """Index these units and things as they are now; drop those that are no more."""
        last = documents.representatives(store, self.base, sorted(touched.things))
        names = sorted(set(touched.things) | set(last.values()))
        found = documents.things(store, self.base, sorted(set(last.values())))
        self._drop(set(names) - {document.key for document in found})
        self.fulltext.add([_fields(document) for document in found])
        total, done = len(touched.units), 0
        for some in documents.chunks(sorted(touched.units), _BATCH):
            present = documents.units(store, self.base, some)
            self._drop(set(some) - {document.key for document in present})
            self.fulltext.add([_fields(document) for document in present])
            machine = documents.machine_texts(store, self.base, some)
            keys = {f"{documents.MACHINE}{key}" for key in some}
            self.fulltext.remove(sorted(keys - {document.key for document in machine}))
            self.fulltext.add([_fields(document) for document in machine])
            self._embed(present)
            done += len(some)
            if progress is not None:
                progress(done, total)
        self.fulltext.commit()
        for vectors in self.vectors.values():
            vectors.save()

    def _drop(self, keys: Iterable[str]) -> None:
        gone = sorted(keys)
        self.fulltext.remove(gone)
        for vectors in self.vectors.values():
            vectors.remove(gone)

    def _embed(self, present: Sequence[Document]) -> None:
        if self.embedder is None:
            return
        for graph, vectors in self.vectors.items():
            here = [document for document in present if document.graph == graph]
            vectors.remove([document.key for document in present if document.graph != graph])
            if here:
                texts = [document.passage[:_EMBED_CHARS] for document in here]
                vectors.add([document.key for document in here], self.embedder.embed(texts))


def _fields(document: Document) -> dict[str, str]:
    return {
        "key": document.key,
        "kind": document.kind,
        "graph": document.graph,
        "text": document.text,
        "record": document.record,
    }
