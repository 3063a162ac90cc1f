"""What is indexed of units and things, read from the store; which keys a patch touches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from rdfkms import queries
from rdfkms.model import Ref, View
from rdfkms.ports import Row, TripleStore
from rdfkms.vocab import KMS, TYPE, Base

PUBLIC, INTERNAL = "public", "internal"
MACHINE = "enrichment/"  # before the key of a unit: the document of what machines wrote about it
# Which version of a text is read first: what people corrected, then what was voted on.
_ORIGINS = ("corrected", "collated", "born_digital", "text_layer", "ocr", "")
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Document:
    """One entry of the indexes. `key` is a unit's key, or "person/abc" for a thing.

    `text` has all that can be found (every version and view), `passage` the one text to embed.
    """

    key: str
    kind: str
    graph: str
    text: str
    passage: str = ""
    record: str = ""


@dataclass(frozen=True, slots=True)
class Touched:
    """Units and things that changes may have altered."""

    units: frozenset[str]
    things: frozenset[str]


def graph_of(base: Base, name: str) -> NamedNode:
    """Return the graph called "public" or "internal"."""
    return base.public if name == PUBLIC else base.internal


def value(row: Row, name: str) -> str:
    """Return the text of a cell, "" for an unbound one."""
    term = row.get(name)
    return "" if term is None else term.value


def chunks(items: Sequence[str], size: int = _AT_ONCE) -> Iterable[Sequence[str]]:
    """Yield the items in pieces that one VALUES block takes."""
    return (items[i : i + size] for i in range(0, len(items), size))


def key_in(base: Base, iri: str) -> str:
    """Return the key in an instance IRI, "" for another IRI."""
    found = base.split(iri)
    return found[1] if found else ""


def path_in(base: Base, iri: str) -> str:
    """Return "kind/key" of an instance IRI, "" for another IRI."""
    found = base.split(iri)
    return "/".join(found) if found else ""


def ref_of(path: str) -> Ref:
    """Return the thing of a path "kind/key"."""
    kind, _, key = path.partition("/")
    return Ref(kind, key)


def best_text(rows: Iterable[Row]) -> Row:
    """Return the row of the raw text in the version that is read first.

    A newer transcription is numbered below those that it replaced.
    """

    def order(row: Row) -> tuple[bool, int, int, str]:
        origin, number = value(row, "origin"), min(1, integer(row, "number"))
        place = _ORIGINS.index(origin) if origin in _ORIGINS else len(_ORIGINS)
        raw = value(row, "view").endswith(str(View.RAW))
        return not raw, number, place, value(row, "unitText")

    return min(rows, key=order)


def grouped(rows: Iterable[Row], name: str) -> dict[str, list[Row]]:
    """Return the rows by the value of one column, in order."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(value(row, name), []).append(row)
    return groups


def units(store: TripleStore, base: Base, keys: Sequence[str]) -> list[Document]:
    """Return the documents of those units that exist; each in the graph that has its texts."""
    made: list[Document] = []
    missing = list(keys)
    for graph in (PUBLIC, INTERNAL):
        found: set[str] = set()
        for some in chunks(missing):
            iris = [base.iri("evidence", key) for key in some]
            query = queries.with_values("retrieval/texts", "unit", iris)
            rows = store.select(query, graphs=[graph_of(base, graph)])
            for iri, texts in grouped(rows, "unit").items():
                key = key_in(base, iri)
                found.add(key)
                made.append(_unit(base, key, graph, texts))
        missing = [key for key in missing if key not in found]
    return made


def _unit(base: Base, key: str, graph: str, rows: list[Row]) -> Document:
    first = best_text(rows)
    texts = sorted({value(row, "text") for row in rows})
    return Document(
        key,
        "unit",
        graph,
        "\n".join(texts),
        value(first, "text"),
        key_in(base, value(first, "record")),
    )


def machine_texts(store: TripleStore, base: Base, keys: Sequence[str]) -> list[Document]:
    """Return documents of kind "enrichment" for those units that have machine text.

    Their keys are "enrichment/" and the unit's: what is found by them is the unit.
    """
    made: list[Document] = []
    for graph in (PUBLIC, INTERNAL):
        for some in chunks(list(keys)):
            iris = [base.iri("evidence", key) for key in some]
            query = queries.with_values("retrieval/enrichments", "unit", iris)
            rows = store.select(query, graphs=[graph_of(base, graph)])
            for iri, found in grouped(rows, "unit").items():
                text = "\n".join(sorted({value(row, "text") for row in found}))
                record = key_in(base, value(found[0], "record"))
                key = f"{MACHINE}{key_in(base, iri)}"
                made.append(Document(key, "enrichment", graph, text, record=record))
    return made


