"""OAI-PMH on an archive of some thousand records: the first listing, whole harvests, GetRecord.

Run from the checkout: ``PYTHONPATH=. python benchmarks/bench_oai.py [RECORDS]``. Prints JSON:
seconds of the first listing (made once from the journal), records a second of ListRecords for each
form over HTTP (granian, one client, pages of 100), milliseconds of GetRecord, and what a commit of
one record costs the next harvester.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from statistics import median, quantiles

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.knowledge import encoding
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Ledger
from rdfkms.model import Ref
from rdfkms.settings import ModelSettings, Settings
from rdfkms.vocab import key_of
from tests.tools.small_archive import Builder, mention

ROOT = Path(__file__).resolve().parent.parent
TOKEN = re.compile(rb"<resumptionToken[^>]*>([^<]+)</resumptionToken>")
PEOPLE = 6  # named in each record


def make(root: Path, count: int) -> None:
    """Write an archive of text records, each with six names."""
    archive = Archive.create(
        root, Settings(title="Benchmark", models=ModelSettings(embedder="none"))
    )
    ledger = Ledger(archive, OxigraphStore(archive.store_path))
    builder = Builder(ledger)
    builder.write(tuple(encoding.vocabulary_triples()), True)
    for number in range(count):
        names = [f"Vidal {number} {chr(97 + n)}" for n in range(PEOPLE)]
        _, unit = builder.text_record(f"r{number:06}", ". ".join(names) + ".")
        for name in names:
            ref = Ref("person", key_of("person", name))
            builder.claim(unit, name + ".", mention(ref, "Person", name + "."))
        builder.commit("ingest")
    ledger.close()


class Client:
    """Asks a served archive."""

    def __init__(self, port: int) -> None:
        self._address = f"http://127.0.0.1:{port}/oai?"

    def ask(self, **arguments: str) -> bytes:
        """Return an answer; comes back when told to."""
        while True:
            try:
                with urllib.request.urlopen(self._address + urllib.parse.urlencode(arguments)) as r:
                    return bytes(r.read())
            except urllib.error.HTTPError as err:
                err.close()
                if err.code != 503:
                    raise
                time.sleep(0.1)

    def harvest(self, prefix: str) -> tuple[int, float]:
        """Return how many records there are, and the seconds that they took."""
        began, found = time.perf_counter(), 0
        page = self.ask(verb="ListRecords", metadataPrefix=prefix)
        while True:
            found += page.count(b"<record>")
            token = TOKEN.search(page)
            if token is None:
                return found, time.perf_counter() - began
            page = self.ask(verb="ListRecords", resumptionToken=token[1].decode())


def measure(port: int) -> dict[str, object]:
    """Return the figures of a served archive."""
    client = Client(port)
    began = time.perf_counter()
    client.ask(verb="Identify")
    result: dict[str, object] = {"first listing, s": round(time.perf_counter() - began, 2)}
    identifiers = re.findall(
        rb"<identifier>([^<]+)", client.ask(verb="ListIdentifiers", metadataPrefix="edm")
    )
    for prefix in ("oai_dc", "edm", "rico"):
        rates = []
        for _ in range(3):
            count, seconds = client.harvest(prefix)
            rates.append(count / seconds)
        result[f"{prefix}, records"] = count
        result[f"{prefix}, records/s"] = round(median(rates))
    times = []
    for number in range(300):
        identifier = identifiers[number % len(identifiers)].decode()
        began = time.perf_counter()
        client.ask(verb="GetRecord", metadataPrefix="edm", identifier=identifier)
        times.append(1000 * (time.perf_counter() - began))
    result["GetRecord median, ms"] = round(median(times), 2)
    result["GetRecord p95, ms"] = round(quantiles(times, n=20)[-1], 2)
    return result


def serve(root: Path) -> tuple[subprocess.Popen[bytes], int]:
    """Serve an archive; return process and port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    process = subprocess.Popen(
        [sys.executable, "-m", "rdfkms", "serve", "--archive", str(root), "--port", str(port)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    for _ in range(1500):  # the search indexes are made first
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health").close()
            break
        except OSError:
            time.sleep(0.2)
    return process, port


def main() -> None:
    """Print the figures."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "A"
        make(root, count)
        process, port = serve(root)
        try:
            result = measure(port)
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(120)
        result["after one commit, ms"] = round(1000 * after_a_commit(root), 1)
    print(json.dumps(result, indent=2))


def after_a_commit(root: Path) -> float:
    """Return the seconds of the first answer after a record was written."""
    from rdfkms.knowledge import mapping
    from rdfkms.publish.oai.provider import Provider

    archive = Archive.open(root)
    ledger = Ledger(archive, OxigraphStore(archive.store_path))
    try:
        provider = Provider(ledger, mapping.load(), archive.settings)
        provider.answer([("verb", "Identify")])
        builder = Builder(ledger)
        builder.text_record("nuevo", "Vidal vive en Belmira.")
        builder.commit("ingest")
        began = time.perf_counter()
        provider.answer([("verb", "Identify")])
        return time.perf_counter() - began
    finally:
        ledger.close()


if __name__ == "__main__":
    main()
