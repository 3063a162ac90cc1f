"""XML part by part: every element stands where it says, in files of any make."""

from __future__ import annotations

import time
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdfkms.errors import BadInput
from rdfkms.ingest.describing.xmlfile import Element, Part, parts, words
from rdfkms.model import Fault

TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"]), max_size=20
).map(lambda text: text.replace("\r", " "))


def read(path: Path, data: str | bytes, notes: list[Fault] | None = None) -> list[Part]:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return list(parts(path, lambda name, parent: name == "c", notes))


def elements(element: Element) -> list[Element]:
    return [element, *(one for child in element.all() for one in elements(child))]


def test_elements_stand_where_they_say(tmp_path: Path) -> None:
    data = (
        "<r>\r\n<a t='x>y' u=\"é\">Straße <b/>&amp; <i>中文</i></a><!-- <no/> -->"
        "<d  /><e></e><?pi <x/> ?></r>"
    )
    (part,) = read(tmp_path / "x.xml", data)
    found = {one.name: part.raw[one.start : one.end] for one in elements(part.element)}
    assert found["a"] == "<a t='x>y' u=\"é\">Straße <b/>&amp; <i>中文</i></a>"
    assert (found["b"], found["d"], found["e"]) == ("<b/>", "<d  />", "<e></e>")
    inner = {one.name: part.raw[one.inner : one.inner_end] for one in elements(part.element)}
    assert inner["a"] == "Straße <b/>&amp; <i>中文</i>"
    assert (inner["b"], inner["e"], inner["i"]) == ("", "", "中文")
    assert [one.line for one in elements(part.element)] == [1, 2, 2, 2, 2, 2]
    assert words(part.element) == "Straße & 中文"


@given(st.lists(TEXTS, min_size=1, max_size=5), TEXTS)
def test_any_words_come_back(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], head: str
) -> None:
    inner = "".join(f"<e>{escape(text)}</e>" for text in texts)
    path = tmp_path_factory.mktemp("x") / "x.xml"
    (part,) = read(path, f"<r><h>{escape(head)}</h>{inner}</r>")
    found = [one for one in part.element.all("e")]
    assert [words(one) for one in found] == [" ".join(text.split()) for text in texts]
    assert all(part.raw[one.start : one.end].startswith("<e>") for one in found)
    assert all(part.raw[one.start : one.end].endswith("</e>") for one in found)


def test_a_part_is_given_out_without_the_parts_inside_it_and_again_behind_them(
    tmp_path: Path,
) -> None:
    data = "<r><h>one</h><w><c><t>two</t><c>three</c></c><c>four</c></w><z>five</z></r>"
    found = read(tmp_path / "x.xml", data)
    told = [(one.element.path, one.number, words(one.element)) for one in found]
    assert told == [
        ("/r[1]", 1, "one"),
        ("/r[1]/w[1]/c[1]", 1, "two"),
        ("/r[1]/w[1]/c[1]/c[1]", 1, "three"),
        ("/r[1]/w[1]/c[2]", 1, "four"),
        ("/r[1]", 2, "five"),
    ]
    assert [len(one.above) for one in found] == [0, 1, 2, 1, 0]
    for one in found:
        assert data[one.start : one.start + len(one.raw)] == one.raw


def test_words_of_what_is_open_around_a_part_are_kept_before_and_behind_it(tmp_path: Path) -> None:
    data = "<r><w k='v'><x>one <c>two</c> three <y>four</y></x> five</w><w><c>six</c></w></r>"
    found = read(tmp_path / "x.xml", data)
    assert [words(one.element) for one in found] == ["one", "two", "three four five", "six"]
    (piece,) = (one for one in found if one.number == 2)
    inner = next(piece.element.within("y"))
    assert piece.raw[inner.start : inner.end] == "<y>four</y>"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("\ufeff<r>é</r>".encode(), "é"),
        ('<?xml version="1.0" encoding="UTF-16"?><r>é</r>'.encode("utf-16"), "é"),
        ('<?xml version="1.0" encoding="ISO-8859-1"?><r>é</r>'.encode("latin-1"), "é"),
        (b'<?xml version="1.0" encoding="UTF-8"?>\n<r>\xe9</r>', "é"),
    ],
)
def test_encodings(tmp_path: Path, data: bytes, said: str) -> None:
    notes: list[Fault] = []
    (part,) = read(tmp_path / "x.xml", data, notes)
    assert words(part.element) == said
    wrong = b"\xe9" in data and b"UTF-8" in data
    assert [note.place for note in notes] == (["line 2"] if wrong else [])


