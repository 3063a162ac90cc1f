"""Claims judged against evidence by people: four public corpora in one form.

Each corpus has its own grades; `Grade` says them in ours. The corpora have no train part, so each
is split by document (article, prompt, knowledge, premise) into "tune", on which thresholds are
set, and "report", which nothing is set on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from rdfkms.errors import BadInput, NotFound

PARTS = ("tune", "report")


class Grade(StrEnum):
    """What people said about a claim and its evidence."""

    SUPPORTED = "supported"
    OVERREACHING = "overreaching"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim in words, its evidence as sentences or passages, and its grade by people.

    `group` names the document that the pair is of; `part` is one of `PARTS`.
    """

    key: str
    claim: str
    evidence: tuple[str, ...]
    grade: Grade
    language: str
    group: str

    @property
    def part(self) -> str:
        """The part of the split, decided by a hash of the document."""
        digest = hashlib.sha256(self.group.encode("utf-8", "surrogatepass")).digest()
        return PARTS[digest[0] % 2]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The pairs of one corpus and the grades that it uses, best first."""

    name: str
    grades: tuple[Grade, ...]
    pairs: tuple[Pair, ...]

    def part(self, name: str) -> tuple[Pair, ...]:
        """Return the pairs of one part."""
        return tuple(pair for pair in self.pairs if pair.part == name)


@dataclass(frozen=True, slots=True)
class _Source:
    file: str
    label: str
    grades: Mapping[str, Grade]
    pair: Callable[[Mapping[str, Any]], tuple[str, tuple[str, ...], str]]
    language: str = "en"


def _wice(row: Mapping[str, Any]) -> tuple[str, tuple[str, ...], str]:
    return row["claim"], tuple(row["evidence"]), row["meta"]["claim_title"]


def _factcheck(row: Mapping[str, Any]) -> tuple[str, tuple[str, ...], str]:
    return row["claim"], (row["evidence"],), row["prompt"]


def _begin(row: Mapping[str, Any]) -> tuple[str, tuple[str, ...], str]:
    return row["response"], (row["knowledge"],), row["knowledge"]


def _rte(row: Mapping[str, Any]) -> tuple[str, tuple[str, ...], str]:
    return row["hypothesis"], (row["premise"],), row["premise"]


SOURCES: Mapping[str, _Source] = {
    "claims-wice": _Source(
        "claims.jsonl",
        "label",
        {
            "supported": Grade.SUPPORTED,
            "partially_supported": Grade.OVERREACHING,
            "not_supported": Grade.UNSUPPORTED,
        },
        _wice,
    ),
    "claims-factcheck": _Source(
        "stance.jsonl",
        "stance",
        {
            "completely-support": Grade.SUPPORTED,
            "partially-support": Grade.OVERREACHING,
            "irrelevant": Grade.UNSUPPORTED,
            "refute": Grade.CONTRADICTED,
        },
        _factcheck,
    ),
    "claims-begin": _Source(
        "turns.jsonl",
        "begin_label",
        {
            "Fully attributable": Grade.SUPPORTED,
            "Not fully attributable": Grade.UNSUPPORTED,
            "Generic": Grade.UNSUPPORTED,
        },
        _begin,
    ),
    "claims-rte3-fr": _Source(
        "pairs.jsonl",
        "label_text",
        {
            "entailment": Grade.SUPPORTED,
            "neutral": Grade.UNSUPPORTED,
            "contradiction": Grade.CONTRADICTED,
        },
        _rte,
        "fr",
    ),
}


def load(shared: Path, name: str, folder: str = "dev") -> Corpus:
    """Return the corpus `name` from the folder of shared data.

    Raises `NotFound` where it is absent, `BadInput` naming the line that is no pair.
    """
    source = SOURCES[name]
    path = shared / "data" / "corpora" / name / folder / source.file
    if not path.is_file():
        raise NotFound(f"There is no corpus file {path}.", hint="Get the corpus, or leave it out.")
    pairs = tuple(_pairs(path, name, source))
    grades = tuple(g for g in Grade if any(pair.grade is g for pair in pairs))
    return Corpus(name, grades, pairs)


def _pairs(path: Path, name: str, source: _Source) -> Iterator[Pair]:
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            claim, evidence, group = source.pair(row)
            grade = source.grades[row[source.label]]
        except (ValueError, KeyError, TypeError) as err:
            raise BadInput(f"{path}: line {number} is no judged claim: {err!r}.") from err
        key = f"{name}:{number}"
        yield Pair(key, claim, evidence, grade, source.language, f"{name} {group}")
