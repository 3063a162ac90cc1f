"""schema.org about a thing, as JSON-LD that stands in its page (ontology/schema-org.tsv).

The context is written out, so that nobody has to fetch one to read it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from typing import Any

from pyoxigraph import NamedNode

from rdfkms import resources
from rdfkms.errors import Misconfigured
from rdfkms.knowledge.mapping import StatementRule
from rdfkms.model import Ref
from rdfkms.publish.views import (
    Scope,
    forms_for,
    iri_of,
    link_of,
    literal_of,
    local_name,
    names_of,
    text_of,
)

SCHEMA = "https://schema.org/"
_FILE = "ontology/schema-org.tsv"
_MOST = 50  # values of one property
_RECORDS = ("record", "recordset")
Document = dict[str, Any]


@cache
def _table() -> dict[tuple[str, str], str]:
    path = resources.file(_FILE)
    rows = [
        line.split("\t")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip() and not line.startswith("#")
    ]
    if not rows or rows[0] != ["what", "name", "term"] or any(len(row) != 3 for row in rows):
        raise Misconfigured(f"{path}: columns must be what, name, term.")
    return {(what, name): term for what, name, term in rows[1:]}


def type_of(kind: str) -> str:
    """Return the schema.org type of a kind of things (IRI segment)."""
    return _table().get(("type", kind), "Thing")


def document(scope: Scope, ref: Ref, page: str) -> Document | None:
    """Return what schema.org can say of a thing, None where the scope has no name of it.

    `page` is the address of its page.
    """
    iri = scope.base.iri(ref.kind, ref.key)
    about = _record(scope, iri) if ref.kind in _RECORDS else _entity(scope, ref, iri)
    if about is None:
        return None
    return {
        "@context": {"@vocab": SCHEMA},
        "@id": iri.value,
        "@type": type_of(ref.kind),
        "url": {"@id": page},
        **about,
    }


def embedded(found: Document) -> str:
    """Return the document as it may stand in a script element: no markup can end it."""
    text = json.dumps(found, ensure_ascii=False, sort_keys=True)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _record(scope: Scope, iri: NamedNode) -> Document | None:
    rows = scope.select("pages/record", thing=iri)
    title = next((r["o"] for r in rows if local_name(text_of(r["p"])) == "title"), None)
    if title is None:
        return None
    found: Document = {"name": text_of(title)}
    language = getattr(title, "language", None)
    if language:
        found["inLanguage"] = language
    parents = sorted({text_of(row["parent"]) for row in rows if row["parent"] is not None})
    parts = sorted({text_of(row["child"]) for row in rows if row["child"] is not None})
    if parents:
        found["isPartOf"] = [{"@id": one} for one in parents]
    if parts:
        found["hasPart"] = [{"@id": one} for one in parts[:_MOST]]
    return found


def _entity(scope: Scope, ref: Ref, iri: NamedNode) -> Document | None:
    forms = forms_for(scope, {iri}).get(iri.value, [])
    if not forms:
        return None
    shown = link_of(scope, iri.value, forms)
    found: Document = {"name": shown.text}
    others = sorted({f.name.value for f in forms if f.event is None} - {shown.text})
    values = _values(scope, iri)
    if others:
        values["alternateName"] = sorted({*values.get("alternateName", []), *others})[:_MOST]
    return found | {
        name: listed if len(listed) > 1 else listed[0] for name, listed in values.items()
    }


def _values(scope: Scope, iri: NamedNode) -> dict[str, list[Any]]:
    """Return the values of each property that schema.org has, as the admitted claims project it."""
    rows = scope.select_of("pages/extension", "thing", [iri])
    names = names_of(scope, [o for row in rows if (o := iri_of(row["object"])) is not None])
    ranked: dict[str, list[tuple[str, Any]]] = defaultdict(list)
    for row in rows:
        rule = scope.mapping.by_concept(NamedNode(text_of(row["statement"])))
        term = _table().get(("property", getattr(rule, "name", "")))
        if term is None or not isinstance(rule, StatementRule):
            continue
        if text_of(row["inverse"]) == "true" and not rule.symmetric:
            continue
        thing, value = iri_of(row["object"]), literal_of(row["value"])
        if thing is not None:
            link = names[thing.value]
            told: Any = {"@id": thing.value, "@type": type_of(link.kind), "name": link.text}
        elif value is not None:
            told = {"@id": value.value} if term == "sameAs" else value.value
        else:
            continue
        ranked[term].append((local_name(text_of(row["rank"])) or "normal", told))
    return {term: _projected(listed) for term, listed in ranked.items() if _projected(listed)}


def _projected(ranked: list[tuple[str, Any]]) -> list[Any]:
    """Return the preferred values, where there are none the normal ones, each once (law 7)."""
    best = [v for rank, v in ranked if rank == "preferred"]
    kept = best or [v for rank, v in ranked if rank != "deprecated"]
    return sorted({json.dumps(v, sort_keys=True): v for v in kept}.values(), key=json.dumps)[:_MOST]
