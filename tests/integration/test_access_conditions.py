"""What is closed is absent from every surface, and comes and goes with its access condition."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.tools.small_run import ROOT, command, folder, result

SECRET = "Pruebacerrada"  # stands in the closed register alone; asked for by the words beside it
ASKED = "Inventada Nadie"
CLOSED = f"""# Legajo

- {SECRET} {ASKED}: treinta y cuatro años, natural de Villacerrada, carpintero.
"""
RULES = """
[[records]]
match = "legajo.md"
profile = "register"
access = "embargo"
until = 2999-01-01
"""
SAID = "SELECT ?o { ?s ?p ?o FILTER(CONTAINS(STR(?o), 'Pruebacerrada')) }"
SAID_ANYWHERE = """SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } }
    FILTER(CONTAINS(STR(?o), 'Pruebacerrada')) }"""
INSIDE = "SELECT * FROM <http://localhost:8080/graph/internal> { ?s ?p ?o } LIMIT 50"


@dataclass(frozen=True)
class Service:
    """A running service over an archive that holds one embargoed record."""

    address: str
    archive: Path
    record: str

    def get(self, path: str, accept: str = "text/html", token: str = "") -> tuple[int, str]:
        """Return status and text of a request."""
        headers = {"Accept": accept}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(self.address + path, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read().decode("utf-8", "replace")
        except urllib.error.HTTPError as err:
            with err:
                return err.code, err.read().decode("utf-8", "replace")

    def sparql(self, query: str) -> str:
        """Return the answer of the public SPARQL service."""
        quoted = urllib.parse.quote(query)
        return self.get(f"/sparql?query={quoted}", "application/sparql-results+json")[1]

    def everywhere(self) -> list[str]:
        """Return what each public surface says of the secret."""
        words = urllib.parse.quote(ASKED)
        ask = command("ask", f"¿Dónde nació {ASKED}?", "--archive", self.archive, check=False)
        return [
            self.get(f"/search?q={words}")[1],
            self.get("/browse/person")[1],
            self.get(f"/page/record/{self.record}")[1],
            self.get(f"/data/record/{self.record}.ttl")[1],
            self.sparql(SAID_ANYWHERE),
            self.sparql(INSIDE),
            ask.stdout,
            command("search", ASKED, "--archive", self.archive).stdout,
        ]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Serve an archive in which one record of four is under embargo."""
    root = tmp_path_factory.mktemp("access")
    sources = folder(root / "sources", RULES)
    for picture in sources.glob("*.png"):
        picture.unlink()
    (sources / "legajo.md").write_text(CLOSED, encoding="utf-8")
    archive = root / "A"
    report = result("run", sources, "--archive", archive)
    assert report["faults"] == []
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "rdfkms", "serve", "--archive", str(archive), "--port", str(port)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        made = Service(f"http://127.0.0.1:{port}", archive, _record(archive))
        _wait(made)
        yield made
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def _record(archive: Path) -> str:
    from pyoxigraph import Literal

    from rdfkms.app import composition
    from rdfkms.vocab import KMS

    with composition.reading(archive) as app:
        found = list(app.ledger.store.match(None, KMS("access"), KMS("embargo"), app.base.internal))
        assert len(found) == 1
        assert not isinstance(found[0].subject, Literal)
        return str(found[0].subject).rstrip(">").rpartition("/")[2]


def _wait(made: Service) -> None:
    for _ in range(150):
        try:
            if made.get("/health")[0] == 200:
                return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError("the service did not start")


def test_an_embargoed_record_is_nowhere_in_public(service: Service) -> None:
    for said in service.everywhere():
        assert SECRET not in said


def test_a_reviewer_reads_it(service: Service) -> None:
    made = result("token", "add", "ana", "--role", "reviewer", "--archive", service.archive)
    status, page = service.get(f"/page/record/{service.record}", token=made["secret"])
    assert status == 200
    assert "legajo" in page


def test_a_contributor_may_not_name_files_of_the_server(service: Service) -> None:
    made = result("token", "add", "bea", "--role", "contributor", "--archive", service.archive)
    request = urllib.request.Request(
        f"{service.address}/api/commands/run",
        data=json.dumps({"paths": ["/etc"]}).encode(),
        headers={
            "Authorization": f"Bearer {made['secret']}",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        last = json.loads(answer.read().decode().splitlines()[-1])
    assert last["exit_code"] == 5


def test_opened_it_appears_and_closed_it_vanishes(service: Service) -> None:
    moved = result("access", service.record, "open", "--archive", service.archive)
    assert moved["moved"] > 20
    time.sleep(0.6)  # public SPARQL reads a snapshot at most half a second old
    assert service.get(f"/page/record/{service.record}")[0] == 200
    assert SECRET in service.sparql(SAID)
    assert SECRET in service.everywhere()[0]
    result("access", service.record, "closed", "--archive", service.archive)
    time.sleep(0.6)
    for said in service.everywhere():
        assert SECRET not in said
    assert result("check", "--archive", service.archive)["ok"]
