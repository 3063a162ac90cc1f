"""Runs the service: one granian worker process that owns the archive, with threads (DESIGN 7)."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from rdfkms.errors import Unavailable

# The web layer stands above this one: granian loads it by name, in the worker process.
APPLICATION = "rdfkms.web.serving:application"
ARCHIVE, ADDRESS = "RDFKMS_SERVED_ARCHIVE", "RDFKMS_SERVED_ADDRESS"
# Two SPARQL queries, four that wait for them, and two that answer pages meanwhile.
THREADS = 8


def serve(root: Path, host: str, port: int) -> None:
    """Serve an archive until interrupted; raises `Unavailable` when the port is taken."""
    from granian.constants import Interfaces
    from granian.log import LogLevels
    from granian.server import Server

    _demand_free(host, port)
    shown = "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
    os.environ[ARCHIVE] = str(root.absolute())
    os.environ[ADDRESS] = f"http://{shown}:{port}"
    server = Server(
        APPLICATION,
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        factory=True,
        workers=1,
        blocking_threads=THREADS,
        websockets=False,
        log_level=LogLevels.error,
        respawn_failed_workers=False,
    )
    server.serve()


def _demand_free(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as err:
            raise Unavailable(
                f"Port {port} of {host} cannot be used: {err.strerror}.",
                hint="Stop what listens there, or name another: --port N (make run PORT=N).",
            ) from err
