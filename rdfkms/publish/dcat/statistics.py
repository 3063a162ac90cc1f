"""What the public graph holds, counted by SPARQL (VoID, section 4.6; W3C Interest Group Note)."""

from __future__ import annotations

from dataclasses import dataclass

from rdfkms.access import ANONYMOUS
from rdfkms.knowledge.mapping import Mapping
from rdfkms.ledger.ledger import Ledger
from rdfkms.publish.views import Scope, scope_of, text_of

Counted = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of one revision; IRIs with counts are sorted by count, then by IRI."""

    revision: int
    first: str  # times of the first and the newest row of the journal
    last: str
    statements: int
    subjects: int
    objects: int
    classes: Counted
    properties: Counted
    languages: tuple[str, ...]  # of passages, the most frequent first


def count(ledger: Ledger, mapping: Mapping, revision: int) -> Statistics:
    """Return the statistics of what anyone may read."""
    scope = scope_of(ledger.store, ledger.base, mapping, ANONYMOUS)
    totals = scope.select("dataset/totals")[0]
    journal = ledger.journal
    oldest = next(iter(journal.entries(payload=False)), None)
    newest = next(iter(journal.entries(payload=False, descending=True)), None)
    return Statistics(
        revision=revision,
        first=oldest.time if oldest is not None else "",
        last=newest.time if newest is not None else "",
        statements=int(text_of(totals["statements"])),
        subjects=int(text_of(totals["subjects"])),
        objects=int(text_of(totals["objects"])),
        classes=_counted(scope, "classes", "class", "things"),
        properties=_counted(scope, "properties", "property", "statements"),
        languages=tuple(text_of(row["language"]) for row in scope.select("dataset/languages")),
    )


def _counted(scope: Scope, query: str, name: str, number: str) -> Counted:
    found = [(text_of(r[name]), int(text_of(r[number]))) for r in scope.select(f"dataset/{query}")]
    return tuple(sorted(found, key=lambda pair: (-pair[1], pair[0])))
