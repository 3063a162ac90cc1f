"""Gold mentions of the sample archive: its truth files as a collection, one passage a page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rdfkms.evaluation.linkedmentions import PROPOSER, TYPES, Collection, GoldMention
from rdfkms.model import Anchor, Candidate, EvidenceUnit, Kind, Modality, UnitText, Value, View
from rdfkms.vocab import key_of

# The value of a statement where it is no text.
_DATATYPES = {"age": "integer", "time": "edtf", "birthDate": "edtf", "deathDate": "edtf"}
_LINKED = frozenset(TYPES.values())


def read(root: Path) -> Collection:
    """Return the pages below `root` with their mentions and what the truth gives as stated."""
    units: dict[str, EvidenceUnit] = {}
    mentions: list[GoldMention] = []
    others: list[Candidate] = []
    for path in sorted(root.rglob("*.truth.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        unit = _unit(truth)
        units[unit.key] = unit
        for item in truth["mentions"]:
            named = _mention(unit, item)
            if item["type"] in _LINKED:
                mentions.append(GoldMention(named, item["entity"], truth["record"]))
            else:
                others.append(named)
        others += _stated(unit, truth)
    return Collection(f"sample {root.name}", units, tuple(mentions), tuple(others))


def _unit(truth: Mapping[str, Any]) -> EvidenceUnit:
    key, language = key_of("unit", truth["source"]), str(truth["language"])
    text = str(truth["text"])
    raw = UnitText(
        key_of("text", key), key, key_of("version", key), View.RAW, text, 0, len(text), language
    )
    return EvidenceUnit(
        key, key_of("record", truth["record"]), key_of("source", truth["source"]) * 2,
        key_of("page", key), 1, Modality.DOCUMENT, language, str(truth["page"]), 1, (raw,), (),
    )  # fmt: skip


def _anchor(unit: EvidenceUnit, span: Mapping[str, Any], type_: str = "") -> Anchor:
    start, end = span["start"], span["end"]
    return Anchor(start, end, unit.raw.text[start:end], type_)


def _mention(unit: EvidenceUnit, item: Mapping[str, Any]) -> Candidate:
    named = _anchor(unit, item, item["type"])
    return _candidate(unit, Kind.MENTION, item["type"], item, subject=named)


def _candidate(
    unit: EvidenceUnit, kind: Kind, name: str, quote: Mapping[str, Any], **fields: Any
) -> Candidate:
    start, end = quote["start"], quote["end"]
    key = key_of("gold", unit.key, kind.value, name, start, end, repr(sorted(fields.items())))
    text = unit.raw.text[start:end]
    return Candidate(key, kind, unit.key, name, text, start, end, proposer=PROPOSER, **fields)


def _stated(unit: EvidenceUnit, truth: Mapping[str, Any]) -> Iterator[Candidate]:
    named = {item["id"]: item for item in truth["mentions"]}
    for fact in truth["facts"]:
        if fact["certainty"] != "stated":
            continue
        event = fact["event"] or (fact["id"] if fact["kind"] == "event" else None)
        fields: dict[str, Any] = {"group": key_of(truth["record"], event) if event else None}
        for end in ("subject", "object"):
            if fact[end] in named:
                item = named[fact[end]]
                fields[end] = _anchor(unit, item, item["type"])
        if fact.get("trigger"):
            fields["subject"] = _anchor(unit, fact["trigger"])
        if fact["value"] is not None:
            kind = _DATATYPES.get(fact["name"], "string")
            fields["value"] = Value(str(fact["value"]), kind, unit.language)
        yield _candidate(unit, Kind(fact["kind"]), fact["name"], fact["quote"], **fields)
