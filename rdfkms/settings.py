"""Settings of one archive, read from its `archive.toml` (DESIGN 5). Unknown keys are refused."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from rdfkms.errors import Misconfigured

# Verifiers of claims that an archive may name in `gate.verifiers`.
VERIFIERS = ("rules", "nli", "llm")
DEFAULT_BASE = "http://localhost:8080"
_IRI = r"^$|^https?://[^\s<>\"{}|\\^`]+$"


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReadingSettings(_Section):
    """How pages are read."""

    ocr: str = "tesseract"
    max_pixels: int = 120_000_000
    max_file_bytes: int = 2_000_000_000
    max_text_bytes: int = 50_000_000
    max_pages: int = 5_000
    pdf_dpi: int = 200
    page_seconds: int = 180


class ModelSettings(_Section):
    """Language model and embedder; an empty `llm_url` means that no model is asked."""

    llm_url: str = ""
    llm_model: str = ""
    llm_key_env: str = "OPENAI_API_KEY"
    temperature: float = 0.6
    top_p: float = 0.95
    top_k: int = 20
    max_tokens: int = 2048
    timeout: float = 120.0
    concurrency: int = Field(default=1, ge=1, le=64)  # passages of a page asked at a time
    longest_wait: float = Field(default=120.0, ge=0.0)  # seconds a Retry-After is waited for
    max_answer_bytes: int = Field(default=4_000_000, ge=1_000)
    max_tokens_per_document: int = Field(default=0, ge=0)  # in and out, 0 = no limit
    price_in: float = Field(default=0.0, ge=0.0)  # per million tokens, in your currency
    price_out: float = Field(default=0.0, ge=0.0)
    free_triples: bool = False  # ask for free triples as well, mapped by [triples]
    embedder: str = "use"


class VllmSettings(_Section):
    """vLLM for batches: the interpreter that has it, the model, and arguments of `vllm.LLM`."""

    python: str = ""
    model: str = ""
    args: dict[str, str | int | float | bool] = Field(default_factory=dict)
    at_once: int = Field(default=64, ge=1)  # prompts between two writes of answers
    seconds: int = Field(default=86_400, ge=1)  # after that the batch is stopped


class TripleSettings(_Section):
    """Thresholds by which words of a free triple become a name of the mapping table (R60)."""

    likeness: float = Field(default=0.84, ge=0.0, le=1.0)  # of the letters (rapidfuzz)
    cosine: float = Field(default=0.80, ge=-1.0, le=1.0)  # of the meanings (embedder)
    margin: float = Field(default=0.05, ge=0.0, le=1.0)  # by which the best name must lead
    longest_words: int = Field(default=6, ge=1)
    longest_han: int = Field(default=8, ge=1)


class GateSettings(_Section):
    """Thresholds of the gate and of reconciliation; published on the service's rules page.

    `verifiers` says who verifies: "rules" always, and beside it "nli" or "llm"; `vote` how their
    labels become one. `nli_model` is the folder or the name of a model; one by name is looked for
    in the local cache, and fetched only where `nli_download` allows it.
    """

    reanchor: bool = True
    same_name_similarity: float = 0.86
    pinyin: bool = False  # propose that a Han and a Latin name are one (needs pypinyin)
    four_eyes: bool = False
    verifiers: tuple[str, ...] = ("rules",)
    vote: Literal["strictest", "majority"] = "strictest"
    nli_model: str = ""
    nli_download: bool = False

    @field_validator("verifiers")
    @classmethod
    def _rules_among_them(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        """Refuse a list that would loosen the gate: models may only add to the rules (R85)."""
        unknown = [name for name in names if name not in VERIFIERS]
        if unknown:
            raise ValueError(f"there is no verifier {unknown[0]!r}; known: {', '.join(VERIFIERS)}")
        if names.count("rules") != 1 or len(set(names)) != len(names):
            raise ValueError("'rules' must be among them, and each only once")
        return names


class AuthoritySettings(_Section):
    """Where one external authority is asked: a local file, or a reconciliation service."""

    file: str = ""
    service: str = ""
    timeout: float = 10.0
    max_bytes: int = 1_000_000


class SparqlSettings(_Section):
    """Limits of the public SPARQL service (DESIGN 6)."""

    timeout: float = 10.0
    workers: int = 2
    max_rows: int = 100_000
    max_bytes: int = 50_000_000
    max_query_chars: int = 100_000
    memory_mb: int = 1024
    mirror: str = ""  # the mirror that answers the public queries, "" for the archive itself
    per_client: int = 4  # queries of one address at a time; 0 behind a proxy that limits them


class MirrorSettings(_Section):
    """A remote SPARQL store that shows the public graph; its password stands in the environment."""

    query_url: str
    update_url: str = ""
    user: str = ""
    password_env: str = ""
    auth: Literal["basic", "digest"] = "basic"
    timeout: float = 60.0


class PublishingSettings(_Section):
    """What aggregators are told of the archive, and how they harvest it (EDM, OAI-PMH).

    Empty names are the archive's title. `rights` stands for records without conditions of use.
    """

    data_provider: str = ""
    provider: str = ""
    rights: str = "http://rightsstatements.org/vocab/CNE/1.0/"  # copyright not evaluated
    language: str = ""  # of records that state none
    country: str = ""
    is_shown_at: str = ""  # what stands before a record's key; empty: the archive's own pages
    admin_email: str = "admin@example.org"
    page_records: int = Field(default=100, ge=1, le=1_000)
    token_hours: float = Field(default=24.0, gt=0.0, le=8_760.0)

    @field_validator("admin_email")
    @classmethod
    def _is_an_address(cls, text: str) -> str:
        if not re.fullmatch(r"[^\s@]+@[^\s@.]+(\.[^\s@.]+)+", text):
            raise ValueError("it must be an e-mail address, as archivist@example.org")
        return text


class DatasetSettings(_Section):
    """What the description of the dataset says that no program can know.

    Empty: no licence is stated, and the archive's title is who publishes.
    """

    license: str = Field(default="", pattern=_IRI)
    publisher: str = ""
    publisher_iri: str = Field(default="", pattern=_IRI)
    description: str = ""


class Settings(_Section):
    """All settings of one archive."""

    title: str = "An archive"
    language: Literal["en", "fr", "es", "de", "zh"] = "en"  # of pages, for readers who ask for none
    base: str = DEFAULT_BASE
    default_profile: str = "plain"
    reading: ReadingSettings = Field(default_factory=ReadingSettings)
    models: ModelSettings = Field(default_factory=ModelSettings)
    vllm: VllmSettings = Field(default_factory=VllmSettings)
    triples: TripleSettings = Field(default_factory=TripleSettings)
    gate: GateSettings = Field(default_factory=GateSettings)
    sparql: SparqlSettings = Field(default_factory=SparqlSettings)
    dataset: DatasetSettings = Field(default_factory=DatasetSettings)
    mirrors: dict[str, MirrorSettings] = Field(default_factory=dict)
    publishing: PublishingSettings = Field(default_factory=PublishingSettings)
    # By the name of a rule file in ingest/authorities: wikidata, viaf, geonames, cbdb.
    authorities: dict[str, AuthoritySettings] = Field(default_factory=dict)


def load(path: Path) -> Settings:
    """Return the settings in `path`; raises `Misconfigured` with file, key and reason."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as err:
        raise Misconfigured(f"{path}: cannot be read as TOML: {err}.") from err
    return parse(text, path)


def parse(text: str, path: Path) -> Settings:
    """Return the settings in a text that is or will be in `path`; raises `Misconfigured`."""
    try:
        return Settings.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as err:
        raise Misconfigured(f"{path}: cannot be read as TOML: {err}.") from err
    except ValidationError as err:
        first = err.errors()[0]
        where = ".".join(str(p) for p in first["loc"])
        raise Misconfigured(f"{path}: setting {where!r}: {first['msg']}.") from err
