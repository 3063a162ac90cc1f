"""XML files of any size and any origin, part by part, each element with its line and its place.

expat reads; nothing outside of the file is ever opened. What a file may not contain is refused
with a sentence that names element and line. A part is an element without the parts inside it; it
is given out when its first inner part begins, and again when more of it follows after them.
"""

from __future__ import annotations

import html.entities
import mmap
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn
from xml.parsers import expat

from rdfkms.errors import BadInput
from rdfkms.ingest.describing.textfile import PIECE, as_utf8
from rdfkms.ingest.describing.wellformed import MOST_PART, demand_well_formed
from rdfkms.model import Fault

_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\w")
_SPACE_SIGN = re.compile(r"[\t\r\n]")
_ATTRIBUTE = re.compile(r"""([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_REFERENCE = re.compile(r"&(#?\w+);")


@dataclass(slots=True)
class Element:
    """An element of a part. Offsets are code points in the part's `raw`.

    ``raw[start:end]`` is the element, ``raw[inner:inner_end]`` what stands between its tags (both
    empty places where it is an empty-element tag). `name` and attribute names are without prefix.
    An element that goes on in another part ends where this part ends.
    """

    name: str
    attributes: dict[str, str]
    path: str
    line: int
    start: int
    inner: int = 0
    inner_end: int = 0
    end: int = 0
    children: list[Element | str] = field(default_factory=list)

    def all(self, *names: str) -> Iterator[Element]:
        """Yield the child elements, those with one of the names where any are given."""
        for child in self.children:
            if isinstance(child, Element) and (not names or child.name in names):
                yield child

    def first(self, *names: str) -> Element | None:
        """Return the first such child element, or None."""
        return next(self.all(*names), None)

    def within(self, *names: str) -> Iterator[Element]:
        """Yield the elements below with one of the names, in the order of the file."""
        for child in self.all():
            if child.name in names:
                yield child
            yield from child.within(*names)


@dataclass(frozen=True, slots=True)
class Part:
    """A part: its outermost element, the file's own text of it, and where that begins.

    `number` counts the pieces in which the same element is given out, from 1.
    """

    element: Element
    raw: str
    line: int
    start: int
    number: int
    above: tuple[Element, ...]


def parts(
    path: Path, is_part: Callable[[str, str], bool], notes: list[Fault] | None = None
) -> Iterator[Part]:
    """Yield the parts of an XML file in its order; `is_part(name, name of the parent)` says which.

    The root is always one. Raises `BadInput` with element and line for what is no well-formed XML
    or may not be read; `notes` gets what was read otherwise than the file says.
    """
    with as_utf8(path, notes if notes is not None else []) as data:
        demand_well_formed(path, data)
        yield from _Reader(path, data, is_part, notes).parts()


def words(element: Element, *, without: tuple[str, ...] = (), apart: bool = False) -> str:
    """Return the words of an element: white space folded, paragraphs and line breaks kept.

    With `apart` elements are lines of their own too that stand in one without words of its own:
    what gives a description its structure, not what marks up words within a text.
    """
    lines = "".join(_pieces(element, without, apart)).split("\n")
    folded = (_SPACE.sub(" ", line.replace("\f", " ")).strip() for line in lines)
    return "\n".join(line for line in folded if line)


_BLOCKS = frozenset(
    {
        "p", "head", "list", "item", "chronlist", "chronitem", "table", "row", "defitem",
        "blockquote", "address", "addressline", "addressLine", "lb", "note", "index",
        "indexentry", "dao", "archref", "bibref", "eventgrp", "event",
    }
)  # fmt: skip


def _pieces(element: Element, without: tuple[str, ...], apart: bool) -> Iterator[str]:
    if element.name in without:
        return
    has_words = any(isinstance(child, str) and _WORD.search(child) for child in element.children)
    block = element.name in _BLOCKS
    if block:
        yield "\n"
    for child in element.children:
        if isinstance(child, str):
            yield child.replace("\n", "\f")  # a break in the file is a space
            continue
        line = "\n" if apart and not has_words else ""
        yield line
        yield from _pieces(child, without, apart)
        yield line
    if block:
        yield "\n"


# ---- expat --------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Open:
    """A part that has begun: where its present piece starts, and how many were given out."""

    element: Element
    start: int
    line: int
    number: int = 0


class _Reader:
    """Gives out the parts while expat reads. Offsets are bytes until a part is complete."""

    def __init__(
        self,
        path: Path,
        data: mmap.mmap | bytes,
        is_part: Callable[[str, str], bool],
        notes: list[Fault] | None,
    ) -> None:
        self._path, self._data, self._is_part, self._notes = path, data, is_part, notes
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = False
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.SkippedEntityHandler = self._skipped
        self._parser.CommentHandler = self._touch
        self._parser.StartCdataSectionHandler = self._touch
        self._parser.EntityDeclHandler = self._declared
        self._parser.ProcessingInstructionHandler = self._touch
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self._elements: list[Element] = []
        self._parts: list[_Open] = []
        self._counts: list[dict[str, int]] = [{}]
        self._entities: dict[str, str] = {}  # that the file declares
        self._pending: Element | None = None  # its start tag ends where the next event begins
        self._done: list[Part] = []

    def parts(self) -> Iterator[Part]:
        for at in range(0, len(self._data), PIECE):
            self._parser.Parse(bytes(self._data[at : at + PIECE]), False)
            yield from self._given()
        self._parser.Parse(b"", True)
        yield from self._given()

    def _given(self) -> Iterator[Part]:
        done, self._done = self._done, []
        yield from done

    # ---- events --------------------------------------------------------------------------------

    def _touch(self, *_: Any) -> int:
        at = int(self._parser.CurrentByteIndex)
        if self._pending is not None:
            self._pending.inner = at
            self._resolve(self._pending, at)
            self._pending = None
        if self._parts and at - self._parts[-1].start > MOST_PART:
            self._refuse(self._parts[-1], at)
        return at

    def _declared(self, name: str, parameter: bool, value: str | None, *_: Any) -> None:
        if not parameter and value is not None:
            self._entities.setdefault(name, value)  # the first declaration binds

    def _resolve(self, element: Element, stop: int) -> None:
        """Read attributes with entities anew: expat leaves those out that are declared nowhere."""
        tag = self._data[element.start : stop]
        if b"&" not in tag:
            return
        for name, double, single in _ATTRIBUTE.findall(tag.decode(errors="replace")):
            value = _SPACE_SIGN.sub(" ", double or single)
            told = _REFERENCE.sub(lambda found: self._referred(found[1], element), value)
            element.attributes[_local(name)] = told

    def _referred(self, name: str, element: Element) -> str:
        if name.startswith("#"):
            return html.unescape(f"&{name};")
        declared = self._entities.get(name)
        return declared if declared is not None else self._known(name, element)

    def _known(self, name: str, element: Element) -> str:
        """Return the character of an entity that HTML knows, or note that nobody knows it."""
        known = html.entities.html5.get(f"{name};")
        if known is None and self._notes is not None:
            place = f"line {element.line}, <{element.name}>"
            why = f"The entity {name!r} is declared nowhere in the file; its name was kept."
            self._notes.append(Fault(self._path.name, place, why, "Resolve it in the file."))
        return known or f"&{name};"

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        at = self._touch()
        local = name.rpartition(":")[2]
        parent = self._elements[-1] if self._elements else None
        counts = self._counts[-1]
        counts[local] = counts.get(local, 0) + 1
        path = f"{parent.path if parent else ''}/{local}[{counts[local]}]"
        kept = {_local(key): value for key, value in attributes.items()}
        element = Element(local, kept, path, int(self._parser.CurrentLineNumber), at)
        starts = parent is None or self._is_part(local, parent.name)
        if starts and self._parts:
            self._give(at)
        if parent is not None and not starts:
            parent.children.append(element)
        self._elements.append(element)
        self._counts.append({})
        self._pending = element
        if starts:
            self._parts.append(_Open(element, at, element.line))

    def _end(self, _: str) -> None:
        bare = self._pending is not None  # nothing stands between its tags
        at = self._touch()
        element = self._elements.pop()
        self._counts.pop()
        element.inner_end = at
        empty = bare and self._data[at - 2 : at] == b"/>"  # then expat tells the place behind it
        element.end = at if empty else self._data.find(b">", at) + 1
        if self._parts and self._parts[-1].element is element:
            self._give(element.end)
            self._parts.pop()
            if self._parts:
                self._resume(self._parts[-1], element.end)

    def _characters(self, text: str) -> None:
        self._touch()
        if self._elements:
            self._elements[-1].children.append(text)  # joined when the part is given out

    def _skipped(self, name: str, parameter: bool) -> None:
        self._touch()
        if parameter or not self._elements:
            return
        element = self._elements[-1]
        element.children.append(self._known(name, element))

    # ---- parts ---------------------------------------------------------------------------------

    def _give(self, stop: int) -> None:
        """Give out the present piece of the innermost part, where it says something."""
        part = self._parts[-1]
        data = self._data[part.start : stop]
        if part.number and not _says_more(part.element, part.start):
            return
        if len(data) > MOST_PART:
            self._refuse(part, stop)
        part.number += 1
        raw = data.decode()
        above = tuple(open_.element for open_ in self._parts[:-1])
        told = _placed(part.element, part.start, stop, data)
        self._done.append(Part(told, raw, part.line, part.start, part.number, above))

    def _refuse(self, part: _Open, stop: int) -> NoReturn:
        raise BadInput(
            f"{self._path.name}, line {part.line}: <{part.element.name}> has "
            f"{stop - part.start:,} bytes of its own; it may have {MOST_PART:,}.",
            hint="Divide the text, or describe it in components.",
        )

    def _resume(self, part: _Open, at: int) -> None:
        """Begin the next piece of a part behind a part that stood inside it."""
        part.start, part.line = at, int(self._parser.CurrentLineNumber)
        open_ = self._elements[self._elements.index(part.element) :]
        for outer, inner in zip(open_, [*open_[1:], None], strict=True):
            outer.children = [inner] if inner is not None else []


def _says_more(element: Element, start: int) -> bool:
    """Return whether an element says anything from a place on: words, or an attribute."""
    return any(
        (child.start >= start and bool(child.attributes)) or _says_more(child, start)
        if isinstance(child, Element)
        else bool(child.strip())
        for child in element.children
    )


def _local(name: str) -> str:
    return name if name.startswith("xmlns") else name.rpartition(":")[2]


def _placed(element: Element, start: int, stop: int, data: bytes) -> Element:
    """Return a copy whose offsets are code points from the start of the piece."""
    places = _in_code_points({place - start for place in _places(element, stop)}, data)

    def at(place: int) -> int:
        return places[min(max(place - start, 0), len(data))]

    def copy(one: Element) -> Element:
        return Element(
            one.name, one.attributes, one.path, one.line, at(one.start), at(one.inner),
            at(one.inner_end or stop), at(one.end or stop), list(_children(one)),
        )  # fmt: skip

    def _children(one: Element) -> Iterator[Element | str]:
        texts: list[str] = []
        for child in one.children:
            if isinstance(child, str):
                texts.append(child)
                continue
            if texts:
                yield "".join(texts)
                texts = []
            yield copy(child)
        if texts:
            yield "".join(texts)

    return copy(element)


def _places(element: Element, stop: int) -> Iterator[int]:
    yield from (element.start, element.inner, element.inner_end or stop, element.end or stop)
    for child in element.all():
        yield from _places(child, stop)


def _in_code_points(places: set[int], data: bytes) -> dict[int, int]:
    """Return for each place in bytes, cut to the data, how many code points stand before it."""
    found: dict[int, int] = {}
    before = count = 0
    for place in sorted({min(max(place, 0), len(data)) for place in places}):
        count += len(data[before:place].decode(errors="ignore"))
        found[place] = count
        before = place
    return found
