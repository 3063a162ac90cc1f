"""`meet`: which described units the scans are copies of, by rules on names; nothing is guessed.

A finding aid says of a unit how its digital copy is called, or what its reference code is; a scan
says how its file and folder are called. A rule tells how the one is made of the other. What leads
to two units, or to different ones for the files of one record, leads to none and is reported.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, ConfigDict, field_validator, model_validator

from rdfkms import resources
from rdfkms.ingest import tomlfile

Finds = Literal["copy", "code"]
_APART = re.compile(r"[\W_]+")
_COUNTED = re.compile(r"[\W\d_]*(?:\.\w+)?")  # 001.jpg: a number tells nothing beyond its folder
_ZEROS = re.compile(r"(?<![^\W_])0+(?=\d)")


class Rule(BaseModel):
    """How a name leads to a unit. `pattern` must fit the whole name; its group `code` is taken."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    takes: Literal["file", "folder", "title"]
    finds: Finds
    pattern: str = ""

    @field_validator("pattern")
    @classmethod
    def _is_pattern(cls, value: str) -> str:
        try:
            groups = re.compile(value).groupindex
        except (re.error, OverflowError, RecursionError) as err:
            raise ValueError(f"{value!r} is no regular expression: {err}") from err
        if value and "code" not in groups:
            raise ValueError("a pattern names what it takes: (?P<code>...)")
        return value

    @model_validator(mode="after")
    def _fits(self) -> Rule:
        if self.pattern and self.finds == "copy":
            raise ValueError("a copy is found by its whole name: leave the pattern out")
        return self


class Rules(BaseModel):
    """Rules in the order in which they are tried."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """What a described unit is found by: the words of a claim about it, or about a copy of it."""

    unit: str
    claim: str
    words: str
    finds: Finds


@dataclass(frozen=True, slots=True)
class Scan:
    """A record that was digitised: the names of its files, its folder and its title."""

    record: str
    files: tuple[str, ...]
    folder: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A scan that is a copy of a unit, and the claim whose words told."""

    record: str
    unit: str
    claim: str


@dataclass(frozen=True, slots=True)
class Met:
    """What came of a search: meetings, and for records that lead to several units, which."""

    meetings: tuple[Meeting, ...]
    ambiguous: dict[str, tuple[str, ...]]
    alone: tuple[str, ...]


def load(path: Path | None = None) -> Rules:
    """Return the rules of a TOML file, or those that are shipped; raises `Misconfigured`."""
    shipped = resources.folder("ingest") / "meeting" / "default.toml"
    return tomlfile.load(path or shipped, Rules)


def meet(scans: Iterable[Scan], names: Iterable[Named], rules: Sequence[Rule]) -> Met:
    """Return which scans are copies of which units."""
    index: dict[tuple[str, str], dict[str, Named]] = defaultdict(dict)
    for one in names:
        for key in _keys(one):
            index[one.finds, key].setdefault(one.unit, one)
    meetings: list[Meeting] = []
    ambiguous: dict[str, tuple[str, ...]] = {}
    alone: list[str] = []
    for scan in scans:
        found = _found(scan, index, rules)
        if len(found) == 1:
            (one,) = found.values()
            meetings.append(Meeting(scan.record, one.unit, one.claim))
        elif found:
            ambiguous[scan.record] = tuple(sorted(found))
        else:
            alone.append(scan.record)
    return Met(tuple(meetings), ambiguous, tuple(alone))


def _found(
    scan: Scan, index: dict[tuple[str, str], dict[str, Named]], rules: Sequence[Rule]
) -> dict[str, Named]:
    """Return the units that the first rule leads to that leads anywhere from each name."""
    several: dict[str, Named] = {}
    for rule in rules:
        each = [_of(name, rule, index) for name in _names(scan, rule)]
        if not each or not all(each):
            continue
        units = {unit: named for found in each for unit, named in found.items()}
        if len(units) == 1:
            return units
        several = several or units
    return several


def _names(scan: Scan, rule: Rule) -> tuple[str, ...]:
    if rule.takes == "file":
        return scan.files
    one = scan.folder if rule.takes == "folder" else scan.title
    return (one,) if one else ()


def _of(name: str, rule: Rule, index: dict[tuple[str, str], dict[str, Named]]) -> dict[str, Named]:
    if rule.finds == "copy":
        return index.get(("copy", _composed(name)), {})
    stem = PurePosixPath(name).stem if rule.takes == "file" else name
    whole = index.get(("code", folded(stem)), {})
    if whole or not rule.pattern:
        return whole
    found = re.fullmatch(rule.pattern, stem)
    return index.get(("code", folded(found["code"] or "")), {}) if found else {}


def _keys(named: Named) -> Iterator[str]:
    if named.finds == "code":
        if key := folded(named.words):
            yield key
        return
    yield _composed(named.words)
    with suppress(ValueError):  # no address that could be taken apart
        name = PurePosixPath(unquote(urlsplit(named.words).path)).name
        if name != named.words and not _COUNTED.fullmatch(name):
            yield _composed(name)


def folded(code: str) -> str:
    """Return a reference code as it is compared: without case, separators and leading zeros."""
    return _ZEROS.sub("", _APART.sub("/", _composed(code))).strip("/")


def _composed(words: str) -> str:
    """Return words as they are compared: without case, letters with their marks as one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", words).casefold())
