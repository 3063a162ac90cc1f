"""Descriptions in RiC-O as RDF/XML and Turtle, all of them fictional."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from rdfkms.admission.declared import _form, _verified
from rdfkms.errors import BadInput
from rdfkms.ingest.describing import formats, rico, rico_terms, rico_turtle
from rdfkms.ingest.describing.rico_graph import Source, look
from rdfkms.ingest.describing.rico_saying import Telling
from rdfkms.ingest.describing.xmlfile import MOST_PART
from rdfkms.knowledge import mapping
from rdfkms.model import Fault, Label, Statement, Stretch, Thing, Value

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#"
 xmlns:rico="https://www.ica.org/standards/RiC/ontology#" xmlns:skos="http://www.w3.org/2004/02/skos/core#"
 xmlns:html="http://www.w3.org/1999/xhtml" xml:base="https://hill.example/">
"""
PREFIXES = """@prefix rico: <https://www.ica.org/standards/RiC/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix ex: <https://hill.example/> .
"""


def it(kind: str, name: str) -> Thing:
    return Thing(kind, ("authority", "", f"https://hill.example/{name}"))


ADA, MILL = it("Person", "ada"), it("OrganizationState", "mill")


def read(path: Path, notes: list[Fault] | None = None) -> list[Stretch]:
    """Read a file; each statement must pass the form and the verification of the gate."""
    stretches = list(rico.read(path, notes if notes is not None else []))
    table = mapping.load()
    raw = path.read_bytes()
    for stretch in stretches:
        assert raw[stretch.start :].startswith(stretch.raw.encode())
        assert raw[: stretch.start].count(b"\n") + 1 == stretch.line
        for one in stretch.statements:
            assert not list(_form(one, table))
            quote = stretch.raw[one.start : one.end]
            assert quote.strip()
            assert _verified(one, quote)[0] is Label.SUPPORTED
    return stretches


def xml(tmp_path: Path, inner: str, notes: list[Fault] | None = None) -> list[Stretch]:
    path = tmp_path / "hill.rdf"
    path.write_text(HEAD + inner + "\n</rdf:RDF>", encoding="utf-8")
    return read(path, notes)


def turtle(tmp_path: Path, inner: str, notes: list[Fault] | None = None) -> list[Stretch]:
    path = tmp_path / "hill.ttl"
    path.write_text(PREFIXES + inner, encoding="utf-8")
    return read(path, notes)


def said(stretches: list[Stretch], name: str) -> list[Statement]:
    return [one for stretch in stretches for one in stretch.statements if one.name == name]


def values(stretches: list[Stretch], name: str, subject: Thing | None = None) -> list[str]:
    return [one.value.lexical for one in said(stretches, name)
            if one.value is not None and subject in (None, one.subject)]  # fmt: skip


def links(stretches: list[Stretch], name: str) -> list[tuple[Thing, Thing | None]]:
    return [(one.subject, one.object) for one in said(stretches, name)]


def quotes(stretches: list[Stretch], name: str) -> list[str]:
    return [stretch.raw[one.start : one.end] for stretch in stretches
            for one in stretch.statements if one.name == name]  # fmt: skip


def unmapped(stretches: list[Stretch]) -> list[str]:
    return [left.element for stretch in stretches for left in stretch.unmapped]


FONDS = """<rico:RecordResource rdf:about="fonds">
 <rdf:type rdf:resource="https://www.ica.org/standards/RiC/ontology#RecordSet"/>
 <rico:title xml:lang="en">Mill
   papers</rico:title>
 <rdfs:label xml:lang="en">Mill papers</rdfs:label>
 <rico:beginningDate>1801-01-01</rico:beginningDate>
 <rico:endDate>1850</rico:endDate>
 <rico:scopeAndContent rdf:parseType="Literal"><html:div xml:lang="en"><html:h4>Of</html:h4>
  <html:p>wheat &amp; rye</html:p></html:div></rico:scopeAndContent>
 <rico:hasOrHadSomeMembersWithLanguage rdf:resource="http://id.loc.gov/vocabulary/iso639-2/eng"/>
 <rico:hasCreator rdf:resource="mill"/>
 <rico:directlyIncludes><rico:Record rdf:about="ledger">
  <rico:title>Ledger</rico:title><rico:identifier>M 1</rico:identifier>
 </rico:Record></rico:directlyIncludes>
 <rico:classification>III</rico:classification>
</rico:RecordResource>"""


