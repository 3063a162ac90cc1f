"""The command line as a user types it, on a few pages of the sample."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from tests.tools.small_run import Built, command, folder, result


def test_a_run_reports_what_it_did(built: Built) -> None:
    report = built.report
    assert report["files"] == {"new": 4, "known": 0, "ignored": 0, "failed": 0}
    assert report["candidates"] == sum(report["verdicts"].values()) > 50
    assert report["verdicts"]["pending"] == 0
    assert report["seconds"]["ocr engine"] > 0


def test_the_same_files_again_change_nothing(built: Built) -> None:
    sources, archive, report = built.sources, built.archive, built.report
    again = result("run", sources, "--archive", archive)
    assert again["files"]["new"] == 0
    assert again["files"]["known"] == 4
    assert again["revision"] == report["revision"]


def test_check_gives_the_agreed_shape(built: Built) -> None:
    found = result("check", "--archive", built.archive)
    assert found["ok"] is True
    assert found["faults"] == []
    assert found["pointers"]["total"] == found["pointers"]["resolved"] > 50
    assert set(found["claims"]) == {
        "admitted", "quarantined", "rejected", "superseded", "withdrawn"
    }  # fmt: skip
    assert sum(found["verdicts"].values()) == found["candidates"]


def test_queries_search_and_questions_are_answered(built: Built) -> None:
    archive = built.archive
    rows = command("query", "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", "--archive", archive).stdout
    assert int(rows.split()[1]) > 1000
    found = result("search", "Andrés Vidal", "--archive", archive)
    assert found["entities"][0]["label"] == "Andrés Vidal Soler"
    answer = result("ask", "¿Dónde nació Andrés Vidal Soler?", "--archive", archive)
    assert any("Montelargo" in s["sentence"] for s in answer["statements"])
    unknown = command("ask", "¿Dónde nació Perico Palotes?", "--archive", archive, check=False)
    assert unknown.returncode == 4


def test_a_bad_query_is_one_sentence(built: Built) -> None:
    bad = command("query", "SELECT nonsense", "--archive", built.archive, check=False)
    assert bad.returncode == 3
    assert "Traceback" not in bad.stderr
    refused = command("query", "DROP ALL", "--archive", built.archive, check=False)
    assert refused.returncode == 5


def test_an_instruction_in_a_document_changes_nothing(built: Built) -> None:
    text = "SELECT ?v { ?e <https://w3id.org/rdfkms/ns#verdict> ?v }"
    rows = command("query", text, "--archive", built.archive).stdout.lower()
    assert "acquit" not in rows
    assert "absuel" not in rows


def test_rollback_of_a_run_leaves_a_clean_archive(tmp_path: Path) -> None:
    sources = folder(tmp_path / "sources")
    for page in sources.glob("*.png"):
        page.unlink()
    archive = tmp_path / "A"
    report = result("run", sources, "--archive", archive)
    plan = result("rollback", "--run", report["run"], "--dry-run", "--archive", archive)
    assert plan["claims"] > 5
    assert not plan["done"]
    done = result("rollback", "--run", report["run"], "--archive", archive)
    assert done["done"]
    found = result("check", "--archive", archive)
    assert found["ok"]
    assert found["claims"]["admitted"] == 0
    assert found["claims"]["withdrawn"] == plan["claims"]


def test_backup_restore_and_rebuild_keep_everything(built: Built, tmp_path: Path) -> None:
    archive = built.archive
    command("backup", tmp_path / "B", "--archive", archive)
    command("restore", tmp_path / "B", "--archive", tmp_path / "R")
    command("rebuild", "--archive", tmp_path / "R")
    before, after = (result("check", "--archive", a) for a in (archive, tmp_path / "R"))
    assert before == after


def test_a_tampered_journal_is_found(built: Built, tmp_path: Path) -> None:
    command("backup", tmp_path / "B", "--archive", built.archive)
    command("restore", tmp_path / "B", "--archive", tmp_path / "R")
    assert result("audit", "verify", "--archive", tmp_path / "R")["ok"]
    with sqlite3.connect(tmp_path / "R" / "journal.sqlite") as db:
        (table,) = (
            row[0]
            for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if "principal" in {c[1] for c in db.execute(f"PRAGMA table_info({row[0]})")}
        )
        db.execute(f"UPDATE {table} SET principal = 'mallory' WHERE rowid = 2")
    db.close()
    assert command("audit", "verify", "--archive", tmp_path / "R", check=False).returncode == 1


def test_errors_say_what_to_do(tmp_path: Path) -> None:
    absent = command("check", "--archive", tmp_path / "nothing", check=False)
    assert absent.returncode == 4
    assert "rdfkms init" in absent.stderr
    command("init", "--archive", tmp_path / "A")
    twice = command("init", "--archive", tmp_path / "A", check=False)
    assert twice.returncode == 6
    wrong = command("init", "--archive", tmp_path / "B", "--profile", "none", check=False)
    assert wrong.returncode == 2
    assert "Known profiles" in wrong.stderr


def test_tokens_are_shown_once_and_can_be_revoked(tmp_path: Path) -> None:
    archive = tmp_path / "A"
    command("init", "--archive", archive)
    made = result("token", "add", "ana", "--role", "reviewer", "--archive", archive)
    assert made["secret"].startswith("rdfkms_")
    listed = result("token", "list", "--archive", archive)["tokens"]
    assert [t["id"] for t in listed] == ["ana"]
    assert made["secret"] not in str(listed)
    ended = result("token", "revoke", "ana", "--archive", archive)["tokens"]
    assert ended[0]["revoked"]


def test_help_is_quick_and_names_every_command() -> None:
    spent = []
    for _ in range(3):
        started = time.perf_counter()
        text = command("--help").stdout
        spent.append(time.perf_counter() - started)
    assert min(spent) < 0.4
    for name in ("init", "run", "serve", "rollback", "doctor", "demo"):
        assert name in text
        assert command(name, "--help").stdout.startswith("Usage:")
