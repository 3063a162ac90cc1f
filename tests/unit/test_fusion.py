"""Fusion of ranked lists, and the words of texts and questions."""

from __future__ import annotations

import pytest

from rdfkms.retrieval import words
from rdfkms.retrieval.fusion import fuse
from rdfkms.retrieval.searching import matched_words, window


def test_what_two_channels_have_is_before_what_one_has_first() -> None:
    fused = fuse({"words": ["a", "b", "c"], "meaning": ["d", "b"]})
    assert [f.key for f in fused] == ["b", "a", "d", "c"]
    assert fused[0].ranks == (("words", 2), ("meaning", 2))


def test_ties_keep_one_order_whatever_the_channel_order() -> None:
    one = fuse({"words": ["x"], "meaning": ["y"]})
    other = fuse({"meaning": ["y"], "words": ["x"]})
    assert [f.key for f in one] == [f.key for f in other] == ["x", "y"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Peñarrasa, CŒUR Straße", ("penarrasa", "coeur", "strasse")),
        ("Andre\u0301s", ("andres",)),
        ("d'Orna l’eau", ("d", "orna", "l", "eau")),
        ("王守仁 1544", ("王守", "守仁", "1544")),
        ("a_b \x00 <script>", ("a", "b", "script")),
    ],
)
def test_words_are_folded_and_han_is_paired(text: str, expected: tuple[str, ...]) -> None:
    assert words.split(text).words == expected


def test_single_han_characters_are_indexed_but_asked_only_alone() -> None:
    assert words.split("王守仁").singles == ("王", "守", "仁")
    assert words.split_query("王守仁").singles == ()
    assert words.split_query("王").singles == ("王",)


def test_matched_words_are_given_as_the_passage_writes_them() -> None:
    assert matched_words("andres PEÑARRASA", "El de Peñarrasa, Andrés") == ("Peñarrasa", "Andrés")
    assert matched_words("王守仁卒", "是年王守仁卒於南安") == ("王守仁卒",)


def test_the_window_is_a_stretch_of_the_text_around_most_matches() -> None:
    text = "lorem ipsum " * 60 + "Andrés Vidal natural de Alcoy " + "dolor sit " * 60
    start, end = window(text, "¿De dónde es Andrés Vidal?")
    assert "Andrés Vidal" in text[start:end]
    assert end - start <= 240
    assert text[start - 1].isspace()
