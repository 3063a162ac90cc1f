"""Exports of one description as RiC-O for exchange: `rdfkms export rico`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyoxigraph import RdfFormat, serialize

from rdfkms.access import ANONYMOUS
from rdfkms.app.composition import App
from rdfkms.app.exporting_linked import demand_new
from rdfkms.errors import BadInput
from rdfkms.ledger.disk import guard
from rdfkms.publish.rico import practice as practices
from rdfkms.publish.rico.description import PREFIXES, export
from rdfkms.publish.rico.practice import Practice
from rdfkms.publish.views import scope_of
from rdfkms.vocab import PREFIXES as KNOWN

_PREFIXES = ("rico", "rst", "rdf", "rdfs", "owl", "xsd")  # what an export for others may hold


def rico(app: App, record: str, target: Path | None, practice: Path | None) -> dict[str, Any]:
    """Return the description of a record (key or IRI) as Turtle, or write it to a new file.

    The ending of the file says the format: ``.ttl`` Turtle, ``.rdf`` or ``.xml`` RDF/XML. Raises
    `NotFound` for what is no description, `BadInput` for another ending, `Conflict` where the
    file exists already.
    """
    form = _form(target)
    if target is not None:
        demand_new(target)
    rules = practices.load(practice) if practice is not None else Practice()
    key = record.rstrip("/").rpartition("/")[2].partition("#")[0]
    scope = scope_of(app.ledger.store, app.base, app.mapping, ANONYMOUS)
    triples = export(scope, key, rules)
    spaces = {name: KNOWN[name] for name in _PREFIXES} | PREFIXES
    ordered = sorted(triples, key=lambda t: (str(t.subject), str(t.predicate), str(t.object)))
    data = serialize(ordered, format=form, prefixes=spaces) or b""
    done: dict[str, Any] = {"statements": len(triples), "revision": app.ledger.revision}
    if target is None:
        return {**done, "target": "", "text": data.decode()}
    with guard(target, "writing the export"):
        target.write_bytes(data)
    return {**done, "target": str(target)}


def _form(target: Path | None) -> RdfFormat:
    ending = target.suffix.lower() if target is not None else ".ttl"
    if ending == ".ttl":
        return RdfFormat.TURTLE
    if ending in (".rdf", ".xml"):
        return RdfFormat.RDF_XML
    raise BadInput(f"{target}: the ending says no format.", hint="Use .ttl or .rdf.")
