"""The page of an entity or event: every statement with its evidence, in at most six queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from rdfkms.errors import NotFound
from rdfkms.model import Ref
from rdfkms.ports import Row
from rdfkms.publish.views import (
    ALSO_NAMED,
    NAMED_AS,
    TIME,
    TRIGGERED_BY,
    TYPE,
    ClaimRow,
    Evidence,
    Form,
    Link,
    Scope,
    best_form,
    claim_rows,
    concept_label,
    event_label,
    evidences,
    humanise,
    iri_of,
    key_in,
    label_of,
    literal_of,
    local_name,
    names_of,
    statement_label,
    text_of,
)
from rdfkms.vocab import KMS

INVERSE_PAGE = 50  # as the LIMIT in sparql/pages/inverse.rq


@dataclass(frozen=True, slots=True)
class Name:
    """One form of a name, and every place where it was read."""

    text: str
    language: str
    status: str
    evidences: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing said of the entity, by one or more claims, with all their evidence."""

    claims: tuple[str, ...]
    label: str
    value: str
    language: str
    target: Link | None
    qualifiers: tuple[tuple[str, str | Link], ...]
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


@dataclass(frozen=True, slots=True)
class Entity:
    """All that an entity page shows."""

    ref: Ref
    iri: str
    title: str
    language: str
    type_label: str
    is_event: bool
    names: tuple[Name, ...]
    groups: tuple[Group, ...]
    inverse: Inverse
    merged_from: tuple[Link, ...]
    statements: int
    evidences: int
    merged_into: Ref | None = None


def merged_into(scope: Scope, rows: Sequence[Row]) -> Ref | None:
    """Return what a merged entity has become, from the rows of ``pages/thing``."""
    for row in rows:
        if row["p"] == KMS("mergedInto"):
            parts = scope.base.split(text_of(row["o"]))
            return Ref(*parts) if parts else None
    return None


def entity(scope: Scope, ref: Ref, after: str = "") -> Entity:
    """Return the view of an entity or event; `after` pages the inverse statements.

    Raises `NotFound` where the reader's graphs hold no claim about it or pointing at it.
    """
    thing = scope.base.iri(ref.kind, ref.key)
    own = scope.select("pages/thing", thing=thing)
    claims = claim_rows(scope, scope.select("pages/claims_about", thing=thing))
    counts = scope.select("pages/inverse_counts", thing=thing)
    inverse = scope.select("pages/inverse", thing=thing, after=Literal(after))
    if not claims and not counts:
        raise NotFound(
            f"There is no {ref.kind} {ref.key} here.", hint="Search for its name instead."
        )
    cited = [scope.base.iri("claim", c.key) for c in claims]
    cited += [c for row in inverse if (c := iri_of(row["claim"])) is not None]
    proofs = evidences(scope, list(dict.fromkeys(cited)))
    links = names_of(scope, _named(thing, claims, inverse, own))
    names = _names(claims, proofs)
    groups = _groups(scope, claims, proofs, links)
    title, language = _title(scope, ref, claims, proofs)
    return Entity(
        ref=ref,
        iri=thing.value,
        title=title,
        language=language,
        type_label=_type_label(scope, ref, claims, own),
        is_event=any(c.predicate == TRIGGERED_BY for c in claims),
        names=names,
        groups=groups,
        inverse=_inverse(scope, counts, inverse, proofs, links),
        merged_from=tuple(
            links.get(text_of(r["merged"]), Link(ref.kind, key_in(scope, r["merged"]), ""))
            for r in own
            if r["merged"] is not None
        ),
        statements=sum(len(g.statements) for g in groups),
        evidences=sum(len(e) for e in proofs.values()),
        merged_into=merged_into(scope, own),
    )


def _named(
    thing: NamedNode, claims: Sequence[ClaimRow], inverse: Sequence[Row], own: Sequence[Row]
) -> set[NamedNode]:
    """Return everything that the page links to and so must name."""
    found: set[NamedNode] = set()
    for claim in claims:
        found |= {t for t in (claim.object, claim.place) if t is not None}
    found |= {s for row in inverse if (s := iri_of(row["subject"])) is not None}
    found |= {m for row in own if (m := iri_of(row["merged"])) is not None}
    return found - {thing}


