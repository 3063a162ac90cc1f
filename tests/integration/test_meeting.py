"""Units of a finding aid meet their scans, and what is closed or withdrawn is told to nobody."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rdfkms.app import checking, composition, operations
from rdfkms.knowledge import decoding
from rdfkms.model import Claim, Status
from rdfkms.vocab import KMS, RICO
from tests.tools.service import serving
from tests.tools.small_run import command

FILES = Path(__file__).parent.parent / "golden" / "describing"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "scans"
    folder.mkdir()
    (folder / "HO-1-1.txt").write_text("The pilot came aboard at noon.\n", encoding="utf-8")
    (folder / "nothing.txt").write_text("A leaf that nobody described.\n", encoding="utf-8")
    root = folder.parent / "A"
    operations.perform(root, "ingest", {"paths": [str(folder)]})
    operations.perform(root, "describe", {"paths": [str(FILES / "harbour.xml")]})
    return root


@pytest.fixture
def archive(tmp_path: Path, built: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "A"))


def scan(root: Path) -> Claim:
    with composition.reading(root) as app:
        found = decoding.all_claims(app.ledger.store, app.base, status=None)
        (claim,) = (c for c in found if c.statement == "description/scan")
        return claim


def copies(root: Path) -> list[str]:
    """Return where the public reads that a unit has a copy."""
    with composition.reading(root) as app:
        assert checking.check(app, lambda *_: None)["faults"] == []
        store, base = app.ledger.store, app.base
        about = base.iri("claim", claim.key) if (claim := scan_in(app)) else None
        told = list(store.match(about, KMS("claimObject"), None, base.public)) if about else []
        projected = list(store.match(None, RICO("hasCopy"), None, base.public))
        assert len(told) == len(projected)
        return [quad.object.value for quad in projected]


def scan_in(app: composition.App) -> Claim | None:
    found = decoding.all_claims(app.ledger.store, app.base, status=None)
    return next((c for c in found if c.statement == "description/scan"), None)


def test_a_unit_meets_its_scan_by_its_reference_code(archive: Path) -> None:
    shown = json.loads(command("meet", "--archive", archive, "--dry-run", "--json").stdout)
    assert (shown["meetings"], shown["alone"], shown["admitted"]) == (1, 1, 0)
    assert copies(archive) == []
    told = command("meet", "--archive", archive).stdout
    assert "1 records are copies of a described unit (1 linked now" in told
    claim = scan(archive)
    assert claim.status is Status.ADMITTED
    assert claim.pointers[0].quote == "HO/1/1"
    assert len(copies(archive)) == 1
    again = json.loads(command("meet", "--archive", archive, "--json").stdout)
    assert (again["admitted"], again["known"]) == (0, 1)
    with serving(archive) as service:
        status, page = service.get(f"/page/{claim.subject.path}")
        assert status == 200
        assert f"/page/record/{claim.object.key if claim.object else ''}" in page
        assert "digitised as" in page
        assert ">HO-1-1</a>" in page  # a record by its title
        assert claim.object is not None
        status, page = service.get(f"/page/record/{claim.object.key}")
        assert f'Digitised from: <a href="/page/{claim.subject.path}"' in page


def test_what_is_closed_is_led_to_by_nothing_open(archive: Path) -> None:
    first = operations.perform(archive, "meet", {})
    record = first["met"][0]["record"]
    operations.perform(archive, "access", {"record": record, "condition": "closed"})
    assert copies(archive) == []
    aid = None
    with composition.reading(archive) as app:
        aid = decoding.unit(app.ledger.store, app.base, scan(archive).pointers[0].unit).record
    operations.perform(archive, "access", {"record": aid, "condition": "closed"})
    operations.perform(archive, "access", {"record": record, "condition": "open"})
    assert copies(archive) == []
    operations.perform(archive, "access", {"record": aid, "condition": "open"})
    assert len(copies(archive)) == 1


def test_a_closed_scan_is_met_in_silence(archive: Path) -> None:
    shown = operations.perform(archive, "meet", {"dry_run": True})
    record = shown["met"][0]["record"]
    operations.perform(archive, "access", {"record": record, "condition": "closed"})
    operations.perform(archive, "meet", {})
    assert scan(archive).status is Status.ADMITTED
    assert copies(archive) == []
    operations.perform(archive, "access", {"record": record, "condition": "open"})
    assert len(copies(archive)) == 1


def test_a_scan_that_is_withdrawn_is_a_copy_no_more(archive: Path) -> None:
    record = operations.perform(archive, "meet", {})["met"][0]["record"]
    operations.perform(archive, "source_withdraw", {"record": record})
    assert scan(archive).status is Status.WITHDRAWN
    assert copies(archive) == []
    assert operations.perform(archive, "meet", {})["meetings"] == 0


def test_a_scan_that_is_erased_leaves_no_claim(archive: Path) -> None:
    record = operations.perform(archive, "meet", {})["met"][0]["record"]
    command("erase", f"record/{record}", "--archive", archive, "--yes", "--reason", "test")
    with composition.reading(archive) as app:
        assert scan_in(app) is None
    assert copies(archive) == []


def test_what_a_reviewer_parted_stays_apart(archive: Path) -> None:
    operations.perform(archive, "meet", {})
    claim = scan(archive)
    operations.perform(archive, "review_reject", {"item": f"claim/{claim.key}"})
    assert operations.perform(archive, "meet", {})["admitted"] == 0
    assert scan(archive).status is Status.REJECTED


def test_a_scan_may_be_used_as_its_finding_aid_says(archive: Path) -> None:
    def harvested() -> str:
        with serving(archive) as service:
            return service.get("/oai?verb=ListRecords&metadataPrefix=edm")[1]

    assert harvested().count("<edm:ProvidedCHO") == 2  # two leaves, and no finding aid
    operations.perform(archive, "meet", {})
    found = harvested()
    assert found.count("<edm:ProvidedCHO") == 1
    assert "HO-1-1" not in found


def test_an_update_takes_no_meeting_back(archive: Path, tmp_path: Path) -> None:
    operations.perform(archive, "meet", {})
    path = tmp_path / "harbour.xml"
    text = (FILES / "harbour.xml").read_text(encoding="utf-8")
    path.write_text(text.replace("Map of", "Chart of"), encoding="utf-8")
    told = operations.perform(archive, "describe", {"paths": [str(path)], "update": True})
    assert told["differences"][0]["removed"] == 1
    assert scan(archive).status is Status.ADMITTED
    told = operations.perform(archive, "describe", {"paths": [str(path)]})
    assert told["files"]["known"] == 1
