"""Events by trigger words: what reports one, what hides one, and what stands beside it."""

from __future__ import annotations

from typing import Any

import pytest

from rdfkms.admission.screening import screen
from rdfkms.errors import Misconfigured
from rdfkms.ingest import profiles
from rdfkms.knowledge import lexicons, mapping
from rdfkms.knowledge.proposers import triggers
from rdfkms.model import Candidate, Kind
from tests.tools.passages import passage


def proposed(text: str) -> tuple[Candidate, ...]:
    proposer = triggers.from_table("histories", profiles.load("histories").tables)
    assert proposer is not None
    unit = passage(text, "lzh")
    found = proposer.propose(unit)
    for candidate in found:
        assert screen(candidate, unit, mapping.load())[1] is None
    return found


def events(text: str) -> list[tuple[str, str]]:
    return [
        (c.subject.surface, c.name)
        for c in proposed(text)
        if c.kind is Kind.EVENT and c.subject is not None
    ]


def roles(text: str) -> dict[str, str]:
    return {
        c.name: c.object.surface if c.object else (c.value.verbatim if c.value else "")
        for c in proposed(text)
        if c.kind is Kind.ARGUMENT
    }


def test_a_listed_word_reports_an_event() -> None:
    assert events("臣之言是也。") == []
    assert ("地震", "NaturalPhenomenon") in events("夏，京师地震。")


def test_traditional_characters_are_read_through_the_table() -> None:
    assert events("出師擊之。")[0] == ("出師", "MilitaryConflict")
    assert events("出师击之。")[0] == ("出师", "MilitaryConflict")


def test_the_longest_word_wins_and_a_neighbour_may_hide_one() -> None:
    assert [word for word, _ in events("乃下诏。")] == ["下诏"]
    hidden = {row[0]: row for row in lexicons.rows("triggers.lzh")}["下诏"][3]
    assert "狱" in hidden
    assert events("乃下诏狱。") == []


def test_time_person_and_place_beside_the_trigger() -> None:
    found = roles("三年春正月，王建攻邢州城，克之。")
    assert found["time"] == "三年春正月"
    assert "participant" not in found or found["participant"] != "王建攻"
    assert events("三年春正月，王建攻邢州城，克之。")[0][1] == "MilitaryConflict"


def test_another_language_is_not_read() -> None:
    proposer = triggers.from_table("histories", profiles.load("histories").tables)
    assert proposer is not None
    assert proposer.propose(passage("地震", "fr")) == ()


@pytest.mark.parametrize(
    ("table", "said"),
    [({"lexicon": "triggers.lzh", "colour": "red"}, "colour"),
     ({"lexicon": "triggers.lzh", "time": "(年"}, "no regular expression"),
     ({"lexicon": "simplified.lzh"}, "cells, not 4")],
)  # fmt: skip
def test_a_faulty_table_is_named(table: dict[str, Any], said: str) -> None:
    with pytest.raises(Misconfigured, match=said):
        triggers.from_table("test", {"triggers": table})


def test_the_types_of_the_list_are_those_of_the_mapping_table() -> None:
    types = {row[1] for row in lexicons.rows("triggers.lzh")} - {"-"}
    assert types <= set(mapping.load().events)
