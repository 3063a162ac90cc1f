"""Authority records in EAC-CPF 1 and 2.0, all of them fictional."""

from __future__ import annotations

from pathlib import Path

import pytest

from rdfkms.errors import BadInput
from rdfkms.ingest.describing import eac
from rdfkms.knowledge import mapping
from rdfkms.model import Fault, Statement, Stretch, Thing, Value

ONE = """<eac-cpf xmlns="urn:isbn:1-931666-33-4" xmlns:xlink="http://www.w3.org/1999/xlink">
<control><recordId>{id}</recordId><maintenanceStatus>new</maintenanceStatus>
<maintenanceAgency><agencyCode>XX-Hill</agencyCode><agencyName>Hill Archive</agencyName>
</maintenanceAgency>
<languageDeclaration><language languageCode="fre">French</language>
<script scriptCode="Latn">Latin</script></languageDeclaration>
<maintenanceHistory><maintenanceEvent><eventType>created</eventType>
<eventDateTime>2001-02-03</eventDateTime><agent>A. Clerk</agent></maintenanceEvent>
</maintenanceHistory></control>
<cpfDescription><identity><entityType>{type}</entityType>
<nameEntry><part>Vane</part><part>Ada</part></nameEntry></identity>
{more}</cpfDescription></eac-cpf>"""

TWO = """<eac xmlns="https://archivists.org/ns/eac/v2"><control>
<recordId>a1</recordId><languageDeclaration languageCode="fre" scriptCode="Latn"/></control>
<cpfDescription><identity><entityType value="{type}"/>
<nameEntry><part>Vane</part><part>Ada</part></nameEntry></identity>
{more}</cpfDescription></eac>"""

PERSON = Thing("Person", ("authority", "", "a1"))
FILE = Thing("Record", ("@file",))


def read(tmp_path: Path, text: str, notes: list[Fault] | None = None) -> list[Stretch]:
    path = tmp_path / "a1.xml"
    path.write_text(text, encoding="utf-8")
    return list(eac.read(path, notes if notes is not None else []))


def one(tmp_path: Path, more: str = "", kind: str = "person", id: str = "a1") -> list[Stretch]:
    return read(tmp_path, ONE.format(type=kind, more=more, id=id))


def two(tmp_path: Path, more: str = "", kind: str = "person") -> list[Stretch]:
    return read(tmp_path, TWO.format(type=kind, more=more))


def described(tmp_path: Path, inner: str, kind: str = "person") -> list[Stretch]:
    return one(tmp_path, f"<description>{inner}</description>", kind)


def related(tmp_path: Path, inner: str, kind: str = "person") -> list[Stretch]:
    return one(tmp_path, f"<relations>{inner}</relations>", kind)


def said(stretches: list[Stretch], name: str) -> list[Statement]:
    return [s for stretch in stretches for s in stretch.statements if s.name == name]


def words_of(stretches: list[Stretch], name: str, subject: Thing = PERSON) -> list[str]:
    found = [s for s in said(stretches, name) if s.subject == subject]
    return [s.value.lexical for s in found if s.value is not None]


def quotes(stretches: list[Stretch], name: str) -> list[str]:
    return [
        stretch.raw[s.start : s.end]
        for stretch in stretches
        for s in stretch.statements
        if s.name == name
    ]


def objects(stretches: list[Stretch], name: str) -> list[Thing]:
    return [s.object for s in said(stretches, name) if s.object is not None]


def left(stretches: list[Stretch]) -> list[str]:
    return [u.element.rpartition("/")[2] for stretch in stretches for u in stretch.unmapped]


# ---- record and identity ------------------------------------------------------------------------


def test_what_the_record_says_of_itself_is_about_the_file(tmp_path: Path) -> None:
    found = one(tmp_path)
    assert found[0].about == FILE
    assert words_of(found, "namedAs", FILE) == ["a1"]
    assert words_of(found, "description/identifier", FILE) == ["a1"]
    assert words_of(found, "description/languageCode", FILE) == [
        "http://id.loc.gov/vocabulary/iso639-2/fre"
    ]
    assert quotes(found, "description/languageCode") == ["fre"]
    assert words_of(found, "description/note", FILE) == ["created\n2001-02-03\nA. Clerk"]
    agency = Thing("OrganizationState", ("authority", "", "XX-Hill"))
    assert objects(found, "description/provenance") == [agency]
    assert words_of(found, "namedAs", agency) == ["Hill Archive"]
    assert left(found) == ["maintenanceStatus", "script"]


def test_the_agent_is_told_by_the_record_id_and_named_by_joined_parts(tmp_path: Path) -> None:
    for found in (one(tmp_path), two(tmp_path)):
        assert objects(found, "description/describes") == [PERSON]
        assert said(found, "description/describes")[0].subject == FILE
        assert quotes(found, "description/describes") == ["<identity>"]
        assert words_of(found, "namedAs") == ["Vane Ada"]
        assert quotes(found, "namedAs")[-1] == "<part>Vane</part><part>Ada</part>"
        assert {stretch.language for stretch in found} == {"fr"}


