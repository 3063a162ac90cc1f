"""Dates in EAC-CPF 2.0 are written so that they are read as the same dates."""

from __future__ import annotations

import pytest
from lxml import etree

from rdfkms.ingest.describing.eac_telling import dated
from rdfkms.publish.describing.xmlwriting import plain
from rdfkms.publish.eac.dates import Moment, existence, written


def shape(element: etree._Element) -> str:
    """An element as text, without its namespace."""
    return etree.tostring(element).decode().replace(' xmlns="https://archivists.org/ns/eac/v2"', "")


@pytest.mark.parametrize(
    ("edtf", "words"),
    [
        ("1850", "1850"),
        ("1850-05-01", "1 May 1850"),
        ("1850~", "ca. 1850"),
        ("1850?", "1850"),
        ("1850%", "some time"),
        ("185X", "the fifties"),
        ("1850", ""),
        ("1850/1901", "1850 1901"),
        ("1850/1901", "1850-1901"),
        ("1850-05/1901~", "May 1850 about 1901"),
        ("1850/1901", ""),
        ("1850/..", "1850 present"),
        ("1850/..", "since 1850"),
        ("1850/", "1850"),
        ("/1901", "1901"),
        ("../1901", "until 1901"),
        ("", "o. D."),
        ("", "under the old king"),
    ],
)
def test_a_date_is_read_as_the_same(edtf: str, words: str) -> None:
    value = dated(plain(written(Moment(edtf, words))))
    assert value is not None
    told = (value.lexical, value.verbatim) if edtf else (value.lexical, value.datatype)
    assert told == ((edtf, words) if edtf else (words, "string"))


def test_the_ends_of_a_range_stand_each_with_their_words() -> None:
    assert shape(written(Moment("1850-05-01/1901~", "1 May 1850 about 1901"))) == (
        '<dateRange><fromDate standardDate="1850-05-01">1 May 1850</fromDate>'
        '<toDate certainty="circa" standardDate="1901">about 1901</toDate></dateRange>'
    )
    assert shape(written(Moment("1850/..", "1850 present"))) == (
        '<dateRange><fromDate standardDate="1850">1850</fromDate>'
        '<toDate status="ongoing">present</toDate></dateRange>'
    )


def test_dates_of_existence_tell_the_ends_that_are_known() -> None:
    one, is_all = existence(Moment("1850/1901", "1850 1901"), ("1850", "1850"), ("1901", "1901"))
    assert is_all
    assert one.tag.endswith("dateRange")
    one, is_all = existence(
        Moment("1850/1901", "1850-1901"), ("1850", "1850-1901"), ("1901", "1850-1901")
    )
    assert is_all
    assert shape(one) == '<date standardDate="1850/1901">1850-1901</date>'


def test_where_no_end_is_known_it_is_said_that_others_would_be_read() -> None:
    _, is_all = existence(Moment("1850/1901", "1850 1901"), None, None)
    assert not is_all
