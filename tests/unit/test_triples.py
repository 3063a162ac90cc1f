"""Free triples: predicates mapped or kept for people, names taken apart, the gate as always."""

from __future__ import annotations

import json
from collections.abc import Mapping as Table
from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.score_predicates import embedder, score
from rdfkms.admission.screening import screen
from rdfkms.backends.fake import FakeEmbedder
from rdfkms.knowledge import lexicons, mapping
from rdfkms.knowledge.conjunctions import parts
from rdfkms.knowledge.predicates import LANGUAGES, Predicates
from rdfkms.knowledge.proposers.calls import Caller
from rdfkms.knowledge.proposers.free_triples import FreeTripleProposer
from rdfkms.knowledge.triples import Triple, candidates
from rdfkms.model import Candidate, Decision, EvidenceUnit, Kind, Modality, UnitText, View
from rdfkms.ports import Answer
from rdfkms.settings import TripleSettings

TABLE = mapping.load()
SETTINGS = TripleSettings()


def unit(text: str, language: str = "es") -> EvidenceUnit:
    raw = UnitText("t1", "u1", "v1", View.RAW, text, 0, len(text), language)
    return EvidenceUnit("u1", "r1", "s1", "p1", 0, Modality.DOCUMENT, language, "1", 1, (raw,), ())


def made(triple: Triple, text: str, language: str = "es", **more: Any) -> list[Candidate]:
    return list(
        candidates(triple, unit(text, language), TABLE, Predicates(), SETTINGS, "talk", **more)
    )


def told(found: Sequence[Candidate]) -> list[tuple[str, str, str]]:
    return [
        (c.name, c.subject.surface if c.subject else "", c.object.surface if c.object else "")
        for c in found
        if c.kind is Kind.RELATION
    ]


# ---- predicates --------------------------------------------------------------------------------


def test_every_row_of_the_lexicons_names_a_statement_and_stands_once() -> None:
    for language in LANGUAGES:
        rows = lexicons.rows(f"predicates.{language}")
        assert len({row[0] for row in rows}) == len(rows) > 50
        for row in rows:
            assert row[1] in TABLE.statements, row
            assert row[2:] in ((), ("inverse",)), row
            if row[2:]:
                rule = TABLE.statement(row[1])
                assert not rule.symmetric and rule.literal is None, row


def test_the_thresholds_reach_their_precision_on_the_list_they_were_not_chosen_on() -> None:
    letters = score("report", Predicates(SETTINGS))["all"]
    assert letters["right"] / letters["mapped"] >= 0.95
    assert letters["right"] / letters["wanted"] >= 0.65


@pytest.mark.model
def test_meaning_adds_recall_and_keeps_precision() -> None:
    engine = embedder()
    if engine is None:
        pytest.skip("the embedder `use` is not installed")
    alone = score("report", Predicates(SETTINGS))["all"]
    both = score("report", Predicates(SETTINGS, engine))["all"]
    assert both["right"] > alone["right"]
    assert both["right"] / both["mapped"] >= 0.95


def test_words_that_deny_are_mapped_to_nothing() -> None:
    for words, language in (
        ("is not the father of", "en"), ("no es hijo de", "es"), ("n'est pas fils de", "fr"),
        ("ist nicht der Sohn von", "de"), ("非之子", "zh"),
    ):  # fmt: skip
        assert Predicates().map(words, language).name == ""


@pytest.mark.parametrize("words", ["", " ", "...", "\x00", "'" * 2000, "a" * 5000])
def test_no_words_break_the_mapping(words: str) -> None:
    assert Predicates(SETTINGS, FakeEmbedder()).map(words, "xx").name == ""


def test_the_nearest_names_are_three_at_most_and_real() -> None:
    nearest = Predicates().map("vendió un caballo a", "es").nearest
    assert len(nearest) == 3
    assert all(name in TABLE.statements for name in nearest)


# ---- to candidates -----------------------------------------------------------------------------


