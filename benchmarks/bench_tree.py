"""A large finding aid as its readers meet it: hierarchy pages over HTTP, of an archive made anew.

Run from the checkout: ``PYTHONPATH=. python benchmarks/bench_tree.py [COMPONENTS]``. A finding aid
of so many components (100,000), a thousand to a series, comes in through `rdfkms describe`;
`rdfkms rebuild` makes its store anew from the journal; the service then gives the hierarchy pages.
Prints JSON: seconds and peak memory of both commands, and for each page the median and the slowest
of fifteen answers in milliseconds, with those of a page without a query beside them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.tools.service import Service, serving

ROOT = Path(__file__).resolve().parent.parent
IN_SERIES = 1000
TIMES = 15


def finding_aid(count: int) -> Iterator[str]:
    """Yield the pieces of a finding aid with short descriptions."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<ead><eadheader><eadid>tree</eadid></eadheader>'
    yield '<archdesc level="fonds"><did><unittitle>The whole</unittitle></did><dsc>\n'
    for number in range(count):
        if number % IN_SERIES == 0:
            yield "</c>\n" if number else ""
            title = f"<did><unittitle>Series {number // IN_SERIES}</unittitle></did>"
            yield f'<c level="series" id="s{number}">{title}\n'
        yield (
            f'<c id="f{number}"><did><unitid>T/{number}</unitid>'
            f"<unittitle>Letter {number}</unittitle></did></c>\n"
        )
    yield "</c></dsc></archdesc></ead>\n"


def commanded(*arguments: str) -> dict[str, float]:
    """Run a command; return its seconds and its peak memory."""
    begun = time.perf_counter()
    line = ["/usr/bin/env", sys.executable, "-m", "rdfkms", *arguments]
    process = subprocess.Popen(
        line, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(line)} ended with {status}")
    seconds = round(time.perf_counter() - begun, 1)
    return {"seconds": seconds, "peak_megabytes": usage.ru_maxrss // 1024}


def milliseconds(service: Service, path: str) -> dict[str, float]:
    """Return how long a page takes; the first answer, which may fill caches, is not counted."""
    spent = []
    for number in range(TIMES + 1):
        begun = time.perf_counter()
        status, _ = service.get(path)
        if status != 200:
            raise SystemExit(f"{path}: {status}")
        if number:
            spent.append((time.perf_counter() - begun) * 1000)
    return {"median": round(median(spent), 1), "slowest": round(max(spent), 1)}


def pages(service: Service) -> dict[str, str]:
    """Return the hierarchy pages of the whole, of a series, and of one of its files."""
    whole = _one(service, "FILTER NOT EXISTS { ?up rico:directlyIncludes ?it }")
    series = _one(service, f"<{whole}> rico:directlyIncludes ?it ; rico:title ?any .")
    file = _one(service, f"<{series}> rico:directlyIncludes ?it . ?it rico:rankInSequence 500 .")
    page = {name: "/page/" + iri.partition("/id/")[2] + "/hierarchy" for name, iri in (
        ("the whole", whole), ("a series of 1,000", series), ("a file among 1,000", file),
    )}  # fmt: skip
    return {**page, "the last hundred of a series": page["a series of 1,000"] + "?after=900"}


def _one(service: Service, pattern: str) -> str:
    query = (
        "PREFIX rico: <https://www.ica.org/standards/RiC/ontology#> "
        f"SELECT ?it WHERE {{ ?it a rico:RecordSet . {pattern} }} ORDER BY ?it LIMIT 1"
    )
    _, text = service.sparql(query)
    found: str = json.loads(text)["results"]["bindings"][0]["it"]["value"]
    return found


def main() -> None:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path, archive = Path(folder) / "tree.xml", Path(folder) / "A"
        path.write_text("".join(finding_aid(count)), encoding="utf-8")
        told: dict[str, object] = {"components": count}
        told["describe"] = commanded("describe", "--archive", str(archive), str(path))
        told["rebuild"] = commanded("rebuild", "--archive", str(archive))
        with serving(archive) as service:
            told["a page without a query"] = milliseconds(service, "/static/style.css")
            told["hierarchy"] = {
                name: milliseconds(service, one) for name, one in pages(service).items()
            }
    print(json.dumps(told, indent=2))


if __name__ == "__main__":
    main()
