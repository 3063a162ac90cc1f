"""`Line.publish`: one page, from its picture to committed statements; read from top to bottom."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from pyoxigraph import NamedNode, Triple

from rdfkms.access import is_open
from rdfkms.admission.judged import Decided
from rdfkms.admission.judging import Gate, decide
from rdfkms.admission.known import RivalsInSight
from rdfkms.admission.screening import screen
from rdfkms.admission.shapes import ShapesGate
from rdfkms.admission.verification import NAME as RULES
from rdfkms.admission.votes import Panel
from rdfkms.errors import NotFound
from rdfkms.ingest import profiles, wordsfile
from rdfkms.ingest.reading import PageResult
from rdfkms.knowledge import decoding
from rdfkms.knowledge.extraction import placed_mention
from rdfkms.knowledge.mapping import Mapping as Table
from rdfkms.knowledge.names import Names
from rdfkms.knowledge.proposers.reviewed import ReviewedNames
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.ledger.work import CandidateRow, Work
from rdfkms.model import (
    Candidate,
    Claim,
    EvidenceUnit,
    Fault,
    Page,
    Principal,
    Record,
    Run,
    TextVersion,
)
from rdfkms.pipeline.gone import gone
from rdfkms.pipeline.proposing import Outcome, Screened, propose_and_screen
from rdfkms.pipeline.writing import Places, description, in_graph, run_quads
from rdfkms.ports import Proposer, Verifier
from rdfkms.review import lessons, tasks
from rdfkms.review.lessons import Lessons
from rdfkms.review.merges import merges
from rdfkms.review.queue import Queue
from rdfkms.review.tasks import Task
from rdfkms.review.tombstones import coming_back
from rdfkms.vocab import KEY_LENGTH, key_of


class LateProposers(Protocol):
    """Proposers that ask a service and keep its answers: used in order, in the writer."""

    def __call__(self, profile: str, language: str) -> Sequence[Proposer]:
        """Return the proposers for the records of a profile."""
        ...

    def faults(self, record: Record, page: str) -> tuple[Fault, ...]:
        """Return what went unasked on the page just gone through, and forget it."""
        ...


@dataclass
class Line:
    """The writing half of one run: judges and commits page after page, in order."""

    ledger: Ledger
    work: Work
    mapping: Table
    principal: Principal
    main: Run
    late: LateProposers | None = None
    verifiers: Sequence[Verifier] = ()  # beside the rules, which always verify
    seconds: dict[str, float] = field(default_factory=dict)
    parts: dict[str, Run] = field(default_factory=dict)  # the run of each proposer
    _revision: int = 0  # after the page before
    _panel: Panel | None = None  # what verifiers found on the page at hand

    def publish(self, record: Record, outcome: Outcome, batch: str) -> None:
        """Judge one page that was read and commit it as one batch: all of it or nothing."""
        for stage, seconds in outcome.seconds.items():
            self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds
        late, unasked = self._proposed_late(record, outcome.page.units, outcome.page.versions)
        page = replace(outcome.page, faults=(*outcome.page.faults, *unasked))
        screened = self._with_confirmed([*outcome.screened, *late], page.units)
        self._verify(screened, page.units)
        with self._alone():
            self._publish(self._as_known(record), page, screened, batch)

    def _publish(
        self, record: Record, page: PageResult, screened: Sequence[Screened], batch: str
    ) -> None:
        if page.page is None:
            self._settle(record, (), (), batch, [], page.faults)
            return
        refused = self._gone(record, page.page.key, page.page.source, page.page.label)
        if refused is not None:
            self._settle(record, (), (), batch, [], (*page.faults, refused))
            return
        with self._clock("keep"):
            versions = self._keep(page)
        described = description(
            record, page.page, versions, page.units, self.main.key, self.ledger.base
        )
        with self._clock("judge"):
            misfit = self._misfit(described, page.page)
        if misfit:  # what does not fit the shapes of records, pages and texts never enters
            self._settle(record, (), (), batch, [], (*page.faults, *misfit))
            return
        self._settle(record, page.units, screened, batch, described, page.faults)

    def publish_units(
        self,
        record: Record,
        units: Sequence[EvidenceUnit],
        versions: Sequence[TextVersion],
        screened: Sequence[Screened],
        batch: str,
    ) -> None:
        """Judge candidates about units that are in the archive; commit them as one batch."""
        late, unasked = self._proposed_late(record, units, versions)
        screened = self._with_confirmed([*screened, *late], units)
        self._verify(screened, units)
        with self._alone():
            refused = {u.key: self._gone(record, u.page, u.source, u.page_label) for u in units}
            standing = [unit for unit in units if refused[unit.key] is None]
            asked = [one for one in screened if refused[one[0].unit] is None]
            faults = (*unasked, *dict.fromkeys(f for f in refused.values() if f is not None))
            self._settle(self._as_known(record), standing, asked, batch, [], faults)

    def _verify(self, screened: Sequence[Screened], units: Sequence[EvidenceUnit]) -> None:
        """Ask verifiers that are models before the ledger is held: others may write meanwhile."""
        self._panel = Panel(self.verifiers, self.ledger.archive.settings.gate.vote)
        if any(verifier.name != RULES for verifier in self.verifiers):
            with self._clock("verify"):
                asked = [candidate for candidate, refused in screened if refused is None]
                self._panel.ask_all(asked, {unit.key: unit for unit in units})

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep others from writing while a page is judged and committed: seconds at most.

        What others wrote since the page before may have closed names: they are read anew.
        """
        with self.ledger.frozen() as revision:
            self._catch_up(revision)
            yield
            self._revision = self.ledger.revision

    def _catch_up(self, revision: int) -> None:
        if revision != self._revision:
            for index in ("_names", "_public_names", "_lessons", "_confirmed"):
                self.__dict__.pop(index, None)
            self._revision = revision

    def _as_known(self, record: Record) -> Record:
        """Return the record under the condition it has in the archive: that is what was decided.

        What a run was told of a record holds for its first page only. A file that was withdrawn
        is none of its files.
        """
        store, base = self.ledger.store, self.ledger.base
        try:
            known = decoding.access_of_record(store, base, record.key)
        except NotFound:
            return record
        files = tuple(
            file
            for file in record.files
            if not decoding.is_withdrawn(store, base, "inst", file.sha256[:KEY_LENGTH])
        )
        return replace(record, access=known, files=files)

    def _gone(self, record: Record, page: str, file: str, label: str) -> Fault | None:
        """Say why a page is not written: withdrawn or erased since it was read. Or None."""
        return gone(
            self.ledger.store, self.ledger.base, file[:KEY_LENGTH], f"page {label}",
            record=record.key, page=page, file=file,
        )  # fmt: skip

    # ---- judge, prepare, commit, settle --------------------------------------------------------

    def _settle(
        self,
        record: Record,
        units: Sequence[EvidenceUnit],
        screened: Sequence[Screened],
        batch: str,
        described: Sequence[Triple],
        faults: Sequence[Fault],
    ) -> None:
        open_ = is_open(record.access)
        known = self._lessons  # as they are now: what was rejected meanwhile waits for a person
        screened = [(lessons.heeded(c, known) if v is None else c, v) for c, v in screened]
        with self._clock("judge"):
            decided = self._decide(screened, units, record.profile, is_open=open_)
        self._write(record, units, decided, batch, described, faults)

    def _write(
        self,
        record: Record,
        units: Sequence[EvidenceUnit],
        decided: Decided,
        batch: str,
        described: Sequence[Triple],
        faults: Sequence[Fault],
    ) -> None:
        open_ = is_open(record.access)
        with self._clock("commit"):
            rows = [
                CandidateRow(
                    one.candidate,
                    one.verdict,
                    one.claim.key if one.claim else None,
                    self.main.key,
                    batch,
                )
                for one in decided.judged
            ]
            self.work.prepare(batch, self.main.key, rows, decided.proposals, faults)
            change = self._change(record, described, decided.claims, batch, is_open=open_)
            self.ledger.commit(change, self.principal)
            self.work.settle(batch)
            self._queue(decided, {unit.key: unit for unit in units})
        self._learn(decided.claims, units, is_open=open_)

    def _with_confirmed(
        self, screened: Sequence[Screened], units: Sequence[EvidenceUnit]
    ) -> Sequence[Screened]:
        """Propose names that reviewers confirmed as well (R82): before verifiers are asked."""
        with self.ledger.frozen() as revision:
            self._catch_up(revision)
            confirmed = self._confirmed
        if not confirmed:
            return screened
        proposed = list(screened)
        taken = [(c.unit, *place) for c, _ in proposed if (place := placed_mention(c)) is not None]
        for unit in units:
            for one in confirmed.propose(unit):
                start, end = one.start or 0, one.end or 0
                if not any(u == unit.key and s < end and start < e for u, s, e in taken):
                    proposed.append(screen(one, unit, self.mapping))
        return proposed

    def _queue(self, decided: Decided, units: Mapping[str, EvidenceUnit]) -> None:
        """Put what was not admitted, conflicts and proposals to merge before reviewers."""
        found: list[Task] = []
        for one in decided.judged:
            key = one.claim.key if one.claim else None
            unit = units.get(one.candidate.unit)
            task = tasks.of_candidate(
                one.candidate, one.verdict, key, self.mapping, unit, self.main.key
            )
            known = one.verdict.stage == "known"  # decided before: it waits, or waits no more
            found += [task] if task is not None and not known else []
        for claim in decided.claims:
            record = next((units[p.unit].record for p in claim.pointers if p.unit in units), "")
            found += tasks.of_conflicts(claim, record)
        found += [tasks.of_merge(proposal) for proposal in decided.proposals]
        queue = Queue(self.work)
        queue.add(found)
        queue.in_step(self.ledger.revision)

    def _misfit(self, described: Sequence[Triple], page: Page) -> tuple[Fault, ...]:
        """Return what the shapes say against the description of a page."""
        subjects = {t.subject for t in described if isinstance(t.subject, NamedNode)}
        found = self._shapes.validate(described, sorted(subjects, key=str))
        hint = "This is a fault of rdfkms or of its shapes/: please report it."
        return tuple(
            Fault(page.source, f"page {page.label}: {node.value}", reason.sentence, hint)
            for node, reasons in found.items()
            for reason in reasons
        )

    def _decide(
        self,
        screened: Sequence[Screened],
        units: Sequence[EvidenceUnit],
        profile: str,
        *,
        is_open: bool,
    ) -> Decided:
        store, base = self.ledger.store, self.ledger.base
        gate = Gate(
            self.mapping,
            self._shapes,
            base,
            self.ledger.archive.settings.gate,
            RivalsInSight(store, base, is_open=is_open),
            self.verifiers,
            high_risk=profiles.load(profile).high_risk,
        )
        names = self._public_names if is_open else self._names
        by_key = {u.key: u for u in units}
        return decide(screened, by_key, names, gate, self._run_of, self._panel)

    def _change(
        self,
        record: Record,
        described: Sequence[Triple],
        claims: Sequence[Claim],
        batch: str,
        *,
        is_open: bool,
    ) -> Change:
        store, base = self.ledger.store, self.ledger.base
        places = Places(store, base, self.mapping, is_open, merges(store, base).canonical)
        graph = base.public if is_open else base.internal
        add = [*in_graph(described, graph), *places.claims(claims)]
        if add:
            add += run_quads(self.main, list(self.parts.values()), base)
        kind = "ingest" if described else "extract"
        # A title may name a person: the row's own words cannot be erased, a key says nothing.
        activity = Activity(kind, f"record/{record.key}", self.main.key, batch)
        return Change(activity, tuple(add), coming_back(store, base, add))

    def _learn(
        self, claims: Sequence[Claim], units: Sequence[EvidenceUnit], *, is_open: bool
    ) -> None:
        """Tell the indexes of names what is new in the archive."""
        records = {unit.key: unit.record for unit in units}
        claims = [c for c in claims if c.pointers and c.pointers[0].unit in records]
        self._names.learn(claims, records.__getitem__)
        if is_open:
            self._public_names.learn(claims, records.__getitem__)

    # ---- what the steps need -------------------------------------------------------------------

    @cached_property
    def _shapes(self) -> ShapesGate:
        return ShapesGate()

    @cached_property
    def _lessons(self) -> Lessons:
        return lessons.load(self.ledger.store, self.ledger.base)

    @cached_property
    def _confirmed(self) -> ReviewedNames:
        return ReviewedNames((one.form, one.name, one.language) for one in self._lessons.names)

    @cached_property
    def _names(self) -> Names:
        return Names.from_store(self.ledger.store, self.ledger.base)

    @cached_property
    def _public_names(self) -> Names:
        """Names in open records: who an open record names is never told by a closed one."""
        base = self.ledger.base
        return Names.from_store(self.ledger.store, base, (base.public,))

    def _keep(self, page: PageResult) -> list[tuple[TextVersion, str]]:
        """Keep the picture and the words files; returns each version with its file's SHA-256."""
        archive = self.ledger.archive
        if page.picture is not None:
            archive.keep(page.picture)
        return [(v, archive.keep(wordsfile.dump(v))) for v in page.versions]

    def _run_of(self, candidate: Candidate) -> str:
        """Return the key of the run of the candidate's proposer, a part of this run."""
        return self.run_of_proposer(candidate.proposer)

    def run_of_proposer(self, proposer: str) -> str:
        """Return the key of the part of this run that a proposer (``name@version``) does."""
        if proposer not in self.parts:
            name, _, version = proposer.rpartition("@")
            part = Run(
                key=key_of("extract", self.main.key, proposer),
                kind="extract",
                agent=name or proposer,
                agent_version=version if name else "",
                parameters="",
                pipeline_version=self.main.pipeline_version,
            )
            if part.is_persons:
                key = self.ledger.archive.persons_key("extract", self.main.key, part.agent)
                part = replace(part, key=key)
            self.parts[proposer] = part
        return self.parts[proposer].key

    def _proposed_late(
        self, record: Record, units: Sequence[EvidenceUnit], versions: Sequence[TextVersion]
    ) -> tuple[Sequence[Screened], tuple[Fault, ...]]:
        """Candidates of proposers that ask a service and keep its answers: in order, here."""
        if self.late is None or not units:
            return (), ()
        with self._clock("ask models"):
            found = propose_and_screen(units, versions, self.late, record, self.mapping)[0]
            return found, self.late.faults(record, units[0].page_label)

    @contextmanager
    def _clock(self, stage: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        spent = time.perf_counter() - started
        self.seconds[stage] = self.seconds.get(stage, 0.0) + spent
