"""Tables of descriptions: what rows state, by which cells, and what is wrong with a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdfkms.errors import BadInput, Misconfigured
from rdfkms.ingest.describing import table
from rdfkms.ingest.describing.table_columns import (
    ROLES,
    SAYS,
    Column,
    Columns,
    RowType,
    load,
    names,
)
from rdfkms.ingest.describing.table_rows import MOST_ROW, Broken, Row, rows
from rdfkms.ingest.describing.table_survey import MOST_NOTES
from rdfkms.knowledge import mapping
from rdfkms.model import Fault, Statement, Stretch, Thing, Value

COMPONENTS, AGENTS = load("components"), load("agents")
Factory = pytest.TempPathFactory


def read(
    tmp_path: Path,
    text: str | bytes,
    columns: Columns = COMPONENTS,
    notes: list[Fault] | None = None,
) -> list[Stretch]:
    """Read a table, and check what must hold of every stretch and statement."""
    path = tmp_path / "list.csv"
    data = text.encode() if isinstance(text, str) else text
    path.write_bytes(data)
    stretches = list(table.read(path, notes if notes is not None else [], columns))
    for stretch in stretches:
        if isinstance(text, str):
            raw = stretch.raw.encode()
            assert data[stretch.start : stretch.start + len(raw)] == raw
            assert stretch.line == 1 + data[: stretch.start].count(b"\n")
        for one in stretch.statements:
            _check(stretch, one)
    return stretches


def _check(stretch: Stretch, one: Statement) -> None:
    rules = mapping.load()
    quote = stretch.raw[one.start : one.end]
    assert quote.strip() == quote != ""
    if one.name != "namedAs":
        assert rules.accepts_subject(one.name, one.subject.type), one
        assert one.object is None or rules.accepts_object(one.name, one.object.type), one
    assert (one.value is None) != (one.object is None)
    if one.value is not None and one.value.datatype in ("string", "edtf"):
        shown = one.value.verbatim or one.value.lexical
        assert shown.split() == quote.replace('""', '"').split(), one


def said(stretch: Stretch, name: str, subject: Thing | None = None) -> list[str]:
    """Return the values of the statements of this name about the row, or about another thing."""
    return [
        one.value.lexical
        for one in stretch.statements
        if one.name == name and one.value is not None and one.subject == (subject or stretch.about)
    ]


def led(stretch: Stretch, name: str) -> list[Thing]:
    """Return what the statements of this name lead to."""
    return [one.object for one in stretch.statements if one.name == name and one.object]


def above(stretches: list[Stretch]) -> dict[str, tuple[str, str, str]]:
    """Return, by identifier, the statement that places a row, the parent's, and the rank."""
    found = {}
    for stretch in stretches:
        for one in stretch.statements:
            if one.object == stretch.about:
                rank = "".join(said(stretch, "description/rank"))
                found[stretch.about.identity[2]] = (one.name, one.subject.identity[-1], rank)
    return found


# ---- rows and cells -----------------------------------------------------------------------------


def test_a_row_says_what_its_columns_declare(tmp_path: Path) -> None:
    text = (
        "Identifier,Level,Title,Dates,Extent,Scope-and content,Creator,access,USE_CONDITIONS,"
        "Language,Container,Digital object,Note\n"
        'HO,fonds,Harbour Office,"1871-1934; o. D.","3,5 m",Ships and pilots,'
        '"Vey, Orlanda; Port Selene",open,none,eng;Old Selenian,box 1,'
        "https://example.org/a/1.tif;b.tif,=SUM(A1:A9)\n"
    )
    (row,) = read(tmp_path, text)
    assert row.about == Thing("RecordSet", ("table", "list.csv", "HO"))
    assert (row.element, row.line) == ("row[1]", 2)
    assert said(row, "namedAs") == ["Harbour Office"]
    assert said(row, "description/identifier") == ["HO"]
    assert said(row, "description/level") == ["fonds"]
    assert said(row, "description/recordSetType")[0].endswith("#Fonds")
    assert said(row, "description/unitDate") == ["1871/1934", "o. D."]
    assert said(row, "description/extent") == ["3,5 m"]
    assert said(row, "description/scopeAndContent") == ["Ships and pilots"]
    assert said(row, "description/accessConditions") == ["open"]
    assert said(row, "description/useConditions") == ["none"]
    assert said(row, "description/membersLanguageCode")[0].endswith("/iso639-2/eng")
    assert said(row, "description/language") == ["Old Selenian"]
    assert said(row, "description/container") == ["box 1"]
    assert said(row, "description/note") == ["=SUM(A1:A9)"]
    makers = led(row, "description/provenance")
    assert [maker.identity[2] for maker in makers] == ["vey, orlanda", "port selene"]
    assert said(row, "namedAs", makers[0]) == ["Vey, Orlanda"]
    remote, local = led(row, "description/digitalCopy")
    assert remote.identity == ("dao", "https://example.org/a/1.tif")
    assert said(row, "description/address", remote) == ["https://example.org/a/1.tif"]
    assert said(row, "description/identifier", local) == ["b.tif"]
    assert led(row, "description/describes") == [row.about]
    assert row.unmapped == ()


