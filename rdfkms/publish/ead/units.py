"""One unit of a finding aid: its level, its `did`, its prose, its access points."""

from __future__ import annotations

import re
from itertools import pairwise

from lxml import etree

from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.publish.describing.reading import Said
from rdfkms.publish.describing.xmlwriting import one_line
from rdfkms.publish.ead.copies import say_copies
from rdfkms.publish.ead.dates import written
from rdfkms.publish.ead.draft import Draft
from rdfkms.publish.ead.names import (
    HOLDER,
    PROVENANCE,
    TERMS,
    Mentions,
    holders,
    mark_up,
    mentions,
    named,
    role_of,
)
from rdfkms.publish.rico.units import is_title

SET_TYPE, LEVEL, NOTE = "description/recordSetType", "description/level", "description/note"
_LEVELS = frozenset(
    {
        "class", "collection", "file", "fonds", "item", "recordgrp", "series", "subfonds",
        "subgrp", "subseries",
    }
)  # fmt: skip
_MEAN_A_SET = frozenset({"collection", "file", "fonds", "recordgrp", "series", "subseries"})
_COUNTED = re.compile(r"\W*\d")
_EXTENT, _PHYSICAL = "description/extent", "description/physicalDescription"
_CODES = ("description/languageCode", "description/membersLanguageCode")
_LANGUAGE = "description/language"
PROSE = {
    "description/biographyOrHistory": "bioghist",
    "description/scopeAndContent": "scopecontent",
    "description/arrangement": "arrangement",
    "description/custodialHistory": "custodhist",
    "description/acquisition": "acqinfo",
    "description/appraisal": "appraisal",
    "description/processing": "processinfo",
    "description/accruals": "accruals",
    "description/accessConditions": "accessrestrict",
    "description/useConditions": "userestrict",
    _PHYSICAL: "phystech",
    "description/copies": "altformavail",
    "description/originals": "originalsloc",
    "description/otherFindingAid": "otherfindaid",
    "description/relatedMaterial": "relatedmaterial",
    "description/separatedMaterial": "separatedmaterial",
    "description/bibliography": "bibliography",
    NOTE: "odd",
}
# What these name is a subject of the material.
_ABOUT = frozenset({"scopecontent", "arrangement", "odd"})
# What EAD has no element for becomes a note.
_NOTES = ("description/originNote", "description/source")
_RELATED = "description/relatedRecord"


def level(draft: Draft, unit: str) -> dict[str, str]:
    """Return the attributes for the level of description."""
    told = draft.account.of(unit, LEVEL)[:1]
    types = [said for said in draft.account.of(unit, SET_TYPE)]
    name = told[0].text if told else ""
    if not name:
        mean = {said.text.rpartition("#")[2].casefold(): said for said in types}
        name = next((one for one in sorted(mean) if one in _MEAN_A_SET), "")
        draft.take([mean[name]] if name else [], moved=True)
        return {"level": name} if name else {}
    draft.take(told)
    means_more = name in _MEAN_A_SET and draft.account.kind(unit) == "set" and not types
    if name not in _LEVELS or means_more:
        return {"level": "otherlevel", "otherlevel": name}
    fits = {"recordgrp": "fonds", "subseries": "series"}.get(name, name)
    draft.take(one for one in types if one.text.rpartition("#")[2].casefold() == fits)
    return {"level": name}


def say_unit(draft: Draft, element: etree._Element, unit: str) -> None:
    """Write what is said of a unit, except the units in it."""
    did = draft.maker.add(element, "did")
    names = mentions(draft, unit)
    _say_titles(draft, did, unit)
    for said in draft.account.of(unit, "description/unitDate"):
        date, is_same = written(draft.maker, said)
        draft.take([said], moved=not is_same)
        if said.words is None or said.words.language:  # else it is a normal form without words
            draft.as_around(said)
        did.append(date)
    _say_origin(draft, did, unit, names)
    _say_holders(draft, did, names)
    _say_physical(draft, did, unit)
    say_languages(draft, did, unit, "langmaterial")
    for name, tag in (("container", "container"), ("physicalLocation", "physloc"),
                      ("abstract", "abstract")):  # fmt: skip
        for said in draft.account.of(unit, f"description/{name}"):
            draft.text(did, tag, said)
    say_copies(draft, did, unit)
    if not len(did):
        draft.maker.add(did, "unittitle")
    _say_prose(draft, element, unit, names)
    _say_access_points(draft, element, names)


def _say_titles(draft: Draft, did: etree._Element, unit: str) -> None:
    account = draft.account
    for said in draft.take(account.of(unit, "description/identifier")):
        draft.maker.add(did, "unitid", said.text)
    told = account.of(unit, NAMED_AS)
    titles = [said for said in told if is_title(account, said)]
    draft.take(one for one in told if one not in titles)  # made of what else is said
    others = account.of(unit, "description/otherTitle")
    if not titles:  # the first that is written is the title then
        draft.take([*told, *others[:1]], moved=bool(others))
    for said in [*titles, *others]:
        draft.text(did, "unittitle", said)


def _say_origin(draft: Draft, did: etree._Element, unit: str, names: Mentions) -> None:
    for mention in names.of(PROVENANCE):
        element = named(draft, mention)
        if element is not None:
            draft.maker.add(did, "origination").append(element)
    if not draft.dialect.is_newer:
        for said in draft.account.of(unit, "description/originNote"):
            draft.text(did, "origination", said)