def test_a_record_set_says_what_its_properties_say(tmp_path: Path) -> None:
    (stretch,) = found = xml(tmp_path, FONDS)
    fonds, ledger = it("RecordSet", "fonds"), it("Record", "ledger")
    assert (stretch.about, stretch.language) == (fonds, "en")
    assert stretch.element == "/RDF[1]/RecordResource[1]"
    assert values(found, "namedAs", fonds) == ["Mill papers"]  # said once, though twice told
    assert values(found, "namedAs", ledger) == ["Ledger"]
    assert values(found, "description/unitDate") == ["1801-01-01/1850"]
    (content,) = said(found, "description/scopeAndContent")
    assert content.value == Value("Of\nwheat & rye", language="en")
    assert links(found, "description/provenance") == [(fonds, it("Agent", "mill"))]
    assert quotes(found, "description/provenance") == ["mill"]
    assert links(found, "description/includes") == [(fonds, ledger)]
    assert quotes(found, "description/includes") == ["ledger"]
    assert values(found, "description/identifier", ledger) == ["M 1"]
    assert values(found, "description/membersLanguageCode") == [
        "http://id.loc.gov/vocabulary/iso639-2/eng"
    ]
    assert unmapped(found) == ["rico:RecordSet/rico:classification"]


AGENT = """<rico:Agent rdf:about="ada" xml:lang="fr">
 <rdf:type rdf:resource="https://www.ica.org/standards/RiC/ontology#Person"/>
 <rico:hasOrHadAgentName><rico:AgentName rdf:about="n1">
  <rico:textualValue xml:lang="en">Ada Vane</rico:textualValue>
  <rico:isOrWasAgentNameOf rdf:resource="ada"/>
  <rico:usedFromDate>1820</rico:usedFromDate><rico:usedToDate>1830</rico:usedToDate>
 </rico:AgentName></rico:hasOrHadAgentName>
 <rico:birthDate>1801-02-03</rico:birthDate>
 <rico:hasDeathDate><rico:Date><rico:normalizedDateValue>1870</rico:normalizedDateValue>
 </rico:Date></rico:hasDeathDate>
 <owl:sameAs rdf:resource="https://names.example/1"/>
 <rico:isOrganicProvenanceOf><rico:RecordResource><rico:title>Letters</rico:title>
 </rico:RecordResource></rico:isOrganicProvenanceOf>
 <rico:thingIsTargetOfRelation><rico:PerformanceRelation rdf:about="p1">
   <rico:relationHasTarget rdf:resource="ada"/>
   <rico:relationHasSource><rico:Activity rdf:nodeID="a">
     <rico:hasActivityType rdf:resource="milling"/></rico:Activity></rico:relationHasSource>
   <rico:beginningDate>1825</rico:beginningDate>
 </rico:PerformanceRelation></rico:thingIsTargetOfRelation>
 <rico:performsOrPerformed rdf:nodeID="a"/>
 <rico:isOrWasLeaderOf rdf:resource="mill"/>
</rico:Agent>"""


def test_an_agent_with_names_dates_and_nodes_within(tmp_path: Path) -> None:
    found = xml(tmp_path, AGENT)
    name = next(one for one in said(found, "namedAs") if one.subject == ADA)
    assert name.value == Value("Ada Vane", language="en")
    assert name.time == Value("1820/1830", "edtf", verbatim="1820 1830")
    assert values(found, "birthDate") == ["1801-02-03"]
    assert values(found, "deathDate") == ["1870"]
    assert quotes(found, "deathDate") == ["1870"]
    assert values(found, "description/sameAs") == ["https://names.example/1"]
    ((_, letters),) = links(found, "description/provenanceOf")
    assert letters is not None
    assert letters.identity[:2] == ("blank", "hill.rdf")
    assert values(found, "namedAs", letters) == ["Letters"]
    # An activity without a name is known by its type, in the relation and in the shortcut.
    milling = it("Activity", "milling")
    assert links(found, "description/function") == [(ADA, milling), (ADA, milling)]
    assert {one.time.lexical for one in said(found, "description/function") if one.time} == {
        "1825/"
    }
    assert links(found, "description/leads") == [(ADA, MILL)]
    assert unmapped(found) == []


