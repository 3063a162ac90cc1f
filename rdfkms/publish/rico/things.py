"""Agents and whatever else a description names: types, names, labels, dates, identifiers."""

from __future__ import annotations

import re

from pyoxigraph import Literal, NamedNode

from rdfkms.knowledge.encoding import EDTF
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.publish.describing.reading import Account, Said
from rdfkms.publish.rico.graph import Graph, node
from rdfkms.vocab import OWL

AGENTS = frozenset({"person", "organization", "family", "party"})
_UNITS = frozenset({"set", "item", "itempart", "copy", "record"})
_AGENT_CLASS = {"person": "Person", "organization": "CorporateBody", "family": "Family"}
_NAME_NODES = {"place": ("hasOrHadPlaceName", "PlaceName")} | dict.fromkeys(
    AGENTS, ("hasOrHadAgentName", "AgentName")
)
_TYPE_KIND = "activitytype"
_TEXTS = {
    "description/biographyOrHistory": "history",
    "description/abstract": "generalDescription",
    "description/context": "generalDescription",
    "description/bibliography": "generalDescription",
    "description/note": "generalDescription",
}
SOURCE = "description/source"
_ADDRESS = re.compile(r"https?://\S+")


def dated(said: Said) -> tuple[Literal | None, Literal | None]:
    """Return the EDTF date of a claim's value and its words."""
    value = said.value
    if value is not None and value.datatype == EDTF:
        return value, said.words
    return None, value


def name_of(account: Account, iri: str) -> Literal | None:
    """Return the first name that the file gives a thing."""
    return next((said.value for said in account.of(iri, NAMED_AS)), None)


def say_sources(account: Account, graph: Graph, iri: str, file: NamedNode) -> None:
    """State the sources of a description, each line of a text as one; addresses as things too."""
    for said in account.of(iri, SOURCE):
        for line in filter(None, map(str.strip, said.text.splitlines())):
            for address in _ADDRESS.findall(line):
                if (place := node(address.rstrip(".,;:)"))) is not None:
                    graph.link(file, "recordResourceHasSourceOfInformation", place)
            if said.value is not None and not _ADDRESS.fullmatch(line):
                words = Literal(line, language=said.value.language)
                graph.say(file, "recordResourceSourceOfInformation", words)


def say_things(account: Account, graph: Graph, notes: frozenset[str]) -> None:
    """State what the file says of all things that are no records; `notes` are of relations."""
    described = {said.object for said in account.all("description/describes")}
    file = account.scope.base.iri("record", account.key)
    for iri in dict.fromkeys((*account.by_subject, *sorted(described))):
        kind = account.kind(iri)
        if kind in _UNITS:
            continue
        if kind in AGENTS:
            _say_agent(account, graph, iri, iri in described, file, notes)
        elif kind not in ("activity", ""):
            _say_other(account, graph, iri, kind)


def _say_agent(
    account: Account,
    graph: Graph,
    iri: str,
    is_described: bool,
    file: NamedNode,
    notes: frozenset[str],
) -> None:
    agent, kind = NamedNode(iri), account.kind(iri)
    graph.type(agent, "Agent", *filter(None, (_AGENT_CLASS.get(kind),)))
    _say_names(account, graph, iri, preferred=is_described)
    for said in account.of(iri, "description/identifier"):
        graph.say_as_is(agent, "identifier", said.value)
    for said in account.of(iri, "description/sameAs"):
        if (same := node(said.text)) is not None:
            graph.state(agent, OWL("sameAs"), same)
    _say_existence(account, graph, iri)
    for said in account.of(iri, "description/languageCode"):
        if (tongue := node(said.text)) is not None:
            graph.link(agent, "hasOrHadLanguage", tongue)
    for said in account.of(iri, *_TEXTS):
        if said.claim not in notes:
            graph.say(agent, _TEXTS[said.name], said.value)
    say_sources(account, graph, iri, file)


def _say_existence(account: Account, graph: Graph, iri: str) -> None:
    agent, kind = NamedNode(iri), account.kind(iri)
    first, last = ("birthDate", "deathDate") if kind == "person" else ("beginningDate", "endDate")
    for said in account.of(iri, "description/beginning", "birthDate"):
        graph.end(agent, first, dated(said)[0], 0)
    for said in account.of(iri, "description/ending", "deathDate"):
        graph.end(agent, last, dated(said)[0], 1)
    for said in account.of(iri, "description/unitDate"):
        graph.date(agent, *dated(said))


def _say_names(account: Account, graph: Graph, iri: str, *, preferred: bool = False) -> None:
    """State the names of a thing, each as a node of its own; the first one is its label."""
    kind, key = account.scope.base.split(iri) or ("", "")
    thing = NamedNode(iri)
    predicate, cls = _NAME_NODES[kind]
    made: dict[tuple[str, str, str], NamedNode] = {}
    for said in account.of(iri, NAMED_AS):
        if said.value is None:
            continue
        words = graph.spoken(said.value)
        mark = (words.value, words.language or "", said.time.value if said.time else "")
        if mark in made:
            continue
        name = account.scope.base.part(kind, key, f"name-{len(made) + 1}")
        graph.link(thing, predicate, name)
        graph.type(name, cls)
        graph.label(name, words)
        graph.say(name, "textualValue", words)
        graph.ends(name, said.time, ("usedFromDate", "usedToDate"))
        if not made:
            graph.label(thing, words)
            if preferred:
                _say_preferred(graph, name, _AGENT_CLASS.get(kind, "Agent"))
        made[mark] = name


def _say_preferred(graph: Graph, name: NamedNode, cls: str) -> None:
    practice = graph.practice
    if (rule := node(practice.name_rules.get(cls, ""))) is not None:
        graph.link(name, "isOrWasRegulatedBy", rule)
    if practice.preferred_name:
        graph.say(name, "type", Literal(practice.preferred_name))


def _say_other(account: Account, graph: Graph, iri: str, kind: str) -> None:
    rule = account.scope.mapping.by_kind(kind)
    if rule is not None:
        graph.type(NamedNode(iri), rule.cls.value.rpartition("#")[2])
    if kind in _NAME_NODES:
        _say_names(account, graph, iri)
        return
    for number, said in enumerate(account.of(iri, NAMED_AS)):
        if said.value is not None and not number:
            graph.label(NamedNode(iri), said.value)
        graph.say(NamedNode(iri), "title" if kind == "mandate" else "name", said.value)


# ---- activities ---------------------------------------------------------------------------------


def activity(account: Account, graph: Graph, made: NamedNode, type_: str) -> None:
    """State an activity of its own, of the type that a description names.

    A function or occupation of a description is a kind of activity, which several carry out.
    """
    graph.type(made, "Activity")
    kind, key = account.scope.base.split(type_) or ("", "")
    of = NamedNode(type_) if kind != "activity" else account.scope.base.iri(_TYPE_KIND, key)
    graph.link(made, "hasActivityType", of)
    if kind == "activity":
        graph.type(of, "ActivityType")
        if (name := name_of(account, type_)) is not None:
            graph.label(of, name)
            graph.say(of, "name", name)
