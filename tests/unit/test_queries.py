"""Every query of `sparql/` is well-designed: an optional part depends on nothing it cannot see.

Where a variable of an OPTIONAL stands outside of it too, it must stand in what the OPTIONAL is
joined to. Else the part is answered for everything there is and joined afterwards, and what has
no such part falls out, depending on the data (Pérez, Arenas, Gutierrez: Semantics and Complexity
of SPARQL, section 4).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rdflib import Variable
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.parserutils import CompValue

from rdfkms import resources

FILES = sorted(resources.folder("sparql").rglob("*.rq"))


def variables(node: Any) -> set[Variable]:
    if isinstance(node, Variable):
        return {node}
    if isinstance(node, CompValue):
        return {v for name, value in node.items() if name != "_vars" for v in variables(value)}
    if isinstance(node, (list, tuple, set, frozenset)):
        return {v for one in node for v in variables(one)}
    return set()


def loose(node: Any, outside: set[Variable]) -> Iterator[set[Variable]]:
    """Yield the variables of each OPTIONAL that tie it to what it is not joined to."""
    if not isinstance(node, CompValue):
        return
    if node.name in ("LeftJoin", "Join"):
        left, right = variables(node.p1), variables(node.p2)
        if node.name == "LeftJoin" and (right & outside) - left:
            yield (right & outside) - left
        yield from loose(node.p1, outside | right)
        yield from loose(node.p2, outside | left)
    elif node.name == "Union":
        yield from loose(node.p1, outside)
        yield from loose(node.p2, outside)
    elif isinstance(node.get("p"), CompValue):
        yield from loose(node.p, outside)


@pytest.mark.parametrize("path", FILES, ids=[f"{p.parent.name}/{p.stem}" for p in FILES])
def test_optional_parts_are_tied_to_what_they_are_joined_to(path: Path) -> None:
    algebra = prepareQuery(path.read_text(encoding="utf-8")).algebra
    assert list(loose(algebra, set())) == []


def test_a_part_that_is_tied_outside_is_found() -> None:
    text = "SELECT * { ?a <x:p> ?b OPTIONAL { ?c <x:q> ?d OPTIONAL { ?e <x:r> ?b } } }"
    assert list(loose(prepareQuery(text).algebra, set())) == [{Variable("b")}]
