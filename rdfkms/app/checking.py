"""Proves the laws on an archive (`rdfkms check`): what holds, what does not, and where."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from pyoxigraph import Literal, NamedNode, Quad

from rdfkms import queries
from rdfkms.access import is_open, today
from rdfkms.app.composition import App
from rdfkms.errors import RdfkmsError
from rdfkms.ingest import wordsfile
from rdfkms.knowledge import decoding, statements
from rdfkms.ledger import rebuild
from rdfkms.ledger.work import DONE
from rdfkms.model import Access, Claim, Fault, Status
from rdfkms.ports import Row
from rdfkms.review.merges import merges
from rdfkms.review.tombstones import is_stone
from rdfkms.vocab import KMS, OWL, TYPE

Progress = Callable[[str, int, int], None]
Test = Callable[[App], Iterator[Fault]]
_PROJECTED = frozenset({"event", "rel", "name", "occupation"})
_LINKS = (KMS("mergedInto"), OWL("differentFrom"))
MOST_FAULTS = 1000  # of one kind; an archive with more is broken as a whole


def check(app: App, report: Progress) -> dict[str, Any]:
    """Return counts and faults; ``ok`` is true when there is no fault.

    Keys: ok, revision, units, pointers {total, resolved}, claims by status, candidates, verdicts,
    faults (each with source, place, reason, hint).
    """
    faults: list[Fault] = []
    total, unresolved = _pointers(app)
    faults += unresolved
    for number, (name, test) in enumerate(TESTS.items()):
        report(f"check {name}", number, len(TESTS))
        faults += _first(test(app))
    work = app.work.counts()
    return {
        "ok": not faults,
        "revision": app.ledger.revision,
        "units": sum(1 for _ in _subjects(app, KMS("EvidenceUnit"))),
        "pointers": {"total": total, "resolved": total - len(unresolved)},
        "claims": _claims(app),
        "candidates": work["candidates"],
        "verdicts": work["verdicts"],
        "faults": [
            {"source": f.source, "place": f.place, "reason": f.reason, "hint": f.hint}
            for f in faults
        ],
    }


def _first(found: Iterator[Fault]) -> list[Fault]:
    return [fault for _, fault in zip(range(MOST_FAULTS), found, strict=False)]


def _ask(app: App, name: str) -> list[Row]:
    graphs = [app.base.public, app.base.internal]
    return app.ledger.store.select(queries.text(f"checking/{name}"), graphs=graphs)


def _text(row: Row, name: str) -> str:
    term = row.get(name)
    return term.value if isinstance(term, Literal | NamedNode) else ""


def _subjects(app: App, cls: NamedNode) -> Iterator[str]:
    seen = set()
    for graph in (app.base.public, app.base.internal):
        for quad in app.ledger.store.match(None, TYPE, cls, graph):
            if quad.subject not in seen:
                seen.add(quad.subject)
                yield str(quad.subject)


# ---- law 1: every pointer resolves to an exact quote -------------------------------------------


def _pointers(app: App) -> tuple[int, list[Fault]]:
    rows = _ask(app, "pointers")
    layouts = _Layouts(app)
    unresolved = [fault for row in rows if (fault := _pointer_fault(row, layouts)) is not None]
    return len(rows), unresolved


class _Layouts:
    """Remembers which word files could be read: one look a file."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._texts: dict[str, str] = {}

    def text(self, sha256: str) -> str:
        """Return the text of a version, empty where its file is not readable."""
        if sha256 not in self._texts:
            try:
                self._texts[sha256] = wordsfile.load(self._app.archive.read(sha256))[0]
            except (RdfkmsError, ValueError, OSError):
                self._texts[sha256] = ""
        return self._texts[sha256]


def _pointer_fault(row: Row, layouts: _Layouts) -> Fault | None:
    claim, quote, text = _text(row, "claim"), _text(row, "quote"), _text(row, "text")
    try:
        start, end = int(_text(row, "start")), int(_text(row, "end"))
    except ValueError:
        return Fault(claim, "pointer", "The pointer has no start or end.")
    if not quote or text[start:end] != quote:
        shown = text[start:end][:80]
        return Fault(claim, "pointer", f"The text there is {shown!r}, the quote {quote[:80]!r}.")
    if text not in layouts.text(_text(row, "layout")):
        return Fault(claim, "version", "The version of the page does not hold this passage.")
    return None


# ---- the other laws ----------------------------------------------------------------------------


def _evidence(app: App) -> Iterator[Fault]:
    for row in _ask(app, "claims-without-pointer"):
        yield Fault(_text(row, "claim"), "pointer", "The claim shows no evidence.")


def _orphans(app: App) -> Iterator[Fault]:
    for row in _ask(app, "orphan-units"):
        yield Fault(_text(row, "unit"), "unit", "The passage lacks its record, page or text.")
    for row in _ask(app, "orphan-derivations"):
        reason = f"It is derived from {_text(row, 'claim')}, which is not admitted."
        yield Fault(_text(row, "node"), "projection", reason)


