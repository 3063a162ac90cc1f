"""EDM records out of Records in Contexts: Europeana's XSD and Schematron, and the own check."""

from __future__ import annotations

import builtins
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from lxml import etree
from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.access import ANONYMOUS
from rdfkms.app import composition
from rdfkms.errors import BadInput, Missing, TooLarge
from rdfkms.knowledge import mapping
from rdfkms.ledger.ledger import Activity, Change
from rdfkms.publish.edm import building, checks, dublin, export, reading, tables, tiers, xml
from rdfkms.publish.edm.building import Publisher
from rdfkms.publish.edm.official import Validator
from rdfkms.publish.edm.reading import Described, Said
from rdfkms.publish.edm.values import EdmRecord
from rdfkms.publish.views import Scope, scope_of
from rdfkms.vocab import KMS, KV, RICO
from tests.tools import europeana
from tests.tools.small_archive import OWNER, Small, build
from tests.tools.small_run import Built, command, folder

BAD = {
    "bad-bad-rights-uri": "edm:rights",
    "bad-bad-type": "edm:type",
    "bad-https-rights": "edm:rights",
    "bad-no-dataProvider": "edm:dataProvider",
    "bad-no-isShown": "edm:isShownAt",
    "bad-no-language": "dc:language",
    "bad-no-provider": "edm:provider",
    "bad-no-rights": "edm:rights",
    "bad-no-subject-type-spatial-temporal": "dc:subject",
    "bad-no-title": "dc:title",
    "bad-wrong-element-order": "dc:date",
}
CNE = "http://rightsstatements.org/vocab/CNE/1.0/"
BY = Publisher(
    "http://localhost:8080", "http://localhost:8080/page/record/", "Belmira", "Belmira", CNE, "",
    mapping.load(),
)  # fmt: skip


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Small]:
    made = build(tmp_path_factory.mktemp("edm") / "A", title="Belmira")
    yield made
    made.close()


def scope(small: Small) -> Scope:
    return scope_of(small.ledger.store, small.ledger.base, mapping.load(), ANONYMOUS)


def record(small: Small, key: str = "") -> EdmRecord:
    wanted = key or small.record
    return building.build(reading.read(scope(small), [wanted])[wanted], BY)


def texts(made: EdmRecord, name: str) -> list[str]:
    return [e.text or e.link for n in made.nodes for e in n.elements if e.name == name]


# ---- the official rules -------------------------------------------------------------------------


def test_every_public_record_of_the_run_passes_xsd_and_schematron(
    built: Built, shared: Path
) -> None:
    with composition.reading(built.archive) as app:
        seen = scope_of(app.ledger.store, app.base, app.mapping, ANONYMOUS)
        done = export.export(
            seen, building.publisher(app.settings, app.mapping), None, europeana.validator(shared)
        )
    assert (done.records, done.written, done.lacking) == (2, 2, {})
    assert sum(done.tiers.values()) == 2
    assert "0" not in done.tiers


@pytest.mark.slow
def test_every_public_record_of_the_whole_sample_passes(tmp_path: Path, shared: Path) -> None:
    examples = Path(__file__).resolve().parents[2] / "examples"
    command("run", examples / "first", examples / "second", "--archive", tmp_path / "A")
    schemas = shared / "data/validators/edm/schema_xsds"
    done = command(
        "export", "edm", "--archive", tmp_path / "A", "--check", "--json",
        "--xsd", schemas / "EDM.xsd", "--schematron", schemas / "schematron/schematron.xsl",
    )  # fmt: skip
    told = json.loads(done.stdout)
    assert told["records"] >= 30
    assert told["lacking"] == {}


@pytest.mark.parametrize("name", sorted(BAD))
def test_every_bad_example_is_refused_with_its_element_named(name: str, shared: Path) -> None:
    data = europeana.examples(shared)[name]
    assert europeana.validator(shared).check(data), "Europeana refuses it too"
    findings = checks.check(xml.parse(data))
    assert BAD[name] in findings[0].element.split("|")
    assert BAD[name] in findings[0].sentence
    assert findings[0].remedy


