"""What holds also against a person: a reviewer overrules doubts of sense, never the laws.

Whoever accepts a claim answers for what the passage means. That the quote stands there (law 1),
that the ends are admitted, that the shapes hold, is for the gate alone (law 2, R74, R78).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rdfkms.admission import offices
from rdfkms.admission.conflicts import Rivals
from rdfkms.admission.judging import FIRST, Gate
from rdfkms.admission.reasons import quoted, reason
from rdfkms.admission.shaping import broken
from rdfkms.knowledge.names import Names
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.model import Claim, EvidenceUnit, Kind, Label, Reason, Ref, Status


def objections(claim: Claim, unit: EvidenceUnit, gate: Gate) -> tuple[Reason, ...]:
    """Return why the claim cannot be admitted whoever wishes it; empty where it can."""
    found = (*_pointers(claim, unit), *lacking(claim, unit, gate))
    if found:
        return found
    wanted = replace(claim, status=Status.ADMITTED)
    context = list(gate.known.triggers(claim.subject)) if claim.kind is Kind.ARGUMENT else []
    shapes = broken(gate.shapes, [(wanted, unit)], context, gate.base, gate.mapping)
    return shapes.get(claim.key, ())


def missing_ends(claim: Claim, unit: EvidenceUnit, gate: Gate) -> list[Claim]:
    """Return the claims that would have to be admitted first: mentions at its ends, its trigger."""
    wanted: dict[str, Claim] = {}
    for thing in _things(claim):
        said = gate.known.names(thing, unit.key)
        if not any(c.status is Status.ADMITTED for c in said):
            wanted |= {c.key: c for c in said if c.status is Status.QUARANTINED}
    return list(wanted.values())


def accepted(claim: Claim, unit: EvidenceUnit, gate: Gate, day: str) -> Claim:
    """Return the claim as a person admits it: supported, normal, with the conflicts it raises."""
    said = reason("acceptedByPerson", day=day)
    claim = replace(claim, status=Status.ADMITTED, label=Label.SUPPORTED, reasons=(said,))
    rivals = Rivals([claim], gate.known, gate.mapping, _names_of(_beside(claim, gate), gate))
    keys: set[str] = set()
    reasons = [said]
    for code, others in rivals.of(claim):
        keys |= {other.key for other in others}
        told = "; ".join(quoted(o.pointers[0].quote) for o in others if o.pointers)
        reasons.append(reason(code, what=told))
    return replace(claim, conflicts=tuple(sorted(keys)), reasons=tuple(reasons))


def _beside(claim: Claim, gate: Gate) -> list[Claim]:
    """The claim and those whose ends it is compared with by name."""
    found = [claim]
    if gate.mapping.statement(claim.statement).single_valued:
        found += gate.known.about(claim.subject, claim.statement)
    if claim.statement == offices.HOLDING and claim.object is not None:
        found += gate.known.naming(claim.object, (offices.HOLDING,))
    return found


def _pointers(claim: Claim, unit: EvidenceUnit) -> Iterator[Reason]:
    texts = {text.key: text.text for text in unit.texts}
    if not claim.pointers:
        yield reason("emptyQuote")
    for pointer in claim.pointers:
        text = texts.get(pointer.unit_text, "") if pointer.unit == unit.key else ""
        if not pointer.quote or text[pointer.start : pointer.end] != pointer.quote:
            yield reason("quoteNotFound", what=quoted(pointer.quote))


def lacking(claim: Claim, unit: EvidenceUnit, gate: Gate) -> Iterator[Reason]:
    """Yield which ends of a claim are no admitted mentions of its passage, or its trigger."""
    if claim.kind is Kind.ARGUMENT:
        types = [trigger.name for trigger in gate.known.triggers(claim.subject)]
        if not types:
            yield reason("triggerNotAdmitted", name=claim.statement)
        elif not any(gate.mapping.accepts_subject(claim.statement, type_) for type_ in types):
            allowed = ", ".join(gate.mapping.statement(claim.statement).domain)
            yield reason("wrongSubjectType", name=claim.statement, what=types[0], allowed=allowed)
    for field in ("subject", "object", "place"):
        thing: Ref | None = getattr(claim, field)
        if thing is None or thing not in _things(claim):
            continue
        said = gate.known.names(thing, unit.key)
        if not any(c.status is Status.ADMITTED for c in said) and not _is_told(claim, thing, gate):
            name = said[0].value.lexical if said and said[0].value else thing.path
            yield reason("endNotAdmitted", field=field, what=quoted(name))


def _is_told(claim: Claim, thing: Ref, gate: Gate) -> bool:
    """Whether a description speaks of a thing by its identifier, and the archive has its name.

    A description need not name a thing in each passage about it. Its own file has no name.
    """
    if not gate.mapping.statement(claim.statement).declared:
        return False
    return gate.mapping.by_kind(thing.kind) is None or bool(gate.known.about(thing, NAMED_AS))


def _things(claim: Claim) -> list[Ref]:
    """The ends that need a mention; the subject of an argument is its event."""
    if claim.kind in FIRST:
        return []
    subject = None if claim.kind is Kind.ARGUMENT else claim.subject
    return [ref for ref in (subject, claim.object, claim.place) if ref is not None]


def _names_of(claims: Iterable[Claim], gate: Gate) -> Names:
    """What the objects are called where they stand: two spellings of a place do not conflict."""
    names = Names()
    for claim in claims:
        for pointer in claim.pointers:
            for thing in (claim.subject, claim.object):
                if thing is not None:
                    names.learn(gate.known.names(thing, pointer.unit), lambda unit: "")
    return names
