"""What is encoded and stored is read back as the same value (property-based)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import Quad, Triple

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.errors import NotFound
from rdfkms.ingest import wordsfile
from rdfkms.knowledge import decoding, encoding
from rdfkms.knowledge.mapping import load
from rdfkms.model import (
    Access,
    Box,
    Claim,
    EvidenceUnit,
    Flag,
    Kind,
    Label,
    Locator,
    Modality,
    Page,
    Pointer,
    Rank,
    Reason,
    Record,
    Ref,
    Run,
    SourceFile,
    Status,
    TextVersion,
    UnitText,
    Value,
    View,
    Word,
)
from rdfkms.vocab import Base, key_of

BASE = Base()
MAPPING = load()

keys = st.text("0123456789abcdef", min_size=24, max_size=24)
words = st.text(st.characters(codec="utf-8"), max_size=30)
filled = words.filter(bool)
tags = st.sampled_from(["", "es", "fr", "en", "lzh"])
whole = st.integers(0, 10_000)
shares = st.integers(0, 10_000).map(lambda n: n / 10_000)

strings = st.builds(Value, words, st.just("string"), tags, st.just(""))
integers = st.builds(lambda n, v: Value(str(n), "integer", "", v), st.integers(-9, 999), words)
edtf = st.builds(
    lambda text, verbatim, tag: Value(text, "edtf", tag if verbatim else "", verbatim),
    st.sampled_from(["1940", "1948-03~", "1948/..", "1940-03-14"]), words, tags,
)  # fmt: skip
values = st.one_of(strings, integers, edtf)
pointers = st.builds(Pointer, keys, keys, whole, whole, filled)


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    rule = draw(st.sampled_from(list(MAPPING.statements.values())))
    kind = rule.claim_kind
    grouped = kind in (Kind.EVENT, Kind.ARGUMENT)
    names = {Kind.MENTION: list(MAPPING.entities), Kind.EVENT: list(MAPPING.events)}
    has_object = bool(rule.range)
    return Claim(
        key=draw(keys),
        kind=kind,
        statement=rule.name,
        subject=Ref("event" if grouped else "person", draw(keys)),
        pointers=tuple(draw(st.lists(pointers, min_size=1, max_size=12))),
        object=Ref("place", draw(keys)) if has_object else None,
        value=None if has_object else draw(values),
        name=draw(st.sampled_from(names[kind])) if kind in names else "",
        group=draw(keys) if grouped else None,
        confidence=draw(shares),
        label=draw(st.none() | st.sampled_from(list(Label))),
        status=draw(st.sampled_from(list(Status))),
        rank=draw(st.sampled_from(list(Rank))),
        reasons=tuple(draw(st.lists(st.builds(Reason, st.sampled_from("ab"), words), max_size=11))),
        runs=tuple(sorted(draw(st.sets(keys, max_size=3)))),
        time=draw(st.none() | edtf),
        place=draw(st.none() | st.builds(Ref, st.just("place"), keys)),
        conflicts=tuple(sorted(draw(st.sets(keys, max_size=2)))),
    )


def filled_store(triples: Iterable[Triple]) -> OxigraphStore:
    store = OxigraphStore()
    graph = BASE.public
    store.patch((), [Quad(t.subject, t.predicate, t.object, graph) for t in triples])
    return store


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(claims())
def test_a_claim_comes_back_as_it_went_in(claim: Claim) -> None:
    store = filled_store(encoding.claim_triples(claim, BASE))
    assert decoding.claim(store, BASE, claim.key) == claim
    assert claim in decoding.claims_of_thing(store, BASE, claim.subject)
    assert claim in decoding.claims_of_unit(store, BASE, claim.pointers[0].unit)
    for run in claim.runs:
        assert decoding.claims_of_run(store, BASE, run) == [claim]
    assert list(decoding.all_claims(store, BASE, status=claim.status)) == [claim]


@st.composite
def units(draw: st.DrawFn) -> EvidenceUnit:
    key, language = draw(keys), draw(st.sampled_from(["es", "lzh", "zh-Hant"]))
    texts = [
        UnitText(
            text, key, draw(keys), draw(st.sampled_from(View)), draw(words), draw(whole),
            draw(whole), language,
        )
        for text in draw(st.lists(keys, min_size=1, max_size=4, unique=True))
    ]  # fmt: skip
    return EvidenceUnit(
        key=key, record=draw(keys), source=draw(keys), page=draw(keys), ordinal=draw(whole),
        modality=draw(st.sampled_from(list(Modality))), language=language,
        page_label=draw(words), passage_number=draw(whole), texts=tuple(texts),
        locators=tuple(draw(st.lists(st.builds(Locator, keys, words), max_size=12))),
        flags=tuple(sorted(draw(st.sets(st.sampled_from(list(Flag)))))),
        section=draw(words), juan=draw(words),
    )  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(units())
def test_a_unit_comes_back_with_its_texts_in_order(unit: EvidenceUnit) -> None:
    store = filled_store(encoding.unit_triples(unit, BASE))
    assert decoding.unit(store, BASE, unit.key) == unit


RECORD = Record(
    key=key_of("record", "causa-118"), title="Causa 118", profile="court-martial", language="es",
    access=Access("embargo", date(2030, 1, 1)), modality=Modality.DOCUMENT,
    files=(
        SourceFile("b" * 64, "causa-118-p1.png", "image/png", 81234),
        SourceFile("a" * 64, "causa-118-p2.png", "image/png", 7),
    ),
    pages=(
        Page("1" * 24, "b" * 64, 1, "1", 1240, 1754, "c" * 64, "Sentencia"),
        Page("0" * 24, "a" * 64, 1, "2", None, None, None, ""),
    ),
    part_of="court-martial",
)  # fmt: skip
VERSION = TextVersion(
    "9" * 24, "1" * 24, "RESULTANDO que", (Word(0, 10, Box(1, 2, 3, 4), 0.91, 0, 0),), "ocr",
    "tesseract", "5.3.0",
)  # fmt: skip


def test_a_record_keeps_the_order_of_its_files_and_pages() -> None:
    triples = encoding.record_triples(RECORD, BASE)
    for page in RECORD.pages:
        triples += encoding.page_triples(page, BASE)
    store = filled_store(triples)
    assert decoding.record(store, BASE, RECORD.key) == RECORD
    assert decoding.access_of_record(store, BASE, RECORD.key) == RECORD.access


def test_a_version_comes_back_with_its_words() -> None:
    triples = encoding.version_triples(VERSION, RECORD.pages[0], BASE, "d" * 64, "5" * 24)
    store = filled_store(triples)
    read = {"d" * 64: wordsfile.dump(VERSION)}.__getitem__
    assert decoding.versions_of_page(store, BASE, "1" * 24, read) == [VERSION]


def test_a_run_comes_back_with_its_software() -> None:
    run = Run("7" * 24, "extract", "rules", "0.1.0", '{"a": 1}', "0.1.0", "2026-11-30T05:00:00Z")
    assert decoding.run(filled_store(encoding.run_triples(run, BASE)), BASE, run.key) == run


def test_what_is_not_there_is_not_found() -> None:
    store = OxigraphStore()
    for read in (decoding.claim, decoding.unit, decoding.record, decoding.page, decoding.run):
        with pytest.raises(NotFound):
            read(store, BASE, "0" * 24)


def test_claims_of_another_graph_are_seen_only_where_asked() -> None:
    claim = Claim("1" * 24, Kind.RELATION, "Kinship/child", Ref("person", "a" * 24), (),
                  object=Ref("person", "b" * 24))  # fmt: skip
    store = OxigraphStore()
    triples = encoding.claim_triples(claim, BASE)
    store.patch((), [Quad(t.subject, t.predicate, t.object, BASE.internal) for t in triples])
    assert decoding.claims(store, BASE, [claim.key], [BASE.public]) == []
    assert decoding.claims(store, BASE, [claim.key], [BASE.internal]) == [claim]
    assert decoding.claims_of_thing(store, BASE, Ref("person", "b" * 24)) == [claim]
