"""A read mirror behind SPARQL 1.1 over HTTP (Virtuoso, GraphDB, QLever, Oxigraph's server ...)."""

from __future__ import annotations

from collections.abc import Sequence
from http.client import HTTPException
from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode, Quad
from SPARQLWrapper import BASIC, DIGEST, JSON, POST, SPARQLWrapper
from SPARQLWrapper import __version__ as wrapper_version
from SPARQLWrapper.SPARQLExceptions import SPARQLWrapperException

from rdfkms import queries
from rdfkms.backends.updates import clear_text, update_text
from rdfkms.errors import Unavailable
from rdfkms.ports import Row, Term


class SparqlMirror:
    """The query and update addresses of one remote store."""

    name = "sparql"
    version: str = wrapper_version

    def __init__(
        self,
        query_url: str,
        update_url: str,
        *,
        user: str = "",
        password: str = "",
        auth: str = "basic",
        timeout: float = 60.0,
    ) -> None:
        self.query_url = query_url
        self._endpoint = SPARQLWrapper(query_url, updateEndpoint=update_url)
        self._endpoint.setTimeout(max(1, round(timeout)))
        if user:
            self._endpoint.setHTTPAuth(DIGEST if auth == "digest" else BASIC)
            self._endpoint.setCredentials(user, password)

    def revision(self, archive: NamedNode) -> int:
        """Return the revision up to which the mirror was fed, 0 for a new one."""
        rows = self.select(queries.with_values("ledger/mirror_revision", "archive", [archive]))
        told = [term.value for row in rows if isinstance(term := row.get("revision"), Literal)]
        if not all(text.isascii() and text.isdecimal() for text in told):
            raise Unavailable(
                f"The SPARQL service {self.query_url} tells no number as its revision.",
                hint="Load it anew: `rdfkms mirror rebuild`.",
            )
        return max((int(text) for text in told), default=0)

    def select(self, text: str) -> list[Row]:
        """Return the solutions of a SELECT query; `Unavailable` when the store fails."""
        try:
            answer = self._send(text).convert()
            names = answer["head"]["vars"]
            found = answer["results"]["bindings"]
            return [{name: _term(row.get(name)) for name in names} for row in found]
        except (ValueError, KeyError, TypeError, AttributeError) as err:
            raise Unavailable(
                f"The SPARQL service {self.query_url} answers what is no SPARQL result.",
                hint="Check its address.",
            ) from err

    def apply(self, remove: Sequence[Quad], add: Sequence[Quad]) -> None:
        """Take out and put in, in one request; `Unavailable` when the store fails."""
        self._send(update_text(remove, add)).response.close()

    def clear(self, graph: NamedNode) -> None:
        """Empty a graph; `Unavailable` when the store fails."""
        self._send(clear_text(graph)).response.close()

    def count(self, graph: NamedNode) -> int:
        """Return the number of triples in a graph; `Unavailable` when the store fails."""
        rows = self.select(queries.with_values("ledger/mirror_count", "graph", [graph]))
        found = rows[0].get("count") if rows else None
        return int(found.value) if isinstance(found, Literal) else 0

    def _send(self, text: str) -> Any:
        endpoint = self._endpoint
        endpoint.setQuery(text)
        endpoint.setMethod(POST)
        endpoint.setReturnFormat(JSON)
        try:
            return endpoint.query()
        except (SPARQLWrapperException, HTTPException, OSError) as err:
            raise Unavailable(
                f"The SPARQL service {self.query_url} failed: {err}.",
                hint="Check its address and log, then feed it again: nothing is lost.",
            ) from err


def _term(value: dict[str, str] | None) -> Term | None:
    if value is None:
        return None
    if value["type"] == "uri":
        return NamedNode(value["value"])
    if value["type"] == "bnode":
        return BlankNode(value["value"])
    if "xml:lang" in value:
        return Literal(value["value"], language=value["xml:lang"])
    datatype = value.get("datatype")
    return Literal(value["value"], datatype=NamedNode(datatype) if datatype else None)
