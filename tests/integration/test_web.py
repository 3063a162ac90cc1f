"""The web service over a small archive: pages, negotiation, visibility, hostile texts."""

from __future__ import annotations

import io
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import rdflib
from flask.testing import FlaskClient
from markupsafe import escape
from PIL import Image
from pyoxigraph import Literal, NamedNode, Quad
from rdflib.compare import isomorphic

from rdfkms.access import ANONYMOUS
from rdfkms.admission import decisions
from rdfkms.knowledge import mapping
from rdfkms.ledger import tokens
from rdfkms.ledger.ledger import Activity, Change
from rdfkms.model import Principal, Role
from rdfkms.publish.views import names_of, scope_of
from rdfkms.review.tombstones import tombstone
from rdfkms.vocab import KMS
from rdfkms.web.wording import kind_title
from tests.tools.small_archive import OWNER, build

RICO = "https://www.ica.org/standards/RiC/ontology#"


@pytest.fixture(scope="module")
def staff(small: Any) -> dict[str, str]:
    """Return the headers of a reviewer."""
    return {"Authorization": f"Bearer {tokens.add(small.work, 'ines', Role.REVIEWER)}"}


def page(
    client: FlaskClient, path: str, status: int = 200, headers: dict[str, str] | None = None
) -> str:
    answer = client.get(path, headers=headers)
    assert answer.status_code == status, answer.get_data(as_text=True)
    return answer.get_data(as_text=True)


def paths(small: Any) -> list[str]:
    """Return an address of every kind of page."""
    return [
        "/", "/search?q=vidal", "/collections", "/rules", "/runs", "/page/run/run1",
        "/browse/person", "/browse/place", "/browse/event", "/browse/organization",
        f"/page/{small.person.path}", f"/page/{small.hostile.path}", f"/page/{small.event.path}",
        f"/page/{small.place.path}", f"/page/record/{small.record}", f"/page/claim/{small.age}",
        f"/page/evidence/{small.unit}", f"/page/evidence/{small.unit}?q=belmira",
        f"/page/evidence/{small.unit}?claim={small.birthplace}&pointer=p1", "/no/such/page",
    ]  # fmt: skip


# ---- what pages say ---------------------------------------------------------------------------


def test_the_entity_page_shows_each_statement_with_its_evidence(
    client: FlaskClient, small: Any
) -> None:
    html = page(client, f"/page/{small.person.path}")
    assert '<h1 lang="es" dir="auto">Andrés Vidal Soler</h1>' in html
    assert "Vidal Soler, Andrés" in html
    assert html.count("sources disagree") == 1
    assert ">93 %</span>, supported by its quote" in html
    assert f"/crop/claim/{small.birthplace}/p1.jpg" in html
    assert "<mark>Andrés Vidal Soler,\nde 31 años, natural de Belmira</mark>" in html
    assert '<blockquote lang="es"' in html
    assert "Court martial, 1939-03-12 (Sentencia, causa-7)" in html
    assert "military rank" not in html, "what is quarantined states nothing"


def test_the_evidence_page_frames_passage_and_quote(client: FlaskClient, small: Any) -> None:
    html = page(client, f"/page/evidence/{small.unit}?claim={small.birthplace}&pointer=p1")
    assert html.count('class="frame"') == 1
    assert html.count('class="word"') == 2, "the quote runs over two lines"
    assert "<mark>Andrés Vidal Soler,\nde 31 años, natural de Belmira</mark>" in html
    assert "Next passage" in html and "Previous passage" not in html


def test_the_claim_page_tells_its_whole_life(client: FlaskClient, small: Any) -> None:
    html = page(client, f"/page/claim/{small.age}")
    assert "Sources disagree" in html and f"/page/claim/{small.other_age}" in html
    assert "rules 1.0" in html and "court-martial" in html
    assert "written (extraction)" in html and "administrator" in html
    assert "owner" not in html, "the public sees roles, not persons"


