"""The inline mark-up of the sample sources, and how it becomes truth.

A mark is ``[surface|spec|facts]``.  ``spec`` is ``P:slug`` (a mention; the letter is the
type), ``=value`` (a literal with its normalised value), ``#id:EventType`` (a trigger) or
empty.  ``facts`` are separated by ``;``: ``name=slug`` says that the slug is the subject and
this mark the object or value; ``>name=slug`` that this mark is the subject; ``@id.role`` that
this mark fills a role of an event.  ``?`` after a name means rumour, ``!`` means negated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

TYPES = {
    "P": "Person",
    "L": "Location",
    "O": "OrganizationState",
    "T": "Title",
    "C": "Charge",
    "S": "Sentence",
    "W": "Work",
    "A": "Artifact",
    "X": "TimeExpression",
    "K": "Concept",
    "R": "Ritual",
    "H": "HeritageItem",
    "Q": "Technique",
    "U": "Tool",
    "M": "Material",
}
ATTRIBUTES = {
    "birthplace",
    "residence",
    "age",
    "occupation",
    "militaryRank",
    "maritalStatus",
    "birthDate",
    "deathDate",
}
LITERAL = {"Alias", "age", "occupation", "militaryRank", "maritalStatus", "birthDate"} | {
    "deathDate",
    "time",
    "outcome",
    "plea",
    "verdict",
}
MAX_QUOTE = 320
MARK = re.compile(r"\[([^\[\]|]+)\|([^\[\]|]*)(?:\|([^\[\]|]*))?\]")
CERTAINTY = {"?": "rumour", "!": "negated"}
BOUNDARY = re.compile(r"(?:[^\W\d_]{3,}|\d{2,}|[)»])[.;]\s|[。]\s?|\n\n")


@dataclass(frozen=True)
class Mark:
    """A marked span of a piece of text."""

    start: int
    end: int
    spec: str
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Piece:
    """A paragraph without its mark-up, and the marks it had."""

    text: str
    marks: tuple[Mark, ...]


@dataclass
class Placed:
    """A mark at its place in the text of a page."""

    start: int
    end: int
    spec: str
    facts: tuple[str, ...]
    mention: str | None = None

    @property
    def slug(self) -> str | None:
        """The entity named here, when the mark is a mention."""
        letter, _, slug = self.spec.partition(":")
        return slug if letter in TYPES else None


@dataclass
class Truth:
    """What a page contains: mentions and facts as they are written to the truth file."""

    text: str
    part: str
    mentions: list[dict[str, Any]] = field(default_factory=list)
    facts: list[dict[str, Any]] = field(default_factory=list)


def parse(source: str) -> Piece:
    """Take the mark-up out of a paragraph and keep where it was."""
    out: list[str] = []
    marks: list[Mark] = []
    last, length = 0, 0
    for found in MARK.finditer(source):
        before = source[last : found.start()]
        out.append(before)
        length += len(before)
        surface, spec, facts = found.group(1), found.group(2), found.group(3) or ""
        listed = tuple(item.strip() for item in facts.split(";") if item.strip())
        marks.append(Mark(length, length + len(surface), spec, listed))
        out.append(surface)
        length += len(surface)
        last = found.end()
    out.append(source[last:])
    text = "".join(out)
    if "[" in text or "|" in text:
        raise ValueError(f"unbalanced mark in: {source[:80]}")
    return Piece(text, tuple(marks))


def _name(raw: str) -> tuple[str, str]:
    if raw[-1] in CERTAINTY:
        return raw[:-1], CERTAINTY[raw[-1]]
    return raw, "stated"


def _gap(one: Placed, other: Placed) -> int:
    if one.end <= other.start:
        return other.start - one.end
    before_a_name = other.slug is None or other.spec.startswith("T:")
    return one.start - other.end + (15 if before_a_name else MAX_QUOTE)


def nearest(marks: Sequence[Placed], slug: str, here: Placed) -> Placed:
    """The mention of an entity closest to a mark, rather before it than after it."""
    found = [m for m in marks if m.slug == slug and m is not here]
    if not found:
        raise ValueError(f"{slug!r} is not mentioned on the page")
    plain = [m for m in found if not any(f.startswith("Alias") for f in m.facts)]
    return min(plain or found, key=lambda m: _gap(m, here))


def _literal(text: str, here: Placed) -> tuple[Any, str]:
    surface = text[here.start : here.end]
    if here.spec == "=":
        return None, surface
    if here.spec.startswith("="):
        value = here.spec[1:]
        return (int(value) if re.fullmatch(r"\d{1,3}", value) else value), surface
    return re.sub(r"-\n(?=\w)", "", surface).replace("\n", " "), surface


class Resolver:
    """Turns the placed marks of one page into mentions and facts."""

    def __init__(
        self, text: str, part: str, marks: Sequence[Placed], starts: Sequence[int], cjk: bool
    ) -> None:
        """Take a page and where its paragraphs start; ``cjk``: lines join without a space."""
        self.truth = Truth(text, part)
        self.starts = sorted({0, *starts, len(text)})
        self.marks = sorted(marks, key=lambda m: m.start)
        self.cjk = cjk
        self.events: dict[str, tuple[str, Placed]] = {}

    def run(self) -> Truth:
        """Number the mentions, then the events, then everything that refers to them."""
        for mark in self.marks:
            if mark.slug is not None:
                self._mention(mark)
        for mark in self.marks:
            if mark.spec.startswith("#"):
                self._event(mark)
        for mark in self.marks:
            for raw in mark.facts:
                self._fact(mark, raw)
        return self.truth

    def _mention(self, mark: Placed) -> None:
        kind = TYPES[mark.spec.split(":")[0]]
        mark.mention = f"m{len(self.truth.mentions) + 1}"
        self.truth.mentions.append(
            {
                "id": mark.mention,
                "start": mark.start,
                "end": mark.end,
                "surface": self.truth.text[mark.start : mark.end],
                "type": kind,
                "entity": f"{self.truth.part}/{kind.lower()}/{mark.slug}",
            }
        )

    def _add(self, kind: str, name: str, certainty: str, **more: Any) -> str:
        key = f"f{len(self.truth.facts) + 1}"
        fact: dict[str, Any] = {"id": key, "kind": kind, "name": name, "event": None}
        fact |= {"subject": None, "object": None, "value": None}
        self.truth.facts.append(fact | more | {"certainty": certainty})
        return key

    def _event(self, mark: Placed) -> None:
        key, _, raw = mark.spec[1:].partition(":")
        name, certainty = _name(raw)
        low, high = self._sentence(mark.start, mark.end)
        trigger = {"start": mark.start, "end": mark.end}
        fact = self._add(
            "event",
            name,
            certainty,
            entity=f"{self.truth.part}/event/{key}",
            trigger=trigger | {"text": self.truth.text[mark.start : mark.end]},
            quote={"start": low, "end": high, "text": self.truth.text[low:high]},
        )
        self.events[key] = (fact, mark)

    def _sentence(self, start: int, end: int) -> tuple[int, int]:
        text = self.truth.text
        low = max(at for at in self.starts if at <= start)
        high = min(at for at in self.starts if at >= end)
        for found in BOUNDARY.finditer(text, low, high):
            if found.end() <= start:
                low = found.end()
            elif found.end() > end:
                high = found.end()
                break
        while high > end and text[high - 1].isspace():
            high -= 1
        return low, high

    def _quote(self, here: Placed, other: Placed, same: bool) -> dict[str, Any]:
        start, end = min(here.start, other.start), max(here.end, other.end)
        apart = same and any(start < at < end for at in self.starts)
        if apart or end - start > MAX_QUOTE:
            start, end = self._sentence(here.start, here.end)
        return {"start": start, "end": end, "text": self.truth.text[start:end]}

    def _filler(self, name: str, mark: Placed) -> dict[str, Any]:
        if mark.mention is not None and name not in LITERAL:
            return {"object": mark.mention}
        value, verbatim = _literal(self.truth.text, mark)
        if self.cjk and isinstance(value, str):
            value = value.replace(" ", "")
        return {"value": value, "verbatim": verbatim}

    def _fact(self, mark: Placed, raw: str) -> None:
        if raw.startswith("@"):
            key, _, role = raw[1:].partition(".")
            name, certainty = _name(role)
            event, trigger = self.events[key]
            filler = self._filler(name, mark)
            quote = self._quote(mark, trigger, same=True)
            self._add("argument", name, certainty, event=event, **filler, quote=quote)
            return
        left, _, slugs = raw.partition("=")
        name, certainty = _name(left.lstrip(">"))
        kind = "attribute" if name in ATTRIBUTES else "relation"
        for slug in slugs.split(","):
            other = nearest(self.marks, slug.strip(), mark)
            quote = self._quote(mark, other, same=False)
            if raw.startswith(">"):
                ends = {"subject": mark.mention, "object": other.mention}
            else:
                ends = {"subject": other.mention} | self._filler(name, mark)
            self._add(kind, name, certainty, **ends, quote=quote)
