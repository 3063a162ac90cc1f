"""What a description states, as claims: things by their identifiers, statements by the table.

Nothing is recognised here and nobody is told apart by a name: a finding aid or authority record
says in the terms of its standard what it means, and the mapping table says it in RiC-O.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
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
CONFIDENCE = 0.95
_TAG = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_LONGEST_SURFACE = 200

RefOf = Callable[[Thing], Ref]


@dataclass(frozen=True, slots=True)
class Declared:
    """One statement of a description as candidate and as claim, and what it was made of."""

    candidate: Candidate
    claim: Claim
    statement: Statement


def thing_key(thing: Thing) -> str:
    """Return the key of a thing that a description speaks of: the same in the next reading."""
    return key_of("described", *thing.identity)


def declare(
    stretch: Stretch, unit: EvidenceUnit, ref_of: RefOf, mapping: Mapping, proposer: str, run: str
) -> list[Declared]:
    """Return the statements of a stretch as claims about its unit, status admitted until judged.

    Raises `KeyError` for a name that the mapping table does not hold.
    """
    return [
        _declared(_told(said, unit.raw.language), unit, ref_of, mapping, proposer, run)
        for said in stretch.statements
    ]


def _told(said: Statement, tongue: str) -> Statement:
    """Return a statement in the form in which an archive keeps it.

    A file has its title from its record: its own name, in the language of its words, is said
    beside that. A normal form without words of its own is in no language.
    """
    said = replace(said, value=_kept(said.value), time=_kept(said.time))
    if said.name != NAMED_AS or said.subject.identity != DESCRIBING_FILE or said.value is None:
        return said
    title = replace(said.value, language=said.value.language or tongue)
    return replace(said, name=OTHER_TITLE, value=title)


def _kept(value: Value | None) -> Value | None:
    if value is None or value.datatype == "string" or value.verbatim:
        return value
    return replace(value, language="")


def _declared(
    said: Statement, unit: EvidenceUnit, ref_of: RefOf, mapping: Mapping, proposer: str, run: str
) -> Declared:
    quote = unit.raw.text[said.start : said.end]
    subject = ref_of(said.subject)
    object_ = ref_of(said.object) if said.object is not None else None
    place = ref_of(said.place) if said.place is not None else None
    kind = mapping.statement(said.name).claim_kind
    name = _type_of(subject, said.subject, mapping) if kind is Kind.MENTION else said.name
    candidate = keyed(
        Candidate(
            "", kind, unit.key, name, quote, said.start, said.end,
            subject=_anchor(said, said.subject, quote),
            object=_anchor(said, said.object, quote) if said.object is not None else None,
            value=None if kind is Kind.MENTION else said.value,
            confidence=CONFIDENCE, proposer=proposer, time=said.time,
            note=" ".join(ref.path for ref in (subject, object_) if ref is not None),
        )
    )  # fmt: skip
    claim = Claim(
        key=_claim_key(said, subject, object_, place, unit, quote),
        kind=kind,
        statement=said.name,
        subject=subject,
        pointers=(Pointer(unit.key, unit.raw.key, said.start, said.end, quote),),
        object=object_,
        value=said.value,
        name=name if kind is Kind.MENTION else "",
        confidence=CONFIDENCE,
        runs=(run,),
        time=said.time,
        place=place,
    )
    return Declared(candidate, claim, said)


def _type_of(ref: Ref, thing: Thing, mapping: Mapping) -> str:
    """Return the type of a thing as the archive knows it, where a file leaves it open."""
    known = mapping.by_kind(ref.kind)
    return known.name if known is not None else thing.type


def _anchor(said: Statement, thing: Thing, quote: str) -> Anchor:
    return Anchor(said.start, said.end, quote[:_LONGEST_SURFACE], thing.type)


def _claim_key(
    said: Statement,
    subject: Ref,
    object_: Ref | None,
    place: Ref | None,
    unit: EvidenceUnit,
    quote: str,
) -> str:
    ends = (ref.path if ref is not None else None for ref in (subject, object_, place))
    return key_of(
        "claim", "declared", said.name, said.subject.type, *ends, *_parts(said.value),
        *_parts(said.time), unit.key, said.start, said.end, quote,
    )  # fmt: skip


def _parts(value: Value | None) -> tuple[str | None, ...]:
    return (None,) * 3 if value is None else (value.lexical, value.datatype, value.language)


# ---- what a quote says -------------------------------------------------------------------------


def folded(text: str) -> str:
    """Return words with white space folded, for comparing."""
    return " ".join(text.split())


def plain(markup: str) -> str:
    """Return the words of a stretch of markup: without tags, entities resolved, space folded.

    Space may be missing between elements of a name, so compare without it (`bare`).
    """
    return folded(html.unescape(_TAG.sub(" ", _CDATA.sub(r"\1", markup))))


def bare(text: str) -> str:
    """Return a text without any white space: all that two readings of markup must agree in."""
    return "".join(text.split())
