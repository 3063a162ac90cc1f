"""Named releases: kept snapshots with their search indexes, citable for ever (DESIGN 5, R80).

A release is a folder ``releases/<name>/``: ``store/``, ``indexes/`` and ``manifest.json``, which
says what it holds and the SHA-256 of its public statements. It is never pruned or written over;
only an erasure by law makes one anew, and the manifest says so.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from pyoxigraph import Quad

import rdfkms
from rdfkms.access import demand
from rdfkms.errors import BadInput, Broken, Conflict, NotFound
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.changes import to_lines
from rdfkms.ledger.disk import guard, sync_folder, temporary, write_atomic
from rdfkms.ledger.ledger import Ledger
from rdfkms.ledger.work import now
from rdfkms.model import Principal, Role
from rdfkms.ports import TripleStore
from rdfkms.vocab import KMS, RICO, TYPE, Base

NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,39}")
LONGEST_NOTE = 2_000
_COUNTED = {
    "records": RICO("Record"),
    "passages": KMS("EvidenceUnit"),
    "claims": KMS("Claim"),
}

NEW, OLD = ".NEW", ".OLD"  # no names of releases: capitals

OpenStore = Callable[[Path], TripleStore]


@dataclass(frozen=True, slots=True)
class Release:
    """What a release says of itself; `erased` is the day on which something was taken out."""

    name: str
    revision: int
    time: str
    principal: str
    note: str
    title: str
    base: str
    version: str
    sha256: str
    counts: dict[str, int]
    erased: str = ""


def folder(archive: Archive, name: str) -> Path:
    """Return the folder of a release; raises `BadInput` for what is no name."""
    if NAME.fullmatch(name) is None:
        raise BadInput(
            f"{name[:60]!r} is no name of a release.",
            hint="Use 1 to 40 small letters, digits, points and hyphens: 2026-03 or v1.0",
        )
    return archive.releases / name


def listing(archive: Archive) -> list[Release]:
    """Return the releases, the oldest first; one whose manifest is damaged raises `Broken`."""
    if not archive.releases.is_dir():
        return []
    names = [p.name for p in archive.releases.iterdir() if NAME.fullmatch(p.name)]
    found = [release(archive, name) for name in names]
    return sorted(found, key=lambda r: (r.revision, r.time, r.name))


def release(archive: Archive, name: str) -> Release:
    """Return one release; raises `NotFound`, or `Broken` for a damaged manifest."""
    path = folder(archive, name) / "manifest.json"
    try:
        return Release(**json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError as err:
        raise NotFound(f"There is no release {name}.", hint="See `rdfkms release list`.") from err
    except (OSError, ValueError, TypeError) as err:
        raise Broken(f"{path} is damaged: {err}.", hint="Restore it from a backup.") from err


def create(
    ledger: Ledger,
    name: str,
    principal: Principal,
    open_store: OpenStore,
    update_indexes: Callable[[], object],
    note: str = "",
) -> Release:
    """Keep the archive as it is under a name; returns the release.

    `open_store` opens a store to read only; `update_indexes` brings the search indexes in step.
    Raises `Conflict` where the name is taken, `Denied` below reviewer, `BadInput` for a bad name.
    """
    demand(principal, Role.REVIEWER, "make releases")
    archive, target = ledger.archive, folder(ledger.archive, name)
    if len(note) > LONGEST_NOTE:
        raise BadInput(f"A note may have {LONGEST_NOTE} characters; this has {len(note)}.")
    if target.exists():
        raise Conflict(f"There is a release {name} already.", hint="A release is never replaced.")
    with guard(target, "making a release"):
        archive.releases.mkdir(exist_ok=True)
        draft = temporary(archive.releases)
        draft.mkdir()
        try:
            with ledger.frozen() as revision:
                update_indexes()
                ledger.store.snapshot(draft / "store")
                # Tiles, harvests and dumps are made again from what is public then.
                shutil.copytree(archive.indexes / "search", draft / "indexes" / "search")
            store = open_store(draft / "store")
            try:
                sha256, counts = described(store, archive.base)
            finally:
                store.close()
            made = Release(
                name, revision, now(), principal.id, note, archive.settings.title,
                archive.base.base, rdfkms.__version__, sha256, counts,
            )  # fmt: skip
            _write(draft, made)
            if target.exists():
                raise Conflict(f"There is a release {name} already.")
            draft.rename(target)
            sync_folder(archive.releases)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return made


def described(store: TripleStore, base: Base) -> tuple[str, dict[str, int]]:
    """Return the SHA-256 of the public statements as sorted N-Quads lines, and counts of them."""
    lines = sorted(to_lines([quad]) for quad in store.match(None, None, None, base.public))
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line)
    counts = {"statements": len(lines)}
    for name, kind in _COUNTED.items():
        counts[name] = sum(1 for _ in store.match(None, TYPE, kind, base.public))
    return digest.hexdigest(), counts


def without(
    archive: Archive,
    name: str,
    is_gone: Callable[[Quad], bool],
    open_store: OpenStore,
    make_store: OpenStore,
    make_indexes: Callable[[TripleStore, Path], object],
    day: str,
) -> bool:
    """Make a release anew without some quads, as a law may demand; returns whether it had any.

    Its manifest then tells the day and another SHA-256. Its old files are gone when this returns.
    """
    place, known = folder(archive, name), release(archive, name)
    old = open_store(place / "store")
    try:
        if not any(is_gone(quad) for quad in old.match()):
            return False
        draft = temporary(archive.releases)
        draft.mkdir()
        lines = draft / "quads.nq"
        with lines.open("wb") as out:
            for quad in old.match():
                if not is_gone(quad):
                    out.write(to_lines([quad]))
    finally:
        old.close()
    try:
        _rebuilt(archive, draft, known, make_store, make_indexes, day)
        lines.unlink()
        fresh, gone = (archive.releases / f"{name}{end}" for end in (NEW, OLD))
        draft.rename(fresh)
        place.rename(gone)
        fresh.rename(place)
        sync_folder(archive.releases)
        shutil.rmtree(gone)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return True


def _rebuilt(
    archive: Archive,
    draft: Path,
    known: Release,
    make_store: OpenStore,
    make_indexes: Callable[[TripleStore, Path], object],
    day: str,
) -> None:
    store = make_store(draft / "store")
    try:
        store.bulk([draft / "quads.nq"])
        sha256, counts = described(store, archive.base)
        make_indexes(store, draft / "indexes" / "search")
    finally:
        store.close()
    _write(draft, replace(known, sha256=sha256, counts=counts, erased=day))


def _write(place: Path, made: Release) -> None:
    data = json.dumps(asdict(made), ensure_ascii=False, indent=2) + "\n"
    write_atomic(place / "manifest.json", data.encode())


def tidy(archive: Archive) -> None:
    """Finish what a killed erasure left half done. Only for the holder of the archive's lock."""
    for fresh in archive.releases.glob(f"*{NEW}"):
        place = fresh.with_name(fresh.name.removesuffix(NEW))
        if place.exists():
            shutil.rmtree(fresh, ignore_errors=True)
        else:
            fresh.rename(place)
    for rest in (*archive.releases.glob(f"*{OLD}"), *archive.releases.glob(".tmp-*")):
        shutil.rmtree(rest, ignore_errors=True)


def copy(source: Path, target: Path) -> None:
    """Copy the releases of an archive folder into another, whole ones only."""
    if (source / "releases").is_dir():
        shutil.copytree(source / "releases", target / "releases", ignore=_drafts)


def _drafts(_folder: str, names: Iterable[str]) -> set[str]:
    return {name for name in names if name.startswith(".tmp-") or name.endswith((NEW, OLD))}
