"""A description file comes again: its versions, what was decided meanwhile, what is refused."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal

from rdfkms.app import checking, composition, description_changes, operations
from rdfkms.app.composition import OWNER, App
from rdfkms.errors import NotFound
from rdfkms.knowledge import decoding
from rdfkms.model import Claim, Status
from rdfkms.review import acts
from rdfkms.vocab import KMS, RICO
from tests.tools.service import serving
from tests.tools.small_run import command

FILES = Path(__file__).parent.parent / "golden" / "describing"
NOTE = "<userestrict><p>No copies of plates.</p></userestrict>"


def described(archive: Path, *paths: Path, **options: Any) -> dict[str, Any]:
    arguments = {"paths": [str(path) for path in paths], **options}
    return operations.perform(archive, "describe", arguments)


def claims(archive: Path, *status: Status) -> dict[tuple[str, str], Claim]:
    """Return the claims of this status by statement and value."""
    with composition.reading(archive) as app:
        found = list(decoding.all_claims(app.ledger.store, app.base, status=None))
        return {
            (c.statement, c.value.lexical if c.value else c.subject.path): c
            for c in found
            if c.status in (status or (Status.ADMITTED,))
        }


def demand_lawful(archive: Path) -> None:
    with composition.reading(archive) as app:
        assert checking.check(app, lambda *_: None)["faults"] == []
        for claim in decoding.all_claims(app.ledger.store, app.base):
            for pointer in claim.pointers:
                unit = decoding.unit(app.ledger.store, app.base, pointer.unit)
                text = next(t for t in unit.texts if t.key == pointer.unit_text)
                assert text.text[pointer.start : pointer.end] == pointer.quote


@pytest.fixture(scope="module")
def first_version(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive that has the finding aid: copied for each test."""
    root = tmp_path_factory.mktemp("first") / "A"
    described(root, FILES / "harbour.xml")
    return root


@pytest.fixture
def harbour(tmp_path: Path, first_version: Path) -> tuple[Path, Path, str]:
    path = tmp_path / "harbour.xml"
    text = (FILES / "harbour.xml").read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    shutil.copytree(first_version, tmp_path / "A")
    return tmp_path / "A", path, text


def test_a_file_that_only_looks_otherwise_says_the_same(harbour: tuple[Path, Path, str]) -> None:
    archive, path, text = harbour
    before = claims(archive)
    path.write_text(text.replace("<did>", "<did\n >"), encoding="utf-8")
    told = described(archive, path, update=True)
    (difference,) = told["differences"]
    assert (difference["added"], difference["removed"]) == (0, 0)
    assert told["files"]["updated"] == 1
    after = claims(archive)
    assert {c.key for c in after.values()} == {c.key for c in before.values()}
    title = after["namedAs", "Map of the roads"]
    assert len(title.pointers) == 2  # it stands in both versions
    demand_lawful(archive)
    assert described(archive, path)["files"]["known"] == 1


def test_what_a_reviewer_rejected_stays_rejected(harbour: tuple[Path, Path, str]) -> None:
    archive, path, text = harbour
    note = claims(archive)["description/useConditions", "No copies of plates."]
    with composition.writing(archive, "review") as app:
        acts.reject(app.desk, note.key, OWNER)
    path.write_text(text.replace("HO/1/1", "HO/1/1a").replace("<did>", "<did >"), encoding="utf-8")
    told = described(archive, path, update=True)
    assert told["differences"][0]["settled"] == 1
    found = claims(archive, Status.REJECTED, Status.ADMITTED)
    assert found["description/useConditions", "No copies of plates."].status is Status.REJECTED
    assert ("description/identifier", "HO/1/1a") in found
    demand_lawful(archive)


