"""What the terms are called in the languages of readers: the labels in ``ontology/*.ttl``."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from rdfkms import resources
from rdfkms.vocab import RDFS, SKOS

ENGLISH = "en"
_FILES = ("ontology/vocab.ttl", "ontology/rdfkms.ttl")


def label(term: NamedNode, language: str) -> str:
    """Return the label of a term of kms: or kv: in a language, else in English, else nothing."""
    found = _labels().get(term.value, {})
    return found.get(language) or found.get(ENGLISH, "")


def labels(term: NamedNode) -> list[tuple[str, str]]:
    """Return the labels of a term of kms: or kv: as (language, text), none for any other."""
    return sorted(_labels().get(term.value, {}).items())


@cache
def _labels() -> dict[str, dict[str, str]]:
    """Return the labels by IRI and language."""
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    labelling = (SKOS("prefLabel"), RDFS("label"))
    for name in _FILES:
        for quad in parse(path=str(resources.file(name)), format=RdfFormat.TURTLE):
            if quad.predicate in labelling and isinstance(quad.object, Literal):
                assert isinstance(quad.subject, NamedNode)
                found[quad.subject.value].setdefault(quad.object.language or "", quad.object.value)
    return dict(found)
