"""Verification on four corpora of judged claims: the rules against two baselines (R72-R76, R144).

The corpora have one public part each ("dev"). It is split by document into "tune" and "report"
(`claim_corpora`): the thresholds and weights of `admission.textual` were set by looking at "tune"
alone, on all corpora together, one setting for all; the cut points of the overlap baseline are set
on "tune" of each corpus by itself, which is to its advantage. Figures are of "report"; `whole`
repeats them on both parts together, where the rules and the baseline saw half of what they judge.

majority   every claim has the grade that is most frequent in "tune".
overlap    the share of the claim's words that the evidence has; a grade for each band of it. Which
           grade has which band, and where bands end, is what gives the best macro-F1 on "tune".
"""

from __future__ import annotations

import itertools
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rdfkms.admission import textual
from rdfkms.evaluation.claim_corpora import SOURCES, Corpus, Grade, Pair, load
from rdfkms.model import Label, Verification

# Ends of bands that the overlap baseline may choose from.
CUTS = tuple(cut / 20 for cut in range(22))
LEAST_RECALL = 0.5
WORST_SHOWN = 10
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Judgement:
    """One pair, the finding about it and the grade that the finding amounts to in its corpus."""

    pair: Pair
    found: Verification
    grade: Grade

    @property
    def score(self) -> float:
        """How surely it is supported, from 0 to 1."""
        return self.found.score or 0.0


Verify = Callable[[str, Sequence[str], str], Verification]


def evaluate(
    shared: Path,
    names: Sequence[str] = tuple(SOURCES),
    *,
    verify: Verify = textual.verify_sentence,
    folder: str = "dev",
) -> dict[str, Any]:
    """Return the figures of each corpus; `shared` is the folder that holds ``data/corpora``.

    Raises `NotFound` for a corpus that is not there.
    """
    corpora = [load(shared, name, folder) for name in names]
    return {
        "settings": {
            "verifier": f"{textual.NAME}@{textual.VERSION}",
            "supported_from": textual.SUPPORTED,
            "speaks_of_from": textual.SPEAKS_OF,
            "weights": dict(textual.WEIGHTS),
        },
        "corpora": {corpus.name: _figures(corpus, verify) for corpus in corpora},
    }


def grade_of(found: Verification, grades: Sequence[Grade]) -> Grade:
    """Return what a finding amounts to among the grades of a corpus.

    Where a corpus has no grade for contradiction, or for overreach, the nearest weaker one counts.
    """
    if found.label is Label.SUPPORTED:
        return Grade.SUPPORTED
    if any(r.code == "contradicted" for r in found.reasons) and Grade.CONTRADICTED in grades:
        return Grade.CONTRADICTED
    wholly = found.label is Label.UNSUPPORTED and not any(
        r.code == "contradicted" for r in found.reasons
    )
    return Grade.UNSUPPORTED if wholly or Grade.OVERREACHING not in grades else Grade.OVERREACHING


def _figures(corpus: Corpus, verify: Verify) -> dict[str, Any]:
    started = time.perf_counter()
    judged = [
        Judgement(pair, found, grade_of(found, corpus.grades))
        for pair in corpus.pairs
        for found in [verify(pair.claim, pair.evidence, pair.language)]
    ]
    seconds = time.perf_counter() - started
    tune = [one.pair for one in judged if one.pair.part == "tune"]
    report = [one for one in judged if one.pair.part == "report"]
    baselines = {
        "majority": _majority(tune),
        "overlap": _overlap(tune, corpus.grades),
    }
    return {
        "pairs": {"tune": len(tune), "report": len(report)},
        "milliseconds_per_claim": round(seconds / max(len(judged), 1) * 1000, 2),
        "report": _measures(report, corpus.grades, baselines),
        "whole": _measures(judged, corpus.grades, baselines),
        "worst": _worst(report),
    }


Guess = Callable[[Pair], Grade]


def _measures(
    judged: Sequence[Judgement], grades: Sequence[Grade], baselines: Mapping[str, Guess]
) -> dict[str, Any]:
    gold = [one.pair.grade for one in judged]
    said = [one.grade for one in judged]
    return {
        "macro_f1": {
            "rules": macro_f1(gold, said, grades),
            **{
                name: macro_f1(gold, [guess(one.pair) for one in judged], grades)
                for name, guess in baselines.items()
            },
        },
        "grades": {grade.value: _prf(gold, said, grade) for grade in grades},
        "confusion": _confusion(gold, said, grades),
        "overreach": overreach(judged),
        "curve": curve(judged),
    }


# ---- measures ---------------------------------------------------------------------------------


def _prf(gold: Sequence[Grade], said: Sequence[Grade], grade: Grade) -> dict[str, float]:
    right = sum(g is grade is s for g, s in zip(gold, said, strict=True))
    precision = right / said.count(grade) if grade in said else 0.0
    recall = right / gold.count(grade) if grade in gold else 0.0
    both = precision + recall
    return {
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(2 * precision * recall / both if both else 0.0, 4),
        "pairs": gold.count(grade),
    }


def macro_f1(gold: Sequence[Grade], said: Sequence[Grade], grades: Sequence[Grade]) -> float:
    """Return the mean F1 of the grades."""
    return round(sum(_prf(gold, said, grade)["f1"] for grade in grades) / len(grades), 4)


