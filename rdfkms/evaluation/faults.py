"""Makes false proposals from sound ones, mechanically: what a bad proposer would say (R70, R145).

Nothing here is shared with the verifier: no word list, no rule, no judgement of its own. A fault is
false by the way it is made. Each maker returns what it can make of a material, and the caller draws
from that; what cannot be made of a corpus (ends of a name) is not made. What is put into claims
and passages stands in ``ingest/evaluation/faults.toml``.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from rdfkms.evaluation import corpora
from rdfkms.evaluation.corpora import Document, Passage
from rdfkms.evaluation.gold import SOUND, Made, Material, changed, moved
from rdfkms.evaluation.tools import plan
from rdfkms.knowledge.mapping import Mapping as Table
from rdfkms.model import Anchor, Candidate, EvidenceUnit, Kind, Value

MISCITED = ("wrong unit", "altered quote", "reversed ends", "leaked example", "unknown type")
HEARSAY = {"hearsay": "hearsay as fact", "fresh": "fresh hearsay as fact"}  # words, fault
OVERREACHING = ("unstated date", "stronger claim", *HEARSAY.values(), "denial as fact")
# What need not be false: reported apart, and in no rate.
APART = ("other event",)

YEARS = range(1401, 1995, 7)

Maker = Callable[[Material, Table, random.Random], Iterator[Made]]


def _words(name: str) -> Any:
    return plan("faults")[name]


def make(
    material: Material, table: Table, most: int, seed: int
) -> tuple[list[Made], tuple[Passage, ...]]:
    """Return up to `most` faults of each kind, and passages that were written for some of them."""
    faults: list[Made] = []
    for number, maker in enumerate(MAKERS):
        drawn = random.Random(seed + number)
        made = list({one.candidate.key: one for one in maker(material, table, drawn)}.values())
        drawn.shuffle(made)
        faults += made[:most]
    passages: list[Passage] = []
    for number, words in enumerate(HEARSAY, len(MAKERS)):
        told, written = _hearsay(material, words, random.Random(seed + number), most)
        faults += told
        passages += written
    return [*faults, *material.rumours], tuple(passages)


# ---- where the words are wrong -----------------------------------------------------------------


def wrong_unit(material: Material, table: Table, drawn: random.Random) -> Iterator[Made]:
    """Yield claims that name one passage and quote another, in turn on either side."""
    units = [passage.unit for passage in material.passages]
    for number, one in enumerate(material.sound):
        others = [u for u in drawn.sample(units, min(12, len(units))) if u.key != one.asked]
        other = next((u for u in others if not _stands(one.candidate.quote, u)), None)
        if other is None:
            continue
        if number % 2:  # asked about the other passage, answered with words of this one
            told = changed(one.candidate, unit=other.key)
            yield Made(told, other.key, "wrong unit", False)
        else:  # asked about this passage, names the other one
            yield Made(changed(one.candidate, unit=other.key), one.asked, "wrong unit", False)


def _stands(words: str, unit: EvidenceUnit) -> bool:
    return "".join(words.split()) in "".join(unit.raw.text.split())


def altered_quote(material: Material, table: Table, drawn: random.Random) -> Iterator[Made]:
    """Yield claims whose quote differs from the passage in a letter or a word."""
    texts = {passage.unit.key: passage.unit for passage in material.passages}
    for one in material.sound:
        quote = one.candidate.quote
        letters = [at for at, c in enumerate(quote) if c.isalnum()]
        if not letters:
            continue
        at = drawn.choice(letters)
        other = chr(ord(quote[at]) + drawn.choice((1, 2)))
        words = quote[:at] + other + quote[at + 1 :]
        if drawn.random() < 0.4 and len(quote) > 8:  # a stretch is left out
            cut = drawn.randrange(2, len(quote) - 4)
            words = quote[:cut] + quote[cut + 2 :]
        if other.isalnum() and not _stands(words, texts[one.asked]):
            yield Made(changed(one.candidate, quote=words), one.asked, "altered quote", False)


def leaked_example(material: Material, table: Table, drawn: random.Random) -> Iterator[Made]:
    """Yield names and statements of a prompt's example, told of a passage of the archive."""
    for passage in material.passages:
        words, type_ = drawn.choice(_words("leaked"))
        length = len(passage.unit.raw.text)
        at = drawn.randrange(max(1, length - len(words)))
        end = min(length, at + len(words))
        anchor = Anchor(at, end, words, type_)
        for start, stop in ((None, None), (at, end)):
            told = Candidate(
                "", Kind.MENTION, passage.unit.key, type_, words, start, stop,
                subject=anchor, proposer="annotation",
            )  # fmt: skip
            yield Made(changed(told), passage.unit.key, "leaked example", False)
        standing = Anchor(at, end, passage.unit.raw.text[at:end], "Person")
        told = Candidate(
            "", Kind.ATTRIBUTE, passage.unit.key, "age", "Odo Varn, aged forty", None, None,
            subject=standing, value=Value("40", "integer", "", "forty"), proposer="annotation",
        )  # fmt: skip
        yield Made(changed(told), passage.unit.key, "leaked example", False)


