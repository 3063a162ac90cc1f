"""Mirrors: remote SPARQL stores that show the public graph, kept in step (DESIGN 5)."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from filelock import FileLock, Timeout
from pyoxigraph import NamedNode

from rdfkms import settings
from rdfkms.app import composition
from rdfkms.app.mirrored import mirror_of, opened
from rdfkms.errors import BadInput, Broken, Conflict, RdfkmsError
from rdfkms.ledger import mirror as mirrors
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.disk import write_atomic
from rdfkms.ledger.journal import Journal
from rdfkms.ports import MirrorState
from rdfkms.settings import MirrorSettings

Report = Callable[[str, int, int], None]

PERIOD = 0.5  # seconds between two looks at the ledger
LONGEST_PAUSE = 30.0  # after a mirror failed again and again
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_LOCK_SECONDS = 2.0


def settings_of(**told: str) -> MirrorSettings:
    """Return the settings of a mirror; raises `BadInput` for an address that is none."""
    for name in ("query_url", "update_url"):
        if told.get(name) and urlsplit(told[name]).scheme not in ("http", "https"):
            raise BadInput(f"{told[name][:200]!r} is no http address of a SPARQL service.")
    return MirrorSettings.model_validate(told)


def add(root: Path, name: str, told: MirrorSettings) -> dict[str, Any]:
    """Note a mirror in `archive.toml`, after asking whether it answers; returns its state.

    Raises `BadInput` for a bad name, `Conflict` for one that is taken, `Unavailable`.
    """
    if _NAME.fullmatch(name) is None:
        raise BadInput(f"{name[:60]!r} is no name of a mirror.", hint="Use a-z, 0-9 and hyphens.")
    archive = Archive.open(root)
    if name in archive.settings.mirrors:
        raise Conflict(f"There is a mirror {name} already.", hint="See `rdfkms mirror status`.")
    revision = opened(name, told).state(NamedNode(archive.base.base)).revision
    path = archive.root / "archive.toml"
    lines = [f"{key} = {_toml(value)}" for key, value in told.model_dump().items() if value != ""]
    text = path.read_text(encoding="utf-8").rstrip("\n")
    changed = f"{text}\n\n[mirrors.{name}]\n" + "\n".join(lines) + "\n"
    settings.parse(changed, path)
    write_atomic(path, changed.encode())
    return {"name": name, "revision": revision}


def _toml(value: object) -> str:
    if isinstance(value, str):
        plain = value.replace("\\", "\\\\").replace('"', '\\"')
        if not plain.isprintable():
            raise BadInput("An address or name holds a character that cannot be printed.")
        return f'"{plain}"'
    return str(value)


def status(root: Path) -> list[dict[str, Any]]:
    """Return each mirror with its revision, how far it lags, its size, and what is wrong."""
    archive = Archive.open(root)
    with composition.reading(root) as app:
        revision = app.ledger.revision
        size = sum(1 for _ in app.ledger.store.match(None, None, None, app.base.public))
    rows = []
    for name, told in sorted(archive.settings.mirrors.items()):
        row: dict[str, Any] = {"name": name, "query_url": told.query_url, "revision": 0,
                               "behind": revision, "triples": 0, "fault": ""}  # fmt: skip
        try:
            mirror = opened(name, told)
            state = mirror.state(NamedNode(archive.base.base))
            row["revision"] = state.revision
            row["behind"] = revision - row["revision"]
            row["triples"] = mirror.count(archive.base.public)
            row["fault"] = _fault(row, revision, size) or _history(archive, state)
        except RdfkmsError as err:
            row["fault"] = str(err)
        rows.append({**row, "archive_triples": size})
    return rows


def _history(archive: Archive, state: MirrorState) -> str:
    """Return what is wrong where the mirror shows a revision of another history."""
    journal = Journal(archive.journal_path)
    try:
        mirrors.demand_same_history(journal, state)
    except Broken as err:
        return str(err)
    finally:
        journal.close()
    return ""


def _fault(row: dict[str, Any], revision: int, size: int) -> str:
    anew = "`rdfkms mirror rebuild` loads it anew."
    if row["revision"] == 0:
        return f"It holds nothing of this archive yet, or its loading was broken off. {anew}"
    if row["behind"] < 0:
        return f"It says that it is at revision {row['revision']}, beyond {revision}. {anew}"
    if row["behind"] == 0 and row["triples"] != size:
        return f"It has {row['triples']} triples where the archive has {size}. {anew}"
    return ""


def rebuild(root: Path, name: str, report: Report) -> dict[str, Any]:
    """Empty a mirror and load the present public graph; the service goes on feeding it after."""
    archive = Archive.open(root)
    mirror = opened(name, mirror_of(archive, name))
    journal = Journal(archive.journal_path)
    try:
        with _lock(archive, name, wait=60.0):
            with composition.reading_current(root) as app:
                entry = app.ledger.journal.entry(app.ledger.revision)
                total = mirrors.rebuild(app.ledger.store, app.base, entry, mirror, report)
            # What was committed since the snapshot that was read.
            revision = mirrors.feed(journal, archive.base, mirror)
    finally:
        journal.close()
    return {"name": name, "revision": revision, "triples": total}


def rebuild_all(root: Path, report: Report) -> dict[str, str]:
    """Load every mirror anew, as after an erasure; returns by name what failed, "" for nothing."""
    told = {}
    for name in sorted(Archive.open(root).settings.mirrors):
        try:
            rebuild(root, name, report)
            told[name] = ""
        except RdfkmsError as err:
            told[name] = f"{err} Until it is loaded anew it may show what was erased."
    return told


def feed(root: Path, name: str) -> dict[str, Any]:
    """Bring a mirror up to the journal's end, without a service; returns its revision."""
    archive = Archive.open(root)
    mirror = opened(name, mirror_of(archive, name))
    journal = Journal(archive.journal_path)
    try:
        with _lock(archive, name):
            return {"name": name, "revision": mirrors.feed(journal, archive.base, mirror)}
    finally:
        journal.close()