def test_the_good_example_passes_and_no_example_is_forgotten(shared: Path) -> None:
    examples = europeana.examples(shared)
    assert checks.check(xml.parse(examples.pop("good"))) == ()
    assert set(examples) == set(BAD)


MUTATIONS = {
    "edm:rights": r"<edm:rights [^>]*/>(?=\s*</ore)",
    "edm:dataProvider": r"<edm:dataProvider>.*?</edm:dataProvider>",
    "edm:provider": r"<edm:provider>.*?</edm:provider>",
    "edm:isShownAt|edm:isShownBy": r"<edm:isShown\w+ [^>]*/>",
    "edm:aggregatedCHO": r"<edm:aggregatedCHO [^>]*/>",
    "dc:title|dc:description": r"(?s)<dc:title.*?</dc:title>",
    "dc:language": r"<dc:language>.*?</dc:language>",
    "edm:type": r"<edm:type>.*?</edm:type>",
    "edm:ProvidedCHO": r"(?s)<edm:ProvidedCHO.*?</edm:ProvidedCHO>",
    "ore:Aggregation": r"(?s)<ore:Aggregation.*?</ore:Aggregation>",
}


@pytest.mark.parametrize("element", sorted(MUTATIONS))
def test_what_is_taken_out_of_a_real_record_is_named(
    element: str, small: Small, shared: Path
) -> None:
    whole = xml.document(record(small)).decode()
    assert europeana.validator(shared).check(whole.encode()) == ()
    cut = re.sub(MUTATIONS[element], "", whole)
    assert cut != whole
    found = checks.check(xml.parse(cut.encode()))
    assert element in {finding.element for finding in found}


def test_a_second_rights_an_unknown_element_and_an_empty_one_are_named(small: Small) -> None:
    whole = xml.document(record(small)).decode()
    rights = f'<edm:rights rdf:resource="{CNE}"/>'
    twice = whole.replace(f"{rights}\n  </ore", f"{rights}{rights}\n  </ore")
    assert twice != whole
    assert [f.element for f in checks.check(xml.parse(twice.encode()))] == ["edm:rights"]
    odd = whole.replace("<edm:type>", "<edm:year>1939</edm:year><edm:type>")
    assert [f.element for f in checks.check(xml.parse(odd.encode()))] == ["edm:year"]
    empty = whole.replace("<edm:type>", '<dc:source xml:lang="es"></dc:source><edm:type>')
    assert [f.element for f in checks.check(xml.parse(empty.encode()))] == ["dc:source"]


_words = st.text(max_size=12) | st.sampled_from(
    ["", " ", "\x00", "]]>", "<b>", "Belmira", "\ufffe"]
)
_literal = st.builds(Literal, _words) | st.builds(
    lambda text, tag: Literal(text, language=tag), _words, st.sampled_from(["es", "lzh", "en"])
)
_own = st.tuples(
    st.sampled_from(
        [RICO(n).value for n in ("title", "identifier", "scopeAndContent", "history", "date",
         "conditionsOfUse", "hasCreator", "creationDate")] + [KMS("language").value]
    ),
    _literal | st.sampled_from([NamedNode("http://a/b"), NamedNode(CNE)]),
)  # fmt: skip
_said = st.builds(
    Said,
    claim=st.integers(0, 99).map(lambda n: f"http://localhost:8080/id/claim/{n}"),
    subject=st.sampled_from([f"http://localhost:8080/id/person/{n}" for n in "ab"]),
    statement=st.sampled_from(
        [KV(n).value for n in ("namedAs", "time", "birthDate", "birthplace", "occupation", "x")]
    ),
    object=st.sampled_from(["", "http://localhost:8080/id/place/c"]),
    value=_literal | st.sampled_from([Literal("1939-03/1940"), Literal("XXXX-02-30"), None]),
    verbatim=_words,
    entity_type=st.sampled_from(["Person", "Location", "Charge", "Unknown"]),
    event_type=st.just(""),
)


