"""Page pictures and crops as JPEG, within limits, cached in bounded memory."""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

from PIL import Image, ImageChops, ImageDraw

from rdfkms.errors import BadInput, Broken, TooLarge
from rdfkms.ledger.archive import Archive
from rdfkms.model import Box

WIDTHS = (240, 480, 800, 1200, 1600, 2400)
MEDIA_TYPE = "image/jpeg"
_CACHE_BYTES = 48_000_000
_DECODED_PIXELS = 60_000_000
_MARK = (255, 226, 120)
_EDGE = (176, 96, 0)


class Cache:
    """Bytes by key, the oldest dropped when `limit` bytes are passed. Safe for threads."""

    def __init__(self, limit: int = _CACHE_BYTES) -> None:
        self._limit = limit
        self._size = 0
        self._items: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: tuple[object, ...], make: Callable[[], bytes]) -> bytes:
        """Return the bytes under `key`, made when absent."""
        with self._lock:
            if key in self._items:
                self._items.move_to_end(key)
                return self._items[key]
        data = make()
        with self._lock:
            if key not in self._items and len(data) <= self._limit // 4:
                self._items[key] = data
                self._size += len(data)
            while self._size > self._limit:
                _, dropped = self._items.popitem(last=False)
                self._size -= len(dropped)
        return data


class Pictures:
    """Makes pictures of one archive. At most two are decoded at a time."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._cache = Cache()
        self._decoding = threading.BoundedSemaphore(2)
        self._recent: OrderedDict[str, Image.Image] = OrderedDict()
        self._lock = threading.Lock()

    def page(self, sha256: str, width: int) -> bytes:
        """Return the whole picture as JPEG, at most `width` wide (rounded up to `WIDTHS`)."""
        wide = next((w for w in WIDTHS if w >= width), WIDTHS[-1])
        return self._cache.get((sha256, wide), lambda: self._page(sha256, wide))

    def crop(self, sha256: str, region: Box, width: int = 1200, marks: Sequence[Box] = ()) -> bytes:
        """Return a region as JPEG with `marks` (page pixels) tinted, at most `width` wide.

        The region is cut to the picture. Raises `BadInput` where nothing of it is inside.
        """
        key = (sha256, region, width, tuple(marks))
        return self._cache.get(key, lambda: self._crop(sha256, region, width, marks))

    def _page(self, sha256: str, width: int) -> bytes:
        picture = self._decoded(sha256)
        height = max(1, round(picture.height * width / picture.width))
        if width < picture.width:
            picture = picture.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=2.0)
        return _jpeg(picture)

    def _crop(self, sha256: str, region: Box, width: int, marks: Sequence[Box]) -> bytes:
        picture = self._decoded(sha256)
        left, top = max(0, region.x), max(0, region.y)
        right = min(picture.width, region.x + region.w)
        bottom = min(picture.height, region.y + region.h)
        if left >= right or top >= bottom:
            raise BadInput(
                f"The region {region.fragment} lies outside the picture.",
                hint=f"The picture is {picture.width} x {picture.height} pixels.",
            )
        cut = picture.crop((left, top, right, bottom))
        if marks:
            cut = _marked(cut, [Box(m.x - left, m.y - top, m.w, m.h) for m in marks])
        if cut.width > width:
            height = max(1, round(cut.height * width / cut.width))
            cut = cut.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=2.0)
        return _jpeg(cut)

    def _decoded(self, sha256: str) -> Image.Image:
        with self._lock:
            if sha256 in self._recent:
                self._recent.move_to_end(sha256)
                return self._recent[sha256]
        with self._decoding:
            picture = _decode(self._archive.read(sha256), self._archive.settings.reading.max_pixels)
        with self._lock:
            self._recent[sha256] = picture
            while len(self._recent) > 1 and _pixels(self._recent.values()) > _DECODED_PIXELS:
                self._recent.popitem(last=False)
        return picture


def _pixels(pictures: Iterable[Image.Image]) -> int:
    return sum(p.width * p.height * len(p.getbands()) for p in pictures)


def _decode(data: bytes, max_pixels: int) -> Image.Image:
    """Return a grey or RGB picture; the first frame of several."""
    try:
        with Image.open(io.BytesIO(data)) as opened:
            if opened.width * opened.height > max_pixels:
                raise TooLarge(f"The picture has more than {max_pixels} pixels.")
            if opened.mode.startswith("I;16"):
                deep: Image.Image = opened.point(lambda value: value / 256)
                return deep.convert("L")
            picture: Image.Image = opened
            return picture.convert("L" if opened.mode in ("1", "L", "LA") else "RGB")
    except (OSError, ValueError) as err:
        raise Broken(
            f"A page picture cannot be opened: {err}.", hint="Run `rdfkms check`."
        ) from err


def _marked(picture: Image.Image, marks: Sequence[Box]) -> Image.Image:
    """Return the picture with boxes tinted as by a marker pen: dark strokes stay dark."""
    tint = Image.new("RGB", picture.size, (255, 255, 255))
    draw = ImageDraw.Draw(tint)
    for mark in marks:
        draw.rectangle((mark.x - 2, mark.y - 2, mark.x + mark.w + 1, mark.y + mark.h + 1), _MARK)
        base = mark.y + mark.h + 2
        draw.rectangle((mark.x - 2, base, mark.x + mark.w + 1, base + 1), _EDGE)
    return ImageChops.multiply(picture.convert("RGB"), tint)


def _jpeg(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=82, optimize=True)
    return out.getvalue()
