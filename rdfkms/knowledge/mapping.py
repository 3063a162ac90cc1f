"""The mapping table: every name that may be proposed, and the RiC-O or kms terms it becomes.

Read from ``ontology/mapping.tsv`` (R43, R69). Proposers, profiles and prompts use the names; only
this module turns a name into terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pyoxigraph import NamedNode

from rdfkms import resources
from rdfkms.errors import Misconfigured
from rdfkms.model import Kind
from rdfkms.vocab import PREFIXES

EVENT_SEGMENT = "event"
ANY_EVENT = "Event"
DECLARED = "declared"
DATATYPES = frozenset({"string", "integer", "date", "edtf", "anyURI"})

_STATEMENTS = frozenset({"mention", "event", "relation", "attribute", "argument"})
_ORDERS = frozenset({"source-target", "target-source", "connects", ""})
_COLUMNS = (
    "kind", "name", "concept", "class", "superclass", "segment", "predicate", "domain", "range",
    "order", "role", "node", "flags", "label_en",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class EntityRule:
    """What an entity type becomes; `kind` is its IRI segment.

    `scope` says how far an equal name may mean the same being: "global" or "record" (R69), or
    "declared": only descriptions name such a thing, and their identifiers tell it apart.
    """

    name: str
    cls: NamedNode
    superclass: NamedNode | None
    concept: NamedNode
    kind: str
    name_predicate: NamedNode
    name_class: NamedNode
    scope: str
    label_en: str


@dataclass(frozen=True, slots=True)
class StatementRule:
    """What a relation, attribute or role becomes.

    `order` says which end the claim's subject is in the relation node. `node_predicate` and
    `node_class` name a node that is minted beside a literal (a Date, an OccupationType).
    `domain` holds entity or event types ("Event" = any); `range` entity types, empty for a literal.
    A `declared` statement is made by descriptions alone, in the terms of their standards: no
    proposer may use its name, and it is not held against the wording of a passage.
    """

    name: str
    kind: str
    concept: NamedNode
    predicate: NamedNode
    domain: tuple[str, ...]
    range: tuple[str, ...]
    literal: str | None
    relation_class: NamedNode | None
    relation_superclass: NamedNode | None
    order: str
    role: NamedNode | None
    node_predicate: NamedNode | None
    node_class: NamedNode | None
    single_valued: bool
    symmetric: bool
    high_risk: bool
    needs_review: bool
    declared: bool
    label_en: str

    @property
    def claim_kind(self) -> Kind:
        """The kind of the claims that make this statement."""
        return Kind(self.kind)


@dataclass(frozen=True, slots=True)
class EventRule:
    """What an event type becomes."""

    name: str
    cls: NamedNode
    concept: NamedNode
    type_predicate: NamedNode
    label_en: str
    kind: str = EVENT_SEGMENT


Rule = EntityRule | StatementRule | EventRule


@dataclass(frozen=True)
class Mapping:
    """The whole table. Unknown names raise `KeyError`: screening asks `knows_*` first."""

    entities: dict[str, EntityRule]
    statements: dict[str, StatementRule]
    events: dict[str, EventRule]
    concepts: dict[str, Rule] = field(default_factory=dict, compare=False)

    def entity(self, name: str) -> EntityRule:
        """Return the rule of an entity type."""
        return self.entities[name]

    def statement(self, name: str) -> StatementRule:
        """Return the rule of a relation, attribute, role, "namedAs" or "triggeredBy"."""
        return self.statements[name]

    def event(self, name: str) -> EventRule:
        """Return the rule of an event type."""
        return self.events[name]

    def by_concept(self, iri: NamedNode) -> Rule | None:
        """Return the rule of a `kv:` concept, or None."""
        return self.concepts.get(iri.value)

    def by_class(self, iri: NamedNode) -> EntityRule | None:
        """Return the entity rule of a class, or None."""
        return next((rule for rule in self.entities.values() if rule.cls == iri), None)

    def by_kind(self, kind: str) -> EntityRule | None:
        """Return the entity rule of an IRI segment (``person`` ...), or None."""
        return next((rule for rule in self.entities.values() if rule.kind == kind), None)

    def names(self, kind: Kind) -> tuple[str, ...]:
        """Return the names that proposers may use for this kind, in the order of the table."""
        if kind is Kind.MENTION:
            return tuple(n for n, rule in self.entities.items() if rule.scope != DECLARED)
        if kind is Kind.EVENT:
            return tuple(self.events)
        return tuple(
            name
            for name, rule in self.statements.items()
            if rule.kind == kind.value and not (rule.needs_review or rule.declared)
        )

    def knows(self, kind: Kind, name: str) -> bool:
        """Return whether a candidate of this kind may bear this name."""
        rule = self.statements.get(name)
        mine = rule is not None and rule.kind == kind.value and not rule.declared
        return mine or name in self.names(kind)

    def accepts_subject(self, statement: str, type_name: str) -> bool:
        """Return whether an entity or event of this type may be the subject of the statement."""
        domain = self.statements[statement].domain
        return type_name in domain or (ANY_EVENT in domain and type_name in self.events)

    def accepts_object(self, statement: str, type_name: str) -> bool:
        """Return whether an entity of this type may be the object of the statement."""
        return type_name in self.statements[statement].range

    def rules(self) -> Iterator[Rule]:
        """Yield every rule of the table."""
        yield from self.entities.values()
        yield from self.statements.values()
        yield from self.events.values()


@cache
def load() -> Mapping:
    """Return the shipped table; raises `Misconfigured` with line and reason."""
    return read(resources.file("ontology/mapping.tsv"))


def read(path: Path) -> Mapping:
    """Return the table in `path`; raises `Misconfigured` with line and reason."""
    mapping = Mapping({}, {}, {})
    for number, row in _rows(path):
        try:
            rule = _rule(row)
        except (ValueError, KeyError) as err:
            raise Misconfigured(f"{path}:{number}: {err}.") from err
        known = mapping.concepts.setdefault(rule.concept.value, rule)
        if known is not rule:
            raise Misconfigured(f"{path}:{number}: {rule.concept.value} stands twice.")
        if isinstance(rule, EntityRule):
            mapping.entities[rule.name] = rule
        elif isinstance(rule, EventRule):
            mapping.events[rule.name] = rule
        else:
            mapping.statements[rule.name] = rule
    _check_types(path, mapping)
    return mapping


def term(curie: str) -> NamedNode:
    """Return the IRI of a prefixed name such as ``rico:Person``; raises `ValueError`."""
    prefix, colon, name = curie.partition(":")
    if not colon or not name or prefix not in PREFIXES:
        raise ValueError(f"{curie!r} is no prefixed name; prefixes: {' '.join(sorted(PREFIXES))}")
    return NamedNode(PREFIXES[prefix] + name)


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    header: list[str] | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = ["" if cell.strip() == "-" else cell.strip() for cell in line.split("\t")]
        if header is None:
            header = cells
            if tuple(header) != _COLUMNS:
                raise Misconfigured(f"{path}:{number}: columns must be {' '.join(_COLUMNS)}.")
        elif len(cells) != len(header):
            raise Misconfigured(f"{path}:{number}: {len(cells)} cells, {len(header)} columns.")
        else:
            yield number, dict(zip(header, cells, strict=True))


def _rule(row: dict[str, str]) -> Rule:
    if row["kind"] == "entity":
        return _entity(row)
    if row["kind"] == "eventtype":
        return EventRule(
            row["name"], term(row["class"]), term(row["concept"]), term(row["predicate"]),
            row["label_en"],
        )  # fmt: skip
    if row["kind"] in _STATEMENTS:
        return _statement(row)
    raise ValueError(f"unknown kind {row['kind']!r}")


def _entity(row: dict[str, str]) -> EntityRule:
    if row["flags"] not in {"global", "record", DECLARED}:
        raise ValueError(f"scope {row['flags']!r} is neither global nor record nor declared")
    return EntityRule(
        name=row["name"],
        cls=term(row["class"]),
        superclass=_maybe(row["superclass"]),
        concept=term(row["concept"]),
        kind=row["segment"],
        name_predicate=term(row["predicate"]),
        name_class=term(row["range"]),
        scope=row["flags"],
        label_en=row["label_en"],
    )


def _statement(row: dict[str, str]) -> StatementRule:
    if row["order"] not in _ORDERS:
        raise ValueError(f"unknown order {row['order']!r}")
    if bool(row["class"]) != bool(row["order"]):
        raise ValueError("a relation class needs an order, and an order a class")
    literal = row["range"] if row["range"] in DATATYPES else None
    node = row["node"].split()
    flags = frozenset(row["flags"].split())
    return StatementRule(
        name=row["name"],
        kind=row["kind"],
        concept=term(row["concept"]),
        predicate=term(row["predicate"]),
        domain=_list(row["domain"]),
        range=() if literal else _list(row["range"]),
        literal=literal,
        relation_class=_maybe(row["class"]),
        relation_superclass=_maybe(row["superclass"]),
        order=row["order"],
        role=_maybe(row["role"]),
        node_predicate=term(node[0]) if node else None,
        node_class=term(node[1]) if node else None,
        single_valued="single" in flags,
        symmetric="symmetric" in flags,
        high_risk="high-risk" in flags,
        needs_review="review" in flags,
        declared="declared" in flags,
        label_en=row["label_en"],
    )


def _check_types(path: Path, mapping: Mapping) -> None:
    known = {*mapping.entities, *mapping.events, ANY_EVENT}
    for rule in mapping.statements.values():
        unknown = _unknown((*rule.domain, *rule.range), known)
        if unknown:
            raise Misconfigured(f"{path}: {rule.name}: unknown type {unknown[0]!r}.")


def _unknown(names: Iterable[str], known: set[str]) -> list[str]:
    return [name for name in names if name not in known]


def _list(cell: str) -> tuple[str, ...]:
    return tuple(name for name in cell.split("|") if name)


def _maybe(cell: str) -> NamedNode | None:
    return term(cell) if cell else None
