"""kill -9 while an archive is being written, and other processes that look at it meanwhile."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rdfkms.app import building, composition
from rdfkms.ledger.archive import Archive
from rdfkms.settings import Settings
from tests.tools.small_run import ROOT, command, content, folder, result

PAGES = 12
PATIENCE = 60.0


def pages(target: Path) -> Path:
    """Write small texts, each a record of its own, so that a run has many commits."""
    target.mkdir()
    for number in range(PAGES):
        text = f"# Legajo {number}\n\nTexto del legajo {number}, de Montelargo a Castrovil.\n"
        (target / f"legajo{number}.md").write_text(text, encoding="utf-8")
    return target


@contextmanager
def started(*line: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start `rdfkms ...`; it is killed with all it started when the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rdfkms", *map(str, line)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_THREAD_LIMIT": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def writes(archive: Path) -> tuple[int, ...]:
    """Return what changes with each write to the archive."""
    logs = ("journal.sqlite-wal", "work.sqlite-wal")
    return tuple((archive / n).stat().st_mtime_ns if (archive / n).exists() else 0 for n in logs)


def holds(archive: Path, pid: int) -> bool:
    """Whether the process has the archive's lock."""
    try:
        told: dict[str, object] = json.loads((archive / "lock.json").read_text())
    except (OSError, ValueError):
        return False
    return told["pid"] == pid


def killed_at_a_write(sources: Path, archive: Path, chance: random.Random) -> bool:
    """Kill a run at one of its writes, or some milliseconds later; False if it had ended."""
    with started("ingest", sources, "--archive", archive) as process:
        left, seen = chance.randint(1, 8), writes(archive)
        ends = time.monotonic() + PATIENCE
        while left and process.poll() is None and time.monotonic() < ends:
            now = writes(archive)
            left -= now != seen
            seen = now
        time.sleep(chance.choice((0, 0, 0.002, 0.01, 0.05)))
        return process.poll() is None


def kill_and_compare(root: Path, times: int, seed: int) -> None:
    sources, archive = pages(root / "sources"), root / "killed"
    command("ingest", sources, "--archive", root / "whole")
    chance, killed = random.Random(seed), 0
    for _ in range(4 * times):
        killed += killed_at_a_write(sources, archive, chance)
        if killed >= times:
            break
        if chance.random() < 0.25:  # begin anew, so that the first commits are hit again
            archive = root / f"killed-{killed}"
    assert killed >= times
    command("ingest", sources, "--archive", archive)
    assert result("check", "--archive", archive)["ok"]
    assert result("audit", "verify", "--archive", archive)["ok"]
    assert content(archive) == content(root / "whole")


def test_a_run_killed_at_its_writes_ends_like_an_undisturbed_one(tmp_path: Path) -> None:
    kill_and_compare(tmp_path, 4, seed=3)


@pytest.mark.slow
def test_a_run_killed_at_twenty_writes_ends_like_an_undisturbed_one(tmp_path: Path) -> None:
    kill_and_compare(tmp_path, 20, seed=5)


def test_others_read_while_one_writes_and_are_told_who_it_is(tmp_path: Path) -> None:
    archive = tmp_path / "A"
    command("ingest", pages(tmp_path / "before"), "--archive", archive)
    sources = folder(tmp_path / "sources")
    with started("run", sources, "--archive", archive) as process:
        ends = time.monotonic() + PATIENCE
        while not holds(archive, process.pid) and time.monotonic() < ends:
            time.sleep(0.02)
        process.send_signal(signal.SIGSTOP)  # or a quick run ends before all have asked
        at = ("--archive", archive)
        second = command("ingest", sources, *at, check=False)
        rows = command("query", "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", *at).stdout
        found = result("search", "Montelargo", *at)
        log = result("audit", "log", *at)
        checked = command("check", "--json", *at, check=False)
        process.send_signal(signal.SIGCONT)
    assert second.returncode == 6
    assert "`rdfkms run`" in second.stderr
    assert f"process {process.pid}" in second.stderr
    assert int(rows.split()[1]) > 100
    assert found["hits"]
    assert len(log) > PAGES
    assert json.loads(checked.stdout)["faults"] == []


def test_check_of_a_snapshot_does_not_miss_what_was_written_since(tmp_path: Path) -> None:
    archive, sources = tmp_path / "A", folder(tmp_path / "sources")
    for page in sources.glob("*.png"):
        page.unlink()
    command("init", "--archive", archive)
    with composition.writing(archive, "test") as app:
        arguments = {"paths": [str(sources)], "jobs": 1}
        building.run(app, arguments, composition.OWNER, lambda stage, done, total: None)
        checked = command("check", "--json", "--archive", archive, check=False)
    told = json.loads(checked.stdout)
    assert told["faults"] == []
    assert told["candidates"] > 10


def test_an_archive_whose_making_was_broken_off_gets_its_vocabulary(tmp_path: Path) -> None:
    Archive.create(tmp_path / "A", Settings())
    kinds = "SELECT (COUNT(*) AS ?n) { ?s a <http://www.w3.org/2004/02/skos/core#Concept> }"
    assert int(command("query", kinds, "--archive", tmp_path / "A").stdout.split()[1]) > 50
    assert result("check", "--archive", tmp_path / "A")["ok"]
