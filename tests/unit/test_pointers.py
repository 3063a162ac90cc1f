"""Pointer: the quote is the text at its span, or it is re-anchored, held back or refused."""

from __future__ import annotations

from dataclasses import replace

from rdfkms.admission import pointers
from rdfkms.model import Candidate, Decision, EvidenceUnit, Kind
from tests.tools.passages import anchor, candidate, passage


def quoting(
    unit: EvidenceUnit, quote: str, start: int | None = None, end: int | None = None
) -> Candidate:
    return replace(candidate(unit, Kind.EVENT, "CourtMartial", 0, 1),
                   quote=quote, start=start, end=end)  # fmt: skip


def test_an_exact_quote_at_its_span_is_left_as_it_is() -> None:
    unit = passage("natural de Alcoy, vecino de Alcoy")
    exact = quoting(unit, "Alcoy", 28, 33)
    assert pointers.resolve(exact, unit) == (exact, None)


def test_a_quote_without_a_span_is_placed_where_it_stands_once() -> None:
    unit = passage("natural de Alcoy")
    found, verdict = pointers.resolve(quoting(unit, "de Alcoy"), unit)
    assert verdict is None
    assert (found.start, found.end, found.note) == (8, 16, "")


def test_line_breaks_and_composition_are_reanchored_to_the_raw_words() -> None:
    unit = passage("el procesado Andre\u0301s\n Vidal  Soler")
    found, verdict = pointers.resolve(quoting(unit, "Andrés Vidal Soler"), unit)
    assert verdict is None
    assert found.quote == "Andre\u0301s\n Vidal  Soler"
    assert unit.raw.text[found.start : found.end] == found.quote
    assert found.note == "reanchored"


def test_a_wrong_span_is_corrected_where_the_quote_stands_once() -> None:
    unit = passage("natural de Alcoy")
    found, verdict = pointers.resolve(quoting(unit, "Alcoy", 0, 5), unit)
    assert verdict is None
    assert (found.start, found.note) == (11, "reanchored")


def test_without_reanchoring_only_exact_quotes_pass() -> None:
    unit = passage("Andrés\nVidal")
    _, verdict = pointers.resolve(quoting(unit, "Andrés Vidal"), unit, reanchor=False)
    assert verdict is not None
    assert verdict.decision is Decision.REJECTED


def test_a_quote_that_stands_twice_is_for_a_person() -> None:
    unit = passage("Alcoy y Alcoy")
    _, verdict = pointers.resolve(quoting(unit, "Alcoy"), unit)
    assert verdict is not None
    assert verdict.decision is Decision.QUARANTINED
    assert verdict.reasons[0].code == "quoteTwice"


def test_overlapping_places_count_apart() -> None:
    unit = passage("aXaXa")
    _, verdict = pointers.resolve(quoting(unit, "aXa"), unit)
    assert verdict is not None
    assert verdict.decision is Decision.QUARANTINED


def test_the_span_decides_between_two_places() -> None:
    unit = passage("Alcoy\ny  Alcoy\ny")
    found, verdict = pointers.resolve(quoting(unit, "Alcoy y", 9, 16), unit)
    assert verdict is None
    assert found.quote == "Alcoy\ny"
    assert found.start == 9


def test_the_anchors_decide_between_two_places() -> None:
    unit = passage("de Alcoy y de Alcoy")
    second = replace(quoting(unit, "Alcoy"), subject=anchor(unit, "Alcoy", nth=1))
    found, verdict = pointers.resolve(second, unit)
    assert verdict is None
    assert found.start == 14


def test_an_invented_quote_is_rejected() -> None:
    unit = passage("natural de Alcoy")
    _, verdict = pointers.resolve(quoting(unit, "natural de Elche"), unit)
    assert verdict is not None
    assert verdict.decision is Decision.REJECTED
    assert verdict.reasons[0].code == "quoteNotFound"


def test_other_letters_are_not_folded() -> None:
    unit = passage("Andrés Vidal")
    for quote in ("andrés vidal", "Andres Vidal", "Andrés Vida1", "Andrés\u200bVidal"):
        _, verdict = pointers.resolve(quoting(unit, quote), unit)
        assert verdict is not None, quote


def test_half_a_composed_character_is_no_quote() -> None:
    unit = passage("q\u0303ue")
    _, verdict = pointers.resolve(quoting(unit, "\u0303ue", 0, 1), unit)
    found, _ = pointers.resolve(quoting(unit, "\u0303ue", 0, 1), unit)
    assert verdict is not None or unit.raw.text[found.start : found.end] == found.quote


def test_chinese_columns_are_quoted_across_the_line() -> None:
    unit = passage("滄侯伐岑戰于桑\n谷", "lzh")
    found, verdict = pointers.resolve(quoting(unit, "于桑\n谷"), unit)
    assert verdict is None
    assert found.quote == "于桑\n谷"
