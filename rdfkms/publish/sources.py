"""The page of a passage (evidence unit): its texts, its place on the page, what was read in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rdfkms.errors import NotFound
from rdfkms.ingest import wordsfile
from rdfkms.ledger.archive import Archive
from rdfkms.model import Box
from rdfkms.ports import Row
from rdfkms.publish.records import links_in
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
from rdfkms.retrieval.searching import matches
from rdfkms.vocab import KMS


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
    page: str = ""
    order: int = 0


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
class MachineText:
    """What a program wrote about the passage: never evidence."""

    kind: str
    text: str
    language: str
    run: str
    maker: str


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
    shown: VersionText
    pieces: tuple[tuple[str, bool], ...]
    machine: tuple[MachineText, ...] = ()


def unit(
    scope: Scope, archive: Archive, key: str, claim: str = "", pointer: str = "", question: str = ""
) -> UnitView:
    """Return the view of a passage.

    With a claim (and pointer) that quote is marked and framed, else the words of the question.
    """
    thing = scope.base.iri("evidence", key)
    rows = scope.select("pages/unit", unit=thing)
    texts = _texts(scope, scope.select("pages/unit_texts", unit=thing))
    if not rows or not texts:
        raise NotFound(f"There is no passage {key} here.", hint="Search for words of it.")
    placed = scope.select("pages/unit_places", unit=thing)
    text, spans = _marked(scope, texts, claim, pointer, question)
    words = span_boxes(archive, text.layout, text.start, spans)
    places = tuple(
        Place(p.page, p.picture, p.width, p.height, p.frame, p.fragment, words if i == 0 else ())
        for i, p in enumerate(_places(scope, placed, text.page))
    )
    around = _neighbours(scope, placed)
    here = around.index(key) if key in around else -1
    said = claim_rows(scope, scope.select("pages/unit_claims", unit=thing))
    holders = links_in(scope, rows, "record", "title")
    own = [(p, row["o"]) for row in rows if (p := iri_of(row["p"])) is not None]
    shown = ("pageLabel", "passageNumber", "section", "juan", "modality", "language")
    return UnitView(
        key=key,
        iri=thing.value,
        record=holders[0] if holders else Link("record", "", "record"),
        sets=links_in(scope, rows, "set", "setTitle"),
        facts={n: local_name(text_of(o)) for n in shown for p, o in own if p == KMS(n)},
        flags=tuple(sorted(local_name(text_of(o)) for p, o in own if p == KMS("qualityFlag"))),
        texts=texts,
        places=places,
        claims=_claim_lines(scope, said),
        previous=around[here - 1] if here > 0 else "",
        following=around[here + 1] if -1 < here < len(around) - 1 else "",
        shown=text,
        pieces=marked_pieces(text.text, spans),
        machine=_machine(scope, scope.select("pages/unit_enrichments", unit=thing)),
    )


def _machine(scope: Scope, rows: Sequence[Row]) -> tuple[MachineText, ...]:
    found = {}
    for row in rows:
        text, kind = literal_of(row["text"]), text_of(row["kind"])
        if text is not None:
            maker = " ".join(p for p in (text_of(row["maker"]), text_of(row["version"])) if p)
            run = key_in(scope, row["run"])
            found[kind] = MachineText(kind, text.value, text.language or "", run, maker)
    order = ("title", "summary", "keywords")
    return tuple(found[kind] for kind in order if kind in found)


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
            page=key_in(scope, row["ofPage"]),
            order=int(text_of(row["number"]) or 0),
        )
        found.setdefault(item.key, item)
    return tuple(sorted(found.values(), key=lambda t: (t.view != "raw", t.order, t.key)))


def _places(scope: Scope, rows: Sequence[Row], first: str) -> list[Place]:
    """Return the places of a passage, those on the page that the shown text was read from first."""
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
    return [found[k] for k in sorted(found, key=lambda k: (k[0] != first, k))]


def _neighbours(scope: Scope, rows: Sequence[Row]) -> list[str]:
    """Return the keys of the passages on the same pages, in order."""
    order = {
        key_in(scope, row["neighbour"]): int(text_of(row["ordinal"]))
        for row in rows
        if row["neighbour"] is not None
    }
    return sorted(order, key=lambda k: (order[k], k))


def _marked(
    scope: Scope, texts: Sequence[VersionText], claim: str, pointer: str, question: str
) -> tuple[VersionText, list[tuple[int, int]]]:
    """Return the text to show and what to mark in it: a claim's quote or words of a question."""
    if claim:
        rows = scope.select("pages/pointer_places", claim=scope.base.iri("claim", claim))
        for row in rows:
            if not pointer or text_of(row["pointer"]).endswith(f"#{pointer}"):
                for text in texts:
                    if text.key == key_in(scope, row["unitText"]):
                        return text, [(int(text_of(row["start"])), int(text_of(row["end"])))]
    return texts[0], matches(question, texts[0].text) if question else []


def marked_pieces(text: str, spans: Sequence[tuple[int, int]]) -> tuple[tuple[str, bool], ...]:
    """Return the text in pieces, each with whether it lies in one of the (sorted) spans."""
    pieces, at = [], 0
    for start, end in spans:
        pieces += [(text[at:start], False), (text[max(at, start) : end], True)]
        at = max(at, end)
    pieces.append((text[at:], False))
    return tuple(piece for piece in pieces if piece[0])


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


def span_boxes(
    archive: Archive, layout: str, origin: int, spans: Sequence[tuple[int, int]]
) -> tuple[Box, ...]:
    """Return the boxes of stretches of a unit's text, line by line, from the version's words.

    `origin` is where the unit's text begins in the version.
    """
    if not layout or not spans:
        return ()
    _, words = wordsfile.load(archive.read(layout))
    return tuple(
        box
        for start, end in spans
        if start < end
        for box in wordsfile.boxes_of(words, origin + start, origin + end)
    )
