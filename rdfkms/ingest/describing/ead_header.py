"""What a finding aid says of itself: `eadheader` and `frontmatter` (EAD 2002), `control` (EAD3)."""

from __future__ import annotations

from dataclasses import replace

from rdfkms.ingest.describing import languages
from rdfkms.ingest.describing.ead_did import say_languages
from rdfkms.ingest.describing.ead_names import (
    Telling,
    runs,
    say_text,
    spaced,
    spoken,
    text,
)
from rdfkms.ingest.describing.ead_prose import NOTE
from rdfkms.ingest.describing.things import address, by_name
from rdfkms.ingest.describing.xmlfile import Element, words
from rdfkms.model import Thing, Value

_IDENTIFIERS = frozenset({"eadid", "recordid", "otherrecordid"})
_WITHIN = ("filedesc", "titlestmt", "profiledesc", "revisiondesc", "notestmt", "sources",
           "maintenancehistory", "titlepage")  # fmt: skip
_WORDS = {
    "titleproper": "description/otherTitle",
    "subtitle": "description/otherTitle",
    "descrules": "description/conventions",
    "conventiondeclaration": "description/conventions",
    "localtypedeclaration": "description/conventions",
    "rightsdeclaration": "description/useConditions",
}


def language_of(header: Element) -> str:
    """Return the language of the finding aid as BCP 47, or "" where it tells none or several."""
    told = {
        languages.tag(language.attributes.get("langcode", ""))
        for group in header.within("langusage", "languagedeclaration")
        for language in group.within("language")
    }
    return told.pop() if len(told) == 1 else ""


def say_header(telling: Telling, header: Element) -> None:
    """Say a header about the finding aid: its name, identifiers, languages, rules, history."""
    title = next((one for one in header.within("titleproper") if words(one)), None)
    if title is None:
        title = next((one for one in header.all("eadid", "recordid") if words(one)), None)
        if title is not None:
            telling.saying.say("namedAs", title, Value(words(title)))
    for child in header.all():
        _say(telling, child, title)


def _say(telling: Telling, element: Element, title: Element | None) -> None:
    saying = telling.saying
    if element.name in _WITHIN:
        for child in element.all():
            _say(telling, child, title)
    elif element.name in _IDENTIFIERS:
        _say_identifier(telling, element)
    elif element.name in ("langusage", "languagedeclaration"):
        say_languages(telling, element)
    elif element.name == "maintenanceagency":
        _say_agency(telling, element)
    elif element.name == "maintenanceevent":
        saying.say(NOTE, element, Value(spaced(element), language=saying.language))
    elif element.name == "head":
        saying.heed(element)
    elif element is title:
        saying.say("namedAs", element, text(telling, element))
    else:
        _say_words(telling, element)
    if element.name == "representation":
        _say_address(telling, element, "href")


def _say_words(telling: Telling, element: Element) -> None:
    """Say the words of an element, those of its inner elements as lines of their own."""
    if element.name == "source":
        for run in runs(element, frozenset({"objectxmlwrap"})):  # of another standard
            say_text(telling, "description/source", run)
        return
    lines = text(telling, element)
    if any(element.all()) and not spoken(element):
        lines = replace(lines, lexical="\n".join(filter(None, map(words, element.all()))))
    telling.saying.say(_WORDS.get(element.name, NOTE), element, lines)


def _say_identifier(telling: Telling, element: Element) -> None:
    saying, given = telling.saying, words(element)
    attribute = "" if given else next(
        (name for name in ("identifier", "publicid") if element.attributes.get(name)), ""
    )  # fmt: skip
    code = given or element.attributes.get(attribute, "")
    saying.say("description/identifier", element, Value(code), attribute=attribute)
    for name in ("url", "instanceurl"):
        _say_address(telling, element, name)


def _say_address(telling: Telling, element: Element, attribute: str) -> None:
    value = address(element.attributes.get(attribute, "").strip())
    if value is not None:
        telling.saying.say("description/address", element, value, attribute=attribute)


def _say_agency(telling: Telling, element: Element) -> None:
    """Say which institution made the finding aid (EAD3 `maintenanceagency`)."""
    name = next((one for one in element.all("agencyname") if words(one)), None)
    code = next((one for one in element.all("agencycode") if words(one)), None)
    if name is None:
        return
    kind = "OrganizationState"
    agency = by_name(kind, telling.document, spaced(name))
    if code is not None:
        agency = Thing(kind, ("authority", "agencycode", words(code)))
    saying = telling.saying
    saying.say("description/provenance", name, object=agency)
    saying.say("namedAs", name, spaced(name), subject=agency)
    if code is not None:
        saying.say("description/identifier", code, Value(words(code)), subject=agency)
