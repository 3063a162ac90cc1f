"""Finding aids at scale: how fast they come in, with how much memory, and how fast a tree opens.

Run from the checkout: ``PYTHONPATH=. python benchmarks/bench_describe.py [COMPONENTS] [TREE]``.
Prints JSON: a finding aid of COMPONENTS (10,000), a hundred to a series, comes in through
`rdfkms describe` in a process of its own (claims a second, peak memory); and, over a store in
memory with what TREE components (100,000) project, milliseconds of the hierarchy view: of the
root of a hundred series of a thousand files, of one of its files, and of one set with all of them.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from pyoxigraph import Literal, Quad

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.knowledge import mapping
from rdfkms.knowledge.encoding import integer
from rdfkms.model import Ref
from rdfkms.publish.around.hierarchy import hierarchy
from rdfkms.publish.views import Scope
from rdfkms.vocab import KMS, RICO, TYPE, Base

ROOT = Path(__file__).resolve().parent.parent
IN_SERIES = 100
TIMES = 15


def finding_aid(count: int) -> Iterator[str]:
    """Yield the pieces of a finding aid."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<ead><eadheader><eadid>bench</eadid></eadheader>'
    yield '<archdesc level="fonds"><did><unittitle>The whole</unittitle></did><dsc>\n'
    for number in range(count):
        if number % IN_SERIES == 0:
            yield "</c>\n" if number else ""
            title = f"<did><unittitle>Series {number}</unittitle></did>"
            yield f'<c level="series" id="s{number}">{title}\n'
        year = 1800 + number % 150
        yield (
            f'<c level="file" id="f{number}"><did><unitid>B/{number}</unitid>'
            f'<unittitle>Letters of the year {year}</unittitle><unitdate normal="{year}">'
            f"{year}</unitdate><physdesc><extent>1 folder</extent></physdesc></did>"
            f"<scopecontent><p>Letters received, number {number}.</p></scopecontent></c>\n"
        )
    yield "</c></dsc></archdesc></ead>\n"


def taken_in(count: int) -> dict[str, object]:
    """Return the figures of taking in a finding aid."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.xml"
        path.write_text("".join(finding_aid(count)), encoding="utf-8")
        line = [sys.executable, "-m", "rdfkms", "describe", "--json", "--archive", f"{folder}/A"]
        begun = time.perf_counter()
        done = subprocess.run(
            [*line, str(path)], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        seconds = time.perf_counter() - begun
    report = json.loads(done.stdout)
    gate = report["seconds"]["judge"] + report["seconds"]["commit"]
    claims = report["verdicts"]["admitted"]
    return {
        "components": count,
        "claims": claims,
        "candidates": report["candidates"],
        "seconds": round(seconds, 1),
        "claims_a_second_by_wall": round(claims / seconds),
        "claims_a_second_of_gate_and_commit": round(claims / gate),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
    }


def tree(count: int) -> dict[str, object]:
    """Return the milliseconds of the hierarchy view over so many components."""
    base, store = Base(), OxigraphStore()
    deep = list(_projected(base, "root", count // 1000, 1000))
    flat = list(_projected(base, "flat", 1, count))
    store.patch((), [*deep, *flat])
    scope = Scope(store, base, mapping.load(), (base.public,))
    asked = {
        "root_of_100_series": Ref("set", "root"),
        "series_of_1000_files": Ref("set", "root-50"),
        "file_among_1000": Ref("set", "root-50-700"),
        f"set_of_{count}": Ref("set", "flat-0"),
        f"file_among_{count}": Ref("set", f"flat-0-{count // 2}"),
    }
    return {name: _milliseconds(scope, ref) for name, ref in asked.items()}


def _milliseconds(scope: Scope, ref: Ref) -> float:
    spent = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        hierarchy(scope, ref)
        spent.append((time.perf_counter() - begun) * 1000)
    return round(median(spent), 1)


def _projected(base: Base, root: str, series: int, files: int) -> Iterator[Quad]:
    yield from _component(base, root, "", 0)
    for one in range(series):
        yield from _component(base, f"{root}-{one}", root, one + 1)
        for number in range(files):
            yield from _component(base, f"{root}-{one}-{number}", f"{root}-{one}", number + 1)


def _component(base: Base, key: str, parent: str, rank: int) -> Iterator[Quad]:
    iri, name, graph = base.iri("set", key), base.iri("name", key), base.public
    yield Quad(iri, TYPE, RICO("RecordSet"), graph)
    yield Quad(iri, RICO("title"), Literal(f"Component {key}"), graph)
    yield Quad(iri, RICO("hasOrHadTitle"), name, graph)
    yield Quad(name, TYPE, RICO("Title"), graph)
    yield Quad(name, RICO("textualValue"), Literal(f"Component {key}"), graph)
    yield Quad(iri, KMS("levelOfDescription"), Literal("file"), graph)
    if parent:
        yield Quad(base.iri("set", parent), RICO("directlyIncludes"), iri, graph)
        yield Quad(iri, RICO("rankInSequence"), integer(rank), graph)


def main() -> None:
    """Measure and print."""
    components = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    print(json.dumps({"describe": taken_in(components), "tree_ms": tree(size)}, indent=2))


if __name__ == "__main__":
    main()
