"""Where the files that curators edit lie: the only module that knows (wheel or checkout)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent

FOLDERS = ("ontology", "shapes", "sparql", "ingest", "web", "examples", "requirements")


@cache
def folder(name: str) -> Path:
    """Return the folder `name` (one of `FOLDERS`), as packaged or as checked out."""
    packaged = _PACKAGE / "_data" / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / name


def file(relative: str) -> Path:
    """Return the path of a shipped file, e.g. ``ontology/rdfkms.ttl``."""
    head, _, tail = relative.partition("/")
    return folder(head) / tail
