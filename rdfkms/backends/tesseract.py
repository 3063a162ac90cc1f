"""Tesseract through pytesseract: one call a page, TSV out, grey PNM in (R22)."""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from rdfkms.errors import Missing, Unavailable
from rdfkms.model import Box, Reading, Word

PSM = {"auto": 3, "block": 6, "vertical": 5}
_HINT = "Install it, e.g. `apt install tesseract-ocr tesseract-ocr-spa tesseract-ocr-fra`."


@dataclass
class Tesseract:
    """The engine; picklable. `spent` is the time inside the tesseract process at the last read."""

    timeout: int = 180
    name: str = "tesseract"
    spent: float = field(default=0.0, compare=False)

    @property
    def version(self) -> str:
        """The version of the installed program; raises `Missing` when there is none."""
        module = _pytesseract()
        try:
            return str(module.get_tesseract_version(cached=True)).splitlines()[0]
        except (module.TesseractNotFoundError, SystemExit) as err:
            raise Missing("The program tesseract is not installed.", hint=_HINT) from err

    def read(self, picture: NDArray[np.uint8], languages: str, layout: str) -> Reading:
        """Return the reading of a grey or RGB picture (see `ports.OcrEngine`)."""
        version = self.version
        parameters = f"-l {languages} --psm {PSM[layout]}"
        rows = self._rows(picture, languages, f"--psm {PSM[layout]}")
        text, words = assemble(rows, vertical=layout == "vertical")
        return Reading(text, words, self.name, version, parameters)

    def _rows(self, picture: NDArray[np.uint8], languages: str, config: str) -> list[list[str]]:
        module = _pytesseract()
        # One thread a page: pages run side by side, and OpenMP inside Tesseract only spins.
        os.environ.setdefault("OMP_THREAD_LIMIT", "1")
        with tempfile.TemporaryDirectory(prefix="rdfkms-ocr-") as folder:
            path = Path(folder) / "page.pnm"
            write_pnm(path, picture)
            started = time.perf_counter()
            try:
                data = module.image_to_data(
                    str(path), languages, config, output_type="bytes", timeout=self.timeout
                )
            except module.TesseractError as err:
                raise _refusal(str(err.message), languages) from err
            except RuntimeError as err:  # pytesseract's time-out
                raise Unavailable(
                    f"Tesseract did not finish within {self.timeout} s.",
                    hint="Raise reading.page_seconds in archive.toml, or scale the picture down.",
                ) from err
            finally:
                self.spent = time.perf_counter() - started
        lines = data.decode("utf-8", "replace").split("\n")
        return [row for line in lines[1:] if len(row := line.split("\t", 11)) == 12]


def _pytesseract() -> ModuleType:
    try:
        import pytesseract
    except ImportError as err:
        raise Missing("The package pytesseract is not installed.", hint=_HINT) from err
    module: ModuleType = pytesseract.pytesseract
    return module


def _refusal(message: str, languages: str) -> Missing | Unavailable:
    if "load" in message.lower() and "language" in message.lower():
        packs = " ".join(f"tesseract-ocr-{c.replace('_', '-')}" for c in languages.split("+"))
        return Missing(
            f"Tesseract has no data for one of the languages {languages}.",
            hint=f"Install it, e.g. `apt install {packs}`.",
        )
    return Unavailable(f"Tesseract failed: {message.strip()[:300]}")


def write_pnm(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write a grey (h, w) or RGB (h, w, 3) picture uncompressed: no time lost in PNG."""
    kind = b"P5" if picture.ndim == 2 else b"P6"
    head = kind + b"\n%d %d\n255\n" % (picture.shape[1], picture.shape[0])
    with path.open("wb") as out:
        out.write(head)
        out.write(np.ascontiguousarray(picture).data)


def assemble(rows: list[list[str]], *, vertical: bool) -> tuple[str, tuple[Word, ...]]:
    """Return text and words of TSV rows.

    Words are joined by a space, lines by a line break, Tesseract's paragraphs and blocks by two.
    A vertical page is glyph by glyph without spaces, columns from right to left.
    """
    found = [row for row in rows if row[0] == "5" and row[11].strip()]
    lines: dict[tuple[str, str, str], list[list[str]]] = {}
    for row in found:
        lines.setdefault((row[2], row[3], row[4]), []).append(row)
    if vertical:
        return _vertical(list(lines.values()))
    pieces: list[str] = []
    words: list[Word] = []
    at, before = 0, ("", "")
    for number, ((block, paragraph, _), members) in enumerate(lines.items()):
        if number:
            gap = "\n" if (block, paragraph) == before else "\n\n"
            pieces.append(gap)
            at += len(gap)
        before = (block, paragraph)
        for position, row in enumerate(members):
            if position:
                pieces.append(" ")
                at += 1
            text = row[11].strip()
            words.append(Word(at, at + len(text), _box(row), _confidence(row), number, int(block)))
            pieces.append(text)
            at += len(text)
    return "".join(pieces), tuple(words)


def _vertical(columns: list[list[list[str]]]) -> tuple[str, tuple[Word, ...]]:
    def right_edge(column: list[list[str]]) -> float:
        return -sum(int(r[6]) + int(r[8]) / 2 for r in column) / len(column)

    pieces: list[str] = []
    words: list[Word] = []
    at = 0
    for number, column in enumerate(sorted(columns, key=right_edge)):
        if number:
            pieces.append("\n")
            at += 1
        for row in sorted(column, key=lambda r: int(r[7])):
            glyphs = "".join(row[11].split())
            box = _box(row)
            for index, glyph in enumerate(glyphs):
                top = box.y + box.h * index // len(glyphs)
                bottom = box.y + box.h * (index + 1) // len(glyphs)
                part = Box(box.x, top, box.w, max(1, bottom - top))
                words.append(Word(at, at + 1, part, _confidence(row), number, int(row[2])))
                pieces.append(glyph)
                at += 1
    return "".join(pieces), tuple(words)


def _box(row: list[str]) -> Box:
    return Box(int(row[6]), int(row[7]), int(row[8]), int(row[9]))


def _confidence(row: list[str]) -> float:
    return round(min(max(float(row[10]), 0.0), 100.0) / 100, 4)