def test_a_triple_becomes_mentions_and_a_statement_that_pass_screening() -> None:
    text = "Consta que Rosa Ferrer es hija de Luis Ferrer."
    found = made(Triple("Rosa Ferrer", "es hija de", "Luis Ferrer", text), text)
    assert told(found) == [("Kinship/child", "Luis Ferrer", "Rosa Ferrer")]
    assert [c.quote for c in found if c.kind is Kind.MENTION] == ["Luis Ferrer", "Rosa Ferrer"]
    for candidate in found:
        screened, verdict = screen(candidate, unit(text), TABLE)
        assert verdict is None
        assert text[screened.start : screened.end] == screened.quote
        assert json.loads(candidate.raw)["predicate"] == "es hija de"
    relation = next(c for c in found if c.kind is Kind.RELATION)
    assert relation.cue is not None
    assert relation.cue.surface == "es hija de"


def test_a_predicate_without_a_name_waits_for_a_person_with_the_three_nearest() -> None:
    text = "Rosa Ferrer vendió un caballo a Luis Ferrer."
    (free,) = made(Triple("Rosa Ferrer", "vendió un caballo a", "Luis Ferrer", text), text)
    assert free.kind is Kind.TRIPLE
    _, verdict = screen(free, unit(text), TABLE)
    assert verdict is not None
    assert (verdict.decision, verdict.reasons[0].code) == (
        Decision.QUARANTINED, "unmappedPredicate",
    )  # fmt: skip
    for name in free.note.split(", "):
        assert name in verdict.reasons[0].sentence


def test_a_predicate_that_is_too_long_is_refused_with_the_limit() -> None:
    text = "Rosa Ferrer dijo que según creía era tal vez la prima de Luis Ferrer."
    long = "dijo que según creía era tal vez la prima de"
    (free,) = made(Triple("Rosa Ferrer", long, "Luis Ferrer", text), text)
    _, verdict = screen(free, unit(text), TABLE)
    assert verdict is not None
    assert (verdict.decision, verdict.reasons[0].code) == (Decision.REJECTED, "longPredicate")
    assert "6/8" in verdict.reasons[0].sentence
    (han,) = made(Triple("王甲", "於某年某月某日往見", "李乙", "王甲"), "王甲", "lzh")
    assert han.note.startswith("too-long")


def test_what_is_not_in_the_passage_is_refused_by_the_gate_as_ever() -> None:
    text = "Rosa Ferrer es hija de Luis Ferrer."
    found = made(Triple("Rosa Ferrer", "es hija de", "Juan Nadie", text), text)
    verdicts = [screen(c, unit(text), TABLE)[1] for c in found if c.kind is Kind.RELATION]
    assert all(v is not None and v.decision is Decision.REJECTED for v in verdicts)
    (free,) = made(Triple("Rosa", "pisó", "Luna", "Rosa pisó la Luna"), text)
    assert screen(free, unit(text), TABLE)[1].decision is Decision.REJECTED  # type: ignore[union-attr]


def test_values_and_dates_of_attributes_are_read() -> None:
    text = "Rosa Ferrer, de edad treinta años, nació el 3 de mayo de 1900."
    (_, age) = made(Triple("Rosa Ferrer", "de edad", "treinta", text), text)
    assert (age.kind, age.value.lexical if age.value else "") == (Kind.ATTRIBUTE, "30")
    (_, born) = made(Triple("Rosa Ferrer", "nació el", "3 de mayo de 1900", text), text)
    assert (born.name, born.value.lexical if born.value else "") == ("birthDate", "1900-05-03")


def test_known_types_go_before_guessed_ones() -> None:
    text = "La Unión gobernó Orna."
    triple = Triple("La Unión", "gobernó", "Orna", text)
    types = {"La Unión": "OrganizationState"}
    found = made(triple, text, type_of=lambda s: types.get(s, ""))
    assert found[0].name == "OrganizationState"
    assert made(triple, text)[0].name == "Person"  # the first that GeographicControl allows


