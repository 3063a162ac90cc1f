"""Which of many names are nearly this one: deletion index, then bigram block, then Levenshtein.

Measured on 100,000 names: 0.03 ms for one wrong letter by deletions, 1.8 ms by bigrams, against
6.6 ms for comparing with all (DESIGN 7).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from rapidfuzz.distance import Levenshtein

MOST_HITS = 50
_SHARED = 0.4  # least share of the query's bigrams that a name in the block must have


class NameIndex:
    """Normal forms, each once; only grows."""

    def __init__(self) -> None:
        self._forms: list[str] = []
        self._known: set[str] = set()
        self._deletions: defaultdict[str, list[int]] = defaultdict(list)
        self._bigrams: defaultdict[str, list[int]] = defaultdict(list)

    def __len__(self) -> int:
        return len(self._forms)

    def add(self, form: str) -> None:
        """Add a normal form; one that is there already changes nothing."""
        if not form or form in self._known:
            return
        self._known.add(form)
        at = len(self._forms)
        self._forms.append(form)
        for shorter in _deletions(form):
            self._deletions[shorter].append(at)
        for bigram in _bigrams(form):
            self._bigrams[bigram].append(at)

    def similar(self, form: str, cutoff: float) -> list[tuple[str, float]]:
        """Return up to 50 other forms with similarity >= `cutoff`, best first, then by form.

        Similarity is 1 - distance / length of the longer form.
        """
        near = {at for shorter in _deletions(form) for at in self._deletions.get(shorter, ())}
        near |= self._block(form)
        scored = (
            (
                self._forms[at],
                Levenshtein.normalized_similarity(form, self._forms[at], score_cutoff=cutoff),
            )
            for at in near
            if self._forms[at] != form
        )
        hits = [(other, score) for other, score in scored if score >= cutoff and score > 0]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:MOST_HITS]

    def _block(self, form: str) -> set[int]:
        bigrams = _bigrams(form)
        shared = Counter(at for bigram in bigrams for at in self._bigrams.get(bigram, ()))
        least = max(1.0, _SHARED * len(bigrams))
        return {at for at, count in shared.items() if count >= least}


def _deletions(form: str) -> Iterator[str]:
    yield form
    for at in range(len(form)):
        yield form[:at] + form[at + 1 :]


def _bigrams(form: str) -> set[str]:
    return {form[at : at + 2] for at in range(len(form) - 1)} or {form}
