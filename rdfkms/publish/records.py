"""The pages of records and record sets: hierarchy, files, pages and their passages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyoxigraph import NamedNode

from rdfkms.errors import NotFound
from rdfkms.ports import Row, Term
from rdfkms.publish.views import (
    Link,
    Scope,
    iri_of,
    key_in,
    literal_of,
    local_name,
    names_of,
    text_of,
)
from rdfkms.vocab import KMS, RICO

PAGES_SHOWN = 20
MOST_SIBLINGS = 2_000


@dataclass(frozen=True, slots=True)
class UnitLine:
    """A passage in a list: key, number, and its text."""

    key: str
    number: str
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class PageBlock:
    """One page of a record with its passages."""

    key: str
    label: str
    heading: str
    picture: str
    width: int
    height: int
    units: tuple[UnitLine, ...] = ()


@dataclass(frozen=True, slots=True)
class FileLine:
    """One source file of a record."""

    name: str
    media_type: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands among those of its set: number, of how many, and its neighbours."""

    number: int
    total: int
    previous: Link | None
    following: Link | None


@dataclass(frozen=True, slots=True)
class NamedKind:
    """What a record names of one kind, with the number of places where it does."""

    kind: str
    things: tuple[tuple[Link, int], ...]


@dataclass(frozen=True, slots=True)
class RecordView:
    """All that the page of a record or record set shows."""

    kind: str
    key: str
    iri: str
    title: str
    language: str
    access: str
    access_until: str
    facts: tuple[tuple[str, str], ...]
    parents: tuple[Link, ...]
    children: tuple[Link, ...]
    files: tuple[FileLine, ...]
    pages: tuple[PageBlock, ...]
    page_count: int
    offset: int
    iiif: str = ""  # path of its manifest or collection, where there are pictures
    place: Place | None = None
    named: tuple[NamedKind, ...] = ()
    originals: tuple[Link, ...] = ()  # described units that it is a scan of


def record(scope: Scope, kind: str, key: str, offset: int = 0) -> RecordView:
    """Return the view of a record or record set, with `PAGES_SHOWN` pages from `offset`."""
    thing = scope.base.iri(kind, key)
    rows = scope.select("pages/record", thing=thing)
    own = {p.value: row["o"] for row in rows if (p := iri_of(row["p"])) is not None}
    if RICO("title").value not in own:
        raise NotFound(f"There is no {kind} {key} here.", hint="Look under the collections.")
    title = literal_of(own.get(RICO("title").value))
    listed = scope.select("pages/record_pages", thing=thing) if kind == "record" else []
    blocks = _blocks(scope, listed)
    shown = blocks[offset : offset + PAGES_SHOWN]
    units = _units(scope, [scope.base.iri("inst", b.key) for b in shown])
    return RecordView(
        kind=kind,
        key=key,
        iri=thing.value,
        title=title.value if title is not None else f"{kind} {key[:8]}",
        language=(title.language or "") if title is not None else "",
        access=local_name(text_of(own.get(KMS("access").value))) or "open",
        access_until=text_of(own.get(KMS("accessUntil").value)),
        facts=_facts(own),
        parents=links_in(scope, rows, "parent", "parentTitle"),
        children=links_in(scope, rows, "child", "childTitle"),
        files=_files(listed),
        pages=tuple(
            PageBlock(b.key, b.label, b.heading, b.picture, b.width, b.height, units[b.key])
            for b in shown
        ),
        page_count=len(blocks),
        offset=offset,
        iiif=_iiif(scope, kind, key, blocks),
        place=_place(scope, thing),
        named=_named(scope, thing) if kind == "record" else (),
        originals=links_in(scope, rows, "original", "originalTitle"),
    )


def _place(scope: Scope, thing: NamedNode) -> Place | None:
    """Return where a record stands in the first of its sets, by title.

    None outside all sets, and among more than `MOST_SIBLINGS`, which are not sorted for one page.
    """
    counted = next(iter(scope.select("pages/sibling_count", thing=thing)), {})
    if int(text_of(counted.get("count")) or 0) > MOST_SIBLINGS:
        return None
    rows = scope.select("pages/siblings", thing=thing)
    if not rows:
        return None
    parent = min(text_of(row["parent"]) for row in rows)
    same = [row for row in rows if text_of(row["parent"]) == parent]
    around = links_in(scope, same, "sibling", "title")
    keys = [link.key for link in around]
    at = keys.index(key_in(scope, thing))
    return Place(
        at + 1,
        len(around),
        around[at - 1] if at else None,
        around[at + 1] if at + 1 < len(around) else None,
    )


