"""How machines find their way: signposts, link sets, sitemaps, robots, schema.org in pages."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

import extruct
import pyoxigraph
import pytest
import rdflib
import signposting
from signposting.signpost import LinkRel

from tests.integration.conftest import LICENCE
from tests.tools.service import Service
from tests.tools.small_archive import HOSTILE, Small
from tests.tools.web import fetch

SCHEMA = rdflib.Namespace("https://schema.org/")
MAPS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def hrefs(found: signposting.Signposting, rel: LinkRel) -> set[str]:
    return {str(sign.target) for sign in found if sign.rel == rel}


@pytest.mark.parametrize("kind", ["record", "person", "evidence", "claim"])
def test_the_client_finds_all_relations(
    small_service: Service, small_archive: Small, kind: str
) -> None:
    keys = {
        "record": small_archive.record, "person": small_archive.person.key,
        "evidence": small_archive.unit, "claim": small_archive.birthplace,
    }  # fmt: skip
    root, path = small_service.address, f"{kind}/{keys[kind]}"
    iri = small_archive.ledger.base.iri(kind, keys[kind]).value
    found = signposting.find_signposting_http(f"{root}/page/{path}")
    assert str(found.citeAs.target) == iri
    assert str(found.license.target) == LICENCE
    assert "https://schema.org/AboutPage" in hrefs(found, LinkRel.type)
    assert len(hrefs(found, LinkRel.type)) == 2
    assert {str(s.target) for s in found.describedBy} == {
        f"{root}/data/{path}.{form}" for form in ("ttl", "jsonld", "nt", "rdf")
    }
    for sign in found.describedBy:
        answer = fetch(str(sign.target))
        assert answer.status == 200 and answer.type == str(sign.type)
    assert {str(s.type) for s in found.linksets} == {
        "application/linkset", "application/linkset+json",
    }  # fmt: skip
    items, collections = hrefs(found, LinkRel.item), hrefs(found, LinkRel.collection)
    if kind == "record":
        assert items == {f"{root}/picture/{small_archive.picture}.jpg"}
    if kind == "evidence":
        assert collections == {f"{root}/page/record/{small_archive.record}"}
    assert all(fetch(href).status == 200 for href in items | collections)


def test_link_sets_say_what_headers_say(small_service: Service, small_archive: Small) -> None:
    page = f"{small_service.address}/page/record/{small_archive.record}"
    header = signposting.find_signposting_http(page)
    for form in ("json", "txt"):
        url = f"{small_service.address}/linkset/record/{small_archive.record}.{form}"
        found = signposting.find_signposting_linkset(url)
        own = {(s.rel, s.target, s.type) for s in found.for_context(page)}
        assert own == {(s.rel, s.target, s.type) for s in header}
        data = f"{small_service.address}/data/record/{small_archive.record}.ttl"
        assert hrefs(found.for_context(data), LinkRel.describes) == {page}
    asked = f"{small_service.address}/linkset/record/{small_archive.record}"
    assert fetch(asked, "application/linkset").type == "application/linkset"
    assert fetch(asked).type == "application/linkset+json"
    assert fetch(asked, "image/png").status == 406


def test_identifiers_and_data_carry_signs_too(small_service: Service, small_archive: Small) -> None:
    path = small_archive.person.path
    identifier = fetch(f"{small_service.address}/id/{path}", "text/html")
    assert identifier.status == 303 and 'rel="cite-as"' in identifier.headers["Link"]
    data = fetch(f"{small_service.address}/data/{path}.ttl")
    assert f"</page/{path}>" in data.headers["Link"] and 'rel="describes"' in data.headers["Link"]


def test_what_is_closed_has_no_signs(small_service: Service, small_archive: Small) -> None:
    for path in (small_archive.hidden.path, f"record/{small_archive.closed_record}"):
        for place in ("linkset", "page", "id"):
            answer = fetch(f"{small_service.address}/{place}/{path}")
            assert answer.status == 404 and "cite-as" not in (answer.headers["Link"] or "")


def test_a_false_host_does_no_harm(small_service: Service, small_archive: Small) -> None:
    for host in ('a"><script>', "a, <b>; rel=item", "x  y"):
        for path in (f"/page/{small_archive.person.path}", "/reconcile", "/sitemap.xml",
                     f"/linkset/{small_archive.person.path}"):  # fmt: skip
            answer = fetch(small_service.address + path, Host=host)
            assert answer.status < 500
            assert host not in answer.text + (answer.headers["Link"] or "")


# ---- sitemaps ------------------------------------------------------------------------------------


def test_sitemaps_list_what_is_public_and_only_that(
    small_service: Service, small_archive: Small
) -> None:
    robots = fetch(f"{small_service.address}/robots.txt")
    assert robots.type == "text/plain" and "Disallow: /review" in robots.text
    where = re.search(r"^Sitemap: (\S+)$", robots.text, re.MULTILINE)
    assert where is not None
    index = ET.fromstring(fetch(where[1]).body)
    assert index.tag == f"{MAPS}sitemapindex"
    maps = [one.text for one in index.iter(f"{MAPS}loc")]
    found = [
        one.text or ""
        for m in maps
        for one in ET.fromstring(fetch(m or "").body).iter(f"{MAPS}loc")
    ]
    page = f"{small_service.address}/page"
    for path in (small_archive.person.path, small_archive.event.path,
                 f"record/{small_archive.record}"):  # fmt: skip
        assert f"{page}/{path}" in found
    assert len(found) == len(set(found)) and all(fetch(url).status == 200 for url in found)
    text = "\n".join(found)
    for closed in (small_archive.hidden.key, small_archive.closed_record):
        assert closed not in text
    assert fetch(f"{small_service.address}/sitemap-2.xml").status == 404
    assert fetch(f"{small_service.address}/sitemap-0.xml").status == 404


# ---- schema.org ----------------------------------------------------------------------------------


def read(service: Service, path: str) -> rdflib.Graph:
    """Return the schema.org of a page as its readers get it, without any fetching."""
    html = fetch(f"{service.address}/page/{path}").text
    found = extruct.extract(html, syntaxes=["json-ld"])["json-ld"]
    assert len(found) == 1
    assert found[0]["@context"] == {"@vocab": "https://schema.org/"}
    answer = fetch(f"{service.address}/page/{path}")
    assert '<script type="application/ld+json">' in answer.text
    graph = rdflib.Graph()
    text = pyoxigraph.parse(json.dumps(found[0]), format=pyoxigraph.RdfFormat.JSON_LD)
    data = pyoxigraph.serialize((q.triple for q in text), format=pyoxigraph.RdfFormat.N_TRIPLES)
    assert data is not None
    return graph.parse(data=data, format="nt")


def test_schema_org_says_what_the_page_says(small_service: Service, small_archive: Small) -> None:
    base = small_archive.ledger.base
    person = rdflib.URIRef(base.iri("person", small_archive.person.key).value)
    place = rdflib.URIRef(base.iri("place", small_archive.place.key).value)
    graph = read(small_service, small_archive.person.path)
    assert (person, rdflib.RDF.type, SCHEMA.Person) in graph
    assert str(graph.value(person, SCHEMA.name)) == "Andrés Vidal Soler"
    assert "Vidal Soler, Andrés" in {str(o) for o in graph.objects(person, SCHEMA.alternateName)}
    assert graph.value(person, SCHEMA.birthPlace) == place
    assert str(graph.value(place, SCHEMA.name)) == "Belmira"
    event = read(small_service, small_archive.event.path)
    started = [str(o) for o in event.objects(None, SCHEMA.startDate)]
    assert started == ["1939-03-12"] and (None, SCHEMA.attendee, person) in event
    record = read(small_service, f"record/{small_archive.record}")
    assert next(record.subjects(rdflib.RDF.type, SCHEMA.ArchiveComponent))


def test_no_name_can_end_the_script(small_service: Service, small_archive: Small) -> None:
    graph = read(small_service, small_archive.hostile.path)
    assert HOSTILE in {str(o) for o in graph.objects(None, SCHEMA.name)}
    html = fetch(f"{small_service.address}/page/{small_archive.hostile.path}").text
    assert html.count("<script") == 1 and html.count("</script>") == 1