def test_the_rules_page_tells_what_leads_to_what(client: FlaskClient) -> None:
    html = page(client, "/rules")
    table = decisions.table()
    assert f"version {table.version}" in html and "Here the rules alone verify" in html
    for row in table.rows:
        assert str(escape(row.words)) in html
    reaching = html.index("goes beyond the passage")
    assert "<td>quarantined</td>" in html[reaching - 120 : reaching]
    assert "<code>quoteTwice</code></td><td>quarantined</td>" in html
    assert "From a score of 68 % on it counts as supported" in html
    assert "<summary>wording.fr.tsv</summary>" in html
    assert "<summary>relation.ttl</summary>" in html and "<summary>cues.es.tsv</summary>" in html


def test_the_record_page_leads_to_pages_and_passages(client: FlaskClient, small: Any) -> None:
    html = page(client, f"/page/record/{small.record}")
    assert "consejos" in html and "causa-7-p1.png" in html
    assert f"/page/evidence/{small.unit}" in html
    assert f"/picture/{small.picture}.jpg?w=240" in html


def test_search_finds_names_and_passages_with_words_marked(client: FlaskClient, small: Any) -> None:
    html = page(client, "/search?q=andres+VIDAL")
    assert f"/page/{small.person.path}" in html
    assert "<mark>Andrés</mark> <mark>Vidal</mark>" in html
    crop = re.search(r'src="(/crop/passage/[^"]+)"', html)
    assert crop is not None
    picture = client.get(crop[1].replace("&amp;", "&"))
    assert picture.status_code == 200 and picture.mimetype == "image/jpeg"
    assert "Nothing was found" in page(client, "/search?q=zzyzx")


@pytest.mark.parametrize("query", ["%22", "a:b", "((", "*", "\\", "%00", "' OR 1=1", "a" * 5000])
def test_any_text_can_be_searched(client: FlaskClient, query: str) -> None:
    page(client, f"/search?q={query}")


def test_lists_name_what_was_read(client: FlaskClient, small: Any) -> None:
    assert "Andrés Vidal Soler" in page(client, "/browse/person")
    assert "also Vidal Soler, Andrés" in page(client, "/browse/person")
    page(client, "/browse/person?page=2", 400)
    page(client, "/browse/person?page=x", 400)
    page(client, "/browse/dragons", 404)


def test_parts_lead_to_what_they_belong_to(client: FlaskClient, small: Any) -> None:
    answer = client.get(f"/page/inst/{small.page}")
    assert answer.status_code == 303
    assert answer.location == f"/page/record/{small.record}"


# ---- what nobody may see ----------------------------------------------------------------------


def test_nothing_of_a_closed_record_reaches_the_public(client: FlaskClient, small: Any) -> None:
    hidden = [
        f"/page/{small.hidden.path}", f"/page/record/{small.closed_record}",
        f"/page/evidence/{small.closed_unit}", f"/page/claim/{small.secret_claim}",
        f"/page/claim/{small.quarantined}", f"/page/inst/{small.closed_page}",
        f"/picture/{small.closed_picture}.jpg", f"/crop/{small.closed_page}?xywh=0,0,50,50",
        f"/crop/claim/{small.secret_claim}/p1.jpg", f"/crop/passage/{small.closed_unit}.jpg?q=a",
        f"/id/{small.hidden.path}", f"/id/claim/{small.quarantined}",
    ]  # fmt: skip
    hidden += [f"/data/{small.hidden.path}.{e}" for e in ("ttl", "jsonld", "nt", "rdf")]
    for path in hidden:
        assert client.get(path).status_code == 404, path
    for path in [*paths(small), "/search?q=oculto", f"/data/{small.place.path}.nt"]:
        text = client.get(path).get_data(as_text=True)
        assert "Oculto" not in text.replace("q=oculto", ""), path
        assert "reservada" not in text, path


