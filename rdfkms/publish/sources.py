"""The pages of records, record sets and passages (evidence units)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyoxigraph import NamedNode

from rdfkms.errors import NotFound
from rdfkms.ingest import wordsfile
from rdfkms.ledger.archive import Archive
from rdfkms.model import Box
from rdfkms.ports import Row, Term
from rdfkms.publish.views import (
    NAMED_AS,
    ClaimRow,
    Link,
    Scope,
    claim_rows,
    iri_of,
    key_in,
    literal_of,
    local_name,
    names_of,
    statement_label,
    text_of,
)
from rdfkms.vocab import KMS, RICO

PAGES_SHOWN = 20


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


def record(scope: Scope, kind: str, key: str, offset: int = 0) -> RecordView:
    """Return the view of a record or record set, with `PAGES_SHOWN` pages from `offset`."""
    thing = scope.base.iri(kind, key)
    rows = scope.select("pages/record", thing=thing)
    own = {p.value: row["o"] for row in rows if (p := iri_of(row["p"])) is not None}
    if not own:
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
        parents=_links(scope, rows, "parent", "parentTitle"),
        children=_links(scope, rows, "child", "childTitle"),
        files=_files(listed),
        pages=tuple(
            PageBlock(b.key, b.label, b.heading, b.picture, b.width, b.height, units[b.key])
            for b in shown
        ),
        page_count=len(blocks),
        offset=offset,
    )


def _facts(own: Mapping[str, Term | None]) -> tuple[tuple[str, str], ...]:
    shown = (("profile", KMS("profile")), ("type", RICO("hasRecordSetType")))
    return tuple(
        (label, local_name(text_of(own[term.value]))) for label, term in shown if term.value in own
    )


def _links(scope: Scope, rows: Sequence[Row], name: str, title: str) -> tuple[Link, ...]:
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
    for row in scope.select_of("pages/page_units", "page", pages):
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


@dataclass(frozen=True, slots=True)
class VersionText:
    """The passage in one version and view."""

    key: str
    text: str
    language: str
    view: str
    start: int
    end: int
    version: str
    origin: str
    layout: str
    run: str


@dataclass(frozen=True, slots=True)
class Place:
    """A page that the passage stands on, the passage's frame, and the frames of a quote."""

    page: str
    picture: str
    width: int
    height: int
    frame: Box | None
    fragment: str
    words: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """A claim that quotes the passage."""

    claim: str
    label: str
    subject: Link
    object: Link | None
    value: str
    status: str
    pointers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnitView:
    """All that the evidence page shows."""

    key: str
    iri: str
    record: Link
    sets: tuple[Link, ...]
    facts: dict[str, str]
    flags: tuple[str, ...]
    texts: tuple[VersionText, ...]
    places: tuple[Place, ...]
    claims: tuple[ClaimLine, ...]
    previous: str
    following: str
    marked: VersionText
    start: int
    end: int


def unit(scope: Scope, archive: Archive, key: str, claim: str = "", pointer: str = "") -> UnitView:
    """Return the view of a passage; with a claim and pointer, that quote is marked and framed."""
    thing = scope.base.iri("evidence", key)
    rows = scope.select("pages/unit", unit=thing)
    texts = _texts(scope, scope.select("pages/unit_texts", unit=thing))
    if not rows or not texts:
        raise NotFound(f"There is no passage {key} here.", hint="Search for words of it.")
    placed = scope.select("pages/unit_places", unit=thing)
    marked, start, end = _quote(scope, texts, claim, pointer)
    words = word_boxes(archive, marked.layout, marked.start + start, marked.start + end)
    places = tuple(
        Place(p.page, p.picture, p.width, p.height, p.frame, p.fragment, words if i == 0 else ())
        for i, p in enumerate(_places(scope, placed))
    )
    around = _neighbours(scope, placed)
    here = around.index(key) if key in around else -1
    said = claim_rows(scope, scope.select("pages/unit_claims", unit=thing))
    holders = _links(scope, rows, "record", "title")
    own = [(p, row["o"]) for row in rows if (p := iri_of(row["p"])) is not None]
    shown = ("pageLabel", "passageNumber", "section", "juan", "modality", "language")
    return UnitView(
        key=key,
        iri=thing.value,
        record=holders[0] if holders else Link("record", "", "record"),
        sets=_links(scope, rows, "set", "setTitle"),
        facts={n: local_name(text_of(o)) for n in shown for p, o in own if p == KMS(n)},
        flags=tuple(sorted(local_name(text_of(o)) for p, o in own if p == KMS("qualityFlag"))),
        texts=texts,
        places=places,
        claims=_claim_lines(scope, said),
        previous=around[here - 1] if here > 0 else "",
        following=around[here + 1] if -1 < here < len(around) - 1 else "",
        marked=marked,
        start=start,
        end=end,
    )


