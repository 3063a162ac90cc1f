"""Indexes in step with the ledger, search, and evidence for questions, on a small archive."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pyoxigraph import Quad

from rdfkms.access import ANONYMOUS
from rdfkms.backends.tantivy_index import TantivyIndex
from rdfkms.backends.usearch_index import UsearchIndex
from rdfkms.dialogue import questions
from rdfkms.dialogue.answering import ask
from rdfkms.ledger.ledger import Activity, Change
from rdfkms.retrieval import words
from rdfkms.retrieval.index import Indexes, Makers
from rdfkms.retrieval.searching import find_things, search
from rdfkms.vocab import KMS
from tests.tools.small_archive import OWNER, build


class LetterEmbedder:
    """Counts letters: cheap, deterministic, and near for texts with the same words."""

    name = "letters"
    version = "1"
    dimensions = 32

    def __init__(self) -> None:
        self.embedded = 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors."""
        self.embedded += len(texts)
        made = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            for letter in words.fold(text):
                made[row, ord(letter) % self.dimensions] += 1
        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        return np.asarray(made / np.maximum(lengths, 1e-9), dtype=np.float32)


@dataclass
class Place:
    small: Any
    owner: Any
    embedder: LetterEmbedder
    open: Callable[[], Indexes]
    indexes: Indexes

    @property
    def store(self) -> Any:
        return self.small.ledger.store


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    small = build(tmp_path / "archive")
    embedder = LetterEmbedder()
    makers = Makers(TantivyIndex, UsearchIndex, embedder)

    def open_indexes() -> Indexes:
        return Indexes(small.ledger.archive.indexes, small.ledger.base, makers)

    indexes = open_indexes()
    indexes.update(small.ledger)
    yield Place(small, OWNER, embedder, open_indexes, indexes)
    small.close()


def units(place: Place, question: str, principal: Any = ANONYMOUS) -> set[str]:
    return {h.citation.unit for h in search(question, place.indexes, place.store, principal, 20)}


def test_hits_cite_the_exact_stretch_with_page_and_box(place: Place) -> None:
    hit = search("natural de Belmira, jornalero", place.indexes, place.store, ANONYMOUS, 3)[0]
    assert hit.citation.unit == place.small.unit
    assert hit.citation.context[hit.citation.start : hit.citation.end] == hit.citation.quote
    assert hit.citation.fragment.startswith("xywh=")
    assert hit.citation.picture == place.small.picture
    assert hit.citation.record_title == "Sentencia, causa-7"
    assert "jornalero" in hit.words
    assert dict(hit.ranks)["words"] == 1


def test_closed_passages_are_found_by_staff_alone(place: Place) -> None:
    for question in ("Oculto", "Ficha reservada de Tomás Oculto Prieto", "Belmira"):
        assert place.small.closed_unit not in units(place, question)
    assert place.small.closed_unit in units(place, "Oculto", place.owner)
    assert find_things("Oculto", place.indexes, place.store, ANONYMOUS) == []
    found = find_things("Oculto", place.indexes, place.store, place.owner)
    assert [thing.ref for thing in found] == [place.small.hidden]


def test_a_thing_is_found_by_any_of_its_names(place: Place) -> None:
    thing = find_things("soler andres", place.indexes, place.store, ANONYMOUS)[0]
    assert thing.ref == place.small.person
    assert thing.name == "Andrés Vidal Soler"
    assert thing.other_names == ("Vidal Soler, Andrés",)


def test_closing_a_record_takes_its_passages_out_of_the_public_index(place: Place) -> None:
    ledger = place.small.ledger
    public = list(ledger.store.match(None, None, None, ledger.base.public))
    texts = {str(q.subject) for q in public if place.small.unit in str(q.object)}
    moved = [
        Quad(q.subject, q.predicate, q.object, ledger.base.internal)
        for q in public
        if place.small.unit in str(q) or str(q.subject) in texts
    ]
    gone = [Quad(q.subject, q.predicate, q.object, ledger.base.public) for q in moved]
    before = place.embedder.embedded
    ledger.commit(Change(Activity("access"), add=tuple(moved), remove=tuple(gone)), place.owner)
    assert place.indexes.update(ledger) == ledger.revision
    assert place.embedder.embedded == before + 1  # only what changed is read again
    probe = place.embedder.embed(["jornalero"])[0]
    near = {key for key, _ in place.indexes.vectors["public"].search(probe, 10)}
    assert near
    assert place.small.unit not in near
    hidden = {key for key, _ in place.indexes.vectors["internal"].search(probe, 10)}
    assert place.small.unit in hidden
    assert place.small.unit not in {
        key for key, _ in place.indexes.fulltext.search("jornalero", 9, graphs=["public"])
    }
    assert place.small.unit not in units(place, "jornalero")


