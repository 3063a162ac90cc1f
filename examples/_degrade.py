"""Ageing of a clean page: fading, bleed-through, blur, skew, specks; always the same."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageFilter, ImageOps


@dataclass(frozen=True)
class Wear:
    """How much a page has suffered."""

    ink: float
    uneven: float
    bleed: float
    blur: float
    skew: float
    specks: int


LEVELS = (
    Wear(0.92, 0.05, 0.00, 0.35, 0.15, 10),
    Wear(0.80, 0.12, 0.06, 0.55, 0.35, 25),
    Wear(0.68, 0.20, 0.10, 0.70, 0.55, 40),
    Wear(0.56, 0.28, 0.14, 0.85, 0.75, 60),
    Wear(0.46, 0.36, 0.16, 1.00, 0.95, 80),
)
GREYS = 16


def _clouds(rng: np.random.Generator, size: tuple[int, int], cell: int) -> np.ndarray:
    width, height = size
    small = rng.random((height // cell + 2, width // cell + 2)) * 255
    image = Image.fromarray(small.astype(np.uint8)).resize(size, Image.Resampling.BICUBIC)
    return np.asarray(image, dtype=np.float32) / 255.0


def _specks(rng: np.random.Generator, sheet: np.ndarray, count: int) -> None:
    height, width = sheet.shape
    for _ in range(count):
        y, x = int(rng.integers(2, height - 4)), int(rng.integers(2, width - 4))
        side = int(rng.integers(1, 4))
        sheet[y : y + side, x : x + side] -= float(rng.integers(30, 110))


def age(page: Image.Image, back: Image.Image | None, level: int, name: str) -> Image.Image:
    """Give the worn picture of a clean one; ``name`` seeds what is random."""
    wear = LEVELS[level]
    rng = np.random.default_rng(zlib.crc32(name.encode("utf-8")))
    skew = wear.skew * (1 if rng.random() < 0.5 else -1)
    turned = page.rotate(skew, Image.Resampling.BICUBIC, fillcolor=255)
    turned = turned.filter(ImageFilter.GaussianBlur(wear.blur))
    ink = (255.0 - np.asarray(turned, dtype=np.float32)) * wear.ink
    ink *= 1.0 - wear.uneven * _clouds(rng, page.size, 190)
    sheet = 236.0 - 10.0 * _clouds(rng, page.size, 260) - ink
    if back is not None and wear.bleed:
        other = ImageOps.mirror(back.resize(page.size)).filter(ImageFilter.GaussianBlur(2.2))
        sheet -= (255.0 - np.asarray(other, dtype=np.float32)) * wear.bleed
    _specks(rng, sheet, wear.specks)
    step = 255.0 / (GREYS - 1)
    grey = np.round(np.clip(sheet, 0, 255) / step) * step
    return Image.fromarray(grey.astype(np.uint8))
