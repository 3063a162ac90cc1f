"""Under which heading of a page a statement stands, in which order: ``ontology/themes.tsv``."""

from __future__ import annotations

import csv
from functools import cache

from pyoxigraph import NamedNode

from rdfkms import resources
from rdfkms.errors import Misconfigured
from rdfkms.knowledge.mapping import Mapping

OTHER = "other"  # of what is not declared, such as terms of another profile


@cache
def _declared() -> dict[str, str]:
    """Return the theme of each name of the mapping table; raises `Misconfigured`."""
    lines = resources.file("ontology/themes.tsv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t")
    found: dict[str, str] = {}
    for row in rows:
        if not row["theme"] or not row["name"] or row["name"] in found:
            raise Misconfigured(f"ontology/themes.tsv: {row['name']!r} stands twice or is empty.")
        found[row["name"]] = row["theme"]
    return found


def themes() -> tuple[str, ...]:
    """Return the themes in the order of the page."""
    return (*dict.fromkeys(_declared().values()), OTHER)


def place(mapping: Mapping, *concepts: NamedNode | None) -> int:
    """Return where the statement stands among all: the number of its line."""
    for concept in concepts:
        rule = mapping.by_concept(concept) if concept is not None else None
        if rule is not None and rule.name in _declared():
            return list(_declared()).index(rule.name)
    return len(_declared())


def theme(mapping: Mapping, *concepts: NamedNode | None) -> str:
    """Return the theme of the first of these concepts (statement, role) that is declared."""
    for concept in concepts:
        rule = mapping.by_concept(concept) if concept is not None else None
        if rule is not None and rule.name in _declared():
            return _declared()[rule.name]
    return OTHER
