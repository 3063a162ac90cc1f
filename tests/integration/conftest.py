"""One small archive for all tests of a session: built once, copied by those that change it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.small_run import Built, folder, result


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
