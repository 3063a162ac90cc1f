"""One page in, a transcription and evidence units out (R26, R28, R35); pure, for a process pool.

A scan is read by the OCR engine; a PDF's existing text layer is kept as a version of its own, onto
which the units are aligned. A PDF page that is no scan has its exact text in that layer: units
are cut on it, and nothing is recognised.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rdfkms.errors import Misconfigured, Missing, RdfkmsError
from rdfkms.ingest import columns, language, profiles, segmentation, sniffing
from rdfkms.ingest.formats import pdf, pictures, text
from rdfkms.ingest.formats.pictures import Picture
from rdfkms.ingest.normalisation import normalise
from rdfkms.ingest.profiles import Profile
from rdfkms.ingest.segmentation import Span
from rdfkms.model import (
    Box,
    EvidenceUnit,
    Fault,
    Locator,
    Modality,
    Page,
    Reading,
    Record,
    SourceFile,
    TextVersion,
    UnitText,
    View,
    Word,
)
from rdfkms.ports import OcrEngine
from rdfkms.settings import ReadingSettings
from rdfkms.vocab import key_of

_STRAY = 0.1  # share of foreign words that an aligned stretch of another version may hold


@dataclass(frozen=True, slots=True)
class ReadJob:
    """One page to read: page `number` (from 1) of a file, shown to people as `label`."""

    record: Record
    path: Path
    source: SourceFile
    number: int
    label: str
    limits: ReadingSettings

    @property
    def page_key(self) -> str:
        """The key of the page that this job will give."""
        return key_of("page", self.source.sha256, self.number)


@dataclass(frozen=True, slots=True)
class PageResult:
    """What was read: `page` is None where the page could not be, and `faults` say why.

    `picture` are the bytes to keep for display, None where the source file itself is shown.
    """

    page: Page | None
    versions: tuple[TextVersion, ...] = ()
    units: tuple[EvidenceUnit, ...] = ()
    picture: bytes | None = None
    faults: tuple[Fault, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)


def read_source(job: ReadJob, engine: OcrEngine) -> PageResult:
    """Return what stands on one page.

    Bad input becomes a fault. Raises `Missing` and `Misconfigured`: they concern every page.
    """
    try:
        if job.source.media_type in (sniffing.TEXT, sniffing.MARKDOWN):
            return _read_text(job)
        return _read_picture(job, engine)
    except (Missing, Misconfigured):
        raise
    except RdfkmsError as err:
        return _refused(job, err.message, err.hint)
    except Exception as err:  # a decoder's surprise about one file must not stop the others
        what = f"It could not be read: {type(err).__name__}: {err}"
        return _refused(job, what[:300], "Open it with another program and save it again.")


def _refused(job: ReadJob, reason: str, hint: str) -> PageResult:
    return PageResult(None, faults=(Fault(job.source.name, f"page {job.number}", reason, hint),))


# ---- pictures ----------------------------------------------------------------------------------


def _read_picture(job: ReadJob, engine: OcrEngine) -> PageResult:
    profile = profiles.load(job.record.profile)
    clock = _Clock()
    picture, layer, scanned = _decode(job)
    clock.stop("decode")
    versions: list[tuple[TextVersion, Reading]] = []
    page = _page(job, picture)
    if scanned:
        reading = engine.read(picture.grey, profile.ocr_languages, profile.layout)
        spent = min(float(getattr(engine, "spent", 0.0)), clock.stop("ocr"))
        clock.move("ocr", "ocr engine", spent)
        if profile.layout == "auto":
            reading = columns.untangled(reading)
        versions.append((_version(page, reading, "ocr"), reading))
    if layer is not None:
        versions.append((_version(page, layer, "text_layer"), layer))
    base = versions[0][0]
    spans = segmentation.cut(base.text, base.words, profile)
    units = [
        _unit(job, page, base, profile, ordinal, span, [v for v, _ in versions[1:]])
        for ordinal, span in enumerate(spans, 1)
    ]
    clock.stop("cite")
    found = tuple(version for version, _ in versions)
    return PageResult(page, found, tuple(units), picture.display, (), clock.seconds)


def _decode(job: ReadJob) -> tuple[Picture, Reading | None, bool]:
    """Return the picture, an existing text layer, and whether the page must be recognised."""
    if job.source.media_type == sniffing.PDF:
        found = pdf.read(job.path, job.number, job.limits)
        return found.picture, found.layer, found.scanned
    return pictures.read(job.path, job.number, job.limits), None, True


def _page(job: ReadJob, picture: Picture) -> Page:
    shown = job.source.sha256 if picture.display is None else pictures.sha256(picture.display)
    return Page(
        key=job.page_key,
        source=job.source.sha256,
        sequence=job.number,
        label=job.label,
        width=picture.width,
        height=picture.height,
        picture=shown,
    )


def _version(page: Page, reading: Reading, origin: str) -> TextVersion:
    digest = key_of(reading.text)
    key = key_of(
        "version", page.key, origin, reading.engine, reading.version, reading.parameters, digest
    )
    return TextVersion(
        key, page.key, reading.text, reading.words, origin, reading.engine, reading.version
    )


def _unit(
    job: ReadJob,
    page: Page,
    version: TextVersion,
    profile: Profile,
    ordinal: int,
    span: Span,
    others: Sequence[TextVersion],
) -> EvidenceUnit:
    key = key_of("unit", job.source.sha256, job.number, ordinal, profile.segmentation_id)
    passage = version.text[span.start : span.end]
    tongue = _language(job, profile, passage)
    texts = unit_texts(key, version, span.start, span.end, tongue, markdown=False)
    for other in others:
        stretch = _aligned(other, span.boxes)
        if stretch is not None:
            texts += unit_texts(key, other, *stretch, tongue, markdown=False)
    places = tuple(Locator(page.key, box.fragment) for box in span.boxes)
    return _assembled(job, page, key, ordinal, span, tongue, texts, places)


def _aligned(version: TextVersion, boxes: Sequence[Box]) -> tuple[int, int] | None:
    """Return the stretch of another version that stands in the boxes, if it is one piece."""
    inside = [at for at, word in enumerate(version.words) if _lies_in(word, boxes)]
    if not inside:
        return None
    first, last = inside[0], inside[-1]
    stray = (last - first + 1) - len(inside)
    if stray > _STRAY * len(inside):
        return None
    return version.words[first].start, version.words[last].end


def _lies_in(word: Word, boxes: Sequence[Box]) -> bool:
    if word.box is None:
        return False
    x, y = word.box.x + word.box.w // 2, word.box.y + word.box.h // 2
    return any(b.x <= x < b.x + b.w and b.y <= y < b.y + b.h for b in boxes)


# ---- born-digital text -------------------------------------------------------------------------


def _read_text(job: ReadJob) -> PageResult:
    profile = profiles.load(job.record.profile)
    clock = _Clock()
    markdown = job.source.media_type == sniffing.MARKDOWN
    section = text.load(job.path, job.limits, markdown=markdown)[job.number - 1]
    clock.stop("decode")
    page = Page(
        key=job.page_key,
        source=job.source.sha256,
        sequence=job.number,
        label=job.label,
        heading=section.heading,
    )
    reading = Reading(section.text, (), "utf-8", "1")
    version = _version(page, reading, "born_digital")
    units = []
    for ordinal, span in enumerate(text.cut(section, profile, markdown=markdown), 1):
        key = key_of("unit", job.source.sha256, job.number, ordinal, profile.segmentation_id)
        passage = section.text[span.start : span.end]
        tongue = _language(job, profile, passage)
        texts = unit_texts(key, version, span.start, span.end, tongue, markdown=markdown)
        place = (Locator(page.key, f"char={span.start},{span.end}"),)
        units.append(_assembled(job, page, key, ordinal, span, tongue, texts, place))
    clock.stop("cite")
    return PageResult(page, (version,), tuple(units), None, (), clock.seconds)


# ---- units -------------------------------------------------------------------------------------


def _language(job: ReadJob, profile: Profile, passage: str) -> str:
    if job.record.language not in profile.languages:
        return job.record.language
    return language.recognise(passage, profile.languages)


def unit_texts(
    unit: str, version: TextVersion, start: int, end: int, tongue: str, *, markdown: bool
) -> tuple[UnitText, ...]:
    """Return the raw view and, where it reads otherwise, the normalised one."""
    raw = version.text[start:end]
    views = [(View.RAW, raw)]
    normal = normalise(raw, markdown=markdown)
    if normal != raw:
        views.append((View.NORMALISED, normal))
    return tuple(
        UnitText(
            key_of("text", unit, version.key, view.value),
            unit,
            version.key,
            view,
            passage,
            start,
            end,
            tongue,
        )
        for view, passage in views
    )


def _assembled(
    job: ReadJob,
    page: Page,
    key: str,
    ordinal: int,
    span: Span,
    tongue: str,
    texts: tuple[UnitText, ...],
    places: tuple[Locator, ...],
) -> EvidenceUnit:
    born_digital = page.picture is None
    return EvidenceUnit(
        key=key,
        record=job.record.key,
        source=job.source.sha256,
        page=page.key,
        ordinal=ordinal,
        modality=Modality.BORN_DIGITAL if born_digital else Modality.DOCUMENT,
        language=tongue,
        page_label=page.label,
        passage_number=ordinal,
        texts=texts,
        locators=places,
        flags=span.flags,
        section=span.section,
        juan=span.juan,
    )


class _Clock:
    """Seconds by stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._at = time.perf_counter()

    def stop(self, stage: str) -> float:
        """Count the time since the last stop to a stage; return it."""
        now = time.perf_counter()
        spent, self._at = now - self._at, now
        self.seconds[stage] = self.seconds.get(stage, 0.0) + spent
        return spent

    def move(self, source: str, target: str, seconds: float) -> None:
        """Count seconds of one stage to another."""
        self.seconds[source] -= seconds
        self.seconds[target] = self.seconds.get(target, 0.0) + seconds
