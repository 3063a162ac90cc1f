"""The control section of EAC-CPF: the authority record as a record, and who keeps it how."""

from __future__ import annotations

from rdfkms.ingest.describing import languages
from rdfkms.ingest.describing.eac_telling import (
    Account,
    address_attribute,
    address_of,
    lines,
    named,
    one_line,
    say_name,
    say_words,
    saying_of,
)
from rdfkms.ingest.describing.saying import Saying
from rdfkms.ingest.describing.things import the_file
from rdfkms.ingest.describing.xmlfile import Element, Part
from rdfkms.model import Fault, Stretch, Thing, Value

_CONVENTIONS = ("conventionDeclaration", "localTypeDeclaration")
_RIGHTS = ("rightsDeclaration", "rightsdeclaration")


def control(part: Part, account: Account) -> Stretch:
    """Return what the control section says about the record, and note its id and language."""
    element = part.element
    identifier = element.first("recordId")
    if identifier is not None and one_line(identifier):
        account.id = one_line(identifier)
        if account.file.identity[1:]:  # one of several records in a file
            account.file = the_file(account.id)
    else:
        account.notes.append(_nameless(account, part))
    account.language = _language(element)
    saying = saying_of(part, account.file, account)
    if identifier is not None:
        say_name(saying, account.file, identifier)
        _identifiers(saying, element)
    _languages(saying, element)
    for one in element.all(*_CONVENTIONS):
        say_words(saying, "description/conventions", one)
    for one in element.all(*_RIGHTS):
        say_words(saying, "description/useConditions", one)
    for one in element.all("maintenanceAgency"):
        _agency(saying, account, one)
    for history in element.all("maintenanceHistory"):
        for one in history.all("maintenanceEvent", "descriptiveNote"):
            say_words(saying, "description/note", one)
    for sources in element.all("sources"):
        _sources(saying, sources)
    return saying.stretch()


def _nameless(account: Account, part: Part) -> Fault:
    return Fault(
        account.source,
        f"line {part.line}",
        "The record has no identifier; what it describes is told by its name alone.",
        "Give it a recordId, so that it stays the same when its name changes.",
    )


def _language(element: Element) -> str:
    """Return the language of the description: 1.x names it in an element, 2.0 in an attribute."""
    for declared in element.all("languageDeclaration"):
        told = declared.first("language") or declared
        script = declared.first("script", "writingSystem") or declared
        code = told.attributes.get("languageCode", "")
        if tag := languages.tag(code, script.attributes.get("scriptCode", "")):
            return tag
    return ""


def _identifiers(saying: Saying, element: Element) -> None:
    for one in element.all("recordId", "otherRecordId"):
        saying.say("description/identifier", one, Value(one_line(one)))


def _languages(saying: Saying, element: Element) -> None:
    for declared in element.all("languageDeclaration"):
        say_language(saying, declared)


def say_language(saying: Saying, holder: Element, subject: Thing | None = None) -> None:
    """Say the languages that an element declares, by their codes and in their words."""
    for one in list(holder.all("language")) or [holder]:
        for attribute in ("languageCode", "langcode"):
            value = languages.thing(one.attributes.get(attribute, ""))
            if value is not None:
                about = subject or saying.about
                several = about.type == "RecordSet"  # then it is the language of its members
                name = f"description/{'membersLanguageCode' if several else 'languageCode'}"
                saying.say(name, one, value, subject=subject, attribute=attribute)
        if one is not holder:
            saying.say("description/language", one, one_line(one), subject=subject)
    for note in holder.all("descriptiveNote"):
        say_words(saying, "description/note", note, subject)


def _agency(saying: Saying, account: Account, element: Element) -> None:
    """Say who keeps the record: it has its origin there."""
    names = [one for one in element.all("agencyName") if one_line(one)]
    codes = [one for one in element.all("agencyCode", "otherAgencyCode") if one_line(one)]
    if codes:
        agency = Thing("OrganizationState", ("authority", "", one_line(codes[0])))
    elif names:
        agency = named("OrganizationState", account, one_line(names[0]))
    else:
        return
    for one in names:
        say_name(saying, agency, one)
    for one in codes:
        saying.say("description/identifier", one, Value(one_line(one)), subject=agency)
    saying.say("description/provenance", (names or codes)[0], object=agency)
    for note in element.all("descriptiveNote"):
        say_words(saying, "description/note", note, agency)


def _sources(saying: Saying, sources: Element) -> None:
    for one in sources.all("source", "descriptiveNote", "citation"):
        if lines(one):
            say_words(saying, "description/source", one)
        elif address := address_of(one):
            attribute = address_attribute(one)
            saying.say("description/source", one, Value(address), attribute=attribute)
