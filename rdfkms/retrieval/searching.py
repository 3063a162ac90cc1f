"""Passages for a question and things for a name, each with where it can be read (R80)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyoxigraph import NamedNode

from rdfkms import queries
from rdfkms.access import at_least
from rdfkms.model import Citation, Principal, Ref, Role
from rdfkms.ports import Row, TripleStore
from rdfkms.retrieval import documents, words
from rdfkms.retrieval.documents import INTERNAL, PUBLIC, value
from rdfkms.retrieval.fusion import fuse
from rdfkms.retrieval.index import Indexes
from rdfkms.vocab import Base

_DEPTH = 50  # places of each channel that are fused
_LEAST_COSINE = 0.3  # below it a passage has nothing to do with the question
_QUOTE = 240  # characters shown around the matched words
_LONGEST_QUESTION = 1000
MACHINE_TEXT = "machine text"  # the channel of titles, summaries and keywords (R21)


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found: where it is, fused score, place in each channel, words that match."""

    citation: Citation
    score: float
    ranks: tuple[tuple[str, int], ...]
    words: tuple[str, ...]

    @property
    def only_machine(self) -> bool:
        """Whether only what a program wrote about the passage answers, not the passage itself."""
        return {channel for channel, _ in self.ranks} == {MACHINE_TEXT}


@dataclass(frozen=True, slots=True)
class FoundThing:
    """A thing found by name: its displayed name, its other names, the score of the name."""

    ref: Ref
    name: str
    other_names: tuple[str, ...]
    score: float


def graphs_for(principal: Principal) -> tuple[str, ...]:
    """Return the graphs that a principal may search."""
    return (PUBLIC, INTERNAL) if at_least(principal, Role.CONTRIBUTOR) else (PUBLIC,)


def search(
    question: str,
    indexes: Indexes,
    store: TripleStore,
    principal: Principal,
    k: int = 10,
    *,
    machine: bool = False,
) -> list[Hit]:
    """Return up to k passages, best first: words and meaning, fused by reciprocal rank.

    With `machine` also those whose machine text has the words, in a channel that says so; what is
    cited is the passage, never that text. Answers to questions are looked for without it.

    A unit that the reader may not see is not among them: it is asked for in the indexes' public
    part only, and resolved in the public graph only.
    """
    asked = question.strip()[:_LONGEST_QUESTION]
    if not asked or k < 1:
        return []
    graphs = graphs_for(principal)
    found = indexes.fulltext.search(asked, _DEPTH, kind="unit", graphs=graphs)
    channels = {"words": [key for key, _ in found], "meaning": _near(asked, indexes, graphs)}
    if machine:
        told = indexes.fulltext.search(asked, _DEPTH, kind="enrichment", graphs=graphs)
        channels[MACHINE_TEXT] = [key.removeprefix(documents.MACHINE) for key, _ in told]
    fused = fuse(channels)[: max(k, _DEPTH)]
    cited = cite([f.key for f in fused], store, indexes.base, graphs, asked)
    return [
        Hit(cited[f.key], f.score, f.ranks, matched_words(asked, cited[f.key].context))
        for f in fused
        if f.key in cited
    ][:k]


def _near(question: str, indexes: Indexes, graphs: Sequence[str]) -> list[str]:
    if indexes.embedder is None:
        return []
    vector = indexes.embedder.embed([question])[0]
    near: list[tuple[str, float]] = []
    for graph in graphs:
        near += indexes.vectors[graph].search(vector, _DEPTH)
    near.sort(key=lambda pair: (-pair[1], pair[0]))
    return [key for key, cosine in near if cosine >= _LEAST_COSINE][:_DEPTH]


def find_things(
    name: str, indexes: Indexes, store: TripleStore, principal: Principal, k: int = 10
) -> list[FoundThing]:
    """Return up to k things (persons, places ...) with a name like this, best first."""
    graphs = graphs_for(principal)
    asked = name.strip()[:_LONGEST_QUESTION]
    found = indexes.fulltext.search(asked, k, kind="entity", graphs=graphs)
    iris = [indexes.base.iri(*path.split("/", 1)) for path, _ in found]
    if not iris:
        return []
    query = queries.with_values("retrieval/names", "thing", iris)
    rows = store.select(query, graphs=[documents.graph_of(indexes.base, g) for g in graphs])
    by_path = {
        documents.path_in(indexes.base, iri): names
        for iri, names in documents.grouped(rows, "thing").items()
    }
    return [_thing(path, by_path[path], score) for path, score in found if path in by_path]