def _say_holders(draft: Draft, did: etree._Element, names: Mentions) -> None:
    for mention in names.of(HOLDER):
        element = holders(draft, mention)
        if element is None:
            continue
        repository = draft.maker.add(did, "repository")
        repository.append(element)
        for said in draft.open(mention.thing, NOTE)[:1]:
            draft.take([said])
            address = draft.maker.add(repository, "address", **draft.tongue(said))
            for line in said.text.split("\n"):
                draft.maker.add(address, "addressline", line)


def _say_physical(draft: Draft, did: etree._Element, unit: str) -> None:
    """Say extents, and what else of the physical description is no extent by its first words."""
    maker = draft.maker
    for said in draft.account.of(unit, _EXTENT, _PHYSICAL):
        is_counted = bool(_COUNTED.match(said.text))
        if said.name == _PHYSICAL and not is_counted and "\n" not in said.text:
            draft.text(did, "physdesc", said)
        elif said.name == _EXTENT and not draft.dialect.is_newer:
            draft.text(maker.add(did, "physdesc"), "extent", said)
        elif said.name == _EXTENT and is_counted:
            draft.text(did, "physdesc", said)
        elif said.name == _EXTENT:
            draft.take([said])
            draft.as_around(said)
            whole = maker.add(
                did, "physdescstructured", coverage="whole",
                physdescstructuredtype="otherphysdescstructuredtype",
            )  # fmt: skip
            maker.add(whole, "quantity", one_line(said.text))
            maker.add(whole, "unittype")


def say_languages(draft: Draft, parent: etree._Element, unit: str, tag: str) -> None:
    """Write languages in one element: codes, each with the words that stand with it, and words.

    Words without a code are a note on the codes, as far as there is room.
    """
    told = draft.take(draft.account.of(unit, *_CODES, _LANGUAGE))
    pairs = {
        one.claim: other
        for one, other in pairwise(told)
        if one.name in _CODES and other.name == _LANGUAGE and _in_one(draft, one, other)
    }
    with_code = {other.claim for other in pairs.values()}
    free = [one for one in told if one.name == _LANGUAGE and one.claim not in with_code]
    codes = [one for one in told if one.name in _CODES]
    if not told:
        return
    maker, holder = draft.maker, draft.maker.made(tag)
    has_room = bool(codes) if draft.dialect.is_newer else len(free) == 1 and not pairs
    note = free.pop() if free and has_room else None  # the last: it stands behind the others
    if note is not None and not draft.dialect.is_newer:
        maker.write(holder, note.text)
        draft.tongue(note)
    for said in [*codes, *free]:
        words = pairs.get(said.claim) if said.name in _CODES else said
        more = draft.tongue(words) if words is not None else {}
        code = code_of(said) if said.name in _CODES else ""
        maker.add(holder, "language", words.text if words else "", langcode=code, **more)
    if note is not None and draft.dialect.is_newer:
        maker.paragraphs(maker.add(holder, "descriptivenote", **draft.tongue(note)), note.text)
    parent.append(holder)


def code_of(said: Said) -> str:
    """Return the code of a language as it was written, else as its IRI has it."""
    if said.words is not None and said.words.value:
        return said.words.value
    return said.text.rpartition("/")[2]


def _in_one(draft: Draft, code: Said, words: Said) -> bool:
    between = draft.markup.between(code, words)
    return between is not None and re.fullmatch(r"""["'][^<>]*>\s*""", between) is not None


# ---- prose --------------------------------------------------------------------------------------


def _say_prose(draft: Draft, element: etree._Element, unit: str, names: Mentions) -> None:
    told = draft.open(unit, *PROSE)
    for said in told:
        tag = PROSE[said.name]
        if said.name == NOTE and draft.account.kind(unit) != "set" and _is_of_accruals(draft, said):
            tag = "accruals"  # RiC-O has them of sets only
        paragraphs = draft.prose(element, tag, said)
        inside = [
            one for one in names.loose
            if one.name is not None and one.name.unit == said.unit
            and said.start <= one.name.start and one.name.end <= said.end
        ]  # fmt: skip
        mark_up(draft, paragraphs, inside, role=tag in _ABOUT)
    for said in draft.open(unit, *_NOTES):
        draft.prose(element, "odd", said, moved=True)
    _say_related(draft, element, unit)


def _is_of_accruals(draft: Draft, said: Said) -> bool:
    return draft.markup.sections.get(said.unit, "").rpartition("/")[2].startswith("accruals[")


def _say_related(draft: Draft, element: etree._Element, unit: str) -> None:
    """Tell of related units by their codes and names: what they are is told of them alone."""
    for said in draft.open(unit, _RELATED):
        codes = draft.account.of(said.object, "description/identifier")[:1]
        names = draft.account.of(said.object, NAMED_AS)[:1]
        words = " ".join(dict.fromkeys(one_line(one.text) for one in [*codes, *names]))
        if words:
            draft.take([said], moved=True)
            related = draft.maker.add(element, "relatedmaterial")
            draft.maker.add(related, "p", words)


def _say_access_points(draft: Draft, element: etree._Element, names: Mentions) -> None:
    """Write what the material is about, its forms, and others who have to do with it by a role."""
    found = [named(draft, mention) for mention in names.of(*TERMS)]
    for mention in names.loose:
        is_new = any(one.claim not in draft.taken for one in mention.claims)
        role = role_of(draft, mention) if is_new else ""
        if role:
            found.append(named(draft, mention, role))
    some = [one for one in found if one is not None]
    if some:
        draft.maker.add(element, "controlaccess").extend(some)
