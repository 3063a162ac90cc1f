"""Whether a sentence is supported by its evidence, by rules (R72-R76): for answers and triples.

The score, from 0 to 1, starts from how much of the sentence's wording and of its telling words
stands in the evidence and goes down for what speaks against it (`WEIGHTS`). Then:

unsupported          there is nothing to check; the evidence says otherwise; or hardly speaks of it
overreaching         a name, number, date, cause, comparison or judgement is not there, the evidence
                     only reports it, or the one who speaks enters; or some of it is not there
partiallySupported   of several sentences some are supported and some are not
ambiguous            the words are there, but far apart in the passage
supported            none of these, and the score reaches `SUPPORTED`

The verifier sees the sentence and the evidence and nothing else; what the evidence says about
verifying is words like any other. The numbers below were set on the "tune" part of four public
corpora (`evaluation.verification`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rdfkms.admission import cues, sentences
from rdfkms.admission.comparing import Comparison, compare
from rdfkms.admission.contrast import Contrast, contrast, is_date
from rdfkms.admission.reasons import quoted, reason
from rdfkms.admission.sentences import Class, Sentence, Word
from rdfkms.model import Label, Reason, Verification, Vote

NAME, VERSION = "sentences", "1"
# The score: shares of wording and of telling words, less what speaks against the sentence.
WORDING, TELLING = 0.7, 0.3
WEIGHTS = {
    "number": 0.2,  # each number or date that is nowhere, at most two
    "name": 0.3,  # the share of names that are nowhere
    "denied": 0.2,
    "opposite": 0.2,
    "speaker": 0.15,  # each word by which the one who speaks enters, at most two
    "comparison": 0.1,
    "question": 0.2,
}
# The least score of what is supported, and the least share of telling words in one run of
# the evidence of what goes beyond it: below, the evidence hardly speaks of it.
SUPPORTED = 0.68
SPEAKS_OF = 0.43
# The share in one sentence from which it may say otherwise: by negation, name or number.
OTHERWISE = 0.4
# Kinds of cue words by which a passage only reports what it says.
REPORTS = ("hearsay", "aside", "denial")
LONGEST = 200_000


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence of the evidence and its text, exactly as it stands there."""

    sentence: Sentence
    text: str


@dataclass(frozen=True, slots=True)
class _Reading:
    """One sentence of a claim against the evidence."""

    words: tuple[Word, ...]
    found: Comparison
    against: Contrast
    score: float

    @property
    def contradiction(self) -> str:
        """What the evidence says instead, in words; empty where it says nothing else."""
        against = self.against
        if self.found.alone < OTHERWISE:
            return ""
        if against.opposites:
            ours, theirs = against.opposites[0]
            return f"{theirs}, not {ours}"
        names = [word for word in self.found.words if word.cls is Class.NAME]
        lacking = 0 < len(_missing(against, Class.NAME)) < len(names)
        others = against.other_names if lacking else ()
        return next(iter((*against.denied, *against.rivals, *others)), "")


def verify_sentence(claim: str, evidence: str | Sequence[str], language: str) -> Verification:
    """Return whether `evidence` (a passage, or several in order) says what `claim` says.

    `language` is the BCP 47 language of both. `supporting_quote` is the sentence of a passage that
    says most of the claim, exactly as it stands there. Texts beyond `LONGEST` code points are not
    read to their end.
    """
    passages = [evidence] if isinstance(evidence, str) else list(evidence)
    told = [
        _Told(sentence, text[sentence.start : sentence.end])
        for text in passages
        for sentence in _read(text, language)
    ]
    parts = [part for part in _read(claim, language) if any(w.tells for w in part.words)]
    whole = tuple(word for part in parts for word in part.words)
    reading = _against(whole, claim, told, language)
    if reading is None:
        code = "hardlySpeaks" if parts else "nothingToCheck"
        return _verification(Label.UNSUPPORTED, (reason(code),), "", (), 0.0)
    readings = [reading]
    if len(parts) > 1:
        each = (_against(p.words, claim[p.start : p.end], told, language) for p in parts)
        readings = [one for one in each if one is not None]
    score = min(1.0, max(0.0, (reading.score + min(one.score for one in readings)) / 2))
    if any(one.contradiction or _goes_beyond(one.against) for one in (reading, *readings)):
        score *= SUPPORTED - 0.01  # so that the score alone tells what is supported
    quote = told[reading.found.sentence.first].text
    label, reasons = _judged(reading, readings, score)
    elements = _elements(reading) if label is not Label.SUPPORTED else ()
    return _verification(label, reasons, quote, elements, score)


def _read(text: str, language: str) -> tuple[Sentence, ...]:
    return sentences.read(text[:LONGEST], language)