@pytest.mark.parametrize(
    ("word", "kind"),
    [("corporateBody", "OrganizationState"), ("family", "Family"), (" person ", "Person")],
)
def test_the_type_of_the_agent_is_that_of_the_entity(tmp_path: Path, word: str, kind: str) -> None:
    assert one(tmp_path, kind=word)[-1].about.type == kind
    assert two(tmp_path, kind=word)[-1].about.type == kind


def test_an_unknown_type_is_an_agent_and_noted(tmp_path: Path) -> None:
    notes: list[Fault] = []
    found = read(tmp_path, ONE.format(type="ghost", more="", id="a1"), notes)
    assert found[-1].about.type == "Agent"
    assert left(found)[-1] == "entityType"
    assert len(notes) == 1 and "ghost" in notes[0].reason


def test_names_have_their_language_script_and_dates(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        """<eac-cpf><control><recordId>a1</recordId></control><cpfDescription><identity>
        <entityId>https://example.org/p/1</entityId><entityId>ISNI 7</entityId>
        <entityType>person</entityType>
        <nameEntryParallel>
        <nameEntry xml:lang="rus" scriptCode="Latn"><part>Vejn</part></nameEntry><nameEntry>
        <part xml:lang="rus">Вейн</part><authorizedForm>RULES</authorizedForm></nameEntry>
        <useDates><dateRange><fromDate standardDate="1901-02"/><toDate/></dateRange></useDates>
        </nameEntryParallel><nameEntry><part> </part></nameEntry></identity></cpfDescription>
        </eac-cpf>""",
    )
    names = [s for s in said(found, "namedAs") if s.subject == PERSON]
    assert [(s.value.lexical, s.value.language) for s in names if s.value] == [
        ("Vejn", "ru-Latn"),
        ("Вейн", "ru"),
    ]
    assert {s.time.lexical for s in names if s.time} == {"1901-02/"}
    assert words_of(found, "description/identifier") == ["https://example.org/p/1", "ISNI 7"]
    assert words_of(found, "description/sameAs") == ["https://example.org/p/1"]
    assert words_of(found, "description/conventions", FILE) == ["RULES"]


def test_each_of_several_identities_is_an_agent(tmp_path: Path) -> None:
    identity = (
        "<identity><entityType>{}</entityType><nameEntry><part>{}</part></nameEntry></identity>"
    )
    body = "".join(
        f"<cpfDescription>{identity.format(kind, name)}<description><biogHist><p>Of {name}.</p>"
        "</biogHist></description></cpfDescription>"
        for kind, name in (("person", "Lark"), ("corporateBody", "Owl"))
    )
    found = read(
        tmp_path,
        f"<eac-cpf><control><recordId>m1</recordId></control><multipleIdentities>{body}"
        "</multipleIdentities></eac-cpf>",
    )
    lark, owl = (
        Thing("Person", ("authority", "", "m1", "1")),
        Thing("OrganizationState", ("authority", "", "m1", "2")),
    )
    assert objects(found, "description/describes") == [lark, owl]
    assert words_of(found, "description/biographyOrHistory", lark) == ["Of Lark."]
    assert words_of(found, "description/biographyOrHistory", owl) == ["Of Owl."]


def test_several_records_in_a_wrapper_stay_apart(tmp_path: Path) -> None:
    records = "".join(ONE.format(type="person", more="", id=id) for id in ("a1", "b2"))
    found = read(tmp_path, f"<export><batch>seven</batch>{records}</export>")
    assert [t.identity[-1] for t in objects(found, "description/describes")] == ["a1", "b2"]
    files = [s.subject for s in said(found, "description/describes")]
    assert files == [Thing("Record", ("@file", "a1")), Thing("Record", ("@file", "b2"))]
    assert left(found)[0] == "batch"


def test_a_record_without_id_is_told_by_its_name(tmp_path: Path) -> None:
    notes: list[Fault] = []
    text = ONE.format(type="person", more="", id=" ")
    found = read(tmp_path, text, notes)
    assert objects(found, "description/describes") == [
        Thing("Person", ("named", "a1.xml", "vane ada"))
    ]
    assert len(notes) == 1 and "no identifier" in notes[0].reason


