"""HTML, scripts, SPARQL and instructions in names, titles, texts and file names stay text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest
import rdflib
from flask.testing import FlaskClient
from pyoxigraph import NamedNode

from rdfkms.app import composition
from rdfkms.app.composition import App
from rdfkms.knowledge import decoding
from rdfkms.model import Kind, Status
from rdfkms.vocab import KMS, TYPE
from rdfkms.web import create_app
from rdfkms.web.services import services_of
from tests.tools.small_run import Built, command, result

SCRIPT = "<script>alert(1)</script>"
IMAGE = "<img src=x onerror=alert(1)>"
UPDATE = '") } ; DROP ALL ; INSERT DATA { <urn:x> <urn:y> "z" } #'
TEXT = f"""# Registro {SCRIPT}

Rosa Ferrer Quiles: treinta años, natural de Castrovil, maestra. {SCRIPT}
{IMAGE} Andrés Vidal Soler, alias "{SCRIPT}": carpintero, natural de Montelargo.
Tomás Vidal Soler: jornalero. {UPDATE} {{{{ 7*7 }}}} {{% include '/etc/passwd' %}}

[Rosa](javascript:alert(1)) <svg/onload=alert(1)> </textarea></title><script>alert(2)</script>
"""
TITLE = f'Legajo \\"><{SCRIPT} {{{{ 7*7 }}}}'
RULES = f'[[records]]\nmatch = "*"\nprofile = "register"\ntitle = "{TITLE}"\n'


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the line on a file whose name, title and text are hostile."""
    root = tmp_path_factory.mktemp("hostile")
    sources = root / "sources"
    sources.mkdir()
    (sources / "records.toml").write_text(RULES, encoding="utf-8")
    (sources / f"{IMAGE} ' ; DROP ALL.md").write_text(TEXT, encoding="utf-8")
    report = result("run", sources, "--archive", root / "A")
    assert report["verdicts"]["admitted"] > 3
    return root / "A"


@pytest.fixture(scope="module")
def app(archive: Path) -> Iterator[App]:
    with composition.writing(archive, "test") as opened:
        opened.indexes.update(opened.ledger)
        yield opened


@pytest.fixture(scope="module")
def client(app: App) -> FlaskClient:
    return create_app(services_of(app)).test_client()


class Scripts(HTMLParser):
    """Finds what a browser would run: inline scripts, event handlers, script addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        data = (given.get("type") or "").endswith("json")
        self._inside = tag == "script" and "src" not in given and not data
        self.found += [f"{tag} {name}" for name in given if name.startswith("on")]
        for name in ("href", "src", "action"):
            if (given.get(name) or "").strip().lower().startswith(("javascript:", "data:text")):
                self.found.append(f"{tag} {name}={given[name]}")

    def handle_data(self, data: str) -> None:
        if self._inside and data.strip():
            self.found.append(data)
        self._inside = False


def things(app: App) -> list[str]:
    """Return the path of everything that has an IRI of the archive."""
    found = set()
    for quad in app.ledger.store.match(None, TYPE, None, app.base.public):
        if isinstance(quad.subject, NamedNode) and "#" not in quad.subject.value:
            split = app.base.split(quad.subject.value)
            if split is not None:
                found.add("/".join(split))
    return sorted(found)


def test_no_page_runs_a_script_of_a_document(app: App, client: FlaskClient) -> None:
    asked = [f"/page/{path}" for path in things(app)]
    asked += ["/", "/collections", "/runs", "/browse/person", "/browse/place"]
    asked += [f"/search?q={quote(words)}" for words in (SCRIPT, IMAGE, UPDATE, "Rosa Ferrer")]
    shown = 0
    for path in asked:
        answer = client.get(path, follow_redirects=True)
        assert answer.status_code == 200, path
        parser = Scripts()
        parser.feed(answer.text)
        assert parser.found == [], path
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert "root:" not in answer.text
        shown += "&lt;script&gt;" in answer.text
    assert shown > 3


def test_every_document_can_be_read_by_other_programs(app: App, client: FlaskClient) -> None:
    for path in things(app)[:60]:
        turtle = client.get(f"/data/{path}.ttl").text
        triples = len(rdflib.Graph().parse(data=turtle, format="turtle"))
        assert triples == len(
            rdflib.Graph().parse(data=client.get(f"/data/{path}.rdf").text, format="xml")
        ), path
        json.loads(client.get(f"/data/{path}.jsonld").text)


def test_the_quotes_are_kept_letter_by_letter(archive: Path, app: App) -> None:
    units = [
        getattr(quad.subject, "value", "").rpartition("/")[2]
        for quad in app.ledger.store.match(None, TYPE, KMS("EvidenceUnit"), app.base.public)
    ]
    said = "\n".join(decoding.unit(app.ledger.store, app.base, key).raw.text for key in units)
    for piece in (SCRIPT, IMAGE, UPDATE, "{{ 7*7 }}"):
        assert piece in said


@pytest.mark.parametrize("words", [SCRIPT, UPDATE, "' OR 1=1 --", "field:x AND (", "\0", "*" * 400])
def test_hostile_words_find_things_or_nothing(app: App, client: FlaskClient, words: str) -> None:
    before = app.ledger.revision
    assert client.get(f"/search?q={quote(words)}").status_code in (200, 400)
    assert app.ledger.revision == before


def test_an_update_is_refused_wherever_it_is_put(built: Built) -> None:
    at = ("--archive", built.archive)
    for text in ("DROP ALL", "INSERT DATA { <urn:a> <urn:b> 1 }", "CLEAR GRAPH <urn:x>"):
        assert command("query", text, *at, check=False).returncode in (3, 5)
    for words in (UPDATE, "--help", "?s ?p ?o", "x" * 5000):
        assert command("search", *at, "--", words, check=False).returncode in (0, 3)
        assert command("ask", *at, "--", words, check=False).returncode in (3, 4)


def test_an_instruction_to_a_model_is_only_read(built: Built) -> None:
    with composition.reading(built.archive) as app:
        store, base = app.ledger.store, app.base
        commands = [
            key
            for quad in store.match(None, TYPE, KMS("EvidenceUnit"), base.public)
            if "Ignore previous" in decoding.unit(
                store, base, key := getattr(quad.subject, "value", "").rpartition("/")[2]
            ).raw.text
        ]  # fmt: skip
        claims = [c for key in commands for c in decoding.claims_of_unit(store, base, key)]
    assert commands
    assert {c.kind for c in claims if c.status is Status.ADMITTED} <= {Kind.MENTION}
