"""Runs the service: one granian worker process that owns the archive, with threads (DESIGN 7)."""

from __future__ import annotations

import atexit
import secrets
import signal
import socket
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from rdfkms.errors import Unavailable

# Two SPARQL queries, four that wait for them, and two that answer pages meanwhile.
THREADS = 8


def serve(root: Path, host: str, port: int) -> None:
    """Serve an archive until interrupted; raises `Unavailable` when the port is taken."""
    from granian.constants import Interfaces
    from granian.log import LogLevels
    from granian.server import Server

    _demand_free(host, port)
    server = Server(
        "rdfkms.web.serving:load",
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        workers=1,
        blocking_threads=THREADS,
        websockets=False,
        log_level=LogLevels.error,
        respawn_failed_workers=False,
    )
    server.serve(target_loader=partial(load, root, host, port), wrap_loader=False)


def load(root: Path, host: str, port: int) -> Any:
    """Open the archive in the worker process and return the application.

    The worker ends, with a sentence, when the archive cannot be opened.
    """
    from rdfkms.errors import RdfkmsError

    try:
        return _open(root, host, port)
    except RdfkmsError as err:
        print(f"rdfkms: {err}", file=sys.stderr, flush=True)  # noqa: T201 - the worker's only voice
        sys.exit(err.exit_code)


def _open(root: Path, host: str, port: int) -> Any:
    from rdfkms.app import composition, operations
    from rdfkms.ledger import lock, snapshots
    from rdfkms.review import conditions
    from rdfkms.web import create_app
    from rdfkms.web.blueprints import commands
    from rdfkms.web.services import services_of

    stack = ExitStack()
    app = stack.enter_context(composition.writing(root, "serve"))
    atexit.register(stack.close)
    conditions.lapse(app.ledger, app.mapping, app.principal)
    app.indexes.update(app.ledger)
    snapshots.make(app.ledger)  # commands that read find one from the start
    token = secrets.token_urlsafe(32)
    shown = "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
    lock.announce(app.archive, f"http://{shown}:{port}", token)
    atexit.register(lock.withdraw, app.archive)

    def perform(name: str, arguments: Any, principal: Any, report: Any) -> Any:
        return operations.perform_here(app, name, arguments, principal, report)

    flask = create_app(services_of(app), commands.blueprint(perform, token))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent tells us when to end
    print(f"Serving {root} at http://{shown}:{port}", flush=True)  # noqa: T201 - what a user waits for
    return flask


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
