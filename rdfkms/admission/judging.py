"""Judging: what screening let through is verified, held against the shapes, and decided.

Mentions and events come first: a statement is admitted only when the mentions at its ends are, an
argument only after its trigger. Each candidate gets exactly one verdict (law 5); the same statement
proposed twice is one claim that names both runs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rdfkms.admission import confirmation, decisions, pointers
from rdfkms.admission.authorities import explained
from rdfkms.admission.conflicts import Rivals
from rdfkms.admission.doubt import DOUBTFUL, REJECTED_BEFORE, STATED_BY_EXPERT
from rdfkms.admission.judged import Decided, Judged
from rdfkms.admission.known import Known, NothingKnown
from rdfkms.admission.reasons import quoted, reason
from rdfkms.admission.shaping import Shapes, broken
from rdfkms.admission.votes import Panel
from rdfkms.knowledge import claiming
from rdfkms.knowledge.details import year_of
from rdfkms.knowledge.mapping import Mapping as Table
from rdfkms.knowledge.names import Names
from rdfkms.knowledge.reconciliation import Reconciliation, reconcile
from rdfkms.knowledge.spots import Place, place_of
from rdfkms.knowledge.statements import claim_key
from rdfkms.knowledge.weighing import ContextLikeness
from rdfkms.model import (
    Anchor,
    Candidate,
    Claim,
    Decision,
    EvidenceUnit,
    Kind,
    Label,
    Reason,
    Ref,
    Status,
    Verdict,
    Verification,
)
from rdfkms.ports import Verifier
from rdfkms.settings import GateSettings
from rdfkms.vocab import Base

Screened = tuple[Candidate, Verdict | None]
FIRST = (Kind.MENTION, Kind.EVENT)
STATUS_OF = {
    Decision.ADMITTED: Status.ADMITTED,
    Decision.QUARANTINED: Status.QUARANTINED,
    Decision.REJECTED: Status.REJECTED,
}


@dataclass(frozen=True)
class Gate:
    """What the gate judges by: mapping, shapes, settings, the archive's claims, verifiers.

    The rules verify whether `verifiers` names them or not (`admission.votes`).
    """

    mapping: Table
    shapes: Shapes
    base: Base
    settings: GateSettings = field(default_factory=GateSettings)
    known: Known = field(default_factory=NothingKnown)
    verifiers: Sequence[Verifier] = ()
    contexts: ContextLikeness | None = None  # ranks merge proposals; links nothing
    high_risk: Collection[str] = ()  # relations of high risk besides the table's (R58)

    def unconfirmed(self, candidate: Candidate) -> str:
        """Return why a relation of high risk is not confirmed, "" where nothing holds it."""
        return confirmation.doubt(candidate, self.mapping, self.high_risk)

    def panel(self) -> Panel:
        """Return the verifiers as they vote on one batch."""
        return Panel(self.verifiers, self.settings.vote)


def decide(
    screened: Sequence[Screened],
    units: Mapping[str, EvidenceUnit],
    names: Names,
    gate: Gate,
    run_of: Callable[[Candidate], str],
    panel: Panel | None = None,
) -> Decided:
    """Return the verdicts on one batch: reconciliation, then judgement.

    `units` are those of the batch in order of reading; `run_of` gives the run that proposed.
    `panel` may have asked its verifiers before. `names` stays as it is: tell it of the admitted
    claims after their commit (`Names.learn`).
    """
    panel = panel or gate.panel()
    passed = [candidate for candidate, verdict in screened if verdict is None]
    panel.ask_all([candidate for candidate in passed if candidate.kind is Kind.EVENT], units)
    doubted = {
        place_of(one.unit, one.subject)
        for one in passed
        if one.subject is not None and DOUBTFUL in one.note.split()
    }

    def accept(candidate: Candidate) -> bool:
        """A statement that rests on a doubtful name says nothing about who is who (law 6)."""
        ends = (candidate.subject, candidate.object, candidate.place)
        doubtful = any(end and place_of(candidate.unit, end) in doubted for end in ends)
        doubtful = doubtful or bool(gate.unconfirmed(candidate))
        return not doubtful and panel.supports(candidate, units[candidate.unit])

    refs = reconcile(passed, units, names, gate.mapping, gate.settings, accept, gate.contexts)
    judged = judge_batch(screened, refs, units, gate, names, run_of, panel)
    admitted = {
        ref
        for one in judged
        if one.claim is not None and one.claim.status is Status.ADMITTED
        for ref in (one.claim.subject, one.claim.object)
    }
    proposals = tuple(
        p for p in refs.proposals if all(r in admitted or names.entity(r) for r in (p.a, p.b))
    )
    return Decided(tuple(judged), proposals)


def judge_batch(
    screened: Sequence[Screened],
    refs: Reconciliation,
    units: Mapping[str, EvidenceUnit],
    gate: Gate,
    names: Names,
    run_of: Callable[[Candidate], str],
    panel: Panel | None = None,
) -> list[Judged]:
    """Return the verdict on each candidate, in the order given."""
    court = _Court(refs, units, gate, names, run_of, panel or gate.panel())
    for candidate, verdict in screened:
        if verdict is None:
            court.file(candidate)
    court.sit([c for c in court.cases.values() if c.claim.kind in FIRST])
    court.sit([c for c in court.cases.values() if c.claim.kind not in FIRST])
    court.flag_conflicts()
    return [court.answer(candidate, verdict) for candidate, verdict in screened]


@dataclass
class _Case:
    """One statement, who proposed it, and how it stands."""

    candidate: Candidate
    unit: EvidenceUnit
    claim: Claim
    verdict: Verdict | None = None
    old: bool = False
    unconfirmed: str = ""  # why, where none of those who proposed it is sound
    verification: Verification | None = None

    @property
    def doubtful(self) -> bool:
        """Whether the name was read with little confidence: then its thing lacks a name anyway."""
        return DOUBTFUL in self.candidate.note.split()


@dataclass
class _Court:
    """One batch being judged."""

    refs: Reconciliation
    units: Mapping[str, EvidenceUnit]
    gate: Gate
    names: Names
    run_of: Callable[[Candidate], str]
    panel: Panel
    cases: dict[str, _Case] = field(default_factory=dict)
    places: set[Place] = field(default_factory=set)
    events: dict[Ref, list[Claim]] = field(default_factory=dict)

    def file(self, candidate: Candidate) -> None:
        """Open a case for the statement, or add the run to the case that is open."""
        key, run = claim_key(candidate), self.run_of(candidate)
        unconfirmed = self.gate.unconfirmed(candidate)
        case = self.cases.get(key)
        if case is not None:
            case.claim = _with_run(case.claim, run)
            case.unconfirmed = case.unconfirmed and unconfirmed
            return
        unit = self.units[candidate.unit]
        old = self.gate.known.claim(key)
        if old is None:
            claim = claiming.describe(candidate, unit, self.refs, run)
            self.cases[key] = _Case(candidate, unit, claim, unconfirmed=unconfirmed)
            return
        self.cases[key] = _Case(candidate, unit, _with_run(old, run), as_known(old), old=True)
        if old.status is Status.ADMITTED:
            self._admit(self.cases[key])

    def sit(self, cases: list[_Case]) -> None:
        """Decide these cases."""
        open_ = [case for case in cases if case.verdict is None]
        for case in open_:
            self._examine(case)
        faults = broken(
            self.gate.shapes,
            [(case.claim, case.unit) for case in open_],
            self._context(open_),
            self.gate.base,
            self.gate.mapping,
        )
        for case in open_:
            found = faults.get(case.claim.key, ())
            if found and case.verdict is not None and not case.doubtful:
                case.verdict = misshapen(case.verdict, found)
            self._settle(case)

    def _examine(self, case: _Case) -> None:
        """Give the verdict of ends and verification; the shapes may still overturn it."""
        case.verification = self.panel.verify(case.candidate, case.unit)
        label, found = case.verification.label, case.verification.reasons
        missing = tuple(self._missing(case))
        rule = self.gate.mapping.statements.get(case.claim.statement)
        if rule is not None and rule.needs_review:  # what no passage says, only a person decides
            label, found = Label.PARTIAL, explained(case.candidate)
        stage = "ends" if missing else "verification"
        reasons = (*missing, *found)
        notes = case.candidate.note.split()
        taught = next((note for note in (REJECTED_BEFORE, STATED_BY_EXPERT) if note in notes), "")
        if not missing and label is Label.SUPPORTED and taught:
            what = quoted(case.claim.value.lexical if case.claim.value else case.candidate.quote)
            stage = "review"
            reasons = (reason(taught, what=what, name=case.candidate.name), *found)
        elif not missing and label is Label.SUPPORTED:
            doubt = reason("doubtfulReading", what=quoted(case.candidate.quote))
            reasons = (doubt, *found) if case.doubtful else (*found, *self._noted(case))
        decision = decisions.table().decide(stage, reasons, label)
        if decision is Decision.ADMITTED and case.unconfirmed:
            held = reason("notConfirmed", name=case.claim.statement, what=case.unconfirmed)
            stage, reasons = confirmation.STAGE, (held, *reasons)
            decision = decisions.table().decide(stage, [held])
        case.verdict = Verdict(decision, stage, reasons, label)
        case.claim = replace(case.claim, status=STATUS_OF[case.verdict.decision], label=label)

    def _noted(self, case: _Case) -> Iterable[Reason]:
        """What a person may want to know of a statement that nothing speaks against."""
        if pointers.REANCHORED in case.candidate.note.split():
            yield reason("reanchored")
        if case.claim.kind is Kind.MENTION:
            yield from self._linked(case)

    def _missing(self, case: _Case) -> Iterable[Reason]:
        candidate = case.candidate
        if candidate.kind is Kind.ARGUMENT:
            yield from self._missing_event(case)
        if candidate.kind in FIRST:
            return
        for end in ("subject", "object", "place"):
            anchor: Anchor | None = getattr(candidate, end)
            if anchor is not None and not self._is_mentioned(case.unit, anchor):
                what = quoted(anchor.surface)
                yield reason("endNotAdmitted", field=end, what=what)

    def _missing_event(self, case: _Case) -> Iterable[Reason]:
        name, table = case.candidate.name, self.gate.mapping
        types = [trigger.name for trigger in self._triggers(case.claim.subject)]
        if not types:
            yield reason("triggerNotAdmitted", name=name)
        elif not any(table.accepts_subject(name, type_) for type_ in types):
            allowed = ", ".join(table.statement(name).domain)
            yield reason("wrongSubjectType", name=name, what=types[0], allowed=allowed)

    def _triggers(self, event: Ref) -> list[Claim]:
        if event not in self.events:
            self.events[event] = list(self.gate.known.triggers(event))
        return self.events[event]

    def _is_mentioned(self, unit: EvidenceUnit, anchor: Anchor) -> bool:
        place = place_of(unit.key, anchor)
        if place not in self.places:
            mention = Candidate(
                "", Kind.MENTION, unit.key, anchor.type, anchor.surface, anchor.start,
                anchor.end, subject=anchor,
            )  # fmt: skip
            old = self.gate.known.claim(claim_key(mention))
            if old is None or old.status is not Status.ADMITTED:
                return False
            self.places.add(place)
        return True

    def _linked(self, case: _Case) -> tuple[Reason, ...]:
        subject = case.candidate.subject
        if subject is None:
            return ()
        return self.refs.reasons.get(place_of(case.unit.key, subject), ())

    def _context(self, open_: list[_Case]) -> list[Claim]:
        """Admitted triggers that give the events of these cases their types.

        The types of other things are told by their IRIs.
        """
        events = {c.claim.subject: None for c in open_ if c.claim.kind is Kind.ARGUMENT}
        known = [claim for event in events for claim in self._triggers(event)]
        return list({claim.key: claim for claim in known}.values())

    def _settle(self, case: _Case) -> None:
        if case.verdict is None:
            return
        status = STATUS_OF[case.verdict.decision]
        case.claim = replace(case.claim, status=status, reasons=case.verdict.reasons)
        if status is Status.ADMITTED:
            self._admit(case)

    def _admit(self, case: _Case) -> None:
        if case.claim.kind is Kind.MENTION and case.candidate.subject is not None:
            self.places.add(place_of(case.unit.key, case.candidate.subject))
        if case.claim.kind is Kind.EVENT:
            self._triggers(case.claim.subject).append(case.claim)

    def flag_conflicts(self) -> None:
        """Flag admitted statements that cannot both be true, in the batch and from the archive.

        The claim in the archive is flagged by the one who commits: the flag is symmetric.
        """
        standing = [case for case in self.cases.values() if _stands(case)]
        claims = [case.claim for case in standing]
        gate = self.gate
        rivals = Rivals(claims, gate.known, gate.mapping, self.names, self._years(standing))
        for case in standing:
            for code, others in () if case.old else rivals.of(case.claim):
                self._flag(case, code, others)

    def _years(self, standing: Sequence[_Case]) -> Callable[[Claim], Sequence[int]]:
        """Return the years known of the paper of a claim: of the batch, or of its subject's."""
        dated: dict[str, set[int]] = {}
        for case in standing:
            year = year_of(case.claim.value) if case.claim.statement == "time" else None
            if year is not None:
                dated.setdefault(case.unit.record, set()).add(year)
        records = {case.claim.key: case.unit.record for case in standing}

        def years(claim: Claim) -> Sequence[int]:
            entity = self.names.entity(claim.subject)
            among = {records[claim.key]} if claim.key in records else set()
            among = among or (entity.records if entity else set())
            known = {year for r in among if (year := self.names.year(r)) is not None}
            return sorted(known.union(*(dated.get(r, ()) for r in among)))

        return years

    def _flag(self, case: _Case, code: str, rivals: Sequence[Claim]) -> None:
        said = "; ".join(quoted(rival.pointers[0].quote) for rival in rivals if rival.pointers)
        found = reason(code, what=said)
        keys = tuple(sorted({*case.claim.conflicts, *(rival.key for rival in rivals)}))
        reasons = (*case.claim.reasons, found)
        case.claim = replace(case.claim, conflicts=keys, reasons=reasons)
        if case.verdict is not None:
            case.verdict = replace(case.verdict, reasons=(*case.verdict.reasons, found))

    def answer(self, candidate: Candidate, verdict: Verdict | None) -> Judged:
        """Return the outcome for one candidate."""
        if verdict is not None:
            return Judged(candidate, None, verdict)
        case = self.cases[claim_key(candidate)]
        given = case.verdict or Verdict(Decision.QUARANTINED, "judging")
        if case.candidate is not candidate:
            given = replace(given, reasons=(*given.reasons, reason("sameStatement")))
        return Judged(candidate, case.claim, given, case.verification)


def misshapen(verdict: Verdict, found: tuple[Reason, ...]) -> Verdict:
    """Return a verdict after the shapes: theirs where it would have admitted, else both."""
    if verdict.decision is Decision.ADMITTED:
        decision = decisions.table().decide("shapes", found)
        return Verdict(decision, "shapes", found, verdict.label)
    return replace(verdict, reasons=(*verdict.reasons, *found))


def _stands(case: _Case) -> bool:
    return case.claim.status is Status.ADMITTED and case.verdict is not None


def _with_run(claim: Claim, run: str) -> Claim:
    return claim if run in claim.runs else replace(claim, runs=(*claim.runs, run))


def as_known(claim: Claim) -> Verdict:
    """The verdict on a statement that the archive has: what was decided stands."""
    decision = Decision.QUARANTINED
    if claim.status in (Status.ADMITTED, Status.REJECTED):
        decision = Decision(claim.status.value)
    known = reason("knownStatement", what=claim.status.value)
    return Verdict(decision, "known", (known,), claim.label)
