"""What a language model is asked to answer: pydantic models, the one source of the JSON Schema.

The schema keeps to what all servers understand: objects, arrays, enums, strings, integers, null;
no references, no patterns. The enums come from the mapping table; parsing does not insist on
them, so that an unknown name becomes a candidate that the gate refuses with a reason.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from rdfkms.knowledge.mapping import Mapping
from rdfkms.model import Kind


class _Item(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class MentionItem(_Item):
    """A named thing."""

    type: str
    text: str
    quote: str


class StatementItem(_Item):
    """A relation or attribute of `subject`."""

    name: str
    subject: str
    subject_type: str
    object: str | None = None
    object_type: str | None = None
    value: str | None = None
    cue: str | None = None
    quote: str


class EventItem(_Item):
    """An event, numbered so that arguments can name it."""

    number: int
    type: str
    trigger: str
    quote: str


class ArgumentItem(_Item):
    """What fills a role of the event `event`."""

    event: int
    role: str
    object: str | None = None
    object_type: str | None = None
    value: str | None = None
    quote: str


class Extraction(_Item):
    """The whole answer about one passage."""

    mentions: tuple[MentionItem, ...] = ()
    statements: tuple[StatementItem, ...] = ()
    events: tuple[EventItem, ...] = ()
    arguments: tuple[ArgumentItem, ...] = ()


MOST_ITEMS = 60


def json_schema(mapping: Mapping, most: int = MOST_ITEMS) -> dict[str, Any]:
    """Return the JSON Schema of an answer, references put in place, names as enums.

    Each of its lists may have at most `most` items: an end for models that do not find one.
    """
    entities = list(mapping.names(Kind.MENTION))
    statements = [*mapping.names(Kind.RELATION), *mapping.names(Kind.ATTRIBUTE)]
    enums: dict[tuple[str, str], list[Any]] = {
        ("MentionItem", "type"): entities,
        ("StatementItem", "name"): statements,
        ("StatementItem", "subject_type"): entities,
        ("StatementItem", "object_type"): [*entities, None],
        ("EventItem", "type"): list(mapping.names(Kind.EVENT)),
        ("ArgumentItem", "role"): list(mapping.names(Kind.ARGUMENT)),
        ("ArgumentItem", "object_type"): [*entities, None],
    }
    raw = Extraction.model_json_schema()
    items = {name: _object(name, spec, enums) for name, spec in raw["$defs"].items()}
    lists = {
        field: {"type": "array", "maxItems": most, "items": items[_target(spec)]}
        for field, spec in raw["properties"].items()
    }
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": lists,
        "required": list(lists),
    }


def _target(spec: dict[str, Any]) -> str:
    reference: str = spec["items"]["$ref"]
    return reference.rpartition("/")[2]


def _object(
    name: str, spec: dict[str, Any], enums: dict[tuple[str, str], list[Any]]
) -> dict[str, Any]:
    properties = {
        field: {"enum": enums[(name, field)]} if (name, field) in enums else _plain(value)
        for field, value in spec["properties"].items()
    }
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "required": list(properties),
    }


def _plain(spec: dict[str, Any]) -> dict[str, Any]:
    """Return a type without title and default; a choice with null as a list of types."""
    if "anyOf" in spec:
        return {"type": [option["type"] for option in spec["anyOf"]]}
    return {"type": spec["type"]}
