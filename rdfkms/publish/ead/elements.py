"""Elements of a finding aid: how they are made and written."""

from __future__ import annotations

from lxml import etree

from rdfkms.publish.describing.xmlwriting import set_attributes, writable
from rdfkms.publish.ead.dialect import Dialect


class Maker:
    """Makes the elements of one version of EAD."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._spaces: dict[str, str] = dict(dialect.prefixes)
        # lxml takes None for the default namespace; its stubs know strings alone.
        self._spaces[None] = dialect.namespace  # type: ignore[index]

    def made(self, name: str, text: str = "", **attributes: str) -> etree._Element:
        """Return an element with its words, lines apart; attributes that are empty are left out."""
        element = etree.Element(f"{{{self.dialect.namespace}}}{name}", nsmap=self._spaces)
        set_attributes(element, attributes)
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
        lines = [line for line in writable(text).split("\n") if line.strip()]
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
