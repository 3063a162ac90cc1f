"""Elements of EAC-CPF 2.0: how they are made."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree
from pyoxigraph import Literal

from rdfkms.publish.describing.xmlwriting import set_attributes, writable

NAMESPACE = "https://archivists.org/ns/eac/v2"
# lxml takes None for the default namespace; its stubs know strings alone.
_SPACES: dict[str, str] = {None: NAMESPACE}  # type: ignore[dict-item]


def made(name: str, text: str = "", **attributes: str) -> etree._Element:
    """Return an element with its words; attributes that are empty are left out."""
    element = etree.Element(f"{{{NAMESPACE}}}{name}", nsmap=_SPACES)
    set_attributes(element, attributes)
    if text:
        element.text = writable(text)
    return element


def add(parent: etree._Element, name: str, text: str = "", **attributes: str) -> etree._Element:
    """Add an element at the end of another, and return it."""
    element = made(name, text, **attributes)
    parent.append(element)
    return element


def speaking(value: Literal | None, otherwise: str = "") -> str:
    """Return the language that an element has to state for its words: "" where it need not."""
    tongue = (value.language or "") if value is not None else ""
    return "" if tongue == otherwise else tongue


def paragraphs(parent: etree._Element, text: str, name: str = "p") -> None:
    """Add each line of a text as an element of its own."""
    for line in text.split("\n"):
        add(parent, name, line)


def note(parent: etree._Element, value: Literal, otherwise: str) -> etree._Element:
    """Add a descriptive note in paragraphs."""
    made_ = add(parent, "descriptiveNote", languageOfElement=speaking(value, otherwise))
    paragraphs(made_, value.value)
    return made_


def filled(parent: etree._Element, children: Iterable[etree._Element]) -> None:
    """Append elements in their order."""
    for child in children:
        parent.append(child)