def test_records_without_id_in_two_files_are_of_two_persons(tmp_path: Path) -> None:
    text = ONE.format(
        type="person",
        more="<description><place><placeEntry>Low Mill</placeEntry></place></description>"
        "<relations><cpfRelation><relationEntry>Owl</relationEntry></cpfRelation></relations>",
        id=" ",
    )
    nameless = text.replace("<part>Vane</part><part>Ada</part>", "")
    found: list[set[tuple[str, ...]]] = []
    for name in ("a.xml", "b.xml"):
        path = tmp_path / name
        things: set[tuple[str, ...]] = set()
        for words in (text, nameless):
            path.write_text(words, encoding="utf-8")
            for one in (s for stretch in eac.read(path, []) for s in stretch.statements):
                things |= {t.identity for t in (one.subject, one.object) if t is not None}
        found.append({one for one in things if one[0] in ("named", "described")})
    assert not found[0] & found[1]
    assert len(found[0]) == len(found[1]) == 4  # by name, by place, the place and the other


# ---- description --------------------------------------------------------------------------------

LIFE = (
    "<existDates><dateRange><fromDate standardDate='1850-01-02'>2 January 1850</fromDate>"
    "<toDate>1901</toDate></dateRange>{}</existDates>"
)


def test_a_person_is_born_and_dies_others_begin_and_end(tmp_path: Path) -> None:
    found = described(tmp_path, LIFE.format(""))
    assert said(found, "description/unitDate")[0].value == Value(
        "1850-01-02/1901", "edtf", "fr", "2 January 1850 1901"
    )
    assert words_of(found, "birthDate") == ["1850-01-02"]
    assert words_of(found, "deathDate") == ["1901"]
    assert quotes(found, "birthDate") == ["2 January 1850"]
    other = described(tmp_path, LIFE.format(""), "family")
    assert not said(other, "birthDate")
    assert len(said(other, "description/beginning")) == len(said(other, "description/ending")) == 1


def test_dates_of_work_are_no_dates_of_life(tmp_path: Path) -> None:
    note = "<descriptiveNote><p>Known by the dates of being active.</p></descriptiveNote>"
    found = described(tmp_path, LIFE.format(note))
    assert not said(found, "birthDate") and not said(found, "deathDate")
    assert len(said(found, "description/unitDate")) == 1
    assert words_of(found, "description/note") == ["Known by the dates of being active."]


@pytest.mark.parametrize(
    ("dates", "datatype", "lexical", "born"),
    [
        ("<date>1850-1901</date>", "edtf", "1850/1901", 1),
        ("<date>1850</date>", "edtf", "1850", 0),
        ("<date>Established late</date>", "string", "Established late", 0),
        (
            "<dateRange><fromDate>1850</fromDate><toDate standardDate='2099'/></dateRange>",
            "edtf", "1850/..", 1,
        ),
        (
            "<dateRange><fromDate>1850</fromDate><toDate>present</toDate></dateRange>",
            "edtf", "1850/..", 1,
        ),
        (
            "<dateRange><fromDate notBefore='1850'>1850</fromDate><toDate>1901</toDate>"
            "</dateRange>",
            "string", "1850 1901", 0,
        ),
        (
            "<dateRange><fromDate>1901</fromDate><toDate>1850</toDate></dateRange>",
            "string", "1901 1850", 0,
        ),
        ("<dateSet><date>1850-1901</date><date> </date></dateSet>", "edtf", "1850/1901", 1),
    ],
)  # fmt: skip
def test_odd_dates(tmp_path: Path, dates: str, datatype: str, lexical: str, born: int) -> None:
    found = described(tmp_path, f"<existDates>{dates}</existDates>")
    values = [s.value for s in said(found, "description/unitDate")]
    assert [(v.datatype, v.lexical) for v in values if v] == [(datatype, lexical)]
    assert len(said(found, "birthDate")) == born
    assert all(s.value and s.value.lexical != ".." for s in said(found, "deathDate"))


@pytest.mark.parametrize(
    ("dates", "lexical", "ends"),
    [
        ("<fromDate>1850</fromDate>", "1850/", ["1850"]),
        ("<fromDate>1850</fromDate><toDate/>", "1850/", ["1850"]),
        ("<toDate>1901</toDate>", "/1901", ["1901"]),
        ("<fromDate>1850</fromDate><toDate status='unknown'>no idea</toDate>", "1850/", ["1850"]),
        ("<fromDate status='unknown'/><toDate>1901</toDate>", "/1901", ["1901"]),
        ("<fromDate>1850</fromDate><toDate>?</toDate>", "1850/", ["1850"]),
        ("<fromDate>1850</fromDate><toDate status='ongoing'/>", "1850/..", ["1850"]),
        ("<fromDate>1850</fromDate><toDate>heute</toDate>", "1850/..", ["1850"]),
        ("<fromDate certainty='circa'>1850</fromDate><toDate>1901</toDate>", "1850~/1901",
         ["1850~", "1901"]),
        ("<fromDate standardDate='-0044' era='bce'>44</fromDate><toDate>14</toDate>", "44 14",
         ["-0044"]),
        ("<fromDate era='bce' standardDate='0044'>44</fromDate><toDate>1400</toDate>", "44 1400",
         ["1400"]),
        ("<fromDate>1850</fromDate><toDate>between 1890 and 1901</toDate>",
         "1850 between 1890 and 1901", ["1850"]),
        ("<fromDate>1850</fromDate><toDate notBefore='1890'/>", "1850", ["1850"]),
    ],
)  # fmt: skip
def test_an_end_is_said_as_far_as_it_is_known(
    tmp_path: Path, dates: str, lexical: str, ends: list[str]
) -> None:
    found = described(tmp_path, f"<existDates><dateRange>{dates}</dateRange></existDates>")
    assert words_of(found, "description/unitDate") == [lexical]
    assert words_of(found, "birthDate") + words_of(found, "deathDate") == ends


