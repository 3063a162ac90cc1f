"""The OpenAPI 3.1 document of the API, made from the table of endpoints."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

import rdfkms
from rdfkms.web.api import given
from rdfkms.web.api.endpoints import ENDPOINTS, PREFIX, Endpoint

Json = dict[str, Any]
_PARAMETER = re.compile(r"<(\w+)>")
_REFUSALS = {
    "400": "The request cannot be read; the sentence says what.",
    "401": "No token, or one that is not valid.",
    "403": "The token's role may not do this.",
    "404": "There is no such thing.",
    "409": "Somebody decided meanwhile, or the gate refuses.",
    "413": "The request is too large.",
    "422": "The RDF does not have the shape of claims; the report (SHACL) says where.",
    "503": "Busy; try again later.",
}
_KINDS = {
    "kind": "claim, candidate, conflict or merge; of a thing its kind, as person.",
    "key": "Its key.",
}


def document(address: str, title: str) -> Json:
    """Return the document; `address` is where the archive is served."""
    models = {e.gives for e in ENDPOINTS}
    models |= {e.takes for e in ENDPOINTS if e.method == "POST" and not e.consumes}
    models |= {given.Fault, given.Unfit}
    ordered = sorted(models, key=lambda m: m.__name__)
    _, schemas = models_json_schema(
        [(m, "validation") for m in ordered], ref_template="#/components/schemas/{model}"
    )
    paths: dict[str, Json] = {}
    for one in ENDPOINTS:
        path = PREFIX + _PARAMETER.sub(r"{\1}", one.path)
        paths.setdefault(path, {})[one.method.lower()] = _operation(one)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"{title}: review",
            "version": rdfkms.__version__,
            "description": "The review of claims under governance. Every act is journaled with "
            "who, when and why, and can be undone.",
        },
        "servers": [{"url": address}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(one: Endpoint) -> Json:
    told: Json = {
        "operationId": one.name,
        "summary": one.summary,
        "description": f"For the role {one.role} and above.",
        "tags": list(one.tags),
        "parameters": [*_in_path(one), *(_in_query(one) if one.method == "GET" else ())],
        "responses": {
            "200": _response("Done.", one.gives),
            **{
                status: _response(text, given.Unfit if status == "422" else given.Fault)
                for status, text in _REFUSALS.items()
                if status != "422" or one.consumes
            },
        },
    }
    if one.method == "POST":
        body: Json = {"schema": _ref(one.takes)}
        content = {"application/json": body}
        if one.consumes:
            content = {name: {"schema": {"type": "string"}} for name in one.consumes}
        told["requestBody"] = {"required": True, "content": content}
    return told


def _in_path(one: Endpoint) -> list[Json]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": _KINDS[name],
            "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,80}$"},
        }
        for name in _PARAMETER.findall(one.path)
    ]


def _in_query(one: Endpoint) -> list[Json]:
    schema = one.takes.model_json_schema()
    return [
        {"name": name, "in": "query", "required": False, "schema": told}
        for name, told in schema.get("properties", {}).items()
    ]


def _response(text: str, model: type[BaseModel]) -> Json:
    return {"description": text, "content": {"application/json": {"schema": _ref(model)}}}


def _ref(model: type[BaseModel]) -> Json:
    return {"$ref": f"#/components/schemas/{model.__name__}"}
