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

    def weigh(self, entities: Sequence[Entity], said: Sequence[Said], spot: Spot) -> list[Weighed]:
        """Return what the details say for and against the spot being each of the entities."""
        if not entities:
            return []
        trial = self.names.fork()
        stand_in = Ref(entities[0].ref.kind, "")
        trial.add(stand_in, PERSON, spot.surface, spot.record)
        for one in said:
            fact = self._fact(one, stand_in)
            if fact is not None:
                trial.add_fact(fact, spot.record)
        ours = trial.details_of(stand_in)
        return [Weighed.of(e, ours, self.names.details_of(e.ref)) for e in entities]

    def weigh_across(
        self, entities: Sequence[Entity], said: Sequence[Said], spot: Spot, batch: Batch
    ) -> list[Weighed]:
        """Return comparisons with entities of other records: also company, places, context."""
        if not entities:
            return []
        people, places = self._named(PERSON, spot, batch), self._named(LOCATION, spot, batch)
        return [
            replace(
                one,
                company=self._shared(PERSON, people, one.entity, batch),
                places=self._shared(LOCATION, places, one.entity, batch),
                context=self.contexts(spot, one.entity.ref) if self.contexts else None,
            )
            for one in self.weigh(entities, said, spot)
        ]

    def learn(self, spot: Spot, said: Sequence[Said], record: str) -> None:
        """Teach the names what the batch says of a spot that was assigned."""
        for one in said:
            fact = self._fact(one, self.refs[spot.place])
            if fact is not None:
                self.names.add_fact(fact, record)

    def _shared(
        self, type_: str, ours: dict[str, str], entity: Entity, batch: Batch
    ) -> tuple[str, ...]:
        """Return, as shown, those of our names that the entity's records name besides."""
        if not ours:
            return ()
        theirs = self.names.company(entity.records - {batch.record}, type_, entity.ref)
        return tuple(ours[form] for form in sorted(theirs & set(ours) - {entity.fullest}))

    def _named(self, type_: str, spot: Spot, batch: Batch) -> dict[str, str]:
        """Return what our record names besides the spot: form and as shown, of persons in full."""
        ours = {s.form: s.surface for s in batch.of_type(type_) if s.form != spot.form}
        if type_ == PERSON:
            ours = {form: shown for form, shown in ours.items() if is_full(form)}
        here = self.names.in_record(batch.record, type_)
        return ours | {e.fullest: e.shown for e in here if spot.form not in e.forms}

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
