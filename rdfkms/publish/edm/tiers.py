"""The metadata tier of an EDM record (Europeana Publishing Framework 2.0, metadata component).

The lowest of three: how much is tagged with a language, how many enabling elements in how many
ways of looking, how many complete contextual classes. "0" is below tier A.
"""

from __future__ import annotations

from collections.abc import Collection

from rdfkms.publish.edm import tables
from rdfkms.publish.edm.building import CHO
from rdfkms.publish.edm.values import EdmRecord, Node

LETTERS = "0ABC"
_TAGGED = (25, 50, 75)  # per cent of the relevant elements
_ENABLING = ((1, 1), (3, 2), (4, 2))  # elements, ways of looking
_CLASSES = (0, 1, 2)
# Beside its label: at least one of each group.
_COMPLETE: dict[str, tuple[tuple[str, ...], ...]] = {
    "edm:Agent": (
        ("rdaGr2:dateOfBirth", "edm:begin", "rdaGr2:professionOrOccupation"),
        ("rdaGr2:dateOfDeath", "edm:end", "rdaGr2:placeOfBirth"),
    ),
    "edm:Place": (("wgs84_pos:lat",), ("wgs84_pos:long",)),
    "edm:TimeSpan": (("edm:begin",), ("edm:end",)),
    "skos:Concept": (("skos:broader", "skos:exactMatch", "skos:note"),),
}


def tier(record: EdmRecord) -> str:
    """Return "A", "B", "C", or "0"."""
    known = tables.load().elements[CHO]
    nodes = {node.about: node for node in record.nodes}
    relevant: dict[str, bool] = {}
    enabling: set[str] = set()
    for element in next(record.of(CHO)).elements:
        told = known[element.name]
        if told.tagged:
            named = nodes.get(element.link)
            tagged = bool(element.language) or (named is not None and _is_tagged(named))
            relevant[element.name] = relevant.get(element.name, False) or tagged
        if told.scenario:
            enabling.add(element.name)
    share = 100 * sum(relevant.values()) / len(relevant) if relevant else 0.0
    ways = {known[name].scenario for name in enabling}
    complete = {node.cls for node in record.nodes if _is_complete(node)}
    return LETTERS[
        min(
            sum(share >= least for least in _TAGGED),
            sum(len(enabling) >= n and len(ways) >= m for n, m in _ENABLING),
            sum(len(complete) >= n for n in _CLASSES),
        )
    ]


def _is_tagged(node: Node) -> bool:
    return any(e.name == "skos:prefLabel" and e.language for e in node.elements)


def _is_complete(node: Node) -> bool:
    has: Collection[str] = {e.name for e in node.elements}
    if node.cls not in _COMPLETE or "skos:prefLabel" not in has:
        return False
    linked = "owl:sameAs" in has or "skos:exactMatch" in has
    return linked or all(any(name in has for name in group) for group in _COMPLETE[node.cls])