def _one_graph(app: App) -> Iterator[Fault]:
    store, base = app.ledger.store, app.base
    for quad in store.match(None, None, None, base.internal):
        if store.contains(Quad(quad.subject, quad.predicate, quad.object, base.public)):
            reason = "The triple stands in the public and in the internal graph."
            yield Fault(str(quad.subject), str(quad.predicate), reason)


def _visibility(app: App) -> Iterator[Fault]:
    store, base = app.ledger.store, app.base
    for row in _ask(app, "units-and-access"):
        unit = NamedNode(_text(row, "unit"))
        if not store.contains(Quad(unit, TYPE, KMS("EvidenceUnit"), base.public)):
            continue
        until = date.fromisoformat(_text(row, "until")) if row.get("until") else None
        access = Access(_text(row, "access").rpartition("#")[2], until)
        if not is_open(access, today()):
            reason = f"The passage is public, its record is {access.condition}."
            hint = "Set the condition again: rdfkms access RECORD " + access.condition
            yield Fault(_text(row, "unit"), "access", reason, hint)


def _public_pointers(app: App) -> Iterator[Fault]:
    store, base = app.ledger.store, app.base
    for quad in store.match(None, KMS("citesUnit"), None, base.public):
        unit = quad.object
        if isinstance(unit, NamedNode) and not store.contains(
            Quad(unit, TYPE, KMS("EvidenceUnit"), base.public)
        ):
            reason = "A public claim quotes a passage that is not public."
            hint = "Look at its source (rdfkms source list), and undo what published the claim."
            yield Fault(str(quad.subject), "access", reason, hint)


def _projection(app: App) -> Iterator[Fault]:
    """What admitted claims project is in the store, no less (law 6: and names no more)."""
    store, base = app.ledger.store, app.base
    canonical = merges(store, base).canonical
    visible = _visible(app)
    claims = list(decoding.all_claims(store, base, (), Status.ADMITTED))
    for quad in statements.projections(claims, visible, base, app.mapping, canonical):
        if not store.contains(quad):
            reason = f"An admitted claim asserts {quad.predicate}, the store does not."
            yield Fault(str(quad.subject), "projection", reason, "Run `rdfkms rebuild`.")


def _no_more(app: App) -> Iterator[Fault]:
    """What is said of entities is what admitted claims project, no more (law 6)."""
    store, base = app.ledger.store, app.base
    claims = decoding.all_claims(store, base, (), Status.ADMITTED)
    canonical = merges(store, base).canonical
    known = statements.projections(claims, _visible(app), base, app.mapping, canonical)
    kinds = {rule.kind for rule in app.mapping.entities.values()} | _PROJECTED
    for graph in (base.public, base.internal):
        for quad in store.match(None, None, None, graph):
            split = base.split(getattr(quad.subject, "value", ""))
            if split is None or split[0] not in kinds or quad in known:
                continue
            if quad.predicate not in _LINKS and not is_stone(quad):
                reason = f"No admitted claim asserts its {quad.predicate}."
                yield Fault(str(quad.subject), "projection", reason, "Run `rdfkms rebuild`.")


def _visible(app: App) -> Callable[[Claim], bool]:
    store, base = app.ledger.store, app.base

    def visible(claim: Claim) -> bool:
        return store.contains(Quad(base.iri("claim", claim.key), TYPE, KMS("Claim"), base.public))

    return visible


def _counts(app: App) -> Iterator[Fault]:
    work = app.work.counts()
    verdicts = work["verdicts"]
    if sum(verdicts.values()) != work["candidates"]:
        yield Fault("work.sqlite", "verdicts", f"{verdicts} do not add up to {work['candidates']}.")
    if verdicts["pending"]:
        yield Fault("work.sqlite", "verdicts", f"{verdicts['pending']} candidates are undecided.")
    # A batch being written has rows before it has claims; a snapshot knows none of its claims.
    done = {key for key, state in app.work.batches().items() if state == DONE}
    keys = {row.claim for row in app.work.candidates() if row.claim and row.batch in done}
    known = {iri.rpartition("/")[2].rstrip(">") for iri in _subjects(app, KMS("Claim"))}
    if app.ledger.revision != app.ledger.journal.last():
        return
    for key in sorted(keys - known)[:MOST_FAULTS]:
        yield Fault("work.sqlite", key, "A candidate became this claim, which is not in the store.")


def _journal(app: App) -> Iterator[Fault]:
    yield from app.ledger.journal.verify()
    if app.ledger.revision == app.ledger.journal.last():
        yield from rebuild.compare(app.ledger.journal, app.ledger.store, app.base)


def _claims(app: App) -> dict[str, int]:
    counted = {str(status): 0 for status in Status}
    for row in _ask(app, "claims-by-status"):
        counted[_text(row, "status").rpartition("#")[2]] = int(_text(row, "count"))
    return counted


TESTS: dict[str, Test] = {
    "evidence": _evidence,
    "orphans": _orphans,
    "graphs": _one_graph,
    "access": _visibility,
    "public pointers": _public_pointers,
    "projection": _projection,
    "nothing more": _no_more,
    "counts": _counts,
    "journal": _journal,
}
