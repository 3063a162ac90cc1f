"""Structure: a candidate of the wrong form is refused with a reason that names what is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rdfkms.admission import structure
from rdfkms.admission.reasons import REASONS
from rdfkms.knowledge import mapping
from rdfkms.model import Anchor, Candidate, Kind, Value
from tests.tools.passages import about, anchor, mention, passage

TABLE = mapping.load()
UNIT = passage("Ana Ruiz, de 31 años, natural de Alcoy")
ANA = anchor(UNIT, "Ana Ruiz", "Person")
ALCOY = anchor(UNIT, "Alcoy", "Location")
BORN = about(UNIT, Kind.ATTRIBUTE, "birthplace", subject=ANA, object=ALCOY)
AGED = about(UNIT, Kind.ATTRIBUTE, "age", subject=ANA, value=Value("31", "integer", "", "31"))


def codes(candidate: Candidate) -> set[str]:
    return {reason.code for reason in structure.faults(candidate, UNIT, TABLE)}


def test_well_formed_candidates_pass() -> None:
    assert codes(BORN) == codes(AGED) == codes(mention(UNIT, "Ana Ruiz")) == set()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"unit": "another"}, "wrongUnit"),
        ({"name": "bornAt"}, "unknownName"),
        ({"quote": " \n"}, "emptyQuote"),
        ({"start": 5, "end": 4000}, "offsetsOutOfRange"),
        ({"start": -3, "end": 4}, "offsetsOutOfRange"),
        ({"start": 4, "end": 4}, "offsetsOutOfRange"),
        ({"start": 4, "end": None}, "malformed"),
        ({"start": "0"}, "malformed"),
        ({"start": True}, "malformed"),
        ({"subject": None}, "missingField"),
        ({"object": None}, "missingField"),
        ({"value": Value("x")}, "surplusField"),
        ({"subject": replace(ANA, surface="Eva Ruiz")}, "anchorNotInText"),
        ({"subject": replace(ANA, end=10**5000)}, "offsetsOutOfRange"),
        ({"subject": replace(ANA, type="Location")}, "wrongSubjectType"),
        ({"object": replace(ALCOY, type="Person")}, "wrongObjectType"),
        ({"place": ANA}, "wrongObjectType"),
        ({"time": Value("someday", "edtf")}, "wrongValueType"),
        ({"confidence": float("nan")}, "badConfidence"),
        ({"confidence": 10**400}, "badConfidence"),
        ({"confidence": None}, "badConfidence"),
        ({"quote": "Ana\x00Ruiz"}, "unwritableText"),
        ({"group": "g\ud800"}, "unwritableText"),
        ({"kind": "attribute"}, "malformed"),
        ({"subject": {"start": 0}}, "malformed"),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, Any], code: str) -> None:
    assert code in codes(replace(BORN, **changes))


@pytest.mark.parametrize("value", [Value("thirty", "integer"), Value("31"), Value("", "integer")])
def test_an_age_is_an_integer(value: Value) -> None:
    assert codes(replace(AGED, value=value)) == {"wrongValueType"}


@pytest.mark.parametrize("text", ["1939-03-14", "1939", "1939~", "1939-03/1940", "../1940", "193X"])
def test_edtf_dates_are_accepted(text: str) -> None:
    died = replace(AGED, name="deathDate", value=Value(text, "edtf"))
    assert codes(died) == set()


def test_a_language_tag_that_is_none_is_refused() -> None:
    died = replace(AGED, name="occupation", value=Value("x", language="<script>"))
    assert codes(died) == {"malformed"}


def test_an_argument_needs_a_group_and_has_no_subject() -> None:
    judge = about(UNIT, Kind.ARGUMENT, "judge", object=ANA)
    assert codes(judge) == {"missingField"}
    assert codes(replace(judge, group="e1")) == set()
    assert codes(replace(judge, group="e1", subject=ANA)) == {"surplusField"}


def test_a_mention_names_its_own_type() -> None:
    assert codes(replace(mention(UNIT, "Alcoy"), name="Location")) == {"wrongSubjectType"}


def test_an_unparseable_answer_is_a_refusal_with_its_text() -> None:
    answer = Candidate("k", Kind.UNPARSEABLE, "", "", "", None, None, raw="{oops")
    (reason,) = structure.faults(answer, UNIT, TABLE)
    assert reason.code == "unparseable"
    assert "{oops" in reason.sentence


def test_every_sentence_can_be_filled_and_says_something() -> None:
    names = ("what", "kind", "field", "name", "start", "end", "length", "allowed", "count",
             "verbatim", "other", "score", "source", "label", "why", "day")  # fmt: skip
    for code, template in REASONS.items():
        assert code[0].islower() and code.isalnum()
        assert template.format(**dict.fromkeys(names, "x")).endswith((".", "?"))


def test_anchors_of_other_types_are_malformed_not_raised() -> None:
    strange: Any = Anchor("0", None, 7, None)  # type: ignore[arg-type]
    assert codes(replace(BORN, subject=strange)) == {"malformed"}