def test_a_cell_over_several_lines_is_quoted_as_it_stands(tmp_path: Path) -> None:
    text = 'identifier,title,note\r\nA,"The ""Tern""\r\n and crew","x"\r\nB,ünd, y \r\n'
    first, second = read(tmp_path, text)
    assert first.raw == 'A,"The ""Tern""\r\n and crew","x"'
    (name,) = [one for one in first.statements if one.name == "namedAs"]
    assert first.raw[name.start : name.end] == 'The ""Tern""\r\n and crew'
    assert said(first, "namedAs") == ['The "Tern"\nand crew']
    assert (second.line, second.raw) == (4, "B,ünd, y ")
    assert said(second, "description/note") == ["y"]
    assert second.text == "B\nünd\ny"


ODD = st.sampled_from([",", ";", '"', "\n", "\r\n", "\r", "\t", "|", " ", "é", "𐀀"])
WORDS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=12
)
CELLS = st.lists(ODD | WORDS, max_size=5).map("".join)


def written(cell: str, delimiter: str, *, quoted: bool) -> str:
    """Write a cell by RFC 4180, in quotation marks where it must be."""
    if quoted or any(mark in cell for mark in (delimiter, '"', "\r", "\n")):
        return '"' + cell.replace('"', '""') + '"'
    return cell


@given(st.data())
def test_any_cell_comes_back_from_its_place(data: st.DataObject) -> None:
    wanted = data.draw(st.lists(st.lists(CELLS, min_size=1, max_size=4), max_size=6))
    delimiter = data.draw(st.sampled_from(",;\t|"))
    end = data.draw(st.sampled_from(["\n", "\r\n", "\r"]))
    quoted = data.draw(st.booleans())
    lines = [
        delimiter.join(written(cell, delimiter, quoted=quoted) for cell in row) for row in wanted
    ]
    text = end.join(lines) + data.draw(st.sampled_from(["", end]))
    found = list(rows(text.encode(), delimiter))
    kept = [
        (line, row) for line, row in zip(lines, wanted, strict=True) if any(map(str.strip, row))
    ]
    assert len(found) == len(kept)
    for row, (line, cells) in zip(found, kept, strict=True):
        assert isinstance(row, Row)
        assert row.raw == line
        assert [row.content(one) for one in row.cells] == cells
        before, after = text.encode()[: row.start].decode(), text.encode()[row.start :].decode()
        assert after.startswith(line)
        assert row.line == 1 + before.replace("\r\n", "\n").replace("\r", "\n").count("\n")


@given(st.lists(CELLS.filter(str.strip), min_size=1, max_size=3))
def test_any_words_are_quoted_in_their_row(tmp_path_factory: Factory, titles: list[str]) -> None:
    folder = tmp_path_factory.mktemp("any")
    lines = [f"{n},{written(title, ',', quoted=False)}\n" for n, title in enumerate(titles)]
    path = folder / "list.csv"
    path.write_text("identifier,title\n" + "".join(lines), encoding="utf-8", newline="")
    found = list(table.read(path, [], COMPONENTS))
    for stretch, title, line in zip(found, titles, lines, strict=True):
        assert stretch.raw + "\n" == line
        (name,) = said(stretch, "namedAs")
        assert name.split() == title.split()
        for one in stretch.statements:
            _check(stretch, one)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_anything_is_read_to_its_end(text: str) -> None:
    for row in rows(text.encode(), ","):
        assert isinstance(row, Broken) or text.encode()[row.start :].decode().startswith(row.raw)


