"""The Reconciliation API 0.2 as OpenRefine uses it, over HTTP; every answer against the schemas."""

from __future__ import annotations

import http.client
import json
import sys
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from referencing import Registry
from referencing.jsonschema import DRAFT7

from tests.tools.service import Service
from tests.tools.small_archive import HOSTILE, Small
from tests.tools.small_run import ROOT, Built

SCHEMAS = "data/validators/reconciliation/0.2/schemas"
PERSON, PLACE = "typePerson", "typeLocation"


@dataclass
class Answer:
    """Status, headers and body of an answer."""

    status: int
    headers: Message
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


@dataclass
class Refine:
    """A client that goes the way of OpenRefine: all it knows is the address of the service."""

    address: str
    schemas: Path
    manifest: dict[str, Any] = field(default_factory=dict)

    def start(self) -> None:
        self.manifest = self.valid(self.fetch(self.address), "manifest")

    def fetch(self, url: str, **form: str) -> Answer:
        data = urllib.parse.urlencode(form).encode() if form else None
        request = urllib.request.Request(url, data, {"Origin": "http://127.0.0.1:3333"})
        try:
            with urllib.request.urlopen(request, timeout=60) as got:
                return Answer(got.status, got.headers, got.read().decode())
        except urllib.error.HTTPError as err:
            with err:
                return Answer(err.code, err.headers, err.read().decode())

    def valid(self, answer: Answer, schema: str) -> Any:
        assert answer.status == 200, answer.text
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        registry: Registry[Any] = Registry()
        for path in self.schemas.glob("*.json"):
            one = json.loads(path.read_text(encoding="utf-8"))
            registry = registry.with_resource(one["$id"], DRAFT7.create_resource(one))
        named = json.loads((self.schemas / f"{schema}.json").read_text(encoding="utf-8"))
        errors = list(Draft7Validator(named, registry=registry).iter_errors(answer.json))
        assert not errors, errors[0].message
        return answer.json

    def reconcile(self, batch: dict[str, Any]) -> dict[str, Any]:
        answer = self.fetch(self.address, queries=json.dumps(batch))
        found = self.valid(answer, "reconciliation-result-batch")
        assert list(found) == list(batch)
        return {key: one["result"] for key, one in found.items()}

    def one(self, query: str, **more: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.reconcile({"q0": {"query": query, **more}})["q0"]
        return found

    def guess_types(self, values: list[str]) -> list[str]:
        """Return the types of the first candidates of a sample of cells, the commonest first."""
        found = self.reconcile({f"q{n}": {"query": v, "limit": 3} for n, v in enumerate(values)})
        counts: dict[str, float] = {}
        for listed in found.values():
            for place, one in enumerate(listed):
                for kind in one["type"]:
                    counts[kind["id"]] = counts.get(kind["id"], 0) + 1 / (1 + place)
        return sorted(counts, key=lambda kind: -counts[kind])

    def suggest(self, what: str, prefix: str, **more: Any) -> list[dict[str, Any]]:
        told = self.manifest["suggest"][what]
        query = urllib.parse.urlencode({"prefix": prefix, **more})
        url = f"{told['service_url']}{told['service_path']}?{query}"
        kinds = {"entity": "entities", "type": "types", "property": "properties"}
        found = self.valid(self.fetch(url), f"suggest-{kinds[what]}-response")["result"]
        for one in found:
            at = told["flyout_service_path"].replace("${id}", urllib.parse.quote(one["id"], ""))
            flyout = self.fetch(told["flyout_service_url"] + at).json
            assert flyout["id"] == one["id"] and flyout["html"], flyout
            assert "<script" not in flyout["html"]
        return list(found)

    def preview(self, identifier: str) -> Answer:
        quoted = urllib.parse.quote(identifier, "")
        return self.fetch(self.manifest["preview"]["url"].replace("{{id}}", quoted))

    def propose(self, kind: str, limit: int) -> list[dict[str, Any]]:
        told = self.manifest["extend"]["propose_properties"]
        url = f"{told['service_url']}{told['service_path']}?type={kind}&limit={limit}"
        found = self.valid(self.fetch(url), "data-extension-property-proposal")
        assert found["type"] == kind and len(found["properties"]) <= limit
        return list(found["properties"])

    def extend(self, ids: list[str], properties: list[dict[str, Any]]) -> dict[str, Any]:
        asked = json.dumps({"ids": ids, "properties": properties})
        found = self.valid(self.fetch(self.address, extend=asked), "data-extension-response")
        assert [one["id"] for one in found["meta"]] == [one["id"] for one in properties]
        assert list(found["rows"]) == ids
        return dict(found["rows"])


@pytest.fixture
def small(small_archive: Small) -> Small:
    """Return the small archive."""
    return small_archive


@pytest.fixture(scope="module")
def refine(small_service: Service, shared: Path) -> Refine:
    """Return a client of the small archive's service."""
    client = Refine(f"{small_service.address}/reconcile", shared / SCHEMAS)
    client.start()
    return client


# ---- OpenRefine's way ---------------------------------------------------------------------------


def test_a_column_is_reconciled_from_the_manifest_to_the_extension(
    refine: Refine, small: Small
) -> None:
    cells = ["Andrés Vidal Soler", "Andres Vidal Soler", "Belmira", "Vidal Soler, Andrés"]
    assert refine.manifest["versions"] == ["0.2"]
    kinds = refine.guess_types(cells)
    assert kinds[0] == PERSON and set(kinds) <= {t["id"] for t in refine.manifest["defaultTypes"]}
    found = refine.reconcile(
        {
            f"q{n}": {"query": c, "type": PERSON, "type_strict": "should"}
            for n, c in enumerate(cells)
        }
    )
    person = small.person.path
    assert [one[0]["id"] if one else None for one in found.values()] == [
        person,
        person,
        None,
        person,
    ]
    assert found["q0"][0]["score"] == 100
    shown = refine.preview(person)
    assert shown.status == 200 and shown.headers["Content-Type"].startswith("text/html")
    assert "<mark>Andrés Vidal Soler,\nde 31 años, natural de Belmira</mark>" in shown.text
    assert "· Sentencia, causa-7, page 1" in shown.text
    assert refine.suggest("entity", "vid")[0]["id"] == person
    assert [one["id"] for one in refine.suggest("type", "pers")] == [PERSON]
    assert "birthplace" in [one["id"] for one in refine.suggest("property", "born")]
    proposed = [one["id"] for one in refine.propose(PERSON, 12)]
    assert {"namedAs", "birthplace", "age"} <= set(proposed)
    rows = refine.extend([person], [{"id": "birthplace"}, {"id": "age"}, {"id": "namedAs"}])
    place = {"id": small.place.path, "name": "Belmira"}
    assert rows[person]["birthplace"] == [place]
    assert sorted(v["int"] for v in rows[person]["age"]) == [31, 33]
    assert rows[person]["namedAs"][0] == {"str": "Andrés Vidal Soler"}


def test_the_view_template_leads_to_the_entity(refine: Refine, small: Small) -> None:
    """Clients encode the identifier as a component: its slash comes as %2F."""
    quoted = urllib.parse.quote(small.person.path, "")
    page = refine.fetch(refine.manifest["view"]["url"].replace("{{id}}", quoted))
    assert page.status == 200 and "Andrés Vidal Soler" in page.text
    iri = refine.manifest["identifierSpace"] + small.person.path
    assert iri == small.ledger.base.iri(small.person.kind, small.person.key).value


def test_properties_count_and_a_detail_makes_the_match(refine: Refine, small: Small) -> None:
    name = "Andrés Vidal Soler"
    assert not refine.one(name)[0]["match"], "a person's name alone is never a sure match"
    born = refine.one(name, properties=[{"pid": "birthplace", "v": "Belmira"}])[0]
    assert born["match"] and born["score"] == 100
    features = {one["id"]: one["value"] for one in born["features"]}
    assert features["birthplace"] == 1 and features["agreeing_details"] == 1
    by_id = [{"pid": "birthplace", "v": {"id": small.place.path, "name": "?"}}]
    assert refine.one(name, properties=by_id)[0]["match"]
    other = refine.one(name, properties=[{"pid": "age", "v": [60]}])[0]
    assert not other["match"] and other["score"] < 60
    assert refine.one("Belmira")[0]["match"], "a place of that name, and no other"
    alone = refine.reconcile({"q": {"properties": [{"pid": "birthplace", "v": "Belmira"}]}})["q"]
    assert [one["id"] for one in alone] == [small.person.path]


def test_batches_and_single_queries_come_by_get_too(refine: Refine, small: Small) -> None:
    batch = json.dumps({"a": {"query": "Belmira", "limit": 1}})
    got = refine.fetch(f"{refine.address}?{urllib.parse.urlencode({'queries': batch})}")
    assert refine.valid(got, "reconciliation-result-batch")["a"]["result"][0]["name"] == "Belmira"
    for query in ("Belmira", '{"query": "Belmira", "type": ["typeLocation"]}', small.place.path):
        one = refine.fetch(f"{refine.address}?{urllib.parse.urlencode({'query': query})}").json
        assert one["result"][0]["id"] == small.place.path
    assert one["result"][0]["match"], "the identifier itself was asked for"
    asked = json.dumps({"ids": [small.person.path, "person/none"], "properties": [{"id": "age"}]})
    rows = refine.valid(
        refine.fetch(f"{refine.address}?{urllib.parse.urlencode({'extend': asked})}"),
        "data-extension-response",
    )["rows"]
    assert rows["person/none"] == {"age": []}


def test_values_can_be_counted_and_limited(refine: Refine, small: Small) -> None:
    person = small.person.path
    counted = refine.extend([person], [{"id": "age", "settings": {"count": "on"}}])
    assert counted[person]["age"] == [{"int": 2}]
    limited = refine.extend([person], [{"id": "namedAs", "settings": {"limit": "1"}}])
    assert len(limited[person]["namedAs"]) == 1


def test_suggestions_go_on_after_the_cursor(refine: Refine) -> None:
    first = refine.suggest("property", "")
    rest = refine.suggest("property", "", cursor=len(first))
    assert first and rest and not {o["id"] for o in first} & {o["id"] for o in rest}
    assert refine.suggest("entity", "Belmria")[0]["name"] == "Belmira", "a typing error"


# ---- what must not happen ------------------------------------------------------------------------


def test_nothing_that_is_closed_is_found_by_any_way(refine: Refine, small: Small) -> None:
    hidden = small.hidden.path
    for query in ("Tomás Oculto Prieto", "Tomas Ocultto Prieto", hidden):
        assert hidden not in json.dumps(refine.one(query, limit=50))
        assert "Oculto" not in json.dumps(refine.suggest("entity", query[:5]))
    born = [{"pid": "birthplace", "v": {"id": small.place.path}}]
    assert hidden not in json.dumps(refine.reconcile({"q": {"properties": born, "limit": 50}}))
    assert refine.preview(hidden).status == 404
    assert refine.extend([hidden], [{"id": "birthplace"}]) == {hidden: {"birthplace": []}}
    quarantined = refine.extend([small.person.path], [{"id": "militaryRank"}])
    assert quarantined == {small.person.path: {"militaryRank": []}}


def test_markup_in_names_stays_text(refine: Refine, small: Small) -> None:
    assert refine.one(HOSTILE)[0]["name"] == HOSTILE
    page = refine.preview(small.hostile.path)
    assert "<script" not in page.text and "&lt;script&gt;" in page.text
    assert refine.suggest("entity", HOSTILE)[0]["id"] == small.hostile.path


def test_a_preview_may_stand_in_a_frame_and_no_other_page(refine: Refine, small: Small) -> None:
    headers = refine.preview(small.person.path).headers
    assert "frame-ancestors *" in headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in headers
    root = refine.address.removesuffix("/reconcile")
    assert refine.fetch(f"{root}/page/{small.person.path}").headers["X-Frame-Options"] == "DENY"


def test_other_sites_may_ask(refine: Refine) -> None:
    request = urllib.request.Request(refine.address, method="OPTIONS")
    with urllib.request.urlopen(request, timeout=60) as got:
        assert got.status == 204 and "POST" in got.headers["Access-Control-Allow-Methods"]
        assert got.headers["Access-Control-Allow-Origin"] == "*"


def many(count: int) -> str:
    return json.dumps({f"q{n}": {"query": "Vidal"} for n in range(count)})


def test_a_cell_without_a_name_has_no_candidates_and_its_neighbours_have_theirs(
    refine: Refine,
) -> None:
    cells = {
        "good": {"query": "Andrés Vidal Soler"}, "blank": {"query": " "}, "none": {"query": None},
        "long": {"query": "x" * 301}, "empty": {},
        "note": {"query": "Andrés Vidal Soler",
                 "properties": [{"pid": "birthplace", "v": ["", None, "y" * 301]}]},
    }  # fmt: skip
    answer = refine.fetch(refine.address, queries=json.dumps(cells))
    assert answer.status == 200
    told = {name: one["result"] for name, one in answer.json.items()}
    assert told["good"] and told["note"]
    assert told["blank"] == told["none"] == told["long"] == told["empty"] == []


@pytest.mark.parametrize(
    ("form", "status", "says"),
    [
        ({"queries": many(10_000)}, 413, "10000 queries"),
        ({"queries": many(51)}, 413, "batchSize"),
        ({"queries": "{"}, 400, "JSON"),
        ({"queries": "[" * 90_000}, 400, "JSON"),
        ({"queries": "[]"}, 400, "object"),
        ({"queries": '{"q": {"query": NaN}}'}, 400, "JSON"),
        ({"queries": '{"q": {"query": 1' + "0" * 5000 + "}}"}, 400, "JSON"),
        ({"queries": '{"q": 7}'}, 400, "object"),
        ({"queries": '{"q": {"query": ["x"]}}'}, 400, "text"),
        ({"queries": '{"q": {"query": "x", "type": "typeDragon"}}'}, 400, "typeDragon"),
        ({"queries": '{"q": {"query": "x", "limit": 0}}'}, 400, "limit"),
        ({"queries": '{"q": {"query": "x", "limit": "many"}}'}, 400, "limit"),
        ({"queries": '{"q": {"query": "x", "limit": 1e400}}'}, 400, "limit"),
        ({"queries": '{"q": {"query": "x", "type_strict": "maybe"}}'}, 400, "type_strict"),
        ({"queries": '{"q": {"query": "x", "colour": 1}}'}, 400, "colour"),
        ({"queries": '{"q": {"query": "x", "properties": [{"pid": "no", "v": 1}]}}'}, 400, "no"),
        ({"queries": '{"q": {"query": "x", "properties": [{"v": 1}]}}'}, 400, "pid"),
        ({"queries": '{"q": {"query": "x", "properties": {}}}'}, 400, "list"),
        ({"extend": '{"ids": "a", "properties": []}'}, 400, "list"),
        ({"extend": '{"ids": [1], "properties": []}'}, 400, "text"),
        ({"extend": '{"ids": ["a"], "properties": [{"id": "no"}]}'}, 400, "no"),
        ({"extend": json.dumps({"ids": ["a"] * 501, "properties": []})}, 413, "501"),
        ({"extend": '{"ids": [], "properties": [{"id": "age", "settings": {"limit": "x"}}]}'}, 400,
         "limit"),
        ({"nothing": "x"}, 400, "queries"),
    ],
)  # fmt: skip
def test_bad_requests_get_a_sentence(
    refine: Refine, form: dict[str, str], status: int, says: str
) -> None:
    answer = refine.fetch(refine.address, **form)
    assert answer.status == status, answer.text[:300]
    assert says in answer.json["error"] + answer.json["hint"]
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_a_body_that_is_too_large_is_refused_by_its_length(refine: Refine) -> None:
    place = urllib.parse.urlsplit(refine.address)
    connection = http.client.HTTPConnection(place.netloc, timeout=30)
    connection.putrequest("POST", place.path)
    connection.putheader("Content-Type", "application/x-www-form-urlencoded")
    connection.putheader("Content-Length", "3000000")
    connection.endheaders()
    answer = connection.getresponse()
    assert answer.status == 413 and "large" in json.loads(answer.read())["error"]
    connection.close()


def test_odd_texts_are_answered(refine: Refine) -> None:
    odd = [
        "\u0000",
        "\ud800",
        "💣" * 100,
        "a" * 299,
        "\u202eevil",
        "' OR 1=1 --",
        '<>"{}|\\^`',
        "平",
        "  ",
    ]
    batch = {f"q{n}": {"query": one + "x"} for n, one in enumerate(odd)}
    assert len(refine.reconcile(batch)) == len(odd)
    for path in ("suggest/entity?prefix=%ff%00", "suggest/entity?cursor=-1", "flyout/entity?id=x",
                 "suggest/none", "flyout/type?id=x", "flyout/property?id=x", "preview?id=a/b/c",
                 "preview?id=", "properties?type=x", "properties?limit=x"):  # fmt: skip
        status = refine.fetch(f"{refine.address}/{path}").status
        assert status in (200, 400, 404), path


def test_names_with_one_typing_error_find_their_entity_first(built: Built) -> None:
    sys.path.insert(0, str(ROOT))
    from benchmarks.score_reconcile_api import score

    found = score(built.archive, seed=4, rounds=4, typed=False)
    good, total, share = found["right"]["all"]
    assert total > 100 and share >= 0.95, (good, total, found["misses"])
    assert found["matched_wrongly"] == 0
