"""What was proposed, in the form of R52-R56: entities, relations, events, uncertainties.

Every record names its evidence unit, source and locator and has the exact quote, with the status
that the gate gave when it was proposed; what became of it since is told by the claim's audit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rdfkms.ledger.work import CandidateRow
from rdfkms.model import Anchor, Candidate, EvidenceUnit, Kind, Value

_LISTS = {
    Kind.MENTION: "entities",
    Kind.RELATION: "relations",
    Kind.ATTRIBUTE: "relations",
    Kind.TRIPLE: "relations",
    Kind.EVENT: "events",
    Kind.UNCERTAINTY: "uncertainties",
}


def contract(
    rows: Iterable[CandidateRow], units: Mapping[str, EvidenceUnit]
) -> dict[str, list[dict[str, Any]]]:
    """Return the four lists about these units; what names another unit is left out.

    Arguments stand in the event of their group. Unparseable answers have no place here.
    """
    made: dict[str, list[dict[str, Any]]] = {name: [] for name in sorted(set(_LISTS.values()))}
    events: dict[tuple[str, str], dict[str, Any]] = {}
    arguments: list[tuple[CandidateRow, EvidenceUnit]] = []
    for row in rows:
        found = row.candidate
        unit = units.get(found.unit)
        if unit is None:
            continue
        if found.kind is Kind.ARGUMENT:
            arguments.append((row, unit))
        elif found.kind in _LISTS:
            record = {**_evidence(row, unit), **_content(found)}
            made[_LISTS[found.kind]].append(record)
            if found.kind is Kind.EVENT and found.group:
                events[(found.unit, found.group)] = record
    for row, unit in arguments:
        event = events.get((row.candidate.unit, row.candidate.group or ""))
        if event is not None:
            filled = {"role": row.candidate.name, **_object(row.candidate), **_evidence(row, unit)}
            event["arguments"].append(filled)
    return made


def _evidence(row: CandidateRow, unit: EvidenceUnit) -> dict[str, Any]:
    found = row.candidate
    place = unit.locators[0] if unit.locators else None
    return {
        "id": found.key,
        "evidence_unit_id": unit.key,
        "source_id": unit.source,
        "locator": {
            "page": unit.page_label,
            "passage": unit.passage_number,
            "fragment": place.fragment if place else "",
            **({"juan": unit.juan} if unit.juan else {}),
        },
        "quote": found.quote,
        "start": found.start,
        "end": found.end,
        "confidence": found.confidence,
        "status": str(row.verdict.decision),
        "reasons": [reason.code for reason in row.verdict.reasons],
        "proposer": found.proposer,
        "claim_id": row.claim,
    }


def _content(found: Candidate) -> dict[str, Any]:
    subject = found.subject.surface if found.subject else ""
    if found.kind is Kind.MENTION:
        return {"name": subject, "type": found.name}
    if found.kind is Kind.EVENT:
        return {"event_type": found.name, "trigger": subject, "arguments": []}
    if found.kind is Kind.UNCERTAINTY:
        return {"about": found.name, "question": found.note}
    said = {"subject": _end(found.subject), "relation_type": found.name, **_object(found)}
    if found.time is not None:
        said["time"] = _value(found.time)
    if found.kind is Kind.TRIPLE:
        said["nearest"] = found.note.split(", ")
    return said


def _object(found: Candidate) -> dict[str, Any]:
    if found.object is not None:
        return {"object": _end(found.object)}
    return {"value": _value(found.value)} if found.value is not None else {}


def _end(anchor: Anchor | None) -> dict[str, Any]:
    return {"name": anchor.surface, "type": anchor.type} if anchor is not None else {}


def _value(value: Value) -> dict[str, str]:
    return {"value": value.lexical, "as_written": value.verbatim, "datatype": value.datatype}
