"""Sound claims, as the annotation of a corpus makes them: what a perfect proposer would say (R70).

Each is a candidate that quotes its evidence; none names a cue, and none comes from a rule of a
profile, so that the gate owes them no trust. What a corpus gives as rumour or denial is kept apart:
as a fact it would be false.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rdfkms import resources
from rdfkms.evaluation import corpora, hipe, histories
from rdfkms.evaluation.corpora import Corpus, Document, Passage, Span
from rdfkms.knowledge import dates
from rdfkms.knowledge.mapping import Mapping as Table
from rdfkms.knowledge.proposers.candidates import Quoting, keyed
from rdfkms.model import Anchor, Candidate, EvidenceUnit, Kind, Value
from rdfkms.vocab import key_of

PROPOSER = "annotation"
SOUND = "sound"


@dataclass(frozen=True, slots=True)
class Made:
    """A proposal whose truth is known: `fault` names what is wrong with it, `SOUND` nothing.

    `asked` is the unit that the proposer was asked about. `supported` and `overreaching` as in
    R144; None where the annotation cannot tell.
    """

    candidate: Candidate
    asked: str
    fault: str = SOUND
    supported: bool | None = True
    overreaching: bool = False


@dataclass(frozen=True, slots=True)
class Material:
    """What one corpus gives: passages, sound proposals, rumours and denials as if they were facts.

    `whole` tells whether all statements of the passages are annotated, not only names or events.
    """

    corpus: Corpus
    profile: str
    passages: tuple[Passage, ...]
    sound: tuple[Made, ...]
    rumours: tuple[Made, ...] = ()
    whole: bool = False


def named(quoting: Quoting, start: int, end: int, type_: str) -> Candidate:
    """Return the mention of a thing."""
    return quoting.mention((start, end), type_, 0.9)


# ---- names: HIPE-2022 and HIPE-2026 ------------------------------------------------------------


def names(corpus: Corpus, profile: str, most: int, seed: int) -> Material:
    """Return the annotated names of at most `most` passages of a corpus."""
    passages = chosen(corpora.passages(corpus.documents, profile), most, seed)
    sound = [
        Made(named(Quoting(p.unit, PROPOSER), s.start, s.end, s.type), p.unit.key)
        for p in passages
        for s in p.spans
        if s.type and s.end <= len(p.unit.raw.text)
    ]
    return Material(corpus, profile, passages, tuple(sound))


def chosen(passages: Sequence[Passage], most: int, seed: int) -> tuple[Passage, ...]:
    """Return at most `most` passages in which something is annotated, drawn, in reading order."""
    useful = [p for p in passages if p.spans or p.events]
    if most and len(useful) > most:
        drawn = random.Random(seed).sample(range(len(useful)), most)
        useful = [useful[at] for at in sorted(drawn)]
    return tuple(useful)


def person_places(path: Path, language: str) -> Corpus:
    """Return HIPE-2026: documents with the places where their persons and places are named.

    A pair that the annotation says is stated ("TRUE") links the names: `link` holds the pair.
    """
    documents = []
    for _, row in histories.rows(path):
        spans: dict[tuple[int, int], Span] = {}
        for pair in row["sampled_pairs"]:
            sides = (("pers", "Person"), ("loc", "Location"))
            for side, type_ in sides:
                for words in pair[f"{side}_mentions_list"]:
                    for start, end in standing(row["text"], words):
                        if not any(
                            s < end and start < e for s, e in spans if (s, e) != (start, end)
                        ):
                            link = f"{pair['at']}"
                            spans[start, end] = Span(start, end, side, type_, link)
        documents.append(
            Document(
                str(row["document_id"]),
                "hipe-2026",
                language,
                row["text"],
                tuple(spans[place] for place in sorted(spans)),
                date=str(row.get("date", "")),
            )
        )
    licence, hashes = hipe.NON_COMMERCIAL, {path.name: corpora.digest(path)}
    return Corpus(f"hipe-2026-{language}", "dev", licence, tuple(documents), hashes)


def standing(text: str, words: str) -> Iterator[tuple[int, int]]:
    """Yield the places where `words` stand as words, any white space for any other."""
    pieces = words.split()
    if pieces:
        pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, pieces)) + r"(?!\w)"
        for match in re.finditer(pattern, text):
            yield match.span()


# ---- events: GuwenEE ---------------------------------------------------------------------------


def events(corpus: Corpus, profile: str, most: int, seed: int) -> Material:
    """Return annotated events with the roles that we have."""
    passages = chosen(corpora.passages(corpus.documents, profile), most, seed)
    sound = [made for passage in passages for made in _events_of(passage)]
    return Material(corpus, profile, passages, tuple(dict.fromkeys(sound)))


def _events_of(passage: Passage) -> Iterator[Made]:
    unit = passage.unit
    quoting = Quoting(unit, PROPOSER)
    for event in passage.events:
        span = (event.trigger.start, event.trigger.end)
        if not event.trigger.type or span[1] > len(unit.raw.text):
            continue
        trigger = quoting.anchor(span)
        group = key_of("event", unit.key, event.trigger.type, *span)
        yield Made(
            quoting.candidate(Kind.EVENT, event.trigger.type, span, subject=trigger, group=group),
            unit.key,
        )
        for one in event.arguments:
            if one.role:
                place = (one.start, one.end)
                yield from _argument(quoting, one.role, place, span, group)


def _argument(
    quoting: Quoting, role: str, place: tuple[int, int], trigger: tuple[int, int], group: str
) -> Iterator[Made]:
    unit = quoting.unit
    words = quoting.anchor(place).surface
    type_ = {"participant": "Person", "location": "Location"}.get(role)
    fields: dict[str, Any] = {"group": group}
    if type_ is not None:
        yield Made(named(quoting, *place, type_), unit.key)
        fields["object"] = quoting.anchor(place, type_)
    elif role == "time":
        fields["value"] = dates.time_value(words, unit.language)
    else:
        fields["value"] = Value(words, "string", unit.language, words)
    yield Made(quoting.candidate(Kind.ARGUMENT, role, place, trigger, **fields), unit.key)


# ---- everything: the sample --------------------------------------------------------------------


def sample(part: str, table: Table) -> list[Material]:
    """Return the sample archive, one material for each profile; each page is one passage."""
    root = resources.folder("examples") / part
    pages: dict[str, list[tuple[Passage, dict[str, Any]]]] = {}
    hashes: dict[str, str] = {}
    for path in sorted(root.rglob("*.truth.json")):
        truth = json.loads(corpora.read_text(path))
        hashes[path.name] = corpora.digest(path)
        key = f"{truth['record']} page {truth['page']}"
        document = Document(key, "sample", truth["language"], truth["text"])
        unit = corpora.unit_of(document, 1, 0, len(document.text), "page")
        pages.setdefault(truth["profile"], []).append((Passage(document, unit, (), ()), truth))
    return [
        _sample(f"sample-{profile}", profile, found, table, hashes)
        for profile, found in pages.items()
    ]


def _sample(
    name: str,
    profile: str,
    found: Sequence[tuple[Passage, dict[str, Any]]],
    table: Table,
    hashes: dict[str, str],
) -> Material:
    sound: list[Made] = []
    rumours: list[Made] = []
    for passage, truth in found:
        quoting = Quoting(passage.unit, PROPOSER)
        marks = {m["id"]: m for m in truth["mentions"]}
        sound += [
            Made(named(quoting, m["start"], m["end"], m["type"]), passage.unit.key)
            for m in marks.values()
        ]
        for fact in truth["facts"]:
            candidate = _fact(quoting, fact, marks, table)
            if candidate is None:
                continue
            if fact["certainty"] == "stated":
                sound.append(Made(candidate, passage.unit.key))
            else:
                fault = "hearsay as fact" if fact["certainty"] == "rumour" else "denial as fact"
                rumours.append(Made(candidate, passage.unit.key, fault, False, True))
    documents = tuple(passage.document for passage, _ in found)
    corpus = Corpus(name, "first", "Apache-2.0", documents, hashes)
    passages = tuple(passage for passage, _ in found)
    return Material(
        corpus, profile, passages, tuple(dict.fromkeys(sound)), tuple(rumours), whole=True
    )


def _fact(
    quoting: Quoting, fact: Mapping[str, Any], marks: Mapping[str, Any], table: Table
) -> Candidate | None:
    """Return the candidate of an annotated fact; its quote widened to both of its ends."""
    unit, kind = quoting.unit, Kind(fact["kind"])
    quote = (fact["quote"]["start"], fact["quote"]["end"])
    if kind is Kind.EVENT:
        trigger = quoting.anchor((fact["trigger"]["start"], fact["trigger"]["end"]))
        group = key_of("event", unit.key, fact["id"])
        return quoting.candidate(kind, fact["name"], quote, subject=trigger, group=group)
    fields: dict[str, Any] = {
        end: quoting.anchor((m["start"], m["end"]), m["type"])
        for end in ("subject", "object")
        if fact[end] is not None
        for m in [marks[fact[end]]]
    }
    if fact["event"] is not None:
        fields["group"] = key_of("event", unit.key, fact["event"])
    if fact["object"] is None:
        value = _value(fact, table.statement(fact["name"]).literal, unit)
        if value is None:
            return None
        fields["value"] = value
    return quoting.candidate(kind, fact["name"], quote, **fields)


def _value(fact: Mapping[str, Any], literal: str | None, unit: EvidenceUnit) -> Value | None:
    words = " ".join(str(fact.get("verbatim") or fact["value"] or "").split())
    if literal is None or not words:
        return None
    if unit.language == "lzh":
        words = "".join(words.split())
    if literal == "integer":
        return Value(str(fact["value"]), "integer", "", words)
    if literal == "edtf":
        value = fact["value"]
        found = Value(value, "edtf", "", words) if value else None
        return found or dates.time_value(words, unit.language)
    return Value(words, "string", unit.language, words)


def counted(made: Sequence[Made]) -> dict[str, int]:
    """Return how many proposals there are of each kind."""
    return dict(sorted(Counter(one.candidate.kind.value for one in made).items()))


def changed(candidate: Candidate, **fields: Any) -> Candidate:
    """Return the candidate with other fields, under the key of its new content."""
    return keyed(replace(candidate, **fields))


def moved(anchor: Anchor, by: int) -> Anchor:
    """Return the anchor further on in a text."""
    return replace(anchor, start=anchor.start + by, end=anchor.end + by)
