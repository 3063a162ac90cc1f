"""Reads the journal of an archive (`rdfkms audit`); takes no lock and changes nothing."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from rdfkms.ledger.archive import Archive
from rdfkms.ledger.journal import Journal


def log(root: Path, limit: int) -> list[dict[str, Any]]:
    """Return the newest revisions, the newest last."""
    archive = Archive.open(root)
    journal = Journal(archive.journal_path)
    try:
        first = max(journal.last() - max(limit, 0), 0)
        return [
            {
                "revision": entry.revision,
                "time": entry.time,
                "principal": entry.principal.id,
                "role": str(entry.principal.role),
                "kind": entry.activity.kind,
                "subject": entry.activity.subject,
                "run": entry.activity.run,
                "batch": entry.activity.batch,
                "added": entry.added_count,
                "removed": entry.removed_count,
                "erased": entry.erased,
            }
            for entry in journal.entries(after=first, payload=False)
        ]
    finally:
        journal.close()


def verify(root: Path) -> dict[str, Any]:
    """Return whether the hash chain holds, how many revisions it has, and the faults."""
    archive = Archive.open(root)
    journal = Journal(archive.journal_path)
    try:
        faults = [asdict(fault) for fault in journal.verify()]
        return {"ok": not faults, "revisions": journal.last(), "faults": faults}
    finally:
        journal.close()
