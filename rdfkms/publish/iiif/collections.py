"""Collections: record sets and the records outside them, long ones in parts (Presentation 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rdfkms.errors import NotFound
from rdfkms.ports import Row
from rdfkms.publish.iiif.presentation import provider, thumbnail
from rdfkms.publish.iiif.terms import PRESENTATION, Addresses, Json, label, said
from rdfkms.publish.records import PageBlock, natural
from rdfkms.publish.views import Scope, key_in, literal_of, text_of

TOP = "top"
PART = 250  # members of one document


@dataclass(frozen=True, slots=True)
class Member:
    """A record set or a pictured record in a collection."""

    key: str
    title: str
    language: str
    is_set: bool
    picture: PageBlock | None = None


def collection(scope: Scope, at: Addresses, title: str, key: str, part: int = 0) -> Json:
    """Return the collection of a record set, or the top one; `NotFound` for none or no such part.

    One with more than `PART` members leads to its parts.
    """
    sets = scope.select("iiif/pictured_sets")
    own = next((row for row in sets if key_in(scope, row["set"]) == key), None)
    if key != TOP and own is None:
        raise NotFound(
            "There is no such collection of records with pictures here.",
            hint="Begin at /iiif/collection/top.",
        )
    members = _members(scope, sets, key)
    last = -(-len(members) // PART)
    if part and not (last > 1 and part <= last):
        raise NotFound("This collection has no such part.", hint=f"Begin at {at.collection(key)}.")
    name = literal_of(own["title"]) if own is not None else None
    named = said(name.value, name.language or "") if name is not None else label("all")
    made: Json = {
        "@context": PRESENTATION,
        "id": at.collection(key, part),
        "type": "Collection",
        "label": label("part", *_span(part, len(members))) if part else named,
        "requiredStatement": {"label": label("held_by"), "value": said(title)},
        "provider": [provider(at, title)],
    }
    if part:
        made["partOf"] = [{"id": at.collection(key), "type": "Collection", "label": named}]
    elif own is not None:
        above = key_in(scope, own["parent"]) or TOP
        made["partOf"] = [{"id": at.collection(above), "type": "Collection"}]
    if last > 1 and not part:
        made["items"] = [
            {
                "id": at.collection(key, number),
                "type": "Collection",
                "label": label("part", *_span(number, len(members))),
            }
            for number in range(1, last + 1)
        ]
    else:
        first = max(part - 1, 0) * PART
        made["items"] = [_item(at, member) for member in members[first : first + PART]]
    return made


def _span(part: int, count: int) -> tuple[int, int]:
    return (part - 1) * PART + 1, min(part * PART, count)


def _members(scope: Scope, sets: Sequence[Row], key: str) -> list[Member]:
    """Return the sets, then the records of a collection, each by title."""
    above = "" if key == TOP else key
    inside = {
        key_in(scope, row["set"]): _member(scope, row, "set")
        for row in sets
        if key_in(scope, row["parent"]) == above
    }
    if key == TOP:
        rows = scope.select("iiif/loose_records")
    else:
        here = scope.base.iri("recordset", key)
        rows = scope.select_of("iiif/pictured_records", "set", [here])
    held = {key_in(scope, row["record"]): _member(scope, row, "record") for row in rows}
    found = [*inside.values(), *held.values()]
    return sorted(found, key=lambda m: (not m.is_set, natural(m.title), m.key))


def _member(scope: Scope, row: Row, name: str) -> Member:
    title, key = literal_of(row["title"]), key_in(scope, row[name])
    picture = None
    if row.get("picture") is not None:
        size = (int(text_of(row["width"])), int(text_of(row["height"])))
        picture = PageBlock("", "", "", text_of(row["picture"]), *size)
    return Member(
        key,
        title.value if title is not None else key,
        (title.language or "") if title is not None else "",
        name == "set",
        picture,
    )


def _item(at: Addresses, member: Member) -> Json:
    named = said(member.title, member.language)
    if member.is_set:
        return {"id": at.collection(member.key), "type": "Collection", "label": named}
    made: Json = {"id": at.manifest(member.key), "type": "Manifest", "label": named}
    if member.picture is not None:
        made["thumbnail"] = [thumbnail(member.picture, at)]
    return made
