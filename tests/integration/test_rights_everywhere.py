"""What is not public leaves by no address: every route that there is, asked for all that is closed.

The routes are taken from the application itself, so that a new one is asked too. Each is filled
with the keys of a closed record, its page, picture, passage, entity and claim; then the service is
crawled from its entrances. What answers below 400 must hold none of the closed words and keys.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import quote, urljoin, urlsplit

import pytest
from pyoxigraph import NamedNode

from rdfkms.app.composition import open_store
from rdfkms.ledger import releases, tokens
from rdfkms.model import Role
from tests.tools import small_archive
from tests.tools.sparql_server import Service

ENTRANCES = (
    "/", "/collections", "/people", "/places", "/search?q=Oculto", "/search?q=reservada",
    "/sparql", "/sparql/examples", "/releases", "/graph/public",
    "/sitemap.xml", "/robots.txt", "/dataset", "/.well-known/void", "/activity", "/dumps",
    "/iiif/collection/top", "/iiif/activity", "/reconcile",
    "/oai?verb=Identify", "/oai?verb=ListSets",
    "/oai?verb=ListRecords&metadataPrefix=oai_dc", "/oai?verb=ListRecords&metadataPrefix=edm",
    "/oai?verb=ListRecords&metadataPrefix=rico", "/oai?verb=ListIdentifiers&metadataPrefix=edm",
)  # fmt: skip
MOST_PAGES = 600
EXTENSIONS = ("ttl", "jsonld", "nt", "rdf", "trig", "json", "html", "xml", "jpg", "png", "nq.zst")
_LINK = re.compile(r"""(?:href|src|action)=["']([^"'#]+)|(https?://[^\s"'<>\\)]+)""")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    made = Service(tmp_path_factory.mktemp("rights"))
    ledger = made.small.ledger
    releases.create(
        ledger, "first", small_archive.OWNER, open_store,
        lambda: made.indexes.update(ledger),
    )  # fmt: skip
    yield made
    made.close()


@pytest.fixture(scope="module")
def closed(service: Service) -> dict[str, set[str]]:
    """Return the keys of everything that stands in the internal graph alone, by kind."""
    ledger = service.small.ledger
    base, store = ledger.base, ledger.store

    def keys(graph: NamedNode) -> set[tuple[str, str]]:
        found = set()
        for quad in store.match(None, None, None, graph):
            for term in (quad.subject, quad.object):
                split = base.split(term.value) if isinstance(term, NamedNode) else None
                if split is not None:
                    found.add((split[0], split[1].partition("#")[0]))
        return found

    hidden: dict[str, set[str]] = {}
    for kind, key in keys(base.internal) - keys(base.public):
        hidden.setdefault(kind, set()).add(key)
    hidden["sha256"] = {service.small.closed_picture}
    assert hidden["record"] and hidden["evidence"] and hidden["claim"] and hidden["person"]
    return hidden


@pytest.fixture(scope="module")
def words(closed: dict[str, set[str]]) -> list[bytes]:
    """Return what no answer may hold."""
    keys = {key for kind in closed for key in closed[kind] if kind != "run"}
    return [b"Oculto", b"reservada", *(key.encode() for key in sorted(keys))]


def leaked(body: bytes, words: list[bytes], asked: str) -> list[bytes]:
    """Return the closed words in an answer that the request did not bring itself."""
    return [word for word in words if word in body and word.decode() not in asked]


def test_every_route_asked_for_what_is_closed_gives_nothing(
    service: Service, closed: dict[str, set[str]], words: list[bytes]
) -> None:
    keys = [key for kind in sorted(closed) for key in sorted(closed[kind])[:2]]
    kinds = [kind for kind in sorted(closed) if kind != "sha256"]
    asked, answered, bad = 0, 0, []
    for rule in service.app.url_map.iter_rules():
        if "GET" not in (rule.methods or set()) or rule.rule.startswith("/static"):
            continue
        choices = []
        for name in sorted(rule.arguments):
            if name in ("kind",):
                choices.append(kinds)
            elif name in ("extension", "format", "form"):
                choices.append(list(EXTENSIONS))
            elif name in ("pointer",):
                choices.append(["p1"])
            elif name in ("name",):
                choices.append(["first"])
            else:
                choices.append([*keys, "full", "max", "0", "default"] if len(choices) > 1 else keys)
        for values in itertools.islice(itertools.product(*choices), 400):
            path = rule.rule
            for name, value in zip(sorted(rule.arguments), values, strict=True):
                path = re.sub(rf"<(?:[a-z]+(?:\([^)]*\))?:)?{name}>", quote(value), path)
            status, _, body = service.ask("GET", path)
            asked, answered = asked + 1, answered + (status < 400)
            assert status < 500 or status == 501, (path, body[:300])
            if status < 400 and leaked(body, words, path):
                bad.append((path, leaked(body, words, path)))
    assert bad == []
    assert asked > 200


@pytest.mark.parametrize(
    "template",
    [
        "/iiif/image/{sha256}/info.json", "/iiif/image/{sha256}/full/max/0/default.jpg",
        "/iiif/image/{sha256}/0,0,10,10/max/0/default.png",
        "/oai?verb=GetRecord&metadataPrefix=edm&identifier={record}",
        "/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:localhost:{record}",
        "/iiif/search/{record}?q=Oculto", "/iiif/manifest/{record}", "/picture/{sha256}.jpg",
        "/reconcile?query=Tom%C3%A1s+Oculto+Prieto", "/reconcile/suggest/entity?prefix=Oculto",
        "/reconcile/preview?id=person/{person}", "/search?q=Oculto", "/api/v1/claims/{claim}/audit",
        "/sparql?format=json&query=SELECT+*+%7B+%3Fs+%3Fp+%3Fo+FILTER(CONTAINS(STR(%3Fo),%22Ocul%22))+%7D",
    ],
)  # fmt: skip
def test_services_asked_by_parameters_give_nothing(
    service: Service, closed: dict[str, set[str]], words: list[bytes], template: str
) -> None:
    kinds = re.findall(r"\{(\w+)\}", template)
    for values in itertools.product(*(sorted(closed.get(kind) or {"none"}) for kind in kinds)):
        path = template.format(**dict(zip(kinds, values, strict=True)))
        status, _, body = service.ask("GET", path)
        assert status < 500 or status == 501
        text = re.sub(rb"<request[^>]*>.*?</request>", b"", body, flags=re.DOTALL)
        assert not (status < 400 and leaked(text, words, path)), (path, body[:400])


def test_staff_meet_what_is_closed_so_that_the_search_for_it_is_no_empty_one(
    service: Service, words: list[bytes]
) -> None:
    secret = tokens.add(service.small.work, "rev", Role.REVIEWER)
    for path in (
        f"/page/record/{service.small.closed_record}",
        f"/page/evidence/{service.small.closed_unit}",
        f"/page/claim/{service.small.secret_claim}",
    ):
        status, _, body = service.ask("GET", path, Authorization=f"Bearer {secret}")
        assert status == 200
        assert leaked(body, words, path)
        assert service.ask("GET", path)[0] == 404


def test_a_crawl_from_every_entrance_meets_nothing_closed(
    service: Service, words: list[bytes]
) -> None:
    host = f"http://127.0.0.1:{service.server.port}"
    base = service.small.ledger.base.base
    waiting, seen, met = list(ENTRANCES), set(ENTRANCES), 0
    while waiting and met < MOST_PAGES:
        path = waiting.pop(0)
        status, headers, body = service.ask("GET", path)
        assert status < 500 or status == 501, path
        if status >= 400:
            continue
        met += 1
        assert leaked(body, words, path) == [], path
        if headers.get("content-type", "").partition("/")[0] in ("image", "audio"):
            continue
        links = [a or b for a, b in _LINK.findall(body[:400_000].decode("utf-8", "replace"))]
        links += [headers["location"]] if "location" in headers else []
        for link in links:
            target = urljoin(f"{host}{path}", unescape(link)).replace(base, host, 1)
            where = urlsplit(target)
            if not target.startswith(host + "/") or where.path.startswith("/static"):
                continue
            further = where.path + (f"?{where.query}" if where.query else "")
            further = quote(further, safe="/?&=%:,+;@~!$'()*[]")
            if further not in seen and len(further) < 2000:
                seen.add(further)
                waiting.append(further)
    assert met > 60
