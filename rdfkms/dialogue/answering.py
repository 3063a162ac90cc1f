"""Evidence for a question, or an honest "not found", by rules and without a model (R82).

What is asked is followed through admitted claims ("the brother of ...") and looked for in the
passages that name the same beings. It is found only when every name and every word that carries
meaning is covered by evidence; otherwise the answer says what was missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rdfkms import queries
from rdfkms.dialogue import questions
from rdfkms.dialogue.questions import Meaning, Question
from rdfkms.knowledge import decoding_claims, mapping
from rdfkms.model import Citation, Claim, Principal
from rdfkms.ports import Row, TripleStore
from rdfkms.retrieval import documents, words
from rdfkms.retrieval.documents import value
from rdfkms.retrieval.index import Indexes
from rdfkms.retrieval.searching import Hit, cite, find_things, graphs_for, matched_words, search

_NEAR = 220  # characters around a name in which a passage speaks of it
_HOPS = 3
_PASSAGES = 30
_MOST_STATEMENTS = 20
_HAN_SHARE = 0.6  # of the characters of a Chinese stretch that one passage must have
_NOT_FOUND = "The sources of this archive do not answer it"
_FOUND = (
    "These are the passages that speak of it, found by words and statements; "
    "read them: the answer is theirs, and they may disagree."
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the sources have on a question.

    `evidence` is best first; where nothing was found it holds the nearest passages, and
    `missing` the names and words that no evidence covers. `statements` are admitted claims.
    """

    question: str
    found_information: bool
    evidence: tuple[Hit, ...]
    statements: tuple[Claim, ...]
    missing: tuple[str, ...]
    limitations: str


@dataclass(slots=True)
class _Search:
    """What is known so far: names of the beings in question, claims that were followed."""

    indexes: Indexes
    store: TripleStore
    graphs: tuple[str, ...]
    names: dict[str, tuple[str, ...]]
    things: set[str]
    rows: list[Row]
    answered: set[str]


def ask(
    question: str, indexes: Indexes, store: TripleStore, principal: Principal, k: int = 6
) -> Answer:
    """Return up to k pieces of evidence and the statements that bear on the question.

    Only what `principal` may read is used. Never raises for what a reader writes.
    """
    asked = questions.parse(question.strip()[:1000])
    state = _Search(indexes, store, graphs_for(principal), {}, set(), [], set())
    asked = _find_beings(asked, state, principal)
    _follow(asked, state)
    hits = _passages(asked, state, principal)
    covering, missing = _cover(asked, state, hits)
    found = bool(covering) and not missing
    statements = _statements(state) if found else ()
    evidence = _ordered(asked, state, covering if found else hits)[:k]
    return Answer(question, found, evidence, statements, missing, _limits(asked, missing, found))


def _find_beings(asked: Question, state: _Search, principal: Principal) -> Question:
    """Find the things that the question names; for Chinese also which of its words are names."""
    names = list(asked.names)
    han = list(asked.han)
    probes = [*names, *([asked.text] if han else [])]
    for probe in probes:
        for thing in find_things(probe, state.indexes, state.store, principal, 12):
            own = (thing.name, *thing.other_names)
            if probe in asked.names:
                if any(_is_called(probe, name) for name in own):
                    state.names.setdefault(probe, ())
                    state.names[probe] += own
                    state.things.add(thing.ref.path)
                continue
            for name in own:
                if words.is_unspaced(name) and name in asked.text and len(name) > 1:
                    state.names.setdefault(name, own)
                    state.things.add(thing.ref.path)
                    names.append(name)
                    han = [rest for piece in han for rest in piece.split(name) if rest]
    kept, extra = [], list(asked.meanings)
    for piece in han:
        found = [m for m in questions.meanings() if piece in m.words]
        extra += [m for m in found if m.statements]
        if not found:
            kept.append(piece)
    meanings = {meaning.name: meaning for meaning in extra}
    return replace(
        asked,
        names=tuple(dict.fromkeys(names)),
        han=tuple(kept),
        meanings=tuple(meanings.values()),
    )


def _is_called(asked: str, name: str) -> bool:
    """Return whether a thing's name has all the words of the asked one, or the other way."""
    return bool(questions.name_spans(asked, name)) or (
        len(name.split()) > 1 and bool(questions.name_spans(name, asked))
    )


