"""Runs the service: one granian worker process that owns the archive, with threads (DESIGN 7)."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path

from rdfkms.errors import Unavailable

# The web layer stands above this one: granian loads it by name, in the worker process.
APPLICATION = "rdfkms.web.serving:application"
ARCHIVE, ADDRESS = "RDFKMS_SERVED_ARCHIVE", "RDFKMS_SERVED_ADDRESS"
# Two SPARQL queries, four that wait for them, and two that answer pages meanwhile.
THREADS = 8
# Seconds that requests under way get when the service is told to stop, and after which the process
# is ended from outside: it loses nothing that was stored (DESIGN 5), only its indexes lag.
PATIENCE, STOP_SECONDS = 10.0, 25


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
        workers_kill_timeout=STOP_SECONDS,
    )
    # granian has no setting for it, and looks the handler up on the server when it starts.
    on_hangup = _hangup(server.signal_handler_interrupt)
    server.signal_handler_reload = on_hangup  # type: ignore[method-assign]
    server.serve()


def _hangup(stop: Callable[..., None]) -> Callable[..., None]:
    """Return what SIGHUP does: a closed terminal stops the service, unless `nohup` began it.

    granian would start a second worker, which finds the archive in use.
    """
    if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        return lambda *_: None
    return stop


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
