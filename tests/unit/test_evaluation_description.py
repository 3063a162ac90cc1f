"""What is expected of a description is found under other names; what is not there is missing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, Triple, parse

from rdfkms.errors import BadInput, NotFound
from rdfkms.evaluation import description
from rdfkms.evaluation.description import Exported, compare

BASE = "https://gold.example.org/"
HEAD = """@prefix rico: <https://www.ica.org/standards/RiC/ontology#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @base <https://gold.example.org/> .
"""
EXPECTED = (
    HEAD
    + """
<r/1> a rico:RecordSet ; rico:directlyIncludes <r/2>, <r/3> ; rico:title "The  whole"@en .
<r/2> rico:isDirectlyIncludedIn <r/1> ; rico:directlyPrecedesInSequence <r/3> ;
  rico:hasOrHadSubject [ a rico:Person ; rico:name "Vey" ] ;
  rico:scopeAndContent "<p>One</p><p>two</p>"^^rdf:XMLLiteral .
<r/3> rico:isDirectlyIncludedIn <r/1> ; rico:date "1871"^^xsd:gYear .
"""
)
MADE = (
    HEAD
    + """
<http://here/id/set/a> a rico:RecordSet ; rico:title "The whole"@en ;
  rico:directlyIncludes <http://here/id/set/c>, <http://here/id/set/b> .
<http://here/id/set/b> rico:isDirectlyIncludedIn <http://here/id/set/a> ;
  rico:directlyPrecedesInSequence <http://here/id/set/c> ;
  rico:hasOrHadSubject <http://here/id/person/v> ; rico:scopeAndContent "One\\ntwo"@fr .
<http://here/id/person/v> a rico:Person ; rico:name "Vey" .
<http://here/id/set/c> rico:isDirectlyIncludedIn <http://here/id/set/a> ;
  rico:date "1871"^^xsd:gYear .
"""
)


def triples(text: str) -> list[Triple]:
    return [quad.triple for quad in parse(text, format=RdfFormat.TURTLE)]


def test_the_same_under_other_names_is_identical() -> None:
    found = compare(triples(EXPECTED), BASE, triples(MADE))
    assert (found.share, found.missing, found.identical) == (1.0, (), True)


@pytest.mark.parametrize(
    ("there", "instead", "missing"),
    [
        ('"1871"^^xsd:gYear', '"1872"^^xsd:gYear', ["date"]),
        ('"1871"^^xsd:gYear', '"1871"', ["date"]),
        ('"The whole"@en', '"The whole"@de', ["title"]),
        ("One\\ntwo", "One\\nthree", ["scopeAndContent"]),
        ("a rico:Person", "a rico:Family", ["type"]),
        ("rico:directlyPrecedesInSequence", "rico:directlyFollowsInSequence",
         ["directlyPrecedesInSequence"]),
    ],
)  # fmt: skip
def test_a_planted_difference_lowers_the_share(
    there: str, instead: str, missing: list[str]
) -> None:
    assert there in MADE
    found = compare(triples(EXPECTED), BASE, triples(MADE.replace(there, instead)))
    assert [one.predicate.rpartition("#")[2] for one in found.missing] == missing
    assert found.share == (found.expected - 1) / found.expected < 1
    assert found.beyond == 1
    assert not found.identical


def test_two_that_are_expected_apart_are_not_one() -> None:
    one = MADE.replace("http://here/id/set/c", "http://here/id/set/b")
    found = compare(triples(EXPECTED), BASE, triples(one))
    assert found.reproduced < found.expected
    assert any(one.predicate.endswith("#directlyIncludes") for one in found.missing)


def test_what_is_said_beyond_counts_apart() -> None:
    more = MADE + '<http://here/id/set/c> rico:title "More"@en .'
    found = compare(triples(EXPECTED), BASE, triples(more))
    assert (found.share, found.beyond, found.identical) == (1.0, 1, False)


def case(folder: Path, kind: str, name: str) -> None:
    path = folder / kind / name
    path.mkdir(parents=True)
    (path / "input.xml").write_text("<ead/>", encoding="utf-8")
    rdf = (
        f'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xml:base="{BASE}" '
        'xmlns:rico="https://www.ica.org/standards/RiC/ontology#">'
        '<rico:Record rdf:about="r/1"><rico:title>A</rico:title></rico:Record></rdf:RDF>'
    )
    (path / "expected.xml").write_text(rdf, encoding="utf-8")


def test_figures_are_summed_and_a_case_that_fails_counts_in_full(tmp_path: Path) -> None:
    for name in ("one", "two"):
        case(tmp_path, "ead2rico", name)
    good = HEAD + '<http://here/id/record/1> a rico:Record ; rico:title "A" .'

    def export(path: Path, linked: Sequence[Path]) -> Exported:
        if path.parent.name == "two":
            raise BadInput("It is broken.")
        return Exported(triples(good), {"/ead/fabled": 1})

    found = description.evaluate(tmp_path, export, lambda *_: None)
    total = found["totals"]["ead2rico"]
    assert (total["expected"], total["reproduced"], total["failed"]) == (4, 2, 1)
    assert (total["share"], total["identical"]) == (0.5, 1)
    assert found["missing"]["ead2rico"] == {"type": 1, "title": 1}
    one, two = found["cases"]["ead2rico"]
    assert (one["unmapped"], two["failed"]) == ({"/ead/fabled": 1}, "It is broken.")
    page = description.markdown(found, "# Head")
    assert "| two | 2 | 0 | 0.0% | no |" in page


def test_a_folder_without_pairs_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no pairs"):
        description.evaluate(tmp_path, lambda *_: Exported((), {}), lambda *_: None)
