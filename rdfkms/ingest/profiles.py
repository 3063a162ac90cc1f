"""Profiles: how a corpus is read. `ingest/profiles/<name>.toml`, edited by curators."""

from __future__ import annotations

import re
import tomllib
from functools import cache, cached_property
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from rdfkms import resources
from rdfkms.errors import Misconfigured
from rdfkms.vocab import key_of

# Counted into the segmentation id: raise it when the cutting itself changes.
SEGMENTATION_RULES = "2"


class Profile(BaseModel):
    """How the pages of one corpus are read, cut and located.

    The tables `patterns`, `lexicons` and `names` belong to the proposers and are kept raw.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    name: str
    title: str
    languages: tuple[str, ...] = Field(min_length=1)
    ocr_languages: str = ""
    layout: Literal["auto", "block", "vertical"] = "auto"
    granularity: Literal["paragraph", "passage"] = "paragraph"
    passage_words: tuple[int, int] = (50, 100)
    overlap: int = Field(default=15, ge=0)
    longest: int = Field(default=200, ge=10)
    sections: dict[str, str] = Field(default_factory=dict)
    breaks: tuple[str, ...] = ()
    locator: Literal["page", "juan"] = "page"
    juan: str = ""
    low_confidence: float = Field(default=0.6, ge=0.0, le=1.0)
    date_default: str = ""
    trusts_descriptions: bool = False  # what a description states is admitted without a person
    high_risk: tuple[
        str, ...
    ] = ()  # relations that a model is asked about twice, besides the table's

    @field_validator("sections")
    @classmethod
    def _sections(cls, value: dict[str, str]) -> dict[str, str]:
        for pattern in value.values():
            _compiles(pattern)
        return value

    @field_validator("breaks")
    @classmethod
    def _breaks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in value:
            _compiles(pattern)
        return value

    @field_validator("juan")
    @classmethod
    def _juan(cls, value: str) -> str:
        _compiles(value)
        return value

    @model_validator(mode="after")
    def _sizes(self) -> Profile:
        least, most = self.passage_words
        if not 0 < least <= most <= self.longest:
            raise ValueError("passage_words must be [least, most] with least <= most <= longest")
        if self.overlap >= least:
            raise ValueError("overlap must be smaller than the shortest passage")
        return self

    @property
    def language(self) -> str:
        """The language of a unit unless another of the profile's is recognised."""
        return self.languages[0]

    @cached_property
    def segmentation_id(self) -> str:
        """Names the rules by which this profile cuts units; part of every unit key."""
        return key_of(
            SEGMENTATION_RULES,
            self.layout,
            self.granularity,
            *self.passage_words,
            self.overlap,
            self.longest,
            repr(sorted(self.sections.items())),
            repr(self.breaks),
        )

    @cached_property
    def headers(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """Section names with the compiled patterns of their header lines."""
        return tuple((name, re.compile(pattern)) for name, pattern in self.sections.items())

    @cached_property
    def starts(self) -> tuple[re.Pattern[str], ...]:
        """Compiled patterns of lines at which a unit begins without a new section."""
        return tuple(re.compile(pattern) for pattern in self.breaks)

    def section_of(self, line: str) -> str | None:
        """Return the name of the section that a line opens, or None."""
        return next((name for name, pattern in self.headers if pattern.match(line)), None)

    def opens(self, line: str) -> bool:
        """Return whether a unit must begin with this line."""
        return self.section_of(line) is not None or any(p.match(line) for p in self.starts)

    @property
    def tables(self) -> dict[str, Any]:
        """The tables that proposers read (`patterns`, `lexicons`, `names` ...)."""
        return dict(self.model_extra or {})


def _compiles(pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error as err:
        raise ValueError(f"{pattern!r} is no regular expression: {err}") from err


@cache
def load(name: str) -> Profile:
    """Return the profile `name`; raises `Misconfigured` with file, key and reason."""
    path = resources.folder("ingest") / "profiles" / f"{name}.toml"
    if name not in names():
        raise Misconfigured(
            f"There is no profile {name!r}.", hint=f"Known profiles: {', '.join(names())}."
        )
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        return Profile.model_validate({**values, "name": name})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as err:
        raise Misconfigured(f"{path}: cannot be read as TOML: {err}.") from err
    except ValidationError as err:
        first = err.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Misconfigured(f"{path}: {where}: {first['msg']}.") from err


def names() -> list[str]:
    """Return the names of all profiles, sorted."""
    return sorted(p.stem for p in (resources.folder("ingest") / "profiles").glob("*.toml"))
