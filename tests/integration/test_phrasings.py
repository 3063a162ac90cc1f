"""What the patterns of each genre find in sentences of our own, after screening and verification.

The sentences stand in `tests/golden/phrasings/<genre>.toml`. Each fact that a case lists must be
admitted by the deterministic gate; what it lists under `not` must never be, only quarantined.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rdfkms.admission import screening, verification
from rdfkms.ingest import profiles
from rdfkms.knowledge import mapping
from rdfkms.knowledge.extraction import propose
from rdfkms.knowledge.proposers import rules
from rdfkms.knowledge.proposers.patterns import PatternProposer
from rdfkms.model import Candidate, EvidenceUnit, Kind, Modality, UnitText, View

FOLDER = Path(__file__).parent.parent / "golden" / "phrasings"
# Share of the listed facts of a genre that must be found: some phrasings are kept that no rule
# reads yet, so that what is missing stays in sight.
LEAST = {"court-martial": 0.95, "newspaper": 0.95, "annals": 0.95, "register": 0.95}

Fact = tuple[str, str, str]


@cache
def proposer(profile: str, issued: str) -> PatternProposer:
    book = rules.compile_rules(profile, profiles.load(profile).tables)
    return PatternProposer(book, date.fromisoformat(issued) if issued else None)


def cases(genre: str) -> Iterator[tuple[EvidenceUnit, PatternProposer, set[Fact], set[Fact]]]:
    table: dict[str, Any] = tomllib.loads((FOLDER / f"{genre}.toml").read_text(encoding="utf-8"))
    ready = proposer(table["profile"], table.get("issued", ""))
    for at, case in enumerate(table["case"]):
        language = case.get("language", table["language"])
        text = case["text"]
        raw = UnitText(f"t{at}", f"u{at}", "v1", View.RAW, text, 0, len(text), language)
        unit = EvidenceUnit(
            f"u{at}", "r1", "s1", "p1", at, Modality.DOCUMENT, language, "1", 1, (raw,), ()
        )
        facts = {fact(line) for line in case.get("facts", ())}
        yield unit, ready, facts, {fact(line) for line in case.get("not", ())}


def fact(line: str) -> Fact:
    name, said = line.split(":", 1)
    subject, thing = said.split(">", 1)
    return name.strip(), subject.strip(), thing.strip()


def admitted(unit: EvidenceUnit, ready: PatternProposer) -> set[Fact]:
    """Return what is admitted; symmetric statements from both ends, events without a trigger."""
    known = mapping.load()
    found: set[Fact] = set()
    for candidate in propose(unit, [ready]):
        screened, refused = screening.screen(candidate, unit, known)
        if refused is None and verification.supports(screened, unit):
            found |= set(_told(screened, known))
    return found


def _told(candidate: Candidate, known: mapping.Mapping) -> Iterator[Fact]:
    if candidate.kind is Kind.MENTION:
        return
    if candidate.kind is Kind.EVENT:
        yield candidate.name, "", ""
        return
    subject = _line(candidate.subject.surface) if candidate.subject else ""
    ends = [_line(candidate.object.surface)] if candidate.object else []
    if candidate.value:
        ends += [candidate.value.lexical, _line(candidate.value.verbatim)]
    for end in ends:
        yield candidate.name, subject, end
        if candidate.object and known.statement(candidate.name).symmetric:
            yield candidate.name, end, subject


def _line(surface: str) -> str:
    return " ".join(surface.split())


@pytest.mark.parametrize("genre", sorted(LEAST))
def test_facts_are_found_in_many_phrasings(genre: str) -> None:
    listed, missed = 0, []
    for unit, ready, facts, _ in cases(genre):
        found = admitted(unit, ready) if facts else set()
        listed += len(facts)
        missed += [f"{fact} in: {unit.raw.text}" for fact in sorted(facts - found)]
    assert listed - len(missed) >= LEAST[genre] * listed, "\n".join(missed)


@pytest.mark.parametrize("genre", sorted(LEAST))
def test_rumours_denials_and_conditions_are_not_admitted(genre: str) -> None:
    for unit, ready, _, refused in cases(genre):
        if refused:
            assert not refused & admitted(unit, ready), unit.raw.text
