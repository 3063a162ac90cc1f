"""Reads the W3C manifests: protocol requests with what must come back, and syntax files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import rdflib
from rdflib.collection import Collection
from rdflib.namespace import Namespace
from rdflib.term import Node

MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
HT = Namespace("http://www.w3.org/2011/http#")
CNT = Namespace("http://www.w3.org/2011/content#")
ROOT = Path(__file__).resolve().parent.parent.parent
_STATUS = {
    "OK": 200, "Created": 201, "NoContent": 204, "NotFound": 404, "BadRequest": 400,
    "UnsupportedMediaType": 415, "MethodNotAllowed": 405, "Conflict": 409,
}  # fmt: skip


@dataclass(frozen=True)
class Exchange:
    """A request and what is expected: statuses as "200" or "4xx", a boolean, a graph as Turtle."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes | None
    statuses: tuple[str, ...]
    boolean: bool | None = None
    graph: str | None = None
    answers: str = ""  # "boolean", "tabular" or "RDF"

    def accepts(self, status: int) -> bool:
        """Return whether a status is one of those expected."""
        told = str(status)
        return any(
            told == one or (one.endswith("xx") and told[0] == one[0]) for one in self.statuses
        )


@dataclass(frozen=True)
class ProtocolTest:
    """One entry of a manifest of protocol tests."""

    name: str
    exchanges: tuple[Exchange, ...] = field(repr=False, default=())


@dataclass(frozen=True)
class SyntaxTest:
    """One entry of a manifest of syntax tests."""

    name: str
    path: Path
    is_good: bool
    is_update: bool


def folder() -> Path | None:
    """Return the folder of the W3C suites, None where it is not there."""
    shared = Path(os.environ.get("RDFKMS_SHARED", str(ROOT.parent / "shared")))
    found = shared / "data/w3c/rdf-tests/sparql/sparql11"
    return found if found.is_dir() else None


def protocol_tests(manifest: str) -> list[ProtocolTest]:
    """Return the tests of a manifest (path below the suite); [] where the suite is absent."""
    base = folder()
    if base is None:
        return []
    graph = rdflib.Graph().parse(base / manifest)
    found = []
    for entry in _entries(graph):
        action = graph.value(entry, MF.action)
        if action is None:
            continue
        requests = graph.value(action, HT.requests)
        assert requests is not None
        exchanges = tuple(_exchange(graph, one) for one in Collection(graph, requests))
        found.append(ProtocolTest(str(entry).partition("#")[2], exchanges))
    return found


def syntax_tests() -> list[SyntaxTest]:
    """Return the syntax tests of all folders of the suite; [] where it is absent."""
    base = folder()
    found = []
    for path in sorted(base.glob("*/manifest.ttl")) if base is not None else ():
        name = path.parent.name
        graph = rdflib.Graph().parse(path, publicID=path.as_uri())
        for entry in _entries(graph):
            kinds = (str(kind).partition("#")[2] for kind in graph.objects(entry, rdflib.RDF.type))
            kind = next((kind for kind in kinds if "Syntax" in kind), "")
            action = graph.value(entry, MF.action)
            if not kind or action is None:
                continue
            file = path.parent / str(action).rpartition("/")[2]
            is_update = "Update" in kind or file.name.partition(".")[2].startswith("ru")
            found.append(SyntaxTest(f"{name}/{file.name}", file, "Positive" in kind, is_update))
    return found


def _entries(graph: rdflib.Graph) -> Iterator[Node]:
    head = next(graph.objects(None, MF.entries), None)
    if head is not None:
        yield from Collection(graph, head)


def _exchange(graph: rdflib.Graph, node: Node) -> Exchange:
    headers = {}
    listed = graph.value(node, HT.headers)
    for one in Collection(graph, listed) if listed is not None else ():
        name, value = graph.value(one, HT.fieldName), graph.value(one, HT.fieldValue)
        headers[str(name).lower()] = str(value)
    response = graph.value(node, HT.resp)
    told = graph.value(response, HT.body)
    chars = graph.value(told, CNT.chars) if told is not None else None
    boolean = graph.value(response, MF.expectedBoolean)
    return Exchange(
        method=str(graph.value(node, HT.methodName)),
        path=str(graph.value(node, HT.absolutePath)),
        headers=headers,
        body=_body(graph, graph.value(node, HT.body)),
        statuses=tuple(_status(one) for one in graph.objects(response, MF.expectedStatus)),
        boolean=None if boolean is None else str(boolean) == "true",
        graph=None if chars is None else str(chars),
        answers=str(graph.value(response, MF.expectedFormat) or ""),
    )


def _status(node: Node) -> str:
    name = str(node).partition("#")[2]
    return name.removeprefix("StatusCode") if "StatusCode" in name else str(_STATUS[name])


def _body(graph: rdflib.Graph, node: Node | None) -> bytes | None:
    if node is None:
        return None
    encoding = str(graph.value(node, CNT.characterEncoding) or "UTF-8")
    return str(graph.value(node, CNT.chars)).encode(encoding)
