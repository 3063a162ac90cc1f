"""What the service answers: candidates, suggestions and the manifest as JSON values."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any

import rdfkms
from rdfkms.knowledge.mapping import EntityRule
from rdfkms.knowledge.names import Entity
from rdfkms.model import Ref
from rdfkms.publish.catalogue import collation
from rdfkms.publish.reconciliation.asked import (
    BATCH,
    NAMES,
    Asked,
    property_id,
    statements,
    type_id,
)
from rdfkms.publish.reconciliation.candidates import candidates
from rdfkms.publish.reconciliation.extending import SETTINGS
from rdfkms.publish.reconciliation.index import Index
from rdfkms.vocab import KV

PREVIEW = (430, 300)  # pixels of the frame
SUGGESTED = 20
_MOST_STARTS = 2_000  # names looked at for one prefix
_MOST_OTHER = 3  # other names in a description
_MOST_SHOWN = 80  # letters of a name in a description


def result(index: Index, asked: Asked) -> dict[str, Any]:
    """Return the result of one query."""
    found = []
    for one in candidates(index, asked):
        told = _told(index, one.entity)
        told["type"] = told.pop("notable")
        told["score"], told["match"] = one.score, one.match
        told["features"] = [{"id": name, "value": v} for name, v in one.features(index)]
        found.append(told)
    return {"result": found}


def _told(index: Index, entity: Entity) -> dict[str, Any]:
    """Return an entity as suggestions show it."""
    rule, shown = index.rule(entity), index.called(entity.ref)
    return {
        "id": entity.ref.path,
        "name": shown.link.text,
        "description": description(index, entity),
        "notable": [_type(rule)],
    }


def description(index: Index, entity: Entity) -> str:
    """Return class, other names and number of readings: what tells namesakes apart."""
    known = index.described.get(entity.ref)
    if known is None:
        known = index.described[entity.ref] = _described(index, entity)
    return known


def _described(index: Index, entity: Entity) -> str:
    rule, shown = index.rule(entity), index.called(entity.ref)
    other = sorted({*entity.forms.values()} - {shown.link.text})[:_MOST_OTHER]
    parts = [rule.label_en]
    if other:
        parts.append("also read " + ", ".join(_cut(name) for name in other))
    parts += [f"{said} {_cut(value)}" for said, value in _details(index, entity)]
    readings = f"{shown.count} reading{'' if shown.count == 1 else 's'}"
    records = f"{len(entity.records)} record{'' if len(entity.records) == 1 else 's'}"
    return "; ".join([*parts, f"{readings} in {records}"])


def _details(index: Index, entity: Entity) -> list[tuple[str, str]]:
    """Return two details in words, of those that are said of the entity itself."""
    rules, found = index.mapping.statements, {}
    for detail in index.names.details_of(entity.ref):
        rule = rules.get(detail.statement.removesuffix(" of"))
        if rule is not None and detail.shown:
            found[detail.statement, detail.shown] = (rule.label_en, detail.shown)
    order = sorted(found, key=lambda key: (key[0].startswith("Kinship/"), key))
    return [found[key] for key in order[:2]]


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"


def _type(rule: EntityRule) -> dict[str, str]:
    return {"id": type_id(rule), "name": rule.label_en}


# ---- suggestions ---------------------------------------------------------------------------------


def suggested_entities(
    index: Index, prefix: str, types: tuple[EntityRule, ...], skip: int
) -> dict[str, Any]:
    """Return entities with a name whose words begin so; then those whose names are alike."""
    wanted = {rule.name for rule in types} or set(index.types)
    refs = dict.fromkeys(_beginning(index, prefix, wanted))
    if len(refs) < skip + SUGGESTED and prefix.strip():
        asked = Asked(prefix, types, limit=SUGGESTED)
        refs |= dict.fromkeys(one.entity.ref for one in candidates(index, asked))
    known = (index.names.entity(ref) for ref in list(refs)[skip : skip + SUGGESTED])
    return {"result": [_told(index, entity) for entity in known if entity is not None]}


def _beginning(index: Index, prefix: str, wanted: set[str]) -> list[Ref]:
    named = index.entity(prefix)
    if named is not None and named.type in wanted:
        return [named.ref]
    folded = collation(" ".join(prefix.split()))
    at = bisect_left(index.starts, folded, key=lambda start: start[0])
    found: dict[Ref, tuple[bool, int, str]] = {}
    for text, ref in index.starts[at : at + _MOST_STARTS]:
        if not text.startswith(folded):
            break
        entity = index.names.entity(ref)
        if entity is not None and entity.type in wanted and ref not in found:
            shown = index.called(ref)
            first = collation(shown.link.text).startswith(folded)
            found[ref] = (not first, -shown.count, shown.link.text)
    return sorted(found, key=lambda ref: (*found[ref], ref.path))


def suggested_types(index: Index, prefix: str, skip: int) -> dict[str, Any]:
    """Return types whose name or identifier holds the text, those that there are first."""
    rules = index.mapping.entities
    ordered = [rules[name] for name in (*index.types, *(n for n in rules if n not in index.types))]
    found = [
        {**_type(rule), "description": f"{index.types.get(rule.name, 0)} here"} for rule in ordered
    ]
    return {"result": list(_holding(found, prefix))[skip : skip + SUGGESTED]}


def suggested_properties(
    index: Index, prefix: str, types: tuple[EntityRule, ...], skip: int
) -> dict[str, Any]:
    """Return properties whose name or identifier holds the text."""
    wanted = {rule.name for rule in types}
    found: list[dict[str, Any]] = [
        {"id": NAMES, "name": "names", "description": "all names that were read"}
    ]
    for rule in statements(index.mapping):
        if not wanted or wanted & set(rule.domain):
            domain = ", ".join(index.mapping.entity(name).label_en for name in rule.domain)
            told = {"id": property_id(rule), "name": rule.label_en, "description": f"of: {domain}"}
            found.append(told)
    return {"result": list(_holding(found, prefix))[skip : skip + SUGGESTED]}


def _holding(found: Iterable[dict[str, Any]], prefix: str) -> Iterator[dict[str, Any]]:
    text = prefix.strip().removeprefix(KV.iri).casefold()
    for one in found:
        if text in one["name"].casefold() or text in one["id"].casefold():
            yield one


# ---- manifest ------------------------------------------------------------------------------------


def manifest(index: Index, root: str, title: str) -> dict[str, Any]:
    """Return the service manifest; `root` is the address at which the client reached the site."""
    here = f"{root}/reconcile"
    rules = index.mapping.entities

    def suggest(what: str) -> dict[str, str]:
        return {
            "service_url": here,
            "service_path": f"/suggest/{what}",
            "flyout_service_url": here,
            "flyout_service_path": f"/flyout/{what}?id=${{id}}",
        }

    return {
        "versions": ["0.2"],
        "name": title,
        "identifierSpace": f"{index.scope.base.base}/id/",
        "schemaSpace": KV.iri,
        "documentation": f"{root}/rules",
        "serviceVersion": rdfkms.__version__,
        "logo": f"{root}/static/icon.svg",
        "defaultTypes": [_type(rules[name]) for name in index.types or rules],
        "view": {"url": f"{root}/id/{{{{id}}}}"},
        "feature_view": {"url": f"{root}/rules?feature={{{{id}}}}"},
        "preview": {
            "url": f"{here}/preview?id={{{{id}}}}", "width": PREVIEW[0], "height": PREVIEW[1],
        },
        "suggest": {what: suggest(what) for what in ("entity", "property", "type")},
        "extend": {
            "propose_properties": {"service_url": here, "service_path": "/properties"},
            "property_settings": list(SETTINGS),
        },
        "batchSize": BATCH,
    }  # fmt: skip
