"""Records go out as finding aids, and what comes in again is what went out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from rdfkms.access import ANONYMOUS
from rdfkms.app import exporting_ead, operations
from rdfkms.app.composition import OWNER
from rdfkms.errors import BadInput, Conflict, NotFound
from rdfkms.publish.describing.reading import read
from rdfkms.publish.ead.dialect import EAD3, EAD2002
from rdfkms.publish.views import scope_of
from tests.tools.described import Described, Statements, described
from tests.tools.small_run import command

GOLDEN = Path(__file__).parent.parent / "golden"
LIGHTSHIP = GOLDEN / "exporting" / "lightship.xml"
HARBOUR = GOLDEN / "describing" / "harbour.xml"
VERSIONS = {"3": EAD3.namespace, "2002": EAD2002.namespace}


def ead(one: Described, version: str = "3") -> dict[str, Any]:
    return exporting_ead.ead(one.app, one.record, None, version)


def names_of(said: Statements) -> Counter[str]:
    found: Counter[str] = Counter()
    for one, number in said.items():
        found[one[0]] += number
    return found


@pytest.fixture(scope="module")
def lightship(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Described]:
    folder = tmp_path_factory.mktemp("ead")
    with described(folder / "A", LIGHTSHIP) as one:
        yield one


@pytest.fixture(scope="module")
def root(lightship: Described) -> etree._Element:
    return etree.fromstring(ead(lightship)["text"].encode())


@pytest.fixture(scope="module")
def older(lightship: Described) -> etree._Element:
    return etree.fromstring(ead(lightship, "2002")["text"].encode())


def texts(root: etree._Element, path: str) -> list[str]:
    spaces = {"e": etree.QName(root).namespace or "", "x": "http://www.w3.org/1999/xlink"}
    found = root.xpath(path, namespaces=spaces)
    assert isinstance(found, list)
    return [
        str(one) if isinstance(one, str) else " ".join("".join(one.itertext()).split())
        for one in found
    ]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("file", [LIGHTSHIP, HARBOUR], ids=lambda path: path.stem)
def test_what_comes_in_again_goes_out_the_same(tmp_path: Path, file: Path, version: str) -> None:
    with described(tmp_path / "A", file) as one:
        first, said = ead(one, version), one.statements()
    again = tmp_path / "again.xml"
    again.write_text(first["text"], encoding="utf-8")
    with described(tmp_path / "B", again) as one:
        second, said_again = ead(one, version), one.statements()
    assert second["text"] == first["text"]
    assert etree.fromstring(first["text"].encode()).tag == f"{{{VERSIONS[version]}}}ead"
    told = Counter(first["left"]) + Counter(first["moved"]) + Counter(first["without_language"])
    assert not names_of(said - said_again) - told
    # what is said of another place, or without its language, is all that is new
    assert sum((said_again - said).values()) <= told.total()


def test_nothing_is_dropped_in_silence(lightship: Described) -> None:
    done = ead(lightship)
    assert done["left"] == {}
    assert done["carried"] == sum(lightship.statements().values())
    older = ead(lightship, "2002")
    assert older["carried"] + sum(older["left"].values()) == done["carried"]
    assert older["left"]["description/provenance"] == 1  # EAD 2002 has no agency that keeps it
    assert older["without_language"]["description/biographyOrHistory"] == 1


def test_the_header_says_what_the_finding_aid_says_of_itself(root: etree._Element) -> None:
    assert texts(root, "//e:recordid") == ["lightship-aid"]
    assert texts(root, "//e:recordid/@instanceurl") == ["https://aids.example.org/lightship"]
    assert texts(root, "//e:otherrecordid") == ["LS-7"]
    assert texts(root, "//e:titleproper") == ["Papers of the Lightship Selene", "A survey"]
    assert texts(root, "//e:agencycode") == ["XX-PSMA"]
    assert texts(root, "//e:languagedeclaration/e:language/@langcode") == ["eng"]
    assert texts(root, "//e:sourceentry") == ["Log of the tender"]


def test_dates_keep_words_and_normal_form(root: etree._Element, older: etree._Element) -> None:
    assert texts(root, "//e:archdesc/e:did/e:unitdate/@normal") == ["1802/1910"]
    assert texts(root, "//e:fromdate/@standarddate") == ["1800"]
    assert texts(root, "//e:c01/e:did/e:unitdate/@certainty") == ["uncertain", "circa"]
    assert texts(root, "//e:c02/e:did/e:unitdate") == ["o. D."]
    assert "about 1800" in texts(older, "//e:unitdate")


def test_names_are_who_they_were(root: etree._Element, older: etree._Element) -> None:
    maker = "//e:origination/e:corpname"
    assert texts(root, f"{maker}/@identifier") == texts(older, f"{maker}/@authfilenumber")
    assert texts(root, f"{maker}/@source") == ["psn"]
    assert texts(root, "//e:origination/e:persname/@normal") == ["Vey, Orlanda, 1849-1920"]
    assert texts(root, "//e:controlaccess/e:persname/@relator") == ["donor"]


def test_who_is_named_in_prose_is_marked_there(root: etree._Element) -> None:
    assert texts(root, "//e:acqinfo/e:p") == [
        "Given by Vey, Orlanda in 1911, through Lamprey, Ada."
    ]  # fmt: skip
    assert texts(root, "//e:acqinfo//e:persname") == ["Vey, Orlanda", "Lamprey, Ada"]
    assert texts(root, "//e:acqinfo//e:persname/@identifier") == ["agent-orlanda"]


def test_words_are_in_their_language(root: etree._Element) -> None:
    assert texts(root, "//e:bioghist/@lang") == ["fr"]
    assert texts(root, "//e:unittitle[@lang='fr']") == ["Papiers du bateau-feu Sélène"]
    assert texts(root, "/e:ead/@lang") == []  # the declaration tells it
    assert texts(root, "//e:c01/@lang") == ["fr"]


def test_components_keep_their_ids_their_order_and_need_no_others(root: etree._Element) -> None:
    assert texts(root, "//e:dsc//@id") == ["log-1"]
    assert texts(root, "//e:c03/e:did/e:unittitle") == ["Loose leaf", "Loose leaf"]
    assert texts(root, "//e:c01/@level") == ["series", "otherlevel"]
    assert texts(root, "//e:c01/@otherlevel") == ["parcel"]


def test_access_conditions_and_copies_go_out(root: etree._Element, older: etree._Element) -> None:
    for one in (root, older):
        assert texts(one, "//e:accessrestrict/e:p") == ["Open.", "But the sick lists are not."]
    assert texts(root, "//e:dao/@href") == texts(older, "//e:dao/@x:href")
    assert texts(root, "//e:dao/@linktitle") == ["Scan"]
    assert texts(older, "//e:dao/e:daodesc") == ["Two pages are missing."]


def test_a_table_becomes_a_finding_aid_with_ids_of_its_own(tmp_path: Path) -> None:
    table = GOLDEN / "exporting" / "components.csv"
    with described(tmp_path / "A", table, "components") as one:
        first = ead(one)
    again = tmp_path / "again.xml"
    again.write_text(first["text"], encoding="utf-8")
    with described(tmp_path / "B", again) as one:
        assert ead(one)["text"] == first["text"]
    ids = texts(etree.fromstring(first["text"].encode()), "//e:c/@id")
    assert (
        len(ids) == len(set(ids)) == len(texts(etree.fromstring(first["text"].encode()), "//e:c"))
    )
    assert first["left"] == {}


def test_what_an_archivist_wrote_goes_out_behind_what_the_file_says(tmp_path: Path) -> None:
    with described(tmp_path / "A", HARBOUR) as one:
        scope = scope_of(one.app.ledger.store, one.app.base, one.app.mapping, ANONYMOUS)
        account = read(scope, one.record)
        (whole,) = [said.object for said in account.all("description/describes")]
        kind, key = scope.base.split(whole) or ("", "")
        arguments = {"thing": f"{kind}/{key}", "field": "accessConditions",
                     "value": "Ask first.\n\nIn <pencil>."}  # fmt: skip
        operations.perform_here(one.app, "amend", arguments, OWNER)
        root = etree.fromstring(ead(one)["text"].encode())
    assert texts(root, "//e:accessrestrict") == [
        "Open; medical reports are closed for 100 years.", "Ask first. In <pencil>."
    ]  # fmt: skip


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    with described(tmp_path / "A", GOLDEN / "describing" / "orlanda.xml") as one:
        with pytest.raises(BadInput, match="no records"):
            ead(one)
        with pytest.raises(BadInput, match="no version 1"):
            ead(one, "1")
        with pytest.raises(NotFound):
            exporting_ead.ead(one.app, "nothing", None)


def test_the_command_writes_the_file_and_tells_what_it_left(tmp_path: Path) -> None:
    with described(tmp_path / "A", LIGHTSHIP) as one:
        told, record = ead(one, "2002")["text"], one.record
        target = tmp_path / "out.xml"
        exporting_ead.ead(one.app, record, target, "2002")
        with pytest.raises(Conflict):
            exporting_ead.ead(one.app, record, target, "2002")
    assert target.read_text(encoding="utf-8") == told
    done = command(
        "export", "ead", "--archive", tmp_path / "A", "--record", record, "--version", "2002"
    )  # fmt: skip
    assert done.stdout == told
    assert "left out: description/provenance (1)" in done.stderr
