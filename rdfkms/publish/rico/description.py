"""`export`: the description that one file brought in, as plain RiC-O 1.1 for exchange.

Claims, evidence units and what is of this archive alone are left out; the things keep their IRIs.
"""

from __future__ import annotations

from pyoxigraph import Literal, NamedNode, Triple

from rdfkms.publish.describing.reading import Account, read
from rdfkms.publish.rico.graph import SEE_ALSO, Graph, node
from rdfkms.publish.rico.practice import Practice
from rdfkms.publish.rico.relations import notes_of, say_relations
from rdfkms.publish.rico.things import AGENTS, dated, say_sources, say_things
from rdfkms.publish.rico.units import DC, UNITS, first_of, say_units
from rdfkms.publish.views import Scope, text_of
from rdfkms.vocab import Namespace

FORMS = Namespace("https://www.ica.org/standards/RiC/vocabularies/documentaryFormTypes#")
PREFIXES = {"dc": DC.iri}
_TEXTS = {
    "description/note": "note",
    "description/abstract": "generalDescription",
    "description/scopeAndContent": "scopeAndContent",
    "description/accessConditions": "conditionsOfAccess",
    "description/useConditions": "conditionsOfUse",
    "description/originNote": "history",
    "description/processing": "history",
    "description/biographyOrHistory": "history",
}


def export(scope: Scope, record_key: str, practice: Practice | None = None) -> list[Triple]:
    """Return the description that the file of a record brought in, as far as the reader sees it.

    `record_key` is the key of the record that stands for the file. Raises `NotFound` where it is
    no description file.
    """
    account, graph = read(scope, record_key), Graph(practice or Practice())
    notes = notes_of(account)
    file_id = _say_file(account, graph)
    say_units(account, graph, file_id)
    say_relations(account, graph, notes)
    of_relations = frozenset(said.claim for some in notes.values() for said in some)
    say_things(account, graph, of_relations)
    return graph.triples()


def _say_file(account: Account, graph: Graph) -> str:
    """State the finding aid or authority record itself; return its identifier."""
    iri = account.scope.base.iri("record", account.key)
    file, copy = iri, first_of(account, iri.value)
    described = [said.object for said in account.of(iri.value, "description/describes")]
    kinds = {account.kind(one) for one in described or account.by_subject}
    is_authority = bool(kinds & AGENTS) and (bool(described) or not kinds & UNITS.keys())
    graph.type(file, "Record")
    if is_authority or kinds & UNITS.keys():
        form = FORMS("AuthorityRecord" if is_authority else "FindingAid")
        graph.add(file, "hasDocumentaryFormType", form)
    for one in described:
        graph.link(file, "describesOrDescribed", NamedNode(one))
    graph.link(file, "hasOrHadDigitalInstantiation", copy)
    graph.type(copy, "Instantiation")
    for media in _media_types(account):
        graph.state(copy, DC("format"), Literal(media, language="en"))
    codes = [said.text for said in account.of(iri.value, "description/identifier")]
    for code in codes:
        graph.add(copy, "identifier", Literal(code))
    practice = graph.practice
    if (holder := node(practice.holder)) is not None:
        graph.link(copy, "hasOrHadHolder", holder)
    pattern = (is_authority and practice.authority_address) or practice.file_address
    if pattern and codes and (place := node(pattern.format(file=codes[0]))) is not None:
        graph.state(copy, SEE_ALSO, place)
    _say_about_file(account, graph, file, copy, set(codes))
    return codes[0] if codes else ""


def _media_types(account: Account) -> list[str]:
    record = account.scope.base.iri("record", account.key)
    rows = account.scope.select("publishing/description_files", record=record)
    told = sorted({text_of(row["mediaType"]) for row in rows})
    # what is XML by its standard is said as text, as finding aids have it
    return list(dict.fromkeys("text/xml" if one == "application/xml" else one for one in told))


def _say_about_file(
    account: Account, graph: Graph, file: NamedNode, copy: NamedNode, codes: set[str]
) -> None:
    iri = file.value
    for said in account.of(iri, "description/titleOfDescription"):
        if said.value is not None and said.value.value not in codes:
            for one in (file, copy):
                graph.say(one, "title", said.value)
                graph.label(one, said.value)
    for said in account.of(iri, "description/provenance"):
        graph.link(file, "hasCreator", NamedNode(said.object))
    for said in account.of(iri, "description/unitDate"):
        edtf, words = dated(said)
        if edtf is not None:
            graph.end(file, "publicationDate", edtf, 0)
        graph.say(file, "publicationDate", words)
    for said in account.of(iri, "description/languageCode"):
        if (tongue := node(said.text)) is not None:
            graph.link(file, "hasOrHadLanguage", tongue)
    kind, key = account.scope.base.split(iri) or ("", "")
    for number, said in enumerate(account.of(iri, "description/conventions"), 1):
        rule = account.scope.base.part(kind, key, f"rule-{number}")
        graph.type(rule, "Rule")
        graph.say(rule, "title", said.value)
        graph.link(file, "isOrWasRegulatedBy", rule)
    for said in account.of(iri, *_TEXTS):
        graph.say(file, _TEXTS[said.name], said.value)
    say_sources(account, graph, iri, file)
