"""A name that OCR read with little confidence is quarantined, with what is said of it."""

from __future__ import annotations

import pytest

from rdfkms.admission import doubt
from rdfkms.model import Candidate, Kind, TextVersion, Word
from tests.tools.passages import anchor, passage

TEXT = "Rosa Ferrer Quiles vive en Castrovil."


def version(*confidences: float | None) -> TextVersion:
    """A reading of the text, one confidence for each of its words."""
    words, at = [], 0
    for word, confidence in zip(TEXT.split(" "), confidences, strict=True):
        words.append(Word(at, at + len(word), None, confidence, 0, 0))
        at += len(word) + 1
    return TextVersion(
        key=passage(TEXT).raw.version, page="p", text=TEXT, words=tuple(words), origin="ocr",
        engine="tesseract", engine_version="5", derived_from=None,
    )  # fmt: skip


def mention() -> Candidate:
    unit = passage(TEXT)
    name = anchor(unit, "Rosa Ferrer Quiles", "Person")
    return Candidate(
        "c", Kind.MENTION, unit.key, "Person", name.surface, name.start, name.end, subject=name
    )


@pytest.mark.parametrize(
    ("confidences", "doubtful"),
    [
        ((0.9, 0.9, 0.9, 0.1, 0.1, 0.1), False),  # the name was read well, what follows was not
        ((0.2, 0.3, 0.9, 0.9, 0.9, 0.9), True),
        ((None,) * 6, False),  # no OCR, no doubt
    ],
)
def test_the_words_of_the_mention_count(
    confidences: tuple[float | None, ...], doubtful: bool
) -> None:
    noted = doubt.noted(mention(), passage(TEXT), [version(*confidences)], 0.6)
    assert (doubt.DOUBTFUL in noted.note.split()) is doubtful


def test_a_text_without_a_reading_has_no_doubts() -> None:
    assert doubt.noted(mention(), passage(TEXT), [], 0.6) == mention()
