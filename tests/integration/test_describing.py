"""Finding aids and authority records come in by the gate, each statement with its element."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rdfkms.app import composition, describing
from rdfkms.app.composition import OWNER
from rdfkms.pipeline.describing import DescribingLine
from tests.tools.service import Service, serving
from tests.tools.small_run import command

FILES = Path(__file__).parent.parent / "golden" / "describing"
RICO = "PREFIX rico: <https://www.ica.org/standards/RiC/ontology#>\n"
KMS = "PREFIX kms: <https://w3id.org/rdfkms/ns#>\n"


def described(archive: Path, *paths: Path, options: tuple[str, ...] = ()) -> dict[str, Any]:
    done = command("describe", "--archive", archive, "--json", *options, *paths)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    archive = tmp_path_factory.mktemp("described") / "A"
    return archive, described(archive, FILES)


@pytest.fixture(scope="module")
def service(built: tuple[Path, dict[str, Any]]) -> Iterator[Service]:
    with serving(built[0]) as running:
        yield running


def rows(service: Service, query: str) -> list[dict[str, str]]:
    status, text = service.sparql(RICO + KMS + query)
    assert status == 200, text
    return [
        {name: cell["value"] for name, cell in row.items()}
        for row in json.loads(text)["results"]["bindings"]
    ]


def test_every_statement_is_admitted_and_what_has_no_place_is_listed(
    built: tuple[Path, dict[str, Any]],
) -> None:
    archive, report = built
    assert report["files"]["new"] == 2
    assert report["verdicts"]["admitted"] == report["candidates"] > 60
    assert report["unmapped"] == {
        "/ead/archdesc/dsc/c/c/fabled": 1,
        "/eac-cpf/control/maintenanceStatus": 1,
    }
    assert "all laws hold" in command("check", "--archive", archive).stdout


def test_the_hierarchy_is_there_in_its_order(service: Service) -> None:
    found = rows(
        service,
        "SELECT ?parent ?title ?rank WHERE { ?p rico:directlyIncludes ?c ; rico:title ?parent . "
        "?c rico:title ?title ; rico:rankInSequence ?rank } ORDER BY ?parent ?rank",
    )
    assert [(row["parent"], row["title"], row["rank"]) for row in found] == [
        ("Harbour Office of Port Selene", "Pilots' journals", "1"),
        ("Harbour Office of Port Selene", "Map of the roads", "2"),
        ("Pilots' journals", "Journal of Orlanda Vey & crew", "1"),
        ("Pilots' journals", "HO/1/2", "2"),
    ]


def test_a_statement_quotes_the_markup_and_its_unit_tells_the_lines(service: Service) -> None:
    (row,) = rows(
        service,
        """SELECT ?quote ?start ?text ?fragment ?section WHERE {
          ?claim kms:claimValue ?v ; kms:pointer ?p ; kms:claimPredicate kms:namedAs .
          FILTER(STR(?v) = "Pilots' journals")
          ?p kms:quote ?quote ; kms:start ?start ; kms:unitText/kms:text ?text ; kms:citesUnit ?u .
          ?u kms:locator/kms:fragment ?fragment ; kms:section ?section }""",
    )
    assert row["quote"] == "Pilots' <emph>journals</emph>"
    start = int(row["start"])
    assert row["text"][start : start + len(row["quote"])] == row["quote"]
    lines = (FILES / "harbour.xml").read_text(encoding="utf-8").splitlines()
    found = re.fullmatch(r"line=(\d+),(\d+)", row["fragment"])
    assert found is not None
    assert "Pilots'" in "\n".join(lines[int(found[1]) - 1 : int(found[2])])
    assert lines[int(found[1]) - 1].strip().startswith('<c level="series"')
    assert row["section"] == "/ead[1]/archdesc[1]/dsc[1]/c[1]"


def test_authority_record_and_finding_aid_speak_of_one_person(service: Service) -> None:
    found = rows(
        service,
        """SELECT DISTINCT ?person ?name ?file WHERE {
          ?person a rico:Person ; rico:hasOrHadAgentName ?n . ?n rico:textualValue ?name ;
          kms:readIn/rico:isDirectConstituentOf/rico:title ?file } ORDER BY ?name""",
    )
    assert len({row["person"] for row in found}) == 1
    assert [row["name"] for row in found] == [
        "Vey, Orlanda", "Vey, Orlanda (1849-1920)", "Vey, Orlande",
    ]  # fmt: skip
    assert len({row["file"] for row in found}) == 2


def test_dates_keep_their_words_and_their_normal_form(service: Service) -> None:
    found = rows(
        service,
        "SELECT ?words ?normal WHERE { ?s rico:isAssociatedWithDate ?d . "
        "?d rico:expressedDate ?words OPTIONAL { ?d rico:normalizedDateValue ?normal } }",
    )
    told = {row["words"]: row.get("normal") for row in found}
    assert told["1871-1934"] == "1871/1934"
    assert told["ca. 1890-1894 [?]"] == "1890%/1894%"
    assert told["o. D."] is None


def test_pages_show_words_and_open_the_element(service: Service) -> None:
    (row,) = rows(
        service, 'SELECT ?s WHERE { ?s rico:title ?t FILTER(STR(?t) = "Pilots\' journals") }'
    )
    status, page = service.get("/page/set/" + row["s"].rpartition("/")[2])
    assert status == 200
    assert "Pilots&#39; journals" in page
    assert "&lt;emph&gt;journals&lt;/emph&gt;" in page
    assert service.get("/search?q=pilotage")[1].count("&lt;subject&gt;") == 0
    status, page = service.get("/collections")
    assert page.count(">Harbour Office of Port Selene</a>") == 1


def test_a_file_that_is_known_says_nothing_twice(built: tuple[Path, dict[str, Any]]) -> None:
    archive, first = built
    again = described(archive, FILES)
    assert again["files"]["known"] == 2
    assert again["revision"] == first["revision"]
    assert again["candidates"] == first["candidates"]


def test_where_authors_are_not_trusted_everything_waits(tmp_path: Path) -> None:
    archive = tmp_path / "A"
    report = described(
        archive, FILES / "orlanda.xml", options=("--profile", "description-review")
    )  # fmt: skip
    assert report["verdicts"]["admitted"] == 0
    assert report["verdicts"]["quarantined"] == report["candidates"] > 10
    assert report["reasons"]["descriptionAwaitsReview"] == report["candidates"]
    with serving(archive) as service:
        assert rows(service, "SELECT ?p WHERE { ?p a rico:Person }") == []
    assert "all laws hold" in command("check", "--archive", archive).stdout


def test_what_comes_in_closed_is_told_to_nobody(tmp_path: Path) -> None:
    archive = tmp_path / "A"
    described(archive, FILES, options=("--access", "closed"))
    with serving(archive) as service:
        assert rows(service, "SELECT ?s WHERE { ?s rico:title ?t }") == []
        assert "/page/person/" not in service.get("/search?q=Orlanda+Vey")[1]


LAUGHS = """<?xml version="1.0"?>
<!DOCTYPE ead [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>
<ead><eadheader><eadid>x</eadid></eadheader><archdesc><did>
<unittitle>&b;</unittitle></did></archdesc></ead>"""
OUTSIDE = """<?xml version="1.0"?>
<!DOCTYPE ead [<!ENTITY secret SYSTEM "file:///etc/hostname">]>
<ead><eadheader><eadid>x</eadid></eadheader><archdesc><did>
<unittitle>&secret;</unittitle></did></archdesc></ead>"""
UNCLOSED = """<ead><eadheader><eadid>x</eadid></eadheader>
<archdesc>
<did><unittitle>A</did></archdesc></ead>"""
BAD = {
    "laughs.xml": (LAUGHS, "line 2", "entity 'b'"),
    "outside.xml": (OUTSIDE, "line 4", "outside"),
    "unclosed.xml": (UNCLOSED, "line 3", "<unittitle> of line 3"),
    "other.xml": ("<mets><x/></mets>", "", "begins with <mets>"),
    "empty.xml": ("", "", "neither EAD nor EAC-CPF"),
    "deep.xml": ("<ead>" + "<c>" * 200 + "</c>" * 200 + "</ead>", "line 1", "nested more than"),
}


def test_bad_files_are_refused_with_their_place_and_the_others_come_in(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    for name, (text, _, _) in BAD.items():
        (folder / name).write_text(text, encoding="utf-8")
    with (folder / "huge.xml").open("wb") as handle:
        handle.write(b"<ead><eadheader/>")
        handle.truncate(2_000_000_000)
    latin = (FILES / "orlanda.xml").read_text(encoding="utf-8").replace("Orlande", "Orlandé")
    (folder / "latin.xml").write_bytes(latin.encode("latin-1"))
    good = "\ufeff" + (FILES / "harbour.xml").read_text(encoding="utf-8")
    (folder / "good.xml").write_text(good, encoding="utf-8")
    report = described(tmp_path / "A", folder)
    assert (report["files"]["new"], report["files"]["refused"]) == (2, len(BAD) + 1)
    told = {Path(fault["source"]).name: fault for fault in report["faults"]}
    for name, (_, line, words) in BAD.items():
        assert line in told[name]["reason"], told[name]
        assert words in told[name]["reason"], told[name]
    assert "2,000,000,000 bytes" in told["huge.xml"]["reason"]
    assert "not; it was read as Windows-1252" in told["latin.xml"]["reason"]
    assert "all laws hold" in command("check", "--archive", tmp_path / "A").stdout


def many(count: int) -> str:
    parts = "".join(
        f'<c level="file" id="n{n}"><did><unitid>X/{n}</unitid>'
        f"<unittitle>File {n}</unittitle></did></c>"
        for n in range(count)
    )
    return (
        "<ead><eadheader><eadid>many</eadid></eadheader><archdesc level='fonds'><did><unittitle>"
        f"Many</unittitle></did><dsc>{parts}</dsc></archdesc></ead>"
    )


def test_a_run_that_was_broken_off_goes_on_where_it_stood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "many.xml"
    path.write_text(many(150), encoding="utf-8")
    whole = described(tmp_path / "whole", path)
    command("init", "--archive", tmp_path / "A")
    publish, calls = DescribingLine.publish_section, []

    def once(self: DescribingLine, *arguments: Any) -> None:
        calls.append(1)
        if len(calls) > 1:
            raise KeyboardInterrupt
        publish(self, *arguments)

    monkeypatch.setattr(DescribingLine, "publish_section", once)
    with composition.writing(tmp_path / "A", "describe") as app, pytest.raises(KeyboardInterrupt):
        describing.describe(app, {"paths": [str(path)]}, OWNER, lambda *_: None)
    again = described(tmp_path / "A", path)
    for name in ("candidates", "verdicts", "statements"):
        assert again[name] == whole[name]
    assert len(calls) == 2
    assert "all laws hold" in command("check", "--archive", tmp_path / "A").stdout


def test_a_changed_file_shows_its_difference_and_updates_by_identifier(tmp_path: Path) -> None:
    archive, path = tmp_path / "A", tmp_path / "harbour.xml"
    text = (FILES / "harbour.xml").read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    first = described(archive, path)
    changed = text.replace("Map of the roads", "Chart of the roads").replace(
        "<userestrict><p>No copies of plates.</p></userestrict>", ""
    )
    path.write_text(changed, encoding="utf-8")
    told = described(archive, path)
    assert told["files"]["changed"] == 1
    assert told["revision"] == first["revision"]
    (difference,) = told["differences"]
    lines = {(one["sign"], one["statement"], one["value"]) for one in difference["lines"]}
    assert ("-", "namedAs", "Map of the roads") in lines
    assert ("+", "namedAs", "Chart of the roads") in lines
    assert ("-", "description/useConditions", "No copies of plates.") in lines
    assert not any(statement == "description/scopeAndContent" for _, statement, _ in lines)
    shown = command("describe", "--archive", archive, path).stdout
    assert "run again with --update" in shown
    assert "- item/" in shown
    dry = described(archive, path, options=("--update", "--dry-run"))
    assert dry["differences"] == told["differences"]
    assert dry["revision"] == told["revision"]
    updated = described(archive, path, options=("--update",))
    assert updated["files"]["updated"] == 1
    with serving(archive) as service:
        titles = rows(service, "SELECT ?s ?t WHERE { ?s rico:title ?t }")
        assert "Map of the roads" not in {row["t"] for row in titles}
        assert "Chart of the roads" in {row["t"] for row in titles}
        assert rows(service, "SELECT ?u WHERE { ?s rico:conditionsOfUse ?u }") == []
        found = rows(service, "SELECT ?s { ?s rico:identifier ?i FILTER(STR(?i) = 'HO/1/1') }")
        assert len(found) == 1
    assert "all laws hold" in command("check", "--archive", archive).stdout
    assert described(archive, path)["files"]["known"] == 1


def test_the_hierarchy_page_shows_what_is_above_beside_and_below(service: Service) -> None:
    (row,) = rows(
        service, 'SELECT ?s WHERE { ?s rico:title ?t FILTER(STR(?t) = "Pilots\' journals") }'
    )
    key = row["s"].rpartition("/")[2]
    status, page = service.get(f"/page/set/{key}/hierarchy")
    assert status == 200
    above, beside, below = (
        page.index(">Harbour Office of Port Selene</a>"),
        page.index(">Map of the roads</a>"),
        page.index(">Journal of Orlanda Vey &amp; crew</a>"),
    )
    assert above < below < beside
    assert "2 components" in page
    assert service.get(f"/page/set/{key}/hierarchy?after=1")[1].count("HO/1/2") >= 1
    assert "Journal of Orlanda" not in service.get(f"/page/set/{key}/hierarchy?after=1")[1]
    assert service.get("/page/person/x/hierarchy")[0] == 404
    assert service.get(f"/page/set/{key}/hierarchy?after=x")[0] == 400


RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:rico="https://www.ica.org/standards/RiC/ontology#">
  <rico:Person rdf:about="https://agents.example.org/vey"><rico:name>Orlanda Vey</rico:name>
    {more}</rico:Person></rdf:RDF>"""


def test_two_files_of_rdf_about_one_person_are_two_records_and_one_person(tmp_path: Path) -> None:
    for name, more in (("a.rdf", ""), ("b.rdf", "<rico:history>A pilot.</rico:history>")):
        (tmp_path / name).write_text(RDF.format(more=more), encoding="utf-8")
    (tmp_path / "broken.ttl").write_text("<#a> a owl:Thing .\n", encoding="utf-8")
    report = described(tmp_path / "A", tmp_path)
    assert (report["files"]["new"], report["files"]["refused"]) == (2, 1)
    assert "line 1" in report["faults"][0]["reason"]
    with serving(tmp_path / "A") as service:
        found = rows(
            service,
            "SELECT ?p ?h ?f WHERE { ?p a rico:Person ; rico:history ?h ; "
            "rico:hasOrHadAgentName/kms:readIn/rico:isDirectConstituentOf ?f }",
        )
        assert len({row["p"] for row in found}) == 1
        assert len({row["f"] for row in found}) == 2
