"""The JSON Schema asked of models: one source, common subset, names of the mapping table."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from pydantic import ValidationError

from rdfkms.knowledge import mapping
from rdfkms.knowledge.proposers import schema

UNPORTABLE = {
    "$ref",
    "$defs",
    "pattern",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "patternProperties",
    "title",
}


def _keywords(node: Any) -> set[str]:
    if isinstance(node, list):
        return set().union(*(_keywords(item) for item in node), set())
    if not isinstance(node, dict):
        return set()
    found = set(node)
    for key, value in node.items():
        inner = list(value.values()) if key == "properties" else value
        found |= _keywords(inner)
    return found


def test_the_schema_keeps_to_the_subset_that_all_servers_know() -> None:
    assert not _keywords(schema.json_schema(mapping.load())) & UNPORTABLE


def test_the_schema_accepts_what_the_parser_accepts_and_knows_the_names() -> None:
    form = schema.json_schema(mapping.load())
    item = {
        "name": "Kinship/child", "subject": "A", "subject_type": "Person", "object": "B",
        "object_type": "Person", "value": None, "time": None, "cue": "hijo",
        "quote": "A, hijo de B",
    }  # fmt: skip
    answer = {"unit": "u1", "mentions": [], "statements": [item], "events": [], "arguments": [],
              "uncertainties": []}  # fmt: skip
    jsonschema.validate(answer, form)
    assert schema.Extraction.model_validate_json(json.dumps(answer)).statements[0].cue == "hijo"
    item["name"] = "Dragon"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(answer, form)


def test_an_unknown_name_parses_so_that_the_gate_can_refuse_it() -> None:
    answer = {"mentions": [{"type": "Dragon", "text": "x", "quote": "x"}]}
    assert schema.Extraction.model_validate_json(json.dumps(answer)).mentions[0].type == "Dragon"


def test_unknown_fields_and_wrong_types_are_refused() -> None:
    for bad in ('{"mentions": [{"type": "Person", "text": 3, "quote": "x"}]}', '{"triples": []}'):
        with pytest.raises(ValidationError):
            schema.Extraction.model_validate_json(bad)


def words(text: str) -> list[str]:
    return text.split()


def test_every_type_that_is_asked_for_stands_in_schema_and_prompt() -> None:
    """The lists of R47-R49, written out here by hand, so that none can be lost from the table."""
    entities = words(
        "Person Location OrganizationState Title Artifact Work TimeExpression Concept "
        "HeritageItem Technique Ritual Tool Material"
    )
    relations = words(
        "Alias Kinship PoliticalRelation Succession GeographicControl OfficeHolding Authorship "
        "CitationSourceLink MasterApprenticeRelation FamilyTransmission PracticesAt PerformedAt "
        "UsesTool UsesMaterial"
    )
    events = words(
        "MilitaryConflict InstitutionalChange DiplomacyMeeting NaturalPhenomenon LearningEvent "
        "TransmissionEvent PerformanceEvent RitualEvent CraftProductionEvent"
    )
    form = schema.json_schema(mapping.load())["properties"]
    assert set(entities) <= set(form["mentions"]["items"]["properties"]["type"]["enum"])
    named = {
        name.partition("/")[0] for name in form["statements"]["items"]["properties"]["name"]["enum"]
    }
    assert set(relations) <= named
    assert set(events) <= set(form["events"]["items"]["properties"]["type"]["enum"])
    roles = set(form["arguments"]["items"]["properties"]["role"]["enum"])
    assert {"time", "location", "participant", "outcome"} <= roles
    for made in (schema.Confirmation, schema.Triples, schema.Description):
        assert not _keywords(schema.schema_of(made)) & UNPORTABLE
