"""Reads what one description file says: its admitted claims, in the order of the file."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace

from pyoxigraph import Literal, NamedNode

from rdfkms.errors import NotFound
from rdfkms.knowledge.mapping import StatementRule
from rdfkms.ports import Row
from rdfkms.publish.views import PORTION, Scope, literal_of, text_of

_LINE = re.compile(r"line=(\d+)")


@dataclass(frozen=True, slots=True)
class Said:
    """One admitted claim of the file; things as IRIs, after merging. `unit` is where it stands.

    `line` is 0 for what an archivist wrote, which stands nowhere in the file.
    """

    claim: str
    name: str  # of the statement in the mapping table
    subject: str
    object: str
    value: Literal | None
    words: Literal | None
    time: Literal | None
    time_words: Literal | None
    place: str
    unit: str
    line: int
    ordinal: int  # of the unit, among those of one section
    start: int
    end: int
    quote: str

    @property
    def text(self) -> str:
        """The value as it is written; nothing where it has none."""
        return self.value.value if self.value is not None else ""

    @property
    def place_in_file(self) -> tuple[int, int, int]:
        """Where it stands in the file; what stands nowhere in it comes last."""
        return self.line or sys.maxsize, self.ordinal, self.start

    @property
    def spot(self) -> tuple[str, int, int]:
        """The words it was read from: two claims of one spot were read from the same words."""
        return self.unit, self.start, self.end


@dataclass(frozen=True)
class Account:
    """All that a file says, by statement and by subject, in the order of the file."""

    scope: Scope
    key: str
    said: tuple[Said, ...]
    by_subject: dict[str, list[Said]]

    def of(self, subject: str, *names: str) -> list[Said]:
        """Return what is said of a subject by these statements."""
        return [one for one in self.by_subject.get(subject, ()) if one.name in names]

    def all(self, *names: str) -> list[Said]:
        """Return all that is said by these statements."""
        return [one for one in self.said if one.name in names]

    def kind(self, iri: str) -> str:
        """Return the kind of a thing of the archive (``set``, ``person`` ...), or nothing."""
        return (self.scope.base.split(iri) or ("", ""))[0]

    def rule(self, said: Said) -> StatementRule:
        """Return the rule of a statement."""
        return self.scope.mapping.statement(said.name)


def read(scope: Scope, key: str) -> Account:
    """Return what the description file of a record says; `NotFound` where there is no such one."""
    record = scope.base.iri("record", key)
    rows = scope.select("publishing/description", record=record)
    found: dict[str, Said] = {}
    for row in rows:
        one = _said(scope, row)
        if one is None:
            continue
        known = found.get(one.claim)
        if known is None or one.place_in_file < known.place_in_file:
            found[one.claim] = one
    if not found:
        raise NotFound(
            f"There is no description file with the key {key} here.",
            hint="Name the key of a record that came in by `rdfkms describe`.",
        )
    said = tuple(_in_order(_merged(scope, found.values())))
    by_subject: dict[str, list[Said]] = defaultdict(list)
    for one in said:
        by_subject[one.subject].append(one)
    return Account(scope, key, said, dict(by_subject))


def _in_order(claims: list[Said]) -> list[Said]:
    """Return claims in the order of the file, each that was amended behind its peers.

    These are what the file says of the same thing by the same statement, else of the same thing.
    """
    claims.sort(key=lambda s: (s.place_in_file, s.end, s.claim))
    last: dict[tuple[str, str], tuple[int, int, int]] = {}
    for one in claims:
        if one.line:
            last[one.subject, one.name] = last[one.subject, ""] = one.place_in_file
    nowhere = (sys.maxsize, 0, 0)

    def place(one: Said) -> tuple[int, int, int]:
        if one.line:
            return one.place_in_file
        return last.get((one.subject, one.name)) or last.get((one.subject, ""), nowhere)

    return sorted(claims, key=lambda one: (place(one), not one.line))


def _said(scope: Scope, row: Row) -> Said | None:
    statement = row["statement"]
    rule = scope.mapping.by_concept(statement) if isinstance(statement, NamedNode) else None
    if not isinstance(rule, StatementRule):
        return None
    line = _LINE.match(text_of(row["fragment"]))
    return Said(
        claim=text_of(row["claim"]),
        name=rule.name,
        subject=text_of(row["subject"]),
        object=text_of(row["object"]),
        value=literal_of(row["value"]),
        words=literal_of(row["verbatim"]),
        time=literal_of(row["time"]),
        time_words=literal_of(row["timeVerbatim"]),
        place=text_of(row["place"]),
        unit=text_of(row["unit"]),
        line=int(line[1]) if line else 0,
        ordinal=int(text_of(row["ordinal"])),
        start=int(text_of(row["start"])),
        end=int(text_of(row["end"])),
        quote=text_of(row["quote"]),
    )


def _merged(scope: Scope, claims: Collection[Said]) -> list[Said]:
    things = sorted({t for one in claims for t in (one.subject, one.object, one.place) if t})
    into: dict[str, str] = {}
    for start in range(0, len(things), PORTION):
        some = [NamedNode(thing) for thing in things[start : start + PORTION]]
        for row in scope.select_of("publishing/merged", "thing", some):
            into[text_of(row["thing"])] = text_of(row["into"])
    return [
        replace(
            one,
            subject=into.get(one.subject, one.subject),
            object=into.get(one.object, one.object),
            place=into.get(one.place, one.place),
        )
        for one in claims
    ]
