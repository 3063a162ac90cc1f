"""Fixtures that all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with third-party corpora and validators, or a skip with the reason."""
    folder = Path(os.environ.get("RDFKMS_SHARED", str(ROOT.parent / "shared")))
    if not (folder / "data").is_dir():
        pytest.skip("no third-party data: set RDFKMS_SHARED to the folder that holds data/")
    return folder