def _follow(asked: Question, state: _Search) -> None:
    """Follow from the named beings the claims that the question's words speak of."""
    rules = mapping.load()
    concepts: dict[str, set[str]] = {}
    for meaning in asked.meanings:
        for name in meaning.statements:
            rule = rules.statement(name) if name in rules.statements else None
            if rule is not None:
                concepts.setdefault(rule.concept.value, set()).add(meaning.name)
    frontier, seen = set(state.things), set(state.things)
    for _ in range(_HOPS):
        if not frontier:
            break
        reached: set[str] = set()
        for row in _claims_about(sorted(frontier), state):
            said = {value(row, "type"), value(row, "role")}
            meant = {name for iri in said for name in concepts.get(iri, ())}
            happening = documents.path_in(state.indexes.base, value(row, "subject"))
            if happening.startswith("event/"):
                reached.add(happening)  # what else is said of an event can answer, too
            if meant:
                state.rows.append(row)
                state.answered |= meant
                ends = (value(row, "subject"), value(row, "object"))
                reached |= {documents.path_in(state.indexes.base, end) for end in ends}
        frontier = reached - seen - {""}
        seen |= frontier
        _learn_names(sorted(frontier), state)


def _claims_about(paths: Sequence[str], state: _Search) -> list[Row]:
    base = state.indexes.base
    iris = [base.iri(*path.split("/", 1)) for path in paths]
    graphs = [documents.graph_of(base, graph) for graph in state.graphs]
    query = queries.with_values("retrieval/claims_about", "thing", iris)
    return state.store.select(query, graphs=graphs)


def _learn_names(paths: Sequence[str], state: _Search) -> None:
    if not paths:
        return
    base = state.indexes.base
    iris = [base.iri(*path.split("/", 1)) for path in paths]
    graphs = [documents.graph_of(base, graph) for graph in state.graphs]
    query = queries.with_values("retrieval/names", "thing", iris)
    for row in state.store.select(query, graphs=graphs):
        state.names.setdefault(value(row, "thing"), ())
        state.names[value(row, "thing")] += (value(row, "name"),)


def _passages(asked: Question, state: _Search, principal: Principal) -> list[Hit]:
    """Return the passages to judge: found for the question, for its names, for the claims."""
    indexes, store = state.indexes, state.store
    hits = {h.citation.unit: h for h in search(asked.text, indexes, store, principal, _PASSAGES)}
    for name in asked.names:
        for hit in search(name, indexes, store, principal, _PASSAGES):
            hits.setdefault(hit.citation.unit, hit)
    wanted = list(dict.fromkeys(_unit_of(row, state) for row in state.rows))
    cited = cite(wanted, store, indexes.base, state.graphs, asked.text)
    for unit in wanted:
        if unit in cited and unit not in hits:
            text = cited[unit].context
            matched = matched_words(asked.text, text)
            hits[unit] = Hit(cited[unit], 0.0, (("statements", 1),), matched)
    return list(hits.values())


def _unit_of(row: Row, state: _Search) -> str:
    return documents.key_in(state.indexes.base, value(row, "unit"))


def _cover(
    asked: Question, state: _Search, hits: Sequence[Hit]
) -> tuple[list[Hit], tuple[str, ...]]:
    """Return the hits that speak of what is asked, and what none of them covers."""
    if not asked.names:
        return _cover_without_names(asked, hits)
    missing: list[str] = []
    speaking: dict[str, list[str]] = {}
    claimed = {_unit_of(row, state) for row in state.rows}
    known = {name for own in state.names.values() for name in own} | set(asked.names)
    present: set[str] = set()
    for hit in hits:
        text = hit.citation.context
        spans = [s for name in known for s in questions.name_spans(name, text)]
        present |= {name for name in asked.names if questions.name_spans(name, text)}
        if spans:
            near = [text[max(0, a - _NEAR) : b + _NEAR] for a, b in spans]
            speaking[hit.citation.unit] = near
    present |= {name for name in asked.names if name in state.names}
    missing += [name for name in asked.names if name not in present]
    around = [stretch for stretches in speaking.values() for stretch in stretches]
    quotes = [value(row, "quote") for row in state.rows]
    wants_amount = questions.asks_amount(asked.text)
    missing += [
        _as_asked(meaning, asked)
        for meaning in asked.meanings
        if meaning.name not in state.answered
        and not (_says_amount(meaning, asked, around) if wants_amount else _speaks(meaning, around))
    ]
    missing += [word for word in asked.words if not _has_word(word, [*around, *quotes])]
    missing += [piece for piece in asked.han if not _has_han(piece, around)]
    covering = [h for h in hits if h.citation.unit in speaking or h.citation.unit in claimed]
    return covering, tuple(missing)


