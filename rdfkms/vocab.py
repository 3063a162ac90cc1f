"""IRIs: namespaces, graph names, minting. Every `rico:` name is tested against RiC-O 1.1."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from pyoxigraph import NamedNode

from rdfkms.errors import NotFound
from rdfkms.settings import DEFAULT_BASE


@dataclass(frozen=True, slots=True)
class Namespace:
    """A namespace IRI; ``RICO("Person")`` gives the term."""

    iri: str

    def __call__(self, name: str) -> NamedNode:
        """Return the term `name` of this namespace."""
        return NamedNode(self.iri + name)


RICO = Namespace("https://www.ica.org/standards/RiC/ontology#")
RST = Namespace("https://www.ica.org/standards/RiC/vocabularies/recordSetTypes#")
KMS = Namespace("https://w3id.org/rdfkms/ns#")
KV = Namespace("https://w3id.org/rdfkms/vocab#")
PROV = Namespace("http://www.w3.org/ns/prov#")
OA = Namespace("http://www.w3.org/ns/oa#")
SKOS = Namespace("http://www.w3.org/2004/02/skos/core#")
RDF = Namespace("http://www.w3.org/1999/02/22-rdf-syntax-ns#")
RDFS = Namespace("http://www.w3.org/2000/01/rdf-schema#")
XSD = Namespace("http://www.w3.org/2001/XMLSchema#")
OWL = Namespace("http://www.w3.org/2002/07/owl#")
DCTERMS = Namespace("http://purl.org/dc/terms/")

PREFIXES: dict[str, str] = {
    name: space.iri
    for name, space in {
        "rico": RICO, "rst": RST, "kms": KMS, "kv": KV, "prov": PROV, "oa": OA, "skos": SKOS,
        "rdf": RDF, "rdfs": RDFS, "xsd": XSD, "owl": OWL, "dcterms": DCTERMS,
    }.items()
}  # fmt: skip

TYPE = RDF("type")

KEY_LENGTH = 24


def key_of(*parts: str | int | None) -> str:
    """Return 24 hex digits that name `parts`: the same parts always give the same key (law 10)."""
    digest = hashlib.sha256()
    for part in parts:
        data = b"\x00" if part is None else str(part).encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()[:KEY_LENGTH]


def _node(iri: str) -> NamedNode:
    try:
        return NamedNode(iri)
    except ValueError as err:
        raise NotFound(
            "There is nothing of that name here.", hint="Identifiers are letters and digits."
        ) from err


@dataclass(frozen=True, slots=True)
class Base:
    """Mints the IRIs of one archive: ``{base}/id/{kind}/{key}`` and the graph names."""

    base: str = DEFAULT_BASE

    def iri(self, kind: str, key: str) -> NamedNode:
        """Return the IRI of the thing `key` of `kind` (record, evidence, claim, person ...).

        Raises `NotFound` where kind or key hold what no IRI may: nothing can have that name.
        """
        return _node(f"{self.base}/id/{kind}/{key}")

    def part(self, kind: str, key: str, fragment: str) -> NamedNode:
        """Return the IRI of a dependent node such as a claim's pointer (``...#p1``)."""
        return _node(f"{self.base}/id/{kind}/{key}#{fragment}")

    def split(self, iri: str) -> tuple[str, str] | None:
        """Return (kind, key) of an instance IRI of this archive, or None."""
        head = f"{self.base}/id/"
        if not iri.startswith(head):
            return None
        kind, slash, key = iri[len(head) :].partition("/")
        return (kind, key.partition("#")[0]) if slash and kind and key else None

    @property
    def public(self) -> NamedNode:
        """The graph of everything that anyone may read."""
        return NamedNode(f"{self.base}/graph/public")

    @property
    def internal(self) -> NamedNode:
        """The graph of what only staff may read."""
        return NamedNode(f"{self.base}/graph/internal")

    @property
    def system(self) -> NamedNode:
        """The graph of the store's own revision."""
        return NamedNode(f"{self.base}/graph/system")
