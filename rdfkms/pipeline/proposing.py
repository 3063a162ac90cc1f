"""The pure half of the line: from the picture of a page to screened candidates."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rdfkms.admission.doubt import noted
from rdfkms.admission.screening import screen
from rdfkms.ingest import profiles
from rdfkms.ingest.reading import PageResult, ReadJob, read_source
from rdfkms.knowledge.extraction import propose_page
from rdfkms.knowledge.mapping import Mapping as Table
from rdfkms.model import Candidate, EvidenceUnit, Record, TextVersion, Verdict
from rdfkms.ports import OcrEngine, Proposer

Screened = tuple[Candidate, Verdict | None]
ProposersFor = Callable[[str, str], Sequence[Proposer]]  # profile name, language


@dataclass(frozen=True, slots=True)
class Engines:
    """What reads and proposes in one process."""

    ocr: OcrEngine
    proposers: ProposersFor


@dataclass(frozen=True, slots=True)
class Outcome:
    """One page after the pure half: what was read, and candidates that were screened."""

    page: PageResult
    screened: tuple[Screened, ...]
    seconds: dict[str, float]


def read_and_propose(job: ReadJob, engines: Engines, mapping: Table) -> Outcome:
    """Return a page's passages and its screened candidates: the pure half of the line."""
    page = read_source(job, engines.ocr)
    screened, seconds = propose_and_screen(
        page.units, page.versions, engines.proposers, job.record, mapping
    )
    return Outcome(page, screened, {**page.seconds, **seconds})


def propose_and_screen(
    units: Sequence[EvidenceUnit],
    versions: Sequence[TextVersion],
    proposers: ProposersFor,
    record: Record,
    mapping: Table,
) -> tuple[tuple[Screened, ...], dict[str, float]]:
    """Return the screened candidates about the units of one page, and the seconds it took.

    `versions` are the readings of the page: they tell how surely each word was read.
    """
    started = time.perf_counter()
    found = propose_page(units, proposers(record.profile, record.language)) if units else {}
    proposed = time.perf_counter()
    by_key = {unit.key: unit for unit in units}
    least = profiles.load(record.profile).low_confidence
    screened = tuple(
        (noted(candidate, by_key[key], versions, least) if refused is None else candidate, refused)
        for key, candidates in found.items()
        for candidate, refused in (screen(one, by_key[key], mapping) for one in candidates)
    )
    ended = time.perf_counter()
    return screened, {"propose": proposed - started, "screen": ended - proposed}
