"""The terms of rdfkms and its concept schemes, as pages show them: read from ``ontology/*.ttl``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, parse

from rdfkms import resources
from rdfkms.vocab import KMS, KV, OWL, PREFIXES, RDFS, SKOS, TYPE, Namespace

_SCHEMA = Namespace("https://schema.org/")
# Predicates that a page shows of a term, in this order.
_SHOWN = (
    (TYPE, "is a"),
    (RDFS("subClassOf"), "kind of"),
    (RDFS("subPropertyOf"), "special case of"),
    (RDFS("domain"), "of"),
    (_SCHEMA("domainIncludes"), "of, among others"),
    (RDFS("range"), "has values"),
    (SKOS("broader"), "broader"),
    (SKOS("closeMatch"), "close to"),
    (SKOS("relatedMatch"), "related to"),
    (OWL("disjointWith"), "never also"),
)
_GROUPS = {
    OWL("Class").value: "Classes",
    OWL("ObjectProperty").value: "Properties with things as values",
    OWL("DatatypeProperty").value: "Properties with literals as values",
}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One vocabulary: its name in addresses, its file, its namespace and title."""

    name: str
    file: str
    iri: str
    title: str


@dataclass(frozen=True, slots=True)
class TermView:
    """One term: name, IRI, labels by language, comments, and (relation, IRI, shown) of others."""

    name: str
    iri: str
    labels: tuple[tuple[str, str], ...]
    comments: tuple[tuple[str, str], ...]
    relations: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class GroupView:
    """Terms of one kind or of one concept scheme."""

    title: str
    name: str  # of a scheme, so that its own IRI leads here
    terms: tuple[TermView, ...]


VOCABULARIES = {
    v.name: v
    for v in (
        Vocabulary("ns", "ontology/rdfkms.ttl", KMS.iri, "The terms of rdfkms (kms:)"),
        Vocabulary("vocab", "ontology/vocab.ttl", KV.iri, "The concept schemes of rdfkms (kv:)"),
    )
}


@cache
def triples(file: str) -> tuple[Triple, ...]:
    """Return the triples of a vocabulary file."""
    found = parse(path=resources.file(file), format=RdfFormat.TURTLE)
    return tuple(quad.triple for quad in found)


@cache
def groups(name: str, language: str = "en") -> tuple[GroupView, ...]:
    """Return the terms of a vocabulary in groups, sorted by name; schemes by their labels.

    Labels in `language` come first.
    """
    vocabulary = VOCABULARIES[name]
    about: dict[str, list[Triple]] = defaultdict(list)
    for triple in triples(vocabulary.file):
        if isinstance(triple.subject, NamedNode) and triple.subject.value.startswith(
            vocabulary.iri
        ):
            about[triple.subject.value].append(triple)
    found: dict[tuple[str, str], list[TermView]] = defaultdict(list)
    for iri, said in about.items():
        group = _group(said, about, language)
        if group is not None:
            found[group].append(_term(iri, said, vocabulary.iri, language))
    order = [*_GROUPS.values()]
    made = (
        GroupView(title, of, tuple(sorted(terms, key=lambda t: t.name.casefold())))
        for (title, of), terms in found.items()
    )
    return tuple(
        sorted(
            made,
            key=lambda g: (
                g.title not in order,
                g.title not in order or order.index(g.title),
                g.title,
            ),
        )
    )


def _group(
    said: Iterable[Triple], about: dict[str, list[Triple]], language: str
) -> tuple[str, str] | None:
    """Return title and scheme of the group that a term belongs to; None for heads of groups."""
    types = [
        t.object.value for t in said if t.predicate == TYPE and isinstance(t.object, NamedNode)
    ]
    for type_, title in _GROUPS.items():
        if type_ in types:
            return title, ""
    for triple in said:
        if triple.predicate == SKOS("inScheme") and isinstance(triple.object, NamedNode):
            scheme = triple.object.value
            return _label(about.get(scheme, []), language) or scheme, scheme.rpartition("#")[2]
    if SKOS("ConceptScheme").value in types or OWL("Ontology").value in types:
        return None
    return "Values of closed lists", ""


def _label(said: Iterable[Triple], language: str) -> str:
    for triple in said:
        known = triple.predicate in (SKOS("prefLabel"), RDFS("label"))
        if known and isinstance(triple.object, Literal) and triple.object.language == language:
            return triple.object.value
    return ""


def _term(iri: str, said: Iterable[Triple], space: str, language: str) -> TermView:
    listed = list(said)

    def texts(*predicates: NamedNode) -> tuple[tuple[str, str], ...]:
        found = [
            (t.object.language or "", t.object.value)
            for t in listed
            if t.predicate in predicates and isinstance(t.object, Literal)
        ]
        return tuple(sorted(found, key=lambda p: (p[0] != language, p[0] != "en", p)))

    relations = tuple(
        (words, t.object.value, shortened(t.object.value))
        for predicate, words in _SHOWN
        for t in sorted(listed, key=str)
        if t.predicate == predicate and isinstance(t.object, NamedNode)
    )
    return TermView(
        name=iri.removeprefix(space),
        iri=iri,
        labels=texts(SKOS("prefLabel"), RDFS("label")),
        comments=texts(RDFS("comment"), SKOS("definition"), SKOS("scopeNote")),
        relations=relations,
    )


def shortened(iri: str) -> str:
    """Return an IRI with its usual prefix."""
    for prefix, space in PREFIXES.items():
        if iri.startswith(space):
            return f"{prefix}:{iri.removeprefix(space)}"
    return iri
