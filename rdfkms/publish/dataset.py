"""What the SPARQL protocols serve: a port, so that their code knows no archive (R90).

`web.protocols` turns HTTP into these values and back; an archive (`endpoint.SparqlService`) answers
queries and refuses what writes, because statements enter by the gate alone (law 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import IO, Protocol

from pyoxigraph import Triple

from rdfkms.errors import BadInput
from rdfkms.settings import SparqlSettings


class NotAcceptable(BadInput):
    """None of the formats that the client accepts can be had."""

    http_status = 406


@dataclass(frozen=True, slots=True)
class Request:
    """A query request, whatever way it came by HTTP.

    `html` tells whether the client may get a page; a timeout may only shorten the time.
    """

    query: str
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()
    format: str = ""
    accept: str = ""
    timeout: float | None = None
    known: tuple[str, ...] = ()  # entity tags that the client holds (If-None-Match)
    html: bool = True
    base: str | None = None  # what relative IRIs are resolved against (SPARQL 1.1 Query, 4.1.1)


@dataclass(frozen=True, slots=True)
class Update:
    """An update request with the graphs of `using-graph-uri` and `using-named-graph-uri`."""

    text: str
    using: tuple[str, ...] = ()
    using_named: tuple[str, ...] = ()
    base: str | None = None


@dataclass(frozen=True, slots=True)
class GraphRequest:
    """A graph to read: its IRI, "" for the default graph (Graph Store HTTP Protocol)."""

    graph: str
    format: str = ""
    accept: str = ""
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphWrite:
    """What is to become of a graph: `action` is replace, merge or drop.

    `graph` None means a new one, which the dataset names.
    """

    action: str
    graph: str | None
    triples: tuple[Triple, ...] = ()


@dataclass(slots=True)
class Response:
    """A whole answer: 200 with a body at its start, or 304 without. The caller closes `body`."""

    status: int
    form: str
    media_type: str
    body: IO[bytes] | None
    bytes: int = 0
    rows: int = 0
    revision: int = 0
    tag: str = ""
    headers: dict[str, str] = field(default_factory=dict)


class Dataset(Protocol):
    """RDF graphs that the SPARQL 1.1 protocols give access to."""

    settings: SparqlSettings
    read_only: str  # why it cannot be written, "" where it can

    def answer(self, request: Request) -> Response:
        """Return the whole answer to a query; raises `BadInput`, `Denied`, `Unavailable`."""
        ...

    def update(self, request: Update) -> None:
        """Do an update, or raise `Denied`."""
        ...

    def graph(self, request: GraphRequest) -> Response:
        """Return a graph; raises `NotFound` where there is none of that name."""
        ...

    def write(self, change: GraphWrite) -> tuple[str, bool]:
        """Change a graph, or raise `Denied`; returns its IRI and whether it was made anew."""
        ...

    def describe(self, address: str) -> Sequence[Triple]:
        """Return the description of the service at an address."""
        ...
