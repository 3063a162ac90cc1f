"""The control section of an authority record: who keeps it, by which rules, from which sources."""

from __future__ import annotations

import re

from lxml import etree

from rdfkms.ingest.describing import languages
from rdfkms.ingest.describing.things import is_address
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.publish.describing.markup import key_of_authority
from rdfkms.publish.describing.reading import Account, Said
from rdfkms.publish.describing.xmlwriting import one_line
from rdfkms.publish.eac.draft import NOTE, SOURCE, Draft, declared
from rdfkms.publish.eac.elements import add, made, note, paragraphs, speaking

IDENTIFIER, LANGUAGE = "description/identifier", "description/languageCode"
_KEEPER = "description/provenance"
_RULES, _RIGHTS = "description/conventions", "description/useConditions"
_TITLES = ("description/titleOfDescription", NAMED_AS)
_EVENTS = frozenset({"cancelled", "created", "deleted", "derived", "revised", "updated"})
_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:T[\d:.+Z-]*)?)?)?")


def record_id(draft: Draft, file: str) -> str:
    """Return the identifier of the record, which its file calls it by, "" where it has none."""
    codes = [said.text for said in draft.account.of(file, IDENTIFIER)]
    titles = [said.text for said in draft.account.of(file, *_TITLES)]
    return next((one for one in titles if one in codes), "")


def control(draft: Draft, file: str, own: str, sources: list[Said]) -> etree._Element:
    """Return the control section; `own` is the record's identifier.

    `sources` are those of the agents, which EAC-CPF 2.0 has for the whole record alone.
    """
    account = draft.account
    element = made("control", maintenanceStatus="derived")
    if own:
        add(element, "recordId", own)
    draft.take(one for one in account.of(file, IDENTIFIER, *_TITLES) if one.text == own)
    element.append(_agency(draft, file))
    element.append(_history(draft, file))
    told = [*account.of(file, SOURCE), *sources]
    if told:
        holder = add(element, "sources")
        for said in draft.take(told):
            _source(draft, holder, said)
    for said in account.of(file, LANGUAGE):
        if code := code_of(said):
            draft.take([said])
            add(element, "languageDeclaration", languageCode=code)
    for said in draft.take(account.of(file, _RULES)):
        _rule(draft, element, "conventionDeclaration", said)
    for said in draft.take(account.of(file, _RIGHTS)):
        _rule(draft, element, "rightsDeclaration", said)
    for said in account.of(file, IDENTIFIER):
        if said.claim not in draft.taken:
            draft.take([said])
            add(element, "otherRecordId", one_line(said.text))
    return element


def code_of(said: Said) -> str:
    """Return the code of a language as written or as its IRI has it, "" where it has none."""
    written = said.words.value if said.words is not None else said.text.rpartition("/")[2]
    found = languages.thing(written)
    return written if found is not None and found.lexical == said.text else ""


def default_language(draft: Draft, file: str) -> str:
    """Return the language that the declarations of the record make that of the description."""
    tags = (declared(code_of(said)) for said in draft.account.of(file, LANGUAGE))
    return next(filter(None, tags), "")


def texts_of(account: Account, file: str) -> list[Said]:
    """Return the texts that are written of a record: its own, and the note of its keeper."""
    keepers = [said.object for said in account.of(file, _KEEPER)[:1]]
    notes = [one for keeper in keepers for one in account.of(keeper, NOTE)[:1]]
    return [*account.of(file, NOTE, SOURCE, _RULES, _RIGHTS), *notes]


def _agency(draft: Draft, file: str) -> etree._Element:
    """Return who keeps the record; the standard wants one, so it is empty where none is told."""
    account, element = draft.account, made("maintenanceAgency")
    for said in draft.take(account.of(file, _KEEPER)[:1]):
        agency, key = said.object, draft.key(said.object)
        codes = draft.take(account.of(agency, IDENTIFIER))
        codes.sort(key=lambda one: key_of_authority(one.text) != key)
        for one in codes[:1]:
            add(element, "agencyCode", one_line(one.text))
        for name in draft.all_names(agency):
            language = speaking(name.value)
            add(element, "agencyName", one_line(name.text), languageOfElement=language)
        for one in codes[1:]:
            add(element, "otherAgencyCode", one_line(one.text))
        for one in draft.take(account.of(agency, NOTE)[:1]):
            if one.value is not None:
                note(element, one.value, draft.language)
    if not len(element):
        add(element, "agencyName")
    return element


def _history(draft: Draft, file: str) -> etree._Element:
    """Return the maintenance history; its one event says nothing where nothing is told."""
    element = made("maintenanceHistory")
    for said in draft.take(draft.account.of(file, NOTE)):
        _event(draft, element, said)
    if not len(element):
        event = add(element, "maintenanceEvent", maintenanceEventType="unknown")
        add(event, "agent", agentType="unknown")
        add(event, "eventDateTime")
    return element


def _event(draft: Draft, history: etree._Element, said: Said) -> None:
    """Add an event: who and when, where its words begin with that, and all else as it is told."""
    lines = said.text.split("\n")
    kind = next((line.casefold() for line in lines if line.casefold() in _EVENTS), "unknown")
    event = add(
        history, "maintenanceEvent", maintenanceEventType=kind,
        languageOfElement=speaking(said.value, draft.language),
    )  # fmt: skip
    who = lines.pop(0) if len(lines) > 1 and _DATE.fullmatch(lines[1]) else ""
    when = lines.pop(0) if who or _DATE.fullmatch(lines[0]) else ""
    add(event, "agent", who, agentType="unknown")
    add(event, "eventDateTime", when)
    paragraphs(event, "\n".join(lines), "eventDescription") if lines else None


def _source(draft: Draft, holder: etree._Element, said: Said) -> None:
    language = speaking(said.value, draft.language)
    is_bare = said.value is not None and not said.value.language and not said.text.startswith("#")
    if is_bare and len(said.text.split()) == 1 and (draft.language or is_address(said.text)):
        add(add(holder, "source", href=said.text), "reference")
        return
    paragraphs(add(holder, "source", languageOfElement=language), said.text, "reference")


def _rule(draft: Draft, parent: etree._Element, name: str, said: Said) -> None:
    """Add a declaration: its first line names it, the others are a note."""
    element = add(parent, name, languageOfElement=speaking(said.value, draft.language))
    first, _, rest = said.text.partition("\n")
    add(element, "reference", first)
    if rest:
        paragraphs(add(element, "descriptiveNote"), rest)
