"""The Oxigraph store keeps the port's promises: exact terms, atomic patches, closed graphs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.backends import load, names
from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.errors import BadInput, Broken, Conflict, Misconfigured
from rdfkms.vocab import XSD

A, B, P = NamedNode("http://a.example/a"), NamedNode("http://a.example/b"), NamedNode("http://p")
PUBLIC, INTERNAL = NamedNode("http://g/public"), NamedNode("http://g/internal")


def quad(value: str, graph: NamedNode = PUBLIC) -> Quad:
    return Quad(A, P, Literal(value), graph)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[OxigraphStore]:
    found = OxigraphStore(tmp_path / "store")
    yield found
    found.close()


texts = st.text(st.characters(codec="utf-8"), max_size=20) | st.sampled_from(
    [
        "\\u0041",
        "\\",
        '"""',
        "a\nb\r\t",
        "\x00\x7f",
        "} } ; DROP ALL",
        "'''",
        "\\\\u0022 }",
        "\ufeff",
    ]
)
literals = (
    texts.map(Literal)
    | st.builds(lambda t, tag: Literal(t, language=tag), texts, st.sampled_from(["es", "lzh-Hant"]))
    | texts.map(lambda t: Literal(t, datatype=NamedNode("http://id.loc.gov/datatypes/edtf")))
    | st.integers().map(lambda n: Literal(str(n), datatype=XSD("integer")))
)


@settings(max_examples=150, deadline=None)
@given(st.lists(literals, min_size=1, max_size=6, unique=True))
def test_any_literal_goes_in_and_comes_out_by_a_patch_with_removals(values: list[Literal]) -> None:
    store = OxigraphStore()
    first = Quad(B, P, Literal("first"), INTERNAL)
    store.patch((), [first])
    quads = [Quad(A, P, value, PUBLIC) for value in values]
    kept = {Quad(A, P, store.canonical(value), PUBLIC) for value in values}
    store.patch([first], quads)
    assert set(store.match()) == kept
    store.patch(quads, [first])
    assert set(store.match()) == {first}


@pytest.mark.parametrize(
    ("given", "kept"), [("01", "1"), ("+7", "7"), ("99999999999999999999", "99999999999999999999")]
)
def test_canonical_is_what_the_store_gives_back(given: str, kept: str) -> None:
    store = OxigraphStore()
    literal = Literal(given, datatype=XSD("integer"))
    store.patch((), [Quad(A, P, literal, PUBLIC)])
    (found,) = store.match()
    assert found.object == store.canonical(literal) == Literal(kept, datatype=XSD("integer"))


def test_a_quad_in_both_parts_of_a_patch_is_there_afterwards() -> None:
    store = OxigraphStore()
    store.patch((), [quad("x")])
    store.patch([quad("x")], [quad("x")])
    assert store.contains(quad("x"))


def test_readers_see_a_patch_whole_or_not_at_all(store: OxigraphStore) -> None:
    halves = [[Quad(A, P, Literal(f"{side}{n}"), PUBLIC) for n in range(40)] for side in "ab"]
    store.patch((), halves[0])
    stop, sizes = threading.Event(), set()

    def read() -> None:
        while not stop.is_set():
            sizes.add(len(list(store.match(None, None, None, PUBLIC))))

    reader = threading.Thread(target=read)
    reader.start()
    for turn in range(60):
        store.patch(halves[turn % 2], halves[1 - turn % 2])
    stop.set()
    reader.join()
    assert sizes == {40}


def test_a_patch_that_cannot_be_written_changes_nothing(store: OxigraphStore) -> None:
    store.patch((), [quad("x")])

    def quads() -> Iterator[Quad]:
        yield quad("y")
        raise OSError("the source of the quads failed")

    with pytest.raises(OSError, match="source"):
        store.patch([quad("x")], quads())
    assert set(store.match()) == {quad("x")}


def test_graphs_limit_every_form_of_access() -> None:
    store = OxigraphStore()
    store.patch((), [quad("open"), quad("closed", INTERNAL)])
    every = "SELECT ?o WHERE { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }"
    found = store.select(every, graphs=[PUBLIC])
    assert {str(row["o"]) for row in found} == {'"open"'}
    named = "SELECT ?o WHERE { GRAPH <http://g/internal> { ?s ?p ?o } }"
    assert store.select(named, graphs=[PUBLIC]) == []
    assert not store.ask('ASK { ?s ?p "closed" }', graphs=[PUBLIC])
    assert list(store.construct("CONSTRUCT WHERE { ?s ?p 'closed' }", graphs=[PUBLIC])) == []


def test_bindings_limit_a_query_and_unbound_variables_are_none() -> None:
    store = OxigraphStore()
    store.patch((), [quad("x"), Quad(B, P, Literal("y"), PUBLIC)])
    text = "SELECT ?s ?o ?none WHERE { ?s ?p ?o OPTIONAL { ?o ?p ?none } }"
    (row,) = store.select(text, {"s": B}, [PUBLIC])
    assert (row["o"], row["none"]) == (Literal("y"), None)


def test_a_wrong_query_is_bad_input() -> None:
    with pytest.raises(BadInput, match="SPARQL"):
        OxigraphStore().select("SELEKT ?x")


def test_a_second_opener_is_refused_and_a_closed_store_says_so(tmp_path: Path) -> None:
    store = OxigraphStore(tmp_path / "s")
    with pytest.raises(Conflict, match="Another process"):
        OxigraphStore(tmp_path / "s")
    store.close()
    store.close()
    with pytest.raises(Broken, match="closed"):
        store.size()
    OxigraphStore(tmp_path / "s").close()


def test_a_snapshot_shows_its_moment(store: OxigraphStore, tmp_path: Path) -> None:
    store.patch((), [quad("before")])
    store.snapshot(tmp_path / "copy")
    store.patch((), [quad("after")])
    copy = OxigraphStore(tmp_path / "copy", read_only=True)
    assert set(copy.match()) == {quad("before")}
    copy.close()


def test_bulk_loads_what_serialising_wrote(store: OxigraphStore, tmp_path: Path) -> None:
    file = tmp_path / "x.nq"
    file.write_text("".join(f"{quad(str(n))} .\n" for n in range(10)))
    store.bulk([file])
    assert store.size() == 10
    (tmp_path / "bad.nq").write_text("this is no quad\n")
    with pytest.raises(Broken):
        store.bulk([tmp_path / "bad.nq"])


def test_engines_are_found_by_name() -> None:
    assert "oxigraph" in names("store")
    assert load("store", "oxigraph") is OxigraphStore
    with pytest.raises(Misconfigured, match="Known: oxigraph"):
        load("store", "nothing")
