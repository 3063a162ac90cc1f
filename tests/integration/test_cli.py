"""Every command of the line, by its exit code and what it prints."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from rdfkms.app import composition
from rdfkms.cli import COMMANDS
from rdfkms.ledger.changes import Activity, Change
from rdfkms.vocab import KMS
from tests.tools.small_run import SAMPLE, Built, command, content, result

ROWS = "SELECT ?s { ?s a <https://w3id.org/rdfkms/ns#Claim> } ORDER BY ?s LIMIT 2"
GRAPH = "CONSTRUCT { ?s a ?c } WHERE { ?s a ?c } LIMIT 3"
REGISTER = "# Registro\n\nRosa Ferrer Quiles: treinta años, natural de Castrovil, maestra.\n"
Texts = Callable[[dict[str, str]], Path]


def admitted(archive: Path) -> set[str | None]:
    return {claim for _, verdict, claim in content(archive)[1] if verdict == "admitted"}


def test_reading_and_extracting_apart_admit_what_a_run_admits(texts: Texts, tmp_path: Path) -> None:
    sources = texts({"registro-p1.md": REGISTER})
    read = result("ingest", sources, "--archive", tmp_path / "A")
    assert (read["candidates"], read["files"]["new"]) == (0, 1)
    assert read["units"] > 0
    extracted = result("extract", "--archive", tmp_path / "A")
    assert extracted["candidates"] == sum(extracted["verdicts"].values()) > 4
    result("run", sources, "--archive", tmp_path / "B")
    assert admitted(tmp_path / "A") == admitted(tmp_path / "B") != set()
    again = result("extract", "--archive", tmp_path / "A")
    assert again["revision"] == extracted["revision"]
    assert result("check", "--archive", tmp_path / "A")["ok"]


def test_extracting_of_worn_pages_admits_what_a_run_admits(tmp_path: Path) -> None:
    worn = tmp_path / "worn"
    worn.mkdir()
    shutil.copy(SAMPLE / "annals" / "cangguo-ji-p1.png", worn)
    (worn / "records.toml").write_text(
        '[[records]]\nmatch = "*"\nprofile = "annals"\n', encoding="utf-8"
    )
    told = result("run", worn, "--archive", tmp_path / "A")
    assert told["reasons"]["doubtfulReading"]
    result("ingest", worn, "--archive", tmp_path / "B")
    assert result("extract", "--archive", tmp_path / "B")["verdicts"] == told["verdicts"]
    assert admitted(tmp_path / "A") == admitted(tmp_path / "B") != set()


def test_a_damaged_reading_of_one_page_does_not_stop_the_extraction(
    texts: Texts, tmp_path: Path
) -> None:
    sources = texts({"registro-p1.md": REGISTER, "otro-p1.md": REGISTER.replace("Rosa", "Ana")})
    result("ingest", sources, "--archive", tmp_path / "A")
    with composition.reading(tmp_path / "A") as app:
        held = list(app.ledger.store.match(None, KMS("layoutFile"), None, None))
        kept = sorted({str(getattr(quad.object, "value", "")) for quad in held})
        app.archive.path_of(kept[0]).write_bytes(b"not what was kept")
    done = command("extract", "--json", "--archive", tmp_path / "A", check=False)
    told = json.loads(done.stdout)
    (fault,) = told["faults"]
    assert "page" in fault["place"]
    assert fault["hint"]
    assert admitted(tmp_path / "A") != set()


def test_queries_answer_in_the_format_asked_for(built: Built, tmp_path: Path) -> None:
    at = ("--archive", built.archive)
    assert command("query", ROWS, *at).stdout.startswith("s\nhttp")
    rows = json.loads(command("query", ROWS, "--format", "json", *at).stdout)
    assert len(rows["results"]["bindings"]) == 2
    assert command("query", GRAPH, *at).stdout.strip().endswith(".")
    assert "<rdf:RDF" in command("query", GRAPH, "--format", "rdf", *at).stdout


def test_queries_come_from_a_file_and_from_standard_input(built: Built, tmp_path: Path) -> None:
    file = tmp_path / "rows.rq"
    file.write_text(ROWS, encoding="utf-8")
    from_file = command("query", "--file", file, "--archive", built.archive).stdout
    assert from_file == command("query", "--archive", built.archive, given=ROWS).stdout
    assert from_file.count("/claim/") == 2
    empty = command("query", "--archive", built.archive, check=False)
    assert empty.returncode == 3
    assert "There is no query" in empty.stderr


def test_errors_are_json_where_json_was_asked_for(built: Built) -> None:
    bad = command("query", "SELECT", "--json", "--archive", built.archive, check=False)
    told = json.loads(bad.stdout)
    assert (bad.returncode, told["ok"], told["exit_code"]) == (3, False, 3)
    assert told["error"]


def test_a_planted_fault_ends_check_with_one(copy: Path) -> None:
    with composition.writing(copy, "test") as app:
        quad = next(iter(app.ledger.store.match(None, KMS("quote"), None, app.base.public)))
        change = Change(Activity("decision"), remove=(quad,))
        app.ledger.commit(change, composition.OWNER)
    found = command("check", "--json", "--archive", copy, check=False)
    told = json.loads(found.stdout)
    assert found.returncode == 1
    assert told["ok"] is False
    assert any("claim" in fault["source"] for fault in told["faults"])


def test_a_changed_words_file_is_found(copy: Path) -> None:
    with composition.reading(copy) as app:
        quad = next(iter(app.ledger.store.match(None, KMS("layoutFile"), None, app.base.public)))
        file = app.archive.path_of(getattr(quad.object, "value", ""))
    file.chmod(0o644)
    file.write_bytes(file.read_bytes()[:-9] + b"tampered!")
    found = command("check", "--json", "--archive", copy, check=False)
    assert found.returncode == 1
    assert json.loads(found.stdout)["pointers"]["resolved"] < built_total(found.stdout)


def built_total(told: str) -> int:
    return int(json.loads(told)["pointers"]["total"])


def test_an_embargo_needs_its_last_day(texts: Texts, tmp_path: Path) -> None:
    sources = texts({"registro-p1.md": REGISTER})
    line = ("run", sources, "--archive", tmp_path / "A", "--access", "embargo")
    assert command(*line, check=False).returncode == 3
    assert command(*line[:-1], "closed", "--until", "2999-01-01", check=False).returncode == 3


@pytest.mark.parametrize("day", ["2001-01-01", "2999-01-01"])
def test_an_embargo_that_has_ended_is_none(texts: Texts, tmp_path: Path, day: str) -> None:
    sources, archive = texts({"registro-p1.md": REGISTER}), tmp_path / "A"
    result("ingest", sources, "--archive", archive, "--access", "embargo", "--until", day)
    found = result("search", "Rosa Ferrer Quiles", "--archive", archive)
    assert bool(found["hits"]) is (day == "2001-01-01")
    assert result("check", "--archive", archive)["ok"]


def test_a_taken_port_is_said(built: Built) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = command("serve", "--port", port, "--archive", built.archive, check=False)
    assert done.returncode == 9
    assert f"Port {port}" in done.stderr
    assert "--port" in done.stderr


def test_doctor_says_what_is_there_and_what_is_missing() -> None:
    done = command("doctor", "--json", check=False)
    told = json.loads(done.stdout)
    assert told["ok"] is (done.returncode == 0)
    found = {finding["name"]: finding for finding in told["findings"]}
    assert found["pyoxigraph"]["found"]
    assert all(f["remedy"] for f in found.values() if not f["found"])


def test_models_are_listed_with_their_licences() -> None:
    rows = result("models", "list")
    assert rows
    assert all(row["package"] and row["licence"] and row["serves"] for row in rows)


@pytest.mark.parametrize(
    "line",
    [*COMMANDS, "audit log", "audit verify", "token add", "token list", "token revoke",
     "models list", "models install"],
)  # fmt: skip
def test_every_command_explains_itself(line: str) -> None:
    told = command(*line.split(), "--help").stdout
    assert told.startswith("Usage:")
    assert len(told.splitlines()) > 3


def test_the_log_names_each_revision(built: Built) -> None:
    rows = result("audit", "log", "--limit", "100", "--archive", built.archive)
    assert [row["revision"] for row in rows] == list(range(1, built.report["revision"] + 1))
    assert {row["kind"] for row in rows} == {"init", "ingest"}
    assert {row["run"] for row in rows if row["kind"] == "ingest"} == {built.report["run"]}


def test_nobody_else_can_use_a_revoked_token(tmp_path: Path) -> None:
    archive = tmp_path / "A"
    command("init", "--archive", archive)
    assert command("token", "revoke", "nobody", "--archive", archive, check=False).returncode == 4
    command("token", "add", "ana", "--archive", archive)
    assert command("token", "add", "ana", "--archive", archive, check=False).returncode == 6
