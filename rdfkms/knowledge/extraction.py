"""Extraction: candidates of all proposers about a unit, each content once, in a fixed order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

from rdfkms.knowledge.proposers.candidates import content_key
from rdfkms.model import Candidate, EvidenceUnit, Kind
from rdfkms.ports import Proposer

_ORDER = {kind: at for at, kind in enumerate(Kind)}


@runtime_checkable
class PageAware(Protocol):
    """A proposer that learns something from the whole page, such as its date of issue."""

    def for_units(self, units: Sequence[EvidenceUnit]) -> Proposer:
        """Return the proposer to use for these units."""
        ...


def propose_page(
    units: Sequence[EvidenceUnit], proposers: Sequence[Proposer]
) -> dict[str, tuple[Candidate, ...]]:
    """Return the candidates of each unit of one page, by unit key, in order of the units."""
    ready = [p.for_units(units) if isinstance(p, PageAware) else p for p in proposers]
    return {unit.key: propose(unit, ready) for unit in units}


def propose(unit: EvidenceUnit, proposers: Sequence[Proposer]) -> tuple[Candidate, ...]:
    """Return what the proposers find in the unit: deduplicated, sorted, deterministic.

    The same content from two proposers is one candidate: the surer one, the other named in its
    note. A proposer that `gives_way` (name finders) keeps silent about a stretch in which an
    earlier one saw a mention, so that one stretch of text is not two entities.
    """
    chosen: dict[str, Candidate] = {}
    taken: list[tuple[int, int]] = []
    for proposer in proposers:
        mine = proposer.propose(unit)
        if getattr(proposer, "gives_way", False):
            mine = tuple(c for c in mine if content_key(c) in chosen or not _overlaps(c, taken))
        for candidate in mine:
            key = content_key(candidate)
            chosen[key] = _surer(chosen[key], candidate) if key in chosen else candidate
        taken += [span for span in map(placed_mention, mine) if span is not None]
    return tuple(sorted(chosen.values(), key=_place))


def placed_mention(candidate: Candidate) -> tuple[int, int] | None:
    """Return the span of a mention that says where it stands, None for anything else."""
    if candidate.kind is not Kind.MENTION or candidate.start is None or candidate.end is None:
        return None
    return candidate.start, candidate.end


def _overlaps(candidate: Candidate, taken: Sequence[tuple[int, int]]) -> bool:
    span = placed_mention(candidate)
    return span is not None and any(s < span[1] and span[0] < e for s, e in taken)


def _surer(first: Candidate, second: Candidate) -> Candidate:
    best, other = (second, first) if second.confidence > first.confidence else (first, second)
    if best.proposer == other.proposer:
        return best
    return replace(best, note=f"{best.note} also proposed by {other.proposer}".strip())


def _place(candidate: Candidate) -> tuple[int, int, int, str, str]:
    start = candidate.start if candidate.start is not None else 1 << 60
    return _ORDER[candidate.kind], start, candidate.end or 0, candidate.name, candidate.key
