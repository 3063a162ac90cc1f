"""What somebody may have looked for whose address leads nowhere."""

from __future__ import annotations

import re

from rdfkms.model import Principal
from rdfkms.publish.catalogue import Catalogue
from rdfkms.publish.views import Link, Scope, names_of
from rdfkms.retrieval import searching
from rdfkms.retrieval.index import Indexes

MOST = 6
_KEY = re.compile(r"[0-9a-f]{6,}")
_ALIKE = 6  # characters of a key that must agree
LONGEST = 120


def suggest(
    scope: Scope, catalogue: Catalogue, indexes: Indexes | None, who: Principal, asked: str
) -> list[Link]:
    """Return things like the last part of an address: keys that begin alike, or names like it."""
    last = asked.rstrip("/").rpartition("/")[2][:LONGEST].strip()
    if _KEY.match(last.lower()):
        start = last.lower()[:_ALIKE]
        things = (listed.link for kind in catalogue.things(scope).values() for listed in kind)
        return [link for link in things if link.key.startswith(start)][:MOST]
    words = re.sub(r"[-_+.]+", " ", last)
    if indexes is None or len(words) < 2:
        return []
    found = searching.find_things(words, indexes, scope.store, who, MOST)
    iris = [scope.base.iri(thing.ref.kind, thing.ref.key) for thing in found]
    links = names_of(scope, iris)
    return [links[iri.value] for iri in iris]