def test_a_quotation_mark_that_is_never_closed_costs_its_line_only() -> None:
    found = list(rows(b'a,b\n1,"x\n2,y\n3,z\n', ","))
    assert [(row.line, isinstance(row, Broken)) for row in found] == [
        (1, False), (2, True), (3, False), (4, False),
    ]  # fmt: skip


def test_a_row_without_end_does_not_take_in_the_file() -> None:
    data = b"a,b\n1," + b"x" * (MOST_ROW + 9) + b"\n2,y\n"
    head, large, last = rows(data, ",")
    assert isinstance(large, Broken)
    assert "1,000,000 bytes" in large.why
    assert isinstance(last, Row)
    assert (last.line, last.raw) == (3, "2,y")
    assert head.line == 1


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_the_delimiter_is_the_one_that_leads_to_the_declared_columns(
    tmp_path: Path, delimiter: str
) -> None:
    text = delimiter.join(["identifier", "title", "a, b, c, d"]) + "\n"
    text += delimiter.join(["A", "Pilots, and others", "x"]) + "\n"
    (row,) = read(tmp_path, text)
    assert said(row, "namedAs") == ["Pilots, and others"]


def test_a_file_that_is_no_utf8_is_read_and_noted(tmp_path: Path) -> None:
    notes: list[Fault] = []
    (row,) = read(tmp_path, "identifier,title\nA,Orlandé\n".encode("cp1252"), notes=notes)
    assert said(row, "namedAs") == ["Orlandé"]
    assert [fault.place for fault in notes] == ["line 2"]
    assert "Windows-1252" in notes[0].reason
    (row,) = read(tmp_path, b"\xef\xbb\xbfidentifier,title\nA,Orland\xc3\xa9\n", notes=notes)
    assert (said(row, "namedAs"), row.start, len(notes)) == (["Orlandé"], 17, 1)


# ---- faults -------------------------------------------------------------------------------------


def test_ragged_and_broken_rows_are_left_out_with_their_lines(tmp_path: Path) -> None:
    text = (
        "identifier,title\nA,one\nB\n\nC,two,three\nD,\"four\" and\n,,\n , \nE,\x07\nF,five\n"
        'G,"six\n'
    )  # fmt: skip
    notes: list[Fault] = []
    found = read(tmp_path, text, notes=notes)
    assert [row.about.identity[2] for row in found] == ["A", "F"]
    assert [fault.place for fault in notes] == ["line 3", "line 5", "line 6", "line 9", "line 11"]
    for fault, words in zip(
        notes, ("1 cells", "3 cells", "behind the quotation", "control", "never closed"),
        strict=True,
    ):  # fmt: skip
        assert words in fault.reason


def test_an_identifier_that_comes_again_has_its_line(tmp_path: Path) -> None:
    notes: list[Fault] = []
    text = "identifier,parent,title\nA,,one\nA,,two\n,,three\nB,A,four\n"
    found = read(tmp_path, text, notes=notes)
    assert [row.about.identity[2:] for row in found] == [
        ("A",), ("A", "line 3"), ("", "line 4"), ("B",),
    ]  # fmt: skip
    assert above(found)["B"] == ("description/includes", "A", "1")
    assert [fault.place for fault in notes] == ["line 3", "line 4"]
    assert "line 2" in notes[0].reason


def test_parents_may_come_later_and_place_their_rows(tmp_path: Path) -> None:
    text = (
        "identifier,parent,level\nP1,I,part\nP2,S,part\nI,S,item\nS,F,series\nF,,fonds\n"
        "I2,S,item\nsub,I,series\n"
    )
    found = read(tmp_path, text)
    assert above(found) == {
        "P1": ("description/constituent", "I", "1"),
        "P2": ("description/part", "S", "1"),
        "I": ("description/includes", "S", "2"),
        "S": ("description/includes", "F", "1"),
        "F": ("description/describes", "@file", ""),
        "I2": ("description/includes", "S", "3"),
        "sub": ("description/constituent", "I", "2"),
    }
    types = {row.about.identity[2]: row.about.type for row in found}
    assert types == {
        "P1": "RecordPart", "P2": "RecordPart", "I": "Record", "S": "RecordSet",
        "F": "RecordSet", "I2": "Record", "sub": "RecordPart",
    }  # fmt: skip
    # what is part of a record is no record set, whatever its level is called
    assert said(found[-1], "description/recordSetType") == []


