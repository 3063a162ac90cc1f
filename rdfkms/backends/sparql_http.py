"""A read mirror behind SPARQL 1.1 over HTTP (Virtuoso, GraphDB, QLever, Oxigraph's server ...)."""

from __future__ import annotations

from collections.abc import Sequence
from http.client import HTTPException
from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode, Quad
from SPARQLWrapper import JSON, POST, SPARQLWrapper
from SPARQLWrapper import __version__ as wrapper_version
from SPARQLWrapper.SPARQLExceptions import SPARQLWrapperException

from rdfkms import queries
from rdfkms.backends.updates import update_text
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
        timeout: int = 60,
    ) -> None:
        self.query_url = query_url
        self._endpoint = SPARQLWrapper(query_url, updateEndpoint=update_url)
        self._endpoint.setTimeout(timeout)
        if user:
            self._endpoint.setCredentials(user, password)

    def revision(self, archive: NamedNode) -> int:
        """Return the revision up to which the mirror was fed, 0 for a new one."""
        rows = self.select(queries.with_values("ledger/mirror_revision", "archive", [archive]))
        return max((int(row["revision"].value) for row in rows if row["revision"]), default=0)

    def select(self, text: str) -> list[Row]:
        """Return the solutions of a SELECT query; `Unavailable` when the store fails."""
        answer = self._send(text).convert()
        names = answer["head"]["vars"]
        found = answer["results"]["bindings"]
        return [{name: _term(row.get(name)) for name in names} for row in found]

    def apply(self, remove: Sequence[Quad], add: Sequence[Quad]) -> None:
        """Take out and put in, in one request; `Unavailable` when the store fails."""
        self._send(update_text(remove, add)).response.close()

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
