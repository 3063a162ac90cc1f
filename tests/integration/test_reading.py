"""Pages read by the real Tesseract: text, boxes and places agree with the picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from rdfkms.backends.tesseract import Tesseract
from rdfkms.errors import Missing, Unavailable
from rdfkms.ingest import wordsfile
from rdfkms.ingest.accession import Overrides, discover
from rdfkms.ingest.formats import pictures
from rdfkms.ingest.reading import PageResult, ReadJob, read_source
from rdfkms.model import View
from rdfkms.settings import ReadingSettings, Settings
from tests.tools import sources

ROOT = Path(__file__).resolve().parents[2]
FIRST = ROOT / "examples" / "first"
LIMITS = ReadingSettings()


@pytest.fixture(scope="module")
def engine() -> Tesseract:
    try:
        found = Tesseract()
        assert found.version
    except Missing as err:
        pytest.skip(str(err))
    return found


def _read(path: Path, profile: str, engine: Tesseract) -> PageResult:
    settings = Settings()
    (accession,) = discover([path], settings, Overrides(profile=profile)).accessions
    (source,) = accession.sources
    return read_source(ReadJob(accession.record, path, source.file, 1, "1", LIMITS), engine)


def _assert_sound(result: PageResult) -> None:
    assert result.page is not None and result.units and not result.faults
    width, height = result.page.width or 0, result.page.height or 0
    texts = {version.key: version.text for version in result.versions}
    for unit in result.units:
        assert texts[unit.raw.version][unit.raw.start : unit.raw.end] == unit.raw.text
        for place in unit.locators:
            x, y, w, h = map(int, place.fragment.removeprefix("xywh=").split(","))
            assert 0 <= x < x + w <= width and 0 <= y < y + h <= height


def test_typed_lines_are_read_where_they_stand(tmp_path: Path, engine: Tesseract) -> None:
    sources.typed().save(tmp_path / "page.png")
    result = _read(tmp_path / "page.png", "court-martial", engine)
    _assert_sound(result)
    (version,) = result.versions
    start = version.text.index("carpintero")
    (box,) = wordsfile.boxes_of(version.words, start, start + len("carpintero"))
    assert 60 <= box.y <= 80 and 20 < box.h < 50 and box.x > 500
    assert {"ocr engine", "ocr", "decode", "cite"} <= set(result.seconds)


def test_the_two_columns_of_a_head_are_read_one_after_the_other(engine: Tesseract) -> None:
    result = _read(FIRST / "court-martial" / "causa-118-p1.png", "court-martial", engine)
    _assert_sound(result)
    text = result.versions[0].text
    marks = ["Presidente", "Emilio Rovira", "Luis Aranda", "Jaime Sotelo",
             "Causa", "Acusado", "Fiscal", "Defensor", "En la plaza"]  # fmt: skip
    places = [text.index(mark) for mark in marks]
    assert places == sorted(places)


def test_the_columns_of_a_newspaper_are_not_mixed(engine: Tesseract) -> None:
    path = sorted((FIRST / "newspaper").glob("*-p1.png"))[0]
    result = _read(path, "newspaper", engine)
    _assert_sound(result)
    assert result.page is not None and result.page.width is not None
    narrow = [u for u in result.units if len(u.raw.text) > 150]
    widths = [int(p.fragment.split(",")[2]) for u in narrow for p in u.locators]
    assert widths and max(widths) < 0.6 * result.page.width


def test_vertical_columns_are_read_from_right_to_left(engine: Tesseract) -> None:
    path = sorted((FIRST / "annals").glob("*-p1.png"))[0]
    result = _read(path, "annals", engine)
    _assert_sound(result)
    words = [w for w in result.versions[0].words if w.box is not None]
    assert all(w.end - w.start == 1 for w in words)
    firsts = {w.line: w.box.x + w.box.w / 2 for w in reversed(words) if w.box is not None}
    middles = [firsts[line] for line in sorted(firsts)]
    assert len(middles) > 3 and middles == sorted(middles, reverse=True)
    assert all(t.view is View.RAW or "\n" not in t.text for u in result.units for t in u.texts)


def test_a_language_that_is_not_installed_is_named(tmp_path: Path, engine: Tesseract) -> None:
    sources.typed().save(tmp_path / "page.png")
    grey = pictures.read(tmp_path / "page.png", 1, LIMITS).grey
    with pytest.raises(Missing) as caught:
        engine.read(grey, "xxq", "auto")
    assert "tesseract-ocr-xxq" in caught.value.hint


def test_an_engine_that_takes_too_long_is_stopped(tmp_path: Path, engine: Tesseract) -> None:
    sources.typed(size=(4000, 4000)).save(tmp_path / "page.png")
    grey = pictures.read(tmp_path / "page.png", 1, LIMITS).grey
    with pytest.raises(Unavailable) as caught:
        # Settings name whole seconds; a hundredth stops the engine at once.
        Tesseract(timeout=0.01).read(grey, "spa", "auto")  # type: ignore[arg-type]
    assert "page_seconds" in caught.value.hint
