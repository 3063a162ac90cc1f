"""The deterministic proposers of a profile: patterns first, then names that the patterns missed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rdfkms.knowledge.proposers import names, rules, triggers
from rdfkms.knowledge.proposers.patterns import PatternProposer
from rdfkms.knowledge.proposers.recurring import RecurringNames
from rdfkms.ports import NameFinder, Proposer


def deterministic(
    profile: str,
    tables: Mapping[str, Any],
    make_finder: Callable[[str, Mapping[str, str]], NameFinder | None],
) -> tuple[Proposer, ...]:
    """Return the proposers that a profile's raw tables ask for; () where it has none.

    Compiling the patterns takes about a second: keep the result. `make_finder` as in
    `names.from_table`. Raises `Misconfigured`.
    """
    found: list[Proposer] = []
    if tables.get("patterns"):
        patterns = PatternProposer(rules.compile_rules(profile, tables))
        found.append(patterns)
        if names.table_of(profile, tables).recurring:
            found.append(RecurringNames(patterns))
    by_words = triggers.from_table(profile, tables)
    if by_words is not None:
        found.append(by_words)
    finder = names.from_table(profile, tables, make_finder)
    return (*found, finder) if finder else tuple(found)
