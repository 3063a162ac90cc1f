"""Roles of events that no word names: where what fills them stands beside the trigger (R50, R72).

Classical Chinese says time, people and place by their order and has no other means. So for the
roles `OPEN` the place decides, once the event itself is supported: filler and trigger in one
sentence, no trigger of another event between them where the role does not reach across, and for
each role

time         a date in words; before the trigger it holds over the end of a sentence, as in annals
location     right before the trigger, or behind it after a word of place or at once
participant  beside the trigger
outcome      behind the trigger, at most `FOLLOWS` characters

Where words have spaces order says little: there a filler must follow its trigger with nothing but
a few prepositions and articles between ("founded in 1852", "fundada por el obispo"), or open the
clause of the trigger as its subject, or be the place and day at the head of a session
(`admission.particulars`).

What hedges or denies the trigger, the filler or what stands between them counts against the role:
`stands` gives the whole stretch for that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from rdfkms.admission import cues, particulars
from rdfkms.admission.cues import HAN, Marked
from rdfkms.knowledge import dates, eras, lexicons
from rdfkms.model import Candidate, Kind

Span = tuple[int, int]

OPEN = ("time", "location", "participant", "outcome")
# Characters that may lie between trigger and filler.
DATE_HOLDS, FOLLOWS = 60, 40
NEAR_HAN, PLACE_HAN = 40, 12
MOST_LINKS = 5  # words between trigger and filler where words have spaces
_PLACED = re.compile(r"(?:[于於至自在入往赴屯向次]|及)[^。！？；]{0,2}\Z")
# What dates by the day, the month and the year are known by.
_LEVELS = (
    re.compile(f"(?:{eras.PAIR})|[朔望晦]|[一二三四五六七八九十]日|[是翌明次其]日"),
    re.compile("(?:[正一二三四五六七八九十臘腊閏闰]|[是其])月"),
    re.compile("[元一二三四五六七八九十明是其][年歲岁]"),
)
_STOPS = re.compile(r"[。！？；]")
_COMMAS = re.compile(r"[，、：]")


@dataclass(frozen=True, slots=True)
class Triggers:
    """Spans of triggers in a passage: of the event of an argument, and of all other events."""

    own: tuple[Span, ...] = ()
    others: tuple[Span, ...] = ()


NO_TRIGGERS = Triggers()


def stands(candidate: Candidate, marked: Marked, language: str, triggers: Triggers) -> Span | None:
    """Return the stretch of trigger and filler where the filler stands as its role asks."""
    if candidate.kind is not Kind.ARGUMENT or candidate.name not in OPEN:
        return None
    han = cues.rules(language).language == HAN
    check: Callable[[_Pair, str], bool] = _CHECKS[candidate.name]
    for trigger in triggers.own:
        found = filler(candidate, marked.text, trigger)
        if found is None or (found[0] < trigger[1] and trigger[0] < found[1]):
            continue
        if not _quoted(candidate, trigger):
            continue
        pair = _Pair(found, trigger, marked, triggers.others)
        words = marked.text[slice(*found)]
        if candidate.name == "time" and not dates.is_date(words, language):
            continue
        if check(pair, words) if han else _told(pair, candidate.name, language):
            return min(found[0], trigger[0]), max(found[1], trigger[1])
    return None


def _told(pair: _Pair, role: str, language: str) -> bool:
    """Return whether the order says the role where words have spaces."""
    if not pair.before:
        return _follows(pair, language)
    if not pair.alone:
        return False
    verb = pair.trigger[0]
    if role == "participant":
        return particulars.leads(pair.marked, pair.filler, verb, language)
    return particulars.heads(pair.marked, pair.filler, verb, role, language)


def _follows(pair: _Pair, language: str) -> bool:
    """Return whether nothing but prepositions and articles lies between trigger and filler."""
    gap = particulars.without_honorifics(pair.gap)
    words = re.findall(r"[^\W\d_]+'?|\S", gap.lower().replace("’", "'"))
    known = _links(language.lower().partition("-")[0])
    return len(words) <= MOST_LINKS and all(w in known for w in words)


@cache
def _links(language: str) -> frozenset[str]:
    return frozenset(row[0] for row in lexicons.rows("role-links") if row[1] == language)


@dataclass(frozen=True, slots=True)
class _Pair:
    filler: Span
    trigger: Span
    marked: Marked
    others: tuple[Span, ...]

    @property
    def before(self) -> bool:
        return self.filler[1] <= self.trigger[0]

    @property
    def gap(self) -> str:
        first, second = sorted((self.filler, self.trigger))
        return self.marked.text[first[1] : second[0]]

    @property
    def together(self) -> bool:
        """Whether both stand in one sentence."""
        return _STOPS.search(self.gap) is None

    @property
    def alone(self) -> bool:
        """Whether no trigger of another event stands between them."""
        first, second = sorted((self.filler, self.trigger))
        return not any(first[1] <= s and e <= second[0] for s, e in self.others)


def _time(pair: _Pair, words: str) -> bool:
    if pair.before:
        return len(pair.gap) <= DATE_HOLDS and not _dated_anew(words, pair.gap)
    return pair.together and len(pair.gap) <= DATE_HOLDS and pair.alone


def _dated_anew(date: str, gap: str) -> bool:
    """Return whether the words behind a date give another one that is as exact, or less so."""
    finest = next((n for n, level in enumerate(_LEVELS) if level.search(date)), len(_LEVELS))
    return any(level.search(gap) for level in _LEVELS[finest:])


def _location(pair: _Pair, words: str) -> bool:
    if not pair.together or not pair.alone:
        return False
    if pair.before:
        return len(pair.gap) <= PLACE_HAN and _COMMAS.search(pair.gap) is None
    return len(pair.gap) <= 1 or (len(pair.gap) <= PLACE_HAN and bool(_PLACED.search(pair.gap)))


def _participant(pair: _Pair, words: str) -> bool:
    """An agent may be shared by the clauses that follow; what is acted on stands close behind."""
    if not pair.together:
        return False
    if pair.before:
        return pair.alone and len(pair.gap) <= NEAR_HAN
    return pair.alone and len(pair.gap) <= PLACE_HAN


def _outcome(pair: _Pair, words: str) -> bool:
    return not pair.before and pair.alone and len(pair.gap) <= FOLLOWS


_CHECKS: dict[str, Callable[[_Pair, str], bool]] = {
    "time": _time,
    "location": _location,
    "participant": _participant,
    "outcome": _outcome,
}


def filler(candidate: Candidate, text: str, trigger: Span) -> Span | None:
    """Return where the filler stands; of several places of a value, the one nearest the trigger."""
    if candidate.object is not None:
        return candidate.object.start, candidate.object.end
    if candidate.value is None or candidate.start is None or candidate.end is None:
        return None
    words = (candidate.value.verbatim or candidate.value.lexical).split()
    if not words:
        return None
    between = r"\s*" if len(words) == 1 else r"\s+"
    pattern = re.compile(between.join(map(re.escape, words)))
    if len(words) == 1 and len(words[0]) <= SHORT_VALUE:
        pattern = re.compile(r"\s*".join(map(re.escape, words[0])))
    found = [m.span() for m in pattern.finditer(text, candidate.start, candidate.end)]
    return min(found, key=lambda s: max(s[0] - trigger[1], trigger[0] - s[1]), default=None)


SHORT_VALUE = 60  # characters of a value without spaces that may be broken over lines


def _quoted(candidate: Candidate, trigger: Span) -> bool:
    start, end = candidate.start or 0, candidate.end or 0
    return start <= trigger[0] and trigger[1] <= end
