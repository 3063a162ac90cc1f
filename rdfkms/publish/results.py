"""Formats of SPARQL results, and counting of the rows in what an engine writes (DESIGN 6)."""

from __future__ import annotations

from collections.abc import Sequence

from pyoxigraph import QueryResultsFormat

from rdfkms.publish import negotiation
from rdfkms.publish.negotiation import Format

JSON = Format("JSON", "json", ("application/sparql-results+json", "application/json"))
XML = Format("XML", "xml", ("application/sparql-results+xml", "application/xml", "text/xml"))
CSV = Format("CSV", "csv", ("text/csv",))
TSV = Format("TSV", "tsv", ("text/tab-separated-values",))

ENGINE_FORMATS: dict[str, QueryResultsFormat] = {
    "json": QueryResultsFormat.JSON,
    "xml": QueryResultsFormat.XML,
    "csv": QueryResultsFormat.CSV,
    "tsv": QueryResultsFormat.TSV,
}

TABLES = (JSON, XML, CSV, TSV, negotiation.HTML)
GRAPHS = (
    negotiation.TURTLE,
    negotiation.N_TRIPLES,
    negotiation.JSON_LD,
    negotiation.RDF_XML,
    negotiation.TRIG,
    negotiation.N_QUADS,
    negotiation.HTML,
)
# What clients also write after `format=` (SPARQLWrapper among them).
_ALIASES = {
    "json-ld": "jsonld",
    "rdf+xml": "rdf",
    "xml": "rdf",
    "json": "jsonld",
    "n3": "ttl",
    "ntriples": "nt",
    "n-triples": "nt",
    "nquads": "nq",
    "n-quads": "nq",
}


def offers(form: str, *, html: bool = True) -> tuple[Format, ...]:
    """Return the formats in which the answer of a query form can be had, the default first."""
    known = TABLES if form in ("SELECT", "ASK") else GRAPHS
    return known if html else tuple(offer for offer in known if offer is not negotiation.HTML)


def choose(form: str, name: str, accept: str, *, html: bool = True) -> tuple[Format, str] | None:
    """Return format and media type for ``?format=name`` or else the Accept header; None = 406.

    A SELECT can be had as JSON, XML, CSV, TSV; a CONSTRUCT as Turtle, N-Triples, JSON-LD,
    RDF/XML, TriG, N-Quads; with
    `html` both as a page.
    """
    available = offers(form, html=html)
    if name:
        wanted = name.strip().lower()
        if form not in ("SELECT", "ASK"):
            wanted = _ALIASES.get(wanted, wanted)
        named = negotiation.by_name(wanted, available)
        return (named, named.media_type) if named else None
    chosen = negotiation.best(accept, available)
    return (chosen, _media_type(chosen, accept)) if chosen else None


def _media_type(form: Format, accept: str) -> str:
    """Return the name of the format that the client itself used, else the standard one."""
    ranges = negotiation.parse_accept(accept)
    asked = [m for m in form.media_types if any(name == m and q > 0 for name, q in ranges)]
    return asked[0] if asked and form.media_type not in asked else form.media_type


class RowCounter:
    """Counts the solutions in a stream of JSON, XML, CSV or TSV, exactly, chunk by chunk.

    Quoted strings are taken out first, so that text which looks like a row is not counted.
    """

    def __init__(self, extension: str) -> None:
        self._quoted = extension in _QUOTED
        self._escapes = _ESCAPES.get(extension, ())
        self._row = _ROWS[extension]
        self._rest = b""
        self._rows = -1 if extension in ("csv", "tsv") else 0  # the line of names

    @property
    def rows(self) -> int:
        """The solutions seen so far."""
        return max(0, self._rows)

    def add(self, chunk: bytes) -> int:
        """Return the solutions seen so far, with those of this chunk."""
        data = self._rest + chunk
        self._rest = b""
        if self._quoted:
            for escape in self._escapes:
                data = data.replace(escape, b"")
            parts = data.split(b'"')  # what stands outside of strings and within, by turns
            if len(parts) % 2 == 0:
                self._rest = b'"' + parts.pop()
            data = b"".join(parts[::2])
        if not self._rest:
            # A mark of a row may be cut by the end of the chunk.
            keep = _tail(data, self._row)
            data, self._rest = data[: len(data) - keep], data[len(data) - keep :]
        self._rows += sum(data.count(mark) for mark in self._row)
        return self.rows


def _tail(data: bytes, marks: Sequence[bytes]) -> int:
    """Return how many bytes at the end may be the beginning of a mark."""
    longest = max(len(mark) for mark in marks) - 1
    for size in range(min(longest, len(data)), 0, -1):
        if any(mark.startswith(data[-size:]) for mark in marks):
            return size
    return 0


# In JSON the quote that closes a string is told from an escaped one; in CSV a doubled quote is
# two strings side by side.
_QUOTED = ("json", "csv")
_ESCAPES: dict[str, tuple[bytes, ...]] = {"json": (b"\\\\", b'\\"')}
_ROWS: dict[str, tuple[bytes, ...]] = {
    "json": (b"[{", b",{"),
    "xml": (b"<result>", b"<result/>"),
    "csv": (b"\n",),
    "tsv": (b"\n",),
}
