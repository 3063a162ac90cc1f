"""RDF from outside to candidates for the gate (law 2: it comes in by the same door).

What is given are claims as an archive writes them, with ends that carry a class and the words by
which the passage names them. Nothing is decided here, and nothing is looked up: a label that the
passage does not hold, or a class that the mapping table does not know, becomes a candidate that the
gate refuses with its reason. `rdfkms.admission.incoming` holds the graph against its shape before.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, parse

from rdfkms.errors import BadInput, TooLarge
from rdfkms.knowledge.decoding_claims import DATATYPES
from rdfkms.knowledge.mapping import EntityRule, EventRule, Mapping, StatementRule
from rdfkms.knowledge.proposers import finding
from rdfkms.knowledge.proposers.candidates import keyed
from rdfkms.model import Anchor, Candidate, EvidenceUnit, Kind, Value
from rdfkms.vocab import KMS, RDFS, TYPE, XSD, Base

FORMATS = {
    "text/turtle": RdfFormat.TURTLE,
    "application/ld+json": RdfFormat.JSON_LD,
    "application/n-triples": RdfFormat.N_TRIPLES,
    "application/rdf+xml": RdfFormat.RDF_XML,
}
MOST_BYTES, MOST_TRIPLES, MOST_CLAIMS = 1_000_000, 20_000, 500
MOST_TEXT = 4_000_000  # characters of all terms, also those that a small file spells out
DEEPEST = 60  # levels of nesting
_NO_TERMS = "Triple terms of RDF 1.2 are not taken in."
CONFIDENCE = 0.5  # where none is given
Node = NamedNode | BlankNode


@dataclass(frozen=True, slots=True)
class End:
    """A thing at an end of a claim: its class or event type, and the words that name it."""

    node: str
    cls: NamedNode | None
    label: str
    event_type: NamedNode | None = None


@dataclass(frozen=True, slots=True)
class Incoming:
    """One claim as it was given, of the unit with the key `unit`."""

    node: str
    statement: NamedNode
    unit: str
    quote: str
    start: int | None
    end: int | None
    subject: End
    object: End | None = None
    value: Value | None = None
    confidence: float = CONFIDENCE


@dataclass(frozen=True, slots=True)
class Graph:
    """Triples by subject and predicate."""

    triples: tuple[Triple, ...]
    by: dict[tuple[Node, str], list[Node | Literal]] = field(compare=False)

    def one(self, subject: Node, predicate: NamedNode) -> Node | Literal | None:
        """Return the first value of a property."""
        return next(iter(self.by.get((subject, predicate.value), ())), None)

    def text(self, subject: Node, predicate: NamedNode) -> str:
        """Return the lexical form of a literal property, or nothing."""
        found = self.one(subject, predicate)
        return found.value if isinstance(found, Literal) else ""


def read(data: bytes, media_type: str, base: str) -> Graph:
    """Return the triples of a document; nothing outside of it is fetched.

    Raises `BadInput` with line and column for what is no RDF, for triple terms and contexts from
    elsewhere, `TooLarge` beyond `MOST_TRIPLES`.
    """
    if len(data) > MOST_BYTES:
        raise TooLarge(f"A document may have {MOST_BYTES} bytes.", hint="Send it in parts.")
    form = FORMATS.get(media_type.partition(";")[0].strip().lower())
    if form is None:
        raise BadInput(
            f"'{media_type[:60]}' is no form of RDF that is taken in.",
            hint=f"Send {', '.join(FORMATS)}.",
        )
    if form is RdfFormat.RDF_XML and b"<!" in data.replace(b"<!--", b""):
        raise BadInput(
            "The RDF/XML declares a document type or entities, which is not taken in.",
            hint="Write the text out, without <!DOCTYPE.",
        )
    text = _decoded(data, form)
    triples: list[Triple] = []
    by: defaultdict[tuple[Node, str], list[Node | Literal]] = defaultdict(list)
    size = claims = 0
    try:
        for quad in parse(text, format=form, base_iri=base):
            subject, told = quad.subject, quad.object
            if isinstance(told, Triple) or isinstance(subject, Triple):
                raise BadInput(_NO_TERMS)
            if isinstance(told, Literal) and told.direction is not None:
                raise BadInput("Literals with a direction (RDF 1.2) are not taken in.")
            size += len(told.value) + len(subject.value)
            if len(triples) >= MOST_TRIPLES or size > MOST_TEXT:
                hint = "Send it in parts."
                raise TooLarge(f"A document may have {MOST_TRIPLES} triples.", hint=hint)
            if told == KMS("Claim") and quad.predicate == TYPE:
                claims += 1
                if claims > MOST_CLAIMS:
                    hint = "Send it in parts."
                    raise TooLarge(f"A document may have {MOST_CLAIMS} claims.", hint=hint)
            triples.append(Triple(subject, quad.predicate, told))
            by[subject, quad.predicate.value].append(told)
    except (SyntaxError, ValueError, OSError) as err:
        raise BadInput(
            f"The document is no {form.name}: {str(err)[:300]}.", hint="Contexts and entities from"
            " elsewhere are not fetched: write them out.",
        ) from err  # fmt: skip
    return Graph(tuple(triples), dict(by))


def _decoded(data: bytes, form: RdfFormat) -> str:
    """Return the text of a document that the parser can stand.

    The parser calls itself for what is nested; too deep, it would take the process down with it.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as err:
        raise BadInput(f"The document is no UTF-8: byte {err.start}.") from err
    if form is RdfFormat.JSON_LD:
        depth = 0
        for sign in re.finditer(r'"(?:[^"\\]|\\.)*"|([\[{])|([\]}])', text, re.DOTALL):
            depth += bool(sign[1]) - bool(sign[2])
            if depth > DEEPEST:
                hint = "Write nested nodes beside each other, with @id."
                raise TooLarge(f"JSON-LD may be nested {DEEPEST} levels deep.", hint=hint)
    elif form is not RdfFormat.RDF_XML and text.count("<<") > DEEPEST:
        raise BadInput(_NO_TERMS)
    return text


