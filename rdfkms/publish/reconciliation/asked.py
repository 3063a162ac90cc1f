"""What clients ask: batches, single queries and data extension, read from JSON with limits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from rdfkms.errors import BadInput, TooLarge
from rdfkms.knowledge.mapping import EntityRule, Mapping, StatementRule
from rdfkms.vocab import KV

BATCH = 50  # queries in one request, as the manifest says
LONGEST = 300  # characters of a name or value
LIMIT, MOST = 10, 50  # candidates by default, and at most
PROPERTIES, VALUES = 20, 20  # in one query, of one property
IDS = 500  # entities in one data extension query
_STRICT = ("any", "should", "all")
_FIELDS = frozenset({"query", "type", "limit", "properties", "type_strict"})
_ALSO_READ = frozenset({"type_strict", "lang"})

Given = str | float | bool | int
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Thing:
    """A value that is an entity: its identifier and perhaps a name."""

    id: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """One reconciliation query. No types means all; `all_types` that each must be borne."""

    text: str = ""
    types: tuple[EntityRule, ...] = ()
    all_types: bool = False
    limit: int = LIMIT
    properties: tuple[tuple[StatementRule, tuple[Given | Thing, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """One property of a data extension query, and how its values are wanted."""

    id: str
    rule: StatementRule | None  # None: the names
    limit: int = 0  # 0: all
    count: bool = False


NAMES = "namedAs"  # the property that gives all names


def type_id(rule: EntityRule) -> str:
    """Return the identifier of a type in the schema space: ``typePerson``."""
    return rule.concept.value.removeprefix(KV.iri)


def property_id(rule: StatementRule) -> str:
    """Return the identifier of a property in the schema space: ``kinshipChild``."""
    return rule.concept.value.removeprefix(KV.iri)


def type_of(mapping: Mapping, name: str) -> EntityRule:
    """Return the type of an identifier, IRI or name of the mapping table; raises `BadInput`."""
    for rule in mapping.entities.values():
        if name in (type_id(rule), rule.concept.value, rule.cls.value, rule.name):
            return rule
    raise BadInput(
        f"There is no type {_short(name)}.",
        hint="The manifest and /reconcile/suggest/type list them.",
    )


def statements(mapping: Mapping) -> list[StatementRule]:
    """Return the statements about entities that may be asked for, in the order of the table."""
    return [r for r in mapping.statements.values() if r.kind in ("relation", "attribute")]


def property_of(mapping: Mapping, name: str) -> StatementRule:
    """Return the property of an identifier, IRI or name of the table; raises `BadInput`."""
    for rule in statements(mapping):
        if name in (property_id(rule), rule.concept.value, rule.name):
            return rule
    raise BadInput(
        f"There is no property {_short(name)}.", hint="/reconcile/suggest/property lists them."
    )


def batch(text: str, mapping: Mapping) -> dict[str, Asked]:
    """Return the queries of a batch in their order; raises `BadInput`, `TooLarge`."""
    given = _object(text, "queries")
    if len(given) > BATCH:
        raise TooLarge(
            f"The batch has {len(given)} queries; at most {BATCH} are answered at a time.",
            hint="Send it in parts, as batchSize in the manifest says.",
        )
    return {key: _query(one, f"query {_short(key)}", mapping) for key, one in given.items()}


def single(text: str, mapping: Mapping) -> Asked:
    """Return a query that is sent alone: a JSON object, or the bare name."""
    if text.lstrip().startswith("{"):
        return _query(_object(text, "query"), "query", mapping)
    return _query({"query": text}, "query", mapping)


def extension(text: str, mapping: Mapping) -> tuple[tuple[str, ...], tuple[Wanted, ...]]:
    """Return identifiers and properties of a data extension query; raises `BadInput`."""
    given = _object(text, "extend")
    ids = _list(given.get("ids"), "extend: ids", IDS, _string("extend: ids"))
    wanted = _list(
        given.get("properties"), "extend: properties", PROPERTIES, lambda one: _wanted(one, mapping)
    )
    return tuple(dict.fromkeys(ids)), tuple({one.id: one for one in wanted}.values())


def _object(text: str, field: str) -> dict[str, Any]:
    try:
        found = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as err:
        raise BadInput(f"The field {field} is no JSON that can be read.") from err
    if not isinstance(found, dict):
        raise BadInput(f"The field {field} must be a JSON object.")
    return found


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _query(given: Any, where: str, mapping: Mapping) -> Asked:
    if not isinstance(given, dict):
        raise BadInput(f"{where} must be an object.")
    unknown = sorted(given.keys() - _FIELDS - _ALSO_READ)
    if unknown:
        raise BadInput(f"{where} has an unknown field {_short(unknown[0])}.")
    strict = given.get("type_strict", "any")
    if strict not in _STRICT:
        raise BadInput(f"{where}: type_strict is one of {', '.join(_STRICT)}.")
    name = given.get("query") or ""
    # A cell that holds no name has no candidates; the other cells of the batch have theirs.
    is_long = isinstance(name, str) and len(name) > LONGEST
    text = "" if is_long else _string(f"{where}: query")(name)
    told = _list(
        given.get("properties", []), f"{where}: properties", PROPERTIES,
        lambda one: _property(one, where, mapping),
    )  # fmt: skip
    properties = [(rule, values) for rule, values in _merged(told) if values]
    return Asked(
        text, _types(given.get("type"), where, mapping), strict == "all",
        _limit(given.get("limit", LIMIT), where), tuple(properties),
    )  # fmt: skip


def _merged(
    told: list[tuple[StatementRule, tuple[Given | Thing, ...]]],
) -> Iterator[tuple[StatementRule, tuple[Given | Thing, ...]]]:
    """Yield each property once, with each of its values once."""
    rules = {rule.name: rule for rule, _ in told}
    for name, rule in rules.items():
        values = (value for other, given in told if other.name == name for value in given)
        yield rule, tuple(dict.fromkeys(values))


def _types(given: Any, where: str, mapping: Mapping) -> tuple[EntityRule, ...]:
    if given in (None, "", []):
        return ()
    many = given if isinstance(given, list) else [given]
    names = _list(many, f"{where}: type", PROPERTIES, _identifier(f"{where}: type"))
    return tuple({r.name: r for r in (type_of(mapping, name) for name in names)}.values())


def _identifier(where: str) -> Callable[[Any], str]:
    read = _string(where)
    return lambda one: read(one.get("id") if isinstance(one, dict) else one)


def _limit(given: Any, where: str) -> int:
    if isinstance(given, bool) or not isinstance(given, int | float) or given % 1:
        raise BadInput(f"{where}: limit is a whole number.")
    if given < 1:
        raise BadInput(f"{where}: limit is 1 or more.")
    return min(int(given), MOST)


def _property(
    given: Any, where: str, mapping: Mapping
) -> tuple[StatementRule, tuple[Given | Thing, ...]]:
    if not isinstance(given, dict) or "pid" not in given or "v" not in given:
        raise BadInput(f"{where}: a property is an object with pid and v.")
    rule = property_of(mapping, _string(f"{where}: pid")(given["pid"]))
    many = given["v"] if isinstance(given["v"], list) else [given["v"]]
    # An empty cell says nothing, and one that is too long is no value here.
    many = [one for one in many if not _is_blank(one)]
    return rule, tuple(_list(many, f"{where}: v", VALUES, lambda one: _value(one, where)))


def _is_blank(given: Any) -> bool:
    return given is None or (isinstance(given, str) and (not given.strip() or len(given) > LONGEST))


def _value(given: Any, where: str) -> Given | Thing:
    if isinstance(given, dict):
        read = _string(f"{where}: v")
        return Thing(read(given.get("id")), read(given.get("name", "")))
    if isinstance(given, bool | int | float):
        return given
    return _string(f"{where}: v")(given)


def _wanted(given: Any, mapping: Mapping) -> Wanted:
    if not isinstance(given, dict):
        raise BadInput("extend: a property is an object with an id.")
    name = _string("extend: property id")(given.get("id"))
    settings = given.get("settings") or {}
    if not isinstance(settings, dict):
        raise BadInput("extend: settings is an object.")
    limit = str(settings.get("limit") or 0)
    if not limit.isdecimal() or len(limit) > 6:
        raise BadInput("extend: the setting limit is a whole number.")
    count = settings.get("count") in (True, "on", "true", "True", "1")
    rule = None if name in (NAMES, f"{KV.iri}{NAMES}") else property_of(mapping, name)
    return Wanted(name, rule, int(limit), count)


def _list(given: Any, where: str, most: int, read: Callable[[Any], T]) -> list[T]:
    if not isinstance(given, list):
        raise BadInput(f"{where} must be a list.")
    if len(given) > most:
        raise TooLarge(f"{where} has {len(given)} entries; at most {most} are taken.")
    return [read(one) for one in given]


def _string(where: str) -> Callable[[Any], str]:
    def read(one: Any) -> str:
        if not isinstance(one, str):
            raise BadInput(f"{where}: a text is wanted, this is {_short(one)}.")
        if len(one) > LONGEST:
            raise TooLarge(f"{where} has {len(one)} characters; at most {LONGEST} are compared.")
        return one

    return read


def _short(one: object) -> str:
    shown = json.dumps(one, ensure_ascii=False, default=str)
    return shown if len(shown) <= 60 else f"{shown[:59]}…"
