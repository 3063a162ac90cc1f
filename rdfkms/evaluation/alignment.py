"""Which name of one graph stands for which of another, told by what both say of them.

Names are blank nodes and the IRIs that a graph mints itself. Two names are alike by the literals
and fixed IRIs they share, the rarer the more, and by how alike their neighbours are; the surest
pair is fixed first and speaks for its neighbours. One name stands for one other.
"""

from __future__ import annotations

import heapq
import html
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

_MARKUP = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
_XML = "http://www.w3.org/1999/02/22-rdf-syntax-ns#XMLLiteral"
_STRING = "http://www.w3.org/2001/XMLSchema#string"
_TAGGED = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
_ROUNDS = 3
_FAR = 0.5  # what a neighbour that is only alike counts against a fixed one
_WEAK = 0.2  # what the same property with another value counts
_ARCHIVE = re.compile(r"https?://[^/]+/id/")


@dataclass(frozen=True, slots=True)
class Words:
    """A literal to compare: its words, language and datatype; of XML the bare words alone."""

    text: str
    language: str = ""
    datatype: str = ""
    is_xml: bool = False

    @property
    def bare(self) -> str:
        """The words without any white space."""
        return "".join(self.text.split())


End = str | Words


@dataclass(frozen=True, slots=True)
class Statement:
    """A triple to compare; a name begins with ``_:``, everything else must be the same."""

    subject: str
    predicate: str
    object: End


class Stated:
    """Statements to look up: literals exactly, those that are XML by their bare words."""

    def __init__(self, all_: Iterable[Statement]) -> None:
        self._exact: set[Statement] = set()
        self._bare: set[tuple[str, str, str]] = set()
        self._xml: set[tuple[str, str, str]] = set()
        for one in all_:
            self._exact.add(one)
            if isinstance(one.object, Words):
                of = (one.subject, one.predicate, one.object.bare)
                (self._xml if one.object.is_xml else self._bare).add(of)

    def __contains__(self, one: Statement) -> bool:
        if one in self._exact:
            return True
        if not isinstance(one.object, Words):
            return False
        of = (one.subject, one.predicate, one.object.bare)
        return of in self._xml or (one.object.is_xml and of in self._bare)


def statements(triples: Iterable[Triple], names_below: str) -> list[Statement]:
    """Return triples to compare, each once; IRIs that begin so are names.

    Without `names_below` those are names that an archive mints: ``.../id/{kind}/{key}``.
    """
    found = {
        Statement(_end(t.subject, names_below), t.predicate.value, _any(t.object, names_below))
        for t in triples
    }
    return sorted(found, key=str)


def _any(term: object, below: str) -> End:
    if not isinstance(term, Literal):
        return _end(term, below)
    datatype = term.datatype.value
    if datatype == _XML:
        return Words(" ".join(html.unescape(_MARKUP.sub(" ", term.value)).split()), is_xml=True)
    plain = "" if datatype in (_STRING, _TAGGED) else datatype
    return Words(" ".join(term.value.split()), (term.language or "").casefold(), plain)


def _end(term: object, below: str) -> str:
    if isinstance(term, BlankNode):
        return f"_:{term.value}"
    iri = term.value if isinstance(term, NamedNode) else str(term)
    is_name = iri.startswith(below) if below else _ARCHIVE.match(iri) is not None
    return f"_:{iri}" if is_name else iri


def renamed(one: Statement, names: Mapping[str, str]) -> Statement:
    """Return a statement with its names replaced; a name that has none stays."""
    object_ = one.object
    if isinstance(object_, str):
        object_ = names.get(object_, object_)
    return replace(one, subject=names.get(one.subject, one.subject), object=object_)


# ---- alignment ----------------------------------------------------------------------------------

_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_VOCABULARY = "https://www.ica.org/standards/RiC/"
_FIXED = 10.0  # what a neighbour that is fixed counts: more than all that is only alike
Pair = tuple[str, str]
Way = tuple[str, bool]  # a property, and whether the other end is its object


@dataclass(frozen=True)
class _Side:
    """The names of one graph: what is fixed about each, and its neighbours by property."""

    features: dict[str, set[tuple[Way, str]]]
    neighbours: dict[str, dict[Way, list[str]]]


