"""The terms of RiC-O that are read and what they say: ``ontology/rico-in.tsv``.

A term that the table does not hold is read as the nearest more general one that it holds, by the
axioms of RiC-O 1.1 (``ontology/rico-slim.ttl``): what holds of the special holds of the general.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from pyoxigraph import RdfFormat, parse

from rdfkms import resources
from rdfkms.ingest.describing.things import AGENTS
from rdfkms.vocab import PREFIXES, RICO, RST
from rdfkms.vocab import TYPE as _TYPE

RDF, RDFS = PREFIXES["rdf"], PREFIXES["rdfs"]
_PREFIXES = {name: PREFIXES[name] for name in ("rdf", "rdfs", "owl", "skos", "dcterms", "rico")}
_PREFIXES["dc"] = "http://purl.org/dc/elements/1.1/"
TYPE = _TYPE.value
RECORDS = ("RecordSet", "Record", "RecordPart")

# The links per class of RiC-O 0.2, which the generic ones of 1.1 replaced.
_PER_CLASS = (
    (re.compile(r"[a-z]\w*IsSourceOf\w*Relation"), "thingIsSourceOfRelation"),
    (re.compile(r"[a-z]\w*IsTargetOf\w*Relation"), "thingIsTargetOfRelation"),
    (re.compile(r"[a-z]\w*IsConnectedTo\w*Relation"), "thingIsConnectedToRelation"),
    (re.compile(r"[a-z]\w*RelationHasSource"), "relationHasSource"),
    (re.compile(r"[a-z]\w*RelationHasTarget"), "relationHasTarget"),
    (re.compile(r"[a-z]\w*RelationConnects"), "relationConnects"),
)


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the table. `flipped`: the RDF object is what the row calls the subject."""

    kind: str
    says: tuple[str, ...]
    direction: str
    known: bool = False
    exact: bool = False
    flipped: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """Which types of things a statement of the mapping table takes at its ends."""

    domain: tuple[str, ...]
    range: tuple[str, ...]


def rico(name: str) -> str:
    """Return the IRI of a term of RiC-O."""
    return RICO.iri + name


# Which end of a relation a thing is that points to it, and what a relation calls its own ends.
POINTING = {
    rico("thingIsSourceOfRelation"): "source",
    rico("thingIsTargetOfRelation"): "target",
    rico("thingIsConnectedToRelation"): "connects",
}
OWN_ENDS = {
    rico("relationHasSource"): "source",
    rico("relationHasTarget"): "target",
    rico("relationConnects"): "connects",
}


def shown(iri: str) -> str:
    """Return a term as people write it: ``rico:Record``."""
    for prefix, start in _PREFIXES.items():
        if iri.startswith(start):
            return f"{prefix}:{iri.removeprefix(start)}"
    return f"<{iri}>"


def is_rico(iri: str) -> bool:
    """Return whether an IRI stands in the namespace of RiC-O."""
    return iri.startswith(RICO.iri)


def is_known(iri: str) -> bool:
    """Return whether a term of RiC-O is one of version 1.1."""
    return iri in _axioms().terms


def is_record_set_type(iri: str) -> bool:
    """Return whether an IRI is one of the vocabulary of types that comes with RiC-O."""
    return iri in _axioms().record_set_types


@cache
def renamed(iri: str) -> str | None:
    """Return the term of 1.1 that an older one became, "" for one that was removed, else None."""
    if not is_rico(iri) or is_known(iri):
        return None
    name = iri.removeprefix(RICO.iri)
    if name in _renames():
        new = _renames()[name]
        return rico(new) if new != "-" else ""
    return next((rico(new) for form, new in _PER_CLASS if form.fullmatch(name)), None)


@cache
def rules(predicate: str) -> tuple[Rule, ...]:
    """Return what a property says: its own rows, those of its inverse, then of the more general."""
    return tuple(_nearest(predicate, ("class", "relation")))


