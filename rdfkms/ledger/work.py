"""work.sqlite: candidates with their first verdicts, runs, batches, merge proposals, faults.

The crash rule of a batch: `prepare` -> ``ledger.commit(activity.batch=batch)`` -> `settle`. After a
crash `recover` settles the prepared batches that the journal has and drops the others, which are
done again.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rdfkms.errors import Broken, NotFound
from rdfkms.ledger.disk import guard
from rdfkms.ledger.journal import Journal, copy_database
from rdfkms.ledger.rows import (
    SCHEMA,
    CandidateRow,
    MergeRow,
    RunRow,
    dump,
    dump_reasons,
    load_candidate,
    load_reasons,
    load_ref,
    load_run,
    load_verdict,
)
from rdfkms.model import Decision, Fault, MergeProposal, Principal, Ref, Run

__all__ = ["CandidateRow", "MergeRow", "RunRow", "Work", "now", "recover"]

PREPARED, DONE = "prepared", "done"
_FORMAT = 3  # 2: the review queue, opinions; 3: accounts of calls, accounts of model calls
_PAGE = 500
_FILTERS = ("key", "run", "batch", "unit", "kind", "name", "decision", "stage", "claim")


def now(to: str = "seconds") -> str:
    """Return the time as ISO 8601 in UTC, to the second or finer (`to`: "milliseconds")."""
    return datetime.now(UTC).isoformat(timespec=to)


class Work:
    """The rows of one archive. Safe to share by threads; every write is durable on return."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        with guard(path, "opening the rows of work"):
            self._db = sqlite3.connect(
                path, isolation_level=None, check_same_thread=False, timeout=30
            )
            try:
                self._set_up()
            except BaseException:
                self._db.close()
                raise

    def _set_up(self) -> None:
        version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        if version > _FORMAT:
            raise Broken(
                f"{self.path} was written by a newer rdfkms (format {version}).",
                hint="Install that version or a later one.",
            )
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        if version < _FORMAT:
            self._db.executescript(SCHEMA)
            self._db.execute(f"PRAGMA user_version = {_FORMAT}")

    # ---- rows and transactions ---------------------------------------------------------------

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a SELECT."""
        with self._lock, guard(self.path, "reading the rows of work"):
            return self._db.execute(sql, values).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write all of the block or nothing; raises `Broken` when the disk fails."""
        with self._lock, guard(self.path, "writing the rows of work"):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    # ---- runs --------------------------------------------------------------------------------

    def begin_run(self, run: Run) -> None:
        """Open a run, or open it again where it is resumed."""
        with self.transaction() as db:
            db.execute(
                "INSERT INTO run VALUES (?, ?, 'running', '', '') "
                "ON CONFLICT(key) DO UPDATE SET status = 'running', ended = ''",
                (run.key, dump(run)),
            )

    def end_run(self, key: str, status: str, report_json: str) -> None:
        """Close a run with a status ("done", "failed", "stopped") and its report."""
        with self.transaction() as db:
            done = db.execute(
                "UPDATE run SET status = ?, ended = ?, report = ? WHERE key = ?",
                (status, now(), report_json, key),
            )
            if done.rowcount == 0:
                raise NotFound(f"No run {key} was begun.")

    def run(self, key: str) -> RunRow | None:
        """Return a run, or None."""
        return next(self._runs("WHERE key = ?", (key,)), None)

    def runs(self) -> list[RunRow]:
        """Return all runs in the order in which they were begun."""
        return list(self._runs("ORDER BY rowid", ()))

    def _runs(self, tail: str, values: Sequence[object]) -> Iterator[RunRow]:
        for data, status, ended, report in self.rows(
            f"SELECT data, status, ended, report FROM run {tail}", values
        ):
            yield RunRow(load_run(data), status, ended, report)

    # ---- batches -----------------------------------------------------------------------------

    def prepare(
        self,
        batch: str,
        run: str,
        rows: Sequence[CandidateRow],
        merges: Sequence[MergeProposal],
        faults: Sequence[Fault],
    ) -> None:
        """Write what a batch found, as state "prepared", in place of its earlier rows.

        A candidate that a settled batch has judged keeps that first verdict (law 5).
        """
        with self.transaction() as db:
            _clear(db, batch)
            db.execute("INSERT INTO batch VALUES (?, ?, ?)", (batch, run, PREPARED))
            db.executemany(
                "INSERT INTO candidate VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT(key) DO UPDATE SET run = excluded.run, batch = excluded.batch, "
                "decision = excluded.decision, stage = excluded.stage, label = excluded.label, "
                "reasons = excluded.reasons, claim = excluded.claim, data = excluded.data "
                "WHERE (SELECT state FROM batch WHERE key = candidate.batch) IS NOT 'done'",
                [_columns(row) for row in rows],
            )
            db.executemany(
                "INSERT INTO merge VALUES (?, ?, ?, ?, ?, 'open', '', '') "
                "ON CONFLICT(a, b) DO UPDATE SET score = excluded.score, "
                "reasons = excluded.reasons "
                "WHERE state = 'open' AND excluded.score > merge.score",
                [(m.a.path, m.b.path, m.score, dump_reasons(m.reasons), batch) for m in merges],
            )
            _add_faults(db, run, batch, faults)

    def settle(self, batch: str) -> None:
        """Mark a batch as done: its change is in the journal, or came to nothing."""
        with self.transaction() as db:
            done = db.execute("UPDATE batch SET state = ? WHERE key = ?", (DONE, batch))
            if done.rowcount == 0:
                raise NotFound(f"No batch {batch} was prepared.")

    def drop(self, batch: str) -> None:
        """Forget a batch and what it found, so that it is done again."""
        with self.transaction() as db:
            _clear(db, batch)

    def batches(self, run: str = "") -> dict[str, str]:
        """Return the state ("prepared", "done") by key of the batches of a run, or of all."""
        sql = "SELECT key, state FROM batch WHERE ? IN ('', run) ORDER BY rowid"
        return dict(self.rows(sql, (run,)))

    # ---- candidates --------------------------------------------------------------------------

    def candidates(self, *, reason: str = "", **where: str) -> Iterator[CandidateRow]:
        """Yield candidates in the order in which they were written.

        `where`: key, run, batch, unit, kind, name, decision, stage, claim; `reason` is a code.
        """
        unknown = set(where) - set(_FILTERS)
        if unknown:
            raise TypeError(f"candidates() has no filter {sorted(unknown)[0]!r}")
        tests = [f"{name} = ?" for name in where]
        values: list[object] = [str(value) for value in where.values()]
        if reason:
            tests.append("EXISTS (SELECT 1 FROM json_each(reasons) r WHERE r.value ->> 0 = ?)")
            values.append(reason)
        last = 0
        while True:
            page = self.rows(
                "SELECT rowid, data, decision, stage, label, reasons, claim, run, batch "
                f"FROM candidate WHERE {' AND '.join(['rowid > ?', *tests])} "
                f"ORDER BY rowid LIMIT {_PAGE}",
                (last, *values),
            )
            if not page:
                return
            for _, data, decision, stage, label, reasons, claim, run, batch in page:
                verdict = load_verdict(decision, stage, label, reasons)
                yield CandidateRow(load_candidate(data), verdict, claim, run, batch)
            last = page[-1][0]

    def counts(self) -> dict[str, Any]:
        """Return {"candidates", "verdicts": {decision: n}, "by_reason": {code: n}}.

        The verdicts always add up to the candidates; a candidate counts once for each reason.
        """
        with self._lock:
            told = dict(self.rows("SELECT decision, count(*) FROM candidate GROUP BY decision"))
            by_reason = self.rows(
                "SELECT r.value ->> 0, count(DISTINCT c.key) FROM candidate c, "
                "json_each(c.reasons) r GROUP BY 1 ORDER BY 2 DESC, 1"
            )
        return {
            "candidates": sum(told.values()),
            "verdicts": {str(d): told.get(str(d), 0) for d in Decision},
            "by_reason": dict(by_reason),
        }

    # ---- merge proposals ---------------------------------------------------------------------

    def merges(self, state: str = "open") -> list[MergeRow]:
        """Return the merge proposals in a state ("" for all), the most alike first."""
        found = self.rows(
            "SELECT a, b, score, reasons, batch, state, principal, decided FROM merge "
            "WHERE ? IN ('', state) ORDER BY score DESC, a, b",
            (state,),
        )
        return [_merge_row(row) for row in found]

    def merge(self, a: str, b: str) -> MergeRow | None:
        """Return the proposal to merge two things (paths, in either order), None for none."""
        found = self.rows(
            "SELECT a, b, score, reasons, batch, state, principal, decided FROM merge "
            "WHERE (a = ? AND b = ?) OR (a = ? AND b = ?)",
            (a, b, b, a),
        )
        return _merge_row(found[0]) if found else None

    def close_merge(self, a: Ref, b: Ref, state: str, principal: Principal) -> None:
        """Note the decision on a merge where it was proposed; a person may decide unasked."""
        with self.transaction() as db:
            db.execute(
                "UPDATE merge SET state = ?, principal = ?, decided = ? "
                "WHERE (a = ? AND b = ?) OR (a = ? AND b = ?)",
                (state, principal.id, now(), a.path, b.path, b.path, a.path),
            )

    # ---- faults and calls --------------------------------------------------------------------

    def add_faults(self, run: str, faults: Iterable[Fault]) -> None:
        """Note faults of a run that belong to no batch (files that were skipped)."""
        with self.transaction() as db:
            _add_faults(db, run, "", faults)

    def faults(self, run: str = "") -> list[Fault]:
        """Return the faults of a run, or of all."""
        sql = "SELECT source, place, reason, hint FROM fault WHERE ? IN ('', run) ORDER BY rowid"
        return [Fault(*row) for row in self.rows(sql, (run,))]

    def call(self, key: str) -> str | None:
        """Return the kept response (JSON) of a model call, or None (law 10)."""
        found = self.rows("SELECT response FROM call WHERE key = ?", (key,))
        return str(found[0][0]) if found else None

    def keep_call(self, key: str, response_json: str) -> None:
        """Keep the response of a model call; the first one stays."""
        with self.transaction() as db:
            db.execute("INSERT OR IGNORE INTO call VALUES (?, ?)", (key, response_json))

    def scrub(self) -> None:
        """Write the file anew, so that nothing of rows that were deleted is left in it."""
        with self._lock, guard(self.path, "writing the rows of work anew"):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # ---- the file ----------------------------------------------------------------------------

    def copy_to(self, target: Path) -> None:
        """Write a consistent copy to a new file."""
        copy_database(self._db, self._lock, target)

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._db.close()


