"""EDM records as RDF/XML in the order of Europeana's schema, and reading such XML safely."""

from __future__ import annotations

import re
from functools import cache

from lxml import etree

from rdfkms.errors import BadInput, TooLarge
from rdfkms.publish.edm import tables
from rdfkms.publish.edm.tables import NAMESPACES
from rdfkms.publish.edm.values import EdmRecord, Element, Node

RDF = NAMESPACES["rdf"]
ABOUT, RESOURCE = f"{{{RDF}}}about", f"{{{RDF}}}resource"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
MAX_BYTES = 20_000_000
# What XML 1.0 cannot hold (its section 2.2): OCR and imports may bring it.
_UNFIT = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """Return the text without characters that no XML document may hold."""
    return _UNFIT.sub("", text)


@cache
def qualified(name: str) -> str:
    """Return a prefixed name in the notation of lxml."""
    prefix, _, local = name.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


@cache
def prefixed(name: str) -> str:
    """Return a name in lxml's notation with its prefix; as it stands where none is known."""
    space, _, local = name.removeprefix("{").rpartition("}")
    return next((f"{p}:{local}" for p, iri in NAMESPACES.items() if iri == space), name)


def element(record: EdmRecord) -> etree._Element:
    """Return the record as an ``rdf:RDF`` element."""
    order = tables.load().elements
    root = etree.Element(f"{{{RDF}}}RDF", nsmap=NAMESPACES)
    ranks = {cls: number for number, cls in enumerate(order)}
    for node in sorted(record.nodes, key=lambda n: ranks[n.cls]):
        _write(root, node, order[node.cls])
    return root


def _write(root: etree._Element, node: Node, order: dict[str, tables.Declared]) -> None:
    made = etree.SubElement(root, qualified(node.cls), {ABOUT: clean(node.about)})
    for item in sorted(node.elements, key=lambda e: order[e.name].place):
        attributes = _attributes(item)
        child = etree.SubElement(made, qualified(item.name), attributes)
        if not item.link:
            child.text = clean(item.text)


def _attributes(item: Element) -> dict[str, str]:
    if item.link:
        return {RESOURCE: clean(item.link)}
    return {LANGUAGE: clean(item.language)} if item.language else {}


def document(record: EdmRecord) -> bytes:
    """Return the record as an XML document of its own."""
    root = element(record)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)


def parse(data: bytes) -> etree._Element:
    """Return the root of an XML document; no entity is resolved, nothing is fetched.

    Raises `BadInput` for what is not well formed or has a DOCTYPE, `TooLarge` above `MAX_BYTES`.
    """
    if len(data) > MAX_BYTES:
        raise TooLarge(f"The document is larger than {MAX_BYTES:,} bytes.")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as err:
        raise BadInput(f"The document is not well-formed XML: {err.msg}.") from err
    if root.getroottree().docinfo.internalDTD is not None:
        raise BadInput("The document has a DOCTYPE.", hint="Leave it out: EDM has none.")
    return root
