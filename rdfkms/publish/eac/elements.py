"""Elements of EAC-CPF 2.0: how they are made, and how our reader sees them."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree
from pyoxigraph import Literal

from rdfkms.ingest.describing.xmlfile import Element

NAMESPACE = "https://archivists.org/ns/eac/v2"
_SPACES: dict[str, str] = {None: NAMESPACE}  # type: ignore[dict-item]  # lxml: the default one


def made(name: str, text: str = "", **attributes: str) -> etree._Element:
    """Return an element with its words; attributes that are empty are left out."""
    element = etree.Element(f"{{{NAMESPACE}}}{name}", nsmap=_SPACES)
    for key, value in attributes.items():
        if value:
            element.set(key, value)
    if text:
        element.text = text
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


def one_line(text: str) -> str:
    """Return a text as a name is written."""
    return " ".join(text.split())


def plain(element: etree._Element) -> Element:
    """Return an element as our reader has it, without its place in a file."""
    children: list[Element | str] = []
    if element.text:
        children.append(element.text)
    for child in element:
        children.append(plain(child))
        if child.tail:
            children.append(child.tail)
    name = etree.QName(element).localname
    attributes = {str(key): str(value) for key, value in element.attrib.items()}
    return Element(name, attributes, "", 0, 0, children=children)


def whole(root: etree._Element) -> bytes:
    """Return a document in UTF-8, indented outside of what has words."""
    etree.indent(root)
    etree.cleanup_namespaces(root)
    told = etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)
    return bytes(told)


def filled(parent: etree._Element, children: Iterable[etree._Element]) -> None:
    """Append elements in their order."""
    for child in children:
        parent.append(child)
