"""A mirror as a program sees it: opened by its settings, and asked in the archive's stead."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from pyoxigraph import NamedNode

from rdfkms import backends
from rdfkms.errors import Misconfigured, NotFound, RdfkmsError, Unavailable
from rdfkms.ledger.archive import Archive
from rdfkms.ports import Mirror, MirrorState
from rdfkms.publish.endpoint import CHANGING, Engine, SnapshotSource
from rdfkms.publish.grammar import Grammar
from rdfkms.publish.pool import Pool
from rdfkms.settings import MirrorSettings

STATE_SECONDS = 3.0  # in which a mirror must tell its revision
PERIOD = 0.5  # seconds for which a mirror's revision is believed


def opened(name: str, told: MirrorSettings) -> Mirror:
    """Return the mirror; raises `Misconfigured` where its password is not in the environment."""
    made: Mirror = backends.load("mirror", "sparql")(
        told.query_url, told.update_url or told.query_url, user=told.user,
        password=_password(name, told), auth=told.auth, timeout=told.timeout,
    )  # fmt: skip
    return made


def _password(name: str, told: MirrorSettings) -> str:
    password = os.environ.get(told.password_env, "") if told.password_env else ""
    if told.password_env and not password:
        raise Misconfigured(
            f"The password of mirror {name} is not in the environment.",
            hint=f"Set {told.password_env} where the service and the command run.",
        )
    return password


def mirror_of(archive: Archive, name: str) -> MirrorSettings:
    """Return the settings of a mirror by its name; raises `NotFound`."""
    told = archive.settings.mirrors.get(name)
    if told is None:
        known = ", ".join(sorted(archive.settings.mirrors)) or "none"
        raise NotFound(f"There is no mirror {name[:60]}.", hint=f"Known: {known}.")
    return told


def queried(archive: Archive, name: str) -> tuple[SnapshotSource, Engine]:
    """Return the revision that a mirror shows, as a snapshot of no folder, and its engine."""
    told = mirror_of(archive, name)
    quick = told.model_copy(update={"timeout": STATE_SECONDS})
    state = StateOf(opened(name, quick), NamedNode(archive.base.base))
    settings = archive.settings.sparql
    # Public queries go without the credentials by which the mirror is written.
    engine: Engine = backends.load("remote", "sparql")(told.query_url, workers=settings.workers)
    reader = Pool(settings.workers, settings.memory_mb, waiting=4)

    def source() -> tuple[Path, int]:
        shown = state()
        if not shown.revision:
            raise Unavailable(
                f"The mirror {name} that answers queries is empty or being loaded.",
                hint="Try again later; the operator finds more by `rdfkms mirror status`.",
            )
        return Path(), CHANGING if shown.loading else shown.revision

    return source, Grammar(reader, engine)


class StateOf:
    """What a mirror says of itself, asked at most twice a second; a failure is remembered as long.

    Raises `Unavailable` as the mirror does, at once while another thread is asking.
    """

    def __init__(self, mirror: Mirror, archive: NamedNode) -> None:
        self._mirror = mirror
        self._archive = archive
        self._lock = threading.Lock()
        self._known: MirrorState | RdfkmsError = MirrorState()
        self._asked, self._first = -PERIOD, True

    def __call__(self) -> MirrorState:
        """Return it; revision 0 where the mirror is empty or being loaded."""
        is_old = time.monotonic() - self._asked >= PERIOD
        # One asks; the others go by what was known before.
        if is_old and self._lock.acquire(blocking=self._first):
            try:
                self._known = self._mirror.state(self._archive)
            except RdfkmsError as err:
                self._known = err
            finally:
                self._asked, self._first = time.monotonic(), False
                self._lock.release()
        if isinstance(self._known, RdfkmsError):
            raise Unavailable(self._known.message, hint=self._known.hint)
        return self._known