def _title(
    scope: Scope, ref: Ref, claims: Sequence[ClaimRow], proofs: dict[str, list[Evidence]]
) -> tuple[str, str]:
    """Return the displayed name and its language; an event is named by type, date and record."""
    counts: dict[Literal, int] = defaultdict(int)
    admitted = [c for c in claims if c.status == "admitted"] or list(claims)
    for claim in admitted:
        if claim.predicate == NAMED_AS and claim.value is not None:
            counts[claim.value] += 1
    if counts:
        best = best_form([Form(count, name) for name, count in counts.items()])
        return best.name.value, best.name.language or ""
    dates = sorted(c.value.value for c in admitted if c.statement == TIME and c.value is not None)
    for claim in admitted:
        if claim.predicate == TRIGGERED_BY and claim.event_type is not None:
            titles = [e.record_title for e in proofs.get(claim.key, [])]
            kind = concept_label(scope, claim.event_type)
            return event_label(kind, "".join(dates[:1]), "".join(titles[:1])), ""
    return f"{ref.kind.capitalize()} {ref.key[:8]}", ""


def _type_label(scope: Scope, ref: Ref, claims: Sequence[ClaimRow], own: Sequence[Row]) -> str:
    for claim in claims:
        if claim.event_type is not None:
            return concept_label(scope, claim.event_type)
        if claim.predicate == NAMED_AS and claim.entity_type:
            return humanise(claim.entity_type)
    types = sorted(local_name(text_of(r["o"])) for r in own if r["p"] == TYPE)
    return humanise(types[0]) if types else ref.kind


def _names(claims: Sequence[ClaimRow], proofs: dict[str, list[Evidence]]) -> tuple[Name, ...]:
    """Return all forms of the name, the most often read first."""
    by_form: dict[tuple[str, str, str], list[Evidence]] = defaultdict(list)
    for claim in claims:
        if claim.predicate in (NAMED_AS, ALSO_NAMED, TRIGGERED_BY) and claim.value is not None:
            form = (claim.value.value, claim.value.language or "", claim.status)
            by_form[form] += proofs.get(claim.key, [])
    names = [Name(*form, tuple(found)) for form, found in by_form.items()]
    return tuple(sorted(names, key=lambda n: (-len(n.evidences), -len(n.text), n.text)))


def _groups(
    scope: Scope,
    claims: Sequence[ClaimRow],
    proofs: dict[str, list[Evidence]],
    links: dict[str, Link],
) -> tuple[Group, ...]:
    by_label: dict[str, dict[tuple[object, ...], list[ClaimRow]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for claim in claims:
        if claim.predicate in (NAMED_AS, TRIGGERED_BY):
            continue
        same = (claim.object, claim.value, claim.time, claim.place, claim.status, claim.rank)
        by_label[statement_label(scope, claim)][same].append(claim)
    groups = []
    for label in sorted(by_label):
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
    qualifiers: list[tuple[str, str | Link]] = []
    if first.time is not None:
        qualifiers.append(("time", first.time.value + _written(first.time_verbatim)))
    if first.place is not None:
        qualifiers.append(("place", links.get(first.place.value, first.place.value)))
    return Statement(
        claims=tuple(c.key for c in claims),
        label=label,
        value=first.value.value + _written(first.verbatim) if first.value is not None else "",
        language=(first.value.language or "") if first.value is not None else "",
        target=links.get(first.object.value) if first.object is not None else None,
        qualifiers=tuple(qualifiers),
        status=first.status,
        rank=first.rank,
        verification=first.label,
        confidence=first.confidence,
        reasons=tuple(sorted({r for c in claims for r in c.reasons})),
        disputed=any(c.conflicts for c in claims),
        evidences=tuple(e for c in claims for e in proofs.get(c.key, [])),
    )


def _written(verbatim: str) -> str:
    return f" – written “{verbatim}”" if verbatim else ""


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
