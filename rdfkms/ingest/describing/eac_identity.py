"""The identity section of EAC-CPF: who is described, of which type, under which names."""

from __future__ import annotations

import re

from rdfkms.ingest.describing.eac_telling import (
    Account,
    lines,
    one_line,
    say_between,
    say_by_tag,
    say_words,
    saying_of,
    time_of,
    tongue,
)
from rdfkms.ingest.describing.saying import Saying
from rdfkms.ingest.describing.things import address as web_address
from rdfkms.ingest.describing.things import by_name
from rdfkms.ingest.describing.xmlfile import Element, Part
from rdfkms.model import Fault, Stretch, Thing, Value

_TYPES = {"person": "Person", "corporatebody": "OrganizationState", "family": "Family"}
_SETS = ("nameEntryParallel", "nameEntrySet")
_FORMS = ("authorizedForm", "alternativeForm", "preferredForm")
_ISNI = re.compile(r"(?<!\d)(?:\d{4}\s?){3}\d{3}[\dXx](?!\d)")
_WIKIDATA = re.compile(r"Q[1-9]\d{0,11}")
_AMONG_SEVERAL = re.compile(r"/multipleIdentities\[\d+\]/cpfDescription\[(\d+)\]")


def identity(part: Part, account: Account, described: str) -> Stretch:
    """Return what the identity section says, and note whom the record is about from here on."""
    element = part.element
    account.described, account.agent = described, agent_of(account, described, element)
    saying = saying_of(part, account.agent, account)
    say_by_tag(saying, "description/describes", element, account.agent, subject=account.file)
    for one in element.all("entityType"):
        _heed_type(saying, account, one)
    for one in element.all("entityId", "identityId"):
        value = one_line(one)
        saying.say("description/identifier", one, Value(value))
        same = web_address(value) or address_by_issuer(value, one)
        if same is not None:
            saying.say("description/sameAs", one, same)
    for one in element.all("nameEntry", *_SETS):
        _entry(saying, account, one)
    for one in element.all("descriptiveNote"):
        say_words(saying, "description/note", one)
    return saying.stretch()


def address_by_issuer(value: str, element: Element) -> Value | None:
    """Return the address that the issuer of an identifier gives it, None for another's.

    ISNI (ISO 27729): sixteen digits, the last may be X, in groups of four; Wikidata: Q and digits.
    """
    kind = f"{value} {element.attributes.get('localType', '')}".casefold()
    isni = _ISNI.search(value)
    if isni and "isni" in kind:
        return Value("https://isni.org/isni/" + "".join(isni[0].split()).upper(), "anyURI")
    item = _WIKIDATA.fullmatch(value)
    if item and "wikidata" in kind:
        return Value("http://www.wikidata.org/entity/" + value, "anyURI")
    return None


def agent_of(account: Account, described: str, element: Element | None) -> Thing:
    """Return whom a cpfDescription is about, by its identity section if it has one.

    Of several identities in one record each is told by the record's id and its place among them.
    """
    told = element.first("entityType") if element is not None else None
    kind = _TYPES.get(_entity_type(told), "Agent") if told is not None else "Agent"
    among = _AMONG_SEVERAL.search(described)
    position = (among[1],) if among else ()
    if account.id:
        return Thing(kind, ("authority", "", account.id, *position))
    for entry in element.within("nameEntry") if element is not None else ():
        if name := " ".join(filter(None, map(one_line, entry.all("part")))):
            return by_name(kind, account.scope, name)
    return Thing(kind, ("described", account.scope, described))


def type_named(told: str) -> str:
    """Return the entity type for a word of EAC or an IRI that ends with one, or ""."""
    return _TYPES.get(re.split(r"[/#:]", told.strip())[-1].casefold(), "")


def _entity_type(element: Element) -> str:
    """Return the type of entity: 1.x says it in words, 2.0 in @value."""
    return "".join((element.attributes.get("value") or one_line(element)).split()).casefold()


def _heed_type(saying: Saying, account: Account, element: Element) -> None:
    if _entity_type(element) in _TYPES:
        saying.heed(element)
        return
    account.notes.append(
        Fault(
            account.source,
            f"line {element.line}",
            f"The entity type {_entity_type(element)!r} is none of EAC-CPF; an agent was read.",
            "Write person, corporateBody or family.",
        )
    )


def _entry(
    saying: Saying,
    account: Account,
    element: Element,
    language: str = "",
    time: Value | None = None,
) -> None:
    """Say the name of an entry, or those of a set of entries with what they share."""
    language = tongue(element, language)
    time = time_of(saying, element) or time
    for one in element.all("nameEntry"):
        _entry(saying, account, one, language, time)
    parts = [one for one in element.all("part") if one_line(one)]
    if parts:
        name = " ".join(map(one_line, parts))
        value = Value(name, language=tongue(parts[0], language))
        say_between(saying, "namedAs", parts, value, time=time)
    elif one_line(element) and not list(element.all()):  # no part, which the standard requires
        saying.say("namedAs", element, Value(one_line(element), language=language), time=time)
    for one in element.all(*_FORMS):
        _convention(saying, account, one)
    for one in element.all("descriptiveNote"):
        say_words(saying, "description/note", one)


def _convention(saying: Saying, account: Account, element: Element) -> None:
    """Say by which rules a name has its form, once for all names of the record."""
    value = Value(lines(element), language=saying.language)
    for said in saying.statements:
        if said.name == "description/conventions" and said.value == value:
            saying.heed(element)
            return
    saying.say("description/conventions", element, value, subject=account.file)