def claims(graph: Graph, base: Base) -> list[Incoming]:
    """Return the claims of a graph that fits its shape, in the order of the document.

    Raises `BadInput` where there is none, or one cites no unit of this archive.
    """
    claim = KMS("Claim")
    nodes = dict.fromkeys(
        t.subject
        for t in graph.triples
        if t.predicate == TYPE and t.object == claim and isinstance(t.subject, Node)
    )
    if not nodes:
        raise BadInput("There is no kms:Claim in the document.", hint="See docs/proposing.md.")
    return [_claim(graph, node, base) for node in nodes]


def _claim(graph: Graph, node: Node, base: Base) -> Incoming:
    pointer, statement = graph.one(node, KMS("pointer")), graph.one(node, KMS("statementType"))
    subject, told = graph.one(node, KMS("claimSubject")), graph.one(node, KMS("claimObject"))
    assert isinstance(pointer, Node) and isinstance(statement, NamedNode), "the shape demands them"
    assert isinstance(subject, Node), "the shape demands it"
    cited = graph.one(pointer, KMS("citesUnit"))
    kind, key = base.split(cited.value if isinstance(cited, NamedNode) else "") or ("", "")
    if kind != "evidence":
        raise BadInput(
            f"{str(node)[:100]} cites {str(cited)[:200]}, which is no passage of this archive.",
            hint=f"Its passages have addresses like {base.base}/id/evidence/KEY.",
        )
    start, end = graph.text(pointer, KMS("start")), graph.text(pointer, KMS("end"))
    return Incoming(
        node=str(node),
        statement=statement,
        unit=key,
        quote=graph.text(pointer, KMS("quote")),
        start=int(start) if start and end else None,
        end=int(end) if start and end else None,
        subject=_end(graph, subject),
        object=_end(graph, told) if isinstance(told, Node) else None,
        value=_value(graph, node),
        confidence=float(graph.text(node, KMS("confidence")) or CONFIDENCE),
    )


