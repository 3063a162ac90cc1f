"""Replaces a page by a better scan or a corrected transcription (R43, law 3, DESIGN 4).

The new version stands beside the old. Passages keep their keys: what stands on the page now is
aligned onto them, and each gets a newer raw text, which from then on is the one that is quoted.
Claims are re-anchored in it; what cannot be keeps its pointer into the older version and waits for
a person. A replacement is a decision and can be undone exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pyoxigraph import Quad, Triple

from rdfkms.access import is_open
from rdfkms.admission import reanchoring
from rdfkms.errors import BadInput, Conflict, NotFound
from rdfkms.ingest import profiles, reading
from rdfkms.ingest.aligning import Alignment, Places, align
from rdfkms.ingest.segmentation import Span
from rdfkms.knowledge import decoding, encoding
from rdfkms.knowledge.nodes import Node
from rdfkms.model import (
    Claim,
    EvidenceUnit,
    Flag,
    Locator,
    Modality,
    Page,
    Principal,
    Record,
    Ref,
    SourceFile,
    Status,
    TextVersion,
    UnitText,
)
from rdfkms.review import acts, decisions, withdrawing
from rdfkms.review.decisions import Decision, Desk, Draft
from rdfkms.vocab import KEY_LENGTH, KMS, RICO, Base, key_of

_LIVE = (Status.ADMITTED, Status.QUARANTINED)


@dataclass(frozen=True, slots=True)
class Newer:
    """What was read of the file that replaces a page.

    `page` is a page of its own (a scan, a born-digital text), or None where the file transcribes
    the page that is there; `version` is of that page. `words` is the SHA-256 of its words file.
    """

    file: SourceFile
    page: Page | None
    version: TextVersion
    passages: tuple[Span, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Counts:
    """Pointers into the page's passages: how many, and how they stand in the new version.

    `unmoved` stood at the same place to the letter, so would resolve without re-anchoring.
    """

    pointers: int = 0
    unmoved: int = 0
    exact: int = 0
    near: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Replacement:
    """What a replacement would do at `revision`.

    `aligned` are the passages that stand in the new version, `missing` those that do not, `fresh`
    the new ones; `carried` and `lost` are claims as they are afterwards.
    """

    record: str
    page: str
    aligned: tuple[str, ...]
    missing: tuple[str, ...]
    fresh: tuple[EvidenceUnit, ...]
    carried: tuple[Claim, ...]
    lost: tuple[Claim, ...]
    sent_back: tuple[Claim, ...]
    counts: Counts
    revision: int
    draft: Draft


@dataclass
class _Tally:
    """What re-anchoring gathers."""

    claims: dict[str, Claim] = field(default_factory=dict)
    was: dict[str, Claim] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)
    counts: Counts = field(default_factory=Counts)

    def count(self, **more: int) -> None:
        """Add to the counts."""
        now = {name: getattr(self.counts, name) + n for name, n in more.items()}
        self.counts = replace(self.counts, **now)


def page_of(desk: Desk, record: str, label: str) -> tuple[Record, Page]:
    """Return a record and its page of a label, the newest where it was replaced before.

    Raises `NotFound`, `Conflict` for a source that was withdrawn.
    """
    store, base = desk.ledger.store, desk.base
    known = decoding.record(store, base, record)
    found = [page for page in known.pages if page.label == label]
    if not found:
        shown = ", ".join(page.label for page in known.pages[:20])
        raise NotFound(f"Record {record} has no page {label}.", hint=f"Its pages: {shown}.")
    older = {
        quad.object
        for page in found
        for graph in (base.public, base.internal)
        for quad in store.match(base.iri("inst", page.key), KMS("replaces"), None, graph)
    }
    page = next(p for p in found if base.iri("inst", p.key) not in older)
    files = (known.key, page.source[:KEY_LENGTH])
    if any(
        decoding.is_withdrawn(store, base, *x) for x in zip(("record", "inst"), files, strict=True)
    ):
        raise Conflict(f"Page {label} of {record} was withdrawn.", hint="Undo that first.")
    return known, page


def units_of_page(desk: Desk, record: str, page: Page) -> list[EvidenceUnit]:
    """Return the passages that stand on a page, also those cut on what it replaced, in order."""
    store, base = desk.ledger.store, desk.base
    here = [page.key]
    for key in here:  # grows as it goes: a page may have been replaced several times
        for graph in (base.public, base.internal):
            for quad in store.match(base.iri("inst", key), KMS("replaces"), None, graph):
                here.append(getattr(quad.object, "value", "").rpartition("/")[2])
    units = [u for u in decoding.units_of_record(store, base, record) if u.page in here]
    current = Counter(unit.raw.version for unit in units).most_common(1)
    return sorted(units, key=lambda u: (u.raw.version != current[0][0], u.raw.start, u.key))


def plan(desk: Desk, record: Record, page: Page, newer: Newer) -> Replacement:
    """Return what replacing a page would do; raises `BadInput` for a file that is there already."""
    store, base = desk.ledger.store, desk.base
    _demand_new(desk, newer)
    with desk.ledger.frozen() as revision:
        units = units_of_page(desk, record.key, page)
        spans = [(span.start, span.end) for span in newer.passages]
        text = newer.version.text
        found = align([unit.raw.text for unit in units], text, spans)
        graph = base.public if is_open(record.access) else base.internal
        fresh = tuple(_fresh(record, page, newer, units, found))
        described = [*_described(desk, record, page, newer)]
        described += [t for unit in fresh for t in encoding.unit_triples(unit, base)]
        remove: list[Quad] = []
        tally = _Tally()
        for unit, stretch in zip(units, found.stretches, strict=True):
            raw = _texts(unit, newer, stretch)
            described += _added(desk, unit, newer, raw, _boxes_of(newer, stretch))
            if raw and Flag.NO_COUNTERPART in unit.flags:
                remove += _flag(unit, base)
            _reanchored(desk, unit, raw[0] if raw else None, tally)
        lost = [tally.was[key] for key in sorted(tally.lost)]
        draft = Draft(
            "replace",
            tuple(tally.claims.values()),
            remove=tuple(remove),
            add=tuple(Quad(t.subject, t.predicate, t.object, graph) for t in described),
            things=(Ref("record", record.key), Ref("inst", page.key)),
        )
        things = withdrawing.unnamed(store, base, [c for c in lost if c.status == Status.ADMITTED])
        sent = withdrawing.bereft(desk, draft, lost, things)
        claims = {**tally.claims, **{claim.key: claim for claim in sent}}
    return Replacement(
        record=record.key,
        page=page.key,
        aligned=tuple(u.key for u, s in zip(units, found.stretches, strict=True) if s),
        missing=tuple(u.key for u, s in zip(units, found.stretches, strict=True) if not s),
        fresh=fresh,
        carried=tuple(c for k, c in claims.items() if k not in tally.lost),
        lost=tuple(c for k, c in claims.items() if k in tally.lost),
        sent_back=tuple(sent),
        counts=tally.counts,
        revision=revision,
        draft=replace(draft, claims=tuple(claims.values())),
    )


def apply(desk: Desk, plan: Replacement, principal: Principal, *, note: str = "") -> Decision:
    """Do what a plan says; the file, its picture and its words file must be kept already.

    Returns the decision. Raises `Conflict` where somebody wrote since, `Denied` below reviewer.
    """
    with desk.ledger.frozen() as revision:
        if plan.revision != revision:
            raise Conflict(
                f"The archive is at revision {revision}, not at {plan.revision}.",
                hint="Plan it again: somebody wrote meanwhile.",
            )
        return decisions.write(desk, replace(plan.draft, note=note), principal)


def _demand_new(desk: Desk, newer: Newer) -> None:
    iri = encoding.file_iri(newer.file.sha256, desk.base)
    for graph in (desk.base.public, desk.base.internal):
        if next(iter(desk.ledger.store.match(iri, KMS("sha256"), None, graph)), None):
            raise BadInput(
                "This very file is in the archive already.", hint="`rdfkms source list` shows it."
            )


# ---- what comes ---------------------------------------------------------------------------------


def _described(desk: Desk, record: Record, page: Page, newer: Newer) -> Iterator[Triple]:
    """Yield the new file, its page where it has one, and the new version."""
    base, file = desk.base, encoding.file_iri(newer.file.sha256, desk.base)
    order = 1 + next((n for n, f in enumerate(record.files) if f.sha256 == page.source), 0)
    yield from encoding.file_triples(newer.file, order, base)
    yield Triple(base.iri("record", record.key), RICO("hasOrHadDigitalInstantiation"), file)
    if newer.page is not None:
        yield from encoding.page_triples(newer.page, base)
        yield Triple(base.iri("inst", newer.page.key), KMS("replaces"), base.iri("inst", page.key))
    else:
        yield Triple(file, RICO("isOrWasDerivedFromInstantiation"), base.iri("inst", page.key))
        yield Triple(base.iri("inst", newer.version.key), KMS("transcribedIn"), file)
    yield from encoding.version_triples(newer.version, newer.page or page, base, newer.words)


def _texts(
    unit: EvidenceUnit, newer: Newer, stretch: tuple[int, int] | None
) -> tuple[UnitText, ...]:
    if stretch is None:
        return ()
    markdown = newer.file.media_type == "text/markdown"
    return reading.unit_texts(unit.key, newer.version, *stretch, unit.language, markdown=markdown)


def _boxes_of(newer: Newer, stretch: tuple[int, int] | None) -> list[str]:
    """Return the fragments of the new passages that a stretch covers, where they have places."""
    if stretch is None or newer.page is None:
        return []
    if newer.page.picture is None:
        return [f"char={stretch[0]},{stretch[1]}"]
    inside = [s for s in newer.passages if s.start < stretch[1] and s.end > stretch[0]]
    return [box.fragment for span in inside for box in span.boxes]


def _added(
    desk: Desk,
    unit: EvidenceUnit,
    newer: Newer,
    texts: Sequence[UnitText],
    boxes: Sequence[str],
) -> Iterator[Triple]:
    """Yield a passage's newer texts and places, or the flag that it has none."""
    base = desk.base
    if not texts:
        flag = KMS(Flag.NO_COUNTERPART.value)
        yield Triple(base.iri("evidence", unit.key), KMS("qualityFlag"), flag)
        return
    # A newer text comes before all older ones: its number is lower, and none of theirs changes.
    known = Node(desk.ledger.store, base, base.iri("text", unit.texts[0].key), ())
    for order, text in enumerate(texts, known.number("ordinal") - len(texts)):
        yield from encoding.unit_text_triples(text, base, order)
    if newer.page is None:
        return
    for number, fragment in enumerate(boxes, len(unit.locators) + 1):
        yield from encoding.locator_triples(
            unit.key, number, Locator(newer.page.key, fragment), base
        )


