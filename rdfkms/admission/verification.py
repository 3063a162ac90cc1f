"""Rule-based verification: whether the quote says what the claim says, and as a fact (R72).

supported            both ends and a cue for the predicate stand in the quote, nothing hedges it; of
                     a role that no word names, the place beside its trigger is cue enough
partiallySupported   an end, the value or the date stands in the passage, but outside the quote
unsupported          nothing in the quote says the predicate, or the passage denies it
ambiguous            a negation stands near; whether it reaches the statement is for a person; or
                     the cue stands the other way round, or belongs to another end
overreaching         the passage reports hearsay or possibility where the claim says a fact, or
                     says the time or value nowhere, or another one (R75)

How far hedges reach, in characters of the passage and within its sentence: `REACH`. A new clause
(kind boundary) stops all of them, a comma stops a plain negation. A hedge inside an end, the
value or the cue belongs to it and does not count: "no culpable" is a plea. What lies between the
cue and the object reaches, save a negation that is spent there (`admission.spent`). What stands
inside a clause that reports it without a source is hearsay by its form (`admission.embedding`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rdfkms.admission import cues, embedding, governing, roles, spent
from rdfkms.admission.cues import Hit, Marked
from rdfkms.admission.governing import Fit
from rdfkms.admission.reasons import quoted, reason
from rdfkms.admission.roles import NO_TRIGGERS, Span, Triggers
from rdfkms.knowledge import dates
from rdfkms.knowledge.nameforms import is_han, normal
from rdfkms.model import (
    Anchor,
    Candidate,
    EvidenceUnit,
    Kind,
    Label,
    Reason,
    Value,
    Verification,
    Vote,
)

# Characters before and after the statement within which a hedge of the kind counts.
REACH = {"negation": (40, 0), "denial": (140, 0), "hearsay": (140, 60), "modality": (60, 0),
         "aside": (0, 120)}  # fmt: skip
REACH_HAN = {"negation": (2, 0), "denial": (12, 0), "hearsay": (24, 6), "modality": (4, 0),
             "aside": (0, 16)}  # fmt: skip
# Proposers whose every proposal is the work of a curated pattern: the pattern is the cue.
RULE_PROPOSERS = ("patterns:",)
DATES = ("time", "birthDate", "deathDate")
# What is alleged by its nature: a charge is one however "supposed" the offence is.
ALLEGED = ("charge",)
TITLE = 24  # characters in which a word for a role stands right before a name
_LABELS = {"negation": Label.AMBIGUOUS, "denial": Label.UNSUPPORTED,
           "aside": Label.OVERREACHING, "hearsay": Label.OVERREACHING,
           "modality": Label.OVERREACHING}  # fmt: skip
_CODES = {"negation": "negated", "denial": "negated", "aside": "hearsay", "hearsay": "hearsay",
          "modality": "modality"}  # fmt: skip
# Hearsay that looks back stands at the end of its clause: "según rumor público."
_CLAUSE_END = re.compile(r"[^.,;:)。，；]{0,14}(?:[.;)。，；]|\Z)")
WORST = (Label.UNSUPPORTED, Label.OVERREACHING, Label.PARTIAL, Label.AMBIGUOUS, Label.SUPPORTED)
NAME, VERSION = "rules", "3"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that stands against a claim, and the words of the claim that lack support."""

    label: Label
    reason: Reason
    element: str = ""


@dataclass(frozen=True, slots=True)
class _Quote:
    """A screened candidate with the place of its quote and the marked passage."""

    candidate: Candidate
    start: int
    end: int
    marked: Marked
    language: str
    triggers: Triggers = NO_TRIGGERS

    def holds(self, anchor: Anchor) -> bool:
        return self.start <= anchor.start and anchor.end <= self.end


class RulesVerifier:
    """The port `Verifier` over the rules of this module."""

    name = NAME
    version = VERSION

    def verify(self, candidate: Candidate, unit: EvidenceUnit) -> Verification:
        """Return what the rules find; only `supported` may pass."""
        return verify(candidate, unit)


def verify(
    candidate: Candidate, unit: EvidenceUnit, triggers: Triggers = NO_TRIGGERS
) -> Verification:
    """Return what the rules find about a screened candidate; only `supported` may pass.

    `triggers` are those of the events of the passage, for the roles that no word names.
    """
    language = unit.raw.language or unit.language
    start, end = candidate.start or 0, candidate.end or 0
    quote = _Quote(candidate, start, end, cues.mark(unit.raw.text, language), language, triggers)
    findings = list(_findings(quote))
    label = min((found.label for found in findings), key=WORST.index, default=Label.SUPPORTED)
    over = (f.reason.sentence for f in findings if f.label is Label.OVERREACHING)
    verifier = f"{NAME}@{VERSION}"
    return Verification(
        label,
        tuple(dict.fromkeys(f.reason for f in findings)) or (_in_favour(candidate),),
        "" if label is Label.UNSUPPORTED else unit.raw.text[start:end],
        tuple(dict.fromkeys(f.element for f in findings if f.element)),
        next(over, ""),
        verifier,
        votes=(Vote(verifier, label),),
    )


