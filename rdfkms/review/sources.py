"""What belongs to a source: a record with its files, pages, transcriptions and passages (R42, R80).

A source is withdrawn, replaced or erased as a whole, so all of it must be found from its key.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.errors import NotFound
from rdfkms.knowledge import decoding
from rdfkms.knowledge.encoding import file_iri
from rdfkms.knowledge.nodes import Node, key_in
from rdfkms.model import Claim, Modality
from rdfkms.ports import QuadReader
from rdfkms.vocab import KEY_LENGTH, KMS, RICO, Base

_HAS_FILE = RICO("hasOrHadDigitalInstantiation")
_PART_OF = RICO("isDirectConstituentOf")
KINDS = ("record", "recordset", "inst", "evidence", "text", "enrichment")


@dataclass(frozen=True, slots=True)
class Source:
    """A record, or one file of it: its files (SHA-256), passages (keys), nodes, and links to it.

    `nodes` are the subjects of its quads; a file that another standing record has too is none of
    them. `links` are quads of other subjects that lead to it.
    """

    record: str
    file: str
    files: tuple[str, ...]
    units: tuple[str, ...]
    nodes: tuple[NamedNode, ...]
    links: tuple[Quad, ...]

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole record."""
        return not self.file

    def iri(self, base: Base) -> NamedNode:
        """Return the IRI of the record, or of the file."""
        return base.iri("record", self.record) if self.is_whole else file_iri(self.file, base)


def source_of(store: QuadReader, base: Base, record: str, file: str = "") -> Source:
    """Return all of a record, or of one file of it (SHA-256 or its first digits).

    Raises `NotFound` for a record that is not there or has no such file.
    """
    known = decoding.record(store, base, record).files
    digests = [one.sha256 for one in known if not file or one.sha256.startswith(file)]
    if file and len(digests) != 1:
        raise NotFound(
            f"Record {record} has {'no' if not digests else 'more than one'} file {file}.",
            hint="`rdfkms source list` shows records with their files.",
        )
    whole = base.iri("record", record)
    own = [d for d in digests if not _is_elsewhere(store, base, d, whole)]
    pages = _objects(store, base, (file_iri(d, base) for d in own), RICO("hasDirectComponent"))
    versions = _subjects(store, base, KMS("ofPage"), pages)
    units = _subjects(store, base, _PART_OF, [whole])
    if file:
        units = [u for u in units if Node(store, base, u, ()).text("sourceSha256") == digests[0]]
    texts = _subjects(store, base, KMS("ofUnit"), units)
    locators = _objects(store, base, units, KMS("locator"))
    nodes = [*(file_iri(d, base) for d in own), *pages, *versions, *units, *texts, *locators]
    graphs = (base.public, base.internal)
    if file:
        links = [q for g in graphs for q in store.match(whole, _HAS_FILE, nodes[0], g)]
    else:
        papers = _objects(store, base, [whole], RICO("hasOrHadInstantiation"))
        nodes = [whole, *papers, *nodes]
        includes = RICO("directlyIncludes")
        links = [q for g in graphs for q in store.match(None, includes, whole, g)]
    return Source(
        record=record,
        file=digests[0] if file else "",
        files=tuple(own),
        units=tuple(sorted(key_in(base, unit) for unit in units)),
        nodes=tuple(dict.fromkeys(nodes)),
        links=tuple(links),
    )


def quads_of(store: QuadReader, source: Source, graph: NamedNode) -> list[Quad]:
    """Return the quads of a source, and the links to it, that stand in one graph."""
    own = [q for node in source.nodes for q in store.match(node, None, None, graph)]
    return own + [q for q in source.links if q.graph_name == graph]


def claims_on(store: QuadReader, base: Base, units: Iterable[str]) -> list[Claim]:
    """Return the claims that quote any of these passages, whatever their status, by key."""
    found = {c.key: c for unit in units for c in decoding.claims_of_unit(store, base, unit)}
    return [found[key] for key in sorted(found)]


def claims_naming(store: QuadReader, base: Base, record: str) -> list[Claim]:
    """Return the claims that lead to a record, such as that it is the scan of a unit, by key.

    They rest on the passages of others, and cannot stand where the record they name does not.
    """
    keys = {
        key_in(base, quad.subject)
        for graph in (base.public, base.internal)
        for quad in store.match(None, KMS("claimObject"), base.iri("record", record), graph)
    }
    return decoding.claims(store, base, sorted(keys))


def is_description(store: QuadReader, base: Base, sha256: str) -> bool:
    """Return whether a file is a finding aid or the like, and what was read from it stands."""
    description = KMS(Modality.DESCRIPTION.value)
    return any(
        store.contains(Quad(quad.subject, KMS("modality"), description, graph))
        for graph in (base.public, base.internal)
        for quad in store.match(None, KMS("sourceSha256"), Literal(sha256), graph)
    )


def is_withdrawn(store: QuadReader, base: Base, source: Source) -> bool:
    """Return whether the record or the file was withdrawn."""
    return decoding.is_withdrawn(store, base, "record", source.record) or (
        bool(source.file) and decoding.is_withdrawn(store, base, "inst", source.file[:KEY_LENGTH])
    )


def _is_elsewhere(store: QuadReader, base: Base, digest: str, record: NamedNode) -> bool:
    """Whether another record that was not withdrawn has the file too."""
    holders = _subjects(store, base, _HAS_FILE, [file_iri(digest, base)])
    return any(
        not decoding.is_withdrawn(store, base, "record", key_in(base, one))
        for one in holders
        if one != record
    )


def _subjects(
    store: QuadReader, base: Base, predicate: NamedNode, objects: Iterable[NamedNode]
) -> list[NamedNode]:
    found = [
        quad.subject
        for thing in objects
        for graph in (base.public, base.internal)
        for quad in store.match(None, predicate, thing, graph)
    ]
    return list(dict.fromkeys(one for one in found if isinstance(one, NamedNode)))


def _objects(
    store: QuadReader, base: Base, subjects: Iterable[NamedNode], predicate: NamedNode
) -> list[NamedNode]:
    found = [
        quad.object
        for thing in subjects
        for graph in (base.public, base.internal)
        for quad in store.match(thing, predicate, None, graph)
    ]
    return list(dict.fromkeys(one for one in found if isinstance(one, NamedNode)))
