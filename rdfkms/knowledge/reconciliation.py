"""Reconciliation: which entity each mention names (R65, R66, R69; deterministic, no model).

Names are compared in normal form (`nameforms`): case, accents, punctuation and line breaks
folded, shapes that OCR confuses made equal, honorifics stripped, Han kept.

Within one record, mentions of one type are one entity when they have the same form; when an Alias
statement of the record gives one as another name of the other; or when one is a shorter form
of exactly one other ("A. Vidal", "Vidal Soler" for "Andrés Vidal Soler"). They are not when a
statement puts one at each of its ends, or when details differ that one being has only once.

Across records,
* places, bodies, offices and dates of the same form are the same entity;
* persons of the same full name (two words, in Han two characters) are the same only when a
  detail agrees (birthplace, age within a year, occupation, rank, body, kin, office, other name)
  and none disagrees that a being has only once;
* names that are alike (setting gate.same_name_similarity) but not equal are the same only for
  persons of whom two details agree;
* everything else belongs to its record.
Whatever falls short of this becomes an entity of its own and a merge proposal that says why:
nothing is merged in silence, and a person decides (R65).

Units are worked through in the order given, so that the result does not depend on parallelism.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from rdfkms.knowledge import variants
from rdfkms.knowledge.likeness import Likeness, Weighed, propose
from rdfkms.knowledge.mapping import Mapping as Table
from rdfkms.knowledge.nameforms import is_full, is_han, is_short_for, normal
from rdfkms.knowledge.names import Entity, Names
from rdfkms.knowledge.othernames import Titled, bears, sound, titled
from rdfkms.knowledge.spots import Batch, Place, Spot, batches, place_of
from rdfkms.knowledge.statements import entity_ref
from rdfkms.knowledge.thresholds import load
from rdfkms.knowledge.weighing import ContextLikeness, Said, Weigher
from rdfkms.model import Anchor, Candidate, EvidenceUnit, MergeProposal, Reason, Ref
from rdfkms.settings import GateSettings

PERSON = "Person"
_SHORTENED = (PERSON, "OrganizationState")
_SPELT = ("Location", "OrganizationState")  # beings whose variant spellings are one everywhere


@dataclass(frozen=True)
class Reconciliation:
    """Which entity each place names, proposals to merge, why entities were linked, new names."""

    refs: dict[Place, Ref]
    proposals: tuple[MergeProposal, ...]
    reasons: dict[Place, tuple[Reason, ...]]
    # entity, type, surface, record, and whether it was linked by likeness of the name alone
    new_names: tuple[tuple[Ref, str, str, str, bool], ...]

    def ref_of(self, unit: str, anchor: Anchor) -> Ref:
        """Return the entity that an anchor of the unit names; raises `KeyError`."""
        return self.refs[place_of(unit, anchor)]


def reconcile(
    candidates: Iterable[Candidate],
    units: Mapping[str, EvidenceUnit],
    names: Names,
    mapping: Table,
    settings: GateSettings | None = None,
    accept: Callable[[Candidate], bool] = lambda candidate: True,
    contexts: ContextLikeness | None = None,
) -> Reconciliation:
    """Return the entities of all anchors of screened candidates.

    `names` is what was admitted before and stays as it is; `accept` says which statements may
    count as details (`verification.supports`). Places of refused candidates are given too.
    `contexts` ranks proposals by what is said around the names; it never links.
    """
    fork: Names = names.fork()
    refs: dict[Place, Ref] = {}
    weigher = Weigher(fork, refs, contexts)
    worker = _Worker(fork, mapping, settings or GateSettings(), weigher, refs)
    for batch in batches(candidates, units, accept):
        worker.record(batch)
    new = tuple(
        (refs[s.place], s.type, s.surface, s.record, s.place in worker.likened)
        for s in worker.spots
    )
    proposals = tuple(sorted(worker.proposals.values(), key=lambda p: (p.a.path, p.b.path)))
    return Reconciliation(worker.refs, proposals, worker.reasons, new)


@dataclass
class _Worker:
    """One pass over a batch; `names` is a fork that learns as it goes."""

    names: Names
    mapping: Table
    settings: GateSettings
    weigher: Weigher
    refs: dict[Place, Ref]
    likened: set[Place] = field(default_factory=set)
    reasons: dict[Place, tuple[Reason, ...]] = field(default_factory=dict)
    spots: list[Spot] = field(default_factory=list)
    proposals: dict[tuple[str, str], MergeProposal] = field(default_factory=dict)

    def record(self, batch: Batch) -> None:
        for candidate in batch.years:
            self.names.add_year(batch.record, candidate.value)
        for spot in _long_first(batch.of_type(but=[PERSON])):
            self._thing(spot, batch)
        persons = batch.of_type(PERSON)
        aliased = [s for s in persons if s.form in batch.aliases]
        for spot in _long_first([s for s in persons if s.form not in batch.aliases]):
            self._person(spot, batch)
        for spot in _long_first(aliased):
            self._person(spot, batch)

    # ---- things and places ---------------------------------------------------------------------

    def _thing(self, spot: Spot, batch: Batch) -> None:
        here = self.names.in_record(batch.record, spot.type)
        found = [e for e in here if spot.form in e.forms or spot.form in e.aliases]
        if not found and spot.type in _SHORTENED:
            found = [e for e in here if _shortens(spot.form, e)]
        if len(found) == 1 and spot.form:
            self._assign(spot, found[0].ref)
            return
        if not spot.form or self.mapping.entity(spot.type).scope != "global":
            self._own(spot)
            return
        same = self._same_thing(spot)
        if len(same) == 1 and not self._declared(spot, same[0].ref):
            self._link(spot, Weighed(same[0]), Likeness.same(spot.surface))
            return
        spelt = [] if same or found else self._spelt(spot)
        if len(spelt) == 1 and not self._declared(spot, spelt[0].ref):
            likeness = Likeness.variant(spot.surface, spelt[0].shown)
            self._link(spot, Weighed(spelt[0]), likeness, likened=True)
            return
        ref = self._own(spot)
        self._suggest(ref, Likeness.same(spot.surface), same)
        for entity in spelt:
            self._propose(ref, entity, Likeness.variant(spot.surface, entity.shown))
        if spot.type != "TimeExpression":
            self._suggest_alike(ref, spot)

    def _same_thing(self, spot: Spot) -> list[Entity]:
        """Return the things of this name anywhere; "last Tuesday" is another day in each record."""
        if spot.type == "TimeExpression" and not spot.form[:1].isdigit():
            return []
        called = self.names.called(spot.type, spot.form)
        return [e for e in called if e.fullest == spot.form or spot.type not in _SHORTENED]

    def _spelt(self, spot: Spot) -> list[Entity]:
        """Return the things whose name is a variant spelling or misreading of this one."""
        if spot.type not in _SPELT:
            return []
        form = variants.bare(spot.form, spot.type)
        keys = variants.keys(spot.form, spot.type, spot.language)
        found = self.names.variants(spot.type, keys)
        long = len(form.replace(" ", "")) >= load().names.variant_letters
        if long or variants.is_listed(spot.form, spot.type):
            return found
        # So short a name may only lack its article.
        return [e for e in found if any(variants.bare(f, e.type) == form for f in e.own_forms)]

    # ---- persons -------------------------------------------------------------------------------

    def _person(self, spot: Spot, batch: Batch) -> None:
        said = self.weigher.facts([spot], batch)
        if not self._within(spot, batch, said):
            # Beyond the record all mentions of this name speak together.
            together = self.weigher.facts(
                [s for s in batch.spots if _same_name(s, spot, batch)], batch
            )
            if not self._across(spot, batch, together):
                self._own(spot)
                self._suggest_across(spot, batch, together)
        self.weigher.learn(spot, said, batch.record)

    def _within(self, spot: Spot, batch: Batch, said: list[Said]) -> bool:
        """Assign the spot to an entity of its own record, if exactly one will do."""
        here = [e for e in self.names.in_record(batch.record, PERSON) if spot.form]
        free = [e for e in here if not self._kept_apart(spot, e.ref, batch)]
        same = [e for e in free if spot.form in e.forms]
        if same:
            return self._namesake_or_same(spot, same, said)
        declared = {self.refs[p] for p in batch.aliases.get(spot.form, ()) if p in self.refs}
        known = [e for e in free if e.ref in declared or spot.form in e.aliases]
        short = known or [e for e in free if _shortens(spot.form, e)]
        if not short and (title := titled(spot.form)) is not None:
            return self._by_title(spot, title, free)
        if len(short) == 1:
            self._assign(spot, short[0].ref)
            return True
        if short:
            ref = self._own(spot)
            for entity in short[: load().scores.proposals]:
                self._propose(ref, entity, Likeness.short(spot.surface, entity.shown))
            return True
        return False

    def _by_title(self, spot: Spot, title: Titled, free: list[Entity]) -> bool:
        """Assign "Mayor Vidal" to the one Vidal of the record who is known to hold the office.

        Any other bearer of the surname is only proposed.
        """
        bearers = [e for e in free if any(bears(form, title.surname) for form in e.own_forms)]
        holders = [e for e in bearers if self._holds(e, title.office)]
        if len(holders) == 1:
            self._assign(spot, holders[0].ref, likened=True)
            likeness = Likeness.other_name(spot.surface, holders[0].shown)
            self.reasons[spot.place] = (likeness.reason,)
            return True
        if bearers:
            ref = self._own(spot)
            for entity in bearers[: load().scores.proposals]:
                self._propose(ref, entity, Likeness.other_name(spot.surface, entity.shown))
        return bool(bearers)

    def _holds(self, entity: Entity, office: str) -> bool:
        held = (d for d in self.names.details_of(entity.ref) if d.statement == "OfficeHolding")
        return any(normal(detail.shown) == office for detail in held)

    def _namesake_or_same(self, spot: Spot, same: list[Entity], said: list[Said]) -> bool:
        """Join the entity of this name with which nothing disagrees; else a namesake."""
        weighed = self.weigher.weigh(same, said, spot)
        fitting = [w for w in weighed if not w.excluded]
        if fitting:
            best = max(fitting, key=lambda w: (len(w.agree), self._nearness(w.entity, spot)))
            self._assign(spot, best.entity.ref)
            return True
        ref = self._own(spot)
        for weight in weighed[: load().scores.proposals]:
            self._add(propose(ref, weight, Likeness.same(spot.surface)))
        return True

    def _nearness(self, entity: Entity, spot: Spot) -> tuple[int, int, str]:
        """Order namesakes of one record: the one named last before the spot comes first."""
        before = [
            at
            for at, other in enumerate(self.spots)
            if self.refs[other.place] == entity.ref
            and other.place[0] == spot.place[0]
            and other.place[1] <= spot.place[1]
        ]
        return (1 if before else 0, max(before, default=-1), entity.ref.path)

    def _across(self, spot: Spot, batch: Batch, said: list[Said]) -> bool:
        """Assign the spot to an entity of another record where the details allow it."""
        if not is_full(spot.form):
            return False
        for weighed, least, likened in self._candidates(spot, batch, said):
            fitting = [w for w in weighed if w.details >= least and not w.excluded]
            fitting = [w for w in fitting if not self._kept_apart(spot, w.entity.ref, batch)]
            fitting = [w for w in fitting if not self._declared(spot, w.entity.ref)]
            fitting.sort(key=lambda w: -w.details)
            if len(fitting) == 1 or (fitting and fitting[0].details > fitting[1].details):
                best = fitting[0]
                likeness = self._likeness(spot, best.entity)
                self._link(spot, best, likeness, likened=likened)
                return True
        return False

    def _candidates(
        self, spot: Spot, batch: Batch, said: list[Said]
    ) -> list[tuple[list[Weighed], int, bool]]:
        """Entities called the same, and called alike, with the details that a link needs."""
        limits = load().links
        same = [*self.names.called(PERSON, spot.form), *self.names.also(PERSON, spot.form)]
        alike = [entity for entity, _, _ in self._alike(spot)]
        return [
            (self.weigher.weigh_across(same, said, spot, batch), limits.details_same_name, False),
            (self.weigher.weigh_across(alike, said, spot, batch), limits.details_alike, True),
        ]

    def _likeness(self, spot: Spot, entity: Entity) -> Likeness:
        if spot.form in entity.forms:
            return Likeness.same(spot.surface)
        if spot.form in entity.aliases:
            return Likeness.other_name(spot.surface, entity.shown)
        score = max((s for e, _, s in self._alike(spot) if e.ref == entity.ref), default=0.0)
        return Likeness.alike(spot.surface, entity.shown, score)

    def _suggest_across(self, spot: Spot, batch: Batch, said: list[Said]) -> None:
        if not is_full(spot.form):
            return
        ref, most = self.refs[spot.place], load().scores.proposals
        same = [e for e in self.names.called(PERSON, spot.form) if e.ref != ref][:most]
        other = [*self.names.also(PERSON, spot.form), *self._sounding(spot)][:most]
        alike = [(e, s) for e, _, s in self._alike(spot)[:most] if e.ref != ref]
        named = [Likeness.same(spot.surface) for _ in same]
        named += [Likeness.other_name(spot.surface, e.shown) for e in other]
        named += [Likeness.alike(spot.surface, e.shown, score) for e, score in alike]
        entities = [*same, *other, *(e for e, _ in alike)]
        weighed = self.weigher.weigh_across(entities, said, spot, batch)
        for one, likeness in zip(weighed, named, strict=True):
            self._add(propose(ref, one, likeness))

    def _sounding(self, spot: Spot) -> list[Entity]:
        """Return persons whose name is this one in the other script, where the setting asks."""
        if not self.settings.pinyin:
            return []
        found = self.names.sounding(PERSON, sound(spot.form))
        mine = is_han(spot.form)
        return [e for e in found if any(is_han(form) is not mine for form in e.own_forms)]

    # ---- what keeps apart ------------------------------------------------------------------------

    def _kept_apart(self, spot: Spot, ref: Ref, batch: Batch) -> bool:
        return any(self.refs.get(place) == ref for place in batch.apart.get(spot.place, ()))

    def _declared(self, spot: Spot, ref: Ref) -> bool:
        """Return whether a person declared the entity to be another than the spot's.

        The spot's are the entity that would be its own, and those of its record that bear its
        name.
        """
        here = self.names.in_record(spot.record, spot.type)
        mine = [entity.ref for entity in here if spot.form in entity.forms]
        return any(self.names.apart(ref, one) for one in (*mine, self._own_ref(spot)))

    # ---- assigning and proposing ---------------------------------------------------------------

    def _assign(self, spot: Spot, ref: Ref, *, likened: bool = False) -> None:
        self.refs[spot.place] = ref
        if likened:
            self.likened.add(spot.place)
        if spot.mention:
            self.names.add(ref, spot.type, spot.surface, spot.record, likened)
            self.spots.append(spot)

    def _link(
        self, spot: Spot, weighed: Weighed, likeness: Likeness, *, likened: bool = False
    ) -> None:
        """Assign the spot to an entity of another record, and say why."""
        self.reasons[spot.place] = (likeness.reason, *weighed.reasons())
        self._assign(spot, weighed.entity.ref, likened=likened)

    def _own_ref(self, spot: Spot) -> Ref:
        unit, start, end, type_ = spot.place
        return entity_ref(self.mapping.entity(type_).kind, unit, start, end)

    def _own(self, spot: Spot) -> Ref:
        ref = self.names.canonical(self._own_ref(spot))
        self._assign(spot, ref)
        return ref

    def _alike(self, spot: Spot) -> list[tuple[Entity, str, float]]:
        if len(spot.form) < load().names.least_letters:
            return []
        cutoff = self.settings.same_name_similarity
        return self.names.similar(spot.type, spot.form, cutoff)

    def _suggest(self, ref: Ref, likeness: Likeness, entities: list[Entity]) -> None:
        for entity in entities[: load().scores.proposals]:
            self._propose(ref, entity, likeness)

    def _suggest_alike(self, ref: Ref, spot: Spot) -> None:
        for entity, _, score in self._alike(spot)[: load().scores.proposals]:
            self._propose(ref, entity, Likeness.alike(spot.surface, entity.shown, score))

    def _propose(self, ref: Ref, entity: Entity, likeness: Likeness) -> None:
        self._add(propose(ref, Weighed(entity), likeness))

    def _add(self, proposal: MergeProposal | None) -> None:
        if proposal is None or self.names.apart(proposal.a, proposal.b):
            return
        key = (proposal.a.path, proposal.b.path)
        known = self.proposals.get(key)
        if known is None or proposal.score > known.score:
            self.proposals[key] = proposal


def _long_first(spots: list[Spot]) -> list[Spot]:
    """Names with more words first, offices last, so that a short form meets the whole name."""
    return sorted(spots, key=lambda s: (titled(s.form) is not None, -len(s.form.split())))


def _shortens(form: str, entity: Entity) -> bool:
    whole = entity.fullest
    return is_short_for(form, whole, entity.type) or is_short_for(whole, form, entity.type)


def _same_name(one: Spot, other: Spot, batch: Batch) -> bool:
    if one.type != other.type or one.form != other.form:
        return False
    return one.place not in batch.apart.get(other.place, ())
