"""The sample archive: fictional sources that ship with the product."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rdfkms import resources
from rdfkms.app import operations
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.work import Work

TITLE = "The sample archive (all of it is fictional)"


def is_built(root: Path) -> bool:
    """Return whether the archive is there and its first run has ended."""
    if not (root / "archive.toml").is_file():
        return False
    work = Work(Archive.open(root).work_path)
    try:
        runs = work.runs()
    finally:
        work.close()
    return bool(runs) and all(run.status != "running" for run in runs)


def build(root: Path, report: Callable[[str, int, int], None]) -> dict[str, Any]:
    """Build it, or go on where an interrupted build stopped; returns the run report."""
    if not (root / "archive.toml").is_file():
        operations.create(root, title=TITLE, base="", profile="plain")
    arguments = {"paths": [str(resources.folder("examples"))]}
    return operations.perform(root, "run", arguments, report)
