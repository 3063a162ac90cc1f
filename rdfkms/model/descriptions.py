"""What is read from finding aids, authority records and tables of descriptions.

A description is evidence of its own kind: each stretch of the file becomes an evidence unit whose
raw text is the file's own markup, and each statement quotes the words it was read from.
"""

from __future__ import annotations

from dataclasses import dataclass

from rdfkms.model.proposals import Value

DESCRIBING_FILE = ("@file",)  # the identity of a description file itself, a record of the archive


@dataclass(frozen=True, slots=True)
class Thing:
    """What a description is about or names.

    `type` is an entity type of the mapping table. `identity` is what makes it the same thing when
    the file is read again, whatever has changed around it: identifiers before names, names before
    positions.
    """

    type: str
    identity: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a description; it becomes one claim.

    `name` is "namedAs" or a statement of the mapping table that is marked `declared`.
    ``stretch.raw[start:end]`` are the words it was read from, markup within them included; for
    what an element says by standing where it does, its start tag.
    """

    name: str
    subject: Thing
    start: int
    end: int
    value: Value | None = None
    object: Thing | None = None
    time: Value | None = None
    place: Thing | None = None


@dataclass(frozen=True, slots=True)
class Unmapped:
    """An element or attribute with words for which the mapping has no place."""

    element: str
    line: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of a description file about one thing, with what it states.

    `raw` is the piece as it stands in the file and `text` its words without markup. `element` is
    the path of its outermost element (``/ead/archdesc/dsc/c[3]``), `line` the line, from 1, on
    which it begins, `start` its first byte in the file as UTF-8. `language` is that of the
    description, as a BCP 47 tag, or "".
    """

    about: Thing
    element: str
    line: int
    start: int
    raw: str
    text: str
    language: str
    statements: tuple[Statement, ...]
    unmapped: tuple[Unmapped, ...] = ()
