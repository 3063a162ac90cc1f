"""Words of a record that begin as a query does (IIIF Content Search API 2.0, section 4)."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass
from urllib.parse import urlencode

from rdfkms.publish.iiif.searching import CONTEXT
from rdfkms.publish.iiif.terms import Addresses, Json
from rdfkms.publish.views import Scope, text_of
from rdfkms.retrieval import words

OFFERED = 20  # terms of one answer
_KEPT = 16  # records whose words are remembered


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of a record: folded, in order, each with how it is written and how often."""

    folded: tuple[str, ...]
    written: tuple[str, ...]
    counts: tuple[int, ...]


class Lexicons:
    """The words of the records that were asked for last, by revision. Safe for threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[object, ...], Lexicon] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, scope: Scope, record: str, revision: int) -> Lexicon:
        """Return the words that this reader may read in a record."""
        key = (record, revision, scope.graphs)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = _lexicon(scope, record)
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return made


def _lexicon(scope: Scope, record: str) -> Lexicon:
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for row in scope.select("iiif/record_texts", record=scope.base.iri("record", record)):
        text = text_of(row["text"])
        for place in words.places(text):
            whole = text[place.start : place.end]
            if words.is_unspaced(place.folded):  # as the index has it: by two characters
                for i in range(len(whole) - 1):
                    forms[words.fold(whole[i : i + 2])][whole[i : i + 2]] += 1
            elif len(whole) > 1:
                forms[place.folded][whole] += 1
    ordered = sorted(forms)
    shown = [min(forms[f], key=lambda form: (-forms[f][form], form)) for f in ordered]
    return Lexicon(tuple(ordered), tuple(shown), tuple(forms[f].total() for f in ordered))


def complete(
    lexicon: Lexicon, record: str, asked: str, ignored: tuple[str, ...], at: Addresses
) -> Json:
    """Return the most frequent words that begin with what is asked, each with its search."""
    begin = words.fold(asked)
    found: list[tuple[int, str]] = []
    if begin:
        place = bisect_left(lexicon.folded, begin)
        while place < len(lexicon.folded) and lexicon.folded[place].startswith(begin):
            found.append((lexicon.counts[place], lexicon.written[place]))
            place += 1
    best = sorted(found, key=lambda pair: (-pair[0], pair[1]))[:OFFERED]
    made: Json = {
        "@context": CONTEXT,
        "id": f"{at.search(record)}/terms?{urlencode({'q': asked})}",
        "type": "TermPage",
        "items": [
            {
                "value": written,
                "total": count,
                "service": [
                    {
                        "id": f"{at.search(record)}?{urlencode({'q': written})}",
                        "type": "SearchService2",
                    }
                ],
            }
            for count, written in best
        ],
    }
    return {**made, "ignored": list(ignored)} if ignored else made
