"""Reads descriptions in Records in Contexts (RiC-O 1.1) as RDF/XML or Turtle.

The file is read twice: what a thing is may stand anywhere in it. Names of RiC-O 0.2 are read as
what they became; each such term is noted once.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rdfkms.errors import BadInput
from rdfkms.ingest.describing import rico_turtle, rico_xml
from rdfkms.ingest.describing.rico_graph import Source, look
from rdfkms.ingest.describing.rico_relations import MOST_PAIRS
from rdfkms.ingest.describing.rico_saying import Telling
from rdfkms.model import Fault, Stretch

_TURTLE = ".ttl"


def is_rico(root_name: str) -> bool:
    """Return whether an element of this name is the root of RDF/XML."""
    return root_name == rico_xml.ROOT


def is_turtle(path: Path) -> bool:
    """Return whether a file is Turtle, by its name."""
    return path.suffix.lower() == _TURTLE


def read(path: Path, notes: list[Fault]) -> Iterator[Stretch]:
    """Yield the stretches of a file in its order, one for each subject in each place.

    Raises `BadInput` for what is no RDF, with its line, or uses no term of RiC-O. `notes` gets the
    terms that are not of RiC-O 1.1 and what could not be quoted.
    """
    source = Source(path.name, notes)
    if is_turtle(path):
        rico_turtle.check(path)
    blocks = rico_turtle.blocks if is_turtle(path) else rico_xml.blocks
    sight = look(blocks(path, source, notes), source)
    if not source.uses_rico:
        raise BadInput(
            f"{path.name} uses no term of RiC-O.",
            hint="The namespace is https://www.ica.org/standards/RiC/ontology#.",
        )
    escaped: list[int] = []
    crowded: list[int] = []
    for block in blocks(path, source, None):
        telling = Telling(block, sight)
        stretch = telling.stretch()
        escaped += telling.escaped
        crowded += telling.crowded
        if stretch.statements or stretch.unmapped:
            yield stretch
    if escaped:
        notes.append(_unquoted(path.name, escaped))
    if crowded:
        notes.append(_crowded(path.name, crowded))


def _unquoted(name: str, lines: list[int]) -> Fault:
    return Fault(
        name,
        f"line {lines[0]}",
        f"Values with escapes could not be quoted word for word and were left out: {len(lines)}.",
        'Write them without escapes, long ones between three quotation marks (""").',
    )


def _crowded(name: str, lines: list[int]) -> Fault:
    return Fault(
        name,
        f"line {lines[0]}",
        f"Relations with more than {MOST_PAIRS} pairs of ends were left out: {len(lines)}.",
        "Write a relation for each two of them.",
    )
