"""A net patch as one SPARQL update, from the terms' own serialisation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from pyoxigraph import NamedNode, Quad, RdfFormat, Triple, serialize

from rdfkms import resources


@lru_cache(maxsize=1)
def _template() -> tuple[str, str, str]:
    text = resources.file("sparql/ledger/patch.ru").read_text(encoding="utf-8")
    head, _, rest = text.partition("%removed%")
    middle, _, tail = rest.partition("%added%")
    return head, middle, tail


def update_text(remove: Sequence[Quad], add: Sequence[Quad]) -> str:
    """Return the SPARQL update that takes out `remove` and then puts in `add`."""
    head, middle, tail = _template()
    return "".join((head, _blocks(remove), middle, _blocks(add), tail))


def clear_text(graph: NamedNode) -> str:
    """Return the SPARQL update that empties a graph."""
    text = resources.file("sparql/ledger/clear.ru").read_text(encoding="utf-8")
    return text.replace("%graph%", str(graph))


def _blocks(quads: Sequence[Quad]) -> str:
    by_graph: dict[NamedNode, list[Triple]] = {}
    for quad in quads:
        by_graph.setdefault(cast(NamedNode, quad.graph_name), []).append(quad.triple)
    return "\n".join(
        f"GRAPH {graph} {{\n{_lines(triples)}}}" for graph, triples in by_graph.items()
    )


def _lines(triples: Sequence[Triple]) -> str:
    return (serialize(triples, format=RdfFormat.N_TRIPLES) or b"").decode()
