"""Erasure by law: payloads of the journal go for good, the chain and every other quad stay.

First take the quads out of the store by an ordinary change; then erase the revisions that added
and that removed them. `rebuild` afterwards makes a store whose files hold nothing of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from rdfkms.access import demand
from rdfkms.errors import BadInput
from rdfkms.ledger import snapshots
from rdfkms.ledger.changes import Activity, Patch
from rdfkms.ledger.journal import ERASE, Entry, Journal
from rdfkms.ledger.ledger import Ledger
from rdfkms.ledger.work import now
from rdfkms.model import Principal, Role


def erase(ledger: Ledger, revisions: Sequence[int], principal: Principal, note: str = "") -> int:
    """Drop the patches of `revisions` together; returns the revision that says so.

    That row repeats what the rest of the journal would lose with them, so that a rebuild gives
    the same quads: what stands is repeated, what was withdrawn is not. Raises `Denied` unless the
    principal is an administrator, `NotFound` for an unknown revision.
    """
    demand(principal, Role.ADMINISTRATOR, "erase from the journal")
    doomed = sorted(set(revisions))
    if not doomed:
        raise BadInput("No revision to erase was named.")
    with ledger.frozen():
        journal = ledger.journal
        remove, add = _saved(journal, set(doomed))
        entry = Entry(
            time=now(),
            principal=principal,
            activity=Activity(ERASE, subject=" ".join(map(str, doomed)), note=note),
            removed=b"".join(remove),
            added=b"".join(add),
            removed_count=len(remove),
            added_count=len(add),
        )
        revision = ledger.append_entry(entry, Patch())
        journal.finish_erasures()
        snapshots.prune(ledger.archive, keep=0)
    return revision


def _saved(journal: Journal, doomed: set[int]) -> tuple[list[bytes], list[bytes]]:
    """Return the lines that must be removed and added again once the doomed rows are gone."""
    touched: set[bytes] = set()
    for revision in doomed:
        entry = journal.entry(revision)
        touched.update(_lines(entry.removed), _lines(entry.added))
    whole: dict[bytes, bool] = {}
    rest: dict[bytes, bool] = {}
    for entry in journal.entries():
        for lines, present in ((entry.removed, False), (entry.added, True)):
            for line in _lines(lines):
                if line in touched:
                    whole[line] = present
                    if entry.revision not in doomed:
                        rest[line] = present
    # A line in the rest may now be added twice with no removal between. Saying "removed, then
    # added" once more keeps the law on which `rebuild.fold` rests: what is never removed is
    # added once.
    remove = sorted(line for line in touched if rest.get(line))
    add = sorted(line for line in touched if whole.get(line))
    return remove, add


def _lines(block: bytes | None) -> list[bytes]:
    return (block or b"").splitlines(keepends=True)
