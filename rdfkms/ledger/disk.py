"""Durable small writes, and sentences for what disks do wrong."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from rdfkms.errors import Broken

_FULL = {errno.ENOSPC, errno.EDQUOT}
_REFUSED = {errno.EROFS, errno.EACCES, errno.EPERM}


@contextmanager
def guard(path: Path, doing: str) -> Iterator[None]:
    """Turn failures of the disk into `Broken`; `doing` completes "while ..."."""
    try:
        yield
    except OSError as err:
        if err.errno in _FULL:
            raise full(path, doing) from err
        if err.errno in _REFUSED:
            raise Broken(
                f"{path} may not be written while {doing}: {err.strerror}.",
                hint="Check owner and permissions of the archive folder.",
            ) from err
        raise Broken(f"{path} failed while {doing}: {err}.", hint="Check the disk.") from err
    except sqlite3.Error as err:
        if "full" in str(err).lower():
            raise full(path, doing) from err
        raise Broken(
            f"{path} failed while {doing}: {err}.",
            hint="Check the disk, then open the archive again or restore a backup.",
        ) from err


def full(path: Path, doing: str) -> Broken:
    """Return the error that says that the disk of `path` is full."""
    return Broken(
        f"No space is left on the disk of {path} while {doing}.",
        hint="Free some space and open the archive again; nothing that was committed is lost.",
    )


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def temporary(folder: Path) -> Path:
    """Return a free name in `folder` for a file that is being written."""
    return folder / f".tmp-{os.getpid()}-{uuid4().hex}"


def write_atomic(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write the whole file or nothing, durable when this returns."""
    draft = temporary(path.parent)
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        draft.rename(path)
        sync_folder(path.parent)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def link_or_copy(source: Path, target: Path) -> None:
    """Make `target` a hard link to `source`, or a copy where the file system is another one."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
