"""The name finders with their real models."""

from __future__ import annotations

import pytest

from rdfkms.backends.jieba_names import JiebaNames
from rdfkms.backends.spacy_names import SpacyNames
from rdfkms.errors import Missing
from rdfkms.ports import NameFinder

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def spacy() -> SpacyNames:
    try:
        return SpacyNames()
    except Missing as err:
        pytest.skip(str(err))


@pytest.mark.parametrize(
    ("language", "text", "person"),
    [
        ("es", "El carpintero Andrés Vidal Soler vive en Madrid.", "Andrés Vidal Soler"),
        ("fr", "Marguerite Dupuis habite à Lyon.", "Marguerite Dupuis"),
        ("en", "John Hancock wrote to Thomas Cooper in Boston.", "John Hancock"),
    ],
)
def test_each_model_finds_a_person(
    spacy: SpacyNames, language: str, text: str, person: str
) -> None:
    try:
        found = spacy.find(text, language)
    except Missing as err:
        pytest.skip(str(err))
    assert person in [text[f.start : f.end] for f in found if f.type == "Person"]
    assert found == spacy.find(text, language)
    assert [f.start for f in found] == sorted(f.start for f in found)


def test_a_language_without_a_model_has_no_names(spacy: SpacyNames) -> None:
    assert spacy.find("孔子生魯昌平鄉。", "lzh") == []


@pytest.fixture(scope="module")
def jieba() -> NameFinder:
    try:
        return JiebaNames({"項羽": "Person", "咸陽": "Location"})
    except Missing as err:
        pytest.skip(str(err))


def test_names_of_the_authority_list_are_found_across_line_breaks(jieba: NameFinder) -> None:
    text = "項\n羽引兵西屠咸陽。"
    found = [(text[f.start : f.end], f.type) for f in jieba.find(text, "lzh")]
    assert found == [("項\n羽", "Person"), ("咸陽", "Location")]


def test_guesses_are_made_on_request_only(jieba: NameFinder) -> None:
    text = "太公居於北京。"
    assert jieba.find(text, "zh") == []
    assert JiebaNames(guesses=True).find(text, "zh") != []
