"""Verification: ends and cue inside the quote, no denial, hearsay or possibility near it."""

from __future__ import annotations

import pytest

from rdfkms.admission import cues
from rdfkms.admission.verification import verify
from rdfkms.knowledge import mapping
from rdfkms.model import Candidate, EvidenceUnit, Kind, Label, Value
from tests.tools.passages import about, anchor, candidate, mention, passage


def membership(
    text: str, person: str, cue: str, body: str, language: str = "es"
) -> tuple[Candidate, EvidenceUnit]:
    """A membership whose quote runs from the person to the body."""
    unit = passage(text, language)
    who = anchor(unit, person, "Person")
    what = anchor(unit, body, "OrganizationState")
    return (
        candidate(
            unit, Kind.RELATION, "Membership", min(who.start, what.start),
            max(who.end, what.end), subject=who, object=what, cue=anchor(unit, cue),
        ),
        unit,
    )  # fmt: skip


def verdict(made: tuple[Candidate, EvidenceUnit]) -> tuple[Label, set[str]]:
    found = verify(*made)
    return found.label, {reason.code for reason in found.reasons}


def test_what_the_quote_states_is_supported() -> None:
    made = membership("Ana Ruiz ingresó en el Ateneo Obrero.", "Ana Ruiz", "ingresó", "Ateneo")
    assert verdict(made) == (Label.SUPPORTED, {"allThere"})


@pytest.mark.parametrize(
    ("text", "label", "code"),
    [
        ("que no ingresó en el Ateneo", Label.AMBIGUOUS, "negated"),
        ("que nunca ingresó en el Ateneo", Label.AMBIGUOUS, "negated"),
        ("niega que, como se ha dicho, ingresó en el Ateneo", Label.UNSUPPORTED, "negated"),
        ("de quien no consta que ingresó en el Ateneo", Label.UNSUPPORTED, "negated"),
        ("que según rumor público ingresó en el Ateneo", Label.OVERREACHING, "hearsay"),
        ("que, según se\ndice en la villa, ingresó en el Ateneo", Label.OVERREACHING, "hearsay"),
        ("ingresó en el Ateneo, según rumor público.", Label.OVERREACHING, "hearsay"),
        ("ingresó en el Ateneo, extremo que nadie confirma", Label.OVERREACHING, "hearsay"),
        ("quizás ingresó en el Ateneo", Label.OVERREACHING, "modality"),
    ],
)
def test_denial_hearsay_and_possibility_hold_it_back(text: str, label: Label, code: str) -> None:
    made = membership(f"Ana Ruiz, {text}.", "Ana Ruiz", "ingresó", "Ateneo")
    assert verdict(made) == (label, {code})


@pytest.mark.parametrize(
    "text",
    [
        "No sabe firmar. Ana Ruiz ingresó en el Ateneo.",
        "Según rumor público huyó; Ana Ruiz ingresó en el Ateneo.",
        "Ana Ruiz, que no sabe firmar, ingresó en el Ateneo.",
        "Ana Ruiz ingresó en el Ateneo, y que según rumor público huyó.",
        "Ana Ruiz ingresó en el Ateneo. Se dice que huyó.",
    ],
)
def test_what_belongs_to_another_statement_does_not(text: str) -> None:
    assert verdict(membership(text, "Ana Ruiz", "ingresó", "Ateneo"))[0] is Label.SUPPORTED


@pytest.mark.parametrize(
    ("text", "cue", "language"),
    [
        ("On dit que Paul Corvel serait membre de la Société.", "membre", "fr"),
        ("Paul Corvel n'est point membre de la Société.", "membre", "fr"),
        ("Paul Corvel is rumoured to be a member of the Société.", "member", "en"),
        ("或曰Paul Corvel在Société。", "在", "lzh"),
        ("Paul Corvel不在Société。", "在", "lzh"),
    ],
)
def test_hedges_of_other_languages(text: str, cue: str, language: str) -> None:
    label, _ = verdict(membership(text, "Paul Corvel", cue, "Société", language))
    assert label is not Label.SUPPORTED


def test_ends_outside_the_quote_are_only_partly_supported() -> None:
    unit = passage("Ana Ruiz vive aquí. Ingresó en el Ateneo.")
    body = anchor(unit, "Ateneo", "OrganizationState")
    made = candidate(
        unit, Kind.RELATION, "Membership", 20, body.end,
        subject=anchor(unit, "Ana Ruiz", "Person"), object=body, cue=anchor(unit, "Ingresó"),
    )  # fmt: skip
    assert verdict((made, unit)) == (Label.PARTIAL, {"subjectOutsideQuote"})


