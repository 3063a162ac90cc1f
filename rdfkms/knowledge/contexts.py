"""How alike is what is said around two names: a feature for ranking proposals (R63; optional).

Needs an embedder, which is an extra, and never decides a link, so that who is who does not depend
on what is installed. It is for callers who build a `Gate` of their own; no command uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfkms.knowledge.spots import Spot
from rdfkms.model import EvidenceUnit, Ref
from rdfkms.ports import Embedder

REACH = 200  # characters before and after a name
PassageOf = Callable[[Ref], tuple[str, int, int] | None]  # text, start and end of a mention


class Contexts:
    """Compares the passages around a spot of the batch and around a known entity's mention.

    `units` are those of the batch; `passage_of` gives one admitted mention of an entity. Called
    with a spot and an entity it returns the cosine (-1 to 1), or None where a text is missing.
    """

    def __init__(
        self, embedder: Embedder, units: Mapping[str, EvidenceUnit], passage_of: PassageOf
    ) -> None:
        self._embedder = embedder
        self._units = units
        self._passage_of = passage_of
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def __call__(self, spot: Spot, ref: Ref) -> float | None:
        """Return how alike the contexts are."""
        unit, start, end, _ = spot.place
        known = self._passage_of(ref)
        if unit not in self._units or known is None:
            return None
        ours = around(self._units[unit].raw.text, start, end)
        theirs = around(*known)
        if not ours or not theirs:
            return None
        return float(np.dot(self._vector(ours), self._vector(theirs)))

    def _vector(self, text: str) -> NDArray[Any]:
        if text not in self._vectors:
            self._vectors[text] = self._embedder.embed([text])[0]
        return self._vectors[text]


def around(text: str, start: int, end: int) -> str:
    """Return what stands around [start, end) without the name itself, as one line."""
    before, after = text[max(0, start - REACH) : start], text[end : end + REACH]
    return " ".join(f"{before} {after}".split())
