"""Tables of descriptions come in by the columns that are declared for them, as any description."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tools.service import Service, serving
from tests.tools.small_run import command

PREFIXES = (
    "PREFIX rico: <https://www.ica.org/standards/RiC/ontology#>\n"
    "PREFIX kms: <https://w3id.org/rdfkms/ns#>\n"
)
COMPONENTS = """Identifier,Parent,Level,Title,Dates,Creator,Digital object,Shelf
HO/1/1,HO/1,item,"Journal of the roads,
second volume",1889,,https://example.org/ho/1.tif,x
HO,,fonds,Harbour Office,1871-1934,"Vey, Orlanda",,x
HO/1,HO,series,Pilots' journals,,,,x
HO/2,HO,series,Lights,o. D.,,,x
HO/3
HO/4,HO/9,file,Strays,,,,x
"""
AGENTS = """identifier\ttype\tname\tdates of existence\tplaces
p1\tperson\tVey, Orlanda\t1849-1920\tPort Selene; Old Quay
c1\tcorporate body\tHarbour Office\tsince 1871\tPort Selene
"""


def described(archive: Path, *arguments: str | Path) -> dict[str, Any]:
    done = command("describe", "--archive", archive, "--json", *arguments)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("tables")
    (folder / "list.csv").write_text(COMPONENTS, encoding="utf-8")
    (folder / "agents.tsv").write_text(AGENTS, encoding="utf-8")
    report = described(folder / "A", "--columns", "components", folder / "list.csv")
    described(folder / "A", "--columns", "agents", folder / "agents.tsv")
    return folder, report


@pytest.fixture(scope="module")
def service(built: tuple[Path, dict[str, Any]]) -> Iterator[Service]:
    with serving(built[0] / "A") as running:
        yield running


def rows(service: Service, query: str) -> list[dict[str, str]]:
    status, text = service.sparql(PREFIXES + query)
    assert status == 200, text
    return [
        {name: cell["value"] for name, cell in row.items()}
        for row in json.loads(text)["results"]["bindings"]
    ]


def test_all_is_admitted_and_what_is_wrong_is_told(built: tuple[Path, dict[str, Any]]) -> None:
    folder, report = built
    assert report["files"]["new"] == 1
    assert report["verdicts"]["admitted"] == report["candidates"] > 30
    assert report["unmapped"] == {"column Shelf": 1}
    assert [fault["place"] for fault in report["faults"]] == ["line 7", "line 8"]
    assert "all laws hold" in command("check", "--archive", folder / "A").stdout


def test_parents_make_the_hierarchy(service: Service) -> None:
    found = rows(
        service,
        "SELECT ?parent ?title ?rank WHERE { ?p rico:directlyIncludes ?c ; rico:title ?parent . "
        "?c rico:title ?title ; rico:rankInSequence ?rank } ORDER BY ?parent ?rank",
    )
    assert [(row["parent"], row["title"], row["rank"]) for row in found] == [
        ("Harbour Office", "Pilots' journals", "1"),
        ("Harbour Office", "Lights", "2"),
        ("Pilots' journals", "Journal of the roads,\nsecond volume", "1"),
    ]


def test_a_statement_quotes_its_cell_and_its_unit_the_row(service: Service) -> None:
    (row,) = rows(
        service,
        """SELECT ?text ?fragment ?section WHERE {
          ?p kms:quote "1889" ; kms:unitText/kms:text ?text ; kms:citesUnit ?u .
          ?u kms:locator/kms:fragment ?fragment ; kms:section ?section }""",
    )
    assert row["text"] == COMPONENTS[COMPONENTS.index("HO/1/1") : COMPONENTS.index("\nHO,,")]
    assert (row["fragment"], row["section"]) == ("line=2,3", "row[1]")


def test_agents_are_persons_and_bodies_with_their_dates(service: Service) -> None:
    found = rows(
        service,
        "SELECT ?name ?birth WHERE { ?p a rico:Person ; rico:birthDate ?birth ; "
        "rico:hasOrHadAgentName/rico:textualValue ?name }",
    )
    assert [(row["name"], row["birth"]) for row in found] == [("Vey, Orlanda", "1849")]
    found = rows(
        service,
        "SELECT ?begin WHERE { ?c rico:beginningDate ?begin ; "
        'rico:hasOrHadAgentName/rico:textualValue "Harbour Office" }',
    )
    assert [row["begin"] for row in found] == ["1871"]


def test_a_preview_shows_what_columns_say_and_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(COMPONENTS, encoding="utf-8")
    arguments = ("describe", "--archive", tmp_path / "A", "--columns", "components", "--preview")
    done = command(*arguments, path)
    assert "Title: namedAs  Harbour Office" in done.stdout
    assert "'Shelf'" in done.stdout
    assert "'container'" in done.stdout
    assert "line 7" in done.stderr
    (file,) = json.loads(command(*arguments, "--json", path).stdout)["files"]
    assert file["undeclared"] == ["Shelf"]
    assert list(tmp_path.iterdir()) == [path]
    refused = command("describe", "--archive", tmp_path / "A", "--preview", path, check=False)
    assert refused.returncode != 0
    assert "--columns" in refused.stderr
    assert list(tmp_path.iterdir()) == [path]


def test_a_row_on_top_and_other_columns_change_what_they_say(tmp_path: Path) -> None:
    archive, path, mine = tmp_path / "A", tmp_path / "list.csv", tmp_path / "mine.toml"
    path.write_text("id,title,remark\nA,Pilots,old\nB,Lights,new\n", encoding="utf-8")
    profile = (
        'type = "RecordSet"\n[[columns]]\nheadings = ["id"]\nsays = "identifier"\n'
        '[[columns]]\nheadings = ["title"]\nsays = "namedAs"\n'
    )
    mine.write_text(profile, encoding="utf-8")
    first = described(archive, "--columns", mine, path)
    assert first["unmapped"] == {"column remark": 1}
    again = described(archive, "--columns", mine, "--update", path)
    assert (again["files"]["known"], again["revision"]) == (1, first["revision"])
    remark = '[[columns]]\nheadings = ["remark"]\nsays = "description/note"\n'
    mine.write_text(profile + remark, encoding="utf-8")
    other = described(archive, "--columns", mine, "--update", path)
    assert other["files"]["updated"] == 1
    assert [(one["kept"], one["added"], one["removed"]) for one in other["differences"]] == [
        (6, 2, 0)
    ]
    path.write_text("id,title,remark\nC,Ships,\nA,Pilots,old\nB,Lights,\n", encoding="utf-8")
    changed = described(archive, "--columns", mine, "--update", path)
    (difference,) = changed["differences"]
    lines = {(one["sign"], one["statement"], one["value"]) for one in difference["lines"]}
    assert ("+", "namedAs", "Ships") in lines
    assert ("-", "description/note", "new") in lines
    assert not any(value in ("Pilots", "old") for _, _, value in lines)
    assert "all laws hold" in command("check", "--archive", archive).stdout


def test_what_is_no_table_is_refused_and_the_others_come_in(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "a.csv").write_text("name\nA\n", encoding="utf-8")
    (folder / "b.csv").write_bytes(b"PK\x03\x04")
    (folder / "c.CSV").write_text("identifier,title\nA,Good\n", encoding="utf-8")
    (folder / "readme.txt").write_text("identifier,title\nB,None\n", encoding="utf-8")
    report = described(tmp_path / "A", "--columns", "components", folder)
    assert (report["files"]["new"], report["files"]["refused"]) == (1, 2)
    assert ["spreadsheet" in fault["reason"] for fault in report["faults"]] == [False, True]
