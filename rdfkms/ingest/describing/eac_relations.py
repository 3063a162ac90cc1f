"""The relations and alternative descriptions of EAC-CPF 1 and 2.0."""

from __future__ import annotations

from dataclasses import replace

from rdfkms.ingest.describing.eac_identity import type_named
from rdfkms.ingest.describing.eac_roles import (
    ASSOCIATED,
    SAME,
    between_agents,
    expresses,
    fitting,
    performs,
    with_resource,
)
from rdfkms.ingest.describing.eac_telling import (
    DATES,
    Account,
    address_attribute,
    address_of,
    dated,
    lines,
    named,
    one_line,
    place_in,
    say_between,
    say_by_tag,
    say_name,
    say_words,
    saying_of,
    time_of,
    tongue,
)
from rdfkms.ingest.describing.ead_did import say_did
from rdfkms.ingest.describing.ead_names import Telling
from rdfkms.ingest.describing.saying import Saying
from rdfkms.ingest.describing.things import address as web_address
from rdfkms.ingest.describing.things import folded
from rdfkms.ingest.describing.xmlfile import Element, Part
from rdfkms.model import Stretch, Thing, Value

RELATIONS = ("cpfRelation", "resourceRelation", "functionRelation", "relation")
_TYPE_ATTRIBUTES = ("cpfRelationType", "resourceRelationType", "functionRelationType")


def relation(part: Part, account: Account) -> Stretch:
    """Return what a relation says about the agent, and the name of the other."""
    element = part.element
    saying = saying_of(part, account.agent, account)
    target = element.first("targetEntity") or element  # 2.0; in 1.x the relation points itself
    kind = _kind(element, target)
    if kind == "resource":
        _resource(saying, account, element, target)
    elif kind == "function":
        _function(saying, account, element, target)
    elif kind == "agent":
        _agent(saying, account, element, target)
    elif lines(element):  # 2.0 lets local words say what the other is
        say_words(saying, "description/note", element)
    return saying.stretch()


def alternative(part: Part, account: Account) -> Stretch:
    """Return what a component of an alternativeSet says: another description of the same agent."""
    element = part.element
    saying = saying_of(part, account.agent, account)
    address = address_of(element)
    if lines(element):
        say_words(saying, "description/source", element)
    if (same := web_address(address)) is not None:
        saying.say(SAME, element, same, attribute=address_attribute(element))
    return saying.stretch()


def _kind(element: Element, target: Element) -> str:
    if element.name != "relation":
        return {"cpfRelation": "agent", "resourceRelation": "resource"}.get(
            element.name, "function"
        )
    told = target.attributes.get("targetType", "").strip()
    if not told or folded(told) in ("agent", "cpf") or type_named(told):
        return "agent"
    return folded(told)


def _types(element: Element) -> list[str]:
    """Return the type of a relation, as 1.x says it in an attribute and 2.0 in elements."""
    told = [element.attributes.get(name, "") for name in _TYPE_ATTRIBUTES]
    for one in element.all("relationType"):
        told += [one_line(one), one.attributes.get("valueURI", "")]
    return [one for one in told if one]


def _roles(element: Element) -> list[str]:
    told = [element.attributes.get("arcrole", "")]
    for one in element.all("targetRole"):
        told += [one.attributes.get("valueURI", ""), one_line(one)]
    return [one for one in told if one]


def _agent(saying: Saying, account: Account, element: Element, target: Element) -> None:
    statement = between_agents(_types(element), _roles(element))
    address = address_of(target)
    same = web_address(address.rstrip(".,;")) if statement == SAME else None
    if same is not None:
        # What stands beside the address are words about another record, no name for this agent.
        if lines(element):
            say_words(saying, "description/note", element)
        saying.say(SAME, target, same, attribute=address_attribute(target))
        return
    has = target.attributes
    told = type_named(has.get("targetType", "")) or type_named(has.get("role", ""))
    statement = ASSOCIATED if statement == SAME else statement
    statement, kind = fitting(statement, saying.about.type, told, _types(element))
    _related(saying, account, element, target, statement, kind)


def _function(saying: Saying, account: Account, element: Element, target: Element) -> None:
    """Say a function that the agent performs; one that it controls or owns is only a note."""
    if performs(_types(element)):
        _related(saying, account, element, target, "description/function", "Activity")
    elif lines(element):
        say_words(saying, "description/note", element)
    elif address := address_of(target):
        saying.say("description/note", target, Value(address), attribute=address_attribute(target))


def _resource(saying: Saying, account: Account, element: Element, target: Element) -> None:
    statement = with_resource(_types(element), _roles(element))
    resource = _related(saying, account, element, target, statement, "RecordSet")
    if resource is not None:
        for wrap in element.within("objectXMLWrap"):
            _wrapped(saying, account, wrap, resource)


def _related(
    saying: Saying,
    account: Account,
    element: Element,
    target: Element,
    statement: str,
    kind: str,
) -> Thing | None:
    """Say the relation with its time and place, and the names of the other; return the other."""
    names = _names(element, target)
    address = address_of(target)
    for one in element.all("descriptiveNote"):
        say_words(saying, "description/note", one)
    if not names and not address:
        return None
    other = named(kind, account, _joined(names[0]) if names else "", target)
    time = time_of(saying, element)
    place = place_in(saying, account, element)
    if names:
        first = names[0][0]
        saying.say(statement, first, object=other, time=time, place=place)
    else:
        say_by_tag(saying, statement, target, other, time=time, place=place)
    for name in names:
        language = tongue(name[0], tongue(target))
        value = Value(_joined(name), language=language)
        say_between(saying, "namedAs", name, value, subject=other)
    _heed_meaning(saying, element, statement)
    return other


def _names(element: Element, target: Element) -> list[list[Element]]:
    """Return the names of the other, each as its parts; of a resource without one its title."""
    entries = [[one] for one in element.all("relationEntry") if one_line(one)]
    parts = [one for one in target.all("part") if one_line(one)]
    if parts:
        entries.append(parts)
    if not entries:
        titles = [one for one in element.within("unittitle", "title") if one_line(one)]
        entries = [[one] for one in titles[:1]]
    return entries


def _joined(name: list[Element]) -> str:
    return " ".join(map(one_line, name))


def _heed_meaning(saying: Saying, element: Element, statement: str) -> None:
    """Mark the types and roles that the statement expresses."""
    for one in element.all("relationType", "targetRole"):
        told = (one_line(one), one.attributes.get("valueURI", ""))
        if any(word and expresses(statement, word) for word in told):
            saying.heed(one)


def _wrapped(saying: Saying, account: Account, wrap: Element, resource: Thing) -> None:
    """Say of a resource what a description of it in EAD says in its place."""
    told = replace(saying, about=resource)  # the statements are those of the relation
    telling = Telling(told, account.scope)
    for did in wrap.within("did"):
        for one in did.all():
            if one.name == "head":
                saying.heed(one)
            elif one.name == "unittitle":
                say_name(saying, resource, one)
                for date in one.all("unitdate"):
                    say_did(telling, date, None)
            elif one.name in DATES and (value := dated(one, saying.language)) is not None:
                told.say("description/unitDate", one, value)
            elif one.name == "scopecontent":
                say_words(told, "description/scopeAndContent", one)
            else:
                say_did(telling, one, None)
