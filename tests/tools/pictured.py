"""An archive of given page pictures, without texts: for what is said of pictures alone."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from pyoxigraph import Quad

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.knowledge import encoding
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.model import Access, Modality, Page, Principal, Record, Role, SourceFile
from rdfkms.settings import Settings
from rdfkms.vocab import key_of


@dataclass(frozen=True)
class Pictured:
    """Where a picture went: its record, its page, its SHA-256."""

    record: str
    page: str
    sha256: str


def png(picture: Image.Image) -> bytes:
    """Return the picture as PNG."""
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=1)
    return out.getvalue()


def archive_of(
    root: Path,
    pictures: Mapping[str, bytes],
    settings: Settings,
    closed: tuple[str, ...] = (),
    sizes: Mapping[str, tuple[int, int]] | None = None,
) -> dict[str, Pictured]:
    """Make an archive with a record of one page for each picture; those named are closed."""
    archive = Archive.create(root, settings)
    ledger = Ledger(archive, OxigraphStore(archive.store_path))
    made = {}
    quads: list[Quad] = []
    for name, data in pictures.items():
        sha256 = archive.keep(data)
        if sizes is not None and name in sizes:
            width, height = sizes[name]
        else:
            with Image.open(io.BytesIO(data)) as opened:
                width, height = opened.size
        page = Page(key_of("page", sha256, 1), sha256, 1, "1", width, height, sha256)
        source = SourceFile(sha256, f"{name}.png", "image/png", len(data))
        access = Access("closed") if name in closed else Access()
        record = Record(
            key_of("record", name), name, "plain", "en", access, Modality.DOCUMENT,
            (source,), (page,),
        )  # fmt: skip
        graph = ledger.base.internal if name in closed else ledger.base.public
        for triple in (
            *encoding.record_triples(record, ledger.base),
            *encoding.page_triples(page, ledger.base),
        ):
            quads.append(Quad(triple.subject, triple.predicate, triple.object, graph))
        made[name] = Pictured(record.key, page.key, sha256)
    ledger.commit(
        Change(Activity("ingest"), add=tuple(quads)), Principal("owner", Role.ADMINISTRATOR)
    )
    ledger.close()
    return made
