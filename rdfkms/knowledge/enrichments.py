"""Machine text about a passage: title, summary, keywords (R21). Never evidence, never quoted.

It stands in nodes of its own (kms:Enrichment) beside the texts of the unit. A pointer can cite
only a kms:UnitText, and proposers see only the raw text, so that nothing can rest on it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from pyoxigraph import Literal, NamedNode, Quad, Triple

from rdfkms.knowledge import dates, encoding, lexicons
from rdfkms.knowledge.nameforms import is_han
from rdfkms.model import EvidenceUnit
from rdfkms.ports import TripleStore
from rdfkms.vocab import KMS, PROV, TYPE, Base, key_of

TITLE, SUMMARY, KEYWORDS = KINDS = ("title", "summary", "keywords")
LONGEST = {TITLE: 120, SUMMARY: 600, KEYWORDS: 400}
MOST_KEYWORDS = 8
_SENTENCE = re.compile(r".{10,}?(?:[.!?;](?=\s|\Z)|[。！？])", re.DOTALL)
_WORD = re.compile(r"[^\W\d_][\w'’-]{2,}")
_HAN = re.compile(r"[\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Enrichment:
    """One piece of machine text about a unit; `maker` says which program in which version."""

    unit: str
    kind: str
    text: str
    language: str
    maker: str

    @property
    def key(self) -> str:
        """The key names all of it: another text is another node."""
        return key_of("enrichment", self.unit, self.kind, self.text, self.language, self.maker)


def triples(enrichment: Enrichment, run: str, base: Base) -> list[Triple]:
    """Return the enrichment as a node of its own, beside the texts of its unit."""
    iri = base.iri("enrichment", enrichment.key)
    return [
        Triple(iri, TYPE, KMS("Enrichment")),
        Triple(iri, KMS("ofUnit"), base.iri("evidence", enrichment.unit)),
        Triple(iri, KMS("enrichmentKind"), Literal(enrichment.kind)),
        Triple(iri, KMS("machineText"),
               encoding.text_literal(enrichment.text, enrichment.language)),
        Triple(iri, PROV("wasGeneratedBy"), base.iri("run", run)),
    ]  # fmt: skip


def stored(store: TripleStore, base: Base, unit: str) -> list[Quad]:
    """Return the quads of all machine text about a unit, in whichever graph."""
    return [
        quad
        for graph in (base.public, base.internal)
        for node in store.match(None, KMS("ofUnit"), base.iri("evidence", unit), graph)
        if isinstance(node.subject, NamedNode) and _is_enrichment(base, node.subject)
        for quad in store.match(node.subject, None, None, graph)
    ]


def _is_enrichment(base: Base, iri: NamedNode) -> bool:
    split = base.split(iri.value)
    return split is not None and split[0] == "enrichment"


def clean(text: str, kind: str) -> str:
    """Return machine text as one line without what cannot be printed, cut at its limit."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    limit = LONGEST[kind]
    return plain if len(plain) <= limit else f"{plain[: limit - 1].rstrip()}…"


def enrichments(
    unit: EvidenceUnit, title: str, summary: str, keywords: Sequence[str], maker: str
) -> tuple[Enrichment, ...]:
    """Return the pieces that say something, cleaned."""
    words = [clean(word, TITLE) for word in keywords[:MOST_KEYWORDS]]
    made = ((TITLE, title), (SUMMARY, summary), (KEYWORDS, ", ".join(w for w in words if w)))
    return tuple(
        Enrichment(unit.key, kind, clean(text, kind), unit.language, maker)
        for kind, text in made
        if clean(text, kind)
    )


# ---- without a model ---------------------------------------------------------------------------


@cache
def _stop() -> frozenset[str]:
    """Words that say nothing of a passage; curators' stop lists and the frequent small words."""
    small = {word for row in lexicons.rows("function-words") for word in row[1].split()}
    listed = {word for name in ("stop.en", "stop.es", "stop.fr") for word in lexicons.words(name)}
    return frozenset(dates.fold(word) for word in small | listed)


class Extractive:
    """Describes passages by their own words: first sentence, and words that are rare elsewhere.

    `maker` is ``extractive 1``. The words of a passage are weighed by how few of the passages in
    `around` (those of its record) have them.
    """

    name = "extractive"
    version = "1"

    def __init__(self, around: Iterable[EvidenceUnit] = ()) -> None:
        self._seen: Counter[str] = Counter()
        self._count = 0
        for unit in around:
            self._count += 1
            self._seen.update(set(terms(unit.raw.text)))

    def describe(self, unit: EvidenceUnit) -> tuple[Enrichment, ...]:
        """Return title, summary and keywords; deterministic."""
        text = " ".join(unit.raw.text.split())
        found = _SENTENCE.match(text)
        sentence = found[0] if found else text
        return enrichments(
            unit, self._title(sentence), sentence, self._keywords(text),
            f"{self.name} {self.version}",
        )  # fmt: skip

    def _title(self, sentence: str) -> str:
        if is_han(sentence):
            return re.split(r"[，。；：、！？\s]", sentence, maxsplit=1)[0][:20]
        words = sentence.rstrip(".;!? ").split()
        return " ".join(words[:10]) + (" …" if len(words) > 10 else "")

    def _keywords(self, text: str) -> list[str]:
        counts = Counter(terms(text))
        shown: dict[str, str] = {}
        for word in (*_WORD.findall(text), *_pairs(text)):
            shown.setdefault(dates.fold(word), word)
        weights = {
            term: count * math.log((self._count + 1) / (self._seen[term] + 1) + 1.0)
            for term, count in counts.items()
        }
        ranked = sorted(weights, key=lambda term: (-weights[term], text.find(shown[term]), term))
        return [shown[term] for term in ranked[:MOST_KEYWORDS]]


def terms(text: str) -> list[str]:
    """Return the folded words (and pairs of Han characters) of a text that may be keywords."""
    words = (dates.fold(word) for word in _WORD.findall(_HAN.sub(" ", text)))
    stop = _stop()
    return [w for w in words if len(w) > 3 and w not in stop] + _pairs(text)


def _pairs(text: str) -> list[str]:
    return [run[i : i + 2] for run in _HAN.findall(text) for i in range(len(run) - 1)]
