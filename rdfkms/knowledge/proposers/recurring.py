"""Surnames that come again: "M. Rossel said ... Rossel went": the bare name is the person too.

A page names a person in full once and by the surname afterwards. What the patterns of a profile
found with a title, an office or a given name is looked for again, as a word, on the same page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rdfkms.knowledge.proposers.candidates import Quoting
from rdfkms.model import Candidate, EvidenceUnit, Kind
from rdfkms.ports import Proposer

CONFIDENCE = 0.75
_WORD = re.compile(r"[A-ZÀ-ÖØ-Þ][^\W\d_]{3,30}(?:-[A-ZÀ-ÖØ-Þ][^\W\d_]{1,30})?")


class RecurringNames:
    """Proposes persons by surnames that another proposer found in full on the page."""

    gives_way = True

    def __init__(self, source: Proposer, surnames: frozenset[str] = frozenset()) -> None:
        self._source = source
        self._surnames = surnames
        self.name = "recurring"
        self.version = source.version

    def for_units(self, units: Sequence[EvidenceUnit]) -> RecurringNames:
        """Return this proposer knowing the surnames of the page."""
        persons: set[str] = set()
        others: set[str] = set()
        for unit in units:
            for candidate in self._source.propose(unit):
                if candidate.kind is Kind.MENTION:
                    words = _WORD.findall(_head(candidate.quote))
                    (persons if candidate.name == "Person" else others).update(words[-1:])
        return RecurringNames(self._source, frozenset(persons - others))

    def propose(self, unit: EvidenceUnit) -> tuple[Candidate, ...]:
        """Return a mention for each place where a surname of the page stands alone."""
        quoting = Quoting(unit, self.name)
        return tuple(quoting.mention(span, "Person", CONFIDENCE) for span in self._places(unit))

    def _places(self, unit: EvidenceUnit) -> Iterator[tuple[int, int]]:
        for match in _WORD.finditer(unit.raw.text):
            stem = match[0][:-1] if match[0].endswith("s") else match[0]
            if match[0] in self._surnames or stem in self._surnames:  # "Kollers": of Koller
                yield match.span()


def _head(name: str) -> str:
    """Return a mention up to its first comma: what follows says what the person is."""
    return name.partition(",")[0]
