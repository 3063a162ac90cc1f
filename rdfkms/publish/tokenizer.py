"""Reads the terminals of a SPARQL text: enough to know its form and to refuse SERVICE and updates.

A ``<`` may open an IRI or compare two values, and only a whole parser knows which. An attacker
can use that to hide a keyword inside what looks like an IRI or a string, so both readings are
followed: `spots` visits every place where a terminal can begin under some reading. A federated
call under *any* reading is refused; the words ``service`` in IRIs, strings, comments and names
are not (DESIGN 6). The worker processes have no network besides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rdfkms.errors import BadInput

_LONG = r"\"\"\"(?:\"{0,2}(?:[^\"\\]|\\.))*\"\"\"|'''(?:'{0,2}(?:[^'\\]|\\.))*'''"
_SHORT = r"\"(?:[^\"\\\n\r]|\\.)*\"|'(?:[^'\\\n\r]|\\.)*'"
# Bounded and without going back, so that no text costs more than its length times 256.
_NAME = r"[^\W\d_](?:[\w\-·]|\.{1,9}(?=[\w\-·])){0,255}+"
_PLX = r"%[0-9A-Fa-f]{2}|\\."
_LOCAL = rf"(?:[\w:]|{_PLX})(?:[\w:\-·]|{_PLX}|\.{{1,9}}(?=[\w:\-·%\\]))*+"
_TERMINAL = re.compile(
    rf"""(?P<space>[\s\ufeff]+|\#[^\n\r]*)
    |(?P<iri><[^<>"{{}}|^`\\\x00-\x20]*>)
    |(?P<string>{_LONG}|{_SHORT})
    |(?P<variable>[?$]\w+)
    |(?P<blank>_:[\w](?:[\w.\-·]*[\w\-·])?)
    |(?P<tag>@[A-Za-z]+(?:-[A-Za-z0-9-]+)*)
    |(?P<prefixed>(?:{_NAME})?:(?:{_LOCAL})?)
    |(?P<number>[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?)
    |(?P<word>[A-Za-z]+)
    |(?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_QUERIES = frozenset({"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"})
_UPDATES = frozenset(
    {"INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"}
)
_CHANGING = frozenset({"NOW", "RAND", "UUID", "STRUUID"})
# Readings of a text cost at most this many characters per character of it.
_WORK_FACTOR = 40


@dataclass(frozen=True, slots=True)
class Token:
    """A terminal: its kind, its text, where it begins and ends."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def upper(self) -> str:
        """The text in capitals: keywords are the same in any case."""
        return self.text.upper()


def unescape(text: str) -> str:
    r"""Return `text` with ``\uXXXX`` and ``\UXXXXXXXX`` decoded, as the grammar demands first."""

    def decode(match: re.Match[str]) -> str:
        code = int(match[1] or match[2], 16)
        return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else match[0]

    return _ESCAPE.sub(decode, text)


def token_at(text: str, position: int) -> Token:
    """Return the longest terminal that begins at `position` (which is inside the text)."""
    match = _TERMINAL.match(text, position)
    assert match is not None and match.lastgroup is not None
    return Token(match.lastgroup, match[0], match.start(), match.end())


class _Budget:
    """Counts what reading costs; an open quote costs the way to where its end was looked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.left = _WORK_FACTOR * len(text) + 1000

    def spend(self, token: Token) -> None:
        """Raise `BadInput` when the text is built so that its readings cost too much."""
        self.left -= token.end - token.start
        if token.kind == "mark" and token.text in "'\"":
            is_long = self.text.startswith(token.text * 3, token.start)
            line_end = -1 if is_long else self.text.find("\n", token.start)
            self.left -= (len(self.text) if line_end < 0 else line_end) - token.start
        if self.left < 0:
            raise BadInput("The query cannot be read: too many open quotes or brackets.")


def tokens(text: str) -> Iterator[Token]:
    """Yield the terminals by the usual reading (longest first), without space and comments.

    Raises `BadInput` as `spots` does.
    """
    position, budget = 0, _Budget(text)
    while position < len(text):
        token = token_at(text, position)
        budget.spend(token)
        position = token.end
        if token.kind != "space":
            yield token


def following(text: str, position: int) -> Token | None:
    """Return the next terminal after space and comments, or None at the end."""
    while position < len(text):
        token = token_at(text, position)
        if token.kind != "space":
            return token
        position = token.end
    return None


def spots(text: str) -> Iterator[Token]:
    """Yield the terminals of every reading: what looks like an IRI is read as ``<`` as well.

    Raises `BadInput` for a text built so that its readings cost too much.
    """
    waiting, seen, budget = [0], {0}, _Budget(text)
    while waiting:
        position = waiting.pop()
        if position >= len(text):
            continue
        token = token_at(text, position)
        budget.spend(token)
        yield token
        ends = {token.end, position + 1} if token.kind == "iri" else {token.end}
        waiting.extend(ends - seen)
        seen |= ends


def _calls_service(text: str) -> bool:
    """Return whether under some reading there is ``SERVICE [SILENT] target {``."""
    if "SERVICE" not in text.upper():
        return False
    for token in spots(text):
        if token.kind not in ("word", "prefixed") or "SERVICE" not in token.upper:
            continue
        if token.kind == "prefixed":
            # Engines may read `SERVICEex:a {` as SERVICE with target ex:a.
            prefix = token.upper.partition(":")[0]
            target: Token | None = token if "SERVICE" in prefix else None
        else:
            target = following(text, token.end)
            if target is not None and target.upper == "SILENT":
                target = following(text, target.end)
        if target is None or target.kind not in ("iri", "variable", "prefixed"):
            continue
        opening = following(text, target.end)
        if opening is not None and opening.text == "{" and not _after_graph(text, token):
            return True
    return False


def _after_graph(text: str, token: Token) -> bool:
    """Return whether a prefixed name that holds "service" is only the name of a graph."""
    before = re.sub(r"#[^\n\r]*[\n\r]", " ", text[max(0, token.start - 200) : token.start])
    return token.kind == "prefixed" and before.rstrip().upper().endswith("GRAPH")


class Query:
    """What is known of a query text without parsing it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = list(tokens(unescape(text)))

    @cached_property
    def prologue(self) -> tuple[dict[str, str], int]:
        """The declared prefixes, and the number of tokens that the prologue takes."""
        prefixes: dict[str, str] = {}
        index, listed = 0, self._tokens
        while index < len(listed):
            if listed[index].upper == "BASE":
                index += 2
            elif listed[index].upper == "PREFIX" and index + 2 < len(listed):
                prefixes[listed[index + 1].text] = listed[index + 2].text[1:-1]
                index += 3
            else:
                break
        return prefixes, index

    @property
    def form(self) -> str:
        """SELECT, ASK, CONSTRUCT or DESCRIBE; empty where the text is none of them."""
        word = self._opening
        return word if word in _QUERIES else ""

    @property
    def is_update(self) -> bool:
        """Whether the text would change data."""
        return self._opening in _UPDATES

    @property
    def _opening(self) -> str:
        _, index = self.prologue
        return self._tokens[index].upper if index < len(self._tokens) else ""

    @property
    def calls_service(self) -> bool:
        """Whether the text asks another server, in any spelling; escapes decoded and as written."""
        return any(_calls_service(text) for text in {self.text, unescape(self.text)})

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The IRIs that the text names, prefixes expanded, in order."""
        prefixes, _ = self.prologue
        return tuple(
            _expand(token, prefixes) for token in self._tokens if token.kind in ("iri", "prefixed")
        )

    @property
    def is_stable(self) -> bool:
        """Whether the same data always give the same answer (no clock, no chance)."""
        return not any(t.kind == "word" and t.upper in _CHANGING for t in self._tokens)

    @cached_property
    def dataset(self) -> tuple[list[str], list[str]] | None:
        """The IRIs of FROM and of FROM NAMED, or None where the query has neither."""
        prefixes, _ = self.prologue
        default: list[str] = []
        named: list[str] = []
        following_two = zip(self._tokens[1:], [*self._tokens[2:], None], strict=False)
        for token, (after, second) in zip(self._tokens, following_two, strict=False):
            if token.kind == "word" and token.upper == "FROM":
                if after.upper == "NAMED" and second is not None:
                    named.append(_expand(second, prefixes))
                else:
                    default.append(_expand(after, prefixes))
        return (default, named) if default or named else None


def _expand(token: Token, prefixes: dict[str, str]) -> str:
    """Return the IRI that a token names; relative ones are left as they are."""
    if token.kind == "iri":
        return token.text[1:-1]
    prefix, _, local = token.text.partition(":")
    return prefixes.get(f"{prefix}:", f"{prefix}:") + local