def test_staff_see_closed_records_and_quarantined_claims(
    client: FlaskClient, small: Any, staff: dict[str, str]
) -> None:
    assert "Tomás Oculto Prieto" in page(client, f"/page/{small.hidden.path}", headers=staff)
    assert "A negation stands near the cue." in page(
        client, f"/page/claim/{small.quarantined}", headers=staff
    )
    assert client.get(f"/picture/{small.closed_picture}.jpg", headers=staff).status_code == 200
    assert "Oculto" in page(client, f"/data/{small.hidden.path}.ttl", headers=staff)


def test_a_wrong_token_is_refused(client: FlaskClient) -> None:
    answer = client.get("/", headers={"Authorization": "Bearer wrong"})
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


# ---- hostile texts ----------------------------------------------------------------------------


def test_names_and_texts_never_become_markup(client: FlaskClient, small: Any) -> None:
    for path in [*paths(small), '/search?q="><script>alert(1)</script>', "/browse/<script>"]:
        html = client.get(path).get_data(as_text=True)
        scripts = re.findall(r"<script[^>]*>", html)
        # Beside files of our own there is but the data block of schema.org, which nothing runs.
        scripts = [tag for tag in scripts if tag != '<script type="application/ld+json">']
        assert all('src="/static/' in tag for tag in scripts), (path, scripts)
        assert "onerror=alert" not in re.sub(r"(&lt;|\\u003c)img[^<]*?(&gt;|\\u003e)", "", html)
        assert not re.search(r'\s(style|on\w+)="', html), path
    assert "&lt;script&gt;" in page(client, f"/page/{small.hostile.path}")


def test_every_answer_carries_the_strict_policy(client: FlaskClient, small: Any) -> None:
    for path in [*paths(small), "/health", f"/data/{small.person.path}.ttl"]:
        headers = client.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'self'") and "unsafe" not in policy, path
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"


def test_no_page_names_another_host(client: FlaskClient, small: Any) -> None:
    for path in paths(small):
        html = client.get(path).get_data(as_text=True)
        loaded = re.findall(
            r'(?:src|href)="([a-z]+:)?//', html.replace("http://localhost:8080", "")
        )
        assert not loaded, (path, loaded)


# ---- linked data ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accept", "target"),
    [
        ("text/html,*/*;q=0.8", "/page/{}"),
        ("*/*", "/page/{}"),
        ("text/turtle", "/data/{}.ttl"),
        ("application/ld+json", "/data/{}.jsonld"),
        ("application/n-triples", "/data/{}.nt"),
        ("application/rdf+xml", "/data/{}.rdf"),
    ],
)
def test_an_identifier_leads_to_the_form_asked_for(
    client: FlaskClient, small: Any, accept: str, target: str
) -> None:
    answer = client.get(f"/id/{small.person.path}", headers={"Accept": accept})
    assert (answer.status_code, answer.location) == (303, target.format(small.person.path))
    assert "Accept" in answer.vary
    assert 'rel="alternate"; type="text/turtle"' in answer.headers["Link"]


def test_the_format_can_be_named_and_the_rest_is_refused(client: FlaskClient, small: Any) -> None:
    path = f"/id/{small.person.path}"
    assert client.get(f"{path}?format=ttl").location == f"/data/{small.person.path}.ttl"
    assert client.get(f"{path}?format=doc").status_code == 400
    assert client.get(path, headers={"Accept": "image/png"}).status_code == 406
    assert client.get("/id/person/unknown").status_code == 404
    assert client.get(f"/data/{small.person.path}.doc").status_code == 404
    assert client.get(f"/data/{small.person.path}.html").status_code == 404


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")  # inside rdflib
def test_all_formats_hold_the_same_triples_with_claims_and_texts(
    client: FlaskClient, small: Any
) -> None:
    graphs = {}
    for extension, parser in (
        ("ttl", "turtle"),
        ("jsonld", "json-ld"),
        ("nt", "nt"),
        ("rdf", "xml"),
    ):
        answer = client.get(f"/data/{small.person.path}.{extension}")
        assert answer.status_code == 200
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        graphs[extension] = rdflib.Graph().parse(data=answer.data, format=parser)
    first = graphs.pop("ttl")
    assert all(isomorphic(first, other) for other in graphs.values())
    me = rdflib.URIRef(small.ledger.base.iri(small.person.kind, small.person.key).value)
    assert (me, rdflib.RDF.type, rdflib.URIRef(RICO + "Person")) in first
    assert {str(o) for o in first.objects(None, rdflib.URIRef(RICO + "textualValue"))} == {
        "Andrés Vidal Soler", "Vidal Soler, Andrés",
    }  # fmt: skip
    quotes = rdflib.URIRef(KMS("quote").value)
    texts = rdflib.URIRef(KMS("text").value)
    for pointer, quote in first.subject_objects(quotes):
        unit_text = first.value(pointer, rdflib.URIRef(KMS("unitText").value))
        assert str(quote) in str(first.value(unit_text, texts))
    assert rdflib.URIRef(KMS("quarantined").value) not in set(first.objects())