def _flag(unit: EvidenceUnit, base: Base) -> list[Quad]:
    iri, flag = base.iri("evidence", unit.key), KMS(Flag.NO_COUNTERPART.value)
    return [Quad(iri, KMS("qualityFlag"), flag, g) for g in (base.public, base.internal)]


def _fresh(
    record: Record, page: Page, newer: Newer, units: Sequence[EvidenceUnit], found: Alignment
) -> Iterator[EvidenceUnit]:
    """Yield a new passage for each stretch of the new version that has no counterpart."""
    last = max((unit.ordinal for unit in units), default=0)
    profile = profiles.load(record.profile)
    on = newer.page or page
    for ordinal, at in enumerate(found.fresh, last + 1):
        span = newer.passages[at]
        key = key_of("unit", newer.file.sha256, 1, ordinal, profile.segmentation_id)
        tongue = units[0].language if units else record.language
        markdown = newer.file.media_type == "text/markdown"
        texts = reading.unit_texts(
            key, newer.version, span.start, span.end, tongue, markdown=markdown
        )
        places = tuple(Locator(on.key, box.fragment) for box in span.boxes)
        if on.picture is None:
            places = (Locator(on.key, f"char={span.start},{span.end}"),)
        born = on.picture is None
        yield EvidenceUnit(
            key=key,
            record=record.key,
            source=newer.file.sha256,
            page=on.key,
            ordinal=ordinal,
            modality=Modality.BORN_DIGITAL if born else Modality.DOCUMENT,
            language=tongue,
            page_label=page.label,
            passage_number=ordinal,
            texts=texts,
            locators=places or (Locator(on.key, ""),),
            flags=span.flags,
            section=span.section,
            juan=span.juan,
        )


