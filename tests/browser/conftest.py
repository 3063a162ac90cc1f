"""A small archive, a service over it, and a headless Chromium to read it with."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from werkzeug.serving import make_server

from rdfkms.knowledge import mapping
from rdfkms.web import Services, create_app
from tests.tools.small_archive import Small, build

WIDE, NARROW = (1280, 900), (390, 844)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Small]:
    """Return a small archive."""
    built = build(tmp_path_factory.mktemp("browser") / "archive")
    yield built
    built.close()


@pytest.fixture(scope="module")
def address(small: Small) -> Iterator[str]:
    """Serve the archive on a free port of this machine."""
    app = create_app(Services(small.ledger, small.work, mapping.load()))
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Return a headless Chromium."""
    api = pytest.importorskip("playwright.sync_api")
    binary = shutil.which("chromium") or shutil.which("chromium-browser")
    if binary is None:
        pytest.skip("no chromium: apt-get install chromium")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=FLAGS)
        yield browser
        browser.close()
