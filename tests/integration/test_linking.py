"""Links to authorities: proposed as claims with evidence, asserted only when a reviewer says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import NamedNode, Quad

from rdfkms.app import checking, operations
from rdfkms.app.composition import App, reading
from rdfkms.errors import BadInput, Misconfigured, Unavailable
from rdfkms.knowledge import decoding, statements
from rdfkms.knowledge.mapping import load
from rdfkms.model import Claim, Label, Ref, Status
from rdfkms.vocab import KMS
from tests.tools import small_archive
from tests.tools.reconciler import serving

PERSON = Ref("person", "p" * 24)
ENTRY = "http://www.wikidata.org/entity/Q1"
ROWS = (
    "id\tlabel\taliases\ttype\tbirth\tdeath\tplace\tdescription",
    "Q1\tAndrés Vidal Soler\t\tPerson\t\t\tBelmira\t",
    "Q2\tVidal Soler, Andrés\t\tPerson\t1650\t1700\tLisboa\t",
    "Q9\tBelmira\t\tLocation\t\t\t\t",
    "Q10\tTomás Oculto Prieto\t\tPerson\t\t\t\t",
)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    root = tmp_path / "archive"
    small_archive.build(root).close()
    return root


def setting(root: Path, text: str) -> None:
    path = root / "archive.toml"
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def with_file(root: Path) -> None:
    (root / "dump.tsv").write_text("\n".join(ROWS), encoding="utf-8")
    setting(root, '\n[authorities.wikidata]\nfile = "dump.tsv"\n')


def link(root: Path, **arguments: Any) -> dict[str, Any]:
    return operations.perform(root, "link", {"source": "wikidata", **arguments})


def proposals(app: App, ref: Ref = PERSON) -> Sequence[Claim]:
    found = decoding.claims_of_thing(app.ledger.store, app.base, ref)
    return [c for c in found if c.statement == "sameAsAuthority"]


def asserted(app: App) -> list[Quad]:
    store = app.ledger.store
    graphs = (app.base.public, app.base.internal)
    return [q for g in graphs for q in store.match(None, KMS("sameAsAuthority"), None, g)]


def test_a_proposal_waits_with_its_evidence_and_reasons(archive: Path) -> None:
    with_file(archive)
    done = link(archive, type="Person")
    assert PERSON.path in done["entities"]
    with reading(archive) as app:
        one, *others = sorted(proposals(app), key=lambda c: -c.confidence)
        assert one.value is not None
        assert (one.value.lexical, one.value.datatype) == (ENTRY, "anyURI")
        assert one.status is Status.QUARANTINED
        assert one.label is Label.PARTIAL
        pointer = one.pointers[0]
        unit = decoding.unit(app.ledger.store, app.base, pointer.unit)
        assert unit.raw.text[pointer.start : pointer.end] == pointer.quote
        codes = {r.code: r.sentence for r in one.reasons}
        assert {"authorityCandidate", "authorityAwaitsReview"} <= set(codes)
        assert "place Belmira agrees" in codes["authorityCandidate"]
        assert one.confidence > max((c.confidence for c in others), default=0.0)
        assert asserted(app) == []
        public = [
            quad
            for claim in proposals(app)
            for quad in app.ledger.store.match(
                app.base.iri("claim", claim.key), None, None, app.base.public
            )
        ]
        assert public == []


def test_in_an_archive_of_a_run_nothing_but_the_review_is_missing(tmp_path: Path) -> None:
    root, page = tmp_path / "archive", tmp_path / "registro.md"
    page.write_text("Ficha. Andrés Vidal Soler, natural de Belmira, de 31 años.", encoding="utf-8")
    operations.create(root, title="Belmira", base="", profile="register")
    operations.perform(root, "run", {"paths": [str(page)], "language": "es"})
    with_file(root)
    assert link(root, type="Person")["proposed"] >= 1
    with reading(root) as app:
        found = list(app.work.candidates(name="sameAsAuthority"))
        assert {str(row.verdict.decision) for row in found} == {"quarantined"}
        for row in found:
            assert [r.code for r in row.verdict.reasons] == [
                "authorityCandidate", "authorityAwaitsReview",
            ]  # fmt: skip
        item = f"claim/{found[0].claim}"
        # The laws hold with such claims.
        assert checking.check(app, lambda stage, done, total: None)["ok"]
    # A reviewer accepts; then, and only then, the entity leads to the entry.
    operations.perform(root, "review_accept", {"item": item, "note": "same place"})
    with reading(root) as app:
        assert [quad.object for quad in asserted(app)] == [NamedNode(ENTRY)]
        assert checking.check(app, lambda stage, done, total: None)["ok"]
    assert link(root, type="Person")["proposed"] == 0


def test_the_same_proposal_again_is_one_claim_and_changes_nothing(archive: Path) -> None:
    with_file(archive)
    first = link(archive)
    again = link(archive)
    assert first["proposed"] > 0
    assert again["proposed"] == 0
    assert again["revision"] == first["revision"]
    with reading(archive) as app:
        assert len({c.key for c in proposals(app)}) == len(proposals(app))


def test_accepted_it_leads_to_the_entry(archive: Path) -> None:
    with_file(archive)
    link(archive)
    with reading(archive) as app:
        [claim] = [c for c in proposals(app) if c.value and c.value.lexical == ENTRY]
        accepted = replace(claim, status=Status.ADMITTED)
        [triple] = statements.project(accepted, app.base, load())
        assert (triple.predicate, triple.object) == (KMS("sameAsAuthority"), NamedNode(ENTRY))
        assert statements.project(claim, app.base, load()) == ()


def test_limit_and_type_are_heeded(archive: Path) -> None:
    with_file(archive)
    assert link(archive, limit=1)["asked"] == 1
    assert link(archive, type="Location")["entities"] == ["place/" + "b" * 24]
    with pytest.raises(BadInput, match="Charge"):
        link(archive, type="Charge")


def test_without_a_setting_nothing_is_asked(archive: Path) -> None:
    with pytest.raises(Misconfigured, match=r"authorities\.wikidata"):
        link(archive)
    with pytest.raises(Misconfigured, match="nowhere"):
        link(archive, source="nowhere")


def test_a_service_is_told_public_names_only_and_its_answers_are_kept(archive: Path) -> None:
    with serving() as service:
        setting(archive, f'\n[authorities.wikidata]\nservice = "{service.address}"\n')
        service.entries = [{"id": "Q1", "name": "Andrés Vidal Soler", "score": 1, "match": False}]
        done = link(archive, type="Person")
        asked = {query["query"] for query in service.asked}
        assert "Andrés Vidal Soler" in asked
        assert not any("Oculto" in name for name in asked)
        assert done["proposed"] == 1
        before = len(service.asked)
        assert link(archive, type="Person")["proposed"] == 0
        assert len(service.asked) == before


def test_a_service_that_fails_leaves_what_was_proposed(archive: Path) -> None:
    with serving() as service:
        setting(archive, f'\n[authorities.wikidata]\nservice = "{service.address}"\n')
        service.first, service.stuck = [(404, b"")], True
        with pytest.raises(Unavailable):
            link(archive, type="Person")
    with reading(archive) as app:
        assert app.work.runs()[-1].status == "failed"
        assert proposals(app) == []
