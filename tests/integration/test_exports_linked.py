"""Nanopublications and RO-Crates from the command line, held against what is public."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest
import zstandard
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from rdfkms.app import composition, exporting_linked
from rdfkms.app.composition import App
from rdfkms.errors import Conflict, NotFound
from rdfkms.vocab import KMS, PROV, RICO, TYPE
from tests.integration.conftest import LICENCE
from tests.tools.small_archive import Small
from tests.tools.small_run import ROOT, Built, command, result

NP = "http://www.nanopub.org/nschema#"
VALIDATOR = ROOT / "tests" / "tools" / "validate_crate.py"


def published(app: App, claim: str) -> dict[str, set[Quad]]:
    """Return the graphs of a nanopublication by their names in it."""
    found: dict[str, set[Quad]] = {}
    for quad in parse(exporting_linked.nanopub(app, claim), format=RdfFormat.TRIG):
        assert isinstance(quad.graph_name, NamedNode)
        found.setdefault(quad.graph_name.value.partition("#")[2], set()).add(quad)
    return found


# ---- nanopublications ----------------------------------------------------------------------------


def test_a_claim_becomes_four_graphs(small_archive: Small) -> None:
    with composition.reading(small_archive.ledger.archive.root) as app:
        found = published(app, small_archive.birthplace)
        assert set(found) == {"head", "assertion", "provenance", "pubinfo"}
        this = NamedNode(f"{app.base.base}/nanopub/{small_archive.birthplace}")
        assert {(q.subject, q.predicate.value.removeprefix(NP)) for q in found["head"]} == {
            (this, "hasAssertion"), (this, "hasProvenance"), (this, "hasPublicationInfo"),
            (this, TYPE.value),
        }  # fmt: skip
        person = app.base.iri("person", small_archive.person.key)
        place = app.base.iri("place", small_archive.place.key)
        born = {
            (q.subject, q.object) for q in found["assertion"] if "BirthPlace" in str(q.predicate)
        }
        assert born == {(person, place)}
        assertion = NamedNode(f"{this.value}#assertion")
        source = PROV("hadPrimarySource")
        said = [q for q in found["provenance"] if q.subject == assertion]
        sources = {q.object for q in said if q.predicate == source}
        assert sources == {app.base.iri("evidence", small_archive.unit)}
        quotes = [q.object for q in found["provenance"] if q.predicate == KMS("quote")]
        assert quotes == [Literal("Andrés Vidal Soler,\nde 31 años, natural de Belmira")]
        assert any(q.subject == this and str(q.object) == f"<{LICENCE}>" for q in found["pubinfo"])
        again = exporting_linked.nanopub(
            app, f"{app.base.base}/id/claim/{small_archive.birthplace}"
        )
        assert again == exporting_linked.nanopub(app, small_archive.birthplace)


def test_every_admitted_claim_that_asserts_can_be_published(built: Built) -> None:
    with composition.reading(built.archive) as app:
        public = app.base.public
        keys = sorted(
            parts[1]
            for quad in app.ledger.store.match(None, KMS("claimStatus"), KMS("admitted"), public)
            if (parts := app.base.split(getattr(quad.subject, "value", "")))
        )
        assert len(keys) > 60
        for key in keys:
            graphs = published(app, key)
            for quad in graphs["assertion"]:
                inside = Quad(quad.subject, quad.predicate, quad.object, public)
                assert app.ledger.store.contains(inside), "it asserts what is public"


def test_what_is_not_public_or_not_admitted_is_not_published(small_archive: Small) -> None:
    with composition.reading(small_archive.ledger.archive.root) as app:
        for key in (small_archive.secret_claim, small_archive.quarantined, "0" * 24):
            with pytest.raises(NotFound):
                exporting_linked.nanopub(app, key)


def test_the_command_prints_trig(small_archive: Small) -> None:
    root = small_archive.ledger.archive.root
    done = command("export", "nanopub", small_archive.age, "--archive", root)
    assert len({q.graph_name for q in parse(done.stdout.encode(), format=RdfFormat.TRIG)}) == 4
    absent = command("export", "nanopub", "nothing", "--archive", root, check=False)
    assert absent.returncode == 4 and "no public claim" in absent.stderr


# ---- RO-Crate ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def crate(small_archive: Small, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a crate of the small archive."""
    target = tmp_path_factory.mktemp("crate") / "crate"
    with composition.reading(small_archive.ledger.archive.root) as app:
        exporting_linked.crate(app, "", target)
        with pytest.raises(Conflict):
            exporting_linked.crate(app, "", target)
        with pytest.raises(NotFound):
            exporting_linked.crate(app, "no-such", target.with_name("other"))
    assert [p.name for p in target.parent.iterdir()] == ["crate"], "no half crate is left"
    return target


