"""Engines behind the ports, by kind and name; loaded late, so an absent extra costs nothing."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from rdfkms.errors import Misconfigured, Missing


@dataclass(frozen=True, slots=True)
class Backend:
    """Where an engine lies (``module:Class``) and the extra of rdfkms that installs it."""

    target: str
    extra: str = ""


BACKENDS: dict[str, dict[str, Backend]] = {
    "store": {"oxigraph": Backend("rdfkms.backends.oxigraph:OxigraphStore")},
    "mirror": {"sparql": Backend("rdfkms.backends.sparql_http:SparqlMirror")},
    "remote": {"sparql": Backend("rdfkms.backends.sparql_remote:RemoteEngine")},
    "ocr": {"tesseract": Backend("rdfkms.backends.tesseract:Tesseract")},
    "fulltext": {"tantivy": Backend("rdfkms.backends.tantivy_index:TantivyIndex")},
    "vectors": {"usearch": Backend("rdfkms.backends.usearch_index:UsearchIndex")},
    "embedder": {
        "use": Backend("rdfkms.backends.use_embedder:UseEmbedder", "local"),
        "e5": Backend("rdfkms.backends.e5_embedder:E5Embedder", "local"),
        "sentence_transformers": Backend(
            "rdfkms.backends.sentence_transformers_embedder:SentenceTransformersEmbedder", "models"
        ),
    },
    "names": {
        "spacy": Backend("rdfkms.backends.spacy_names:SpacyNames", "local"),
        "jieba": Backend("rdfkms.backends.jieba_names:JiebaNames", "local"),
    },
    "verifier": {"nli": Backend("rdfkms.backends.nli_verifier:NliVerifier", "models")},
    "authority": {"service": Backend("rdfkms.backends.reconciliation_http:ReconciliationService")},
    "batch": {"vllm": Backend("rdfkms.backends.vllm_offline:VllmBatch")},
    "llm": {"openai": Backend("rdfkms.backends.openai_http:OpenAIModel")},
}


def names(kind: str) -> list[str]:
    """Return the names of the engines of a kind ("store", "ocr" ...), sorted."""
    return sorted(BACKENDS.get(kind, {}))


def load(kind: str, name: str) -> Any:
    """Return the class of an engine.

    Raises `Misconfigured` for a name that does not exist, `Missing` naming the extra to install.
    """
    backend = BACKENDS.get(kind, {}).get(name)
    if backend is None:
        known = ", ".join(names(kind)) or "none"
        raise Misconfigured(f"No {kind} engine is called {name!r}.", hint=f"Known: {known}.")
    module, _, attribute = backend.target.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except ImportError as err:
        extra = f'pip install "rdfkms[{backend.extra}]"' if backend.extra else "pip install rdfkms"
        raise Missing(
            f"The {kind} engine {name!r} needs software that is not installed ({err.name}).",
            hint=f"Install it with: {extra}.",
        ) from err
