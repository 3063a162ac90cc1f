"""Dumps of what is public: N-Quads with sorted lines, or TriG, compressed by zstd as they come.

The lines of N-Quads are sorted by their bytes, so that the SHA-256 of what is compressed is that
of a release's manifest.
"""

from __future__ import annotations

import heapq
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from typing import IO

import zstandard
from pyoxigraph import Quad, RdfFormat, serialize

from rdfkms.errors import BadInput
from rdfkms.ledger.changes import to_lines
from rdfkms.ports import QuadReader
from rdfkms.publish.dcat.annotating import Keep, reifications
from rdfkms.publish.dcat.description import ANNOTATED, FORMS, DumpKind
from rdfkms.vocab import KMS, PREFIXES, RICO, TYPE, Base

LATEST = "latest"
_LEVEL = 10  # small files; a dump is made once and fetched often
_CHUNK = 400_000  # lines sorted in memory at a time
# What is closed or withdrawn with a source: where one of these is public no more, a release is
# told only as far as it still is.
_OF_SOURCES = (
    RICO("Record"), RICO("RecordSet"), RICO("Instantiation"), KMS("EvidenceUnit"),
)  # fmt: skip


def kind_of(extension: str) -> DumpKind:
    """Return the form of an extension; raises `BadInput`."""
    found = next((kind for kind in FORMS if kind.extension == extension), None)
    if found is None:
        known = ", ".join(kind.extension for kind in FORMS)
        raise BadInput(f"There is no dump in the form '{extension[:20]}'.", hint=f"Known: {known}.")
    return found


def still_public(kept: QuadReader, now: QuadReader, base: Base) -> Keep | None:
    """Return which statements of a release may still be told; None means all.

    A release keeps what was corrected since; but once a source of it was withdrawn or closed, only
    what is public today leaves it.
    """
    for kind in _OF_SOURCES:
        for quad in kept.match(None, TYPE, kind, base.public):
            if not now.contains(quad):
                return now.contains
    return None


def write(store: QuadReader, base: Base, kind: DumpKind, out: IO[bytes], keep: Keep | None) -> int:
    """Write the public statements of a store; returns how many there were.

    In the annotated form each statement that a claim makes is followed by that claim.
    """
    count = 0

    def counted() -> Iterator[Quad]:
        nonlocal count
        for quad in store.match(None, None, None, base.public):
            if keep is None or keep(quad):
                count += 1
                yield quad

    packer = zstandard.ZstdCompressor(level=_LEVEL)
    with packer.stream_writer(out, closefd=False) as packed:
        if kind.rdf is RdfFormat.TRIG:
            told = counted()
            if kind is ANNOTATED:
                told = chain(told, reifications(store, base, keep))
            serialize(told, packed, format=kind.rdf, prefixes=dict(PREFIXES))
        else:
            for line in _sorted(counted()):
                packed.write(line)
    return count


def _sorted(quads: Iterable[Quad]) -> Iterator[bytes]:
    """Yield the quads as sorted lines, holding no more than a chunk of them in memory."""
    lines = (to_lines([quad]) for quad in quads)
    first = sorted(islice(lines, _CHUNK))
    if len(first) < _CHUNK:
        yield from first
        return
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        parts: list[IO[bytes]] = []
        while first:
            path = Path(folder) / str(len(parts))
            with path.open("wb") as part:
                part.writelines(first)
            parts.append(stack.enter_context(path.open("rb")))
            first = sorted(islice(lines, _CHUNK))
        yield from heapq.merge(*parts)