def test_a_page_is_not_sent_twice_until_something_is_written(
    small: Any, client: FlaskClient, staff: dict[str, str]
) -> None:
    path = f"/page/{small.person.path}"
    first = client.get(path)
    etag = first.headers["ETag"]
    again = client.get(path, headers={"If-None-Match": etag})
    assert (again.status_code, again.data) == (304, b"")
    other = client.get(f"/page/{small.place.path}", headers={"If-None-Match": etag})
    assert other.status_code == 200
    assert client.get(path, headers={"If-None-Match": etag, **staff}).status_code == 200
    quads = small.ledger.store.match(small.ledger.base.iri("run", "run1"), None, None, None)
    small.ledger.commit(Change(Activity("decision"), remove=(next(iter(quads)),)), OWNER)
    assert client.get(path, headers={"If-None-Match": etag}).status_code == 200


def test_what_was_withdrawn_is_gone_and_what_was_merged_leads_on(
    small: Any, client: FlaskClient
) -> None:
    base, owner = small.ledger.base, OWNER
    merged = Quad(base.iri("person", "old"), KMS("mergedInto"),
                  base.iri(small.person.kind, small.person.key), base.public)  # fmt: skip
    gone = {k: base.iri(k, "gone") for k in ("person", "record", "claim", "evidence", "run")}
    quads = [q for iri in gone.values() for q in tombstone(iri, "rights", date(2026, 5, 1), base)]
    claim = base.iri("claim", "oldname")
    for name, value in {
        "claimSubject": base.iri("person", "old"), "claimPredicate": KMS("namedAs"),
        "claimStatus": KMS("admitted"), "confidence": Literal(1), "claimValue": Literal("A. V."),
    }.items():  # fmt: skip
        quads.append(Quad(claim, KMS(name), value, base.public))
    small.ledger.commit(Change(Activity("merge"), add=(merged, *quads)), owner)
    for kind in gone:
        html = page(client, f"/page/{kind}/gone", 410)
        assert "This was withdrawn." in html and "2026-05-01, rights." in html
        assert client.get(f"/data/{kind}/gone.ttl").status_code == 410
    answer = client.get("/page/person/old")
    assert (answer.status_code, answer.location) == (301, f"/page/{small.person.path}")
    assert "A. V." in page(client, f"/page/{small.person.path}")


# ---- pictures ---------------------------------------------------------------------------------


def size(data: bytes) -> tuple[int, int]:
    with Image.open(io.BytesIO(data)) as opened:
        return (opened.width, opened.height)


def test_a_crop_is_the_region_asked_for(client: FlaskClient, small: Any) -> None:
    path = f"/crop/{small.page}"
    assert size(client.get(f"{path}?xywh=60,50,300,80").data) == (300, 80)
    assert size(client.get(f"{path}?xywh=900,0,500,50").data) == (100, 50), "cut to the page"
    assert size(client.get(f"{path}?xywh=0,0,1000,100&w=100").data) == (100, 10)
    for wrong in ("", "1,2,3", "a,b,c,d", "-1,0,5,5", "0,0,0,0", "5000,0,5,5", "0,0,5,5&w=x"):
        assert client.get(f"{path}?xywh={wrong}").status_code == 400, wrong


