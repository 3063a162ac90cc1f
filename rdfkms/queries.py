"""Reads `sparql/<area>/<name>.rq`: queries live in files, never in Python strings (DESIGN 6).

Header of each file, as comments: ``#+ title:``, ``#+ parameters:`` (names bound from outside,
space separated, or ``-``). Prefixes stand in the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from pyoxigraph import Literal, NamedNode

from rdfkms import resources
from rdfkms.errors import Misconfigured


@dataclass(frozen=True, slots=True)
class Query:
    """A query file: its text, title and the variables that callers bind."""

    name: str
    text: str
    title: str
    parameters: tuple[str, ...]


@cache
def load(name: str) -> Query:
    """Return the query ``sparql/<name>.rq``; raises `Misconfigured` when absent or unheaded."""
    path = resources.folder("sparql") / f"{name}.rq"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as err:
        raise Misconfigured(f"No query file sparql/{name}.rq.") from err
    header = dict(
        line[2:].strip().split(":", 1)
        for line in text.splitlines()
        if line.startswith("#+") and ":" in line
    )
    if "title" not in header or "parameters" not in header:
        raise Misconfigured(f"sparql/{name}.rq lacks '#+ title:' or '#+ parameters:'.")
    names = header["parameters"].strip()
    parameters = () if names == "-" else tuple(names.split())
    return Query(name, text, header["title"].strip(), parameters)


def text(name: str) -> str:
    """Return the text of ``sparql/<name>.rq``."""
    return load(name).text


def with_values(name: str, variable: str, terms: Iterable[NamedNode | Literal]) -> str:
    """Return the query with `terms` in one VALUES block at its line ``#VALUES ?variable``."""
    mark = f"#VALUES ?{variable}"
    query = text(name)
    if mark not in query:
        raise Misconfigured(f"sparql/{name}.rq has no line '{mark}'.")
    return query.replace(mark, f"VALUES ?{variable} {{ {' '.join(str(t) for t in terms)} }}")


def names() -> list[str]:
    """Return the names of all query files, sorted."""
    root = resources.folder("sparql")
    return sorted(str(p.relative_to(root))[:-3] for p in root.rglob("*.rq"))
