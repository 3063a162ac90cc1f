"""Searches inside SPARQL: which forms are understood, what they become, what is refused."""

from __future__ import annotations

import pytest
from pyoxigraph import Literal, NamedNode, Quad, Store

from rdfkms.errors import BadInput, Missing
from rdfkms.publish import search_functions
from rdfkms.publish.search_functions import LONGEST, MOST_CALLS, Call, calls, rewritten
from rdfkms.publish.tokenizer import Query
from rdfkms.retrieval.recall import Found
from rdfkms.vocab import KMS

HEAD = f"PREFIX kms: <{KMS.iri}> PREFIX k: <{KMS.iri}> "
ONE, TWO = NamedNode("http://a/id/evidence/1"), NamedNode("http://a/id/evidence/2")


class Finder:
    """Finds the same two units whatever is asked, and tells what was asked."""

    revision = 3

    def __init__(self, *, cut: bool = False) -> None:
        self.asked: list[tuple[str, str]] = []
        self._found = Found(((ONE, 2.5), (TWO, 0.25)), cut)

    def words(self, text: str) -> Found:
        self.asked.append(("words", text))
        return self._found

    def meaning(self, phrase: str) -> Found:
        self.asked.append(("meaning", phrase))
        return self._found


def read(body: str) -> list[Call]:
    text = HEAD + body
    return calls(text, Query(text).prologue[0])


def done(body: str, finder: Finder | None) -> search_functions.Rewritten:
    text = HEAD + body
    return rewritten(text, calls(text, Query(text).prologue[0]), finder)


@pytest.mark.parametrize(
    ("body", "asked", "score"),
    [
        ('SELECT * { ?u kms:textMatch "un molino" . }', ("words", "un molino"), ""),
        ('SELECT * { ?u kms:textMatch "a" }', ("words", "a"), ""),
        ('SELECT * { ?x ?y ?z . ?u k:textMatch ("a" ?s) }', ("words", "a"), "?s"),
        ("SELECT * { ?u kms:similarTo 'una \\'mujer\\'' . ?u ?p ?o }",
         ("meaning", "una 'mujer'"), ""),
        ('SELECT * { ?u kms:similarTo ("""two\nlines""" $s) . }', ("meaning", "two\nlines"), "$s"),
        (f'PREFIX t: <{KMS.iri}text> SELECT * {{ ?u t:Match "a" }}', ("words", "a"), ""),
        (f'SELECT * {{ ?u <{KMS.iri}textMatch> "caf\\u00e9" }}', ("words", "café"), ""),
        ('SELECT * { { ?u kms:textMatch "a" } UNION { ?u ?p ?o } }', ("words", "a"), ""),
        ('SELECT * { OPTIONAL { ?u ?p ?o } ?u kms:textMatch "a" }', ("words", "a"), ""),
    ],
)  # fmt: skip
def test_both_forms_become_values_that_join(body: str, asked: tuple[str, str], score: str) -> None:
    finder = Finder()
    text = done(body, finder).text
    assert finder.asked == [asked]
    assert "textMatch" not in text and "similarTo" not in text
    store = Store()
    store.extend(Quad(u, KMS("text"), Literal("x")) for u in (ONE, TWO, NamedNode("http://o")))
    rows = list(store.query(text))  # type: ignore[arg-type]
    assert {row["u"] for row in rows} >= {ONE, TWO}
    if score:
        assert {float(row[score[1:]].value) for row in rows} == {2.5, 0.25}


@pytest.mark.parametrize(
    "body",
    [
        'SELECT * { ?u a kms:EvidenceUnit ; kms:textMatch "a" }',
        'SELECT * { ?u kms:textMatch "a" ; a kms:EvidenceUnit }',
        'SELECT * { ?u kms:textMatch "a", "b" }',
        'SELECT * { ?u kms:textMatch "a"@es }',
        'SELECT * { ?u kms:textMatch "a"^^<x:y> }',
        "SELECT * { ?u kms:textMatch ?words }",
        "SELECT * { ?u kms:textMatch 3 }",
        'SELECT * { <x:u> kms:textMatch "a" }',
        'SELECT * { ?u kms:textMatch ("a") }',
        'SELECT * { ?u kms:textMatch ("a" ?s ?t) }',
        'SELECT * { ?u kms:textMatch ("a" 3) }',
        'SELECT * { ?u ^kms:textMatch "a" }',
        'SELECT * { ?u kms:textMatch|kms:text "a" }',
        'SELECT * { ?u kms:textMatch "" }',
        f'SELECT * {{ ?u kms:textMatch "{"a" * (LONGEST + 1)}" }}',
        f'SELECT * {{ ?u <{KMS.iri}text\\u004Datch> "a" }}',
        "SELECT * { ?u kms:text ?t BIND(kms:textMatch AS ?x) }",
        "SELECT * { " + '?u kms:textMatch "a" . ' * (MOST_CALLS + 1) + "}",
    ],
)
def test_any_other_form_is_refused_with_the_form(body: str) -> None:
    with pytest.raises(BadInput):
        read(body)


def test_words_in_strings_and_comments_are_no_search() -> None:
    body = 'SELECT * { ?u ?p "kms:textMatch" } # kms:textMatch "a"'
    assert read(body) == []
    assert done(body, None).text == HEAD + body


def test_a_cut_is_told_and_without_indexes_a_search_is_refused() -> None:
    assert done('ASK { ?u kms:textMatch "a" }', Finder(cut=True)).cuts == ("textMatch 2",)
    with pytest.raises(Missing):
        done('ASK { ?u kms:textMatch "a" }', None)
