"""What is closed is absent from every surface, and comes and goes with its access condition."""

from __future__ import annotations

import time
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rdfkms.app import composition
from rdfkms.vocab import KMS
from tests.tools.service import Service, serving
from tests.tools.small_run import command, folder, result

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
class Closed:
    """A running service over an archive that holds one embargoed record."""

    service: Service
    record: str

    def everywhere(self) -> list[str]:
        """Return what each public surface says of the secret."""
        service, words = self.service, urllib.parse.quote(ASKED)
        question = f"¿Dónde nació {ASKED}?"
        return [
            service.get(f"/search?q={words}")[1],
            service.get("/browse/person")[1],
            service.get(f"/page/record/{self.record}")[1],
            service.get(f"/data/record/{self.record}.ttl")[1],
            service.sparql(SAID_ANYWHERE)[1],
            service.sparql(INSIDE)[1],
            command("ask", question, "--archive", service.archive, check=False).stdout,
            command("search", ASKED, "--archive", service.archive).stdout,
        ]


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Closed]:
    """Serve an archive in which one record is under embargo."""
    root = tmp_path_factory.mktemp("access")
    sources = folder(root / "sources", RULES)
    for picture in sources.glob("*.png"):
        picture.unlink()
    (sources / "legajo.md").write_text(CLOSED, encoding="utf-8")
    archive = root / "A"
    assert result("run", sources, "--archive", archive)["faults"] == []
    record = _record(archive)
    with serving(archive) as service:
        yield Closed(service, record)


def _record(archive: Path) -> str:
    with composition.reading(archive) as app:
        found = list(app.ledger.store.match(None, KMS("access"), KMS("embargo"), app.base.internal))
        assert len(found) == 1
        return str(found[0].subject).rstrip(">").rpartition("/")[2]


def test_an_embargoed_record_is_nowhere_in_public(closed: Closed) -> None:
    for said in closed.everywhere():
        assert SECRET not in said


def test_a_reviewer_reads_it(closed: Closed) -> None:
    service = closed.service
    made = result("token", "add", "ana", "--role", "reviewer", "--archive", service.archive)
    status, page = service.get(f"/page/record/{closed.record}", token=made["secret"])
    assert status == 200
    assert "legajo" in page


def test_a_contributor_may_not_name_files_of_the_server(closed: Closed) -> None:
    service = closed.service
    made = result("token", "add", "bea", "--role", "contributor", "--archive", service.archive)
    assert service.command("run", {"paths": ["/etc"]}, made["secret"])["exit_code"] == 5


def test_opened_it_appears_and_closed_it_vanishes(closed: Closed) -> None:
    service, archive = closed.service, closed.service.archive
    assert result("access", closed.record, "open", "--archive", archive)["moved"] > 20
    time.sleep(0.6)  # public SPARQL reads a snapshot at most half a second old
    assert service.get(f"/page/record/{closed.record}")[0] == 200
    assert SECRET in service.sparql(SAID)[1]
    assert SECRET in closed.everywhere()[0]
    result("access", closed.record, "closed", "--archive", archive)
    time.sleep(0.6)
    for said in closed.everywhere():
        assert SECRET not in said
    assert result("check", "--archive", archive)["ok"]
