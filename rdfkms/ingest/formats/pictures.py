"""PNG, JPEG and TIFF pictures to upright pixels; limits stand before decoding."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from rdfkms.errors import BadInput, TooLarge
from rdfkms.settings import ReadingSettings

# Our own limit (reading.max_pixels) is checked on the header, before any pixel is decoded.
Image.MAX_IMAGE_PIXELS = None

FORMATS = ("PNG", "JPEG", "TIFF")
_ORIENTATION = 0x0112
# What Pillow raises on damaged files differs by format and version.
_DAMAGE = (OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, EOFError,
           OverflowError, MemoryError, ArithmeticError, Image.DecompressionBombError)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Picture:
    """An upright page picture: grey pixels for the engine and what a browser shows.

    `display` is None where the source file itself can be displayed, else PNG or JPEG bytes.
    """

    grey: NDArray[np.uint8]
    width: int
    height: int
    display: bytes | None


def count_frames(path: Path, limits: ReadingSettings) -> int:
    """Return the number of pages of a picture file; `BadInput`/`TooLarge` with the reason."""
    with _open(path) as image:
        _check_size(image, limits)
        if image.format != "TIFF":
            return 1
        count = 1
        try:
            while True:
                image.seek(count)
                count += 1
                if count > limits.max_pages:
                    raise TooLarge(
                        f"The TIFF has more than {limits.max_pages} pages.",
                        hint="Split it, or raise reading.max_pages in archive.toml.",
                    )
        except EOFError:
            return count
        except TooLarge:
            raise
        except _DAMAGE as err:
            raise _damaged(err) from err


def read(path: Path, number: int, limits: ReadingSettings) -> Picture:
    """Return page `number` (from 1) of a picture file; `BadInput`/`TooLarge` with the reason."""
    with _open(path) as image:
        try:
            if number > 1:
                image.seek(number - 1)
        except EOFError as err:
            raise BadInput(f"The file has no page {number}.", hint="Copy it again.") from err
        except _DAMAGE as err:
            raise _damaged(err) from err
        _check_size(image, limits)
        try:
            # Grey is decoded directly from a JPEG; a colour copy is never made for it.
            if image.format == "JPEG" and image.mode in {"RGB", "YCbCr"} and not _turned(image):
                image.draft("L", None)
            image.load()
            return _upright(image)
        except _DAMAGE as err:
            raise _damaged(err) from err


def _open(path: Path) -> Image.Image:
    try:
        return Image.open(path, formats=FORMATS)
    except UnidentifiedImageError as err:
        raise BadInput(
            "The picture's header is damaged or of an unknown kind.",
            hint="Open it in a picture viewer and save it again as PNG, JPEG or TIFF.",
        ) from err
    except _DAMAGE as err:
        raise _damaged(err) from err


def _check_size(image: Image.Image, limits: ReadingSettings) -> None:
    width, height = image.size
    if width * height > limits.max_pixels:
        raise TooLarge(
            f"The picture has {width} x {height} pixels, more than {limits.max_pixels:,} in all.",
            hint="Scale it down, or raise reading.max_pixels in archive.toml.",
        )
    if width < 2 or height < 2:
        raise BadInput(f"The picture has {width} x {height} pixels.", hint="Scan it again.")


def _turned(image: Image.Image) -> bool:
    return image.getexif().get(_ORIENTATION, 1) not in {0, 1}


def _upright(image: Image.Image) -> Picture:
    kind = image.format
    turned = _turned(image)
    shown = ImageOps.exif_transpose(image) if turned else image
    display = encode(shown) if turned or kind == "TIFF" else None
    grey = np.asarray(to_grey(shown))
    return Picture(grey, shown.width, shown.height, display)


def to_grey(image: Image.Image) -> Image.Image:
    """Return an 8-bit grey copy; transparency is laid on white, 16 bits are scaled."""
    if image.mode == "L":
        return image
    if image.mode.startswith(("I", "F")):
        values = np.asarray(image, dtype=np.float32)
        top = float(values.max(initial=1.0))
        return Image.fromarray((values * (255.0 / (65535.0 if top > 255 else 255.0))).astype("u1"))
    if image.mode in {"RGBA", "LA"}:
        paper = Image.new("L", image.size, 255)
        return Image.composite(image.convert("L"), paper, image.getchannel("A"))
    if image.mode in {"PA", "La", "RGBa"} or "transparency" in image.info:
        return to_grey(image.convert("RGBA"))
    return image.convert("L")


def encode(image: Image.Image) -> bytes:
    """Return PNG for two-tone and palette pictures, else JPEG: what every browser shows."""
    out = io.BytesIO()
    if image.mode in {"1", "P"}:
        image.save(out, "PNG", compress_level=6)
    else:
        plain = image if image.mode in {"L", "RGB"} else _plain(image)
        plain.save(out, "JPEG", quality=88)
    return out.getvalue()


def _plain(image: Image.Image) -> Image.Image:
    return image.convert("RGB") if image.mode in {"CMYK", "YCbCr", "LAB"} else to_grey(image)


def sha256(data: bytes) -> str:
    """Return the SHA-256 of bytes, in hex."""
    return hashlib.sha256(data).hexdigest()


def _damaged(err: BaseException) -> BadInput:
    return BadInput(
        f"The picture is damaged: {str(err)[:200] or type(err).__name__}.",
        hint="Copy or scan it again; what could be read of it is not used.",
    )