def _against(
    words: tuple[Word, ...], text: str, evidence: Sequence[_Told], language: str
) -> _Reading | None:
    found = compare(words, [one.sentence for one in evidence])
    if found is None:
        return None
    known = sentences.lists(sentences.primary(language))
    best = evidence[found.sentence.first]
    against = contrast(words, found, best.sentence.words, known)
    hearsay = _hearsay(text, best.text, language)
    against = replace(against, hedges=(*against.hedges, *hearsay))
    return _Reading(words, found, against, _score(found, against, text))


def _hearsay(claim: str, told: str, language: str) -> Iterator[str]:
    """The words by which the evidence only reports, where the claim does not report as well."""
    ours = {hit.kind for hit in cues.mark(claim, language).hits}
    for hit in cues.mark(told, language).hits:
        if hit.kind in REPORTS and not ours & set(REPORTS):
            yield hit.surface


def _score(found: Comparison, against: Contrast, text: str) -> float:
    names = sum(word.cls is Class.NAME for word in found.words)
    kinds = {kind for kind, _ in against.extras}
    penalties = {
        "number": min(len(_missing(against, Class.NUMBER)), 2),
        "name": len(_missing(against, Class.NAME)) / max(names, 1),
        "denied": bool(against.denied),
        "opposite": bool(against.opposites),
        "speaker": min(len(against.speaker), 2),
        "comparison": "comparison" in kinds,
        "question": "?" in text or "？" in text,
    }
    said = WORDING * found.wording + TELLING * found.alone
    return said - sum(WEIGHTS[name] * count for name, count in penalties.items())


def _missing(against: Contrast, cls: Class) -> list[Word]:
    return [word for word in against.missing if word.cls is cls]


def _judged(
    whole: _Reading, readings: Sequence[_Reading], score: float
) -> tuple[Label, tuple[Reason, ...]]:
    otherwise = next((one.contradiction for one in (whole, *readings) if one.contradiction), "")
    unsaid = tuple(_unsaid(whole))
    if otherwise:
        return Label.UNSUPPORTED, (reason("contradicted", what=quoted(otherwise)), *unsaid)
    if score >= SUPPORTED:
        if whole.found.together < SPEAKS_OF:
            return Label.AMBIGUOUS, (reason("scattered"),)
        return Label.SUPPORTED, (reason("saidInPassage"),)
    if len(readings) > 1 and any(_stands(one) for one in readings):
        return Label.PARTIAL, unsaid or (reason("scattered"),)
    if whole.found.together < SPEAKS_OF:
        return Label.UNSUPPORTED, (reason("hardlySpeaks"), *unsaid)
    return Label.OVERREACHING, unsaid or (reason("scattered"),)


def _stands(one: _Reading) -> bool:
    """Return whether this sentence, of several, is supported."""
    return one.score >= SUPPORTED and not (one.contradiction or _goes_beyond(one.against))


def _goes_beyond(against: Contrast) -> bool:
    """Return whether the claim adds what no score makes good (R75).

    That is who, when, why or how good; or a fact where the evidence denies or only reports it.
    """
    named = _missing(against, Class.NUMBER) or _missing(against, Class.NAME)
    sense = against.hedges or against.denied or against.opposites or against.speaker
    return bool(named or against.extras or sense)


_CODES = {Class.NAME: "nameUnstated", Class.CONTENT: "wordsUnstated"}
_EXTRAS = {"cause": "causeUnstated", "comparison": "comparisonUnstated",
           "evaluation": "evaluationUnstated"}  # fmt: skip


def _unsaid(reading: _Reading) -> Iterator[Reason]:
    """What of the claim is not in the evidence, each kind in one reason."""
    against = reading.against
    found: dict[str, list[str]] = {}
    for kind, word in against.extras:
        found.setdefault(_EXTRAS[kind], []).append(word)
    told = {word for words in found.values() for word in words}
    for lacking in against.missing:
        code = _CODES.get(lacking.cls) or _number_code(lacking)
        if lacking.surface not in told:
            found.setdefault(code, []).append(lacking.surface)
    if against.speaker:
        found["speakerUnstated"] = list(against.speaker)
    if against.hedges:
        found["certaintyUnstated"] = list(against.hedges)
    for code, words in found.items():
        yield reason(code, what=quoted(", ".join(dict.fromkeys(words))))


def _number_code(word: Word) -> str:
    return "dateUnstated" if is_date(word) else "numberUnstated"


def _elements(reading: _Reading) -> tuple[str, ...]:
    against = reading.against
    words = (
        *(word.surface for word in against.missing),
        *(word for _, word in against.extras),
        *against.speaker,
    )
    return tuple(dict.fromkeys(words))


def _verification(
    label: Label, reasons: tuple[Reason, ...], quote: str, elements: tuple[str, ...], score: float
) -> Verification:
    over = reasons[0].sentence if label is Label.OVERREACHING else ""
    verifier = f"{NAME}@{VERSION}"
    shown = "" if label is Label.UNSUPPORTED else quote
    votes = (Vote(verifier, label),)
    return Verification(label, reasons, shown, elements, over, verifier, round(score, 4), votes)
