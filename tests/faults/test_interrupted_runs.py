"""kill -9 at any moment of a run: the next run ends as if nothing had happened."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rdfkms.app import composition
from tests.tools.small_run import ROOT, command, content, folder, result


def interrupted(sources: Path, archive: Path, seconds: float) -> bool:
    """Start a run and kill it, with all it started, after some seconds; False if it had ended."""
    line = [sys.executable, "-m", "rdfkms", "run", str(sources), "--archive", str(archive)]
    line += ["--jobs", "2"]  # so that the reading processes are orphaned too
    process = subprocess.Popen(
        line,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_THREAD_LIMIT": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        return True
    return False


def kill_and_compare(tmp_path: Path, times: int, seed: int) -> None:
    sources = folder(tmp_path / "sources")
    started = time.perf_counter()
    command("run", sources, "--archive", tmp_path / "whole")
    spent = time.perf_counter() - started
    chance = random.Random(seed)
    archive, killed, fresh = tmp_path / "killed-0", 0, 0
    while killed < times:
        hit = interrupted(sources, archive, chance.uniform(0.3, spent))
        killed += hit
        if hit and (archive / "archive.toml").exists() and chance.random() < 0.2:
            assert result("audit", "verify", "--archive", archive)["ok"]
        # Begin anew where a run got through, and now and then, so that its start is hit too.
        if killed < times and (not hit or chance.random() < 0.2):
            fresh += 1
            archive = tmp_path / f"killed-{fresh}"
    time.sleep(0.5)  # the killed run's children end with their parent
    command("run", sources, "--archive", archive)
    assert result("check", "--archive", archive)["ok"]
    assert result("audit", "verify", "--archive", archive)["ok"]
    assert content(archive) == content(tmp_path / "whole")


def test_a_run_killed_three_times_ends_like_an_undisturbed_one(tmp_path: Path) -> None:
    kill_and_compare(tmp_path, 3, seed=7)


@pytest.mark.slow
def test_a_run_killed_twenty_times_ends_like_an_undisturbed_one(tmp_path: Path) -> None:
    kill_and_compare(tmp_path, 20, seed=11)


def test_one_and_two_processes_give_the_same_archive(tmp_path: Path) -> None:
    sources = folder(tmp_path / "sources")
    for jobs in ("1", "2"):
        command("run", sources, "--archive", tmp_path / jobs, "--jobs", jobs)
    assert content(tmp_path / "1") == content(tmp_path / "2")


def test_a_second_writer_is_told_who_holds_the_archive(tmp_path: Path) -> None:
    command("init", "--archive", tmp_path / "A")
    with composition.writing(tmp_path / "A", "serve-like work"):
        second = command("token", "add", "x", "--archive", tmp_path / "A", check=False)
    assert second.returncode == 6
    assert "serve-like work" in second.stderr
