"""A few pages of the sample as a folder to run on, and the command line as a user types it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rdfkms.app import composition

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "examples" / "first"
PAGES = (
    "court-martial/causa-118-p1.png",
    "court-martial/causa-118-p2.png",
    "register/registro-p1.md",
    "register/registro-p5.md",
)
SIDECAR = """
[[records]]
match = "causa-*"
profile = "court-martial"
title = "Causa 118"

[[records]]
match = "registro-*"
profile = "register"
title = "Registro"
"""


@dataclass(frozen=True)
class Built:
    """The files that were read, the archive made of them, and what the run reported."""

    sources: Path
    archive: Path
    report: dict[str, Any]


def folder(target: Path, extra: str = "") -> Path:
    """Copy the pages into `target`; `extra` is added to its records.toml."""
    target.mkdir(parents=True)
    for page in PAGES:
        shutil.copy(SAMPLE / page, target)
    (target / "records.toml").write_text(SIDECAR + extra, encoding="utf-8")
    return target


def command(
    *arguments: str | Path, check: bool = True, given: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run `rdfkms` in a process of its own, `given` on its standard input.

    With `check`, its exit code must be 0.
    """
    line = [sys.executable, "-m", "rdfkms", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_THREAD_LIMIT": "1"}
    done = subprocess.run(
        line, capture_output=True, text=True, env=environment, check=False, input=given
    )
    if check:
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    return done


def result(*arguments: str | Path) -> Any:
    """Return what `rdfkms ... --json` prints."""
    return json.loads(command(*arguments, "--json").stdout)


def content(archive: Path) -> tuple[set[str], set[tuple[str, str, str | None]]]:
    """Return all quads but the revision, and all candidates with verdict and claim."""
    with composition.reading(archive) as app:
        quads = {
            str(quad)
            for graph in (app.base.public, app.base.internal)
            for quad in app.ledger.store.match(None, None, None, graph)
        }
        rows = {
            (row.candidate.key, str(row.verdict.decision), row.claim)
            for row in app.work.candidates()
        }
    return quads, rows