def entities(crate: Path) -> dict[str, dict[str, Any]]:
    document = json.loads((crate / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    assert document["@context"] == "https://w3id.org/ro/crate/1.1/context"
    return {one["@id"]: one for one in document["@graph"]}


def test_a_crate_describes_all_its_files(crate: Path, small_archive: Small) -> None:
    found = entities(crate)
    root = found["./"]
    assert {"name", "description", "datePublished", "license", "hasPart"} <= root.keys()
    assert found[root["license"]["@id"]]["@type"] == "CreativeWork"
    assert found["ro-crate-metadata.json"]["about"] == {"@id": "./"}
    parts = {one["@id"] for one in root["hasPart"]}
    assert parts == {p.name for p in crate.iterdir()} - {"ro-crate-metadata.json"}
    for name in parts:
        data = (crate / name).read_bytes()
        assert found[name]["contentSize"] == str(len(data))
        assert found[name]["sha256"] == hashlib.sha256(data).hexdigest()
    with zstandard.ZstdDecompressor().stream_reader((crate / "public.nq.zst").read_bytes()) as out:
        quads = out.read()
    assert small_archive.person.key.encode() in quads
    assert small_archive.hidden.key.encode() not in quads


# ---- an answer as a crate ------------------------------------------------------------------------

ASKED = "¿Dónde nació Andrés Vidal Soler?"


@pytest.fixture(scope="module")
def answer(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the crate of an answer of the small run."""
    target = tmp_path_factory.mktemp("answer") / "crate"
    command("export", "answer", ASKED, "--to", target, "--archive", built.archive)
    return target


def test_an_answer_is_a_crate_with_its_evidence(answer: Path, built: Built) -> None:
    found = entities(answer)
    parts = {part["@id"] for part in found["./"]["hasPart"]}
    assert parts == {p.name for p in answer.iterdir()} - {"ro-crate-metadata.json"}
    for name in parts:
        data = (answer / name).read_bytes()
        assert found[name]["sha256"] == hashlib.sha256(data).hexdigest()
    assert found["./"]["mainEntity"] == {"@id": "answer.md"}
    assert found["#question"]["name"] == ASKED
    told = json.loads((answer / "answer.json").read_text(encoding="utf-8"))
    quads = list(parse((answer / "evidence.ttl").read_bytes(), format=RdfFormat.TURTLE))
    quotes = {q.object.value for q in quads if q.predicate == KMS("quote")}
    text = (answer / "answer.md").read_text(encoding="utf-8")
    assert told["statements"]
    for one in told["statements"]:
        assert one["quote"] in quotes
        assert one["claim"] in text and one["quote"].splitlines()[0] in text
    assert [name for name in parts if name.endswith(".jpg")], "crops of the quoted lines"
    cited = {one["@id"] for one in found["./"]["citation"]}
    assert cited == {one["record"] for one in told["evidence"]} | {
        q.object.value for q in quads if q.predicate == RICO("isDirectConstituentOf")
    }  # fmt: skip
    assert all(found[iri]["conditionsOfAccess"] == "open" for iri in cited)


def test_the_same_question_of_the_same_state_gives_the_same_files(
    answer: Path, built: Built, tmp_path: Path
) -> None:
    command("export", "answer", ASKED, "--to", tmp_path / "again", "--archive", built.archive)
    for path in answer.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes(), path.name


def test_what_the_sources_do_not_tell_is_a_crate_too(small_archive: Small, tmp_path: Path) -> None:
    asked = "Where was [Tomás Oculto Prieto](http://x) born? <script>alert(1)</script>"
    root = small_archive.ledger.archive.root
    told = result("export", "answer", asked, "--to", tmp_path / "a", "--archive", root)
    assert told["found_information"] is False
    text = (tmp_path / "a" / "answer.md").read_text(encoding="utf-8")
    assert "**The sources do not tell.**" in text
    assert "\\[Tomás Oculto Prieto\\](http" in text
    assert "\\<script\\>alert(1)" in text, "quotes of sources stand in fences, as they are"
    for path in (tmp_path / "a").iterdir():
        data = path.read_bytes()
        assert b"natural de Belmira" not in data or b"Oculto Prieto, natural" not in data
        assert small_archive.closed_record.encode() not in data
    done = command(
        "export", "answer", asked, "--to", tmp_path / "a", "--archive", root, check=False
    )
    assert done.returncode == 6 and "exists already" in done.stderr
    done = command("export", "answer", " ", "--to", tmp_path / "b", "--archive", root, check=False)
    assert done.returncode == 3 and not (tmp_path / "b").exists()


@pytest.mark.slow
def test_the_validator_of_ro_crate_finds_nothing(crate: Path, answer: Path, tmp_path: Path) -> None:
    """It pins an older `rich`, so it has an interpreter of its own: made here, or named."""
    python = os.environ.get("RDFKMS_ROCRATE_PYTHON", "")
    if not python:
        venv.create(tmp_path / "v", with_pip=True)
        python = str(tmp_path / "v" / "bin" / "python")
        line = [python, "-m", "pip", "install", "-q", "roc-validator>=0.13", "rocrate>=0.14"]
        made = subprocess.run(line, capture_output=True, text=True)
        if made.returncode:
            pytest.skip(f"roc-validator cannot be installed here: {made.stderr[-200:]}")
    line = [python, str(VALIDATOR), str(tmp_path / "cache")]
    for folder in (crate, answer):
        good = subprocess.run([*line, str(folder)], capture_output=True, text=True, timeout=300)
        assert good.returncode == 0, good.stdout + good.stderr
    whole = json.loads((crate / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    broken = tmp_path / "broken"
    broken.mkdir()
    whole["@graph"] = [one for one in whole["@graph"] if one["@id"] != "./"]
    (broken / "ro-crate-metadata.json").write_text(json.dumps(whole), encoding="utf-8")
    bad = subprocess.run([*line, str(broken)], capture_output=True, text=True, timeout=300)
    assert bad.returncode != 0, sys.version
