"""The dataset's description as RDF: VoID and DCAT-AP 3.0 in one document.

The base of the archive gives all IRIs, whatever address serves. No blank nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple

from rdfkms import resources
from rdfkms.ledger.releases import Release
from rdfkms.publish.dcat.statistics import Statistics
from rdfkms.settings import Settings
from rdfkms.vocab import DCTERMS, OWL, TYPE, XSD, Base, Namespace, key_of

VOID = Namespace("http://rdfs.org/ns/void#")
DCAT = Namespace("http://www.w3.org/ns/dcat#")
FOAF = Namespace("http://xmlns.com/foaf/0.1/")
_IANA = "http://www.iana.org/assignments/media-types/"
_LANGUAGE = "http://publications.europa.eu/resource/authority/language/"
_PUBLIC = "http://publications.europa.eu/resource/authority/access-right/PUBLIC"
_FORMATS = Namespace("http://www.w3.org/ns/formats/")
PREFIXES = {"void": VOID.iri, "dcat": DCAT.iri, "foaf": FOAF.iri}
_VOCABULARIES = (
    "https://www.ica.org/standards/RiC/ontology#", "http://www.w3.org/ns/prov#",
    "http://www.w3.org/ns/oa#", "http://www.w3.org/2004/02/skos/core#",
    "https://w3id.org/rdfkms/ns#", "https://w3id.org/rdfkms/vocab#",
)  # fmt: skip
_STANDARDS = {
    "sparql": "https://www.w3.org/TR/sparql11-protocol/",
    "reconcile": "https://www.w3.org/community/reports/reconciliation/CG-FINAL-specs-0.2-20230410/",
}


@dataclass(frozen=True, slots=True)
class DumpKind:
    """One form of the dumps: extension and media type of what is compressed."""

    extension: str
    media_type: str
    feature: str
    rdf: RdfFormat = RdfFormat.TRIG


DUMPS = (
    DumpKind("nq", "application/n-quads", "N-Quads", RdfFormat.N_QUADS),
    DumpKind("trig", "application/trig", "TriG"),
)
# Not every reader knows RDF 1.2 yet: this form is made for who asks for it.
ANNOTATED = DumpKind("trig12", "application/trig", "TriG of RDF 1.2 with annotations")
FORMS = (*DUMPS, ANNOTATED)


def publisher(settings: Settings) -> str:
    """Return who publishes the dataset."""
    return settings.dataset.publisher or settings.title


def summary(settings: Settings) -> str:
    """Return the description that the settings give, else one that is always true."""
    return settings.dataset.description or (
        f"{settings.title}: descriptions, passages and statements. Every statement opens the "
        "passage that it was read from."
    )


@dataclass(frozen=True, slots=True)
class Described:
    """What is described: settings, counts, releases (the oldest first), and addresses."""

    settings: Settings
    base: Base
    counts: Statistics
    releases: Sequence[Release]

    def node(self, fragment: str) -> NamedNode:
        """Return the IRI of a part of the description."""
        return NamedNode(f"{self.base.base}/dataset#{fragment}")

    def at(self, path: str) -> NamedNode:
        """Return an address under the base of the archive."""
        return NamedNode(f"{self.base.base}{path}")

    @property
    def dataset(self) -> NamedNode:
        """The dataset itself."""
        return self.node("dataset")

    @property
    def agent(self) -> NamedNode:
        """Who publishes."""
        own = self.settings.dataset.publisher_iri
        return NamedNode(own) if own else self.node("publisher")


def describe(told: Described) -> list[Triple]:
    """Return the whole description."""
    return [
        *_catalogue(told),
        *_dataset(told),
        *_void(told),
        *_services(told),
        *_distributions(told, told.dataset, "latest"),
        *(triple for release in told.releases for triple in _release(told, release)),
    ]


def _text(value: str, language: str = "en") -> Literal:
    return Literal(value, language=language) if language else Literal(value)


def _time(value: str) -> Literal:
    return Literal(value, datatype=XSD("dateTime"))


def _number(value: int) -> Literal:
    return Literal(str(value), datatype=XSD("integer"))


def _common(told: Described, node: NamedNode) -> Iterator[Triple]:
    """Yield what catalogue, dataset and services share: publisher, licence, access."""
    yield Triple(node, DCTERMS("publisher"), told.agent)
    if told.settings.dataset.license:
        licence = NamedNode(told.settings.dataset.license)
        yield Triple(node, DCTERMS("license"), licence)
        yield Triple(licence, TYPE, DCTERMS("LicenseDocument"))


def _languages(told: Described, node: NamedNode) -> Iterator[Triple]:
    codes = (_codes().get(tag.partition("-")[0].lower()) for tag in told.counts.languages)
    for code in sorted({code for code in codes if code}):
        yield Triple(node, DCTERMS("language"), NamedNode(_LANGUAGE + code))
        yield Triple(NamedNode(_LANGUAGE + code), TYPE, DCTERMS("LinguisticSystem"))


@cache
def _codes() -> dict[str, str]:
    text = resources.file("ontology/languages.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return {row[0]: row[1] for row in rows}


def _page(node: NamedNode, predicate: NamedNode, page: NamedNode) -> Iterator[Triple]:
    yield Triple(node, predicate, page)
    yield Triple(page, TYPE, FOAF("Document"))


def _catalogue(told: Described) -> Iterator[Triple]:
    node, settings = told.node("catalog"), told.settings
    yield Triple(told.agent, TYPE, FOAF("Agent"))
    yield Triple(told.agent, FOAF("name"), Literal(publisher(settings)))
    yield Triple(node, TYPE, DCAT("Catalog"))
    yield Triple(node, DCTERMS("title"), Literal(settings.title))
    yield Triple(node, DCTERMS("description"), _text(summary(settings)))
    yield from _common(told, node)
    yield from _languages(told, node)
    yield from _page(node, FOAF("homepage"), told.at("/"))
    yield Triple(node, DCAT("dataset"), told.dataset)
    yield Triple(node, DCTERMS("modified"), _time(told.counts.last))


def _dataset(told: Described) -> Iterator[Triple]:
    node, settings, counts = told.dataset, told.settings, told.counts
    yield Triple(node, TYPE, DCAT("Dataset"))
    yield Triple(node, TYPE, VOID("Dataset"))
    yield Triple(node, DCTERMS("title"), Literal(settings.title))
    yield Triple(node, DCTERMS("description"), _text(summary(settings)))
    yield Triple(node, DCTERMS("identifier"), Literal(told.base.base))
    yield Triple(node, DCTERMS("issued"), _time(counts.first))
    yield Triple(node, DCTERMS("modified"), _time(counts.last))
    yield Triple(node, DCAT("version"), Literal(f"revision {counts.revision}"))
    yield Triple(node, DCTERMS("accessRights"), NamedNode(_PUBLIC))
    yield Triple(NamedNode(_PUBLIC), TYPE, DCTERMS("RightsStatement"))
    yield from _common(told, node)
    yield from _languages(told, node)
    yield from _page(node, DCAT("landingPage"), told.at("/dataset"))
    document = told.at("/dataset")
    yield Triple(document, TYPE, VOID("DatasetDescription"))
    yield Triple(document, FOAF("primaryTopic"), node)


def _void(told: Described) -> Iterator[Triple]:
    node, counts = told.dataset, told.counts
    numbers = {
        "triples": counts.statements, "distinctSubjects": counts.subjects,
        "distinctObjects": counts.objects, "classes": len(counts.classes),
        "properties": len(counts.properties), "entities": counts.subjects,
    }  # fmt: skip
    for name, number in numbers.items():
        yield Triple(node, VOID(name), _number(number))
    yield Triple(node, VOID("uriSpace"), Literal(f"{told.base.base}/id/"))
    yield Triple(node, VOID("sparqlEndpoint"), told.at("/sparql"))
    yield Triple(node, FOAF("homepage"), told.at("/"))
    for vocabulary in _VOCABULARIES:
        yield Triple(node, VOID("vocabulary"), NamedNode(vocabulary))
    for feature in ("Turtle", "JSON-LD", "N-Triples", "RDF_XML"):
        yield Triple(node, VOID("feature"), _FORMATS(feature))
    parts = (
        ("class", "classPartition", "entities", counts.classes),
        ("property", "propertyPartition", "triples", counts.properties),
    )
    for name, partition, number_of, found in parts:
        for iri, number in found:
            part = told.node(f"{name}-{key_of(iri)[:12]}")
            yield Triple(node, VOID(partition), part)
            yield Triple(part, VOID(name), NamedNode(iri))
            yield Triple(part, VOID(number_of), _number(number))


def _services(told: Described) -> Iterator[Triple]:
    titles = {"sparql": "SPARQL 1.1 query service", "reconcile": "Reconciliation service 0.2"}
    for name, standard in _STANDARDS.items():
        node, address = told.node(name), told.at(f"/{name}")
        yield Triple(told.node("catalog"), DCAT("service"), node)
        yield Triple(node, TYPE, DCAT("DataService"))
        yield Triple(node, DCTERMS("title"), _text(titles[name]))
        yield Triple(node, DCAT("endpointURL"), address)
        yield Triple(node, DCAT("endpointDescription"), address)
        yield Triple(node, DCAT("servesDataset"), told.dataset)
        yield Triple(node, DCTERMS("conformsTo"), NamedNode(standard))
        yield Triple(NamedNode(standard), TYPE, DCTERMS("Standard"))
        yield from _common(told, node)


def _distributions(told: Described, dataset: NamedNode, name: str) -> Iterator[Triple]:
    for kind in DUMPS:
        node = told.node(f"{name}-{kind.extension}")
        file = told.at(f"/dumps/{name}.{kind.extension}.zst")
        yield Triple(dataset, DCAT("distribution"), node)
        yield Triple(dataset, VOID("dataDump"), file)
        yield Triple(node, TYPE, DCAT("Distribution"))
        yield Triple(node, DCTERMS("title"), _text(f"{kind.feature}, compressed by zstd"))
        yield Triple(node, DCAT("accessURL"), file)
        yield Triple(node, DCAT("downloadURL"), file)
        types = (("mediaType", kind.media_type), ("compressFormat", "application/zstd"))
        for predicate, media_type in types:
            yield Triple(node, DCAT(predicate), NamedNode(_IANA + media_type))
            yield Triple(NamedNode(_IANA + media_type), TYPE, DCTERMS("MediaType"))
        if told.settings.dataset.license:
            yield Triple(node, DCTERMS("license"), NamedNode(told.settings.dataset.license))


def _release(told: Described, release: Release) -> Iterator[Triple]:
    """Yield a named release: a dataset of its own, a version of the whole."""
    node = told.node(f"release-{release.name}")
    yield Triple(told.node("catalog"), DCAT("dataset"), node)
    yield Triple(told.dataset, DCAT("hasVersion"), node)
    yield Triple(node, DCAT("isVersionOf"), told.dataset)
    yield Triple(node, TYPE, DCAT("Dataset"))
    yield Triple(node, TYPE, VOID("Dataset"))
    yield Triple(node, DCTERMS("title"), Literal(f"{release.title}, {release.name}"))
    described = release.note or f"{release.title} at revision {release.revision}."
    yield Triple(node, DCTERMS("description"), _text(described, ""))
    yield Triple(node, DCTERMS("issued"), _time(release.time))
    yield Triple(node, DCAT("version"), Literal(release.name))
    yield Triple(node, OWL("versionInfo"), Literal(release.name))
    statements = release.counts.get("statements", 0)
    yield Triple(node, VOID("triples"), _number(statements))
    yield from _common(told, node)
    yield from _page(node, DCAT("landingPage"), told.at(f"/releases#{release.name}"))
    yield from _distributions(told, node, release.name)
