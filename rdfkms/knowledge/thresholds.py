"""Thresholds and weights of reconciliation, from one file: `ingest/reconciliation.toml` (R65)."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rdfkms import resources
from rdfkms.errors import Misconfigured


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NameLimits(_Table):
    """How long names must be to be compared in ways other than by equality."""

    least_letters: int = Field(ge=1)
    variant_letters: int = Field(ge=1)


class LinkLimits(_Table):
    """How many details a link across records needs."""

    details_same_name: int = Field(ge=1)
    details_alike: int = Field(ge=1)
    company: int = Field(ge=1)


class TimeLimits(_Table):
    """What one life can hold, in years."""

    longest_life: int
    longest_activity: int
    active_age: int


class Scores(_Table):
    """What each feature adds to the score of a merge proposal."""

    same_name: float
    variant: float
    alike: float
    short: float
    sound: float
    detail: float
    company: float
    places: float
    time: float
    context: float
    disagreeing: float
    most: float = Field(le=1.0)
    proposals: int = Field(ge=1)


class ServiceScores(_Table):
    """How the reconciliation service ranks candidates for a name that a client sends."""

    least: float = Field(gt=0.0, le=1.0)
    same_name: float = Field(le=1.0)
    reordered: float = Field(le=1.0)
    variant: float = Field(le=1.0)
    other_name: float = Field(le=1.0)
    short: float = Field(le=1.0)
    properties: float = Field(ge=0.0, lt=1.0)
    unknown: float = Field(ge=0.0, le=1.0)
    disagreeing: float = Field(ge=0.0, le=1.0)


class Thresholds(_Table):
    """The whole file."""

    names: NameLimits
    links: LinkLimits
    time: TimeLimits
    scores: Scores
    service: ServiceScores


@cache
def load() -> Thresholds:
    """Return the shipped thresholds; raises `Misconfigured` with key and reason."""
    return read(resources.file("ingest/reconciliation.toml"))


def read(path: Path) -> Thresholds:
    """Return the thresholds in `path`; raises `Misconfigured` with key and reason."""
    try:
        return Thresholds.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as err:
        raise Misconfigured(f"{path}: cannot be read as TOML: {err}.") from err
    except ValidationError as err:
        first = err.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Misconfigured(f"{path}: {where}: {first['msg']}.") from err
