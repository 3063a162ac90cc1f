"""`Declaring.declare`: what a description states, as claims.

Things go by their identifiers, statements by the table.

Nothing is recognised here and nobody is told apart by a name: a finding aid or authority record
says in the terms of its standard what it means, and the mapping table says it in RiC-O.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.proposers.candidates import keyed
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.model import (
    DESCRIBING_FILE,
    Anchor,
    Candidate,
    Claim,
    EvidenceUnit,
    Kind,
    Pointer,
    Ref,
    Statement,
    Stretch,
    Thing,
    Value,
)
from rdfkms.vocab import key_of

FILE_KIND = "record"
OTHER_TITLE = "description/otherTitle"
FILE_TITLE = "description/titleOfDescription"
CONFIDENCE = 0.95
_MARKS = (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<", ">"))  # what begins so ends so
_LONGEST_SURFACE = 200

RefOf = Callable[[Thing], Ref]
IsPast = Callable[[str], bool]


def nothing_past(key: str) -> bool:
    """Return False: no claim of this key was taken back, as in an archive without any."""
    return False


@dataclass(frozen=True, slots=True)
class Declared:
    """One statement of a description as candidate and as claim, and what it was made of."""

    candidate: Candidate
    claim: Claim
    statement: Statement


def thing_key(thing: Thing) -> str:
    """Return the key of a thing that a description speaks of: the same in the next reading."""
    return key_of("described", *thing.identity)


@dataclass(frozen=True, slots=True)
class Declaring:
    """Makes claims of what stretches state: who is meant, by which table, who read it.

    `is_past` says of a claim's key whether a newer file had said it no more: where the next one
    says it again, that is a claim of its own, and the old one stays in the history.
    """

    ref_of: RefOf
    mapping: Mapping
    proposer: str = ""
    run: str = ""
    is_past: IsPast = nothing_past

    def declare(self, stretch: Stretch, unit: EvidenceUnit) -> list[Declared]:
        """Return the statements of a stretch as claims about its unit, admitted until judged.

        A claim is one statement of the file about one thing, made in the stretches about one
        thing, wherever in them it stands (ADR 0007); what one stretch says again is another.
        Raises `KeyError` for a name that the mapping table does not hold.
        """
        about = self.ref_of(stretch.about)
        times: Counter[str] = Counter()
        found = []
        for said in (_told(said, unit.raw.language) for said in stretch.statements):
            ends = _Ends(
                self.ref_of(said.subject),
                self.ref_of(said.object) if said.object is not None else None,
                self.ref_of(said.place) if said.place is not None else None,
            )
            key = _claim_key(said, ends, unit.record, about)
            times[key] += 1
            if times[key] > 1:  # of two equal notes each is behind what it is a note on
                key = key_of("claim", "repeated", key, times[key])
            found.append(self._declared(said, ends, unit, key))
        return found

    def _declared(self, said: Statement, ends: _Ends, unit: EvidenceUnit, key: str) -> Declared:
        quote = unit.raw.text[said.start : said.end]
        kind = self.mapping.statement(said.name).claim_kind
        is_name = kind is Kind.MENTION
        name = _type_of(ends.subject, said.subject, self.mapping) if is_name else said.name
        while self.is_past(key):
            key = key_of("claim", "again", key)
        candidate = keyed(
            Candidate(
                "", kind, unit.key, name, quote, said.start, said.end,
                subject=_anchor(said, said.subject, quote),
                object=_anchor(said, said.object, quote) if said.object is not None else None,
                value=None if is_name else said.value,
                confidence=CONFIDENCE, proposer=self.proposer, time=said.time,
                note=" ".join(ends.paths),
                raw=" ".join((said.name, *ends.paths, said.value.lexical if said.value else "")),
            )
        )  # fmt: skip
        claim = Claim(
            key=key,
            kind=kind,
            statement=said.name,
            subject=ends.subject,
            pointers=(Pointer(unit.key, unit.raw.key, said.start, said.end, quote),),
            object=ends.object,
            value=said.value,
            name=name if is_name else "",
            confidence=CONFIDENCE,
            runs=(self.run,),
            time=said.time,
            place=ends.place,
        )
        return Declared(candidate, claim, said)


@dataclass(frozen=True, slots=True)
class _Ends:
    """What a statement is about and where it leads."""

    subject: Ref
    object: Ref | None
    place: Ref | None

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of those that there are."""
        return tuple(ref.path for ref in (self.subject, self.object, self.place) if ref)


def _told(said: Statement, tongue: str) -> Statement:
    """Return a statement in the form in which an archive keeps it.

    A file has its title from its record: what it calls itself, in the language of its words, is
    said beside that. A normal form without words of its own is in no language.
    """
    said = replace(said, value=_kept(said.value), time=_kept(said.time))
    of_file = said.subject.identity == DESCRIBING_FILE and said.name in (NAMED_AS, OTHER_TITLE)
    if not of_file or said.value is None:
        return said
    title = replace(said.value, language=said.value.language or tongue)
    return replace(said, name=FILE_TITLE, value=title)


def _kept(value: Value | None) -> Value | None:
    if value is None or value.datatype == "string" or value.verbatim:
        return value
    return replace(value, language="")


def _type_of(ref: Ref, thing: Thing, mapping: Mapping) -> str:
    """Return the type of a thing as the archive knows it, where a file leaves it open."""
    known = mapping.by_kind(ref.kind)
    return known.name if known is not None else thing.type


def _anchor(said: Statement, thing: Thing, quote: str) -> Anchor:
    return Anchor(said.start, said.end, quote[:_LONGEST_SURFACE], thing.type)


def _claim_key(said: Statement, ends: _Ends, record: str, about: Ref) -> str:
    """Return the key of a statement: not of its words' place, which moves as a file is edited."""
    parts = (ref.path if ref else None for ref in (ends.subject, ends.object, ends.place))
    return key_of(
        "claim", "declared", record, about.path, said.name, said.subject.type, *parts,
        *_parts(said.value), *_parts(said.time),
    )  # fmt: skip


def _parts(value: Value | None) -> tuple[str | None, ...]:
    if value is None:
        return (None,) * 4
    return value.lexical, value.datatype, value.language, value.verbatim


# ---- what a quote says -------------------------------------------------------------------------


def folded(text: str) -> str:
    """Return words with white space folded, for comparing."""
    return " ".join(text.split())


def plain(markup: str) -> str:
    """Return the words of a stretch of markup: without tags, entities resolved, space folded.

    Space may be missing between elements of a name, so compare without it (`bare`).
    """
    return folded(" ".join(_between_tags(markup)))


def _between_tags(markup: str) -> Iterator[str]:
    at = 0
    while (start := markup.find("<", at)) >= 0:
        yield html.unescape(markup[at:start])
        opening, closing = next(m for m in _MARKS if markup.startswith(m[0], start))
        end = markup.find(closing, start + len(opening))
        if end < 0:  # not markup, and looked for once: a hostile text costs no more than its length
            at = start
            break
        if closing == "]]>":
            yield markup[start + len(opening) : end]
        at = end + len(closing)
    yield html.unescape(markup[at:])


def bare(text: str) -> str:
    """Return a text without any white space: all that two readings of markup must agree in."""
    return "".join(text.split())
