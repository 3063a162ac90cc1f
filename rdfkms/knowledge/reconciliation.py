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

from rdfkms.knowledge.details import Fact
from rdfkms.knowledge.likeness import Likeness, Weighed, propose
from rdfkms.knowledge.mapping import Mapping as Table
from rdfkms.knowledge.nameforms import is_full, is_short_for, normal
from rdfkms.knowledge.names import Entity, Names
from rdfkms.knowledge.spots import Batch, Place, Spot, batches, place_of
from rdfkms.knowledge.statements import entity_ref
from rdfkms.model import Anchor, Candidate, EvidenceUnit, MergeProposal, Reason, Ref
from rdfkms.settings import GateSettings

PERSON = "Person"
_SHORTENED = (PERSON, "OrganizationState")
_LEAST_ALIKE = 5  # letters that a name needs to be compared by likeness
_MOST_PROPOSALS = 5


@dataclass(frozen=True)
class Reconciliation:
    """Which entity each place names, proposals to merge, why entities were linked, new names."""

    refs: dict[Place, Ref]
    proposals: tuple[MergeProposal, ...]
    reasons: dict[Place, tuple[Reason, ...]]
    new_names: tuple[tuple[Ref, str, str, str], ...]  # entity, type, surface, record

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
) -> Reconciliation:
    """Return the entities of all anchors of screened candidates.

    `names` is what was admitted before and stays as it is; `accept` says which statements may
    count as details (`verification.supports`). Places of refused candidates are given too.
    """
    worker = _Worker(names.fork(), mapping, settings or GateSettings())
    for batch in batches(candidates, units, accept):
        worker.record(batch)
    new = tuple((worker.refs[s.place], s.type, s.surface, s.record) for s in worker.spots)
    proposals = tuple(sorted(worker.proposals.values(), key=lambda p: (p.a.path, p.b.path)))
    return Reconciliation(worker.refs, proposals, worker.reasons, new)


