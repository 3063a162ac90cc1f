"""The gate over descriptions: form, place, value, shapes, what is known, one verdict each."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from rdfkms.admission.declared import judge_declared
from rdfkms.admission.judged import Judged
from rdfkms.admission.judging import Gate
from rdfkms.admission.shapes import ShapesGate
from rdfkms.ingest.describing.passages import sections
from rdfkms.knowledge import declaring
from rdfkms.knowledge.declaring import Declared, Declaring
from rdfkms.knowledge.mapping import load
from rdfkms.knowledge.names import Names
from rdfkms.model import (
    Claim,
    Decision,
    EvidenceUnit,
    Ref,
    SourceFile,
    Statement,
    Status,
    Stretch,
    Thing,
    Value,
)
from rdfkms.vocab import Base

MAPPING, SHAPES = load(), ShapesGate()
SET = Thing("RecordSet", ("ead", "x", "1"))
PERSON = Thing("Person", ("authority", "", "p"))
RAW = (
    '<c level="series"><t>Letters &amp; <i>bills</i></t>'
    '<d normal="1900/1910">1900-10</d><p>Ana</p></c>'
)


def at(words: str) -> tuple[int, int]:
    start = RAW.index(words)
    return start, start + len(words)


def named(thing: Thing, words: str, value: str) -> Statement:
    return Statement("namedAs", thing, *at(words), Value(value))


NAMES = (
    named(SET, "Letters &amp; <i>bills</i>", "Letters & bills"),
    named(PERSON, "Ana", "Ana"),
)


class Known:
    """An archive that has some claims."""

    def __init__(self, *claims: Claim) -> None:
        self.claims = {claim.key: claim for claim in claims}

    def claim(self, key: str) -> Claim | None:
        return self.claims.get(key)


def judged(*said: Statement, trusted: bool = True, known: Known | None = None) -> list[Judged]:
    stretch = Stretch(SET, "/c[1]", 1, 0, RAW, "Letters & bills", "en", said)
    source = SourceFile("a" * 64, "x.xml", "application/xml", len(RAW))
    (section,) = sections([stretch], source, "r" * 24, "en")

    def ref_of(thing: Thing) -> Ref:
        return Ref(MAPPING.entity(thing.type).kind, declaring.thing_key(thing))

    unit = section.units[0]
    made = [
        (one, unit) for one in Declaring(ref_of, MAPPING, "ead@1", "run").declare(stretch, unit)
    ]
    gate = Gate(MAPPING, SHAPES, Base(), known=known or Known())  # type: ignore[arg-type]
    return judge_declared(made, gate, Names(), trusted=trusted)


def test_what_the_elements_say_is_admitted() -> None:
    found = judged(
        *NAMES,
        Statement("description/level", SET, *at("series"), Value("series")),
        Statement(
            "description/unitDate", SET, *at('<d normal="1900/1910">1900-10</d>'),
            Value("1900/1910", "edtf", "", "1900-10"),
        ),
        Statement("description/provenance", SET, *at("Ana"), object=PERSON),
    )  # fmt: skip
    assert [one.verdict.decision for one in found] == [Decision.ADMITTED] * 5
    assert all(one.claim and one.claim.status is Status.ADMITTED for one in found)


def told(name: str, words: str, value: Value | None = None, **ends: Thing) -> Statement:
    thing = ends.pop("subject", SET)
    return Statement(f"description/{name}", thing, *at(words), value, ends.get("object"))


@pytest.mark.parametrize(
    ("said", "decision", "code"),
    [
        (told("level", "series", Value("file")), "quarantined", "valueOutsideQuote"),
        (told("level", "series", Value("series"), subject=PERSON), "rejected", "wrongSubjectType"),
        (told("provenance", "Ana", object=SET), "rejected", "wrongObjectType"),
        (told("provenance", "Ana"), "rejected", "missingField"),
        (told("rank", "series", Value("first", "integer")), "rejected", "wrongValueType"),
        (told("unitDate", "1900-10", Value("soon", "edtf")), "rejected", "wrongValueType"),
        (
            told("unitDate", "1900-10", Value("1999", "edtf", "", "1900-10")),
            "quarantined",
            "valueOutsideQuote",
        ),
        (Statement("description/level", SET, 3, 3, Value("x")), "rejected", "quoteNotFound"),
        (named(PERSON, "Ana", " "), "rejected", "missingField"),
        (named(PERSON, "Ana", "Eva"), "quarantined", "valueOutsideQuote"),
        (
            told("recordSetType", "series", Value("https://example.org/types#File", "anyURI")),
            "quarantined",
            "valueOutsideQuote",
        ),
    ],
)
def test_what_they_do_not_say_is_not(said: Statement, decision: str, code: str) -> None:
    *_, one = judged(*NAMES, said)
    assert (one.verdict.decision.value, one.verdict.reasons[0].code) == (decision, code)


def test_authors_that_are_not_trusted_wait() -> None:
    found = judged(*NAMES, trusted=False)
    assert {one.verdict.decision for one in found} == {Decision.QUARANTINED}
    assert {one.verdict.reasons[0].code for one in found} == {"descriptionAwaitsReview"}


def test_what_was_decided_stands() -> None:
    first, second = judged(*NAMES)
    assert first.claim is not None
    assert second.claim is not None
    old = replace(first.claim, status=Status.REJECTED, runs=("before",))
    again = judged(*NAMES, known=Known(old, second.claim))
    assert [one.verdict.stage for one in again] == ["known", "known"]
    assert [one.verdict.decision for one in again] == [Decision.REJECTED, Decision.ADMITTED]
    assert again[0].claim is not None
    assert again[0].claim.runs == ("before", "run")


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("a <!-- <b>no</b> --> c", "a c"),
        ("<![CDATA[a < b]]>", "a < b"),
        ("x<lb/>y &eacute;", "x y é"),
    ],
)
def test_the_words_of_markup(markup: str, words: str) -> None:
    assert declaring.plain(markup) == words


def test_markup_that_never_ends_costs_no_more_than_its_length() -> None:
    def seconds(text: str) -> float:
        started = time.perf_counter()
        declaring.plain(text)
        return time.perf_counter() - started

    for mark in ("<!-- ", "<![CDATA[ ", "<"):
        assert seconds(mark * 40_000) < 16 * seconds(mark * 10_000) + 0.01


def test_each_statement_is_a_candidate_of_its_own() -> None:
    one = Statement("description/provenance", SET, *at("Ana"), object=PERSON)
    other = replace(one, object=replace(PERSON, identity=("other",)))
    found = judged(*NAMES, one, other)
    assert len({one.candidate.key for one in found}) == len(found)


def test_what_two_passages_say_is_one_claim_with_two_places() -> None:
    def ref_of(thing: Thing) -> Ref:
        return Ref(MAPPING.entity(thing.type).kind, declaring.thing_key(thing))

    again = told("level", "series", Value("series"))
    stretches = [
        Stretch(SET, "/c[1]", line, 0, RAW + " " * line, "", "en", (*NAMES, again, again))
        for line in (1, 2, 3)
    ]
    source = SourceFile("a" * 64, "x.xml", "application/xml", len(RAW))
    (section,) = sections(stretches, source, "r" * 24, "en")
    by = Declaring(ref_of, MAPPING, "ead@1", "run")
    one, two, three = (
        [(said, unit) for said in by.declare(stretch, unit)]
        for stretch, unit in zip(section.stretches, section.units, strict=True)
    )

    def judge(known: Known, *said: list[tuple[Declared, EvidenceUnit]]) -> list[Claim]:
        gate = Gate(MAPPING, SHAPES, Base(), known=known)  # type: ignore[arg-type]
        made = [pair for some in said for pair in some]
        found = judge_declared(made, gate, Names(), trusted=True)
        return [j.claim for j in found if j.claim and j.claim.statement == "description/level"]

    first, repeated, *same = judge(Known(), one, two)
    assert first.key != repeated.key  # said again in the same breath
    assert same == [first, repeated]
    assert len(first.pointers) == 2
    assert len(judge(Known(first, repeated), three)[0].pointers) == 3
    rejected = replace(first, status=Status.REJECTED)
    assert len(judge(Known(rejected, repeated), three)[0].pointers) == 2
