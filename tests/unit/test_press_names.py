"""Names of papers: rules and lists of the press profiles, finds in capitals, surnames again."""

from __future__ import annotations

import pytest

from rdfkms.backends.fake import FakeNames
from rdfkms.ingest import profiles
from rdfkms.knowledge.extraction import propose_page
from rdfkms.knowledge.proposers import standard
from rdfkms.knowledge.proposers.names import NameProposer, NameTable
from rdfkms.model import EvidenceUnit, Kind
from rdfkms.ports import Proposer
from tests.tools.passages import passage

Found = list[tuple[str, str]]


def proposers(profile: str, names: dict[str, str] | None = None) -> tuple[Proposer, ...]:
    return standard.deterministic(
        profile, profiles.load(profile).tables, lambda name, listed: FakeNames(names or {})
    )


def mentions(found: tuple[Proposer, ...], *units: EvidenceUnit) -> list[Found]:
    return [
        [(c.quote, c.name) for c in candidates if c.kind is Kind.MENTION]
        for candidates in propose_page(units, found).values()
    ]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("fr", "Hier M. Rossel a quitté Lausanne.",
         [("M. Rossel", "Person"), ("Lausanne", "Location")]),
        ("fr", "M. A. Rossel, directeur de la Banque, est mort le 3 mai 1851.",
         [("M. A. Rossel, directeur de la Banque", "Person"),
          ("le 3 mai 1851", "TimeExpression")]),
        ("fr", "Le Conseil fédéral a écrit à BERNE.",
         [("Conseil fédéral", "OrganizationState"), ("BERNE", "Location")]),
        ("de", "Herr Stadtrat Keller reist nach Zürich.",
         [("Herr Stadtrat Keller", "Person"), ("Zürich", "Location")]),
        ("de", "Am 3. Mai 1851 tagte der Nationalrat.",
         [("Am 3. Mai 1851", "TimeExpression"), ("Nationalrat", "OrganizationState")]),
        ("en", "Mr. John Hale left London for Bristol in 1851.",
         [("Mr. John Hale", "Person"), ("London", "Location"), ("Bristol", "Location"),
          ("in 1851", "TimeExpression")]),
    ],
)  # fmt: skip
def test_names_by_rules_and_lists(language: str, text: str, expected: Found) -> None:
    assert mentions(proposers(f"press-{language}"), passage(text, language)) == [expected]


def test_a_name_over_a_line_break_keeps_its_raw_words() -> None:
    text = "On écrit de Neu-\nchâtel que M.\nRossel revient."
    found = mentions(proposers("press-fr"), passage(text, "fr"))[0]
    assert found == [("Neu-\nchâtel", "Location"), ("M.\nRossel", "Person")]


def test_the_surname_alone_is_the_person_named_in_full_on_the_page() -> None:
    first = passage("M. Rossel parla longtemps.", "fr", name="p1")
    second = passage("Puis Rossel quitta la salle de Rosselin.", "fr", name="p2")
    assert mentions(proposers("press-fr"), first, second)[1] == [("Rossel", "Person")]
    assert mentions(proposers("press-fr"), second) == [[]]  # elsewhere nothing vouches for it


def test_german_surnames_in_the_genitive() -> None:
    first = passage("Herr Koller malte.", "de", name="p1")
    second = passage("Das Werk Kollers blieb.", "de", name="p2")
    assert mentions(proposers("press-de"), first, second)[1] == [("Kollers", "Person")]


def finds(text: str, names: dict[str, str], **table: object) -> Found:
    proposer = NameProposer(
        FakeNames(names),
        NameTable.model_validate({"languages": ["fr"], "types": ["Person", "Location"], **table}),
    )
    return [(c.quote, c.name) for c in proposer.propose(passage(text, "fr"))]


def test_a_find_is_taken_from_its_first_to_its_last_capital() -> None:
    text = "le bon Victor Morel arrive à Serrance"
    names = {"le bon Victor Morel arrive": "Person", "à Serrance": "Location"}
    assert finds(text, names, accept="capitals") == [
        ("Victor Morel", "Person"), ("Serrance", "Location"),
    ]  # fmt: skip
    assert finds(text, names) == []  # else only known given names vouch for a find


@pytest.mark.parametrize("words", ["les gens", "Il", "Morel parla. Puis Rossel"])
def test_what_is_written_like_no_name_is_no_find(words: str) -> None:
    assert finds(f"Ici {words} vinrent", {words: "Person"}, accept="capitals") == []


def test_a_place_needs_a_word_before_it_where_the_profile_says_so() -> None:
    table = {"accept": "capitals", "before": {"Location": ["a", "d"]}}
    assert finds("Vers Serrance", {"Serrance": "Location"}, **table) == []
    assert finds("il va d'Arvelle", {"Arvelle": "Location"}, **table) == [("Arvelle", "Location")]
