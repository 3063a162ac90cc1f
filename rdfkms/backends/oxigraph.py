"""The system of record for reading: an embedded Oxigraph store (DESIGN 5)."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import pyoxigraph as ox
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Variable

from rdfkms.backends.updates import update_text
from rdfkms.errors import BadInput, Broken, Conflict, RdfkmsError
from rdfkms.ports import Bindings, Row, Term

# Quads after which what was written leaves memory for the disk: kept back, they took a gigabyte for
# each million (measured with benchmarks/bench_describe.py).
FLUSH_AFTER = 100_000
_NODE = NamedNode("urn:x-rdfkms:scratch")
_scratch = ox.Store()
_scratch_lock = threading.Lock()


class OxigraphStore:
    """A quad store in a folder, or in memory where `path` is None. Safe to share by threads."""

    name = "oxigraph"
    version: str = ox.__version__

    def __init__(self, path: Path | None = None, *, read_only: bool = False) -> None:
        self.path = path
        self._durable = path is not None and not read_only
        self._open: ox.Store | None = _open(path, read_only)
        self._unflushed = 0

    @property
    def _store(self) -> ox.Store:
        if self._open is None:
            raise Broken(f"The store {self.path} is closed.", hint="Open the archive again.")
        return self._open

    def select(
        self, text: str, bindings: Bindings | None = None, graphs: Sequence[NamedNode] = ()
    ) -> list[Row]:
        """Return the solutions of a SELECT query.

        `graphs` is both the default graph and the only named graphs; without it the default
        graph is empty and ``GRAPH`` reaches every graph. Raises `BadInput` on a syntax error.
        """
        solutions = self._query(text, bindings, graphs)
        names = [variable.value for variable in solutions.variables]
        return [{name: solution[name] for name in names} for solution in solutions]

    def ask(
        self, text: str, bindings: Bindings | None = None, graphs: Sequence[NamedNode] = ()
    ) -> bool:
        """Return the answer of an ASK query; errors as `select`."""
        return bool(self._query(text, bindings, graphs))

    def construct(
        self, text: str, bindings: Bindings | None = None, graphs: Sequence[NamedNode] = ()
    ) -> Iterator[Any]:
        """Yield the triples of a CONSTRUCT or DESCRIBE query; errors as `select`."""
        yield from self._query(text, bindings, graphs)

    def _query(self, text: str, bindings: Bindings | None, graphs: Sequence[NamedNode]) -> Any:
        values: dict[Variable, Any] = {Variable(k): v for k, v in (bindings or {}).items()}
        limited: list[Any] | None = list(graphs) or None
        try:
            return self._store.query(
                text, default_graph=limited, named_graphs=limited, substitutions=values
            )
        except SyntaxError as err:
            raise BadInput(f"The SPARQL query cannot be read: {err.msg}.") from err

    def match(
        self,
        subject: NamedNode | None = None,
        predicate: NamedNode | None = None,
        object: Term | None = None,
        graph: NamedNode | None = None,
    ) -> Iterator[Quad]:
        """Yield the quads of a pattern, in all graphs where `graph` is None."""
        return self._store.quads_for_pattern(subject, predicate, object, graph)

    def contains(self, quad: Quad) -> bool:
        """Return whether the quad is in the store."""
        return quad in self._store

    def canonical(self, literal: Literal) -> Literal:
        """Return the literal as this store gives it back (``"01"^^xsd:integer`` becomes ``1``)."""
        return _canonical(literal)

    def patch(self, remove: Iterable[Quad], add: Iterable[Quad]) -> None:
        """Apply both in one transaction: readers see all of it or nothing.

        A quad in both is in the store afterwards. Raises `Broken` when the disk fails.
        """
        gone, new = tuple(remove), tuple(add)
        try:
            if gone:
                self._store.update(update_text(gone, new))
            else:
                self._store.extend(new)
            self._unflushed += len(gone) + len(new)
            if self._durable and self._unflushed >= FLUSH_AFTER:
                self._store.flush()
                self._unflushed = 0
        except OSError as err:
            raise _broken(self.path, err) from err

    def bulk(self, files: Iterable[Path]) -> None:
        """Load N-Quads files into this (empty) store by the fastest way, then optimise it.

        Not one transaction: load into a fresh folder, check, then swap. Raises `Broken`.
        """
        try:
            for file in files:
                self._store.bulk_load(path=file, format=RdfFormat.N_QUADS)
            self._store.optimize()
            self._store.flush()
        except (OSError, SyntaxError) as err:
            raise _broken(self.path, err) from err

    def snapshot(self, target: Path) -> None:
        """Write a copy to the folder `target`, which must not exist (hard links where possible)."""
        try:
            self._store.backup(target)
        except OSError as err:
            raise _broken(target, err) from err

    def size(self) -> int:
        """Return the number of quads."""
        return len(self._store)

    def close(self) -> None:
        """Release the files; a second call does nothing."""
        if self._open is not None and self._durable:
            with suppress(OSError):  # a full disk: the journal heals it at the next opening
                self._open.flush()
        self._open = None


def _open(path: Path | None, read_only: bool) -> ox.Store:
    try:
        if path is None:
            return ox.Store()
        return ox.Store.read_only(str(path)) if read_only else ox.Store(path)
    except OSError as err:
        if "lock" in str(err).lower():
            raise Conflict(
                f"Another process has the store {path} open.",
                hint="Stop it, or send the command to its address (see serve.json).",
            ) from err
        raise _broken(path, err) from err


def _broken(path: Path | None, err: Exception) -> RdfkmsError:
    if "no space" in str(err).lower():
        return Broken(
            f"No space is left for the store {path}: {err}.",
            hint="Free some space and open the archive again; nothing that was committed is lost.",
        )
    return Broken(f"The store {path} failed: {err}.", hint="Try `rdfkms rebuild`.")


@lru_cache(maxsize=65536)
def _canonical(literal: Literal) -> Literal:
    quad = Quad(_NODE, _NODE, literal, _NODE)
    with _scratch_lock:
        _scratch.add(quad)
        stored = next(iter(_scratch))
        _scratch.remove(stored)
    return cast(Literal, stored.object)
