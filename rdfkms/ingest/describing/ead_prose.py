"""Prose of a finding aid: what a description says at length (EAD 2002 and EAD3, `m.desc.full`).

A group within a group is said apart from it, so that nothing is lost and nothing said twice.
Headings are set aside: they name the element, not the material.
"""

from __future__ import annotations

from rdfkms.ingest.describing.ead_names import (
    AGENTS,
    DIGITAL,
    IN_TEXT,
    TYPES,
    Telling,
    named,
    runs,
    say_digital,
    say_names,
    say_text,
    spoken,
)
from rdfkms.ingest.describing.xmlfile import Element, words

HEADINGS = tuple(TYPES)
NOTE = "description/note"
ACCESS = "description/accessConditions"
PROSE = {
    "bioghist": "description/biographyOrHistory",
    "scopecontent": "description/scopeAndContent",
    "arrangement": "description/arrangement",
    "organization": "description/arrangement",
    "custodhist": "description/custodialHistory",
    "acqinfo": "description/acquisition",
    "appraisal": "description/appraisal",
    "processinfo": "description/processing",
    "accruals": "description/accruals",
    "accessrestrict": ACCESS,
    "userestrict": "description/useConditions",
    "phystech": "description/physicalDescription",
    "altformavail": "description/copies",
    "originalsloc": "description/originals",
    "otherfindaid": "description/otherFindingAid",
    "relatedmaterial": "description/relatedMaterial",
    "separatedmaterial": "description/separatedMaterial",
    "bibliography": "description/bibliography",
    "abstract": "description/abstract",
    "odd": NOTE,
    "note": NOTE,
    "didnote": NOTE,
    "prefercite": NOTE,
    "fileplan": NOTE,
    "index": NOTE,
    "legalstatus": NOTE,
    "descgrp": NOTE,
    "dsc": NOTE,
}
# names in these are what the material is about; elsewhere they are of donors, authors and the like
_ABOUT = frozenset({"scopecontent", "abstract", "arrangement", "organization", "index", "odd"})
_NOTE_OF_ITSELF = frozenset({"note", "didnote"})  # within prose these are part of it
_APART = frozenset(PROSE) - _NOTE_OF_ITSELF | {"controlaccess", "relations", *DIGITAL}
_SET_ASIDE = frozenset({"head", "thead", "listhead", "runner"})
_STOPS = _APART | _SET_ASIDE


def say_prose(telling: Telling, element: Element, around: str = "") -> None:
    """Say a prose element; `around` is the name of the prose element it stands in."""
    statement = PROSE[element.name]
    if element.name == "legalstatus" and around == "accessrestrict":
        statement = ACCESS
    if statement == "description/accruals" and telling.saying.about.type != "RecordSet":
        statement = NOTE  # RiC-O has accruals of sets only
    for run in runs(element, _STOPS):
        say_text(telling, statement, run)
        kinds = HEADINGS if element.name == "index" else IN_TEXT
        say_names(telling, run, about=element.name in _ABOUT, kinds=kinds)
        for one in run.within(*DIGITAL):
            say_digital(telling, one)
    if spoken(element):
        telling.saying.heed(element)
    for child in element.all(*_STOPS):
        say_group(telling, child, element.name)


def say_group(telling: Telling, element: Element, around: str = "") -> None:
    """Say an element that describes the material as a whole: prose, headings, digital copies."""
    if element.name in DIGITAL:
        say_digital(telling, element)
    elif element.name == "controlaccess":
        _say_headings(telling, element)
    elif element.name == "relations":
        for relation in element.all("relation"):
            _say_relation(telling, relation)
    elif element.name in PROSE:
        say_prose(telling, element, around)
    elif element.name in _SET_ASIDE:
        telling.saying.heed(element)


def _say_headings(telling: Telling, element: Element) -> None:
    """Say the access points of a `controlaccess` with those inside it, and its explanations."""
    saying = telling.saying
    say_names(telling, element, about=True, kinds=HEADINGS)
    for one in element.within("head"):
        saying.heed(one)
    for one in element.within("p", "note"):
        if spoken(one) or (one.name == "p" and words(one) and not any(one.within(*TYPES))):
            saying.say(NOTE, one, words(one))


def _say_relation(telling: Telling, element: Element) -> None:
    """Say an EAD3 `relation` to other material, or to an agent that made this one."""
    told, entry = element.attributes, element.first("relationentry")
    kind = told.get("relationtype", "")
    if kind == "resourcerelation":
        for run in runs(element, frozenset({"objectxmlwrap"})):
            say_text(telling, PROSE["relatedmaterial"], run)
    elif kind == "cpfrelation" and entry is not None and "creat" in told.get("arcrole", "").lower():
        maker = named(telling.document, entry, AGENTS["name"])
        telling.saying.say("description/provenance", entry, object=maker)
        if maker is not None:
            telling.saying.say("namedAs", entry, words(entry), subject=maker)
