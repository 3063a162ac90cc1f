"""Which standard a description file follows, told by its first elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from xml.parsers import expat

from rdfkms.errors import BadInput
from rdfkms.ingest.describing import eac, ead, rico, table
from rdfkms.ingest.describing.table_columns import Columns
from rdfkms.ingest.describing.textfile import as_utf8
from rdfkms.model import Fault, Stretch

_HEAD = 1 << 16
_LOOKED_AT = 5  # elements: some systems wrap what they export


@dataclass(frozen=True, slots=True)
class Form:
    """A standard and what reads it; `version` is that of the reader."""

    name: str
    version: str
    read: Callable[[Path, list[Fault]], Iterator[Stretch]]
    media_type: str = "application/xml"


EAD = Form("ead", "1", ead.read)
EAC = Form("eac-cpf", "1", eac.read)
RICO = Form("rico", "1", rico.read, "application/rdf+xml")
TURTLE = Form("rico", "1", rico.read, "text/turtle")
ENDINGS = (".xml", ".rdf", ".ttl")  # what is read in a folder
TABLE_ENDINGS = (".csv", ".tsv")


def form_of(path: Path) -> Form:
    """Return the standard of a file; raises `BadInput` for one that is none of them."""
    if rico.is_turtle(path):
        return TURTLE
    names = _first_elements(path)
    for name in names:
        if ead.is_ead(name):
            return EAD
        if eac.is_eac(name):
            return EAC
    if names and rico.is_rico(names[0]):
        return RICO
    found = f"it begins with <{names[0]}>" if names else "it is no XML"
    raise BadInput(
        f"{path.name} is neither EAD nor EAC-CPF nor RiC-O: {found}.",
        hint="Export finding aids as EAD, authority records as EAC-CPF, or both in RiC-O as "
        "RDF/XML or Turtle (.ttl); or declare the columns of a table: --columns.",
    )


def table_by(columns: Columns) -> Form:
    """Return the form of a table whose columns are declared."""
    return Form("table", "1", partial(table.read, columns=columns), "text/csv")


def _first_elements(path: Path) -> list[str]:
    names: list[str] = []
    if path.stat().st_size == 0:
        return names
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = lambda name, _: names.append(name.rpartition(":")[2])
    with as_utf8(path, []) as data:  # whatever it says that it is encoded in
        head = bytes(data[:_HEAD])
    with suppress(expat.ExpatError):  # the reader says where it is broken
        parser.Parse(head, False)
    return names[:_LOOKED_AT]
