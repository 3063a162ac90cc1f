"""Whether a cue says the statement of these two ends, and this way round (R72).

A cue with an order ("hijo de": object, cue, subject) must stand so with the ends. And it must reach
its end: no cue of a rival statement may stand between them, nor right before a name that the cue
only follows ("natural de Castrovil y *vecina de* Peñarrasa" says no birthplace of Peñarrasa). Which
statements are rivals stands in ``ingest/lexicons/rival-cues.tsv``.
"""

from __future__ import annotations

from contextlib import suppress
from enum import Enum
from functools import cache
from itertools import pairwise

from rdfkms.admission import cues, particulars
from rdfkms.admission.cues import Cue, Marked
from rdfkms.errors import Misconfigured
from rdfkms.knowledge import lexicons
from rdfkms.model import Anchor, Candidate

# In a name of these types a cue is part of the name: 公子衡 is nobody's son by that.
NAMES = ("Person", "Location")
OCCUPATION, OFFICE = "occupation", "OfficeHolding"
KIN = ("Kinship/child", "Kinship/spouse", "Kinship/sibling", "Kinship/other")
BESIDE = 6  # characters between a cue and the name that it stands right before


class Fit(Enum):
    """How the cues of a quote stand with the ends; the better last."""

    NONE = 0
    OTHER_WAY = 1
    OTHER_END = 2
    GOOD = 3


def fit(candidate: Candidate, marked: Marked, language: str, start: int, end: int) -> Fit:
    """Return how well the best cue within the raw span fits the statement."""
    best = Fit.NONE
    for cue in cues.found(marked, candidate.name, language, start, end):
        if _within_name(candidate, cue):
            continue
        best = max(best, _fit(candidate, marked, language, cue), key=lambda one: one.value)
        if best is Fit.GOOD:
            break
    return best


def _within_name(candidate: Candidate, cue: Cue) -> bool:
    ends = (candidate.subject, candidate.object)
    return any(
        e is not None and e.type in NAMES and e.start <= cue.start and cue.end <= e.end
        for e in ends
    )


def _fit(candidate: Candidate, marked: Marked, language: str, cue: Cue) -> Fit:
    places = {"s": _at(candidate.subject), "o": _at(candidate.object), "c": (cue.start, cue.end)}
    told = [place for letter in cue.order if (place := places[letter]) is not None]
    if any(a[0] >= b[0] for a, b in pairwise(told)):
        return Fit.OTHER_WAY
    if (
        candidate.name == OFFICE
        and cues.rules(language).spaces
        and not _installs(candidate, marked, language, cue)
    ):
        return Fit.NONE
    governed = candidate.subject if cue.order.endswith("s") else candidate.object
    if governed is not None and _taken(candidate.name, governed, marked, language, cue):
        return Fit.OTHER_END
    return Fit.GOOD


def _installs(candidate: Candidate, marked: Marked, language: str, cue: Cue) -> bool:
    title, subject = candidate.object, candidate.subject
    if title is None or subject is None:
        return False
    return particulars.installs(marked, cue.end, title.start, subject.start, language[:2])


def _at(anchor: Anchor | None) -> tuple[int, int] | None:
    return None if anchor is None else (anchor.start, anchor.end)


def _taken(name: str, end: Anchor, marked: Marked, language: str, cue: Cue) -> bool:
    """Return whether a cue of a rival statement has the end: it stands between, or right before."""
    rivals = _rivals().get(name, ())
    if cue.end <= end.start:
        return any(_stands(marked, rival, language, cue.end, end.start) for rival in rivals)
    return any(
        _stands(marked, rival, language, max(0, end.start - 24), end.start, near=end.start)
        for rival in rivals
    )


def _stands(
    marked: Marked, rival: str, language: str, start: int, end: int, near: int | None = None
) -> bool:
    found = cues.found(marked, rival, language, start, end)
    return any(near is None or near - cue.end <= BESIDE for cue in found)


@cache
def _rivals() -> dict[str, tuple[str, ...]]:
    groups = [row[0].split() for row in lexicons.rows("rival-cues")]
    names = {name for group in groups for name in group}
    return {
        name: tuple(
            dict.fromkeys(r for group in groups if name in group for r in group if r != name)
        )
        for name in names
    }


def is_own_cue(candidate: Candidate, marked: Marked, language: str) -> bool:
    """Return whether a trade or office says by itself what it is, and of whom.

    "molinero" is an occupation; it is that of the person beside whose name it stands ("Juan Pérez,
    molinero", "el molinero Juan Pérez", "Juan Pérez, de treinta años, casado, molinero"), unless
    that name stands there for another's kin.
    """
    subject, value, title = candidate.subject, candidate.value, candidate.object
    if candidate.name == OCCUPATION and value is not None:
        told = value.verbatim or value.lexical
    elif candidate.name == OFFICE and title is not None:
        told = title.surface
    else:
        return False
    words = cues.folded(told).split()
    if subject is None or not words or words[0] not in _trades(language[:2]):
        return False
    beside = particulars.told_after(marked, (subject.start, subject.end), told, language)
    if not beside and not particulars.told_before(marked, subject.start, told, language):
        return False
    return not any(
        subject.start - cue.end <= BESIDE
        for kin in KIN
        for cue in cues.found(marked, kin, language, max(0, subject.start - 40), subject.start)
    )


@cache
def _trades(language: str) -> frozenset[str]:
    found: set[str] = set()
    for name in (f"occupations.{language}", f"offices.{language}"):
        with suppress(Misconfigured):  # a language without such a list
            found.update(cues.folded(word) for word in lexicons.words(name))
    return frozenset((*found, *particulars.titles(language)))
