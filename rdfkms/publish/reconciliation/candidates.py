"""Candidates for a name that a client sends: found and compared as at ingest, ranked for a person.

How names count stands in ``ingest/reconciliation.toml``, section ``service``. `match` keeps to the
rules of ingest: only equal names, of one candidate alone; persons only where a detail that the
client sends agrees and none disagrees.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rapidfuzz.distance import OSA

from rdfkms.knowledge import variants
from rdfkms.knowledge.details import Detail, Fact
from rdfkms.knowledge.likeness import Weighed
from rdfkms.knowledge.mapping import StatementRule
from rdfkms.knowledge.nameforms import is_full, is_short_for, normal, tokens
from rdfkms.knowledge.names import PERSON, Entity
from rdfkms.knowledge.thresholds import load
from rdfkms.model import Ref, Value
from rdfkms.publish.reconciliation.asked import Asked, Given, Thing, property_id
from rdfkms.publish.reconciliation.index import Index, words_of

_MOST_SHARING = 2_000  # entities looked at that share a word with the name
_MOST_WEIGHED = 200  # candidates whose properties are compared
_SAME, _OTHER, _VARIANT = "same_name", "other_name", "variant_name"
_REORDERED, _SHORT, _ALIKE = "reordered_name", "short_name", "alike_name"
WAYS = (_SAME, _REORDERED, _VARIANT, _OTHER, _ALIKE, _SHORT)


@dataclass
class Found:
    """A candidate: what speaks for it, 0 to 1, by feature; `ways` in which its name fits."""

    entity: Entity
    name: float = 0.0
    ways: set[str] = field(default_factory=set)
    properties: dict[str, float | None] = field(default_factory=dict)
    weighed: Weighed | None = None
    is_asked: bool = False  # its identifier was the query
    match: bool = False

    @property
    def disagrees(self) -> bool:
        """Whether something is sent that a being has only once, and the archive says otherwise."""
        return self.weighed is not None and self.weighed.excluded

    @property
    def score(self) -> float:
        """How likely it is, 0 to 100."""
        weights = load().service
        score = self.name
        if self.properties:
            known = [weights.unknown if v is None else v for v in self.properties.values()]
            share = sum(known) / len(known)
            part = weights.properties if self.ways else 1.0
            score = (1 - part) * self.name + part * share
        return round(100 * score * (weights.disagreeing if self.disagrees else 1.0), 2)

    def features(self, index: Index) -> Iterator[tuple[str, float | bool]]:
        """Yield the features by name, those of properties under the property's identifier."""
        if self.ways:
            yield "name", round(self.name, 4)
            yield from ((way, way in self.ways) for way in WAYS)
        yield from ((pid, value) for pid, value in self.properties.items() if value is not None)
        if self.weighed is not None:
            yield "agreeing_details", len(self.weighed.agree)
            yield "disagreeing_details", len(self.weighed.against) + bool(self.weighed.lifetime)
        yield "readings", index.called(self.entity.ref).count


def candidates(index: Index, asked: Asked) -> list[Found]:
    """Return the candidates of a query, the likeliest first."""
    wanted = [rule.name for rule in asked.types] or list(index.types)
    if asked.all_types and len(wanted) > 1 and asked.types:
        return []  # a thing has one type here
    found: dict[Ref, Found] = {}
    for name in wanted:
        if name in index.types and asked.text.strip():
            _by_name(index, name, asked.text, found)
    named = index.entity(asked.text)
    if named is not None and named.type in wanted:
        found[named.ref] = Found(named, 1.0, {_SAME}, is_asked=True)
    hits = _hits(index, asked)
    if not asked.text.strip():
        _by_values(index, wanted, hits, found)
    likely = sorted(
        found.values(),
        key=lambda one: (-one.name, -hits[one.entity.ref], one.entity.ref.path),
    )[:_MOST_WEIGHED]
    if asked.properties:
        _weigh(index, likely, asked)
    _match(likely, asked)
    ranked = sorted(likely, key=lambda one: _rank(index, one))
    return ranked[: asked.limit]


