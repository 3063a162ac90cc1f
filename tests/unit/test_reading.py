"""A page read by a typewriter engine: keys, views, quotes, places, versions."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from rdfkms.errors import Missing
from rdfkms.ingest.accession import Overrides, discover
from rdfkms.ingest.reading import PageResult, ReadJob, read_source
from rdfkms.model import Flag, Modality, Reading, View
from rdfkms.settings import ReadingSettings, Settings
from tests.tools import sources
from tests.tools.words import column, reading

LINES = ["RESULTANDO: Que el procesado Andrés Vidal sub-", "rayó los papeles de la casa."]


class Typewriter:
    """Reads on every picture what it was given; notes what it was asked."""

    name = "typewriter"
    version = "1"

    def __init__(self, found: Reading | None = None) -> None:
        self.found = found or reading(column(LINES))
        self.asked: list[tuple[Any, str, str]] = []

    def read(self, picture: Any, languages: str, layout: str) -> Reading:
        self.asked.append((picture, languages, layout))
        return self.found


def jobs(path: Path, **said: Any) -> list[ReadJob]:
    settings = Settings()
    batch = discover([path], settings, Overrides(**said))
    assert not batch.faults
    return [
        ReadJob(a.record, s.path, s.file, number, str(number), settings.reading)
        for a in batch.accessions
        for s in a.sources
        for number in range(1, s.pages + 1)
    ]


def read(path: Path, engine: Typewriter | None = None, **said: Any) -> PageResult:
    (job,) = jobs(path, **said)
    return read_source(job, engine or Typewriter())


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "causa-p1.png"
    sources.typed().save(path)
    return path


def assert_quotes_are_exact(result: PageResult) -> None:
    versions = {version.key: version.text for version in result.versions}
    for unit in result.units:
        for text in unit.texts:
            if text.view is View.RAW:
                assert versions[text.version][text.start : text.end] == text.text


# ---- pictures ------------------------------------------------------------------------------------


def test_a_unit_has_its_exact_text_its_view_and_its_place(page: Path) -> None:
    result = read(page, profile="court-martial")
    (unit,) = result.units
    assert_quotes_are_exact(result)
    assert unit.raw.text == "\n".join(LINES)
    (normal,) = [t for t in unit.texts if t.view is View.NORMALISED]
    assert normal.text.endswith("Andrés Vidal subrayó los papeles de la casa.")
    assert (normal.start, normal.end) == (unit.raw.start, unit.raw.end)
    assert unit.section == "RESULTANDO" and unit.language == "es"
    assert unit.modality is Modality.DOCUMENT
    (place,) = unit.locators
    assert result.page is not None
    assert place.page == result.page.key and place.fragment.startswith("xywh=100,100,")


def test_the_engine_gets_grey_pixels_and_the_words_of_the_profile(page: Path) -> None:
    engine = Typewriter()
    read(page, engine, profile="annals")
    ((picture, languages, layout),) = engine.asked
    assert picture.dtype == np.uint8 and picture.shape == (420, 1100)
    assert (languages, layout) == ("chi_tra_vert", "vertical")


def test_reading_again_gives_the_same(page: Path) -> None:
    first, second = read(page), read(page)
    assert replace(first, seconds={}) == replace(second, seconds={})


def test_a_result_crosses_a_process_pool(page: Path) -> None:
    result = read(page)
    assert pickle.loads(pickle.dumps(result)) == result


def test_keys_tell_files_profiles_and_readings_apart(tmp_path: Path, page: Path) -> None:
    other = tmp_path / "other.png"
    sources.typed(["Otra cosa"]).save(other)
    usual = read(page, profile="plain")
    assert usual.page is not None
    elsewhere = read(other, profile="plain")
    assert elsewhere.page is not None and elsewhere.page.key != usual.page.key
    cut_otherwise = read(page, profile="newspaper")
    assert cut_otherwise.page == usual.page
    assert cut_otherwise.units[0].key != usual.units[0].key
    read_otherwise = read(page, Typewriter(reading(column(["Otra lectura de la página."]))))
    assert read_otherwise.versions[0].key != usual.versions[0].key


def test_a_page_without_words_is_a_page_without_units(page: Path) -> None:
    result = read(page, Typewriter(Reading("", (), "typewriter", "1")))
    assert result.page is not None and result.units == () and result.faults == ()


def test_mixed_columns_are_put_in_order_before_they_are_cut(page: Path) -> None:
    left = ["Presidente del Consejo", "Coronel Rovira Salas", "Capitán Luis Aranda"]
    right = ["Causa número 118", "Acusado: Andrés Vidal", "Fiscal: Óscar Mendía"]
    mixed = [
        [(a, 100, 100 + 40 * n), (b, 700, 116 + 40 * n)]
        for n, (a, b) in enumerate(zip(left, right, strict=True))
    ]
    result = read(page, Typewriter(reading(mixed)))
    assert [u.raw.text for u in result.units] == ["\n".join(left), "\n".join(right)]
    assert_quotes_are_exact(result)


@pytest.mark.parametrize(
    ("mode", "kind", "shown"),
    [("L", "png", False), ("1", "png", False), ("RGB", "jpg", False), ("L", "tif", True),
     ("RGBA", "png", False), ("I;16", "png", False), ("P", "png", False), ("CMYK", "tif", True)],
)  # fmt: skip
def test_pictures_of_all_modes_become_grey(
    tmp_path: Path, mode: str, kind: str, shown: bool
) -> None:
    page = sources.typed()
    if mode == "I;16":
        page = Image.fromarray(np.asarray(page).astype(np.uint16) * 257)
    elif mode == "RGBA":
        page = page.convert("RGBA")
        page.putpixel((0, 0), (0, 0, 0, 0))
    elif mode == "CMYK":
        page = page.convert("RGB").convert("CMYK")
    else:
        page = page.convert(mode)
    path = tmp_path / f"page.{kind}"
    page.save(path)
    engine = Typewriter()
    result = read(path, engine)
    picture = engine.asked[0][0]
    assert picture.shape == (420, 1100) and picture.dtype == np.uint8
    assert picture[0, 0] > 200 and picture.min() < 80  # paper is light, type is dark
    assert (result.picture is not None) is shown
    assert result.page is not None and (result.page.width, result.page.height) == (1100, 420)


def test_a_turned_photograph_is_read_and_shown_upright(tmp_path: Path) -> None:
    page = sources.typed()
    exif = page.getexif()
    exif[0x0112] = 6
    page.save(tmp_path / "photo.jpg", exif=exif)
    engine = Typewriter()
    result = read(tmp_path / "photo.jpg", engine)
    assert engine.asked[0][0].shape == (1100, 420)
    assert result.page is not None and (result.page.width, result.page.height) == (420, 1100)
    assert result.picture is not None


def test_each_frame_of_a_tiff_is_a_page(tmp_path: Path) -> None:
    frames = [sources.typed([line]) for line in sources.LINES]
    frames[0].save(tmp_path / "three.tif", save_all=True, append_images=frames[1:])
    engine = Typewriter()
    results = [read_source(job, engine) for job in jobs(tmp_path / "three.tif")]
    pages = [r.page for r in results if r.page is not None]
    assert [p.sequence for p in pages] == [1, 2, 3]
    assert len({p.key for p in pages}) == len({p.picture for p in pages}) == 3
    assert len({u.key for r in results for u in r.units}) == 3
    assert not np.array_equal(engine.asked[0][0], engine.asked[1][0])


def test_software_that_is_missing_stops_the_run(page: Path) -> None:
    class Absent(Typewriter):
        def read(self, picture: Any, languages: str, layout: str) -> Reading:
            raise Missing("No engine.", hint="Install it.")

    with pytest.raises(Missing):
        read(page, Absent())


@given(
    st.lists(st.text("aB.,-é漢ſ ¬", max_size=24), max_size=8),
    st.sampled_from(["plain", "court-martial", "newspaper"]),
)
def test_every_quote_is_exact_whatever_is_read(
    picture: Path, lines: list[str], profile: str
) -> None:
    result = read(picture, Typewriter(reading(column(lines))), profile=profile)
    assert not result.faults
    assert_quotes_are_exact(result)
    assert len({u.key for u in result.units}) == len(result.units)
    assert all(u.locators and u.raw.text.strip() == u.raw.text for u in result.units)


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "page.png"
    sources.typed(size=(64, 64)).save(path)
    return path


# ---- PDF -----------------------------------------------------------------------------------------


def test_a_pdf_with_exact_text_is_cut_on_its_text_layer(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(sources.pdf(sources.LINES))
    engine = Typewriter()
    result = read(tmp_path / "a.pdf", engine)
    (version,) = result.versions
    assert version.origin == "text_layer" and not engine.asked
    assert version.text == "\n".join(sources.LINES)
    assert_quotes_are_exact(result)
    (unit,) = result.units
    assert result.page is not None and result.page.width == 1100
    x, y, w, h = map(int, unit.locators[0].fragment.removeprefix("xywh=").split(","))
    # 21.6 points from the left, 118 from the foot, at 200 dpi
    assert abs(x - 60) < 8 and abs(y - (420 - 118 * 200 / 72 - 36)) < 15
    assert 600 < w < 1000 and 120 < h < 180


def test_a_scan_with_a_text_layer_has_both_versions_aligned(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(sources.pdf(sources.LINES, scan=sources.typed()))
    # As wide as the Helvetica of the layer, whose letters are broader than the typewriter's.
    lines = [line.replace("o", "0") + " " + "x" * 14 for line in sources.LINES]
    engine = Typewriter(reading(column(lines, x=55, y=75, pitch=60)))
    result = read(tmp_path / "a.pdf", engine)
    assert [v.origin for v in result.versions] == ["ocr", "text_layer"]
    assert_quotes_are_exact(result)
    (unit,) = result.units
    raw = {t.version: t.text for t in unit.texts if t.view is View.RAW}
    assert set(raw) == {v.key for v in result.versions}
    assert raw[result.versions[1].key] == "\n".join(sources.LINES)
    assert unit.raw.version == result.versions[0].key  # proposers quote the recognised text


# ---- born-digital text ---------------------------------------------------------------------------

REGISTER = """# Registro

