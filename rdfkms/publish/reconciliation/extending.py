"""Data extension: which properties there are for a type, and the values of some entities."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from pyoxigraph import Literal, NamedNode

from rdfkms.knowledge.mapping import EntityRule, StatementRule
from rdfkms.model import Ref
from rdfkms.ports import Row
from rdfkms.publish.reconciliation.asked import (
    NAMES,
    Wanted,
    property_id,
    statements,
    type_id,
)
from rdfkms.publish.reconciliation.index import Index
from rdfkms.publish.views import iri_of, literal_of, local_name, text_of

SETTINGS = (
    {
        "name": "limit", "label": "Limit", "type": "number", "default": 0,
        "help_text": "Most values of each entity; 0 gives all.",
    },
    {
        "name": "count", "label": "Count instead of values", "type": "checkbox", "default": False,
        "help_text": "Gives how many different values there are.",
    },
)  # fmt: skip
_MOST_VALUES = 500  # of one property of one entity
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
Rows = dict[tuple[Ref, str], list[tuple[Row, int]]]


def proposals(index: Index, rule: EntityRule | None, most: int) -> list[dict[str, Any]]:
    """Return properties that entities of the type may have (of all types for None).

    The names come first, then what is said most often.
    """

    def worth(statement: StatementRule) -> int:
        types = (rule.name,) if rule is not None else tuple(index.types)
        return -sum(index.said[type_, statement.name] for type_ in types)

    fitting = [s for s in statements(index.mapping) if rule is None or rule.name in s.domain]
    found = [{"id": NAMES, "name": "names"}]
    found += [{"id": property_id(s), "name": s.label_en} for s in sorted(fitting, key=worth)]
    return found[: most or None]


def extend(index: Index, ids: Sequence[str], wanted: Sequence[Wanted]) -> dict[str, Any]:
    """Return the data extension response: properties, and for each entity their values."""
    refs = {one: entity.ref for one in ids if (entity := index.entity(one)) is not None}
    rows = _rows(index, sorted(set(refs.values()), key=lambda ref: ref.path), wanted)
    return {
        "meta": [_meta(index, one) for one in wanted],
        "rows": {
            one: {w.id: _cell(index, refs[one], w, rows) if one in refs else [] for w in wanted}
            for one in ids
        },
    }


def _meta(index: Index, wanted: Wanted) -> dict[str, Any]:
    rule = wanted.rule
    if rule is None:
        return {"id": wanted.id, "name": "names"}
    meta: dict[str, Any] = {"id": wanted.id, "name": rule.label_en}
    if len(rule.range) == 1:
        found = index.mapping.entity(rule.range[0])
        meta["type"] = {"id": type_id(found), "name": found.label_en}
    return meta


def _rows(index: Index, refs: Sequence[Ref], wanted: Sequence[Wanted]) -> Rows:
    """Return the rows of each entity and statement that count, with how many claims say so."""
    rules = {one.rule.concept.value: one.rule for one in wanted if one.rule is not None}
    found: Rows = defaultdict(list)
    if not rules:
        return found
    things = [NamedNode(index.iri(ref)) for ref in refs]
    for row in index.scope.select_of("pages/extension", "thing", things):
        rule, parts = (
            rules.get(text_of(row["statement"])),
            index.scope.base.split(text_of(row["thing"])),
        )
        if rule is None or parts is None or _is_passed_over(rule, row):
            continue
        found[Ref(*parts), rule.name].append((row, int(text_of(row["count"]))))
    return {key: _preferred(rows) for key, rows in found.items()}


def _is_passed_over(rule: StatementRule, row: Row) -> bool:
    """Return whether the row speaks of the other end, or is disowned."""
    inverse = text_of(row["inverse"]) == "true"
    return (inverse and not rule.symmetric) or local_name(text_of(row["rank"])) == "deprecated"


def _preferred(rows: list[tuple[Row, int]]) -> list[tuple[Row, int]]:
    """Return the preferred rows, where there are none all: only these are projected (law 7)."""
    best = [one for one in rows if local_name(text_of(one[0]["rank"])) == "preferred"]
    return best or rows


def _cell(index: Index, ref: Ref, wanted: Wanted, rows: Rows) -> list[dict[str, Any]]:
    if wanted.rule is None:
        values = list(_names(index, ref))
    else:
        values = _values(index, wanted.rule, rows.get((ref, wanted.rule.name), []))
    if wanted.count:
        return [{"int": len(values)}]
    most = min(wanted.limit or _MOST_VALUES, _MOST_VALUES)
    return values[:most]


def _names(index: Index, ref: Ref) -> Iterator[dict[str, Any]]:
    """Yield the names, the one that is shown first."""
    entity = index.names.entity(ref)
    shown = index.called(ref).link.text
    forms = sorted({*entity.forms.values()} - {shown}) if entity is not None else []
    yield from ({"str": name} for name in (shown, *forms))


def _values(
    index: Index, rule: StatementRule, rows: Sequence[tuple[Row, int]]
) -> list[dict[str, Any]]:
    """Return the values, those that most claims state first, each once."""
    counts: dict[tuple[str, str], int] = defaultdict(int)
    made: dict[tuple[str, str], dict[str, Any]] = {}
    for row, count in rows:
        thing, value = iri_of(row["object"]), literal_of(row["value"])
        parts = index.scope.base.split(thing.value) if thing is not None else None
        if parts is not None:
            ref = index.names.canonical(Ref(*parts))
            key, cell = ("", ref.path), {"id": ref.path, "name": index.called(ref).link.text}
        elif value is not None:
            key, cell = (value.value, ""), _literal(rule, value)
        else:
            continue
        counts[key] += count
        made[key] = cell
    return [made[key] for key in sorted(made, key=lambda key: (-counts[key], key))]


def _literal(rule: StatementRule, value: Literal) -> dict[str, Any]:
    text = value.value
    if rule.literal == "integer" and text.lstrip("-").isdecimal():
        return {"int": int(text)}
    if rule.literal in ("edtf", "date") and _DAY.fullmatch(text):
        return {"date": f"{text}T00:00:00Z"}
    return {"str": text}
