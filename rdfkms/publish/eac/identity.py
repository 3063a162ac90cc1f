"""The identity section of an authority record, and its alternative descriptions."""

from __future__ import annotations

from lxml import etree

from rdfkms.ingest.describing.eac_identity import address_by_issuer
from rdfkms.ingest.describing.things import address
from rdfkms.publish.describing.reading import Said
from rdfkms.publish.describing.xmlwriting import one_line, plain
from rdfkms.publish.eac.dates import moment, written
from rdfkms.publish.eac.draft import SOURCE, Draft, Notes
from rdfkms.publish.eac.elements import add, made, note, paragraphs, speaking

SAME = "description/sameAs"
_TYPES = {"person": "person", "organization": "corporateBody", "family": "family"}
_ISSUERS = ("", "ISNI", "Wikidata")


def identity(draft: Draft, agent: str, notes: Notes) -> etree._Element:
    """Return who is described: the type, the names with their time, identifiers and a note."""
    element = made("identity")
    kind = _TYPES.get(draft.account.kind(agent), "")
    if kind:  # of one whose type nobody tells none is said
        add(element, "entityType", value=kind)
    for said in draft.all_names(agent):
        entry = add(element, "nameEntry", languageOfElement=speaking(said.value))
        add(entry, "part", one_line(said.text))
        if said.time is not None:
            add(entry, "useDates").append(written(moment(said.time, said.time_words)))
    for said in draft.take(draft.account.of(agent, "description/identifier")):
        issuer = _issuer(draft, agent, said.text)
        add(element, "identityId", one_line(said.text), localType=issuer)
    if (told := notes.of_identity) is not None and told.value is not None:
        draft.take([told])
        note(element, told.value, draft.language)
    return element


def _issuer(draft: Draft, agent: str, code: str) -> str:
    """Return whose an identifier is, where its address is said as well; notes that it is."""
    same = {one.text: one for one in draft.account.of(agent, SAME)}
    for issuer in _ISSUERS:
        element = plain(made("identityId", code, localType=issuer))
        found = address(code) or address_by_issuer(code, element)
        if found is not None and found.lexical in same:
            draft.take([same[found.lexical]])
            return issuer
    return ""


def alternatives(draft: Draft, agent: str) -> etree._Element | None:
    """Return the other descriptions of an agent: their addresses and what is told of them."""
    element = made("alternativeSet")
    by_unit: dict[str, list[Said]] = {}
    for said in draft.account.of(agent, SAME, SOURCE):
        is_one = draft.markup.element(said.unit) == "setComponent"
        if said.claim not in draft.taken and (is_one or said.name == SAME):
            by_unit.setdefault(said.unit, []).append(said)
    for told in by_unit.values():
        same = [one for one in told if one.name == SAME]
        words = [one for one in told if one.name == SOURCE]
        for at in range(max(len(same), len(words))):
            _component(draft, element, same[at : at + 1], words[at : at + 1])
    return element if len(element) else None


def _component(draft: Draft, parent: etree._Element, same: list[Said], words: list[Said]) -> None:
    where = next((one.words.value if one.words else one.text for one in same), "")
    language = next((speaking(one.value, draft.language) for one in words), "")
    element = add(parent, "setComponent", href=where, languageOfElement=language)
    for one in words:
        paragraphs(element, one.text, "componentEntry")
    draft.take([*same, *words])
