"""Dates of a finding aid: words and normal form as the element that is read as the same again.

Of the ways to write a date the first is taken that our reader reads as the very same one; where
there is none, the words stand alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from rdfkms.ingest.describing.ead_did import say_date
from rdfkms.ingest.describing.ead_names import Telling
from rdfkms.ingest.describing.saying import Saying
from rdfkms.ingest.describing.xmlfile import Part
from rdfkms.knowledge.encoding import EDTF
from rdfkms.model import Thing
from rdfkms.publish.describing.reading import Said
from rdfkms.publish.describing.xmlwriting import plain
from rdfkms.publish.ead.elements import Maker

_CERTAINTY = {"~": "circa", "?": "uncertain"}
_NOWHERE = Thing("RecordSet", ("nowhere",))


def written(maker: Maker, said: Said) -> tuple[etree._Element, bool]:
    """Return the element of a date, and whether it is read as the same again."""
    edtf, told = _parts(said)
    is_spoken = said.words is not None and bool(said.words.language)
    element = _found(maker, edtf, told, is_spoken)
    if element is not None:
        return element, True
    words = told or edtf
    read = _read(maker.made("unitdate", words))  # words that the file's reader did not understand
    again = _found(maker, read[0][0], words, True) if len(read) == 1 else None
    return again if again is not None else maker.made("unitdate", words), False


def _found(maker: Maker, edtf: str, told: str, is_spoken: bool) -> etree._Element | None:
    ways = _ways(maker, edtf, told, is_spoken) if edtf else iter((maker.made("unitdate", told),))
    return next((one for one in ways if _read(one) == [(edtf, told)]), None)


def _parts(said: Said) -> tuple[str, str]:
    if said.value is not None and said.value.datatype == EDTF:
        return said.value.value, said.words.value if said.words is not None else ""
    return "", said.text


def _ways(maker: Maker, edtf: str, told: str, is_spoken: bool) -> Iterator[etree._Element]:
    """Yield the ways to write a date, the best first."""
    ends = edtf.split("/")
    marks = {end[-1:] for end in ends} & _CERTAINTY.keys()
    certainty = _CERTAINTY[marks.pop()] if len(marks) == 1 else ""
    normal = "/".join("9999" if end == ".." else end.rstrip("?~") for end in ends)
    is_plain = all(end.replace("-", "").isdigit() for end in normal.split("/"))
    if not is_spoken and told == normal:
        yield maker.made("unitdate", normal=told)  # a date without words shows its normal form
    if is_plain:
        yield maker.made("unitdate", told, normal=normal, certainty=certainty)
        yield maker.made("unitdate", told, normal=normal)
    yield maker.made("unitdate", told)
    if not maker.dialect.is_newer:
        return
    if len(ends) == 2 and ends[0] and not ends[1]:
        structured = maker.made("unitdatestructured", certainty=certainty)
        whole = maker.add(structured, "daterange")
        maker.add(whole, "fromdate", told, standarddate=normal.rstrip("/"))
        yield structured
    structured = maker.made("unitdatestructured")
    maker.add(structured, "datesingle", told, standarddate=edtf)
    yield structured


def _read(element: etree._Element) -> list[tuple[str, str]]:
    """Return the dates, in EDTF and in words, that our reader finds in an element."""
    one = plain(element)
    saying = Saying(Part(one, "", 0, 0, 1, ()), _NOWHERE)
    say_date(Telling(saying, ""), one)
    values = (said.value for said in saying.statements if said.value is not None)
    return [
        (value.lexical, value.verbatim) if value.datatype == "edtf" else ("", value.lexical)
        for value in values
    ]
