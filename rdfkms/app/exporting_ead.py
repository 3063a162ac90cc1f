"""Exports of records as finding aids: `rdfkms export ead`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rdfkms.access import ANONYMOUS
from rdfkms.app.composition import App
from rdfkms.app.exporting_linked import demand_new
from rdfkms.errors import BadInput
from rdfkms.ledger.disk import guard
from rdfkms.publish.ead.dialect import VERSIONS
from rdfkms.publish.ead.document import Exported, export
from rdfkms.publish.views import scope_of

ENDING = ".xml"
NEWEST = "3"


def ead(app: App, record: str, target: Path | None, version: str = NEWEST) -> dict[str, Any]:
    """Return the finding aid of a description file (key or IRI), or write it to a new file.

    `version` is 3 or 2002. A file with several finding aids becomes a file for each, in a new
    folder. Raises `NotFound` for what is no description, `BadInput` for one that describes no
    records, for another version, and where a folder is needed; `Conflict` where the target exists.
    """
    if version not in VERSIONS:
        known = ", ".join(VERSIONS)
        raise BadInput(f"There is no version {version} of EAD here.", hint=f"Use one of {known}.")
    if target is not None:
        demand_new(target)
    key = record.rstrip("/").rpartition("/")[2].partition("#")[0]
    scope = scope_of(app.ledger.store, app.base, app.mapping, ANONYMOUS)
    done = export(scope, key, VERSIONS[version])
    told: dict[str, Any] = {
        "finding_aids": len(done.documents),
        "carried": done.carried,
        "left": done.left,
        "moved": done.moved,
        "without_language": done.plainly,
        "revision": app.ledger.revision,
    }
    if len(done.documents) > 1 and (target is None or target.suffix.lower() == ENDING):
        raise BadInput(
            f"There are {len(done.documents)} finding aids, one for each document.",
            hint="Name a new folder for them: --to FOLDER.",
        )
    if target is None:
        return {**told, "target": "", "text": done.documents[0].data.decode()}
    _write(done, target)
    return {**told, "target": str(target)}


def _write(done: Exported, target: Path) -> None:
    with guard(target, "writing the export"):
        if len(done.documents) == 1:
            target.write_bytes(done.documents[0].data)
            return
        target.mkdir(parents=True)
        for number, one in enumerate(done.documents, 1):
            (target / f"{number}-{one.name}{ENDING}").write_bytes(one.data)
