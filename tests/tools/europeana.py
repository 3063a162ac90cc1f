"""Europeana's XSD and Schematron, and the schemas of OAI-PMH, from the shared material."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from lxml import etree

from rdfkms.publish.edm.official import Validator

_XS = "http://www.w3.org/2001/XMLSchema"


@cache
def validator(shared: Path) -> Validator:
    """Return Europeana's own rules."""
    folder = shared / "data/validators/edm/schema_xsds"
    return Validator(folder / "EDM.xsd", folder / "schematron/schematron.xsl")


def examples(shared: Path) -> dict[str, bytes]:
    """Return the good and the bad examples by name."""
    folder = shared / "data/validators/edm/examples"
    return {path.stem: path.read_bytes() for path in sorted(folder.glob("*.xml"))}


class _Local(etree.Resolver):
    """Resolves the one schema that the others import by address."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    # The stubs of lxml know neither the third argument nor the helpers of a resolver.
    def resolve(self, url: str, pubid: str, context: Any) -> Any:  # type: ignore[override]
        if url.rpartition("/")[2] == "xml.xsd":
            path = str(self._folder / "edm/schema_xsds/xml.xsd")
            return self.resolve_filename(path, context)  # type: ignore[attr-defined]
        return None


@cache
def oai_schema(shared: Path, metadata: str) -> etree.XMLSchema:
    """Return the schema of OAI-PMH with that of "oai_dc" or "edm".

    Not with both: each brings a schema of its own for Dublin Core.
    """
    folder = shared / "data/validators"
    parser = etree.XMLParser(no_network=True)
    parser.resolvers.add(_Local(folder))
    parts = {"http://www.openarchives.org/OAI/2.0/": folder / "oai-pmh/OAI-PMH.xsd"}
    if metadata == "edm":
        rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        parts[rdf] = folder / "edm/schema_xsds/EDM.xsd"
    else:
        space = "http://www.openarchives.org/OAI/2.0/oai_dc/"
        parts[space] = folder / "oai-pmh/oai_dc.xsd"
    imports = "".join(
        f'<import namespace="{space}" schemaLocation="{path.as_uri()}"/>'
        for space, path in parts.items()
    )
    return etree.XMLSchema(etree.fromstring(f'<schema xmlns="{_XS}">{imports}</schema>', parser))


def oai_faults(shared: Path, document: str) -> list[str]:
    """Return what the schemas find in an answer; of rico metadata the envelope is judged."""
    if "<rdf:RDF" in document and "edm:ProvidedCHO" not in document:
        document = re.sub(r"(?s)<rdf:RDF.*?</rdf:RDF>", _DC, document)
    return faults(
        oai_schema(shared, "edm" if "edm:ProvidedCHO" in document else "oai_dc"), document
    )


def faults(schema: etree.XMLSchema, document: str) -> list[str]:
    """Return what the schema finds in a document."""
    root = etree.fromstring(document.encode(), etree.XMLParser(no_network=True))
    schema.validate(root)
    log: Any = schema.error_log
    return [str(e.message) for e in log]


_DC = '<dc xmlns="http://www.openarchives.org/OAI/2.0/oai_dc/"/>'
