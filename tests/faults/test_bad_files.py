"""Bad files: each is named with its reason and what to do, and the others are read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rdfkms.errors import TooLarge, Unavailable
from rdfkms.ingest import sidecar
from rdfkms.ingest.accession import Batch, discover
from rdfkms.ingest.formats import pictures
from rdfkms.ingest.reading import PageResult, ReadJob, read_source
from rdfkms.model import Reading
from rdfkms.settings import ReadingSettings, Settings
from tests.tools import sources

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = Settings()


class _Blind:
    """An engine that reads nothing; what matters here comes before it."""

    name = "blind"
    version = "1"

    def read(self, picture: Any, languages: str, layout: str) -> Reading:
        return Reading("", (), self.name, self.version)


def _jobs(batch: Batch) -> list[ReadJob]:
    return [
        ReadJob(a.record, s.path, s.file, number, str(number), SETTINGS.reading)
        for a in batch.accessions
        for s in a.sources
        for number in range(1, s.pages + 1)
    ]


def _reasons(folder: Path) -> dict[str, tuple[str, str, str]]:
    """Return (place, reason, hint) by file name, of accession and reading together."""
    batch = discover([folder], SETTINGS)
    faults = [*batch.faults]
    for job in _jobs(batch):
        faults += read_source(job, _Blind()).faults
    return {Path(f.source).name: (f.place, f.reason, f.hint) for f in faults}


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], dict[str, Any]]:
    folder = tmp_path_factory.mktemp("bad")
    expected = sources.write_all(folder)
    return expected, _reasons(folder)


@pytest.mark.parametrize("name", sources.BAD)
def test_a_bad_file_is_named_with_its_reason_and_what_to_do(
    name: str, bad: tuple[dict[str, str], dict[str, Any]]
) -> None:
    expected, found = bad
    _, reason, hint = found[name]
    assert expected[name] in reason
    assert hint


def test_a_fault_of_a_page_names_the_page(tmp_path: Path) -> None:
    (tmp_path / "bomb.png").write_bytes(sources.png_header(10_000, 10_000))
    assert _reasons(tmp_path)["bomb.png"][0] == "page 1"


def test_a_picture_over_the_limit_is_refused_before_its_pixels_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "huge.png"
    path.write_bytes(sources.png_header(30_000, 30_000))
    monkeypatch.setattr("PIL.PngImagePlugin.PngImageFile.load", lambda *a: pytest.fail("decoded"))
    with pytest.raises(TooLarge):
        pictures.count_frames(path, SETTINGS.reading)
    with pytest.raises(TooLarge):
        pictures.read(path, 1, SETTINGS.reading)


def test_a_tiff_whose_pages_run_in_a_circle_ends(tmp_path: Path) -> None:
    path = tmp_path / "circle.tif"
    path.write_bytes(sources.tiff_header(4, 2, following=16))
    assert pictures.count_frames(path, SETTINGS.reading) == 1


def test_a_later_frame_over_the_limit_is_refused_as_well(tmp_path: Path) -> None:
    path = tmp_path / "two.tif"
    sources.typed(size=(64, 64)).save(
        path, save_all=True, append_images=[sources.typed(size=(640, 640))]
    )
    limits = ReadingSettings(max_pixels=10_000)
    assert pictures.count_frames(path, limits) == 2
    with pytest.raises(TooLarge):
        pictures.read(path, 2, limits)


def test_content_decides_what_a_file_is_not_its_extension(tmp_path: Path) -> None:
    sources.typed().save(tmp_path / "picture.txt", "PNG")
    (tmp_path / "text.png").write_text("Es un texto con nombre de imagen.", encoding="utf-8")
    (tmp_path / "text.pdf").write_text("Es un texto con nombre de PDF.", encoding="utf-8")
    (tmp_path / "document.jpg").write_bytes(sources.pdf(sources.LINES))
    batch = discover([tmp_path], SETTINGS)
    kinds = {s.file.name: s.file.media_type for a in batch.accessions for s in a.sources}
    assert kinds == {
        "picture.txt": "image/png",
        "text.png": "text/plain",
        "text.pdf": "text/plain",
        "document.jpg": "application/pdf",
    }


def test_a_text_over_the_limit_is_refused_unread(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("palabra " * 2000, encoding="utf-8")
    small = Settings(reading=ReadingSettings(max_text_bytes=10_000))
    batch = discover([tmp_path], small)
    assert not batch.accessions
    assert "16,000 bytes, more than 10,000" in batch.faults[0].reason
    assert "max_text_bytes" in batch.faults[0].hint


def test_a_file_over_the_limit_is_refused_unread(tmp_path: Path) -> None:
    sources.typed().save(tmp_path / "page.png")
    batch = discover([tmp_path], Settings(reading=ReadingSettings(max_file_bytes=100)))
    assert not batch.accessions
    assert "max_file_bytes" in batch.faults[0].hint


def test_control_characters_become_replacement_characters_one_for_one(tmp_path: Path) -> None:
    (tmp_path / "bell.txt").write_bytes(b"Con un\x07 timbre y un\x1b escape, y basta.\n")
    (job,) = _jobs(discover([tmp_path], SETTINGS))
    result = read_source(job, _Blind())
    (unit,) = result.units
    assert unit.raw.text == "Con un\ufffd timbre y un\ufffd escape, y basta."
    assert [flag.value for flag in unit.flags] == ["missingGlyphs"]


def test_links_in_a_circle_and_links_to_nothing_are_named_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "round").symlink_to(tmp_path / "round")
    (tmp_path / "up").symlink_to(tmp_path)
    (tmp_path / "gone.png").symlink_to(tmp_path / "nothing.png")
    (tmp_path / "good.txt").write_text("Un texto que se deja leer.", encoding="utf-8")
    batch = discover([tmp_path], SETTINGS)
    assert [Path(f.source).name for f in batch.faults] == ["gone.png", "round", "up"]
    assert all(f.reason and f.hint for f in batch.faults)
    assert [a.record.title for a in batch.accessions] == ["good"]


def test_a_pipe_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    batch = discover([tmp_path], SETTINGS)
    assert "no regular file" in batch.faults[0].reason
    assert "empty" in discover([tmp_path / "pipe.txt"], SETTINGS).faults[0].reason


def test_names_with_line_breaks_markup_and_foreign_bytes_do_no_harm(tmp_path: Path) -> None:
    text = "Un texto que se deja leer."
    (tmp_path / "a\nb\x1b[31m.txt").write_text(text + " Uno.", encoding="utf-8")
    (tmp_path / "<img src=x onerror=alert(1)>.txt").write_text(text + " Dos.", encoding="utf-8")
    foreign = os.fsencode(tmp_path) + b"/acci\xf3n.txt"
    Path(os.fsdecode(foreign)).write_text(text + " Tres.", encoding="utf-8")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/nada\xf3.png")).symlink_to("nowhere")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/vac\xf3o.txt")).touch()
    batch = discover([tmp_path], SETTINGS)
    titles = [a.record.title for a in batch.accessions]
    assert titles == ["<img src=x onerror=alert(1)>", "a\ufffdb\ufffd[31m", "acci\ufffdn"]
    assert len(batch.faults) == 2
    for fault in batch.faults:
        assert fault.source.encode("utf-8").isascii() is False
    for job in _jobs(batch):
        assert read_source(job, _Blind()).units


# ---- records.toml: it says who may see what ------------------------------------------------------


@pytest.mark.parametrize(
    "broken",
    [
        b"[[records]\nmatch =",
        b'[[records]]\nmatch = "*"\nacess = "closed"\n',
        b'[[records]]\nmatch = "*"\naccess = "embargo"\n',
        b'[[records]]\nmatch = "*"\naccess = "secret"\n',
        b'[[records]]\nmatch = "*"\nprofile = "no-such-profile"\n',
        b"\xff\xfe\x00",
        b"a = " + b"[" * 5000,
    ],
)
def test_nothing_below_a_broken_sidecar_is_read(tmp_path: Path, broken: bytes) -> None:
    closed = tmp_path / "closed"
    (closed / "deep").mkdir(parents=True)
    (closed / "deep" / "secret.txt").write_text("Un texto reservado del todo.", encoding="utf-8")
    (closed / sidecar.NAME).write_bytes(broken)
    (tmp_path / "good.txt").write_text("Un texto que se deja leer.", encoding="utf-8")
    batch = discover([tmp_path], SETTINGS)
    assert [a.record.title for a in batch.accessions] == ["good"]
    (fault,) = batch.faults
    assert (Path(fault.source), fault.place) == (closed, sidecar.NAME)
    assert fault.reason and "who may see what" in fault.hint
    below = discover([closed / "deep" / "secret.txt"], SETTINGS)
    assert not below.accessions and len(below.faults) == 1


@pytest.mark.parametrize("kind", ["folder", "link to nothing"])
def test_a_sidecar_that_is_no_file_is_a_broken_one(tmp_path: Path, kind: str) -> None:
    path = tmp_path / sidecar.NAME
    path.mkdir() if kind == "folder" else path.symlink_to("nowhere")
    (tmp_path / "secret.txt").write_text("Un texto reservado del todo.", encoding="utf-8")
    batch = discover([tmp_path], SETTINGS)
    assert not batch.accessions
    assert batch.faults[0].place == sidecar.NAME


# ---- as an unprivileged user ---------------------------------------------------------------------

_AS_NOBODY = """
import json, os, sys
from dataclasses import astuple
from pathlib import Path
from rdfkms.ingest.accession import discover
from rdfkms.settings import Settings
discover([Path(sys.argv[1]) / "good.txt"], Settings())  # imports what lies out of reach later
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
batch = discover([Path(sys.argv[1])], Settings())
print(json.dumps([[astuple(f) for f in batch.faults], [a.record.title for a in batch.accessions]]))
"""


@pytest.fixture
def room() -> Iterator[Path]:
    """A folder that others may enter, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_what_may_not_be_read_is_named_and_the_rest_goes_on(room: Path) -> None:
    shut = room / "shut"
    shut.mkdir()
    (shut / "inside.txt").write_text("Un texto que no se ve.", encoding="utf-8")
    (room / "good.txt").write_text("Un texto que se deja leer.", encoding="utf-8")
    sources.typed().save(room / "secret.png")
    (room / "secret.png").chmod(0)
    shut.chmod(0)
    try:
        done = subprocess.run(
            [sys.executable, "-c", _AS_NOBODY, str(room)],
            capture_output=True, text=True, cwd=ROOT, timeout=60,
        )  # fmt: skip
    finally:
        shut.chmod(0o755)
    assert done.returncode == 0, done.stderr
    faults, titles = json.loads(done.stdout)
    assert titles == ["good"]
    assert sorted(Path(source).name for source, *_ in faults) == ["secret.png", "shut"]
    for _, _, reason, hint in faults:
        assert "Permission denied" in reason and "chmod" in hint


