"""Finding aids in EAD 2002 and EAD3: what is stated, of what, and from which words."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from rdfkms.errors import BadInput
from rdfkms.ingest.describing import ead
from rdfkms.knowledge import mapping
from rdfkms.model import Fault, Statement, Stretch, Thing

FONDS = Thing("RecordSet", ("ead", "gb-1", "archdesc"))
FILE = Thing("Record", ("@file",))
HEADER = "<eadheader><eadid>gb-1</eadid></eadheader>"


def read(tmp_path: Path, xml: str, notes: list[Fault] | None = None) -> list[Stretch]:
    """Read a finding aid, and check what must hold of every statement."""
    path = tmp_path / "aid.xml"
    path.write_bytes(xml.encode())
    stretches = list(ead.read(path, notes if notes is not None else []))
    for stretch in stretches:
        for one in stretch.statements:
            _check(stretch, one)
        assert stretch.raw in xml
        assert stretch.line == 1 + xml.encode()[: stretch.start].count(b"\n")
    return stretches


def whole(tmp_path: Path, inner: str, level: str = "fonds") -> list[Stretch]:
    """Read a finding aid with this inside its `archdesc`."""
    return read(tmp_path, f'<ead>{HEADER}<archdesc level="{level}">{inner}</archdesc></ead>')


def _check(stretch: Stretch, one: Statement) -> None:
    table = mapping.load()
    quote = stretch.raw[one.start : one.end]
    assert quote.strip() == quote != ""
    if one.name != "namedAs":
        assert table.accepts_subject(one.name, one.subject.type), one
        assert one.object is None or table.accepts_object(one.name, one.object.type), one
    if one.value is not None and one.value.datatype in ("string", "edtf"):
        words = html.unescape(re.sub(r"<!--.*?-->|<!\[CDATA\[|\]\]>|<[^>]*>", " ", quote))
        shown = one.value.verbatim or one.value.lexical
        assert "".join(shown.split()) in ("".join(words.split()), *re.findall(r"\w+", quote)), one


def said(stretches: list[Stretch], name: str, subject: Thing | None = None) -> list[str]:
    """Return the values of the statements of this name, those about `subject` where it is given."""
    return [
        one.value.lexical
        for stretch in stretches
        for one in stretch.statements
        if one.name == name and one.value is not None and subject in (None, one.subject)
    ]


def led(stretches: list[Stretch], name: str) -> list[tuple[Thing, Thing]]:
    """Return subject and object of the statements of this name."""
    return [
        (one.subject, one.object)
        for stretch in stretches
        for one in stretch.statements
        if one.name == name and one.object is not None
    ]


def quotes(stretches: list[Stretch], name: str) -> list[str]:
    """Return the quotes of the statements of this name."""
    return [
        stretch.raw[one.start : one.end]
        for stretch in stretches
        for one in stretch.statements
        if one.name == name
    ]


def component(key: str, kind: str = "RecordSet") -> Thing:
    return Thing(kind, ("ead", "gb-1", key))


# ---- header -------------------------------------------------------------------------------------


def test_header_of_ead_2002(tmp_path: Path) -> None:
    stretches = read(
        tmp_path,
        """<ead><eadheader><eadid url="https://example.org/aids/1">gb-1</eadid><filedesc>
        <titlestmt><titleproper>Papers of the Mill</titleproper><subtitle>A list</subtitle>
        <author>By A. Clerk</author></titlestmt>
        <publicationstmt><publisher>Town Archive</publisher><date>1999</date></publicationstmt>
        <notestmt><note><p>Typed twice</p></note></notestmt></filedesc>
        <profiledesc><creation>Made by hand</creation>
        <langusage><language langcode="fre">French</language></langusage>
        <descrules>ISAD(G)</descrules></profiledesc>
        <revisiondesc><change><date>2001</date><item>Corrected</item></change></revisiondesc>
        </eadheader></ead>""",
    )
    assert said(stretches, "namedAs", FILE) == ["Papers of the Mill"]
    assert said(stretches, "description/otherTitle", FILE) == ["A list"]
    assert said(stretches, "description/identifier", FILE) == ["gb-1"]
    assert said(stretches, "description/address", FILE) == ["https://example.org/aids/1"]
    assert said(stretches, "description/conventions", FILE) == ["ISAD(G)"]
    assert said(stretches, "description/language") == ["French"]
    assert said(stretches, "description/languageCode") == [
        "http://id.loc.gov/vocabulary/iso639-2/fre"
    ]
    assert said(stretches, "description/note") == [
        "By A. Clerk", "Town Archive\n1999", "Typed twice", "Made by hand", "2001\nCorrected",
    ]  # fmt: skip
    assert {stretch.language for stretch in stretches} == {"fr"}
    assert not any(stretch.unmapped for stretch in stretches)


def test_control_of_ead3(tmp_path: Path) -> None:
    stretches = read(
        tmp_path,
        """<ead xmlns="http://ead3.archivists.org/schema/"><control><recordid>x9</recordid>
        <otherrecordid>y8</otherrecordid><filedesc><titlestmt><titleproper>The Mill</titleproper>
        </titlestmt></filedesc><maintenancestatus value="new"/><maintenanceagency>
        <agencycode>XX-T</agencycode><agencyname>Town Archive</agencyname></maintenanceagency>
        <languagedeclaration><language langcode="eng"/><script scriptcode="Latn">Latin</script>
        </languagedeclaration><conventiondeclaration><citation>DACS</citation>
        </conventiondeclaration><maintenancehistory><maintenanceevent><eventtype value="created"/>
        <eventdatetime>2013</eventdatetime><agenttype value="human"/><agent>Ann</agent>
        </maintenanceevent></maintenancehistory></control></ead>""",
    )
    agency = Thing("OrganizationState", ("authority", "agencycode", "XX-T"))
    assert said(stretches, "description/identifier", FILE) == ["x9", "y8"]
    assert led(stretches, "description/provenance") == [(FILE, agency)]
    assert said(stretches, "namedAs", agency) == ["Town Archive"]
    assert said(stretches, "description/conventions") == ["DACS"]
    assert said(stretches, "description/note") == ["2013 Ann"]
    assert [left.element for left in stretches[0].unmapped] == [
        "/ead/control/languagedeclaration/script"
    ]


def test_a_header_without_title_is_named_by_its_identifier(tmp_path: Path) -> None:
    assert said(read(tmp_path, f"<ead>{HEADER}</ead>"), "namedAs") == ["gb-1"]


# ---- structure and identity ---------------------------------------------------------------------


def test_levels_types_and_places(tmp_path: Path) -> None:
    stretches = whole(
        tmp_path,
        """<did><unittitle>All</unittitle></did><dsc><c01 id="s" level="series"><did>
        <unittitle>Series</unittitle></did><c02 id="i" level="item"><did><unittitle>Letter
        </unittitle></did><c03 id="p"><did><unittitle>Seal</unittitle></did></c03></c02>
        <c02 id="q" level="otherlevel" otherlevel="Pièce"/></c01>
        <c01 id="t" level="file"/></dsc>""",
    )
    series, letter = component("s"), component("i", "Record")
    seal, sheet, file = component("p", "RecordPart"), component("q", "Record"), component("t")
    assert led(stretches, "description/describes") == [(FILE, FONDS)]
    assert led(stretches, "description/includes") == [
        (FONDS, series), (series, letter), (series, sheet), (FONDS, file),
    ]  # fmt: skip
    assert led(stretches, "description/constituent") == [(letter, seal)]
    assert quotes(stretches, "description/constituent") == ['<c03 id="p">']
    assert said(stretches, "description/rank") == ["1", "1", "1", "2", "2"]
    assert said(stretches, "description/level") == ["fonds", "series", "item", "Pièce", "file"]
    kinds = said(stretches, "description/recordSetType")
    assert [kind.rpartition("#")[2] for kind in kinds] == ["Fonds", "Series", "File"]
    assert said(stretches, "namedAs", sheet) == ["Pièce"]
    assert said(stretches, "namedAs", letter) == ["Letter"]


def test_what_stands_in_for_a_title(tmp_path: Path) -> None:
    stretches = whole(
        tmp_path,
        """<dsc><c id="a"><did><unittitle/><unitid>A 1</unitid><unitdate>1900</unitdate></did></c>
        <c id="b"><did><unitdate>1901</unitdate></did></c><c id="c" level="file"><did/></c>
        <c id="d"/><c id="e" level="otherlevel"/></dsc>""",
    )
    names = [said(stretches, "namedAs", component(key)) for key in "abcde"]
    assert names == [["A 1"], ["1901"], ["file"], ["c"], ["c"]]
    assert said(stretches, "description/identifier", component("a")) == ["A 1"]


def test_identity_of_components(tmp_path: Path) -> None:
    notes: list[Fault] = []
    unit = "<did><unitid>{}</unitid></did>"
    stretches = read(
        tmp_path,
        f"""<ead>{HEADER}<archdesc><dsc>
        <c id="x">{unit.format("A")}<c>{unit.format("1")}</c><c>{unit.format("2")}</c></c>
        <c>{unit.format("B")}<c>{unit.format("1")}</c></c>
        <c>{unit.format("D")}</c><c>{unit.format("D")}</c><c>{unit.format("x")}</c>
        <c id="x">{unit.format("C")}</c><c id="archdesc"/><c/></dsc></archdesc></ead>""",
        notes,
    )
    keys = [stretch.about.identity[2] for stretch in stretches[2:]]
    dsc = "/ead[1]/archdesc[1]/dsc[1]"
    assert keys == [
        "x", "A/1", "A/2", "B", "B/1", f"{dsc}/c[3]", f"{dsc}/c[4]", f"{dsc}/c[5]", f"{dsc}/c[6]",
        f"{dsc}/c[7]", f"{dsc}/c[8]",
    ]  # fmt: skip
    assert [(fault.place, "'x'" in fault.reason) for fault in notes] == [("line 5", True)]


def test_identity_outlasts_changes_around_it(tmp_path: Path) -> None:
    unit = "<c><did><unitid>B</unitid></did></c>"
    before = whole(tmp_path, f"<dsc>{unit}</dsc>")[-1].about
    after = whole(tmp_path, f"<dsc><c><did><unitid>A</unitid></did></c>{unit}</dsc>")[-1].about
    assert before == after == component("B")


def test_without_header_the_file_gives_its_name(tmp_path: Path) -> None:
    stretches = read(tmp_path, "<ead><archdesc><did><unitid>1</unitid></did></archdesc></ead>")
    assert stretches[0].about.identity == ("ead", "aid.xml", "archdesc")


def test_what_follows_the_components_is_of_the_same_thing(tmp_path: Path) -> None:
    stretches = whole(
        tmp_path,
        """<dsc><c id="a" level="series"><did><unittitle>A</unittitle></did><c id="b"/>
        <scopecontent><p>Afterwards</p></scopecontent></c><p>Some words</p></dsc>""",
    )
    assert said(stretches, "description/scopeAndContent", component("a")) == ["Afterwards"]
    assert said(stretches, "namedAs", component("a")) == ["A"]
    assert said(stretches, "description/rank", component("a")) == ["1"]
    assert said(stretches, "description/note", FONDS) == ["Some words"]


def test_several_finding_aids_in_a_wrapper(tmp_path: Path) -> None:
    one = (
        "<ead><eadheader><eadid>{0}</eadid></eadheader><archdesc><dsc><c id='k'/></dsc></archdesc>"
        "</ead>"
    )
    stretches = read(
        tmp_path, f"<r><id>77</id><m>{one.format('n1')}</m><m>{one.format('n2')}</m></r>"
    )
    assert [left.element for left in stretches[0].unmapped] == ["/r/id"]
    abouts = [stretch.about.identity for stretch in stretches[1:]]
    assert abouts == [
        ("@file",), ("ead", "n1", "archdesc"), ("ead", "n1", "k"),
        ("@file", "n2"), ("ead", "n2", "archdesc"), ("ead", "n2", "k"),
    ]  # fmt: skip


def test_prefixes_make_no_difference(tmp_path: Path) -> None:
    plain = (
        f'<ead>{HEADER}<archdesc level="file"><did><unittitle>T</unittitle></did></archdesc></ead>'
    )
    spoken = re.sub(r"<(/?)", r"<\1e:", plain).replace("<e:ead>", '<e:ead xmlns:e="urn:e">')
    first, second = read(tmp_path, plain), read(tmp_path, spoken)
    assert [said([one], "namedAs") for one in first] == [said([one], "namedAs") for one in second]
    assert ead.is_ead("ead")
    assert ead.is_ead("e:ead")
    assert not ead.is_ead("eac-cpf")


# ---- did ----------------------------------------------------------------------------------------


def test_titles_and_their_dates(tmp_path: Path) -> None:
    stretches = whole(
        tmp_path,
        """<did><unittitle>Year <unitdate normal="1842-01-01/1842-12-31">1842</unitdate>: nine
        letters</unittitle><unittitle>Records<unitdate>1925-1965</unitdate></unittitle></did>""",
    )
    assert said(stretches, "namedAs", FONDS) == ["Year 1842: nine letters"]
    assert said(stretches, "description/otherTitle") == ["Records 1925-1965"]
    assert said(stretches, "description/unitDate") == ["1842-01-01/1842-12-31", "1925/1965"]


@pytest.mark.parametrize(
    ("markup", "dates", "datatype"),
    [
        ('<unitdate normal="1897/1956">old times</unitdate>', ["1897/1956"], "edtf"),
        ('<unitdate normal="nonsense">1888</unitdate>', ["1888"], "edtf"),
        ("<unitdate>some day</unitdate>", ["some day"], "string"),
        ('<unitdate normal="1900" certainty="circa">c. 1900</unitdate>', ["1900~"], "edtf"),
        ('<unitdate normal="1900"/>', ["1900"], "edtf"),
        ('<unitdate normal="1901/1902,1905">1901-1905</unitdate>', ["1901/1902", "1905"], "edtf"),
        ("<unitdate/>", [], ""),
        (
            "<unitdatestructured><daterange><fromdate>1917</fromdate><todate>1955</todate>"
            "</daterange></unitdatestructured>",
            ["1917/1955"],
            "edtf",
        ),
        (
            "<unitdatestructured><dateset><datesingle standarddate='1900-05-01'>May Day"
            "</datesingle><daterange><fromdate>1917</fromdate></daterange></dateset>"
            "</unitdatestructured>",
            ["1900-05-01", "1917/"],
            "edtf",
        ),
        ("<unitdatestructured><datesingle>June</datesingle></unitdatestructured>", ["June"],
         "string"),
    ],
)  # fmt: skip
def test_dates(tmp_path: Path, markup: str, dates: list[str], datatype: str) -> None:
    stretches = whole(tmp_path, f"<did><unittitle>T</unittitle>{markup}</did>")
    assert said(stretches, "description/unitDate") == dates
    told = [
        one.value.datatype
        for stretch in stretches
        for one in stretch.statements
        if one.name == "description/unitDate" and one.value
    ]
    assert told == [datatype] * len(dates)


def test_physical_description(tmp_path: Path) -> None:
    stretches = whole(
        tmp_path,
        """<did><physdesc>5 folders</physdesc><physdesc>Fragile</physdesc>
        <physdesc>(1 box) <extent>0.1 m</extent></physdesc>
        <physdesc><extent>3 m</extent> ; <dimensions>18 x 11 cm</dimensions></physdesc>
        <physdescset><physdescstructured><quantity>3</quantity><unittype>boxes</unittype>
        <physfacet>oak</physfacet></physdescstructured></physdescset>
        <physdesc><extent> </extent></physdesc><materialspec>Scale 1:10</materialspec></did>""",
    )
    assert said(stretches, "description/extent") == ["5 folders", "0.1 m", "3 m", "3 boxes"]
    assert said(stretches, "description/physicalDescription") == [
        "Fragile", "(1 box) 0.1 m", "18 x 11 cm", "oak", "Scale 1:10",
    ]  # fmt: skip


def test_languages_of_the_material(tmp_path: Path) -> None:
    stretches = whole(
        tmp_path,
        """<did><langmaterial><language langcode="ger">German</language><language langcode="fr"/>
        </langmaterial><langmaterial>In <language langcode="lat">Latin</language> for the most part.
        </langmaterial><langmaterial>Polish</langmaterial></did>
        <dsc><c id="i" level="item"><did><langmaterial><language langcode="lat"/></langmaterial>
        </did></c></dsc>""",
    )
    assert said(stretches, "description/language") == [
        "German", "In Latin for the most part.", "Polish",
    ]  # fmt: skip
    base = "http://id.loc.gov/vocabulary/iso639-2/"
    assert said(stretches, "description/membersLanguageCode", FONDS) == [
        base + "ger", base + "fre", base + "lat",
    ]  # fmt: skip
    assert quotes(stretches, "description/membersLanguageCode") == ["ger", "fr", "lat"]
    assert said(stretches, "description/languageCode") == [base + "lat"]


def test_origination_and_repository(tmp_path: Path) -> None:
    stretches = whole(
        tmp_path,
        """<did><origination>Perhaps of the <famname authfilenumber="n7" source="reg">Doe family
        </famname>.</origination><origination>Found in a barn</origination><origination><persname>
        Roe, Jane</persname></origination><repository>Town Archive<address><addressline>1 High
        Street</addressline></address></repository></did>""",
    )
    family = Thing("Family", ("authority", "reg", "n7"))
    person = Thing("Person", ("named", "gb-1", "roe, jane"))
    holder = Thing("OrganizationState", ("named", "gb-1", "town archive"))
    assert led(stretches, "description/provenance") == [(FONDS, family), (FONDS, person)]
    assert said(stretches, "namedAs", family) == ["Doe family"]
    assert said(stretches, "description/originNote") == [
        "Perhaps of the Doe family .", "Found in a barn",
    ]  # fmt: skip
    assert led(stretches, "description/holder") == [(FONDS, holder)]
    assert quotes(stretches, "description/holder") == ["Town Archive"]
    assert said(stretches, "description/note", holder) == ["1 High Street"]


def test_places_of_keeping(tmp_path: Path) -> None:
    stretches = whole(
        tmp_path,
        """<did><container type="Box">44</container><container/><physloc>Cellar</physloc>
        <abstract>In short</abstract><didnote>Mind the dog</didnote></did>""",
    )
    assert said(stretches, "description/container") == ["44"]
    assert said(stretches, "description/physicalLocation") == ["Cellar"]
    assert said(stretches, "description/abstract") == ["In short"]
    assert said(stretches, "description/note") == ["Mind the dog"]


# ---- prose --------------------------------------------------------------------------------------


def test_prose_of_the_whole_is_in_stretches_of_its_own(tmp_path: Path) -> None:
    stretches = whole(
        tmp_path,
        """<did><unittitle>T</unittitle></did><bioghist><head>Life</head><p>Born.</p><p>Died.</p>
        </bioghist><accessrestrict><p/></accessrestrict><prefercite><p>Cite.</p></prefercite>""",
    )
    assert [stretch.element for stretch in stretches] == [
        "/ead[1]/eadheader[1]", "/ead[1]/archdesc[1]", "/ead[1]/archdesc[1]/bioghist[1]",
        "/ead[1]/archdesc[1]/prefercite[1]",
    ]  # fmt: skip
    assert said(stretches, "description/biographyOrHistory", FONDS) == ["Born.\nDied."]
    assert quotes(stretches, "description/biographyOrHistory") == ["<p>Born.</p><p>Died.</p>"]
    assert said(stretches, "description/note") == ["Cite."]


def test_groups_within_groups_are_neither_lost_nor_doubled(tmp_path: Path) -> None:
    stretches = whole(
        tmp_path,
        """<descgrp><head>H</head><p>Loose.</p><acqinfo><p>Bought.</p></acqinfo><p>Also.</p>
        </descgrp><accessrestrict><p>Open.</p><legalstatus>Public</legalstatus><accessrestrict>
        <p>Closed in May.</p></accessrestrict><note><p>Or so.</p></note></accessrestrict>
        <legalstatus><p>Apart</p></legalstatus>
        <scopecontent><p>All.</p><arrangement><p>By date.</p></arrangement></scopecontent>""",
    )
    assert said(stretches, "description/acquisition") == ["Bought."]
    assert said(stretches, "description/note") == ["Loose.", "Also.", "Apart"]
    assert sorted(said(stretches, "description/accessConditions")) == [
        "Closed in May.", "Open.", "Or so.", "Public",
    ]  # fmt: skip
    assert said(stretches, "description/scopeAndContent") == ["All."]
    assert said(stretches, "description/arrangement") == ["By date."]
    assert not any(stretch.unmapped for stretch in stretches)


def test_accruals_of_less_than_a_set_are_a_note(tmp_path: Path) -> None:
    grows = "<accruals><p>Grows.</p></accruals>"
    stretches = whole(tmp_path, f'{grows}<dsc><c id="i" level="item">{grows}</c></dsc>')
    assert said(stretches, "description/accruals") == ["Grows."]
    assert said(stretches, "description/note", component("i", "Record")) == ["Grows."]


# ---- names --------------------------------------------------------------------------------------


def test_access_points(tmp_path: Path) -> None:
    stretches = whole(
        tmp_path,
        """<controlaccess><head>Terms</head><p>As in the catalogue.</p><controlaccess>
        <persname role="Creator (cre)" normal="Roe, Jane">Jane Roe</persname>
        <corpname role="Donor (dnr)">Mill Ltd</corpname><geogname>Aville</geogname>
        <subject source="x" authfilenumber="9">Milling</subject><genreform>Letters</genreform>
        <occupation>Miller</occupation><function>Trade</function><title>Flour</title><subject/>
        </controlaccess></controlaccess>
        <dsc><c id="i" level="item"><controlaccess><genreform>Deed</genreform></controlaccess></c>
        </dsc>""",
    )
    jane = Thing("Person", ("named", "gb-1", "roe, jane"))
    assert led(stretches, "description/provenance") == [(FONDS, jane)]
    assert said(stretches, "namedAs", jane) == ["Jane Roe", "Roe, Jane"]
    assert [thing for _, thing in led(stretches, "description/subject")] == [
        Thing("Location", ("named", "gb-1", "aville")),
        Thing("Concept", ("authority", "x", "9")),
        Thing("OccupationType", ("named", "gb-1", "miller")),
        Thing("Activity", ("named", "gb-1", "trade")),
        Thing("Concept", ("named", "gb-1", "flour")),
    ]
    mill = Thing("OrganizationState", ("named", "gb-1", "mill ltd"))
    assert said(stretches, "namedAs", mill) == ["Mill Ltd"]  # a donor is named, and no subject
    letters = Thing("FormType", ("named", "gb-1", "letters"))
    assert led(stretches, "description/membersForm") == [(FONDS, letters)]
    assert led(stretches, "description/form")[0][0] == component("i", "Record")
    assert said(stretches, "description/note") == ["As in the catalogue."]


def test_ead3_names_consist_of_parts(tmp_path: Path) -> None:
    stretches = whole(
        tmp_path,
        """<controlaccess><persname identifier="http://example.org/p/1" source="v"><part>Roe</part>
        <part>Jane</part></persname><geogname><part>A</part><part>ville</part>
        <geographiccoordinates coordinatesystem="w">1,2</geographiccoordinates></geogname>
        </controlaccess>""",
    )
    jane = Thing("Person", ("authority", "v", "http://example.org/p/1"))
    place = Thing("Location", ("named", "gb-1", "a ville"))
    assert said(stretches, "namedAs", jane) == ["Roe Jane"]
    assert said(stretches, "namedAs", place) == ["A ville"]
    assert [left.element.rpartition("/")[2] for s in stretches for left in s.unmapped] == [
        "geographiccoordinates"
    ]


def test_names_in_prose(tmp_path: Path) -> None:
    stretches = whole(
        tmp_path,
        """<did><unittitle>Letters to <persname>A. Roe</persname>, <title>Gazette</title>
        </unittitle></did><scopecontent><p>On <geogname>Aville</geogname>.</p></scopecontent>
        <acqinfo><p>From <persname>B. Doe</persname>, on <subject>loan</subject>.</p></acqinfo>""",
    )
    about = [thing.identity[2] for _, thing in led(stretches, "description/subject")]
    assert about == ["a. roe", "aville"]
    donor = Thing("Person", ("named", "gb-1", "b. doe"))
    assert said(stretches, "namedAs", donor) == ["B. Doe"]


# ---- digital objects ----------------------------------------------------------------------------


def test_digital_objects(tmp_path: Path) -> None:
    stretches = whole(
        tmp_path,
        """<dao xmlns:xlink="urn:x" xlink:href="https://example.org/a?b=1&amp;c=2" xlink:title="A"/>
        <dsc><c id="c"><did><daogrp><daodesc><p>Both sides</p></daodesc><daoloc href="r.jpg"/>
        <daoloc href="v.jpg" title="Verso"/></daogrp><daoset><dao href="https://example.org/d"/>
        <descriptivenote><p>Sound</p></descriptivenote></daoset><dao><daodesc><p>Lost</p></daodesc>
        </dao></did></c></dsc>""",
    )
    first = Thing("Instantiation", ("dao", "https://example.org/a?b=1&c=2"))
    front, back = (Thing("Instantiation", ("dao", "gb-1", f"{side}.jpg")) for side in "rv")
    sound = Thing("Instantiation", ("dao", "https://example.org/d"))
    unit = component("c")
    assert led(stretches, "description/digitalCopy") == [
        (FONDS, first), (unit, front), (unit, back), (unit, sound),
    ]  # fmt: skip
    assert said(stretches, "description/address", first) == ["https://example.org/a?b=1&c=2"]
    assert said(stretches, "description/identifier", front) == ["r.jpg"]
    assert said(stretches, "namedAs", first) == ["A"]
    assert said(stretches, "namedAs", front) == ["Both sides"]
    assert said(stretches, "namedAs", back) == ["Verso", "Both sides"]
    assert said(stretches, "namedAs", sound) == ["Sound"]
    assert [left.element for s in stretches for left in s.unmapped] == [
        "/ead/archdesc/dsc/c/did/dao/daodesc/p"
    ]


# ---- odd and hostile ----------------------------------------------------------------------------


def test_what_no_table_knows_is_told_as_unmapped(tmp_path: Path) -> None:
    stretches = whole(tmp_path, "<did><unittitle>T</unittitle><smell>Musty</smell></did><z>Zed</z>")
    assert [left.element for s in stretches for left in s.unmapped] == [
        "/ead/archdesc/did/smell", "/ead/archdesc/z",
    ]  # fmt: skip


def test_a_component_keeps_what_it_cannot_say_visible(tmp_path: Path) -> None:
    stretches = whole(tmp_path, '<dsc><c id="a" level="file">Stray words<q>More</q></c></dsc>')
    assert [left.element for left in stretches[-1].unmapped] == [
        "/ead/archdesc/dsc/c", "/ead/archdesc/dsc/c/q",
    ]  # fmt: skip


def test_comments_entities_and_cdata(tmp_path: Path) -> None:
    stretches = whole(
        tmp_path,
        "<did><unittitle><!-- <b> -->A &amp; <![CDATA[B & C]]></unittitle><unitid>&#233;1"
        "</unitid></did>",
    )
    assert said(stretches, "namedAs", FONDS) == ["A & B & C"]
    assert said(stretches, "description/identifier", FONDS) == ["é1"]


def test_the_language_of_an_element_goes_first(tmp_path: Path) -> None:
    stretches = read(
        tmp_path,
        """<ead xml:lang="eng"><eadheader><eadid>gb-1</eadid></eadheader><archdesc><did><unittitle>T
        </unittitle></did><scopecontent lang="fre"><p>Oui</p></scopecontent></archdesc></ead>""",
    )
    assert [stretch.language for stretch in stretches] == ["en", "en", "fr"]


@pytest.mark.parametrize(
    "xml",
    ["<ead><archdesc></ead>", "", '<!DOCTYPE ead [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
     "<ead><archdesc><did><unittitle>&x;</unittitle></did></archdesc></ead>"],
)  # fmt: skip
def test_what_may_not_be_read_is_refused(tmp_path: Path, xml: str) -> None:
    with pytest.raises(BadInput):
        read(tmp_path, xml)


def test_odd_content_raises_nothing(tmp_path: Path) -> None:
    stretches = read(
        tmp_path,
        """<ead><c id="z">Lost</c><dsc>Here</dsc><eadheader/><archdesc><archdesc><did/></archdesc>
        <c/><did/><dsc><dsc><c12><did><did><unitid> </unitid></did></did></c12></dsc></dsc>
        <relations><relation/></relations><daogrp><daoloc href=" "/></daogrp></archdesc></ead>""",
    )
    assert any(left.element == "/ead/dsc" for s in stretches for left in s.unmapped)


def test_finding_aids_without_identifiers_in_one_file_are_told_apart(tmp_path: Path) -> None:
    one = "<ead>{}<archdesc level='fonds'><did><unittitle>{}</unittitle></did></archdesc></ead>"
    same = "<eadheader><eadid>x</eadid></eadheader>"
    for header, faults in (("", 0), ("<eadheader/>", 0), (same, 1)):
        path = tmp_path / "two.xml"
        path.write_text(f"<all>{one.format(header, 'A')}{one.format(header, 'B')}</all>")
        notes: list[Fault] = []
        stretches = list(ead.read(path, notes))
        described = {
            one.subject.identity
            for stretch in stretches
            for one in stretch.statements
            if one.name == "namedAs" and one.subject.type == "RecordSet"
        }
        assert len(described) == 2
        assert len([note for note in notes if "another finding aid" in note.reason]) == faults


def test_a_normal_form_that_the_words_do_not_give_is_quoted_with_its_tag(tmp_path: Path) -> None:
    dates = "<unitdate normal='1999'>1850</unitdate><unitdate normal='1850'>1850</unitdate>"
    path = tmp_path / "x.xml"
    path.write_text(f"<ead><archdesc><did><unittitle>A</unittitle>{dates}</did></archdesc></ead>")
    quotes = {
        one.value.lexical: stretch.raw[one.start : one.end]
        for stretch in ead.read(path, [])
        for one in stretch.statements
        if one.name == "description/unitDate" and one.value is not None
    }
    assert quotes == {"1999": "<unitdate normal='1999'>1850</unitdate>", "1850": "1850"}


def test_an_uncertain_date_without_an_end_is_marked_where_it_has_one(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    date = "<unitdate certainty='circa' normal='1850/'>from about 1850</unitdate>"
    path.write_text(f"<ead><archdesc><did><unittitle>A</unittitle>{date}</did></archdesc></ead>")
    said_ = [one for stretch in ead.read(path, []) for one in stretch.statements]
    (value,) = (one.value for one in said_ if one.name == "description/unitDate")
    assert value is not None
    assert value.lexical == "1850~/"


def test_a_component_is_never_the_whole_that_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    path.write_text(
        "<ead><archdesc><did><unittitle>A</unittitle></did><dsc><c><did>"
        "<unitid>archdesc</unitid></did></c></dsc></archdesc></ead>"
    )
    (held,) = (
        one
        for stretch in ead.read(path, [])
        for one in stretch.statements
        if one.name == "description/includes"
    )
    assert held.object != held.subject


def test_an_attribute_is_quoted_where_it_stands_and_not_in_another(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    path.write_text(
        "<ead><control><recordid label=' identifier=\"EVIL\"' identifier='good'/></control>"
        "<archdesc><did><unittitle>A</unittitle></did></archdesc></ead>"
    )
    quotes = {
        stretch.raw[one.start : one.end]
        for stretch in ead.read(path, [])
        for one in stretch.statements
        if one.name == "description/identifier"
    }
    assert quotes == {"good"}
