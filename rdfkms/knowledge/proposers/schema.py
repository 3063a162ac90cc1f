"""What a language model is asked to answer: pydantic models, the one source of the JSON Schema.

The schema keeps to what all servers understand: objects, arrays, enums, strings, integers, null;
no references, no patterns. The enums come from the mapping table; parsing does not insist on
them, so that an unknown name becomes a candidate that the gate refuses with a reason.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from rdfkms.knowledge.mapping import Mapping
from rdfkms.model import Kind

DOUBTS = ("identity", "time", "place", "relation", "reading", "sense")
Enums = dict[tuple[str, str], list[Any]]


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
    time: str | None = None
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


class UncertaintyItem(_Item):
    """What the passage leaves open: never a claim, kept for a reviewer (R51, R53)."""

    about: str
    question: str
    quote: str


class Extraction(_Item):
    """The whole answer about one passage; `unit` repeats the id of the passage."""

    unit: str = ""
    mentions: tuple[MentionItem, ...] = ()
    statements: tuple[StatementItem, ...] = ()
    events: tuple[EventItem, ...] = ()
    arguments: tuple[ArgumentItem, ...] = ()
    uncertainties: tuple[UncertaintyItem, ...] = ()


class Confirmation(_Item):
    """The answer to the second question about one high-risk relation (R58)."""

    stated: Literal["yes", "no", "unclear"]
    quote: str | None = None
    ambiguity: str | None = None


class TripleItem(_Item):
    """A statement in words: the predicate as one would say it."""

    subject: str
    predicate: str
    object: str
    quote: str


class Triples(_Item):
    """Free triples of one passage (R60)."""

    triples: tuple[TripleItem, ...] = ()


class Description(_Item):
    """Machine text about one passage (R21)."""

    title: str
    summary: str
    keywords: tuple[str, ...] = ()


MOST_ITEMS = 60


def json_schema(mapping: Mapping, most: int = MOST_ITEMS) -> dict[str, Any]:
    """Return the JSON Schema of an answer, references put in place, names as enums.

    Each of its lists may have at most `most` items: an end for models that do not find one.
    """
    entities = list(mapping.names(Kind.MENTION))
    statements = [*mapping.names(Kind.RELATION), *mapping.names(Kind.ATTRIBUTE)]
    enums: Enums = {
        ("MentionItem", "type"): entities,
        ("StatementItem", "name"): statements,
        ("StatementItem", "subject_type"): entities,
        ("StatementItem", "object_type"): [*entities, None],
        ("EventItem", "type"): list(mapping.names(Kind.EVENT)),
        ("ArgumentItem", "role"): list(mapping.names(Kind.ARGUMENT)),
        ("ArgumentItem", "object_type"): [*entities, None],
        ("UncertaintyItem", "about"): list(DOUBTS),
    }
    return schema_of(Extraction, enums, most)


def schema_of(
    model: type[BaseModel], enums: Enums | None = None, most: int = MOST_ITEMS
) -> dict[str, Any]:
    """Return the JSON Schema of a model in the common subset, its lists at most `most` long."""
    raw = model.model_json_schema()
    items = {n: _object(n, spec, enums or {}, {}, most) for n, spec in raw.get("$defs", {}).items()}
    return _object(model.__name__, raw, enums or {}, items, most)


def _object(
    name: str, spec: dict[str, Any], enums: Enums, items: dict[str, Any], most: int
) -> dict[str, Any]:
    properties = {
        field: {"enum": enums[(name, field)]}
        if (name, field) in enums
        else _plain(value, items, most)
        for field, value in spec["properties"].items()
    }
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "required": list(properties),
    }


def _plain(spec: dict[str, Any], items: dict[str, Any], most: int) -> dict[str, Any]:
    """Return a type without title and default; a choice with null as a list of types."""
    if "anyOf" in spec:
        return {"type": [option["type"] for option in spec["anyOf"]]}
    if "enum" in spec:
        return {"enum": list(spec["enum"])}
    if spec["type"] == "array":
        inner = spec["items"]
        reference: str = inner.get("$ref", "")
        item = items[reference.rpartition("/")[2]] if reference else _plain(inner, items, most)
        return {"type": "array", "maxItems": most, "items": item}
    return {"type": spec["type"]}
