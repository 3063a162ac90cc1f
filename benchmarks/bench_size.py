"""A large archive: opening, rebuild and memory of `serve`, at about a million triples.

    python benchmarks/bench_size.py --archive SAMPLE [--triples 1000000]

SAMPLE is an archive of the sample (`rdfkms demo --build-only`). Its quads are copied under new keys
until the number is reached, through the ledger, and the copy is opened, served and asked.
Aims: opening under 2 s, `serve` under 1.5 GB, rebuild at least 0.6 of raw bulk_load.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from pyoxigraph import RdfFormat, Store, parse

from rdfkms.app import composition, operations
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Activity, Change
from rdfkms.ledger.rebuild import fold
from rdfkms.vocab import key_of

_KEY = re.compile(rb"(/id/\w+/)([0-9a-f]{24})")


def copies(lines: bytes, number: int) -> bytes:
    """Return the quads under the keys of copy `number`."""

    def renamed(match: re.Match[bytes]) -> bytes:
        return match[1] + key_of(match[2].decode(), number).encode()

    return _KEY.sub(renamed, lines)


def build(sample: Path, target: Path, triples: int) -> int:
    """Make the large archive; returns its number of quads."""
    source = Archive.open(sample)
    archive = Archive.create(target, source.settings)
    shutil.copytree(source.files, archive.files, dirs_exist_ok=True, copy_function=os.link)
    with composition.writing(sample, "bench") as app:
        lines = b"".join(fold(app.ledger.journal))
    with composition.writing(target, "bench") as app:
        number = 0
        while app.ledger.store.size() < triples:
            quads = tuple(parse(copies(lines, number), format=RdfFormat.N_QUADS))
            app.ledger.commit(Change(Activity("ingest"), add=quads), app.principal)
            number += 1
        return app.ledger.store.size()


def opening(target: Path) -> float:
    """Return the seconds that opening for reading takes."""
    started = time.perf_counter()
    with composition.reading(target) as app:
        assert app.ledger.revision
        return time.perf_counter() - started


def rebuilding(target: Path) -> tuple[float, float]:
    """Return quads a second of `rebuild` of the store, and of raw bulk_load of the same lines."""
    with composition.writing(target, "bench") as app, tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "all.nq"
        with path.open("wb") as out:
            for block in fold(app.ledger.journal):
                out.write(block)
        count = app.ledger.store.size()
        started = time.perf_counter()
        raw = Store(str(Path(folder) / "raw"))
        raw.bulk_load(path=str(path), format=RdfFormat.N_QUADS)
        raw.optimize()
        bulk = count / (time.perf_counter() - started)
    archive = Archive.open(target)
    started = time.perf_counter()
    operations.rebuilding.rebuild(archive, composition.make_store)
    return count / (time.perf_counter() - started), bulk


def serving(target: Path) -> tuple[float, float]:
    """Return the memory of the service's processes in MB (PSS) and the slowest page's seconds."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "rdfkms", "serve", "--archive", str(target)]
    process = subprocess.Popen([*command, "--port", str(port)], start_new_session=True)
    try:
        base = f"http://127.0.0.1:{port}"
        _wait(base)
        slowest = 0.0
        pages = (
            "/",
            "/search?q=Vidal",
            "/collections",
            "/sparql?query=SELECT%20(COUNT(*)%20AS%20?n)%7B?s%20?p%20?o%7D",
        )
        for page in (*pages, *pages):
            started = time.perf_counter()
            with urllib.request.urlopen(base + page, timeout=120) as answer:
                answer.read()
            slowest = max(slowest, time.perf_counter() - started)
        return _memory(process.pid), slowest
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def _wait(base: str) -> None:
    for _ in range(3000):
        try:
            with urllib.request.urlopen(f"{base}/health", timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError(base)


def _memory(leader: int) -> float:
    """Return the proportional memory of a process group in MB."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[2]) == leader:
                rollup = (stat.parent / "smaps_rollup").read_text()
                total += int(re.search(r"^Pss:\s+(\d+)", rollup, re.M)[1])  # type: ignore[index]
        except (OSError, ValueError):
            continue
    return total / 1024


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--archive", type=Path, required=True)
    parser.add_argument("--triples", type=int, default=1_000_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.archive.absolute().parent) as folder:
        target = Path(folder) / "large"
        started = time.perf_counter()
        size = build(arguments.archive, target, arguments.triples)
        print(f"quads               {size:,} (built in {time.perf_counter() - started:.0f} s)")
        print(f"opening             {opening(target):.2f} s (aim < 2)")
        ours, raw = rebuilding(target)
        print(f"rebuild             {ours:,.0f} quads/s, {ours / raw:.2f} of raw (aim >= 0.6)")
        memory, slowest = serving(target)
        print(f"memory of serve     {memory:,.0f} MB (aim < 1,500)")
        print(f"slowest page        {slowest:.2f} s")


if __name__ == "__main__":
    main()