def test_a_picture_is_scaled_within_limits(client: FlaskClient, small: Any) -> None:
    path = f"/picture/{small.picture}.jpg"
    assert size(client.get(f"{path}?w=300").data)[0] == 480, "rounded up to a kept width"
    assert size(client.get(path).data)[0] == 1000, "never larger than it is"
    assert client.get(f"{path}?w=99999").status_code == 400
    assert client.get("/picture/abc.jpg").status_code == 404


def test_the_quote_is_marked_on_its_crop(client: FlaskClient, small: Any) -> None:
    data = client.get(f"/crop/claim/{small.birthplace}/p1.jpg").data
    with Image.open(io.BytesIO(data)) as crop:
        colours = crop.convert("RGB").getcolors(1 << 24) or []
    yellow = sum(n for n, (r, _, b) in colours if isinstance(r, int) and r - b > 60)
    assert yellow > 5000
    assert client.get(f"/crop/claim/{small.birthplace}/p9.jpg").status_code == 404


# ---- errors -----------------------------------------------------------------------------------


def test_an_error_is_a_page_or_json(client: FlaskClient) -> None:
    html = page(client, "/page/person/none", 404, {"Accept": "text/html"})
    assert '<h1 lang="en">There is no person none here.</h1>' in html
    answer = client.get("/page/person/none", headers={"Accept": "application/json"})
    assert answer.status_code == 404
    assert answer.get_json()["error"] == "There is no person none here."
    assert client.post("/page/person/none").status_code == 405


def test_health_answers(client: FlaskClient, small: Any) -> None:
    answer = client.get("/health").get_json()
    assert answer["status"] == "ok" and answer["revision"] == small.ledger.revision


def test_pages_have_landmarks_and_labels(client: FlaskClient, small: Any) -> None:
    for path in paths(small):
        html = client.get(path).get_data(as_text=True)
        assert html.count("<main") == 1 and html.count("<h1") == 1, path
        assert '<html lang="en">' in html and 'href="#main"' in html, path
        assert all("alt=" in tag for tag in re.findall(r"<img[^>]*>", html)), path
        ids = re.findall(r'\sid="([^"]+)"', html)
        assert len(ids) == len(set(ids)), (path, ids)


@pytest.mark.parametrize(
    ("kind", "title"),
    [("person", "Persons"), ("organization", "Organisations"), ("charge", "Charges")],
)
def test_kinds_are_headed_alike(kind: str, title: str) -> None:
    assert kind_title(kind) == title


def test_an_event_without_a_date_is_called_by_its_kind_and_record_too(tmp_path: Path) -> None:
    """Beside one that has a date: what the date of another event must not stand in for."""
    small = build(tmp_path / "undated")
    ledger, base = small.ledger, small.ledger.base
    event, twin = base.iri("event", small.event.key), base.iri("event", "f" * 24)
    (typed,) = ledger.store.match(None, KMS("eventType"), None, base.public)
    claim = typed.subject
    assert isinstance(claim, NamedNode)
    copied = [
        Quad(
            base.iri("claim", "f" * 24),
            quad.predicate,
            twin if quad.object == event else quad.object,
            base.public,
        )
        for quad in ledger.store.match(claim, None, None, base.public)
    ]
    owner = Principal("owner", Role.ADMINISTRATOR)
    ledger.commit(Change(Activity("test"), add=tuple(copied)), owner)
    scope = scope_of(ledger.store, base, mapping.load(), ANONYMOUS)
    named = names_of(scope, [event, twin])
    assert named[event.value].text == "Court martial, 1939-03-12 (Sentencia, causa-7)"
    assert named[twin.value].text == "Court martial (Sentencia, causa-7)"
    small.close()