def test_an_older_version_that_comes_back_says_again_what_it_said(
    harbour: tuple[Path, Path, str],
) -> None:
    archive, path, text = harbour
    first = set(claims(archive))
    path.write_text(text.replace(NOTE, "").replace("Map of", "Chart of"), encoding="utf-8")
    described(archive, path, update=True)
    assert ("description/useConditions", "No copies of plates.") not in claims(archive)
    path.write_text(text, encoding="utf-8")
    shown = described(archive, path, dry_run=True)
    assert shown["files"]["changed"] == 1
    assert shown["differences"][0]["added"] > 0
    assert described(archive, path)["files"]["changed"] == 1
    assert described(archive, path, update=True)["files"]["updated"] == 1
    assert set(claims(archive)) == first
    gone = claims(archive, Status.WITHDRAWN)
    assert ("description/useConditions", "No copies of plates.") in gone
    assert ("namedAs", "Chart of the roads") in gone
    with composition.reading(archive) as app:
        words = Literal("No copies of plates.", language="en")
        base = app.base
        assert list(app.ledger.store.match(None, RICO("conditionsOfUse"), words, base.public))
    demand_lawful(archive)
    assert described(archive, path)["files"]["known"] == 1
    with serving(archive) as service:  # what had gone is there for machines too
        status, text = service.get(f"/data/{note_of(archive).subject.path}.ttl")
        assert (status, "No copies of plates." in text) == (200, True)


def note_of(archive: Path) -> Claim:
    return claims(archive)["description/useConditions", "No copies of plates."]


def test_a_component_that_comes_back_is_withdrawn_no_more(
    harbour: tuple[Path, Path, str],
) -> None:
    archive, path, text = harbour
    gone = claims(archive)["namedAs", "Map of the roads"]
    begin, end = text.index('<c level="item"'), text.index("    </dsc>")
    path.write_text(text[:begin] + text[end:], encoding="utf-8")
    described(archive, path, update=True)
    with serving(archive) as service:
        assert service.get(f"/data/{gone.subject.path}.ttl")[0] == 410
    path.write_text(text, encoding="utf-8")
    described(archive, path, update=True)
    with serving(archive) as service:
        assert service.get(f"/data/{gone.subject.path}.ttl")[0] == 200


def test_what_went_with_its_run_is_said_by_the_next_version(
    harbour: tuple[Path, Path, str],
) -> None:
    archive, path, text = harbour
    run = next(iter(claims(archive).values())).runs[0]
    operations.perform(archive, "rollback", {"run": run})
    assert claims(archive) == {}
    path.write_text(text.replace("Map of", "Chart of"), encoding="utf-8")
    described(archive, path, update=True)
    found = claims(archive)
    assert ("namedAs", "Chart of the roads") in found
    assert ("description/useConditions", "No copies of plates.") in found
    demand_lawful(archive)


def test_what_a_person_took_back_by_name_is_not_said_anew(
    harbour: tuple[Path, Path, str],
) -> None:
    archive, path, text = harbour
    operations.perform(archive, "rollback", {"claims": [note_of(archive).key]})
    path.write_text(text.replace("Map of", "Chart of"), encoding="utf-8")
    told = described(archive, path, update=True)
    assert told["differences"][0]["settled"] == 1
    assert ("description/useConditions", "No copies of plates.") not in claims(archive)


def test_what_was_erased_by_law_is_not_taken_again(harbour: tuple[Path, Path, str]) -> None:
    archive, path, text = harbour
    key = note_of(archive).key
    command("erase", "--claim", key, "--archive", archive, "--yes", "--reason", "order 1")
    path.write_text(text.replace("Map of", "Chart of"), encoding="utf-8")
    told = described(archive, path, update=True)
    assert told["reasons"]["erasedByLaw"] == 1
    assert ("description/useConditions", "No copies of plates.") not in claims(archive, *Status)


def test_an_older_version_stands_under_the_later_ones(harbour: tuple[Path, Path, str]) -> None:
    archive, path, text = harbour
    path.write_text(text.replace("Map of", "Chart of"), encoding="utf-8")
    described(archive, path, update=True)
    with composition.reading(archive) as app:
        (key,) = {c.subject.key for c in records(app)}
        first, second = decoding.record(app.ledger.store, app.base, key).files
    told = operations.perform(archive, "source_withdraw", {"record": key, "file": first.sha256})
    assert not told["done"]
    assert "later version" in str(told)
    told = operations.perform(archive, "source_withdraw", {"record": key, "file": second.sha256})
    assert told["done"]
    demand_lawful(archive)


