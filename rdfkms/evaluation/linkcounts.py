"""Links as pairs of mentions: precision and recall of a way of linking, with the worst cases."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from rdfkms.evaluation.linkedmentions import NIL, Collection, GoldMention
from rdfkms.knowledge.nameforms import normal


@dataclass
class Pairs:
    """Pairs of mentions: linked, truly one, and both."""

    made: int = 0
    true: int = 0
    right: int = 0

    def add(self, other: Pairs) -> None:
        """Add the counts of another group of pairs."""
        self.made += other.made
        self.true += other.true
        self.right += other.right

    def scores(self) -> dict[str, float | int]:
        """Return precision, recall and F1 with the counts; shares of nothing are 0."""
        precision = self.right / self.made if self.made else 0.0
        recall = self.right / self.true if self.true else 0.0
        both = precision + recall
        return {
            "precision": round(precision, 4), "recall": round(recall, 4),
            "f1": round(2 * precision * recall / both, 4) if both else 0.0,
            "links": self.made, "true_pairs": self.true, "right": self.right,
        }  # fmt: skip


def pairs(linked: Sequence[Hashable], gold: Sequence[Hashable]) -> Pairs:
    """Return the pair counts of two clusterings of the same mentions, in the same order."""
    return Pairs(
        _pairs_within(linked),
        _pairs_within(gold),
        _pairs_within(list(zip(linked, gold, strict=True))),
    )


def _pairs_within(labels: Iterable[Hashable]) -> int:
    return sum(n * (n - 1) // 2 for n in Counter(labels).values())


@dataclass
class Scored:
    """The figures of one way of linking over several collections."""

    whole: Pairs = field(default_factory=Pairs)
    types: defaultdict[str, Pairs] = field(default_factory=lambda: defaultdict(Pairs))
    collections: defaultdict[str, Pairs] = field(default_factory=lambda: defaultdict(Pairs))
    nil: Pairs = field(default_factory=Pairs)
    beyond: Pairs = field(default_factory=Pairs)  # pairs whose normalised names differ
    wrong: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    missed: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def add(self, collection: Collection, labels: Sequence[Hashable]) -> None:
        """Count the links of a collection: `labels` names the entity of each mention."""
        rows = list(zip(collection.mentions, labels, strict=True))
        known = [(m, label) for m, label in rows if m.identifier != NIL]
        counted = _count(known)
        self.whole.add(counted)
        self.collections[collection.name].add(counted)
        for type_ in sorted({m.type for m, _ in known}):
            self.types[type_].add(_count([(m, label) for m, label in known if m.type == type_]))
        self._nil(rows)
        self._cases(known)

    def _nil(self, rows: Sequence[tuple[GoldMention, Hashable]]) -> None:
        """A link of a NIL with an identified mention is surely wrong; NIL with NIL is unknown."""
        unknown = Counter(label for m, label in rows if m.identifier == NIL)
        known = Counter(label for m, label in rows if m.identifier != NIL)
        self.nil.made += sum(n * known[label] for label, n in unknown.items())
        self.nil.true += sum(unknown.values())

    def _cases(self, known: Sequence[tuple[GoldMention, Hashable]]) -> None:
        for (one, label), (other, other_label) in combinations(known, 2):
            same, linked = one.identifier == other.identifier, label == other_label
            if exact(one) != exact(other):
                self.beyond.add(Pairs(int(linked), int(same), int(same and linked)))
            if same == linked:
                continue
            names = sorted(_shown(m.candidate.quote) for m in (one, other))
            (self.wrong if linked else self.missed)[(one.type, names[0], names[1])] += 1


def _count(rows: Sequence[tuple[GoldMention, Hashable]]) -> Pairs:
    return pairs([label for _, label in rows], [m.identifier for m, _ in rows])


def _shown(text: str) -> str:
    return " ".join(text.split())


def exact(mention: GoldMention) -> Hashable:
    """Return the baseline's entity of a mention: its type and its normalised name."""
    form = normal(mention.candidate.quote, mention.type)
    return (mention.type, form or mention.candidate.key)


Linker = Callable[[Collection], Sequence[Hashable]]


def score(collections: Iterable[Collection], link: Linker) -> Scored:
    """Return the figures of a way of linking over the collections."""
    found = Scored()
    for collection in collections:
        found.add(collection, link(collection))
    return found
