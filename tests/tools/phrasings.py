"""Reads the phrasings of `tests/golden/phrasings/*.toml` and tells what the patterns find in them.

    python -m tests.tools.phrasings FILE... [--misses]

prints precision and recall of each file against the facts it lists; with ``--misses`` also what
was missed and what was admitted beyond the list.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from rdfkms.admission import screening, verification
from rdfkms.ingest import profiles
from rdfkms.knowledge import mapping
from rdfkms.knowledge.extraction import propose_page
from rdfkms.knowledge.proposers import rules
from rdfkms.knowledge.proposers.patterns import PatternProposer
from rdfkms.model import Candidate, EvidenceUnit, Kind, Label, Modality, UnitText, View

Fact = tuple[str, str, str]


@dataclass(frozen=True)
class Case:
    """One passage or page: its units, who reads them, what must and what must not be admitted."""

    units: tuple[EvidenceUnit, ...]
    ready: PatternProposer
    whole: bool
    facts: frozenset[Fact]
    refused: frozenset[Fact]

    @property
    def text(self) -> str:
        return "\n\n".join(unit.raw.text for unit in self.units)


@cache
def book(profile: str) -> rules.RuleBook:
    return rules.compile_rules(profile, profiles.load(profile).tables)


def cases(path: Path) -> Iterator[Case]:
    """Yield the cases of a file; where it gives whole pages, a blank line parts two units."""
    table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    whole = table.get("whole_pages", False)
    for at, case in enumerate(table["case"]):
        language = case.get("language", table["language"])
        issued = case.get("issued", table.get("issued", ""))
        reader = PatternProposer(
            book(table["profile"]), date.fromisoformat(issued) if issued else None
        )
        texts = re.split(r"\n\s*\n", case["text"].strip()) if whole else [case["text"]]
        units = tuple(_unit(f"u{at}-{i}", at, text, language) for i, text in enumerate(texts))
        yield Case(
            units,
            reader,
            whole,
            frozenset(map(fact, case.get("facts", ()))),
            frozenset(map(fact, case.get("not", ()))),
        )


def _unit(key: str, at: int, text: str, language: str) -> EvidenceUnit:
    raw = UnitText(f"t-{key}", key, "v1", View.RAW, text, 0, len(text), language)
    return EvidenceUnit(
        key, f"r{at}", "s1", "p1", at, Modality.DOCUMENT, language, "1", 1, (raw,), ()
    )


def fact(line: str) -> Fact:
    name, said = line.split(":", 1)
    subject, thing = said.split(">", 1)
    return name.strip(), subject.strip(), thing.strip()


def admitted(case: Case) -> set[Fact]:
    """Return what is admitted of a case, in every form in which it may be listed."""
    return {line for group in told(case) for line in group}


def told(case: Case) -> list[set[Fact]]:
    """Return the forms of each admitted statement; symmetric ones are told from both ends.

    Of whole pages an argument counts only where its event is admitted too.
    """
    known = mapping.load()
    proposed = propose_page(case.units, [case.ready])
    passed = []
    for unit in case.units:
        for candidate in proposed[unit.key]:
            screened, refused = screening.screen(candidate, unit, known)
            if refused is None and verification.verify(screened, unit).label is Label.SUPPORTED:
                passed.append(screened)
    events = {candidate.group for candidate in passed if candidate.kind is Kind.EVENT}
    lines: dict[tuple[Fact, ...], None] = {}
    for candidate in passed:
        if candidate.kind is not Kind.ARGUMENT or candidate.group in events or not case.whole:
            lines[tuple(_told(candidate, known))] = None
    return [set(group) for group in lines if group]


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


@dataclass
class Score:
    """What was admitted, what of it is listed, what is listed; lines for a reader."""

    admitted: int = 0
    right: int = 0
    listed: int = 0
    found: int = 0

    def line(self) -> str:
        precision = self.right / self.admitted if self.admitted else 0.0
        recall = self.found / self.listed if self.listed else 0.0
        return (
            f"P {precision:.3f} R {recall:.3f} ({self.right}/{self.admitted} admitted right, "
            f"{self.found}/{self.listed} found)"
        )


def score(path: Path, misses: bool) -> Score:
    """Return the score of one file; a candidate told in several forms counts once."""
    total = Score()
    for case in cases(path):
        groups = told(case)
        found = {line for group in groups for line in group}
        beyond = [group for group in groups if not group & case.facts]
        total.admitted += len(groups)
        total.right += len(groups) - len(beyond)
        total.listed += len(case.facts)
        total.found += len(case.facts & found)
        if misses and (case.facts - found or beyond):
            print(f"\n----\n{case.text}")
            print(*(f"  MISSED {line}" for line in sorted(case.facts - found)), sep="\n")
            print(*(f"  BEYOND {sorted(g)[0]}" for g in beyond), sep="\n")
            print(*(f"  REFUSED BUT ADMITTED {f}" for f in case.refused & found), sep="\n")
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    for path in options.files:
        print(f"{path.stem}: {score(path, options.misses).line()}")


if __name__ == "__main__":
    main()