# ---- what an engine does -------------------------------------------------------------------------


class _Failing(_Blind):
    def __init__(self, err: Exception) -> None:
        self.err = err

    def read(self, picture: Any, languages: str, layout: str) -> Reading:
        raise self.err


@pytest.mark.parametrize(
    "err", [Unavailable("Tesseract did not finish.", hint="Scale it down."), RuntimeError("odd")]
)
def test_an_engine_that_fails_on_one_page_leaves_a_fault(tmp_path: Path, err: Exception) -> None:
    sources.typed().save(tmp_path / "page.png")
    (job,) = _jobs(discover([tmp_path], SETTINGS))
    result: PageResult = read_source(job, _Failing(err))
    (fault,) = result.faults
    assert result.page is None and not result.units
    assert fault.place == "page 1" and str(err).split(".")[0] in fault.reason and fault.hint


def test_a_file_that_went_away_since_accession_leaves_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "page.png"
    sources.typed().save(path)
    (job,) = _jobs(discover([tmp_path], SETTINGS))
    path.unlink()
    assert read_source(job, _Blind()).faults


# ---- the whole line ------------------------------------------------------------------------------


def _command(*arguments: str) -> tuple[int, Any]:
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "rdfkms", *arguments, "--json"],
        capture_output=True, text=True, cwd=ROOT, env=environment, timeout=300,
    )  # fmt: skip
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def test_a_run_over_bad_files_names_them_and_keeps_the_good_page(tmp_path: Path) -> None:
    room, archive = tmp_path / "room", str(tmp_path / "archive")
    room.mkdir()
    expected = sources.write_all(room)
    (room / "loop").symlink_to(room / "loop")
    (room / "a\n<b>.txt").write_text("Un texto que se deja leer.", encoding="utf-8")
    (room / "closed").mkdir()
    (room / "closed" / sidecar.NAME).write_text("[[records]", encoding="utf-8")
    sources.typed().save(room / "closed" / "secret.png")
    sources.typed().save(room / "good-p1.png")
    code, report = _command(
        "run", str(room), "--archive", archive, "--jobs", "1", "--profile", "court-martial"
    )
    assert code == 0
    named = {Path(f["source"]).name for f in report["faults"]}
    assert named == {*expected, "loop", "closed"}
    assert all(f["reason"] and f["hint"] for f in report["faults"])
    assert report["files"]["failed"] == len(named)
    assert report["units"] == 2
    code, found = _command("check", "--archive", archive)
    assert (code, found["ok"], found["units"]) == (0, True, 2)
    assert found["pointers"]["total"] == found["pointers"]["resolved"] > 0
