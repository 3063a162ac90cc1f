"""Makes what reads and proposes in one process; picklable, so that a pool can make its own."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from rdfkms import backends
from rdfkms.errors import Missing
from rdfkms.ingest import profiles
from rdfkms.ingest.reading import ReadJob
from rdfkms.knowledge import mapping as mapping_table
from rdfkms.knowledge.mapping import Mapping as Ontology
from rdfkms.knowledge.proposers import standard
from rdfkms.pipeline.proposing import Engines, Outcome, ProposersFor, read_and_propose
from rdfkms.ports import NameFinder, Proposer
from rdfkms.settings import Settings


@dataclass(frozen=True, slots=True)
class Tool:
    """The engines of one process and the mapping table."""

    engines: Engines
    mapping: Ontology


@dataclass(frozen=True, slots=True)
class ToolMaker:
    """Makes the tool of a process; `extract` is false where only units are wanted."""

    settings: Settings
    extract: bool

    def __call__(self) -> Tool:
        """Return the tool."""
        reading = self.settings.reading
        ocr = backends.load("ocr", reading.ocr)(timeout=reading.page_seconds)
        proposers: ProposersFor = deterministic if self.extract else _nobody
        return Tool(Engines(ocr, proposers), mapping_table.load())


def read_page(job: ReadJob, tool: Tool) -> Outcome:
    """Return one page, read and proposed on: what a pool runs."""
    return read_and_propose(job, tool.engines, tool.mapping)


def deterministic(profile: str, language: str) -> Sequence[Proposer]:
    """Return the proposers that a profile declares; made once in each process."""
    return _of_profile(profile)


@cache
def _of_profile(profile: str) -> tuple[Proposer, ...]:
    # Compiling patterns makes millions of small objects, and none of them is garbage: looking
    # for it would take a fifth of the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return standard.deterministic(profile, profiles.load(profile).tables, _finder)
    finally:
        if collecting:
            gc.enable()


def _nobody(profile: str, language: str) -> Sequence[Proposer]:
    return ()


def _finder(name: str, authority: Mapping[str, str]) -> NameFinder | None:
    """Return a name finder, None where it is not installed: patterns then work alone."""
    try:
        made = backends.load("names", name)
        finder: NameFinder = made(authority) if authority else made()
    except Missing:
        return None
    return finder
