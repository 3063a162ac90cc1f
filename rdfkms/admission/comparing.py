"""How much of a claim in words stands in its evidence, and where: measures, no verdict.

A word of the claim is found by its stem, by its letters (OCR noise: rapidfuzz) or, at a discount,
by a form of the same root. Shares are weighted: a name counts more than a plain word (`WEIGHTS`).
The best place is the run of at most `WINDOW` sentences that holds the largest share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

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
    found = {word: _best(word, everything) for word in words}
    alone, sentence = _run(words, found, stems, 1)
    together, place = _run(words, found, stems, WINDOW)
    there = _joined(stems, place)
    here = tuple(_credit(found[word], there) for word in words)
    credits = tuple(max(found[word].values(), default=0.0) for word in words)
    return Comparison(
        words,
        credits,
        here,
        alone,
        together,
        _share(words, credits),
        _wording(claim, evidence),
        place,
        sentence,
    )


def _stems(sentence: Sentence) -> frozenset[str]:
    return frozenset(word.stem for word in sentence.words if word.cls is not Class.FILLER)


def _joined(stems: Sequence[frozenset[str]], place: Place) -> frozenset[str]:
    return frozenset().union(*stems[place.first : place.last])


def _wording(claim: Sequence[Word], evidence: Sequence[Sentence]) -> float:
    said = {word.form for word in claim}
    return len(said & {word.form for s in evidence for word in s.words}) / len(said)


def _best(word: Word, stems: frozenset[str]) -> Mapping[str, float]:
    """Return the stems of the evidence that may be the word, each with its credit."""
    return dict(_alike(word.stem, word.cls, stems))


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


def _share(words: Sequence[Word], credits: Sequence[float]) -> float:
    whole = sum(WEIGHTS[word.cls] for word in words)
    return sum(WEIGHTS[w.cls] * c for w, c in zip(words, credits, strict=True)) / whole


def _run(
    words: Sequence[Word],
    found: Mapping[Word, Mapping[str, float]],
    stems: Sequence[frozenset[str]],
    most: int,
) -> tuple[float, Place]:
    """Return the largest share in a run of at most `most` sentences, and the shortest such run."""
    best, where = -1.0, Place(0, 1)
    for length in range(1, min(most, len(stems)) + 1):
        for first in range(len(stems) - length + 1):
            there = _joined(stems, Place(first, first + length))
            share = _share(words, [_credit(found[word], there) for word in words])
            # A longer run must earn each further sentence.
            earned = share - SENTENCE_COST * (length - 1)
            if earned > best + 1e-9:
                best, where = earned, Place(first, first + length)
    there = _joined(stems, where)
    return _share(words, [_credit(found[word], there) for word in words]), where
