"""Finding aids in Encoded Archival Description: EAD 2002 and EAD3, with or without namespace.

Each component becomes a stretch, and so do the header, the description of the whole, and each
group of prose about the whole. What stands behind the components of an element follows as another
stretch about the same thing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rdfkms.ingest.describing import languages
from rdfkms.ingest.describing.ead_did import DATES, say_did
from rdfkms.ingest.describing.ead_header import language_of, say_header
from rdfkms.ingest.describing.ead_identity import (
    ARCHDESC,
    Documents,
    Identities,
    is_component,
    is_part,
    place_of,
)
from rdfkms.ingest.describing.ead_names import Telling, spaced, text
from rdfkms.ingest.describing.ead_prose import say_group
from rdfkms.ingest.describing.saying import Saying
from rdfkms.ingest.describing.things import SET_TYPES
from rdfkms.ingest.describing.xmlfile import Element, Part, parts, words
from rdfkms.model import Fault, Stretch, Thing, Value

_SET_TYPE = {
    "fonds": "Fonds",
    "recordgrp": "Fonds",
    "series": "Series",
    "subseries": "Series",
    "file": "File",
    "collection": "Collection",
}
_ITEMS = frozenset({"item", "piece", "pièce", "document", "dokument"})
_HEADERS = frozenset({"eadheader", "control", "frontmatter"})


def is_ead(root_name: str) -> bool:
    """Return whether an element of this name begins a finding aid."""
    return root_name.rpartition(":")[2] == "ead"


def read(path: Path, notes: list[Fault]) -> Iterator[Stretch]:
    """Yield the stretches of a finding aid in the order of the file.

    Raises `BadInput` for what is no well-formed XML; `notes` gets what was read otherwise than the
    file says.
    """
    identities = Identities(path)
    reader = _Reader(path, identities, notes)
    for part in parts(path, is_part, notes):
        stretch = reader.stretch(part)
        if stretch.statements or stretch.unmapped:
            yield stretch


@dataclass
class _Open:
    """A described thing that is not over yet, and how many components it had so far."""

    thing: Thing
    components: int = 0


class _Reader:
    def __init__(self, path: Path, identities: Identities, notes: list[Fault]) -> None:
        self._identities, self._notes = identities, notes
        self._documents = Documents(path, notes)
        self._languages: dict[str, str] = {}  # of the finding aids, by the path of the <ead>
        self._open: dict[str, _Open] = {}  # by path

    def stretch(self, part: Part) -> Stretch:
        self._documents.look(part)
        element = part.element
        self._open = {one.path: self._open[one.path] for one in (*part.above, element)
                      if one.path in self._open}  # fmt: skip
        if element.name == ARCHDESC or is_component(element.name):
            return self._described(part)
        if self._open:
            telling = self._telling(part, next(reversed(self._open.values())).thing)
            say_group(telling, element)
            return telling.saying.stretch()
        if element.name in _HEADERS:
            if element.name != "frontmatter":
                self._languages[place_of(part)] = language_of(element)
            telling = self._telling(part, self._documents.record)
            say_header(telling, element)
            return telling.saying.stretch()
        return Saying(part, self._documents.record).stretch()

    def _telling(self, part: Part, about: Thing) -> Telling:
        own = (
            languages.tag(one.attributes.get("lang", ""))
            for one in reversed((*part.above, part.element))
        )
        around = next((one.path for one in part.above if one.name == "ead"), "")
        language = next(filter(None, own), self._languages.get(around, ""))
        return Telling(Saying(part, about, language), self._documents.identifier)

    # ---- the whole and its components -----------------------------------------------------------

    def _described(self, part: Part) -> Stretch:
        element = part.element
        if part.number > 1:
            telling = self._telling(part, self._open[element.path].thing)
            title = None
        else:
            parent = next(reversed(self._open.values()), None)
            about = self._thing(part, parent)
            self._open[element.path] = _Open(about)
            telling = self._telling(part, about)
            title = _say_name(telling, element)
            self._say_place(telling, element, parent)
            _say_level(telling, element)
        for child in element.all():
            for one in child.all() if child.name == "did" else (child,):
                if not say_did(telling, one, title):
                    say_group(telling, one)
        return telling.saying.stretch()

    def _thing(self, part: Part, parent: _Open | None) -> Thing:
        document = self._documents.identifier
        kind = _type(part.element, parent)
        if is_component(part.element.name):
            return Thing(kind, self._identities.of(part, document, self._notes))
        again = not part.element.path.endswith("[1]")  # a finding aid has one, but some have more
        return Thing(kind, ("ead", document, part.element.path if again else ARCHDESC))

    def _say_place(self, telling: Telling, element: Element, parent: _Open | None) -> None:
        """Say where a component belongs, and of the whole that the finding aid describes it."""
        saying = telling.saying
        if parent is None:
            saying.say("description/describes", element, subject=self._documents.record,
                       object=saying.about, tag=True)  # fmt: skip
            return
        parent.components += 1
        part_of = {"RecordSet": "description/includes"}.get(
            parent.thing.type, "description/constituent"
        )
        saying.say(part_of, element, subject=parent.thing, object=saying.about, tag=True)
        rank = Value(str(parent.components), "integer")
        saying.say("description/rank", element, rank, tag=True)


def _type(element: Element, parent: _Open | None) -> str:
    if parent is not None and parent.thing.type != "RecordSet":
        return "RecordPart"
    return "Record" if _level(element)[0].casefold() in _ITEMS else "RecordSet"


def _level(element: Element) -> tuple[str, str]:
    """Return the level of description and the attribute that tells it."""
    level, other = (" ".join(element.attributes.get(name, "").split())
                    for name in ("level", "otherlevel"))  # fmt: skip
    if level in ("", "otherlevel"):  # the other one says which
        return other, "otherlevel"
    return level, "level"


def _say_level(telling: Telling, element: Element) -> None:
    level, attribute = _level(element)
    if not level:
        return
    saying = telling.saying
    saying.say("description/level", element, Value(level), attribute=attribute)
    if saying.about.type == "RecordSet" and level in _SET_TYPE and attribute == "level":
        kind = Value(SET_TYPES + _SET_TYPE[level], "anyURI", verbatim=level)
        saying.say("description/recordSetType", element, kind, attribute=attribute)


def _say_name(telling: Telling, element: Element) -> Element | None:
    """Say how a unit is named where it has no title; return the title where it has one.

    Then its reference code stands for it, else its date, else its level or its element.
    """
    did = element.first("did") or element
    title = next((one for one in did.all("unittitle") if words(one)), None)
    if title is not None:
        return title
    saying = telling.saying
    for names in (("unitid",), DATES):
        told = next((one for one in did.all(*names) if words(one)), None)
        if told is not None:
            name = Value(spaced(told)) if names != DATES else Value(
                spaced(told), language=text(telling, told).language
            )  # fmt: skip
            saying.say("namedAs", told, name)
            return None
    level, attribute = _level(element)
    if level:
        saying.say("namedAs", element, Value(level), attribute=attribute)
    else:
        saying.say("namedAs", element, Value(element.name), tag=True)
    return None
