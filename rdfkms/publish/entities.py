"""The page of an entity or event: every statement with its evidence, in at most seven queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from rdfkms.errors import NotFound
from rdfkms.model import Ref
from rdfkms.ports import Row
from rdfkms.publish import themes as headings
from rdfkms.publish.around import hierarchy, rights
from rdfkms.publish.around.rights import Source
from rdfkms.publish.views import (
    ALSO_NAMED,
    NAMED_AS,
    TRIGGERED_BY,
    ClaimRow,
    Evidence,
    Form,
    Link,
    Scope,
    claims_of,
    concept_label,
    evidences,
    forms_for,
    humanise,
    iri_of,
    key_in,
    label_of,
    link_of,
    links_of,
    literal_of,
    local_name,
    names_of,
    statement_label,
    text_of,
)

INVERSE_PAGE = 50  # as the LIMIT in sparql/pages/inverse.rq


@dataclass(frozen=True, slots=True)
class Name:
    """One form of a name: how often it was read, and the first places where."""

    text: str
    language: str
    status: str
    count: int
    evidences: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing said of the entity, by one or more claims, with all their evidence.

    `written` holds the words of the source where they differ from the value, `time_written` so of
    the time.
    """

    claims: tuple[str, ...]
    label: str
    value: str
    written: str
    language: str
    target: Link | None
    time: str
    time_written: str
    place: Link | None
    status: str
    rank: str
    verification: str
    confidence: float
    reasons: tuple[str, ...]
    disputed: bool
    evidences: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Statements of one kind; `disputed` when sources disagree within it."""

    label: str
    statements: tuple[Statement, ...]
    disputed: bool


@dataclass(frozen=True, slots=True)
class Theme:
    """Groups of statements under one heading, such as family or career."""

    name: str
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class InverseRow:
    """A statement about something else that names this entity."""

    claim: str
    label: str
    subject: Link
    status: str
    confidence: float
    evidences: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Inverse:
    """The statements that point here: counts by label, one page of rows, the key of the next."""

    counts: tuple[tuple[str, int], ...]
    total: int
    rows: tuple[InverseRow, ...]
    next: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What stands above every page about a thing."""

    ref: Ref
    iri: str
    title: str
    language: str
    type_label: str
    merged_into: Ref | None = None
    trail: tuple[Link, ...] = ()  # what holds it, outermost first

    @property
    def is_described(self) -> bool:
        """Whether it is a record or record set that a finding aid describes."""
        return self.ref.kind in hierarchy.KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity(Heading):
    """All that an entity page shows."""

    is_event: bool
    names: tuple[Name, ...]
    themes: tuple[Theme, ...]
    inverse: Inverse
    sources: tuple[Source, ...]
    merged_from: tuple[Link, ...]
    statements: int
    evidences: int

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups of all themes, in their order."""
        return tuple(group for theme in self.themes for group in theme.groups)


def merged_into(scope: Scope, rows: Sequence[Row]) -> Ref | None:
    """Return what a merged entity has become, from the rows of ``pages/about``."""
    for row in rows:
        parts = scope.base.split(text_of(row["target"]))
        if parts:
            return Ref(*parts)
    return None


def heading(scope: Scope, ref: Ref) -> Heading:
    """Return how a thing is called and of what type it is; raises `NotFound` as `entity` does."""
    thing = scope.base.iri(ref.kind, ref.key)
    own = scope.select("pages/about", thing=thing)
    claims = claims_of(scope, _ordered({c for r in own if (c := iri_of(r["claim"])) is not None}))
    if not claims and not scope.select_of("pages/inverse_counts", "object", [thing]):
        raise _absent(ref)
    shown = names_of(scope, [thing])[thing.value]
    return Heading(
        ref=ref,
        iri=thing.value,
        title=shown.text,
        language=shown.language,
        type_label=_type_label(scope, ref, claims, own),
        merged_into=merged_into(scope, own),
        trail=_trail(scope, ref),
    )


def _trail(scope: Scope, ref: Ref) -> tuple[Link, ...]:
    return hierarchy.trail(scope, ref) if ref.kind in hierarchy.KINDS else ()


def _absent(ref: Ref) -> NotFound:
    return NotFound(f"There is no {ref.kind} {ref.key} here.", hint="Search for its name instead.")


def entity(scope: Scope, ref: Ref, after: str = "") -> Entity:
    """Return the view of an entity or event; `after` pages the inverse statements.

    Raises `NotFound` where the reader's graphs hold no claim about it or pointing at it.
    """
    thing = scope.base.iri(ref.kind, ref.key)
    own = scope.select("pages/about", thing=thing)
    about = {c for row in own if (c := iri_of(row["claim"])) is not None}
    merged = {m for row in own if (m := iri_of(row["merged"])) is not None}
    claims = claims_of(scope, _ordered(about))
    objects = _ordered({thing, *merged})
    counts = scope.select_of("pages/inverse_counts", "object", objects)
    inverse = scope.select_of("pages/inverse", "object", objects, after=Literal(after))
    if not claims and not counts:
        raise _absent(ref)
    cited = [scope.base.iri("claim", c.key) for c in claims]
    cited += [c for row in inverse if (c := iri_of(row["claim"])) is not None]
    proofs = evidences(scope, list(dict.fromkeys(cited)))
    named = _named(thing, claims, inverse) | merged
    forms = forms_for(scope, {thing, *named})
    links = links_of(scope, named, forms)
    names = _names(claims, proofs, forms.get(thing.value, []))
    themes = _themes(scope, claims, proofs, links)
    shown = link_of(scope, thing.value, forms.get(thing.value, []))
    return Entity(
        ref=ref,
        iri=thing.value,
        title=shown.text,
        language=shown.language,
        type_label=_type_label(scope, ref, claims, own),
        is_event=any(c.predicate == TRIGGERED_BY for c in claims),
        names=names,
        themes=themes,
        inverse=_inverse(scope, counts, inverse, proofs, links),
        sources=rights.sources(scope, (e for found in proofs.values() for e in found)),
        merged_from=tuple(links[m.value] for m in _ordered(merged)),
        statements=sum(len(g.statements) for t in themes for g in t.groups),
        evidences=sum(len(e) for e in proofs.values()),
        merged_into=merged_into(scope, own),
        trail=_trail(scope, ref),
    )


def _ordered(terms: Iterable[NamedNode]) -> list[NamedNode]:
    return sorted(terms, key=lambda term: term.value)


def _named(thing: NamedNode, claims: Sequence[ClaimRow], inverse: Sequence[Row]) -> set[NamedNode]:
    """Return everything that the page links to and so must name."""
    found: set[NamedNode] = set()
    for claim in claims:
        found |= {t for t in (claim.object, claim.place) if t is not None}
    found |= {s for row in inverse if (s := iri_of(row["subject"])) is not None}
    return found - {thing}


def _type_label(scope: Scope, ref: Ref, claims: Sequence[ClaimRow], own: Sequence[Row]) -> str:
    for claim in claims:
        if claim.event_type is not None:
            return concept_label(scope, claim.event_type)
        if claim.predicate == NAMED_AS and claim.entity_type:
            rule = scope.mapping.entities.get(claim.entity_type)
            return concept_label(scope, rule.concept) if rule else humanise(claim.entity_type)
    types = sorted(local_name(text_of(r["type"])) for r in own if r["type"] is not None)
    return humanise(types[0]) if types else ref.kind


def _names(
    claims: Sequence[ClaimRow], proofs: dict[str, list[Evidence]], forms: Sequence[Form]
) -> tuple[Name, ...]:
    """Return all forms of the name, the most often read first, with the readings shown."""
    read: dict[tuple[str, str, str], list[Evidence]] = defaultdict(list)
    for form in forms:
        read[form.name.value, form.name.language or "", "admitted"] = []
    for claim in claims:
        if claim.predicate in (NAMED_AS, ALSO_NAMED, TRIGGERED_BY) and claim.value is not None:
            form_key = (claim.value.value, claim.value.language or "", claim.status)
            read[form_key] += proofs.get(claim.key, [])
    counts: dict[tuple[str, str, str], int] = defaultdict(int)
    for form in forms:
        counts[form.name.value, form.name.language or "", "admitted"] += form.count
    names = [Name(*key, max(counts[key], len(found)), tuple(found)) for key, found in read.items()]
    return tuple(sorted(names, key=lambda n: (-n.count, -len(n.text), n.text)))


def _themes(
    scope: Scope,
    claims: Sequence[ClaimRow],
    proofs: dict[str, list[Evidence]],
    links: dict[str, Link],
) -> tuple[Theme, ...]:
    """Return the statements by theme, then by what is stated, then by value."""
    said = [c for c in claims if c.predicate not in (NAMED_AS, TRIGGERED_BY)]
    by_theme: defaultdict[str, list[ClaimRow]] = defaultdict(list)
    for claim in said:
        by_theme[headings.theme(scope.mapping, claim.statement, claim.role)].append(claim)
    return tuple(
        Theme(name, _groups(scope, by_theme[name], proofs, links))
        for name in headings.themes()
        if name in by_theme
    )


def _groups(
    scope: Scope,
    claims: Sequence[ClaimRow],
    proofs: dict[str, list[Evidence]],
    links: dict[str, Link],
) -> tuple[Group, ...]:
    by_label: dict[str, dict[tuple[object, ...], list[ClaimRow]]] = defaultdict(
        lambda: defaultdict(list)
    )
    place: dict[str, int] = {}
    for claim in claims:
        at = headings.place(scope.mapping, claim.statement, claim.role)
        place.setdefault(statement_label(scope, claim), at)
        same = (claim.object, claim.value, claim.time, claim.place, claim.status, claim.rank)
        by_label[statement_label(scope, claim)][same].append(claim)
    groups = []
    for label in sorted(by_label, key=lambda name: (place[name], name)):
        statements = [_statement(label, said, proofs, links) for said in by_label[label].values()]
        statements.sort(key=_prominence)
        groups.append(Group(label, tuple(statements), any(s.disputed for s in statements)))
    return tuple(groups)


def _prominence(statement: Statement) -> tuple[bool, bool, int, float, str]:
    shown = statement.target.text if statement.target is not None else statement.value
    return (
        statement.status != "admitted",
        statement.rank != "preferred",
        -len(statement.evidences),
        -statement.confidence,
        shown,
    )


def _statement(
    label: str,
    claims: Sequence[ClaimRow],
    proofs: dict[str, list[Evidence]],
    links: dict[str, Link],
) -> Statement:
    first = max(claims, key=lambda c: c.confidence)
    return Statement(
        claims=tuple(c.key for c in claims),
        label=label,
        value=first.value.value if first.value is not None else "",
        written=_other_words(first.verbatim, first.value),
        language=(first.value.language or "") if first.value is not None else "",
        target=links.get(first.object.value) if first.object is not None else None,
        time=first.time.value if first.time is not None else "",
        time_written=_other_words(first.time_verbatim, first.time),
        place=links.get(first.place.value) if first.place is not None else None,
        status=first.status,
        rank=first.rank,
        verification=first.label,
        confidence=first.confidence,
        reasons=tuple(sorted({r for c in claims for r in c.reasons})),
        disputed=any(c.conflicts for c in claims),
        evidences=tuple(e for c in claims for e in proofs.get(c.key, [])),
    )


def _other_words(verbatim: str, value: Literal | None) -> str:
    return verbatim if value is not None and verbatim != value.value else ""


def _inverse(
    scope: Scope,
    counts: Sequence[Row],
    rows: Sequence[Row],
    proofs: dict[str, list[Evidence]],
    links: dict[str, Link],
) -> Inverse:
    by_label: dict[str, int] = defaultdict(int)
    for row in counts:
        by_label[_label(scope, row)] += int(text_of(row["count"]))
    shown = []
    for row in rows:
        key, subject = key_in(scope, row["claim"]), text_of(row["subject"])
        link = links.get(subject) or Link(*(scope.base.split(subject) or ("", "")), text=subject)
        confidence = literal_of(row["confidence"])
        shown.append(
            InverseRow(
                claim=key,
                label=_label(scope, row),
                subject=link,
                status=local_name(text_of(row["status"])),
                confidence=float(confidence.value) if confidence is not None else 0.0,
                evidences=tuple(proofs.get(key, [])),
            )
        )
    full = len(rows) >= INVERSE_PAGE
    return Inverse(
        counts=tuple(sorted(by_label.items())),
        total=sum(by_label.values()),
        rows=tuple(shown),
        next=text_of(rows[-1]["order"]) if full else "",
    )


def _label(scope: Scope, row: Row) -> str:
    return label_of(scope, iri_of(row["statement"]), iri_of(row["role"]), iri_of(row["predicate"]))
