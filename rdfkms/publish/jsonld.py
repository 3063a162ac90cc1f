"""JSON-LD with our context: short names, and all that is needed to read it in the document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NoReturn

from pyoxigraph import RdfFormat, Triple, serialize

from rdfkms import resources
from rdfkms.errors import Broken
from rdfkms.vocab import TYPE

FILE = "ontology/context.jsonld"


@cache
def context() -> dict[str, Any]:
    """Return the context of ``ontology/context.jsonld``."""
    found: dict[str, Any] = json.loads(resources.file(FILE).read_bytes())["@context"]
    return found


def compacted(triples: Iterable[Triple], prefixes: Mapping[str, str]) -> bytes:
    """Return triples, sorted by subject, as compacted JSON-LD 1.1 (API 4.2).

    The context stands in the document, with `prefixes` beside our own: nobody has to fetch it.
    Literals keep their lexical form.
    """
    from pyld import jsonld  # late: it takes a while to load

    nodes = json.loads(serialize(triples, format=RdfFormat.JSON_LD) or b"[]")
    whole = {**prefixes, **context()}
    options = {"graph": True, "skipExpansion": True, "documentLoader": _refuse}
    typed = [_typed(node) for node in nodes]
    try:
        told = jsonld.compact(typed, whole, options)
    except jsonld.JsonLdError:  # an IRI whose scheme is one of our prefixes: nothing is shortened
        told = typed
    return json.dumps(told, ensure_ascii=False, indent=1).encode() + b"\n"


def _typed(node: dict[str, Any]) -> dict[str, Any]:
    """Return an expanded node whose classes stand as `@type`."""
    classes = node.get(TYPE.value, [])
    if not classes or not all("@id" in one for one in classes):
        return node
    rest = {name: values for name, values in node.items() if name != TYPE.value}
    return {**rest, "@type": [one["@id"] for one in classes]}


def _refuse(address: str, options: object) -> NoReturn:
    raise Broken(f"{FILE} needs another document ({address}): write it out.")
