"""An external EDM record as a value: nodes of its classes, each with elements in no order yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Element:
    """One element: a text with its language, or a link to what it is about."""

    name: str
    text: str = ""
    language: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """An instance of one class, such as ``edm:Agent``."""

    cls: str
    about: str
    elements: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class EdmRecord:
    """One object with its aggregation, its pictures and what it is about; `key` is the record's."""

    key: str
    nodes: tuple[Node, ...]

    def of(self, cls: str) -> Iterator[Node]:
        """Yield the nodes of a class."""
        return (node for node in self.nodes if node.cls == cls)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a record lacks or has wrong: the element, a sentence, and what to do."""

    element: str
    sentence: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.sentence} {self.remedy}"
