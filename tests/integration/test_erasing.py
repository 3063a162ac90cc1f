"""What is erased by law is nowhere in the archive's folder any more; releases stay (R80)."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard

from rdfkms.app import checking, composition, curating, enriching, erasing, operations
from rdfkms.app.composition import OWNER, open_store
from rdfkms.errors import BadInput, Broken, Conflict, Denied, NotFound
from rdfkms.knowledge import decoding
from rdfkms.ledger import erasure, releases
from rdfkms.model import Kind, Principal, Ref, Role, Status
from rdfkms.publish import things
from rdfkms.publish.views import scope_of
from rdfkms.review import acts, decisions, edits, identities, undoing
from rdfkms.review.edits import Correction
from tests.integration.test_review_laws import EVA, faults
from tests.tools.small_run import Built, command, content, result

REASON = "order 12/2026"


def everything(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every file's bytes, and what is compressed in files and in the journal."""
    for path in sorted(root.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            yield str(path), data
            yield str(path), inflated(data)
    db = sqlite3.connect(root / "journal.sqlite")
    for revision, *blobs in db.execute("SELECT revision, removed, added FROM entry"):
        for blob in blobs:
            yield f"revision {revision}", inflated(blob or b"")
    db.close()


def inflated(data: bytes) -> bytes:
    try:
        return zstandard.ZstdDecompressor().decompress(data, max_output_size=100_000_000)
    except zstandard.ZstdError:
        return b""


def holders(root: Path, words: list[str]) -> dict[str, set[str]]:
    """Return where each of these words stands, as UTF-8 and as JSON escapes."""
    found: dict[str, set[str]] = {word: set() for word in words}
    for place, data in everything(root):
        for word in words:
            if word.encode() in data or json.dumps(word)[1:-1].encode() in data:
                found[word].add(place.removeprefix(str(root)))
    return found


def own_words(archive: Path, title: str) -> tuple[str, list[str]]:
    """Return the key of a record and words that it alone has: of its text, names and values."""
    with composition.reading(archive) as app:
        rows = curating.listed(app, {}, OWNER, lambda *_: None)["records"]
        texts, words = {}, set()
        for row in rows:
            units = decoding.units_of_record(app.ledger.store, app.base, row["record"])
            texts[row["title"]] = "\n".join(t.text for u in units for t in u.texts)
            if row["title"] == title:
                record = row["record"]
                found = (word.strip(".,;:()") for u in units for word in u.raw.text.split())
                words |= {word for word in found if len(word) > 8}
                words |= {f["name"] for f in row["files"]}
                for unit in units:
                    for claim in app.desk.claims_of_unit(unit.key):
                        words |= {p.quote for p in claim.pointers if len(p.quote) > 8}
        others = "\n".join(text for name, text in texts.items() if name != title)
        return record, sorted(w for w in words if w not in others)


def unknown_to_the_software(words: list[str]) -> list[str]:
    """Return those words that the vocabulary in the archive does not hold itself."""
    folder = Path(__file__).resolve().parents[2] / "ontology"
    known = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.ttl"))
    return [word for word in words if word not in known]


def told(archive: Path, ref: Ref) -> str:
    with composition.reading(archive) as app:
        anyone = Principal("anonymous", Role.READER)
        seen = scope_of(app.ledger.store, app.base, app.mapping, anyone)
        stone = things.tombstone(seen, ref)
        return "" if stone is None else stone.reason


def lived_in(archive: Path) -> None:
    """Let reviewers and a model leave words of the record in every place that may hold them."""
    with composition.writing(archive, "test") as app:
        store, base = app.ledger.store, app.base
        rows = curating.listed(app, {}, OWNER, lambda *_: None)["records"]
        record = next(row["record"] for row in rows if row["title"] == "Causa 118")
        units = decoding.units_of_record(store, base, record)
        claims = [c for u in units for c in app.desk.claims_of_unit(u.key)]
        named = [c for c in claims if c.kind is Kind.MENTION and c.status is Status.ADMITTED]
        persons = [c for c in named if c.name == "Person"]
        edits.edit(
            app.desk, persons[0].key, Correction(quote=persons[0].pointers[0].quote[:-1]), EVA,
            with_dependents=True,
        )  # fmt: skip
        made = acts.reject(app.desk, named[-1].key, EVA, with_dependents=True)
        undoing.undo(app.desk, made.key, EVA)
        subjects = sorted({c.subject for c in persons[1:]}, key=lambda ref: ref.path)
        identities.merge(app.desk, subjects[0], subjects[1], EVA)
        enriching.enrich(app, {"extractive": True}, OWNER, lambda *_: None)
        app.work.keep_call("k", json.dumps({"text": units[0].raw.text}))
        app.changed()
        assert faults(app) == []


def test_a_record_is_nowhere_after_its_erasure(copy: Path) -> None:
    at = ("--archive", copy)
    lived_in(copy)
    record, words = own_words(copy, "Causa 118")
    words = unknown_to_the_software(words)
    assert len(words) > 40
    result("release", "create", "before", *at)
    was = holders(copy, words)
    assert all(was.values()), "each word is found as long as it is there"
    for place in ("work.sqlite", "revision", "/releases/before/store", "/files/", "/store/"):
        assert any(place in found for places in was.values() for found in places), place
    before = content(copy)
    dry = result("erase", record, "--reason", REASON, "--dry-run", *at)
    assert (dry["done"], dry["releases"]) == (False, ["before"])
    tiles = {path.stem for path in (copy / "indexes" / "tiles").glob("*/*")}
    assert tiles & set(dry["files"])
    assert content(copy) == before
    assert command("erase", record, "--reason", REASON, *at, check=False).returncode == 2
    done = result("erase", record, "--reason", REASON, "--yes", *at)
    assert done["done"]
    assert set(done["files"]) == set(dry["files"])
    assert set(done["revisions"]) >= set(dry["revisions"])
    left = {word: places for word, places in holders(copy, words).items() if places}
    assert left == {}
    tiles = {path.stem for path in (copy / "indexes" / "tiles").glob("*/*")}
    assert not tiles & set(done["files"])
    assert result("check", *at)["ok"]
    assert result("audit", "verify", *at)["ok"]
    after = content(copy)
    command("rebuild", *at)
    assert content(copy) == after
    assert told(copy, Ref("record", record)) == "erased by law"
    (kept,) = result("release", "list", *at)["releases"]
    assert kept["erased"]
    assert kept["sha256"] != ""
    titles = [row["title"] for row in result("source", "list", *at)["records"]]
    assert titles == ["Registro"]
    assert result("search", "RESULTANDO", *at)["hits"] == []
    assert result("search", "Registro", *at) is not None


def test_what_was_erased_is_not_taken_in_again(copy: Path, built: Built) -> None:
    at = ("--archive", copy)
    record, words = own_words(copy, "Registro")
    result("erase", record, "--reason", REASON, "--yes", *at)
    report = result("run", built.sources, *at)
    assert {fault["reason"] for fault in report["faults"]} == {"It was erased from this archive."}
    assert holders(copy, unknown_to_the_software(words)[:5]) is not None
    again = result("erase", record, "--reason", REASON, "--yes", *at)
    assert again["done"]
    assert result("check", *at)["ok"]


def test_one_claim_is_erased_and_the_rest_stays(copy: Path) -> None:
    at = ("--archive", copy)
    with composition.writing(copy, "test") as app:
        store, base = app.ledger.store, app.base
        claim = next(
            c
            for c in decoding.all_claims(store, base)
            if c.kind is Kind.MENTION and acts.dependents(app.desk, c)
        )
        resting = [c.key for c in acts.dependents(app.desk, claim)]
        total = sum(1 for _ in decoding.all_claims(store, base, (), None))
    done = result("erase", "--claim", claim.key, "--reason", REASON, "--yes", *at)
    assert (done["claims"], done["passages"], done["files"]) == (1, 0, [])
    checked = result("check", *at)
    assert checked["ok"]
    assert sum(checked["claims"].values()) == total - 1
    assert told(copy, Ref("claim", claim.key)) == "erased by law"
    with composition.reading(copy) as app:
        for key in resting:
            left = app.desk.claim(key)
            assert left.status is Status.QUARANTINED
            assert left.reasons[-1].code == "endWithdrawn"
            assert left.reasons[-1].sentence.endswith("“…”.")
    assert result("audit", "verify", *at)["ok"]


def test_an_erasure_that_broke_off_is_finished_by_the_next(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, words = own_words(copy, "Causa 118")
    words = unknown_to_the_software(words)
    arguments = {"record": record, "reason": REASON}

    def broken(*_: object) -> int:
        raise Broken("the power went")

    with monkeypatch.context() as patched:
        patched.setattr(erasure, "erase", broken)
        with pytest.raises(Broken):
            operations.erase(copy, arguments)
    assert any(holders(copy, words).values())
    operations.erase(copy, arguments)
    assert not any(holders(copy, words).values())
    with composition.reading(copy) as app:
        assert faults(app) == []
        assert app.ledger.journal.verify() == []
        assert list(checking._journal(app)) == []


def test_who_may_erase_and_what(copy: Path) -> None:
    nobody: dict[str, Any] = {"record": "nothing", "reason": REASON}
    with pytest.raises(Denied):
        erasing.erase(copy, nobody, EVA, lambda *_: None)
    with pytest.raises(NotFound):
        operations.erase(copy, nobody)
    for wrong in ({"reason": REASON}, {"record": "a", "claims": ["b"], "reason": REASON},
                  {"record": "a"}):  # fmt: skip
        with pytest.raises(BadInput):
            operations.erase(copy, wrong)


# ---- releases -----------------------------------------------------------------------------------


def test_a_release_stays_as_it_was_and_is_asked(copy: Path, tmp_path: Path) -> None:
    at = ("--archive", copy)
    made = result("release", "create", "2026-03", "--note", "for the exhibition", *at)
    assert made["counts"]["claims"] > 50
    for part in ("2026-03", made["sha256"], str(made["revision"])):
        assert part in made["citation"]
    assert command("release", "create", "2026-03", *at, check=False).returncode == 6
    for wrong in ("Uno", "../x", "", ".x", "x" * 41):
        assert command("release", "create", wrong, *at, check=False).returncode in (2, 3)
    count = "SELECT (COUNT(*) AS ?n) { ?c a <https://w3id.org/rdfkms/ns#Claim> }"
    listed = result("source", "list", *at)["records"]
    for row in listed:
        result("source", "withdraw", row["record"], *at)

    def counted(*more: str) -> int:
        return int(command("query", count, *more, *at).stdout.split()[1])

    assert counted() == 0
    assert counted("--release", "2026-03") == made["counts"]["claims"]
    assert command("query", count, "--release", "none", *at, check=False).returncode == 4
    second = result("release", "create", "empty", *at)
    assert second["sha256"] != made["sha256"]
    with composition.writing(copy, "test") as app:
        for row in listed:
            last = [d for d in decisions.latest(app.ledger, 50) if d.kind == "withdraw"]
            undone = next(d for d in last if Ref("record", row["record"]) in d.things)
            undoing.undo(app.desk, undone.key, EVA)
        third = releases.create(
            app.ledger, "again", EVA, _opened, lambda: app.indexes.update(app.ledger)
        )
    assert third.counts["claims"] == made["counts"]["claims"]
    # A backup takes the releases along, and a restored archive answers from them.
    command("backup", tmp_path / "b", *at)
    command("restore", tmp_path / "b", "--archive", tmp_path / "r")
    told_ = result("release", "list", "--archive", tmp_path / "r")["releases"]
    assert {r["name"]: r["sha256"] for r in told_} == {
        "2026-03": made["sha256"], "empty": second["sha256"], "again": third.sha256,
    }  # fmt: skip
    asked = command("query", count, "--release", "2026-03", "--archive", tmp_path / "r")
    assert int(asked.stdout.split()[1]) == made["counts"]["claims"]


def _opened(path: Path) -> Any:
    return open_store(path)


def test_a_release_whose_making_broke_off_is_cleared(copy: Path) -> None:
    with composition.writing(copy, "test") as app:
        with pytest.raises(Broken):
            releases.create(app.ledger, "x", EVA, _fails, lambda: None)
        assert releases.listing(app.archive) == []
        with pytest.raises(Denied):
            releases.create(
                app.ledger, "x", Principal("c", Role.CONTRIBUTOR), _opened, lambda: None
            )
        releases.create(app.ledger, "x", EVA, _opened, lambda: None)
        place = releases.folder(app.archive, "x")
        place.rename(place.with_name("x.NEW"))  # killed between two renames of an erasure
        shutil.copytree(place.with_name("x.NEW"), place.with_name("x.OLD"))
    with composition.writing(copy, "test") as app:
        assert [r.name for r in releases.listing(app.archive)] == ["x"]
        assert not place.with_name("x.OLD").exists()
        (place / "manifest.json").write_text("{", encoding="utf-8")
        with pytest.raises(Broken, match=r"manifest\.json"):
            releases.listing(app.archive)


def _fails(path: Path) -> Any:
    raise Broken("cannot open")


def test_an_archive_in_use_is_not_erased_from(copy: Path) -> None:
    with composition.writing(copy, "test"), pytest.raises(Conflict):
        operations.erase(copy, {"record": "a", "reason": REASON})
