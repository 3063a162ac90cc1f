"""Collects what a part of a description file states, each statement with the words it stands in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from rdfkms.ingest.describing.dates import stands_in
from rdfkms.ingest.describing.xmlfile import Element, Part, words
from rdfkms.model import Statement, Stretch, Thing, Unmapped, Value

_ATTRIBUTE = re.compile(r"""([^\s=<>"'/]+)\s*=\s*(["'])(.*?)\2""", re.DOTALL)
_HAS_WORDS = re.compile(r"\w", re.UNICODE)


@dataclass
class Saying:
    """The statements of one part, about `about` unless another subject is given.

    What no call has touched is listed as unmapped at the end: nothing falls out in silence.
    """

    part: Part
    about: Thing
    language: str = ""
    _said: dict[Statement, None] = field(default_factory=dict)  # each once, in order
    _seen: set[int] = field(default_factory=set)

    def say(
        self,
        name: str,
        element: Element,
        value: Value | str | None = None,
        *,
        subject: Thing | None = None,
        object: Thing | None = None,
        attribute: str = "",
        tag: bool = False,
        time: Value | None = None,
        place: Thing | None = None,
    ) -> None:
        """Add a statement read from the words of an element, or from one of its attributes.

        A `value` that is a string is plain text in the language of the description; an empty one
        is not said. With neither words nor attribute, and where `tag` is set, the statement
        quotes the start tag. The outermost element is not read by a look at its tag.
        """
        if isinstance(value, str):
            value = Value(value, language=self.language)
        if (value is not None and not value.lexical) or (value is None and object is None):
            return
        start, end = self._tag(element) if tag else self._span(element, attribute)
        if not tag and not (attribute and element is self.part.element):
            self.heed(element)
        self.add(Statement(name, subject or self.about, start, end, value, object, time, place))

    def add(self, said: Statement) -> None:
        """Add a statement whose quote is not that of one element; each is kept once.

        A quote that does not say the date of the statement becomes that of an element around it.
        """
        for date in (said.value, said.time):
            if date is not None and (date is said.time or date.datatype == "edtf"):
                said = self._wide_enough(said, date)
        self._said.setdefault(said)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """What was said so far, in order."""
        return tuple(self._said)

    def heed(self, element: Element) -> None:
        """Mark an element, with all inside it, as read."""
        self._seen.add(id(element))

    def stretch(self) -> Stretch:
        """Return the part with its statements and with what was left aside."""
        part = self.part
        return Stretch(
            self.about, part.element.path, part.line, part.start, part.raw,
            words(part.element, apart=True), self.language, self.statements,
            tuple(self._left(part.element)),
        )  # fmt: skip

    def _span(self, element: Element, attribute: str) -> tuple[int, int]:
        raw = self.part.raw
        if attribute:
            tag = raw[element.start : element.inner or element.end]
            for found in _ATTRIBUTE.finditer(tag):
                if found[1].rpartition(":")[2] == attribute and found[3]:
                    return element.start + found.start(3), element.start + found.end(3)
        inner = raw[element.inner : element.inner_end]
        if not attribute and inner.strip():
            start = element.inner + len(inner) - len(inner.lstrip())
            return start, start + len(inner.strip())
        return self._tag(element)

    def _wide_enough(self, said: Statement, date: Value) -> Statement:
        if stands_in(date, self.part.raw[said.start : said.end]):
            return said
        for one in reversed(_around(self.part.element, said.start, said.end)):
            if stands_in(date, self.part.raw[one.start : one.end]):
                return replace(said, start=one.start, end=one.end)
        return said

    def _tag(self, element: Element) -> tuple[int, int]:
        end = element.inner if element.inner > element.start else element.end
        return element.start, end

    def _left(self, element: Element) -> Iterator[Unmapped]:
        if id(element) in self._seen:
            return
        if any(isinstance(child, str) and _HAS_WORDS.search(child) for child in element.children):
            yield Unmapped(re.sub(r"\[\d+\]", "", element.path), element.line)
        for child in element.all():
            yield from self._left(child)


def _around(element: Element, start: int, end: int) -> list[Element]:
    """Return the elements that hold a span, from the outermost inwards."""
    if not element.start <= start <= end <= element.end:
        return []
    for child in element.all():
        if child.start <= start and end <= child.end:
            return [element, *_around(child, start, end)]
    return [element]