def _named(scope: Scope, thing: NamedNode) -> tuple[NamedKind, ...]:
    counts = {
        named: int(text_of(row["count"]))
        for row in scope.select("pages/record_things", thing=thing)
        if (named := iri_of(row["named"])) is not None
    }
    links = names_of(scope, counts)
    by_kind: defaultdict[str, list[tuple[Link, int]]] = defaultdict(list)
    for named, count in counts.items():
        if named.value in links:
            by_kind[links[named.value].kind].append((links[named.value], count))
    return tuple(
        NamedKind(kind, tuple(sorted(by_kind[kind], key=lambda p: (natural(p[0].text), p[0].key))))
        for kind in sorted(by_kind)
    )


def _iiif(scope: Scope, kind: str, key: str, blocks: Sequence[PageBlock]) -> str:
    if kind == "recordset":
        sets = (key_in(scope, row["set"]) for row in scope.select("iiif/pictured_sets"))
        return f"/iiif/collection/{key}" if key in sets else ""
    return f"/iiif/manifest/{key}" if any(b.picture for b in blocks) else ""


def pages_of(scope: Scope, key: str) -> list[PageBlock]:
    """Return the pages of a record in order, without their passages; none for no such record."""
    return _blocks(scope, scope.select("pages/record_pages", thing=scope.base.iri("record", key)))


def _facts(own: Mapping[str, Term | None]) -> tuple[tuple[str, str], ...]:
    shown = (("profile", KMS("profile")), ("type", RICO("hasRecordSetType")))
    facts = [
        (label, local_name(text_of(own[term.value]))) for label, term in shown if term.value in own
    ]
    use = text_of(own.get(RICO("conditionsOfUse").value))
    if use:
        facts.append(("use", use))
    if text_of(own.get(KMS("personalData").value)) == "true":
        facts.append(("personal data", "yes"))
    return tuple(facts)


def links_in(scope: Scope, rows: Sequence[Row], name: str, title: str) -> tuple[Link, ...]:
    """Return links to the things in one column of rows, with the titles in another."""
    found = {}
    for row in rows:
        parts = scope.base.split(text_of(row[name]))
        if parts:
            label = literal_of(row[title])
            text = label.value if label is not None else f"{parts[0]} {parts[1][:8]}"
            found[parts] = Link(*parts, text, (label.language or "") if label is not None else "")
    return tuple(sorted(found.values(), key=lambda link: natural(link.text)))


def natural(text: str) -> tuple[tuple[bool, int, str], ...]:
    """Return a sort key in which ``p10`` follows ``p9``."""
    pieces = re.split(r"(\d+)", text.casefold())
    return tuple((p.isdigit(), int(p) if p.isdigit() else 0, p) for p in pieces if p)


def _files(rows: Sequence[Row]) -> tuple[FileLine, ...]:
    found = {
        text_of(row["file"]): FileLine(
            text_of(row["fileName"]),
            text_of(row["mediaType"]),
            int(text_of(row["size"]) or 0),
            text_of(row["sha256"]),
        )
        for row in sorted(rows, key=lambda r: (_file_order(r), text_of(r["file"])))
    }
    return tuple(found.values())


def _file_order(row: Row) -> tuple[object, ...]:
    return (int(text_of(row["order"]) or 0), natural(text_of(row["fileName"])))


def _blocks(scope: Scope, rows: Sequence[Row]) -> list[PageBlock]:
    """Return the pages in order: by file, then by number within the file."""
    ordered = sorted(
        (row for row in rows if row["page"] is not None),
        key=lambda r: (_file_order(r), int(text_of(r["sequence"]) or 0)),
    )
    blocks = {
        key_in(scope, row["page"]): PageBlock(
            key=key_in(scope, row["page"]),
            label=text_of(row["label"]) or text_of(row["sequence"]),
            heading=text_of(row["heading"]),
            picture=text_of(row["picture"]),
            width=int(text_of(row["width"]) or 0),
            height=int(text_of(row["height"]) or 0),
        )
        for row in ordered
    }
    return list(blocks.values())


def _units(scope: Scope, pages: Sequence[NamedNode]) -> dict[str, tuple[UnitLine, ...]]:
    found: dict[str, dict[str, tuple[int, UnitLine]]] = defaultdict(dict)
    rows = scope.select_of("pages/page_units", "page", pages)
    # A newer transcription is numbered below those that it replaced, and is shown.
    for row in sorted(rows, key=lambda r: int(text_of(r["reading"]) or 0)):
        text, ordinal = literal_of(row["text"]), int(text_of(row["ordinal"]) or 0)
        number, unit = text_of(row["number"]), key_in(scope, row["unit"])
        if text is not None:
            line = UnitLine(unit, number or str(ordinal), text.value, text.language or "")
            found[key_in(scope, row["page"])].setdefault(unit, (ordinal, line))
    return defaultdict(
        tuple,
        {page: tuple(u for _, u in sorted(by.values(), key=lambda p: (p[0], p[1].key)))
         for page, by in found.items()},
    )  # fmt: skip
