"""Things without a page form of their own: bare properties, tombstones, parts of something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode, Triple

from rdfkms import queries
from rdfkms.errors import NotFound
from rdfkms.knowledge import words
from rdfkms.knowledge.mapping import EVENT_SEGMENT
from rdfkms.model import Ref
from rdfkms.ports import Row
from rdfkms.publish.views import (
    TYPE,
    Link,
    Scope,
    concept_label,
    forms_for,
    humanise,
    iri_of,
    link_of,
    local_name,
    names_of,
    text_of,
)
from rdfkms.vocab import KMS, RDFS

LABEL = RDFS("label")


@dataclass(frozen=True, slots=True)
class Tombstone:
    """What is left of a withdrawn thing: the kind of reason and the day."""

    reason: str
    date: str


@dataclass(frozen=True, slots=True)
class Property:
    """One property: its name in words, the link or text it has."""

    label: str
    iri: str
    link: Link | None
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class ThingView:
    """The bare properties of a thing."""

    ref: Ref
    iri: str
    title: str
    properties: tuple[Property, ...]
    leads_to: Link | None


def thing(scope: Scope, ref: Ref) -> ThingView:
    """Return the bare view of anything in the reader's graphs; `NotFound`."""
    iri = scope.base.iri(ref.kind, ref.key)
    own = [row for row in scope.select("pages/thing", thing=iri) if row["p"] is not None]
    if not own:
        raise NotFound(
            f"There is no {ref.kind} {ref.key} here.", hint="Search for its name instead."
        )
    owner = next((r["owner"] for r in scope.select("pages/owner", thing=iri)), None)
    links = names_of(scope, [o for row in own if (o := iri_of(row["o"])) is not None])
    parts = scope.base.split(text_of(owner))
    return ThingView(
        ref=ref,
        iri=iri.value,
        title=f"{humanise(ref.kind)} {ref.key[:8]}",
        properties=tuple(sorted((_property(row, links) for row in own), key=_order)),
        leads_to=Link(*parts, "") if parts else None,
    )


def _order(item: Property) -> tuple[str, str]:
    return (item.label, item.link.text if item.link is not None else item.text)


def _property(row: Row, links: dict[str, Link]) -> Property:
    o = row["o"]
    language = (o.language or "") if isinstance(o, Literal) else ""
    link = links.get(text_of(o)) if isinstance(o, NamedNode) else None
    return Property(
        humanise(local_name(text_of(row["p"]))), text_of(row["p"]), link, text_of(o), language
    )


def tombstone(scope: Scope, ref: Ref) -> Tombstone | None:
    """Return what is left of a withdrawn thing, None for any other."""
    own = scope.select("pages/thing", thing=scope.base.iri(ref.kind, ref.key))
    if not any(row["p"] == TYPE and row["o"] == KMS("Tombstone") for row in own):
        return None
    values = {local_name(text_of(row["p"])): text_of(row["o"]) for row in own}
    reason = _reason(scope, values.get("withdrawalReason", ""))
    return Tombstone(reason, values.get("date", ""))


def _reason(scope: Scope, iri: str) -> str:
    return concept_label(scope, NamedNode(iri)) if ":" in iri else humanise(local_name(iri))


def exists(scope: Scope, ref: Ref) -> bool:
    """Return whether the reader's graphs say anything about the thing."""
    iri = scope.base.iri(ref.kind, ref.key)
    return bool(scope.select("pages/thing", thing=iri))


def document(scope: Scope, ref: Ref) -> list[Triple]:
    """Return the data document of a thing, from the reader's graphs alone; `NotFound`.

    Labels travel with it: what it links to, and the concepts it uses, have an `rdfs:label`.
    """
    iri = scope.base.iri(ref.kind, ref.key)
    text = queries.text("pages/document")
    found = list(scope.store.construct(text, {"thing": iri}, scope.graphs))
    if not found:
        raise NotFound(f"There is no {ref.kind} {ref.key} here.")
    return [*found, *_labels(scope, found)]


def _labels(scope: Scope, found: Sequence[Triple]) -> Iterator[Triple]:
    """Yield the names of the things in a document, and the labels of concepts in all languages."""
    nodes = {t.object for t in found} | {t.subject for t in found}
    named = sorted({n for n in nodes if isinstance(n, NamedNode)}, key=lambda n: n.value)
    kinds = {rule.kind for rule in scope.mapping.entities.values()} | {EVENT_SEGMENT}
    things = [n for n in named if (scope.base.split(n.value) or ("",))[0] in kinds]
    for iri, forms in sorted(forms_for(scope, things).items()):
        shown = link_of(scope, iri, forms)
        yield Triple(NamedNode(iri), LABEL, Literal(shown.text, language=shown.language or None))
    for node in named:
        for language, text in words.labels(node):
            yield Triple(node, LABEL, Literal(text, language=language))
