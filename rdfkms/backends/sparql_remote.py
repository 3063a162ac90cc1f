"""Public queries answered by a mirror, within the same limits as by the archive's own workers.

What comes back is read whole before a byte of it is sent on: JSON for tables, N-Triples for graphs,
written anew in the format that was asked for, so that the habits of an engine do not show.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Mapping
from typing import IO, Any

import httpx
from pyoxigraph import (
    QueryBoolean,
    QueryResultsFormat,
    QuerySolutions,
    RdfFormat,
    parse,
    parse_query_results,
    serialize,
)

from rdfkms.errors import BadInput, TooLarge, Unavailable
from rdfkms.vocab import PREFIXES

_TABLES = {
    "json": QueryResultsFormat.JSON,
    "xml": QueryResultsFormat.XML,
    "csv": QueryResultsFormat.CSV,
    "tsv": QueryResultsFormat.TSV,
}
_GRAPHS = {
    "ttl": RdfFormat.TURTLE,
    "nt": RdfFormat.N_TRIPLES,
    "jsonld": RdfFormat.JSON_LD,
    "rdf": RdfFormat.RDF_XML,
    "trig": RdfFormat.TRIG,
    "nq": RdfFormat.N_QUADS,
}
_ASKED = "__ASK_RETVAL"
_NOTHING = "urn:rdfkms:nothing"  # a graph that nobody has: what a query of other graphs gets
_TABLE, _GRAPH = "application/sparql-results+json", "application/n-triples, text/plain;q=0.5"
_SPOOL_BYTES = 1 << 20


class RemoteEngine:
    """Sends queries to the query address of a remote store."""

    def __init__(self, query_url: str, *, user: str = "", password: str = "", auth: str = "basic",
                 timeout: float = 60.0) -> None:  # fmt: skip
        login: httpx.Auth | None = None
        if user:
            login = (httpx.DigestAuth if auth == "digest" else httpx.BasicAuth)(user, password)
        self._url = query_url
        self._client = httpx.Client(auth=login, timeout=timeout, follow_redirects=False)

    def is_isolated(self) -> bool:
        """Return whether queries run without a network: another machine runs them."""
        return False

    def answer(self, job: Mapping[str, Any], seconds: float) -> tuple[IO[bytes], dict[str, int]]:
        """Return the whole answer to a job (see `publish.worker`), its rows and bytes.

        Raises `BadInput` for what the store cannot read, `TooLarge`, or `Unavailable`.
        """
        is_table = job["format"] in _TABLES
        data = self._sent(job, seconds, _TABLE if is_table else _GRAPH)
        try:
            body, rows = (_table if is_table else _graph)(data, job["format"])
        except (SyntaxError, ValueError, OSError, AttributeError, KeyError, TypeError) as err:
            raise Unavailable("The mirror answers what cannot be read.", hint=_HINT) from err
        if rows > job["max_rows"]:
            raise TooLarge(f"The answer has more than {job['max_rows']} rows.", hint=_LESS)
        if len(body) > job["max_bytes"]:
            raise TooLarge(f"The answer is larger than {job['max_bytes']} bytes.", hint=_LESS)
        # Closed by the one who reads the answer.
        spool = tempfile.SpooledTemporaryFile(max_size=_SPOOL_BYTES)  # noqa: SIM115
        spool.write(body)
        spool.seek(0)
        return spool, {"rows": rows, "bytes": len(body)}

    def close(self) -> None:
        """End the connections."""
        self._client.close()

    def _sent(self, job: Mapping[str, Any], seconds: float, accept: str) -> bytes:
        form = {
            "query": _with_base(job),
            "default-graph-uri": list(job["default"]) or [_NOTHING],
            "named-graph-uri": list(job["named"]) or [_NOTHING],
        }
        try:
            with self._client.stream(
                "POST", self._url, data=form, headers={"Accept": accept}, timeout=seconds
            ) as answer:
                return _read(answer, job)
        except httpx.TimeoutException as err:
            raise Unavailable(
                f"The query took longer than {seconds:g} seconds.",
                hint="Bind more of the pattern, or add LIMIT to an inner SELECT.",
            ) from err
        except httpx.HTTPError as err:
            raise Unavailable("The mirror that answers queries failed.", hint=_HINT) from err


_HINT = "Try again later; the operator finds more by `rdfkms mirror status`."
_LESS = "Nothing was sent: add LIMIT, or ask for a part of it."


def _with_base(job: Mapping[str, Any]) -> str:
    """Return the query with the base of its relative IRIs; one of its own comes after it."""
    text: str = job["query"]
    return f"BASE <{job['base']}> {text}" if job["base"] else text


def _read(answer: httpx.Response, job: Mapping[str, Any]) -> bytes:
    held, limit = bytearray(), 4 * job["max_bytes"]  # JSON is longer than what is made of it
    for piece in answer.iter_bytes():
        held += piece
        if len(held) > limit:
            raise TooLarge(f"The answer is larger than {job['max_bytes']} bytes.", hint=_LESS)
    if answer.status_code == 400:
        text = bytes(held[:300]).decode("utf-8", "replace")
        raise BadInput(f"The query cannot be answered: {' '.join(text.split())}")
    if answer.status_code != 200:
        raise Unavailable(f"The mirror answered {answer.status_code}.", hint=_HINT)
    most = answer.headers.get("X-SPARQL-MaxRows", "")  # Virtuoso cuts there without a word
    if most.isdecimal() and bytes(held).count(b"}}") >= int(most):
        raise TooLarge(f"The answer has {most} rows or more.", hint=_LESS)
    return bytes(held)


def _table(data: bytes, extension: str) -> tuple[bytes, int]:
    document = json.loads(data)
    if document.get("head", {}).get("vars") == [_ASKED]:  # a boolean, as Virtuoso may write it
        row = document["results"]["bindings"][0][_ASKED]
        document = {"head": {}, "boolean": row["value"] not in ("0", "false")}
    bindings = document.get("results", {}).get("bindings", [])
    for row in bindings:
        for term in row.values():
            if term.get("type") == "typed-literal":  # as Virtuoso writes
                term["type"] = "literal"
    found = parse_query_results(json.dumps(document).encode(), format=QueryResultsFormat.JSON)
    if isinstance(found, QuerySolutions | QueryBoolean):
        return found.serialize(format=_TABLES[extension]) or b"", len(bindings)
    raise ValueError("neither solutions nor a boolean")


def _graph(data: bytes, extension: str) -> tuple[bytes, int]:
    triples = {quad.triple for quad in parse(io.BytesIO(data), format=RdfFormat.N_TRIPLES)}
    body = serialize(triples, format=_GRAPHS[extension], prefixes=dict(PREFIXES))
    return body or b"", len(triples)