def recover(work: Work, journal: Journal, run: str = "") -> tuple[list[str], list[str]]:
    """Apply the crash rule to the prepared batches of a run (or of all).

    Returns the keys that were settled, because the journal has them, and those dropped.
    """
    settled, dropped = [], []
    for batch, state in work.batches(run).items():
        if state != PREPARED:
            continue
        if journal.has_batch(batch):
            work.settle(batch)
            settled.append(batch)
        else:
            work.drop(batch)
            dropped.append(batch)
    return settled, dropped


def _clear(db: sqlite3.Connection, batch: str) -> None:
    db.execute("DELETE FROM candidate WHERE batch = ?", (batch,))
    db.execute("DELETE FROM merge WHERE batch = ? AND state = 'open'", (batch,))
    db.execute("DELETE FROM fault WHERE batch = ?", (batch,))
    db.execute("DELETE FROM batch WHERE key = ?", (batch,))


def _add_faults(db: sqlite3.Connection, run: str, batch: str, faults: Iterable[Fault]) -> None:
    db.executemany(
        "INSERT OR REPLACE INTO fault VALUES (?, ?, ?, ?, ?, ?)",
        [(run, batch, f.source, f.place, f.reason, f.hint) for f in faults],
    )


def _columns(row: CandidateRow) -> tuple[object, ...]:
    found, verdict = row.candidate, row.verdict
    return (
        found.key, row.run, row.batch, found.unit, str(found.kind), found.name,
        str(verdict.decision), verdict.stage, str(verdict.label or ""),
        dump_reasons(verdict.reasons), row.claim, dump(found),
    )  # fmt: skip


def _merge_row(row: Sequence[Any]) -> MergeRow:
    a, b, score, reasons, *rest = row
    proposal = MergeProposal(load_ref(a), load_ref(b), score, load_reasons(reasons))
    return MergeRow(proposal, *rest)
