"""Paragraphs to passages that can be cited."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdfkms.ingest import language, segmentation
from rdfkms.ingest.profiles import Profile
from rdfkms.model import Flag
from tests.tools.words import column, reading

COURT = {"RESULTANDO": r"\W{0,4}RESULTANDO\b", "FALLAMOS": r"FALLAMOS\b"}
BODY = ["Que el procesado salió de su casa", "en la noche del cinco y no volvió", "hasta mayo."]


def _profile(**said: Any) -> Profile:
    return Profile(name="test", title="Test", languages=("es",), **said)


def _cut(lines: list[str], confidence: float = 0.9, **said: Any) -> list[tuple[str, str]]:
    found = reading(column(lines, pitch=30), confidence)
    spans = segmentation.cut(found.text, found.words, _profile(**said))
    return [(found.text[s.start : s.end], s.section) for s in spans]


def test_a_section_holds_until_the_next_header() -> None:
    lines = ["RESULTANDO: Que salió de la casa con otros", "dos.", "", ""]
    lines += ["Otro párrafo distinto, con punto.", "", "", "FALLAMOS que debemos condenar y"]
    assert [section for _, section in _cut(lines, sections=COURT)] == [
        "RESULTANDO", "RESULTANDO", "FALLAMOS",
    ]  # fmt: skip


def test_a_header_alone_joins_what_it_heads() -> None:
    ((text, section),) = _cut(["RESULTANDO", "", *BODY], sections=COURT)
    assert text.startswith("RESULTANDO\n") and section == "RESULTANDO"


def test_a_heading_joins_the_paragraph_below() -> None:
    assert len(_cut(["Incendio en Valmorens", "", *BODY])) == 1


def test_a_long_paragraph_is_cut_at_sentence_ends() -> None:
    sentence = "Que el procesado salió de su casa en la noche del cinco y no volvió."
    cut = _cut([sentence] * 12, passage_words=(20, 40), longest=60, overlap=0)
    assert len(cut) > 3
    for text, _ in cut:
        assert text.startswith("Que") and text.endswith("volvió.")
        assert language.count_words(text) <= 60


def test_passages_repeat_whole_sentences_up_to_the_overlap() -> None:
    text = " ".join(f"Frase número {n} de la prueba larga." for n in range(20))
    profile = _profile(passage_words=(20, 30), overlap=8, longest=60)
    spans = segmentation.split(text, profile)
    for (_, end), (start, _) in pairwise(spans):
        assert start < end
        assert language.count_words(text[start:end]) <= 8


def test_the_boxes_of_a_passage_hold_its_lines() -> None:
    found = reading(column(BODY))
    (span,) = segmentation.cut(found.text, found.words, _profile())
    assert [box.fragment for box in span.boxes] == ["xywh=100,100,462,100"]


def test_a_passage_over_two_columns_has_two_boxes() -> None:
    found = reading([*column(BODY[:2]), *column(BODY[2:], x=900)])
    (span,) = segmentation.cut(found.text, found.words, _profile())
    assert [box.x for box in span.boxes] == [100, 900]


@pytest.mark.parametrize(
    ("lines", "confidence", "flag"),
    [
        (BODY, 0.3, Flag.LOW_CONFIDENCE),
        ([*BODY[:2], "hasta \ufffd mayo."], 0.9, Flag.MISSING_GLYPHS),
        (BODY[1:], 0.9, Flag.SEGMENTATION_ANOMALY),
        (["7"], 0.9, Flag.SEGMENTATION_ANOMALY),
    ],
)
def test_doubtful_passages_are_flagged(lines: list[str], confidence: float, flag: Flag) -> None:
    found = reading(column(lines), confidence)
    (span,) = segmentation.cut(found.text, found.words, _profile())
    assert span.flags == (flag,)


def test_specks_alone_make_no_passage() -> None:
    assert _cut([". ,", "—"]) == []


def test_a_page_without_words_has_no_passage() -> None:
    assert segmentation.cut("", (), _profile()) == []


def test_juan_numbers_are_carried_on() -> None:
    found = reading(column(["卷三 某公", "元年春。", "", "", "二年夏。"]))
    spans = segmentation.cut(found.text, found.words, _profile(juan="卷[一二三]", breaks=("二年",)))
    assert {span.juan for span in spans} == {"卷三"}


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("El Sr. Vidal vino. Luego se fue.", ["El Sr. Vidal vino.", "Luego se fue."]),
        ("J. Cortés firmó. Y calló", ["J. Cortés firmó.", "Y calló"]),
        ("Vino el 3. de mayo.", ["Vino el 3. de mayo."]),
        ("«¿Quién?» Nadie.", ["«¿Quién?»", "Nadie."]),
        ("元年春。二年夏；三年", ["元年春。", "二年夏；", "三年"]),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, ends: list[str]) -> None:
    marks = language.sentence_ends(text)
    pieces = [text[a:b].strip() for a, b in zip([0, *marks], marks, strict=False)]
    assert pieces == ends


@pytest.mark.parametrize(
    ("text", "tongue"),
    [
        ("que el procesado no estaba en la casa de su padre", "es"),
        ("que les habitants de la ville ne sont pas dans les rues", "fr"),
        ("that the man was not in the house of his father", "en"),
        ("Vidal 1939", "es"),
    ],
)
def test_the_language_of_a_passage_is_recognised(text: str, tongue: str) -> None:
    assert language.recognise(text, ("es", "fr", "en")) == tongue


TEXTS = st.text("ab .,;\n漢。", max_size=400)


@given(TEXTS, st.integers(3, 9), st.integers(0, 2))
def test_passages_cover_every_word_in_order(text: str, most: int, overlap: int) -> None:
    profile = _profile(passage_words=(3, most), overlap=overlap, longest=10)
    spans = segmentation.split(text, profile)
    covered = set()
    for start, end in spans:
        assert 0 <= start < end <= len(text)
        assert text[start:end].strip() == text[start:end]
        covered |= set(range(start, end))
    missed = {m.start() for m in re.finditer(r"\w", text)} - covered
    assert not missed
    assert spans == sorted(spans)


@given(st.lists(st.text("ab.,é漢 ", max_size=30), max_size=15))
def test_spans_lie_in_the_text_and_do_not_overlap(lines: list[str]) -> None:
    found = reading(column(lines))
    spans = segmentation.cut(found.text, found.words, _profile(overlap=0))
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(s.boxes and s.end <= len(found.text) for s in spans)
