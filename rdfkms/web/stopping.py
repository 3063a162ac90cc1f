"""Closes the archive and ends the service's process when it is told to stop, whatever else happens.

granian 2.8 cannot be left to it. Told to stop, it waits without limit for its connections, now and
then for one that is gone (six of 60 stops under requests never ended); and its process, a fork,
ends without the functions that were registered for the end. So the process listens for itself,
gives requests under way their time, closes what is open and ends.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.wsgi import ClosingIterator

from rdfkms.app.service import PATIENCE

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

SIGNALS = (signal.SIGINT, signal.SIGTERM)
LOOK = 0.5  # seconds between looks for the process above
QUIET = 1.0  # seconds without a request that are granian's, to end by itself: it needs up to half


class Requests:
    """A WSGI application that knows how many requests to another are under way."""

    def __init__(self, application: WSGIApplication) -> None:
        self._application = application
        self._lock = threading.Lock()
        self.under_way = 0

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Return the answer; the request has ended when the server closes it."""
        self._count(1)
        try:
            answer = self._application(environ, start_response)
        except BaseException:
            self._count(-1)
            raise
        return ClosingIterator(answer, lambda: self._count(-1))

    def _count(self, step: int) -> None:
        with self._lock:
            self.under_way += step


def part() -> int:
    """Part the process from its group and return the id of the one above, which alone stops it.

    Ctrl-C reaches a whole group, and the third signal locks granian's worker for ever: apart from
    the group it gets one, from the process above. That one's handlers, which a fork inherits, go:
    while the archive is being opened nothing is under way, and a signal ends the process at once.
    """
    above = os.getppid()
    os.setpgrp()
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    return above


def end_in_time(app: Flask, close: Callable[[], None], above: int) -> None:
    """Have the process call `close` and end after a signal to stop; for the main thread only.

    So it does when the process `above` is gone, or the server has ended. Requests under way get
    `PATIENCE` seconds. The handlers of signals stay granian's.
    """
    requests = Requests(app.wsgi_app)
    app.wsgi_app = requests  # type: ignore[method-assign]  # the way that Flask documents
    ends = socket.socketpair()  # never closed: signals come until the process ends
    ends[0].settimeout(LOOK)
    ends[1].setblocking(False)
    # Python writes the number of each signal here before its handler runs: it is told even where
    # the main thread waits inside the server.
    signal.set_wakeup_fd(ends[1].fileno(), warn_on_full_buffer=False)

    def wait() -> None:
        while _serves() and os.getppid() == above and not _is_told(ends[0]):
            pass
        _wait_for(requests)
        close()
        if _serves():
            os._exit(0)

    # No daemon: the process waits for this thread where the server has ended by itself.
    threading.Thread(target=wait, name="stopping").start()


def _serves() -> bool:
    return threading.main_thread().is_alive()


def _is_told(heard: socket.socket) -> bool:
    try:
        return heard.recv(1)[0] in SIGNALS
    except TimeoutError:
        return False


def _wait_for(requests: Requests) -> None:
    """Return when the server has ended, or would not although it could, or took too long."""
    quiet = time.monotonic()
    latest = quiet + PATIENCE
    while _serves() and time.monotonic() < min(latest, quiet + QUIET):
        if requests.under_way:
            quiet = time.monotonic()
        time.sleep(0.02)
