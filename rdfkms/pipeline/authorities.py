"""From entities to claims that an authority knows them: proposed, judged, kept for reviewers (R67).

Each proposal quotes the mention with the fullest name, and goes through the same gate as any other
candidate; the mapping table says that only a reviewer may admit it. What was decided stands: the
same proposal made again meets its claim.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pyoxigraph import NamedNode

from rdfkms.access import is_open
from rdfkms.admission.judging import Gate, judge_batch
from rdfkms.admission.known import StoredClaims
from rdfkms.admission.screening import screen
from rdfkms.admission.shapes import ShapesGate
from rdfkms.knowledge import decoding
from rdfkms.knowledge.authorities import Known, Match, Rules, matches
from rdfkms.knowledge.details import Detail
from rdfkms.knowledge.mapping import Mapping as Table
from rdfkms.knowledge.names import NAMED_AS, Entity, Names
from rdfkms.knowledge.reconciliation import Reconciliation
from rdfkms.knowledge.spots import place_of
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.ledger.work import CandidateRow, Work
from rdfkms.model import Anchor, Candidate, Claim, EvidenceUnit, Kind, Principal, Ref, Run, Value
from rdfkms.pipeline.writing import Places, run_quads
from rdfkms.ports import Authority, AuthorityCandidate
from rdfkms.review.merges import merges
from rdfkms.vocab import key_of

STATEMENT = "sameAsAuthority"
Ask = Callable[[str, str, dict[str, str]], Sequence[AuthorityCandidate]]
_PLACES = ("birthplace", "residence")


@dataclass(frozen=True, slots=True)
class Linked:
    """What one entity came to: how many entries were found, and claims proposed now."""

    entity: Ref
    found: int
    proposed: int


@dataclass
class Linker:
    """Asks one authority about entities and commits what it proposes, entity by entity.

    `graphs` limits the names that are used and sent: a service must not be told closed ones.
    """

    ledger: Ledger
    work: Work
    mapping: Table
    principal: Principal
    run: Run
    rules: Rules
    authority: Authority
    graphs: tuple[NamedNode, ...] = ()
    _units: dict[str, EvidenceUnit] = field(default_factory=dict)

    def entities(self, types: Sequence[str]) -> list[Entity]:
        """Return the entities that may ask: of these types, with a name, in order of their IRI."""
        found = (self._names.entity(ref) for ref in sorted(self._mentions, key=lambda r: r.path))
        return [entity for entity in found if entity is not None and entity.type in types]

    def link(self, entity: Entity) -> Linked:
        """Ask about one entity, and commit the proposals; raises `Unavailable`."""
        known = self.known(entity)
        found = self._ask(known)
        chosen = matches(known, found, self.rules)
        with self.ledger.frozen():  # others wait while it is judged and committed, not while asked
            proposed = self._propose(entity, chosen) if chosen else 0
        return Linked(entity.ref, len(found), proposed)

    def known(self, entity: Entity) -> Known:
        """Return what the archive admitted of the entity, as an authority may have it."""
        details = sorted(
            self._names.details_of(entity.ref), key=lambda d: (d.statement, d.value, d.year or 0)
        )
        names = [entity.shown, *sorted({*entity.forms.values(), *entity.aliases.values()})]
        births = [*_values(details, "birthDate"), *_born(details)]
        return Known(
            entity.type,
            tuple(dict.fromkeys(names)),
            tuple(dict.fromkeys(births)),
            _values(details, "deathDate"),
            tuple(d.shown for d in details if d.statement in _PLACES),
            tuple(d.shown for d in details if d.statement == "occupation"),
        )

    def _ask(self, known: Known) -> list[AuthorityCandidate]:
        """Return the entries found by each of the names, asked once and kept (law 10)."""
        type_, facts = self.rules.types[known.type], known.facts(self.rules.send)
        found: dict[str, AuthorityCandidate] = {}
        for name in known.names:
            for entry in self._kept(name, type_, facts):
                found.setdefault(entry.id, entry)
        return list(found.values())

    def _kept(self, name: str, type_: str, facts: dict[str, str]) -> list[AuthorityCandidate]:
        asked = json.dumps(facts, sort_keys=True)
        key = key_of("authority", self.authority.name, self.authority.version, name, type_, asked)
        kept = self.work.call(key)
        if kept is None:
            entries = self.authority.candidates(name, type_, facts)
            kept = json.dumps([_row(entry) for entry in entries], ensure_ascii=False)
            self.work.keep_call(key, kept)
        return [_entry(row) for row in json.loads(kept)]

    # ---- through the gate ----------------------------------------------------------------------

    def _propose(self, entity: Entity, chosen: Sequence[Match]) -> int:
        mention = self._mentions[entity.ref]
        unit = self._unit(mention)
        pointer = mention.pointers[0]
        anchor = Anchor(pointer.start, pointer.end, pointer.quote, mention.name)
        candidates = [self._candidate(unit, anchor, match) for match in chosen]
        screened = [screen(one, unit, self.mapping) for one in candidates]
        refs = Reconciliation({place_of(unit.key, anchor): mention.subject}, (), {}, ())
        gate = Gate(
            self.mapping,
            self._shapes,
            self.ledger.base,
            self.ledger.archive.settings.gate,
            StoredClaims(self.ledger.store, self.ledger.base),
        )
        judged = judge_batch(
            screened, refs, {unit.key: unit}, gate, self._names, lambda candidate: self.run.key
        )
        batch = key_of("link", self.run.key, entity.ref.path, self.ledger.revision)
        rows = [
            CandidateRow(j.candidate, j.verdict, j.claim.key if j.claim else None, self.run.key,
                         batch)
            for j in judged
        ]  # fmt: skip
        fresh = [j.claim for j in judged if j.claim is not None and j.verdict.stage != "known"]
        self.work.prepare(batch, self.run.key, rows, (), ())
        if fresh:
            self.ledger.commit(self._change(entity, unit, fresh, batch), self.principal)
        self.work.settle(batch)
        return len(fresh)

    def _candidate(self, unit: EvidenceUnit, anchor: Anchor, match: Match) -> Candidate:
        why = "; ".join(match.why)
        raw = {"source": self.rules.title, "id": match.candidate.id,
               "label": match.candidate.label, "score": match.score, "why": why}  # fmt: skip
        proposer = f"authority:{self.authority.name}@{self.authority.version}"
        return Candidate(
            key_of("candidate", STATEMENT, unit.key, anchor.start, anchor.end, match.address),
            Kind.ATTRIBUTE,
            unit.key,
            STATEMENT,
            anchor.surface,
            anchor.start,
            anchor.end,
            subject=anchor,
            value=Value(match.address, "anyURI"),
            confidence=match.score,
            proposer=proposer,
            raw=json.dumps(raw, ensure_ascii=False),
        )

    def _change(
        self, entity: Entity, unit: EvidenceUnit, claims: Sequence[Claim], batch: str
    ) -> Change:
        store, base = self.ledger.store, self.ledger.base
        open_ = is_open(decoding.access_of_record(store, base, unit.record))
        places = Places(store, base, self.mapping, open_, merges(store, base).canonical)
        runs = run_quads(self.run, (), base)
        activity = Activity("link", entity.ref.path, self.run.key, batch)
        return Change(activity, (*places.claims(claims), *runs))

    # ---- what the steps need -------------------------------------------------------------------

    def _unit(self, mention: Claim) -> EvidenceUnit:
        key = mention.pointers[0].unit
        if key not in self._units:
            self._units[key] = decoding.unit(self.ledger.store, self.ledger.base, key)
        return self._units[key]

    @cached_property
    def _names(self) -> Names:
        return Names.from_store(self.ledger.store, self.ledger.base, self.graphs)

    @cached_property
    def _shapes(self) -> ShapesGate:
        return ShapesGate()

    @cached_property
    def _mentions(self) -> dict[Ref, Claim]:
        """The admitted mention with the longest name of each entity, ties by key."""
        best: dict[Ref, Claim] = {}
        for claim in self._named():
            ref = self._names.canonical(claim.subject)
            known = best.get(ref)
            if known is None or _order(claim) < _order(known):
                best[ref] = claim
        return best

    def _named(self) -> Iterator[Claim]:
        store, base = self.ledger.store, self.ledger.base
        for claim in decoding.all_claims(store, base, self.graphs):
            if claim.statement == NAMED_AS and claim.status == "admitted" and claim.pointers:
                yield claim


def _order(claim: Claim) -> tuple[int, str]:
    return -len(claim.value.lexical if claim.value else ""), claim.key


def _values(details: Sequence[Detail], statement: str) -> tuple[str, ...]:
    return tuple(d.value for d in details if d.statement == statement)


def _born(details: Sequence[Detail]) -> list[str]:
    """The years of birth that dated ages give."""
    return [str(d.year - d.number) for d in details if d.number is not None and d.year is not None]


def _row(entry: AuthorityCandidate) -> dict[str, object]:
    return {
        "id": entry.id, "label": entry.label, "aliases": list(entry.aliases),
        "birth": entry.birth, "death": entry.death, "place": entry.place,
        "description": entry.description,
    }  # fmt: skip


def _entry(row: dict[str, str]) -> AuthorityCandidate:
    return AuthorityCandidate(
        row["id"], row["label"], tuple(row["aliases"]), row["birth"], row["death"], row["place"],
        row["description"],
    )  # fmt: skip
