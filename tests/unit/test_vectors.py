"""The vector index: exact, replaceable, durable, and honest about damage."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rdfkms.backends.usearch_index import UsearchIndex
from rdfkms.errors import Broken

SIZE = 16
KEYS = [f"u{n}" for n in range(200)]
VECTORS = np.random.default_rng(5).normal(size=(200, SIZE)).astype(np.float32)


@pytest.fixture
def index(tmp_path: Path) -> UsearchIndex:
    made = UsearchIndex(tmp_path, SIZE)
    made.add(KEYS, VECTORS)
    return made


def test_neighbours_are_those_of_exact_search(index: UsearchIndex) -> None:
    unit = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    for n in (0, 17, 199):
        expected = [KEYS[i] for i in np.argsort(-(unit @ unit[n]))[:5]]
        found = index.search(VECTORS[n], 5)
        assert [key for key, _ in found] == expected
        assert found[0][1] == pytest.approx(1, abs=1e-3)


def test_removed_keys_are_not_found_and_replaced_ones_move(index: UsearchIndex) -> None:
    index.remove(["u3", "absent"])
    assert "u3" not in {key for key, _ in index.search(VECTORS[3], 200)}
    index.add(["u4"], VECTORS[3:4])
    assert index.search(VECTORS[3], 1)[0][0] == "u4"
    assert index.size() == 199


def test_saved_vectors_are_there_after_reopening_and_can_be_changed(
    index: UsearchIndex, tmp_path: Path
) -> None:
    index.save()
    again = UsearchIndex(tmp_path, SIZE)
    assert again.search(VECTORS[7], 1)[0][0] == "u7"
    again.remove(["u7"])
    again.save()
    assert UsearchIndex(tmp_path, SIZE).search(VECTORS[7], 1)[0][0] != "u7"


def test_an_empty_index_finds_nothing(tmp_path: Path) -> None:
    assert UsearchIndex(tmp_path, SIZE).search(VECTORS[0], 3) == []


@pytest.mark.parametrize("damage", ["cut", "keys"])
def test_damage_is_reported_on_opening(index: UsearchIndex, tmp_path: Path, damage: str) -> None:
    index.save()
    if damage == "cut":
        (tmp_path / "vectors.usearch").write_bytes(b"nothing")
    else:
        (tmp_path / "keys.txt").write_text("u1\n", encoding="utf-8")
    with pytest.raises(Broken):
        UsearchIndex(tmp_path, SIZE)
