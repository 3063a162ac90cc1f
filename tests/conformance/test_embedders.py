"""Every embedder keeps the port's promise: unit vectors, one a text, the same each time."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import numpy as np
import pytest

from rdfkms.backends.e5_embedder import E5Embedder
from rdfkms.backends.sentence_transformers_embedder import SentenceTransformersEmbedder
from rdfkms.backends.use_embedder import UseEmbedder
from rdfkms.errors import Missing
from rdfkms.ports import Embedder

MAKERS: dict[str, Callable[[], Embedder]] = {"use": UseEmbedder, "e5": E5Embedder}
TEXTS = [
    "El procesado es natural de Alcoy y carpintero",
    "The accused was born in Alcoy and is a carpenter",
    "La cosecha de naranjas fue abundante aquel año",
    "",
    "嘉靖二十三年王守仁卒於南安",
]

pytestmark = pytest.mark.model


@pytest.fixture(scope="module", params=sorted(MAKERS))
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return MAKERS[request.param]()


def test_each_text_has_one_unit_vector(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimensions)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors[:3], axis=1), 1, atol=1e-3)
    assert embedder.name
    assert embedder.version


def test_no_text_has_no_vector(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimensions)


def test_a_translation_is_nearer_than_another_subject(embedder: Embedder) -> None:
    spanish, english, other = embedder.embed(TEXTS[:3])
    assert spanish @ english > spanish @ other


def test_the_same_text_has_the_same_vector_alone_or_among_others(embedder: Embedder) -> None:
    together = embedder.embed(TEXTS)
    assert np.allclose(embedder.embed(TEXTS[4:])[0], together[4], atol=1e-5)


@pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is not None, reason="the extra is installed"
)
def test_a_missing_extra_is_named() -> None:
    with pytest.raises(Missing, match=r"rdfkms\[models\]"):
        SentenceTransformersEmbedder("some/model")