def _end(graph: Graph, node: Node) -> End:
    cls, event = graph.one(node, TYPE), graph.one(node, KMS("eventType"))
    return End(
        str(node),
        cls if isinstance(cls, NamedNode) else None,
        graph.text(node, RDFS("label")),
        event if isinstance(event, NamedNode) else None,
    )


def _value(graph: Graph, node: Node) -> Value | None:
    literal = graph.one(node, KMS("claimValue"))
    if not isinstance(literal, Literal):
        return None
    datatype = _datatype(literal)
    verbatim = graph.text(node, KMS("verbatim"))
    return Value(literal.value, datatype, literal.language or "", verbatim)


def _datatype(literal: Literal) -> str:
    if literal.language or literal.datatype == XSD("string"):
        return "string"
    return DATATYPES.get(literal.datatype, literal.datatype.value)


# ---- candidates ----------------------------------------------------------------------------------


def candidates(
    given: Sequence[Incoming], unit: EvidenceUnit, mapping: Mapping, proposer: str
) -> tuple[Candidate, ...]:
    """Return the candidates that the claims about one unit come to, each once.

    A statement brings the mentions at its ends with it, a role the event that it is a part of.
    """
    made = (one for claim in given for one in _Making(claim, unit, mapping, proposer).all())
    return tuple(dict.fromkeys(made))


@dataclass(frozen=True, slots=True)
class _Making:
    given: Incoming
    unit: EvidenceUnit
    mapping: Mapping
    proposer: str

    def all(self) -> Iterator[Candidate]:
        one, rule = self.given, self.mapping.by_concept(self.given.statement)
        if not isinstance(rule, StatementRule) or rule.claim_kind is Kind.EVENT:
            # A name that is not of the table: the gate says so.
            name = rule.name if rule is not None else one.statement.value
            yield self.make(Kind.ATTRIBUTE, name, subject=self.anchor(one.subject))
            return
        if rule.claim_kind is Kind.MENTION:
            yield self.mention(one.subject)
            return
        if rule.claim_kind is Kind.ARGUMENT:
            yield self.event(one.subject)
            fields: dict[str, Any] = {"group": self.group(one.subject)}
        else:
            yield self.mention(one.subject)
            fields = {"subject": self.anchor(one.subject)}
        if one.object is not None:
            yield self.mention(one.object)
            fields["object"] = self.anchor(one.object)
        yield self.make(rule.claim_kind, rule.name, value=one.value, **fields)

    def mention(self, end: End) -> Candidate:
        return self.make(Kind.MENTION, self.type_of(end), subject=self.anchor(end))

    def event(self, end: End) -> Candidate:
        rule = self.mapping.by_concept(end.event_type) if end.event_type is not None else None
        name = rule.name if isinstance(rule, EventRule) else str(end.event_type or "")
        trigger = self.anchor(End(end.node, None, end.label))
        return self.make(Kind.EVENT, name, subject=trigger, group=self.group(end))

    def group(self, end: End) -> str:
        """Return what makes an event one: its type and where its trigger stands (law 10)."""
        trigger = self.anchor(End(end.node, None, end.label))
        return f"{end.event_type} {trigger.start} {trigger.end} {trigger.surface}"

    def anchor(self, end: End) -> Anchor:
        text = self.unit.raw.text
        within = finding.locate(self.given.quote, text)
        kind = self.type_of(end) if end.cls is not None else ""
        return finding.anchor(end.label, text, within, kind)

    def type_of(self, end: End) -> str:
        """Return the entity type of a class; the class itself where the table has none."""
        rules = (r for r in self.mapping.entities.values() if isinstance(r, EntityRule))
        found = next((rule.name for rule in rules if rule.cls == end.cls), "")
        return found or (end.cls.value if end.cls is not None else "")

    def make(self, kind: Kind, name: str, **fields: Any) -> Candidate:
        one = self.given
        return keyed(
            Candidate(
                "", kind, self.unit.key, name, one.quote, one.start, one.end,
                confidence=one.confidence, proposer=self.proposer, **fields,
            )
        )  # fmt: skip
