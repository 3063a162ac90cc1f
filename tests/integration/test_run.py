"""Runs in steps, after a rollback, and past what cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.tools.small_run import Built, command, content, result

ONE = "# Registro\n\nRosa Ferrer Quiles: treinta años, natural de Castrovil, maestra.\n"
TWO = "# Registro\n\nAndrés Vidal Soler: carpintero, natural de Montelargo, vecino de Orna.\n"
Texts = Callable[[dict[str, str]], Path]


def told(archive: Path) -> tuple[set[str], set[tuple[str, str, str | None]]]:
    """What an archive says, without the runs that said it and the folder of its record."""
    quads, rows = content(archive)
    return {quad for quad in quads if "/run/" not in quad}, rows


def test_a_record_that_comes_in_two_steps_is_like_one_that_came_at_once(
    texts: Texts, tmp_path: Path
) -> None:
    sources = texts({"registro-p1.md": ONE})
    first = result("run", sources, "--archive", tmp_path / "steps")
    texts({"registro-p2.md": TWO})
    second = result("run", sources, "--archive", tmp_path / "steps")
    assert (second["files"]["new"], second["files"]["known"]) == (1, 1)
    assert second["run"] != first["run"]
    result("run", sources, "--archive", tmp_path / "once")
    assert told(tmp_path / "steps") == told(tmp_path / "once")
    assert result("check", "--archive", tmp_path / "steps")["ok"]


def test_a_rollback_takes_back_what_was_public_and_a_new_run_does_not_bring_it_back(
    built: Built, copy: Path
) -> None:
    run = built.report["run"]
    before = content(copy)
    plan = result("rollback", "--run", run, "--dry-run", "--archive", copy)
    assert plan["claims"] >= built.report["verdicts"]["admitted"] / 2
    assert content(copy) == before
    assert result("rollback", "--run", run, "--archive", copy)["done"]
    names = "SELECT ?s { ?s a <https://www.ica.org/standards/RiC/ontology#Person> }"
    assert command("query", names, "--archive", copy).stdout.split() == ["s"]
    again = result("run", built.sources, "--archive", copy)
    assert again["files"]["new"] == 0
    found = result("check", "--archive", copy)
    assert found["ok"]
    assert found["claims"]["admitted"] == 0


def test_bad_files_are_named_and_the_rest_is_read(texts: Texts, tmp_path: Path) -> None:
    sources = texts({"registro-p1.md": ONE, "empty.md": "", "notes.xyz": "?"})
    png = (Path(__file__).parents[2] / "examples/first/court-martial/causa-118-p1.png").read_bytes()
    (sources / "broken-p1.png").write_bytes(png[: len(png) // 3])
    (sources / "wrong.pdf").write_bytes(b"\x00\x01 no pdf")
    report = result("run", sources, "--archive", tmp_path / "A")
    named = {Path(fault["source"]).name for fault in report["faults"]}
    assert named == {"broken-p1.png", "empty.md", "notes.xyz", "wrong.pdf"}
    assert all(fault["reason"] for fault in report["faults"])
    assert report["files"]["failed"] == 4
    assert report["verdicts"]["admitted"] > 3
    assert result("check", "--archive", tmp_path / "A")["ok"]
