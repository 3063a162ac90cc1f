"""Dumps hold what SPARQL sees, to the statement; what is withdrawn leaves them, releases too."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
import rdflib
import zstandard
from pyoxigraph import NamedNode, Quad, RdfFormat, Triple, parse

from rdfkms.app import composition, dumping, erasing
from rdfkms.app.composition import OWNER
from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.publish.dcat import dumps
from rdfkms.publish.dcat.annotating import REIFIES, reifications
from rdfkms.vocab import KMS, RICO, Base
from tests.tools.service import Service
from tests.tools.small_archive import Small
from tests.tools.small_run import command, result
from tests.tools.web import Answer, fetch

FORMS = {"nq": RdfFormat.N_QUADS, "trig": RdfFormat.TRIG, "trig12": RdfFormat.TRIG}


def unpacked(data: bytes) -> bytes:
    with zstandard.ZstdDecompressor().stream_reader(data) as reader:
        return reader.read()


def quads(answer: Answer, form: str = "nq") -> set[Quad]:
    assert answer.status == 200 and answer.type == "application/zstd"
    return set(parse(unpacked(answer.body), format=FORMS[form]))


def public(archive: Path) -> set[Quad]:
    with composition.reading(archive) as app:
        return set(app.ledger.store.match(None, None, None, app.base.public))


@pytest.mark.parametrize("form", ["nq", "trig"])
@pytest.mark.parametrize("name", ["latest", "v1"])
def test_a_dump_is_the_public_graph(
    small_service: Service, small_archive: Small, name: str, form: str
) -> None:
    found = quads(fetch(f"{small_service.address}/dumps/{name}.{form}.zst"), form)
    expected = public(small_archive.ledger.archive.root)
    assert found == expected and len(expected) > 400
    assert {quad.graph_name for quad in found} == {small_archive.ledger.base.public}
    assert not any(small_archive.closed_record in str(quad) for quad in found)


@pytest.mark.parametrize("name", ["latest", "v1"])
def test_the_annotated_dump_adds_to_each_statement_the_claims_that_make_it(
    small_service: Service, small_archive: Small, name: str
) -> None:
    found = quads(fetch(f"{small_service.address}/dumps/{name}.trig12.zst"), "trig12")
    annotated = {quad for quad in found if quad.predicate == REIFIES}
    assert found - annotated == public(small_archive.ledger.archive.root)
    base = small_archive.ledger.base
    for quad in annotated:
        told = quad.object
        assert isinstance(told, Triple) and isinstance(quad.subject, NamedNode)
        assert Quad(told.subject, told.predicate, told.object, base.public) in found
    born = base.iri("claim", small_archive.birthplace)
    (one,) = (quad.object for quad in annotated if quad.subject == born)
    assert isinstance(one, Triple)
    assert (one.subject, one.predicate) == (
        base.iri(small_archive.person.kind, small_archive.person.key), RICO("hasBirthPlace")
    )  # fmt: skip
    quarantined = base.iri("claim", small_archive.quarantined)
    assert quarantined not in {quad.subject for quad in annotated}


def test_a_dump_of_a_release_has_the_sha256_of_its_manifest(small_service: Service) -> None:
    listed = fetch(f"{small_service.address}/releases.json").json["releases"]
    data = unpacked(fetch(f"{small_service.address}/dumps/v1.nq.zst").body)
    assert hashlib.sha256(data).hexdigest() == listed[0]["sha256"]


def test_rdflib_reads_the_dump(small_service: Service) -> None:
    data = unpacked(fetch(f"{small_service.address}/dumps/latest.nq.zst").body)
    triples = b"\n".join(line.rpartition(b" <")[0] + b" ." for line in data.splitlines())
    assert len(rdflib.Graph().parse(data=triples, format="nt")) == len(data.splitlines())


def test_parts_and_unchanged_dumps(small_service: Service) -> None:
    url = f"{small_service.address}/dumps/latest.nq.zst"
    whole = fetch(url)
    part = fetch(url, Range="bytes=0-99")
    assert part.status == 206 and part.body == whole.body[:100]
    assert fetch(url, If_None_Match=whole.headers["ETag"]).status == 304
    assert fetch(url, method="HEAD").headers["Content-Length"] == str(len(whole.body))


@pytest.mark.parametrize(
    "name",
    ["v2.nq.zst", "latest.ttl.zst", "latest.nq", "..%2Farchive.toml", "A.nq.zst", "-.nq.zst"],
)
def test_there_are_no_other_dumps(small_service: Service, name: str) -> None:
    answer = fetch(f"{small_service.address}/dumps/{name}", "application/json")
    assert answer.status == 404 and "error" in answer.json


def test_many_lines_are_sorted_part_by_part(
    small_archive: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = sorted(public(small_archive.ledger.archive.root), key=str)
    monkeypatch.setattr(dumps, "_CHUNK", 100)
    lines = list(dumps._sorted(expected))
    assert lines == sorted(lines) and len(lines) == len(expected)


def test_an_erasure_removes_dumps(copy: Path) -> None:
    with composition.writing(copy, "test") as app:
        dumping.file(app.ledger, "latest", dumps.kind_of("nq"))
        record = app.record_keys()[0]
    assert list((copy / "dumps").iterdir())
    erasing.erase(copy, {"record": record, "reason": "order 1"}, OWNER, lambda *_: None)
    assert not (copy / "dumps").exists()


def test_the_command_line_writes_the_same(copy: Path, tmp_path: Path) -> None:
    for form in ("nq", "trig"):
        target = tmp_path / f"all.{form}.zst"
        done = result("export", "dump", "--format", form, "--to", target, "--archive", copy)
        assert done["bytes"] == target.stat().st_size
        assert set(parse(unpacked(target.read_bytes()), format=FORMS[form])) == public(copy)
    again = command("export", "dump", "--to", target, "--archive", copy, check=False)
    assert again.returncode == 6 and "exists already" in again.stderr
    absent = command("export", "dump", "--release", "no", "--to", tmp_path / "x", "--archive", copy,
                     check=False)  # fmt: skip
    assert absent.returncode == 4 and not (tmp_path / "x").exists()


Merged = tuple[OxigraphStore, Base, Quad, Quad]


@pytest.fixture
def merged() -> Merged:
    """Return a store with a claim about what was merged since, the merge, and what is stated now.

    The statement itself is not in the store.
    """
    base, store = Base(), OxigraphStore()
    old, new = base.iri("person", "old"), base.iri("person", "new")
    place, claim = base.iri("place", "p"), base.iri("claim", "c")
    pairs = {
        "claimSubject": old, "claimPredicate": RICO("hasBirthPlace"), "claimObject": place,
        "claimStatus": KMS("admitted"),
    }  # fmt: skip
    became = Quad(old, KMS("mergedInto"), new, base.public)
    said = [Quad(claim, KMS(name), value, base.public) for name, value in pairs.items()]
    store.patch((), [*said, became])
    return store, base, became, Quad(new, RICO("hasBirthPlace"), place, base.public)


def test_a_claim_about_what_was_merged_annotates_what_it_became(merged: Merged) -> None:
    store, base, _, stated = merged
    assert list(reifications(store, base)) == [], "nothing is projected"
    store.patch((), [stated])
    assert [q.object for q in reifications(store, base)] == [stated.triple]
    assert list(reifications(store, base, lambda quad: quad != stated)) == []


def test_a_merge_that_may_not_be_told_is_not_told_by_an_annotation(merged: Merged) -> None:
    store, base, became, stated = merged
    store.patch((), [stated])
    assert len(list(reifications(store, base))) == 1
    assert list(reifications(store, base, lambda quad: quad != became)) == []


def test_a_disowned_claim_is_no_annotation(merged: Merged) -> None:
    store, base, _, stated = merged
    disowned = Quad(base.iri("claim", "c"), KMS("rank"), KMS("deprecated"), base.public)
    store.patch((), [stated, disowned])
    assert list(reifications(store, base)) == []
