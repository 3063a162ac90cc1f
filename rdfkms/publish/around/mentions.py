"""Every place where a thing is named, in its context and in the order of records and pages."""

from __future__ import annotations

from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from rdfkms.model import Ref
from rdfkms.ports import Row
from rdfkms.publish.views import Evidence, Scope, evidence_of, iri_of, local_name, text_of

PAGE = 50  # as the LIMIT in sparql/pages/mentions.rq


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where the thing is named."""

    evidence: Evidence
    status: str
    rank: str


@dataclass(frozen=True, slots=True)
class Mentions:
    """A page of mentions, how many there are in how many records, and the key of the next page."""

    shown: tuple[Mention, ...]
    total: int
    records: int
    next: str


def mentions(scope: Scope, ref: Ref, after: str = "") -> Mentions:
    """Return the mentions of a thing after a sort key; none where the reader may see none."""
    ones = circle(scope, ref)
    rows = scope.select_of("pages/mentions", "one", ones, after=Literal(after))
    counts = next(iter(scope.select_of("pages/mention_count", "one", ones)), {})
    return Mentions(
        shown=tuple(_mention(scope, row) for row in rows),
        total=int(text_of(counts.get("mentions")) or 0),
        records=int(text_of(counts.get("records")) or 0),
        next=text_of(rows[-1]["order"]) if len(rows) >= PAGE else "",
    )


def every(scope: Scope, ref: Ref) -> list[Mention]:
    """Return all mentions of a thing. Two queries, however many there are."""
    rows = scope.select_of("pages/all_mentions", "one", circle(scope, ref))
    return [_mention(scope, row) for row in rows]


def circle(scope: Scope, ref: Ref) -> list[NamedNode]:
    """Return a thing and what was merged into it: what claims about it may call it."""
    thing = scope.base.iri(ref.kind, ref.key)
    merged = {m for r in scope.select("pages/became", thing=thing) if (m := iri_of(r["merged"]))}
    return [thing, *sorted(merged - {thing}, key=lambda one: one.value)]


def _mention(scope: Scope, row: Row) -> Mention:
    rank = local_name(text_of(row["rank"])) or "normal"
    return Mention(evidence_of(scope, row), local_name(text_of(row["status"])), rank)