def _in_favour(candidate: Candidate) -> Reason:
    if candidate.kind is Kind.MENTION:
        return reason("named", what=quoted(candidate.quote))
    return reason("allThere", name=candidate.name)


def _findings(quote: _Quote) -> Iterator[Finding]:
    candidate = quote.candidate
    yield from _outside(quote)
    if candidate.kind is Kind.MENTION:
        surface = candidate.subject.surface if candidate.subject else candidate.quote
        if not any(c.isalpha() for c in surface) and candidate.name != "TimeExpression":
            yield Finding(
                Label.UNSUPPORTED, reason("nameWithoutLetters", what=quoted(surface)), surface
            )
        return
    if candidate.value is not None:
        yield from _value(quote, candidate.value, "value")
    if candidate.time is not None:
        yield from _value(quote, candidate.time, "time")
    by_rule = _by_rule(candidate)  # a pattern names its cue: it needs no place
    beside = (
        None if by_rule else roles.stands(candidate, quote.marked, quote.language, quote.triggers)
    )
    if candidate.kind is not Kind.EVENT:
        yield from _uncued(quote, beside)
    if candidate.name in ALLEGED:
        return
    hedged = False
    for hit in _hedges(quote, beside or _core(quote)):
        hedged = hedged or _CODES[hit.kind] == "hearsay"
        yield Finding(_LABELS[hit.kind], reason(_CODES[hit.kind], what=quoted(hit.surface)))
    words = "" if hedged else _embedded(quote)
    if words:
        yield Finding(Label.OVERREACHING, reason("hearsay", what=quoted(words)))


# ---- ends and values -------------------------------------------------------------------------


def _outside(quote: _Quote) -> Iterator[Finding]:
    for field in ("subject", "object", "place"):
        anchor: Anchor | None = getattr(quote.candidate, field)
        if anchor is not None and not quote.holds(anchor):
            outside = reason(f"{field}OutsideQuote", what=quoted(anchor.surface))
            yield Finding(Label.PARTIAL, outside, anchor.surface)


def _value(quote: _Quote, value: Value, field: str) -> Iterator[Finding]:
    words = value.verbatim or value.lexical
    text = quote.candidate.quote
    if not _stands_in(words, text):
        if value.verbatim and not _stands_in(words, quote.marked.text):
            unstated = reason(f"{field}Unstated", what=quoted(words))
            yield Finding(Label.OVERREACHING, unstated, words)
        else:
            yield Finding(Label.PARTIAL, reason(f"{field}OutsideQuote", what=quoted(words)), words)
    elif value.datatype == "integer":
        if dates.number(words, quote.language) != int(value.lexical):
            yield _differs(value)
    elif value.datatype in ("edtf", "date"):
        meant = dates.edtf(words, quote.language)
        if meant is None and not _by_rule(quote.candidate):
            yield Finding(Label.AMBIGUOUS, reason("dateNotUnderstood", what=quoted(words)), words)
        if meant is not None and meant != value.lexical:
            yield _differs(value)
    elif field == "time" or quote.candidate.name in DATES:
        # A date in the words of the source is true as it stands, where it is known for one.
        if not _by_rule(quote.candidate) and not dates.is_date(words, quote.language):
            yield Finding(Label.PARTIAL, reason("dateNotUnderstood", what=quoted(words)), words)
        elif normal(value.lexical) != normal(words):
            yield _differs(value)
    elif normal(value.lexical) != normal(words):
        yield _differs(value)


def _differs(value: Value) -> Finding:
    verbatim, what = quoted(value.verbatim or value.lexical), quoted(value.lexical)
    differs = reason("valueDiffers", verbatim=verbatim, what=what)
    return Finding(Label.OVERREACHING, differs, value.lexical)


def _stands_in(words: str, text: str) -> bool:
    form, whole = normal(words), normal(text)
    if not form:
        return " ".join(words.split()) in " ".join(text.split())
    if is_han(form) or is_han(whole):
        return form.replace(" ", "") in whole.replace(" ", "")
    return f" {form} " in f" {whole} "


# ---- cues and hedges -------------------------------------------------------------------------


def _by_rule(candidate: Candidate) -> bool:
    return candidate.proposer.startswith(RULE_PROPOSERS)


def _uncued(quote: _Quote, beside: Span | None) -> Iterator[Finding]:
    """What the claim lacks of a cue: none, none for this end, or one that says it otherwise."""
    candidate = quote.candidate
    if beside is not None or governing.is_own_cue(candidate, quote.marked, quote.language):
        return
    if _by_rule(candidate):
        fit = Fit.GOOD if candidate.cue is None or quote.holds(candidate.cue) else Fit.NONE
    else:
        fit = governing.fit(candidate, quote.marked, quote.language, quote.start, quote.end)
    if fit is Fit.NONE:
        yield Finding(Label.UNSUPPORTED, reason("noCue", name=candidate.name), candidate.name)
    elif fit is not Fit.GOOD:
        code = "otherDirection" if fit is Fit.OTHER_WAY else "otherEnd"
        yield Finding(Label.AMBIGUOUS, reason(code, name=candidate.name), candidate.name)


