"""Agents go out as EAC-CPF 2.0, and what comes in again is what went out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from rdfkms.app import exporting_eac
from rdfkms.errors import BadInput, Conflict, NotFound
from rdfkms.publish.eac.elements import made
from tests.tools.described import FILE, Described, Statements, described
from tests.tools.small_run import command

GOLDEN = Path(__file__).parent.parent / "golden"
RECORDS = GOLDEN / "exporting"
SPACE = {"e": "https://archivists.org/ns/eac/v2"}


def eac(one: Described) -> dict[str, Any]:
    return exporting_eac.eac(one.app, one.record, None)


@pytest.fixture(scope="module")
def lighthouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Described]:
    folder = tmp_path_factory.mktemp("eac")
    with described(folder / "A", RECORDS / "lighthouse.xml") as one:
        yield one


@pytest.fixture(scope="module")
def root(lighthouse: Described) -> etree._Element:
    return etree.fromstring(eac(lighthouse)["text"].encode())


def texts(root: etree._Element, path: str) -> list[str]:
    found = root.xpath(path, namespaces=SPACE)
    assert isinstance(found, list)
    return [str(one) if isinstance(one, str) else "".join(one.itertext()) for one in found]


@pytest.mark.parametrize(
    "file",
    [RECORDS / "lighthouse.xml", RECORDS / "two-lives.xml", GOLDEN / "describing/orlanda.xml"],
)
def test_what_comes_in_again_goes_out_the_same(tmp_path: Path, file: Path) -> None:
    with described(tmp_path / "A", file) as one:
        first, said = eac(one), one.statements()
    again = tmp_path / file.name
    again.write_text(first["text"], encoding="utf-8")
    with described(tmp_path / "B", again) as one:
        second, said_again = eac(one), one.statements()
    assert second["text"] == first["text"]
    missing, more = said - said_again, said_again - said
    # what is left out, and the sources that are of the whole record then
    lost = names_of(missing)
    for name, number in (*first["left"].items(), *first["moved"].items()):
        lost[name] = lost.get(name, 0) - number
    assert not any(lost.values())
    assert names_of(more) == first["moved"]
    assert all(said[1] == FILE for said in more)


def names_of(said: Statements) -> dict[str, int]:
    found: dict[str, int] = {}
    for one, number in said.items():
        found[one[0]] = found.get(one[0], 0) + number
    return found


def test_nothing_is_dropped_in_silence(lighthouse: Described) -> None:
    done = eac(lighthouse)
    assert done["left"] == {"description/language": 1}  # the code of it is written
    assert done["moved"] == {"description/source": 1}
    assert done["carried"] + 1 == sum(lighthouse.statements().values())


def test_names_identifiers_and_their_issuers(root: etree._Element) -> None:
    entry = "//e:identity/e:nameEntry"
    assert texts(root, f"{entry}/e:part") == [
        "Lighthouse Service of Port Selene", "Lamp Office & Tower"
    ]  # fmt: skip
    assert texts(root, f"{entry}/@languageOfElement") == ["en"]
    assert texts(root, f"{entry}/e:useDates//@standardDate") == ["1802", "1910"]
    assert texts(root, "//e:identityId") == [
        "https://names.example.org/a/lighthouse", "0000 0001 2345 6789"
    ]  # fmt: skip
    assert texts(root, "//e:identityId/@localType") == ["ISNI"]


def test_the_record_says_who_keeps_it_and_from_what(root: etree._Element) -> None:
    assert texts(root, "/e:eac/e:control/e:recordId") == ["selene-lighthouse"]
    assert texts(root, "//e:otherRecordId") == ["PS-0042"]
    assert texts(root, "//e:agencyCode") == ["XX-PSMA"]
    assert texts(root, "//e:source/@href") == ["https://keepers.example.org/roll/1"]
    assert texts(root, "//e:source/e:reference") == ["Roll of the keepers", "", "Harbour order 12"]
    assert texts(root, "//e:languageDeclaration/@languageCode") == ["eng"]


def test_dates_keep_words_and_normal_form(root: etree._Element) -> None:
    exist = "//e:existDates/e:dateRange"
    assert texts(root, f"{exist}/*") == ["1 May 1802", "about 1910"]
    assert texts(root, f"{exist}/*/@standardDate") == ["1802-05-01", "1910"]
    relation = "//e:relation[e:relationType = 'temporal-later']/e:date"
    assert texts(root, f"{relation}/@certainty") == ["circa"]
    assert texts(root, "//e:function/e:dateRange/e:toDate/@status") == ["ongoing"]


def test_a_place_stands_with_its_role_its_address_and_its_other_name(root: etree._Element) -> None:
    first, second, third = root.findall(".//e:place", SPACE)
    assert texts(first, "e:placeRole") == ["seat"]
    assert texts(first, "e:placeName/@valueURI") == ["https://places.example.org/selene"]
    assert texts(second, "e:placeName") == ["North Mole", "Old Battery"]
    assert texts(third, "e:placeName/@languageOfElement") == ["en", "fr"]


def test_relations_tell_their_meaning_the_other_and_a_note(root: etree._Element) -> None:
    parent = "//e:relation[e:relationType = 'hierarchical-parent']"
    assert texts(root, f"{parent}/e:targetEntity/@valueURI") == ["agent-harbour-office"]
    assert texts(root, f"{parent}/e:descriptiveNote/e:p") == ["Since the port was chartered."]
    assert texts(root, "//e:targetRole") == ["isLedBy"]
    assert texts(root, "//e:targetEntity/@targetType") == [
        "agent", "person", "agent", "resource", "resource", "function",
    ]  # fmt: skip
    assert texts(root, "//e:setComponent/@href") == [
        "https://others.example.org/lamp/9", "https://alt.example.org/lamp"
    ]  # fmt: skip


def test_several_identities_stay_one_record(tmp_path: Path) -> None:
    with described(tmp_path / "A", RECORDS / "two-lives.xml") as one:
        told = eac(one)["text"]
    root = etree.fromstring(told.encode())
    assert texts(root, "/e:eac/e:multipleIdentities/e:cpfDescription//e:part") == [
        "Arnau, Mira", "La Sirène", "Arnau"
    ]  # fmt: skip
    assert texts(root, "//e:existDates/@localType") == ["active"]


def test_several_records_become_a_file_each(tmp_path: Path) -> None:
    with described(tmp_path / "A", RECORDS / "wrapped.xml") as one:
        with pytest.raises(BadInput, match="2 authority records"):
            eac(one)
        with pytest.raises(BadInput, match="one file"):
            exporting_eac.eac(one.app, one.record, tmp_path / "one.xml")
        done = exporting_eac.eac(one.app, one.record, tmp_path / "out")
        with pytest.raises(Conflict):
            exporting_eac.eac(one.app, one.record, tmp_path / "out")
    assert done["records"] == 2
    for name in ("keeper-1", "keeper-2"):
        file = tmp_path / "out" / f"{name}.xml"
        with described(tmp_path / name, file) as one:
            assert eac(one)["text"] == file.read_text(encoding="utf-8")


def test_a_list_of_agents_becomes_authority_records(tmp_path: Path) -> None:
    with described(tmp_path / "A", RECORDS / "keepers.csv", "agents") as one:
        done = exporting_eac.eac(one.app, one.record, tmp_path / "out")
    assert done["records"] == 3
    assert done["left"] == {}
    for number, file in enumerate(sorted((tmp_path / "out").iterdir())):
        with described(tmp_path / str(number), file) as one:
            assert eac(one)["text"] == file.read_text(encoding="utf-8")


def test_what_is_no_authority_record_is_refused(tmp_path: Path) -> None:
    with described(tmp_path / "A", GOLDEN / "describing" / "harbour.xml") as one:
        with pytest.raises(BadInput, match="no persons"):
            eac(one)
        with pytest.raises(NotFound):
            exporting_eac.eac(one.app, "nothing", None)


def test_the_command_writes_the_file_and_tells_what_it_left(tmp_path: Path) -> None:
    with described(tmp_path / "A", RECORDS / "lighthouse.xml") as one:
        told, record = eac(one)["text"], one.record
    target = tmp_path / "out.xml"
    done = command(
        "export", "eac", "--archive", tmp_path / "A", "--record", record, "--to", target
    )  # fmt: skip
    assert target.read_text(encoding="utf-8") == told
    assert "left out: description/language (1)" in done.stderr
    assert "told of the whole record: description/source (1)" in done.stderr


def test_what_xml_cannot_hold_is_written_as_a_space() -> None:
    assert made("part", "Ada\x0bVane", valueURI="P\x00-9").text == "Ada Vane"
