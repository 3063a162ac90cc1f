"""Turtle with the place of each piece (W3C, RDF 1.1 Turtle).

pyoxigraph says whether the file is Turtle, and where not. It tells no places, so the file is read
once more by the tokens of the grammar: what is said of a subject, to the full stop, is a block.
"""

from __future__ import annotations

import codecs
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from pyoxigraph import RdfFormat, parse

from rdfkms.errors import BadInput
from rdfkms.ingest.describing.rico_graph import Arc, Block, Node, Source, check_depth, spread
from rdfkms.ingest.describing.rico_graph import resolved as absolute
from rdfkms.ingest.describing.rico_terms import RDF, TYPE
from rdfkms.ingest.describing.wellformed import MOST_PART
from rdfkms.model import Fault

MOST_BYTES = 200_000_000
_BASE = "http://base.invalid/"  # only to check the file: what is relative is left so
_SPACE = re.compile(r"\s+")
_PLACE = re.compile(r"^Parser error at line [0-9]+[^:]*:\s*")
_HEX = "[0-9A-Fa-f]"
# Possessive throughout: a long text must not leave a place to come back to for each character.
_TOKEN = re.compile(
    rf"""
    (?P<skip>(?:[ \t\r\n]++|\#[^\r\n]*+)++)
    |(?P<long>\"{{3}}(?:[^"\\]++|\\.|\"{{1,2}}(?!\"))*+\"{{3}}
             |'{{3}}(?:[^'\\]++|\\.|'{{1,2}}(?!'))*+'{{3}})
    |(?P<short>"(?:[^"\\\r\n]++|\\.)*+"|'(?:[^'\\\r\n]++|\\.)*+')
    |(?P<iri><(?:[^\x00-\x20<>"{{}}|^`\\]++|\\u{_HEX}{{4}}|\\U{_HEX}{{8}})*+>)
    |(?P<word>@prefix\b|@base\b)
    |(?P<tag>@[A-Za-z]+(?:-[A-Za-z0-9]+)*(?:--[a-z]+)?)
    |(?P<blank>_:[\w](?:[\w.\-·]*[\w\-·])?)
    |(?P<number>[+-]?(?:[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+\.[eE][+-]?[0-9]+
               |[0-9]+[eE][+-]?[0-9]+|[0-9]+))
    |(?P<name>(?:[^\W\d_](?:[\w.\-·]*[\w\-·])?)?:
              (?:[\w\-:·]|%{_HEX}{{2}}|\\[_~.\-!$&'()*+,;=/?\#@%]|\.+(?=[\w\-:·%\\]))*)
    |(?P<key>[A-Za-z]+)
    |(?P<mark>\^\^|[\[\]();,.])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(rf"\\(?:u({_HEX}{{4}})|U({_HEX}{{8}})|(.))", re.DOTALL)
_MEANT = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_MEMBER, _NIL = RDF + "li", RDF + "nil"
_MARKUP = (RDF + "XMLLiteral", RDF + "HTML")
_TAG = re.compile(r"<[^>]*>")
_LITERALS = ("long", "short", "number")


def check(path: Path) -> None:
    """Raise `BadInput`, with the line, for a file that is no Turtle."""
    if path.stat().st_size > MOST_BYTES:
        raise BadInput(
            f"{path.name} has {path.stat().st_size:,} bytes; Turtle may have {MOST_BYTES:,}.",
            hint="Export it in several files, or as RDF/XML.",
        )
    data = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    try:
        data.decode()
    except UnicodeDecodeError as err:
        wrong = data.count(b"\n", 0, err.start) + 1
        raise BadInput(
            f"{path.name}, line {wrong}: this is no UTF-8, which Turtle always is.",
            hint="Save the file as UTF-8.",
        ) from err
    try:
        for _ in parse(data, format=RdfFormat.TURTLE, base_iri=_BASE):
            pass
    except SyntaxError as err:
        line = f", line {err.lineno}" if err.lineno else ""
        why = _PLACE.sub("", str(err.msg)).rstrip(".")
        raise BadInput(
            f"{path.name}{line}: this is no Turtle: {why}.", hint="Correct the file, or export it."
        ) from err
    except ValueError as err:
        raise BadInput(f"{path.name} is no Turtle: {err}.", hint="Export it again.") from err
    except MemoryError as err:  # what pyoxigraph says of a token that is longer than its buffer
        raise BadInput(
            f"{path.name} holds a text that is too long to be read.",
            hint="Divide the text.",
        ) from err


def blocks(path: Path, source: Source, _: list[Fault] | None = None) -> Iterator[Block]:
    """Yield the blocks of a file in its order; it has passed `check`."""
    source.again()
    yield from _Reading(path.read_bytes().decode("utf-8-sig"), source).blocks()


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


@dataclass(slots=True)
class _Reading:
    text: str
    source: Source
    prefixes: dict[str, str] = field(default_factory=dict)
    base: str = ""
    _at: int = 0
    _line: int = 1  # that of the place up to which lines were counted
    _counted: int = 0
    _ahead: _Token | None = None
    _begun: int = -1  # where the statement that is read begins, between two of them -1

    # ---- statements ----------------------------------------------------------------------------

    def blocks(self) -> Iterator[Block]:
        """Yield the statements that have a subject; what declares prefixes is kept."""
        measured, size = 0, 0
        while (token := self._peek()) is not None:
            if self._declares(token):
                continue
            start, line = token.start, self._line_of(token.start)
            self._begun = start
            node = self._statement(token)
            end = self._take(".").end
            size += len(self.text[measured:start].encode())
            measured = start
            shifted = _moved(node, start)
            words = "\n".join(_words(shifted))
            raw = self.text[start:end]
            if len(raw.encode()) > MOST_PART:
                raise self._too_large()
            self._begun = -1
            yield Block(shifted, raw[: shifted.end].strip() or "[]", line, size, raw, words, False)

    def _declares(self, token: _Token) -> bool:
        key = token.text.lower().lstrip("@")
        if token.kind not in ("word", "key") or key not in ("prefix", "base"):
            return False
        self._next()
        if key == "prefix":
            name = self._next().text[:-1]
            self.prefixes[name] = absolute(self.base, _iri(self._next().text))
        else:
            self.base = absolute(self.base, _iri(self._next().text))
        if token.kind == "word":
            self._take(".")
        return True

    def _statement(self, token: _Token) -> Node:
        nameless = token.kind == "mark" and token.text in "[("
        node = self._open("", 0) if nameless else self._node("", "", 0)
        following = self._peek()
        if following is None or following.kind != "mark" or following.text != ".":
            node = _with(node, list(self._properties(_near(node), 0)))
        return self.source.nameless("", "", node) if nameless else node

    # ---- nodes ---------------------------------------------------------------------------------

    def _node(self, near: str, predicate: str, depth: int) -> Node:
        """Read a subject or an object that is no literal; `near` is what it stands beneath."""
        token = self._peek()
        if token is not None and token.kind == "mark" and token.text in "[(":
            return self.source.nameless(near, predicate, self._open(near, depth))
        token = self._next()
        line = self._line_of(token.start)
        check_depth(self.source, depth, line)
        if token.kind == "blank":
            identity = self.source.labelled(token.text[2:])
            return Node(identity, "", line, token.start, token.end)
        if token.kind in ("iri", "name"):
            iri = self._resolved(token)
            return Node(self.source.thing(iri), iri, line, token.start, token.end)
        raise self._odd(token)

    def _open(self, near: str, depth: int) -> Node:
        """Read what stands in brackets, a node that has no name yet, or the members of a list."""
        token = self._next()
        line = self._line_of(token.start)
        check_depth(self.source, depth, line)
        node = Node((), "", line, token.start, token.end)
        arcs: list[Arc] = []
        following = self._peek()
        if token.text == "[":
            if following is None or following.text != "]":
                arcs = list(self._properties(near, depth))
            self._take("]")
            return _with(node, arcs)
        while following is not None and following.text != ")":
            arcs.append(self._object(near, _MEMBER, following.start, depth))
            following = self._peek()
        self._take(")")
        return replace(node, iri="" if arcs else _NIL, arcs=tuple(arcs))

    def _properties(self, near: str, depth: int) -> Iterator[Arc]:
        while True:
            token = self._next()
            if token.kind not in ("iri", "name") and token.text != "a":
                raise self._odd(token)
            iri = TYPE if token.text == "a" and token.kind == "key" else self._resolved(token)
            predicate = self.source.term(iri, self._line_of(token.start))
            while True:
                yield from spread(self._object(near, predicate, token.start, depth))
                following = self._peek()
                if following is None or following.text != ",":
                    break
                self._next()
            while (following := self._peek()) is not None and following.text == ";":
                self._next()
            if following is None or following.text in (".", "]"):
                return

    def _object(self, near: str, predicate: str, outer: int, depth: int) -> Arc:
        token = self._peek()
        if token is None:
            raise self._odd(_Token("", "", len(self.text), len(self.text)))
        line = self._line_of(token.start)
        if token.kind in _LITERALS or (token.kind == "key" and token.text in ("true", "false")):
            return self._literal(predicate, outer, line)
        node = self._node(near, predicate, depth + 1)
        if predicate == TYPE:
            iri = self.source.term(node.iri, line)
            node = Node(self.source.thing(iri), iri, line, node.start, node.end)
        return Arc(predicate, line, node.start, node.end, outer, node.end, target=node)

    def _literal(self, predicate: str, outer: int, line: int) -> Arc:
        token = self._next()
        language, datatype, close = "", "", token.end
        following = self._peek()
        if following is not None and following.kind == "tag":
            language = self._next().text[1:].partition("--")[0]
            close = following.end
        elif following is not None and following.text == "^^":
            self._next()
            named = self._next()
            datatype, close = self._resolved(named), named.end
        start, end, told, escaped = self._words(token, datatype in _MARKUP)
        return Arc(
            predicate, line, start, end, outer, close, told, language, escaped=escaped
        )  # fmt: skip

    def _words(self, token: _Token, is_markup: bool) -> tuple[int, int, str, bool]:
        """Return the place of a literal's words, the words, and whether they are escaped there."""
        edge = {"long": 3, "short": 1}.get(token.kind, 0)
        start, end = token.start + edge, token.end - edge
        stands = self.text[start:end]
        told = _unescaped(stands)
        start += len(stands) - len(stands.lstrip())
        end = max(start, end - (len(stands) - len(stands.rstrip())))
        if is_markup:
            told = _without_tags(told)
            # Escaped breaks around the markup are none of its words.
            first, last = self.text.find("<", start, end), self.text.rfind(">", start, end)
            around = self.text[start:first] + self.text[last + 1 : end]
            if start <= first < last and not _unescaped(around).strip():
                start, end = first, last + 1
            stands = _without_tags(self.text[start:end])
        if start == end:
            start, end = token.start, token.end
        bare, there = "".join(told.split()), "".join(stands.split())
        escaped = bare != there if is_markup else bare not in there
        return start, end, _SPACE.sub(" ", told).strip(), escaped

    # ---- tokens --------------------------------------------------------------------------------

    def _peek(self) -> _Token | None:
        """Return the next token without taking it, or None at the end of the file."""
        while self._ahead is None:
            if self._at >= len(self.text):
                return None
            found = _TOKEN.match(self.text, self._at)
            if found is None or not found.lastgroup:
                raise self._odd(_Token("", self.text[self._at], self._at, self._at))
            self._at = found.end()
            if 0 <= self._begun < self._at - MOST_PART:
                raise self._too_large()
            if found.lastgroup != "skip":
                self._ahead = _Token(found.lastgroup, found[0], found.start(), found.end())
        return self._ahead

    def _next(self) -> _Token:
        token = self._peek()
        if token is None:
            raise self._odd(_Token("", "", len(self.text), len(self.text)))
        self._ahead = None
        return token

    def _take(self, mark: str) -> _Token:
        token = self._next()
        if token.kind != "mark" or token.text != mark:
            raise self._odd(token)
        return token

    def _too_large(self) -> BadInput:
        return BadInput(
            f"{self.source.name}, line {self._line_of(self._begun)}: what is said of one subject "
            f"has more bytes than it may have: {MOST_PART:,}.",
            hint="Divide the text, or say it in several statements.",
        )

    def _odd(self, token: _Token) -> BadInput:
        line = self._line_of(token.start)
        return BadInput(
            f"{self.source.name}, line {line}: {token.text[:40]!r} is not read in this place.",
            hint="Write it in RDF 1.1 Turtle, one statement for each subject.",
        )

    def _line_of(self, at: int) -> int:
        if at >= self._counted:
            self._line += self.text.count("\n", self._counted, at)
            self._counted = at
            return self._line
        return self._line - self.text.count("\n", at, self._counted)

    def _resolved(self, token: _Token) -> str:
        if token.kind == "iri":
            return absolute(self.base, _iri(token.text))
        prefix, _, local = token.text.partition(":")
        return self.prefixes.get(prefix, f"{prefix}:") + re.sub(r"\\(.)", r"\1", local)


def _near(node: Node) -> str:
    """Return the name of a subject, "" for one that has none."""
    return node.identity[-1] if node.identity else ""


def _iri(text: str) -> str:
    return _unescaped(text[1:-1])


def _unescaped(text: str) -> str:
    def meant(found: re.Match[str]) -> str:
        code = found[1] or found[2]
        if code:
            return chr(int(code, 16))
        return _MEANT.get(found[3], found[3])

    return _ESCAPE.sub(meant, text) if "\\" in text else text


def _without_tags(markup: str) -> str:
    return html.unescape(_TAG.sub(" ", markup))


def _with(node: Node, arcs: list[Arc]) -> Node:
    """Return a node with more said of it; its types become its classes."""
    classes = tuple(arc.target.iri for arc in arcs if arc.predicate == TYPE and arc.target)
    kept = tuple(arc for arc in arcs if arc.predicate != TYPE)
    return Node(
        node.identity, node.iri, node.line, node.start, node.end,
        node.classes + classes, node.arcs + kept,
    )  # fmt: skip


def _moved(node: Node, by: int) -> Node:
    """Return a node whose offsets count from a later place."""
    arcs = tuple(
        Arc(
            arc.predicate, arc.line, arc.start - by, arc.end - by, arc.outer_start - by,
            arc.outer_end - by, arc.text, arc.language,
            _moved(arc.target, by) if arc.target is not None else None, arc.escaped,
        )
        for arc in node.arcs
    )  # fmt: skip
    return Node(
        node.identity, node.iri, node.line, node.start - by, node.end - by, node.classes, arcs
    )


def _words(node: Node) -> Iterator[str]:
    for arc in node.arcs:
        if arc.text:
            yield arc.text
        if arc.target is not None:
            yield from _words(arc.target)