def _cover_without_names(asked: Question, hits: Sequence[Hit]) -> tuple[list[Hit], tuple[str, ...]]:
    """Return the hits that each cover all words; else what the best of them lacks."""
    if not (asked.words or asked.meanings or asked.han):
        return [], (asked.text,)
    lacks: list[tuple[Hit, tuple[str, ...]]] = []
    for hit in hits:
        text = [hit.citation.context]
        lacking = [_as_asked(m, asked) for m in asked.meanings if not _speaks(m, text)]
        lacking += [word for word in asked.words if not _has_word(word, text)]
        lacking += [piece for piece in asked.han if not _has_han(piece, text)]
        if questions.asks_amount(asked.text) and not questions.has_amount(text[0]):
            lacking.append(asked.text)
        lacks.append((hit, tuple(lacking)))
    covering = [hit for hit, lacking in lacks if not lacking]
    if covering or not lacks:
        return covering, () if covering else (asked.text,)
    return [], min((lacking for _, lacking in lacks), key=len)


def _as_asked(meaning: Meaning, asked: Question) -> str:
    """Return the word by which the question asks for a meaning."""
    for place in words.places(asked.text):
        if questions.is_word(place.folded, meaning.words):
            return asked.text[place.start : place.end]
    han = [word for word in meaning.words if words.is_unspaced(word) and word in asked.text]
    return max(han, key=len, default=meaning.name)


def _speaks(meaning: Meaning, stretches: Sequence[str]) -> bool:
    """Return whether one of the stretches has a word of this meaning, in any language."""
    han = [word for word in meaning.words if words.is_unspaced(word)]
    for stretch in stretches:
        if any(word in stretch for word in han):
            return True
        if any(questions.is_word(p.folded, meaning.words) for p in words.places(stretch)):
            return True
    return False


def _says_amount(meaning: Meaning, asked: Question, stretches: Sequence[str]) -> bool:
    """Return whether some sentence has a word of the meaning and a number or a date.

    It must also have a name or a word of the question, or follow a sentence that has.
    """
    for stretch in stretches:
        before = ""
        for sentence in questions.sentences(stretch):
            if questions.has_amount(sentence) and _speaks(meaning, [sentence]):
                both = f"{before} {sentence}"
                named = any(questions.name_spans(name, both) for name in asked.names)
                if named or any(_has_word(word, [both]) for word in asked.words):
                    return True
            before = sentence
    return False


def _has_word(word: str, stretches: Sequence[str]) -> bool:
    return any(questions.same_word(word, p.folded) for s in stretches for p in words.places(s))


def _has_han(piece: str, stretches: Sequence[str]) -> bool:
    """Return whether one stretch has most characters of the piece, and a pair of them."""
    pairs = {piece[i : i + 2] for i in range(len(piece) - 1)}
    return any(
        all(c in stretch for c in piece)
        or (
            sum(c in stretch for c in piece) / len(piece) >= _HAN_SHARE
            and any(pair in stretch for pair in pairs)
        )
        for stretch in stretches
    )


def _ordered(asked: Question, state: _Search, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits, those of the claims first with the claim's own quote."""
    pointers = {_unit_of(row, state): row for row in reversed(state.rows)}
    order = {_unit_of(row, state): place for place, row in reversed(list(enumerate(state.rows)))}

    def rank(hit: Hit) -> tuple[int, int, float, str]:
        text = [hit.citation.context]
        said = sum(_speaks(meaning, text) for meaning in asked.meanings)
        said += sum(_has_word(word, text) for word in asked.words)
        said += sum(bool(questions.name_spans(name, text[0])) for name in asked.names)
        unit = hit.citation.unit
        return -said, order.get(unit, len(order)), -hit.score, unit

    return tuple(
        replace(hit, citation=_quoting(hit.citation, pointers.get(hit.citation.unit)))
        for hit in sorted(hits, key=rank)
    )


def _quoting(citation: Citation, row: Row | None) -> Citation:
    """Return the citation with the quote of a claim, where it is of the text that is shown."""
    if row is None:
        return citation
    start, end = documents.integer(row, "start"), documents.integer(row, "end")
    quote = value(row, "quote")
    if citation.context[start:end] != quote:
        return citation
    return replace(citation, quote=quote, start=start, end=end)


def _statements(state: _Search) -> tuple[Claim, ...]:
    base = state.indexes.base
    keys = dict.fromkeys(documents.key_in(base, value(row, "claim")) for row in state.rows)
    graphs = [documents.graph_of(base, graph) for graph in state.graphs]
    some = list(keys)[:_MOST_STATEMENTS]
    return tuple(decoding_claims.claims(state.store, base, some, graphs))


def _limits(asked: Question, missing: tuple[str, ...], found: bool) -> str:
    if found:
        return _FOUND
    if not (asked.names or asked.words or asked.meanings or asked.han):
        return "The question has no word that could be looked for."
    what = ", ".join(dict.fromkeys(missing[:6]))
    return f"{_NOT_FOUND}: nothing there covers {what}." if what else f"{_NOT_FOUND}."