@hypothesis_settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    own=st.lists(_own, max_size=8),
    said=st.lists(_said, max_size=5),
    media=st.sampled_from([(), ("image/png",), ("text/plain",), ("audio/wav",), ("model/obj",)]),
    has_text=st.booleans(),
)
def test_what_the_own_check_finds_sound_europeana_finds_valid(
    own: Any, said: Any, media: Any, has_text: bool, shared: Path
) -> None:
    described = Described(
        "k", "http://localhost:8080/id/record/k", tuple(own), (), media, ("a" * 64,), has_text,
        tuple(said), {}, {},
    )  # fmt: skip
    made = building.build(described, BY)
    data = xml.document(made)
    official = europeana.validator(shared).check(data)
    assert not official or checks.check(xml.parse(data)), official
    assert tiers.tier(made) in "0ABC"
    dublin.element(made)


# ---- what a record says ------------------------------------------------------------------------


def test_the_crosswalk_tells_object_pictures_and_what_is_named(small: Small) -> None:
    made = record(small)
    assert texts(made, "dc:title") == ["Sentencia, causa-7"]
    assert texts(made, "edm:type") == ["TEXT"]
    assert texts(made, "dcterms:isPartOf")[1] == "consejos"
    service = f"http://localhost:8080/iiif/image/{small.picture}"
    assert texts(made, "edm:isShownBy") == [f"{service}/full/max/0/default.jpg"]
    assert texts(made, "svcs:has_service") == [service]
    assert [n.about for n in made.of("svcs:Service")] == [service]
    assert texts(made, "doap:implements") == ["http://iiif.io/api/image/3/level2.json"]
    assert [n.about for n in made.of("edm:Agent")] == [
        f"http://localhost:8080/id/{small.person.path}"
    ]
    (day,) = made.of("edm:TimeSpan")
    assert [(e.name, e.text) for e in day.elements] == [
        ("skos:prefLabel", "12 de marzo de 1939"),
        ("edm:begin", "1939-03-12"),
        ("edm:end", "1939-03-12"),
    ]
    assert [e.text for e in next(made.of("edm:Place")).elements] == ["Belmira"]


def test_what_is_quarantined_says_nothing(small: Small) -> None:
    assert "mandase" not in xml.document(record(small)).decode()


def test_a_closed_record_is_not_exported(small: Small, tmp_path: Path) -> None:
    done = export.export(scope(small), BY, tmp_path / "out")
    assert done.records == 2
    written = {path.stem for path in (tmp_path / "out").iterdir()}
    assert small.closed_record not in written
    assert "Oculto" not in "".join(p.read_text() for p in (tmp_path / "out").iterdir())


@pytest.mark.parametrize(
    ("words", "rights", "findings"),
    [
        ("http://creativecommons.org/licenses/by/4.0/", ["by/4.0/"], []),
        ("Solo con permiso del archivo.", [], ["edm:rights"]),
        ("https://creativecommons.org/licenses/by/4.0/", ["by/4.0/"], ["edm:rights"]),
    ],
)
def test_rights_come_from_the_conditions_of_use(
    words: str, rights: list[str], findings: list[str], small: Small
) -> None:
    base, key = small.ledger.base, small.record
    said = Quad(base.iri("record", key), RICO("conditionsOfUse"), Literal(words), base.public)
    small.ledger.commit(Change(Activity("edit"), add=(said,)), OWNER)
    try:
        made = record(small)
        root = xml.element(made)
        found = next(made.of("ore:Aggregation")).elements
        assert [e.link[-7:] for e in found if e.name == "edm:rights"] == rights
        assert [f.element for f in checks.check(root)] == findings
    finally:
        small.ledger.commit(Change(Activity("edit"), remove=(said,)), OWNER)


def test_dublin_core_names_what_the_record_leads_to(small: Small) -> None:
    root = dublin.element(record(small))
    found = {(etree.QName(e).localname, e.text) for e in root}
    assert ("subject", "Andrés Vidal Soler") in found
    assert ("coverage", "Belmira") in found
    assert ("coverage", "12 de marzo de 1939") in found
    assert ("rights", CNE) in found
    assert ("relation", "consejos") in found


