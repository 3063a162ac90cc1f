"""The example queries of `sparql/examples` as data: sh:SPARQLExecutable (SHACL AF, section 5)."""

from __future__ import annotations

from functools import cache

from pyoxigraph import Literal, NamedNode, Triple

from rdfkms import queries
from rdfkms.publish.tokenizer import Query
from rdfkms.vocab import RDFS, TYPE, XSD, Namespace

SH = Namespace("http://www.w3.org/ns/shacl#")
SCHEMA = Namespace("https://schema.org/")
_FORMS = {
    "SELECT": ("SPARQLSelectExecutable", "select"),
    "ASK": ("SPARQLAskExecutable", "ask"),
    "CONSTRUCT": ("SPARQLConstructExecutable", "construct"),
}


@cache
def examples() -> tuple[queries.Query, ...]:
    """Return the examples in order of their names."""
    return tuple(queries.load(name) for name in queries.names() if name.startswith("examples/"))


def describe(address: str) -> list[Triple]:
    """Return the examples as RDF, each a query that a client can run at `address`.

    The text of each keeps its prefixes, so that `sh:select` can be sent as it is.
    """
    service, prefixes = NamedNode(address), NamedNode(f"{address}/examples#prefixes")
    told: list[Triple] = []
    known: dict[str, str] = {}
    for example in examples():
        node = NamedNode(f"{address}/examples#{example.name.removeprefix('examples/')}")
        query = Query(example.text)
        kind, text = _FORMS[query.form]
        known |= query.prologue[0]
        told += [
            Triple(node, TYPE, SH("SPARQLExecutable")),
            Triple(node, TYPE, SH(kind)),
            Triple(node, RDFS("comment"), Literal(example.title, language="en")),
            Triple(node, SH(text), Literal(example.text)),
            Triple(node, SH("prefixes"), prefixes),
            Triple(node, SCHEMA("target"), service),
        ]
    for prefix, namespace in sorted(known.items()):
        name = prefix.rstrip(":")
        declared = NamedNode(f"{address}/examples#prefix-{name}")
        told += [
            Triple(prefixes, SH("declare"), declared),
            Triple(declared, SH("prefix"), Literal(name)),
            Triple(declared, SH("namespace"), Literal(namespace, datatype=XSD("anyURI"))),
        ]
    return told