def test_parents_that_do_not_exist_and_circles_are_cut(tmp_path: Path) -> None:
    notes: list[Fault] = []
    text = "identifier,parent\nA,B\nB,C\nC,A\nD,A\nE,E\nF,nobody\nG,F\n"
    found = read(tmp_path, text, notes=notes)
    tops = [key for key, (name, _, _) in above(found).items() if name == "description/describes"]
    assert tops == ["A", "B", "C", "E", "F"]
    assert above(found)["D"][1] == "A"
    assert above(found)["G"][1] == "F"
    assert [fault.place for fault in notes] == ["line 2", "line 6", "line 7"]
    for line in ("line 2 (parent 'B')", "line 3 (parent 'C')", "line 4 (parent 'A')"):
        assert line in notes[0].reason
    assert "'nobody'" in notes[2].reason


def test_a_long_chain_and_a_large_circle_are_no_trouble(tmp_path: Path) -> None:
    many = 5_000
    chain = "".join(f"{n},{n + 1}\n" for n in range(many))
    assert len(read(tmp_path, f"identifier,parent\n{chain}{many},\n")) == many + 1
    notes: list[Fault] = []
    read(tmp_path, f"identifier,parent\n{chain}{many},0\n", notes=notes)
    assert len(notes) == 1
    assert "and 4,991 more" in notes[0].reason


