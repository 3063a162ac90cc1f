"""Answers of the Image API: pixels out of the pyramid, scaled, turned, encoded (level 2)."""

from __future__ import annotations

import hashlib
import io
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil, floor

from PIL import Image, ImageOps

from rdfkms.errors import Broken, Unavailable
from rdfkms.ledger.archive import Archive
from rdfkms.model import Box
from rdfkms.publish.crops import Cache
from rdfkms.publish.iiif import tiles
from rdfkms.publish.iiif.request import FORMATS, MAX_AREA, MAX_SIDE, ImageRequest, largest, parse
from rdfkms.publish.iiif.tiles import TILE, Damaged, Level, Pyramid

CONTEXT = "http://iiif.io/api/image/3/context.json"
PROFILE = "http://iiif.io/api/image/3/level2.json"
_RENDERING = "1"  # changes when the same request gives other bytes
_INDEXES_KEPT = 256
MOST_READ = 36_000_000  # pixels that are held to make one answer
_LARGE = 2_000_000  # pixels of an answer that is made two at a time
_PATIENCE = 20.0  # seconds that a request waits for its turn
_THRESHOLD = 128
_SMALL_SIDES = (200, 400, 800, 1600)
_TURNS = {
    90: Image.Transpose.ROTATE_270,  # the standard turns clockwise
    180: Image.Transpose.ROTATE_180,
    270: Image.Transpose.ROTATE_90,
}


