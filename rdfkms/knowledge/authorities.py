"""Mapping rules of external authorities, and how their entries are weighed (R67).

Rules are executable and declarative, one file an authority (`ingest/authorities/<name>.toml`):
which of our types ask it, what is sent along, the weight of each feature, thresholds. What passes
is proposed to a person with its reasons; nothing is linked here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from rapidfuzz.distance import Levenshtein

from rdfkms import resources
from rdfkms.errors import Misconfigured
from rdfkms.knowledge import variants
from rdfkms.knowledge.nameforms import normal
from rdfkms.ports import AuthorityCandidate

_YEAR = re.compile(r"-?[0-9]{3,4}")
_VARIANT = 0.95  # value of the feature "name" for a variant spelling


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Weights(_Table):
    """What each feature adds where it agrees."""

    name: float
    birth: float
    death: float
    place: float
    description: float


class Limits(_Table):
    """Which entries become proposals."""

    alike: float = Field(gt=0, le=1)
    least: float = Field(ge=0, le=1)
    most: int = Field(ge=1, le=20)


class Rules(_Table):
    """The rules of one authority."""

    title: str
    iri: str
    id: str
    types: dict[str, str]
    send: dict[str, str]
    weights: Weights
    thresholds: Limits

    @field_validator("iri")
    @classmethod
    def _holds_the_id(cls, iri: str) -> str:
        if not re.match(r"https?://[^/]+/", iri) or iri.count("{id}") != 1:
            raise ValueError("the IRI must be of the web and hold {id} once")
        return iri

    @field_validator("id")
    @classmethod
    def _is_a_pattern(cls, pattern: str) -> str:
        re.compile(pattern)
        return pattern

    def address(self, id: str) -> str | None:
        """Return the IRI of an entry, or None for what is no identifier of this authority."""
        if re.fullmatch(self.id, id) is None:
            return None
        return self.iri.replace("{id}", id)


@dataclass(frozen=True, slots=True)
class Known:
    """What the archive knows of an entity: names (shown), facts as the authority may have them."""

    type: str
    names: tuple[str, ...]
    births: tuple[str, ...] = ()
    deaths: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    occupations: tuple[str, ...] = ()

    def facts(self, send: Mapping[str, str]) -> dict[str, str]:
        """Return what is sent with a query, by the authority's property; the first of several."""
        have = {"birth": self.births, "death": self.deaths, "place": self.places}
        return {prop: have[fact][0] for fact, prop in send.items() if have.get(fact)}


@dataclass(frozen=True, slots=True)
class Match:
    """An entry that may be the entity: its address, score, and why, feature by feature."""

    candidate: AuthorityCandidate
    address: str
    score: float
    why: tuple[str, ...] = field(default=())


def matches(
    known: Known, candidates: Sequence[AuthorityCandidate], rules: Rules
) -> tuple[Match, ...]:
    """Return the entries that pass the thresholds, best first, ties by identifier."""
    found: dict[str, Match] = {}
    for candidate in candidates:
        address = rules.address(candidate.id)
        match = _match(known, candidate, address, rules) if address else None
        if match is not None and match.score >= rules.thresholds.least:
            found.setdefault(candidate.id, match)
    ranked = sorted(found.values(), key=lambda m: (-m.score, m.candidate.id))
    return tuple(ranked[: rules.thresholds.most])


def _match(known: Known, candidate: AuthorityCandidate, address: str, rules: Rules) -> Match | None:
    weights = rules.weights
    named, how = _named(known, candidate)
    if named < rules.thresholds.alike:
        return None
    score, why = weights.name * named, [f"{how} ({weights.name * named:.2f})"]
    for name, ours, theirs, weight in (
        ("born", known.births, candidate.birth, weights.birth),
        ("died", known.deaths, candidate.death, weights.death),
    ):
        agrees = _same_year(ours, theirs)
        if agrees is not None and weight:
            added = weight if agrees else -weight / 2
            word = "agrees" if agrees else "differs"
            score += added
            why.append(f"{name} {theirs} {word} ({added:+.2f})")
    place = _shared(known.places, candidate.place)
    if place and weights.place:
        score += weights.place
        why.append(f"place {place} agrees ({weights.place:+.2f})")
    word = _shared(known.occupations, candidate.description)
    if word and weights.description:
        score += weights.description
        why.append(f"its description says {word} ({weights.description:+.2f})")
    if len(why) == 1:
        why.append("nothing but the name speaks for it")
    return Match(candidate, address, round(min(score, 1.0), 4), tuple(why))


def _named(known: Known, candidate: AuthorityCandidate) -> tuple[float, str]:
    """Return how alike the names are at best, and how that is said."""
    best, how = 0.0, ""
    for theirs in (candidate.label, *candidate.aliases):
        form = normal(theirs, known.type)
        for ours in (normal(name, known.type) for name in known.names):
            if not form or not ours:
                continue
            value, said = _alike(ours, form, known.type)
            if theirs != candidate.label and value:
                said = f"{said}, by its name “{theirs}”"
            if value > best:
                best, how = value, said
    return best, how


def _alike(ours: str, theirs: str, type_: str) -> tuple[float, str]:
    if ours == theirs:
        return 1.0, "the same name"
    if sorted(ours.split()) == sorted(theirs.split()):
        return 1.0, "the same name in another order"
    if variants.key(ours, type_) == variants.key(theirs, type_):
        return _VARIANT, "a variant spelling"
    score = Levenshtein.normalized_similarity(ours, theirs)
    return score, f"names {score:.0%} alike"


def _same_year(ours: Sequence[str], theirs: str) -> bool | None:
    """Return whether a year of ours is theirs; None where either is unknown."""
    year = _YEAR.search(theirs)
    known = [found[0] for value in ours if (found := _YEAR.search(value))]
    if year is None or not known:
        return None
    return any(int(one) == int(year[0]) for one in known)


def _shared(ours: Sequence[str], theirs: str) -> str:
    """Return the first of ours that stands in their text as whole words, or nothing."""
    text = f" {normal(theirs)} "
    return next((one for one in ours if normal(one) and f" {normal(one)} " in text), "")


def names() -> tuple[str, ...]:
    """Return the authorities that have rules."""
    return tuple(sorted(p.stem for p in resources.folder("ingest/authorities").glob("*.toml")))


@cache
def load(name: str) -> Rules:
    """Return the rules of an authority; raises `Misconfigured` with what is wrong."""
    if name not in names():
        hint = f"Rules exist for: {', '.join(names())}."
        raise Misconfigured(f"There are no rules for an authority {name!r}.", hint=hint)
    return read(resources.folder("ingest/authorities") / f"{name}.toml")


def read(path: Path) -> Rules:
    """Return the rules in `path`; raises `Misconfigured` with key and reason."""
    try:
        return Rules.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as err:
        raise Misconfigured(f"{path}: cannot be read as TOML: {err}.") from err
    except (ValidationError, re.error) as err:
        raise Misconfigured(f"{path}: {err}.") from err
