"""Candidates of several proposers: each content once, in a fixed order, nothing lost silently."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from rdfkms.backends.fake import FakeLanguageModel, FakeNames
from rdfkms.ingest import profiles
from rdfkms.knowledge import mapping
from rdfkms.knowledge.extraction import propose, propose_page
from rdfkms.knowledge.proposers.candidates import Quoting, content_key, plain
from rdfkms.knowledge.proposers.language_model import LanguageModelProposer
from rdfkms.knowledge.proposers.names import NameProposer, NameTable, from_table
from rdfkms.knowledge.proposers.standard import deterministic
from rdfkms.model import Candidate, EvidenceUnit, Kind, Modality, UnitText, View
from rdfkms.ports import NameFinder

TABLE = NameTable(finder="fake", languages=("es",), lexicon="given.es", stop="stop.es")


def unit(text: str, language: str = "es") -> EvidenceUnit:
    raw = UnitText("t1", "u1", "v1", View.RAW, text, 0, len(text), language)
    return EvidenceUnit("u1", "r1", "s1", "p1", 0, Modality.DOCUMENT, language, "1", 1, (raw,), ())


class Fixed:
    """Proposes what it was given."""

    version = "1"

    def __init__(self, name: str, *candidates: Candidate) -> None:
        self.name = name
        self._candidates = candidates

    def propose(self, unit: EvidenceUnit) -> tuple[Candidate, ...]:
        return self._candidates


def test_the_same_content_from_two_proposers_is_one_candidate_that_names_both() -> None:
    here = unit("Rosa Ferrer vino.")
    first = Quoting(here, "a").mention((0, 11), "Person", 0.6)
    second = Quoting(here, "b").mention((0, 11), "Person", 0.9)
    (found,) = propose(here, [Fixed("a", first), Fixed("b", second)])
    assert (found.confidence, found.note) == (0.9, "also proposed by a")
    assert first.key == second.key == content_key(found)


def test_order_does_not_depend_on_the_proposers() -> None:
    here = unit("Rosa Ferrer vino con Juan Mas.")
    one = Quoting(here, "a").mention((0, 11), "Person", 0.6)
    two = Quoting(here, "a").mention((21, 29), "Person", 0.6)
    assert propose(here, [Fixed("a", two, one)]) == propose(here, [Fixed("a", one, two)])


def test_the_key_covers_all_that_is_said() -> None:
    base = Quoting(unit("Rosa Ferrer vino."), "a").mention((0, 11), "Person", 0.6)
    assert content_key(replace(base, name="Location")) != base.key
    assert content_key(replace(base, confidence=0.1, proposer="z")) == base.key


def test_a_name_finder_gives_way_to_a_pattern_and_a_model_does_not() -> None:
    here = unit("Que Rosa Ferrer Quiles vino.")
    whole = Quoting(here, "patterns").mention((4, 22), "Person", 0.9)
    finder = NameProposer(FakeNames({"Rosa Ferrer": "Person"}), TABLE)
    assert [c.quote for c in propose(here, [Fixed("patterns", whole), finder])] == [
        "Rosa Ferrer Quiles"
    ]
    part = Quoting(here, "model").mention((4, 15), "Person", 0.5)
    assert len(propose(here, [Fixed("patterns", whole), Fixed("model", part)])) == 2


def test_a_guess_of_a_finder_must_look_like_a_name() -> None:
    guesses = {"Rosa Ferrer": "Person", "Consejo Permanente": "Person", "Luis": "Person",
               "Que Tomás": "Person", "Osuna": "Location"}  # fmt: skip
    text = "Rosa Ferrer; Consejo Permanente; Luis; Que Tomás; Osuna."
    finder = NameProposer(FakeNames(guesses), TABLE)
    assert [c.quote for c in finder.propose(unit(text))] == ["Rosa Ferrer"]
    assert finder.propose(unit(text, "fr")) == ()


def test_a_finder_with_an_authority_list_is_believed() -> None:
    def make(name: str, authority: object) -> NameFinder:
        return FakeNames({"孔子": "Person"})

    table = {"names": {"finder": "x", "languages": ["lzh"], "authority": "authority.lzh"}}
    made = from_table("annals", table, make)
    assert made is not None
    assert [c.quote for c in made.propose(unit("孔子生。", "lzh"))] == ["孔子"]


def test_without_the_software_a_profile_still_has_its_patterns() -> None:
    tables = profiles.load("court-martial").tables
    assert [p.name for p in deterministic("court-martial", tables, lambda name, listed: None)] == [
        "patterns:court-martial"
    ]


def test_the_date_of_issue_on_a_page_serves_all_its_units() -> None:
    made = deterministic("newspaper", profiles.load("newspaper").tables, lambda name, listed: None)
    head = unit("Lundi 3 mai 1852. Numéro 4.", "fr")
    body = replace(unit("La grêle est tombée samedi dernier sur Clairval.", "fr"), key="u2")
    found = propose_page([head, body], made)["u2"]
    (when,) = [c.value for c in found if c.name == "time"]
    assert when is not None
    assert date.fromisoformat(when.lexical) == date(1852, 5, 1)


def test_an_unparseable_answer_is_kept_beside_the_patterns() -> None:
    model = LanguageModelProposer(FakeLanguageModel("bad_json"), mapping.load())
    found = propose(unit("Rosa Ferrer vino."), [model])
    assert [c.kind for c in found] == [Kind.UNPARSEABLE]


def test_a_surface_form_loses_line_breaks_and_printed_hyphens() -> None:
    assert plain("Andrés\nVi-\ndal", "es") == "Andrés Vidal"
    assert plain("桑\n谷", "lzh") == "桑谷"
