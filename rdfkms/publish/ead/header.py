"""What a finding aid says of itself: `eadheader` (EAD 2002) or `control` (EAD3)."""

from __future__ import annotations

from lxml import etree

from rdfkms.ingest.describing import languages
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.publish.describing.reading import Said
from rdfkms.publish.describing.xmlwriting import one_line
from rdfkms.publish.ead.draft import Draft
from rdfkms.publish.ead.names import agency_code
from rdfkms.publish.ead.units import code_of, say_languages

IDENTIFIER, NOTE = "description/identifier", "description/note"
_TITLES = ("description/titleOfDescription", NAMED_AS, "description/otherTitle")
_DECLARED = {
    "description/conventions": "conventiondeclaration",
    "description/useConditions": "rightsdeclaration",
}


def header(draft: Draft, record: str) -> etree._Element:
    """Return the header of the finding aid that a record stands for."""
    account, maker, dialect = draft.account, draft.maker, draft.dialect
    element = maker.made(dialect.header)
    addresses = draft.account.of(record, "description/address")
    first = draft.take(addresses[:1])
    more = {dialect.address: _written(first[0])} if first else {}
    maker.add(element, dialect.identifier, draft.document, **more)
    codes = account.of(record, IDENTIFIER)
    draft.take(one for one in codes if one.text == draft.document)
    if dialect.other_identifier:
        for said in draft.open(record, IDENTIFIER):
            draft.text(element, dialect.other_identifier, said)
        for said in draft.take(addresses[1:]):
            maker.add(element, "representation", href=_written(said))
    element.append(_filedesc(draft, record))
    if dialect.is_newer:
        _say_control(draft, element, record)
    else:
        _say_profile(draft, element, record)
    return element


def _written(said: Said) -> str:
    return said.words.value if said.words is not None and said.words.value else said.text


def _filedesc(draft: Draft, record: str) -> etree._Element:
    account, maker = draft.account, draft.maker
    element = maker.made("filedesc")
    titles = maker.add(element, "titlestmt")
    codes = account.of(record, IDENTIFIER)
    for said in account.of(record, *_TITLES):
        if any(said.spot == one.spot for one in codes):
            draft.take([said])  # its identifier stands for its name
        else:
            draft.text(titles, "titleproper", said)
    if not len(titles):
        maker.add(titles, "titleproper")
    notes = account.of(record, NOTE)
    if notes:
        holder = maker.add(element, "notestmt")
        for said in notes:
            draft.prose(holder, draft.dialect.note, said)
    return element


def _say_profile(draft: Draft, element: etree._Element, record: str) -> None:
    """Write languages and rules as EAD 2002 has them: one element for each."""
    account, maker = draft.account, draft.maker
    profile = maker.made("profiledesc")
    say_languages(draft, profile, record, "langusage")
    for said in account.of(record, "description/conventions")[:1]:
        draft.text(profile, "descrules", said)
    if len(profile):
        element.append(profile)


def _say_control(draft: Draft, element: etree._Element, record: str) -> None:
    """Write what EAD3 wants of a control section, and what is told of it."""
    account, maker = draft.account, draft.maker
    maker.add(element, "maintenancestatus", value="derived")
    element.append(_agency(draft, record))
    _say_languages(draft, element, record)
    for name, tag in _DECLARED.items():
        for said in account.of(record, name):
            _declare(draft, element, tag, said)
    event = maker.add(maker.add(element, "maintenancehistory"), "maintenanceevent")
    maker.add(event, "eventtype", value="derived")
    maker.add(event, "eventdatetime")
    maker.add(event, "agenttype", value="machine")
    maker.add(event, "agent")
    sources = account.of(record, "description/source")
    if sources:
        holder = maker.add(element, "sources")
        for said in sources:
            _say_lines(
                draft, maker.add(holder, "source", **draft.tongue(said)), "sourceentry", said
            )


def _say_languages(draft: Draft, element: etree._Element, record: str) -> None:
    """Write a declaration for each language; the note on all stands with the last."""
    maker = draft.maker
    gathered = maker.made("gathered")
    say_languages(draft, gathered, record, "languagedeclaration")
    for whole in gathered:
        notes = [one for one in whole if one.tag.endswith("descriptivenote")]
        spoken = [one for one in whole if one not in notes]
        for language in spoken:
            declaration = maker.add(element, "languagedeclaration")
            declaration.append(language)
            maker.add(declaration, "script")
            if language is spoken[-1]:
                declaration.extend(notes)


def _agency(draft: Draft, record: str) -> etree._Element:
    account, maker = draft.account, draft.maker
    element = maker.made("maintenanceagency")
    for said in account.of(record, "description/provenance")[:1]:
        names = account.of(said.object, NAMED_AS)
        if not names:
            continue
        draft.take([said, names[0]])
        code = agency_code(draft, said.object)
        if code is not None:
            draft.take([code])
            maker.add(element, "agencycode", one_line(code.text))
        maker.add(element, "agencyname", one_line(names[0].text))
    if not len(element):
        maker.add(element, "agencyname")  # the standard wants one
    return element


def _declare(draft: Draft, parent: etree._Element, tag: str, said: Said) -> None:
    """Write a declaration: its first line names it, the others are a note."""
    _say_lines(draft, draft.maker.add(parent, tag, **draft.tongue(said)), "citation", said)


def _say_lines(draft: Draft, element: etree._Element, tag: str, said: Said) -> None:
    draft.take([said])
    first, _, rest = said.text.partition("\n")
    draft.maker.add(element, tag, first)
    if rest:
        draft.maker.paragraphs(draft.maker.add(element, "descriptivenote"), rest)


def declared_language(draft: Draft, record: str) -> str:
    """Return the language that the declarations of a finding aid make that of its words."""
    told = {
        languages.tag(code_of(one)) for one in draft.account.of(record, "description/languageCode")
    }
    return told.pop() if len(told) == 1 else ""
