"""Reads some records at a time, with all that their EDM records are made of: a query per topic.

What a record says of a person comes from claims that quote this record, so that its description
changes when something in it changes, and not with every other record that names the person.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from rdfkms.ports import Row, Term
from rdfkms.publish.records import natural
from rdfkms.publish.views import Scope, iri_of, local_name, text_of
from rdfkms.vocab import KMS

_DEPRECATED, _PREFERRED = KMS("deprecated"), KMS("preferred")
_CONCEPTS = ("https://w3id.org/rdfkms/ns#", "https://w3id.org/rdfkms/vocab#")


@dataclass(frozen=True, slots=True)
class Said:
    """An admitted claim that quotes the record; `subject` after merging."""

    claim: str
    subject: str
    statement: str  # the concept of the mapping table, as an IRI
    object: str
    value: Literal | None
    verbatim: str
    entity_type: str
    event_type: str


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept of a vocabulary: its labels, and what is broader."""

    iri: str
    labels: tuple[Literal, ...]
    broader: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Described:
    """All that is public of a record, as far as its EDM record tells it."""

    key: str
    iri: str
    own: tuple[tuple[str, Term], ...]
    parents: tuple[tuple[str, Literal | None], ...]
    media_types: tuple[str, ...]
    pictures: tuple[str, ...]
    has_text: bool
    said: tuple[Said, ...]
    authorities: Mapping[str, tuple[str, ...]]
    concepts: Mapping[str, Concept]


def read(scope: Scope, keys: Sequence[str]) -> dict[str, Described]:
    """Return those records that the reader sees, by key, in the order asked."""
    iris = [scope.base.iri("record", key) for key in keys]
    own = _grouped(scope.select_of("publishing/records", "record", iris))
    pages = _grouped(scope.select_of("publishing/pages", "record", iris))
    claims = _grouped(scope.select_of("publishing/claims", "record", iris))
    with_text = _grouped(scope.select_of("publishing/with_text", "record", iris))
    subjects = {s for rows in claims.values() for r in rows if (s := iri_of(r["subject"]))}
    things = subjects | {o for rows in claims.values() for r in rows if (o := iri_of(r["object"]))}
    merged = _merged(scope, things)
    preferred, authorities = _standing(scope, {merged.get(s.value, s.value) for s in subjects})
    said = {
        iri: _said(rows, preferred, merged) for iri, rows in claims.items()
    }  # fmt: skip
    concepts = _concepts(scope, own, said)
    found = {}
    for key, iri in zip(keys, (i.value for i in iris), strict=True):
        rows = own.get(iri, [])
        properties = tuple(
            sorted(
                ((text_of(r["p"]), v) for r in rows if (v := r["o"]) is not None),
                key=lambda pair: (pair[0], str(pair[1])),
            )
        )
        if not properties:
            continue
        files = sorted(pages.get(iri, []), key=_page_order)
        found[key] = Described(
            key=key,
            iri=iri,
            own=properties,
            parents=_parents(rows),
            media_types=tuple(dict.fromkeys(text_of(r["mediaType"]) for r in files)),
            pictures=tuple(dict.fromkeys(p for r in files if (p := text_of(r["picture"])))),
            has_text=iri in with_text,
            said=said.get(iri, ()),
            authorities=authorities,
            concepts=concepts,
        )
    return found


def _grouped(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[text_of(row["record"])].append(row)
    return found


def _page_order(row: Row) -> tuple[object, ...]:
    return (
        int(text_of(row["order"]) or 0), natural(text_of(row["fileName"])), text_of(row["file"]),
        int(text_of(row["sequence"]) or 0), text_of(row["page"]),
    )  # fmt: skip


def _parents(rows: Iterable[Row]) -> tuple[tuple[str, Literal | None], ...]:
    found: dict[str, Literal | None] = {}
    for row in rows:
        parent, title = text_of(row["parent"]), row["parentTitle"]
        if parent:
            found[parent] = title if isinstance(title, Literal) else found.get(parent)
    return tuple(sorted(found.items()))


def _merged(scope: Scope, things: set[NamedNode]) -> dict[str, str]:
    wanted = sorted(things, key=str)
    rows = scope.select_of("publishing/merged", "thing", wanted)
    return {text_of(row["thing"]): text_of(row["into"]) for row in rows}


def _standing(
    scope: Scope, things: set[str]
) -> tuple[set[tuple[str, str]], dict[str, tuple[str, ...]]]:
    """Return where a preferred claim stands (thing, statement), and links to authorities."""
    preferred: set[tuple[str, str]] = set()
    links: dict[str, set[str]] = defaultdict(set)
    wanted = [NamedNode(thing) for thing in sorted(things)]
    for row in scope.select_of("publishing/standing", "thing", wanted):
        thing, statement = text_of(row["thing"]), text_of(row["statement"])
        if row["rank"] == _PREFERRED:
            preferred.add((thing, statement))
        if local_name(statement) == "sameAsAuthority":
            links[thing].add(text_of(row["value"]))
    return preferred, {thing: tuple(sorted(found)) for thing, found in links.items()}


def _said(
    rows: Iterable[Row], preferred: set[tuple[str, str]], merged: Mapping[str, str]
) -> tuple[Said, ...]:
    """Return the claims that are projected: no deprecated ones, none beside a preferred one."""
    found = {}
    for row in rows:
        claim, statement = text_of(row["claim"]), text_of(row["statement"])
        subject = merged.get(text_of(row["subject"]), text_of(row["subject"]))
        beaten = row["rank"] != _PREFERRED and (subject, statement) in preferred
        if not claim or row["rank"] == _DEPRECATED or beaten:
            continue
        value, thing = row["value"], text_of(row["object"])
        found[claim] = Said(
            claim=claim,
            subject=subject,
            statement=statement,
            object=merged.get(thing, thing),
            value=value if isinstance(value, Literal) else None,
            verbatim=text_of(row["verbatim"]),
            entity_type=text_of(row["entityType"]),
            event_type=text_of(row["eventType"]),
        )
    return tuple(found[claim] for claim in sorted(found))


def _concepts(
    scope: Scope, own: Mapping[str, list[Row]], said: Mapping[str, tuple[Said, ...]]
) -> dict[str, Concept]:
    named = {s.event_type for claims in said.values() for s in claims if s.event_type}
    named |= {
        text_of(row["o"])
        for rows in own.values()
        for row in rows
        if text_of(row["o"]).startswith(_CONCEPTS)
        or local_name(text_of(row["p"])).startswith("has")
    }
    wanted = [NamedNode(iri) for iri in sorted(named) if iri.startswith(("http:", "https:"))]
    labels: dict[str, set[Literal]] = defaultdict(set)
    broader: dict[str, set[str]] = defaultdict(set)
    for row in scope.select_of("publishing/concepts", "concept", wanted):
        iri, label = text_of(row["concept"]), row["label"]
        if isinstance(label, Literal):
            labels[iri].add(label)
        if wider := text_of(row["broader"]):
            broader[iri].add(wider)
    return {
        iri: Concept(iri, tuple(sorted(found, key=str)), tuple(sorted(broader[iri])))
        for iri, found in labels.items()
    }
