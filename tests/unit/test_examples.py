"""The sample archive agrees with itself, is large enough, and holds the planted cases."""

from __future__ import annotations

import importlib.util
import itertools
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PARTS = ("first", "second")
FONTS = (
    "/usr/share/fonts/opentype/courier-prime/Courier Prime.otf",
    "/usr/share/fonts/opentype/ebgaramond/EBGaramond12-Regular.otf",
)
TYPES = {
    "Person",
    "Location",
    "OrganizationState",
    "Title",
    "Artifact",
    "Work",
    "TimeExpression",
    "Concept",
    "HeritageItem",
    "Ritual",
    "Technique",
    "Tool",
    "Material",
    "Charge",
    "Sentence",
}
NAMES = {
    "relation": {
        "Alias",
        "Kinship/child",
        "Kinship/spouse",
        "Kinship/sibling",
        "Kinship/other",
        "PoliticalRelation/ally",
        "PoliticalRelation/enemy",
        "PoliticalRelation/subordinate",
        "Succession",
        "GeographicControl",
        "OfficeHolding",
        "Authorship",
        "CitationSourceLink",
        "MasterApprenticeRelation",
        "FamilyTransmission",
        "PracticesAt",
        "PerformedAt",
        "UsesTool",
        "UsesMaterial",
        "Membership",
    },
    "attribute": {
        "birthplace",
        "residence",
        "age",
        "occupation",
        "militaryRank",
        "maritalStatus",
        "birthDate",
        "deathDate",
    },
    "event": {
        "MilitaryConflict",
        "InstitutionalChange",
        "DiplomacyMeeting",
        "NaturalPhenomenon",
        "LearningEvent",
        "TransmissionEvent",
        "PerformanceEvent",
        "RitualEvent",
        "CraftProductionEvent",
        "CourtMartial",
    },
    "argument": {
        "time",
        "location",
        "participant",
        "outcome",
        "accused",
        "judge",
        "prosecutor",
        "defender",
        "witness",
        "court",
        "charge",
        "sentence",
        "plea",
        "verdict",
        "commander",
    },
}
Truths = dict[str, dict[str, Any]]


def read(path: Path) -> Any:
    """Read a JSON file."""
    return json.loads(path.read_text("utf-8"))


def load(part: str) -> Truths:
    """All truth files of a part by the path of the page they describe."""
    found = {}
    for path in sorted((EXAMPLES / part).glob("*/*.truth.json")):
        truth = read(path)
        found[f"{path.parent.name}/{truth['source']}"] = truth
    return found


@pytest.fixture(scope="module", params=PARTS)
def part(request: pytest.FixtureRequest) -> str:
    """The name of one part."""
    return str(request.param)


@pytest.fixture(scope="module")
def truths(part: str) -> Truths:
    """The truth of one part."""
    return load(part)


def test_every_offset_gives_the_quoted_text(truths: Truths) -> None:
    for truth in truths.values():
        text = truth["text"]
        for mention in truth["mentions"]:
            assert text[mention["start"] : mention["end"]] == mention["surface"]
            assert mention["surface"].strip() == mention["surface"]
        for fact in truth["facts"]:
            places = [fact["quote"], *([fact["trigger"]] if "trigger" in fact else [])]
            for place in places:
                assert place["text"]
                assert text[place["start"] : place["end"]] == place["text"]


def test_mentions_do_not_overlap(truths: Truths) -> None:
    for file, truth in truths.items():
        ordered = sorted(truth["mentions"], key=lambda m: m["start"])
        for one, other in itertools.pairwise(ordered):
            assert one["end"] <= other["start"], (file, one, other)


def test_names_are_in_the_closed_list(part: str, truths: Truths) -> None:
    for file, truth in truths.items():
        for mention in truth["mentions"]:
            assert mention["type"] in TYPES
            assert mention["entity"].startswith(f"{part}/{mention['type'].lower()}/")
        for fact in truth["facts"]:
            assert fact["name"] in NAMES[fact["kind"]], (file, fact)
            assert fact["certainty"] in {"stated", "rumour", "negated"}


def test_facts_refer_to_mentions_and_events_of_their_page(truths: Truths) -> None:
    for file, truth in truths.items():
        mentions = {m["id"] for m in truth["mentions"]}
        events = {f["id"] for f in truth["facts"] if f["kind"] == "event"}
        assert len({f["id"] for f in truth["facts"]}) == len(truth["facts"])
        for fact in truth["facts"]:
            if fact["kind"] == "argument":
                assert fact["event"] in events, (file, fact)
            elif fact["kind"] != "event":
                assert fact["subject"] in mentions, (file, fact)
            if fact["kind"] != "event":
                filled = fact["object"] in mentions or fact.get("verbatim")
                assert filled, (file, fact)


def test_literals_are_typed(truths: Truths) -> None:
    for truth in truths.values():
        for fact in truth["facts"]:
            if fact["name"] == "age":
                assert isinstance(fact["value"], int)
            if fact["name"] in {"time", "birthDate", "deathDate"} and truth["language"] != "lzh":
                assert len(fact["value"].split("-")) == 3
                assert fact["verbatim"] in truth["text"]


