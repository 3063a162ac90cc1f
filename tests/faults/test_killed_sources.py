"""kill -9 while a source is withdrawn or erased: all of it is there afterwards, or nothing."""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

import pytest

from tests.faults.test_kill import started, writes
from tests.tools.small_run import command, content, folder, result

PATIENCE = 60.0


def killed(archive: Path, chance: random.Random, *line: str) -> bool:
    """Kill a command at one of its writes; False if it had ended."""
    with started(*line, "--archive", archive) as process:
        left, seen = chance.randint(1, 4), writes(archive)
        ends = time.monotonic() + PATIENCE
        while left and process.poll() is None and time.monotonic() < ends:
            now = writes(archive)
            left -= now != seen
            seen = now
        time.sleep(chance.choice((0, 0.001, 0.005, 0.02)))
        return process.poll() is None


@pytest.mark.slow
def test_a_killed_withdrawal_or_erasure_is_whole_after_the_next(tmp_path: Path) -> None:
    command("run", folder(tmp_path / "sources"), "--archive", tmp_path / "A")
    rows = result("source", "list", "--archive", tmp_path / "A")["records"]
    record = next(row["record"] for row in rows if row["title"] == "Registro")
    whole = Path(shutil.copytree(tmp_path / "A", tmp_path / "whole"))
    before = content(whole)[0]
    result("source", "withdraw", record, "--archive", whole)
    after = content(whole)[0]
    chance, hits = random.Random(11), 0
    for number in range(10):
        archive = Path(shutil.copytree(tmp_path / "A", tmp_path / f"k{number}"))
        hits += killed(archive, chance, "source", "withdraw", record)
        assert result("check", "--archive", archive)["ok"]
        assert len(content(archive)[0]) in (len(before), len(after))
        law = ("erase", record, "--reason", "law", "--yes")
        hits += killed(archive, chance, *law)
        result(*law, "--archive", archive)
        assert result("check", "--archive", archive)["ok"]
        assert result("audit", "verify", "--archive", archive)["ok"]
        shutil.rmtree(archive)
        if hits >= 6:
            break
    assert hits >= 3
