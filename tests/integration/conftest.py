"""One small archive for all tests of a session: built once, copied by those that change it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.tools.service import Service, serving
from tests.tools.small_archive import Small, build
from tests.tools.small_run import Built, folder, result

LICENCE = "https://creativecommons.org/licenses/by/4.0/"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Run the line on a few pages of the sample; tests may read this archive, not change it."""
    root = tmp_path_factory.mktemp("built")
    sources = folder(root / "sources")
    return Built(sources, root / "A", result("run", sources, "--archive", root / "A"))


@pytest.fixture
def copy(built: Built, tmp_path: Path) -> Path:
    """Return a copy of the archive that a test may change."""
    return Path(shutil.copytree(built.archive, tmp_path / "A"))


Texts = Callable[[dict[str, str]], Path]


@pytest.fixture
def texts(tmp_path: Path) -> Texts:
    """Return a function that writes files (with a register's rules) and gives their folder."""

    def write(files: dict[str, str]) -> Path:
        target = tmp_path / "texts"
        target.mkdir(exist_ok=True)
        rules = '[[records]]\nmatch = "*.md"\nprofile = "register"\n'
        for name, text in {"records.toml": rules, **files}.items():
            (target / name).write_text(text, encoding="utf-8")
        return target

    return write


@pytest.fixture(scope="session")
def small_archive(tmp_path_factory: pytest.TempPathFactory) -> Small:
    """Return a small archive with a licence and a release, closed; tests only read it."""
    root = tmp_path_factory.mktemp("small") / "archive"
    built = build(root)
    built.close()
    with (root / "archive.toml").open("a", encoding="utf-8") as out:
        out.write(f'\n[dataset]\nlicense = "{LICENCE}"\npublisher = "Archivo de Belmira"\n')
    result("release", "create", "v1", "--archive", root)
    return built


@pytest.fixture(scope="session")
def small_service(small_archive: Small) -> Iterator[Service]:
    """Return the service of the small archive."""
    with serving(small_archive.ledger.archive.root) as service:
        yield service
