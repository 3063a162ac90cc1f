"""Passages for SPARQL: which units have some words, and which mean something like a phrase.

What comes back is joined by the query with what the public graph says of it; units that are not
public now are never among them, however old the indexes are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pyoxigraph import NamedNode

from rdfkms.errors import Missing
from rdfkms.ports import TripleStore
from rdfkms.retrieval.documents import PUBLIC
from rdfkms.retrieval.index import Indexes
from rdfkms.vocab import KMS, TYPE

MOST = 1_000  # units of one search
# Lower than for answers: a phrase of two words is far from a long passage that has it, and who
# writes a query can cut by the score.
LEAST_COSINE = 0.15


@dataclass(frozen=True, slots=True)
class Found:
    """Units with their scores, best first; `cut` where there were more than `MOST`."""

    rows: tuple[tuple[NamedNode, float], ...]
    cut: bool = False


class Recall:
    """Searches the public part of the indexes; `indexes` is called when a search is asked for."""

    def __init__(self, indexes: Callable[[], Indexes], store: TripleStore) -> None:
        self._indexes = indexes
        self._store = store

    @property
    def revision(self) -> int:
        """The revision that the indexes show."""
        return self._indexes().revision

    def words(self, text: str) -> Found:
        """Return the units whose text has words of `text`, scored by the full-text engine."""
        found = self._indexes().fulltext.search(text, MOST + 1, kind="unit", graphs=(PUBLIC,))
        return self._public(found)

    def meaning(self, phrase: str) -> Found:
        """Return the units that mean something like `phrase`, scored by cosine.

        Raises `Missing` where the archive has no embedder.
        """
        indexes = self._indexes()
        if indexes.embedder is None:
            raise Missing(
                "This archive is searched by words alone: it has no embedder.",
                hint="Use kms:textMatch, or set models.embedder in archive.toml.",
            )
        near = indexes.vectors[PUBLIC].search(indexes.embedder.embed([phrase])[0], MOST + 1)
        return self._public((key, cosine) for key, cosine in near if cosine >= LEAST_COSINE)

    def _public(self, found: Iterable[tuple[str, float]]) -> Found:
        base, unit = self._indexes().base, KMS("EvidenceUnit")
        rows = [
            (iri, score)
            for key, score in found
            for iri in (base.iri("evidence", key),)
            if next(iter(self._store.match(iri, TYPE, unit, base.public)), None) is not None
        ]
        return Found(tuple(rows[:MOST]), len(rows) > MOST)
