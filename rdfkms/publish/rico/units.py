"""Record resources, their instantiations and digital copies."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise

from pyoxigraph import Literal, NamedNode

from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.publish.describing.reading import Account, Said
from rdfkms.publish.rico.graph import SEE_ALSO, Graph, node
from rdfkms.publish.rico.things import activity, dated, say_sources
from rdfkms.publish.views import local_name
from rdfkms.vocab import OWL, Namespace

DC = Namespace("http://purl.org/dc/elements/1.1/")
UNITS = {"set": "RecordSet", "item": "Record", "itempart": "RecordPart"}
_INCLUDES = ("description/includes", "description/constituent", "description/part")
_WIDER = {"hasDirectConstituent": "hasOrHadConstituent"}
_ID = re.compile(r"""\s(?:xml:)?id\s*=\s*(["'])(.*?)\1""", re.S)
_STANDARD = frozenset(
    {
        "class", "collection", "file", "fonds", "item", "otherlevel", "recordgrp", "series",
        "subfonds", "subgrp", "subseries",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Text:
    """Where the words of a statement stand: on the resource, its instantiation, its copies."""

    name: str
    on_resource: bool = True
    on_first: bool = False
    on_copies: bool = False


# In the order in which texts of one property are joined.
_TEXTS = {
    "description/scopeAndContent": _Text("scopeAndContent"),
    "description/abstract": _Text("generalDescription"),
    "description/originNote": _Text("history", on_first=True),
    "description/biographyOrHistory": _Text("history"),
    "description/custodialHistory": _Text("history", on_resource=False, on_first=True),
    "description/acquisition": _Text("history", on_resource=False, on_first=True),
    "description/processing": _Text("history", on_first=True),
    "description/appraisal": _Text("history", on_first=True),
    "description/originals": _Text("history"),
    "description/arrangement": _Text("structure", on_first=True),
    "description/accruals": _Text("accruals"),
    "description/accessConditions": _Text("conditionsOfAccess", on_first=True, on_copies=True),
    "description/useConditions": _Text("conditionsOfUse", on_first=True, on_copies=True),
    "description/extent": _Text("instantiationExtent", on_resource=False, on_first=True),
    "description/physicalDescription": _Text(
        "physicalCharacteristicsNote", on_resource=False, on_first=True
    ),
    "description/physicalLocation": _Text("note", on_resource=False, on_first=True),
    "description/container": _Text("note", on_resource=False, on_first=True),
    "description/copies": _Text("generalDescription"),
    "description/otherFindingAid": _Text("generalDescription"),
    "description/relatedMaterial": _Text("generalDescription"),
    "description/separatedMaterial": _Text("generalDescription"),
    "description/bibliography": _Text("generalDescription"),
    "description/note": _Text("generalDescription"),
    "description/language": _Text("note"),
}
_JOINED = frozenset({"history"})
_LANGUAGES = {
    "description/languageCode": "hasOrHadLanguage",
    "description/membersLanguageCode": "hasOrHadSomeMembersWithLanguage",
}


def say_units(account: Account, graph: Graph, file_id: str) -> None:
    """State all record resources of a file; `file_id` is the identifier of the finding aid."""
    for iri in account.by_subject:
        if account.kind(iri) in UNITS:
            _say_unit(account, graph, iri, file_id)
    _say_sequences(account, graph)


def first_of(account: Account, iri: str) -> NamedNode:
    """Return the instantiation that a description is read from: there is one of each resource."""
    kind, key = account.scope.base.split(iri) or ("", "")
    return account.scope.base.part(kind, key, "instantiation")


def _say_unit(account: Account, graph: Graph, iri: str, file_id: str) -> None:
    unit, first = NamedNode(iri), first_of(account, iri)
    graph.type(unit, "RecordResource")
    levels = account.of(iri, "description/level")
    if levels or account.of(iri, *_INCLUDES):
        graph.type(unit, UNITS[account.kind(iri)])
    for said in levels:
        if said.value is not None and said.value.value not in _STANDARD:
            graph.say(unit, "type", said.value)
    for said in account.of(iri, "description/recordSetType"):
        if (of := node(said.text)) is not None:
            graph.add(unit, "hasRecordSetType", of)
    graph.link(unit, "hasOrHadInstantiation", first)
    graph.type(first, "Instantiation")
    _say_titles(account, graph, iri, first)
    for said in account.of(iri, "description/identifier"):
        graph.say_as_is(first, "identifier", said.value)
    for said in account.of(iri, "description/unitDate"):
        graph.date(unit, *dated(said))
        graph.date(first, *dated(said))
    copies = _say_copies(account, graph, iri, file_id)
    _say_texts(account, graph, iri, [unit, first, *copies])
    _say_links(account, graph, iri, first)
    say_sources(account, graph, iri, unit)
    own = _own_id(account, iri)
    if graph.practice.unit_address and own:
        _see(graph, first, graph.practice.unit_address.format(file=file_id, unit=own))


def is_title(account: Account, said: Said) -> bool:
    """Return whether a name was read from a title, not from what stands for one.

    A unit without title is named by its reference code, date or level: then another statement was
    read from the same words, or the words are a start tag.
    """
    if said.quote.startswith("<") and said.value is not None and not _between(said.quote):
        return False
    others = account.of(
        said.subject, "description/identifier", "description/unitDate", "description/level"
    )
    return all(one.spot != said.spot for one in others)


def _between(markup: str) -> str:
    return re.sub(r"<[^>]*>", "", markup).strip()


def _say_titles(account: Account, graph: Graph, iri: str, first: NamedNode) -> None:
    unit = NamedNode(iri)
    titles = [s for s in account.of(iri, NAMED_AS) if is_title(account, s)]
    for said in [*titles, *account.of(iri, "description/otherTitle")]:
        for one in (unit, first):
            graph.say(one, "title", said.value)
            if said.value is not None:
                graph.label(one, said.value)


def _say_texts(account: Account, graph: Graph, iri: str, places: list[NamedNode]) -> None:
    """State the prose of a unit; with headings, what makes its history is one text, in order."""
    headings = graph.practice.headings
    joined: dict[tuple[NamedNode, str], list[Literal]] = defaultdict(list)
    for name, text in _TEXTS.items():
        heading = headings.get(name.removeprefix("description/"), "")
        nodes = [
            *(places[:1] if text.on_resource else ()),
            *(places[1:2] if text.on_first else ()),
            *(places[2:] if text.on_copies else ()),
        ]
        told = [said.value for said in account.of(iri, name) if said.value is not None]
        for one in nodes:
            if heading and told and text.name in _JOINED:
                lines = "\n".join((heading, *(words.value for words in told)))
                joined[one, text.name].append(Literal(lines, language=told[0].language))
                continue
            for words in told:
                lines = f"{heading}\n{words.value}" if heading else words.value
                graph.say(one, text.name, Literal(lines, language=words.language))
    for (one, name), parts in joined.items():
        whole = "\n".join(part.value for part in parts)
        graph.say(one, name, Literal(whole, language=parts[0].language))


def _say_links(account: Account, graph: Graph, iri: str, first: NamedNode) -> None:
    unit = NamedNode(iri)
    for said in account.of(iri, *_INCLUDES):
        name, part = local_name(account.rule(said).predicate), NamedNode(said.object)
        graph.link(unit, name, part)
        if name in _WIDER:
            graph.link(unit, _WIDER[name], part)
    for said in account.of(iri, "description/provenance", "description/holder"):
        for one in (unit, first):
            graph.link(one, local_name(account.rule(said).predicate), NamedNode(said.object))
    for said in account.of(iri, "description/form", "description/membersForm"):
        graph.link(unit, local_name(account.rule(said).predicate), NamedNode(said.object))
    for said in account.of(iri, "description/relatedRecord"):
        graph.both(unit, local_name(account.rule(said).predicate), NamedNode(said.object))
    _say_default_holder(account, graph, iri, first)
    _say_subjects(account, graph, iri)
    for said in account.of(iri, *_LANGUAGES):
        if (tongue := node(said.text)) is not None:
            graph.link(unit, _LANGUAGES[said.name], tongue)
    for said in account.of(iri, "description/sameAs"):
        if (same := node(said.text)) is not None:
            graph.state(unit, OWL("sameAs"), same)
    for said in account.of(iri, "description/address"):
        _see(graph, unit, said.text)


def _say_default_holder(account: Account, graph: Graph, iri: str, first: NamedNode) -> None:
    """State who holds the whole that is described, where no repository is named for it."""
    holder = node(graph.practice.holder)
    wholes = {said.object for said in account.all("description/describes")}
    if holder is None or iri not in wholes or account.of(iri, "description/holder"):
        return
    for one in (NamedNode(iri), first):
        graph.link(one, "hasOrHadHolder", holder)


def _say_subjects(account: Account, graph: Graph, iri: str) -> None:
    """State what a unit is about; of a function or occupation it documents an activity."""
    unit = NamedNode(iri)
    kind, key = account.scope.base.split(iri) or ("", "")
    for number, said in enumerate(account.of(iri, "description/subject"), 1):
        made = account.scope.base.part(kind, key, f"activity-{number}")
        if account.kind(said.object) == "activity":
            activity(account, graph, made, said.object)
            graph.link(unit, "documents", made)
        elif account.kind(said.object) == "occupation":
            activity(account, graph, made, said.object)
            graph.both(unit, "isRelatedTo", made)
        else:
            graph.link(unit, "hasOrHadSubject", NamedNode(said.object))


# ---- digital copies -----------------------------------------------------------------------------


def _say_copies(account: Account, graph: Graph, iri: str, file_id: str) -> list[NamedNode]:
    unit, first, practice = NamedNode(iri), first_of(account, iri), graph.practice
    made = []
    for said in account.of(iri, "description/digitalCopy"):
        copy = NamedNode(said.object)
        if copy in made:
            continue
        made.append(copy)
        graph.type(copy, "Instantiation")
        graph.link(unit, "hasOrHadDigitalInstantiation", copy)
        graph.link(first, "hasOrHadDerivedInstantiation", copy)
        if practice.copy_format:
            graph.state(copy, DC("format"), Literal(practice.copy_format, language="en"))
        if (technique := node(practice.copy_technique)) is not None:
            graph.add(copy, "hasProductionTechniqueType", technique)
        for name in account.of(said.object, NAMED_AS):
            graph.say(copy, "title", name.value)
            if name.value is not None:
                graph.label(copy, name.value)
        for told in account.of(said.object, "description/address"):
            _see(graph, copy, told.text)
        for told in account.of(said.object, "description/identifier"):
            code = _shortened(told.text, practice.copy_endings)
            graph.add(copy, "identifier", Literal(code))
            own = _own_id(account, iri)
            if practice.copy_address and own:
                where = practice.copy_address.format(file=file_id, unit=own, copy=code)
                _see(graph, copy, where)
    return made


def _shortened(code: str, endings: tuple[str, ...]) -> str:
    for ending in endings:
        code = "#".join(one.removesuffix(ending) for one in code.split("#"))
    return code


def _see(graph: Graph, subject: NamedNode, address: str) -> None:
    if (place := node(address)) is not None:
        graph.state(subject, SEE_ALSO, place)


def _own_id(account: Account, iri: str) -> str:
    """Return the id of a component, from the start tag that its place in the whole quotes."""
    for said in account.of(iri, "description/rank"):
        found = _ID.search(said.quote)
        if found:
            return found[2].strip()
    return ""


# ---- order --------------------------------------------------------------------------------------


def _say_sequences(account: Account, graph: Graph) -> None:
    """State which unit follows which, from the ranks within each whole."""
    ranks: dict[str, int] = {}
    for said in account.all("description/rank"):
        if said.value is not None:
            ranks.setdefault(said.subject, int(said.value.value))
    inside: dict[str, list[str]] = defaultdict(list)
    for said in account.all(*_INCLUDES):
        if said.object in ranks and said.object not in inside[said.subject]:
            inside[said.subject].append(said.object)
    for units in inside.values():
        for one, following in pairwise(sorted(units, key=lambda iri: ranks[iri])):
            graph.link(NamedNode(one), "directlyPrecedesInSequence", NamedNode(following))
