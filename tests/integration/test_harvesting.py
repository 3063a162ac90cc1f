"""Harvests of the served archive by sickle and oaipmh-scythe; datestamps after every act."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import oaipmh_scythe
import pytest
import sickle
from sickle.oaiexceptions import NoRecordsMatch

from rdfkms.app import composition
from rdfkms.knowledge import mapping
from rdfkms.ledger import tokens
from rdfkms.ledger.ledger import Ledger
from rdfkms.ledger.work import Work
from rdfkms.model import Access, Role
from rdfkms.publish.oai.index import NAME
from rdfkms.publish.oai.provider import Provider
from rdfkms.review import conditions, withdrawing
from rdfkms.review.undoing import undo
from tests.integration.test_review_laws import EVA, Walk
from tests.tools.harvesting import Mirror, asker, canonical, fresh, many, public_keys
from tests.tools.service import Service, serving
from tests.tools.small_archive import OWNER
from tests.tools.small_run import Built, command

RECORDS = 11
PAGE = 3
RULES = '[[records]]\nmatch = "*.md"\nprofile = "register"\n'


@dataclass
class Served:
    """A served archive of registers, and the secret of its administrator."""

    service: Service
    sources: Path
    token: str

    @property
    def archive(self) -> Path:
        return self.service.archive

    @property
    def address(self) -> str:
        return self.service.address + "/oai"

    def keys(self) -> set[str]:
        """The public records, by SPARQL."""
        time.sleep(0.6)  # public SPARQL reads a snapshot at most half a second old
        query = "SELECT ?r { ?r a <https://www.ica.org/standards/RiC/ontology#Record> }"
        text = self.service.sparql(query, "text/csv")[1]
        return {line.strip() for line in text.splitlines()[1:]}

    def do(self, name: str, **arguments: Any) -> dict[str, Any]:
        told = self.service.command(name, arguments, self.token)
        assert "status" not in told, told
        return told


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of RECORDS small registers."""
    root = tmp_path_factory.mktemp("harvest")
    sources = root / "sources"
    sources.mkdir()
    (sources / "records.toml").write_text(RULES)
    many(root / "A", RECORDS, page_records=PAGE).ledger.close()
    return root


