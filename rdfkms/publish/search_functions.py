"""Full text and meaning inside SPARQL: ``?unit kms:textMatch "words"`` becomes a VALUES block.

Two forms, documented in docs/sparql.md, and no others::

    ?unit kms:textMatch "words" .              ?unit kms:similarTo "a phrase" .
    ?unit kms:textMatch ("words" ?score) .     ?unit kms:similarTo ("a phrase" ?score) .

Each is replaced in place by ``VALUES (?unit ?score) { ... }`` of at most `recall.MOST` rows: the
engine joins it like any other pattern. A cut is told in a header, never hidden.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rdfkms.errors import BadInput, Missing
from rdfkms.publish.tokenizer import Token, tokens, unescape
from rdfkms.retrieval.recall import Found
from rdfkms.vocab import KMS

TEXT_MATCH, SIMILAR_TO = "textMatch", "similarTo"
MOST_CALLS = 4
LONGEST = 1_000  # characters searched for
FORM = (
    f'Write ?unit kms:{TEXT_MATCH} "words" . or ?unit kms:{TEXT_MATCH} ("words" ?score) . '
    f"(or kms:{SIMILAR_TO}), each as a triple of its own."
)
NAMES = (TEXT_MATCH, SIMILAR_TO)
_SPACE = KMS.iri.rpartition("/")[0]  # stands in every query that can name one of them
_ESCAPES = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class Searcher(Protocol):
    """Finds public units (`retrieval.recall.Recall`)."""

    @property
    def revision(self) -> int:
        """The revision that is searched."""
        ...

    def words(self, text: str) -> Found:
        """Return units that have words of the text."""
        ...

    def meaning(self, phrase: str) -> Found:
        """Return units that mean something like the phrase."""
        ...


@dataclass(frozen=True, slots=True)
class Call:
    """One search in a query: which, for what, into which variables, and where it stands."""

    name: str
    words: str
    unit: str
    score: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A query whose searches are done: its text, and the names of those that were cut."""

    text: str
    cuts: tuple[str, ...] = ()


def rewritten(text: str, found: Sequence[Call], searcher: Searcher | None) -> Rewritten:
    """Return the query with each of its searches (see `calls`) replaced by what it found.

    Raises `Missing` without indexes.
    """
    if not found:
        return Rewritten(text)
    if searcher is None:
        raise Missing("This service runs without search indexes.", hint="Use FILTER(CONTAINS()).")
    pieces, cuts, last = [], [], 0
    for call in found:
        search = searcher.words if call.name == TEXT_MATCH else searcher.meaning
        answer = search(call.words)
        pieces += [text[last : call.start], _values(call, answer)]
        last = call.end
        if answer.cut:
            cuts.append(f"{call.name} {len(answer.rows)}")
    return Rewritten("".join([*pieces, text[last:]]), tuple(cuts))


def calls(text: str, prefixes: dict[str, str]) -> list[Call]:
    """Return the searches in a query, in order; raises `BadInput` for any other form of them."""
    if _SPACE not in unescape(text):
        return []
    read = list(tokens(text))
    found = [_call(read, at, name) for at, name in _places(read, prefixes)]
    if len(found) != len(list(_places(list(tokens(unescape(text))), prefixes))):
        raise BadInput("The name of a search function is written with escapes.", hint=FORM)
    if len(found) > MOST_CALLS:
        raise BadInput(
            f"A query may search {MOST_CALLS} times; this one has {len(found)} searches."
        )
    return found


def _places(read: Sequence[Token], prefixes: dict[str, str]) -> list[tuple[int, str]]:
    """Return where the tokens name a search function, and which."""
    found = []
    for at, token in enumerate(read):
        if token.kind == "iri":
            iri = token.text[1:-1]
        elif token.kind == "prefixed":
            prefix, _, local = token.text.partition(":")
            iri = prefixes.get(f"{prefix}:", "") + local
        else:
            continue
        if iri.startswith(KMS.iri) and iri.removeprefix(KMS.iri) in NAMES:
            found.append((at, iri.removeprefix(KMS.iri)))
    return found


def _call(read: Sequence[Token], at: int, name: str) -> Call:
    def token(offset: int) -> Token:
        place = at + offset
        return read[place] if 0 <= place < len(read) else Token("end", "", 0, 0)

    subject, before = token(-1), token(-2)
    if subject.kind != "variable" or before.text not in ("{", ".", "}"):
        raise BadInput(f"kms:{name} is not used as it can be.", hint=FORM)
    if token(1).text == "(":
        words, score, last, after = token(2), token(3), token(4), token(5)
        if score.kind != "variable" or last.text != ")":
            raise BadInput(f"kms:{name} is not used as it can be.", hint=FORM)
    else:
        words, score, last, after = token(1), Token("none", "", 0, 0), token(1), token(2)
    if words.kind != "string" or after.text not in (".", "}"):
        raise BadInput(f"kms:{name} is not used as it can be.", hint=FORM)
    asked = _unquoted(words.text)
    if not asked.strip() or len(asked) > LONGEST:
        raise BadInput(f"kms:{name} searches for 1 to {LONGEST} characters.", hint=FORM)
    return Call(name, asked, subject.text, score.text, subject.start, last.end)


def _unquoted(literal: str) -> str:
    quotes = 3 if literal[:3] in ('"""', "'''") and len(literal) >= 6 else 1
    return _ESCAPED.sub(lambda m: _ESCAPES.get(m[1], m[1]), unescape(literal[quotes:-quotes]))


def _values(call: Call, answer: Found) -> str:
    """Return the VALUES block; an IRI of the archive holds no character that could end it."""
    if not call.score:
        return f"VALUES ({call.unit}) {{ {' '.join(f'({iri})' for iri, _ in answer.rows)} }}"
    rows = " ".join(f"({iri} {score:.4f})" for iri, score in answer.rows)
    return f"VALUES ({call.unit} {call.score}) {{ {rows} }}"
