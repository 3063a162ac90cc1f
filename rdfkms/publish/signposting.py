"""Typed links that lead machines from a page to its data (Signposting; link sets by RFC 9264)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rdfkms.errors import NotFound
from rdfkms.model import Ref
from rdfkms.publish import negotiation
from rdfkms.publish.schemaorg import SCHEMA, type_of
from rdfkms.publish.views import Scope, text_of
from rdfkms.vocab import KMS

LINKSET = negotiation.Format("JSON", "json", ("application/linkset+json", "application/json"))
LINKSET_TEXT = negotiation.Format("Text", "txt", ("application/linkset",))
IN_HEADER = 10  # items that stand in the header; a link set has all


@dataclass(frozen=True, slots=True)
class TypedLink:
    """One link from an anchor: relation, target, and the media type of the target."""

    anchor: str
    rel: str
    href: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Signs:
    """What the links are made of: the address of the service and the licence."""

    root: str
    license: str = ""


def links(scope: Scope, ref: Ref, signs: Signs) -> list[TypedLink]:
    """Return the links of a thing's page and of its data documents.

    Raises `NotFound` where the scope says nothing of it, or only that it was withdrawn.
    """
    iri = scope.base.iri(ref.kind, ref.key)
    rows = scope.select("dataset/links", thing=iri)
    types = {row["type"] for row in rows} - {None}
    if not types or KMS("Tombstone") in types:
        raise NotFound(f"There is no {ref.kind} {ref.key} here.", hint="Search for its name.")
    page, linkset = f"{signs.root}/page/{ref.path}", f"{signs.root}/linkset/{ref.path}"
    found = [
        TypedLink(page, "cite-as", iri.value),
        TypedLink(page, "type", f"{SCHEMA}AboutPage"),
        TypedLink(page, "type", SCHEMA + type_of(ref.kind)),
    ]
    if signs.license:
        found.append(TypedLink(page, "license", signs.license))
    for form in (LINKSET, LINKSET_TEXT):
        found.append(TypedLink(page, "linkset", f"{linkset}.{form.extension}", form.media_type))
    data = [(f"{signs.root}/data/{ref.path}.{f.extension}", f.media_type) for f in negotiation.DATA]
    found += [TypedLink(page, "describedby", href, kind) for href, kind in data]
    found += [TypedLink(href, "describes", page, "text/html") for href, _ in data]
    for row in rows:
        for rel in ("collection", "item"):
            parts = scope.base.split(text_of(row[rel]))
            if parts:
                href = f"{signs.root}/page/{parts[0]}/{parts[1]}"
                found.append(TypedLink(page, rel, href, "text/html"))
        if row["picture"] is not None:
            href = f"{signs.root}/picture/{text_of(row['picture'])}.jpg"
            found.append(TypedLink(page, "item", href, "image/jpeg"))
    return sorted(dict.fromkeys(found), key=lambda link: (link.anchor != page, link.rel))


def of_page(found: Iterable[TypedLink], page: str) -> list[TypedLink]:
    """Return the links that stand in the header of the page: not all items of a large thing."""
    own = [link for link in found if link.anchor == page]
    items = [link for link in own if link.rel == "item"]
    left_out = set(items[IN_HEADER:])
    return [link for link in own if link not in left_out]


def header(found: Iterable[TypedLink]) -> str:
    """Return the value of a Link header (RFC 8288)."""
    return ", ".join(_one(link, anchored=False) for link in found)


def text(found: Iterable[TypedLink]) -> str:
    """Return a link set in the form of RFC 9264, section 4.1."""
    return ",\n".join(_one(link, anchored=True) for link in found) + "\n"


def _one(link: TypedLink, *, anchored: bool) -> str:
    parts = [f"<{_safe(link.href)}>", f'rel="{link.rel}"']
    if link.type:
        parts.append(f'type="{link.type}"')
    if anchored:
        parts.append(f'anchor="{_safe(link.anchor)}"')
    return "; ".join(parts)


def _safe(address: str) -> str:
    """Return an address without what could end it or the header."""
    return address.translate({ord(c): f"%{ord(c):02X}" for c in '<>"\r\n\t ,;'})


def json_document(found: Sequence[TypedLink]) -> dict[str, Any]:
    """Return a link set in the form of RFC 9264, section 4.2."""
    contexts: dict[str, dict[str, Any]] = {}
    for link in found:
        context = contexts.setdefault(link.anchor, {"anchor": link.anchor})
        target = {"href": link.href} | ({"type": link.type} if link.type else {})
        context.setdefault(link.rel, []).append(target)
    return {"linkset": list(contexts.values())}
