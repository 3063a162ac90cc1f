"""Under which conditions the records may be read and used on which the page of a thing rests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rdfkms.publish.records import natural
from rdfkms.publish.views import Evidence, Link, Scope, key_in, literal_of, local_name, text_of


@dataclass(frozen=True, slots=True)
class Source:
    """A record that is quoted: how often, who may read it, how it may be used."""

    record: Link
    quotes: int
    access: str
    until: str
    use: str
    personal: bool


def sources(scope: Scope, evidences: Iterable[Evidence]) -> tuple[Source, ...]:
    """Return the records of these quotes in order of their titles. One query."""
    counts = Counter(one.record for one in evidences)
    records = [scope.base.iri("record", key) for key in sorted(counts)]
    found = {}
    for row in scope.select_of("pages/rights", "record", records):
        key, title = key_in(scope, row["record"]), literal_of(row["title"])
        link = Link("record", key, text_of(title), (title.language or "") if title else "")
        found[key] = Source(
            record=link,
            quotes=counts[key],
            access=local_name(text_of(row["access"])) or "open",
            until=text_of(row["until"]),
            use=text_of(row["use"]),
            personal=text_of(row["personal"]) == "true",
        )
    return tuple(sorted(found.values(), key=lambda s: (natural(s.record.text), s.record.key)))
