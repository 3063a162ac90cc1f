"""Precision, recall and F1 of spans and pairs, and the rates of governance (R143, R144).

strict   the same unit, the same type, the same span.
relaxed  the same unit and type, spans that overlap.
Relations and arguments count by their pair of ends. True positives are those of a maximum
matching: one prediction is never right twice.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

RESAMPLES = 1_000


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A typed span of one unit of one document: what is annotated or predicted."""

    document: str
    unit: str
    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """A typed pair of spots of one unit: a relation by its ends, or an argument with its event."""

    document: str
    unit: str
    first: tuple[int, int]
    second: tuple[int, int]
    type: str


@dataclass(frozen=True, slots=True)
class Count:
    """How many were right, predicted and true."""

    right: int = 0
    predicted: int = 0
    true: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(
            self.right + other.right, self.predicted + other.predicted, self.true + other.true
        )

    @property
    def precision(self) -> float:
        """Share of the predictions that are right; 0 where there is none."""
        return self.right / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """Share of what is true that was predicted; 0 where there is none."""
        return self.right / self.true if self.true else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.predicted + self.true
        return 2 * self.right / both if both else 0.0

    def row(self) -> dict[str, float | int]:
        """Return the figures for a table."""
        return {
            "precision": round(self.precision, 4),
            "recall": round(self.recall, 4),
            "f1": round(self.f1, 4),
            "right": self.right,
            "predicted": self.predicted,
            "true": self.true,
        }


@dataclass(frozen=True, slots=True)
class Scores:
    """Counts by type and by document of one comparison."""

    by_type: Mapping[str, Count]
    by_document: Mapping[str, Count]

    @property
    def micro(self) -> Count:
        """The counts of all types together."""
        return sum(self.by_type.values(), Count())

    @property
    def macro_f1(self) -> float:
        """The mean F1 of the types that are annotated."""
        known = [count.f1 for count in self.by_type.values() if count.true]
        return sum(known) / len(known) if known else 0.0

    def table(self, seed: int) -> dict[str, object]:
        """Return the rows of a table, with the 95 % interval of the micro F1."""
        low, high = interval(list(self.by_document.values()), seed)
        return {
            "micro": {**self.micro.row(), "f1_low": round(low, 4), "f1_high": round(high, 4)},
            "macro_f1": round(self.macro_f1, 4),
            "types": {name: count.row() for name, count in sorted(self.by_type.items())},
            "documents": len(self.by_document),
        }


# ---- matching --------------------------------------------------------------------------------


def strict(predicted: Iterable[Spot | Pair], true: Iterable[Spot | Pair]) -> Scores:
    """Return the scores where unit, type and span must be the same."""
    return _scores(predicted, true, _equal)


def relaxed(predicted: Iterable[Spot | Pair], true: Iterable[Spot | Pair]) -> Scores:
    """Return the scores where unit and type must be the same, and spans overlap."""
    return _scores(predicted, true, _touching)


def _scores(
    predicted: Iterable[Spot | Pair],
    true: Iterable[Spot | Pair],
    matched: Callable[[Sequence[Spot | Pair], Sequence[Spot | Pair]], int],
) -> Scores:
    groups: defaultdict[tuple[str, str, str], tuple[list[Spot | Pair], list[Spot | Pair]]] = (
        defaultdict(lambda: ([], []))
    )
    for side, items in enumerate((predicted, true)):
        for item in items:
            groups[item.document, item.unit, item.type][side].append(item)
    by_type: defaultdict[str, Count] = defaultdict(Count)
    by_document: defaultdict[str, Count] = defaultdict(Count)
    for (document, _, type_), (ours, theirs) in groups.items():
        count = Count(matched(ours, theirs), len(ours), len(theirs))
        by_type[type_] += count
        by_document[document] += count
    return Scores(dict(by_type), dict(by_document))


def _equal(ours: Sequence[Spot | Pair], theirs: Sequence[Spot | Pair]) -> int:
    return sum((Counter(ours) & Counter(theirs)).values())


def _touching(ours: Sequence[Spot | Pair], theirs: Sequence[Spot | Pair]) -> int:
    edges = [[at for at, other in enumerate(theirs) if _overlap(item, other)] for item in ours]
    return matching(edges)


def _overlap(one: Spot | Pair, other: Spot | Pair) -> bool:
    return all(a[0] < b[1] and b[0] < a[1] for a, b in zip(_spans(one), _spans(other), strict=True))


def _spans(item: Spot | Pair) -> tuple[tuple[int, int], ...]:
    return ((item.start, item.end),) if isinstance(item, Spot) else (item.first, item.second)


def matching(edges: Sequence[Sequence[int]]) -> int:
    """Return the size of a maximum matching; `edges[i]` are the right ends of left node i."""
    owner: dict[int, int] = {}

    def place(left: int, tried: set[int]) -> bool:
        for right in edges[left]:
            if right in tried:
                continue
            tried.add(right)
            if right not in owner or place(owner[right], tried):
                owner[right] = left
                return True
        return False

    return sum(place(left, set()) for left in range(len(edges)))


# ---- intervals -------------------------------------------------------------------------------


def interval(
    documents: Sequence[Count], seed: int, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """Return the 95 % interval of the micro F1, from documents drawn again and again."""
    if not documents:
        return 0.0, 0.0
    drawn = random.Random(seed)
    found = sorted(
        sum(drawn.choices(documents, k=len(documents)), Count()).f1 for _ in range(resamples)
    )
    return found[int(0.025 * resamples)], found[min(int(0.975 * resamples), resamples - 1)]


# ---- governance ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one proposal under one condition, and what is true of it.

    `valid` fits the schema; `resolved` opens the words it quotes; `kept` stands in the graph;
    `held` waits for a person. `supported` and `overreaching` tell the truth about the proposal,
    `sound` whether it should have been kept.
    """

    valid: bool
    resolved: bool
    kept: bool
    held: bool
    supported: bool
    overreaching: bool
    sound: bool


def rates(outcomes: Sequence[Outcome]) -> dict[str, float | int | None]:
    """Return the rates of governance (R144) over what was kept, with what that cost.

    `r_valid` is over all that was kept, `r_res` over the valid, `r_mis` and `r_ovr` over the
    resolved: one record can count in both. `admitted_recall` is the share of the sound proposals
    that were kept, `quarantine_rate` the share of all that waits for a person. None where there
    is nothing to divide by.
    """
    kept = [one for one in outcomes if one.kept]
    valid = [one for one in kept if one.valid]
    resolved = [one for one in valid if one.resolved]
    sound = [one for one in outcomes if one.sound]
    return {
        "proposed": len(outcomes),
        "kept": len(kept),
        "r_valid": share(len(valid), len(kept)),
        "r_res": share(len(resolved), len(valid)),
        "r_mis": share(sum(not one.supported for one in resolved), len(resolved)),
        "r_ovr": share(sum(one.overreaching for one in resolved), len(resolved)),
        "admitted_recall": share(sum(one.kept for one in sound), len(sound)),
        "quarantine_rate": share(sum(one.held for one in outcomes), len(outcomes)),
    }


def share(part: int, whole: int) -> float | None:
    """Return part / whole to four places, None for an empty whole."""
    return round(part / whole, 4) if whole else None


def tally(names: Iterable[Hashable]) -> dict[str, int]:
    """Return how often each name comes, the most frequent first."""
    return {str(name): count for name, count in Counter(names).most_common()}
