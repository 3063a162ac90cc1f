"""Dates for exchange: EDTF as the date literals of XML Schema, and its words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pyoxigraph import Literal

from rdfkms.vocab import XSD

_MARKS = re.compile(r"[?~%]")
_DAY = re.compile(r"-?\d{4}-\d{2}-\d{2}")
_MONTH = re.compile(r"-?\d{4}-(0[1-9]|1[0-2])")
_YEAR = re.compile(r"-?\d{4}")
_FORMS = ((_DAY, "date"), (_MONTH, "gYearMonth"), (_YEAR, "gYear"))


@dataclass(frozen=True, slots=True)
class Span:
    """The ends of a date as literals; `single` where it is one day, month or year."""

    first: Literal | None = None
    last: Literal | None = None
    single: bool = False
    is_open: bool = False  # goes on: the end is said to be open
    is_endless: bool = False  # a beginning of which no end is told


def span(edtf: str) -> Span:
    """Return the ends of an EDTF date; what XML Schema cannot say (a decade, a season) is absent.

    Marks of doubt have no place in a typed literal: the words beside it tell of them.
    """
    plain = _MARKS.sub("", edtf).strip()
    first, slash, last = plain.partition("/")
    if not slash or first == last:
        one = typed(first)
        return Span(one, one, single=one is not None)
    return Span(typed(first), typed(last), is_open=last == "..", is_endless=not last)


def typed(date: str) -> Literal | None:
    """Return a day, month or year as xsd:date, xsd:gYearMonth or xsd:gYear, or None."""
    for form, name in _FORMS:
        if form.fullmatch(date):
            return Literal(date, datatype=XSD(name))
    return None
