"""A graph in the making: what is stated once, inverse properties in both directions."""

from __future__ import annotations

from functools import cache

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, parse

from rdfkms import resources
from rdfkms.publish.rico.dates import span
from rdfkms.publish.rico.practice import Practice
from rdfkms.vocab import OWL, RDFS, RICO, TYPE

LABEL = RDFS("label")
SEE_ALSO = RDFS("seeAlso")
_NO_LANGUAGE = frozenset({"", "und", "zxx"})


@cache
def inverses() -> dict[str, str]:
    """Return the inverse of each RiC-O property that has one, by local name."""
    found: dict[str, str] = {}
    path = resources.file("ontology/rico-slim.ttl")
    for quad in parse(path=str(path), format=RdfFormat.TURTLE):
        one, other = quad.subject, quad.object
        if quad.predicate != OWL("inverseOf"):
            continue
        if isinstance(one, NamedNode) and isinstance(other, NamedNode):
            a, b = one.value.rpartition("#")[2], other.value.rpartition("#")[2]
            found[a], found[b] = b, a
    return found


class Graph:
    """Collects triples of one description, in the order in which they are said."""

    def __init__(self, practice: Practice) -> None:
        self.practice = practice
        self._triples: dict[Triple, None] = {}

    def triples(self) -> list[Triple]:
        """Return the triples, each once."""
        return list(self._triples)

    def add(self, subject: NamedNode, name: str, value: NamedNode | Literal) -> None:
        """State a RiC-O property."""
        self.state(subject, RICO(name), value)

    def state(self, subject: NamedNode, predicate: NamedNode, value: NamedNode | Literal) -> None:
        """State any property."""
        self._triples[Triple(subject, predicate, value)] = None

    def type(self, subject: NamedNode, *names: str) -> None:
        """State the RiC-O classes of a thing."""
        for name in names:
            self.state(subject, TYPE, RICO(name))

    def link(self, one: NamedNode, name: str, other: NamedNode) -> None:
        """State a property between two things, and its inverse where RiC-O has one."""
        self.add(one, name, other)
        if name in inverses():
            self.add(other, inverses()[name], one)

    def both(self, one: NamedNode, name: str, other: NamedNode) -> None:
        """State a symmetric property in both directions."""
        self.add(one, name, other)
        self.add(other, name, one)

    def say(self, subject: NamedNode, name: str, words: Literal | None) -> None:
        """State words in their language, or in that of the institution where they say none."""
        if words is not None:
            self.add(subject, name, self.spoken(words))

    def say_as_is(self, subject: NamedNode, name: str, words: Literal | None) -> None:
        """State what is in no language: identifiers, codes."""
        if words is not None:
            self.add(subject, name, Literal(words.value))

    def end(self, subject: NamedNode, name: str, edtf: Literal | None, which: int) -> None:
        """State one end of a period: its first (0) or last (1) day, month or year."""
        period = span(edtf.value if edtf is not None else "")
        end = (period.first, period.last)[which]
        if end is not None:
            self.add(subject, name, end)

    def label(self, subject: NamedNode, words: Literal) -> None:
        """State a label."""
        self.state(subject, LABEL, self.spoken(words))

    def spoken(self, words: Literal) -> Literal:
        """Return words with their language; ``und`` is none."""
        language = words.language or ""
        if language.casefold() in _NO_LANGUAGE:
            language = self.practice.language
        return Literal(words.value, language=language) if language else Literal(words.value)

    def ends(
        self,
        subject: NamedNode,
        edtf: Literal | None,
        names: tuple[str, str] = ("beginningDate", "endDate"),
    ) -> None:
        """State the ends of a period; of a single day or year both are it."""
        period = span(edtf.value if edtf is not None else "")
        for name, end in zip(names, (period.first, period.last), strict=True):
            if end is not None:
                self.add(subject, name, end)

    def date(self, subject: NamedNode, edtf: Literal | None, words: Literal | None) -> None:
        """State a date: its words, and its normal form as a date or as beginning and end."""
        if edtf is not None:
            period = span(edtf.value)
            if period.single and period.first is not None:
                self.add(subject, "date", period.first)
            else:
                self.ends(subject, edtf)
            if words is None and period.first is None and period.last is None:
                self.add(subject, "date", Literal(edtf.value))
        self.say(subject, "date", words)


def node(iri: str) -> NamedNode | None:
    """Return an IRI as a node, None for what no IRI may be."""
    try:
        return NamedNode(iri) if iri else None
    except ValueError:
        return None