def _rank(index: Index, one: Found) -> tuple[bool, float, int, str, str]:
    shown = index.called(one.entity.ref)
    return (not one.is_asked, -one.score, -shown.count, shown.link.text, one.entity.ref.path)


def _by_name(index: Index, type_: str, text: str, found: dict[Ref, Found]) -> None:
    form, weights, names = normal(text, type_), load().service, index.names

    def add(entities: Iterable[Entity], way: str, score: float) -> None:
        for entity in entities:
            one = found.setdefault(entity.ref, Found(entity))
            one.name = max(one.name, score)
            one.ways.add(way)

    if not form:
        return
    add(names.called(type_, form), _SAME, weights.same_name)
    add(names.also(type_, form), _OTHER, weights.other_name)
    add(names.variants(type_, variants.keys(form, type_, "")), _VARIANT, weights.variant)
    for entity, score in _alike(index, type_, form):
        add([entity], _ALIKE, score)
    for entity in _sharing(index, type_, form):
        for other in entity.own_forms:
            if other != form and sorted(tokens(other)) == sorted(tokens(form)):
                add([entity], _REORDERED, weights.reordered)
            elif is_short_for(form, other, type_) or is_short_for(other, form, type_):
                add([entity], _SHORT, weights.short)


def _alike(index: Index, type_: str, form: str) -> Iterator[tuple[Entity, float]]:
    """Yield entities whose name differs by few letters, two swapped ones counting as one.

    One error makes a candidate however short the name is: of two characters it changes half.
    """
    least = load().service.least
    loose = min(least, 1 - 2 / len(form)) - 0.01
    for entity, other, _ in index.names.similar(type_, form, max(loose, 0.01)):
        score = OSA.normalized_similarity(form, other)
        if score >= least or OSA.distance(form, other) <= 1:
            yield entity, score
    for at in range(len(form) - 1):
        swapped = form[:at] + form[at + 1] + form[at] + form[at + 2 :]
        if swapped != form:
            for entity in index.names.called(type_, swapped):
                yield entity, 1 - 1 / len(form)


def _sharing(index: Index, type_: str, form: str) -> list[Entity]:
    """Return the entities with a word of the name, by its rarest words first."""
    lists = sorted((index.words.get((type_, word), []) for word in words_of(form)), key=len)
    refs = list(dict.fromkeys(ref for refs in lists for ref in refs[:_MOST_SHARING]))
    known = (index.names.entity(ref) for ref in refs[:_MOST_SHARING])
    return [entity for entity in known if entity is not None]


def _hits(index: Index, asked: Asked) -> Counter[Ref]:
    """Return of how many of the sent properties the archive says a value, by entity.

    Those that fit most come first wherever a list is cut.
    """
    hits: Counter[Ref] = Counter()
    for rule, values in asked.properties:
        keys = dict.fromkeys(key for value in values for key in _keys(index, rule, value))
        refs = {ref for key in keys for ref in index.values.get((rule.name, key), ())}
        hits.update(refs)
    return hits


def _by_values(
    index: Index, wanted: Sequence[str], hits: Counter[Ref], found: dict[Ref, Found]
) -> None:
    """Add the entities of which the archive says one of the values that were sent."""
    for ref, _ in hits.most_common(_MOST_SHARING):
        entity = index.names.entity(ref)
        if entity is not None and entity.type in wanted:
            found.setdefault(ref, Found(entity))


def _keys(index: Index, rule: StatementRule, value: Given | Thing) -> list[str]:
    """Return the keys in `Index.values` under which the value stands."""
    if rule.literal is not None:
        return [normal(_text(value))]
    return [entity.ref.path for entity in _things(index, rule, value)]


