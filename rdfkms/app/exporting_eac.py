"""Exports of agents as EAC-CPF 2.0: `rdfkms export eac`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rdfkms.access import ANONYMOUS
from rdfkms.app.composition import App
from rdfkms.app.exporting_linked import demand_new
from rdfkms.errors import BadInput
from rdfkms.ledger.disk import guard
from rdfkms.publish.eac.record import Exported, export
from rdfkms.publish.views import scope_of

ENDING = ".xml"


def eac(app: App, record: str, target: Path | None) -> dict[str, Any]:
    """Return the authority record of a description file (key or IRI), or write it to a new file.

    A file that describes several agents in records of their own becomes a file for each, in a new
    folder. Raises `NotFound` for what is no description, `BadInput` for one that describes no
    agents and where a folder is needed, or a file; `Conflict` where the target exists already.
    """
    key = record.rstrip("/").rpartition("/")[2].partition("#")[0]
    done = export(scope_of(app.ledger.store, app.base, app.mapping, ANONYMOUS), key)
    told: dict[str, Any] = {
        "records": len(done.documents),
        "carried": done.carried,
        "left": done.left,
        "moved": done.moved,
        "revision": app.ledger.revision,
    }
    if target is None:
        if len(done.documents) > 1:
            raise BadInput(
                f"There are {len(done.documents)} authority records, one for each document.",
                hint="Name a new folder for them: --to FOLDER.",
            )
        return {**told, "target": "", "text": done.documents[0].data.decode()}
    demand_new(target)
    _write(done, target)
    return {**told, "target": str(target)}


def _write(done: Exported, target: Path) -> None:
    is_file = target.suffix.lower() == ENDING
    if len(done.documents) > 1 and is_file:
        raise BadInput(
            f"There are {len(done.documents)} authority records, and {target} is one file.",
            hint="Name a new folder for them: --to FOLDER.",
        )
    with guard(target, "writing the export"):
        if is_file:
            target.write_bytes(done.documents[0].data)
            return
        target.mkdir(parents=True)
        for one in done.documents:
            (target / f"{one.name}{ENDING}").write_bytes(one.data)
