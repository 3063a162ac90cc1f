"""Mentions by a name finder (spaCy, jieba): only what also looks like a name to our lists.

Finders guess, on historical and misread text often wrongly. A person of a Latin-script text is
proposed only where every word of it is written as a name is, and its first word is a known given
name; a name of a list of authorities always. The rest is left to patterns and people. A profile
that wants recall says ``accept = "capitals"``: then every find that is written as a name stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from rdfkms.errors import Misconfigured
from rdfkms.knowledge import lexicons
from rdfkms.knowledge.proposers.candidates import Quoting
from rdfkms.knowledge.proposers.shadow import fold_accents
from rdfkms.model import Candidate, EvidenceUnit
from rdfkms.ports import FoundName, NameFinder

_WORD = re.compile(r"(?:[A-Z][a-z']{1,18}(?:-[A-Z]?[a-z]{1,12}){0,2}|[A-Z]\.)\Z")
_PARTICLE = {"de", "del", "la", "las", "los", "du", "des", "le", "van", "von", "d'", "y"}
# A word that begins with a capital, with what hyphens and apostrophes join to it.
_CAPITAL = re.compile(r"\b[A-ZÀ-ÖØ-Þ][^\W\d_]*(?:[-'’¬]\n?[^\W\d_]+)*")
_STOP = re.compile(r"[^\W\d_]{4}[.;:!?»\"]\s")
_LAST_WORD = re.compile(r"[^\W\d_]+(?=[\s'’\"«]{0,3}\Z)")
LONGEST, SHORTEST, WINDOW = 5, 3, 24
CONFIDENCE = 0.7


class NameTable(BaseModel):
    """The table `[names]` of a profile."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    finder: str = ""
    languages: tuple[str, ...] = ()
    types: tuple[str, ...] = ("Person",)
    lexicon: tuple[str, ...] | str = ()
    stop: tuple[str, ...] | str = ()
    authority: str = ""
    recurring: bool = False
    accept: Literal["given", "capitals"] = "given"
    # Words, by type, one of which must stand before a find of that type for it to be taken.
    before: dict[str, tuple[str, ...]] = {}


class NameProposer:
    """Proposes mentions that a finder sees and that pass the shape of a name."""

    gives_way = True

    def __init__(self, finder: NameFinder, table: NameTable) -> None:
        self.finder = finder
        self.table = table
        self.given = _folded(table.lexicon)
        self.stops = _folded(table.stop)
        self.name = f"names:{finder.name}"
        self.version = finder.version

    def propose(self, unit: EvidenceUnit) -> tuple[Candidate, ...]:
        """Return mentions in order of place; nothing in a language the profile does not list."""
        if unit.language not in self.table.languages:
            return ()
        quoting = Quoting(unit, self.name)
        text = unit.raw.text
        found = self.finder.find(text, unit.language)
        if self.table.accept == "capitals":
            found = [trimmed for f in found if (trimmed := self._trimmed(f, text)) is not None]
        kept = [f for f in found if self._accepts(f, text)]
        return tuple(quoting.mention((f.start, f.end), f.type, CONFIDENCE) for f in kept)

    def _accepts(self, found: FoundName, text: str) -> bool:
        if found.type not in self.table.types or not self._led(found, text):
            return False
        if self.table.authority or self.table.accept == "capitals":
            return True
        return self._like_a_name(text[found.start : found.end])

    def _led(self, found: FoundName, text: str) -> bool:
        wanted = self.table.before.get(found.type)
        word = _LAST_WORD.search(text[max(0, found.start - WINDOW) : found.start])
        return wanted is None or (word is not None and fold_accents(word[0]).lower() in wanted)

    def _trimmed(self, found: FoundName, text: str) -> FoundName | None:
        """Return the find from its first to its last word in capitals, None where there is none.

        Words that begin sentences are no names, nor is what runs over the end of a sentence.
        """
        words = [
            match
            for match in _CAPITAL.finditer(text, found.start, found.end)
            if fold_accents(match[0]) not in self.stops
        ]
        if not words or len(words) > LONGEST or (len(words) == 1 and len(words[0][0]) < SHORTEST):
            return None
        start, end = words[0].start(), words[-1].end()
        return None if _STOP.search(text, start, end) else FoundName(start, end, found.type)

    def _like_a_name(self, surface: str) -> bool:
        words = fold_accents(surface).split()
        written = [word for word in words if word not in _PARTICLE]
        if len(written) < 2 or len(words) > 7:
            return False
        if not all(_WORD.match(word) for word in written):
            return False
        return words[0] in self.given and not any(word in self.stops for word in written)


def table_of(profile: str, tables: Mapping[str, object]) -> NameTable:
    """Return the table `[names]` of a profile; raises `Misconfigured` with key and reason."""
    try:
        return NameTable.model_validate(tables.get("names", {}))
    except ValidationError as err:
        first = err.errors()[0]
        where = ".".join(str(step) for step in first["loc"])
        raise Misconfigured(f"profile {profile!r}: names.{where}: {first['msg']}.") from err


def from_table(
    profile: str,
    tables: Mapping[str, object],
    make: Callable[[str, Mapping[str, str]], NameFinder | None],
) -> NameProposer | None:
    """Return the name proposer of a profile, or None where it names no finder.

    `make` gets the finder's name and the authority list (name -> type); it returns None where
    that finder is not installed. Raises `Misconfigured`.
    """
    table = table_of(profile, tables)
    if not table.finder:
        return None
    listed = lexicons.rows(table.authority) if table.authority else ()
    finder = make(table.finder, {row[0]: row[1] for row in listed})
    return None if finder is None else NameProposer(finder, table)


def _folded(lists: tuple[str, ...] | str) -> frozenset[str]:
    names = (lists,) if isinstance(lists, str) else lists
    return frozenset(fold_accents(word) for name in names for word in lexicons.words(name))