def test_an_update_that_was_broken_off_is_finished(
    harbour: tuple[Path, Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    archive, path, text = harbour
    path.write_text(text.replace(NOTE, ""), encoding="utf-8")

    def broken(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(description_changes, "take_back", broken)
        described(archive, path, update=True)
    assert ("description/useConditions", "No copies of plates.") in claims(archive)
    told = described(archive, path)
    assert told["files"]["changed"] == 1
    assert told["differences"][0]["removed"] == 1
    described(archive, path, update=True)
    assert ("description/useConditions", "No copies of plates.") not in claims(archive)
    demand_lawful(archive)


def test_one_claim_that_others_built_on_does_not_hold_the_rest(
    harbour: tuple[Path, Path, str],
) -> None:
    archive, path, text = harbour
    note = claims(archive)["description/useConditions", "No copies of plates."]
    with composition.writing(archive, "review") as app:
        acts.rank(app.desk, note.key, "preferred", OWNER)
    path.write_text(text.replace(NOTE, "").replace("Map of", "Chart of"), encoding="utf-8")
    told = described(archive, path, update=True)
    (fault,) = told["faults"]
    assert note.key in fault["place"]
    assert "decided by a person" in fault["reason"]
    left = claims(archive)
    assert ("description/useConditions", "No copies of plates.") in left
    assert ("namedAs", "Map of the roads") not in left
    demand_lawful(archive)
    assert described(archive, path)["files"]["known"] == 1  # what has to stay is no change


def test_a_version_is_one_more_file_of_the_record_and_its_setting_stays(
    harbour: tuple[Path, Path, str],
) -> None:
    archive, path, text = harbour
    path.write_text(text.replace("inventory", "guide"), encoding="utf-8")
    described(archive, path, update=True, profile="description-review")
    with composition.reading(archive) as app:
        (key,) = {c.subject.key for c in records(app)}
        record = decoding.record(app.ledger.store, app.base, key)
        iri = app.base.iri("record", key)
        for name in (KMS("profile"), RICO("title")):
            assert len(list(app.ledger.store.match(iri, name, None, app.base.public))) == 1
    assert record.profile == "description"
    assert record.title == "Harbour Office of Port Selene: guide"
    assert len(record.files) == 2
    assert record.files[0].sha256 != record.files[1].sha256
    assert {str(c.status) for c in claims(archive, *Status).values()} >= {"quarantined"}


def records(app: App) -> list[Claim]:
    found = list(decoding.all_claims(app.ledger.store, app.base))
    return [c for c in found if c.statement == "description/describes"]


def test_a_condition_that_is_not_the_records_own_is_refused(
    harbour: tuple[Path, Path, str],
) -> None:
    archive, path, text = harbour
    path.write_text(text.replace("Map of", "Secret chart of"), encoding="utf-8")
    told = described(archive, path, update=True, access="closed")
    assert told["files"]["refused"] == 1
    assert "its condition is open" in told["faults"][0]["reason"]
    assert ("namedAs", "Secret chart of the roads") not in claims(archive, *Status)


def test_a_withdrawn_file_is_refused_and_not_kept(harbour: tuple[Path, Path, str]) -> None:
    archive, path, text = harbour
    with composition.reading(archive) as app:
        (key,) = {c.subject.key for c in records(app)}
    operations.perform(archive, "source_withdraw", {"record": key})
    path.write_text(text + "<!-- once more -->", encoding="utf-8")
    kept = sorted(p.name for p in (archive / "files").rglob("*") if p.is_file())
    told = described(archive, path, update=True)
    assert told["files"]["refused"] == 1
    assert "was withdrawn" in told["faults"][0]["reason"]
    assert sorted(p.name for p in (archive / "files").rglob("*") if p.is_file()) == kept


def test_two_files_of_one_run_are_not_versions_of_each_other(tmp_path: Path) -> None:
    text = (FILES / "harbour.xml").read_text(encoding="utf-8")
    (tmp_path / "a.xml").write_text(text, encoding="utf-8")
    (tmp_path / "b.xml").write_text(text.replace("Map of", "Plan of"), encoding="utf-8")
    (tmp_path / "c.xml").write_text(text, encoding="utf-8")
    told = described(tmp_path / "A", tmp_path)
    assert told["files"] == {"new": 1, "known": 1, "changed": 0, "updated": 0, "refused": 1}
    assert "same description as a.xml" in told["faults"][0]["reason"]


def test_a_dry_run_makes_no_archive(tmp_path: Path) -> None:
    told = described(tmp_path / "A", FILES / "harbour.xml", dry_run=True)
    assert told["files"]["new"] == 1
    assert told["differences"][0]["added"] > 20
    assert not (tmp_path / "A").exists()
    with pytest.raises(NotFound):
        composition.reading(tmp_path / "A").__enter__()


RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:rico="https://www.ica.org/standards/RiC/ontology#">{}</rdf:RDF>"""
FAMILY = '<rico:Family rdf:about="https://a.example/vey"><rico:name>Vey</rico:name></rico:Family>'
CREATOR = (
    '<rico:RecordSet rdf:about="https://a.example/set"><rico:title>Papers</rico:title>'
    '<rico:hasOrganicProvenance rdf:resource="https://a.example/vey"/></rico:RecordSet>'
)


@pytest.mark.parametrize(("access", "kind"), [("closed", "party"), ("open", "family")])
def test_what_a_closed_file_says_of_an_agent_tells_nothing_in_an_open_one(
    tmp_path: Path, access: str, kind: str
) -> None:
    (tmp_path / "family.rdf").write_text(RDF.format(FAMILY), encoding="utf-8")
    (tmp_path / "papers.rdf").write_text(RDF.format(CREATOR), encoding="utf-8")
    described(tmp_path / "A", tmp_path / "family.rdf", access=access)
    described(tmp_path / "A", tmp_path / "papers.rdf")
    with composition.reading(tmp_path / "A") as app:
        found = list(decoding.all_claims(app.ledger.store, app.base))
    assert {c.object.kind for c in found if c.object and "provenance" in c.statement} == {kind}


SPEAKS = """<eac-cpf xmlns="urn:isbn:1-931666-33-4"><control><recordId>P-9</recordId></control>
  <cpfDescription><identity><entityType>person</entityType>
  <nameEntry><part>Ada Vane</part></nameEntry></identity><relations>
  <cpfRelation xmlns:x="http://www.w3.org/1999/xlink" x:href="P-10" cpfRelationType="associative">
  <relationEntry>Pilots Guild</relationEntry></cpfRelation></relations>
  </cpfDescription></eac-cpf>"""
GUILD = """<eac-cpf xmlns="urn:isbn:1-931666-33-4"><control><recordId>P-10</recordId></control>
  <cpfDescription><identity><entityType>corporateBody</entityType>
  <nameEntry><part>Pilots Guild</part></nameEntry></identity></cpfDescription></eac-cpf>"""


@pytest.mark.parametrize(("first", "waits"), [("p9.xml", 1), ("p10.xml", 0)])
def test_one_identifier_of_two_kinds_is_put_before_a_person(
    tmp_path: Path, first: str, waits: int
) -> None:
    (tmp_path / "p9.xml").write_text(SPEAKS, encoding="utf-8")
    (tmp_path / "p10.xml").write_text(GUILD, encoding="utf-8")
    for name in sorted(("p9.xml", "p10.xml"), key=lambda name: name != first):
        described(tmp_path / "A", tmp_path / name)
    queue = operations.perform(tmp_path / "A", "review_list", {})
    assert sum("sameIdentifier" in str(one) for one in queue["items"]) == waits