def _texts(scope: Scope, rows: Sequence[Row]) -> tuple[VersionText, ...]:
    found: dict[str, VersionText] = {}
    for row in rows:
        text = literal_of(row["text"])
        if text is None:
            continue
        item = VersionText(
            key=key_in(scope, row["unitText"]),
            text=text.value,
            language=text.language or "",
            view=local_name(text_of(row["view"])),
            start=int(text_of(row["start"])),
            end=int(text_of(row["end"])),
            version=key_in(scope, row["version"]),
            origin=text_of(row["origin"]) or "text",
            layout=text_of(row["layout"]),
            run=key_in(scope, row["run"]),
        )
        found.setdefault(item.key, item)
    return tuple(sorted(found.values(), key=lambda t: (t.view != "raw", t.origin, t.key)))


def _places(scope: Scope, rows: Sequence[Row]) -> list[Place]:
    found: dict[tuple[str, str], Place] = {}
    for row in rows:
        page, fragment = key_in(scope, row["page"]), text_of(row["fragment"])
        found.setdefault(
            (page, fragment),
            Place(
                page=page,
                picture=text_of(row["picture"]),
                width=int(text_of(row["width"]) or 0),
                height=int(text_of(row["height"]) or 0),
                frame=box_of(fragment),
                fragment=fragment,
            ),
        )
    return [found[k] for k in sorted(found)]


def _neighbours(scope: Scope, rows: Sequence[Row]) -> list[str]:
    """Return the keys of the passages on the same pages, in order."""
    order = {
        key_in(scope, row["neighbour"]): int(text_of(row["ordinal"]))
        for row in rows
        if row["neighbour"] is not None
    }
    return sorted(order, key=lambda k: (order[k], k))


def _quote(
    scope: Scope, texts: Sequence[VersionText], claim: str, pointer: str
) -> tuple[VersionText, int, int]:
    """Return the text to show and the quote's offsets in it; (0, 0) without a quote."""
    if claim:
        rows = scope.select("pages/pointer_places", claim=scope.base.iri("claim", claim))
        for row in rows:
            if not pointer or text_of(row["pointer"]).endswith(f"#{pointer}"):
                for text in texts:
                    if text.key == key_in(scope, row["unitText"]):
                        return text, int(text_of(row["start"])), int(text_of(row["end"]))
    return texts[0], 0, 0


def _claim_lines(scope: Scope, claims: Sequence[ClaimRow]) -> tuple[ClaimLine, ...]:
    named = {t for c in claims for t in (c.subject, c.object) if t is not None}
    links = names_of(scope, named)
    return tuple(
        ClaimLine(
            claim=c.key,
            label=statement_label(scope, c),
            subject=links.get(c.subject.value, Link("", "", local_name(c.subject))),
            object=links.get(c.object.value) if c.object is not None else None,
            value=c.value.value if c.value is not None else "",
            status=c.status,
            pointers=c.pointers,
        )
        for c in sorted(claims, key=lambda c: (c.predicate == NAMED_AS, statement_label(scope, c)))
    )


def box_of(fragment: str) -> Box | None:
    """Return the box of an ``xywh=`` fragment, or None for any other."""
    found = re.fullmatch(r"xywh=(?:pixel:)?(\d{1,7}),(\d{1,7}),(\d{1,7}),(\d{1,7})", fragment)
    return Box(*(int(n) for n in found.groups())) if found else None


def word_boxes(archive: Archive, layout: str, start: int, end: int) -> tuple[Box, ...]:
    """Return the boxes of a stretch of a version, line by line, from its words file."""
    if not layout or start >= end:
        return ()
    _, words = wordsfile.load(archive.read(layout))
    return wordsfile.boxes_of(words, start, end)
