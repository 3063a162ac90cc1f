"""The index of names: which entities there are, what they are called, what is known of them.

Built once from the admitted claims of the store and told of each batch after its commit.
Reconciliation reads it and tries out a batch on a `fork`, which leaves the index as it was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pyoxigraph import NamedNode

from rdfkms.knowledge import decoding, details, othernames, variants
from rdfkms.knowledge.apart import Apart
from rdfkms.knowledge.details import Detail, Fact
from rdfkms.knowledge.nameforms import is_full, normal
from rdfkms.knowledge.nameindex import NameIndex
from rdfkms.knowledge.statements import truthy
from rdfkms.model import Claim, Kind, Ref, Status, Value
from rdfkms.ports import TripleStore
from rdfkms.vocab import KMS, RICO, Base

PERSON = "Person"
NAMED_AS, ALIAS = "namedAs", "Alias"
# Reasons on a mention that was linked although its name is not one the entity bore before.
LIKENED = frozenset({"similarName", "variantName", "otherName"})
_MOST_RECORDS = 50  # of an entity whose company is looked at
RecordOf = Callable[[str], str]  # unit key -> record key


@dataclass
class Entity:
    """One entity: its type, normal forms with a surface each, other names, records, facts.

    What it holds does not depend on the order in which it was learned, so that a resumed run
    finds what an undisturbed one did.
    """

    ref: Ref
    type: str
    forms: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    records: set[str] = field(default_factory=set)
    facts: set[tuple[Fact, str]] = field(default_factory=set)  # with the record that says so
    # Forms that came by likeness alone: nothing is likened to them in turn (R65, no chains).
    likened: set[str] = field(default_factory=set)

    @property
    def fullest(self) -> str:
        """The longest normal form, ties alphabetically."""
        return min(self.forms, key=lambda form: (-len(form), form), default="")

    @property
    def own_forms(self) -> list[str]:
        """The normal forms to which other names may be likened."""
        return [form for form in self.forms if form not in self.likened]

    @property
    def shown(self) -> str:
        """A name for sentences."""
        return self.forms.get(self.fullest, self.ref.path)

    def _copy(self) -> Entity:
        return Entity(
            self.ref, self.type, dict(self.forms), dict(self.aliases), set(self.records),
            set(self.facts), set(self.likened),
        )  # fmt: skip


class Names:
    """Entities by name, by record and by likeness."""

    def __init__(self, parent: Names | None = None) -> None:
        self._parent = parent
        self._entities: dict[Ref, Entity] = {}
        self._by_form: dict[tuple[str, str], dict[Ref, None]] = {}
        self._by_alias: dict[tuple[str, str], dict[Ref, None]] = {}
        self._by_sound: dict[tuple[str, str], dict[Ref, None]] = {}
        self._unheard: list[tuple[str, str, Ref]] = []  # names whose sound was not asked yet
        self._by_record: dict[str, dict[Ref, None]] = {}
        self._indexes: dict[str, NameIndex] = {}
        self._by_key: dict[tuple[str, str], dict[Ref, None]] = {}
        self._years: dict[str, int] = {}
        self._dates: defaultdict[Ref, set[Value]] = defaultdict(set)  # of events
        self._actors: defaultdict[Ref, set[tuple[Ref, str]]] = defaultdict(set)
        self._merged: dict[Ref, Ref] = {}
        self._apart = Apart()

    @classmethod
    def from_store(cls, store: TripleStore, base: Base, graphs: Sequence[NamedNode] = ()) -> Names:
        """Return the names of all admitted claims; merged entities count as the one they became."""
        names = cls()
        names._merged = _merged(store, base, graphs)
        names._apart = Apart.from_store(store, base, _merged(store, base, ()))
        known = sorted(
            decoding.all_claims(store, base, tuple(graphs), Status.ADMITTED), key=_reading_order
        )
        names.learn(known, _record_finder(store, base, graphs))
        return names

    def fork(self) -> Names:
        """Return a child that sees all of this index and keeps what it learns to itself."""
        return Names(self)

    # ---- reading -----------------------------------------------------------------------------

    def entity(self, ref: Ref) -> Entity | None:
        """Return what is known of the entity, or None."""
        found = self._entities.get(ref)
        if found is None and self._parent is not None:
            return self._parent.entity(ref)
        return found

    def entities(self) -> Iterator[Entity]:
        """Yield all entities that are known here, in order of their paths."""
        above = {entity.ref for entity in self._parent.entities()} if self._parent else set()
        for ref in sorted({*above, *self._entities}, key=lambda ref: ref.path):
            found = self.entity(ref)
            if found is not None:
                yield found

    def called(self, type: str, form: str) -> list[Entity]:
        """Return the entities of this type that bear the normal form."""
        above = self._parent.called(type, form) if self._parent else []
        return self._merge(above, self._by_form.get((type, form), ()))

    def also(self, type: str, form: str) -> list[Entity]:
        """Return the entities that sources call so besides: by an alias, not by this name."""
        above = self._parent.also(type, form) if self._parent else []
        found = self._merge(above, self._by_alias.get((type, form), ()))
        return [entity for entity in found if form not in entity.forms]

    def sounding(self, type: str, sound: str) -> list[Entity]:
        """Return the entities of this type with a name of this sound (`othernames.sound`)."""
        above = self._parent.sounding(type, sound) if self._parent else []
        for kind, form, ref in self._unheard:
            self._by_sound.setdefault((kind, othernames.sound(form)), {})[ref] = None
        self._unheard.clear()
        return self._merge(above, self._by_sound.get((type, sound), ()))

    def in_record(self, record: str, type: str) -> list[Entity]:
        """Return the entities of this type that the record names."""
        above = self._parent.in_record(record, type) if self._parent else []
        found = self._merge(above, self._by_record.get(record, ()))
        return [entity for entity in found if entity.type == type]

    def variants(self, type: str, keys: Iterable[str]) -> list[Entity]:
        """Return the entities of this type with a name of one of these variant keys."""
        above = self._parent.variants(type, keys) if self._parent else []
        wanted = set(keys)
        own = [ref for key in sorted(wanted) for ref in self._by_key.get((type, key), ())]
        found = self._merge(above, own)
        return [e for e in found if any(variants.key(f, type) in wanted for f in e.own_forms)]

    def canonical(self, ref: Ref) -> Ref:
        """Return the entity that stands for `ref` since persons merged them, else itself."""
        if self._parent is not None:
            return self._parent.canonical(ref)
        return self._merged.get(ref, ref)

    def apart(self, one: Ref, other: Ref) -> bool:
        """Return whether a person declared the two to be different (also of merged ones)."""
        if self._parent is not None:
            return self._parent.apart(one, other)
        return self._apart.between(one, other)

    def company(self, records: Iterable[str], type: str, but: Ref | None = None) -> set[str]:
        """Return the full forms of entities of a type that these records name, without one's."""
        return {
            entity.fullest
            for record in sorted(records)[:_MOST_RECORDS]
            for entity in self.in_record(record, type)
            if entity.ref != but and (type != PERSON or is_full(entity.fullest))
        }

    def similar(self, type: str, form: str, cutoff: float) -> list[tuple[Entity, str, float]]:
        """Return entities with a name nearly this one (not equal): entity, form, similarity."""
        scores = dict(self._near(type, form, cutoff))
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        return [
            (entity, other, score)
            for other, score in ranked
            for entity in self.called(type, other)
            if other not in entity.likened
        ]

    def year(self, record: str) -> int | None:
        """Return the earliest year that an admitted date of an event in the record gives."""
        found = self._years.get(record)
        return self._parent.year(record) if found is None and self._parent else found

    def details_of(self, ref: Ref) -> frozenset[Detail]:
        """Return the details known of an entity, by what is known of its neighbours now."""
        entity = self.entity(ref)
        facts = entity.facts if entity else set()
        said = (self._detail(ref, *one) for one in facts)
        acts = (details.act(fact) for fact, _ in facts if ref == fact.subject)
        return frozenset(detail for detail in (*said, *acts) if detail is not None)

    def _detail(self, ref: Ref, fact: Fact, record: str) -> Detail | None:
        subject = self.entity(fact.subject)
        thing = self.entity(fact.object) if fact.object else None
        if ref == fact.subject:
            name, form = (thing.shown, thing.fullest) if thing else ("", "")
            return details.of_subject(fact, name, self.year(record), form)
        return details.of_object(fact, subject.shown, subject.fullest) if subject else None

    # ---- learning ----------------------------------------------------------------------------

    def add(self, ref: Ref, type: str, surface: str, record: str, likened: bool = False) -> None:
        """Learn that `record` names the entity `surface`; `likened` when by likeness alone."""
        form = normal(surface, type)
        if not form:
            return
        entity = self._own(ref, type)
        shown = " ".join(surface.split())
        if type == PERSON and form not in entity.forms and not likened:
            self._unheard.append((type, form, ref))
        entity.forms[form] = min(shown, entity.forms.get(form, shown))
        entity.records.add(record)
        self._by_form.setdefault((type, form), {})[ref] = None
        self._by_record.setdefault(record, {})[ref] = None
        if likened:
            entity.likened.add(form)
        self._by_key.setdefault((type, variants.key(form, type)), {})[ref] = None
        if type not in self._indexes:
            self._indexes[type] = NameIndex()
        self._indexes[type].add(form)

    def add_fact(self, fact: Fact, record: str) -> None:
        """Learn what a statement says about its ends; ends without a name are passed over."""
        for ref in {fact.subject, fact.object or fact.subject}:
            entity = self.entity(ref)
            if entity is None:
                continue
            own = self._own(ref, entity.type)
            own.facts.add((fact, record))
            if fact.statement == ALIAS and fact.value is not None:
                self._alias(own, fact.value)

    def add_year(self, record: str, value: Value | None) -> None:
        """Learn the date of an event in the record; the earliest year counts."""
        year, known = details.year_of(value), self.year(record)
        if year is not None and (known is None or year < known):
            self._years[record] = year

    def learn(self, claims: Iterable[Claim], record_of: RecordOf) -> None:
        """Learn from the claims that project (others are passed over): names first, then facts.

        What is admitted and disowned, or stands beside a preferred claim, tells nobody apart.
        """
        standing = truthy(claims, self.canonical)
        known = [(c, record_of(c.pointers[0].unit)) for c in standing if c.pointers]
        for claim, record in known:
            if claim.statement == NAMED_AS and claim.value is not None:
                likened = any(reason.code in LIKENED for reason in claim.reasons)
                ref = self.canonical(claim.subject)
                self.add(ref, claim.name, claim.value.lexical, record, likened)
            elif claim.statement == "time":
                self.add_year(record, claim.value)
        for claim, record in known:  # names stand before what is said of them
            thing = claim.object and self.canonical(claim.object)
            if claim.kind in (Kind.RELATION, Kind.ATTRIBUTE):
                subject = self.canonical(claim.subject)
                fact = Fact(claim.statement, subject, thing, claim.value, claim.time)
                self.add_fact(fact, record)
            elif claim.kind is Kind.ARGUMENT:
                self._act(claim, thing, record)

    def _act(self, claim: Claim, actor: Ref | None, record: str) -> None:
        """Learn that an actor had part in an event, or when it was: whichever comes last."""
        event = claim.subject
        if actor is not None:
            self._actors[event].add((actor, record))
        elif claim.statement == "time" and claim.value is not None:
            self._dates[event].add(claim.value)
        else:
            return
        for value in sorted(self._dates[event], key=lambda v: (v.lexical, v.verbatim)):
            for ref, said_in in sorted(self._actors[event], key=lambda a: (a[0].path, a[1])):
                self.add_fact(Fact(details.ACTED, ref, None, value), said_in)

    def _alias(self, own: Entity, value: Value) -> None:
        form = normal(value.lexical, own.type)
        if form:
            self._by_alias.setdefault((own.type, form), {})[own.ref] = None
            own.aliases[form] = min(value.lexical, own.aliases.get(form, value.lexical))

    def _own(self, ref: Ref, type: str) -> Entity:
        """Return this index's own entry, made from the parent's on first writing."""
        if ref not in self._entities:
            above = self._parent.entity(ref) if self._parent else None
            self._entities[ref] = above._copy() if above else Entity(ref, type)
        return self._entities[ref]

    def _merge(self, above: list[Entity], own: Iterable[Ref]) -> list[Entity]:
        refs = {*(entity.ref for entity in above), *own}
        ordered = sorted(refs, key=lambda ref: ref.path)
        return [entity for ref in ordered if (entity := self.entity(ref)) is not None]

    def _near(self, type: str, form: str, cutoff: float) -> list[tuple[str, float]]:
        above = self._parent._near(type, form, cutoff) if self._parent else []
        index = self._indexes.get(type)
        return [*above, *(index.similar(form, cutoff) if index else [])]


