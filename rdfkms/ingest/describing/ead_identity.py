"""What makes a component of a finding aid the same when the file is read again.

An ``@id`` that the file gives once comes first, then the reference codes from the top down to the
component where they lead to it alone, then its place.
"""

from __future__ import annotations

import re
from pathlib import Path

from rdfkms.ingest.describing.things import the_file
from rdfkms.ingest.describing.xmlfile import Element, Part, parts, words
from rdfkms.model import Fault, Thing

_COMPONENT = re.compile(r"c(?:0[1-9]|1[0-2])?")
_HEADERS = frozenset({"eadheader", "control"})
_HOLDERS = frozenset({"archdesc", "dsc"})
ARCHDESC = "archdesc"


def is_component(name: str) -> bool:
    """Return whether an element of this name is a component, numbered or not."""
    return _COMPONENT.fullmatch(name) is not None


def is_part(name: str, parent: str) -> bool:
    """Return whether an element is a part of its own.

    These are header, front matter, the description of the whole, each list of components and each
    component, and what describes the whole in an element of its own, such as a biography.
    """
    if parent == ARCHDESC:
        return name != "did"
    if is_component(name):
        return parent in _HOLDERS or is_component(parent)
    if name == "dsc":
        return parent == "dsc" or is_component(parent)
    return name == ARCHDESC or (parent == "ead" and (name in _HEADERS or name == "frontmatter"))


def place_of(part: Part) -> str:
    """Return the path of the element around a part."""
    return part.element.path.rpartition("/")[0]


class Documents:
    """The finding aids of a file, in its order: mostly one, several where a harvest wraps them."""

    def __init__(self, path: Path, notes: list[Fault] | None = None) -> None:
        self._file = path.name
        self._notes = notes
        self._identifiers: dict[str, str] = {}  # by the path of the <ead>
        self._last = path.name

    def look(self, part: Part) -> None:
        """Take notice of a part; headers tell the identifier, components come after theirs."""
        name = part.element.name
        if name not in _HEADERS and name != ARCHDESC:
            return
        place = place_of(part)
        if place not in self._identifiers:
            given = identifier_of(part.element) if name in _HEADERS else ""
            self._identifiers[place] = self._own(given, place, part.line)
        self._last = self._identifiers[place]

    def _own(self, given: str, place: str, line: int) -> str:
        """Return the identifier of a finding aid; one that another has is told by its place."""
        identifier = given or self._file
        if identifier not in self._identifiers.values():
            return identifier
        if given and self._notes is not None:
            why = f"The identifier {given!r} was given to another finding aid of the file before; "
            hint = "Give each finding aid an eadid or recordid of its own."
            place_ = f"line {line}"
            self._notes.append(
                Fault(self._file, place_, f"{why}this one is known by its place.", hint)
            )
        return f"{identifier} {place}"

    @property
    def identifier(self) -> str:
        """The identifier of the finding aid that is being read, or the name of the file."""
        return self._last

    @property
    def record(self) -> Thing:
        """The finding aid itself, as a record."""
        first = next(iter(self._identifiers.values()), self._last)
        return the_file("" if first == self._last else self._last)


def identifier_of(header: Element) -> str:
    """Return the identifier that a header gives (EAD 2002 `eadid`, EAD3 `recordid`), or ""."""
    told = header.first("eadid", "recordid")
    if told is None:
        return ""
    return (
        words(told) or told.attributes.get("identifier", "") or told.attributes.get("publicid", "")
    )


class _Codes:
    """The reference codes from the top down to each open component."""

    def __init__(self) -> None:
        self._open: dict[str, str] = {}

    def of(self, part: Part) -> str:
        """Return the codes that lead to a component, or "" where it has none of its own."""
        self._open = {one.path: self._open[one.path] for one in part.above
                      if one.path in self._open}  # fmt: skip
        did = part.element.first("did") or part.element
        own = next((code for one in did.all("unitid") if (code := words(one))), "")
        above = next(reversed(self._open.values()), "")
        if own or above:
            self._open[part.element.path] = "/".join(filter(None, (above, own)))
        return self._open[part.element.path] if own else ""


class Identities:
    """Gives the components of a file their identity. The file is read once for what is unique."""

    def __init__(self, path: Path) -> None:
        self._name = path.name
        self._twice: set[tuple[str, str]] = set()
        self._vague: set[tuple[str, str]] = set()
        self._given: set[tuple[str, str]] = set()
        self._codes = _Codes()
        self._survey(path)

    def _survey(self, path: Path) -> None:
        documents, codes = Documents(path), _Codes()
        ids: set[tuple[str, str]] = set()
        led: set[tuple[str, str]] = set()
        for part in parts(path, is_part):
            documents.look(part)
            if part.number > 1 or not is_component(part.element.name):
                continue
            given = (documents.identifier, part.element.attributes.get("id", "").strip())
            (self._twice if given in ids else ids).add(given)
            way = (documents.identifier, codes.of(part))
            if not given[1]:
                (self._vague if way in led else led).add(way)
        self._vague |= led & ids

    def of(self, part: Part, document: str, notes: list[Fault]) -> tuple[str, ...]:
        """Return the identity of a component; an @id that comes again is noted as a fault."""
        given = part.element.attributes.get("id", "").strip()
        codes = self._codes.of(part)
        key = (document, given)
        if given and given != ARCHDESC and key not in self._given:
            if key in self._twice:
                self._given.add(key)
            return "ead", document, given
        if given and key in self._given:
            notes.append(
                Fault(
                    self._name,
                    f"line {part.line}",
                    f"The id {given!r} was given to another component before; this one is known "
                    "by its place in the file.",
                    "Give each component an id of its own.",
                )
            )
        clear = codes != ARCHDESC and (document, codes) not in self._vague
        if codes and not given and clear:
            return "ead", document, codes
        return "ead", document, part.element.path