def test_many_faults_are_counted(tmp_path: Path) -> None:
    notes: list[Fault] = []
    read(tmp_path, "identifier,title\n" + "x\n" * (MOST_NOTES + 7), notes=notes)
    assert len(notes) == MOST_NOTES + 1
    assert "7 faults more" in notes[-1].reason


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"\n \n", "no row of headings"),
        (b"PK\x03\x04xl/workbook.xml", "spreadsheet"),
        (b"name,date\nA,B\n", "line 1: no column has the heading 'identifier'"),
        (b'"identifier,title\nA,B\n', "no row of headings"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path: Path, data: bytes, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(tmp_path, data)
    assert words in caught.value.message


def test_columns_that_are_not_declared_are_told_once(tmp_path: Path) -> None:
    first, second = read(tmp_path, "\nShelf mark,identifier,,level,level\nx,A,y,z,z\nx,B,y,z,z\n")
    assert [(one.element, one.line) for one in first.unmapped] == [
        ("column Shelf mark", 2), ("column 3 (without heading)", 2), ("column level", 2),
    ]  # fmt: skip
    assert second.unmapped == ()


def test_what_no_column_names_is_named_by_its_identifier_date_or_level(tmp_path: Path) -> None:
    notes: list[Fault] = []
    text = "identifier,level,dates\nA,item,1901\n,item,1901-1902\n,item,\n"
    found = read(tmp_path, text, notes=notes)
    assert [said(row, "namedAs") for row in found] == [["A"], ["1901-1902"], ["item"]]


def test_a_level_that_is_not_declared_is_said_and_noted(tmp_path: Path) -> None:
    notes: list[Fault] = []
    found = read(tmp_path, "identifier,level\nA,shoebox\nB,Shoebox\n", notes=notes)
    assert [row.about.type for row in found] == ["RecordSet", "RecordSet"]
    assert said(found[0], "description/level") == ["shoebox"]
    assert ["'shoebox'" in fault.reason for fault in notes] == [True]


# ---- agents -------------------------------------------------------------------------------------


def test_agents_have_names_ends_places_and_occupations(tmp_path: Path) -> None:
    text = (
        "identifier;type;name;other names;dates of existence;history;places;occupations\n"
        'p1;Person;Vey, Orlanda;"Vey, Orlande; O. V.";1849-1920;She kept the light.;'
        '"Port Selene";"pilot"\n'
        "c1;corporate_body;Harbour Office;;since 1871;;;pilotage\n"
        "x;ghost;Nobody;;n.d.;;;\n"
    )
    columns = AGENTS.model_copy(update={"language": "en"})
    notes: list[Fault] = []
    person, body, other = read(tmp_path, text, columns, notes)
    assert person.about == Thing("Person", ("table", "list.csv", "p1"))
    assert said(person, "namedAs") == ["Vey, Orlanda", "Vey, Orlande", "O. V."]
    assert said(person, "birthDate") == ["1849"]
    assert said(person, "deathDate") == ["1920"]
    assert said(person, "description/unitDate") == ["1849/1920"]
    assert said(person, "description/biographyOrHistory") == ["She kept the light."]
    (place,) = led(person, "description/place")
    assert said(person, "namedAs", place) == ["Port Selene"]
    assert [one.type for one in led(person, "description/occupationOf")] == ["OccupationType"]
    assert body.about.type == "OrganizationState"
    assert said(body, "description/beginning") == ["1871"]
    assert said(body, "description/ending") == []
    assert said(body, "description/note") == ["pilotage"]  # only persons have occupations
    assert other.about.type == "Agent"
    assert said(other, "description/unitDate") == ["n.d."]
    assert ["'ghost'" in fault.reason for fault in notes] == [True]
    assert {one.value.language for one in person.statements
            if one.name == "namedAs" and one.value} == {"en"}  # fmt: skip


def columns_of(*columns: Column, **more: object) -> Columns:
    identifier = Column(headings=("id",), says="identifier")
    return Columns.model_validate(
        {"type": "RecordSet", **more, "columns": (identifier, *columns)}
    )  # fmt: skip


def test_a_profile_tells_types_normal_dates_languages_and_the_list(tmp_path: Path) -> None:
    columns = columns_of(
        Column(headings=("by",), says="description/provenance", type="Family", language="fr"),
        Column(headings=("when",), says="description/unitDate", normal=True),
        Column(headings=("form",), says="description/form"),
        Column(headings=("more",), says="description/accruals"),
        Column(headings=("same",), says="description/sameAs", separator=" | "),
        identity="list of 1990",
        types={"item": RowType(type="Record")},
    )
    text = (
        "id,by,when,form,more,same\n"
        "A,Vey,1905-12,letter,none,https://example.org/id/1 | not an address\n"
    )
    (row,) = read(tmp_path, text, columns)
    assert row.about.identity == ("table", "list of 1990", "A")
    (maker,) = led(row, "description/provenance")
    assert maker == Thing("Family", ("named", "list of 1990", "vey"))
    assert said(row, "description/unitDate") == ["1905-12"]
    assert [one.value.datatype for one in row.statements
            if one.name == "description/unitDate" and one.value] == ["edtf"]  # fmt: skip
    assert [one.type for one in led(row, "description/membersForm")] == ["FormType"]
    assert said(row, "description/accruals") == ["none"]
    assert said(row, "description/sameAs") == ["https://example.org/id/1"]
    assert said(row, "description/note") == ["not an address"]


# ---- profiles -----------------------------------------------------------------------------------


def test_what_columns_may_say_is_in_the_mapping_table() -> None:
    rules = mapping.load()
    for name, meaning in SAYS.items():
        assert name == "namedAs" or name in rules.statements, name
        for subject in meaning.about if name != "namedAs" else ():
            said_of = {"description/form"} if subject == "RecordSet" else set()
            assert name in said_of or rules.accepts_subject(name, subject), (name, subject)
        for thing in meaning.things:
            assert rules.accepts_object(name, thing), (name, thing)


def test_shipped_profiles_are_whole() -> None:
    assert names() == ["agents", "components"]
    for name in names():
        assert {"identifier"} <= {column.says for column in load(name).columns}
    assert COMPONENTS.digest != AGENTS.digest


GOOD = 'type = "Record"\n[[columns]]\nheadings = ["id"]\nsays = "identifier"\n'
SECOND = '[[columns]]\nheadings = ["x"]\n'


@pytest.mark.parametrize(
    ("toml", "where"),
    [
        ("type = ", "cannot be read as TOML"),
        ('kind = "x"\n' + GOOD, "kind: "),
        (GOOD.replace("Record", "Ship"), "type: no row is of type 'Ship'"),
        (GOOD.replace('"identifier"', '"namedAs"'), "columns: one column says 'identifier'"),
        (GOOD + SECOND + 'says = "description/kind"\n', "columns.1.says: a column cannot say"),
        (GOOD + SECOND + 'says = "parent"\nseparator = ";"\n', "columns.1: a column that says"),
        (GOOD + SECOND + 'says = "namedAs"\ntype = "Person"\n', "columns.1: a column that says"),
        (GOOD + SECOND + 'says = "description/holder"\ntype = "Ship"\n', "columns.1: type 'Ship'"),
        (GOOD + SECOND + 'says = "namedAs"\nseparator = " "\n', "columns.1.separator: "),
        (GOOD + SECOND + 'says = "namedAs"\nlanguage = "English"\n', "columns.1.language: "),
        (GOOD + SECOND + 'says = "namedAs"\ncolour = "red"\n', "columns.1.colour: "),
        (GOOD + SECOND.replace("x", "ID") + 'says = "namedAs"\n', "'id' is declared twice"),
        (GOOD.replace("Record", "Person") + SECOND + 'says = "parent"\n', "only records"),
        (GOOD + '[types]\na = { type = "Record", set = "File" }\n', "types.a: "),
    ],
)
def test_a_profile_that_is_wrong_names_file_and_key(tmp_path: Path, toml: str, where: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(toml, encoding="utf-8")
    with pytest.raises(Misconfigured) as caught:
        load(path)
    assert str(path) in caught.value.message
    assert where in caught.value.message


def test_a_profile_that_is_not_there_tells_which_are(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured) as caught:
        load("../agents")
    assert "agents, components" in caught.value.hint
    with pytest.raises(Misconfigured, match="cannot be read"):
        load(tmp_path / "none.toml")


# ---- preview ------------------------------------------------------------------------------------


def test_a_preview_tells_what_each_column_would_say(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(
        "identifier;parent;title;shelf;dates\nA;;Harbour;x;1901\nB;A;Pilots;x;\nC\nD;;More;x;\n",
        encoding="utf-8",
    )
    shown = table.preview(path, COMPONENTS, rows=2)
    assert shown.delimiter == ";"
    assert [(row.line, row.type, row.identifier) for row in shown.rows] == [
        (2, "RecordSet", "A"), (3, "RecordSet", "B"),
    ]  # fmt: skip
    told = {(one.column, one.statement, one.value, one.thing) for one in shown.rows[1].said}
    assert told == {
        ("identifier", "description/identifier", "B", ""),
        ("identifier", "description/rank", "1", ""),
        ("parent", "description/includes", "A", "RecordSet"),
        ("title", "namedAs", "Pilots", ""),
    }
    assert ("dates", "1901") in {(one.column, one.value) for one in shown.rows[0].said}
    assert shown.undeclared == ("shelf",)
    assert "container" in shown.lacking
    assert "dates" not in shown.lacking
    assert [fault.place for fault in shown.notes] == ["line 4"]
    assert set(ROLES) & {one.statement for row in shown.rows for one in row.said} == set()


def test_a_span_tells_its_ends_only_where_it_has_some(tmp_path: Path) -> None:
    text = (
        "identifier,type,name,dates\nA,person,Ann,1850-1901\nB,person,Bob,1850-\n"
        "C,person,Cid,between 1850 and 1860\nD,family,Dan,1850 and 1860\n"
    )
    ann, bob, cid, dan = read(tmp_path, text, AGENTS)
    dates = ("description/unitDate", "birthDate", "deathDate", "description/beginning")
    assert [said(ann, name) for name in dates] == [["1850/1901"], ["1850"], ["1901"], []]
    assert [said(bob, name) for name in dates] == [["1850/"], ["1850"], [], []]
    assert [said(cid, name) for name in dates] == [["1850/1860"], [], [], []]
    assert [said(dan, name) for name in dates] == [["1850 and 1860"], [], [], []]


def test_an_address_is_one_that_the_gate_takes(tmp_path: Path) -> None:
    columns = Columns(
        type="Person",
        columns=(
            Column(headings=("id",), says="identifier"),
            Column(headings=("name",), says="namedAs"),
            Column(headings=("same",), says="description/sameAs"),
        ),
    )
    text = "id,name,same\n1,Ann,https://n.example/\u00e9\n2,Bob,https://n.example\n"
    ann, bob = read(tmp_path, text, columns)
    (same,) = (one.value for one in ann.statements if one.name == "description/sameAs")
    written = "https://n.example/\u00e9"
    assert same == Value("https://n.example/%C3%A9", "anyURI", verbatim=written)
    assert said(bob, "description/note") == ["https://n.example"]


@pytest.mark.parametrize("blank", ["", " ", "\xa0", "\u3000,\t"])
def test_a_row_of_spaces_is_none(blank: str) -> None:
    assert [row.line for row in rows(f"a,b\n{blank}\nc,d".encode(), ",")] == [1, 3]
