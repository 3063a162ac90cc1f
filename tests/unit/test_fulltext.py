"""The full-text index: folded words, Han of one and two characters, misread letters, filters."""

from __future__ import annotations

from pathlib import Path

import pytest

from rdfkms.backends.tantivy_index import TantivyIndex
from rdfkms.errors import Broken
from rdfkms.retrieval import words

DOCUMENTS = [
    ("u1", "unit", "public", "El procesado Andrés Vidal Soler, natural de Montelargo"),
    ("u2", "unit", "internal", "Vidal en secreto"),
    ("u3", "unit", "public", "嘉靖二十三年王守仁卒於南安"),
    ("person/1", "entity", "public", "Andrés Vidal Soler"),
]


def make(folder: Path) -> TantivyIndex:
    return TantivyIndex(folder, words.split, words.split_query)


@pytest.fixture
def index(tmp_path: Path) -> TantivyIndex:
    made = make(tmp_path / "index")
    names = ("key", "kind", "graph", "text")
    made.add([dict(zip(names, row, strict=True)) for row in DOCUMENTS])
    made.commit()
    return made


def keys(index: TantivyIndex, query: str, **more: object) -> set[str]:
    return {key for key, _ in index.search(query, 10, **more)}  # type: ignore[arg-type]


@pytest.mark.parametrize("query", ["andres", "ANDRÉS", "Andre\u0301s", "montelargo"])
def test_accents_and_capitals_do_not_matter(index: TantivyIndex, query: str) -> None:
    assert "u1" in keys(index, query, kind="unit")


@pytest.mark.parametrize("query", ["王", "守仁", "王守仁", "卒於南安"])
def test_han_is_found_by_one_or_more_characters(index: TantivyIndex, query: str) -> None:
    assert keys(index, query) == {"u3"}


def test_a_misread_letter_is_forgiven_but_ranks_lower(index: TantivyIndex) -> None:
    index.add([{"key": "u4", "kind": "unit", "graph": "public", "text": "Montelango"}])
    index.commit()
    found = [key for key, _ in index.search("Montelargo", 5)]
    assert found[0] == "u1"
    assert "u4" in found


def test_kind_and_graph_filter(index: TantivyIndex) -> None:
    assert keys(index, "vidal", graphs=["public"]) == {"u1", "person/1"}
    assert keys(index, "vidal", kind="unit", graphs=["public"]) == {"u1"}
    assert keys(index, "vidal", kind="unit", graphs=["public", "internal"]) == {"u1", "u2"}


def test_adding_a_key_again_replaces_and_removing_removes(index: TantivyIndex) -> None:
    index.add([{"key": "u1", "kind": "unit", "graph": "public", "text": "otra cosa"}])
    index.remove(["u3", "absent"])
    index.commit()
    assert keys(index, "andres", kind="unit") == set()
    assert keys(index, "otra") == {"u1"}
    assert keys(index, "王守仁") == set()
    assert index.size() == 3


@pytest.mark.parametrize(
    "query", ["", "  ", '"(*&^ AND OR NOT', "\x00", "x" * 50_000, "key:u1", "a:b^4~2 [1 TO", "🙂"]
)
def test_no_query_text_raises(index: TantivyIndex, query: str) -> None:
    assert index.search(query, 5) == []


def test_what_was_committed_is_there_after_reopening(index: TantivyIndex, tmp_path: Path) -> None:
    del index
    assert keys(make(tmp_path / "index"), "andres", kind="unit") == {"u1"}


def test_a_damaged_index_is_reported_as_broken(index: TantivyIndex, tmp_path: Path) -> None:
    del index
    (tmp_path / "index" / "meta.json").write_text("{", encoding="utf-8")
    with pytest.raises(Broken):
        make(tmp_path / "index")
