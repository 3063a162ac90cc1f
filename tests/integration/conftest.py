"""One small archive for all tests of a session: built once, copied by those that change it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from rdfkms.backends.tantivy_index import TantivyIndex
from rdfkms.errors import Unavailable
from rdfkms.knowledge import mapping
from rdfkms.retrieval.index import Indexes, Makers
from rdfkms.web import Services, create_app
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


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Small]:
    """Return a small archive, open, which the tests of one file may change."""
    opened = build(tmp_path_factory.mktemp("opened") / "archive", title="Belmira")
    yield opened
    opened.close()


def _no_vectors(path: Path, dimensions: int) -> Any:
    raise Unavailable("no vectors in this test")


@pytest.fixture(scope="module")
def client(small: Small) -> FlaskClient:
    """Return a client of the service over it, with a full-text index."""
    makers = Makers(TantivyIndex, _no_vectors, None)
    indexes = Indexes(small.ledger.archive.indexes, small.ledger.base, makers)
    indexes.update(small.ledger)
    services = Services(small.ledger, small.work, mapping.load(), indexes)
    return create_app(services).test_client()


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
