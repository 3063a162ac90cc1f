"""What speaks against a claim in words: numbers, negation, opposites, and what is more than said.

Each check looks at the claim and the place of the evidence that says most of it; it returns the
words it found, so that a person can see them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rdfkms.admission.comparing import Comparison
from rdfkms.admission.sentences import Class, Lists, Word

# Words behind a negation or hedge, in the evidence, among which one must be of the claim.
NEAR = 4
# Share of a credit below which a word of the claim counts as not said.
SAID = 0.6
EXTRAS = ("cause", "comparison", "evaluation")


@dataclass(frozen=True, slots=True)
class Contrast:
    """What was found against a claim; empty where nothing was.

    `missing` words are nowhere in the evidence; `extras` are missing words of the kinds `EXTRAS`
    (kind, word). `rivals` are numbers that the best sentence has where the claim has another of
    their kind (year, month, number of as many digits), `other_names` names that the claim has not.
    `denied` are negations on one side only, `opposites` pairs of words (of the claim, of the
    evidence) that exclude each other. `hedges` soften in the evidence what the claim says plainly;
    `speaker` are words by which the claim speaks of whoever says it.
    """

    missing: tuple[Word, ...]
    extras: tuple[tuple[str, str], ...]
    rivals: tuple[str, ...]
    other_names: tuple[str, ...]
    denied: tuple[str, ...]
    opposites: tuple[tuple[str, str], ...]
    hedges: tuple[str, ...]
    speaker: tuple[str, ...]


def contrast(
    claim: Sequence[Word], found: Comparison, place: Sequence[Word], known: Lists
) -> Contrast:
    """Return what speaks against the claim, `place` being the words of its best sentences."""
    pairs = zip(found.words, found.credits, strict=True)
    missing = tuple(word for word, credit in pairs if credit < SAID)
    theirs = {w.form for w in place}
    stems = {w.stem for w in claim}
    absent = [w for w in claim if w.form not in theirs]
    extras = [(kind, w.surface) for kind in EXTRAS for w in absent if w.form in known.of(kind)]
    if theirs & known.of("cause"):  # a cause is given there, in other words
        extras = [extra for extra in extras if extra[0] != "cause"]
    others = [w for w in place if w.stem not in stems]
    speaker = tuple(w.surface for w in claim if w.cls is Class.SPEAKER and w.form not in theirs)
    return Contrast(
        missing,
        tuple(dict.fromkeys(extras)),
        tuple(_rivals(claim, missing, place, stems)),
        tuple(w.surface for w in others if w.cls is Class.NAME),
        tuple(_one_sided("negation", claim, found, place, known)),
        tuple(_opposites(claim, place, known)),
        tuple(_one_sided("hedge", claim, found, place, known, theirs_only=True)),
        speaker,
    )


def _rivals(
    claim: Sequence[Word], missing: Sequence[Word], place: Sequence[Word], stems: set[str]
) -> Iterator[str]:
    """The numbers of the place that stand where the claim has another one.

    A year stands for a year, a month for a month, any other number for one of as many digits.
    """
    lacking = {w.start for w in missing if w.cls is Class.NUMBER}
    ours = {_sort(claim, at) for at, word in enumerate(claim) if word.start in lacking}
    for at, word in enumerate(place):
        if word.cls is Class.NUMBER and word.stem not in stems and _sort(place, at) in ours:
            yield word.surface


def _sort(words: Sequence[Word], at: int) -> tuple[str, str]:
    stem = words[at].stem
    if is_date(words[at]):
        return ("month" if stem.startswith("m") else "year"), ""
    return "number", str(len(stem.partition(".")[0]))


def is_date(number: Word) -> bool:
    """Return whether a number is a month or may be a year."""
    stem = number.stem
    return stem.startswith("m") or (len(stem) == 4 and stem.isdigit() and stem < "2100")


def _one_sided(
    kind: str,
    claim: Sequence[Word],
    found: Comparison,
    place: Sequence[Word],
    known: Lists,
    *,
    theirs_only: bool = False,
) -> Iterator[str]:
    """The negations (or hedges) that one side has before words of both, and the other has not."""
    listed = known.of(kind)
    shared = {w.stem for w, here in zip(found.words, found.here, strict=True) if here >= SAID}
    ours = [w.surface for w in claim if w.form in listed]
    theirs = [
        word.surface
        for at, word in enumerate(place)
        if word.form in listed
        and not _spent(place, at, known)
        and any(w.stem in shared for w in place[at + 1 : at + 1 + NEAR])
    ]
    if theirs and not ours:
        yield from dict.fromkeys(theirs)
    elif ours and not theirs and not theirs_only:
        spent = all(
            _spent(claim, at, known) for at, word in enumerate(claim) if word.form in listed
        )
        if not spent:
            yield from dict.fromkeys(ours)


def _spent(words: Sequence[Word], at: int, known: Lists) -> bool:
    """Return whether the next word takes the force of a negation: "not only", "not really,"."""
    return at + 1 < len(words) and words[at + 1].form in known.of("spent")


def _opposites(
    claim: Sequence[Word], place: Sequence[Word], known: Lists
) -> Iterator[tuple[str, str]]:
    """Words of the claim that the place lacks, where it has an opposite that the claim lacks."""
    ours = {form: w.surface for w in claim for form in (w.stem, w.form)}
    theirs = {form: w.surface for w in place for form in (w.stem, w.form)}
    for one, two in known.opposites:
        for mine, other in ((one, two), (two, one)):
            said = sorted(ours.keys() & mine)
            against = sorted(theirs.keys() & other)
            if said and against and not theirs.keys() & mine and not ours.keys() & other:
                yield ours[said[0]], theirs[against[0]]
