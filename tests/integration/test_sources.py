"""Sources are withdrawn and replaced, laws hold, and each can be undone exactly (R43, R81)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pyoxigraph import Quad

from rdfkms.app import building, checking, composition, curating, enriching, governing
from rdfkms.app.composition import OWNER, App
from rdfkms.errors import BadInput, Conflict, Denied, NotFound
from rdfkms.knowledge import decoding
from rdfkms.knowledge.encoding import claim_triples
from rdfkms.ledger.ledger import Activity, Change
from rdfkms.model import Access, Claim, Flag, Kind, Principal, Ref, Role, Status
from rdfkms.publish import places, sources, things
from rdfkms.publish.views import scope_of
from rdfkms.retrieval import documents
from rdfkms.review import acts, conditions, decisions, identities, replacing, undoing, withdrawing
from rdfkms.review.merges import merges
from rdfkms.review.queue import Queue
from rdfkms.vocab import KMS
from tests.integration.test_review_laws import EVA, content, faults
from tests.tools.service import serving
from tests.tools.small_run import command, result

ANYONE = Principal("anonymous", Role.READER)


@pytest.fixture
def app(copy: Path) -> Iterator[App]:
    with composition.writing(copy, "test") as opened:
        yield opened


def silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""


def records(app: App) -> dict[str, str]:
    """Return the keys of the records by title."""
    found = curating.listed(app, {}, OWNER, silent)["records"]
    return {row["title"]: row["record"] for row in found}


def rows(app: App, title: str) -> dict[str, Any]:
    found = curating.listed(app, {}, OWNER, silent)["records"]
    return next(row for row in found if row["title"] == title)


def sound(app: App) -> bool:
    assert faults(app) == []
    total, unresolved = checking._pointers(app)
    assert total
    assert unresolved == []
    return True


def withdrawn(app: App, record: str, file: str = "") -> Any:
    plan = withdrawing.plan(app.desk, record, file)
    assert plan.refusals == ()
    return plan, withdrawing.apply(app.desk, plan, EVA)


# ---- withdraw -----------------------------------------------------------------------------------


@pytest.mark.parametrize("title", ["Causa 118", "Registro"])
def test_a_withdrawn_record_asserts_nothing_and_comes_back_exactly(app: App, title: str) -> None:
    enriching.enrich(app, {"extractive": True}, OWNER, silent)
    before, record = content(app), records(app)[title]
    plan, made = withdrawn(app, record)
    assert len(plan.withdrawn) > 10
    assert sound(app)
    store, base = app.ledger.store, app.base
    for claim in plan.withdrawn:
        now = decoding.claim(store, base, claim.key)
        assert now.status is Status.WITHDRAWN
        stone = things.tombstone(
            scope_of(store, base, app.mapping, ANYONE), Ref("claim", claim.key)
        )
        assert (stone is not None) is (claim.status is Status.ADMITTED)
    seen = scope_of(store, base, app.mapping, ANYONE)
    unit = Ref("evidence", plan.source.units[0])
    for gone in (Ref("record", record), unit, *plan.entities):
        stone = things.tombstone(seen, gone)
        assert stone is not None
        assert stone.reason == "its source was withdrawn"
    assert documents.units(store, base, [unit.key])[0].graph == "internal"
    assert rows(app, title)["withdrawn"]
    undoing.undo(app.desk, made.key, EVA)
    assert content(app) == before
    assert things.tombstone(seen, unit) is None
    assert sound(app)
    assert app.ledger.journal.verify() == []


def test_one_file_goes_and_the_rest_of_its_record_stays(app: App) -> None:
    before, row = content(app), rows(app, "Causa 118")
    first, second = row["files"]
    plan, made = withdrawn(app, row["record"], first["sha256"][:16])
    assert 0 < len(plan.source.units) < row["passages"]
    assert sound(app)
    now = rows(app, "Causa 118")
    assert [file["withdrawn"] for file in now["files"]] == [True, False]
    assert withdrawing.plan(app.desk, row["record"], second["sha256"]).refusals
    assert withdrawing.plan(app.desk, row["record"], first["sha256"]).refusals
    # Closing and opening the record again does not bring the file back.
    for condition in ("closed", "open"):
        conditions.change(app.ledger, app.mapping, row["record"], Access(condition), EVA)
        assert sound(app)
    seen = scope_of(app.ledger.store, app.base, app.mapping, ANYONE)
    assert not things.exists(seen, Ref("inst", first["sha256"][:24])) or things.tombstone(
        seen, Ref("inst", first["sha256"][:24])
    )
    undoing.undo(app.desk, made.key, EVA)
    assert content(app) == before
    assert sound(app)


def test_a_file_that_comes_back_to_a_closed_record_is_closed(app: App) -> None:
    row = rows(app, "Causa 118")
    _, made = withdrawn(app, row["record"], row["files"][0]["sha256"])
    conditions.change(app.ledger, app.mapping, row["record"], Access("closed"), EVA)
    undoing.undo(app.desk, made.key, EVA)
    assert sound(app)
    conditions.change(app.ledger, app.mapping, row["record"], Access("open"), EVA)
    assert sound(app)


def second_pointer(app: App) -> tuple[Claim, str, str]:
    """Give a mention of the register a second pointer, into the court-martial; and the keys."""
    store, base = app.ledger.store, app.base
    keys = records(app)
    here = decoding.units_of_record(store, base, keys["Registro"])
    there = decoding.units_of_record(store, base, keys["Causa 118"])
    claim = next(
        c
        for unit in here
        for c in app.desk.claims_of_unit(unit.key)
        if c.kind is Kind.MENTION and c.status is Status.ADMITTED
    )
    other = next(c for u in there for c in app.desk.claims_of_unit(u.key)).pointers[0]
    both = replace(claim, pointers=(*claim.pointers, other))
    old, new = (set(claim_triples(c, base, app.mapping)) for c in (claim, both))
    extra = tuple(Quad(t.subject, t.predicate, t.object, base.public) for t in new - old)
    readings = Quad(
        base.iri("name", claim.key), KMS("readIn"), base.iri("evidence", other.unit), base.public
    )
    app.ledger.commit(Change(Activity("test"), (*extra, readings)), OWNER)
    assert sound(app)
    return both, keys["Causa 118"], keys["Registro"]


def test_what_has_other_evidence_stays_and_loses_its_pointer(app: App) -> None:
    claim, causa, registro = second_pointer(app)
    before = content(app)
    plan, made = withdrawn(app, causa)
    assert [c.key for c in plan.kept] == [claim.key]
    now = app.desk.claim(claim.key)
    assert now == replace(claim, pointers=claim.pointers[:1])
    assert sound(app)
    undoing.undo(app.desk, made.key, EVA)
    assert content(app) == before
    plan, made = withdrawn(app, registro)
    now = app.desk.claim(claim.key)
    assert (now.status, now.pointers) == (Status.ADMITTED, claim.pointers[1:])
    assert sound(app)
    undoing.undo(app.desk, made.key, EVA)
    assert content(app) == before


def two_of_a_kind(app: App) -> tuple[Ref, Ref, Ref]:
    """Return two things of a kind that the register alone names, and a better known one.

    The third is named by the court-martial alone, so that it stands for the others when merged.
    """
    keys, store, base = records(app), app.ledger.store, app.base
    lost = {title: withdrawing.plan(app.desk, key).entities for title, key in keys.items()}

    def said(ref: Ref) -> int:
        return len(decoding.claims_of_thing(store, base, ref))

    for away in sorted(lost["Causa 118"], key=said, reverse=True):
        same = [r for r in lost["Registro"] if r.kind == away.kind and said(r) < said(away)]
        if len(same) > 1:
            return same[0], same[1], away
    raise AssertionError("the sample has no two such things in the register")


def test_merges_with_what_is_lost_are_dissolved_and_come_back(app: App) -> None:
    one, other, away = two_of_a_kind(app)
    identities.merge(app.desk, away, one, EVA)
    identities.merge(app.desk, away, other, EVA)
    before, base = content(app), app.base
    lost = records(app)["Causa 118"]
    plan, made = withdrawn(app, lost)
    assert {pair[1] for pair in plan.parted} == {away}
    known = merges(app.ledger.store, base)
    assert known.canonical(one) != known.canonical(other)
    assert sound(app)
    undoing.undo(app.desk, made.key, EVA)
    assert content(app) == before
    assert sound(app)


def test_a_merge_made_since_forbids_that_another_comes_back(app: App) -> None:
    one, other, away = two_of_a_kind(app)
    identities.merge(app.desk, away, one, EVA)
    identities.merge(app.desk, away, other, EVA)
    _, gone = withdrawn(app, records(app)["Causa 118"])
    second = identities.merge(app.desk, one, other, EVA)
    with pytest.raises(Conflict, match="merged with another thing since"):
        undoing.undo(app.desk, gone.key, EVA)
    undoing.undo(app.desk, second.key, EVA)
    undoing.undo(app.desk, gone.key, EVA)
    assert sound(app)


def test_the_queue_follows_a_withdrawal_and_its_undo(app: App) -> None:
    queue = Queue(app.work)
    queue.sync(app.ledger.store, app.base, app.mapping, app.ledger.revision)
    record = records(app)["Registro"]
    before = {t.item for t in queue.tasks(limit=500, state="open")}
    mine = {t.item for t in queue.tasks(limit=500, state="open", record=record)}
    assert mine
    _, made = withdrawn(app, record)
    now = {t.item for t in queue.tasks(limit=500, state="open")}
    assert now & mine == set()
    queue.sync(app.ledger.store, app.base, app.mapping, app.ledger.revision)
    assert {t.item for t in queue.tasks(limit=500, state="open")} == now
    undoing.undo(app.desk, made.key, EVA)
    assert {t.item for t in queue.tasks(limit=500, state="open")} == before


def test_nothing_is_done_with_a_withdrawn_record(app: App, built: Any) -> None:
    record = records(app)["Registro"]
    plan, _ = withdrawn(app, record)
    assert withdrawing.plan(app.desk, record).refusals
    with pytest.raises(Conflict, match="withdrawn"):
        conditions.change(app.ledger, app.mapping, record, Access("closed"), EVA)
    with pytest.raises(Conflict, match="withdrawn"):
        replacing.page_of(app.desk, record, "1")
    with pytest.raises(Conflict, match="withdrawn already"):
        acts.accept(app.desk, plan.withdrawn[0].key, EVA)
    revision = app.ledger.revision
    report = building.extract(app, {"records": [record]}, OWNER, silent)
    assert report["candidates"] == 0
    page = built.sources / "registro-p1.md"
    more = page.with_name("registro-p9.md")
    try:
        more.write_text(page.read_text(encoding="utf-8") + "\nOtra línea.\n", encoding="utf-8")
        told = building.run(app, {"paths": [str(built.sources)], "jobs": 1}, OWNER, silent)
    finally:
        more.unlink()
    assert any("withdrawn" in fault["reason"] for fault in told["faults"])
    assert app.ledger.revision == revision
    assert sound(app)


def test_a_plan_that_was_overtaken_and_a_right_that_lacks(app: App) -> None:
    keys = records(app)
    plan = withdrawing.plan(app.desk, keys["Registro"])
    with pytest.raises(Denied):
        withdrawing.apply(app.desk, plan, Principal("carl", Role.CONTRIBUTOR))
    withdrawn(app, keys["Causa 118"])
    with pytest.raises(Conflict, match="Plan it again"):
        withdrawing.apply(app.desk, plan, EVA)
    with pytest.raises(NotFound):
        withdrawing.plan(app.desk, "nothing")
    with pytest.raises(NotFound, match="source list"):
        withdrawing.plan(app.desk, keys["Registro"], "abc123")


# ---- rollback -----------------------------------------------------------------------------------


def test_a_decision_is_rolled_back_with_a_dry_run_and_bars_nothing_after(app: App) -> None:
    store, base = app.ledger.store, app.base
    claims = decoding.all_claims(store, base)
    claim = next(c for c in claims if c.kind is Kind.ATTRIBUTE)
    before = content(app)
    made = acts.reject(app.desk, claim.key, EVA)
    wanted = {"claims": [claim.key], "dry_run": True}
    first = governing.rollback(app, {"decision": made.key, "dry_run": True}, EVA, silent)
    assert (first["done"], first["refused"]) == (False, [])
    assert app.desk.claim(claim.key).status is Status.REJECTED
    done = governing.rollback(app, {"decision": made.key}, EVA, silent)
    assert done["done"]
    assert (done["removed"], done["added"]) >= (first["removed"], first["added"])
    assert content(app) == before
    again = governing.rollback(app, {"decision": made.key}, EVA, silent)
    assert not again["done"]
    assert "was undone" in again["refused"][0]
    assert governing.rollback(app, wanted, EVA, silent)["refused"] == []
    acts.rank(app.desk, claim.key, "preferred", EVA)
    assert "decided" in governing.rollback(app, wanted, EVA, silent)["refused"][0]
    assert sound(app)


def test_a_run_and_a_source_are_rolled_back(app: App, built: Any) -> None:
    with pytest.raises(BadInput, match="one thing"):
        governing.rollback(app, {"source": "a", "run": "b"}, EVA, silent)
    record = records(app)["Registro"]
    dry = governing.rollback(app, {"source": record, "dry_run": True}, EVA, silent)
    assert dry["claims"] > 10
    assert not dry["done"]
    done = governing.rollback(app, {"run": built.report["run"]}, EVA, silent)
    assert done["done"]
    assert sound(app)
    counted = checking._claims(app)
    assert counted["admitted"] == counted["quarantined"] == 0


# ---- replace ------------------------------------------------------------------------------------


def changed(app: App, record: str, label: str, path: Path, **more: Any) -> dict[str, Any]:
    arguments = {"record": record, "page": label, "path": str(path), **more}
    return curating.replace(app, arguments, OWNER, silent)


def text_of(app: App, record: str, label: str) -> str:
    _, page = replacing.page_of(app.desk, record, label)
    unit = replacing.units_of_page(app.desk, record, page)[0]
    version = decoding.version(app.ledger.store, app.base, unit.raw.version, app.archive.read)
    return version.text


def test_a_corrected_transcription_takes_the_quotes_along(app: App, tmp_path: Path) -> None:
    record, store, base = records(app)["Causa 118"], app.ledger.store, app.base
    before, old = content(app), text_of(app, record, "1")
    mention = next(
        c
        for c in decoding.all_claims(store, base)
        if c.kind is Kind.MENTION
        and c.name == "Person"
        and c.value
        and len(c.value.lexical) > 8
        and decoding.unit(store, base, c.pointers[0].unit).page_label == "1"
        and decoding.unit(store, base, c.pointers[0].unit).record == record
    )
    assert mention.value is not None
    better = mention.value.lexical[:-1] + "ç"
    note = "Nota al margen, de otra mano, que la lectura anterior no daba."
    path = tmp_path / "corrected.txt"
    path.write_text(f"{old.replace(mention.value.lexical, better)}\n\n{note}\n", encoding="utf-8")
    files = sorted(p.name for p in app.archive.files.rglob("*"))
    dry = changed(app, record, "1", path, dry_run=True)
    assert content(app) == before
    assert sorted(p.name for p in app.archive.files.rglob("*")) == files
    done = changed(app, record, "1", path, note="checked against the page")
    assert dry["pointers"] == done["pointers"]
    assert done["pointers"]["near"] >= 1
    assert done["pointers"]["r_res_after"] > done["pointers"]["r_res_before"]
    assert done["passages"]["new"] == 1
    assert sound(app)
    now = app.desk.claim(mention.key)  # keys are as first anchored
    assert now.value is not None
    assert (now.status, now.value.lexical) == (Status.ADMITTED, better)
    assert [r.code for r in now.reasons][-1] == "reanchored"
    unit = decoding.unit(store, base, mention.pointers[0].unit)
    assert now.pointers[0].unit_text == unit.raw.key != mention.pointers[0].unit_text
    seen = scope_of(store, base, app.mapping, ANYONE)
    view = sources.unit(seen, app.archive, unit.key, claim=now.key, pointer="p1")
    assert [piece for piece, marked in view.pieces if marked] == [now.pointers[0].quote]
    assert view.shown.origin == "corrected"
    assert sources.unit(seen, app.archive, unit.key).shown.key == unit.raw.key
    was = places.cut_of_claim(seen, app.archive, now.key, "p1")
    assert was.marks, "corrected words keep the boxes of those that they correct"
    assert better in documents.units(store, base, [unit.key])[0].passage
    undoing.undo(app.desk, done["decision"], EVA)
    assert content(app) == before
    assert sound(app)


def test_a_better_scan_shows_quotes_on_itself(app: App, tmp_path: Path) -> None:
    record, before = records(app)["Causa 118"], content(app)
    _, page = replacing.page_of(app.desk, record, "2")
    assert page.picture
    with Image.open(app.archive.path_of(page.picture)) as opened:
        opened.resize((opened.width * 5 // 4, opened.height * 5 // 4)).save(tmp_path / "b.png")
    done = changed(app, record, "2", tmp_path / "b.png")
    assert done["passages"]["aligned"] >= 1
    assert done["pointers"]["exact"] > done["pointers"]["lost"]
    assert sound(app)
    _, newest = replacing.page_of(app.desk, record, "2")
    assert newest.key != page.key
    seen = scope_of(app.ledger.store, app.base, app.mapping, ANYONE)
    old = {t.key for u in replacing.units_of_page(app.desk, record, newest) for t in u.texts[2:]}
    for unit in replacing.units_of_page(app.desk, record, newest):
        for claim in app.desk.claims_of_unit(unit.key):
            if claim.status is Status.ADMITTED and claim.pointers[0].unit_text not in old:
                cut = places.cut_of_claim(seen, app.archive, claim.key, "p1")
                fits = claim.pointers[0].unit_text == unit.raw.key
                assert cut.picture == (newest.picture if fits else page.picture)
                assert cut.marks
    # Neither of the two scans can go alone now; the newest can be corrected again.
    for digest in (page.source, newest.source):
        assert withdrawing.plan(app.desk, record, digest).refusals
    path = tmp_path / "again.txt"
    path.write_text(text_of(app, record, "2"), encoding="utf-8")
    second = changed(app, record, "2", path)
    assert second["pointers"]["exact"] == second["pointers"]["pointers"]
    assert sound(app)
    _, made = withdrawn(app, record)
    assert sound(app)
    for decision in (made.key, second["decision"], done["decision"]):
        undoing.undo(app.desk, decision, EVA)
        assert sound(app)
    assert content(app) == before


def test_what_the_new_text_does_not_hold_waits_for_a_person(app: App, tmp_path: Path) -> None:
    record, before = records(app)["Registro"], content(app)
    store, base = app.ledger.store, app.base
    known, page = replacing.page_of(app.desk, record, "1")
    units = replacing.units_of_page(app.desk, record, page)
    gone = next(u for u in units if app.desk.claims_of_unit(u.key) and u.ordinal > 1)
    old = text_of(app, record, "1")
    path = tmp_path / "new.md"
    path.write_text(old.replace(gone.raw.text, "") + "\n", encoding="utf-8")
    done = changed(app, record, "1", path)
    assert done["passages"]["without_counterpart"] == [gone.key]
    lost = set(done["claims"]["lost"])
    assert lost
    assert {c.key for c in app.desk.claims_of_unit(gone.key)} >= lost
    assert sound(app), "their pointers go on resolving in the older version"
    assert decoding.unit(store, base, gone.key).flags == (Flag.NO_COUNTERPART,)
    waiting = {t.key: t for t in Queue(app.work).tasks(limit=500, state="open")}
    for key in lost:
        claim = app.desk.claim(key)
        assert claim.status is Status.QUARANTINED
        assert claim.reasons[-1].code == "quoteLost"
        assert "quoteLost" in waiting[key].codes
    first = next(c for key in sorted(lost) if (c := app.desk.claim(key)).kind is Kind.MENTION)
    acts.accept(app.desk, first.key, EVA)  # a person may keep it, by the older reading
    assert sound(app)
    with pytest.raises(Conflict, match="decided on since"):
        undoing.undo(app.desk, done["decision"], EVA)
    undoing.undo(app.desk, decisions.of_claim(app.ledger, first.key)[-1].key, EVA)
    undoing.undo(app.desk, done["decision"], EVA)
    assert content(app) == before
    assert known.key == record


def test_files_that_cannot_replace_a_page(app: App, tmp_path: Path, built: Any) -> None:
    record = records(app)["Causa 118"]
    two = tmp_path / "two.md"
    two.write_text("# A\n\nUno.\n\n# B\n\nDos.\n", encoding="utf-8")
    empty, odd = tmp_path / "empty.txt", tmp_path / "odd.docx"
    empty.touch()
    odd.write_bytes(b"PK\x03\x04" + bytes(100))
    same = built.sources / "causa-118-p1.png"
    for path, said in (
        (two, "2 pages"),
        (empty, "empty"),
        (odd, "are not read"),
        (same, "already"),
    ):
        with pytest.raises(BadInput, match=said):
            changed(app, record, "1", path)
    with pytest.raises(NotFound, match="no page 77"):
        changed(app, record, "77", two)
    with pytest.raises(NotFound):
        changed(app, record, "1", tmp_path / "absent.txt")


# ---- from the command line ----------------------------------------------------------------------


def test_sources_from_the_command_line(copy: Path, tmp_path: Path) -> None:
    at = ("--archive", copy)
    listed = result("source", "list", *at)["records"]
    assert {row["title"]: row["passages"] > 0 for row in listed} == {
        "Causa 118": True, "Registro": True,
    }  # fmt: skip
    record = next(row["record"] for row in listed if row["title"] == "Registro")
    dry = result("source", "withdraw", record, "--dry-run", *at)
    done = result("source", "withdraw", record, "--note", "returned to its owner", *at)
    assert (dry["done"], done["done"]) == (False, True)
    assert {k: v for k, v in dry.items() if k in ("claims", "entities", "passages")} == {
        k: v for k, v in done.items() if k in ("claims", "entities", "passages")
    }
    assert "WITHDRAWN" not in command("source", "list", *at).stdout
    assert "(withdrawn)" in command("source", "list", *at).stdout
    again = command("source", "withdraw", record, *at, check=False)
    assert again.returncode == 6
    assert "REFUSED" in again.stdout
    assert result("check", *at)["ok"]
    back = result("rollback", "--decision", done["decision"], *at)
    assert back["done"]
    path = tmp_path / "p1.md"
    unit = "Texto nuevo de la página, que nada tiene que ver con lo anterior."
    path.write_text(unit, encoding="utf-8")
    told = result("source", "replace", record, path, "--page", "1", "--dry-run", *at)
    assert told["passages"]["new"] == 1
    assert command("rollback", *at, check=False).returncode == 2
    assert result("check", *at)["ok"]


def test_sources_of_a_served_archive(copy: Path, tmp_path: Path) -> None:
    at = ("--archive", copy)
    record = next(
        row["record"]
        for row in result("source", "list", *at)["records"]
        if row["title"] == "Registro"
    )
    unit = ""
    with composition.reading(copy) as app:
        unit = decoding.units_of_record(app.ledger.store, app.base, record)[0].key
    with serving(copy) as service:
        assert service.get(f"/page/evidence/{unit}")[0] == 200
        done = result("source", "withdraw", record, *at)
        assert done["done"]
        assert service.get(f"/page/evidence/{unit}")[0] == 410
        assert service.get(f"/page/record/{record}")[0] == 410
        assert result("rollback", "--decision", done["decision"], *at)["done"]
        assert service.get(f"/page/evidence/{unit}")[0] == 200
        made = result("release", "create", "2026-03", "--note", "spring", *at)
        status, page = service.get("/releases")
        assert status == 200
        assert made["sha256"] in page
        assert made["sha256"] in service.get("/releases.json")[1]
        refused = command("erase", record, "--reason", "law", "--yes", *at, check=False)
        assert refused.returncode == 6
    assert result("check", *at)["ok"]