def write(sources: Path, name: str) -> Path:
    path = sources / f"{name}.md"
    path.write_text(f"# {name}\n\nAquí consta que vive en Belmira, {name}.\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def served(kept: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    copied = Path(shutil.copytree(kept, tmp_path_factory.mktemp("served") / "copy"))
    archive = copied / "A"
    work = Work(archive / "work.sqlite")
    secret = tokens.add(work, "eva", Role.ADMINISTRATOR)
    work.close()
    with serving(archive) as service:
        yield Served(service, copied / "sources", secret)


def by_sickle(served: Served, **more: Any) -> Any:
    client = sickle.Sickle(served.address, max_retries=3)
    return client.ListRecords(metadataPrefix="edm", ignore_deleted=False, **more)


def by_scythe(served: Served, method: str) -> Any:  # its answers are typed by their base alone
    return oaipmh_scythe.Scythe(
        served.address, http_config=oaipmh_scythe.HTTPConfig(http_method=method)
    )


def test_sickle_harvests_all_and_then_what_changed(served: Served) -> None:
    got = {r.header.identifier: r for r in by_sickle(served)}
    assert set(got) == served.keys()
    assert len(got) == RECORDS
    assert not any(r.deleted for r in got.values())
    time.sleep(1.1)
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    with pytest.raises(NoRecordsMatch):
        list(by_sickle(served, **{"from": since}))
    victim = sorted(got)[2]
    done = served.do("source_withdraw", record=victim)
    changed = list(by_sickle(served, **{"from": since}))
    assert [(r.header.identifier, r.deleted) for r in changed] == [(victim, True)]
    only = sickle.Sickle(served.address).ListRecords(metadataPrefix="edm", ignore_deleted=True)
    assert {r.header.identifier for r in only} == served.keys()
    one = sickle.Sickle(served.address).GetRecord(metadataPrefix="oai_dc", identifier=victim)
    assert one.deleted
    served.do("rollback", decision=done["result"]["decision"])
    one = sickle.Sickle(served.address).GetRecord(metadataPrefix="edm", identifier=victim)
    assert not one.deleted
    assert served.keys() == set(got)


def test_sickle_with_records_coming_and_going_between_pages(served: Served) -> None:
    before = served.keys()
    came: list[Any] = []
    for record in by_sickle(served):
        came.append(record)
        if len(came) == PAGE:
            time.sleep(1.1)
            path = write(served.sources, "nuevo")
            served.do("ingest", paths=[str(path)], access="", until="")
            left = sorted(before - {r.header.identifier for r in came})
            served.do("source_withdraw", record=left[0])
            time.sleep(1.1)
    identifiers = [r.header.identifier for r in came]
    assert len(identifiers) == len(set(identifiers)), "none twice"
    live = {r.header.identifier for r in came if not r.deleted}
    assert live == served.keys(), "none lost"
    assert {r.header.identifier for r in came if r.deleted} == {left[0]}
    assert len(live) == len(before)


def test_scythe_harvests_by_get_and_post(served: Served) -> None:
    wanted = served.keys()
    for method in ("GET", "POST"):
        with by_scythe(served, method) as client:
            headers = client.list_identifiers(metadata_prefix="oai_dc", ignore_deleted=True)
            assert {header.identifier for header in headers} == wanted
            records = client.list_records(metadata_prefix="edm", ignore_deleted=True)
            assert {r.header.identifier for r in records} == wanted
            assert client.identify().deletedRecord == "persistent"
            assert {f.metadataPrefix for f in client.list_metadata_formats()} == {
                "oai_dc", "edm", "rico",
            }  # fmt: skip
    victim = sorted(wanted)[0]
    time.sleep(1.1)
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    served.do("access", record=victim, condition="embargo", until="2999-01-01")
    with by_scythe(served, "GET") as client:
        changed = list(client.list_records(metadata_prefix="edm", from_=since))
        assert [(r.header.identifier, r.header.deleted) for r in changed] == [(victim, True)]
        live = client.list_records(metadata_prefix="edm", ignore_deleted=True)
        assert {r.header.identifier for r in live} == wanted - {victim} == served.keys()


def test_what_was_erased_by_law_is_a_deleted_header_and_nowhere_in_the_index(
    kept: Path, tmp_path: Path
) -> None:
    archive = Path(shutil.copytree(kept / "A", tmp_path / "A"))
    with composition.writing(archive, "test") as app:
        mirror = Mirror(asker(provider(app.ledger)))
        mirror.harvest()
        victim = sorted(public_keys(app.ledger))[0]
        iri = app.base.iri("record", victim).value
        title = mirror.live()[victim].split(b"<dc:title")[1][:60]
        assert title
    time.sleep(1.1)
    command("erase", iri, "--archive", archive, "--yes", "--reason", "test")
    assert not (archive / "indexes" / NAME).exists()
    with composition.reading(archive) as app:
        again = Mirror(asker(provider(app.ledger)))
        again.harvest()
        assert again.held[iri] is None
        assert again.live().keys() == public_keys(app.ledger)
        mirror.ask = again.ask
        assert iri in mirror.harvest()
        assert mirror.held[iri] is None


def provider(ledger: Ledger) -> Provider:
    return Provider(ledger, mapping.load(), ledger.archive.settings)


# ---- datestamps ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [3, 4])
def test_after_any_decision_what_is_kept_is_what_is_true_now(copy: Path, seed: int) -> None:
    """No act changes a record's EDM without its datestamp: an incremental harvest shows all."""
    with composition.writing(copy, "test") as app:
        mirror = Mirror(asker(provider(app.ledger)))
        mirror.harvest()
        walk = Walk(app, seed)
        for step in range(20):
            walk.step()
            if step % 10 == 9:
                shut_and_open(walk, step)
            mirror.harvest()
            assert mirror.live() == now(app.ledger), f"step {step}"
        for made, _ in reversed(walk.done[-5:]):
            undo(walk.desk, made.key, EVA)
            mirror.harvest()
            assert mirror.live() == now(app.ledger)


def now(ledger: Ledger) -> dict[str, bytes]:
    found = fresh(ledger, ledger.archive.settings)
    return {key: canonical(data) for key, data in found.items()}


def shut_and_open(walk: Walk, step: int) -> None:
    """Close a record and open it later, or withdraw one and undo that."""
    app = walk.app
    key = walk.dice.choice(app.record_keys())
    if step % 20 == 9:
        is_open = key in public_keys(app.ledger)
        wanted = Access("closed") if is_open else Access()
        conditions.change(app.ledger, app.mapping, key, wanted, OWNER)
    else:
        made = withdrawing.apply(walk.desk, withdrawing.plan(walk.desk, key), EVA)
        undo(walk.desk, made.key, EVA)


def test_the_harvest_of_the_run_is_its_export(built: Built, tmp_path: Path) -> None:
    command("export", "edm", "--archive", built.archive, "--to", tmp_path / "out")
    copied = Path(shutil.copytree(built.archive, tmp_path / "A"))
    with composition.reading(copied) as app:
        mirror = Mirror(asker(provider(app.ledger)))
        mirror.harvest()
    for key, data in mirror.live().items():
        written = (tmp_path / "out" / f"{key}.xml").read_bytes()
        assert b"".join(canonical(written).split()) == b"".join(data.split())
