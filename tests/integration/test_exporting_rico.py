"""One description goes out as plain RiC-O: its things, both directions, nothing of the archive."""

from __future__ import annotations

from pathlib import Path

import pytest
from rdflib import RDF, RDFS, Graph, Literal, Namespace, URIRef
from rdflib.namespace import XSD

from rdfkms.access import ANONYMOUS
from rdfkms.app import composition, exporting_rico
from rdfkms.errors import BadInput, NotFound
from rdfkms.publish.rico import practice as practices
from rdfkms.publish.views import key_in, scope_of, text_of
from tests.tools.small_run import command

FILES = Path(__file__).parent.parent / "golden" / "describing"
RICO = Namespace("https://www.ica.org/standards/RiC/ontology#")
DC = Namespace("http://purl.org/dc/elements/1.1/")
FORMS = "https://www.ica.org/standards/RiC/vocabularies/documentaryFormTypes#"
RULES = """
language = "la"
holder = "https://holder.example.org/municipal"
file_address = "https://aids.example.org/{file}"
unit_address = "https://aids.example.org/{file}/{unit}"
copy_format = "image/png"
[headings]
biographyOrHistory = "How it came about"
"""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    archive = tmp_path_factory.mktemp("rico") / "A"
    command("describe", "--archive", archive, FILES)
    return archive


def key_of(archive: Path, file: str) -> str:
    with composition.reading(archive) as app:
        scope = scope_of(app.ledger.store, app.base, app.mapping, ANONYMOUS)
        (row,) = [
            row for row in scope.select("publishing/description_files")
            if text_of(row["file"]) == file
        ]  # fmt: skip
        return key_in(scope, row["record"])


def exported(archive: Path, file: str, practice: Path | None = None) -> Graph:
    key = key_of(archive, file)
    with composition.reading(archive) as app:
        return Graph().parse(data=exporting_rico.rico(app, key, None, practice)["text"])


@pytest.fixture(scope="module")
def aid(archive: Path) -> Graph:
    return exported(archive, "harbour.xml")


@pytest.fixture(scope="module")
def authority(archive: Path) -> Graph:
    return exported(archive, "orlanda.xml")


def titled(graph: Graph, title: str, cls: URIRef) -> URIRef:
    told = [s for s, name in graph.subject_objects(RICO.title) if str(name) == title]
    (found,) = [s for s in told if (s, RDF.type, cls) in graph]
    assert isinstance(found, URIRef)
    return found


def test_nothing_of_the_archive_itself_goes_out(aid: Graph, authority: Graph) -> None:
    for graph in (aid, authority):
        terms = {str(term) for term in (*graph.predicates(), *graph.objects(None, RDF.type))}
        assert {t for t in terms if "rdfkms" in t} == set()
        assert {s for s in graph.subjects() if "/claim/" in s or "/evidence/" in s} == set()


def test_units_stand_in_each_other_both_ways_and_in_their_order(aid: Graph) -> None:
    whole = titled(aid, "Harbour Office of Port Selene", RICO.RecordResource)
    series = titled(aid, "Pilots' journals", RICO.RecordResource)
    map_ = titled(aid, "Map of the roads", RICO.RecordResource)
    assert (series, RDF.type, RICO.RecordSet) in aid
    assert (map_, RDF.type, RICO.Record) in aid
    assert set(aid.objects(whole, RICO.directlyIncludes)) == {series, map_}
    assert set(aid.objects(map_, RICO.isDirectlyIncludedIn)) == {whole}
    assert set(aid.objects(series, RICO.directlyPrecedesInSequence)) == {map_}
    assert set(aid.objects(map_, RICO.directlyFollowsInSequence)) == {series}
    assert (aid.value(whole, RICO.isOrWasDescribedBy), RICO.describesOrDescribed, whole) in aid


def test_the_first_instantiation_has_code_title_dates_and_extent(aid: Graph) -> None:
    whole = titled(aid, "Harbour Office of Port Selene", RICO.RecordResource)
    first = aid.value(whole, RICO.hasOrHadInstantiation)
    assert (first, RICO.isOrWasInstantiationOf, whole) in aid
    assert (first, RICO.identifier, Literal("HO")) in aid
    assert [str(o) for o in aid.objects(first, RICO.instantiationExtent)] == ["12 boxes"]
    for one in (whole, first):
        assert (one, RICO.beginningDate, Literal("1871", datatype=XSD.gYear)) in aid
        assert (one, RICO.endDate, Literal("1934", datatype=XSD.gYear)) in aid
        assert "1871-1934" in {str(o) for o in aid.objects(one, RICO.date)}


