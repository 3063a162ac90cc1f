"""How much of a claim in words stands in its evidence, and where: measures, no verdict.

A word of the claim is found by its stem, by its letters (OCR noise: rapidfuzz) or, at a discount,
by a form of the same root. Shares are weighted: a name counts more than a plain word (`WEIGHTS`).
The best place is the run of at most `WINDOW` sentences that holds the largest share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein, Prefix

from rdfkms.admission.sentences import Class, Sentence, Word

WINDOW = 3
WEIGHTS = {Class.CONTENT: 1.0, Class.NAME: 1.5, Class.NUMBER: 1.5}
# Letters that two readings of one word may differ in, as a share; shorter words must be equal.
LIKENESS = 0.84
LEAST_LETTERS = 5
# Words that begin with so many equal letters, and so large a share of them, have one root.
ROOT_LETTERS = 5
ROOT_SHARE = 0.6
ROOT_CREDIT = 0.7
SENTENCE_COST = 0.02


@dataclass(frozen=True, slots=True)
class Place:
    """A run of sentences of the evidence, by their numbers, end exclusive."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """The words of a claim against its evidence.

    `credits` says for each word that tells something how surely the evidence has it (0 to 1),
    `here` the same for the best run of sentences; `alone`, `together` and `anywhere` are weighted
    shares in the best sentence, the best run and the whole evidence; `wording` is the share of
    all words of the claim, grammar too, that the evidence has in the same form.
    """

    words: tuple[Word, ...]
    credits: tuple[float, ...]
    here: tuple[float, ...]
    alone: float
    together: float
    anywhere: float
    wording: float
    place: Place
    sentence: Place


def compare(claim: Sequence[Word], evidence: Sequence[Sentence]) -> Comparison | None:
    """Return the comparison; None where the claim or the evidence has no word that tells."""
    words = tuple(word for word in claim if word.tells)
    stems = [_stems(sentence) for sentence in evidence]
    everything = frozenset().union(*stems)
    if not words or not everything:
        return None
    found = [dict(_alike(word.stem, word.cls, everything)) for word in words]
    # How surely each sentence (row) has each word (column).
    rows = np.array([[_credit(one, there) for one in found] for there in stems])
    weights = np.array([WEIGHTS[word.cls] for word in words])
    weights /= weights.sum()
    alone, sentence = _run(rows, weights, 1)
    together, place = _run(rows, weights, WINDOW)
    best = rows.max(axis=0)
    return Comparison(
        words,
        tuple(best.tolist()),
        tuple(rows[place.first : place.last].max(axis=0).tolist()),
        alone,
        together,
        float(best @ weights),
        _wording(claim, evidence),
        place,
        sentence,
    )


def _stems(sentence: Sentence) -> frozenset[str]:
    return frozenset(word.stem for word in sentence.words if word.cls is not Class.FILLER)


def _wording(claim: Sequence[Word], evidence: Sequence[Sentence]) -> float:
    said = {word.form for word in claim}
    return len(said & {word.form for s in evidence for word in s.words}) / len(said)


@lru_cache(maxsize=16_384)
def _alike(stem: str, cls: Class, stems: frozenset[str]) -> tuple[tuple[str, float], ...]:
    if stem in stems:
        return ((stem, 1.0),)
    if cls is Class.NUMBER or len(stem) < LEAST_LETTERS:
        return ()
    near = process.extract(
        stem,
        list(stems),
        scorer=Levenshtein.normalized_similarity,
        score_cutoff=LIKENESS,
        limit=3,
    )
    found = {other: score for other, score, _ in near if not other[0].isdigit()}
    for other in stems:
        shared = Prefix.similarity(stem, other)
        if shared >= max(ROOT_LETTERS, ROOT_SHARE * max(len(stem), len(other))):
            found[other] = max(found.get(other, 0.0), ROOT_CREDIT)
    return tuple(sorted(found.items()))


def _credit(found: Mapping[str, float], stems: frozenset[str]) -> float:
    return max((credit for stem, credit in found.items() if stem in stems), default=0.0)


def _run(rows: NDArray[np.float64], weights: NDArray[np.float64], most: int) -> tuple[float, Place]:
    """Return the largest share in a run of at most `most` sentences, and the shortest such run.

    Each further sentence of a run must earn `SENTENCE_COST`.
    """
    best, share, where = -1.0, 0.0, Place(0, 1)
    held = rows
    for length in range(1, min(most, len(rows)) + 1):
        if length > 1:
            held = np.maximum(held[:-1], rows[length - 1 :])
        shares = held @ weights
        first = int(shares.argmax())
        earned = float(shares[first]) - SENTENCE_COST * (length - 1)
        if earned > best + 1e-9:
            best, share, where = earned, float(shares[first]), Place(first, first + length)
    return share, where
