"""A service that is told to stop ends soon, whatever its clients do, and frees its archive."""

from __future__ import annotations

import os
import signal
import socket
import time
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import pytest

from rdfkms.app.service import PATIENCE
from rdfkms.web import stopping
from tests.tools.service import Service, serving
from tests.tools.small_run import command

# The head of a request that does not end, and a request whose body does not.
HALF = b"GET / HTTP/1.1\r\nHost: archive\r\n"
WAITING = (
    b"POST /sparql HTTP/1.1\r\nHost: archive\r\nContent-Type: application/sparql-query\r\n"
    b"Content-Length: 500\r\n\r\nASK"
)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("stopping") / "A"
    command("init", "--archive", made)
    return made


@pytest.fixture
def service(archive: Path) -> Iterator[Service]:
    with serving(archive) as running:
        yield running


def send(service: Service, words: bytes) -> socket.socket:
    parts = urllib.parse.urlsplit(service.address)
    client = socket.create_connection((parts.hostname, parts.port or 0))
    client.sendall(words)
    time.sleep(0.3)
    return client


def ends(service: Service, seconds: float) -> int:
    """Return the exit code; the archive is free for the next at once."""
    code = service.process.wait(seconds)
    assert not (service.archive / "serve.json").exists()
    command("audit", "verify", "--archive", service.archive)
    return code


def workers(service: Service) -> list[int]:
    """Return the ids of the service's processes below the first."""
    above = service.process.pid
    return [int(pid) for pid in Path(f"/proc/{above}/task/{above}/children").read_text().split()]


def test_a_client_that_never_ends_its_request_does_not_hold_the_service(service: Service) -> None:
    with send(service, HALF):
        service.signal(signal.SIGTERM)
        assert ends(service, PATIENCE) == 0


def test_a_request_under_way_gets_its_time_and_no_more(service: Service) -> None:
    with send(service, WAITING):
        begin = time.monotonic()
        service.signal(signal.SIGTERM)
        assert ends(service, PATIENCE + 5) == 0
        assert time.monotonic() - begin > PATIENCE - 1


def test_an_impatient_user_stops_it_too(service: Service) -> None:
    """The third signal locks granian's worker: it reaches the process above alone."""
    with send(service, HALF):
        for _ in range(3):
            service.signal(signal.SIGINT)
            time.sleep(0.1)
        assert ends(service, PATIENCE) == 0


def test_what_is_open_is_closed_in_order(service: Service) -> None:
    service.signal(signal.SIGTERM)
    assert ends(service, PATIENCE) == 0


def test_a_closed_terminal_stops_it(service: Service) -> None:
    service.signal(signal.SIGHUP)
    assert ends(service, PATIENCE) == 0


def test_the_worker_does_not_outlive_the_process_above(service: Service) -> None:
    (worker,) = workers(service)
    os.kill(service.process.pid, signal.SIGKILL)
    service.process.wait(5)
    latest = time.monotonic() + PATIENCE
    while Path(f"/proc/{worker}").exists() and time.monotonic() < latest:
        time.sleep(0.1)
    assert not Path(f"/proc/{worker}").exists()
    command("audit", "verify", "--archive", service.archive)


def test_requests_are_counted_until_their_answers_are_closed() -> None:
    def answering(environ: object, start_response: object) -> list[bytes]:
        if environ == {"fail": True}:
            raise ValueError
        return [b"words"]

    requests = stopping.Requests(answering)
    answer = requests({}, None)  # type: ignore[arg-type]
    assert requests.under_way == 1
    assert list(answer) == [b"words"]
    answer.close()  # type: ignore[attr-defined]
    assert requests.under_way == 0
    with pytest.raises(ValueError):
        requests({"fail": True}, None)  # type: ignore[arg-type]
    assert requests.under_way == 0