def test_what_stands_for_a_title_is_none(aid: Graph) -> None:
    codes = {str(o) for o in aid.objects(None, RICO.identifier)}
    assert "HO/1/2" in codes
    assert codes & {str(o) for o in aid.objects(None, RICO.title)} == set()
    assert "bundle" in {str(o) for o in aid.objects(None, RICO.type)}


def test_a_digital_copy_is_derived_from_the_first(aid: Graph) -> None:
    ((first, copy),) = aid.subject_objects(RICO.hasOrHadDerivedInstantiation)
    assert (copy, RICO.isOrWasDerivedFromInstantiation, first) in aid
    assert (copy, RDFS.seeAlso, URIRef("https://scans.example.org/ho-1-1")) in aid
    assert aid.value(copy, DC.format) is None  # no practice says what the files are


def test_an_authority_record_has_names_dates_and_relations(authority: Graph) -> None:
    (person,) = [
        s for s in authority.subjects(RDF.type, RICO.Person)
        if (s, RICO.isOrWasDescribedBy, None) in authority
    ]  # fmt: skip
    file = authority.value(person, RICO.isOrWasDescribedBy)
    form = URIRef(FORMS + "AuthorityRecord")
    assert (file, RICO.hasDocumentaryFormType, form) in authority
    assert (person, RICO.birthDate, Literal("1849", datatype=XSD.gYear)) in authority
    names = {str(authority.value(n, RICO.textualValue)): n
             for n in authority.objects(person, RICO.hasOrHadAgentName)}  # fmt: skip
    assert set(names) == {"Vey, Orlanda", "Vey, Orlande"}
    used = authority.value(names["Vey, Orlanda"], RICO.usedFromDate)
    assert used == Literal("1875", datatype=XSD.gYear)
    (relation,) = authority.subjects(RDF.type, RICO.AgentToAgentRelation)
    ends = set(authority.objects(relation, RICO.relationConnects))
    (office,) = ends - {person}
    assert (relation, RICO.endDate, Literal("1911", datatype=XSD.gYear)) in authority
    assert (person, RICO.isAgentAssociatedWithAgent, office) in authority
    assert (office, RICO.isAgentAssociatedWithAgent, person) in authority
    (work,) = authority.subjects(RDF.type, RICO.PerformanceRelation)
    activity = authority.value(work, RICO.relationHasSource)
    assert (person, RICO.performsOrPerformed, activity) in authority
    assert authority.value(activity, RICO.hasActivityType) is not None


def test_a_practice_adds_what_the_institution_says_by_rule(archive: Path, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text(RULES, encoding="utf-8")
    graph = exported(archive, "harbour.xml", rules)
    (file,) = graph.subjects(RICO.hasDocumentaryFormType)
    copy = graph.value(file, RICO.hasOrHadDigitalInstantiation)
    assert (copy, RICO.hasOrHadHolder, URIRef("https://holder.example.org/municipal")) in graph
    address = URIRef("https://aids.example.org/harbour-office/s1")
    series = titled(graph, "Pilots' journals", RICO.RecordResource)
    assert (graph.value(series, RICO.hasOrHadInstantiation), RDFS.seeAlso, address) in graph
    (history,) = set(graph.objects(None, RICO.history))
    assert str(history).startswith("How it came about\n")
    assert "Founded by decree in 1871." in str(history)


def test_the_command_writes_turtle_or_xml_to_a_new_file(archive: Path, tmp_path: Path) -> None:
    target = tmp_path / "aid.rdf"
    arguments = ("export", "rico", "--archive", archive, "--record", key_of(archive, "harbour.xml"))
    command(*arguments, "--to", target)
    told = Graph().parse(target, format="xml")
    assert set(told.subjects(RICO.hasDocumentaryFormType))
    again = command(*arguments, "--to", target, check=False)
    assert again.returncode != 0
    assert "exists already" in again.stderr


def test_other_records_and_endings_are_refused(archive: Path, tmp_path: Path) -> None:
    key = key_of(archive, "orlanda.xml")
    with composition.reading(archive) as app:
        with pytest.raises(NotFound, match="no description file"):
            exporting_rico.rico(app, "nothing", None, None)
        with pytest.raises(BadInput, match="ending"):
            exporting_rico.rico(app, key, tmp_path / "a.docx", None)
    assert list(tmp_path.iterdir()) == []


def test_a_practice_that_says_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    for text in ("langauge = 'fr'", "language = 3", "headings = 'x'", "copy_endings = 'x'", "= ="):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BadInput, match=r"p\.toml"):
            practices.load(path)
