"""Dates of descriptions as EDTF: normal forms, words, and what is left in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdfkms.admission import structure
from rdfkms.ingest.describing import things
from rdfkms.ingest.describing.dates import edges, edtf, marked, span, stands_in
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
        ("1914/", "1914/"),
        ("1914/?", "1914/"),
        ("/1918", "/1918"),
        ("unknown/1918", "/1918"),
        ("1914/..", "1914/.."),
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
     "1X2X", "1990-1995", "Letters", "1990/then", "0000", "00000000", "0000-00-00", "0000/1918",
     "1914/0000", "-0000", "../", "/..", "then/", "/then"],
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
        ("[1901-....]", "1901/.."),
        ("1920-", "1920/"),
        ("1920 - ?", "1920/"),
        ("1920-?", "1920/"),
        ("[ca. 1920-]", "1920~/"),
        ("? - 1920", "/1920"),
        ("between 1920 and 1935", "1920/1935"),
        ("zwischen 1920 und 1935", "1920/1935"),
        ("tra 1920 e 1935", "1920/1935"),
        ("1920 to 1935", "1920/1935"),
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
     "1842-1843, bulk 1842", "before 1950", "f83cba97-9a15", "200", "12345", "between 1900",
     "1920 and 1935", "1920 et 1935", "1920 und 1935", "1920 y 1935", "1920 e 1935", "-1920",
     "from 1920 and 1935"],
)  # fmt: skip
def test_what_is_not_sure_stays_in_words(words: str) -> None:
    assert span(words) == ""


@given(st.text(alphabet="0123456789-/.?~[] cas年月Mayto", max_size=24))
def test_what_is_given_is_a_date_that_can_be_placed(text: str) -> None:
    for date in (edtf(text), span(text)):
        assert not date or timespan(Value(date, "edtf")) is not None, (text, date)


@pytest.mark.parametrize(
    ("normal", "words", "expected"),
    [
        ("1850/1901", "1850-1901", ("1850", "1901")),
        ("1850/..", "1850-present", ("1850", "")),
        ("/1901", "? - 1901", ("", "1901")),
        ("1850", "1850", ("", "")),
        ("1850/1860", "Between 1850 and 1860", ("", "")),
        ("1850/1860", "[zwischen 1850 und 1860]", ("", "")),
    ],
)
def test_the_ends_of_a_span_are_those_that_are_told(
    normal: str, words: str, expected: tuple[str, str]
) -> None:
    assert edges(normal, words) == expected


def test_a_certainty_marks_each_end_that_is_told() -> None:
    assert marked("1850/1860?", "circa") == "1850~/1860?"
    assert marked("1850/", "approximate") == "1850~/"
    assert marked("1850/..", "uncertain") == "1850?/.."
    assert marked("1850", "certain") == "1850"
    assert marked("", "circa") == ""


@pytest.mark.parametrize(
    ("reference", "lexical", "written"),
    [
        ("https://hill.example/a?b=1#c", "https://hill.example/a?b=1#c", ""),
        ("https://hill.example/é", "https://hill.example/%C3%A9", "https://hill.example/é"),
        ("https://hill.example/a[1]", "https://hill.example/a%5B1%5D", "https://hill.example/a[1]"),
        ("https://hill.example", None, ""),
        ("https://hill.example/", None, ""),
        ("https://h\u00fcgel.example/a", None, ""),
        ("https://hill.example/a b", None, ""),
        ("urn:isbn:1", None, ""),
        ("https://hill.example/" + "a" * 1001, None, ""),
    ],
)
def test_an_address_is_one_that_the_gate_takes(
    reference: str, lexical: str | None, written: str
) -> None:
    assert things.is_address(reference) == bool(structure._IRI.match(reference))
    assert things.address(reference) == (
        Value(lexical, "anyURI", verbatim=written) if lexical else None
    )


@given(st.text(alphabet='htps:/ah.é[]{}|"<>%^`~#?&=\\', max_size=12))
def test_what_an_address_is_the_gate_says_as_well(text: str) -> None:
    for reference in (text, "https://a.h/" + text):
        assert things.is_address(reference) == bool(structure._IRI.match(reference))


@pytest.mark.parametrize(
    ("date", "words", "quote", "says"),
    [
        ("1850", "1850", "1850", True),
        ("1999", "1850", "1850", False),
        ("1999", "1850", '<unitdate normal="1999">1850</unitdate>', True),
        ("1925/1930", "1925-30", "1925-30", True),
        ("0987", "987", "987", True),
        ("1850/..", "1850 present", "<fromDate>1850</fromDate>", True),
        ("1850/1860", "1850 1860", "<fromDate>1850</fromDate>", False),
        ("1850~", "ca. 1850", "ca. 1850", True),
    ],
)
def test_a_quote_says_a_date_by_its_years_or_by_words_that_mean_it(
    date: str, words: str, quote: str, says: bool
) -> None:
    assert stands_in(Value(date, "edtf", verbatim=words), quote) is says
