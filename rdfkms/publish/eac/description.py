"""The description of an agent: dates, places, functions, prose."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from rdfkms.ingest.describing.things import ends_of_span
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.publish.describing.reading import Said
from rdfkms.publish.describing.xmlwriting import one_line
from rdfkms.publish.eac.control import code_of
from rdfkms.publish.eac.dates import Pair, existence, moment, written
from rdfkms.publish.eac.draft import DATE, NOTE, TERMS, Draft, Notes, any_name
from rdfkms.publish.eac.elements import add, filled, made, note, paragraphs, speaking
from rdfkms.publish.eac.places import places

_SETS = {"function": "functions", "legalStatus": "legalStatuses", "mandate": "mandates",
         "occupation": "occupations"}  # fmt: skip
_HISTORY, _ABSTRACT = "description/biographyOrHistory", "description/abstract"
_CONTEXT = "description/context"
_CODE, _LANGUAGE = "description/languageCode", "description/language"
_LONGEST_TERM = 200


def description(draft: Draft, agent: str, notes: Notes) -> etree._Element | None:
    """Return the description of an agent in the order of the schema, None where nothing is said.

    Notes that no other section has taken by then are told here.
    """
    element = made("description")
    terms = {name: list(_terms(draft, agent, name, notes)) for name in TERMS}
    located = list(places(draft, agent, notes))
    dates = list(_existences(draft, agent, notes))
    parts: list[tuple[str, list[etree._Element]]] = [
        ("functions", terms["description/function"]),
        ("languagesUsed", list(_languages(draft, agent))),
        ("legalStatuses", terms["description/legalStatus"]),
        ("localDescriptions", list(_notes(draft, agent))),
        ("mandates", terms["description/mandate"]),
        ("occupations", terms["description/occupationOf"]),
        ("places", located),
    ]
    for name, entries in parts:
        if entries:
            filled(add(element, name), entries)
    filled(element, dates)
    filled(element, _prose(draft, agent))
    return element if len(element) else None


# ---- terms --------------------------------------------------------------------------------------


def _terms(draft: Draft, agent: str, name: str, notes: Notes) -> Iterator[etree._Element]:
    for said in draft.account.of(agent, name):
        by_identifier = draft.where(said.object)
        if name == "description/function" and by_identifier:
            continue  # a relation
        if not draft.account.of(said.object, NAMED_AS):
            continue
        draft.take([said])
        element = made(TERMS[name])
        if name == "description/mandate" and by_identifier:
            _text_of_mandate(draft, element, said)
        else:
            element = made(TERMS[name], **by_identifier)
            for one in draft.names(said.object, any_name):
                language = speaking(one.value, draft.language)
                add(element, "term", one_line(one.text), languageOfElement=language)
            if not len(element):
                add(element, "term")
        draft.add_time(element, said)
        if said.place:
            draft.add_place_name(element, said.place)
        _move_last(element, "descriptiveNote")
        told = notes.of.get(said.claim)
        if told is not None and told.value is not None and _has_no_note(element):
            draft.take([told])
            note(element, told.value, draft.language)
        yield element


def _text_of_mandate(draft: Draft, element: etree._Element, said: Said) -> None:
    """Add a text that is known by its address: 2.0 has places for such a one in a note alone."""
    add(element, "term")
    where = draft.where(said.object)["valueURI"]
    for one in draft.names(said.object)[:1]:
        paragraph = add(add(element, "descriptiveNote"), "p")
        language = speaking(one.value, draft.language)
        add(paragraph, "reference", one_line(one.text), href=where, languageOfElement=language)


def _has_no_note(element: etree._Element) -> bool:
    return not any(etree.QName(one).localname == "descriptiveNote" for one in element)


def _move_last(element: etree._Element, name: str) -> None:
    for one in list(element):
        if etree.QName(one).localname == name:
            element.append(one)


# ---- notes, languages, dates --------------------------------------------------------------------


def _notes(draft: Draft, agent: str) -> Iterator[etree._Element]:
    """Yield the notes that nothing else has taken, in their order."""
    for said in draft.account.of(agent, NOTE):
        if said.claim in draft.taken or said.value is None:
            continue
        draft.take([said])
        language = speaking(said.value, draft.language)
        element = made("localDescription", localType="note", languageOfElement=language)
        first, _, rest = said.text.partition("\n")
        if len(first) > _LONGEST_TERM:
            first, rest = "", said.text
        add(element, "term", first)
        if rest:
            paragraphs(add(element, "descriptiveNote"), rest)
        yield element


def _languages(draft: Draft, agent: str) -> Iterator[etree._Element]:
    """Yield the languages an agent used: codes, each with the words that follow it."""
    last: etree._Element | None = None
    unit = ""
    for said in draft.account.of(agent, _CODE, _LANGUAGE):
        code = code_of(said) if said.name == _CODE else ""
        if said.name == _CODE and not code:
            continue
        draft.take([said])
        if not code and last is not None and unit == said.unit:
            last.text, last = one_line(said.text), None
            continue
        used = made("languageUsed")
        words = "" if code else one_line(said.text)
        language = add(used, "language", words, languageCode=code)
        last, unit = (language if code else None), said.unit
        yield used


def _existences(draft: Draft, agent: str, notes: Notes) -> Iterator[etree._Element]:
    """Yield the dates of existence; those of one element stand together."""
    account = draft.account
    names = _ends(draft, agent)
    by_unit: dict[str, list[Said]] = {}
    for said in account.of(agent, DATE, *names):
        by_unit.setdefault(said.unit, []).append(said)
    for told in by_unit.values():
        draft.take(told)
        dates = [one for one in told if one.name == DATE and one.value is not None]
        pairs = [_pair(told, name) for name in names]
        if not dates:
            yield _only_ends(pairs)
            continue
        element = made("existDates")
        if len(dates) > 1:
            filled(
                add(element, "dateSet"),
                [written(moment(one.value, one.words)) for one in dates if one.value is not None],
            )
        elif (value := dates[0].value) is not None:
            date, is_all = existence(moment(value, dates[0].words), *pairs)
            element.append(date)
            if not is_all and pairs == [None, None]:
                element.set("localType", "active")  # it is no life that these dates tell of
        for one in dates:
            other = notes.of.get(one.claim)
            if other is not None and other.value is not None and _has_no_note(element):
                draft.take([other])
                note(element, other.value, draft.language)
        yield element


def _ends(draft: Draft, agent: str) -> tuple[str, str]:
    return ends_of_span("Person" if draft.account.kind(agent) == "person" else "")


def _pair(told: list[Said], name: str) -> Pair | None:
    for one in told:
        if one.name == name and one.value is not None:
            date = moment(one.value, one.words)
            return date.edtf, date.words
    return None


def _only_ends(pairs: list[Pair | None]) -> etree._Element:
    element = made("existDates")
    dates = add(element, "dateRange")
    for tag, pair in zip(("fromDate", "toDate"), pairs, strict=True):
        if pair is not None:
            add(dates, tag, pair[1], standardDate=pair[0])
    return element


# ---- prose --------------------------------------------------------------------------------------


def _prose(draft: Draft, agent: str) -> Iterator[etree._Element]:
    """Yield the texts about an agent; an abstract stands with the history of its element."""
    abstract: Said | None = None
    for said in draft.take(draft.account.of(agent, _ABSTRACT, _HISTORY, _CONTEXT)):
        if said.name != _HISTORY and abstract is not None:
            yield _history(draft, abstract, None)
            abstract = None
        if said.name == _ABSTRACT:
            abstract = said
        elif said.name == _HISTORY:
            if abstract is not None and abstract.unit != said.unit:
                yield _history(draft, abstract, None)
                abstract = None
            yield _history(draft, abstract, said)
            abstract = None
        else:
            is_general = draft.markup.element(said.unit) != "structureOrGenealogy"
            name = "generalContext" if is_general else "structureOrGenealogy"
            text = made(name, languageOfElement=speaking(said.value, draft.language))
            paragraphs(text, said.text)
            yield text
    if abstract is not None:
        yield _history(draft, abstract, None)


def _history(draft: Draft, abstract: Said | None, said: Said | None) -> etree._Element:
    language = speaking(said.value, draft.language) if said is not None else ""
    element = made("biogHist", languageOfElement=language)
    if abstract is not None:
        own = speaking(abstract.value, language or draft.language)
        add(element, "abstract", one_line(abstract.text), languageOfElement=own)
    if said is not None:
        paragraphs(element, said.text)
    return element
