"""Exports of descriptions as tables: `rdfkms export table`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rdfkms.access import ANONYMOUS
from rdfkms.app.composition import App
from rdfkms.app.exporting_linked import demand_new
from rdfkms.ingest.describing import table_columns
from rdfkms.ledger.disk import guard
from rdfkms.publish.table.table import export
from rdfkms.publish.views import scope_of


def table(app: App, record: str, columns: str, target: Path | None) -> dict[str, Any]:
    """Return a description (key or IRI of its record) as a table, or write it to a new file.

    `columns` is the column profile by which such a table is read. Raises `Misconfigured` for it,
    `NotFound` and `BadInput` for what makes no such table, `Conflict` where the file exists.
    """
    if target is not None:
        demand_new(target)
    key = record.rstrip("/").rpartition("/")[2].partition("#")[0]
    scope = scope_of(app.ledger.store, app.base, app.mapping, ANONYMOUS)
    done = export(scope, key, table_columns.load(columns))
    told: dict[str, Any] = {
        "rows": done.rows,
        "carried": done.carried,
        "left": done.left,
        "revision": app.ledger.revision,
    }
    if target is None:
        return {**told, "target": "", "text": done.text}
    with guard(target, "writing the export"):
        target.write_bytes(done.text.encode())
    return {**told, "target": str(target)}