def test_a_part_is_large_enough(part: str, truths: Truths) -> None:
    stated = [f for t in truths.values() for f in t["facts"] if f["certainty"] == "stated"]
    groups = read(EXAMPLES / part / "links.json")
    assert len(truths) >= 30
    assert len(stated) >= 150
    assert len(read(EXAMPLES / part / "chains.json")) >= 15
    assert sum(len(g["mentions"]) for g in groups if "/person/" in g["entity"]) >= 50


def test_chains_are_connected_stated_facts_over_records(part: str, truths: Truths) -> None:
    for chain in read(EXAMPLES / part / "chains.json"):
        records, ends = set(), []
        for file, key in chain["facts"]:
            truth = truths[file]
            fact = next(f for f in truth["facts"] if f["id"] == key)
            assert fact["certainty"] == "stated"
            names = {m["id"]: m["entity"] for m in truth["mentions"]}
            event = next((f for f in truth["facts"] if f["id"] == fact["event"]), None)
            start = names[fact["subject"]] if event is None else event["entity"]
            ends.append({start, names[fact["object"]]})
            records.add(truth["record"])
        assert len(records) >= 2, chain
        for one, other in itertools.pairwise(ends):
            assert one & other, chain


def test_links_join_one_entity_over_records(part: str, truths: Truths) -> None:
    for group in read(EXAMPLES / part / "links.json"):
        for file, key in group["mentions"]:
            mention = next(m for m in truths[file]["mentions"] if m["id"] == key)
            assert mention["entity"] == group["entity"]
        assert len({truths[file]["record"] for file, _ in group["mentions"]}) >= 2


def test_every_page_has_truth_and_every_picture_opens(part: str, truths: Truths) -> None:
    pages = {
        f"{path.parent.name}/{path.name}"
        for path in (EXAMPLES / part).glob("*/*")
        if path.suffix in {".png", ".md"}
    }
    assert pages == set(truths)
    for file, truth in truths.items():
        path = EXAMPLES / part / file
        if path.suffix == ".md":
            assert path.read_text("utf-8") == truth["text"]
            continue
        assert path.stat().st_size < 120_000
        with Image.open(path) as picture:
            picture.load()
            assert picture.mode == "L"


def test_one_person_under_three_names(truths: Truths) -> None:
    names: dict[str, set[str]] = {}
    grounds: Counter[str] = Counter()
    for truth in truths.values():
        entity = {m["id"]: m["entity"] for m in truth["mentions"]}
        for mention in truth["mentions"]:
            if mention["type"] == "Person":
                surface = mention["surface"].replace("\n", " ")
                names.setdefault(mention["entity"], set()).add(surface)
        for fact in truth["facts"]:
            if fact["name"] == "Alias":
                grounds[entity[fact["subject"]]] += 1
    assert any(count >= 2 and len(names[key]) >= 3 for key, count in grounds.items())


def test_namesakes_are_two_entities(truths: Truths) -> None:
    bearers: dict[str, set[str]] = {}
    for truth in truths.values():
        for mention in truth["mentions"]:
            if mention["type"] == "Person" and mention["surface"].count(" ") == 2:
                bearers.setdefault(mention["surface"], set()).add(mention["entity"])
    assert sum(len(found) == 2 for found in bearers.values()) == 1


def test_two_sources_disagree(truths: Truths) -> None:
    ages: dict[str, set[int]] = {}
    for truth in truths.values():
        entity = {m["id"]: m["entity"] for m in truth["mentions"]}
        for fact in truth["facts"]:
            if fact["name"] == "age":
                ages.setdefault(entity[fact["subject"]], set()).add(fact["value"])
    assert [key for key, found in ages.items() if len(found) > 1]


def test_rumour_negation_long_chain_and_silence(part: str, truths: Truths) -> None:
    certainty = Counter(f["certainty"] for t in truths.values() for f in t["facts"])
    assert certainty["rumour"] >= 3
    assert certainty["negated"] >= 1
    spans = [
        len({truths[file]["record"] for file, _ in chain["facts"]})
        for chain in read(EXAMPLES / part / "chains.json")
    ]
    assert max(spans) >= 3
    questions = [q for q in read(EXAMPLES / "questions.json") if q["part"] == part]
    assert any(q["answer"] is None for q in questions)
    for question in questions:
        assert (question["answer"] is None) == (not question["facts"])
        for file, key in question["facts"]:
            assert key in {f["id"] for f in truths[file]["facts"]}


def test_an_order_to_a_model_is_planted_in_the_first_register() -> None:
    text = "".join(p.read_text("utf-8") for p in (EXAMPLES / "first/register").glob("*.md"))
    assert "Ignore previous instructions" in text


def test_a_page_rendered_again_is_the_same(tmp_path: Path) -> None:
    missing = [font for font in FONTS if not Path(font).exists()]
    if missing:
        pytest.skip(f"fonts are not installed: {missing[0]}")
    if importlib.util.find_spec("numpy") is None:
        pytest.skip("numpy is not installed")
    name = "first/court-martial/causa-118-p1.png"
    command = [sys.executable, str(EXAMPLES / "render.py"), "--part", "first"]
    for folder in ("one", "two"):
        run = [*command, "--only", "causa-118-p1", "--out", str(tmp_path / folder)]
        subprocess.run(run, check=True)
    once = (tmp_path / "one" / name).read_bytes()
    assert once == (tmp_path / "two" / name).read_bytes()
    with Image.open(tmp_path / "one" / name) as new, Image.open(EXAMPLES / name) as old:
        assert new.size == old.size
        assert new.tobytes() == old.tobytes()
