"""Public queries answered by a mirror, within the same limits as by the archive's own workers.

What comes back is read whole before a byte of it is sent on: JSON for tables, N-Triples for graphs,
written anew in the format that was asked for, so that the habits of an engine do not show.
"""

from __future__ import annotations

import io
import json
import tempfile
import threading
import time
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
_PROBE = "SELECT (1 AS ?x) { }"
_MOST = "X-SPARQL-MaxRows"  # Virtuoso cuts there, tables with this header and graphs without it
_SPOOL_BYTES = 1 << 20
_HINT = "Try again later; the operator finds more by `rdfkms mirror status`."
_LESS = "Nothing was sent: add LIMIT, or ask for a part of it."


class RemoteEngine:
    """Sends queries to the query address of a remote store, at most `workers` at a time."""

    def __init__(self, query_url: str, *, workers: int = 2) -> None:
        self._url = query_url
        self._client = httpx.Client(follow_redirects=False)
        self._free = threading.BoundedSemaphore(workers)
        self._most: int | None = None  # rows at which the store cuts, 0 where it does not

    def is_isolated(self) -> bool:
        """Return whether queries run without a network: another machine runs them."""
        return False

    def answer(self, job: Mapping[str, Any], seconds: float) -> tuple[IO[bytes], dict[str, int]]:
        """Return the whole answer to a job (see `publish.worker`), its rows and bytes.

        Raises `BadInput` for what the store cannot read, `TooLarge`, or `Unavailable`.
        """
        deadline = time.monotonic() + seconds
        if not self._free.acquire(timeout=min(1.0, seconds)):
            raise Unavailable(
                "All queries that may run are running.", hint="Try again in a second."
            )
        try:
            body, rows = self._answered(job, deadline)
        finally:
            self._free.release()
        if rows > job["max_rows"]:
            raise TooLarge(f"The answer has more than {job['max_rows']} rows.", hint=_LESS)
        if len(body) > job["max_bytes"]:
            raise TooLarge(f"The answer is larger than {job['max_bytes']} bytes.", hint=_LESS)
        spool = tempfile.SpooledTemporaryFile(max_size=_SPOOL_BYTES)  # noqa: SIM115 - its reader closes it
        spool.write(body)
        spool.seek(0)
        return spool, {"rows": rows, "bytes": len(body)}

    def close(self) -> None:
        """End the connections."""
        self._client.close()

    def _answered(self, job: Mapping[str, Any], deadline: float) -> tuple[bytes, int]:
        is_table = job["format"] in _TABLES
        if not is_table and self._most is None:
            _, headers = self._sent({**job, "query": _PROBE, "base": None}, deadline, _TABLE)
            self._most = _cut(headers)
        data, headers = self._sent(job, deadline, _TABLE if is_table else _GRAPH)
        try:
            body, rows = (_table if is_table else _graph)(data, job["format"])
        except (SyntaxError, ValueError, OSError, AttributeError, KeyError, TypeError) as err:
            raise Unavailable("The mirror answers what cannot be read.", hint=_HINT) from err
        most = _cut(headers) if is_table else self._most
        if most and rows >= most:
            raise TooLarge(f"The answer has {most} rows or more.", hint=_LESS)
        return body, rows

    def _sent(
        self, job: Mapping[str, Any], deadline: float, accept: str
    ) -> tuple[bytes, httpx.Headers]:
        form = {
            "query": _with_base(job),
            "default-graph-uri": list(job["default"]) or [_NOTHING],
            "named-graph-uri": list(job["named"]) or [_NOTHING],
        }
        left = max(0.1, deadline - time.monotonic())
        try:
            with self._client.stream(
                "POST", self._url, data=form, headers={"Accept": accept}, timeout=left
            ) as answer:
                return _read(answer, job, deadline), answer.headers
        except httpx.TimeoutException as err:
            raise _too_slow() from err
        except httpx.HTTPError as err:
            raise Unavailable("The mirror that answers queries failed.", hint=_HINT) from err


def _with_base(job: Mapping[str, Any]) -> str:
    """Return the query with the base of its relative IRIs; one of its own comes after it."""
    text: str = job["query"]
    return f"BASE <{job['base']}> {text}" if job["base"] else text


def _too_slow() -> Unavailable:
    return Unavailable(
        "The query took longer than it may.",
        hint="Bind more of the pattern, or add LIMIT to an inner SELECT.",
    )


def _read(answer: httpx.Response, job: Mapping[str, Any], deadline: float) -> bytes:
    held, limit = bytearray(), 2 * job["max_bytes"]  # JSON is longer than what is made of it
    for piece in answer.iter_bytes():
        held += piece
        if len(held) > limit:
            raise TooLarge(f"The answer is larger than {job['max_bytes']} bytes.", hint=_LESS)
        if time.monotonic() > deadline:
            raise _too_slow()
    if answer.status_code == 400:
        raise BadInput(
            "The store that answers here cannot read the query.",
            hint="Its dialect may differ: use what SPARQL 1.1 has.",
        )
    if answer.status_code != 200:
        raise Unavailable(f"The mirror answered {answer.status_code}.", hint=_HINT)
    return bytes(held)


def _cut(headers: httpx.Headers) -> int:
    most = headers.get(_MOST, "")
    return int(most) if most.isdecimal() else 0


def _table(data: bytes, extension: str) -> tuple[bytes, int]:
    document = json.loads(data)
    if document.get("head", {}).get("vars") == [_ASKED]:  # a boolean, as Virtuoso may write it
        rows = document["results"]["bindings"]  # none for false
        document = {
            "head": {},
            "boolean": any(r[_ASKED]["value"] not in ("0", "false") for r in rows),
        }
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