def align(wanted: Iterable[Statement], have: Iterable[Statement]) -> dict[str, str]:
    """Return which name of `wanted` stands for which of `have`, one for one.

    An IRI that is below the base of one graph and in the other too is itself. What `have` links
    to elsewhere on the web, and nobody expects there, may be what `wanted` has a name of its own
    for (a list of languages, say).
    """
    wanted, have = list(wanted), list(have)
    given = {end for one in have for end in (one.subject, one.object) if isinstance(end, str)}
    same = {
        end: end[2:]
        for one in wanted
        for end in (one.subject, one.object)
        if isinstance(end, str) and end.startswith("_:") and end[2:] in given
    }
    expected = {one.object for one in wanted if isinstance(one.object, str)} | set(same.values())
    free = {
        one.object
        for one in have
        if isinstance(one.object, str)
        and one.predicate != _TYPE
        and one.object not in expected
        and not one.object.startswith(_VOCABULARY)
    }
    side = _side([renamed(one, same) for one in wanted], frozenset())
    other = _side(have, frozenset(free))
    return same | _matched(side, other)


def _side(all_: Iterable[Statement], free: frozenset[str]) -> _Side:
    features: dict[str, set[tuple[Way, str]]] = defaultdict(set)
    neighbours: dict[str, dict[Way, list[str]]] = defaultdict(lambda: defaultdict(list))
    for one in all_:
        ends: tuple[tuple[str, End, bool], ...] = ((one.subject, one.object, True),)
        if isinstance(one.object, str):
            ends += ((one.object, one.subject, False),)
        for name, end, forward in ends:
            if not _is_name(name, free):
                continue
            way = (one.predicate, forward)
            if isinstance(end, str) and _is_name(end, free):
                neighbours[name][way].append(end)
            else:
                features[name].add((way, end.bare if isinstance(end, Words) else end))
            features[name].add((way, ""))  # that it has such a property at all
    return _Side(dict(features), {name: dict(ways) for name, ways in neighbours.items()})


def _is_name(end: str, free: frozenset[str]) -> bool:
    return end.startswith("_:") or end in free


def _matched(side: _Side, other: _Side) -> dict[str, str]:
    """Return the pairs, the surest first; what is fixed speaks for its neighbours."""
    alike = _alike(side, other)
    score = dict(alike)
    heap = [(-value, pair) for pair, value in score.items()]
    heapq.heapify(heap)
    found: dict[str, str] = {}
    taken: set[str] = set()
    while heap:
        value, (one, two) = heapq.heappop(heap)
        if one in found or two in taken or -value < score[one, two]:
            continue
        found[one] = two
        taken.add(two)
        for pair in _around(side, other, one, two):
            if pair in score and pair[0] not in found and pair[1] not in taken:
                score[pair] += _FIXED
                heapq.heappush(heap, (-score[pair], pair))
    return found


def _around(side: _Side, other: _Side, one: str, two: str) -> Iterator[Pair]:
    theirs = other.neighbours.get(two, {})
    for way, ends in side.neighbours.get(one, {}).items():
        for end in ends:
            for match in theirs.get(way, ()):
                yield end, match


def _alike(side: _Side, other: _Side) -> dict[Pair, float]:
    """Return how alike each two names are that share anything, neighbours included."""
    counts = Counter(f for some in side.features.values() for f in some)
    holders: dict[tuple[Way, str], list[str]] = defaultdict(list)
    for name, some in other.features.items():
        for feature in some:
            holders[feature].append(name)
    own: dict[Pair, float] = defaultdict(float)
    for one, some in side.features.items():
        for feature in some:
            weight = 1 / math.sqrt(counts[feature] * len(holders[feature]) or 1)
            weight *= 1.0 if feature[1] else _WEAK
            for two in holders[feature]:
                own[one, two] += weight
    told = dict(own)
    for _ in range(_ROUNDS):
        told = {
            pair: value + _FAR * _by_neighbours(side, other, pair, told)
            for pair, value in own.items()
        }
    return told


def _by_neighbours(side: _Side, other: _Side, pair: Pair, told: Mapping[Pair, float]) -> float:
    theirs = other.neighbours.get(pair[1], {})
    total = 0.0
    for way, ends in side.neighbours.get(pair[0], {}).items():
        matches = theirs.get(way)
        if not matches:
            continue
        best = (max(told.get((end, match), 0.0) for match in matches) for end in ends)
        total += sum(best) / max(len(ends), len(matches))
    return total
