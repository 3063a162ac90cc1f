"""Store to records, pages, text versions, passages and runs (part of `decoding`)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from pyoxigraph import NamedNode, Quad

from rdfkms.errors import NotFound
from rdfkms.ingest import wordsfile
from rdfkms.knowledge.nodes import Graphs, Node, first_text, key_in, numbered
from rdfkms.model import (
    Access,
    EvidenceUnit,
    Flag,
    Locator,
    Modality,
    Page,
    Record,
    Run,
    SourceFile,
    TextVersion,
    UnitText,
    View,
)
from rdfkms.ports import QuadReader
from rdfkms.vocab import KEY_LENGTH, KMS, PROV, RICO, Base

SOURCE_STATUS, WITHDRAWN = KMS("sourceStatus"), KMS("withdrawn")


def record(store: QuadReader, base: Base, key: str, graphs: Graphs = ()) -> Record:
    """Return a record with its files and pages in order; raises `NotFound`."""
    node = Node(store, base, base.iri("record", key), graphs)
    if not node:
        raise NotFound(f"No record {key}.")
    nodes = [
        Node(store, base, iri, graphs) for iri in node.nodes(RICO("hasOrHadDigitalInstantiation"))
    ]
    nodes.sort(key=lambda file: file.number("ordinal"))
    pages: list[Page] = []
    for file in nodes:
        found = [
            page(store, base, page_key, graphs)
            for page_key in file.keys(RICO("hasDirectComponent"))
        ]
        pages += sorted(found, key=lambda p: p.sequence)
    return Record(
        key=key,
        title=first_text(node.all(RICO("title"))),
        profile=node.text("profile"),
        language=node.text("language"),
        access=_access(node),
        modality=Modality(node.word("modality")),
        files=tuple(_file(file) for file in nodes),
        pages=tuple(pages),
        part_of=_part_of(store, base, key, graphs),
        use=first_text(node.all(RICO("conditionsOfUse"))),
        personal_data=node.text("personalData") == "true",
    )


def access_of_record(store: QuadReader, base: Base, key: str) -> Access:
    """Return the access condition of a record; raises `NotFound`."""
    node = Node(store, base, base.iri("record", key), ())
    if not node:
        raise NotFound(f"No record {key}.")
    return _access(node)


def is_withdrawn(store: QuadReader, base: Base, kind: str, key: str) -> bool:
    """Return whether a source was withdrawn: a record, or a file of one (kind ``inst``)."""
    return store.contains(Quad(base.iri(kind, key), SOURCE_STATUS, WITHDRAWN, base.internal))


def is_withdrawn_unit(store: QuadReader, base: Base, key: str) -> bool:
    """Return whether the record of a passage, or the file it was read from, was withdrawn."""
    node = Node(store, base, base.iri("evidence", key), ())
    record, source = node.key(RICO("isDirectConstituentOf")), node.text("sourceSha256")
    return is_withdrawn(store, base, "record", record) or is_withdrawn(
        store, base, "inst", source[:KEY_LENGTH]
    )


def page(store: QuadReader, base: Base, key: str, graphs: Graphs = ()) -> Page:
    """Return a page; raises `NotFound`."""
    iri = base.iri("inst", key)
    node = Node(store, base, iri, graphs)
    if not node:
        raise NotFound(f"No page {key}.")
    width, height = node.literal("width"), node.literal("height")
    return Page(
        key=key,
        source=_source_of(store, base, iri, graphs),
        sequence=node.number("sequence"),
        label=node.text("pageLabel"),
        width=int(width.value) if width is not None else None,
        height=int(height.value) if height is not None else None,
        picture=node.text("picture") or None,
        heading=node.text("heading"),
    )


def versions_of_page(
    store: QuadReader, base: Base, key: str, read: Callable[[str], bytes], graphs: Graphs = ()
) -> list[TextVersion]:
    """Return the transcriptions of a page, sorted by key; `read` gives a file by its SHA-256."""
    keys: set[str] = set()
    for graph in graphs or (base.public, base.internal):
        for quad in store.match(None, KMS("ofPage"), base.iri("inst", key), graph):
            keys.add(key_in(base, quad.subject))
    return [version(store, base, k, read, graphs) for k in sorted(keys)]


def version(
    store: QuadReader, base: Base, key: str, read: Callable[[str], bytes], graphs: Graphs = ()
) -> TextVersion:
    """Return one transcription with its words; raises `NotFound`, `Broken` (damaged file)."""
    node = Node(store, base, base.iri("inst", key), graphs)
    if node.literal("layoutFile") is None:
        raise NotFound(f"No text version {key}.")
    text, words = wordsfile.load(read(node.text("layoutFile")))
    page_key = node.key(KMS("ofPage"))
    parent = node.key(RICO("isOrWasDerivedFromInstantiation"))
    return TextVersion(
        key=key,
        page=page_key,
        text=text,
        words=words,
        origin=node.text("origin"),
        engine=node.text("engine"),
        engine_version=node.text("engineVersion"),
        derived_from=None if parent == page_key else parent,
    )


def unit(store: QuadReader, base: Base, key: str, graphs: Graphs = ()) -> EvidenceUnit:
    """Return a passage with its texts and locators; raises `NotFound`."""
    iri = base.iri("evidence", key)
    node = Node(store, base, iri, graphs)
    if not node:
        raise NotFound(f"No evidence unit {key}.")
    language = node.text("language")
    texts = _unit_texts(store, base, iri, language, graphs)
    return EvidenceUnit(
        key=key,
        record=node.key(RICO("isDirectConstituentOf")),
        source=node.text("sourceSha256"),
        page=node.key(KMS("onPage")),
        ordinal=node.number("ordinal"),
        modality=Modality(node.word("modality")),
        language=language,
        page_label=node.text("pageLabel"),
        passage_number=node.number("passageNumber"),
        texts=tuple(texts),
        locators=tuple(
            _locator(Node(store, base, part, graphs)) for part in numbered(node, "locator")
        ),
        flags=tuple(sorted(Flag(f.value.removeprefix(KMS.iri)) for f in _flags(node))),
        section=node.text("section"),
        juan=node.text("juan"),
    )


def units_of_record(
    store: QuadReader, base: Base, record_key: str, graphs: Graphs = ()
) -> list[EvidenceUnit]:
    """Return the passages of a record, page after page as the pages stand in the record."""
    order = {p.key: n for n, p in enumerate(record(store, base, record_key, graphs).pages)}
    found: set[str] = set()
    for graph in graphs or (base.public, base.internal):
        whole = base.iri("record", record_key)
        for quad in store.match(None, RICO("isDirectConstituentOf"), whole, graph):
            found.add(key_in(base, quad.subject))
    units = [unit(store, base, key, graphs) for key in found]
    return sorted(units, key=lambda u: (order.get(u.page, len(order)), u.ordinal, u.key))


def run(store: QuadReader, base: Base, key: str, graphs: Graphs = ()) -> Run:
    """Return a run; raises `NotFound`."""
    node = Node(store, base, base.iri("run", key), graphs)
    agents = node.nodes(PROV("wasAssociatedWith"))
    if not agents:
        raise NotFound(f"No run {key}.")
    agent = Node(store, base, agents[0], graphs)
    return Run(
        key=key,
        kind=node.text("runKind"),
        agent=first_text(agent.all(RICO("name"))),
        agent_version=agent.text("agentVersion"),
        parameters=node.text("parameters"),
        pipeline_version=node.text("pipelineVersion"),
        started=first_text(node.all(PROV("startedAtTime"))),
    )


def _access(node: Node) -> Access:
    until = node.text("accessUntil")
    return Access(node.word("access") or "closed", date.fromisoformat(until) if until else None)


def _file(node: Node) -> SourceFile:
    return SourceFile(
        sha256=node.text("sha256"),
        name=node.text("fileName"),
        media_type=node.text("mediaType"),
        size=node.number("byteSize"),
    )


def _source_of(store: QuadReader, base: Base, iri: NamedNode, graphs: Graphs) -> str:
    for graph in graphs or (base.public, base.internal):
        for quad in store.match(None, RICO("hasDirectComponent"), iri, graph):
            if isinstance(quad.subject, NamedNode):
                return Node(store, base, quad.subject, graphs).text("sha256")
    return ""


def _part_of(store: QuadReader, base: Base, key: str, graphs: Graphs) -> str | None:
    for graph in graphs or (base.public, base.internal):
        whole = base.iri("record", key)
        for quad in store.match(None, RICO("directlyIncludes"), whole, graph):
            if isinstance(quad.subject, NamedNode):
                return first_text(Node(store, base, quad.subject, graphs).all(RICO("title")))
    return None


def _unit_texts(
    store: QuadReader, base: Base, iri: NamedNode, language: str, graphs: Graphs
) -> list[UnitText]:
    found: dict[str, tuple[int, UnitText]] = {}
    for graph in graphs or (base.public, base.internal):
        for quad in store.match(None, KMS("ofUnit"), iri, graph):
            key = key_in(base, quad.subject)
            if quad.subject != base.iri("text", key):
                continue  # machine text about the unit is none of its texts
            node = Node(store, base, base.iri("text", key), graphs)
            found[key] = node.number("ordinal"), _unit_text(key, node, language)
    return [found[key][1] for key in sorted(found, key=lambda k: (found[k][0], k))]


def _unit_text(key: str, node: Node, language: str) -> UnitText:
    literal = node.literal("text")
    tag = (literal.language if literal is not None else None) or ""
    return UnitText(
        key=key,
        unit=node.key(KMS("ofUnit")),
        version=node.key(KMS("inVersion")),
        view=View(node.word("view")),
        text=literal.value if literal is not None else "",
        start=node.number("start"),
        end=node.number("end"),
        # Stores fold language tags to lower case; the unit keeps the tag as it was given.
        language=language if tag == language.lower() else tag,
    )


def _locator(node: Node) -> Locator:
    return Locator(node.key(KMS("onInstantiation")), node.text("fragment"))


def _flags(node: Node) -> list[NamedNode]:
    return node.nodes(KMS("qualityFlag"))