RELATIONS = """<rico:AgentHierarchicalRelation rdf:about="r1">
  <rdf:type rdf:resource="https://www.ica.org/standards/RiC/ontology#LeadershipRelation"/>
  <rico:relationHasTarget rdf:resource="mill"/>
  <rico:relationHasSource rdf:resource="ada"/>
  <rdfs:label>Ada leads the mill</rdfs:label>
  <rico:endDate>1840</rico:endDate>
  <rico:relationHasContext rdf:resource="vale"/>
  <rico:note>by hearsay</rico:note>
</rico:AgentHierarchicalRelation>
<rico:AgentTemporalRelation><rico:relationHasSource rdf:resource="mill"/>
  <rico:relationHasTarget rdf:resource="works"/></rico:AgentTemporalRelation>
<rico:AgentToAgentRelation><rico:relationConnects rdf:resource="ada"/>
  <rico:relationConnects rdf:resource="bob"/></rico:AgentToAgentRelation>
<rico:RecordResourceHoldingRelation><rico:relationHasSource rdf:resource="mill"/>
  <rico:relationHasTarget rdf:resource="fonds"/></rico:RecordResourceHoldingRelation>
<rico:OwnershipRelation><rico:relationHasSource rdf:resource="mill"/>
  <rico:relationHasTarget rdf:resource="fonds"/></rico:OwnershipRelation>
<rico:Place rdf:about="vale"><rico:name>Vale</rico:name></rico:Place>"""


def test_relations_become_binary_with_time_and_place(tmp_path: Path) -> None:
    found = xml(tmp_path, RELATIONS)
    (leads,) = said(found, "description/leads")
    assert (leads.subject, leads.object) == (ADA, MILL)
    assert leads.time is not None
    assert leads.time.lexical == "/1840"
    assert leads.place == it("Location", "vale")
    (quote,) = quotes(found, "description/leads")
    assert 'rdf:resource="mill"' in quote
    assert 'rdf:resource="ada"' in quote
    assert links(found, "description/successor") == [(it("Agent", "mill"), it("Agent", "works"))]
    assert links(found, "description/associated") == [(it("Agent", "ada"), it("Agent", "bob"))]
    assert links(found, "description/holder") == [(it("RecordSet", "fonds"), it("Agent", "mill"))]
    assert "rico:OwnershipRelation" in unmapped(found)
    assert "rico:LeadershipRelation/rico:note" in unmapped(found)
    assert not said(found, "description/inferior")  # the more special one is said


def test_inverse_properties_say_the_same_the_other_way_round(tmp_path: Path) -> None:
    found = xml(
        tmp_path,
        '<rico:Record rdf:about="ledger"><rico:isDirectlyIncludedIn rdf:resource="fonds"/>'
        "</rico:Record>"
        '<rico:CorporateBody rdf:about="mill"><rico:isOrWasHolderOf rdf:resource="fonds"/>'
        '<rico:isOrWasDescribedBy rdf:resource="card"/></rico:CorporateBody>'
        '<rico:Record rdf:about="card"/>',
    )
    fonds = it("RecordSet", "fonds")
    assert links(found, "description/includes") == [(fonds, it("Record", "ledger"))]
    assert links(found, "description/holder") == [(fonds, MILL)]
    assert links(found, "description/describes") == [(it("Record", "card"), MILL)]


def test_only_the_types_of_record_sets_that_all_share_are_read(tmp_path: Path) -> None:
    shared = "https://www.ica.org/standards/RiC/vocabularies/recordSetTypes#"
    found = xml(
        tmp_path,
        f'<rico:RecordSet rdf:about="f"><rico:hasRecordSetType rdf:resource="{shared}Fonds"/>'
        f'<rico:hasRecordSetType rdf:resource="{shared}Heap"/>'
        '<rico:hasRecordSetType rdf:resource="own"/></rico:RecordSet>',
    )
    assert values(found, "description/recordSetType") == [f"{shared}Fonds"]
    assert unmapped(found) == ["rico:RecordSet/rico:hasRecordSetType"] * 2


def test_a_reversed_relation_is_not_the_same(tmp_path: Path) -> None:
    turned = RELATIONS.replace("HasSource", "Has_").replace("HasTarget", "HasSource")
    found = xml(tmp_path, turned.replace("Has_", "HasTarget"))
    assert links(found, "description/successor") == [(it("Agent", "works"), it("Agent", "mill"))]


def test_what_is_only_a_special_case_is_read_as_the_general(tmp_path: Path) -> None:
    found = xml(
        tmp_path,
        '<rico:Person rdf:about="ada"><rico:hasChild rdf:resource="bob"/></rico:Person>'
        '<rico:CorporateBody rdf:about="mill"><rico:hadSubdivision rdf:resource="loft"/>'
        "</rico:CorporateBody>"
        '<rico:RecordSet rdf:about="f"><rico:includesTransitive rdf:resource="x"/>'
        "</rico:RecordSet>",
    )
    assert links(found, "description/kin") == [(ADA, it("Agent", "bob"))]
    assert links(found, "description/inferior") == [(MILL, it("Agent", "loft"))]
    assert unmapped(found) == ["rico:RecordSet/rico:includesTransitive"]


