"""`export`: what one file says of agents, as authority records in EAC-CPF 2.0.

The records are made of the admitted claims, in the order of the file; its markup is not repeated.
EAC-CPF 2.0 has one record in a document, so a file with several becomes several.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from lxml import etree

from rdfkms.errors import BadInput
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.publish.describing.markup import Markup, markup
from rdfkms.publish.describing.reading import Account, Said, read
from rdfkms.publish.describing.xmlwriting import whole
from rdfkms.publish.eac.control import control, default_language, record_id, texts_of
from rdfkms.publish.eac.description import description
from rdfkms.publish.eac.draft import SOURCE, Draft, main_language
from rdfkms.publish.eac.elements import add, made
from rdfkms.publish.eac.identity import alternatives, identity
from rdfkms.publish.eac.relations import relations
from rdfkms.publish.views import Scope

AGENTS = frozenset({"person", "organization", "family", "party"})
_NO_NAME = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Document:
    """An authority record: a name for its file, without ending, and its XML."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Exported:
    """The records, the number of claims they carry, and those left out, by statement.

    `moved` are those that are told of the whole record, and are of an agent in the archive.
    """

    documents: tuple[Document, ...]
    carried: int
    left: dict[str, int]
    moved: dict[str, int]


def export(scope: Scope, record_key: str) -> Exported:
    """Return what a file says of agents, as far as the reader sees it.

    `record_key` is the key of the record that stands for the file. Raises `NotFound` where it is
    no description, `BadInput` where it describes no agents.
    """
    account, found = _once(read(scope, record_key)), markup(scope, record_key)
    described = _described(account)
    if not described:
        raise BadInput(
            "This file describes no persons, corporate bodies or families.",
            hint="A finding aid goes out as EAD: rdfkms export ead.",
        )
    documents, taken, moved = [], set[str](), Counter[str]()
    for file, agents in described.items():
        for draft, own, some in _records(account, found, file, list(dict.fromkeys(agents))):
            is_told = len(described) > 1 or len(some) == len(agents)
            data = _document(draft, file if is_told else "", own, some)
            name = _NO_NAME.sub("_", own) or draft.key(some[0])
            documents.append(Document(name, data))
            taken |= draft.taken
            moved.update(said.name for said in _sources(draft, some))
    taken |= {said.claim for said in account.all("description/describes")}
    left = Counter(said.name for said in account.said if said.claim not in taken)
    carried = sum(said.claim in taken for said in account.said)
    told = (dict(sorted(some.items())) for some in (left, moved))
    return Exported(tuple(_apart(documents)), carried, *told)


def _described(account: Account) -> dict[str, list[str]]:
    """Return the agents that each record of a file describes, by the record.

    RiC-O has agents, and no file that describes them: there it is those of whom more is said than
    how they are called.
    """
    told = account.all("description/describes")
    described: dict[str, list[str]] = {}
    for said in told:
        if account.kind(said.object) in AGENTS:
            described.setdefault(said.subject, []).append(said.object)
    if told:
        return described
    file = account.scope.base.iri("record", account.key).value
    agents = [
        iri
        for iri, said in account.by_subject.items()
        if account.kind(iri) in AGENTS and any(one.name != NAMED_AS for one in said)
    ]
    return {file: agents} if agents else {}


def _once(account: Account) -> Account:
    """Return what is said with each statement once, where it was said first.

    Claims are told apart by what their stretch is about as well.
    """
    first: dict[tuple[object, ...], Said] = {}
    for one in account.said:
        parts = (one.name, one.subject, one.object, one.value, one.words, one.time)
        first.setdefault((*parts, one.time_words, one.place), one)
    said = tuple(first.values())
    by_subject: dict[str, list[Said]] = {}
    for one in said:
        by_subject.setdefault(one.subject, []).append(one)
    return Account(account.scope, account.key, said, by_subject)


def _records(
    account: Account, found: Markup, file: str, agents: list[str]
) -> list[tuple[Draft, str, list[str]]]:
    """Return the records of a file, each with its identifier and those whom it describes.

    An authority record stays one, also with several identities; of other files each agent gets a
    record, whose identifier is that of the agent, else made of its kind and key.
    """
    if any("/eac" in section for section in found.sections.values()):
        draft = Draft(account, found, ())
        own = record_id(draft, file)
        draft.scopes = (own,) if own else found.files
        return [(draft, own, agents)]
    records = []
    for one in agents:
        kind, key = account.scope.base.split(one) or ("", "")
        _, own = found.identifier(key) or ("", f"{kind}-{key}")
        records.append((Draft(account, found, found.files), own, [one]))
    return records


def _document(draft: Draft, file: str, own: str, agents: list[str]) -> bytes:
    account = draft.account
    told = [one for agent in agents for one in account.by_subject.get(agent, ())]
    told += texts_of(account, file)
    declared, most = default_language(draft, file), main_language(told)
    draft.language = most or declared
    root = made("eac", languageOfElement="" if draft.language == declared else draft.language)
    root.append(control(draft, file, own, _sources(draft, agents)))
    holder = add(root, "multipleIdentities") if len(agents) > 1 else root
    for agent in agents:
        holder.append(_agent(draft, agent))
    return whole(root)


def _sources(draft: Draft, agents: list[str]) -> list[Said]:
    """Return the sources of agents that are no descriptions of the same agent elsewhere."""
    return [
        said
        for agent in agents
        for said in draft.account.of(agent, SOURCE)
        if draft.markup.element(said.unit) != "setComponent"
    ]


def _agent(draft: Draft, agent: str) -> etree._Element:
    notes = draft.notes(agent)
    element = made("cpfDescription")
    sections = (
        identity(draft, agent, notes),
        None,
        relations(draft, agent, notes),
        alternatives(draft, agent),
    )
    told = description(draft, agent, notes)
    for section in (sections[0], told, *sections[2:]):
        if section is not None:
            element.append(section)
    return element


def _apart(documents: list[Document]) -> list[Document]:
    """Return the documents with a number behind names that several have."""
    seen: Counter[str] = Counter()
    made_ = []
    for one in documents:
        seen[one.name] += 1
        number = seen[one.name]
        made_.append(Document(f"{one.name}-{number}", one.data) if number > 1 else one)
    return made_
