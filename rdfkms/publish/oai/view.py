"""What can be harvested at one moment: single items and pages of lists, read from the index."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import zstandard

# All that a set holds, through all levels.
INSIDE = (
    "WITH RECURSIVE inside(key) AS (SELECT child FROM edge WHERE parent = ? UNION "
    "SELECT edge.child FROM edge JOIN inside ON edge.parent = inside.key) SELECT key FROM inside"
)


@dataclass(frozen=True, slots=True)
class Item:
    """One record as a harvester sees it. `edm`: 1 it has that form, 0 not, -1 not any more."""

    key: str
    stamp: int
    deleted: bool
    edm: int


@dataclass(frozen=True, slots=True)
class Range:
    """Which items a list holds: of a form, in a set, between two datestamps (both inclusive)."""

    prefix: str
    set: str = ""
    first: int | None = None
    last: int | None = None


class View:
    """What can be harvested at one moment."""

    def __init__(self, db: sqlite3.Connection, now: int, earliest: int) -> None:
        self._db = db
        self.now = now
        self.earliest = earliest

    def item(self, key: str) -> Item | None:
        """Return the item of a record, None for what was never public."""
        row = self._db.execute(
            "SELECT key, stamp, deleted, edm FROM item WHERE key = ?", (key,)
        ).fetchone()
        return _item(row) if row else None

    def items(self, wanted: Range, after: tuple[int, str] | None, count: int) -> list[Item]:
        """Return the next items of a list in the order of (datestamp, key)."""
        tests, values = _tests(wanted)
        if after is not None:
            tests.append("(stamp, key) > (?, ?)")
            values += after
        rows = self._db.execute(
            f"SELECT key, stamp, deleted, edm FROM item WHERE {' AND '.join(tests)} "
            "ORDER BY stamp, key LIMIT ?",
            (*values, count),
        )
        return [_item(row) for row in rows]

    def count(self, wanted: Range, after: tuple[int, str] | None = None) -> int:
        """Return how many items are in the list, or still to come after a place in it."""
        tests, values = _tests(wanted)
        if after is not None:
            tests.append("(stamp, key) > (?, ?)")
            values += after
        row = self._db.execute(
            f"SELECT count(*) FROM item WHERE {' AND '.join(tests)}", tuple(values)
        ).fetchone()
        return int(row[0])

    def forms(self, keys: Sequence[str], prefix: str) -> dict[str, bytes]:
        """Return the kept XML of records in the form "edm" or "oai_dc"."""
        column = "edm_xml" if prefix == "edm" else "dc_xml"
        marks = ", ".join("?" * len(keys))
        rows = self._db.execute(
            f"SELECT key, {column} FROM item WHERE key IN ({marks})", tuple(keys)
        )
        unpack = zstandard.ZstdDecompressor().decompress
        return {key: unpack(blob) for key, blob in rows if blob is not None}

    def sets_of(self, keys: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return the sets that hold each record, through all levels, sorted."""
        parents: dict[str, tuple[str, ...]] = {}
        return {key: tuple(sorted(self._above(key, parents))) for key in keys}

    def _above(self, key: str, parents: dict[str, tuple[str, ...]]) -> set[str]:
        found: set[str] = set()
        waiting = [key]
        while waiting:
            child = waiting.pop()
            if child not in parents:
                rows = self._db.execute("SELECT parent FROM edge WHERE child = ?", (child,))
                parents[child] = tuple(row[0] for row in rows)
            waiting += [p for p in parents[child] if p not in found]
            found.update(parents[child])
        return found


def moment(seconds: int) -> str:
    """Return the seconds as UTCdatetime of OAI-PMH (its section 3.3)."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _item(row: tuple[str, int, int, int]) -> Item:
    return Item(row[0], row[1], bool(row[2]), row[3])


def _tests(wanted: Range) -> tuple[list[str], list[str | int]]:
    tests, values = ["1"], list[str | int]()
    if wanted.prefix == "edm":
        tests.append("(edm <> 0 OR deleted = 1)")
    if wanted.first is not None:
        tests.append("stamp >= ?")
        values.append(wanted.first)
    if wanted.last is not None:
        tests.append("stamp <= ?")
        values.append(wanted.last)
    if wanted.set:
        tests.append(f"key IN ({INSIDE})")
        values.append(wanted.set)
    return tests, values
