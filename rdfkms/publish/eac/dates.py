"""Dates of EAC-CPF 2.0: EDTF and words as the elements that are read as the same again.

Of the ways to write a date the first is taken that our reader reads as the very same date; where
there is none, the words stand alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree
from pyoxigraph import Literal

from rdfkms.ingest.describing.dates import OPEN, edges, span
from rdfkms.ingest.describing.eac_telling import dated, edge, ends
from rdfkms.ingest.describing.xmlfile import Element, words
from rdfkms.knowledge.encoding import EDTF
from rdfkms.publish.describing.xmlwriting import plain
from rdfkms.publish.eac.elements import made

_CERTAINTY = {"~": "circa", "?": "uncertain"}
Pair = tuple[str, str]  # an end: EDTF, or "", and its words


@dataclass(frozen=True, slots=True)
class Moment:
    """A date: EDTF, or "" where there are words alone, and its words."""

    edtf: str
    words: str


def moment(value: Literal, told: Literal | None) -> Moment:
    """Return the date of a claim by its value and the words of it."""
    if value.datatype == EDTF:
        return Moment(value.value, told.value if told is not None else "")
    return Moment("", value.value)


def written(date: Moment) -> etree._Element:
    """Return the element of a date that is read as the same again, if there is one."""
    return next((one for one in _ways(date) if _is_read_as(one, date)), _words_alone(date))


def existence(date: Moment, first: Pair | None, last: Pair | None) -> tuple[etree._Element, bool]:
    """Return the element for dates of existence; `first` and `last` are the ends that are known.

    The second value is whether reading it would tell the ends that are known, and no others.
    """
    known = (first, last)
    candidates = [one for one in _ways(date, first, last) if _is_read_as(one, date)]
    for one in candidates:
        if _ends_read(plain(one)) == known:
            return one, True
    return (candidates[0] if candidates else _words_alone(date)), False


def _is_read_as(element: etree._Element, date: Moment) -> bool:
    value = dated(plain(element))
    if value is None:
        return False
    if date.edtf:
        return (value.lexical, value.datatype, value.verbatim) == (date.edtf, "edtf", date.words)
    return value.datatype != "edtf" and value.lexical == date.words


def _ends_read(element: Element) -> tuple[Pair | None, Pair | None]:
    """Return the ends that our reader tells of a single date or range of existence."""
    value = dated(element)
    told: list[tuple[Element | None, str]]
    if element.name == "date":
        normal = value.lexical if value is not None and value.datatype == "edtf" else ""
        verbatim = value.verbatim if value is not None else ""
        told = [(element, end) for end in edges(normal, verbatim)]
    else:
        told = [(one, edge(one) or "") for one in ends(element)]
    if value is None or (value.datatype != "edtf" and all(normal for _, normal in told)):
        return None, None
    first, last = (
        (normal, " ".join(words(one).split())) if one is not None and normal not in ("", OPEN)
        else None
        for one, normal in told
    )  # fmt: skip
    return first, last


def _ways(
    date: Moment, first: Pair | None = None, last: Pair | None = None
) -> Iterator[etree._Element]:
    """Yield the ways to write a date, the best first."""
    begin, slash, end = date.edtf.partition("/")
    if first is not None and last is not None:
        yield _range(first, last)
    if not date.edtf:
        yield _words_alone(date)
        for left, right in _halves(date.words):  # a range is not read as one date is
            yield _range(("", left), ("", right))
        return
    if not slash:
        yield _date(date.edtf, date.words)
        yield made("date", date.words, standardDate=date.edtf)
        yield made("date", date.words)
        return
    if begin != OPEN:
        for left, right in _halves(date.words):
            if _are_ends((left, right), begin, end):
                yield _range((begin, left), (end, right))
        if not date.words:
            yield _range((begin, ""), (end, ""))
    yield made("date", date.words, standardDate=date.edtf)
    if begin != OPEN:
        for left, right in _halves(date.words):
            yield _range((begin, left), (end, right))


def _are_ends(halves: tuple[str, str], begin: str, end: str) -> bool:
    """Return whether the two halves of the words are the two ends, each by itself."""
    left, right = halves
    return _fits(left, begin) and (_fits(right, end) or (end == OPEN and bool(right)))


def _fits(told: str, date: str) -> bool:
    if not date or date == OPEN:
        return not told
    found = span(told)
    return bool(found) and found.rstrip("?~%") == date.rstrip("?~%")


def _halves(told: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to part words in two at a space, and as a whole at either end."""
    pieces = told.split(" ")
    for at in range(1, len(pieces)):
        yield " ".join(pieces[:at]), " ".join(pieces[at:])
    yield told, ""
    yield "", told


def _range(first: Pair, last: Pair) -> etree._Element:
    whole = made("dateRange")
    for name, (date, told) in (("fromDate", first), ("toDate", last)):
        if date == OPEN:
            whole.append(made(name, told, status="ongoing"))
        elif date or told:
            whole.append(_date(date, told, name))
    return whole


def _date(date: str, told: str, name: str = "date") -> etree._Element:
    mark = date[-1:]
    if mark in _CERTAINTY:
        return made(name, told, certainty=_CERTAINTY[mark], standardDate=date[:-1])
    return made(name, told, standardDate=date)


def _words_alone(date: Moment) -> etree._Element:
    return made("date", date.words or date.edtf)