# ---- re-anchoring -------------------------------------------------------------------------------


def _reanchored(desk: Desk, unit: EvidenceUnit, raw: UnitText | None, tally: _Tally) -> None:
    """Set the pointers of the claims on a passage into its newer raw text, where they fit."""
    older = {text.key: Places(text.text, raw.text if raw else "") for text in unit.texts}
    for known in desk.claims_of_unit(unit.key):
        if known.status not in _LIVE:
            continue
        claim = tally.claims.get(known.key, known)
        tally.was[known.key] = known
        moved = list(claim.pointers)
        exact = near = lost = unmoved = 0
        for at, pointer in enumerate(known.pointers):
            if pointer.unit != unit.key:
                continue
            places = older.get(pointer.unit_text)
            kept = raw is not None and raw.text[pointer.start : pointer.end] == pointer.quote
            unmoved += kept
            set_ = (
                reanchoring.carried(claim, pointer, places, raw)
                if places is not None and raw is not None
                else None
            )
            if set_ is None:
                lost += 1
                continue
            claim, moved[at], is_exact = set_
            exact, near = exact + is_exact, near + (not is_exact)
        tally.count(
            pointers=exact + near + lost, unmoved=unmoved, exact=exact, near=near, lost=lost
        )
        claim = replace(claim, pointers=tuple(moved))
        if lost:
            tally.lost.add(known.key)
            quote = next(p.quote for p in known.pointers if p.unit == unit.key)
            waiting = acts.standing_down(replace(claim, status=Status.QUARANTINED))
            tally.claims[known.key] = reanchoring.told(waiting, code="quoteLost", what=quote)
        else:
            tally.claims[known.key] = reanchoring.told(claim)
