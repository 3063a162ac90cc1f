"""Timespans: the days an EDTF date may mean, and whether two may hold at once."""

from __future__ import annotations

import pytest

from rdfkms.knowledge.timespans import timespan
from rdfkms.model import Value


@pytest.mark.parametrize(
    ("lexical", "first", "last"),
    [
        ("1939", 19390101, 19391231),
        ("1939-03", 19390301, 19390331),
        ("1939-03-12", 19390312, 19390312),
        ("193X", 19300101, 19391231),
        ("1939?", 19390101, 19391231),
        ("1936/1939-03", 19360101, 19390331),
    ],
)
def test_bounds(lexical: str, first: int, last: int) -> None:
    span = timespan(Value(lexical, "edtf"))
    assert span is not None
    assert (span.first, span.last) == (first, last)


@pytest.mark.parametrize("lexical", ["", "en mayo", "1939/1936", "../.."])
def test_what_gives_no_span(lexical: str) -> None:
    assert timespan(Value(lexical, "edtf")) is None
    assert timespan(Value("1939", "string")) is None
    assert timespan(None) is None


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [
        ("1936/1938", "1937/1940", True),
        ("1936/1938", "1938/1940", False),
        ("1936/..", "1938", True),
        ("1936/1938", "1939", False),
        ("1936-03-01", "1936-03-01", True),
        ("1936", "1937", False),
        ("1936/1938", "1936/1938", True),
    ],
)
def test_overlaps(one: str, other: str, overlap: bool) -> None:
    a, b = timespan(Value(one, "edtf")), timespan(Value(other, "edtf"))
    assert a is not None
    assert b is not None
    assert a.overlaps(b) is overlap
    assert b.overlaps(a) is overlap
