"""Who is who beyond equal names: variants, lifetimes, company, and what persons decided."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from pyoxigraph import Quad

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.errors import Missing
from rdfkms.knowledge import lifetimes, mapping, othernames, thresholds, variants
from rdfkms.knowledge.apart import DIFFERENT, Apart
from rdfkms.knowledge.contexts import Contexts, around
from rdfkms.knowledge.details import ACTED, Detail, Fact
from rdfkms.knowledge.encoding import claim_triples, unit_triples
from rdfkms.knowledge.nameforms import normal
from rdfkms.knowledge.names import Names
from rdfkms.knowledge.reconciliation import Reconciliation, reconcile
from rdfkms.knowledge.spots import batches
from rdfkms.knowledge.statements import entity_ref
from rdfkms.knowledge.weighing import ContextLikeness
from rdfkms.model import (
    Candidate,
    Claim,
    EvidenceUnit,
    Kind,
    Label,
    Pointer,
    Reason,
    Ref,
    Value,
)
from rdfkms.settings import GateSettings
from rdfkms.vocab import KMS, Base
from tests.tools.passages import about, anchor, mention, passage

TABLE = mapping.load()
BASE = Base()
SOLER = "Andrés Vidal Soler"
A, B, C = (Ref("person", letter * 24) for letter in "abc")


def read(names: Names, unit: EvidenceUnit, *said: Candidate) -> Reconciliation:
    """Reconcile one passage and teach the names what was named."""
    found = reconcile(said, {unit.key: unit}, names, TABLE)
    for new in found.new_names:
        names.add(*new)
    return found


def place(names: Names, surface: str, record: str, language: str = "fr") -> Ref:
    unit = passage(surface, language, record=record)
    found = read(names, unit, mention(unit, surface, "Location"))
    return found.ref_of(unit.key, anchor(unit, surface, "Location"))


# ---- variant spellings -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("La Chaux-de-Fonds", "Chaux-de-Fonds", "fr"),
        ("Frankreich", "Frankreichs", "de"),
        ("Frankreichs", "Frankreich", "de"),
        ("Deutschland", "Deutsehland", "de"),
        ("Frank reich", "Frankreich", "de"),
        ("Ximena del Río", "Jimena del Rio", "es"),
        ("Lœtschberg", "Loetschberg", "fr"),
        ("Thalheim", "Talheim", "de"),
        ("Duesseldorf", "Düsseldorf", "de"),
    ],
)
def test_spellings_of_one_place_are_linked_and_the_link_says_so(
    one: str, other: str, language: str
) -> None:
    names = Names()
    first = place(names, one, "r1", language)
    unit = passage(other, language, record="r2")
    found = read(names, unit, mention(unit, other, "Location"))
    assert set(found.refs.values()) == {first}
    assert [r.code for rs in found.reasons.values() for r in rs] == ["variantName"]


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("Bienne", "Vienne", "fr"),
        ("Serrières", "Verrières", "fr"),
        ("Frankreich", "Frankreichs", "fr"),
        ("Bex", "Bel", "fr"),
        ("Trient", "Triest", "de"),
        ("Section 118", "Section 119", "fr"),
    ],
)
def test_other_places_are_not(one: str, other: str, language: str) -> None:
    names = Names()
    assert place(names, one, "r1", language) != place(names, other, "r2", language)


def test_a_spelling_of_two_places_is_left_to_a_person() -> None:
    names = Names()
    names.add(Ref("place", "a" * 24), "Location", "Thalheim", "r1")
    names.add(Ref("place", "b" * 24), "Location", "Talheim", "r2")
    unit = passage("Dalheim Tahlheim Talhheim", record="r3")
    found = read(names, unit, mention(unit, "Talhheim", "Location"))
    mine = next(iter(found.refs.values()))
    assert mine.key not in {"a" * 24, "b" * 24}


def test_what_was_linked_by_likeness_lends_no_likeness() -> None:
    # B is like A and C is like B, but C is not like A: C must not become A through B.
    names = Names()
    names.add(A, "Person", "Andrés Vidal Soler", "r1")
    names.add(A, "Person", "Andres Vidat Soter", "r2", likened=True)
    near = names.similar("Person", normal("Andres Uidat Soter", "Person"), 0.9)
    assert near == []
    names.add(A, "Person", "Andres Vidat Soter", "r2")  # repeated as an equal name
    assert names.similar("Person", normal("Andres Uidat Soter", "Person"), 0.9) == []
    names.add(B, "Person", "Andres Vidat Soter", "r3")
    near = names.similar("Person", normal("Andres Uidat Soter", "Person"), 0.9)
    assert [entity.ref for entity, _, _ in near] == [B]


def test_no_chain_of_likenesses_makes_the_ends_one() -> None:
    names = Names()
    details = {"birthplace": ("Alcoy", "Location"), "occupation": ("sastre", "")}
    refs = []
    for record, name in (("r1", "Andrés Vidal Soler"), ("r2", "Andrés Vidat Soter"),
                         ("r3", "Andués Uidat Soter")):  # fmt: skip
        unit = passage(f"{name}, sastre, natural de Alcoy", record=record)
        who = anchor(unit, name, "Person")
        said = [mention(unit, name), mention(unit, "Alcoy", "Location")]
        where = anchor(unit, details["birthplace"][0], "Location")
        said.append(about(unit, Kind.ATTRIBUTE, "birthplace", subject=who, object=where))
        trade = Value("sastre", "string", "", "sastre")
        said.append(about(unit, Kind.ATTRIBUTE, "occupation", subject=who, value=trade))
        found = read(names, unit, *said)
        for candidate in said[2:]:
            end = candidate.object
            names.add_fact(
                Fact(
                    candidate.name,
                    found.ref_of(unit.key, who),
                    found.ref_of(unit.key, end) if end else None,
                    candidate.value,
                ),
                unit.record,
            )
        refs.append(found.ref_of(unit.key, who))
    assert refs[0] == refs[1] != refs[2]


def test_a_key_is_the_same_for_what_it_folds() -> None:
    assert variants.key(normal("Nuñez Ximénez"), "Person") == variants.key(
        normal("Nunez Jimenez"), "Person"
    )
    assert variants.key("岑伯", "Location") == "岑伯"


# ---- lifetimes -------------------------------------------------------------------------------

LIMITS = thresholds.load().time


def acted(year: int) -> Detail:
    return Detail(ACTED, str(year), str(year), year=year)


@pytest.mark.parametrize(
    ("ours", "theirs", "possible"),
    [
        (acted(1790), acted(1939), False),
        (acted(1936), acted(1939), True),
        (Detail("birthDate", "1930", "1930"), acted(1932), False),
        (Detail("birthDate", "1900-05", "1900"), acted(1932), True),
        (Detail("deathDate", "1901", "1901"), acted(1939), False),
        (Detail("birthDate", "1900", "1900"), Detail("deathDate", "1850", "1850"), False),
        (Detail("age", "30", "30", 30, 1850), Detail("deathDate", "1848-03", "1848"), False),
        (Detail("occupation", "sastre", "sastre"), acted(1939), True),
    ],
)
def test_one_life_holds_only_so_much(ours: Detail, theirs: Detail, possible: bool) -> None:
    assert (lifetimes.clash([ours], [theirs], LIMITS) is None) is possible
    assert (lifetimes.clash([theirs], [ours], LIMITS) is None) is possible


def trial(year: int, record: str) -> tuple[EvidenceUnit, list[Candidate]]:
    """A record that names a tailor as the accused of a trial in a year."""
    unit = passage(f"{SOLER}, sastre, juzgado en {year}", record=record)
    who = anchor(unit, SOLER, "Person")
    trade = Value("sastre", "string", "", "sastre")
    date = Value(str(year), "edtf", "", str(year))
    return unit, [
        mention(unit, SOLER),
        about(unit, Kind.ATTRIBUTE, "occupation", subject=who, value=trade),
        about(unit, Kind.ARGUMENT, "accused", object=who, group="e1"),
        about(unit, Kind.ARGUMENT, "time", value=date, group="e1"),
    ]


@pytest.mark.parametrize(("year", "same"), [(1941, True), (1790, False)])
def test_nobody_acts_in_two_centuries(year: int, same: bool) -> None:
    names = Names()
    names.add(A, "Person", SOLER, "r1")
    names.add_fact(Fact("occupation", A, None, Value("sastre")), "r1")
    names.add_fact(Fact(ACTED, A, None, Value("1939-03", "edtf")), "r1")
    unit, said = trial(year, "r2")
    found = read(names, unit, *said)
    ref = found.ref_of(unit.key, anchor(unit, SOLER, "Person"))
    assert (ref == A) is same
    if same:
        codes = [r.code for rs in found.reasons.values() for r in rs]
        assert codes == ["sameName", "agreeingDetail", "plausibleTime"]
    else:
        [proposal] = found.proposals
        assert "implausibleTime" in {r.code for r in proposal.reasons}
        assert proposal.score == thresholds.load().scores.disagreeing


# ---- company and context ---------------------------------------------------------------------


def test_two_others_in_common_speak_for_one_being() -> None:
    names = Names()
    for ref, name in ((A, SOLER), (B, "Cosme Tobar León"), (C, "Inés Mora Gil")):
        names.add(ref, "Person", name, "r1")
    unit = passage(f"{SOLER}, Cosme Tobar León", record="r2")
    thin = read(names.fork(), unit, mention(unit, SOLER), mention(unit, "Cosme Tobar León"))
    assert thin.ref_of(unit.key, anchor(unit, SOLER, "Person")) != A
    assert all("sharedCompany" in {r.code for r in p.reasons} for p in thin.proposals)
    unit = passage(f"{SOLER}, Cosme Tobar León, Inés Mora Gil", record="r3")
    said = [mention(unit, name) for name in (SOLER, "Cosme Tobar León", "Inés Mora Gil")]
    found = read(names, unit, *said)
    assert found.ref_of(unit.key, anchor(unit, SOLER, "Person")) == A


def test_context_ranks_proposals_and_links_nothing() -> None:
    names = Names()
    names.add(A, "Person", SOLER, "r1")
    unit = passage(f"{SOLER} calló", record="r2")
    said = [mention(unit, SOLER)]
    scores = []
    contexts: list[ContextLikeness | None] = [None, lambda spot, ref: 0.9]
    for one in contexts:
        found = reconcile(said, {unit.key: unit}, names, TABLE, contexts=one)
        [proposal] = found.proposals
        scores.append(proposal.score)
        assert A not in found.refs.values()
    assert scores[1] == pytest.approx(scores[0] + 0.09)


class Counting:
    """An embedder whose vectors count three words."""

    name, version, dimensions = "counting", "1", 3

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [[text.count(word) for word in ("sastre", "juez", "río")] for text in texts]
        found = np.array(rows, dtype=np.float32) + 1e-6
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float32)


def test_contexts_are_compared_without_the_names_themselves() -> None:
    unit = passage(f"El sastre {SOLER} calló", record="r2")
    names = Names()
    names.add(A, "Person", SOLER, "r1")
    names.add(B, "Person", SOLER, "r3")
    texts = {A: "el otro sastre río", B: "el juez"}

    def passage_of(ref: Ref) -> tuple[str, int, int] | None:
        return (texts[ref], 0, 2) if ref in texts else None

    contexts = Contexts(Counting(), {unit.key: unit}, passage_of)
    found = reconcile([mention(unit, SOLER)], {unit.key: unit}, names, TABLE, contexts=contexts)
    scores = {other: p.score for p in found.proposals for other in (p.a, p.b) if other in texts}
    assert scores[A] > scores[B] + 0.05
    assert around("uno dos tres", 4, 7) == "uno tres"
    [spot] = [s for b in batches([mention(unit, SOLER)], {unit.key: unit}, bool) for s in b.spots]
    assert contexts(spot, C) is None


# ---- other names -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "office", "surname"),
    [("丞相", "", ""), ("蕭丞相", "丞相", "蕭"), ("alcalde Vidal", "alcalde", "Vidal"),
     ("Andrés Vidal", "", ""), ("alcalde", "", ""), ("上官大司馬", "大司馬", "上官")],
)  # fmt: skip
def test_an_office_and_a_surname_are_told_apart(form: str, office: str, surname: str) -> None:
    found = othernames.titled(normal(form, "Person"))
    told = (found.office, found.surname) if found else ("", "")
    assert told == (normal(office), normal(surname))


@pytest.mark.parametrize(
    ("text", "full", "office", "short", "language"),
    [
        ("Andrés Vidal Soler es alcalde. El alcalde Vidal calló.", "Andrés Vidal Soler",
         "alcalde", "alcalde Vidal", "es"),
        ("蕭何爲丞相。蕭丞相曰。", "蕭何", "丞相", "蕭丞相", "lzh"),
    ],
)  # fmt: skip
def test_an_office_with_a_surname_is_its_holder(
    text: str, full: str, office: str, short: str, language: str
) -> None:
    unit = passage(text, language)
    who, title = anchor(unit, full, "Person"), anchor(unit, office, "Title")
    named = [mention(unit, full), mention(unit, office, "Title"), mention(unit, short)]
    holds = about(unit, Kind.RELATION, "OfficeHolding", subject=who, object=title)
    thin = reconcile(named, {unit.key: unit}, Names(), TABLE)
    mine = anchor(unit, short, "Person")
    if language == "lzh":  # a Spanish surname is a short form without its office as well
        assert thin.ref_of(unit.key, mine) != thin.ref_of(unit.key, who)
        assert {r.code for p in thin.proposals for r in p.reasons} == {"otherName", "thinEvidence"}
    found = reconcile([*named, holds], {unit.key: unit}, Names(), TABLE)
    assert found.ref_of(unit.key, mine) == found.ref_of(unit.key, who)


def test_an_alias_of_another_record_needs_a_detail() -> None:
    names = Names()
    names.add(A, "Person", SOLER, "r1")
    names.add_fact(Fact("Alias", A, None, Value("Chispa Valiente")), "r1")
    names.add_fact(Fact("occupation", A, None, Value("sastre")), "r1")
    unit = passage("Chispa Valiente, sastre", record="r2")
    who = anchor(unit, "Chispa Valiente", "Person")
    trade = Value("sastre", "string", "", "sastre")
    said = [mention(unit, "Chispa Valiente")]
    thin = reconcile(said, {unit.key: unit}, names, TABLE)
    assert thin.ref_of(unit.key, who) != A
    assert {r.code for p in thin.proposals for r in p.reasons} == {"otherName", "thinEvidence"}
    said.append(about(unit, Kind.ATTRIBUTE, "occupation", subject=who, value=trade))
    found = reconcile(said, {unit.key: unit}, names, TABLE)
    assert found.ref_of(unit.key, who) == A
    assert [r.code for rs in found.reasons.values() for r in rs] == ["otherName", "agreeingDetail"]


def test_a_name_in_another_script_is_proposed_where_the_setting_asks() -> None:
    pytest.importorskip("pypinyin", reason="pypinyin is not installed")
    names = Names()
    names.add(A, "Person", "司馬遷", "r1")
    unit = passage("Sima Qian wrote", "en", record="r2")
    said = [mention(unit, "Sima Qian")]
    for asked in (False, True):
        settings = GateSettings(pinyin=asked)
        found = reconcile(said, {unit.key: unit}, names, TABLE, settings)
        assert A not in found.refs.values()
        assert len(found.proposals) == asked


def test_pinyin_without_its_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypinyin", None)
    othernames.sound.cache_clear()
    assert othernames.sound("sima qian") == "simaqian"
    with pytest.raises(Missing, match="pypinyin"):
        othernames.sound("司馬遷")


# ---- what persons decided --------------------------------------------------------------------


def test_declared_pairs_hold_both_ways_and_through_merges() -> None:
    apart = Apart([(A, B)], {C: B})
    assert apart.between(A, B)
    assert apart.between(B, A)
    assert apart.between(C, A)
    assert not apart.between(B, C)
    # Declared first, merged later: the pair is then one and keeps nothing apart.
    assert not Apart([(A, B)], {A: B}).between(A, B)


@pytest.fixture
def store() -> Iterator[OxigraphStore]:
    made = OxigraphStore()
    yield made
    made.close()


def told(store: OxigraphStore, ref: Ref, name: str, record: str, *more: Quad) -> EvidenceUnit:
    """Write that a record names a person."""
    unit = passage(name, record=record)
    claim = Claim(
        entity_ref("claim", unit.key, 0, len(name)).key, Kind.MENTION, "namedAs", ref,
        (Pointer(unit.key, unit.raw.key, 0, len(name), name),), value=Value(name), name="Person",
        label=Label.SUPPORTED,
    )  # fmt: skip
    triples = [*unit_triples(unit, BASE), *claim_triples(claim, BASE, TABLE)]
    quads = [Quad(t.subject, t.predicate, t.object, BASE.public) for t in triples]
    store.patch([], [*quads, *more])
    return unit


def iri(ref: Ref) -> object:
    return BASE.iri(ref.kind, ref.key)


def test_a_pair_declared_different_is_neither_linked_nor_proposed(store: OxigraphStore) -> None:
    first = told(store, A, SOLER, "r1")
    unit = passage(f"{SOLER}, sastre", record="r2")
    who = anchor(unit, SOLER, "Person")
    own = entity_ref("person", unit.key, who.start, who.end)
    trade = Value("sastre", "string", "", "sastre")
    said = [mention(unit, SOLER), about(unit, Kind.ATTRIBUTE, "occupation", subject=who,
                                        value=trade)]  # fmt: skip

    def identity() -> Reconciliation:
        names = Names.from_store(store, BASE)
        names.add_fact(Fact("occupation", A, None, trade), first.record)
        return reconcile(said, {unit.key: unit}, names, TABLE)

    assert identity().ref_of(unit.key, who) == A
    # Either direction, in the graph that is not public.
    store.patch([], [Quad(BASE.iri(own.kind, own.key), DIFFERENT, BASE.iri("person", A.key),
                          BASE.internal)])  # fmt: skip
    found = identity()
    assert found.ref_of(unit.key, who) == own
    assert found.proposals == ()
    assert identity().proposals == ()
    # Through a merge: the entity declared different became another one.
    told(store, B, "Otro Nombre Mío", "r3")
    merged = Quad(BASE.iri("person", A.key), KMS("mergedInto"), BASE.iri("person", B.key),
                  BASE.public)  # fmt: skip
    store.patch([], [merged])
    names = Names.from_store(store, BASE)
    assert names.apart(own, B)
    names.add_fact(Fact("occupation", B, None, trade), first.record)
    found = reconcile(said, {unit.key: unit}, names, TABLE)
    assert found.ref_of(unit.key, who) == own
    assert found.proposals == ()


def test_an_accepted_merge_teaches_the_alias(store: OxigraphStore) -> None:
    told(store, A, SOLER, "r1")
    told(store, B, "Chispa Valiente", "r2")
    unit = passage("Chispa Valiente, Cosme Tobar León, Inés Mora Gil", record="r3")
    others = ("Cosme Tobar León", "Inés Mora Gil")
    told(store, C, others[0], "r1")
    told(store, Ref("person", "d" * 24), others[1], "r1")
    said = [mention(unit, name) for name in ("Chispa Valiente", *others)]

    def who() -> Ref:
        names = Names.from_store(store, BASE)
        found = reconcile(said, {unit.key: unit}, names, TABLE)
        return found.ref_of(unit.key, anchor(unit, "Chispa Valiente", "Person"))

    assert who() not in (A, B)
    merged = Quad(BASE.iri("person", B.key), KMS("mergedInto"), BASE.iri("person", A.key),
                  BASE.internal)  # fmt: skip
    store.patch([], [merged])
    names = Names.from_store(store, BASE)
    entity = names.entity(A)
    assert entity is not None
    assert set(entity.forms.values()) == {SOLER, "Chispa Valiente"}
    assert names.entity(B) is None
    # The records of both are one's now: its company speaks for the name it got by the merge.
    assert who() == A


def test_names_learned_after_a_merge_are_those_of_the_one_it_became(
    store: OxigraphStore,
) -> None:
    told(store, A, SOLER, "r1")
    unit = told(store, B, "Chispa Valiente", "r2")
    merged = Quad(BASE.iri("person", B.key), KMS("mergedInto"), BASE.iri("person", A.key),
                  BASE.public)  # fmt: skip
    store.patch([], [merged])
    names = Names.from_store(store, BASE)
    claim = Claim("f" * 24, Kind.MENTION, "namedAs", B,
                  (Pointer(unit.key, unit.raw.key, 0, 6, "Chispa"),), value=Value("Chispa"),
                  name="Person", label=Label.SUPPORTED)  # fmt: skip
    names.learn([claim], {unit.key: unit.record}.__getitem__)
    assert names.entity(B) is None
    assert [e.ref for e in names.called("Person", normal("Chispa", "Person"))] == [A]
    likened = replace(claim, value=Value("Chisqa"), reasons=(Reason("similarName", "Alike."),))
    names.learn([likened], {unit.key: unit.record}.__getitem__)
    entity = names.entity(A)
    assert entity is not None
    assert entity.likened == {normal("Chisqa", "Person")}


def test_dates_of_events_reach_their_actors_in_any_order() -> None:
    unit = passage("juzgado en 1939")
    event = Ref("event", "e" * 24)
    pointer = (Pointer(unit.key, unit.raw.key, 0, 7, "juzgado"),)
    part = Claim("1" * 24, Kind.ARGUMENT, "accused", event, pointer, object=A)
    when = Claim("2" * 24, Kind.ARGUMENT, "time", event, pointer, value=Value("1939", "edtf"))
    found = []
    for order in ([[part, when]], [[part], [when]], [[when], [part]]):
        names = Names()
        names.add(A, "Person", SOLER, unit.record)
        for batch in order:
            names.learn(batch, {unit.key: unit.record}.__getitem__)
        found.append(names.details_of(A))
    assert found[0] == found[1] == found[2] == {acted(1939)}