@pytest.mark.parametrize(
    ("date", "datatype", "lexical"),
    [
        ("<date standardDate='1850' certainty='approximate'>1850</date>", "edtf", "1850~"),
        ("<date standardDate='0044' era='B.C.E.'>44 BCE</date>", "string", "44 BCE"),
        ("<date standardDate='-0043' era='bce'>44 BCE</date>", "edtf", "-0043"),
        ("<date>between 1850 and 1860</date>", "edtf", "1850/1860"),
        ("<dateRange era='bce'><fromDate>1400</fromDate><toDate>1300</toDate></dateRange>",
         "string", "1400 1300"),
    ],
)  # fmt: skip
def test_certainty_and_era_count(tmp_path: Path, date: str, datatype: str, lexical: str) -> None:
    found = described(tmp_path, f"<existDates>{date}</existDates>")
    (value,) = (s.value for s in said(found, "description/unitDate"))
    assert value is not None
    assert (value.datatype, value.lexical) == (datatype, lexical)
    assert not said(found, "birthDate") and not said(found, "deathDate")


def test_bounds_of_which_nothing_is_said_are_listed(tmp_path: Path) -> None:
    found = described(
        tmp_path,
        "<existDates><dateRange><fromDate notBefore='1850' notAfter='1860'/>"
        "<toDate standardDate='soon'/></dateRange></existDates>"
        "<place><placeEntry>Low Mill</placeEntry><date notBefore='1870'>1871</date></place>",
    )
    assert not said(found, "description/unitDate") and not said(found, "birthDate")
    listed = [u.element for stretch in found for u in stretch.unmapped if "@" in u.element]
    above = "/eac-cpf/cpfDescription/description"
    assert listed == [
        f"{above}/existDates/dateRange/fromDate/@notBefore",
        f"{above}/existDates/dateRange/fromDate/@notAfter",
        f"{above}/existDates/dateRange/toDate/@standardDate",
        f"{above}/place/date/@notBefore",
    ]


def test_empty_dates_say_nothing(tmp_path: Path) -> None:
    empty = "<existDates><date/><dateRange><fromDate/><toDate/></dateRange></existDates>"
    found = described(tmp_path, empty)
    assert len(found) == len(one(tmp_path))


def test_places_are_named_dated_and_told_with_their_role(tmp_path: Path) -> None:
    place = (
        "<place><placeEntry>Low  Mill</placeEntry><placeRole>workshop</placeRole>"
        "<date>1870</date></place><place><placeEntry>High Mill</placeEntry></place><place/>"
    )
    found = described(tmp_path, f"<places>{place}</places>")
    mill = Thing("Location", ("named", "a1", "low mill"))
    assert [t.identity[2] for t in objects(found, "description/place")] == ["low mill", "high mill"]
    first = said(found, "description/place")[0]
    assert first.time == Value("1870", "edtf", "fr", "1870")
    assert words_of(found, "namedAs", mill) == ["Low Mill"]
    assert words_of(found, "description/note") == ["Low Mill\nworkshop\n1870"]
    assert left(found) == ["maintenanceStatus", "script"]


def test_an_address_of_the_authority_tells_the_place(tmp_path: Path) -> None:
    name = "<placeName valueURI='{}' vocabularySource='V'>Low Mill</placeName>"
    text = "<description><places><place>{}</place></places></description>"
    for address, identity in (
        ("https://example.org/2", ("authority", "", "https://example.org/2")),
        ("77", ("authority", "V", "77")),
        ("", ("named", "a1", "low mill")),
        ("not an address", ("named", "a1", "low mill")),
    ):
        found = two(tmp_path, text.format(name.format(address)))
        assert [t.identity for t in objects(found, "description/place")] == [identity]


