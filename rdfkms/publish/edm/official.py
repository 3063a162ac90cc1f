"""Europeana's own XSD and Schematron, from files that the operator names: nothing is fetched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lxml import etree

from rdfkms.errors import BadInput, Missing
from rdfkms.publish.edm.values import Finding
from rdfkms.publish.edm.xml import RDF, prefixed

SVRL = "http://purl.oclc.org/dsdl/svrl"


class Validator:
    """Validates records by an XSD and a compiled Schematron (XSLT 2), either of them or both.

    Raises `BadInput` for files that are none, `Missing` where Schematron needs saxonche.
    """

    def __init__(self, xsd: Path | None, schematron: Path | None) -> None:
        self._schema = _schema(xsd) if xsd is not None else None
        self._sheet = _Sheet(schematron) if schematron is not None else None

    def check(self, document: bytes) -> tuple[Finding, ...]:
        """Return what they find in a document."""
        findings = []
        if self._schema is not None:
            root = etree.fromstring(document, _parser())
            self._schema.validate(root)
            log: Any = self._schema.error_log  # its stub forgets that it can be iterated
            for error in log:
                place = error.path.rpartition("/")[2] if error.path else ""
                findings.append(Finding(place, error.message, "See Europeana's EDM schema."))
        if self._sheet is not None:
            findings += self._sheet.check(document)
        return tuple(findings)


def _parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)


def _schema(path: Path) -> etree.XMLSchema:
    try:
        return etree.XMLSchema(etree.parse(str(path), _parser()))
    except (OSError, etree.XMLSyntaxError, etree.XMLSchemaParseError) as err:
        raise BadInput(
            f"{path} is no XML schema: {err}.", hint="Name the file EDM.xsd of metis-schema."
        ) from err


class _Sheet:
    def __init__(self, path: Path) -> None:
        try:
            import saxonche
        except ImportError as err:
            raise Missing(
                "Schematron rules need XSLT 2.", hint="pip install 'rdfkms[schematron]'"
            ) from err
        if not path.is_file():
            raise BadInput(f"There is no file {path}.", hint="Name schematron.xsl of metis-schema.")
        self._processor: Any = saxonche.PySaxonProcessor(license=False)
        try:
            maker = self._processor.new_xslt30_processor()
            self._sheet: Any = maker.compile_stylesheet(stylesheet_file=str(path))
        except saxonche.PySaxonApiError as err:
            raise BadInput(f"{path} is no stylesheet: {err}.") from err

    def check(self, document: bytes) -> list[Finding]:
        node = self._processor.parse_xml(xml_text=document.decode("utf-8"))
        report = self._sheet.transform_to_string(xdm_node=node)
        root = etree.fromstring(report.encode("utf-8"), _parser())
        found = []
        for failed in root.iter(f"{{{SVRL}}}failed-assert"):
            said = " ".join("".join(str(t) for t in failed.itertext()).split())
            found.append(Finding(_place(root, failed), said, "See Europeana's EDM Schematron."))
        return found


def _place(root: etree._Element, failed: etree._Element) -> str:
    """Return the class that a rule was about: its ``fired-rule`` stands before the failure."""
    before = failed.getprevious()
    while before is not None and before.tag != f"{{{SVRL}}}fired-rule":
        before = before.getprevious()
    return before.get("context", "rdf:RDF") if before is not None else prefixed(f"{{{RDF}}}RDF")