def things(store: TripleStore, base: Base, paths: Sequence[str]) -> list[Document]:
    """Return the documents of the things (by path) that have admitted names.

    A thing with public names is found by these alone, also by staff.
    """
    made: list[Document] = []
    missing = list(paths)
    for graph in (PUBLIC, INTERNAL):
        found: set[str] = set()
        for some in chunks(missing):
            iris = [base.iri(*path.split("/", 1)) for path in some]
            query = queries.with_values("retrieval/names", "thing", iris)
            rows = store.select(query, graphs=[graph_of(base, graph)])
            for iri, names in grouped(rows, "thing").items():
                path = path_in(base, iri)
                found.add(path)
                text = "\n".join(sorted(value(row, "name") for row in names))
                made.append(Document(path, "entity", graph, text))
        missing = [path for path in missing if path not in found]
    return made


def representatives(store: TripleStore, base: Base, paths: Sequence[str]) -> dict[str, str]:
    """Return for each path that of the thing it was merged into at last (itself if it was not)."""
    graphs = [base.public, base.internal]
    last = {path: path for path in paths}
    for some in chunks(list(paths)):
        iris = [base.iri(*path.split("/", 1)) for path in some]
        query = queries.with_values("retrieval/representatives", "thing", iris)
        for row in store.select(query, graphs=graphs):
            last[path_in(base, value(row, "thing"))] = path_in(base, value(row, "last"))
    return last


def all_keys(store: TripleStore, base: Base) -> Touched:
    """Return every unit and every named thing of the store."""
    found: set[str] = set()
    named: set[str] = set()
    for graph in (base.public, base.internal):
        for quad in store.match(None, TYPE, KMS("EvidenceUnit"), graph):
            if isinstance(quad.subject, NamedNode):
                found.add(key_in(base, quad.subject.value))
        rows = store.select(queries.text("retrieval/named_things"), graphs=[graph])
        named.update(path_in(base, value(row, "subject")) for row in rows)
    return Touched(frozenset(found - {""}), frozenset(named - {""}))


class Tracker:
    """Reads N-Quads patches and collects which units and things they may alter."""

    def __init__(self, base: Base) -> None:
        start = re.escape(f"<{base.base}/id/")
        own = re.compile
        of_unit, subject, merged = (
            re.escape(KMS(name).value) for name in ("ofUnit", "claimSubject", "mergedInto")
        )
        self._unit = own(rf"^{start}evidence/([^#>]+)".encode(), re.MULTILINE)
        self._text = own(
            rf"^{start}(?:text|enrichment)/[^>]+> <{of_unit}> {start}evidence/([^#>]+)".encode(),
            re.M,
        )
        self._claim = own(rf"^{start}claim/([^#>]+)".encode(), re.MULTILINE)
        self._about = own(
            rf"^{start}claim/([^#>]+)> <{subject}> {start}([^#>]+)>".encode(), re.MULTILINE
        )
        self._merge = own(rf"^{start}([^#>]+)> <{merged}> {start}([^#>]+)>".encode(), re.MULTILINE)
        self._units: set[str] = set()
        self._things: set[str] = set()
        self._claims: set[str] = set()

    def add(self, lines: bytes) -> None:
        """Note what these N-Quads lines are about."""
        for pattern in (self._unit, self._text):
            self._units.update(key.decode() for key in pattern.findall(lines))
        claims = {key.decode() for key in self._claim.findall(lines)}
        for claim, thing in self._about.findall(lines):
            claims.discard(claim.decode())
            self._things.add(thing.decode())
        for one, other in self._merge.findall(lines):
            self._things.update((one.decode(), other.decode()))
        self._claims |= claims

    def touched(self, store: TripleStore, base: Base) -> Touched:
        """Return the units and things; of claims that were only edited, what they are about."""
        graphs = [base.public, base.internal]
        for some in chunks(sorted(self._claims)):
            iris = [base.iri("claim", key) for key in some]
            query = queries.with_values("retrieval/subjects", "claim", iris)
            for row in store.select(query, graphs=graphs):
                self._things.add(path_in(base, value(row, "subject")))
        return Touched(frozenset(self._units), frozenset(self._things - {""}))


def integer(row: Row, name: str) -> int:
    """Return the number in a cell, 0 for an unbound one."""
    term = row.get(name)
    return int(term.value) if isinstance(term, Literal) and term.value.lstrip("-").isdigit() else 0
