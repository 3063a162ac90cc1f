"""The words of a version as a file, and the boxes of a quote."""

from __future__ import annotations

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from rdfkms.errors import Broken
from rdfkms.ingest import wordsfile
from rdfkms.model import Box, TextVersion, Word
from tests.tools.words import column, reading


def _version(text: str, words: tuple[Word, ...]) -> TextVersion:
    return TextVersion("v" * 24, "p" * 24, text, words, "ocr", "typewriter", "1")


NUMBERS = st.integers(0, 10_000)
BOXES = st.none() | st.builds(Box, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
WORDS = st.builds(Word, NUMBERS, NUMBERS, BOXES, st.none() | st.floats(0, 1), NUMBERS, NUMBERS)


@given(st.text(max_size=50), st.lists(WORDS, max_size=8))
def test_what_is_written_is_read_again(text: str, words: list[Word]) -> None:
    text = text.encode("utf-8", "replace").decode("utf-8")
    version = _version(text, tuple(words))
    assert wordsfile.load(wordsfile.dump(version)) == (text, tuple(words))


def test_the_same_version_gives_the_same_bytes() -> None:
    found = reading(column(["Que el procesado", "salió."]))
    version = _version(found.text, found.words)
    assert wordsfile.dump(version) == wordsfile.dump(version)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no zstd",
        zstandard.compress(b"no json"),
        zstandard.compress(b'{"text": "a"}'),
        zstandard.compress(b'{"text": "a", "words": [[1]]}'),
        zstandard.compress(b'{"text": "a", "words": 5}'),
        zstandard.compress(b"[1]"),
    ],
)
def test_a_damaged_file_is_broken_and_says_so(data: bytes) -> None:
    with pytest.raises(Broken) as caught:
        wordsfile.load(data)
    assert "backup" in caught.value.hint


def test_a_quote_over_two_lines_has_a_box_on_each() -> None:
    found = reading(column(["Que el procesado", "salió de casa."]))
    start, end = found.text.index("procesado"), found.text.index(" de casa")
    assert wordsfile.boxes_of(found.words, start, end) == (
        Box(100 + 14 * 7, 100, 14 * 9, 20),
        Box(100, 140, 14 * 5, 20),
    )


def test_a_part_of_a_word_has_the_box_of_the_word() -> None:
    found = reading(column(["procesado"]))
    assert wordsfile.boxes_of(found.words, 2, 4) == (Box(100, 100, 126, 20),)


def test_nothing_has_no_box() -> None:
    found = reading(column(["Que el procesado"]))
    assert wordsfile.boxes_of(found.words, 3, 3) == ()
    assert wordsfile.boxes_of(found.words, 3, 4) == ()  # the space between two words