@cache
def relation_rules(classes: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return what a relation of these classes says, the most special first."""
    found: list[Rule] = []
    level = [cls for cls in classes if not any(cls in _above(other) for other in classes)]
    while level:
        for cls in level:
            found += [rule for rule in _rows().get(cls, ()) if rule.kind == "relation"]
        level = [parent for cls in level for parent in _axioms().parents.get(cls, ())]
    return tuple(dict.fromkeys(found))


@cache
def reading(cls: str) -> str:
    """Return what a class is read as: a type, with "?" if it is general, "@...", or ""."""
    level = [cls]
    while level:
        for one in level:
            for rule in _rows().get(one, ()):
                if rule.kind == "class":
                    return rule.says[0] if rule.says else ""
        level = [parent for one in level for parent in _axioms().parents.get(one, ())]
    return ""


def best(readings: Iterable[str]) -> str:
    """Return the most special reading; of equally special ones the first."""
    return min((one for one in readings if one), key=lambda one: one.count("?"), default="")


def entity_type(found: str) -> str:
    """Return the entity type of a reading, or "" where it is none."""
    return "" if found.startswith("@") else found.rstrip("?")


def conflicting(found: Iterable[str]) -> tuple[str, str] | None:
    """Return the first two readings of a thing that no thing has both of, or None."""
    sure = [one for one in dict.fromkeys(found) if one]
    for at, one in enumerate(sure):
        for other in sure[at + 1 :]:
            special = "?" not in one + other
            kinds = {one.rstrip("?"), other.rstrip("?")}
            if special or (kinds & set(AGENTS) and kinds & set(RECORDS)):
                return one, other
    return None


@cache
def frame(name: str) -> Frame:
    """Return the ends of a statement by the mapping table."""
    return _frames().get(name, Frame((), ()))


def guess(allowed: tuple[str, ...]) -> str:
    """Return the type of a thing of which the file only says that a statement takes it, or "".

    Where things of quite different kinds may stand, a topic is a concept and else nothing is said.
    """
    if len(allowed) == 1:
        return allowed[0]
    if "Concept" in allowed:
        return "Concept"
    if set(allowed) <= set(AGENTS):
        return "Agent" if "Agent" in allowed else allowed[0]
    if set(allowed) <= {*RECORDS, "Instantiation"}:
        return "RecordSet" if "RecordSet" in allowed else "RecordPart"
    return ""


# ---- files --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Axioms:
    terms: frozenset[str]
    record_set_types: frozenset[str]
    parents: dict[str, tuple[str, ...]]
    inverses: dict[str, tuple[str, ...]]


def _nearest(predicate: str, without: tuple[str, ...]) -> Iterator[Rule]:
    level, seen, first = [(predicate, False)], {predicate}, True
    while level:
        above: list[tuple[str, bool]] = []
        for term, flipped in level:
            stopped = False
            for rule in _rows().get(term, ()):
                stopped = stopped or rule.kind in ("stop", "none")
                if rule.kind not in without and (first or not rule.exact):
                    yield replace(rule, flipped=True) if flipped else rule
            for other in _axioms().inverses.get(term, ()):
                for rule in _rows().get(other, ()):
                    stopped = stopped or rule.kind in ("stop", "none")
                    if rule.kind not in without and (first or not rule.exact):
                        yield rule if flipped else replace(rule, flipped=True)
            if not stopped:
                above += [(one, flipped) for one in _axioms().parents.get(term, ())
                          if one not in seen]  # fmt: skip
                seen.update(one for one, _ in above)
        level, first = above, False


@cache
def _above(cls: str) -> frozenset[str]:
    """Return the classes that are more general than one."""
    parents = _axioms().parents.get(cls, ())
    return frozenset(parents).union(*map(_above, parents))


def _lines(relative: str) -> list[list[str]]:
    text = resources.file(relative).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if line and line[0] != "#"][1:]


@cache
def _rows() -> dict[str, tuple[Rule, ...]]:
    rows: dict[str, list[Rule]] = defaultdict(list)
    for kind, term, says, direction, *_ in _lines("ontology/rico-in.tsv"):
        prefix, _, name = term.partition(":")
        told = () if says == "-" else tuple(says.split("|"))
        way = direction.split()
        rule = Rule(kind, told, way[0], "known" in way, "exact" in way)
        rows[_PREFIXES[prefix] + name].append(rule)
    return {term: tuple(some) for term, some in rows.items()}


@cache
def _renames() -> dict[str, str]:
    return {row[0]: row[1] for row in _lines("ontology/rename-0.2.tsv")}


@cache
def _frames() -> dict[str, Frame]:
    table = resources.file("ontology/mapping.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in table if line and line[0] != "#"]
    columns = rows[0]
    name, domain, range_ = (columns.index(one) for one in ("name", "domain", "range"))
    return {
        row[name]: Frame(tuple(row[domain].split("|")), tuple(row[range_].split("|")))
        for row in rows[1:]
    }


@cache
def _axioms() -> _Axioms:
    parents: dict[str, list[str]] = defaultdict(list)
    inverses: dict[str, list[str]] = defaultdict(list)
    terms: set[str] = set()
    types: set[str] = set()
    path = resources.file("ontology/rico-slim.ttl")
    for quad in parse(path=str(path), format=RdfFormat.TURTLE):
        subject, object_ = str(quad.subject)[1:-1], str(quad.object)[1:-1]
        if subject.startswith(RST.iri):
            types.add(subject)
        if not is_rico(subject):
            continue
        terms.add(subject)
        predicate = quad.predicate.value.rpartition("#")[2]
        if predicate in ("subClassOf", "subPropertyOf") and is_rico(object_):
            parents[subject].append(object_)
        elif predicate == "inverseOf":
            inverses[subject].append(object_)
            inverses[object_].append(subject)
    return _Axioms(
        frozenset(terms),
        frozenset(types),
        {term: tuple(some) for term, some in parents.items()},
        {term: tuple(dict.fromkeys(some)) for term, some in inverses.items()},
    )
