"""What admitted claims assert: claim keys, claims from candidates, projection to RiC-O.

Pure functions. An entity is nothing but what admitted claims project (DESIGN 4); a claim that is
quarantined, rejected, superseded, withdrawn or deprecated projects nothing (law 6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pyoxigraph import Literal, NamedNode, Quad, Triple

from rdfkms.knowledge.encoding import EDTF, ref_iri, text_literal, value_literal
from rdfkms.knowledge.mapping import EVENT_SEGMENT, Mapping, StatementRule
from rdfkms.model import (
    Anchor,
    Candidate,
    Claim,
    EvidenceUnit,
    Kind,
    Label,
    Pointer,
    Rank,
    Ref,
    Status,
    Value,
)
from rdfkms.vocab import KMS, PROV, RICO, TYPE, Base, key_of

Canonical = Callable[[Ref], Ref]
NAMED_AS = "namedAs"
TRIGGERED_BY = "triggeredBy"
ALIAS = "Alias"

_DERIVED = PROV("wasDerivedFrom")
_READ_IN = KMS("readIn")
_HAS_TYPE = RICO("hasOrHadType")


def identity(ref: Ref) -> Ref:
    """Return the thing itself: the canonical thing where nothing was merged."""
    return ref


# ---- from candidate to claim ------------------------------------------------------------------


def claim_key(candidate: Candidate) -> str:
    """Return the key of the claim that a screened candidate becomes (DESIGN 4).

    It names subject and object mentions, predicate, value, qualifiers, unit and quote, not the
    proposer: a second proposer of the same statement meets the same claim.
    """
    return key_of(
        "claim",
        candidate.kind.value,
        candidate.name,
        candidate.unit,
        candidate.group,
        *_span(candidate.subject),
        *_span(candidate.object),
        *_literal_parts(candidate.value),
        *_literal_parts(candidate.time),
        *_span(candidate.place),
        candidate.start,
        candidate.end,
        candidate.quote,
    )


def entity_ref(kind: str, unit: str, start: int, end: int) -> Ref:
    """Return the new entity (IRI segment `kind`) whose first mention is this span of a unit."""
    return Ref(kind, key_of(kind, unit, start, end))


def group_key(unit: str, group: str) -> str:
    """Return the key of an event and its group of claims; a proposer names it within a unit."""
    return key_of("group", unit, group)


def describe(
    candidate: Candidate, unit: EvidenceUnit, ref_of: Callable[[Anchor], Ref], run: str
) -> Claim:
    """Return the claim of a screened candidate, status admitted until the gate judges.

    `ref_of` gives the entity that reconciliation assigned to an anchor. Raises `ValueError` for
    a candidate that was not screened (no span, no subject).
    """
    if candidate.start is None or candidate.end is None:
        raise ValueError(f"Candidate {candidate.key} has no span; screen it first.")
    pointer = Pointer(unit.key, unit.raw.key, candidate.start, candidate.end, candidate.quote)
    group = None if candidate.group is None else group_key(unit.key, candidate.group)
    statement, name = candidate.name, ""
    value = candidate.value
    if candidate.kind in (Kind.MENTION, Kind.EVENT):
        statement = NAMED_AS if candidate.kind is Kind.MENTION else TRIGGERED_BY
        name = candidate.name
        value = Value(_anchor(candidate).surface, language=unit.raw.language)
    if candidate.kind in (Kind.EVENT, Kind.ARGUMENT):
        if group is None:
            raise ValueError(f"Candidate {candidate.key} has no group; screen it first.")
        subject = Ref(EVENT_SEGMENT, group)
    else:
        subject = ref_of(_anchor(candidate))
    return Claim(
        key=claim_key(candidate),
        kind=candidate.kind,
        statement=statement,
        subject=subject,
        pointers=(pointer,),
        object=ref_of(candidate.object) if candidate.object is not None else None,
        value=value,
        name=name,
        group=group,
        confidence=candidate.confidence,
        runs=(run,),
        time=candidate.time,
        place=ref_of(candidate.place) if candidate.place is not None else None,
    )


def _anchor(candidate: Candidate) -> Anchor:
    if candidate.subject is None:
        raise ValueError(f"Candidate {candidate.key} has no subject; screen it first.")
    return candidate.subject


def _span(anchor: Anchor | None) -> tuple[int | None, int | None, str | None]:
    return (None, None, None) if anchor is None else (anchor.start, anchor.end, anchor.type)


def _literal_parts(value: Value | None) -> tuple[str | None, str | None]:
    return (None, None) if value is None else (value.datatype, value.lexical)


# ---- projection -------------------------------------------------------------------------------


def project(
    claim: Claim, base: Base, mapping: Mapping, canonical: Canonical = identity
) -> tuple[Triple, ...]:
    """Return what one claim asserts in RiC-O; nothing unless admitted and not deprecated."""
    if claim.status is not Status.ADMITTED or claim.rank is Rank.DEPRECATED:
        return ()
    rule = mapping.statement(claim.statement)
    subject = ref_iri(canonical(claim.subject), base)
    if claim.statement == NAMED_AS:
        return tuple(_mention(claim, subject, base, mapping))
    if claim.statement == TRIGGERED_BY:
        event = mapping.event(claim.name)
        return (
            Triple(subject, TYPE, event.cls),
            Triple(subject, event.type_predicate, event.concept),
        )
    if claim.statement == ALIAS:
        return tuple(_alias(claim, rule, subject, base, mapping))
    if claim.object is not None:
        object_ = ref_iri(canonical(claim.object), base)
        triples = [Triple(subject, rule.predicate, object_)]
        if rule.symmetric:
            triples.append(Triple(object_, rule.predicate, subject))
        triples += _relation(claim, rule, subject, object_, base, canonical)
        return tuple(triples)
    return tuple(_literal(claim, rule, subject, base))


def _mention(claim: Claim, entity: NamedNode, base: Base, mapping: Mapping) -> list[Triple]:
    rule = mapping.entity(claim.name)
    triples = [Triple(entity, TYPE, rule.cls)]
    if rule.superclass is not None:
        triples.append(Triple(entity, TYPE, rule.superclass))
    triples += _name(claim, entity, rule.name_predicate, rule.name_class, base)
    if rule.name_class == RICO("Title"):
        triples.append(Triple(entity, RICO("title"), _lexical(claim)))
    if rule.cls == RICO("Date"):
        triples.append(Triple(entity, RICO("expressedDate"), _lexical(claim)))
        if claim.time is not None:
            normal = Literal(claim.time.lexical, datatype=EDTF)
            triples.append(Triple(entity, RICO("normalizedDateValue"), normal))
    return triples


def _name(
    claim: Claim, entity: NamedNode, predicate: NamedNode, cls: NamedNode, base: Base
) -> list[Triple]:
    name = base.iri("name", claim.key)
    triples = [
        Triple(entity, predicate, name),
        Triple(name, TYPE, cls),
        Triple(name, RICO("textualValue"), _lexical(claim)),
        Triple(name, _DERIVED, base.iri("claim", claim.key)),
    ]
    triples += [Triple(name, _READ_IN, unit) for unit in _units(claim, base)]
    return triples


def _alias(
    claim: Claim, rule: StatementRule, entity: NamedNode, base: Base, mapping: Mapping
) -> list[Triple]:
    named = mapping.by_kind(claim.subject.kind)
    if named is None:
        return []
    triples = _name(claim, entity, named.name_predicate, named.name_class, base)
    name = base.iri("name", claim.key)
    triples.append(Triple(name, _HAS_TYPE, rule.concept))
    triples += _relation(claim, rule, entity, name, base, identity)
    return triples


def _literal(claim: Claim, rule: StatementRule, subject: NamedNode, base: Base) -> list[Triple]:
    if claim.value is None:
        return []
    if rule.literal == "anyURI":
        return [Triple(subject, rule.predicate, NamedNode(claim.value.lexical))]
    triples = [Triple(subject, rule.predicate, value_literal(claim.value))]
    if rule.node_predicate is None or rule.node_class is None:
        return triples
    if rule.node_class == RICO("Date"):
        node = base.iri("date", claim.key)
        triples.append(Triple(subject, rule.node_predicate, node))
        return triples + _date(node, claim.value, claim, base)
    node = base.iri("occupation", claim.key)
    return [
        *triples,
        Triple(subject, rule.node_predicate, node),
        Triple(node, TYPE, rule.node_class),
        Triple(node, RICO("name"), _lexical(claim)),
        Triple(node, _DERIVED, base.iri("claim", claim.key)),
    ]


def _date(node: NamedNode, value: Value, claim: Claim, base: Base) -> list[Triple]:
    triples = [
        Triple(node, TYPE, RICO("Date")),
        Triple(
            node,
            RICO("expressedDate"),
            text_literal(value.verbatim or value.lexical, value.language),
        ),
        Triple(node, _DERIVED, base.iri("claim", claim.key)),
    ]
    if value.datatype in {"edtf", "date"}:
        normal = Literal(value.lexical, datatype=EDTF)
        triples.append(Triple(node, RICO("normalizedDateValue"), normal))
    return triples


def _relation(
    claim: Claim,
    rule: StatementRule,
    subject: NamedNode,
    object_: NamedNode,
    base: Base,
    canonical: Canonical,
) -> list[Triple]:
    """The relation node, only where it says more than the shortcut: date, place, role, doubt."""
    doubtful = claim.label in (Label.PARTIAL, Label.AMBIGUOUS)
    said_more = claim.time is not None or claim.place is not None or rule.role is not None
    if rule.relation_class is None or not (said_more or doubtful):
        return []
    node = base.iri("rel", claim.key)
    triples = [Triple(node, TYPE, rule.relation_class)]
    if rule.relation_superclass is not None:
        triples.append(Triple(node, TYPE, rule.relation_superclass))
    triples += _ends(node, rule.order, subject, object_)
    if rule.role is not None:
        triples.append(Triple(node, RICO("relationHasContext"), rule.role))
    else:
        triples.append(Triple(node, _HAS_TYPE, rule.concept))
    if claim.time is not None:
        date = base.iri("date", key_of("time", claim.key))
        triples.append(Triple(node, RICO("relationHasDate"), date))
        triples += _date(date, claim.time, claim, base)
    if claim.place is not None:
        place = ref_iri(canonical(claim.place), base)
        triples.append(Triple(node, RICO("isAssociatedWithPlace"), place))
    if doubtful:
        triples.append(Triple(node, RICO("relationCertainty"), Literal("uncertain")))
    triples += [Triple(node, RICO("isEvidencedBy"), unit) for unit in _units(claim, base)]
    triples.append(Triple(node, _DERIVED, base.iri("claim", claim.key)))
    return triples


def _ends(
    node: NamedNode, order: str, subject: NamedNode, object_: NamedNode
) -> tuple[Triple, Triple]:
    if order == "connects":
        connects = RICO("relationConnects")
        return Triple(node, connects, subject), Triple(node, connects, object_)
    source, target = (subject, object_) if order == "source-target" else (object_, subject)
    return (
        Triple(node, RICO("relationHasSource"), source),
        Triple(node, RICO("relationHasTarget"), target),
    )


def _units(claim: Claim, base: Base) -> list[NamedNode]:
    keys = dict.fromkeys(pointer.unit for pointer in claim.pointers)
    return [base.iri("evidence", key) for key in keys]


def _lexical(claim: Claim) -> Literal:
    value = claim.value or Value("")
    return text_literal(value.lexical, value.language)


# ---- re-projection ----------------------------------------------------------------------------


def truthy(claims: Iterable[Claim], canonical: Canonical = identity) -> list[Claim]:
    """Return the claims that project: admitted, not deprecated, preferred where one is (law 7)."""
    standing = [c for c in claims if c.status is Status.ADMITTED and c.rank is not Rank.DEPRECATED]
    best = {_slot(c, canonical) for c in standing if c.rank is Rank.PREFERRED}
    return [c for c in standing if c.rank is Rank.PREFERRED or _slot(c, canonical) not in best]


def projections(
    claims: Iterable[Claim],
    visible: Callable[[Claim], bool],
    base: Base,
    mapping: Mapping,
    canonical: Canonical = identity,
) -> frozenset[Quad]:
    """Return the quads that the claims project: public by the visible ones, the rest internal.

    The rank rule is applied for each graph apart: a preferred claim that the public may not see
    does not take from the public what it may.
    """
    known = list(claims)
    open_, all_ = [c for c in known if visible(c)], known
    public = {t for c in truthy(open_, canonical) for t in project(c, base, mapping, canonical)}
    every = {t for c in truthy(all_, canonical) for t in project(c, base, mapping, canonical)}
    return frozenset(
        [Quad(t.subject, t.predicate, t.object, base.public) for t in public]
        + [Quad(t.subject, t.predicate, t.object, base.internal) for t in every - public]
    )


def reproject(
    before: Iterable[Claim],
    after: Iterable[Claim],
    visible: Callable[[Claim], bool],
    base: Base,
    mapping: Mapping,
    canonical: Canonical = identity,
    was_visible: Callable[[Claim], bool] | None = None,
    was_canonical: Canonical | None = None,
) -> tuple[tuple[Quad, ...], tuple[Quad, ...]]:
    """Return the quads to remove and to add when the claims `before` become those `after`.

    Both must hold every claim that shares a thing with a changed claim, as `decoding.neighbours`
    gives them. `was_visible` and `was_canonical` say how it was before an access condition or a
    merge changed; by default as now.
    """
    old = projections(before, was_visible or visible, base, mapping, was_canonical or canonical)
    new = projections(after, visible, base, mapping, canonical)
    return tuple(sorted(old - new, key=str)), tuple(sorted(new - old, key=str))


def _slot(claim: Claim, canonical: Canonical) -> tuple[Ref, str]:
    return canonical(claim.subject), claim.statement