def _thing(path: str, rows: Sequence[Row], score: float) -> FoundThing:
    """Return the thing; its displayed name is the most frequent, the longest, the first."""
    counts: dict[str, int] = {}
    for row in rows:
        name = value(row, "name")
        counts[name] = counts.get(name, 0) + documents.integer(row, "count")
    ordered = sorted(counts, key=lambda name: (-counts[name], -len(name), name))
    return FoundThing(documents.ref_of(path), ordered[0], tuple(ordered[1:]), score)


def cite(
    units: Sequence[str],
    store: TripleStore,
    base: Base,
    graphs: Sequence[str],
    question: str = "",
) -> dict[str, Citation]:
    """Return a citation for each unit (by key) that stands in these graphs.

    `context` is the unit's text, `quote` the stretch of it around the words of the question:
    ``context[start:end] == quote``.
    """
    if not units:
        return {}
    iris = [base.iri("evidence", key) for key in units]
    where = [documents.graph_of(base, graph) for graph in graphs]
    places = _rows("retrieval/citations", iris, store, where)
    texts = _rows("retrieval/texts", iris, store, where)
    cited = {}
    for iri, rows in places.items():
        if iri in texts:
            key = documents.key_in(base, iri)
            text = value(documents.best_text(texts[iri]), "text")
            cited[key] = _citation(key, text, rows[0], base, question)
    return cited


def _rows(
    name: str, iris: Sequence[NamedNode], store: TripleStore, graphs: Sequence[NamedNode]
) -> dict[str, list[Row]]:
    query = queries.with_values(name, "unit", iris)
    return documents.grouped(store.select(query, graphs=graphs), "unit")


def _citation(key: str, text: str, row: Row, base: Base, question: str) -> Citation:
    start, end = window(text, question)
    return Citation(
        unit=key,
        record=documents.key_in(base, value(row, "record")),
        record_title=value(row, "title"),
        page=documents.key_in(base, value(row, "page")),
        page_label=value(row, "label"),
        quote=text[start:end],
        start=start,
        end=end,
        context=text,
        fragment=value(row, "fragment"),
        picture=value(row, "picture") or None,
    )


def matched_words(question: str, text: str) -> tuple[str, ...]:
    """Return the words of `text`, as written, that the question has too."""
    return tuple(dict.fromkeys(text[start:end] for start, end in matches(question, text)))


def matches(question: str, text: str) -> list[tuple[int, int]]:
    """Return where in `text` words of the question stand (Han: the longest common stretches)."""
    asked = words.split_query(question)
    wanted = set(asked.words) | set(asked.singles)
    found: list[tuple[int, int]] = []
    for place in words.places(text):
        if not words.is_unspaced(place.folded):
            if place.folded in wanted:
                found.append((place.start, place.end))
            continue
        begin: int | None = None
        for i in range(place.start, place.end):
            pair, alone = words.fold(text[i : i + 2]), words.fold(text[i])
            if pair in wanted or alone in asked.singles:
                length = 2 if pair in wanted else 1
                if begin is not None and found and found[-1][1] >= i:
                    found[-1] = (begin, i + length)
                else:
                    begin = i
                    found.append((i, i + length))
    return found


def window(text: str, question: str) -> tuple[int, int]:
    """Return the stretch of `text` (at most 240 characters) with most words of the question."""
    if len(text) <= _QUOTE:
        return 0, len(text)
    spots = matches(question, text)
    best, start = -1, 0
    for begin, _ in spots:
        low = max(0, begin - _QUOTE // 4)
        inside = {words.fold(text[a:b]) for a, b in spots if low <= a and b <= low + _QUOTE}
        if len(inside) > best:
            best, start = len(inside), low
    end = min(len(text), start + _QUOTE)
    while 0 < start < end and not text[start - 1].isspace() and text[start].isascii():
        start += 1
    while start < end < len(text) and text[end - 1].isascii() and not text[end].isspace():
        end -= 1
    return start, end
