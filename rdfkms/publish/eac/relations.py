"""The relations of an agent to other agents, resources and functions."""

from __future__ import annotations

from lxml import etree

from rdfkms.publish.describing.reading import Said
from rdfkms.publish.describing.xmlwriting import one_line
from rdfkms.publish.eac.draft import RELATIONS, RESOURCES, Draft, Notes
from rdfkms.publish.eac.elements import add, made, note, speaking

_FUNCTION = "description/function"
_TYPES = {"person": "person", "organization": "corporateBody", "family": "family"}


def relations(draft: Draft, agent: str, notes: Notes) -> etree._Element | None:
    """Return the relations of an agent in their order, None where it has none.

    A target has one name in EAC-CPF 2.0: for each other name the relation is told again. Functions
    are here that are known by an identifier, for which terms have no place.
    """
    element = made("relations")
    for said in draft.account.of(agent, *RELATIONS, *RESOURCES, _FUNCTION):
        is_term = said.name == _FUNCTION and not draft.where(said.object)
        if said.claim not in draft.taken and not is_term:
            draft.take([said])
            for number, name in enumerate(draft.names(said.object) or [None]):
                told = notes.of.get(said.claim) if not number else None
                element.append(_relation(draft, said, name, told))
    return element if len(element) else None


def _relation(draft: Draft, said: Said, name: Said | None, told: Said | None) -> etree._Element:
    element = made("relation")
    kind, types = _meaning(draft, said)
    where = draft.where(said.object)
    target = add(element, "targetEntity", targetType=kind, **where)
    if name is not None:
        language = speaking(name.value)
        add(target, "part", one_line(name.text), languageOfElement=language)
    else:  # the schema wants words
        add(target, "part", where["valueURI"])
    draft.add_time(element, said)
    if said.place:
        draft.add_place_name(add(element, "place"), said.place)
    for tag, word in zip(("relationType", "targetRole"), types, strict=True):
        if word:
            add(element, tag, word)
    if told is not None and told.value is not None:
        draft.take([told])
        note(element, told.value, draft.language)
    return element


def _meaning(draft: Draft, said: Said) -> tuple[str, tuple[str, str]]:
    """Return the type of the target, and the type of the relation with the role of the target."""
    if said.name == _FUNCTION:
        return "function", ("performs", "")
    if said.name in RESOURCES:
        return "resource", (RESOURCES[said.name], "")
    return _TYPES.get(draft.account.kind(said.object), "agent"), RELATIONS[said.name]
