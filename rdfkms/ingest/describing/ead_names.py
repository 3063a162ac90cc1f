"""Names of agents, places, subjects and forms in a finding aid, and its digital objects.

EAD 2002 gives names as words with ``@authfilenumber`` and ``@role``, EAD3 as ``<part>`` elements
with ``@identifier`` and ``@relator``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rdfkms.ingest.describing import languages
from rdfkms.ingest.describing.saying import Saying
from rdfkms.ingest.describing.things import address, by_name
from rdfkms.ingest.describing.xmlfile import Element, words
from rdfkms.model import Thing, Value

AGENTS = {
    "persname": "Person",
    "corpname": "OrganizationState",
    "famname": "Family",
    "name": "Agent",
}
TYPES = AGENTS | {
    "geogname": "Location",
    "subject": "Concept",
    "title": "Concept",
    "function": "Activity",
    "occupation": "OccupationType",
    "genreform": "FormType",
}
IN_TEXT = tuple(name for name in TYPES if name != "title")  # there it marks up any work
DIGITAL = ("dao", "daogrp", "daoset")

_HAS_WORDS = re.compile(r"\w")
_MADE_IT = re.compile(r"\b(?:cre|creator|col|collector|org|originat(?:or|ion)|producteur)\b", re.I)
# who has to do with the material, but is not what it is about
_APART = re.compile(
    r"\b(?:dnr|donor|pbl|publisher|trl|translator|aut|author|rps|repository|arr|arranger)\b", re.I
)
_COORDINATES = frozenset({"geographiccoordinates"})


@dataclass(frozen=True, slots=True)
class Telling:
    """The statements of a part, and the identifier of the finding aid it stands in."""

    saying: Saying
    document: str

    @property
    def form(self) -> str:
        """The statement that tells a documentary form of what the part is about."""
        whole = self.saying.about.type == "RecordSet"
        return "description/membersForm" if whole else "description/form"


def spoken(element: Element) -> bool:
    """Return whether words stand in an element itself, beside its inner elements."""
    return any(isinstance(child, str) and _HAS_WORDS.search(child) for child in element.children)


def runs(element: Element, stops: frozenset[str]) -> Iterator[Element]:
    """Yield what stands between the child elements of these names, each run as an element."""
    begin, held = element.inner, list[Element | str]()
    for child in element.children:
        if isinstance(child, Element) and child.name in stops:
            yield from _run(element, begin, child.start, held)
            begin, held = child.end, []
        else:
            held.append(child)
    yield from _run(element, begin, element.inner_end, held)


def _run(element: Element, begin: int, end: int, held: list[Element | str]) -> Iterator[Element]:
    run = replace(element, inner=begin, inner_end=end, children=held)
    if words(run):
        yield run


def spaced(element: Element) -> str:
    """Return the words of an element whose inner elements are told apart by a space."""
    if not any(element.all()):
        return words(element).replace("\n", " ")
    pieces = (spaced(child) if isinstance(child, Element) else child for child in element.children)
    return " ".join(" ".join(pieces).split())


def text(telling: Telling, element: Element) -> Value:
    """Return the words of an element in its own language, if it says so, or in that of the part."""
    own = languages.tag(element.attributes.get("lang", ""))
    return Value(words(element), language=own or telling.saying.language)


def say_text(telling: Telling, statement: str, element: Element) -> None:
    """Say the words of an element, or of a run within it."""
    telling.saying.say(statement, element, text(telling, element))
    for child in element.all():
        telling.saying.heed(child)


# ---- names --------------------------------------------------------------------------------------


def named(document: str, element: Element, kind: str) -> Thing | None:
    """Return what a name element names: by authority number, else by name; None if it has none."""
    told = element.attributes
    number = (told.get("authfilenumber") or told.get("identifier") or "").strip()
    if number:
        return Thing(kind, ("authority", told.get("source", "").strip(), number))
    name = " ".join(told.get("normal", "").split()) or spaced(element)
    return by_name(kind, document, name) if _HAS_WORDS.search(name) else None


def say_name(telling: Telling, element: Element, statement: str = "") -> Thing | None:
    """Say how a thing is named, and what it has to do with the material where that is told."""
    told = next(runs(element, _COORDINATES), element)
    thing = named(telling.document, told, TYPES[element.name])
    if thing is None:
        return None
    saying = telling.saying
    if statement:
        saying.say(statement, told, object=thing)
    name, normal = spaced(told), " ".join(element.attributes.get("normal", "").split())
    saying.say("namedAs", told, name, subject=thing)
    read = told.all() if any(element.all(*_COORDINATES)) and not spoken(element) else (element,)
    for one in read:
        saying.heed(one)
    if normal and normal != name:
        saying.say("namedAs", element, normal, subject=thing, attribute="normal")
    return thing


def say_names(
    telling: Telling, element: Element, *, about: bool, kinds: tuple[str, ...] = IN_TEXT
) -> None:
    """Say the names within an element; `about` tells whether it says what the material is about.

    Where it does not (a donor, an author of a book), agents and places are named and no more.
    """
    for one in element.within(*kinds):
        if about:
            say_name(telling, one, _relation(telling, one))
        elif one.name in AGENTS or one.name == "geogname":
            say_name(telling, one)


def _relation(telling: Telling, element: Element) -> str:
    if element.name == "genreform":
        return telling.form
    role = element.attributes.get("relator") or element.attributes.get("role") or ""
    if element.name in AGENTS and _MADE_IT.search(role):
        return "description/provenance"
    return "" if _APART.search(role) else "description/subject"


# ---- digital objects ----------------------------------------------------------------------------


def say_digital(telling: Telling, element: Element) -> None:
    """Say the digital copies that a `dao`, `daogrp` or `daoset` leads to."""
    captions = tuple(element.all("daodesc", "descriptivenote"))
    if element.name == "dao":
        _copy(telling, element, captions)
    for one in element.all("dao", "daoloc"):
        _copy(telling, one, tuple(one.all("daodesc", "descriptivenote")) or captions)


def _copy(telling: Telling, element: Element, captions: tuple[Element, ...]) -> None:
    told, saying = element.attributes, telling.saying
    place = next((name for name in ("href", "entityref") if told.get(name, "").strip()), "")
    if not place:
        return
    reference = told[place].strip()
    remote = address(reference)
    # what is no address is one of this finding aid alone
    where = (reference,) if remote is not None else (telling.document, reference)
    copy = Thing("Instantiation", ("dao", *where))
    saying.say("description/digitalCopy", element, object=copy, tag=True)
    if remote is not None:
        saying.say("description/address", element, remote, subject=copy, attribute=place)
    else:
        code = Value(reference)
        saying.say("description/identifier", element, code, subject=copy, attribute=place)
    title = next((name for name in ("title", "linktitle") if told.get(name, "").strip()), "")
    if title:
        name = " ".join(told[title].split())
        saying.say("namedAs", element, name, subject=copy, attribute=title)
    for caption in captions:
        saying.say("namedAs", caption, text(telling, caption), subject=copy)
