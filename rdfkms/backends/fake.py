"""Engines for tests: deterministic, and able to misbehave on request. Never chosen by default."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfkms.errors import Unavailable
from rdfkms.model import Box, Reading, Word
from rdfkms.ports import Answer, FoundName

_DOCUMENT = re.compile(r"<<<(DOCUMENT-[0-9a-f]+)\n(.*)\n\1>>>", re.DOTALL)
# The shortest stretch between fences: two documents may be the same and have the same fence.
_EACH_DOCUMENT = re.compile(r"<<<(DOCUMENT-[0-9a-f]+)\n(.*?)\n\1>>>", re.DOTALL)
_NAME = re.compile(r"[A-ZÁÉÍÓÚ][a-záéíóúñ]{2,}(?: [A-ZÁÉÍÓÚ][a-záéíóúñ]{2,}){1,3}")
_LEAKED = {"type": "Person", "text": "Odo Varn", "quote": "Odo Varn"}


class FakeLanguageModel:
    """Names what is written like a name in the fenced document, or misbehaves as asked.

    Behaviours: ``good``, ``bad_json``, ``bad_then_good``, ``truncated``, ``whitespace``,
    ``invented_quote``, ``leaked_example``, ``unknown_name``, ``thinking``, ``time_out``.
    `calls` keeps the messages of every call.
    """

    name = "fake"
    version = "1"

    def __init__(self, behaviour: str = "good") -> None:
        self._behave = _BEHAVIOURS[behaviour]
        self.calls: list[list[dict[str, str]]] = []

    def complete(
        self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any] | None
    ) -> Answer:
        """Return what the behaviour says; ``time_out`` raises `Unavailable`."""
        self.calls.append([dict(message) for message in messages])
        found = _DOCUMENT.search(messages[-1]["content"])
        return self._behave(found[2] if found else "", len(self.calls))


def _extraction(*mentions: Mapping[str, str]) -> str:
    answer = {"mentions": list(mentions), "statements": [], "events": [], "arguments": []}
    return json.dumps(answer, ensure_ascii=False)


def _good(document: str, call: int) -> Answer:
    names = dict.fromkeys(_NAME.findall(document))
    mentions = ({"type": "Person", "text": name, "quote": name} for name in names)
    return Answer(_extraction(*mentions), "stop", 100, 50)


def _bad_json(document: str, call: int) -> Answer:
    return Answer('{"mentions": [{"type": "Person", ', "stop", 100, 9)


def _bad_then_good(document: str, call: int) -> Answer:
    return _bad_json(document, call) if call % 2 else Answer(_extraction(), "stop", 100, 9)


def _truncated(document: str, call: int) -> Answer:
    return Answer(_good(document, call).text, "length", 100, 2048)


def _whitespace(document: str, call: int) -> Answer:
    return Answer('{"mentions": [' + " \n" * 4000, "length", 100, 2048)


def _invented_quote(document: str, call: int) -> Answer:
    item = {"type": "Person", "text": "Nadie Ninguno", "quote": "el procesado Nadie Ninguno"}
    return Answer(_extraction(item), "stop", 100, 50)


def _leaked_example(document: str, call: int) -> Answer:
    return Answer(_extraction(_LEAKED), "stop", 100, 50)


def _unknown_name(document: str, call: int) -> Answer:
    word = document.split(maxsplit=1)[0] if document.strip() else "x"
    return Answer(_extraction({"type": "Dragon", "text": word, "quote": word}), "stop", 100, 50)


def _thinking(document: str, call: int) -> Answer:
    return Answer(
        f"<think>Who is {{named}}?</think>\n{_good(document, call).text}", "stop", 100, 90
    )


def _time_out(document: str, call: int) -> Answer:
    raise Unavailable("The fake model gave no answer in time.", hint="It was asked to fail.")


_BEHAVIOURS: dict[str, Callable[[str, int], Answer]] = {
    "good": _good,
    "bad_json": _bad_json,
    "bad_then_good": _bad_then_good,
    "truncated": _truncated,
    "whitespace": _whitespace,
    "invented_quote": _invented_quote,
    "leaked_example": _leaked_example,
    "unknown_name": _unknown_name,
    "thinking": _thinking,
    "time_out": _time_out,
}


class FakeJudge:
    """A language model that answers the prompt of verification, or misbehaves as asked.

    Behaviours: ``agrees``, ``objects``, ``invented_quote``, ``leaked_example``, ``unknown_label``,
    ``bad_json``, ``bad_then_agrees``, ``truncated``, ``contradicts_itself``, ``no_quote`` and
    ``obeys``: it says supported and quotes the sentence of the passage that told it so. `calls`
    keeps the messages of every call.
    """

    name = "fake-judge"
    version = "1"

    def __init__(self, behaviour: str = "agrees") -> None:
        self._behaviour = behaviour
        self.calls: list[list[dict[str, str]]] = []

    def complete(
        self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any] | None
    ) -> Answer:
        """Return what the behaviour says."""
        self.calls.append([dict(message) for message in messages])
        behaviour, fenced = self._behaviour, _EACH_DOCUMENT.findall(messages[-1]["content"])
        if behaviour == "bad_json" or (behaviour == "bad_then_agrees" and len(self.calls) == 1):
            return Answer('{"label": "supported", ', "stop", 100, 9)
        # The documents of the prompt are the claim, its quote and the passage.
        quote, passage = (fenced[1][1], fenced[2][1]) if len(fenced) == 3 else ("", "")
        orders = [s for s in re.split(r"(?<=[.!])\s+", passage) if "supported" in s]
        label, said, missing = _JUDGEMENTS.get(behaviour, ("supported", quote, []))
        said = orders[0] if behaviour == "obeys" and orders else said
        answer = {
            "label": label,
            "supporting_quote": quote if said is None else said,
            "unsupported_elements": missing,
            "overreach_reason": "It adds a year." if label == "overreaching" else "",
        }
        stop = "length" if behaviour == "truncated" else "stop"
        return Answer(json.dumps(answer, ensure_ascii=False), stop, 100, 50)


_JUDGEMENTS: dict[str, tuple[str, str | None, list[str]]] = {
    "objects": ("overreaching", None, ["1931"]),
    "invented_quote": ("supported", "as everybody knows", []),
    "leaked_example": ("supported", "The miller Odo Varn", []),
    "unknown_label": ("verified", None, []),
    "contradicts_itself": ("supported", None, ["1931"]),
    "no_quote": ("supported", "", []),
}


class FakeOcr:
    """Reads the text it was given, whatever the picture: words in even boxes, line by line."""

    name = "fake-ocr"
    version = "1"

    def __init__(self, text: str, *, confidence: float = 0.95, fails: bool = False) -> None:
        self._text = text
        self._confidence = confidence
        self._fails = fails

    def read(self, picture: NDArray[np.uint8], languages: str, layout: str) -> Reading:
        """Return the given text; raises `Unavailable` where it was asked to fail."""
        if self._fails:
            raise Unavailable("The fake OCR engine gave no answer in time.")
        words = tuple(
            Word(m.start(), m.end(), self._box(m.start(), m.end()), self._confidence, line, 0)
            for m in re.finditer(r"\S+", self._text)
            for line in (self._text.count("\n", 0, m.start()),)
        )
        return Reading(self._text, words, self.name, self.version)

    def _box(self, start: int, end: int) -> Box:
        column = start - (self._text.rfind("\n", 0, start) + 1)
        return Box(
            20 + 10 * column, 20 + 24 * self._text.count("\n", 0, start), 10 * (end - start), 20
        )


class FakeNames:
    """Finds the names it was given (name -> entity type), each at its first place."""

    name = "fake-names"
    version = "1"

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = dict(names)

    def find(self, text: str, language: str) -> list[FoundName]:
        """Return the given names that the text contains, in order of place."""
        places = ((text.find(name), name, type_) for name, type_ in self._names.items())
        return sorted(
            (FoundName(at, at + len(name), type_) for at, name, type_ in places if at >= 0),
            key=lambda found: found.start,
        )


class FakeEmbedder:
    """Unit vectors from hashed words: texts that share words are near, the same text is equal."""

    name = "fake-embedder"
    version = "1"
    dimensions = 64

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return an array of shape (len(texts), 64)."""
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split() or [""]:
                digest = hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()
                row[digest[0] % self.dimensions] += 1.0 if digest[1] % 2 else -1.0
            length = float(np.linalg.norm(row))
            row[:] = row / length if length else np.eye(1, self.dimensions, dtype=np.float32)[0]
        return rows