def test_entities_that_only_a_dtd_knows_are_kept_or_resolved(tmp_path: Path) -> None:
    notes: list[Fault] = []
    data = '<!DOCTYPE r SYSTEM "no.dtd"><r>a&eacute;b&nosuch;</r>'
    (part,) = read(tmp_path / "x.xml", data, notes)
    assert words(part.element) == "aéb&nosuch;"
    assert len(notes) == 1
    assert "'nosuch'" in notes[0].reason


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("<r><a></r>", "line 1: no well-formed XML inside <a> of line 1"),
        ("<r>" + "<a>" * 120 + "</a>" * 120 + "</r>", "nested more than 100 deep"),
        ('<!DOCTYPE r [<!ENTITY a "&b;"><!ENTITY b "x">]><r>&a;</r>', "holds markup or other"),
        ('<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/hosts">]><r>&a;</r>', "from outside"),
        ('<?xml version="1.0" encoding="klingon"?><r/>', "'klingon' is not known"),
        ("<r>" + "x" * 4_000_001 + "</r>", "bytes of its own"),
    ],
)
def test_what_may_not_be_read_is_refused_with_its_place(
    tmp_path: Path, data: str, why: str
) -> None:
    with pytest.raises(BadInput) as caught:
        read(tmp_path / "x.xml", data)
    assert why in caught.value.message


def test_entities_in_attributes_that_only_a_dtd_knows_are_resolved_too(tmp_path: Path) -> None:
    data = (
        '<!DOCTYPE r SYSTEM "r.dtd" [<!ENTITY place "Selene">]>\n'
        '<r a="Ren&eacute; of\n&place;" b=\'x &amp; &#233; "&nowhere;"\'>&eacute;</r>'
    )
    notes: list[Fault] = []
    (part,) = read(tmp_path / "x.xml", data, notes)
    assert part.element.attributes == {"a": "René of Selene", "b": 'x & é "&nowhere;"'}
    assert words(part.element) == "é"
    (note,) = notes
    assert "'nowhere'" in note.reason
    assert note.place == "line 2, <r>"


def test_what_stands_in_cdata_is_quoted_with_its_marks(tmp_path: Path) -> None:
    (part,) = read(tmp_path / "x.xml", "<r><p><![CDATA[a < b]]></p></r>")
    paragraph = part.element.first("p")
    assert paragraph is not None
    assert part.raw[paragraph.inner : paragraph.inner_end] == "<![CDATA[a < b]]>"
    assert words(paragraph) == "a < b"


@pytest.mark.parametrize("one", ["<e>é\n</e>", "é &amp;\n"])
def test_twice_the_text_costs_twice_the_time(tmp_path: Path, one: str) -> None:
    def seconds(count: int) -> float:
        path = tmp_path / "x.xml"
        path.write_text(f"<r>{one * count}</r>", encoding="utf-8")
        started = time.perf_counter()
        list(parts(path, lambda name, parent: False))
        return time.perf_counter() - started

    seconds(1_000)
    assert seconds(80_000) < 4 * 4 * seconds(20_000)  # quadratic: sixteen times that of a quarter


@pytest.mark.parametrize(
    "data",
    [
        f'<r a="{"x" * 5_000_000}"/>',
        f"<r><!--{'x' * 5_000_000}--></r>",
        f"<r>{'<p>words</p>' * 500_000}</r>",
    ],
)
def test_a_part_that_does_not_end_is_refused_while_it_is_read(tmp_path: Path, data: str) -> None:
    with pytest.raises(BadInput, match=r"line 1.*4,000,000"):
        read(tmp_path / "x.xml", data)


@pytest.mark.parametrize("name", ["utf-7", "base64", "idna", "rot13", "nobody-knows"])
def test_what_is_no_encoding_of_documents_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="is not known here"):
        read(tmp_path / "x.xml", f'<?xml version="1.0" encoding="{name}"?><r/>')


def test_an_encoding_that_does_not_hold_is_refused_and_ascii_is_read_as_utf_8(
    tmp_path: Path,
) -> None:
    head = '<?xml version="1.0" encoding="{}"?>\n<r>{}</r>'
    with pytest.raises(BadInput, match="says that it is shift_jis, and is not"):
        read(tmp_path / "x.xml", head.format("Shift_JIS", "x").encode() + b"\xff\xff")
    (part,) = read(tmp_path / "x.xml", head.format("Shift_JIS", "港").encode("shift_jis"))
    assert words(part.element) == "港"
    (part,) = read(tmp_path / "x.xml", head.format("US-ASCII", "é"))
    assert words(part.element) == "é"


def test_elements_that_give_structure_stand_apart(tmp_path: Path) -> None:
    data = "<r><did><a>OX/1</a><b>Letter <i>o</i>ne</b></did><x><d>1849</d><d>1920</d></x></r>"
    (part,) = read(tmp_path / "x.xml", data)
    assert words(part.element, apart=True) == "OX/1\nLetter one\n1849\n1920"
    assert words(part.element) == "OX/1Letter one18491920"


def test_names_without_end_and_files_of_a_mark_alone_are_refused(tmp_path: Path) -> None:
    long = "a" * 1_000
    for data in (f"<r><{long}/></r>", f'<r {long}="1"/>'):
        with pytest.raises(BadInput, match="more than 200 letters"):
            read(tmp_path / "x.xml", data)
    for data in (b"\xef\xbb\xbf", b"\xff\xfe"):
        with pytest.raises(BadInput, match="is empty"):
            read(tmp_path / "x.xml", data)
