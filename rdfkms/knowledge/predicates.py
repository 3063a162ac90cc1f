"""Words of a predicate to a name of the mapping table: lexicon, letters, meaning (R60).

In that order: the words stand in ``ingest/lexicons/predicates.<language>.tsv``; or they are spelt
nearly so (rapidfuzz); or they mean nearly so (an embedder). The last two must reach the thresholds
of the settings (`[triples]`) and lead the next name by a margin; their measured precision stands
in docs/models.md. What is denied or too long is not mapped.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from rdfkms.knowledge import dates, lexicons
from rdfkms.knowledge.nameforms import is_han
from rdfkms.ports import Embedder
from rdfkms.settings import TripleSettings

LANGUAGES = ("en", "es", "fr", "de", "zh")
SHORTEST_ALIKE = 5  # shorter words are too easily alike

Target = tuple[str, bool]  # a name of the table, and whether the words run against it


@dataclass(frozen=True, slots=True)
class Mapped:
    """What a predicate became: a name or "", its direction, how, how surely, the nearest names."""

    name: str
    inverse: bool = False
    how: str = ""  # "lexicon" | "letters" | "meaning"
    score: float = 0.0
    nearest: tuple[str, ...] = ()


def family(language: str) -> str:
    """Return the lexicon language of a tag (``lzh`` and ``zh-Hant`` are ``zh``)."""
    short = "zh" if language == "lzh" else language[:2]
    return short if short in LANGUAGES else "en"


def too_long(predicate: str, settings: TripleSettings) -> bool:
    """Return whether a predicate is longer than what may be one (R60)."""
    words = predicate.split()
    if is_han(predicate):
        return len("".join(words)) > settings.longest_han
    return len(words) > settings.longest_words


@dataclass(frozen=True, slots=True)
class _Words:
    light: frozenset[str]
    negation: frozenset[str]


@cache
def _small(language: str) -> _Words:
    rows = [row for row in lexicons.rows("predicate-words") if row[1] == language]
    found = {kind: frozenset(dates.fold(r[0]) for r in rows if r[2] == kind) for kind in
             ("light", "negation")}  # fmt: skip
    return _Words(found["light"], found["negation"])


def normal(predicate: str, language: str) -> str:
    """Return the words of a predicate as they are compared: folded, without small words."""
    folded = dates.fold(predicate.replace("'", " ").replace("’", " ")).strip(" .,;:")
    if is_han(folded):
        bare = "".join(folded.split())
        return bare.lstrip("".join(_small("zh").light)) or bare
    words = [w for w in folded.split() if w not in _small(language).light]
    return " ".join(words) or folded


def is_negated(predicate: str, language: str) -> bool:
    """Return whether the words deny what they say."""
    folded = dates.fold(predicate.replace("'", " ").replace("’", " "))
    denying = _small(language).negation
    if is_han(folded):
        return any(character in folded for character in denying)
    return not denying.isdisjoint(folded.split())


@cache
def _lexicon(language: str) -> dict[str, Target]:
    return {
        normal(row[0], language): (row[1], len(row) > 2 and row[2] == "inverse")
        for row in lexicons.rows(f"predicates.{language}")
    }


class Predicates:
    """Maps predicates; an embedder is asked for the lexicon once for each language."""

    def __init__(
        self, settings: TripleSettings | None = None, embedder: Embedder | None = None
    ) -> None:
        self._settings = settings or TripleSettings()
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def map(self, predicate: str, language: str) -> Mapped:
        """Return the name that the words mean, with the three nearest; name "" for none."""
        language = family(language)
        words = normal(predicate, language)
        if not words:
            return Mapped("")
        exact = self._exact(words, language)
        if exact and not is_negated(predicate, language):
            return Mapped(*exact, "lexicon", 1.0, (exact[0],))
        alike, meant = self._alike(words, language), self._meant(words, language)
        nearest = _names(sorted((*alike.items(), *meant.items()), key=lambda p: (-p[1], p[0])))
        if is_negated(predicate, language) or too_long(predicate, self._settings):
            return Mapped("", nearest=nearest)
        chances = (("letters", alike, self._settings.likeness if len(words) >= SHORTEST_ALIKE or
                    is_han(words) else 2.0), ("meaning", meant, self._settings.cosine))  # fmt: skip
        for how, scores, least in chances:
            best = _leading(scores, least, self._settings.margin)
            if best is not None:
                return Mapped(*best, how, round(scores[best], 4), nearest)
        return Mapped("", nearest=nearest)

    def _exact(self, words: str, language: str) -> Target | None:
        own = _lexicon(language).get(words)
        if own:
            return own
        others = {_lexicon(other).get(words) for other in LANGUAGES} - {None}
        return others.pop() if len(others) == 1 else None

    def _alike(self, words: str, language: str) -> dict[Target, float]:
        scores: dict[Target, float] = {}
        for known, target in _lexicon(language).items():
            score = fuzz.ratio(words, known) / 100
            scores[target] = max(score, scores.get(target, 0.0))
        return scores

    def _meant(self, words: str, language: str) -> dict[Target, float]:
        if self._embedder is None:
            return {}
        table = _lexicon(language)
        if language not in self._vectors:
            self._vectors[language] = self._embedder.embed(list(table))
        cosines = self._vectors[language] @ self._embedder.embed([words])[0]
        scores: dict[Target, float] = {}
        for target, cosine in zip(table.values(), cosines, strict=True):
            scores[target] = max(float(cosine), scores.get(target, -1.0))
        return scores


def _leading(scores: dict[Target, float], least: float, margin: float) -> Target | None:
    """Return the best target where it reaches `least` and leads every other by `margin`."""
    ordered = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    if not ordered or ordered[0][1] < least:
        return None
    second = ordered[1][1] if len(ordered) > 1 else -1.0
    return ordered[0][0] if ordered[0][1] - second >= margin else None


def _names(ranked: Iterable[tuple[Target, float]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(target[0] for target, _ in ranked))[:3]