class Images:
    """The pictures of one archive as the Image API gives them. Safe for threads."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._cache = Cache()
        self._known: OrderedDict[str, Pyramid] = OrderedDict()
        self._lock = threading.Lock()
        self._making = threading.Lock()
        self._large = threading.BoundedSemaphore(2)
        self._waiting = threading.BoundedSemaphore(4)  # of large answers, with those being made

    def size(self, sha256: str) -> tuple[int, int]:
        """Return width and height of a picture; errors as of `tiles.make`."""
        found = self._pyramid(sha256)
        return found.width, found.height

    def asked(self, sha256: str, region: str, size: str, rotation: str, name: str) -> ImageRequest:
        """Return the request as a value; raises `BadInput`, `Missing` and those of `size`."""
        found = self._pyramid(sha256)
        return parse(found.width, found.height, region, size, rotation, name, grey=found.bands == 1)

    def render(self, sha256: str, asked: ImageRequest) -> bytes:
        """Return the picture that is asked for, encoded; raises `Unavailable` under load."""
        key = (sha256, asked.canonical)
        return self._cache.get(key, lambda: self._render(sha256, asked))

    def _render(self, sha256: str, asked: ImageRequest) -> bytes:
        if max(asked.width * asked.height, _read(self._pyramid(sha256), asked)) <= _LARGE:
            return _encoded(self._scaled(sha256, asked), asked)
        # Others must find a thread free: who comes when two are waiting is told at once.
        with _turn(self._waiting, 0.0), _turn(self._large):
            return _encoded(self._scaled(sha256, asked), asked)

    def _scaled(self, sha256: str, asked: ImageRequest) -> Image.Image:
        try:
            return _taken(self._pyramid(sha256), asked)
        except Damaged:
            with self._lock:
                self._known.pop(sha256, None)
            tiles.forget(self._archive, sha256)
        try:
            return _taken(self._pyramid(sha256), asked)
        except Damaged as err:
            raise Broken(
                "The tiles of a picture cannot be read, although they were just made.",
                hint="Check the disk of the archive.",
            ) from err

    def _pyramid(self, sha256: str) -> Pyramid:
        with self._lock:
            if sha256 in self._known:
                self._known.move_to_end(sha256)
                return self._known[sha256]
        found = self._loaded(sha256)
        with self._lock:
            self._known[sha256] = found
            while len(self._known) > _INDEXES_KEPT:
                self._known.popitem(last=False)
        return found

    def _loaded(self, sha256: str) -> Pyramid:
        try:
            return tiles.load(self._archive, sha256)
        except Damaged:
            with _turn(self._making):  # a decoded scan is large: one at a time
                try:
                    return tiles.load(self._archive, sha256)
                except Damaged:
                    return tiles.make(self._archive, sha256)


@contextmanager
def _turn(
    gate: threading.Lock | threading.BoundedSemaphore, patience: float = _PATIENCE
) -> Iterator[None]:
    if not gate.acquire(timeout=patience):
        raise Unavailable(
            "Many large pictures are being made at the moment.",
            hint="Ask again, or for a smaller size.",
        )
    try:
        yield
    finally:
        gate.release()


def etag(sha256: str, asked: ImageRequest) -> str:
    """Return the ETag of an answer: the same pixels and the same request give the same bytes."""
    text = f"{_RENDERING} {sha256} {asked.canonical}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def information(address: str, width: int, height: int) -> dict[str, object]:
    """Return ``info.json`` of a picture at that address (Image API 3.0, section 5)."""
    sizes = _sizes(width, height)
    factors = [1]
    while max(width, height) > TILE * factors[-1]:
        factors.append(factors[-1] * 2)
    return {
        "@context": CONTEXT,
        "id": address,
        "type": "ImageService3",
        "protocol": "http://iiif.io/api/image",
        "profile": "level2",
        "width": width,
        "height": height,
        "maxWidth": MAX_SIDE,
        "maxHeight": MAX_SIDE,
        "maxArea": MAX_AREA,
        "sizes": [{"width": w, "height": h} for w, h in sizes],
        "tiles": [{"width": TILE, "height": TILE, "scaleFactors": factors}],
        "preferredFormats": ["jpg", "png"],
        "extraFormats": ["webp"],
        "extraQualities": ["color", "gray", "bitonal"],
        "extraFeatures": ["mirroring", "profileLinkHeader", "canonicalLinkHeader", "sizeUpscaling"],
    }


def _sizes(width: int, height: int) -> list[tuple[int, int]]:
    """Return handy whole sizes, smallest first."""
    longest = max(width, height)
    made = [
        (max(1, round(width * side / longest)), max(1, round(height * side / longest)))
        for side in _SMALL_SIDES
        if side < longest
    ]
    return [*made, largest(width, height)]


def _level(pyramid: Pyramid, asked: ImageRequest) -> Level:
    """Return the smallest level that has enough pixels, and not too many to hold.

    Where one axis is squeezed much more than the other, the other is blurred instead.
    """
    r, scale = asked.region, min(asked.region.w / asked.width, asked.region.h / asked.height)
    level = pyramid.level_for(scale)
    while r.w * r.h / level.factor**2 > MOST_READ:
        coarser = pyramid.level_for(level.factor * 2)
        if coarser.factor <= level.factor:
            break
        level = coarser
    return level


def _read(pyramid: Pyramid, asked: ImageRequest) -> int:
    """Return how many pixels are held to make the answer."""
    r = asked.region
    return round(r.w * r.h / _level(pyramid, asked).factor ** 2)


def _taken(pyramid: Pyramid, asked: ImageRequest) -> Image.Image:
    """Return the asked pixels at the asked size, from the smallest level that has enough."""
    r = asked.region
    level = _level(pyramid, asked)
    factor = level.factor
    left, top = floor(r.x / factor), floor(r.y / factor)
    right = min(level.width, ceil((r.x + r.w) / factor))
    bottom = min(level.height, ceil((r.y + r.h) / factor))
    taken = pyramid.region(level, Box(left, top, right - left, bottom - top))
    size = (asked.width, asked.height)
    if taken.size == size:
        return taken
    exact = (
        r.x / factor - left,
        r.y / factor - top,
        min((r.x + r.w) / factor - left, taken.width),
        min((r.y + r.h) / factor - top, taken.height),
    )
    return taken.resize(size, Image.Resampling.HAMMING, box=exact)


def _encoded(picture: Image.Image, asked: ImageRequest) -> bytes:
    if asked.mirrored:
        picture = ImageOps.mirror(picture)
    if asked.rotation:
        picture = picture.transpose(_TURNS[asked.rotation])
    if asked.quality in {"gray", "bitonal"}:
        picture = picture.convert("L")
    elif asked.quality == "color":
        picture = picture.convert("RGB")
    if asked.quality == "bitonal":
        picture = picture.point(lambda value: 255 if value >= _THRESHOLD else 0)
    out = io.BytesIO()
    if asked.format == "jpg":
        picture.save(out, "JPEG", quality=88)
    elif asked.format == "png":
        if asked.quality == "bitonal":
            picture = picture.convert("1", dither=Image.Dither.NONE)
        picture.save(out, "PNG", compress_level=1)
    else:
        picture.save(out, "WEBP", quality=82, method=0)
    return out.getvalue()


def media_type(asked: ImageRequest) -> str:
    """Return the media type of the answer."""
    return FORMATS[asked.format]
