"""What the service compares with: the names, facts and links of public entities, once a revision.

Everything is read from the scope that is given; `public_index` gives the anonymous reader's,
so that nothing that is not public can be a candidate, whoever asks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rdfkms.access import ANONYMOUS
from rdfkms.knowledge.details import Fact
from rdfkms.knowledge.mapping import EntityRule
from rdfkms.knowledge.mapping import Mapping as MappingTable
from rdfkms.knowledge.nameforms import is_han, normal, tokens
from rdfkms.knowledge.names import Entity, Names
from rdfkms.ledger.ledger import Ledger
from rdfkms.model import Ref
from rdfkms.publish.catalogue import collation
from rdfkms.publish.perrevision import PerRevision
from rdfkms.publish.views import Link, Scope, forms_of, link_of, scope_of


@dataclass(frozen=True, slots=True)
class Shown:
    """How an entity is shown: its link, and how often its names were read."""

    link: Link
    count: int


@dataclass(frozen=True)
class Index:
    """The public names of one revision, and what finds entities by words and by values."""

    revision: int
    scope: Scope
    names: Names
    shown: Mapping[Ref, Shown]
    described: dict[Ref, str] = field(default_factory=dict)  # filled as it is asked for

    @property
    def mapping(self) -> MappingTable:
        """The mapping table."""
        return self.scope.mapping

    def called(self, ref: Ref) -> Shown:
        """Return how the entity is shown; one without a public name is shown by its kind."""
        known = self.shown.get(ref)
        return known or Shown(link_of(self.scope, self.iri(ref), []), 0)

    def iri(self, ref: Ref) -> str:
        """Return the IRI of an entity."""
        return self.scope.base.iri(ref.kind, ref.key).value

    def entity(self, identifier: str) -> Entity | None:
        """Return the entity of ``kind/key`` or of an IRI, what it was merged into, or None."""
        kind, _, key = identifier.strip().removeprefix(f"{self.scope.base.base}/id/").partition("/")
        return self.names.entity(self.names.canonical(Ref(kind, key))) if key else None

    def rule(self, entity: Entity) -> EntityRule:
        """Return the rule of the entity's class."""
        return self.mapping.entity(entity.type)

    @cached_property
    def types(self) -> dict[str, int]:
        """How many entities there are of each type that has any, the most frequent first."""
        counts: dict[str, int] = defaultdict(int)
        for entity in self.names.entities():
            counts[entity.type] += 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    @cached_property
    def words(self) -> dict[tuple[str, str], list[Ref]]:
        """The entities by type and one word of a name (of a Han name, its end)."""
        found: dict[tuple[str, str], dict[Ref, None]] = defaultdict(dict)
        for entity in self.names.entities():
            for form in entity.own_forms:
                for word in words_of(form):
                    found[entity.type, word][entity.ref] = None
        return {key: list(refs) for key, refs in found.items()}

    @cached_property
    def values(self) -> dict[tuple[str, str], list[Ref]]:
        """The entities by statement and its value: the path of a thing, or a normal form."""
        found: dict[tuple[str, str], dict[Ref, None]] = defaultdict(dict)
        for entity in self.names.entities():
            for fact, other in self.facts(entity):
                value = other.path if other else normal(fact.value.lexical if fact.value else "")
                if value:
                    found[fact.statement, value][entity.ref] = None
        return {key: list(refs) for key, refs in found.items()}

    @cached_property
    def said(self) -> Counter[tuple[str, str]]:
        """How often each statement is made of entities of each type."""
        return Counter(
            (entity.type, fact.statement)
            for entity in self.names.entities()
            for fact, _ in self.facts(entity)
        )

    def facts(self, entity: Entity) -> Iterator[tuple[Fact, Ref | None]]:
        """Yield what is said of the entity, each with the thing at the other end, if any."""
        for fact, _ in entity.facts:
            rule = self.mapping.statements.get(fact.statement)
            if fact.subject == entity.ref:
                yield fact, fact.object
            elif rule is not None and rule.symmetric:
                yield fact, fact.subject

    @cached_property
    def starts(self) -> list[tuple[str, Ref]]:
        """The beginnings of the words of all names, to where the name ends, sorted."""
        found = set()
        for entity in self.names.entities():
            surfaces = {*entity.forms.values(), self.called(entity.ref).link.text}
            for surface in surfaces:
                folded = words = collation(" ".join(surface.split()))
                while words:
                    found.add((words, entity.ref))
                    words = words.partition(" ")[2]
                if is_han(folded):
                    found |= {(folded[at:], entity.ref) for at in range(len(folded))}
        return sorted(found, key=lambda start: (start[0], start[1].path))


def words_of(form: str) -> tuple[str, ...]:
    """Return the words by which a normal form is found; of a Han form its last two characters."""
    return (form[-2:],) if is_han(form) else tokens(form)


def public_index(ledger: Ledger, mapping: MappingTable) -> PerRevision[Index]:
    """Return the index of what anyone may read, made with the first request after a commit."""
    scope = scope_of(ledger.store, ledger.base, mapping, ANONYMOUS)
    return PerRevision(ledger, lambda revision: build(scope, revision))


def build(scope: Scope, revision: int) -> Index:
    """Return the index of what the scope may read."""
    names = Names.from_store(scope.store, scope.base, scope.graphs)
    shown = {}
    for iri, forms in forms_of(scope.select("pages/name_forms")).items():
        parts = scope.base.split(iri)
        if parts is not None:
            shown[Ref(*parts)] = Shown(link_of(scope, iri, forms), sum(f.count for f in forms))
    return Index(revision, scope, names, shown)
