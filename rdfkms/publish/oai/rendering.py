"""The forms in which a record is harvested: EDM, Dublin Core, and its RDF/XML document."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

import rdfkms
from rdfkms import resources
from rdfkms.access import ANONYMOUS
from rdfkms.errors import NotFound
from rdfkms.knowledge.mapping import Mapping
from rdfkms.ledger.ledger import Ledger
from rdfkms.model import Ref
from rdfkms.publish import negotiation, things
from rdfkms.publish.edm import building, checks, dublin, reading, xml
from rdfkms.publish.views import Scope, scope_of
from rdfkms.settings import Settings

_TABLES = (
    "edm.tsv", "edm-elements.tsv", "edm-rules.tsv", "edm-rights.tsv", "dc.tsv",
    "mapping.tsv", "vocab.ttl", "rdfkms.ttl",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Forms:
    """The kept forms of one record; `edm` is empty where its own check finds something."""

    edm: bytes
    dc: bytes


class Renderer:
    """Writes records as the anonymous reader sees them."""

    def __init__(self, ledger: Ledger, mapping: Mapping, settings: Settings) -> None:
        self.scope: Scope = scope_of(ledger.store, ledger.base, mapping, ANONYMOUS)
        self._by = building.publisher(settings, mapping)
        texts = [resources.file(f"ontology/{name}").read_bytes() for name in _TABLES]
        told = f"{rdfkms.__version__} {settings.title} {settings.publishing!r}".encode()
        self.version = hashlib.sha256(b"\0".join((told, *texts))).hexdigest()

    def render(self, keys: Sequence[str]) -> dict[str, Forms]:
        """Return the forms of those records that are public."""
        found = {}
        for key, described in reading.read(self.scope, keys).items():
            record = building.build(described, self._by)
            root = xml.element(record)
            sound = building.is_object(described) and not checks.check(root)
            found[key] = Forms(_bytes(root) if sound else b"", _bytes(dublin.element(record)))
        return found

    def document(self, key: str) -> bytes | None:
        """Return the data document of a record as RDF/XML, None where it is not public."""
        try:
            triples = things.document(self.scope, Ref("record", key))
        except NotFound:
            return None
        data = negotiation.serialise(triples, negotiation.RDF_XML)
        text = xml.clean(data.decode("utf-8"))
        return _bytes(xml.parse(text.encode()))


def _bytes(root: etree._Element) -> bytes:
    return etree.tostring(root, encoding="UTF-8")
