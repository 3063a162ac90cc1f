"""Opens the archive in the service's worker process and gives the application to granian."""

from __future__ import annotations

import os
import secrets
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from flask import Flask

from rdfkms.app import amending as describing
from rdfkms.app import composition, mirroring, operations, reviewing, service
from rdfkms.errors import RdfkmsError
from rdfkms.ledger import lock, snapshots
from rdfkms.model import Principal, Ref
from rdfkms.publish.desk import Item
from rdfkms.publish.views import Scope
from rdfkms.review import conditions
from rdfkms.web import create_app, stopping
from rdfkms.web.blueprints import amending, api, commands, review
from rdfkms.web.services import services_of

LAPSE_SECONDS = 900.0
LAPSE_PATIENCE = 10.0  # for a lifting that is under way when the service ends


def application() -> Flask:
    """Return the application over the archive that the environment names.

    The worker ends, with a sentence, when the archive cannot be opened.
    """
    above = stopping.part()
    try:
        with ExitStack() as stack:
            made = _open(stack, Path(os.environ[service.ARCHIVE]), os.environ[service.ADDRESS])
            stopping.end_in_time(made, stack.pop_all().close, above)
            return made
    except RdfkmsError as err:
        sys.stderr.write(f"rdfkms: {err}\n")
        sys.exit(err.exit_code)


def _open(stack: ExitStack, root: Path, address: str) -> Flask:
    app = stack.enter_context(composition.writing(root, "serve"))
    conditions.lapse(app.ledger, app.mapping, app.principal)
    app.indexes.update(app.ledger)
    snapshots.make(app.ledger)  # commands that read find one from the start
    token = secrets.token_urlsafe(32)
    lock.announce(app.archive, address, token)
    stack.callback(lock.withdraw, app.archive)

    def perform(
        name: str,
        arguments: Mapping[str, Any],
        principal: Principal,
        report: Callable[[str, int, int], None],
    ) -> dict[str, Any]:
        return operations.perform_here(app, name, arguments, principal, report)

    app.on_change = _indexing(app, stack)
    stop = threading.Event()
    lifting = threading.Thread(target=lapsing, args=(app, stop), name="embargoes", daemon=True)
    lifting.start()

    for feeder in mirroring.start(app):
        stack.callback(feeder.stop)

    def end_lifting() -> None:
        stop.set()
        lifting.join(LAPSE_PATIENCE)

    stack.callback(end_lifting)

    def act(name: str, arguments: dict[str, Any], principal: Principal) -> dict[str, Any]:
        return operations.perform_here(app, name, arguments, principal)

    def look(names: Sequence[str], principal: Principal) -> list[Item]:
        return reviewing.several(app, names, principal)

    def see(ref: Ref, scope: Scope) -> dict[str, Any]:
        return describing.shown(app, ref, scope)

    def find(ref: Ref, field: str, words: str, principal: Principal) -> describing.Called:
        return describing.leading_to(app, ref, field, words, principal)

    made = create_app(
        services_of(app),
        commands.blueprint(perform, token),
        api.blueprint(act),
        review.blueprint(act, look),
        amending.blueprint(act, see, find),
    )
    sys.stdout.write(f"Serving {root} at {address}\n")
    sys.stdout.flush()
    return made


def _indexing(app: composition.App, stack: ExitStack) -> Callable[[], None]:
    """Return what tells a thread of its own to bring the indexes in step: acts need not wait.

    It ends before the archive is closed: what it had not indexed, the next opening does.
    """
    changed, stop = threading.Event(), threading.Event()

    def follow() -> None:
        while changed.wait() and not stop.is_set():
            changed.clear()
            try:
                app.indexes.update(app.ledger)
            except Exception as err:  # whatever it was, the thread must see the next act
                sys.stderr.write(f"rdfkms: indexes: {err}\n")

    thread = threading.Thread(target=follow, name="indexing", daemon=True)
    thread.start()

    def end() -> None:
        stop.set()
        changed.set()
        thread.join(LAPSE_PATIENCE)

    stack.callback(end)
    return changed.set


def lapsing(app: composition.App, stop: threading.Event) -> None:
    """Open records whose embargo ends while the service runs, a quarter of an hour late at most.

    Goes on until `stop` is set.
    """
    while not stop.wait(LAPSE_SECONDS):
        try:
            if conditions.lapse(app.ledger, app.mapping, app.principal):
                app.indexes.update(app.ledger)
        except Exception as err:  # someone else wrote meanwhile, or the disk is full: later again
            sys.stderr.write(f"rdfkms: embargoes: {err}\n")