def _hedges(quote: _Quote, core: tuple[int, int]) -> Iterator[Hit]:
    """The hedges that reach the statement, one of each kind.

    `core` is what states it; where a role is told by place alone, from trigger to filler.
    """
    start, end = core
    first, last = quote.marked.sentence(start, end)
    reach = REACH if cues.rules(quote.language).spaces else REACH_HAN
    own = list(_own_spans(quote))
    found: dict[str, Hit] = {}
    for hit in quote.marked.hits:
        if hit.kind == "boundary" or hit.end <= first or hit.start >= last:
            continue
        if any(s <= hit.start and hit.end <= e for s, e in own):
            continue
        before, after = reach[hit.kind]
        if start <= hit.start and hit.end <= end:
            reaches = hit.kind != "aside" and not spent.negation(
                quote.marked, hit, quote.language, _gap(quote, hit)
            )
        elif hit.end <= start:
            reaches = start - hit.end <= before and _open(quote, hit.end, start, hit.kind)
        else:
            reaches = 0 <= hit.start - end <= after and _closing(quote, end, hit)
        if reaches:
            found.setdefault(hit.kind, hit)
    yield from found.values()


def _embedded(quote: _Quote) -> str:
    """The words that report the statement without a source: before its quote, or its ends."""
    candidate = quote.candidate
    anchors = (candidate.subject, candidate.object, candidate.cue)
    inside = [a.start for a in anchors if a is not None and quote.holds(a)]
    starts = tuple(dict.fromkeys((quote.start, min(inside, default=quote.start))))
    first, _ = quote.marked.sentence(quote.start, quote.end)
    return embedding.reported(quote.marked, quote.language, first, starts)


def _core(quote: _Quote) -> tuple[int, int]:
    """The stretch that states the predicate: cue, object and value; else the whole quote.

    A subject named long before would draw in everything between.
    """
    candidate = quote.candidate
    title = _title(quote)
    if title is not None:
        return title
    spans = [(a.start, a.end) for a in (candidate.cue, candidate.object) if a is not None]
    if candidate.cue is None or not quote.holds(candidate.cue):
        return quote.start, quote.end
    return max(quote.start, min(s for s, _ in spans)), min(quote.end, max(e for _, e in spans))


def _title(quote: _Quote) -> Span | None:
    """Word and name where a word for the role stands right before the name: "el testigo Ana Ruiz".

    Whoever is called so is so, whatever the sentence goes on to deny.
    """
    candidate = quote.candidate
    filler = roles.filler(candidate, quote.marked.text, (quote.start, quote.start))
    if candidate.kind is not Kind.ARGUMENT or filler is None:
        return None
    nearest = max(quote.start, filler[0] - TITLE)
    for cue in cues.found(quote.marked, candidate.name, quote.language, nearest, filler[0]):
        if not quote.marked.text[cue.end : filler[0]].strip():
            return cue.start, filler[1]
    return None


def _gap(quote: _Quote, hit: Hit) -> tuple[int, int]:
    """The stretch from the cue to the object where the hit stands between them; else empty."""
    cue, thing = quote.candidate.cue, quote.candidate.object
    if cue is None or thing is None or not cue.end <= hit.start < hit.end <= thing.start:
        return hit.start, hit.start
    return cue.end, thing.start


def _own_spans(quote: _Quote) -> Iterator[tuple[int, int]]:
    candidate = quote.candidate
    for anchor in (candidate.subject, candidate.object, candidate.place, candidate.cue):
        if anchor is not None:
            yield anchor.start, anchor.end
    for value in (candidate.value, candidate.time):
        words = value and (value.verbatim or value.lexical)
        at = quote.candidate.quote.find(words) if words else -1
        if words and at >= 0:
            yield quote.start + at, quote.start + at + len(words)


def _open(quote: _Quote, start: int, end: int, kind: str) -> bool:
    """Return whether a hedge before reaches over the gap: no new clause, for some no comma."""
    gap = quote.marked.text[start:end]
    if kind in ("negation", "modality") and any(c in ",，、:：" for c in gap):
        return False
    return not _boundary(quote, start, end)


def _closing(quote: _Quote, start: int, hit: Hit) -> bool:
    """Return whether a hedge behind looks back: an aside, or hearsay that ends its clause."""
    if _boundary(quote, start, hit.start):
        return False
    if hit.kind == "aside":
        return True
    return _CLAUSE_END.match(quote.marked.text, hit.end, hit.end + 20) is not None


def _boundary(quote: _Quote, start: int, end: int) -> bool:
    hits = (h for h in quote.marked.hits if h.kind == "boundary")
    return any(start <= h.start and h.end <= end for h in hits)