def test_terms_of_0_2_are_read_as_their_successors_and_noted_once(tmp_path: Path) -> None:
    notes: list[Fault] = []
    found = xml(
        tmp_path,
        '<rico:RecordSet rdf:about="f"><rico:hasProvenance rdf:resource="mill"/>'
        '<rico:hasProvenance rdf:resource="works"/><rico:weather>fine</rico:weather>'
        '<rico:calendar>Julian</rico:calendar></rico:RecordSet>\n'
        '<rico:AgentOriginationRelation rdf:about="o">'
        '<rico:relationHasSource rdf:resource="f"/><rico:relationHasTarget rdf:resource="mill"/>'
        "</rico:AgentOriginationRelation>",
        notes,
    )  # fmt: skip
    assert len(said(found, "description/provenance")) == 3
    reasons = [note.reason for note in notes]
    assert reasons == [
        "rico:hasProvenance is a term of RiC-O 0.2; it was read as rico:hasOrganicProvenance.",
        "rico:weather is no term of RiC-O 1.1; it was not read.",
        "rico:calendar is a term of RiC-O 0.2 that was removed; it was not read.",
        "rico:AgentOriginationRelation is a term of RiC-O 0.2; it was read as "
        "rico:OrganicProvenanceRelation.",
    ]
    assert notes[0].place == "line 6"
    assert unmapped(found) == ["rico:RecordSet/rico:weather", "rico:RecordSet/rico:calendar"]


def test_links_per_class_of_0_2(tmp_path: Path) -> None:
    link = rico_terms.rico("groupIsTargetOfLeadershipRelation")
    assert rico_terms.renamed(link) == rico_terms.rico("thingIsTargetOfRelation")
    assert rico_terms.renamed(rico_terms.rico("hasCreator")) is None


def test_other_ways_to_write_rdf_xml(tmp_path: Path) -> None:
    path = tmp_path / "odd.rdf"
    path.write_text(
        '<!DOCTYPE r:RDF [<!ENTITY ric "https://www.ica.org/standards/RiC/ontology#">]>\n'
        '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns="https://www.ica.org/standards/RiC/ontology#" xmlns:q="https://www.ica.org/'
        'standards/RiC/ontology#">\n'
        "<r:Description r:ID='ada' q:name='Ada &amp; Co'><r:type r:resource='&ric;Person'/>"
        "<hasOrHadIdentifier r:parseType='Resource'><textualValue>X 1</textualValue>"
        "</hasOrHadIdentifier><history><![CDATA[born < 1800]]></history>"
        "<isOrWasMemberOf r:nodeID='b1'/></r:Description>\n"
        "<CorporateBody r:nodeID='b1'><name/></CorporateBody></r:RDF>",
        encoding="utf-8",
    )
    found = read(path)
    ada = Thing("Person", ("authority", "odd.rdf", "#ada"))  # no base: of this file alone
    assert values(found, "namedAs", ada) == ["Ada & Co"]
    assert values(found, "description/identifier", ada) == ["X 1"]
    assert values(found, "description/biographyOrHistory", ada) == ["born < 1800"]
    body = Thing("OrganizationState", ("blank", "odd.rdf", "_:b1"))
    assert links(found, "description/memberOf") == [(ada, body)]


TURTLE = """
# a comment with . and <
ex:fonds a rico:RecordSet ; rico:title "Mill papers"@en, 'Papiers'@fr ;
  rico:hasOrHadIdentifier <https://hill.example/i> ;
  rico:isAssociatedWithDate [ a rico:Date ; rico:normalizedDateValue "18010203" ] ;
  rico:scopeAndContent \"\"\"Wheat.
And "rye". é\"\"\" ;
  rico:hasOrganicProvenance ex:mill ; rico:rankInSequence 7 .
<https://hill.example/i> a rico:Identifier ; rico:name "M 1" .
ex:mill a rico:CorporateBody ;
  rico:thingIsSourceOfRelation [ a rico:MembershipRelation ; rico:relationHasTarget ex:ada ] ; .
"""


