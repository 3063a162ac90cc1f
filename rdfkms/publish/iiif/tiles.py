"""A pyramid of tiles beside each picture, so that a crop reads what it needs and no more.

Derived data: it lies under ``indexes/tiles``, is named by the SHA-256 of its picture, holds its
pixels without loss, and is made again where it is missing or damaged.
"""

from __future__ import annotations

import io
import json
import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import zstandard
from numpy.typing import NDArray
from PIL import Image

from rdfkms.errors import Broken, RdfkmsError, TooLarge
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.disk import guard, temporary
from rdfkms.model import Box

TILE = 512
_MAGIC = b"RKTILE1\n"  # with the format of the file
_TAIL = struct.Struct(">I8s")  # length of the index before it, and the magic: else half written
_LARGEST_INDEX = 4_000_000
_MODES = {1: "L", 3: "RGB"}
# What Pillow raises on damaged files differs by format and version.
_DAMAGE = (OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, EOFError,
           OverflowError, MemoryError, ArithmeticError, Image.DecompressionBombError)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Level:
    """The picture made smaller by a whole factor, and where each tile lies in the file."""

    factor: int
    width: int
    height: int
    tiles: tuple[tuple[int, int], ...]  # (offset, length), row by row

    @property
    def columns(self) -> int:
        """The number of tiles side by side."""
        return -(-self.width // TILE)


@dataclass(frozen=True, slots=True)
class Pyramid:
    """The index of a pyramid file, the largest level first: that is the picture itself."""

    path: Path
    bands: int
    levels: tuple[Level, ...]

    @property
    def width(self) -> int:
        """The width of the picture in pixels."""
        return self.levels[0].width

    @property
    def height(self) -> int:
        """The height of the picture in pixels."""
        return self.levels[0].height

    def level_for(self, scale: float) -> Level:
        """Return the smallest level that is not smaller than the picture divided by `scale`."""
        return max(
            (level for level in self.levels if level.factor <= max(scale, 1)),
            key=lambda level: level.factor,
        )

    def region(self, level: Level, box: Box) -> Image.Image:
        """Return a region (inside the level) of a level; raises `Damaged`."""
        out = np.empty((box.h, box.w, self.bands), np.uint8)
        unpack = zstandard.ZstdDecompressor()
        try:
            with self.path.open("rb") as stream:
                for row in range(box.y // TILE, (box.y + box.h - 1) // TILE + 1):
                    for column in range(box.x // TILE, (box.x + box.w - 1) // TILE + 1):
                        self._paste(stream, unpack, level, (column, row), box, out)
        except (OSError, ValueError, IndexError, zstandard.ZstdError) as err:
            raise Damaged(str(err)) from err
        return Image.fromarray(out if self.bands == 3 else out[:, :, 0])

    def _paste(
        self,
        stream: BinaryIO,
        unpack: zstandard.ZstdDecompressor,
        level: Level,
        place: tuple[int, int],
        box: Box,
        out: NDArray[np.uint8],
    ) -> None:
        left, top = place[0] * TILE, place[1] * TILE
        width, height = min(TILE, level.width - left), min(TILE, level.height - top)
        offset, length = level.tiles[place[1] * level.columns + place[0]]
        data = unpack.decompress(
            os.pread(stream.fileno(), length, offset), max_output_size=width * height * self.bands
        )
        tile = np.frombuffer(data, np.uint8).reshape(height, width, self.bands)
        x0, x1 = max(left, box.x), min(left + width, box.x + box.w)
        y0, y1 = max(top, box.y), min(top + height, box.y + box.h)
        part = tile[y0 - top : y1 - top, x0 - left : x1 - left]
        out[y0 - box.y : y1 - box.y, x0 - box.x : x1 - box.x] = part


class Damaged(Exception):
    """A pyramid file that cannot be read: it is made again, nobody is told."""


def path_of(archive: Archive, sha256: str) -> Path:
    """Return where the pyramid of a picture lies, whether it is there or not."""
    return archive.tiles / sha256[:2] / f"{sha256}.tiles"


def forget(archive: Archive, sha256: str) -> None:
    """Delete the pyramid of a picture, if there is one."""
    path_of(archive, sha256).unlink(missing_ok=True)


def ensure(archive: Archive, sha256: str) -> None:
    """Make the pyramid of a picture where there is none yet.

    What cannot be made is left: reading goes on, and who asks for the picture is told why.
    """
    if not path_of(archive, sha256).is_file():
        with suppress(RdfkmsError):
            make(archive, sha256)


def load(archive: Archive, sha256: str) -> Pyramid:
    """Return the pyramid of a picture; raises `Damaged` where it is not there or not whole."""
    path = path_of(archive, sha256)
    try:
        with path.open("rb") as stream:
            end = stream.seek(-_TAIL.size, io.SEEK_END)
            length, magic = _TAIL.unpack(stream.read(_TAIL.size))
            if magic != _MAGIC or length > min(end, _LARGEST_INDEX):
                raise Damaged("the end is missing")
            stream.seek(end - length)
            index = json.loads(stream.read(length))
        levels = tuple(
            Level(int(f), int(w), int(h), tuple((int(o), int(n)) for o, n in tiles))
            for f, w, h, tiles in index["levels"]
        )
        return Pyramid(path, int(index["bands"]), levels)
    except (OSError, ValueError, KeyError, TypeError) as err:
        raise Damaged(str(err)) from err


def make(archive: Archive, sha256: str) -> Pyramid:
    """Write the pyramid of a kept picture, whole or not at all, and return it.

    Raises `NotFound` for a picture that is not kept, `TooLarge` over ``reading.max_pixels``,
    `Broken` for a file that is no sound picture or a full disk.
    """
    picture = decode(archive.read(sha256), archive.settings.reading.max_pixels)
    path = path_of(archive, sha256)
    with guard(path, "writing the tiles of a picture"):
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = temporary(path.parent)
        try:
            with draft.open("xb") as out:
                _write(out, picture)
            draft.rename(path)
        finally:
            draft.unlink(missing_ok=True)
    return load(archive, sha256)


def _write(out: BinaryIO, picture: Image.Image) -> None:
    packer = zstandard.ZstdCompressor(level=1, write_checksum=True)
    levels = []
    for factor, level in _levels(picture):
        places = []
        for top in range(0, level.height, TILE):
            for left in range(0, level.width, TILE):
                right, bottom = min(left + TILE, level.width), min(top + TILE, level.height)
                data = packer.compress(level.crop((left, top, right, bottom)).tobytes())
                places.append((out.tell(), len(data)))
                out.write(data)
        levels.append((factor, level.width, level.height, places))
    index = json.dumps({"bands": len(picture.getbands()), "levels": levels}).encode()
    out.write(index + _TAIL.pack(len(index), _MAGIC))


def _levels(picture: Image.Image) -> Iterator[tuple[int, Image.Image]]:
    """Yield factors 1, 2, 3, 4, 6, 8, 12 ... with the smaller pictures, until one fits a tile.

    With the thirds between the halves, no answer reads more than 2.25 times what it shows from
    the second level on.
    """
    yield 1, picture
    halves, factor = picture, 1
    thirds = picture.reduce(3) if max(picture.size) > 2 * TILE else None
    while max(halves.size) > TILE:
        halves, factor = halves.reduce(2), factor * 2
        yield factor, halves
        if thirds is not None and max(halves.size) > TILE:
            yield factor // 2 * 3, thirds
            thirds = thirds.reduce(2)


def decode(data: bytes, max_pixels: int) -> Image.Image:
    """Return a picture as 8-bit grey or RGB, transparency laid on white; the first of frames.

    The limit stands before any pixel is decoded.
    """
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "TIFF")) as opened:
            if opened.width * opened.height > max_pixels:
                raise TooLarge(
                    f"The picture has {opened.width} x {opened.height} pixels, more than "
                    f"{max_pixels:,} in all.",
                    hint="Raise reading.max_pixels in archive.toml.",
                )
            opened.load()
            return _plain(opened)
    except _DAMAGE as err:
        raise Broken(
            f"A page picture cannot be opened: {err}.", hint="Run `rdfkms check`."
        ) from err


def _plain(image: Image.Image) -> Image.Image:
    if image.mode in {"L", "RGB"} and "transparency" not in image.info:
        return image.copy()
    if image.mode.startswith(("I;16", "I", "F")):
        values = np.asarray(image, dtype=np.float32)
        top = float(values.max(initial=1.0))
        return Image.fromarray((values * (255.0 / (65535.0 if top > 255 else 255.0))).astype("u1"))
    if image.mode in {"RGBA", "LA", "PA", "La", "RGBa"} or "transparency" in image.info:
        kind = "L" if image.mode in {"LA", "La", "L", "1"} else "RGB"
        clear = image.convert("RGBA")
        return Image.composite(
            clear.convert(kind), Image.new(kind, image.size, "white"), clear.getchannel("A")
        )
    return image.convert("L" if image.mode == "1" else "RGB")
