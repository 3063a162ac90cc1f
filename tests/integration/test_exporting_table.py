"""Descriptions go out as tables by the columns by which they come in."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from rdfkms.app import exporting_table
from rdfkms.errors import BadInput, Conflict, Misconfigured, NotFound
from tests.tools.described import Described, described
from tests.tools.small_run import command

GOLDEN = Path(__file__).parent.parent / "golden"
TABLES = GOLDEN / "exporting"
TABLE = {"components": TABLES / "components.csv", "agents": TABLES / "keepers.csv"}


def table(one: Described, columns: str) -> dict[str, Any]:
    return exporting_table.table(one.app, one.record, columns, None)


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def filled(text: str) -> list[list[str]]:
    """The rows below the headings, cells without words left out."""
    return [[cell for cell in row if cell] for row in rows_of(text)[1:]]


@pytest.mark.parametrize("columns", sorted(TABLE))
def test_a_table_goes_out_as_it_came_in(tmp_path: Path, columns: str) -> None:
    with described(tmp_path / "A", TABLE[columns], columns) as one:
        first, said = table(one, columns), one.statements()
    assert filled(first["text"]) == filled(TABLE[columns].read_text(encoding="utf-8"))
    assert first["left"] == {}
    again = tmp_path / TABLE[columns].name
    again.write_bytes(first["text"].encode())
    with described(tmp_path / "B", again, columns) as one:
        assert table(one, columns)["text"] == first["text"]
        assert one.statements() == said


def test_a_finding_aid_as_a_table_is_a_fixed_point(tmp_path: Path) -> None:
    with described(tmp_path / "A", GOLDEN / "describing" / "harbour.xml") as one:
        first = table(one, "components")
        number = sum(one.statements().values())
    assert [row[:4] for row in rows_of(first["text"])[1:4]] == [
        ["HO", "", "fonds", "Harbour Office of Port Selene"],
        ["HO/1", "HO", "series", "Pilots' journals"],
        ["HO/1/1", "HO/1", "file", "Journal of Orlanda Vey & crew"],
    ]
    assert first["carried"] + sum(first["left"].values()) == number
    assert first["left"]["description/subject"] == 3
    again = tmp_path / "harbour.csv"
    again.write_bytes(first["text"].encode())
    with described(tmp_path / "B", again, "components") as one:
        assert table(one, "components")["text"] == first["text"]


def test_a_unit_without_title_or_code_has_a_row_of_its_own(tmp_path: Path) -> None:
    with described(tmp_path / "A", GOLDEN / "describing" / "harbour.xml") as one:
        rows = rows_of(table(one, "components")["text"])
    assert [row[3] for row in rows if row[0] == "HO/1/2"] == [""]  # its code is no title
    (plan,) = [row for row in rows if row[3] == "Map of the roads"]
    assert plan[0].startswith("item-")
    assert plan[1:3] == ["HO", "item"]


def test_the_columns_decide_what_is_in_the_table(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(
        'type = "RecordSet"\ndelimiter = ";"\n[types]\nitem = { type = "Record" }\n'
        '[[columns]]\nheadings = ["Signatur"]\nsays = "identifier"\n'
        '[[columns]]\nheadings = ["Gehört zu"]\nsays = "parent"\n'
        '[[columns]]\nheadings = ["Personen"]\nsays = "description/subject"\n'
        'separator = "|"\ntype = "Person"\n'
        '[[columns]]\nheadings = ["Laufzeit"]\nsays = "description/unitDate"\nnormal = true\n',
        encoding="utf-8",
    )
    with described(tmp_path / "A", GOLDEN / "describing" / "harbour.xml") as one:
        text = table(one, str(mine))["text"]
    assert text.splitlines()[0] == "Signatur;Gehört zu;Personen;Laufzeit"
    told = {row[0]: row[2:] for row in csv.reader(io.StringIO(text), delimiter=";")}
    assert told["HO"][1] == "1871-1934"
    assert told["HO/1/1"][1] == "ca. 1890-1894 [?]"
    assert [row[0] for row in told.values() if row[0]] == ["Personen", "Vey, Orlanda (1849-1920)"]


def test_a_value_with_the_separator_in_it_is_left_and_told(tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_text("identifier,title,creator\nA,One,Lamp; Oil\n", encoding="utf-8")
    mine = tmp_path / "whole.toml"
    mine.write_text(
        'type = "RecordSet"\n[[columns]]\nheadings = ["identifier"]\nsays = "identifier"\n'
        '[[columns]]\nheadings = ["title"]\nsays = "namedAs"\n'
        '[[columns]]\nheadings = ["creator"]\nsays = "description/provenance"\n',
        encoding="utf-8",
    )
    with described(tmp_path / "A", file, str(mine)) as one:
        done = table(one, "components")
        assert "Lamp" in table(one, str(mine))["text"]
    assert "Lamp" not in done["text"]
    assert done["left"] == {"description/provenance": 1, "namedAs": 1}


def test_what_makes_no_such_table_is_refused(tmp_path: Path) -> None:
    with described(tmp_path / "A", GOLDEN / "describing" / "orlanda.xml") as one:
        with pytest.raises(BadInput, match="components"):
            table(one, "components")
        assert rows_of(table(one, "agents")["text"])[1][1:3] == ["person", "Vey, Orlanda"]
        with pytest.raises(NotFound):
            exporting_table.table(one.app, "nothing", "agents", None)
        with pytest.raises(Misconfigured):
            table(one, "no-such-columns")
        target = tmp_path / "there.csv"
        target.touch()
        with pytest.raises(Conflict):
            exporting_table.table(one.app, one.record, "agents", target)


def test_the_command_writes_the_table_and_tells_what_it_left(tmp_path: Path) -> None:
    with described(tmp_path / "A", GOLDEN / "describing" / "harbour.xml") as one:
        text, record = table(one, "components")["text"], one.record
    target = tmp_path / "out.csv"
    done = command(
        "export", "table", "--archive", tmp_path / "A", "--record", record,
        "--columns", "components", "--to", target,
    )  # fmt: skip
    assert target.read_bytes() == text.encode()
    assert "left out: description/subject (3)" in done.stderr
