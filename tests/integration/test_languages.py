"""Which language a reader gets: asked for, chosen before, the browser's, the archive's."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from rdfkms.knowledge import mapping
from rdfkms.web import Services, create_app
from rdfkms.web.languages import COOKIE, NAMES
from tests.tools.service import Service
from tests.tools.small_archive import Small
from tests.tools.web import fetch

BROWSE = {"en": "Persons", "fr": "Personnes", "es": "Personas", "de": "Personen", "zh": "人物"}
BORN = {
    "en": "born in", "fr": "né à", "es": "nacido en", "de": "geboren in", "zh": "出生于",
}  # fmt: skip


@pytest.fixture
def client(small: Small) -> FlaskClient:
    """Return a new client, without cookies."""
    return create_app(Services(small.ledger, small.work, mapping.load())).test_client()


def spoken(html: str) -> str:
    found = re.search(r'<html lang="([^"]+)">', html)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("language", NAMES)
def test_a_page_speaks_the_language_that_its_address_asks_for(
    client: FlaskClient, small: Small, language: str
) -> None:
    answer = client.get(f"/page/{small.person.path}?lang={language}")
    html = answer.get_data(as_text=True)
    assert spoken(html).partition("-")[0] == language
    assert BROWSE[language] in html and BORN[language] in html
    assert answer.headers["Content-Language"] == language
    assert "Andrés Vidal Soler,\nde 31 años, natural de Belmira" in html, "quotes stay as they are"


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("fr", "fr"), ("de-AT, en;q=0.5", "de"), ("zh-Hans-CN", "zh"), ("ja, es;q=0.3", "es"),
        ("ja", "en"), ("en;q=0.1, fr;q=0.9", "fr"), ("*", "en"), ("", "en"), ("x" * 9000, "en"),
        (", ".join(f"q{n}-aa;q=0.{n % 9}" for n in range(2000)), "en"),
    ],
)  # fmt: skip
def test_the_browser_is_listened_to(client: FlaskClient, header: str, language: str) -> None:
    html = client.get("/", headers={"Accept-Language": header}).get_data(as_text=True)
    assert spoken(html).partition("-")[0] == language


def test_a_choice_is_kept_and_can_be_changed(client: FlaskClient) -> None:
    client.get("/?lang=de")
    assert spoken(client.get("/", headers={"Accept-Language": "fr"}).text) == "de"
    client.get("/?lang=zh")
    assert spoken(client.get("/rules").text) == "zh-Hans"
    cookie = client.get_cookie(COOKIE)
    assert cookie is not None and cookie.value == "zh" and cookie.http_only


@pytest.mark.parametrize("asked", ["xx", "../../etc/passwd", "en\r\nSet-Cookie: a=b", "", "FR"])
def test_what_is_no_language_is_passed_over(client: FlaskClient, asked: str) -> None:
    answer = client.get("/", query_string={"lang": asked})
    assert answer.status_code == 200 and spoken(answer.text) == "en"
    assert client.get_cookie(COOKIE) is None


def test_a_cache_keeps_languages_apart(client: FlaskClient) -> None:
    one = client.get("/", headers={"Accept-Language": "fr"})
    tag = one.headers["ETag"]
    assert {"Accept-Language", "Cookie"} <= {v.strip() for v in one.headers["Vary"].split(",")}
    same = client.get("/", headers={"Accept-Language": "fr", "If-None-Match": tag})
    other = client.get("/", headers={"Accept-Language": "de", "If-None-Match": tag})
    assert (same.status_code, other.status_code) == (304, 200)


def test_links_to_other_languages_keep_what_was_asked(client: FlaskClient) -> None:
    html = client.get("/browse/person?page=1&lang=fr").text
    assert 'href="?page=1&amp;lang=de" hreflang="de" lang="de"' in html


def test_the_archive_says_what_is_spoken_to_who_asks_for_nothing(small: Small) -> None:
    services = Services(small.ledger, small.work, mapping.load())
    app = create_app(services)
    app.config["RDFKMS_LANGUAGE"] = "es"
    assert spoken(app.test_client().get("/").text) == "es"


def test_data_and_programs_get_the_same_in_every_language(
    client: FlaskClient, small: Small
) -> None:
    path = f"/data/{small.person.path}.ttl"
    one = client.get(path, headers={"Accept-Language": "fr"})
    assert one.data == client.get(path).data and COOKIE not in one.headers.get("Set-Cookie", "")


def test_errors_speak_the_language_and_suggest(client: FlaskClient, small: Small) -> None:
    key = small.person.key[:7] + "0000"
    html = client.get(f"/page/person/{key}?lang=fr").get_data(as_text=True)
    assert spoken(html) == "fr"
    assert client.get("/no/such/page?lang=de").status_code == 404


def test_a_page_of_sparql_is_kept_by_no_tag(small_service: Service) -> None:
    path = "/sparql?query=ASK%20%7B%7D"
    page = fetch(f"{small_service.address}{path}", "text/html", Accept_Language="fr")
    assert page.status == 200 and "ETag" not in page.headers
    data = fetch(f"{small_service.address}{path}", "application/sparql-results+json")
    assert data.headers["ETag"]
