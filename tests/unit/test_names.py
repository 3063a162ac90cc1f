"""Names: normal forms, likeness, and an index that a fork does not change."""

from __future__ import annotations

import itertools
import random

import pytest
from pyoxigraph import Quad
from rapidfuzz.distance import Levenshtein

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.knowledge import mapping
from rdfkms.knowledge.encoding import claim_triples, unit_triples
from rdfkms.knowledge.nameforms import is_full, is_short_for, normal
from rdfkms.knowledge.nameindex import NameIndex
from rdfkms.knowledge.names import Names
from rdfkms.model import Claim, Kind, Label, Pointer, Ref, Value
from rdfkms.vocab import KMS, Base
from tests.tools.passages import passage

ANA, EVA = Ref("person", "a" * 24), Ref("person", "b" * 24)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Andrés Vidal Soler", "ANDRES  VIDAL\nSOLER"),
        ("D. Andrés Vidal Soler", "Andrés Vidal Soler"),
        ("el Teniente D. Pablo Urrea", "el Teniente D. Pablo Urrea"),
        ("M. Étienne Garandel", "Etienne Garan-\ndel"),
        ("Vidal, Andrés", "Vidal Andrés"),
        ("Andrés Vida1 S0ler", "Andrés Vidal Soler"),
        ("Bernal", "Bemal"),
        ("桑\n谷", "桑谷"),
    ],
)
def test_forms_of_one_name_are_equal(one: str, other: str) -> None:
    assert normal(one, "Person") == normal(other, "Person")


@pytest.mark.parametrize(
    ("one", "other"), [("Luis", "Luisa"), ("Ramón", "Román"), ("滄侯", "岑侯"), ("118", "11B")]
)
def test_other_names_are_not(one: str, other: str) -> None:
    assert normal(one, "Person") != normal(other, "Person")


def test_a_title_before_a_single_name_is_kept_with_it() -> None:
    assert normal("D. Vidal", "Person") == normal("D Vidal", "Person") != normal("Vidal", "Person")
    assert normal("Coronel", "Person") == normal("coronel", "Person") != ""


def test_only_full_names_reach_beyond_a_record() -> None:
    for full in ("Ana Ruiz", "岑伯", "María de la O Pérez"):
        assert is_full(normal(full, "Person")), full
    for short in ("Ruiz", "A. Ruiz", "涂", "de la"):
        assert not is_full(normal(short, "Person")), short


@pytest.mark.parametrize(
    ("short", "long", "type", "fits"),
    [
        ("A. Vidal", "Andrés Vidal Soler", "Person", True),
        ("Vidal Soler", "Andrés Vidal Soler", "Person", True),
        ("Andrés Soler", "Andrés Vidal Soler", "Person", True),
        ("Soler Vidal", "Andrés Vidal Soler", "Person", False),
        ("T. Vidal", "Andrés Vidal Soler", "Person", False),
        ("A. V.", "Andrés Vidal Soler", "Person", False),
        ("Consejo de Guerra", "Consejo de Guerra Permanente", "OrganizationState", True),
        ("Guerra Permanente", "Consejo de Guerra Permanente", "OrganizationState", False),
        ("Orna", "Villar del Orna", "Location", False),
        ("孫涂", "公孫涂", "Person", True),
        ("涂", "公孫涂", "Person", False),
    ],
)
def test_short_forms(short: str, long: str, type: str, fits: bool) -> None:
    assert is_short_for(normal(short, type), normal(long, type), type) is fits


def test_the_index_finds_what_comparing_with_all_finds() -> None:
    random.seed(7)
    syllables = ["vi", "dal", "so", "ler", "ra", "mon", "to", "rres", "gar", "cia"]
    forms = {
        " ".join("".join(random.choices(syllables, k=3)) for _ in range(2)) for _ in range(300)
    }
    index = NameIndex()
    for form in sorted(forms):
        index.add(form)
    for query in itertools.islice(sorted(forms), 40):
        damaged = query[:3] + "x" + query[4:]
        found = {form for form, _ in index.similar(damaged, 0.86)}
        exact = {form for form in forms if Levenshtein.normalized_similarity(damaged, form) >= 0.86}
        assert query in found
        assert found == exact


def test_a_fork_sees_the_index_and_leaves_it_alone() -> None:
    names = Names()
    names.add(ANA, "Person", "Ana Ruiz", "r1")
    fork = names.fork()
    fork.add(ANA, "Person", "A. Ruiz", "r2")
    fork.add(EVA, "Person", "Eva Ruiz", "r2")
    assert [e.ref for e in fork.called("Person", normal("Ana Ruiz", "Person"))] == [ANA]
    assert [e.ref for e in fork.in_record("r2", "Person")] == [ANA, EVA]
    assert names.in_record("r2", "Person") == []
    known = names.entity(ANA)
    assert known is not None
    assert len(known.forms) == 1
    assert [e.ref for e, _, _ in fork.similar("Person", normal("Eva Ruis", "Person"), 0.8)] == [EVA]


def test_the_store_gives_the_names_that_were_learned() -> None:
    base, table = Base(), mapping.load()
    unit = passage("Ana Ruiz, natural de Alcoy")
    place = Ref("place", "c" * 24)
    claims = [
        _claim("1", "namedAs", ANA, unit.key, unit.raw.key, "Ana Ruiz", "Person"),
        _claim("2", "namedAs", place, unit.key, unit.raw.key, "Alcoy", "Location"),
        Claim("3" * 24, Kind.ATTRIBUTE, "birthplace", ANA, _at(unit.key, unit.raw.key), place,
              label=Label.SUPPORTED),
    ]  # fmt: skip
    learned = Names()
    learned.learn(claims, {unit.key: unit.record}.__getitem__)
    triples = [*unit_triples(unit, base)]
    for claim in claims:
        triples += claim_triples(claim, base, table)
    store = OxigraphStore()
    store.patch([], [Quad(t.subject, t.predicate, t.object, base.public) for t in triples])
    read = Names.from_store(store, base)
    assert read.entity(ANA) == learned.entity(ANA)
    assert read.details_of(ANA) == learned.details_of(ANA) != frozenset()
    gone = Quad(base.iri("person", ANA.key), KMS("mergedInto"), base.iri("person", EVA.key),
                base.public)  # fmt: skip
    store.patch([], [gone])
    merged = Names.from_store(store, base)
    assert merged.entity(ANA) is None
    assert [e.ref for e in merged.called("Person", normal("Ana Ruiz", "Person"))] == [EVA]
    store.close()


def _at(unit: str, text: str) -> tuple[Pointer, ...]:
    return (Pointer(unit, text, 0, 3, "Ana"),)


def _claim(key: str, statement: str, ref: Ref, unit: str, text: str, name: str, type: str) -> Claim:
    return Claim(
        key * 24, Kind.MENTION, statement, ref, _at(unit, text), value=Value(name), name=type,
        label=Label.SUPPORTED,
    )  # fmt: skip
