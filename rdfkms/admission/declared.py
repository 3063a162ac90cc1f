"""Judges what descriptions state by the declared mapping of their standards.

The same door as for all: a form that the table knows, a quote that stands in its place, a value
that the quote says, shapes, conflicts, one verdict each (laws 1, 2, 5). What differs is that no
wording is searched for: the element itself says what is meant. An archive that does not trust a
file's author lets its statements wait for a person (`trusted`).
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pyoxigraph import Triple

from rdfkms.admission import decisions
from rdfkms.admission.conflicts import Rivals
from rdfkms.admission.judged import Judged
from rdfkms.admission.judging import STATUS_OF, Gate, as_known, misshapen
from rdfkms.admission.reasons import quoted, reason
from rdfkms.admission.shaping import broken
from rdfkms.admission.structure import value_fits
from rdfkms.ingest.describing import dates
from rdfkms.knowledge import declaring
from rdfkms.knowledge.declaring import Declared
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.names import Names
from rdfkms.model import (
    Claim,
    EvidenceUnit,
    Kind,
    Label,
    Reason,
    Statement,
    Status,
    Value,
    Verdict,
)

STAGE = "review"
_LAST = re.compile(r"[/#]")


def judge_declared(
    declared: Sequence[tuple[Declared, EvidenceUnit]],
    gate: Gate,
    names: Names,
    known: Sequence[Triple] = (),
    *,
    trusted: bool,
) -> list[Judged]:
    """Return the verdict on each statement, in the order given.

    `known` are triples of the archive that the shapes lean on: the types of the described file.
    """
    judged = [_first(one, unit, gate, trusted=trusted) for one, unit in declared]
    units = {unit.key: unit for _, unit in declared}
    fresh: dict[str, Claim] = {}
    for one in judged:
        if one.claim is not None and one.verdict.stage != "known":
            fresh.setdefault(one.claim.key, one.claim)
    cases = [(claim, units[claim.pointers[0].unit]) for claim in fresh.values()]
    faults = broken(gate.shapes, cases, (), gate.base, gate.mapping, known)
    judged = _joined([_shaped(one, faults) for one in judged])
    return _with_conflicts(judged, gate, names)


def _first(one: Declared, unit: EvidenceUnit, gate: Gate, *, trusted: bool) -> Judged:
    table = decisions.table()
    old = gate.known.claim(one.claim.key)
    misformed = tuple(_form(one.statement, gate.mapping))
    if misformed:
        verdict = Verdict(table.decide("structure", misformed), "structure", misformed)
        return Judged(one.candidate, None, verdict)
    if not one.candidate.quote.strip() or unit.raw.text[_span(one)] != one.candidate.quote:
        lost = (reason("quoteNotFound", what=quoted(one.candidate.quote)),)
        return Judged(one.candidate, None, Verdict(table.decide("pointer", lost), "pointer", lost))
    label, reasons = _verified(one.statement, one.candidate.quote)
    if old is not None:
        return Judged(one.candidate, _said_again(old, one.claim, label), as_known(old))
    stage = "verification"
    if label is Label.SUPPORTED and not trusted:
        stage, reasons = STAGE, (reason("descriptionAwaitsReview"), *reasons)
    verdict = Verdict(table.decide(stage, reasons, label), stage, reasons, label)
    claim = replace(
        one.claim, status=STATUS_OF[verdict.decision], label=label, reasons=verdict.reasons
    )
    return Judged(one.candidate, claim, verdict)


def _said_again(old: Claim, again: Claim, label: Label) -> Claim:
    """Return a claim of the archive with the run and, if it stands, the place that say it too.

    What was decided on it stands, and its places stay those on which that was decided.
    """
    runs = tuple(dict.fromkeys((*old.runs, *again.runs)))
    stands = old.status in (Status.ADMITTED, Status.QUARANTINED) and label is Label.SUPPORTED
    places = again.pointers if stands else ()
    return replace(old, runs=runs, pointers=tuple(dict.fromkeys((*old.pointers, *places))))


def _joined(judged: Sequence[Judged]) -> list[Judged]:
    """Return the verdicts with one claim for each statement, however often the batch says it.

    Where readings were judged otherwise, the better supported is the claim.
    """
    several: dict[str, list[Claim]] = defaultdict(list)
    for claim in (one.claim for one in judged if one.claim is not None):
        several[claim.key].append(claim)
    claims = {key: _one_of(some) for key, some in several.items()}
    return [replace(o, claim=claims[o.claim.key]) if o.claim is not None else o for o in judged]


def _one_of(some: Sequence[Claim]) -> Claim:
    first = next((one for one in some if one.status is Status.ADMITTED), some[0])
    places = (p for one in some if one.status is first.status for p in one.pointers)
    return replace(first, pointers=tuple(dict.fromkeys(places)))


def _span(one: Declared) -> slice:
    return slice(one.candidate.start, one.candidate.end)


def _form(said: Statement, mapping: Mapping) -> Iterator[Reason]:
    """What is wrong with the form of a statement by the mapping table."""
    rule = mapping.statements.get(said.name)
    if rule is None or said.subject.type not in mapping.entities:
        yield reason("unknownName", what=quoted(said.name), kind="statement of a description")
        return
    if rule.claim_kind is Kind.MENTION:
        if said.value is None or not said.value.lexical.strip():
            yield reason("missingField", kind="name", field="value")
        return
    if not mapping.accepts_subject(said.name, said.subject.type):
        allowed = ", ".join(rule.domain)
        yield reason("wrongSubjectType", name=said.name, what=said.subject.type, allowed=allowed)
    if rule.literal is None:
        if said.object is None:
            yield reason("missingField", kind=said.name, field="object")
        elif not mapping.accepts_object(said.name, said.object.type):
            allowed = ", ".join(rule.range)
            yield reason("wrongObjectType", name=said.name, what=said.object.type, allowed=allowed)
    elif said.value is None:
        yield reason("missingField", kind=said.name, field="value")
    elif not value_fits(said.value, rule.literal):
        what = quoted(f"{said.value.lexical} ({said.value.datatype})")
        yield reason("wrongValueType", name=said.name, allowed=rule.literal, what=what)
    if said.time is not None and not value_fits(said.time, "edtf"):
        yield reason("wrongValueType", name="time", allowed="edtf", what=quoted(said.time.lexical))


def _verified(said: Statement, quote: str) -> tuple[Label, tuple[Reason, ...]]:
    """Whether the quote says the value: its words, or words and normal form of the element."""
    words = declaring.bare(declaring.plain(quote))
    for value in (said.value,) if said.object is None else ():
        if value is not None and not _says(words, value, quote):
            found = reason("valueOutsideQuote", what=quoted(value.lexical))
            return Label.PARTIAL, (found,)
    if said.time is not None and not dates.stands_in(said.time, quote):
        return Label.PARTIAL, (reason("timeOutsideQuote", what=quoted(said.time.lexical)),)
    return Label.SUPPORTED, (reason("statedByElement"),)


def _says(words: str, value: Value, quote: str) -> bool:
    if value.datatype == "anyURI" and not value.verbatim:
        # An address, or a term by its code: what it ends with stands in the quote.
        last = declaring.bare(_LAST.split(value.lexical.rstrip("/"))[-1]).casefold()
        return last in declaring.bare(html.unescape(quote)).casefold()
    if value.datatype != "string":  # a normal form: of an attribute, a code, a place in the order
        shown = declaring.bare(value.verbatim)
        stands = not shown or shown == words or shown in declaring.bare(quote)
        return stands and (value.datatype != "edtf" or dates.stands_in(value, quote))
    wanted = declaring.bare(value.lexical)
    # In a table a quotation mark inside a cell is doubled (RFC 4180).
    halved = declaring.bare(quote.replace('""', '"'))
    return wanted in (words, halved) or wanted in declaring.bare(quote)


def _shaped(one: Judged, faults: dict[str, tuple[Reason, ...]]) -> Judged:
    found = faults.get(one.claim.key, ()) if one.claim is not None else ()
    if one.claim is None or not found or one.verdict.stage == "known":
        return one
    verdict = misshapen(one.verdict, found)
    status = STATUS_OF[verdict.decision]
    claim = replace(one.claim, status=status, reasons=verdict.reasons)
    return replace(one, claim=claim, verdict=verdict)


def _with_conflicts(judged: Sequence[Judged], gate: Gate, names: Names) -> list[Judged]:
    """Flag what contradicts a single-valued statement of the archive or of the batch (law 7)."""
    single = [
        one.claim
        for one in judged
        if one.claim is not None
        and one.claim.status is Status.ADMITTED
        and gate.mapping.statement(one.claim.statement).single_valued
    ]
    if not single:
        return list(judged)
    rivals = Rivals(single, gate.known, gate.mapping, names)
    flagged: dict[str, tuple[tuple[Reason, ...], tuple[str, ...]]] = {}
    for claim in single:
        found = list(rivals.of(claim))
        if found:
            reasons = tuple(
                reason(code, what="; ".join(quoted(o.pointers[0].quote) for o in others))
                for code, others in found
            )
            keys = tuple(sorted({o.key for _, others in found for o in others}))
            flagged[claim.key] = (reasons, keys)
    return [_flagged(one, flagged) for one in judged]


def _flagged(one: Judged, flagged: dict[str, tuple[tuple[Reason, ...], tuple[str, ...]]]) -> Judged:
    if one.claim is None or one.claim.key not in flagged or one.verdict.stage == "known":
        return one
    reasons, keys = flagged[one.claim.key]
    claim = replace(one.claim, reasons=(*one.claim.reasons, *reasons), conflicts=keys)
    verdict = replace(one.verdict, reasons=(*one.verdict.reasons, *reasons))
    return replace(one, claim=claim, verdict=verdict)