# ---- where the claim is wrong ------------------------------------------------------------------


def unknown_type(material: Material, table: Table, drawn: random.Random) -> Iterator[Made]:
    """Yield claims of a type that the mapping table does not know."""
    for one in material.sound:
        name = drawn.choice(_words("unknown"))
        subject = one.candidate.subject
        if one.candidate.kind is Kind.MENTION and subject is not None:
            subject = replace(subject, type=name)
        told = changed(one.candidate, name=name, subject=subject)
        yield Made(told, one.asked, "unknown type", False)


def reversed_ends(material: Material, table: Table, drawn: random.Random) -> Iterator[Made]:
    """Yield statements with subject and object exchanged; of events, trigger and participant."""
    triggers = {
        one.candidate.group: one.candidate.subject
        for one in material.sound
        if one.candidate.kind is Kind.EVENT
    }
    for one in material.sound:
        told = one.candidate
        if told.subject is not None and told.object is not None:
            if not table.statement(told.name).symmetric:
                ends = {"subject": told.object, "object": told.subject}
                yield Made(changed(told, **ends), one.asked, "reversed ends", False)
        elif told.kind is Kind.ARGUMENT and told.object is not None:
            trigger = triggers.get(told.group)
            if trigger is not None:
                swapped = replace(trigger, type=told.object.type)
                yield Made(changed(told, object=swapped), one.asked, "reversed ends", False)


def unstated_date(material: Material, table: Table, drawn: random.Random) -> Iterator[Made]:
    """Yield claims with a date that the passage does not hold: their own, or of birth."""
    texts = {passage.unit.key: passage.unit.raw.text for passage in material.passages}
    for one in material.sound:
        year = str(drawn.choice(YEARS))
        if year in texts[one.asked]:
            continue
        told, value = one.candidate, Value(year, "edtf", "", year)
        if told.kind is Kind.MENTION and told.name == "Person":
            made = changed(told, kind=Kind.ATTRIBUTE, name="birthDate", value=value)
        elif told.kind is Kind.ARGUMENT and told.name == "time":
            made = changed(told, value=replace(value, verbatim=told.value.verbatim or year)
                           if told.value and drawn.random() < 0.5 else value)  # fmt: skip
        elif told.kind in (Kind.RELATION, Kind.ATTRIBUTE, Kind.EVENT):
            made = changed(told, time=value)
        else:
            continue
        yield Made(made, one.asked, "unstated date", False, True)


def stronger_claim(material: Material, table: Table, drawn: random.Random) -> Iterator[Made]:
    """Yield claims with a true quote that say more than it: another statement of the same ends.

    Also statements about two things that are only named near each other.
    """
    stated = {_ends(one.candidate) for one in material.sound}
    for one in material.sound:
        told = one.candidate
        name = _words("stronger").get(told.name, "")
        if not name or not _fits(told, name, table):
            continue
        made = changed(told, name=name, kind=table.statement(name).claim_kind)
        if _ends(made) not in stated:
            yield Made(made, one.asked, "stronger claim", False, True)
    yield from _together(material, table, stated, drawn)


def _fits(told: Candidate, name: str, table: Table) -> bool:
    rule = table.statement(name)
    subject = told.subject is None or table.accepts_subject(name, told.subject.type)
    thing = told.object is not None and table.accepts_object(name, told.object.type)
    return subject and thing and (rule.kind == "argument") == (told.kind is Kind.ARGUMENT)


def _together(
    material: Material, table: Table, stated: set[tuple[object, ...]], drawn: random.Random
) -> Iterator[Made]:
    by_unit: defaultdict[str, list[Candidate]] = defaultdict(list)
    for one in material.sound:
        if one.candidate.kind is Kind.MENTION:
            by_unit[one.asked].append(one.candidate)
    units = {passage.unit.key: passage.unit for passage in material.passages}
    linked = {frozenset(pair[2:4]) for pair in stated}
    for key, mentions in by_unit.items():
        ordered = sorted(mentions, key=lambda m: (m.start or 0, m.end or 0))
        for first, second in pairwise(ordered):
            a, b = first.subject, second.subject
            if a is None or b is None or a.end > b.start or b.start - a.end > NEAR:
                continue
            pair, names = _claims(a, b, whole=material.whole)
            if not names or a.surface == b.surface or frozenset((_at(a), _at(b))) in linked:
                continue
            name = drawn.choice(names)
            text = units[key].raw.text
            made = changed(
                first, kind=table.statement(name).claim_kind, name=name, subject=pair[0],
                object=pair[1], quote=text[a.start : b.end], start=a.start, end=b.end,
            )  # fmt: skip
            yield Made(made, key, "stronger claim", False, True)


