"""A new reading of a page is laid onto its old passages in reading order."""

from __future__ import annotations

import pytest

from rdfkms.ingest.aligning import Places, align, boxed
from rdfkms.model import Box, Word

ONE = "Resultando que el procesado Andrés Vidal fue juzgado en consejo de guerra."
TWO = "Considerando que no consta que mandase fuerza alguna en aquel frente."
THREE = "Fallamos que debemos absolver y absolvemos al procesado de todo cargo."


def laid(old: list[str], new: list[str]) -> tuple[list[str | None], list[str]]:
    """Return the words that each old passage gets, and the passages that are left over."""
    text, spans = "", []
    for passage in new:
        spans.append((len(text), len(text) + len(passage)))
        text += passage + "\n\n"
    found = align(old, text, spans)
    got = [None if s is None else text[s[0] : s[1]] for s in found.stretches]
    return got, [text[slice(*spans[at])] for at in found.fresh]


def test_each_passage_gets_its_own_correction() -> None:
    better = [ONE.replace("Andrés", "Andreu"), TWO, THREE.replace("cargo", "delito")]
    assert laid([ONE, TWO, THREE], better) == (better, [])


def test_a_passage_that_is_gone_gets_nothing_and_a_new_one_is_left_over() -> None:
    added = "Una nota marginal de otra mano, que nadie había leído hasta ahora."
    assert laid([ONE, TWO, THREE], [ONE, added, THREE]) == ([ONE, None, THREE], [added])


def test_two_new_passages_may_be_one_old() -> None:
    half = ONE.index("fue")
    got, fresh = laid([ONE, TWO], [ONE[:half].strip(), ONE[half:], TWO])
    assert [" ".join((g or "").split()) for g in got] == [ONE, TWO]
    assert fresh == []


def test_two_old_passages_divide_one_new_at_their_border() -> None:
    got, fresh = laid([ONE, TWO], [f"{ONE} {TWO}"])
    assert got == [ONE, TWO]
    assert fresh == []


def test_another_text_is_no_counterpart() -> None:
    other = "Inventario de los muebles de la sacristía, con su tasación en reales."
    assert laid([ONE], [other]) == ([None], [other])


@pytest.mark.parametrize(
    ("old", "new", "quote", "wanted"),
    [
        ("de Be1mira, a dos", "de Belmira, a dos", "Be1mira", "Belmira"),
        ("el sr. Vida1 vino", "el señor Vidal vino", "Vida1", "Vidal"),
        ("a b c", "a b c", "b", "b"),
    ],
)
def test_a_stretch_is_found_in_the_other_reading(
    old: str, new: str, quote: str, wanted: str
) -> None:
    at = old.index(quote)
    start, end = Places(old, new).span(at, at + len(quote))
    assert new[start:end] == wanted


def test_corrected_words_have_the_boxes_of_what_stood_there() -> None:
    old = "Andrcs Vidal\nnatural"
    boxes = [Box(10, 10, 60, 20), Box(80, 10, 50, 20), Box(10, 40, 70, 20)]
    spots = [(0, 6, 0), (7, 12, 0), (13, 20, 1)]
    words = [Word(a, b, box, 0.5, n, 0) for (a, b, n), box in zip(spots, boxes, strict=True)]
    new = "Andrés Vidal nuevo natural"
    found = boxed(old, words, new)
    told = {new[w.start : w.end]: w.box for w in found}
    assert told == {
        "Andrés": boxes[0], "Vidal": boxes[1], "nuevo": None, "natural": boxes[2],
    }  # fmt: skip
    assert all(w.confidence is None for w in found)
