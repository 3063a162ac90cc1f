"""The pages say the same in five languages: nothing is left out, no place holder is lost."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from rdfkms import resources
from rdfkms.knowledge import words
from rdfkms.model import Decision, Flag, Rank, Role, Status, View
from rdfkms.publish import audits, themes
from rdfkms.review import decisions, tasks
from rdfkms.vocab import KV, RDFS, SKOS
from rdfkms.web import languages, wording
from tests.tools import translations

OTHERS = [language for language in languages.NAMES if language != languages.DEFAULT]
PLACES = re.compile(r"%\(\w+\)s|%%|%(?!\()")
TAGS = re.compile(r"<[^>]+>")


@pytest.fixture(scope="module")
def wanted() -> set[Any]:
    """Return every text of the pages."""
    return {message.id for message in translations.found() if message.id}


def read(language: str) -> Catalog:
    with resources.file(f"web/translations/{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def said(message: Message) -> list[str]:
    told = message.string or ""
    return [told] if isinstance(told, str) else list(told)


def source(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[1]


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_translated_and_none_is_left_over(language: str, wanted: set[Any]) -> None:
    there = {m.id for m in read(language) if m.id}
    assert there - wanted == set(), "run tests/tools/translations.py"
    assert wanted - there == set(), "run tests/tools/translations.py and translate what is new"
    empty = [m.id for m in read(language) if m.id and (m.fuzzy or not all(said(m)))]
    assert empty == []


@pytest.mark.parametrize("language", OTHERS)
def test_translations_keep_place_holders_and_add_no_markup(language: str) -> None:
    for message in read(language):
        for text in said(message) if message.id else ():
            assert sorted(PLACES.findall(text)) == sorted(PLACES.findall(source(message))), text
            assert sorted(TAGS.findall(text)) == sorted(TAGS.findall(source(message))), text
            assert '"' not in text or '"' in source(message), text


@pytest.mark.parametrize("language", OTHERS)
def test_most_texts_differ_from_english(language: str) -> None:
    messages = [m for m in read(language) if m.id]
    same = [m.id for m in messages if said(m)[0] in (m.id, m.id[0])]
    assert len(same) < len(messages) * 0.08, same


@pytest.mark.parametrize("name", ["vocab", "rdfkms"])
def test_every_term_has_its_label_in_all_languages(name: str) -> None:
    found: dict[NamedNode, list[str]] = {}
    path = resources.file(f"ontology/{name}.ttl")
    for quad in parse(path=str(path), format=RdfFormat.TURTLE):
        if quad.predicate in (SKOS("prefLabel"), RDFS("label")) and isinstance(
            quad.object, Literal
        ):
            assert isinstance(quad.subject, NamedNode)
            found.setdefault(quad.subject, []).append(quad.object.language or "")
    lacking = {term.value: tags for term, tags in found.items()
               if sorted(tags) != sorted(languages.NAMES)}  # fmt: skip
    assert lacking == {}


def test_a_label_without_its_language_is_the_english_one() -> None:
    assert words.label(KV("birthplace"), "fr") == "né à"
    assert words.label(KV("birthplace"), "xx") == "born in"
    assert words.label(KV("nothing"), "fr") == ""


def test_every_theme_has_a_heading() -> None:
    assert set(themes.themes()) <= set(wording.THEMES)


@pytest.mark.parametrize(
    "names",
    [
        decisions.KINDS, tasks.KINDS, audits.STAGES, (audits.PASSED, audits.NOT_REACHED),
        Status, Decision, Rank, Role, Flag, View, ("open", "closed", "embargo"),
    ],
)  # fmt: skip
def test_every_small_word_of_the_pages_is_known(names: Iterable[str]) -> None:
    assert [name for name in map(str, names) if name not in wording.WORDS] == []