def test_the_tier_is_the_lowest_of_three() -> None:
    bare = Described("k", "http://x/k", ((RICO("title").value, Literal("a")),), (), (), (), True,
                     (), {}, {})  # fmt: skip
    assert tiers.tier(building.build(bare, BY)) == "0", "no language, nothing enabling"
    named = Said("http://x/id/claim/1", "http://x/p", KV("namedAs").value, "",
                 Literal("Ana", language="es"), "", "Person", "")  # fmt: skip
    tagged = (RICO("title").value, Literal("a", language="es"))
    one = Described("k", "http://x/k", (tagged,), (), (), (), True, (named,), {}, {})
    assert tiers.tier(building.build(one, BY)) == "A", "no complete contextual class"


def test_every_element_that_the_crosswalk_names_is_declared() -> None:
    known = tables.load()
    for step in known.steps:
        if step.kind in ("record", "inverse", "statement"):
            assert step.element in known.elements[step.cls], step
        elif step.kind in ("entity", "event", "time"):
            assert step.cls in known.elements
            assert step.element in known.elements["edm:ProvidedCHO"], step
    for cls, name, _, _ in known.dublin:
        assert name in known.elements[cls]
    for step in known.steps:
        if step.kind in ("entity", "statement", "time"):
            place = known_mapping(step.kind)
            assert step.source in place, step


def known_mapping(kind: str) -> Any:
    known = mapping.load()
    return known.entities if kind == "entity" else known.statements


# ---- reading XML of others ---------------------------------------------------------------------


def test_entities_doctypes_and_bombs_are_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hidden")
    outside = f'<!DOCTYPE r [<!ENTITY x SYSTEM "{secret.as_uri()}">]><r>&x;</r>'
    with pytest.raises(BadInput, match="DOCTYPE"):
        xml.parse(outside.encode())
    bomb = '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(12)
    )
    with pytest.raises(BadInput):
        xml.parse((bomb + "]><r>&m;</r>").encode())
    with pytest.raises(BadInput, match="well-formed"):
        xml.parse(b"<r>")
    with pytest.raises(TooLarge):
        xml.parse(b" " * (xml.MAX_BYTES + 1))


# ---- the command -------------------------------------------------------------------------------


def test_the_zip_holds_one_document_for_each_record(built: Built, tmp_path: Path) -> None:
    target = tmp_path / "metis.zip"
    command("export", "edm", "--archive", built.archive, "--to", target)
    with zipfile.ZipFile(target) as opened:
        names = opened.namelist()
        assert len(names) == 2
        for name in names:
            root = xml.parse(opened.read(name))
            assert root.tag == f"{{{xml.RDF}}}RDF"
            assert root[0].get(xml.ABOUT, "").endswith(name.removesuffix(".xml"))
    again = tmp_path / "again.zip"
    command("export", "edm", "--archive", built.archive, "--to", again)
    assert again.read_bytes() == target.read_bytes()
    refused = command("export", "edm", "--archive", built.archive, "--to", target, check=False)
    assert refused.returncode == 6
    assert "there already" in refused.stderr


def test_a_record_that_lacks_something_is_named_and_not_written(tmp_path: Path) -> None:
    sources = folder(tmp_path / "sources")
    for page in sources.glob("causa*"):
        page.unlink()
    command("ingest", sources, "--archive", tmp_path / "A")
    told = tmp_path / "A" / "archive.toml"
    told.write_text(told.read_text() + '\n[publishing]\nrights = "http://example.org/mine"\n')
    done = command(
        "export", "edm", "--archive", tmp_path / "A", "--to", tmp_path / "out", "--json",
        check=False,
    )  # fmt: skip
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["written"] == 0
    (findings,) = report["lacking"].values()
    assert findings[0]["element"] == "edm:rights"
    assert "publishing.rights" in findings[0]["remedy"]
    assert list((tmp_path / "out").iterdir()) == []


def test_missing_saxonche_and_files_that_are_no_schema_give_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wrong = tmp_path / "x.xsd"
    wrong.write_text("<html/>")
    with pytest.raises(BadInput, match="no XML schema"):
        Validator(wrong, None)
    with pytest.raises(BadInput):
        Validator(None, tmp_path / "nothing.xsl")
    real = builtins.__import__

    def absent(name: str, *rest: Any, **more: Any) -> Any:
        if name == "saxonche":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(Missing, match="XSLT 2"):
        Validator(None, wrong)
