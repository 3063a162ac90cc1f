"""Commit against the raw transaction, rebuild against raw bulk load, opening: ratios of one run.

Aims: commit <= 3 x (pyoxigraph transaction + one fsync); rebuild >= 0.6 of the rate of bulk_load;
opening an archive of 1M triples < 2 s. Usage: bench_ledger.py [quads for rebuild, 200000].
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
from pyoxigraph import Literal, Quad

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.ledger import snapshots
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.ledger.rebuild import compare, fold, rebuild
from rdfkms.model import Principal, Role
from rdfkms.settings import Settings
from rdfkms.vocab import KMS, Base

BASE = Base()
WHO = Principal("bench", Role.CONTRIBUTOR)


def quads(count: int, name: str) -> tuple[Quad, ...]:
    return tuple(
        Quad(
            BASE.iri("claim", f"{name}x{n // 12:020x}"),
            KMS(f"property{n % 12}"),
            Literal(f"a value of some length {name} {n}", language="es"),
            BASE.public,
        )
        for n in range(count)
    )


def timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def one_turn(ledger: Ledger, raw: ox.Store, log: int, add: tuple[Quad, ...]) -> tuple[float, float]:
    """Seconds of a commit, and of the raw transaction with one fsync, one after the other."""

    def durable() -> None:
        raw.extend(add)
        os.write(log, b"x" * (len(add) * 40))
        os.fsync(log)

    theirs = timed(durable)
    return timed(lambda: ledger.commit(Change(Activity("ingest"), add), WHO)), theirs


def commits(folder: Path) -> None:
    for size, turns in ((15, 300), (150, 100), (1500, 20)):
        archive = Archive.create(folder / f"a{size}", Settings())
        ledger = Ledger(archive, OxigraphStore(archive.store_path))
        raw = ox.Store(folder / f"raw{size}")
        log = os.open(folder / f"log{size}", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        pairs = [one_turn(ledger, raw, log, quads(size, f"{turn:04x}")) for turn in range(turns)]
        os.close(log)
        ledger.close()
        ours, theirs = (statistics.median(column) * 1e3 for column in zip(*pairs, strict=True))
        print(f"commit {size:5d} quads: {ours:8.3f} ms, raw+fsync {theirs:8.3f} ms, "
              f"ratio {ours / theirs:.2f} (aim <= 3)")  # fmt: skip


def rebuilding(folder: Path, count: int) -> None:
    archive = Archive.create(folder / "big", Settings())
    ledger = Ledger(archive, OxigraphStore(archive.store_path))
    for start in range(0, count, 1000):
        add = quads(1000, f"{start:08x}")
        # One quad in fifty is taken back later, as by reviews and corrections.
        gone = quads(1000, f"{start - 1000:08x}")[::50] if start else ()
        ledger.commit(Change(Activity("ingest"), add, gone), WHO)
    lines = folder / "raw.nq"
    with lines.open("wb") as out:
        for block in fold(ledger.journal):
            out.write(block)
    print(f"snapshot of {ledger.store.size()} quads: {timed(lambda: snapshots.make(ledger)):.3f} s")
    checked = timed(lambda: compare(ledger.journal, ledger.store, BASE))
    print(f"journal against store: {checked:.2f} s")
    ledger.close()
    raw_store = ox.Store(folder / "raw-bulk")
    raw = timed(lambda: raw_store.bulk_load(path=lines, format=ox.RdfFormat.N_QUADS))
    raw_optimised = raw + timed(raw_store.optimize)
    report = rebuild(archive, OxigraphStore)
    print(f"rebuild {report.quads} quads: {report.seconds:.2f} s, raw bulk_load {raw:.2f} s "
          f"(with optimize {raw_optimised:.2f} s), rate {raw / report.seconds:.2f} of raw "
          f"({raw_optimised / report.seconds:.2f}; aim >= 0.6)")  # fmt: skip
    opened: list[Ledger] = []
    seconds = timed(lambda: opened.append(Ledger(archive, OxigraphStore(archive.store_path))))
    print(f"opening: {seconds:.3f} s (aim < 2 s at 1M)")
    opened[0].close()


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    with tempfile.TemporaryDirectory() as folder:
        commits(Path(folder))
        rebuilding(Path(folder), count)


if __name__ == "__main__":
    main()
