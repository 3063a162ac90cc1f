"""Every place where a thing is named, in its context and in the order of records and pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyoxigraph import Literal

from rdfkms.model import Ref
from rdfkms.publish.views import Evidence, Scope, evidence_of, local_name, text_of

PAGE = 50  # as the LIMIT in sparql/pages/mentions.rq


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where the thing is named."""

    evidence: Evidence
    status: str


@dataclass(frozen=True, slots=True)
class Mentions:
    """A page of mentions, how many there are in how many records, and the key of the next page."""

    shown: tuple[Mention, ...]
    total: int
    records: int
    next: str


def mentions(scope: Scope, ref: Ref, after: str = "") -> Mentions:
    """Return the mentions of a thing after a sort key; none where the reader may see none."""
    thing = scope.base.iri(ref.kind, ref.key)
    rows = scope.select("pages/mentions", thing=thing, after=Literal(after))
    counts = next(iter(scope.select("pages/mention_count", thing=thing)), {})
    shown = tuple(Mention(evidence_of(scope, r), local_name(text_of(r["status"]))) for r in rows)
    return Mentions(
        shown=shown,
        total=int(text_of(counts.get("mentions")) or 0),
        records=int(text_of(counts.get("records")) or 0),
        next=text_of(rows[-1]["order"]) if len(rows) >= PAGE else "",
    )


def every(scope: Scope, ref: Ref) -> Iterator[Mention]:
    """Yield all mentions of a thing, a page at a time."""
    after = ""
    while True:
        page = mentions(scope, ref, after)
        yield from page.shown
        if not page.next:
            return
        after = page.next
