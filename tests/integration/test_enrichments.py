"""Machine text: kept beside the passage and marked, found as what it is, never evidence."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from pyoxigraph import NamedNode, Triple

from rdfkms.access import ANONYMOUS
from rdfkms.admission.screening import screen
from rdfkms.admission.shapes import ShapesGate
from rdfkms.app import composition, operations
from rdfkms.dialogue import answering
from rdfkms.knowledge import decoding, encoding, enrichments, mapping
from rdfkms.knowledge.enrichments import Enrichment, Extractive, clean
from rdfkms.model import Anchor, Candidate, Kind, Pointer
from rdfkms.retrieval import searching
from rdfkms.vocab import KMS, TYPE
from rdfkms.web import create_app
from rdfkms.web.services import services_of
from tests.tools.model_server import Body, Handler, completion, serving
from tests.tools.small_run import result

TEXTS = {
    "registro-p1.md": "# Registro\n\nRosa Ferrer Quiles: treinta años, natural de Castrovil, "
    "maestra. Vino a la villa por el molino viejo.\n",
    "registro-p2.md": "# Registro\n\nAndrés Vidal Soler: carpintero, natural de Montelargo.\n",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("made")
    folder = root / "texts"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    rules = '[[records]]\nmatch = "*.md"\nprofile = "register"\n'
    (folder / "records.toml").write_text(rules)
    operations.perform(root / "A", "run", {"paths": [str(folder)], "jobs": 1})
    return root / "A"


@pytest.fixture
def archive(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "A"))


def described(root: Path, graph: str = "public") -> set[str]:
    with composition.reading(root) as app:
        where = app.base.public if graph == "public" else app.base.internal
        return {
            str(getattr(quad.object, "value", ""))
            for quad in app.ledger.store.match(None, KMS("machineText"), None, where)
        }


def test_passages_are_described_by_their_own_words_and_twice_is_once(archive: Path) -> None:
    report = operations.perform(archive, "enrich", {})
    assert report["units"] == 2
    assert report["enrichments"] == 6
    told = described(archive)
    assert "Rosa Ferrer Quiles: treinta años, natural de Castrovil, maestra." in told
    assert any("Castrovil, maestra" in text for text in told)  # keywords
    again = operations.perform(archive, "enrich", {})
    assert again["revision"] == report["revision"]
    assert operations.perform(archive, "enrich", {"records": []})["run"] == report["run"]


def test_a_model_describes_and_a_bad_answer_falls_back_on_the_words(archive: Path) -> None:
    said = {"title": "Una maestra\x00\n", "summary": "Llegada de una maestra.",
            "keywords": ["escuela", "llegada"]}  # fmt: skip

    def behave(handler: Handler, body: Body) -> None:
        asked = body["messages"][-1]["content"]
        if "ready" in asked:
            return handler.answer(completion('{"ready": "yes"}'))
        good = json.dumps(said) if "Rosa" in asked else "I would rather not."
        return handler.answer(completion(good))

    operations.perform(archive, "enrich", {})
    with serving(behave) as server:
        with (archive / "archive.toml").open("a") as out:
            out.write(f'\n[models]\nllm_url = "{server.url}"\nllm_model = "m"\n')
        report = operations.perform(archive, "enrich", {})
    told = described(archive)
    assert {"Una maestra", "Llegada de una maestra.", "escuela, llegada"} <= told
    assert len(told) == 6  # what was there about the same passages has gone
    assert "Andrés Vidal Soler: carpintero, natural de Montelargo." in told
    assert report["usage"]["purposes"]["enrich"]["calls"] == 2
    with composition.reading(archive) as app:
        found = searching.search("escuela", app.indexes, app.ledger.store, ANONYMOUS, machine=True)
        assert found[0].only_machine
        assert "escuela" not in found[0].citation.quote
        assert found[0].citation.quote in found[0].citation.context
        # Answers to questions never rest on it.
        plain = searching.search("escuela", app.indexes, app.ledger.store, ANONYMOUS)
        assert all(not hit.only_machine for hit in plain)
        answer = answering.ask("escuela", app.indexes, app.ledger.store, ANONYMOUS)
        assert all("escuela" not in hit.citation.context for hit in answer.evidence)


def test_the_page_of_a_passage_and_the_search_page_say_that_a_machine_wrote_it(
    archive: Path,
) -> None:
    operations.perform(archive, "enrich", {})
    with composition.reading(archive) as app:
        unit = next(iter(app.ledger.store.match(None, TYPE, KMS("EvidenceUnit"), None))).subject
        assert isinstance(unit, NamedNode)
        client = create_app(services_of(app)).test_client()
        page = client.get(f"/page/evidence/{unit.value.rpartition('/')[2]}").get_data(as_text=True)
        assert "Written by a machine" in page
        assert "never evidence" in page
        assert "extractive" in page
        made = next(iter(app.ledger.store.match(None, TYPE, KMS("Enrichment"), None))).subject
        assert isinstance(made, NamedNode)
        led = client.get(f"/page/enrichment/{made.value.rpartition('/')[2]}")
        assert led.status_code == 303
        assert "/page/evidence/" in led.headers["Location"]


def test_closing_a_record_closes_its_machine_text_and_opening_opens_it(archive: Path) -> None:
    operations.perform(archive, "enrich", {})
    with composition.reading(archive) as app:
        (record,) = app.record_keys()
    operations.perform(archive, "access", {"record": record, "condition": "closed"})
    assert described(archive) == set()
    assert len(described(archive, "internal")) == 6
    with composition.reading(archive) as app:
        assert searching.search(
            "molino", app.indexes, app.ledger.store, ANONYMOUS, machine=True
        ) == []  # fmt: skip
    # Described anew while closed, it stays closed.
    report = operations.perform(archive, "enrich", {"extractive": True})
    assert report["ok"]
    assert described(archive) == set()
    operations.perform(archive, "access", {"record": record, "condition": "open"})
    assert len(described(archive)) == 6


def test_a_passage_with_machine_text_is_read_as_before(archive: Path) -> None:
    with composition.reading(archive) as app:
        (record,) = app.record_keys()
        before = decoding.units_of_record(app.ledger.store, app.base, record)
    operations.perform(archive, "enrich", {})
    with composition.reading(archive) as app:
        assert decoding.units_of_record(app.ledger.store, app.base, record) == before


def test_a_claim_that_quotes_or_cites_machine_text_is_refused(archive: Path) -> None:
    operations.perform(archive, "enrich", {})
    table = mapping.load()
    with composition.reading(archive) as app:
        store, base = app.ledger.store, app.base
        (record,) = app.record_keys()
        unit = decoding.units_of_record(store, base, record)[0]
        # By its words: they are looked for in the raw text alone.
        title = Enrichment(unit.key, "title", "Llegada de Juana Inventada", "es", "m 1")
        anchor = Anchor(11, 26, "Juana Inventada", "Person")
        false = Candidate(
            "k", Kind.MENTION, unit.key, "Person", title.text, 0, len(title.text), subject=anchor
        )
        _, verdict = screen(false, unit, table)
        assert verdict is not None
        # By its IRI: the shape of pointers asks for a text of the unit.
        claim = decoding.claims_of_unit(store, base, unit.key)[0]
        node = base.iri("enrichment", title.key)
        triples = [*enrichments.triples(title, "run1", base), *encoding.unit_triples(unit, base)]
        pointer: Pointer = claim.pointers[0]
        sound = encoding.claim_triples(claim, base, table)
        iri = base.iri("claim", claim.key)
        gate = ShapesGate()
        assert "A pointer points into exactly one text." not in said(gate, [*triples, *sound], iri)
        text = base.iri("text", pointer.unit_text)
        cited = [
            Triple(t.subject, t.predicate, node) if t.object == text else t
            for t in sound
            if isinstance(t.subject, NamedNode)
        ]
        assert "A pointer points into exactly one text." in said(gate, [*triples, *cited], iri)


def said(gate: ShapesGate, triples: list[Triple], node: NamedNode) -> set[str]:
    return {reason.sentence for reason in gate.validate(triples, [node]).get(node, ())}


def test_keywords_are_the_words_that_are_rare_elsewhere(archive: Path) -> None:
    with composition.reading(archive) as app:
        (record,) = app.record_keys()
        units = decoding.units_of_record(app.ledger.store, app.base, record)
    extractive = Extractive(units)
    (_, _, keywords) = extractive.describe(units[0])
    words = keywords.text.split(", ")
    assert words.index("Castrovil") < words.index("natural") if "natural" in words else True
    assert extractive.describe(units[0]) == Extractive(units).describe(units[0])
    han = replace(units[0].raw, text="貞觀三年春正月，王安為刺史。王安卒。", language="lzh")
    title, summary, keys = Extractive([]).describe(replace(units[0], texts=(han,)))
    assert (title.text, summary.text) == ("貞觀三年春正月", "貞觀三年春正月，王安為刺史。")
    assert keys.text.split(", ")[0] == "王安"


@pytest.mark.parametrize("text", ["", "   ", "\x00\x07", "\ud800", "x" * 10_000, "\u202e abc"])
def test_machine_text_is_cleaned_before_it_is_kept(text: str) -> None:
    made = clean(text, "title")
    assert len(made) <= 120
    assert all(c.isprintable() for c in made)


def test_a_run_with_pictures_is_described_and_checked_too(copy: Path) -> None:
    report = operations.perform(copy, "enrich", {})
    assert report["units"] > 5
    assert result("check", "--archive", copy)["ok"]
    assert result("rebuild", "--archive", copy)["quads"] > 0
    assert described(copy)
