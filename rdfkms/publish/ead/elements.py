"""Elements of a finding aid: how they are made and written, and how our reader sees them."""

from __future__ import annotations

import re

from lxml import etree

from rdfkms.ingest.describing.xmlfile import Element
from rdfkms.publish.ead.dialect import Dialect

_INDENT = "  "
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Maker:
    """Makes the elements of one version of EAD."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._spaces: dict[str, str] = dict(dialect.prefixes)
        self._spaces[None] = dialect.namespace  # type: ignore[index]  # lxml: the default one

    def made(self, name: str, text: str = "", **attributes: str) -> etree._Element:
        """Return an element with its words, lines apart; attributes that are empty are left out."""
        element = etree.Element(f"{{{self.dialect.namespace}}}{name}", nsmap=self._spaces)
        for key, value in attributes.items():
            if value:
                element.set(key, _NOT_XML.sub(" ", value))
        self.write(element, text)
        return element

    def add(
        self, parent: etree._Element, name: str, text: str = "", **attributes: str
    ) -> etree._Element:
        """Add an element at the end of another, and return it."""
        element = self.made(name, text, **attributes)
        parent.append(element)
        return element

    def write(self, element: etree._Element, text: str) -> None:
        """Write words at the end of an element, with a break between lines."""
        lines = [line for line in _NOT_XML.sub(" ", text).split("\n") if line.strip()]
        first, *others = lines or [""]
        self._append(element, first)
        for line in others:
            self.add(element, "lb").tail = line or None

    def paragraphs(self, parent: etree._Element, text: str) -> list[etree._Element]:
        """Add each line of a text that has words as a paragraph; returns them."""
        lines = [line for line in text.split("\n") if line.strip()]
        return [self.add(parent, "p", line) for line in lines or [""]]

    @staticmethod
    def _append(element: etree._Element, text: str) -> None:
        if not text:
            return
        if len(element):
            element[-1].tail = (element[-1].tail or "") + text
        else:
            element.text = (element.text or "") + text


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
