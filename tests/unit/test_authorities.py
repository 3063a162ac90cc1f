"""Authorities: rules, a local dump, a service that may misbehave, and how entries are weighed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rdfkms import resources
from rdfkms.backends.reconciliation_http import ReconciliationService
from rdfkms.errors import BadInput, Misconfigured, Unavailable
from rdfkms.knowledge import authorities
from rdfkms.knowledge.authorities import Known, matches
from rdfkms.knowledge.authorityfile import AuthorityFile
from rdfkms.ports import Authority, AuthorityCandidate
from rdfkms.settings import AuthoritySettings
from tests.tools.reconciler import Reconciler, serving

RULES = authorities.load("wikidata")
SOLER = Known("Person", ("Andrés Vidal Soler",), ("1907",), (), ("Belmira",), ("sastre",))
COLUMNS = "id\tlabel\taliases\ttype\tbirth\tdeath\tplace\tdescription"
ROWS = (
    "Q1\tAndrés Vidal Soler\tChispa|Vidal Soler, Andrés\tPerson\t1907-05-01\t1940\tBelmira\tsastre",
    "Q2\tAndrés Vidal Soler\t\tQ5\t1811\t\t\tcompositor",
    "Q3\tBelmira\t\tLocation\t\t\t\ttown",
    "Q4\tAndrés Vidat Soler\t\t\t\t\t\t",
)


@pytest.fixture
def service() -> Iterator[Reconciler]:
    with serving() as made:
        yield made


def dump(folder: Path, name: str = "dump.tsv", rows: tuple[str, ...] = ROWS) -> Path:
    path = folder / name
    path.write_text("\n".join((COLUMNS, *rows)) + "\n", encoding="utf-8")
    return path


def client(service: Reconciler, **settings: object) -> ReconciliationService:
    # Settings by name, of several types.
    made = AuthoritySettings(service=service.address, **settings)  # type: ignore[arg-type]
    return ReconciliationService(made, "wikidata", wait=0)


# ---- rules -------------------------------------------------------------------------------------


def test_every_shipped_rule_file_is_sound() -> None:
    assert authorities.names() == ("cbdb", "geonames", "viaf", "wikidata")
    for name in authorities.names():
        rules = authorities.load(name)
        assert set(rules.types) <= {"Person", "Location", "OrganizationState"}
        assert rules.weights.name >= rules.thresholds.least


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('title = "Wikidata"', ""),
        ("/entity/{id}", "/entity/"),
        ("http://www.wikidata.org", "javascript:alert(1)"),
        ("least = 0.55", "least = 7"),
        ("[send]", "[post]"),
    ],
)
def test_a_broken_rule_file_is_refused_with_its_name(tmp_path: Path, old: str, new: str) -> None:
    shipped = resources.file("ingest/authorities/wikidata.toml")
    text = shipped.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "wrong.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(Misconfigured, match=r"wrong\.toml"):
        authorities.read(path)


def test_an_unknown_authority_names_those_that_exist() -> None:
    with pytest.raises(Misconfigured, match="wikidata"):
        authorities.load("../settings")


# ---- weighing ----------------------------------------------------------------------------------


def test_entries_are_ranked_by_what_agrees_and_say_why(tmp_path: Path) -> None:
    source = AuthorityFile(dump(tmp_path), types=RULES.types)
    found = matches(SOLER, source.candidates("Andrés Vidal Soler", "Q5", {}), RULES)
    assert [m.candidate.id for m in found] == ["Q1", "Q4"]
    assert found[0].address == "http://www.wikidata.org/entity/Q1"
    assert found[0].score == 1.0
    why = "; ".join(found[0].why)
    assert "the same name (0.60)" in why
    assert "born 1907-05-01 agrees (+0.20)" in why
    assert "place Belmira agrees (+0.10)" in why
    assert "nothing but the name" in "; ".join(found[1].why)


def test_a_birth_that_differs_speaks_against() -> None:
    entry = AuthorityCandidate("Q2", "Andrés Vidal Soler", birth="1811")
    thin = AuthorityCandidate("Q2", "Andrés Vidal Soler")
    assert matches(SOLER, [entry], RULES) == ()
    assert len(matches(SOLER, [thin], RULES)) == 1


@pytest.mark.parametrize("id", ["", "42", "Q1/../../x", "Q1\n", "javascript:1", "Q1 Q2"])
def test_what_is_no_identifier_makes_no_address(id: str) -> None:
    assert matches(SOLER, [AuthorityCandidate(id, "Andrés Vidal Soler")], RULES) == ()


# ---- the file ------------------------------------------------------------------------------------


def test_names_are_found_by_alias_order_likeness_and_type(tmp_path: Path) -> None:
    source: Authority = AuthorityFile(dump(tmp_path), types=RULES.types)
    for name in ("Chispa", "D. Andrés Vidal Soler", "Vidal Soler, Andrés"):
        assert source.candidates(name, "Q5", {})[0].id == "Q1", name
    assert [c.id for c in source.candidates("Belmira", "Q618123", {})] == ["Q3"]
    assert source.candidates("Belmira", "Q5", {}) == ()
    assert source.candidates("Nadie Ninguno", "Q5", {}) == ()
    assert source.candidates("", "Q5", {}) == ()


def test_the_same_entries_as_json_lines_and_csv(tmp_path: Path) -> None:
    lines = tmp_path / "dump.jsonl"
    entry = {"id": "Q1", "label": "Ana Ruiz", "aliases": ["Anita", "Nena"], "type": "", "x": 1}
    lines.write_text(json.dumps(entry) + "\n\n", encoding="utf-8")
    assert AuthorityFile(lines).candidates("Nena", "Q5", {})[0].aliases == ("Anita", "Nena")
    table = tmp_path / "dump.csv"
    table.write_text('id,label,aliases\nQ1,"Ruiz, Ana",Nena\n', encoding="utf-8")
    assert AuthorityFile(table).candidates("Ana Ruiz", "Q5", {})[0].label == "Ruiz, Ana"


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("a.tsv", f"{COLUMNS}\nQ1\t\n", ":2"),
        ("a.tsv", f"{COLUMNS}\nQ1\t{'x' * 3000}\n", ":2"),
        ("a.xml", "<a/>", "a.xml"),
        ("a.jsonl", "{", ":1"),
        ("a.jsonl", "[1]", ":1"),
        ("a.jsonl", "[" * 100_000, ":1"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(
    tmp_path: Path, name: str, text: str, place: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=place):
        AuthorityFile(path)
    with pytest.raises(BadInput):
        AuthorityFile(tmp_path / "absent.tsv")


# ---- the service ---------------------------------------------------------------------------------


def test_a_service_is_asked_by_type_and_facts(service: Reconciler) -> None:
    entry = {"id": "Q1", "name": "Andrés Vidal Soler", "score": 90, "match": True}
    kind = [{"id": "Q5", "name": "human"}]
    service.entries = [{**entry, "type": kind, "description": "sastre"}]
    source = client(service)
    found = source.candidates("Andrés Vidal Soler", "Q5", SOLER.facts(RULES.send))
    source.close()
    assert found == (AuthorityCandidate("Q1", "Andrés Vidal Soler", description="sastre"),)
    [query] = service.asked
    assert (query["query"], query["type"]) == ("Andrés Vidal Soler", "Q5")
    assert query["properties"] == [{"pid": "P19", "v": "Belmira"}, {"pid": "P569", "v": "1907"}]


def test_what_may_pass_is_tried_again_and_then_told(service: Reconciler) -> None:
    service.first = [(503, b""), (429, b"")]
    source = client(service)
    assert source.candidates("Ana", "Q5", {}) == ()
    assert len(service.asked) == 3
    service.first, service.stuck = [(503, b"")], True
    with pytest.raises(Unavailable, match="503"):
        source.candidates("Ana", "Q5", {})
    source.close()
    assert len(service.asked) == 6


@pytest.mark.parametrize(
    "answer",
    [
        (200, b""),
        (200, b"<html>"),
        (200, b"[]"),
        (200, b'{"q0": {}}'),
        (200, b'{"q0": {"result": [{"id": 1, "name": "x"}]}}'),
        (200, b'{"q0": {"result": [{"id": "Q1", "name": ""}]}}'),
        (200, b'{"q0": {"result": [{"id": "Q1", "name": "' + b"x" * 600 + b'"}]}}'),
        (200, b"[" * 50_000),
        (200, b'{"q0": {"result": [' + b'{"id": "Q1", "name": "x"},' * 300 + b"]}}"),
        (200, b'{"q0": "' + b"x" * 200_000 + b'"}'),
        (404, b"{}"),
        (302, b"http://127.0.0.1:9/elsewhere"),
    ],
)
def test_a_hostile_answer_is_refused_once(service: Reconciler, answer: tuple[int, bytes]) -> None:
    service.first, service.stuck = [answer], True
    source = client(service, max_bytes=100_000)
    with pytest.raises(Unavailable):
        source.candidates("Ana", "Q5", {})
    source.close()
    assert len(service.asked) == 1


def test_a_service_that_is_away_is_told_with_its_address() -> None:
    settings = AuthoritySettings(service="http://127.0.0.1:9/api", timeout=0.5)
    source = ReconciliationService(settings, "wikidata", wait=0)
    with pytest.raises(Unavailable, match=r"127\.0\.0\.1:9"):
        source.candidates("Ana", "Q5", {})
    source.close()
    with pytest.raises(Misconfigured):
        ReconciliationService(AuthoritySettings(service="ftp://x"), "wikidata")
