"""The review queue in `work.sqlite`: items in the order of worth, who has them, their state (R79).

A view over rows and claims (DESIGN 4). After each decision `follow` brings the touched items in
step; `sync` makes all of them fit the archive again, after a crash or a rebuild.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple, replace

from rdfkms.errors import BadInput, NotFound
from rdfkms.knowledge.mapping import Mapping
from rdfkms.ledger.work import Work, now
from rdfkms.ports import QuadReader
from rdfkms.review import tasks
from rdfkms.review.tasks import CLOSED, KINDS, OPEN, Task
from rdfkms.vocab import Base

STEP = "tasks"
MOST = 500
_COLUMNS = (
    "item, kind, statement, things, unit, record, proposer, run, codes, priority, state, "
    "assignee, second, decision, updated"
)
_FILTERS = ("kind", "statement", "unit", "record", "proposer", "run", "state", "assignee")


class Queue:
    """The rows of the queue of one archive."""

    def __init__(self, work: Work) -> None:
        self._work = work

    # ---- reading -----------------------------------------------------------------------------

    def tasks(self, *, limit: int = 50, offset: int = 0, **where: str) -> list[Task]:
        """Return tasks, those of most worth first.

        `where`: kind, statement, unit, record, proposer, run, state, assignee, and `code`, a
        reason. Raises `BadInput` for another filter.
        """
        tests, values = _tests(where)
        rows = self._work.rows(
            f"SELECT {_COLUMNS} FROM task WHERE {tests} "
            "ORDER BY priority DESC, item LIMIT ? OFFSET ?",
            (*values, max(0, min(limit, MOST)), max(0, offset)),
        )
        return [_task(row) for row in rows]

    def count(self, **where: str) -> int:
        """Return how many tasks there are."""
        tests, values = _tests(where)
        return int(self._work.rows(f"SELECT count(*) FROM task WHERE {tests}", values)[0][0])

    def counts(self) -> dict[str, int]:
        """Return the number of open tasks of each kind."""
        told = dict(
            self._work.rows("SELECT kind, count(*) FROM task WHERE state = 'open' GROUP BY kind")
        )
        return {kind: int(told.get(kind, 0)) for kind in KINDS}

    def task(self, item: str) -> Task:
        """Return one task by its item, or by a key or IRI; raises `NotFound`."""
        found = self._one("item = ?", item)
        if found is None:
            key = item.rpartition("/")[2]
            names = [f"{kind}/{key}" for kind in ("claim", "candidate", "merge", "conflict")]
            found = next((t for n in names if (t := self._one("item = ?", n))), None)
        if found is None:
            raise NotFound(f"The queue has no item {item[:80]}.", hint="See `rdfkms review list`.")
        return found

    def _one(self, test: str, value: str) -> Task | None:
        rows = self._work.rows(f"SELECT {_COLUMNS} FROM task WHERE {test}", (value,))
        return _task(rows[0]) if rows else None

    @property
    def revision(self) -> int:
        """The revision with which the rows are in step, -1 for none."""
        rows = self._work.rows("SELECT value FROM meta WHERE name = ?", (STEP,))
        return int(rows[0][0]) if rows else -1

    # ---- writing -----------------------------------------------------------------------------

    def add(self, found: Iterable[Task]) -> None:
        """Add tasks; one that is known stays as it is."""
        rows = [_row(replace(task, updated=now())) for task in found]
        marks = ", ".join("?" * len(_COLUMNS.split(",")))
        if rows:
            with self._work.transaction() as db:
                db.executemany(f"INSERT OR IGNORE INTO task VALUES ({marks})", rows)

    def in_step(self, revision: int) -> None:
        """Note that the rows fit the archive as it is at a revision."""
        with self._work.transaction() as db:
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (STEP, str(revision)))

    def assign(self, item: str, assignee: str) -> Task:
        """Give a task to a person, or to nobody; returns it."""
        return self._set(item, "assignee", assignee)

    def ask_second(self, item: str, asker: str) -> Task:
        """Note who wants a second person to look; returns the task."""
        return self._set(item, "second", asker)

    def close(self, item: str, decision: str) -> Task:
        """Close a task that leaves no trace on a claim (a dismissal); returns it."""
        self._set(item, "decision", decision)
        return self._set(item, "state", CLOSED)

    def _set(self, item: str, column: str, value: str) -> Task:
        task = self.task(item)
        with self._work.transaction() as db:
            db.execute(
                f"UPDATE task SET {column} = ?, updated = ? WHERE item = ?",
                (value, now(), task.item),
            )
        return self.task(task.item)

    # ---- in step with the archive ------------------------------------------------------------

    def follow(
        self,
        claims: Iterable[str],
        things: Iterable[str],
        store: QuadReader,
        base: Base,
        revision: int,
        decision: str = "",
    ) -> None:
        """Bring the items of these claims (keys) and things (paths) in step with the archive."""
        keys, paths = list(claims), list(things)
        records = [path.partition("/")[2] for path in paths if path.startswith("record/")]
        found = [
            *self._among("item", [*(f"claim/{key}" for key in keys), *paths]),  # a candidate too
            *self._among("record", records),
            *self._about(tasks.CONFLICT, keys),
            *self._about(tasks.MERGE, paths),
        ]
        touched = {task.item: task for task in found}
        rows = []
        for task in touched.values():
            # What a decision closed by itself is opened again when that decision is undone.
            fresh = replace(task, decision="" if task.decision == decision else task.decision)
            state = OPEN if tasks.waits(fresh, store, base) else CLOSED
            closed_by = decision if task.state == OPEN else fresh.decision
            rows.append((state, closed_by if state == CLOSED else "", now(), task.item))
        with self._work.transaction() as db:
            db.executemany(
                "UPDATE task SET state = ?, decision = ?, updated = ? WHERE item = ?", rows
            )
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (STEP, str(revision)))

    def _among(self, column: str, values: list[str]) -> list[Task]:
        rows = self._work.rows(
            f"SELECT {_COLUMNS} FROM task WHERE {column} IN (SELECT value FROM json_each(?))",
            (json.dumps(values),),
        )
        return [_task(row) for row in rows]

    def _about(self, kind: str, named: list[str]) -> list[Task]:
        """Return the tasks of a kind that name one of these, by one look at the table."""
        rows = self._work.rows(
            f"SELECT {_COLUMNS} FROM task WHERE kind = ? AND EXISTS (SELECT 1 FROM "
            "json_each(things) t WHERE t.value IN (SELECT value FROM json_each(?)))",
            (kind, json.dumps(named)),
        )
        return [_task(row) for row in rows]

    def sync(self, store: QuadReader, base: Base, mapping: Mapping, revision: int) -> None:
        """Make the rows fit what candidates, proposals and claims say now."""
        for batch in _batched(self._found(store, base, mapping), MOST):
            self.add(batch)
        offset = 0
        while page := self.tasks(limit=MOST, offset=offset):
            offset += len(page)
            wrong = [
                (CLOSED if task.state == OPEN else OPEN, now(), task.item)
                for task in page
                if (task.state == OPEN) is not tasks.waits(task, store, base)
            ]
            if wrong:
                with self._work.transaction() as db:
                    db.executemany("UPDATE task SET state = ?, updated = ? WHERE item = ?", wrong)
        self.in_step(revision)

    def _found(self, store: QuadReader, base: Base, mapping: Mapping) -> Iterator[Task]:
        for decision in ("quarantined", "rejected"):
            rows = self._work.candidates(decision=decision)
            yield from tasks.of_rows(rows, store, base, mapping)
        for merge in self._work.merges(""):
            yield tasks.of_merge(merge.proposal)
        yield from tasks.of_flags(store, base, mapping)


def _tests(where: dict[str, str]) -> tuple[str, list[str]]:
    code = where.pop("code", "")
    unknown = set(where) - set(_FILTERS)
    if unknown:
        raise BadInput(f"The queue has no filter {sorted(unknown)[0]!r}.")
    tests = [f"{name} = ?" for name in where]
    values = list(where.values())
    if code:
        tests.append("EXISTS (SELECT 1 FROM json_each(codes) c WHERE c.value = ?)")
        values.append(code)
    return " AND ".join(tests) or "1", values


def _row(task: Task) -> tuple[object, ...]:
    return tuple(json.dumps(v) if isinstance(v, tuple) else v for v in astuple(task))


def _task(row: tuple[object, ...]) -> Task:
    values = list(row)
    for at in (3, 8):
        values[at] = tuple(json.loads(str(row[at])))
    # The columns are the fields, in order.
    return Task(*values)  # type: ignore[arg-type]


def _batched(found: Iterator[Task], size: int) -> Iterator[list[Task]]:
    batch: list[Task] = []
    for task in found:
        batch.append(task)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
