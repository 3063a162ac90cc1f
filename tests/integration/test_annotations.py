"""Every pointer as a Web Annotation, against the schemas that an annotation must pass."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator
from referencing import Registry
from referencing.jsonschema import DRAFT4

from tests.tools.service import Service, serving
from tests.tools.small_archive import Small
from tests.tools.small_run import Built
from tests.tools.web import fetch

POINTERS = """
PREFIX kms: <https://w3id.org/rdfkms/ns#>
SELECT ?pointer ?quote ?text ?start ?end WHERE {
  ?claim kms:pointer ?pointer .
  ?pointer kms:quote ?quote ; kms:start ?start ; kms:end ?end ; kms:unitText/kms:text ?text .
}
"""


class Must:
    """The assertions of the Web Annotation test suite that every annotation must meet."""

    def __init__(self, folder: Path) -> None:
        registry: Registry[Any] = Registry()
        for path in (folder / "definitions").glob("*.json"):
            named = json.loads(path.read_text(encoding="utf-8"))
            registry = registry.with_resource(path.name, DRAFT4.create_resource(named))
        listed = json.loads((folder / "annotations/annotationMusts.test").read_text("utf-8"))
        self.checks: dict[str, tuple[Draft4Validator, bool]] = {}
        for name in listed["assertions"]:
            one = json.loads((folder / name).read_text(encoding="utf-8"))
            one.pop("id", None)  # so that references are looked up by the names of files
            expected = one.get("expectedResult", "valid") == "valid"
            self.checks[name] = (Draft4Validator(one, registry=registry), expected)

    def missed(self, annotation: dict[str, Any]) -> list[str]:
        """Return the names of assertions that the annotation does not meet."""
        return [
            name
            for name, (check, expected) in self.checks.items()
            if check.is_valid(annotation) is not expected
        ]


@pytest.fixture(scope="module")
def must(shared: Path) -> Must:
    """Return the assertions."""
    found = Must(shared / "data/validators/web-annotation")
    assert len(found.checks) == 54
    return found


def rows(service: Service) -> list[dict[str, str]]:
    found = json.loads(service.sparql(POINTERS)[1])["results"]["bindings"]
    return [{name: cell["value"] for name, cell in row.items()} for row in found]


def annotation_of(service: Service, pointer: str) -> dict[str, Any]:
    claim, _, part = pointer.rpartition("/")[2].partition("#")
    answer = fetch(f"{service.address}/data/annotation/{claim}/{part}.jsonld")
    assert answer.status == 200, answer.text
    assert 'profile="http://www.w3.org/ns/anno.jsonld"' in answer.headers["Content-Type"]
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    found: dict[str, Any] = answer.json
    return found


def check(service: Service, must: Must, found: list[dict[str, str]]) -> list[dict[str, Any]]:
    made = []
    for row in found:
        one = annotation_of(service, row["pointer"])
        assert not must.missed(one), must.missed(one)
        quote, position = one["target"][0]["selector"]
        assert quote["exact"] == row["quote"]
        text, start, end = row["text"], position["start"], position["end"]
        assert text[start:end] == quote["exact"]
        assert text[:start].endswith(quote["prefix"]) and text[end:].startswith(quote["suffix"])
        made.append(one)
    return made


def test_every_pointer_is_a_valid_annotation(
    small_service: Service, small_archive: Small, must: Must
) -> None:
    found = rows(small_service)
    made = check(small_service, must, found)
    assert len(made) > 10
    pictured = [one for one in made if len(one["target"]) > 1]
    selectors = [one["target"][1]["selector"] for one in pictured]
    assert selectors and all(s["type"] == "FragmentSelector" for s in selectors)
    born = annotation_of(small_service, f"claim/{small_archive.birthplace}#p1")
    assert born["target"][1]["source"].endswith(f"/id/inst/{small_archive.page}")
    assert born["body"][1]["value"] == "Andrés Vidal Soler – born in – Belmira"


def test_pointers_of_a_run_are_valid_annotations(built: Built, must: Must) -> None:
    with serving(built.archive) as service:
        found = rows(service)
        assert len(found) > 60
        check(service, must, found[::8])


def test_the_schemas_find_what_is_wrong(
    small_service: Service, small_archive: Small, must: Must
) -> None:
    good = annotation_of(small_service, f"claim/{small_archive.birthplace}#p1")
    for broken in ({**good, "@context": "x"}, {**good, "type": "Note"}, {**good, "bodyValue": "x"}):
        assert must.missed(broken)


def test_the_page_of_a_claim_links_its_annotations(
    small_service: Service, small_archive: Small
) -> None:
    page = fetch(f"{small_service.address}/page/claim/{small_archive.birthplace}").text
    assert f"/data/annotation/{small_archive.birthplace}/p1.jsonld" in page


def test_what_is_closed_or_not_there_is_no_annotation(
    small_service: Service, small_archive: Small
) -> None:
    for path in (f"{small_archive.secret_claim}/p1", f"{small_archive.quarantined}/p1",
                 f"{small_archive.birthplace}/p9", "x%22%3E/p1", "a/%3Cb%3E"):  # fmt: skip
        assert fetch(f"{small_service.address}/data/annotation/{path}.jsonld").status == 404
