"""Which standard a description file follows, told by its first elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

from rdfkms.errors import BadInput
from rdfkms.ingest.describing import eac, ead
from rdfkms.model import Fault, Stretch

_HEAD = 1 << 16
_LOOKED_AT = 5  # elements: some systems wrap what they export


@dataclass(frozen=True, slots=True)
class Form:
    """A standard and what reads it; `version` is that of the reader."""

    name: str
    version: str
    read: Callable[[Path, list[Fault]], Iterator[Stretch]]


EAD = Form("ead", "1", ead.read)
EAC = Form("eac-cpf", "1", eac.read)


def form_of(path: Path) -> Form:
    """Return the standard of a file; raises `BadInput` for one that is none of them."""
    names = _first_elements(path)
    for name in names:
        if ead.is_ead(name):
            return EAD
        if eac.is_eac(name):
            return EAC
    found = f"it begins with <{names[0]}>" if names else "it is no XML"
    raise BadInput(
        f"{path.name} is neither EAD nor EAC-CPF: {found}.",
        hint="Export finding aids as EAD and authority records as EAC-CPF.",
    )


def _first_elements(path: Path) -> list[str]:
    names: list[str] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda name, _: names.append(name.rpartition(":")[2])
    with path.open("rb") as handle:
        head = handle.read(_HEAD)
    with suppress(expat.ExpatError):  # the reader says where it is broken
        parser.Parse(head, False)
    return names[:_LOOKED_AT]
