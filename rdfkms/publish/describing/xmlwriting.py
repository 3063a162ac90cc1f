"""Elements that an export writes: words that XML can hold, and how our readers see them."""

from __future__ import annotations

import re

from lxml import etree

from rdfkms.ingest.describing.xmlfile import Element

_INDENT = "  "
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def writable(text: str) -> str:
    """Return a text with a space for each character that XML 1.0 cannot hold."""
    return _NOT_XML.sub(" ", text)


def one_line(text: str) -> str:
    """Return a text as a name is written."""
    return " ".join(text.split())


def set_attributes(element: etree._Element, attributes: dict[str, str]) -> None:
    """Set the attributes that are not empty."""
    for key, value in attributes.items():
        if value:
            element.set(key, writable(value))


def plain(element: etree._Element) -> Element:
    """Return an element as our readers have it, without its place in a file."""
    children: list[Element | str] = []
    if element.text:
        children.append(element.text)
    for child in element:
        children.append(plain(child))
        if child.tail:
            children.append(child.tail)
    attributes = {etree.QName(key).localname: str(told) for key, told in element.attrib.items()}
    return Element(etree.QName(element).localname, attributes, "", 0, 0, children=children)


def whole(root: etree._Element) -> bytes:
    """Return a document in UTF-8, indented where no words stand beside the elements."""
    _indent(root, "\n")
    etree.cleanup_namespaces(root)
    told = etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=False)
    return bytes(told) + b"\n"


def _indent(element: etree._Element, before: str) -> None:
    has_words = (element.text or "").strip() or any((one.tail or "").strip() for one in element)
    if not len(element) or has_words:
        return
    element.text = before + _INDENT
    for child in element:
        _indent(child, before + _INDENT)
        child.tail = before + _INDENT
    element[-1].tail = before
