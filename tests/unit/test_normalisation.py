"""The normalised view: what is folded, and what is left as it was read."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdfkms.ingest.normalisation import normalise


@pytest.mark.parametrize(
    ("raw", "normal"),
    [
        ("fue sub-\nrayado aquí", "fue subrayado aquí"),
        ("fue sub¬\n  rayado", "fue subrayado"),
        ("Saint-\nJean", "Saint-Jean"),
        ("Ruiz-\nMateos", "Ruiz-Mateos"),
        ("CONSI-\nDERANDO", "CONSIDERANDO"),
        ("los años 1936-\n1939", "los años 1936- 1939"),
        ("el paſſage", "el passage"),
        ("dos  li\u0301neas\ny\tmás", "dos líneas y más"),
        ("元年春王\n正月", "元年春王正月"),
        ("元年 spring\n二年", "元年 spring 二年"),
        ("— y no —\nvino", "— y no — vino"),
        ("", ""),
    ],
)
def test_a_text_is_folded(raw: str, normal: str) -> None:
    assert normalise(raw) == normal


def test_markdown_is_folded_only_where_it_is_said() -> None:
    raw = 'Es **Ana** de [Arana](http://a.example/x "t") y `no`'
    assert normalise(raw, markdown=True) == "Es Ana de Arana y no"
    assert normalise(raw) == raw


@given(st.text("ab-Cſ¬\n\t é漢*[]()", max_size=80))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@given(st.text(max_size=80))
def test_what_is_folded_is_composed_and_on_one_line(text: str) -> None:
    found = normalise(text)
    assert unicodedata.is_normalized("NFC", found)
    assert found == found.strip() and "\n" not in found
