"""RDF/XML with the place of each piece (W3C, RDF 1.1 XML Syntax).

Each node element that stands directly in rdf:RDF is a block. The words of an XML literal are
those of its markup.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rdfkms.ingest.describing.rico_graph import Arc, Block, Node, Source, check_depth, spread
from rdfkms.ingest.describing.rico_graph import resolved as absolute
from rdfkms.ingest.describing.rico_terms import RDF, TYPE
from rdfkms.ingest.describing.xmlfile import Element, Part, parts, words
from rdfkms.model import Fault

XML = "http://www.w3.org/XML/1998/namespace"
ROOT = "RDF"
_NAME = re.compile(r"<\s*([^\s/>]+)")
_ATTRIBUTE = re.compile(r"""([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')""")
_SPACE = re.compile(r"\s+")
_BLOCKS = frozenset(
    {
        "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "br",
        "table", "tr", "td", "th", "blockquote", "section", "article", "pre",
    }
)  # fmt: skip
# What RDF/XML means by an attribute, rather than a property of the node.
_SYNTAX = frozenset({RDF + one for one in ("about", "ID", "nodeID", "resource", "parseType",
                                           "datatype", "bagID", "aboutEach")})  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Scope:
    namespaces: dict[str, str]
    base: str
    language: str


@dataclass(frozen=True, slots=True)
class _Attribute:
    name: str
    value: str
    start: int
    end: int


def blocks(path: Path, source: Source, notes: list[Fault] | None = None) -> Iterator[Block]:
    """Yield the blocks of a file in its order; raises `BadInput` as `xmlfile.parts` does."""
    source.again()
    for part in parts(path, _is_part, notes):
        if part.above and part.number == 1:
            yield _Reading(part, source).block()


def _is_part(_: str, parent: str) -> bool:
    return parent == ROOT


def prose(element: Element) -> str:
    """Return the words of an XML literal, white space folded, paragraphs on lines of their own."""
    folded = (_SPACE.sub(" ", line).strip() for line in "".join(_pieces(element)).split("\n"))
    return "\n".join(line for line in folded if line)


def _pieces(element: Element) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, str):
            yield _SPACE.sub(" ", child)
            continue
        edge = "\n" if child.name in _BLOCKS else ""
        yield edge
        yield from _pieces(child)
        yield edge


class _Reading:
    """Reads one part; a new one for each."""

    def __init__(self, part: Part, source: Source) -> None:
        self._part, self._source, self._raw = part, source, part.raw

    def block(self) -> Block:
        part = self._part
        scope = _Scope({"xml": XML}, "", "")
        for above in part.above:
            scope = _inner(scope, above)
        node = self._node(part.element, scope, "", "", 0)
        return Block(
            node, part.element.path, part.line, part.start, part.raw, words(part.element), True
        )

    # ---- nodes ---------------------------------------------------------------------------------

    def _node(self, element: Element, scope: _Scope, near: str, predicate: str, depth: int) -> Node:
        """Read a node element; `near` is the name of what it stands beneath."""
        check_depth(self._source, depth, element.line)
        scope = _inner(scope, element)
        has = self._attributes(element, scope)
        known = {one.name: one for one in has}
        iri = ""
        start, end = self._tag(element)
        if (about := known.get(RDF + "about")) is not None:
            iri = absolute(scope.base, about.value)
        elif (own := known.get(RDF + "ID")) is not None:
            iri = absolute(scope.base, "#" + own.value)
        label = known.get(RDF + "nodeID")
        identity = self._source.thing(iri) if iri else ()
        if label is not None and not iri:
            identity = self._source.labelled(label.value)
        arcs = [*self._from_attributes(has, scope, element)]
        arcs += self._properties(element, scope, identity[-1] if identity else near, depth)
        name = self._expanded(element, scope)
        classes = [] if name == RDF + "Description" else [self._source.term(name, element.line)]
        classes += [arc.target.iri for arc in arcs if arc.predicate == TYPE and arc.target]
        kept = tuple(arc for arc in arcs if arc.predicate != TYPE)
        node = Node(identity, iri, element.line, start, end, tuple(classes), kept)
        return node if identity else self._source.nameless(near, predicate, node)

    def _from_attributes(
        self, has: list[_Attribute], scope: _Scope, element: Element
    ) -> Iterator[Arc]:
        """Yield what property attributes say."""
        for one in has:
            if one.name in _SYNTAX or one.name.startswith((XML, "xmlns")) or ":" not in one.name:
                continue
            predicate = self._source.term(one.name, element.line)
            arc = Arc(predicate, element.line, one.start, one.end, one.start, one.end)
            if predicate == TYPE:
                yield replace(arc, target=self._type(one, scope, element))
            else:
                told = _SPACE.sub(" ", one.value).strip()
                yield replace(arc, text=told, language=scope.language)

    def _type(self, one: _Attribute, scope: _Scope, element: Element) -> Node:
        iri = self._source.term(absolute(scope.base, one.value), element.line)
        return Node(self._source.thing(iri), iri, element.line, one.start, one.end)

    # ---- properties ----------------------------------------------------------------------------

    def _properties(self, element: Element, scope: _Scope, near: str, depth: int) -> Iterator[Arc]:
        """Yield what the elements inside a node say; of a list an arc for each member."""
        for child in element.all():
            for arc in self._property(child, scope, near, depth):
                yield from spread(arc)

    def _property(self, element: Element, scope: _Scope, near: str, depth: int) -> Iterator[Arc]:
        scope = _inner(scope, element)
        predicate = self._source.term(self._expanded(element, scope), element.line)
        has = self._attributes(element, scope)
        known = {one.name: one for one in has}
        tag = self._tag(element)
        kind = known[RDF + "parseType"].value if RDF + "parseType" in known else ""
        arc = Arc(predicate, element.line, *tag, element.start, element.end)
        link = known.get(RDF + "resource") or known.get(RDF + "nodeID")
        inner = list(element.all())
        if kind == "Resource":
            check_depth(self._source, depth, element.line)
            node = self._bare(element, list(self._properties(element, scope, near, depth + 1)), tag)
            node = self._source.nameless(near, predicate, node)
            yield replace(arc, outer_end=tag[1], target=node)
        elif kind and kind != "Collection":
            yield self._literal(arc, element, prose(element), _tongue(element, scope.language))
        elif link is not None:
            yield self._link(arc, element, link, has, scope)
        elif inner:
            for child in inner:
                yield self._nested(arc, child, scope, near, depth)
        elif arcs := list(self._from_attributes(has, scope, element)):
            node = self._bare(element, arcs, tag)
            yield replace(arc, target=self._source.nameless(near, predicate, node))
        else:
            told = "".join(child for child in element.children if isinstance(child, str))
            yield self._literal(arc, element, _SPACE.sub(" ", told).strip(), scope.language)

    def _literal(self, arc: Arc, element: Element, told: str, language: str) -> Arc:
        inner = self._raw[element.inner : element.inner_end]
        if not inner.strip():
            return replace(arc, text=told, language=language)
        start = element.inner + len(inner) - len(inner.lstrip())
        end = start + len(inner.strip())
        return replace(arc, start=start, end=end, text=told, language=language)

    def _link(
        self, arc: Arc, element: Element, link: _Attribute, has: list[_Attribute], scope: _Scope
    ) -> Arc:
        place = (link.start, link.end) if link.value else (arc.start, arc.end)
        if link.name == RDF + "nodeID":
            identity, iri = self._source.labelled(link.value), ""
        else:
            iri = absolute(scope.base, link.value)
            if arc.predicate == TYPE:
                iri = self._source.term(iri, element.line)
            identity = self._source.thing(iri)
        arcs = list(self._from_attributes(has, scope, element))
        target = replace(self._bare(element, arcs, place), identity=identity, iri=iri)
        return replace(arc, start=place[0], end=place[1], target=target)

    def _nested(self, arc: Arc, child: Element, scope: _Scope, near: str, depth: int) -> Arc:
        node = self._node(child, scope, near, arc.predicate, depth + 1)
        place = next(
            ((one.start, one.end) for one in self._attributes(child, _inner(scope, child))
             if one.name in (RDF + "about", RDF + "nodeID", RDF + "ID") and one.value),
            (node.start, node.end),
        )  # fmt: skip
        outer = node.end if node.is_told else arc.outer_end
        return replace(arc, start=place[0], end=place[1], outer_end=outer, target=node)

    def _bare(self, element: Element, arcs: list[Arc], place: tuple[int, int]) -> Node:
        """Return a node that has no element of its own, nor an identity yet."""
        classes = tuple(arc.target.iri for arc in arcs if arc.predicate == TYPE and arc.target)
        kept = tuple(arc for arc in arcs if arc.predicate != TYPE)
        return Node((), "", element.line, *place, classes, kept)

    # ---- names ---------------------------------------------------------------------------------

    def _tag(self, element: Element) -> tuple[int, int]:
        return element.start, element.inner if element.inner > element.start else element.end

    def _expanded(self, element: Element, scope: _Scope) -> str:
        found = _NAME.match(self._raw, element.start)
        return _expand(found[1] if found else element.name, scope, default=True)

    def _attributes(self, element: Element, scope: _Scope) -> list[_Attribute]:
        """Return the attributes with their expanded names and the places of their values."""
        start, end = self._tag(element)
        found = [*_ATTRIBUTE.finditer(self._raw, start, end)]
        local = [one[1].rpartition(":")[2] for one in found]
        attributes = []
        for one, name in zip(found, local, strict=True):
            if one[1].startswith("xmlns"):
                continue
            # expat has resolved what the file declares; the plain text only helps between twins.
            single = local.count(name) == 1 and name in element.attributes
            value = element.attributes[name] if single else html.unescape(one[2][1:-1])
            begin, stop = one.start(2) + 1, one.end(2) - 1
            while begin < stop and self._raw[begin].isspace():
                begin += 1
            while stop > begin and self._raw[stop - 1].isspace():
                stop -= 1
            full = _expand(one[1], scope, default=False)
            attributes.append(_Attribute(full, value.strip(), begin, stop))
        return attributes


def _inner(scope: _Scope, element: Element) -> _Scope:
    """Return the scope inside of an element."""
    has = element.attributes
    spaces = {key.partition(":")[2]: value for key, value in has.items()
              if key == "xmlns" or key.startswith("xmlns:")}  # fmt: skip
    if not spaces and "base" not in has and "lang" not in has:
        return scope
    base = absolute(scope.base, has["base"]) if "base" in has else scope.base
    language = has.get("lang", scope.language).strip().replace("_", "-")
    return _Scope({**scope.namespaces, **spaces}, base, language)


def _expand(name: str, scope: _Scope, *, default: bool) -> str:
    prefix, colon, local = name.partition(":")
    if not colon:
        # Before RDF/XML was revised, its own attributes could stand without a prefix.
        known = RDF + name in _SYNTAX and not default
        return RDF + name if known else (scope.namespaces.get("", "") if default else "") + name
    return scope.namespaces.get(prefix, f"{prefix}:") + local


def _tongue(element: Element, otherwise: str) -> str:
    """Return the language of an XML literal: of the outermost element in it that tells one."""
    for child in element.all():
        found = child.attributes.get("lang", "").strip()
        if found := found or _tongue(child, ""):
            return found.replace("_", "-")
    return otherwise
