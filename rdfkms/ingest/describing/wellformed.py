"""`demand_well_formed`: what no XML file of others may be, told before anything of it is read."""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import Any
from xml.parsers import expat

from rdfkms.errors import BadInput
from rdfkms.ingest.describing.textfile import PIECE

MOST_DEPTH = 100
MOST_NAME = 200  # letters of the name of an element or attribute
MOST_PART = 4_000_000  # bytes of one part


def demand_well_formed(path: Path, data: mmap.mmap | bytes) -> None:
    """Read a file once for its form alone, so that a broken one is refused whole.

    Raises `BadInput` with line and element for what is no well-formed XML, expands entities within
    entities, would be read from outside, is nested beyond `MOST_DEPTH` or has a tag or comment
    beyond `MOST_PART` bytes.
    """
    parser = expat.ParserCreate("utf-8")
    open_: list[tuple[str, int]] = []

    def begin(name: str, attributes: dict[str, str]) -> None:
        if any(len(one) > MOST_NAME for one in (name, *attributes)):
            raise BadInput(
                f"{path.name}, line {parser.CurrentLineNumber}: the name of an element or "
                f"attribute has more than {MOST_NAME} letters."
            )
        open_.append((name, parser.CurrentLineNumber))
        if len(open_) > MOST_DEPTH:
            raise BadInput(
                f"{path.name}, line {parser.CurrentLineNumber}: <{name}> is nested more than "
                f"{MOST_DEPTH} deep."
            )

    def end(_: str) -> None:
        open_.pop()

    def entity(name: str, parameter: bool, value: str | None, *rest: Any) -> None:
        if parameter or value is None:
            return  # never opened: a reference to it is refused where it stands
        if "&" in value or "<" in value:
            raise BadInput(
                f"{path.name}, line {parser.CurrentLineNumber}: the entity {name!r} holds markup "
                "or other entities, which are not expanded.",
                hint="Save the file with its entities resolved.",
            )

    def outside(*_: Any) -> int:
        raise BadInput(
            f"{path.name}, line {parser.CurrentLineNumber}: an entity is to be read from outside "
            "of the file, which is never done.",
            hint="Save the file with its entities resolved.",
        )

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.EntityDeclHandler = entity
    parser.ExternalEntityRefHandler = outside
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    try:
        _feed(path, parser, data)
    except expat.ExpatError as err:
        inside = f" inside <{open_[-1][0]}> of line {open_[-1][1]}" if open_ else ""
        raise BadInput(
            f"{path.name}, line {err.lineno}: no well-formed XML{inside}: "
            f"{expat.ErrorString(err.code)}.",
            hint="Nothing of it was taken in. Mend the place, or export the file again.",
        ) from err


def _feed(path: Path, parser: Any, data: mmap.mmap | bytes) -> None:
    for at in range(0, len(data), PIECE):
        parser.Parse(bytes(data[at : at + PIECE]), False)
        if at + PIECE - parser.CurrentByteIndex > MOST_PART:  # it waits for the end of a mark
            raise BadInput(
                f"{path.name}, line {parser.CurrentLineNumber}: a tag or comment has more than "
                f"{MOST_PART:,} bytes.",
                hint="Nothing of it was taken in. Look at the place, and export the file again.",
            )
    parser.Parse(b"", True)