def test_functions_statuses_and_mandates_become_things(tmp_path: Path) -> None:
    found = described(
        tmp_path,
        "<functions><function><term>Milling</term><placeEntry>Low Mill</placeEntry>"
        "<dateRange><fromDate>1850</fromDate><toDate>1860</toDate></dateRange>"
        "<descriptiveNote><p>By water.</p></descriptiveNote></function>"
        "<function><term/><descriptiveNote><p>No term.</p></descriptiveNote></function>"
        "<p>Of all.</p></functions>"
        "<legalStatus><term>Guild</term></legalStatus>"
        "<mandate><citation>Charter of 1849</citation></mandate>",
        "corporateBody",
    )
    body = Thing("OrganizationState", ("authority", "", "a1"))
    milling = Thing("Activity", ("named", "a1", "milling"))
    assert objects(found, "description/function") == [milling]
    statement = said(found, "description/function")[0]
    assert statement.time is not None and statement.time.lexical == "1850/1860"
    assert statement.place == Thing("Location", ("named", "a1", "low mill"))
    assert words_of(found, "namedAs", milling) == ["Milling"]
    assert words_of(found, "description/note", body) == ["By water.", "No term.", "Of all."]
    assert [t.identity[2] for t in objects(found, "description/legalStatus")] == ["guild"]
    assert [t.identity[2] for t in objects(found, "description/mandate")] == ["charter of 1849"]


def test_a_migrated_mandate_is_the_one_it_was(tmp_path: Path) -> None:
    note = "<descriptiveNote><p><reference>Charter of 1849</reference></p></descriptiveNote>"
    found = two(
        tmp_path,
        f"<description><mandates><mandate><term/>{note}</mandate></mandates></description>",
    )
    assert [t.identity[2] for t in objects(found, "description/mandate")] == ["charter of 1849"]
    assert not words_of(found, "description/note")


def test_an_occupation_is_one_of_persons_alone(tmp_path: Path) -> None:
    text = "<occupation><term>miller</term></occupation>"
    assert objects(described(tmp_path, text), "description/occupationOf") == [
        Thing("OccupationType", ("named", "a1", "miller"))
    ]
    other = described(tmp_path, text, "family")
    assert not said(other, "description/occupationOf")
    family = Thing("Family", ("authority", "", "a1"))
    assert words_of(other, "description/note", family) == ["miller"]


def test_prose_its_abstract_its_sources_and_its_context(tmp_path: Path) -> None:
    found = described(
        tmp_path,
        "<biogHist><head>Life</head><abstract>Short.</abstract><p>Born <span>poor</span>.</p>"
        "<list><item>a</item><item>b</item></list><citation>Her diary</citation></biogHist>"
        "<generalContext><p>Hard times.</p></generalContext>"
        "<structureOrGenealogy><p>Three branches.</p></structureOrGenealogy>"
        "<localDescription localType='subject'><term>Mills</term></localDescription>"
        "<languageUsed><language languageCode='deu'>German</language></languageUsed>",
    )
    assert words_of(found, "description/biographyOrHistory") == ["Born poor.\na\nb"]
    assert quotes(found, "description/biographyOrHistory") == [
        "<p>Born <span>poor</span>.</p><list><item>a</item><item>b</item></list>"
    ]
    assert words_of(found, "description/abstract") == ["Short."]
    assert words_of(found, "description/source") == ["Her diary"]
    assert words_of(found, "description/context") == ["Hard times.", "Three branches."]
    assert words_of(found, "description/note") == ["Mills"]
    assert words_of(found, "description/languageCode") == [
        "http://id.loc.gov/vocabulary/iso639-2/ger"
    ]
    assert words_of(found, "description/language") == ["German"]


def test_what_stands_beneath_the_cpf_description_belongs_to_the_description(
    tmp_path: Path,
) -> None:
    found = one(tmp_path, "<biogHist><p>Born poor.</p></biogHist>")
    assert words_of(found, "description/biographyOrHistory") == ["Born poor."]


def test_what_has_no_place_is_listed(tmp_path: Path) -> None:
    found = described(tmp_path, "<horoscope><p>Leo</p></horoscope>")
    assert left(found)[-1] == "p"
    assert found[-1].unmapped[0].element == "/eac-cpf/cpfDescription/description/horoscope/p"


# ---- relations ----------------------------------------------------------------------------------

OTHER = Thing("Agent", ("authority", "", "b2"))


