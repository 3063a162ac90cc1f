"""Sitemaps of what anyone may read (sitemaps.org protocol 0.9), a page of addresses at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from rdfkms.publish.catalogue import Catalogue
from rdfkms.publish.views import Scope, text_of

PAGE = 10_000  # addresses; the protocol allows 50,000
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_FIXED = ("/", "/dataset", "/collections", "/releases", "/rules", "/sparql")


def paths(scope: Scope, catalogue: Catalogue) -> list[str]:
    """Return the paths of all pages that a search engine should know, in a lasting order."""
    things = catalogue.things(scope)
    found = [f"/browse/{kind}" for kind in sorted(things)]
    for row in scope.select("dataset/records"):
        parts = scope.base.split(text_of(row["thing"]))
        if parts:
            found.append(f"/page/{parts[0]}/{parts[1]}")
    found += sorted(listed.link.path for kind in things.values() for listed in kind)
    return [*_FIXED, *found]


def pages(found: Sequence[str]) -> int:
    """Return how many sitemaps there are."""
    return max(1, -(-len(found) // PAGE))


def index(root: str, count: int) -> str:
    """Return the index of the sitemaps."""
    return _document(
        "sitemapindex", "sitemap", (f"{root}/sitemap-{n}.xml" for n in range(1, count + 1))
    )


def page(root: str, found: Sequence[str], number: int) -> str:
    """Return one sitemap; numbers begin at 1."""
    shown = found[(number - 1) * PAGE : number * PAGE]
    return _document("urlset", "url", (root + path for path in shown))


def _document(name: str, item: str, addresses: Iterable[str]) -> str:
    lines = "".join(f"<{item}><loc>{escape(a)}</loc></{item}>\n" for a in addresses)
    return f'{_HEAD}<{name} xmlns="{_SPACE}">\n{lines}</{name}>\n'
