"""Plug-points: one verb each, plain data in and out, `name` and `version` for provenance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from rdfkms.model import Candidate, EvidenceUnit, Reading, Verification

Term = NamedNode | Literal | BlankNode
Bindings = Mapping[str, NamedNode | Literal]
Row = dict[str, Term | None]


class OcrEngine(Protocol):
    """Reads one page picture."""

    name: str

    @property
    def version(self) -> str:
        """The version of the engine; raises `Missing` when it is absent."""
        ...

    def read(self, picture: NDArray[np.uint8], languages: str, layout: str) -> Reading:
        """Return the reading of a grey (h, w) or RGB (h, w, 3) picture.

        `languages` as Tesseract names them ("spa+fra"), `layout` one of "auto", "block",
        "vertical". Raises `Unavailable` on time-out, `Missing` when the engine is absent.
        """
        ...


class QuadReader(Protocol):
    """Quads that can be looked up: a store, or a store with a change laid over it."""

    def match(
        self,
        subject: NamedNode | None = None,
        predicate: NamedNode | None = None,
        object: Term | None = None,
        graph: NamedNode | None = None,
    ) -> Iterator[Quad]:
        """Yield the quads of a pattern."""
        ...

    def contains(self, quad: Quad) -> bool:
        """Return whether the quad is there."""
        ...


class TripleStore(QuadReader, Protocol):
    """A quad store. Only `ledger` may call the verbs that change it (law 2)."""

    name: str
    version: str

    def select(
        self, text: str, bindings: Bindings | None = None, graphs: Sequence[NamedNode] = ()
    ) -> list[Row]:
        """Return the solutions; `graphs` is both the default graph and the only named graphs."""
        ...

    def ask(
        self, text: str, bindings: Bindings | None = None, graphs: Sequence[NamedNode] = ()
    ) -> bool:
        """Return the answer of an ASK query."""
        ...

    def construct(
        self, text: str, bindings: Bindings | None = None, graphs: Sequence[NamedNode] = ()
    ) -> Iterator[Any]:
        """Yield the triples of a CONSTRUCT or DESCRIBE query."""
        ...

    def canonical(self, literal: Literal) -> Literal:
        """Return the literal as this store gives it back (``"01"^^xsd:integer`` becomes ``1``)."""
        ...

    def patch(self, remove: Iterable[Quad], add: Iterable[Quad]) -> None:
        """Apply both in one transaction: readers see all of it or nothing."""
        ...

    def bulk(self, files: Iterable[Path]) -> None:
        """Load N-Quads files into this (empty) store by the fastest way, then optimise it."""
        ...

    def snapshot(self, target: Path) -> None:
        """Write a read-only copy to the folder `target` (hard links, same file system)."""
        ...

    def size(self) -> int:
        """Return the number of quads."""
        ...

    def close(self) -> None:
        """Release the files."""
        ...


class LanguageModel(Protocol):
    """Answers one chat prompt, if possible in JSON that fits a schema."""

    name: str
    version: str

    def complete(
        self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any] | None
    ) -> Answer:
        """Return the answer; raises `Unavailable` when the service does not answer."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said: text, why it stopped, tokens in and out, seconds."""

    text: str
    finish_reason: str
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    mode: str = "text"  # "json_schema" | "json_object" | "text": what the endpoint accepted


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a batch, under the key by which its answer is kept."""

    key: str
    messages: Sequence[Mapping[str, str]]
    schema: Mapping[str, Any]


class BatchModel(Protocol):
    """Answers many questions in one go, without a server."""

    name: str
    version: str

    def answer_all(
        self, questions: Sequence[Question], folder: Path
    ) -> tuple[dict[str, Answer], str]:
        """Return the answers by key, and a sentence about what went wrong ("" for nothing).

        The exchange lies in `folder`; answers of a batch that was broken off are used.
        """
        ...


@dataclass(frozen=True, slots=True)
class FoundName:
    """A name found in a text: offsets into it, and an entity type (Person, Location ...)."""

    start: int
    end: int
    type: str


class NameFinder(Protocol):
    """Finds names in running text (named-entity recognition)."""

    name: str
    version: str

    def find(self, text: str, language: str) -> list[FoundName]:
        """Return names in order of place; an unknown language gives an empty list."""
        ...


class Proposer(Protocol):
    """Proposes candidates from one unit; pure, deterministic for a deterministic engine."""

    name: str
    version: str

    def propose(self, unit: EvidenceUnit) -> tuple[Candidate, ...]:
        """Return candidates whose quotes claim to be stretches of ``unit.raw.text``."""
        ...


class Verifier(Protocol):
    """Says whether the evidence says what a claim says; it sees nothing but these two (R76)."""

    name: str

    @property
    def version(self) -> str:
        """The version of the rules, or of model and prompt."""
        ...

    def verify(self, candidate: Candidate, unit: EvidenceUnit) -> Verification:
        """Return what it finds about a screened candidate and the unit that it quotes.

        Raises `Unavailable` when a service does not answer: nothing is decided then.
        """
        ...


class Embedder(Protocol):
    """Turns texts into vectors of unit length."""

    name: str
    version: str
    dimensions: int

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return an array of shape (len(texts), dimensions)."""
        ...


@dataclass(frozen=True, slots=True)
class AuthorityCandidate:
    """An entry of an authority file that may be one of our entities; untrusted until weighed.

    `birth`, `death` are years or dates as the authority writes them, empty where unknown.
    """

    id: str
    label: str
    aliases: tuple[str, ...] = ()
    birth: str = ""
    death: str = ""
    place: str = ""
    description: str = ""


class Authority(Protocol):
    """An external authority: a file of it, or a reconciliation service."""

    name: str
    version: str

    def candidates(
        self, name: str, type: str, facts: Mapping[str, str]
    ) -> tuple[AuthorityCandidate, ...]:
        """Return entries that may bear the name, best first.

        `type` is the authority's own; `facts` are what is sent along, by the authority's
        property. Raises `Unavailable` when a service does not answer in time or not soundly.
        """
        ...


class VectorIndex(Protocol):
    """Nearest neighbours by cosine."""

    name: str
    version: str

    def add(self, keys: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Add or replace vectors of shape (len(keys), dimensions)."""
        ...

    def remove(self, keys: Sequence[str]) -> None:
        """Remove those keys that are there."""
        ...

    def search(self, vector: NDArray[np.float32], k: int) -> list[tuple[str, float]]:
        """Return up to k (key, cosine) pairs, best first."""
        ...

    def save(self) -> None:
        """Write to disk so that a crash loses nothing already saved."""
        ...


class FullTextIndex(Protocol):
    """Words and Han bigrams of unit texts and names."""

    name: str
    version: str

    def add(self, documents: Sequence[Mapping[str, str]]) -> None:
        """Add or replace documents.

        Fields: `key`, `kind` (unit | entity | enrichment), `graph`, `text`, `record`.
        """
        ...

    def remove(self, keys: Sequence[str]) -> None:
        """Remove the documents with these keys."""
        ...

    def search(
        self, query: str, k: int, *, kind: str = "", graphs: Sequence[str] = (), record: str = ""
    ) -> list[tuple[str, float]]:
        """Return up to k (key, score) pairs, best first. Never raises on a user's query text.

        `record` narrows to the passages of one record.
        """
        ...

    def commit(self) -> None:
        """Make additions and removals visible and durable."""
        ...