def _reading_order(claim: Claim) -> tuple[str, int, int, str]:
    first = claim.pointers[0] if claim.pointers else None
    return (first.unit, first.start, first.end, claim.key) if first else ("", 0, 0, claim.key)


def _record_finder(store: TripleStore, base: Base, graphs: Sequence[NamedNode]) -> RecordOf:
    cache: dict[str, str] = {}

    def record_of(unit: str) -> str:
        if unit not in cache:
            cache[unit] = ""
            for graph in graphs or (base.public, base.internal):
                iri = base.iri("evidence", unit)
                for quad in store.match(iri, RICO("isDirectConstituentOf"), None, graph):
                    split = base.split(getattr(quad.object, "value", ""))
                    cache[unit] = split[1] if split else ""
        return cache[unit]

    return record_of


def _merged(store: TripleStore, base: Base, graphs: Sequence[NamedNode]) -> dict[Ref, Ref]:
    """Return each merged entity with the one it became, followed to the end."""
    step: dict[Ref, Ref] = {}
    for graph in graphs or (base.public, base.internal):
        for quad in store.match(None, KMS("mergedInto"), None, graph):
            one = base.split(getattr(quad.subject, "value", ""))
            other = base.split(getattr(quad.object, "value", ""))
            if one and other:
                step[Ref(*one)] = Ref(*other)
    final: dict[Ref, Ref] = {}
    for ref, target in step.items():
        seen, at = {ref}, target
        while at in step and at not in seen:
            seen.add(at)
            at = step[at]
        final[ref] = at
    return final
