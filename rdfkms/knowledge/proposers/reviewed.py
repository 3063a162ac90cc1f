"""Mentions of names that reviewers confirmed: what was decided once is found again (R82).

Only forms that can stand alone are used: a person's full name, other names of some length. A form
stands where its words do, whatever the white space between them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from rdfkms.knowledge.nameforms import is_full, is_han, normal
from rdfkms.knowledge.proposers.candidates import Quoting
from rdfkms.model import Candidate, EvidenceUnit

CONFIDENCE = 0.9
SHORTEST = 4  # characters of a form that is no person's
_SPACE = r"\s{1,8}"


class ReviewedNames:
    """Proposes confirmed names: (form, entity type, language), a language of "" for all."""

    name = "review:names"
    version = "1"
    gives_way = True

    def __init__(self, forms: Iterable[tuple[str, str, str]]) -> None:
        self._by_first: defaultdict[str, list[tuple[re.Pattern[str], str, str]]] = defaultdict(list)
        for form, type_, language in sorted(set(forms)):
            if stands_alone(form, type_):
                words = _SPACE.join(re.escape(word) for word in form.split())
                edge = "" if is_han(normal(form)) else r"(?!\w)"
                self._by_first[form[0]].append((re.compile(words + edge), type_, language))

    def __bool__(self) -> bool:
        return bool(self._by_first)

    def propose(self, unit: EvidenceUnit) -> tuple[Candidate, ...]:
        """Return mentions in order of place, the longest where several begin at one."""
        text, quoting = unit.raw.text, Quoting(unit, self.name)
        found: list[Candidate] = []
        at = 0
        while at < len(text):
            span = self._longest(text, at, unit.language)
            if span is None:
                at += 1
                continue
            end, type_ = span
            found.append(quoting.mention((at, end), type_, CONFIDENCE))
            at = end
        return tuple(found)

    def _longest(self, text: str, at: int, language: str) -> tuple[int, str] | None:
        forms = self._by_first.get(text[at])
        if not forms or (at and text[at].isalpha() and _joined(text, at)):
            return None
        ends = [
            (match.end(), type_)
            for pattern, type_, spoken in forms
            if spoken in ("", language) and (match := pattern.match(text, at))
        ]
        return max(ends, default=None)


def stands_alone(form: str, type_: str) -> bool:
    """Return whether a form names such a thing wherever it stands."""
    known = normal(form, type_)
    if type_ == "Person":
        return is_full(known)
    return len(known) >= (2 if is_han(known) else SHORTEST) and not form.islower()


def _joined(text: str, at: int) -> bool:
    """Return whether the place is within a word; Han characters stand by themselves."""
    return (text[at - 1].isalnum() or text[at - 1] == "_") and not is_han(text[at])