def test_turtle_says_the_same_with_the_lines_of_its_blocks(tmp_path: Path) -> None:
    found = turtle(tmp_path, TURTLE)
    fonds = it("RecordSet", "fonds")
    assert [stretch.line for stretch in found] == [8, 14, 15]
    assert [stretch.element for stretch in found] == [
        "ex:fonds", "<https://hill.example/i>", "ex:mill",
    ]  # fmt: skip
    assert found[0].raw.startswith("ex:fonds a")
    assert found[0].raw.endswith("7 .")
    assert [(one.value.lexical, one.value.language) for one in said(found, "namedAs")
            if one.value] == [("Mill papers", "en"), ("Papiers", "fr")]  # fmt: skip
    assert values(found, "description/identifier", fonds) == ["M 1"]
    assert found[1].statements[0].subject == fonds  # said where the words stand
    assert values(found, "description/unitDate") == ["1801-02-03"]
    assert values(found, "description/scopeAndContent") == ['Wheat. And "rye". é']
    assert quotes(found, "description/provenance") == ["ex:mill"]
    assert values(found, "description/rank") == ["7"]
    assert links(found, "description/hasMember") == [(MILL, ADA)]
    assert quotes(found, "description/hasMember") == ["ex:ada"]
    assert unmapped(found) == []


def test_what_is_escaped_in_turtle_is_noted_and_left_out(tmp_path: Path) -> None:
    notes: list[Fault] = []
    found = turtle(
        tmp_path,
        'ex:ada a rico:Person ; rico:name "Ada" ;\n rico:history "one\\ntwo" ;'
        ' rico:note "\\"x\\"".',
        notes,
    )
    assert values(found, "namedAs") == ["Ada"]
    assert not said(found, "description/biographyOrHistory")
    (note,) = notes
    assert note.place == "line 7"
    assert note.reason.endswith("left out: 2.")


