"""A mirror as a program sees it: opened by its settings, and asked in the archive's stead."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from pyoxigraph import NamedNode

from rdfkms import backends
from rdfkms.errors import Misconfigured, NotFound, Unavailable
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.mirror import Mirror
from rdfkms.publish.endpoint import Engine, SnapshotSource
from rdfkms.settings import MirrorSettings

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
    revision = MirrorRevision(opened(name, told), NamedNode(archive.base.base))
    engine: Engine = backends.load("remote", "sparql")(
        told.query_url, user=told.user, password=_password(name, told), auth=told.auth,
        timeout=told.timeout,
    )  # fmt: skip

    def source() -> tuple[Path, int]:
        shown = revision()
        if not shown:
            raise Unavailable(
                f"The mirror {name} that answers queries is empty or being loaded.",
                hint="Try again later; the operator finds more by `rdfkms mirror status`.",
            )
        return Path(), shown

    return source, engine


class MirrorRevision:
    """The revision that a mirror shows, asked at most twice a second."""

    def __init__(self, mirror: Mirror, archive: NamedNode) -> None:
        self._mirror = mirror
        self._archive = archive
        self._lock = threading.Lock()
        self._known = 0
        self._asked = -PERIOD

    def __call__(self) -> int:
        """Return it, 0 where the mirror is empty or being loaded; raises `Unavailable`."""
        with self._lock:
            if time.monotonic() - self._asked >= PERIOD:
                self._known = self._mirror.revision(self._archive)
                self._asked = time.monotonic()
            return self._known
