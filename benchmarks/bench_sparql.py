"""SPARQL over HTTP against `oxigraph serve-read-only` on the same snapshot, in one run.

PYTHONPATH=. python benchmarks/bench_sparql.py --archive A [--rounds N] [--clients N]

Each query is sent to both servers in turn, so that other work on the machine slows both. What is
compared: answers a second (aim: at least 0.9 of Oxigraph's on queries of 10 ms and more, at least
0.3 on point lookups). ETags are not used: every answer is computed.
"""

from __future__ import annotations

import argparse
import http.client
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

from rdfkms import queries
from rdfkms.app import composition
from rdfkms.ledger import snapshots
from rdfkms.vocab import KMS, RICO, TYPE
from tests.tools.engines import free_port
from tests.tools.service import serving

JSON = "application/sparql-results+json"


def ask(host: str, path: str, query: str, graph: str) -> int:
    """Return the number of bytes of the answer."""
    fields = {"query": query, "default-graph-uri": graph, "named-graph-uri": graph}
    connection = http.client.HTTPConnection(host, timeout=60)
    try:
        connection.request("GET", f"{path}?{urlencode(fields)}", headers={"Accept": JSON})
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, (answer.status, body[:300])
        return len(body)
    finally:
        connection.close()


def rate(host: str, path: str, query: str, graph: str, times: int, clients: int) -> float:
    """Return answers a second of some clients that ask one after the other."""
    each = max(1, times // clients)

    def run() -> None:
        for _ in range(each):
            ask(host, path, query, graph)

    threads = [threading.Thread(target=run) for _ in range(clients)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return each * clients / (time.perf_counter() - begun)


def chosen(archive: Path) -> tuple[dict[str, str], str, Path]:
    """Return the queries, the public graph and a snapshot of the archive."""
    with composition.writing(archive, "bench") as app:
        base, store = app.base, app.ledger.store
        person = next(iter(store.match(None, TYPE, RICO("Person"), base.public))).subject
        unit = next(iter(store.match(None, TYPE, KMS("EvidenceUnit"), base.public))).subject
        snapshot = snapshots.make(app.ledger).path
    asked = {
        "point: a thing": f"SELECT * {{ {person} ?p ?o }}",
        "point: an ASK": f"ASK {{ {unit} a <{KMS('EvidenceUnit').value}> }}",
        "names with evidence": queries.text("examples/persons-with-evidence"),
        "claims by record": queries.text("examples/claims-per-record"),
        "things by class": queries.text("examples/things-by-class"),
        "all triples by predicate":
            "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p ORDER BY DESC(?n)",
        "texts with a word":
            f'SELECT ?t {{ ?s <{KMS("text").value}> ?t FILTER(CONTAINS(LCASE(?t), "natural")) }}',
    }  # fmt: skip
    return asked, base.public.value, snapshot


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--archive", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--clients", type=int, default=2)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "A"
        shutil.copytree(options.archive, copy)
        asked, graph, snapshot = chosen(copy)
        shutil.copytree(snapshot, Path(folder) / "snapshot")
        port = free_port()
        line = [str(Path(sys.executable).parent / "oxigraph"), "serve-read-only", "--location",
                str(Path(folder) / "snapshot"), "--bind", f"127.0.0.1:{port}"]  # fmt: skip
        peer = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            with serving(copy) as service:
                ours = service.address.removeprefix("http://")
                told = measured(asked, graph, ours, f"127.0.0.1:{port}", options)
        finally:
            peer.terminate()
            peer.wait()
    print(f"{'query':<28}{'ms (peer)':>10}{'ours/s':>9}{'peer/s':>9}{'ratio':>8}")
    for row in told:
        print(f"{row['query']:<28}{row['peer_ms']:>10.1f}{row['ours']:>9.1f}{row['peer']:>9.1f}"
              f"{row['ratio']:>8.2f}")  # fmt: skip
    if options.json:
        options.json.write_text(json.dumps(told, indent=1))


def measured(
    asked: dict[str, str], graph: str, ours: str, peer: str, options: argparse.Namespace
) -> list[dict[str, object]]:
    """Return a row for each query: the medians of the rounds."""
    time.sleep(1.0)
    rows: list[dict[str, object]] = []
    for name, query in asked.items():
        assert ask(ours, "/sparql", query, graph) > 0
        begun = time.perf_counter()
        for _ in range(3):
            ask(peer, "/query", query, graph)
        once = (time.perf_counter() - begun) / 3
        times = max(options.clients * 2, min(200, int(1.0 / once)))
        own, other = [], []
        for _ in range(options.rounds):
            own.append(rate(ours, "/sparql", query, graph, times, options.clients))
            other.append(rate(peer, "/query", query, graph, times, options.clients))
        rows.append({
            "query": name, "peer_ms": once * 1000, "ours": statistics.median(own),
            "peer": statistics.median(other),
            "ratio": statistics.median(a / b for a, b in zip(own, other, strict=True)),
        })  # fmt: skip
    return rows


if __name__ == "__main__":
    main()