def _claims(a: Anchor, b: Anchor, *, whole: bool) -> tuple[tuple[Anchor, Anchor], list[str]]:
    """Return two things in the order of the claims that they do not make, and those claims."""
    for row in _words("together"):
        if row.get("whole", False) and not whole:
            continue
        for pair in ((a, b), (b, a)):
            if [one.type for one in pair] == row["types"]:
                return pair, row["claims"]
    return (a, b), []


def other_event(material: Material, table: Table, drawn: random.Random) -> Iterator[Made]:
    """Yield arguments given to another event of their passage, of which they are not annotated.

    Annotation of roles is not complete: some of these are true, so nothing is said of that.
    """
    texts = {passage.unit.key: passage.unit.raw.text for passage in material.passages}
    events: defaultdict[str, list[Candidate]] = defaultdict(list)
    stated = set()
    for one in material.sound:
        if one.candidate.kind is Kind.EVENT:
            events[one.asked].append(one.candidate)
        elif one.candidate.kind is Kind.ARGUMENT:
            stated.add((one.candidate.group, one.candidate.name, _filler(one.candidate)))
    for one in material.sound:
        told, filler = one.candidate, _filler(one.candidate)
        if told.kind is not Kind.ARGUMENT or filler is None:
            continue
        for event in events[one.asked]:
            trigger, group = event.subject, event.group
            known = (group, told.name, filler) in stated or group == told.group
            if trigger is None or known or not table.accepts_subject(told.name, event.name):
                continue
            start, end = min(filler[0], trigger.start), max(filler[1], trigger.end)
            quote = texts[one.asked][start:end]
            made = changed(told, group=group, quote=quote, start=start, end=end)
            yield Made(made, one.asked, "other event", None)


def _filler(told: Candidate) -> tuple[int, int] | None:
    if told.object is not None:
        return told.object.start, told.object.end
    words = told.value.verbatim if told.value is not None else ""
    at = told.quote.find(words) if words else -1
    start = (told.start or 0) + at
    return None if at < 0 else (start, start + len(words))


NEAR = 60  # characters between two things that are named together


def _ends(told: Candidate) -> tuple[object, ...]:
    value = told.value.lexical if told.value else ""
    return told.unit, told.name, _at(told.subject), _at(told.object), told.group, value


def _at(anchor: Anchor | None) -> tuple[int, int] | None:
    return (anchor.start, anchor.end) if anchor else None


def _hearsay(
    material: Material, words: str, drawn: random.Random, most: int
) -> tuple[list[Made], tuple[Passage, ...]]:
    """Return statements whose passage was rewritten so that it only reports what is said.

    The words of hearsay stand before the quote; the claim gives its content as a fact.
    """
    units = {passage.unit.key: passage for passage in material.passages}
    stated = [one for one in material.sound if one.candidate.kind is not Kind.MENTION]
    stated = [one for one in stated if one.candidate.kind is not Kind.ARGUMENT]
    drawn.shuffle(stated)
    made: list[Made] = []
    passages: list[Passage] = []
    for number, one in enumerate(stated[:most]):
        passage = units[one.asked]
        phrases = _words(words).get(passage.document.language)
        if phrases is None:
            continue
        phrase = drawn.choice(phrases)
        start = one.candidate.start or 0
        text = passage.unit.raw.text[:start] + phrase + passage.unit.raw.text[start:]
        document = Document(
            f"{passage.document.key} ~{words} {number}", passage.document.dataset,
            passage.document.language, text,
        )  # fmt: skip
        unit = corpora.unit_of(document, 1, 0, len(text), "hearsay")
        passages.append(Passage(document, unit, (), ()))
        made += _rewritten(one, unit, len(phrase), HEARSAY[words])
    return made, tuple(passages)


def _rewritten(one: Made, unit: EvidenceUnit, by: int, fault: str) -> Iterator[Made]:
    """Yield the statement about the rewritten passage, with sound mentions of its ends."""
    told = one.candidate
    ends = {
        name: moved(anchor, by)
        for name in ("subject", "object", "place", "cue")
        if (anchor := getattr(told, name)) is not None
    }
    for anchor in ends.values():
        if anchor.type:
            named = Candidate(
                "", Kind.MENTION, unit.key, anchor.type, anchor.surface, anchor.start, anchor.end,
                subject=anchor, confidence=0.9, proposer=told.proposer,
            )  # fmt: skip
            yield Made(changed(named), unit.key, SOUND)
    start, end = (told.start or 0) + by, (told.end or 0) + by
    group = None if told.group is None else f"{told.group[:20]}-{unit.key[:8]}"
    made = changed(told, unit=unit.key, start=start, end=end, group=group, **ends)
    yield Made(made, unit.key, fault, False, True)


MAKERS: tuple[Maker, ...] = (
    wrong_unit, altered_quote, leaked_example, unknown_type, reversed_ends, unstated_date,
    stronger_claim, other_event,
)  # fmt: skip