@pytest.mark.parametrize(
    ("attributes", "name"),
    [
        ("cpfRelationType='hierarchical-parent'", "superior"),
        ("cpfRelationType='hierarchical-child'", "inferior"),
        ("cpfRelationType='hierarchical'", "associated"),
        ("cpfRelationType='temporal-earlier'", "predecessor"),
        ("cpfRelationType='temporal-later'", "successor"),
        ("cpfRelationType='temporal'", "associated"),
        ("cpfRelationType='family'", "kin"),
        ("cpfRelationType='identity'", "associated"),
        ("", "associated"),
        ("cpfRelationType='associative' xlink:arcrole='isControlledBy'", "controlledBy"),
        ("cpfRelationType='associative' xlink:arcrole='controls'", "controls"),
        ("cpfRelationType='associative' xlink:arcrole='isInferiorOf'", "superior"),
        ("cpfRelationType='associative' xlink:arcrole='isSuperiorOf'", "inferior"),
        ("xlink:arcrole='https://example.org/roles#hasProfessionalRelationWith'", "workRelation"),
        ("cpfRelationType='associative' xlink:arcrole='isPrecededBy'", "predecessor"),
        ("cpfRelationType='temporal-later' xlink:arcrole='somehow'", "successor"),
    ],
)
def test_relations_to_agents(tmp_path: Path, attributes: str, name: str) -> None:
    found = related(
        tmp_path,
        f"<cpfRelation {attributes} xlink:href='b2'><relationEntry>Lark, Bo</relationEntry>"
        "<dateRange><fromDate>1870</fromDate><toDate>1880</toDate></dateRange>"
        "<descriptiveNote><p>In Low Mill.</p></descriptiveNote></cpfRelation>",
    )
    statements = [s for s in found[-1].statements if s.object == OTHER]
    assert [s.name for s in statements] == [f"description/{name}"]
    assert statements[0].subject == PERSON
    assert statements[0].time == Value("1870/1880", "edtf", "fr", "1870 1880")
    assert words_of(found, "namedAs", OTHER) == ["Lark, Bo"]
    assert words_of(found, "description/note") == ["In Low Mill."]
    assert not found[-1].unmapped


@pytest.mark.parametrize(
    ("kind", "attributes", "name", "other"),
    [
        ("person", "xlink:arcrole='personIsMemberOf'", "memberOf", "OrganizationState"),
        ("person", "cpfRelationType='family' xlink:arcrole='isMemberOf'", "memberOf", "Family"),
        ("person", "xlink:arcrole='isLeaderOf'", "leads", "OrganizationState"),
        ("corporateBody", "xlink:arcrole='isLeadBy'", "ledBy", "Person"),
        ("family", "xlink:arcrole='hasAsPersonMember'", "hasMember", "Person"),
        ("corporateBody", "xlink:arcrole='isMemberOf'", "associated", "Agent"),
        ("person", "xlink:arcrole='isMemberOf' xlink:role='x#Person'", "associated", "Person"),
        ("person", "xlink:role='x#CorporateBody'", "associated", "OrganizationState"),
    ],
)
def test_membership_and_leadership_tell_the_type_of_the_other(
    tmp_path: Path, kind: str, attributes: str, name: str, other: str
) -> None:
    text = f"<cpfRelation {attributes}><relationEntry>Owl</relationEntry></cpfRelation>"
    found = related(tmp_path, text, kind)
    assert objects(found, f"description/{name}") == [Thing(other, ("named", "a1", "owl"))]


def test_the_same_relation_in_both_versions(tmp_path: Path) -> None:
    found = two(
        tmp_path,
        "<relations><relation><targetEntity targetType='corporateBody' valueURI='b2'>"
        "<part>Lark</part><part>and Sons</part></targetEntity>"
        "<relationType>associative</relationType><targetRole>controller</targetRole></relation>"
        "<relation><targetEntity targetType='agent'><part>Owl</part></targetEntity>"
        "<relationType>drinking companion</relationType></relation>"
        "<relation><targetEntity targetType='resource'><part>Owl papers</part></targetEntity>"
        "<relationType>subjectOf</relationType></relation>"
        "<relation><targetEntity targetType='function'><part>Milling</part></targetEntity>"
        "</relation>"
        "<relation><targetEntity targetType='comet'><part>Halley</part></targetEntity></relation>"
        "</relations>",
    )
    lark = Thing("OrganizationState", ("authority", "", "b2"))
    assert objects(found, "description/controlledBy") == [lark]
    assert words_of(found, "namedAs", lark) == ["Lark and Sons"]
    assert objects(found, "description/associated") == [Thing("Agent", ("named", "a1", "owl"))]
    assert left(found) == ["relationType"]
    papers = Thing("RecordSet", ("named", "a1", "owl papers"))
    assert objects(found, "description/subjectOf") == [papers]
    assert objects(found, "description/function") == [Thing("Activity", ("named", "a1", "milling"))]
    assert words_of(found, "description/note") == ["Halley"]


def test_identity_with_an_address_is_the_same_agent(tmp_path: Path) -> None:
    found = related(
        tmp_path,
        "<cpfRelation cpfRelationType='identity' xlink:href='https://example.org/9'>"
        "<relationEntry>Vane (writer)</relationEntry></cpfRelation>",
    )
    assert words_of(found, "description/sameAs") == ["https://example.org/9"]
    assert quotes(found, "description/sameAs") == ["https://example.org/9"]
    assert words_of(found, "namedAs") == ["Vane Ada"], "a name elsewhere is no name here"
    assert words_of(found, "description/note") == ["Vane (writer)"]