def test_a_merge_puts_the_names_under_the_one_that_stays(place: Place) -> None:
    ledger = place.small.ledger
    merged = Quad(
        ledger.base.iri("person", place.small.hostile.key),
        KMS("mergedInto"),
        ledger.base.iri("person", place.small.person.key),
        ledger.base.public,
    )
    ledger.commit(Change(Activity("merge"), add=(merged,)), place.owner)
    place.indexes.update(ledger)
    found = find_things("script alert", place.indexes, place.store, ANONYMOUS)
    assert [thing.ref for thing in found] == [place.small.person]
    ledger.commit(Change(Activity("merge"), remove=(merged,)), place.owner)
    place.indexes.update(ledger)
    found = find_things("script alert", place.indexes, place.store, ANONYMOUS)
    assert [thing.ref for thing in found] == [place.small.hostile]


def test_indexes_are_not_made_again_without_need(place: Place) -> None:
    before = place.embedder.embedded
    again = place.open()
    assert again.revision == place.small.ledger.revision
    assert again.update(place.small.ledger) == place.small.ledger.revision
    assert place.embedder.embedded == before


@pytest.mark.parametrize("damage", ["no state", "bad state", "vectors", "words", "other model"])
def test_damaged_or_foreign_indexes_are_made_anew(place: Place, damage: str) -> None:
    folder = place.small.ledger.archive.indexes
    if damage == "no state":
        (folder / "state.json").unlink()
    elif damage == "bad state":
        (folder / "state.json").write_text("{", encoding="utf-8")
    elif damage == "vectors":
        (folder / "vectors-public" / "vectors.usearch").write_bytes(b"cut")
    elif damage == "words":
        (folder / "fulltext" / "meta.json").write_text("{", encoding="utf-8")
    else:
        place.embedder.version = "2"
    again = place.open()
    assert again.revision == 0
    again.update(place.small.ledger)
    place.indexes = again
    assert place.small.unit in units(place, "jornalero")


@pytest.mark.parametrize(
    ("question", "statements"),
    [
        ("¿Dónde nació Andrés Vidal Soler?", {"birthplace"}),
        ("¿Qué edad tenía Andrés Vidal Soler?", {"age"}),
        ("How old was Andrés Vidal Soler?", {"age"}),
        ("¿Fue juzgado Andrés Vidal?", {"accused"}),
    ],
)
def test_a_question_gets_the_statements_and_passages_that_answer_it(
    place: Place, question: str, statements: set[str]
) -> None:
    answer = ask(question, place.indexes, place.store, ANONYMOUS)
    assert answer.found_information
    assert answer.missing == ()
    assert {claim.statement for claim in answer.statements} == statements
    cited = {pointer.unit for claim in answer.statements for pointer in claim.pointers}
    assert cited <= {hit.citation.unit for hit in answer.evidence}


def test_sources_that_disagree_are_both_given(place: Place) -> None:
    answer = ask("¿Qué edad tenía Andrés Vidal Soler?", place.indexes, place.store, ANONYMOUS)
    given = {claim.value.lexical for claim in answer.statements if claim.value}
    assert given == {"31", "33"}


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("¿Cuándo murió Andrés Vidal Soler?", "murió"),
        ("¿En qué cárcel estuvo Andrés Vidal Soler?", "cárcel"),
        ("¿Dónde nació Pedro Gómez Ruiz?", "Pedro Gómez Ruiz"),
        ("¿Dónde nació Tomás Oculto Prieto?", "Tomás Oculto Prieto"),
        ("李白何時卒?", "李白"),
    ],
)
def test_what_the_sources_do_not_say_is_not_found_and_named(
    place: Place, question: str, missing: str
) -> None:
    answer = ask(question, place.indexes, place.store, ANONYMOUS)
    assert not answer.found_information
    assert missing in answer.missing
    assert answer.statements == ()
    assert place.small.closed_unit not in {hit.citation.unit for hit in answer.evidence}
    assert missing in answer.limitations


@pytest.mark.parametrize("question", ["", "?", "\x00", "<b>", "x" * 20_000, "((((", "a*b+c["])
def test_no_question_text_raises(place: Place, question: str) -> None:
    assert not ask(question, place.indexes, place.store, ANONYMOUS).found_information


def test_a_question_is_taken_apart_into_names_meanings_and_words() -> None:
    asked = questions.parse("¿Con quién estaba casado el panadero José Marín Lloret de Peñarrasa?")
    assert asked.names == ("José Marín Lloret de Peñarrasa",)
    assert [meaning.name for meaning in asked.meanings] == ["marriage"]
    assert asked.words == ("panadero",)
    assert replace(asked, text="") == replace(questions.parse(asked.text), text="")
