"""`DescribingLine.publish_section`: some stretches of a description file, judged and committed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pyoxigraph import Quad, Triple

from rdfkms.access import is_open
from rdfkms.admission.declared import judge_declared
from rdfkms.admission.judged import Decided, Judged
from rdfkms.admission.judging import Gate
from rdfkms.admission.known import RivalsInSight
from rdfkms.ingest import wordsfile
from rdfkms.ingest.describing.passages import Section
from rdfkms.knowledge.declaring import Declared, declare
from rdfkms.model import EvidenceUnit, Record, Ref, Thing
from rdfkms.pipeline.line import Line
from rdfkms.pipeline.writing import description
from rdfkms.vocab import KMS, RICO, TYPE

RefOf = Callable[[Thing], Ref]


@dataclass
class DescribingLine(Line):
    """The writing half of a run over description files: section after section, in order."""

    trusted: bool = True

    def publish_section(
        self, record: Record, section: Section, ref_of: RefOf, proposer: str, batch: str
    ) -> None:
        """Judge what a section states and commit it as one batch: all of it or nothing."""
        with self._alone():
            record = self._as_known(record)
            refused = self._gone(
                record, section.page.key, section.page.source, f"lines {section.page.label}"
            )
            if refused is not None:
                self._write(record, (), Decided((), ()), batch, [], (refused,))
                return
            self._describe(record, section, ref_of, proposer, batch)

    def _describe(
        self, record: Record, section: Section, ref_of: RefOf, proposer: str, batch: str
    ) -> None:
        base = self.ledger.base
        with self._clock("keep"):
            words = self.ledger.archive.keep(wordsfile.dump(section.version))
        fresh = [unit for unit in section.units if not self._is_there(unit)]
        described = description(
            record, section.page, [(section.version, words)], fresh, self.main.key, base
        )
        with self._clock("judge"):
            misfit = self._misfit(described, section.page)
        if misfit:
            self._write(record, (), Decided((), ()), batch, [], misfit)
            return
        with self._clock("judge"):
            said = self._said(section, ref_of, proposer)
            decided = Decided(tuple(self._judged(record, said)), ())
        self._write(record, section.units, decided, batch, described, ())

    def _said(
        self, section: Section, ref_of: RefOf, proposer: str
    ) -> list[tuple[Declared, EvidenceUnit]]:
        run = self.run_of_proposer(proposer)
        return [
            (one, unit)
            for unit, stretch in zip(section.units, section.stretches, strict=True)
            for one in declare(stretch, unit, ref_of, self.mapping, proposer, run)
        ]

    def _judged(
        self, record: Record, said: Sequence[tuple[Declared, EvidenceUnit]]
    ) -> list[Judged]:
        store, base, open_ = self.ledger.store, self.ledger.base, is_open(record.access)
        gate = Gate(
            self.mapping, self._shapes, base, self.ledger.archive.settings.gate,
            RivalsInSight(store, base, is_open=open_),
        )  # fmt: skip
        names = self._public_names if open_ else self._names
        file = Triple(base.iri("record", record.key), TYPE, RICO("Record"))
        return judge_declared(said, gate, names, (file,), trusted=self.trusted)

    def _is_there(self, unit: EvidenceUnit) -> bool:
        iri, base = self.ledger.base.iri("evidence", unit.key), self.ledger.base
        kind = KMS("EvidenceUnit")
        return any(
            self.ledger.store.contains(Quad(iri, TYPE, kind, graph))
            for graph in (base.public, base.internal)
        )