@contextmanager
def _lock(archive: Archive, name: str, wait: float = _LOCK_SECONDS) -> Iterator[None]:
    """Hold a mirror: two that feed it at once would lose each other's changes."""
    lock = FileLock(archive.root / f"mirror-{name}.lock", timeout=wait)
    try:
        lock.acquire()
    except Timeout as err:
        raise Conflict(
            f"Mirror {name} is being fed by another process.", hint="Try again later."
        ) from err
    try:
        yield
    finally:
        lock.release()


class Feeder:
    """A thread that keeps one mirror in step while the archive is served.

    What fails is said once on standard error and tried again, less and less often.
    """

    def __init__(self, app: composition.App, name: str, told: MirrorSettings) -> None:
        self._app = app
        self._name = name
        self._mirror = opened(name, told)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"mirror {name}", daemon=True)

    def start(self) -> None:
        """Begin to feed."""
        self._thread.start()

    def stop(self, patience: float = 10.0) -> None:
        """End after the request that is under way."""
        self._stop.set()
        self._thread.join(patience)

    def _run(self) -> None:
        fed, pause, told, seen = -1, PERIOD, "", 0.0
        while not self._stop.wait(pause):
            ledger = self._app.ledger
            # Now and then it is asked though nothing changed: somebody may have loaded it anew.
            if fed == ledger.revision and time.monotonic() - seen < LONGEST_PAUSE:
                continue
            try:
                with _lock(self._app.archive, self._name):
                    fed = self._fed()
                pause, told, seen = PERIOD, "", time.monotonic()
            except Exception as err:  # whatever it was, the thread must try again
                pause = min(pause * 2, LONGEST_PAUSE)
                if str(err) != told:
                    sys.stderr.write(f"rdfkms: mirror {self._name}: {err}\n")
                told = str(err)

    def _fed(self) -> int:
        ledger = self._app.ledger
        return mirrors.feed(ledger.journal, ledger.base, self._mirror)


def start(app: composition.App) -> list[Feeder]:
    """Return a running feeder for each mirror of the archive; one that cannot be opened is said."""
    feeders = []
    for name, told in sorted(app.settings.mirrors.items()):
        try:
            feeders.append(Feeder(app, name, told))
        except RdfkmsError as err:
            sys.stderr.write(f"rdfkms: mirror {name}: {err}\n")
    for feeder in feeders:
        feeder.start()
    return feeders