def _confusion(
    gold: Sequence[Grade], said: Sequence[Grade], grades: Sequence[Grade]
) -> dict[str, dict[str, int]]:
    """Return, for each grade by people, how often the rules gave each grade."""
    counts = Counter(zip(gold, said, strict=True))
    return {g.value: {s.value: counts[(g, s)] for s in grades} for g in grades}


def overreach(judged: Sequence[Judgement]) -> dict[str, float | None]:
    """Return the rate of what is not supported among what passes, at supported recall >= 0.5.

    `threshold` is the highest score from which on at least half of the supported claims pass;
    `overreaching_passed` is the share of claims graded overreaching (where the corpus has none:
    unsupported) that pass there, `passed_wrong` the share of all that pass which people did not
    grade supported. `shipped` repeats the first for what the rules label supported.
    """
    points = curve(judged)
    point = next((p for p in points if p["supported_recall"] >= LEAST_RECALL), None)
    passed = [one.found.label is Label.SUPPORTED for one in judged]
    over = [one.pair.grade is _beyond(judged) for one in judged]
    supported = [one.pair.grade is Grade.SUPPORTED for one in judged]
    return {
        "threshold": point["threshold"] if point else None,
        "supported_recall": point["supported_recall"] if point else None,
        "overreaching_passed": point["overreaching_passed"] if point else None,
        "passed_wrong": point["passed_wrong"] if point else None,
        "shipped": _rate(passed, over),
        "shipped_supported_recall": _rate(passed, supported),
    }


def curve(judged: Sequence[Judgement]) -> list[dict[str, float]]:
    """Return the whole trade-off, from the highest threshold of the score to the lowest.

    A claim passes where its score reaches the threshold; at `textual.SUPPORTED` just those pass
    that the rules label supported.
    """
    beyond = _beyond(judged)
    gold = [one.pair.grade for one in judged]
    marks = [one.score for one in judged]
    points = []
    for threshold in sorted({mark for mark in marks if mark > 0}, reverse=True):
        passed = [mark >= threshold for mark in marks]
        through = sum(passed)
        wrong = sum(p and g is not Grade.SUPPORTED for p, g in zip(passed, gold, strict=True))
        points.append(
            {
                "threshold": round(threshold, 4),
                "supported_recall": _rate(passed, [g is Grade.SUPPORTED for g in gold]),
                "overreaching_passed": _rate(passed, [g is beyond for g in gold]),
                "passed_wrong": round(wrong / through, 4),
            }
        )
    return points


def _beyond(judged: Sequence[Judgement]) -> Grade:
    has = any(one.pair.grade is Grade.OVERREACHING for one in judged)
    return Grade.OVERREACHING if has else Grade.UNSUPPORTED


def _rate(passed: Sequence[bool], of: Sequence[bool]) -> float:
    both = sum(p and o for p, o in zip(passed, of, strict=True))
    return round(both / sum(of), 4) if any(of) else 0.0


def _worst(judged: Sequence[Judgement]) -> list[dict[str, Any]]:
    """Return the claims that the rules were surest of and wrong about."""
    wrong = [one for one in judged if one.grade is not one.pair.grade]
    wrong.sort(key=lambda one: (-_sureness(one), one.pair.key))
    return [
        {
            "key": one.pair.key,
            "claim": one.pair.claim,
            "people": one.pair.grade.value,
            "rules": one.grade.value,
            "score": one.score,
            "reasons": [reason.sentence for reason in one.found.reasons],
            "quote": one.found.supporting_quote,
        }
        for one in wrong[:WORST_SHOWN]
    ]


def _sureness(one: Judgement) -> float:
    return one.score if one.grade is Grade.SUPPORTED else 1 - one.score


# ---- baselines --------------------------------------------------------------------------------


def _majority(pairs: Sequence[Pair]) -> Guess:
    counts = Counter(pair.grade for pair in pairs)
    most = (
        min(counts, key=lambda grade: (-counts[grade], grade.value)) if counts else Grade.SUPPORTED
    )
    return lambda pair: most


def overlap(pair: Pair) -> float:
    """Return the share of the claim's words that its evidence has, from 0 to 1."""
    claim = set(_WORD.findall(pair.claim.lower()))
    evidence = set(_WORD.findall(" ".join(pair.evidence).lower()))
    return len(claim & evidence) / len(claim) if claim else 0.0


def _overlap(pairs: Sequence[Pair], grades: Sequence[Grade]) -> Guess:
    """Return the baseline with bands and their grades as fit the pairs best."""
    shares = [overlap(pair) for pair in pairs]
    gold = [pair.grade for pair in pairs]
    best: tuple[float, tuple[Grade, ...], tuple[float, ...]] = (-1.0, tuple(grades), ())
    for order in itertools.permutations(grades):
        for cuts in itertools.combinations_with_replacement(CUTS, len(grades) - 1):
            said = [_band(share, order, cuts) for share in shares]
            f1 = macro_f1(gold, said, grades)
            if f1 > best[0]:
                best = (f1, order, cuts)
    _, order, cuts = best
    return lambda pair: _band(overlap(pair), order, cuts)


def _band(share: float, order: Sequence[Grade], cuts: Sequence[float]) -> Grade:
    return order[sum(share >= cut for cut in cuts)]
