"""Tiles: every kind of picture, every pixel, every level; what is damaged is known to be."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from rdfkms.errors import Broken, NotFound, TooLarge
from rdfkms.ledger.archive import Archive
from rdfkms.model import Box
from rdfkms.publish.iiif import tiles
from rdfkms.publish.iiif.tiles import TILE, Damaged
from rdfkms.settings import ReadingSettings, Settings


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Return an empty archive that takes pictures of up to four million pixels."""
    settings = Settings(reading=ReadingSettings(max_pixels=4_000_000))
    return Archive.create(tmp_path / "archive", settings)


def kept(archive: Archive, picture: Image.Image, form: str = "PNG") -> str:
    out = io.BytesIO()
    picture.save(out, form)
    return archive.keep(out.getvalue())


def noise(width: int, height: int) -> Image.Image:
    return Image.fromarray(np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8))


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_every_kind_of_picture_has_tiles(archive: Archive, mode: str) -> None:
    grey = Image.fromarray(np.full((60, 90), 200, np.uint8))
    if mode == "I;16":
        grey = Image.fromarray(np.full((60, 90), 200 * 256, np.uint16))
    picture = grey if grey.mode == mode else grey.convert(mode)
    sha256 = kept(archive, picture, "TIFF" if mode == "CMYK" else "PNG")
    pyramid = tiles.make(archive, sha256)
    assert (pyramid.width, pyramid.height) == (90, 60)
    assert pyramid.bands == (1 if mode in ("1", "L", "LA", "I;16") else 3)
    middle = np.asarray(pyramid.region(pyramid.levels[0], Box(40, 30, 1, 1))).ravel()
    assert middle[0] == pytest.approx(200 if mode != "1" else 255, abs=60)


@pytest.mark.parametrize("size", [(1, 1), (TILE, TILE), (TILE + 1, 3), (1700, 1300), (5, 2000)])
def test_every_pixel_of_every_level_is_there(archive: Archive, size: tuple[int, int]) -> None:
    picture = noise(*size)
    sha256 = kept(archive, picture)
    pyramid = tiles.make(archive, sha256)
    factors = [level.factor for level in pyramid.levels]
    assert factors[0] == 1 and factors == sorted(set(factors))
    assert max(pyramid.levels[-1].width, pyramid.levels[-1].height) <= TILE
    for level in pyramid.levels:
        assert (level.width, level.height) == tuple(-(-side // level.factor) for side in size)
        whole = pyramid.region(level, Box(0, 0, level.width, level.height))
        if level.factor == 1:
            assert np.array_equal(np.asarray(whole), np.asarray(picture))
        elif level.factor in (2, 3):
            assert np.array_equal(np.asarray(whole), np.asarray(picture.reduce(level.factor)))


def test_the_level_is_the_smallest_that_has_enough(archive: Archive) -> None:
    pyramid = tiles.make(archive, kept(archive, noise(1900, 1500)))
    found = [pyramid.level_for(scale).factor for scale in (0.5, 1, 1.9, 2, 2.9, 3, 3.9, 4, 99)]
    assert found == [1, 1, 1, 2, 2, 3, 3, 4, 4]


@pytest.mark.parametrize("harm", ["gone", "empty", "cut", "zeros", "other"])
def test_damage_is_seen(archive: Archive, harm: str) -> None:
    sha256 = kept(archive, noise(700, 700))
    pyramid = tiles.make(archive, sha256)
    path, data = pyramid.path, pyramid.path.read_bytes()
    if harm == "gone":
        path.unlink()
    else:
        path.write_bytes(
            {"empty": b"", "cut": data[:-100], "zeros": bytes(len(data)), "other": b"x" * 40}[harm]
        )
    with pytest.raises(Damaged):
        tiles.load(archive, sha256)


def test_a_flipped_bit_is_seen(archive: Archive) -> None:
    pyramid = tiles.make(archive, kept(archive, noise(300, 300)))
    data = bytearray(pyramid.path.read_bytes())
    data[5000] ^= 1
    pyramid.path.write_bytes(data)
    with pytest.raises(Damaged):
        pyramid.region(pyramid.levels[0], Box(0, 0, 300, 300))


def test_what_is_no_sound_picture_leaves_nothing_behind(archive: Archive) -> None:
    cases = (
        (kept(archive, Image.new("1", (3000, 2000))), TooLarge),
        (archive.keep(b"no picture"), Broken),
        ("0" * 64, NotFound),
    )
    for sha256, expected in cases:
        with pytest.raises(expected):
            tiles.make(archive, sha256)
        tiles.ensure(archive, sha256)
        assert not tiles.path_of(archive, sha256).exists()
    assert not [p for p in archive.tiles.rglob("*") if p.is_file()]


def test_tidying_clears_what_a_killed_process_left(archive: Archive) -> None:
    sha256 = kept(archive, noise(10, 10))
    tiles.ensure(archive, sha256)
    draft = tiles.path_of(archive, sha256).parent / ".tmp-1-x"
    draft.write_bytes(b"half")
    archive.tidy()
    assert not draft.exists() and tiles.load(archive, sha256).width == 10
