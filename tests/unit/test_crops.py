"""Page pictures: modes, limits, the memory that is kept."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from rdfkms.errors import BadInput, Broken, NotFound, TooLarge
from rdfkms.ledger.archive import Archive
from rdfkms.model import Box
from rdfkms.publish.crops import Cache, Pictures
from rdfkms.publish.places import region_around
from rdfkms.settings import ReadingSettings, Settings


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Return an empty archive that takes pictures of up to a million pixels."""
    settings = Settings(reading=ReadingSettings(max_pixels=1_000_000))
    return Archive.create(tmp_path / "archive", settings)


def kept(archive: Archive, picture: Image.Image, form: str = "PNG") -> str:
    out = io.BytesIO()
    picture.save(out, form)
    return archive.keep(out.getvalue())


def opened(data: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(data))
    picture.load()
    return picture


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_every_kind_of_picture_becomes_a_jpeg(archive: Archive, mode: str) -> None:
    grey = Image.fromarray(np.full((60, 90), 200, np.uint8))
    if mode == "I;16":
        grey = Image.fromarray(np.full((60, 90), 200 * 256, np.uint16))
    picture = grey if grey.mode == mode else grey.convert(mode)
    sha256 = kept(archive, picture, "TIFF")
    crop = opened(Pictures(archive).crop(sha256, Box(10, 10, 30, 20)))
    assert (crop.format, crop.size) == ("JPEG", (30, 20))
    assert crop.convert("L").getpixel((5, 5)) == pytest.approx(200 if mode != "1" else 255, abs=60)


def test_a_region_is_cut_to_the_picture_or_refused(archive: Archive) -> None:
    sha256 = kept(archive, Image.new("L", (100, 50), 255))
    pictures = Pictures(archive)
    assert opened(pictures.crop(sha256, Box(-20, -20, 500, 40))).size == (100, 20)
    with pytest.raises(BadInput, match="outside"):
        pictures.crop(sha256, Box(100, 0, 10, 10))


def test_marks_tint_their_place_and_nothing_else(archive: Archive) -> None:
    sha256 = kept(archive, Image.new("L", (200, 100), 255))
    crop = opened(Pictures(archive).crop(sha256, Box(50, 0, 100, 100), marks=[Box(60, 40, 30, 20)]))
    assert crop.getpixel((25, 50))[2] < 180, "inside the mark"  # type: ignore[index]
    assert min(crop.getpixel((80, 10))) > 240, "outside of it"  # type: ignore[arg-type]


def test_too_large_damaged_and_missing_pictures_are_said_to_be_so(archive: Archive) -> None:
    pictures = Pictures(archive)
    with pytest.raises(TooLarge):
        pictures.page(kept(archive, Image.new("1", (2000, 1000))), 240)
    with pytest.raises(Broken):
        pictures.page(archive.keep(b"no picture"), 240)
    with pytest.raises(NotFound):
        pictures.page(hashlib.sha256(b"never kept").hexdigest(), 240)


def test_the_cache_stays_within_its_limit() -> None:
    made: list[int] = []

    def make(number: int) -> bytes:
        made.append(number)
        return bytes(20)

    cache = Cache(100)
    for number in (1, 2, 3, 4, 5, 1, 6):
        assert cache.get((number,), lambda n=number: make(n)) == bytes(20)  # type: ignore[misc]
    assert made == [1, 2, 3, 4, 5, 6], "five fit, so 1 is still there"
    cache.get((2,), lambda: make(2))
    assert made[-1] == 2, "the one unused for longest went"
    cache.get(("large",), lambda: bytes(90))
    cache.get((1,), lambda: make(7))
    assert made[-1] == 2, "what is too large is not kept and drives nothing out"


def test_the_region_of_a_quote_is_its_lines_inside_the_page() -> None:
    page, passage = Box(0, 0, 1000, 800), Box(50, 100, 900, 400)
    region = region_around(passage, (Box(300, 110, 200, 30), Box(60, 150, 100, 30)), page)
    assert region.x <= 50 and region.x + region.w >= 950, "as wide as the passage"
    assert 0 <= region.y < 110 and 180 < region.y + region.h < 260, "as high as the quote"
    assert region_around(passage, (), page) == passage
    edge = region_around(passage, (Box(900, 780, 100, 20),), page)
    assert edge.x + edge.w <= 1000 and edge.y + edge.h <= 800
