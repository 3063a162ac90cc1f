"""Scores of spans and pairs, intervals and rates, against values computed by hand."""

from __future__ import annotations

import pytest

from rdfkms.evaluation import metrics
from rdfkms.evaluation.metrics import Count, Outcome, Pair, Spot


def spot(
    start: int, end: int, type: str = "Person", unit: str = "u1", document: str = "d1"
) -> Spot:
    return Spot(document, unit, start, end, type)


def test_strict_needs_the_same_unit_type_and_span() -> None:
    true = [spot(0, 4), spot(10, 14), spot(20, 24, "Location")]
    predicted = [
        spot(0, 4),
        spot(10, 13),  # another end
        spot(20, 24),  # another type
        spot(0, 4, unit="u2"),  # another unit
    ]
    scores = metrics.strict(predicted, true)
    assert scores.micro == Count(1, 4, 3)
    assert scores.micro.precision == 0.25
    assert scores.micro.recall == pytest.approx(1 / 3)
    assert scores.micro.f1 == pytest.approx(2 / 7)
    assert scores.by_type["Location"] == Count(0, 0, 1)
    assert scores.macro_f1 == pytest.approx((2 / 6 + 0) / 2)  # Person: 1 right of 4 and 2


def test_relaxed_needs_an_overlap_and_counts_each_annotation_once() -> None:
    true = [spot(0, 10)]
    assert metrics.relaxed([spot(0, 3), spot(5, 9)], true).micro == Count(1, 2, 1)
    assert metrics.relaxed([spot(10, 12)], true).micro == Count(0, 1, 1)  # only touches


def test_relaxed_finds_the_largest_matching() -> None:
    # Taken greedily, the first prediction would take the only annotation the second can have.
    true = [spot(0, 5), spot(6, 9)]
    predicted = [spot(3, 8), spot(0, 2)]
    assert metrics.relaxed(predicted, true).micro == Count(2, 2, 2)
    assert metrics.matching([[0, 1], [0], [0]]) == 2


def test_the_same_prediction_twice_is_right_once() -> None:
    assert metrics.strict([spot(0, 4), spot(0, 4)], [spot(0, 4)]).micro == Count(1, 2, 1)


def test_pairs_count_by_both_ends() -> None:
    true = [Pair("d1", "u1", (0, 2), (5, 9), "time")]
    assert metrics.strict([Pair("d1", "u1", (0, 2), (5, 8), "time")], true).micro.right == 0
    assert metrics.relaxed([Pair("d1", "u1", (0, 2), (5, 8), "time")], true).micro.right == 1
    assert metrics.relaxed([Pair("d1", "u1", (2, 3), (5, 8), "time")], true).micro.right == 0


def test_nothing_predicted_or_nothing_true_divides_by_nothing() -> None:
    assert metrics.strict([], []).micro.f1 == 0.0
    assert metrics.strict([], [spot(0, 1)]).table(1)["macro_f1"] == 0.0


def test_the_interval_is_drawn_by_document_and_always_the_same() -> None:
    documents = [Count(9, 10, 10), Count(1, 10, 10)]
    low, high = metrics.interval(documents, seed=7)
    assert (low, high) == metrics.interval(documents, seed=7)
    assert (low, high) == (0.1, 0.9)  # both documents, or either one twice
    assert metrics.interval([Count(5, 10, 10)], seed=7) == (0.5, 0.5)
    assert metrics.interval([], seed=7) == (0.0, 0.0)


def outcome(**said: bool) -> Outcome:
    plain = {
        "valid": True, "resolved": True, "kept": True, "held": False, "supported": True,
        "overreaching": False, "sound": True,
    }  # fmt: skip
    return Outcome(**{**plain, **said})


def test_the_rates_of_governance() -> None:
    outcomes = [
        outcome(),
        outcome(),
        outcome(kept=False, held=True),  # sound, and waits
        outcome(valid=False, supported=False, sound=False),
        outcome(resolved=False, supported=False, sound=False),
        outcome(supported=False, sound=False),
        outcome(supported=False, overreaching=True, sound=False),
        outcome(kept=False, sound=False, supported=False),
    ]
    assert metrics.rates(outcomes) == {
        "proposed": 8,
        "kept": 6,
        "r_valid": round(5 / 6, 4),
        "r_res": 0.8,
        "r_mis": 0.5,
        "r_ovr": 0.25,
        "admitted_recall": round(2 / 3, 4),
        "quarantine_rate": 0.125,
    }


def test_refusing_everything_shows_in_the_recall_not_in_a_rate_of_nothing() -> None:
    found = metrics.rates([outcome(kept=False)])
    assert found["r_mis"] is None
    assert found["admitted_recall"] == 0.0
