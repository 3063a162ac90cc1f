"""`export`: a description as a table, by the columns by which such a table is read."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass

from rdfkms.errors import BadInput
from rdfkms.ingest.describing.table_columns import IDENTIFIER, LEVEL, PARENT, TYPE, Columns
from rdfkms.publish.describing.reading import Account, read
from rdfkms.publish.table.cells import fill
from rdfkms.publish.table.things import CODE, Thing, kind_told, things
from rdfkms.publish.views import Scope


@dataclass(frozen=True, slots=True)
class Exported:
    """A table, how many rows and claims are in it, and the claims left out, by statement."""

    text: str
    rows: int
    carried: int
    left: dict[str, int]


def export(scope: Scope, record_key: str, columns: Columns) -> Exported:
    """Return what a description says as a table, as far as the reader sees it.

    `record_key` is the key of the record that stands for the file. Raises `NotFound` where it is
    no description, `BadInput` where it describes nothing that these columns have rows for.
    """
    account = read(scope, record_key)
    rows, carried = things(account, columns)
    if not rows:
        raise BadInput(
            f"This file describes nothing that has a row by the columns {columns.name!r}.",
            hint="Use columns for what it describes: components, or agents.",
        )
    out = io.StringIO()
    writer = csv.writer(out, delimiter=columns.delimiter or ",", lineterminator="\r\n")
    writer.writerow([one.headings[0] for one in columns.columns])
    for thing in rows:
        cells, told = _row(account, columns, thing)
        carried |= told
        writer.writerow(cells)
    left = Counter(one.name for one in account.said if one.claim not in carried)
    number = sum(one.claim in carried for one in account.said)
    return Exported(out.getvalue(), len(rows), number, dict(sorted(left.items())))


def _row(account: Account, columns: Columns, thing: Thing) -> tuple[list[str], set[str]]:
    """Return the cells of a row, and the claims that they carry."""
    filled = fill(account, columns.columns, thing)
    word, kinds = kind_told(account, columns, thing)
    roles = {IDENTIFIER: thing.identifier, PARENT: thing.parent, LEVEL: word, TYPE: word}
    cells = [
        roles[one.says] if one.meaning is None else filled.cells.get(place, "")
        for place, one in enumerate(columns.columns)
    ]
    codes = [
        one for one in account.of(thing.iri, CODE)
        if " ".join(one.text.split()) == thing.identifier
    ]  # fmt: skip
    implied = [] if _has_name(columns, cells) else account.of(thing.iri, "namedAs")[:1]
    return cells, {one.claim for one in (*kinds, *codes, *implied)} | set(filled.carried)


def _has_name(columns: Columns, cells: list[str]) -> bool:
    """Return whether a cell names the row; else it is named by what identifies it when read."""
    return any(
        cell and one.says == "namedAs" for one, cell in zip(columns.columns, cells, strict=True)
    )
