"""The pattern language and the patterns of the shipped profiles, on sentences of our own."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from rdfkms.errors import Misconfigured
from rdfkms.ingest import profiles
from rdfkms.knowledge import mapping
from rdfkms.knowledge.extraction import propose, propose_page
from rdfkms.knowledge.proposers import bounded, rules, shadow
from rdfkms.knowledge.proposers.patterns import PatternProposer
from rdfkms.model import Candidate, EvidenceUnit, Kind, Modality, UnitText, View

Said = set[tuple[str, str, str | None]]


def unit(text: str, language: str, number: int = 1) -> EvidenceUnit:
    raw = UnitText(f"t{number}", f"u{number}", "v1", View.RAW, text, 0, len(text), language)
    return EvidenceUnit(
        f"u{number}", "r1", "s1", "p1", number, Modality.DOCUMENT, language, "1", 1, (raw,), ()
    )


@cache
def proposer(profile: str) -> PatternProposer:
    return PatternProposer(rules.compile_rules(profile, profiles.load(profile).tables))


def candidates(profile: str, language: str, text: str) -> tuple[Candidate, ...]:
    return propose(unit(text, language), [proposer(profile)])


def said(profile: str, language: str, text: str) -> Said:
    """(name, subject or trigger, object or value) of all statements, line breaks as spaces."""
    found: Said = set()
    for c in candidates(profile, language, text):
        if c.kind is Kind.MENTION:
            continue
        subject = " ".join(c.subject.surface.split()) if c.subject else ""
        thing = " ".join(c.object.surface.split()) if c.object else None
        found.add((c.name, subject, thing or (c.value.lexical if c.value else None)))
    return found


# ---- every candidate of every profile keeps the law of the exact quote ------------------------

SAMPLES = {
    ("court-martial", "es"): (
        "Causa número 71\nAcusado: Lorenzo Abad Prim\nFiscal: D. Saturio\nVela Cano\n"
        "En la plaza de Torrealba, a seis de abril de mil novecientos cua-\nrenta, reunido el "
        "Consejo de Guerra Permanente número dos para ver y\nfallar la causa por el delito de "
        "rebelión militar; RESULTANDO: Que el\nprocesado Lorenzo Abad Prim, alias El Chispa, de "
        "veinticinco años, soltero,\nherrero, natural de Torrealba y vecino de la misma, hijo de "
        "Pedro y de Luisa, ingresó en el Batallón Duero. FALLAMOS que debemos condenar y\n"
        "condenamos a Lorenzo Abad Prim a la pena de doce años y un día de reclusión menor."
    ),
    ("newspaper", "fr"): (
        "Lundi 3 mai 1852. M. Jules Perrin, notaire, natif de Clairval, a rencontré\nmardi "
        "dernier M. Louis Aubert à Clairval. Mme Anne Perrin est l'épouse de\nM. Louis Aubert."
    ),
    ("annals", "lzh"): "永昌三年秋九月。石侯伐\n丙。戰于青丘。丙師敗績。以公孫由爲司馬。",
    (
        "register",
        "en",
    ): "Anne Turner was a teacher born in Ashford. Her brother Mark Turner died in 1890.",
}


@pytest.mark.parametrize("profile,language", list(SAMPLES))
def test_quotes_and_anchors_are_stretches_of_the_raw_text(profile: str, language: str) -> None:
    text = SAMPLES[(profile, language)]
    found = candidates(profile, language, text)
    assert len(found) > 5
    known = mapping.load()
    for c in found:
        assert c.start is not None
        assert text[c.start : c.end] == c.quote
        assert known.knows(c.kind, c.name)
        for anchor in (c.subject, c.object, c.cue):
            if anchor is not None:
                assert text[anchor.start : anchor.end] == anchor.surface
                assert c.start <= anchor.start < anchor.end <= (c.end or 0)
    assert found == candidates(profile, language, text)
    assert len({c.key for c in found}) == len(found)


def test_court_martial_formulas() -> None:
    found = said("court-martial", "es", SAMPLES[("court-martial", "es")])
    who = "Lorenzo Abad Prim"
    assert found >= {
        ("accused", "", who),
        ("prosecutor", "", "Saturio Vela Cano"),
        ("location", "", "Torrealba"),
        ("time", "", "1940-04-06"),
        ("court", "", "Consejo de Guerra Permanente número dos"),
        ("charge", "", "rebelión militar"),
        ("age", who, "25"),
        ("maritalStatus", who, "soltero"),
        ("occupation", who, "herrero"),
        ("birthplace", who, "Torrealba"),
        ("residence", who, "Torrealba"),
        ("Kinship/child", "Pedro", who),
        ("Kinship/child", "Luisa", who),
        ("Alias", who, "El Chispa"),
        ("Membership", who, "Batallón Duero"),
        ("verdict", "", "condenar"),
        ("sentence", "", "doce años y un día de reclusión menor"),
    }
    assert not {f for f in found if f[0] == "age" and f[2] == "12"}


def test_newspaper_formulas_and_a_relative_date() -> None:
    page = propose_page([unit(SAMPLES[("newspaper", "fr")], "fr")], [proposer("newspaper")])
    values = {(c.name, c.value.lexical) for c in page["u1"] if c.value}
    assert ("time", "1852-04-27") in values
    found = said("newspaper", "fr", SAMPLES[("newspaper", "fr")])
    assert found >= {
        ("occupation", "Jules Perrin", "notaire"),
        ("birthplace", "Jules Perrin", "Clairval"),
        ("participant", "", "Louis Aubert"),
        ("location", "", "Clairval"),
        ("Kinship/spouse", "Anne Perrin", "Louis Aubert"),
    }


def test_a_relative_date_without_a_date_of_issue_keeps_its_words() -> None:
    text = "M. Jules Perrin a rencontré mardi dernier M. Louis Aubert à Clairval."
    (time_,) = [c for c in candidates("newspaper", "fr", text) if c.name == "time"]
    assert time_.value is not None
    assert (time_.value.datatype, time_.value.verbatim) == ("string", "mardi dernier")


def test_annals_formulas() -> None:
    found = said("annals", "lzh", SAMPLES[("annals", "lzh")])
    assert found >= {
        ("MilitaryConflict", "伐", None),
        ("participant", "", "石侯"),
        ("participant", "", "丙"),
        ("location", "", "青丘"),
        ("outcome", "", "敗績"),
        ("time", "", "永昌三年秋九月"),
        ("OfficeHolding", "公孫由", "司馬"),
    }
    text = "永昌四年春二月。石侯薨。子由立。日有食之。"
    assert said("annals", "lzh", text) >= {
        ("deathDate", "石侯", "永昌四年春二月"),
        ("Kinship/child", "石侯", "由"),
        ("Succession", "石侯", "由"),
        ("NaturalPhenomenon", "日有食之", None),
    }


def test_a_printed_hyphen_and_a_missing_accent_do_not_hide_a_fact() -> None:
    text = (
        "el procesado Blas Peña Gil, de treinta\ny un afios de edad, casado, labra-\ndor, natural"
    )
    assert said("court-martial", "es", text + " de Osuna.") >= {
        ("age", "Blas Peña Gil", "31"),
        ("occupation", "Blas Peña Gil", "labrador"),
        ("birthplace", "Blas Peña Gil", "Osuna"),
    }


def test_what_is_said_of_a_witness_is_not_said_of_the_accused() -> None:
    text = (
        "Que el procesado Blas Peña Gil huyó con el testigo Juan Mas Rius, natural de Osuna, "
        "y que fue visto."
    )
    found = said("court-martial", "es", text)
    assert ("birthplace", "Juan Mas Rius", "Osuna") in found
    assert ("birthplace", "Blas Peña Gil", "Osuna") not in found


def test_a_parent_is_not_the_subject_of_what_follows() -> None:
    text = (
        "el procesado Blas Peña Gil, hijo de Juan Peña Mas y de Eva Gil Ros, ingresó en el "
        "Batallón Ebro."
    )
    found = said("court-martial", "es", text)
    assert ("Membership", "Blas Peña Gil", "Batallón Ebro") in found
    assert not {f for f in found if f[0] == "Membership" and f[1] != "Blas Peña Gil"}


def test_two_units_of_a_record_speak_of_one_trial() -> None:
    head = unit("Causa número 71\nAcusado: Lorenzo Abad Prim", "es", 1)
    end = unit("FALLAMOS que debemos absolver a Lorenzo Abad Prim.", "es", 2)
    page = propose_page([head, end], [proposer("court-martial")])
    groups = {c.group for found in page.values() for c in found if c.group}
    assert len(groups) == 1


# ---- the language itself ---------------------------------------------------------------------

PARTS = {"name": "[A-Z][a-z]{1,9}"}


def test_a_page_without_a_word_for_the_trial_is_triggered_by_its_surest_hint_once() -> None:
    head = unit("Procesado: Lorenzo Abad Prim\nDefensor: D. Elías Bru Sanz", "es", 1)
    body = unit("El procesado Lorenzo Abad Prim cometió un delito de sedición.", "es", 2)
    found = propose_page([head, body], [proposer("court-martial")])
    events = [c for told in found.values() for c in told if c.kind is Kind.EVENT]
    assert [e.quote for e in events] == ["Procesado"]
    groups = {c.group for told in found.values() for c in told if c.kind is Kind.ARGUMENT}
    assert groups == {events[0].group}


def test_a_hint_keeps_silent_where_the_act_is_named() -> None:
    head = unit("Procesado: Lorenzo Abad Prim", "es", 1)
    body = unit("Reunido el Consejo de Guerra para ver y fallar la causa.", "es", 2)
    found = propose_page([head, body], [proposer("court-martial")])
    events = [c for told in found.values() for c in told if c.kind is Kind.EVENT]
    assert [e.quote for e in events] == ["ver y fallar"]


def persons(profile: str, language: str, text: str) -> set[str]:
    found = candidates(profile, language, text)
    return {c.quote for c in found if c.kind is Kind.MENTION and c.name == "Person"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Contra: Ginés Buitrago Peralta\nInforman los letrados.", {"Ginés Buitrago Peralta"}),
        ("Acusado: Celedonio Arnedo\nBaquedano\nActa: leída", {"Celedonio Arnedo\nBaquedano"}),
        ("El procesado Juan de la\nCruz Pérez es natural", {"Juan de la\nCruz Pérez"}),
        (
            "Y vistos los autos, resulta que el procesado Juan Antonio García\nLópez es natural",
            {"Juan Antonio García\nLópez"},
        ),
    ],
)
def test_a_full_name_ends_with_the_short_line_of_a_head(text: str, names: set[str]) -> None:
    assert persons("court-martial", "es", text) == names


def test_three_dots_are_no_leaders_of_a_form() -> None:
    cast = shadow.cast("Declaró el testigo Juan\nPérez Gil… natural de Castrovil. Dijo... nada")
    assert "Juan Pérez Gil… natural" in cast.text
    assert "Edad: 38; Estado: casado" in shadow.cast("Edad ...... 38\nEstado .... casado").text


def book(*tables: Mapping[str, Any], **more: Any) -> PatternProposer:
    table = {"patterns": {"parts": PARTS, "rules": list(tables), **more}}
    return PatternProposer(rules.compile_rules("test", table))


def _run(made: PatternProposer, text: str) -> list[Candidate]:
    return [c for c in propose(unit(text, "en"), [made]) if c.kind is not Kind.MENTION]


FOCUS = {"id": "f", "regex": "Mr {name:p}", "mentions": {"p": "Person"}, "focus": {"p": "person"}}
BORN = {
    "id": "b",
    "regex": "(?P<cue>born) at {name:l}",
    "mentions": {"l": "Location"},
    "attributes": [{"name": "birthplace", "subject": "@person", "object": "l"}],
}


def test_a_reference_takes_the_nearest_declared_thing_of_the_sentence() -> None:
    (found,) = _run(book(FOCUS, BORN), "Mr Abel met Mr Bede, born at York.")
    assert found.subject is not None
    assert (found.subject.surface, found.quote) == ("Bede", "Bede, born at York")
    assert _run(book(FOCUS, BORN), "Mr Abel stayed. He was born at York.") == []
    (wide,) = _run(book(FOCUS, BORN | {"reach": "unit"}), "Mr Abel stayed. He was born at York.")
    assert wide.quote == "Abel stayed. He was born at York"
    assert _run(book(FOCUS, BORN | {"within": 5}), "Mr Abel, who was born at York.") == []


def test_a_far_reference_looks_beyond_its_sentence_as_far_as_within() -> None:
    who = {
        "id": "who",
        "regex": "(?P<p>Ana Ruiz)",
        "mentions": {"p": "Person"},
        "focus": {"p": "a"},
    }
    born = {
        "id": "born", "regex": "(?P<cue>natural) de (?P<l>Alcoy)", "mentions": {"l": "Location"},
        "attributes": [{"name": "birthplace", "subject": "@a|@@a", "object": "l"}], "within": 60,
    }  # fmt: skip
    near, far = "Llegó tarde. Era natural de Alcoy.", "x" * 60
    said_ = [c.name for c in _run(book(who, born), f"Ana Ruiz vino. {near}")]
    assert "birthplace" in said_
    assert "birthplace" not in [c.name for c in _run(book(who, born), f"Ana Ruiz. {far}. {near}")]


def test_each_item_of_a_list_yields_once() -> None:
    listed = {
        "id": "m",
        "regex": r"(?P<cue>Members) of {name:o}: (?P<list>[^.]{3,80})\.",
        "each": {"within": "list", "regex": "{name:p}"},
        "mentions": {"p": "Person", "o": "OrganizationState"},
        "relations": [{"name": "Membership", "subject": "p", "object": "o"}],
    }
    found = _run(book(listed), "Members of Guild: Abel, Bede and Cole.")
    assert [c.subject.surface for c in found if c.subject] == ["Abel", "Bede", "Cole"]


def test_a_number_that_cannot_be_read_yields_nothing() -> None:
    aged = {
        "id": "a",
        "regex": "{name:p}, (?P<cue>aged) (?P<n>[a-z]{2,9})",
        "mentions": {"p": "Person"},
        "attributes": [{"name": "age", "subject": "p", "value": "n", "as": "number"}],
    }
    assert [c.value.lexical for c in _run(book(aged), "Abel, aged forty") if c.value] == ["40"]
    assert _run(book(aged), "Abel, aged oddly") == []


def test_of_two_overlapping_names_the_longer_stands() -> None:
    short = {"id": "s", "regex": "Saint {name:l}", "mentions": {"l": "Location"}}
    long = {"id": "l", "regex": "(?P<o>Guild of Saint {name})", "mentions": {"o": "Work"}}
    found = propose(unit("the Guild of Saint Luke", "en"), [book(short, long)])
    assert [(c.name, c.quote) for c in found] == [("Work", "Guild of Saint Luke")]


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ({"regex": "{nosuch:p}"}, "no part 'nosuch'"),
        ({"regex": "(a+)+b"}, "upper bound"),
        ({"regex": "(?:(?:(?:(?:ab{0,9}){0,9}c){0,9}d){0,9})"}, "nested"),
        ({"regex": "("}, "no regular expression"),
        ({"regex": "a", "mentions": {"q": "Person"}}, "no group named 'q'"),
        ({"regex": "(?P<p>a)", "arguments": [{"role": "time", "value": "p"}]}, "no event"),
        ({"regex": "(?P<p>a)", "surprise": 1}, "surprise"),
        (
            {"regex": "(?P<p>a)", "relations": [{"name": "X", "subject": "p", "object": "@y"}]},
            "needs a type",
        ),
    ],
)
def test_a_faulty_rule_is_refused_with_its_reason(table: dict[str, Any], fault: str) -> None:
    with pytest.raises(Misconfigured, match=fault):
        book({"id": "r", **table})


def test_a_weak_trigger_is_one_of_a_record() -> None:
    with pytest.raises(Misconfigured, match="weak"):
        book({"id": "x", "regex": "(?P<t>a)", "event": {"type": "CourtMartial", "trigger": "t",
              "weak": True}})  # fmt: skip


def test_parts_in_a_circle_are_refused() -> None:
    with pytest.raises(Misconfigured, match="circle"):
        book({"id": "r", "regex": "{a}"}, parts={"a": "{b}", "b": "{a}"})


def test_a_word_list_matches_all_its_words_longest_first() -> None:
    words = ["a", "ab", "abc", "b.c", "né"]
    pattern = bounded.compile(f"(?:{rules.word_list_regex(words)})")
    assert all((m := pattern.match(w + " ")) and m[0] == w for w in words)
    assert pattern.match("bxc") is None


def test_the_shadow_leads_back_to_the_raw_text() -> None:
    raw = "s'est pro-\nlongée  à\n\nBe\u0301zier"
    cast = shadow.cast(raw)
    assert cast.text == "s'est prolongée à Bézier"
    at = cast.text.index("prolongée")
    start, end = cast.raw_span(at, at + 9)
    assert raw[start:end] == "pro-\nlongée"
    assert shadow.cast("桑\n谷。 岑", spaces=False).text == "桑谷。岑"


HOSTILE = {
    "capitals": "Aa Bb " * 4_000,
    "one word": "a" * 20_000,
    "commas": ", de " * 5_000,
    "years": "de treinta y dos años, " * 1_000,
    "names and marks": "Acusado: Rosa Mas, hija de Luis Mas y de Eva Ros; " * 500,
    "spaces": " \n" * 10_000,
    "han": "侯伐" * 10_000,
    "marks": "(((((" * 4_000,
    "dates": "12 thermidor an VI " * 1_000,
}


@pytest.mark.parametrize("name", list(HOSTILE))
@pytest.mark.parametrize(("profile", "language"), list(SAMPLES))
def test_no_text_makes_the_patterns_run_away(profile: str, language: str, name: str) -> None:
    made = proposer(profile)
    start = time.process_time()
    propose(unit(HOSTILE[name], language), [made])
    assert time.process_time() - start < 10
