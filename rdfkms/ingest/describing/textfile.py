"""Files of others as UTF-8: marks, declared encodings, and files that declare wrongly."""

from __future__ import annotations

import codecs
import mmap
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from rdfkms.errors import BadInput
from rdfkms.model import Fault

MOST_BYTES = 1_000_000_000
PIECE = 1 << 18
# Those of the names that Python knows which are encodings of documents, and no wrappings.
_ENCODINGS = frozenset(
    {
        "utf-8", "cp437", "cp850", "cp852", "cp866", "mac-roman", "koi8-r", "koi8-u", "tis-620",
        "big5", "big5hkscs", "gb2312", "gbk", "gb18030", "hz", "shift_jis", "cp932", "euc_jp",
        "iso2022_jp", "euc_kr", "cp949", "johab",
    }
)  # fmt: skip
_DECLARED = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")


@contextmanager
def as_utf8(path: Path, notes: list[Fault]) -> Iterator[mmap.mmap | bytes]:
    """Give the file as UTF-8 without a byte order mark.

    A file that is no UTF-8 although it says so, or says nothing, is read as Windows-1252, and
    `notes` tells its line. Raises `BadInput` for one that is empty, too large, or in an encoding
    that is not known.
    """
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise BadInput(
            f"{path.name} has {size:,} bytes; a description may have {MOST_BYTES:,}.",
            hint="Export it in several files.",
        )
    if size == 0:
        raise BadInput(f"{path.name} is empty.", hint="Export it again.")
    with path.open("rb") as handle:
        head = handle.read(1024)
        encoding = _encoding(path, head)
        handle.seek(0)
        wrong = _first_wrong(handle, encoding)
        if wrong is not None:
            notes.append(_misdeclared(path, wrong))
            encoding = "cp1252"
        if encoding == "utf-8" and not head.startswith(codecs.BOM_UTF8):
            with mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ) as data:
                yield data
            return
        with tempfile.TemporaryFile() as copy:
            handle.seek(0)
            _recode(path, handle, encoding, copy)
            copy.flush()
            if copy.tell() == 0:
                raise BadInput(f"{path.name} is empty.", hint="Export it again.")
            with mmap.mmap(copy.fileno(), 0, access=mmap.ACCESS_READ) as data:
                yield data


def _recode(path: Path, handle: Any, encoding: str, copy: Any) -> None:
    decoder = codecs.getincrementaldecoder(encoding)(
        "replace" if encoding == "cp1252" else "strict"
    )
    line, is_first, more = 1, True, True
    while more:
        piece = handle.read(PIECE)
        more = bool(piece)
        try:
            data = decoder.decode(piece, not more).encode()
        except UnicodeError as err:
            raise BadInput(
                f"{path.name}, line {line} or some lines below: the file says that it is "
                f"{encoding}, and is not.",
                hint="Save the file as UTF-8.",
            ) from err
        line += data.count(b"\n")
        copy.write(data.removeprefix(codecs.BOM_UTF8) if is_first else data)
        is_first = False


def _encoding(path: Path, head: bytes) -> str:
    for mark, name in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if head.startswith(mark):
            return name
    declared = _DECLARED.search(head)
    told = declared[1].decode("ascii").lower() if declared else "utf-8"
    with suppress(LookupError):
        name = codecs.lookup(told).name
        if name == "ascii":  # what goes beyond it is UTF-8 more often than not
            return "utf-8"
        if name in _ENCODINGS or name.startswith(("iso8859-", "cp125", "utf-16")):
            return name
    raise BadInput(
        f"{path.name}, line 1: the encoding {told!r} is not known here.",
        hint="Save the file as UTF-8.",
    )


def _first_wrong(handle: Any, encoding: str) -> int | None:
    """Return the line, from 1, of the first byte that is no UTF-8 although the file says so."""
    if encoding != "utf-8":
        return None
    decoder, line = codecs.getincrementaldecoder("utf-8")(), 1
    while piece := handle.read(PIECE):
        try:
            decoder.decode(piece)
        except UnicodeDecodeError as err:
            return line + err.object.count(b"\n", 0, err.start)
        line += piece.count(b"\n")
    try:
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return line
    return None


def _misdeclared(path: Path, line: int) -> Fault:
    return Fault(
        path.name,
        f"line {line}",
        "The file says that it is UTF-8, but it is not; it was read as Windows-1252.",
        "Look at its accents, and save it as UTF-8 where they are wrong.",
    )
