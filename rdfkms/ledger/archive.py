"""An archive is a folder (DESIGN 5): plain paths, and files kept under their SHA-256.

``archive.toml, files/<ab>/<sha256>, journal.sqlite, work.sqlite, store/, snapshots/, indexes/,
releases/``.
Journal and files are the truth; store and indexes can be made again from them.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rdfkms import settings as settings_module
from rdfkms.errors import BadInput, Broken, Conflict, NotFound
from rdfkms.ledger.disk import guard, sync_folder, temporary, write_atomic
from rdfkms.settings import Settings
from rdfkms.vocab import Base, key_of

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive folder with its settings and the base of its IRIs."""

    root: Path
    settings: Settings
    base: Base

    @classmethod
    def create(cls, root: Path, settings: Settings) -> Archive:
        """Make a new archive folder with its `archive.toml`; `Conflict` where it is not empty."""
        root = root.absolute()
        with guard(root, "making the archive"):
            root.mkdir(parents=True, exist_ok=True)
            if any(root.iterdir()):
                raise Conflict(
                    f"{root} is not empty.", hint="Name a new folder, or open the archive in it."
                )
            for name in ("files", "snapshots", "indexes"):
                (root / name).mkdir()
            write_atomic(root / "archive.toml", _toml(settings).encode())
        return cls(root, settings, Base(settings.base))

    @classmethod
    def open(cls, root: Path) -> Archive:
        """Return the archive in `root`; `NotFound` where there is none."""
        root = root.absolute()
        path = root / "archive.toml"
        if not path.is_file():
            raise NotFound(
                f"{root} holds no archive (archive.toml is missing).",
                hint=f"Make one with: rdfkms init --archive {root}",
            )
        settings = settings_module.load(path)
        return cls(root, settings, Base(settings.base))

    @property
    def files(self) -> Path:
        """Folder of the files kept under their SHA-256."""
        return self.root / "files"

    @property
    def journal_path(self) -> Path:
        """The journal: the truth about every change."""
        return self.root / "journal.sqlite"

    @property
    def work_path(self) -> Path:
        """Rows about candidates, runs, tokens."""
        return self.root / "work.sqlite"

    @property
    def store_path(self) -> Path:
        """Folder of the quad store."""
        return self.root / "store"

    @property
    def snapshots(self) -> Path:
        """Folder of the read-only copies of the store."""
        return self.root / "snapshots"

    @property
    def releases(self) -> Path:
        """Folder of the named releases; made with the first of them."""
        return self.root / "releases"

    @property
    def indexes(self) -> Path:
        """Folder of the full-text and vector indexes."""
        return self.root / "indexes"

    @property
    def tiles(self) -> Path:
        """Folder of the pyramids of page pictures; made with the first of them."""
        return self.indexes / "tiles"

    @property
    def secret(self) -> str:
        """What only this archive knows, made when first asked for; keys of persons' runs hold it.

        Lost with the file, it is made anew: keys that were given before stay what they are.
        """
        path = self.root / "secret"
        if not path.is_file():
            with guard(path, "writing the archive's secret"):
                write_atomic(path, secrets.token_hex(32).encode(), 0o600)
        return path.read_text(encoding="ascii")

    def persons_key(self, *parts: str | int) -> str:
        """Return a key of what a person did that nobody finds by guessing the person (ADR 0006)."""
        return key_of(*parts, self.secret)

    def path_of(self, sha256: str) -> Path:
        """Return where the file with this SHA-256 lies, whether it is there or not."""
        return self.files / sha256[:2] / sha256

    def keep(self, data: bytes | Path) -> str:
        """Keep bytes or a copy of a file; returns its SHA-256. The same content twice is one file.

        Durable when this returns. Raises `Broken` on a full disk, `BadInput` for a source that
        cannot be read or that changes meanwhile.
        """
        digest = _digest_of(data)
        target = self.path_of(digest)
        size = len(data) if isinstance(data, bytes) else data.stat().st_size
        if target.is_file() and target.stat().st_size == size:
            return digest
        with guard(target, "keeping a file"):
            target.parent.mkdir(parents=True, exist_ok=True)
            draft = temporary(target.parent)
            try:
                written = _write(draft, data)
                if written != digest:
                    raise BadInput(f"{data!s} changed while it was read.", hint="Ingest it again.")
                draft.chmod(0o444)
                draft.rename(target)
                sync_folder(target.parent)
            finally:
                draft.unlink(missing_ok=True)
        return digest

    def read(self, sha256: str) -> bytes:
        """Return the bytes of a kept file; `NotFound`, or `Broken` where the content differs."""
        path = self.path_of(sha256)
        try:
            data = path.read_bytes()
        except FileNotFoundError as err:
            raise NotFound(f"No file {sha256} is kept in {self.files}.") from err
        if hashlib.sha256(data).hexdigest() != sha256:
            raise Broken(
                f"{path} is damaged: its content does not have the SHA-256 in its name.",
                hint="Put it back from a backup.",
            )
        return data

    def tidy(self) -> None:
        """Clear what a killed process left behind. Only for the holder of the archive's lock."""
        old = self.root / "store.old"
        if old.is_dir() and not self.store_path.exists():
            old.rename(self.store_path)
        for folder in (old, self.root / "store.new"):
            shutil.rmtree(folder, ignore_errors=True)
        for folder in (self.root, *(p for p in self.files.iterdir() if p.is_dir())):
            for draft in folder.glob(".tmp-*"):
                draft.unlink(missing_ok=True)
        for draft in self.tiles.glob("*/.tmp-*"):
            draft.unlink(missing_ok=True)
        for draft in self.snapshots.glob(".tmp-*"):
            shutil.rmtree(draft, ignore_errors=True)


def _digest_of(data: bytes | Path) -> str:
    if isinstance(data, bytes):
        return hashlib.sha256(data).hexdigest()
    try:
        with data.open("rb") as source:
            return hashlib.file_digest(source, "sha256").hexdigest()
    except OSError as err:
        raise BadInput(f"{data} cannot be read: {err.strerror}.") from err


def _write(draft: Path, data: bytes | Path) -> str:
    """Write and sync a draft; returns the SHA-256 of what was written."""
    digest = hashlib.sha256()
    with draft.open("xb") as out:
        if isinstance(data, bytes):
            digest.update(data)
            out.write(data)
        else:
            with data.open("rb") as source:
                while chunk := source.read(_CHUNK):
                    digest.update(chunk)
                    out.write(chunk)
        out.flush()
        os.fsync(out.fileno())
    return digest.hexdigest()


def _toml(settings: Settings) -> str:
    """Return the settings as TOML: title and base always, others where they differ."""
    values: dict[str, Any] = settings.model_dump(mode="json", exclude_defaults=True)
    values = {"title": settings.title, "base": settings.base, **values}
    plain = [f"{k} = {_literal(v)}" for k, v in values.items() if not isinstance(v, dict)]
    for name, section in values.items():
        if isinstance(section, dict):
            plain += ["", f"[{name}]", *(f"{k} = {_literal(v)}" for k, v in section.items())]
    return "\n".join(plain) + "\n"


def _literal(value: str | int | float | bool | dict[str, Any]) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_literal(k)} = {_literal(v)}" for k, v in value.items()) + "}"
    # JSON strings are TOML basic strings, except that TOML wants DEL escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
