"""EDM records as simple Dublin Core in the form of OAI-PMH (oai_dc), by `ontology/dc.tsv`."""

from __future__ import annotations

from lxml import etree

from rdfkms.publish.edm import tables
from rdfkms.publish.edm.values import EdmRecord
from rdfkms.publish.edm.xml import LANGUAGE, clean

OAI_DC = "http://www.openarchives.org/OAI/2.0/oai_dc/"
SCHEMA = "http://www.openarchives.org/OAI/2.0/oai_dc.xsd"
DC = tables.NAMESPACES["dc"]
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_SPACES = {"oai_dc": OAI_DC, "dc": DC, "xsi": _XSI}


def element(record: EdmRecord) -> etree._Element:
    """Return the record as an ``oai_dc:dc`` element; links are written by the name they lead to."""
    root = etree.Element(f"{{{OAI_DC}}}dc", nsmap=_SPACES)
    root.set(f"{{{_XSI}}}schemaLocation", f"{OAI_DC} {SCHEMA}")
    names = {
        node.about: (e.text, e.language)
        for node in record.nodes
        for e in reversed(node.elements)
        if e.name == "skos:prefLabel"
    }
    written = set()
    for cls, name, target, form in tables.load().dublin:
        for node in record.of(cls):
            for item in node.elements:
                if item.name != name:
                    continue
                text, language = (item.text, item.language)
                if item.link:
                    text, language = (
                        (item.link, "") if form == "link" else names.get(item.link, ("", ""))
                    )
                if not text or (target, text, language) in written:
                    continue
                written.add((target, text, language))
                child = etree.SubElement(root, f"{{{DC}}}{target}")
                child.text = clean(text)
                if language:
                    child.set(LANGUAGE, clean(language))
    return root
