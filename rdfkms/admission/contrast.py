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

    `missing` words are nowhere in the evidence, `elsewhere` words only outside the best place;
    `extras` are missing words of the kinds `EXTRAS` (kind, word); `other_numbers` and
    `other_names` stand in the best sentence and not in the claim; `denied` are negations on one
    side only, `opposites` pairs of words (of the claim, of the evidence) that exclude each other;
    `hedges` soften in the evidence what the claim says plainly; `speaker` are words by which the
    claim speaks of whoever says it.
    """

    missing: tuple[Word, ...]
    elsewhere: tuple[Word, ...]
    extras: tuple[tuple[str, str], ...]
    other_numbers: tuple[str, ...]
    other_names: tuple[str, ...]
    denied: tuple[str, ...]
    opposites: tuple[tuple[str, str], ...]
    hedges: tuple[str, ...]
    speaker: tuple[str, ...]


def contrast(
    claim: Sequence[Word], found: Comparison, place: Sequence[Word], known: Lists
) -> Contrast:
    """Return what speaks against the claim, `place` being the words of its best sentences."""
    pairs = list(zip(found.words, found.credits, found.here, strict=True))
    missing = tuple(word for word, credit, _ in pairs if credit < SAID)
    elsewhere = tuple(word for word, credit, here in pairs if credit >= SAID > here)
    ours, theirs = {w.form for w in claim}, {w.form for w in place}
    stems = {w.stem for w in claim}
    absent = [w for w in claim if w.form not in theirs]
    extras = [(kind, w.surface) for kind in EXTRAS for w in absent if w.form in known.of(kind)]
    # A single digit may count anything; only years and sums are likely to be the other's.
    others = [w for w in place if w.stem not in stems]
    speaker = tuple(w.surface for w in claim if w.cls is Class.SPEAKER and w.form not in theirs)
    return Contrast(
        missing,
        elsewhere,
        tuple(dict.fromkeys(extras)),
        tuple(w.surface for w in others if w.cls is Class.NUMBER),
        tuple(w.surface for w in others if w.cls is Class.NAME),
        tuple(_one_sided("negation", claim, found, place, known)),
        tuple(_opposites(claim, place, known)),
        tuple(_one_sided("hedge", claim, found, place, known, theirs_only=True)),
        speaker,
    )


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
    ours = {w.stem: w.surface for w in claim}
    theirs = {w.stem: w.surface for w in place}
    for one, two in known.opposites:
        for mine, other in ((one, two), (two, one)):
            said = sorted(ours.keys() & mine)
            against = sorted(theirs.keys() & other)
            if said and against and not theirs.keys() & mine and not ours.keys() & other:
                yield ours[said[0]], theirs[against[0]]