def test_a_model_is_not_believed_about_its_cue() -> None:
    unit = passage("Ana Ruiz saludó al Ateneo")
    fields = {
        "subject": anchor(unit, "Ana Ruiz", "Person"),
        "object": anchor(unit, "Ateneo", "OrganizationState"),
        "cue": anchor(unit, "saludó"),
    }
    model = about(unit, Kind.RELATION, "Membership", proposer="llm:small", **fields)
    assert verdict((model, unit)) == (Label.UNSUPPORTED, {"noCue"})
    joined = passage("Ana Ruiz ingresó en el Ateneo")
    stated = about(
        joined, Kind.RELATION, "Membership", proposer="llm:small",
        subject=anchor(joined, "Ana Ruiz", "Person"),
        object=anchor(joined, "Ateneo", "OrganizationState"),
    )  # fmt: skip
    assert verdict((stated, joined))[0] is Label.SUPPORTED


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (Value("31", "integer", "", "treinta y un"), Label.SUPPORTED),
        (Value("31", "integer", "", "treinta y\nun"), Label.SUPPORTED),
        (Value("32", "integer", "", "treinta y un"), Label.OVERREACHING),
        (Value("31", "integer", "", "cuarenta"), Label.OVERREACHING),
        (Value("31", "integer"), Label.PARTIAL),
    ],
)
def test_a_number_must_be_what_the_words_say(value: Value, label: Label) -> None:
    unit = passage("Ana Ruiz, de treinta y un años de edad")
    made = about(
        unit, Kind.ATTRIBUTE, "age", subject=anchor(unit, "Ana Ruiz", "Person"), value=value
    )
    assert verdict((made, unit))[0] is label


def test_a_date_must_be_what_the_words_say() -> None:
    unit = passage("Ana Ruiz murió el 3 de mayo de 1938")
    fields = {"subject": anchor(unit, "Ana Ruiz", "Person"), "cue": anchor(unit, "murió")}
    for lexical, label in (("1938-05-03", Label.SUPPORTED), ("1939-05-03", Label.OVERREACHING)):
        value = Value(lexical, "edtf", "", "3 de mayo de 1938")
        made = about(unit, Kind.ATTRIBUTE, "deathDate", value=value, **fields)
        assert verdict((made, unit))[0] is label


def test_a_plea_that_denies_is_a_plea() -> None:
    unit = passage("Ana Ruiz se declaró no culpable")
    made = about(
        unit, Kind.ARGUMENT, "plea", group="e", cue=anchor(unit, "se declaró"),
        value=Value("no culpable", "string", "es", "no culpable"),
    )  # fmt: skip
    assert verdict((made, unit))[0] is Label.SUPPORTED


def test_a_name_without_letters_is_none() -> None:
    unit = passage("— 12 —")
    assert verdict((mention(unit, "12"), unit)) == (Label.UNSUPPORTED, {"nameWithoutLetters"})


def test_a_language_without_word_list_has_no_cues_and_no_hedges() -> None:
    unit = passage("Jan is lid van de Bond", "nl")
    made = about(
        unit, Kind.RELATION, "Membership", proposer="llm:small",
        subject=anchor(unit, "Jan", "Person"), object=anchor(unit, "Bond", "OrganizationState"),
    )  # fmt: skip
    assert verdict((made, unit)) == (Label.UNSUPPORTED, {"noCue"})


@pytest.mark.parametrize("language", ["en", "es", "fr", "lzh"])
def test_the_word_lists_name_statements_of_the_mapping_table(language: str) -> None:
    known = cues.rules(language)
    table = mapping.load()
    assert set(known.statements) <= set(table.statements)
    unlisted = cues.KINDS - {"cue", *cues.INNER} - {kind for kind, _ in known.kinds}
    assert unlisted <= ({"formula", "boundary"} if language == "lzh" else {"formula"})


def test_words_within_a_set_phrase_hedge_nothing_else() -> None:
    hits = cues.mark("por el supuesto delito de sedición, supuesto autor", "es").hits
    assert [(hit.kind, hit.surface) for hit in hits] == [("hearsay", "supuesto")]


