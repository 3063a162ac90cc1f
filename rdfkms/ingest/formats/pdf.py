"""PDF through pypdfium2: page pictures, and an existing text layer with its word boxes."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
from PIL import Image
from pypdfium2 import raw

from rdfkms.errors import BadInput, TooLarge
from rdfkms.ingest.formats.pictures import Picture, encode
from rdfkms.model import Box, Reading, Word
from rdfkms.settings import ReadingSettings

_POINTS = 72.0
_WHITE = " \t\r\n\x0b\x0c\x00\ufffe\uffff\u00a0"


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A rendered page, its text layer (None where there is none) and whether it is a scan."""

    picture: Picture
    layer: Reading | None
    scanned: bool


@contextmanager
def _document(path: Path) -> Iterator[Any]:
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as err:
        if "password" in str(err).lower():
            raise BadInput(
                "The PDF is encrypted.",
                hint="Save a copy without a password, e.g. `qpdf --decrypt in.pdf out.pdf`.",
            ) from err
        raise _damaged(str(err)) from err
    with closing(document):
        yield document


def count_pages(path: Path, limits: ReadingSettings) -> int:
    """Return the number of pages; `BadInput`/`TooLarge` with the reason."""
    with _document(path) as document:
        count = len(document)
    if count == 0:
        raise BadInput("The PDF has no pages.", hint="Export it again.")
    if count > limits.max_pages:
        raise TooLarge(
            f"The PDF has {count} pages, more than {limits.max_pages}.",
            hint="Split it, or raise reading.max_pages in archive.toml.",
        )
    return count


def read(path: Path, number: int, limits: ReadingSettings) -> PdfPage:
    """Return page `number` (from 1) at `pdf_dpi`; `BadInput`/`TooLarge` with the reason."""
    with _document(path) as document:
        try:
            with closing(document[number - 1]) as page:
                scale = _scale(page, limits)
                picture = _render(page, scale)
                layer = _layer(page, scale, picture.height)
                return PdfPage(picture, layer, layer is None or _is_scan(page))
        except (pypdfium2.PdfiumError, IndexError) as err:
            raise _damaged(str(err)) from err


def _scale(page: Any, limits: ReadingSettings) -> float:
    width, height = page.get_size()
    scale = limits.pdf_dpi / _POINTS
    if not (width > 0 and height > 0):
        raise BadInput(f"The page is {width:g} x {height:g} points.", hint="Export it again.")
    if width * height * scale * scale > limits.max_pixels:
        raise TooLarge(
            f"The page is {width:.0f} x {height:.0f} points: at {limits.pdf_dpi} dpi more than "
            f"{limits.max_pixels:,} pixels.",
            hint="Export it with a usual page size, or lower reading.pdf_dpi in archive.toml.",
        )
    return float(scale)


def _render(page: Any, scale: float) -> Picture:
    with closing(page.render(scale=scale, rev_byteorder=True, may_draw_forms=False)) as bitmap:
        image = bitmap.to_pil().convert("RGB")
    grey = image.convert("L")
    shown = grey if _colourless(image) else image
    return Picture(np.asarray(grey), image.width, image.height, encode(shown))


def _colourless(image: Image.Image) -> bool:
    small = np.asarray(image.resize((64, 64)), dtype=np.int16)
    return int((small.max(axis=2) - small.min(axis=2)).max()) < 12


def _is_scan(page: Any) -> bool:
    """Whether one image covers more than half of the page."""
    width, height = page.get_size()
    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=2):
        left, bottom, right, top = item.get_bounds()
        if (right - left) * (top - bottom) > 0.5 * width * height:
            return True
    return False


@dataclass(slots=True)
class _Word:
    glyphs: list[str]
    box: Box
    line: int = 0
    block: int = 0


def _layer(page: Any, scale: float, height: int) -> Reading | None:
    """Return the text layer as a reading; None when it holds fewer than three words."""
    with closing(page.get_textpage()) as textpage:
        words = _words(textpage, _Device(page, scale, height))
    if len(words) < 3:
        return None
    _number_lines(words)
    pieces: list[str] = []
    result: list[Word] = []
    at = 0
    for index, word in enumerate(words):
        if index:
            before = words[index - 1]
            apart = "\n" if before.block == word.block else "\n\n"
            gap = " " if before.line == word.line else apart
            pieces.append(gap)
            at += len(gap)
        text = "".join(word.glyphs)
        result.append(Word(at, at + len(text), word.box, None, word.line, word.block))
        pieces.append(text)
        at += len(text)
    version = str(pypdfium2.version.PDFIUM_INFO)
    return Reading("".join(pieces), tuple(result), "pdf-text-layer", version)


class _Device:
    """Turns page coordinates (points, origin at the foot) into pixels of the picture."""

    def __init__(self, page: Any, scale: float, height: int) -> None:
        width, _ = page.get_size()
        self._page, self._size = page, (round(width * scale), height)
        self._x, self._y = ctypes.c_int(), ctypes.c_int()

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """Return the pixel box; FPDF_PageToDevice knows rotation and crop box."""
        x0, y0 = self._point(left, top)
        x1, y1 = self._point(right, bottom)
        return Box(min(x0, x1), min(y0, y1), max(1, abs(x1 - x0)), max(1, abs(y1 - y0)))

    def _point(self, x: float, y: float) -> tuple[int, int]:
        width, height = self._size
        raw.FPDF_PageToDevice(self._page, 0, 0, width, height, 0, x, y, self._x, self._y)
        return self._x.value, self._y.value


def _words(textpage: Any, device: _Device) -> list[_Word]:
    words: list[_Word] = []
    fresh = True
    sides = [ctypes.c_double() for _ in range(4)]
    left, right, bottom, top = sides
    for index in range(textpage.count_chars()):
        code = raw.FPDFText_GetUnicode(textpage, index)
        glyph = chr(code) if 0 < code < 0xD800 or 0xDFFF < code <= 0x10FFFF else "\ufffd"
        if code in {0, 0xFFFE, 0xFFFF} or glyph in _WHITE or (code < 32 or 0x7F <= code < 0xA0):
            # pdfium gives U+0002 for a hyphen at a line's end
            if code in {2, 0xFFFE} and words and not fresh:
                words[-1].glyphs.append("-")
            fresh = True
            continue
        if not raw.FPDFText_GetCharBox(textpage, index, left, right, bottom, top):
            continue
        box = device.box(left.value, bottom.value, right.value, top.value)
        if fresh or not words:
            words.append(_Word([glyph], box))
        else:
            words[-1].glyphs.append(glyph)
            words[-1].box = words[-1].box.union(box)
        fresh = False
    return words


def _number_lines(words: list[_Word]) -> None:
    """Give line and block numbers: a word further right at the same height stays in the line."""
    for before, word in pairwise(words):
        middle = word.box.y + word.box.h / 2
        height = max(before.box.h, word.box.h)
        level = abs(middle - before.box.y - before.box.h / 2) < 0.6 * height
        gap = word.box.x - before.box.x - before.box.w
        same = level and -height < gap < 3 * height
        upwards = middle < before.box.y - height
        word.line = before.line if same else before.line + 1
        word.block = before.block + (0 if same or not upwards else 1)


def _damaged(reason: str) -> BadInput:
    return BadInput(
        f"The PDF is damaged: {reason.strip()[:200]}.",
        hint="Copy it again, or repair it, e.g. `qpdf in.pdf out.pdf`.",
    )
