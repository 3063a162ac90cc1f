"""`DescribingLine.publish_section`: some stretches of a description file, judged and committed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pyoxigraph import NamedNode, Quad, Triple

from rdfkms.access import is_open
from rdfkms.admission.declared import judge_declared
from rdfkms.admission.judged import Decided, Judged
from rdfkms.admission.judging import Gate
from rdfkms.admission.known import RivalsInSight
from rdfkms.admission.reasons import reason
from rdfkms.ingest import profiles, wordsfile
from rdfkms.ingest.describing.passages import Section
from rdfkms.knowledge import decoding
from rdfkms.knowledge.declaring import Declared, Declaring, IsPast, RefOf
from rdfkms.model import Decision, EvidenceUnit, MergeProposal, Record, Ref, Verdict
from rdfkms.pipeline.line import Line
from rdfkms.pipeline.writing import description
from rdfkms.ports import QuadReader
from rdfkms.vocab import KMS, KV, RICO, TYPE, Base

_AGENTS = ("person", "organization", "family", "party")
_UNIT, _COPY = KMS("EvidenceUnit"), RICO("Instantiation")
SCAN = "description/scan"  # which record is a scan of a unit: by rules, no file says it
TAKEN_BACK, ERASED = "takenBackByPerson", "erasedByLaw"
SAID_NO_MORE = "saidNoMore"  # the reason by which an update took a claim back


def past(store: QuadReader, base: Base) -> IsPast:
    """Return what says of a claim's key whether the claim is history.

    It was withdrawn, since a newer file said it no more or its file or run went; what a person
    took back by name is decided, and stays so.
    """

    def is_past(key: str) -> bool:
        iri = base.iri("claim", key)
        if not store.contains(Quad(iri, KMS("claimStatus"), KMS("withdrawn"), base.internal)):
            return False
        return not store.contains(Quad(iri, KMS("reason"), KV(TAKEN_BACK), base.internal))

    return is_past


@dataclass
class DescribingLine(Line):
    """The writing half of a run over description files: section after section, in order."""

    trusted: bool = True
    _compared: set[Ref] = field(default_factory=set)  # agents met in this run

    def publish_section(
        self, record: Record, section: Section, ref_of: RefOf, proposer: str, batch: str
    ) -> None:
        """Judge what a section states and commit it as one batch: all of it or nothing."""
        with self._alone():
            whole, record = record, self._as_known(record)
            refused = self._gone(
                record, section.page.key, section.page.source, f"lines {section.page.label}"
            )
            if refused is not None:
                name = next((f.name for f in whole.files if f.sha256 == section.page.source), "")
                refused = replace(refused, source=name or refused.source)
                self._write(record, (), Decided((), ()), batch, [], (refused,))
                return
            self._describe(record, section, ref_of, proposer, batch)

    def _describe(
        self, record: Record, section: Section, ref_of: RefOf, proposer: str, batch: str
    ) -> None:
        base = self.ledger.base
        with self._clock("keep"):
            words = self.ledger.archive.keep(wordsfile.dump(section.version))
        fresh = [unit for unit in section.units if not self._has("evidence", unit.key, _UNIT)]
        is_read = self._has("inst", section.page.key, _COPY)
        versions = [] if is_read else [(section.version, words)]
        described = description(record, section.page, versions, fresh, self.main.key, base)
        with self._clock("judge"):
            misfit = self._misfit(described, section.page)
        if misfit:
            self._write(record, (), Decided((), ()), batch, [], misfit)
            return
        section = self._as_stored(section, {unit.key for unit in fresh})
        with self._clock("judge"):
            said = self._said(section, ref_of, proposer)
            file = Triple(self.ledger.base.iri("record", record.key), TYPE, RICO("Record"))
            judged = tuple(self._judged(record, said, (file,)))
            decided = Decided(judged, tuple(self._of_one_identifier(judged)))
        self._write(record, section.units, decided, batch, described, ())

    def publish_said(
        self,
        record: Record,
        said: Sequence[tuple[Declared, EvidenceUnit]],
        named: Sequence[Record],
        batch: str,
    ) -> Decided:
        """Judge statements about stored passages of a record and commit them as one batch.

        `named` are the records that the statements name: open is what rests on open ones alone.
        """
        with self._alone():
            known = [self._as_known(one) for one in (record, *named)]
            closed = next((one.access for one in known if not is_open(one.access)), None)
            record = replace(known[0], access=closed or known[0].access)
            units = list({unit.key: unit for _, unit in said}.values())
            asked = [
                (one, unit)
                for one, unit in said
                if self._gone(record, unit.page, unit.source, unit.page_label) is None
            ]
            files = [Triple(self.ledger.base.iri("record", r.key), TYPE, RICO("Record"))
                     for r in known]  # fmt: skip
            decided = Decided(tuple(self._judged(record, asked, files)), ())
            self._write(record, units, decided, batch, [], ())
            return decided

    def _as_stored(self, section: Section, fresh: set[str]) -> Section:
        """Return the section with known units as the archive has them: pointers lead there."""
        store, base = self.ledger.store, self.ledger.base
        units = tuple(
            unit if unit.key in fresh else decoding.unit(store, base, unit.key)
            for unit in section.units
        )
        return replace(section, units=units)

    def _said(
        self, section: Section, ref_of: RefOf, proposer: str
    ) -> list[tuple[Declared, EvidenceUnit]]:
        is_past = past(self.ledger.store, self.ledger.base)
        run = self.run_of_proposer(proposer)
        declaring = Declaring(ref_of, self.mapping, proposer, run, is_past)
        return [
            (one, unit)
            for unit, stretch in zip(section.units, section.stretches, strict=True)
            for one in declaring.declare(stretch, unit)
        ]

    def _judged(
        self,
        record: Record,
        said: Sequence[tuple[Declared, EvidenceUnit]],
        known: Sequence[Triple],
    ) -> list[Judged]:
        store, base, open_ = self.ledger.store, self.ledger.base, is_open(record.access)
        gate = Gate(
            self.mapping, self._shapes, base, self.ledger.archive.settings.gate,
            RivalsInSight(store, base, is_open=open_),
        )  # fmt: skip
        names = self._public_names if open_ else self._names
        trusted = self.trusted and profiles.load(record.profile).trusts_descriptions
        judged = judge_declared(said, gate, names, known, trusted=trusted)
        return [self._unless_erased(one) for one in judged]

    def _unless_erased(self, one: Judged) -> Judged:
        """What was erased by law is not taken again, whichever version says it."""
        if one.claim is None:
            return one
        iri, base = self.ledger.base.iri("claim", one.claim.key), self.ledger.base
        if not self.ledger.store.contains(
            Quad(iri, KMS("withdrawalReason"), KV("erased"), base.public)
        ):
            return one
        why = (reason(ERASED),)
        return Judged(one.candidate, None, Verdict(Decision.REJECTED, "known", why))

    def _of_one_identifier(self, judged: Sequence[Judged]) -> Iterator[MergeProposal]:
        """Propose to merge agents of one identifier whose kind files tell otherwise, or not at all.

        Which file comes first must not tell who is who (law 10): a person decides.
        """
        agents = {
            ref
            for one in judged
            if one.claim is not None
            for ref in (one.claim.subject, one.claim.object)
            if ref is not None and ref.kind in _AGENTS
        }
        for ref in sorted(agents - self._compared, key=lambda one: one.path):
            self._compared.add(ref)
            for kind in _AGENTS:
                other = Ref(kind, ref.key)
                if other != ref and (other in self._compared or self._is_told(other)):
                    a, b = sorted((ref, other), key=lambda one: one.path)
                    why = reason("sameIdentifier", what=f"{a.kind}, {b.kind}")
                    yield MergeProposal(a, b, 1.0, (why,))

    def _is_told(self, ref: Ref) -> bool:
        iri, base = self.ledger.base.iri(ref.kind, ref.key), self.ledger.base
        return any(
            next(iter(self.ledger.store.match(None, KMS("claimSubject"), iri, graph)), None)
            for graph in (base.public, base.internal)
        )

    def _has(self, kind: str, key: str, cls: NamedNode) -> bool:
        base = self.ledger.base
        iri, graphs = base.iri(kind, key), (base.public, base.internal)
        return any(self.ledger.store.contains(Quad(iri, TYPE, cls, graph)) for graph in graphs)
