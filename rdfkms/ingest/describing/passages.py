"""Stretches of a description file as evidence units, in sections that are committed one by one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rdfkms.model import (
    EvidenceUnit,
    Locator,
    Modality,
    Page,
    SourceFile,
    Stretch,
    TextVersion,
    UnitText,
    View,
)
from rdfkms.vocab import key_of

# A section is what one commit takes in: enough to write quickly, little to do again after a crash.
STRETCHES, CHARACTERS = 60, 200_000
ENGINE, ENGINE_VERSION = "markup", "1"


@dataclass(frozen=True, slots=True)
class Section:
    """Some stretches that follow each other: as page, reading and units, in the same order."""

    page: Page
    version: TextVersion
    units: tuple[EvidenceUnit, ...]
    stretches: tuple[Stretch, ...]


def sections(
    stretches: Iterable[Stretch], source: SourceFile, record: str, language: str
) -> Iterator[Section]:
    """Yield the sections of a file; the same file always gives the same ones.

    A unit is named by the record, by what it is about and by its words, so that a stretch that a
    newer file leaves as it was stays the same unit. `language` is used where a stretch has none.
    """
    for number, some in enumerate(_grouped(stretches), 1):
        yield _section(some, number, source, record, language)


def _grouped(stretches: Iterable[Stretch]) -> Iterator[list[Stretch]]:
    some: list[Stretch] = []
    size = 0
    for stretch in stretches:
        some.append(stretch)
        size += len(stretch.raw)
        if len(some) >= STRETCHES or size >= CHARACTERS:
            yield some
            some, size = [], 0
    if some:
        yield some


def _section(
    some: Sequence[Stretch], number: int, source: SourceFile, record: str, language: str
) -> Section:
    last = max(_last_line(stretch) for stretch in some)
    label = f"{some[0].line}–{last}"
    page = Page(key_of("page", source.sha256, number), source.sha256, number, label)
    version = TextVersion(
        key_of("version", page.key, ENGINE, ENGINE_VERSION),
        page.key,
        "".join(stretch.raw for stretch in some),
        (),
        "born_digital",
        ENGINE,
        ENGINE_VERSION,
    )
    units: dict[str, EvidenceUnit] = {}
    kept: list[Stretch] = []
    at = 0
    for ordinal, stretch in enumerate(some, 1):
        unit = _unit(stretch, ordinal, at, page, version, source, record, language)
        at += len(stretch.raw)
        if unit.key not in units:  # a piece repeated word for word says nothing more
            units[unit.key] = unit
            kept.append(stretch)
    return Section(page, version, tuple(units.values()), tuple(kept))


def _last_line(stretch: Stretch) -> int:
    return stretch.line + stretch.raw.count("\n")


def _unit(
    stretch: Stretch,
    ordinal: int,
    at: int,
    page: Page,
    version: TextVersion,
    source: SourceFile,
    record: str,
    language: str,
) -> EvidenceUnit:
    name = stretch.element.rpartition("/")[2].partition("[")[0]
    words = hashlib.sha256(stretch.raw.encode()).hexdigest()
    key = key_of("unit", "described", record, *stretch.about.identity, name, words)
    tongue = stretch.language or language
    end = at + len(stretch.raw)
    # An element without words is shown by its tag.
    views = [(View.RAW, stretch.raw), (View.NORMALISED, stretch.text or stretch.raw)]
    texts = tuple(
        UnitText(
            key_of("text", key, version.key, view.value), key, version.key, view, text, at, end,
            tongue,
        )
        for view, text in views
    )  # fmt: skip
    place = Locator(page.key, f"line={stretch.line},{_last_line(stretch)}")
    return EvidenceUnit(
        key, record, source.sha256, page.key, ordinal, Modality.DESCRIPTION, tongue, page.label,
        ordinal, texts, (place,), (), stretch.element,
    )  # fmt: skip
