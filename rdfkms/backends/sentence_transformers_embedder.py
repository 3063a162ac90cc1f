"""Any sentence-transformers model from a local folder or cache (extra `models`)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfkms.errors import Misconfigured, Missing


class SentenceTransformersEmbedder:
    """A model by folder or name, e.g. bge-m3; nothing is fetched from the network."""

    name = "sentence_transformers"

    def __init__(self, model: str) -> None:
        try:
            import sentence_transformers
        except ImportError as err:
            raise Missing(
                "The embedder 'sentence_transformers' is not installed.",
                hint="Install rdfkms[models].",
            ) from err
        if not model:
            raise Misconfigured(
                "The embedder 'sentence_transformers' needs the folder of a model.",
                hint="Write models.embedder = 'sentence_transformers:/path/of/the/model'.",
            )
        try:
            self._model: Any = sentence_transformers.SentenceTransformer(
                model, device="cpu", local_files_only=True
            )
        except (OSError, ValueError) as err:
            raise Missing(
                f"There is no sentence-transformers model at '{model}': {err}.",
                hint="Copy the model's folder to this machine and give its path.",
            ) from err
        self.version: str = f"{sentence_transformers.__version__} {model}"
        self.dimensions = int(self._model.get_sentence_embedding_dimension())
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors of shape (len(texts), dimensions)."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        with self._lock:
            vectors = self._model.encode(
                list(texts), normalize_embeddings=True, show_progress_bar=False
            )
        return np.asarray(vectors, dtype=np.float32)