def test_an_accented_word_is_not_the_negation_without_its_accent() -> None:
    assert [hit.surface for hit in cues.mark("né à Lagarde, il ne vint", "fr").hits] == ["ne"]


def test_a_short_word_needs_its_own_accents() -> None:
    hits = cues.mark("tiene más de treinta años, mas no firma", "es").hits
    assert [(hit.kind, hit.surface) for hit in hits] == [("boundary", "mas"), ("negation", "no")]
    assert not cues.mark("il dut partir", "fr").hits, "dût is a wish, dut is none"
    assert [h.surface for h in cues.mark("qu'il n\u2019est", "fr").hits] == ["n\u2019"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("ingresó, no en el Casino, sino en el Ateneo", "es"),
        ("ingresó, aunque no sabía firmar, en el Ateneo", "es"),
        ("ingresó, que no sabe leer ni escribir, en el Ateneo", "es"),
        ("ingresó no por gusto sino por fuerza en el Ateneo", "es"),
        ("ingresó más tarde y no sólo por gusto en el Ateneo", "es"),
        ("entra, quoiqu'il ne sût pas lire, dans l'Ateneo", "fr"),
        ("entra non point au Cercle mais dans l'Ateneo", "fr"),
        ("joined not the Club but the Ateneo", "en"),
        ("joined, though he could not read it, the Ateneo", "en"),
    ],
)
def test_a_negation_that_is_spent_between_cue_and_object_is_none(text: str, language: str) -> None:
    cue = text.split(maxsplit=1)[0].strip(",")
    made = membership(f"Ana Ruiz {text}.", "Ana Ruiz", cue, "Ateneo", language)
    codes = verdict(made)[1]
    assert "negated" not in codes


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("ingresó no en el Ateneo sino en el Casino", "es"),
        ("ingresó, no en el Ateneo, sino en el Casino", "es"),
        ("ingresó, pero no en el Ateneo", "es"),
        ("ingresó, lo que nunca fue cierto, en el Ateneo", "es"),
        ("ingresó, que no es verdad, en el Ateneo", "es"),
        ("ingresó, aunque no ingresó nunca, en el Ateneo", "es"),
        ("ingresó, no de hecho, en el Ateneo", "es"),
        ("ingresó, que no, en el Ateneo", "es"),
        ("ingresó más tarde, mas no en el Ateneo", "es"),
        ("entra non pas, ce qui n'est pas vrai, dans l'Ateneo", "fr"),
        ("entra ailleurs et jamais dans l'Ateneo", "fr"),
        ("joined not the Ateneo but the Club", "en"),
        ("joined, though he never did, the Ateneo", "en"),
    ],
)
def test_a_negation_that_may_deny_the_statement_still_counts(text: str, language: str) -> None:
    cue = text.split(maxsplit=1)[0].strip(",")
    made = membership(f"Ana Ruiz {text}.", "Ana Ruiz", cue, "Ateneo", language)
    label, codes = verdict(made)
    assert label is not Label.SUPPORTED and "negated" in codes


def test_what_is_not_said_is_named() -> None:
    unit = passage("Ana Ruiz ingresó en el Ateneo. En 1931 murió.")
    fields = {
        "subject": anchor(unit, "Ana Ruiz", "Person"),
        "object": anchor(unit, "Ateneo", "OrganizationState"),
        "cue": anchor(unit, "ingresó"),
    }
    for words, label in (("1931", Label.PARTIAL), ("mayo de 1929", Label.OVERREACHING)):
        time = Value("1931", "edtf", "", words)
        made = candidate(unit, Kind.RELATION, "Membership", 0, 30, time=time, **fields)
        found = verify(made, unit)
        assert (found.label, found.unsupported_elements) == (label, (words,))
        assert bool(found.overreach_reason) is (label is Label.OVERREACHING)
        assert found.supporting_quote == "Ana Ruiz ingresó en el Ateneo."
        assert found.verifier == "rules@3"


def test_hits_are_in_raw_offsets_across_line_breaks_and_accents() -> None:
    text = "y que segu\u0301n se de-\ncía"
    hits = cues.mark(text, "es").hits
    assert [(hit.kind, hit.surface) for hit in hits] == [
        ("boundary", "y que"),
        ("hearsay", "segu\u0301n se de-\ncía"),
        ("hearsay", "se de-\ncía"),
    ]
    assert all(text[hit.start : hit.end] == hit.surface for hit in hits)