@dataclass
class _Worker:
    """One pass over a batch; `names` is a fork that learns as it goes."""

    names: Names
    mapping: Table
    settings: GateSettings
    refs: dict[Place, Ref] = field(default_factory=dict)
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
        called = self.names.called(spot.type, spot.form)
        same = [e for e in called if e.fullest == spot.form or spot.type not in _SHORTENED]
        if spot.type == "TimeExpression" and not spot.form[:1].isdigit():
            same = []  # "last Tuesday" is another day in every record
        if len(same) == 1:
            self._assign(spot, same[0].ref)
            return
        ref = self._own(spot)
        self._suggest(ref, Likeness.same(spot.surface), same)
        if spot.type != "TimeExpression":
            self._suggest_alike(ref, spot)

    # ---- persons -------------------------------------------------------------------------------

    def _person(self, spot: Spot, batch: Batch) -> None:
        said = self._facts([spot], batch)
        if not self._within(spot, batch, said):
            # Beyond the record all mentions of this name speak together.
            together = self._facts([s for s in batch.spots if _same_name(s, spot, batch)], batch)
            if not self._across(spot, batch, together):
                self._own(spot)
                self._suggest_across(spot, together)
        self._learn(spot, said, batch.record)

    def _within(self, spot: Spot, batch: Batch, said: list[_Said]) -> bool:
        """Assign the spot to an entity of its own record, if exactly one will do."""
        here = [e for e in self.names.in_record(batch.record, PERSON) if spot.form]
        free = [e for e in here if not self._kept_apart(spot, e.ref, batch)]
        same = [e for e in free if spot.form in e.forms]
        if same:
            return self._namesake_or_same(spot, same, said)
        declared = {self.refs[p] for p in batch.aliases.get(spot.form, ()) if p in self.refs}
        known = [e for e in free if e.ref in declared or spot.form in e.aliases]
        short = known or [e for e in free if _shortens(spot.form, e)]
        if len(short) == 1:
            self._assign(spot, short[0].ref)
            return True
        if short:
            ref = self._own(spot)
            for entity in short[:_MOST_PROPOSALS]:
                self._propose(ref, entity, Likeness.short(spot.surface, entity.shown))
            return True
        return False

    def _namesake_or_same(self, spot: Spot, same: list[Entity], said: list[_Said]) -> bool:
        """Join the entity of this name with which nothing disagrees; else a namesake."""
        weighed = [self._weigh(entity, said, spot) for entity in same]
        fitting = [w for w in weighed if not w.against]
        if fitting:
            best = max(fitting, key=lambda w: (len(w.agree), self._nearness(w.entity, spot)))
            self._assign(spot, best.entity.ref)
            return True
        ref = self._own(spot)
        for weight in weighed[:_MOST_PROPOSALS]:
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

    def _across(self, spot: Spot, batch: Batch, said: list[_Said]) -> bool:
        """Assign the spot to an entity of another record where the details allow it."""
        if not is_full(spot.form):
            return False
        for weighed, least in self._candidates(spot, said):
            fitting = [w for w in weighed if len(w.agree) >= least and not w.against]
            fitting = [w for w in fitting if not self._kept_apart(spot, w.entity.ref, batch)]
            fitting.sort(key=lambda w: -len(w.agree))
            if len(fitting) == 1 or (fitting and len(fitting[0].agree) > len(fitting[1].agree)):
                self._assign(spot, fitting[0].entity.ref)
                self.reasons[spot.place] = fitting[0].reasons()
                return True
        return False

    def _candidates(self, spot: Spot, said: list[_Said]) -> list[tuple[list[Weighed], int]]:
        """Entities called the same, needing one detail, and called alike, needing two."""
        same = self.names.called(PERSON, spot.form)
        alike = [entity for entity, _, _ in self._alike(spot)]
        return [
            ([self._weigh(entity, said, spot) for entity in same], 1),
            ([self._weigh(entity, said, spot) for entity in alike], 2),
        ]

    def _suggest_across(self, spot: Spot, said: list[_Said]) -> None:
        if not is_full(spot.form):
            return
        ref = self.refs[spot.place]
        same = [e for e in self.names.called(PERSON, spot.form) if e.ref != ref]
        for weight in [self._weigh(entity, said, spot) for entity in same][:_MOST_PROPOSALS]:
            self._add(propose(ref, weight, Likeness.same(spot.surface)))
        for entity, _, score in self._alike(spot)[:_MOST_PROPOSALS]:
            if entity.ref != ref:
                likeness = Likeness.alike(spot.surface, entity.shown, score)
                self._add(propose(ref, self._weigh(entity, said, spot), likeness))

    # ---- what is said of a spot ----------------------------------------------------------------

    def _facts(self, spots: list[Spot], batch: Batch) -> list[_Said]:
        """Return what the batch says of spots whose entity is not known yet."""
        return [_Said(c, s.place) for s in spots for c in batch.saying.get(s.place, ())]

    def _weigh(self, entity: Entity, said: list[_Said], spot: Spot) -> Weighed:
        """Return what speaks for and against the spot being the entity."""
        trial = self.names.fork()
        stand_in = Ref(entity.ref.kind, "")
        trial.add(stand_in, PERSON, spot.surface, spot.record)
        for one in said:
            fact = self._fact(one, stand_in)
            if fact is not None:
                trial.add_fact(fact, spot.record)
        ours = trial.details_of(stand_in)
        return Weighed.of(entity, ours, self.names.details_of(entity.ref))

    def _fact(self, said: _Said, me: Ref) -> Fact | None:
        candidate = said.candidate
        if candidate.subject is None:
            return None
        ends: list[Ref | None] = []
        for anchor in (candidate.subject, candidate.object):
            if anchor is None:
                ends.append(None)
                continue
            place = place_of(candidate.unit, anchor)
            other = me if place == said.place else self.refs.get(place)
            ends.append(other or self._stranger(anchor))
        subject = ends[0]
        if subject is None:
            return None
        return Fact(candidate.name, subject, ends[1], candidate.value, candidate.time)

    def _stranger(self, anchor: Anchor) -> Ref:
        """A name that has no entity yet still tells its bearer's kin apart."""
        form = normal(anchor.surface, anchor.type)
        ref = Ref("unassigned", form)
        if self.names.entity(ref) is None:
            self.names.add(ref, "unassigned", form, "")
        return ref

    def _learn(self, spot: Spot, said: list[_Said], record: str) -> None:
        for one in said:
            fact = self._fact(one, self.refs[spot.place])
            if fact is not None:
                self.names.add_fact(fact, record)

    def _kept_apart(self, spot: Spot, ref: Ref, batch: Batch) -> bool:
        return any(self.refs.get(place) == ref for place in batch.apart.get(spot.place, ()))

    # ---- assigning and proposing ---------------------------------------------------------------

    def _assign(self, spot: Spot, ref: Ref) -> None:
        self.refs[spot.place] = ref
        if spot.mention:
            self.names.add(ref, spot.type, spot.surface, spot.record)
            self.spots.append(spot)

    def _own(self, spot: Spot) -> Ref:
        unit, start, end, type_ = spot.place
        ref = entity_ref(self.mapping.entity(type_).kind, unit, start, end)
        self._assign(spot, ref)
        return ref

    def _alike(self, spot: Spot) -> list[tuple[Entity, str, float]]:
        if len(spot.form) < _LEAST_ALIKE:
            return []
        cutoff = self.settings.same_name_similarity
        return self.names.similar(spot.type, spot.form, cutoff)

    def _suggest(self, ref: Ref, likeness: Likeness, entities: list[Entity]) -> None:
        for entity in entities[:_MOST_PROPOSALS]:
            self._propose(ref, entity, likeness)

    def _suggest_alike(self, ref: Ref, spot: Spot) -> None:
        for entity, _, score in self._alike(spot)[:_MOST_PROPOSALS]:
            self._propose(ref, entity, Likeness.alike(spot.surface, entity.shown, score))

    def _propose(self, ref: Ref, entity: Entity, likeness: Likeness) -> None:
        self._add(propose(ref, Weighed(entity, (), ()), likeness))

    def _add(self, proposal: MergeProposal | None) -> None:
        if proposal is None:
            return
        key = (proposal.a.path, proposal.b.path)
        known = self.proposals.get(key)
        if known is None or proposal.score > known.score:
            self.proposals[key] = proposal


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement of the batch, and at which place of it we look."""

    candidate: Candidate
    place: Place


def _long_first(spots: list[Spot]) -> list[Spot]:
    """Names with more words first, so that a short form meets what it is short for."""
    return sorted(spots, key=lambda spot: -len(spot.form.split()))


def _shortens(form: str, entity: Entity) -> bool:
    whole = entity.fullest
    return is_short_for(form, whole, entity.type) or is_short_for(whole, form, entity.type)


def _same_name(one: Spot, other: Spot, batch: Batch) -> bool:
    if one.type != other.type or one.form != other.form:
        return False
    return one.place not in batch.apart.get(other.place, ())
