"""What a finding aid says of a unit in short: its `did` (EAD 2002 and EAD3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from rdfkms.ingest.describing import languages
from rdfkms.ingest.describing.dates import edtf, marked, span
from rdfkms.ingest.describing.ead_names import (
    AGENTS,
    Telling,
    named,
    runs,
    say_name,
    say_names,
    say_text,
    spaced,
    spoken,
    text,
)
from rdfkms.ingest.describing.ead_prose import NOTE, PROSE
from rdfkms.ingest.describing.xmlfile import Element, words
from rdfkms.model import Thing, Value

DATES = ("unitdate", "unitdatestructured")
_PHYSICAL = "description/physicalDescription"
_EXTENT = "description/extent"
_COUNTED = re.compile(r"\W*\d")
_DETAILS = frozenset({"dimensions", "physfacet", "descriptivenote"})


def say_did(telling: Telling, element: Element, title: Element | None) -> bool:
    """Say an element of a `did`; return whether it is one. `title` is the one said as the name."""
    if element.name == "unittitle":
        _say_title(telling, element, first=element is title)
    elif element.name in _SAY:
        _SAY[element.name](telling, element)
    else:
        return False
    return True


def _say_title(telling: Telling, element: Element, *, first: bool) -> None:
    statement = "namedAs" if first else "description/otherTitle"
    told = text(telling, replace(element, children=list(_apart(element))))
    telling.saying.say(statement, element, told)
    for one in element.within(*DATES):
        say_date(telling, one)
    say_names(telling, element, about=True)


def _apart(element: Element) -> Iterator[Element | str]:
    """Yield what a title consists of, with a space before a date that follows without one."""
    before = ""
    for child in element.children:
        if isinstance(child, Element) and child.name in DATES and before[-1:].isalnum():
            yield " "
        before = child if isinstance(child, str) else ""
        yield child


def _say_identifier(telling: Telling, element: Element) -> None:
    telling.saying.say("description/identifier", element, Value(words(element)))


# ---- dates --------------------------------------------------------------------------------------


def say_date(telling: Telling, element: Element) -> None:
    """Say a `unitdate`, or each date and range of a `unitdatestructured`."""
    if element.name == "unitdate":
        _say_unitdate(telling, element)
        return
    certainty = element.attributes.get("certainty", "")
    for one in element.within("datesingle", "daterange"):
        ends = [one] if one.name == "datesingle" else list(one.all("fromdate", "todate"))
        told = spaced(one)
        days = [edtf(end.attributes.get("standarddate", "")) or span(words(end)) for end in ends]
        alone = len(ends) == 1 and one.name == "daterange" and ends[0].name == "fromdate"
        date = edtf("/".join([*days, ""] if alone else days)) if all(days) else ""
        _say_unit_date(telling, one, marked(date, certainty), told)


def _say_unitdate(telling: Telling, element: Element) -> None:
    for date, told in dates_of(element):
        _say_unit_date(telling, element, date, told)


def dates_of(element: Element) -> list[tuple[str, str]]:
    """Return the dates of a `unitdate` as EDTF ("" where that is not sure), each with its words."""
    told = words(element)
    normal = element.attributes.get("normal", "")
    # some give the years of a broken run one after the other
    dates = [edtf(piece) or span(piece) for piece in normal.split(",")]
    if not all(dates):
        dates = [span(told)]
    certainty = element.attributes.get("certainty", "")
    return [(marked(date, certainty), told) for date in dates]


def _say_unit_date(telling: Telling, element: Element, date: str, told: str) -> None:
    saying = telling.saying
    if not date:
        saying.say("description/unitDate", element, told)
        return
    attribute = "" if told else next(
        (name for name in ("normal", "standarddate") if element.attributes.get(name)), ""
    )  # fmt: skip
    verbatim = told or element.attributes.get(attribute, "")
    value = Value(date, "edtf", saying.language if told else "", verbatim)
    saying.say("description/unitDate", element, value, attribute=attribute)


# ---- physical description -----------------------------------------------------------------------


def _say_physical(telling: Telling, element: Element) -> None:
    """Say a `physdesc`: its extents, and the whole where words stand around them."""
    children = list(element.all())
    if not children or spoken(element):
        plain = not any(element.all("extent", *_DETAILS)) and _COUNTED.match(words(element))
        telling.saying.say(_EXTENT if plain else _PHYSICAL, element, text(telling, element))
    for child in children:
        if child.name == "extent":
            say_text(telling, _EXTENT, child)
        elif child.name in _DETAILS and not spoken(element):
            say_text(telling, _PHYSICAL, child)
    say_names(telling, element, about=True)


def _say_structured(telling: Telling, element: Element) -> None:
    """Say an EAD3 `physdescstructured`: quantity and unit as the extent, details apart."""
    saying = telling.saying
    for run in runs(element, _DETAILS):
        saying.say(_EXTENT, run, spaced(run))
        for child in run.all():
            saying.heed(child)
    for child in element.all(*_DETAILS):
        say_text(telling, _PHYSICAL, child)


def _say_set(telling: Telling, element: Element) -> None:
    for child in element.all("physdescstructured"):
        _say_structured(telling, child)


# ---- languages ----------------------------------------------------------------------------------


def say_languages(telling: Telling, element: Element) -> None:
    """Say the languages of a `langmaterial`, or of the finding aid: the codes and the words."""
    saying = telling.saying
    whole = spoken(element)
    members = saying.about.type == "RecordSet"
    coded = "description/membersLanguageCode" if members else "description/languageCode"
    for one in element.within("language"):
        language = languages.thing(one.attributes.get("langcode", ""))
        if language is not None:
            saying.say(coded, one, language, attribute="langcode")
        if not whole:
            saying.say("description/language", one, text(telling, one))
    if whole or not any(element.within("language")):
        for run in runs(element, frozenset({"descriptivenote"})):
            say_text(telling, "description/language", run)
        if whole:
            saying.heed(element)
    for one in element.all("descriptivenote"):
        say_text(telling, "description/language", one)


# ---- agents -------------------------------------------------------------------------------------


def _say_origination(telling: Telling, element: Element) -> None:
    names = list(element.within(*AGENTS))
    for one in names:
        say_name(telling, one, "description/provenance")
    if spoken(element) or not names:
        telling.saying.say("description/originNote", element, text(telling, element))


def _say_repository(telling: Telling, element: Element) -> None:
    saying = telling.saying
    holder: Thing | None = None
    for one in element.all(*AGENTS):
        holder = say_name(telling, one, "description/holder") or holder
    if not any(element.all(*AGENTS)):
        for run in runs(element, frozenset({"address"})):
            holder = named(telling.document, run, AGENTS["corpname"])
            saying.say("description/holder", run, object=holder)
            saying.say("namedAs", run, spaced(run), subject=holder)
            for child in (element, *run.all()):
                saying.heed(child)
            break
    for address in element.all("address"):
        if holder is not None:
            saying.say(NOTE, address, text(telling, address), subject=holder)


# ---- places -------------------------------------------------------------------------------------


def _plainly(statement: str) -> Callable[[Telling, Element], None]:
    def say(telling: Telling, element: Element) -> None:
        telling.saying.say(statement, element, text(telling, element))
        say_names(telling, element, about=statement == PROSE["abstract"])

    return say


_SAY: dict[str, Callable[[Telling, Element], None]] = {
    "unitid": _say_identifier,
    "unitdate": say_date,
    "unitdatestructured": say_date,
    "physdesc": _say_physical,
    "physdescstructured": _say_structured,
    "physdescset": _say_set,
    "langmaterial": say_languages,
    "origination": _say_origination,
    "repository": _say_repository,
    "container": _plainly("description/container"),
    "physloc": _plainly("description/physicalLocation"),
    "materialspec": _plainly(_PHYSICAL),
    "abstract": _plainly(PROSE["abstract"]),
}