Nota del archivo, con acento: acción.

## Legajo 1

- **Andrés Vidal**, carpintero de Montelargo.
- Rosa Ferrer, maestra de Castrovil.

| Nombre | Pueblo |
|---|---|
| Luis Soler | Arana del Río |
"""


def test_markdown_is_paged_by_heading_and_cited_by_character(tmp_path: Path) -> None:
    (tmp_path / "register.md").write_text(REGISTER, encoding="utf-8")
    results = [read_source(job, Typewriter()) for job in jobs(tmp_path, profile="register")]
    assert [r.page.heading for r in results if r.page] == ["Registro", "Legajo 1"]
    for result in results:
        assert_quotes_are_exact(result)
        (version,) = result.versions
        for unit in result.units:
            start, end = unit.locators[0].fragment.removeprefix("char=").split(",")
            assert version.text[int(start) : int(end)] == unit.raw.text
    units = [u for r in results for u in r.units]
    assert [u.raw.text for u in units][1:] == [
        "**Andrés Vidal**, carpintero de Montelargo.",
        "Rosa Ferrer, maestra de Castrovil.",
        "| Nombre | Pueblo |",
        "| Luis Soler | Arana del Río |",
    ]
    assert [u.section for u in units][1] == "Registro > Legajo 1"
    normal = [t.text for t in units[1].texts if t.view is View.NORMALISED]
    assert normal == ["Andrés Vidal, carpintero de Montelargo."]
    assert all(u.modality is Modality.BORN_DIGITAL for u in units)


def test_a_byte_order_mark_and_windows_line_ends_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfUno y dos.\r\n\r\nTres y cuatro.\r\n")
    result = read(path)
    assert [u.raw.text for u in result.units] == ["Uno y dos.", "Tres y cuatro."]
    assert result.units[1].locators[0].fragment == "char=12,26"


def test_a_form_feed_begins_a_page(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Página una.\fPágina dos.", encoding="utf-8")
    results = [read_source(job, Typewriter()) for job in jobs(tmp_path)]
    assert [r.units[0].raw.text for r in results] == ["Página una.", "Página dos."]


def test_a_text_of_one_endless_line_is_paged_and_cut(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("palabra " * 12_000, encoding="utf-8")
    results = [read_source(job, Typewriter()) for job in jobs(tmp_path)]
    assert len(results) > 4
    for result in results:
        assert_quotes_are_exact(result)
        assert all(len(u.raw.text) < 2_000 for u in result.units)


def test_a_language_that_the_profile_does_not_know_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Das ist ein Text.", encoding="utf-8")
    assert read(tmp_path / "a.txt", language="de").units[0].language == "de"


@given(st.text("aB.# \n-*|>é漢\f", max_size=200), st.booleans())
def test_every_quote_of_a_text_is_exact(place: Path, text: str, markdown: bool) -> None:
    path = place / ("a.md" if markdown else "a.txt")
    path.write_text(text, encoding="utf-8")
    batch = discover([path], Settings())
    for accession in batch.accessions:
        for number in range(1, accession.sources[0].pages + 1):
            job = ReadJob(accession.record, path, accession.sources[0].file, number, "1",
                          ReadingSettings())  # fmt: skip
            result = read_source(job, Typewriter())
            assert not result.faults
            assert_quotes_are_exact(result)
            assert all(Flag(flag) for unit in result.units for flag in unit.flags)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("texts")
