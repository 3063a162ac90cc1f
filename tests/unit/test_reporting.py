"""Reporting: phrases of hearsay as a grammar, and statements that stand inside what is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from rdfkms import resources
from rdfkms.admission import cues, reporting
from rdfkms.admission.verification import verify
from rdfkms.errors import Misconfigured
from rdfkms.knowledge import lexicons
from rdfkms.model import Kind, Label
from tests.tools.passages import about, anchor, candidate, passage

LANGUAGES = ("es", "fr", "en", "de", "zh")


def label(text: str, language: str = "es", cue: str = "ingresó") -> Label:
    """Return the label of a membership told by `text`, its quote from the person to the body."""
    unit = passage(text, language)
    who, what = anchor(unit, "Ana Ruiz", "Person"), anchor(unit, "Ateneo", "OrganizationState")
    made = candidate(
        unit, Kind.RELATION, "Membership", who.start, what.end, subject=who, object=what,
        cue=anchor(unit, cue),
    )  # fmt: skip
    return verify(made, unit).label


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_grammar_is_whole(language: str) -> None:
    assert reporting.phrases(language, cues.KINDS, cues.folded, spaces=language != "zh")


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("se le supone", "es"),
        ("según se cuenta", "es"),
        ("circulan especies de que", "es"),
        ("on se raconte que", "fr"),
        ("le bruit s'est répandu que", "fr"),
        ("il aurait été", "fr"),
        ("he is commonly believed to be", "en"),
        ("rumour has it", "en"),
        ("by all accounts", "en"),
        ("man munkelt", "de"),
        ("es heißt", "de"),
        ("er soll gewesen sein", "de"),
        ("里人相傳", "zh"),
        ("時人皆言", "zh"),
        ("时人皆言", "zh"),
    ],
)
def test_phrases_made_of_classes_are_hearsay(said: str, language: str) -> None:
    assert "hearsay" in {hit.kind for hit in cues.mark(said, language).hits}


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("se declaró culpable", "es"),
        ("el testigo dijo que no", "es"),
        ("il déclare que", "fr"),
        ("he said nothing", "en"),
        ("er sagte nichts", "de"),
    ],
)
def test_plain_speech_is_none(said: str, language: str) -> None:
    assert "hearsay" not in {hit.kind for hit in cues.mark(said, language).hits}


@pytest.mark.parametrize(
    "text",
    [
        "En la fonda tienen por artículo de fe que Ana Ruiz ingresó en el Ateneo.",
        "A creer a los ociosos del casino, Ana Ruiz ingresó en el Ateneo.",
        "La conversación de la tertulia es que Ana Ruiz ingresó en el Ateneo.",
        "Esto andan repitiendo todos por la villa: Ana Ruiz ingresó en el Ateneo.",
    ],
)
def test_what_is_reported_without_a_source_is_held(text: str) -> None:
    assert label(text) is Label.OVERREACHING


@pytest.mark.parametrize(
    "text",
    [
        "El testigo Juan Soto declara que Ana Ruiz ingresó en el Ateneo.",
        "Juan Soto afirma que Ana Ruiz ingresó en el Ateneo.",
        "RESULTANDO: Que Ana Ruiz ingresó en el Ateneo.",
        "RESULTANDO probado que la procesada Ana Ruiz ingresó en el Ateneo.",
        "Según certifica el Ayuntamiento, Ana Ruiz ingresó en el Ateneo.",
        "Vivió en la villa hasta que Ana Ruiz ingresó en el Ateneo.",
        "Miembros nuevos: Ana Ruiz ingresó en el Ateneo.",
    ],
)
def test_testimony_formulas_and_labels_are_not(text: str) -> None:
    assert label(text) is Label.SUPPORTED


def test_chinese_speech_right_before_a_trigger_holds_it_but_an_edict_does_not() -> None:
    for text, expected in (
        ("路人聞伐楚", Label.OVERREACHING),
        ("帝詔曰：伐楚", Label.SUPPORTED),
        ("帝伐楚", Label.SUPPORTED),
    ):
        unit = passage(text, "lzh")
        trigger = anchor(unit, "伐")
        made = candidate(
            unit, Kind.EVENT, "MilitaryConflict", trigger.start, trigger.end, subject=trigger,
            group="e",
        )  # fmt: skip
        assert verify(made, unit).label is expected, text


def test_a_bad_grammar_is_refused_with_its_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for row, said in (("se dice", "needs the words"), ("%nobody dice\thearsay", "no class")):
        (tmp_path / "reporting.xx.tsv").write_text(row + "\n", encoding="utf-8")
        monkeypatch.setattr(resources, "file", lambda name: tmp_path / Path(name).name)
        lexicons.rows.cache_clear()
        with pytest.raises(Misconfigured, match=said):
            reporting.phrases("xx", cues.KINDS, cues.folded, spaces=True)
    lexicons.rows.cache_clear()


def test_a_language_without_a_grammar_has_no_phrases() -> None:
    assert reporting.phrases("nl", cues.KINDS, cues.folded, spaces=True) == ()


def test_a_claim_about_a_whole_passage_sees_what_stands_before_its_ends() -> None:
    unit = passage("Medio pueblo da en la flor de que Ana Ruiz ingresó en el Ateneo")
    made = about(
        unit, Kind.RELATION, "Membership", subject=anchor(unit, "Ana Ruiz", "Person"),
        object=anchor(unit, "Ateneo", "OrganizationState"), cue=anchor(unit, "ingresó"),
    )  # fmt: skip
    assert verify(made, unit).label is Label.OVERREACHING
