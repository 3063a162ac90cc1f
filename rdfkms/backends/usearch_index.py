"""Nearest neighbours by usearch: half-precision floats, exact below 100,000 vectors (DESIGN 7)."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import usearch
from numpy.typing import NDArray
from usearch.index import Index

from rdfkms.errors import Broken

_EXACT_BELOW = 100_000


class UsearchIndex:
    """Vectors of one length in a folder, read by memory map until the first change."""

    name = "usearch"
    version: str = usearch.__version__

    def __init__(self, folder: Path, dimensions: int) -> None:
        self._file = folder / "vectors.usearch"
        self._keys_file = folder / "keys.txt"
        self._dimensions = dimensions
        self._lock = threading.RLock()
        self._keys: dict[int, str] = {}
        self._is_view = False
        folder.mkdir(parents=True, exist_ok=True)
        if self._file.exists():
            self._index = self._open(view=True)
            self._is_view = True
        else:
            self._index = self._empty()

    def _empty(self) -> Index:
        return Index(ndim=self._dimensions, metric="cos", dtype="f16")

    def _open(self, *, view: bool) -> Index:
        """Return the saved index; raises `Broken` when file and keys do not belong together."""
        try:
            index = self._empty()
            (index.view if view else index.load)(str(self._file))
            keys = self._keys_file.read_text(encoding="utf-8").splitlines()
        except (OSError, RuntimeError, ValueError) as err:
            raise Broken(f"{self._file}: the vector index is damaged: {err}.") from err
        self._keys = {_number(key): key for key in keys}
        if len(index) != len(self._keys) or index.ndim != self._dimensions:
            raise Broken(f"{self._file}: the vector index does not fit its list of keys.")
        return index

    def _thaw(self) -> None:
        """Bring the index into memory: what is mapped cannot be changed."""
        if self._is_view:
            self._index = self._open(view=False)
            self._is_view = False

    def add(self, keys: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Add or replace vectors of shape (len(keys), dimensions)."""
        if not keys:
            return
        with self._lock:
            self._thaw()
            self._drop(keys)
            numbers = np.array([_number(key) for key in keys], dtype=np.uint64)
            self._index.add(numbers, np.asarray(vectors, dtype=np.float32), threads=1)
            self._keys.update(zip(numbers.tolist(), keys, strict=True))

    def remove(self, keys: Sequence[str]) -> None:
        """Remove those keys that are there."""
        with self._lock:
            if any(_number(key) in self._keys for key in keys):
                self._thaw()
                self._drop(keys)

    def _drop(self, keys: Sequence[str]) -> None:
        for key in keys:
            if self._keys.pop(_number(key), None) is not None:
                self._index.remove(_number(key))

    def search(self, vector: NDArray[np.float32], k: int) -> list[tuple[str, float]]:
        """Return up to k (key, cosine) pairs, best first."""
        with self._lock:
            size = len(self._keys)
            if not size or k < 1:
                return []
            query = np.asarray(vector, dtype=np.float32).reshape(-1)
            found = self._index.search(query, min(k, size), exact=size < _EXACT_BELOW, threads=1)
            pairs = zip(found.keys.tolist(), found.distances.tolist(), strict=True)
            return [(self._keys[n], 1.0 - float(d)) for n, d in pairs if n in self._keys]

    def save(self) -> None:
        """Write to disk so that a crash loses nothing already saved."""
        with self._lock:
            if self._is_view:
                return
            part = self._file.with_suffix(".part")
            self._index.save(str(part))
            keys = self._keys_file.with_suffix(".part")
            keys.write_text("".join(f"{key}\n" for key in self._keys.values()), encoding="utf-8")
            for path in (part, keys):
                with path.open("rb+") as stream:
                    os.fsync(stream.fileno())
            # A crash between the two leaves a pair that does not fit: it is found on opening.
            part.replace(self._file)
            keys.replace(self._keys_file)

    def size(self) -> int:
        """Return the number of vectors."""
        return len(self._keys)


def _number(key: str) -> int:
    """Return the 64 bits under which usearch knows a key."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big")
