"""Reads the file that replaces a page: a better scan, a newer text, a corrected transcription."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace
from pathlib import Path

from rdfkms.app import engines
from rdfkms.app.composition import App
from rdfkms.errors import BadInput, NotFound
from rdfkms.ingest import profiles, sniffing, wordsfile
from rdfkms.ingest.aligning import boxed
from rdfkms.ingest.formats import pdf, pictures, text
from rdfkms.ingest.reading import PageResult, ReadJob, read_source
from rdfkms.ingest.segmentation import Span
from rdfkms.knowledge import decoding
from rdfkms.model import Box, EvidenceUnit, Page, Record, SourceFile, TextVersion, Word
from rdfkms.publish.sources import box_of
from rdfkms.review import replacing
from rdfkms.review.replacing import Newer
from rdfkms.vocab import key_of

_TEXTS = (sniffing.TEXT, sniffing.MARKDOWN)


def newer(app: App, record: Record, page: Page, path: Path) -> tuple[Newer, tuple[bytes, ...]]:
    """Return what was read of the file, and what is to be kept beside it: words and picture.

    Nothing is kept yet. Raises `NotFound`, `BadInput` for
    a file that cannot be read or has not exactly one page.
    """
    if not path.is_file():
        raise NotFound(f"There is no file {path}.")
    data = path.read_bytes()
    if not data:
        raise BadInput(f"{path} is empty.")
    if len(data) > app.settings.reading.max_file_bytes:
        raise BadInput(f"{path} has {len(data):,} bytes, more than allowed.")
    kind = sniffing.sniff(path)
    if kind not in sniffing.READABLE:
        raise BadInput(f"Files of type {kind} are not read.", hint="Give a picture, PDF or text.")
    name = "".join(c if c.isprintable() else "\ufffd" for c in path.name)
    file = SourceFile(_digest(data), name, kind, len(data))
    _demand_one_page(app, path, kind)
    if kind in _TEXTS and page.picture is not None:
        return _transcription(app, record, page, path, file)
    job = ReadJob(record, path, file, 1, page.label, app.settings.reading)
    return _copy(app, job)


def _demand_one_page(app: App, path: Path, kind: str) -> None:
    limits = app.settings.reading
    if kind == sniffing.PDF:
        pages = pdf.count_pages(path, limits)
    elif kind in sniffing.PICTURES:
        pages = pictures.count_frames(path, limits)
    else:
        pages = len(text.load(path, limits, markdown=kind == sniffing.MARKDOWN))
    if pages != 1:
        raise BadInput(
            f"{path} has {pages} pages or sections; a page is replaced by one.",
            hint="Give each page a file of its own.",
        )


def _copy(app: App, job: ReadJob) -> tuple[Newer, tuple[bytes, ...]]:
    """Read a scan or a born-digital text as ingest does."""
    result: PageResult = read_source(job, engines.ToolMaker(app.settings, False)().engines.ocr)
    if result.page is None or not result.versions:
        fault = result.faults[0]
        raise BadInput(f"{job.path} cannot be read: {fault.reason}", hint=fault.hint)
    version = result.versions[0]
    words = wordsfile.dump(version)
    passages = tuple(_span(unit) for unit in result.units)
    found = Newer(job.source, result.page, version, passages, _digest(words))
    return found, (words, *([result.picture] if result.picture is not None else []))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _span(unit: EvidenceUnit) -> Span:
    boxes = tuple(box for place in unit.locators if (box := box_of(place.fragment)) is not None)
    return Span(unit.raw.start, unit.raw.end, boxes, unit.flags, unit.section, unit.juan)


def _transcription(
    app: App, record: Record, page: Page, path: Path, file: SourceFile
) -> tuple[Newer, tuple[bytes, ...]]:
    """Read a corrected transcription; its words have the boxes of those that they correct."""
    profile = profiles.load(record.profile)
    markdown = file.media_type == sniffing.MARKDOWN
    section = text.load(path, app.settings.reading, markdown=markdown)[0]
    units = replacing.units_of_page(app.desk, record.key, page)
    known = Counter(unit.raw.version for unit in units).most_common(1)
    if not known:
        raise BadInput("The page has no passages that could be transcribed anew.")
    store, base = app.ledger.store, app.base
    old = decoding.version(store, base, known[0][0], app.archive.read)
    words = boxed(old.text, old.words, section.text)
    key = key_of("version", page.key, "corrected", "person", file.sha256, key_of(section.text))
    version = TextVersion(
        key, page.key, section.text, words, "corrected", "person", "1", derived_from=old.key
    )
    spans = text.cut(section, profile, markdown=markdown)
    dumped = wordsfile.dump(version)
    passages = tuple(_framed(span, words) for span in spans)
    return Newer(file, None, version, passages, _digest(dumped)), (dumped,)


def _framed(span: Span, words: tuple[Word, ...]) -> Span:
    frame: Box | None = None
    for word in words:
        if word.box is not None and span.start <= word.start < span.end:
            frame = word.box if frame is None else frame.union(word.box)
    return replace(span, boxes=(frame,) if frame is not None else ())
