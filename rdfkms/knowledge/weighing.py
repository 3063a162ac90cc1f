"""What speaks for and against a mention being an entity: the features of one comparison (R63).

Details come from what the batch says of the mention and from what the archive admitted of the
entity; company and places from what the records name besides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rdfkms.knowledge.details import ACTED, Fact
from rdfkms.knowledge.likeness import Weighed
from rdfkms.knowledge.nameforms import is_full, normal
from rdfkms.knowledge.names import Entity, Names
from rdfkms.knowledge.spots import Batch, Place, Spot, place_of
from rdfkms.model import Anchor, Candidate, Kind, Ref

PERSON, LOCATION = "Person", "Location"
# The likeness, as a cosine, of what is said around a spot and around an entity; None: unknown.
ContextLikeness = Callable[[Spot, Ref], float | None]


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of the batch, and at which place of it we look."""

    candidate: Candidate
    place: Place


@dataclass(frozen=True)
class Weigher:
    """Compares spots with entities; `refs` are the places assigned so far."""

    names: Names
    refs: dict[Place, Ref]
    contexts: ContextLikeness | None = None

    def facts(self, spots: Sequence[Spot], batch: Batch) -> list[Said]:
        """Return what the batch says of spots whose entity is not known yet."""
        return [Said(c, s.place) for s in spots for c in batch.saying.get(s.place, ())]

    def weigh(self, entity: Entity, said: Sequence[Said], spot: Spot) -> Weighed:
        """Return what the details say for and against the spot being the entity."""
        trial = self.names.fork()
        stand_in = Ref(entity.ref.kind, "")
        trial.add(stand_in, PERSON, spot.surface, spot.record)
        for one in said:
            fact = self._fact(one, stand_in)
            if fact is not None:
                trial.add_fact(fact, spot.record)
        ours = trial.details_of(stand_in)
        return Weighed.of(entity, ours, self.names.details_of(entity.ref))

    def weigh_across(
        self, entity: Entity, said: Sequence[Said], spot: Spot, batch: Batch
    ) -> Weighed:
        """Return the comparison with an entity of other records: also company, places, context."""
        weighed = self.weigh(entity, said, spot)
        records = entity.records - {batch.record}
        company = self._shared(PERSON, spot, entity, batch, records)
        places = self._shared(LOCATION, spot, entity, batch, records)
        context = self.contexts(spot, entity.ref) if self.contexts is not None else None
        return replace(weighed, company=company, places=places, context=context)

    def learn(self, spot: Spot, said: Sequence[Said], record: str) -> None:
        """Teach the names what the batch says of a spot that was assigned."""
        for one in said:
            fact = self._fact(one, self.refs[spot.place])
            if fact is not None:
                self.names.add_fact(fact, record)

    def _shared(
        self, type_: str, spot: Spot, entity: Entity, batch: Batch, records: set[str]
    ) -> tuple[str, ...]:
        """Return names that our record and those of the entity bear besides, as shown."""
        theirs = self.names.company(records, type_, entity.ref)
        if not theirs:
            return ()
        ours = {s.form: s.surface for s in batch.of_type(type_) if s.form != spot.form}
        if type_ == PERSON:
            ours = {form: shown for form, shown in ours.items() if is_full(form)}
        here = self.names.in_record(batch.record, type_)
        ours |= {e.fullest: e.shown for e in here if spot.form not in e.forms}
        return tuple(ours[form] for form in sorted(theirs & set(ours) - {entity.fullest}))

    def _fact(self, said: Said, me: Ref) -> Fact | None:
        candidate = said.candidate
        if candidate.kind is Kind.ARGUMENT:
            return Fact(ACTED, me, None, candidate.value)
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