@pytest.mark.parametrize(
    ("attributes", "name"),
    [
        ("resourceRelationType='creatorOf'", "provenanceOf"),
        ("resourceRelationType='subjectOf'", "subjectOf"),
        ("resourceRelationType='other'", "resource"),
        ("xlink:arcrole='x#creatorOf'", "provenanceOf"),
        ("", "resource"),
    ],
)
def test_relations_to_resources(tmp_path: Path, attributes: str, name: str) -> None:
    found = related(
        tmp_path,
        f"<resourceRelation {attributes} xlink:href='https://example.org/f'><objectXMLWrap>"
        "<did><unittitle>Vane papers</unittitle><unitid>V 1</unitid><unitdate>1850-1901</unitdate>"
        "<langmaterial><language langcode='eng'>English</language></langmaterial>"
        "<origination><persname>Vane, A.</persname></origination><oddity>x</oddity></did>"
        "</objectXMLWrap></resourceRelation>",
    )
    papers = Thing("RecordSet", ("authority", "", "https://example.org/f"))
    assert objects(found, f"description/{name}") == [papers]
    assert set(words_of(found, "namedAs", papers)) == {"Vane papers"}
    assert words_of(found, "description/identifier", papers) == ["V 1"]
    assert words_of(found, "description/unitDate", papers) == ["1850/1901"]
    assert words_of(found, "description/membersLanguageCode", papers) == [
        "http://id.loc.gov/vocabulary/iso639-2/eng"
    ]
    creators = [s for s in said(found, "description/provenance") if s.subject == papers]
    assert [s.object for s in creators] == [Thing("Person", ("named", "a1", "vane, a."))]
    assert left(found)[-1] == "oddity"


def test_a_relation_without_name_quotes_its_tag_and_an_empty_one_says_nothing(
    tmp_path: Path,
) -> None:
    found = related(
        tmp_path,
        "<cpfRelation cpfRelationType='family' xlink:href='b2'/>"
        "<cpfRelation cpfRelationType='family'><relationEntry/></cpfRelation>"
        "<cpfRelation cpfRelationType='family' xlink:href='#b3'/>"
        "<functionRelation xlink:href='f1'><relationEntry>Milling</relationEntry>"
        "</functionRelation>",
    )
    assert objects(found, "description/kin") == [OTHER]
    assert quotes(found, "description/kin") == [
        "<cpfRelation cpfRelationType='family' xlink:href='b2'/>"
    ]
    assert objects(found, "description/function") == [Thing("Activity", ("authority", "", "f1"))]


@pytest.mark.parametrize("kind", ["controls", "owns", "https://example.org/t#owns"])
def test_a_function_that_is_not_performed_is_a_note(tmp_path: Path, kind: str) -> None:
    entry = "<relationEntry>Milling</relationEntry>"
    found = related(
        tmp_path,
        f"<functionRelation functionRelationType='{kind}'>{entry}</functionRelation>"
        f"<functionRelation functionRelationType='{kind}' xlink:href='f1'/>"
        f"<functionRelation functionRelationType='performs'>{entry}</functionRelation>",
    )
    assert len(said(found, "description/function")) == 1
    assert words_of(found, "description/note") == ["Milling", "f1"]


def test_a_wrapped_did_is_read_as_one_of_a_finding_aid(tmp_path: Path) -> None:
    found = related(
        tmp_path,
        "<resourceRelation><relationEntry>Papers</relationEntry><objectXMLWrap><did>"
        "<unittitle>Papers</unittitle><unitdate normal='1850/1901'>long ago</unitdate>"
        "<physdesc><extent>3 boxes</extent></physdesc>"
        "<origination><persname authfilenumber='9' source='V'>Vane</persname></origination>"
        "<repository><corpname normal='Hill Archive'>the archive</corpname></repository>"
        "</did></objectXMLWrap></resourceRelation>",
    )
    papers = Thing("RecordSet", ("named", "a1", "papers"))
    assert words_of(found, "description/unitDate", papers) == ["1850/1901"]
    assert words_of(found, "description/extent", papers) == ["3 boxes"]
    assert objects(found, "description/provenance")[-1:] == [
        Thing("Person", ("authority", "V", "9"))
    ]
    holder = Thing("OrganizationState", ("named", "a1", "hill archive"))
    assert objects(found, "description/holder") == [holder]
    assert set(words_of(found, "namedAs", holder)) == {"the archive", "Hill Archive"}
    assert not left(found)[2:]


def test_what_is_no_address_is_an_identifier(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        ONE.format(type="person", more="", id="a1").replace(
            "<entityType>",
            "<entityId>https://example.org</entityId><entityId>https://example.org/é</entityId>"
            "<entityType>",
        ),
    )
    assert words_of(found, "description/identifier") == [
        "https://example.org", "https://example.org/é",
    ]  # fmt: skip
    (same,) = said(found, "description/sameAs")
    assert same.value == Value(
        "https://example.org/%C3%A9", "anyURI", verbatim="https://example.org/é"
    )