def test_a_relation_of_which_two_places_tell_one_end_each(tmp_path: Path) -> None:
    found = turtle(
        tmp_path,
        "ex:r a rico:AgentTemporalRelation ; rico:relationHasSource ex:mill .\n"
        "ex:r rico:relationHasTarget ex:works .\nex:r rico:note 'x' .",
    )
    assert set(links(found, "description/successor")) == {
        (it("Agent", "mill"), it("Agent", "works"))
    }
    assert unmapped(found) == ["rico:AgentTemporalRelation/rico:note"]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.ttl", "@prefix rico: <x:> .\nrico:a rico:b\n owl:c .", "line 3"),
        ("b.ttl", "<x:a> <x:b> 'open .\n", "line 1"),
        ("c.ttl", PREFIXES + "ex:a rdfs:label 'no term' .", "no term of RiC-O"),
        ("d.rdf", HEAD + "<rico:Record>", "line"),
        ("e.rdf", HEAD + "<skos:Concept rdf:about='x'/></rdf:RDF>", "no term of RiC-O"),
        ("g.ttl", PREFIXES + f"ex:a rico:history 'x' ; rico:note '{'x' * MOST_PART}' .", "line 6"),
        ("h.ttl", PREFIXES + f"ex:a rico:note '{'x' * (17 << 20)}' .", "h.ttl"),
        (
            "f.ttl",
            PREFIXES + "ex:a rico:note " + "[ rico:note " * 80 + "1" + "]" * 80 + ".",
            "deep",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(
    tmp_path: Path, name: str, text: str, told: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=told):
        list(rico.read(path, []))


def test_turtle_that_is_no_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "latin.ttl"
    path.write_bytes(PREFIXES.encode() + "ex:a rdfs:label 'é' .".encode("latin-1"))
    with pytest.raises(BadInput, match="line 6: this is no UTF-8"):
        list(rico.read(path, []))


def test_turtle_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mark.ttl"
    text = PREFIXES + "ex:ada a rico:Person ; rico:name 'Ada' ."
    path.write_text(text, encoding="utf-8-sig")
    assert values(list(rico.read(path, [])), "namedAs") == ["Ada"]


def test_what_pyoxigraph_has_no_memory_for_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parse(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(rico_turtle, "parse", parse)
    with pytest.raises(BadInput, match="too long"):
        turtle(tmp_path, "ex:ada a rico:Person .")


@pytest.mark.parametrize(
    ("open_", "close"), [('"""', '"""'), ("'''", "'''"), ('"', '"'), ("'", "'")]
)
def test_a_long_text_costs_no_more_than_itself(tmp_path: Path, open_: str, close: str) -> None:
    text = "ab \\u00e9" * 60_000
    path = tmp_path / "long.ttl"
    path.write_text(PREFIXES + f"ex:ada a rico:Person ; rico:note {open_}{text}{close} .")
    size = path.stat().st_size
    tracemalloc.start()
    list(rico.read(path, []))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30 * size  # with a place to come back to for each character, ten times as much


def test_quotation_marks_within_and_at_the_edge_of_long_texts(tmp_path: Path) -> None:
    found = turtle(
        tmp_path,
        "ex:ada a rico:Person ; rico:note \"\"\"a \"b\" \"\"c\"\"\" , '''d 'e' f''' , '' , "
        '"""two\nlines""" .',
    )
    assert values(found, "description/note") == ['a "b" ""c', "d 'e' f", "two lines"]


def test_blank_things_stay_the_same_when_another_subject_is_added(tmp_path: Path) -> None:
    before = xml(tmp_path, AGENT)
    after = xml(tmp_path, FONDS + AGENT)
    letters = links(before, "description/provenanceOf")
    assert letters == links(after, "description/provenanceOf")


def test_a_thing_without_a_class_says_nothing_and_is_listed(tmp_path: Path) -> None:
    found = xml(
        tmp_path,
        '<rdf:Description rdf:about="x"><rico:title>T</rico:title></rdf:Description>'
        '<rico:Event rdf:about="e"><rico:name>Fair</rico:name></rico:Event>',
    )
    assert not [one for stretch in found for one in stretch.statements]
    assert unmapped(found) == ["rdf:Description/rico:title", "rico:Event", "rico:Event/rico:name"]


def test_files_are_told_by_root_or_ending(tmp_path: Path) -> None:
    rdf, ttl = tmp_path / "a.xml", tmp_path / "a.TTL"
    rdf.write_text(HEAD + "</rdf:RDF>", encoding="utf-8")
    ttl.write_text("", encoding="utf-8")
    assert formats.form_of(rdf).name == formats.form_of(ttl).name == "rico"
    assert formats.form_of(ttl).media_type == "text/turtle"


def test_the_table_only_names_what_exists() -> None:
    table = mapping.load()
    for rows in rico_terms._rows().values():
        for rule in rows:
            if rule.kind == "class":
                kinds = {rico_terms.entity_type(one) for one in rule.says} - {""}
                assert kinds <= set(table.entities)
            else:
                assert set(rule.says) <= set(table.statements)


@pytest.mark.parametrize(
    ("property_", "lexical"),
    [
        ("creationDate", "1905"),
        ("hasOrHadSomeMembersWithCreationDate", "1905"),
        ("hasOrHadMostMembersWithCreationDate", "1905"),
        ("hasOrHadAllMembersWithCreationDate", "1905"),
        ("beginningDate", "1905/"),
        ("endDate", "/1905"),
    ],
)
def test_what_was_created_then_did_not_only_begin_then(
    tmp_path: Path, property_: str, lexical: str
) -> None:
    date = "'1905'" if property_[:3] != "has" else "[ a rico:Date ; rico:expressedDate '1905' ]"
    found = turtle(tmp_path, f"ex:f a rico:RecordSet ; rico:{property_} {date} .")
    assert values(found, "description/unitDate") == [lexical]
    assert not unmapped(found)


def test_a_relation_of_many_ends_is_left_out_and_noted_once(tmp_path: Path) -> None:
    def many(count: int) -> str:
        ends = ", ".join(f"ex:p{n}" for n in range(count))
        return f"a rico:AgentToAgentRelation ; rico:relationConnects {ends} .\n"

    notes: list[Fault] = []
    found = turtle(tmp_path, "ex:r " + many(300) + "ex:s " + many(11) + "ex:t " + many(10), notes)
    assert len(said(found, "description/associated")) == 45
    assert unmapped(found) == ["rico:AgentToAgentRelation"] * 2
    (note,) = notes
    assert (note.place, note.reason.endswith("left out: 2.")) == ("line 6", True)


BLANKS = """ex:f a rico:RecordSet ; rico:hasOrHadSubject {before}
 [ a rico:Person ; rico:name "Bob" ] , [ a rico:Person ; rico:name "Bob" ] ,
 [ a rico:Place ; rico:hasOrHadPlaceName [ a rico:PlaceName ; rico:textualValue "Vale" ] ] .
{top}[] a rico:Person ; rico:name "Cid" ."""


def test_a_nameless_thing_is_told_by_what_is_said_of_it(tmp_path: Path) -> None:
    one = turtle(tmp_path, BLANKS.format(before="", top=""))
    two = turtle(
        tmp_path,
        BLANKS.format(
            before="[ a rico:Person ; rico:name 'Ann' ] , [ a rico:Place ] ,",
            top="[ a rico:Person ; rico:name 'Dan' ] rico:note 'x' . ",
        ),
    )

    def things(stretches: list[Stretch]) -> dict[Thing, str]:
        return {s.subject: s.value.lexical for s in said(stretches, "namedAs") if s.value}

    before, after = things(one), things(two)
    assert sorted(before.values()) == ["Bob", "Bob", "Cid", "Vale"]
    assert sorted(after.values()) == ["Ann", "Bob", "Bob", "Cid", "Dan", "Vale"]
    assert before.items() <= after.items()


@pytest.mark.parametrize(
    "members",
    [
        "( ex:r1 ex:r2 )",
        "[ a rdf:Bag ; rdf:_1 ex:r1 ; rdf:_2 ex:r2 ]",
        "[ a rdf:Seq ; rdf:li ex:r1, ex:r2 ]",
        "[ a rdf:List ; rdf:first ex:r1 ; rdf:rest [ rdf:first ex:r2 ; rdf:rest rdf:nil ] ]",
        "( ex:r1 ( ex:r2 ) ), ()",
    ],
)
def test_a_list_in_turtle_is_its_members(tmp_path: Path, members: str) -> None:
    found = turtle(tmp_path, f"ex:f a rico:RecordSet ; rico:directlyIncludes {members} .")
    fonds = it("RecordSet", "f")
    assert links(found, "description/includes") == [
        (fonds, it("RecordSet", "r1")), (fonds, it("RecordSet", "r2")),
    ]  # fmt: skip
    assert quotes(found, "description/includes") == ["ex:r1", "ex:r2"]
    assert not unmapped(found)


@pytest.mark.parametrize(
    "members",
    [
        "<rico:directlyIncludes rdf:parseType='Collection'><rdf:Description rdf:about='r1'/>"
        "<rdf:Description rdf:about='r2'/></rico:directlyIncludes>",
        *(
            f"<rico:directlyIncludes><rdf:{kind}><rdf:li rdf:resource='r1'/><rdf:_2>"
            f"<rdf:Description rdf:about='r2'/></rdf:_2></rdf:{kind}></rico:directlyIncludes>"
            for kind in ("Bag", "Seq", "Alt")
        ),
        "<rico:directlyIncludes><rdf:List><rdf:first rdf:resource='r1'/><rdf:rest><rdf:List>"
        "<rdf:first rdf:resource='r2'/><rdf:rest rdf:resource='http://www.w3.org/1999/02/"
        "22-rdf-syntax-ns#nil'/></rdf:List></rdf:rest></rdf:List></rico:directlyIncludes>",
    ],
)
def test_a_list_in_xml_is_its_members(tmp_path: Path, members: str) -> None:
    found = xml(tmp_path, f"<rico:RecordSet rdf:about='f'>{members}</rico:RecordSet>")
    fonds = it("RecordSet", "f")
    assert links(found, "description/includes") == [
        (fonds, it("RecordSet", "r1")), (fonds, it("RecordSet", "r2")),
    ]  # fmt: skip
    assert quotes(found, "description/includes") == ["r1", "r2"]
    assert not unmapped(found)


def test_what_is_beneath_something_beneath_is_not_directly_beneath(tmp_path: Path) -> None:
    found = turtle(
        tmp_path,
        "ex:mill a rico:CorporateBody ; rico:isSubordinateToTransitive ex:a ;"
        " rico:hasSubordinateTransitive ex:b ; rico:hasSubdivisionTransitive ex:c .",
    )
    assert not [one for stretch in found for one in stretch.statements]
    assert len(unmapped(found)) == 3


def test_inverses_of_renamed_terms_are_renamed_as_well() -> None:
    for old, new in (
        ("isInstantiationOf", "isOrWasInstantiationOf"),
        ("isProvenanceOf", "isOrganicProvenanceOf"),
        ("isOrWasCategoryOf", "isOrWasTypeOf"),
    ):
        assert rico_terms.renamed(rico_terms.rico(old)) == rico_terms.rico(new)
        assert rico_terms.is_known(rico_terms.rico(new))


@pytest.mark.parametrize(
    ("classes", "kind", "told"),
    [
        ("rico:Person, rico:CorporateBody", "Person", "Person and OrganizationState"),
        ("rico:CorporateBody, rico:Person", "OrganizationState", "OrganizationState and Person"),
        ("rico:Agent, rico:Record", "Record", "Agent and Record"),
        ("rico:Agent, rico:Person", "Person", ""),
        ("rico:RecordResource, rico:RecordSet", "RecordSet", ""),
        ("skos:Concept, rico:Place", "Location", ""),
    ],
)
def test_a_thing_of_two_kinds_is_noted(tmp_path: Path, classes: str, kind: str, told: str) -> None:
    notes: list[Fault] = []
    skos = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
    found = turtle(tmp_path, f"{skos}ex:x a {classes} ; rico:name 'X' .", notes)
    assert {one.subject.type for one in said(found, "namedAs")} == {kind}
    assert [told in note.reason for note in notes] == ([True] if told else [])
    assert all(note.reason.endswith(f"read as {kind}.") for note in notes)


def test_many_things_of_two_kinds_are_one_note(tmp_path: Path) -> None:
    notes: list[Fault] = []
    turtle(tmp_path, "".join(f"ex:p{n} a rico:Person, rico:Family .\n" for n in range(9)), notes)
    (note,) = notes
    assert note.place == "line 6"
    assert "p0, and 8 more:" in note.reason


def test_a_list_that_goes_on_elsewhere_is_listed(tmp_path: Path) -> None:
    found = turtle(
        tmp_path,
        "ex:f a rico:RecordSet ; rico:directlyIncludes [ rdf:first ex:r1 ; rdf:rest _:more ] .\n"
        "_:more rdf:first ex:r2 ; rdf:rest rdf:nil .",
    )
    assert [one.object for one in said(found, "description/includes")] == [it("RecordSet", "r1")]
    assert "rico:RecordSet/rdf:rest" in unmapped(found)
    assert "rdf:Description/rdf:first" in unmapped(found)


def test_what_is_no_address_of_the_web_is_an_identifier(tmp_path: Path) -> None:
    found = turtle(
        tmp_path,
        "ex:ada a rico:Person ; owl:sameAs <urn:isni:1>, <https://names.example/\u00e9>, "
        "<https://names.example/2> ; rdfs:seeAlso <mailto:ada@hill.example> .",
    )
    assert values(found, "description/identifier") == ["urn:isni:1"]
    assert [one.value for one in said(found, "description/sameAs")] == [
        Value("https://names.example/%C3%A9", "anyURI", verbatim="https://names.example/\u00e9"),
        Value("https://names.example/2", "anyURI"),
    ]
    assert unmapped(found) == ["rico:Person/rdfs:seeAlso"]


def test_an_employer_is_of_a_work_relation_as_in_eac(tmp_path: Path) -> None:
    found = turtle(
        tmp_path,
        "ex:ada a rico:Person ; rico:hasOrHadEmployer ex:mill .\n"
        "ex:mill a rico:CorporateBody ; rico:isOrWasEmployerOf ex:bob .",
    )
    assert len(said(found, "description/workRelation")) == 2
    assert not said(found, "description/controlledBy") + said(found, "description/controls")


def test_a_language_keeps_its_code_as_it_is_written(tmp_path: Path) -> None:
    language = "http://id.loc.gov/vocabulary/iso639-2/eng"
    found = turtle(
        tmp_path,
        f"ex:r a rico:Record ; rico:hasOrHadLanguage <{language}>, <https://l.example/7> .",
    )
    assert [one.value for one in said(found, "description/languageCode")] == [
        Value(language, "anyURI", verbatim="eng"), Value("https://l.example/7", "anyURI"),
    ]  # fmt: skip


def test_nodes_within_a_block_have_the_type_that_it_tells(tmp_path: Path) -> None:
    found = turtle(
        tmp_path,
        "ex:f a rico:RecordSet ; rico:hasOrganicProvenance [ rico:name 'Ann' ] ;"
        " rico:directlyIncludes [ rico:name 'Ledger' ] .",
    )
    assert [one.subject.type for one in said(found, "namedAs")] == ["Agent", "RecordSet"]


def test_the_type_of_a_node_within_is_found_without_a_walk(tmp_path: Path) -> None:
    class Walked(dict[Statement, None]):
        walks = 0

        def __iter__(self) -> Iterator[Statement]:
            Walked.walks += 1
            return super().__iter__()

    path = tmp_path / "many.ttl"
    nodes = " , ".join(f"[ rico:name 'N{n}' ]" for n in range(20))
    path.write_text(PREFIXES + f"ex:f a rico:RecordSet ; rico:directlyIncludes {nodes} .")
    source = Source(path.name, [])
    sight = look(rico_turtle.blocks(path, source), source)
    (block,) = rico_turtle.blocks(path, source)
    telling = Telling(block, sight)
    telling._said = Walked()
    assert len(said([telling.stretch()], "namedAs")) == 20
    assert Walked.walks < 5