# ---- names said as one -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("surface", "pieces"),
    [
        ("Juan y Sara", ["Juan", "Sara"]),
        ("Juan Pérez y Sara Gil", ["Juan Pérez", "Sara Gil"]),
        ("Juan, Luis y Sara", ["Juan", "Luis", "Sara"]),
        ("Luis e Inés", ["Luis", "Inés"]),
        ("Anne et Paul", ["Anne", "Paul"]),
        ("Pierre et Marie Curie", ["Pierre", "Marie Curie"]),
        ("Mary and John", ["Mary", "John"]),
        ("Karl und Anna", ["Karl", "Anna"]),
        ("甲乙與丙丁", ["甲乙", "丙丁"]),
        ("王安、李信", ["王安", "李信"]),
        ("José Ortega y Gasset", ["José Ortega y Gasset"]),
        ("Santiago Ramón y Cajal", ["Santiago Ramón y Cajal"]),
        ("Andrés Vidal y Soler", ["Andrés Vidal y Soler"]),
        ("Andrés Vidal y Soler y Juana Gil", ["Andrés Vidal y Soler", "Juana Gil"]),
        ("Trinidad y Tobago", ["Trinidad y Tobago"]),
        ("Cuba y Trinidad y Tobago", ["Cuba", "Trinidad y Tobago"]),
        ("Trinidad y Tobago y Cuba", ["Trinidad y Tobago", "Cuba"]),
        ("Bosnie et Herzégovine", ["Bosnie et Herzégovine"]),
        ("Smith and Sons", ["Smith and Sons"]),
        ("Vidal Soler, Andrés", ["Vidal Soler, Andrés"]),
        ("鄭和", ["鄭和"]),
        ("永和宮", ["永和宮"]),
        ("y Sara", ["y Sara"]),
        ("", [""]),
        ("Juan y", ["Juan y"]),
    ],
)
def test_names_are_taken_apart_where_they_are_two(surface: str, pieces: list[str]) -> None:
    assert list(parts(surface, "Person")) == pieces


def test_known_names_offices_works_and_bodies_are_never_divided() -> None:
    assert parts("Hermanos y Lucha", "", ["Hermanos y Lucha"]) == ("Hermanos y Lucha",)
    assert parts("Lucha y Juan", "Person", ["Lucha y Juan"]) == ("Lucha y Juan",)
    for type_ in ("Title", "Work", "OrganizationState"):
        assert parts("Gracia y Justicia", type_) == ("Gracia y Justicia",)
    assert parts("x y " * 200) == (("x y " * 200).strip(),)


def test_the_relation_is_kept_for_each_of_the_names() -> None:
    text = "Juan y Sara son hijos de Ana Gil y Luis Gil."
    found = made(Triple("Juan y Sara", "hijo de", "Ana Gil y Luis Gil", text), text)
    assert told(found) == [
        ("Kinship/child", "Ana Gil", "Juan"), ("Kinship/child", "Ana Gil", "Sara"),
        ("Kinship/child", "Luis Gil", "Juan"), ("Kinship/child", "Luis Gil", "Sara"),
    ]  # fmt: skip
    assert len({c.key for c in found}) == len(found)


def test_two_names_and_no_object_are_the_ends_of_a_symmetric_relation() -> None:
    text = "Anne et Paul se sont mariés."
    found = made(Triple("Anne et Paul", "marié à", "", text), text, "fr")
    assert told(found) == [("Kinship/spouse", "Anne", "Paul")]


# ---- the proposer ------------------------------------------------------------------------------


class _Saying:
    name, version = "m", "1"

    def __init__(self, text: str) -> None:
        self.text = text

    def complete(
        self, messages: Sequence[Table[str, str]], schema: Table[str, Any] | None
    ) -> Answer:
        return Answer(self.text, "stop")


def test_a_model_is_asked_for_triples_and_a_bad_answer_is_a_candidate_too() -> None:
    text = "Rosa Ferrer es hija de Luis Ferrer."
    item = {"subject": "Rosa Ferrer", "predicate": "es hija de", "object": "Luis Ferrer",
            "quote": text}  # fmt: skip
    for said, kinds in (
        (json.dumps({"triples": [item, item]}), [Kind.MENTION, Kind.MENTION, Kind.RELATION]),
        ('{"triples": []}', []),
        ("no", [Kind.UNPARSEABLE]),
    ):
        model = _Saying(said)
        proposer = FreeTripleProposer(model, TABLE, Caller(model), Predicates(), SETTINGS)
        told_of = proposer.for_units([unit(text)]).propose(unit(text))
        assert sorted(c.kind for c in told_of) == sorted(kinds)
