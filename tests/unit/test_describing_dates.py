"""Dates of descriptions as EDTF: normal forms, words, and what is left in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdfkms.ingest.describing.dates import edtf, span
from rdfkms.knowledge.timespans import timespan
from rdfkms.model import Value


@pytest.mark.parametrize(
    ("normal", "expected"),
    [
        ("1926-01-01 / 1986-12-31", "1926-01-01/1986-12-31"),
        ("19140801/1918", "1914-08-01/1918"),
        ("1897/1956", "1897/1956"),
        ("1956/1956", "1956"),
        ("1926-01-01 / 1926-01-01", "1926-01-01"),
        ("20040323", "2004-03-23"),
        ("197901", "1979-01"),
        ("1914/", "1914/.."),
        ("1914/9999", "1914/.."),
        ("../1918", "../1918"),
        ("1914-00-00", "1914"),
        ("1926-01-01T10:00:00Z", "1926-01-01"),
        ("-0500/-0031", "-0500/-0031"),
        ("1550~", "1550~"),
        ("1550?/1553?", "1550?/1553?"),
        ("193X", "193X"),
        ("19XX", "19XX"),
        ("2001-04/2001", "2001-04/2001"),
    ],
)
def test_normal_forms(normal: str, expected: str) -> None:
    assert edtf(normal) == expected


@pytest.mark.parametrize(
    "normal",
    ["", " ", "/", "../..", "undated", "6", "2008-13", "2001-02-30", "1918/1914", "1995/20050",
     "1X2X", "1990-1995", "Letters", "1990/then"],
)  # fmt: skip
def test_what_is_no_normal_form(normal: str) -> None:
    assert edtf(normal) == ""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("1888", "1888"),
        ("1926-1986", "1926/1986"),
        (" 1917 – 1955. ", "1917/1955"),
        ("1914-18", "1914/1918"),
        ("entre 1926 et 1986", "1926/1986"),
        ("von 1926 bis 1986", "1926/1986"),
        ("ca. 1550-1553 [?]", "1550%/1553%"),
        ("ca. 1781", "1781~"),
        ("c1900", "1900~"),
        ("[1888]", "1888"),
        ("[ca. 1888?]", "1888%"),
        ("1550?-1553", "1550?/1553"),
        ("since 1950", "1950/.."),
        ("1901-....", "1901/.."),
        ("1950-present", "1950/.."),
        ("1920s", "192X"),
        ("11 octobre 1928", "1928-10-11"),
        ("Le 1er janvier 1926", "1926-01-01"),
        ("October 11, 1928", "1928-10-11"),
        ("3 de mayo de 1808", "1808-05-03"),
        ("1. Mai 1890", "1890-05-01"),
        ("mai 1968", "1968-05"),
        ("12.3.1937", "1937-03-12"),
        ("1937年7月7日", "1937-07-07"),
        ("1926年-1930年", "1926/1930"),
        ("January-March 1917", "1917-01/1917-03"),
        ("5-7 July 1917", "1917-07-05/1917-07-07"),
        ("18 août 1945-8 janvier 1959", "1945-08-18/1959-01-08"),
        ("1914-08-01", "1914-08-01"),
    ],
)
def test_words(words: str, expected: str) -> None:
    assert span(words) == expected


@pytest.mark.parametrize(
    "words",
    ["", "o. D.", "n.d.", "s.d.", "undated", "undated, 1955", "1995, 2000", "1914-12",
     "01/02/1930", "30 Feb 1900", "32 May 1900", "années 20", "January", "1986-1926", "a 1900",
     "1842-1843, bulk 1842", "before 1950", "f83cba97-9a15", "200", "12345", "between 1900"],
)  # fmt: skip
def test_what_is_not_sure_stays_in_words(words: str) -> None:
    assert span(words) == ""


@given(st.text(alphabet="0123456789-/.?~[] cas年月Mayto", max_size=24))
def test_what_is_given_is_a_date_that_can_be_placed(text: str) -> None:
    for date in (edtf(text), span(text)):
        assert not date or timespan(Value(date, "edtf")) is not None, (text, date)