def test_other_descriptions_of_the_agent(tmp_path: Path) -> None:
    found = one(
        tmp_path,
        "<alternativeSet><setComponent xlink:href='https://example.org/9'><componentEntry>Hill "
        "list</componentEntry></setComponent><setComponent xlink:href='77'><componentEntry>Card"
        "</componentEntry></setComponent></alternativeSet>",
    )
    assert words_of(found, "description/source") == ["Hill list", "Card"]
    assert words_of(found, "description/sameAs") == ["https://example.org/9"]


# ---- form ---------------------------------------------------------------------------------------


def test_what_is_wrapped_is_no_record_of_its_own(tmp_path: Path) -> None:
    inner = ONE.format(type="family", more="", id="evil")
    found = related(
        tmp_path,
        f"<cpfRelation xlink:href='b2'><relationEntry>Lark</relationEntry><objectXMLWrap>{inner}"
        "<mods><description><biogHist><p>Foreign.</p></biogHist></description></mods>"
        "</objectXMLWrap></cpfRelation><cpfRelation xlink:href='b3'/>",
    )
    assert objects(found, "description/describes") == [PERSON]
    assert not said(found, "description/biographyOrHistory")
    assert {s.about for s in found[1:]} == {PERSON}
    assert [t.identity[2] for t in objects(found, "description/associated")] == ["b2", "b3"]
    assert "recordId" in left(found)


def test_statements_fit_the_table_and_quote_their_words(tmp_path: Path) -> None:
    table = mapping.load()
    found = described(tmp_path, LIFE.format("") + "<places><place><placeEntry>Ö-Mühle</placeEntry>"
                      "</place></places><occupation><term>Müller</term></occupation>")  # fmt: skip
    for stretch in found:
        for statement in stretch.statements:
            assert stretch.raw[statement.start : statement.end].strip()
            if statement.name == "namedAs":
                continue
            assert table.accepts_subject(statement.name, statement.subject.type)
            if statement.object is not None:
                assert table.accepts_object(statement.name, statement.object.type)
    assert quotes(found, "description/place") == ["Ö-Mühle"]
    assert found[-1].raw == "<occupation><term>Müller</term></occupation>"


def test_things_stay_the_same_when_the_file_changes(tmp_path: Path) -> None:
    text = "<places><place><placeEntry>Low Mill</placeEntry></place></places>"
    before = described(tmp_path, text)
    after = described(tmp_path, LIFE.format("") + text.replace("Low Mill", " LOW  mill "))
    assert objects(before, "description/place") == objects(after, "description/place")
    assert before[-1].about == after[-1].about


@pytest.mark.parametrize(
    "text",
    [
        "<ead><eadheader/></ead>",
        "<eac-cpf><control>",
        '<!DOCTYPE eac [<!ENTITY x SYSTEM "file:///etc/passwd">]><eac><control><recordId>&x;'
        "</recordId></control></eac>",
        "no xml",
    ],
)
def test_what_is_no_record_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput):
        read(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "<eac/>",
        "<eac-cpf><control/><cpfDescription/></eac-cpf>",
        "<eac-cpf><cpfDescription><description><existDates/></description></cpfDescription></eac-cpf>",
        "<eac><control><languageDeclaration languageCode='?? ??'/></control></eac>",
        "<eac-cpf><cpfDescription><relations><cpfRelation/><relation/></relations>"
        "</cpfDescription></eac-cpf>",
    ],
)
def test_sparse_records_say_nothing(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text) == []


def test_roots() -> None:
    assert eac.is_eac("eac") and eac.is_eac("eac-cpf")
    assert not eac.is_eac("ead")


@pytest.mark.parametrize(
    ("element", "address"),
    [
        ("<entityId>ISNI : 0001 0002 0003 111X</entityId>", "https://isni.org/isni/000100020003111X"),
        ('<entityId localType="ISNI">0001000200039999</entityId>', "https://isni.org/isni/0001000200039999"),
        ('<entityId localType="Wikidata">Q42</entityId>', "http://www.wikidata.org/entity/Q42"),
        ("<entityId>0001 0002 0003 9999</entityId>", ""),
        ("<entityId>ISNI 7</entityId>", ""),
        ('<entityId localType="Wikidata">Q42 or so</entityId>', ""),
    ],
)  # fmt: skip
def test_an_identifier_of_a_known_issuer_is_an_address(
    tmp_path: Path, element: str, address: str
) -> None:
    path = tmp_path / "x.xml"
    path.write_text(
        "<eac-cpf><control><recordId>p1</recordId></control><cpfDescription><identity>"
        f"<entityType>person</entityType>{element}<nameEntry><part>Ana</part></nameEntry>"
        "</identity></cpfDescription></eac-cpf>",
        encoding="utf-8",
    )
    said = [one for stretch in eac.read(path, []) for one in stretch.statements]
    found = [one.value.lexical for one in said if one.name == "description/sameAs" and one.value]
    assert found == ([address] if address else [])
