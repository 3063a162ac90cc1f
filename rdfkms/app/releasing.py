"""Operations on named releases: create, list, query (DESIGN 5, R80)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rdfkms.app.composition import App, open_store
from rdfkms.errors import BadInput
from rdfkms.ledger import releases
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.releases import Release
from rdfkms.model import Principal
from rdfkms.publish.endpoint import Request, SparqlService

Report = Callable[[str, int, int], None]
Arguments = Mapping[str, Any]


def create(app: App, arguments: Arguments, principal: Principal, report: Report) -> dict[str, Any]:
    """Keep the archive as it is now under a name."""
    name, note = arguments.get("name"), arguments.get("note") or ""
    if not isinstance(name, str) or not isinstance(note, str):
        raise BadInput("A release needs a name.")
    made = releases.create(
        app.ledger, name, principal, open_store, lambda: app.indexes.update(app.ledger), note
    )
    return told(made)


def told(made: Release) -> dict[str, Any]:
    """Return a release as JSON, with how to cite it."""
    return {**asdict(made), "citation": citation(made)}


def citation(made: Release) -> str:
    """Return how a release is cited."""
    day = made.time.partition("T")[0]
    return (
        f"{made.title}, release {made.name} (revision {made.revision}, {day}). "
        f"{made.base}/releases#{made.name}. SHA-256 {made.sha256}."
    )


def listed(root: Path) -> dict[str, Any]:
    """Return the releases of an archive, the oldest first; takes no lock."""
    return {"releases": [told(made) for made in releases.listing(Archive.open(root))]}


def query(root: Path, name: str, text: str, form: str) -> bytes:
    """Return the answer of a SPARQL query on the public statements of a release."""
    if not text.strip():
        raise BadInput("There is no query.", hint='Example: rdfkms query "ASK { ?s ?p ?o }"')
    archive = Archive.open(root)
    known = releases.release(archive, name)
    store = releases.folder(archive, name) / "store"
    service = SparqlService(lambda: (store, known.revision), archive.base, archive.settings.sparql)
    try:
        asked = Request(text, format=form, accept="text/csv, text/turtle;q=0.9")
        response = service.answer(asked)
        if response.body is None:
            return b""
        with response.body as body:
            return body.read()
    finally:
        service.close()