def _things(index: Index, rule: StatementRule, value: Given | Thing) -> list[Entity]:
    """Return the entities that a value names: by identifier, else by their names."""
    if isinstance(value, Thing):
        entity = index.entity(value.id)
        return [entity] if entity is not None else []
    return [
        entity for type_ in rule.range for entity in index.names.called(
            type_, normal(_text(value), type_))
    ]  # fmt: skip


def _text(value: Given | Thing) -> str:
    if isinstance(value, Thing):
        return value.name or value.id
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        return str(int(value))
    return str(value)


# ---- properties ----------------------------------------------------------------------------------


def _weigh(index: Index, found: Iterable[Found], asked: Asked) -> None:
    """Compare the properties of candidates with those that were sent."""
    ours: dict[str, frozenset[Detail]] = {}
    for one in found:
        entity = one.entity
        facts = list(index.facts(entity))
        for rule, values in asked.properties:
            own = [(fact, other) for fact, other in facts if fact.statement == rule.name]
            scores = [_likeness(index, rule, v, f, other) for v in values for f, other in own]
            one.properties[property_id(rule)] = round(max(scores), 4) if scores else None
        if entity.type not in ours:
            ours[entity.type] = _details(index, entity, asked)
        theirs = index.names.details_of(entity.ref)
        one.weighed = Weighed.of(entity, ours[entity.type], theirs)


def _likeness(
    index: Index, rule: StatementRule, value: Given | Thing, fact: Fact, other: Ref | None
) -> float:
    """Return how like a value that was sent is to one that the archive knows, 0 to 1."""
    if other is not None:
        if isinstance(value, Thing):
            meant = index.entity(value.id)
            return float(meant is not None and meant.ref == other)
        thing = index.names.entity(other)
        if thing is None:
            return 0.0
        form = normal(_text(value), thing.type)
        return max((_letters(form, known) for known in (*thing.forms, *thing.aliases)), default=0.0)
    known, sent = fact.value.lexical if fact.value else "", _text(value).strip()
    if rule.literal == "string":
        return _letters(normal(sent), normal(known))
    if rule.literal in ("edtf", "date"):
        # A coarser date does not contradict a finer one.
        return float(bool(sent) and (known.startswith(sent) or sent.startswith(known)))
    return float(known == sent)


def _letters(one: str, other: str) -> float:
    if not one or not other:
        return 0.0
    return OSA.normalized_similarity(one, other, score_cutoff=load().service.least)


def _details(index: Index, entity: Entity, asked: Asked) -> frozenset[Detail]:
    """Return what was sent as the details of a being of the entity's type, as at ingest."""
    trial = index.names.fork()
    stand_in = Ref(entity.ref.kind, "")
    trial.add(stand_in, entity.type, asked.text if asked.text.strip() else "x", "")
    for rule, values in asked.properties:
        for value in values:
            for fact in _facts(index, rule, stand_in, value):
                trial.add_fact(fact, "")
    return trial.details_of(stand_in)


def _facts(index: Index, rule: StatementRule, subject: Ref, value: Given | Thing) -> Iterator[Fact]:
    if rule.literal is None:
        things = _things(index, rule, value)
        if len(things) == 1:  # a name that several bear says nothing
            yield Fact(rule.name, subject, things[0].ref)
        return
    text = _text(value).strip()
    if rule.literal == "integer" and not (text.isascii() and text.isdecimal() and len(text) < 5):
        return
    if text:
        yield Fact(rule.name, subject, None, Value(text, rule.literal))


def _match(found: Iterable[Found], asked: Asked) -> None:
    """Mark the candidate that a client may take without a person, if there is one."""
    same = [one for one in found if _SAME in one.ways]
    if any(one.is_asked for one in same):
        same = [one for one in same if one.is_asked]
    if len(same) != 1 or same[0].disagrees:
        return
    one = same[0]
    agree = one.weighed.details if one.weighed is not None else 0
    is_person = one.entity.type == PERSON
    enough = is_full(normal(asked.text, PERSON)) and agree >= load().links.details_same_name
    one.match = one.is_asked or not is_person or enough
