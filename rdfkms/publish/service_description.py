"""What programs may know of the SPARQL service (SPARQL 1.1 Service Description)."""

from __future__ import annotations

from pyoxigraph import NamedNode, Triple

from rdfkms.publish import search_functions
from rdfkms.vocab import KMS, RDFS, TYPE, Base, Namespace

SD = Namespace("http://www.w3.org/ns/sparql-service-description#")
_FORMATS = Namespace("http://www.w3.org/ns/formats/")


def describe(address: str, base: Base) -> list[Triple]:
    """Return the description of the service at `address`: language, formats, its one graph.

    It has no `sd:BasicFederatedQuery`, because SERVICE is refused. Its search functions are
    property features, its example queries stand at ``/examples`` below it.
    """
    service = NamedNode(address)
    dataset = NamedNode(f"{address}#dataset")
    graph = NamedNode(f"{address}#graph")
    named = NamedNode(f"{address}#public")
    formats = (
        "SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV",
        "Turtle", "N-Triples", "RDF_XML", "JSON-LD", "TriG", "N-Quads",
    )  # fmt: skip
    return [
        Triple(service, TYPE, SD("Service")),
        Triple(service, SD("endpoint"), service),
        Triple(service, SD("supportedLanguage"), SD("SPARQL11Query")),
        *(Triple(service, SD("resultFormat"), _FORMATS(name)) for name in formats),
        *(Triple(service, SD("propertyFeature"), KMS(name)) for name in search_functions.NAMES),
        Triple(service, RDFS("seeAlso"), NamedNode(f"{address}/examples")),
        Triple(service, SD("defaultDataset"), dataset),
        Triple(dataset, TYPE, SD("Dataset")),
        Triple(dataset, SD("defaultGraph"), graph),
        Triple(graph, TYPE, SD("Graph")),
        Triple(dataset, SD("namedGraph"), named),
        Triple(named, TYPE, SD("NamedGraph")),
        Triple(named, SD("name"), base.public),
        Triple(named, SD("graph"), graph),
    ]
