"""Faults, conditions and the judge of the ablation, on passages written here."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from rdfkms.admission import structure
from rdfkms.admission.screening import screen
from rdfkms.cli import COMMANDS, cli
from rdfkms.evaluation import conditions, corpora, faults, gold
from rdfkms.evaluation.corpora import Corpus, Document, Passage
from rdfkms.evaluation.gold import Made, Material
from rdfkms.evaluation.judging import Judge
from rdfkms.evaluation.tools import plan
from rdfkms.knowledge import mapping
from rdfkms.knowledge.proposers.candidates import Quoting
from rdfkms.model import Anchor, Candidate, Decision, Kind, Value
from rdfkms.settings import GateSettings, Settings

TABLE = mapping.load()
TEXTS = {
    "d1": "Rosa Prieto, hija de Blas Prieto, vive en Montelargo.",
    "d2": "El maestro Luis Vera enseña a leer en Puerto Arán.",
}


def material() -> Material:
    documents = tuple(Document(key, "test", "es", text) for key, text in TEXTS.items())
    units = [corpora.unit_of(d, 1, 0, len(d.text), "page") for d in documents]
    passages = tuple(
        Passage(d, u, (), ()) for d, u in zip(documents, units, strict=True)
    )  # fmt: skip
    first, second = (Quoting(unit, gold.PROPOSER) for unit in units)

    def at(quoting: Quoting, words: str, type: str = "") -> Anchor:
        start = quoting.unit.raw.text.index(words)
        return quoting.anchor((start, start + len(words)), type)

    rosa, blas = at(first, "Rosa Prieto", "Person"), at(first, "Blas Prieto", "Person")
    place, luis = at(first, "Montelargo", "Location"), at(second, "Luis Vera", "Person")
    told = [
        *(first.mention((a.start, a.end), a.type, 0.9) for a in (rosa, blas, place)),
        second.mention((luis.start, luis.end), "Person", 0.9),
        first.candidate(Kind.RELATION, "Kinship/child", subject=blas, object=rosa),
        first.candidate(Kind.ATTRIBUTE, "residence", subject=rosa, object=place),
    ]
    corpus = Corpus("test", "first", "Apache-2.0", documents, {})
    sound = tuple(Made(candidate, candidate.unit) for candidate in told)
    return Material(corpus, "register", passages, sound, whole=True)


def made(maker: faults.Maker) -> list[Made]:
    return list(maker(material(), TABLE, random.Random(3)))


def test_a_wrong_unit_names_one_passage_and_quotes_another() -> None:
    units = {p.unit.key: p.unit for p in material().passages}
    found = made(faults.wrong_unit)
    assert len(found) == 6
    for one in found:
        named = one.candidate.unit
        assert named != one.asked or one.candidate.quote not in units[named].raw.text
        refused = screen(one.candidate, units[one.asked], TABLE)[1]
        assert refused is not None
        assert refused.decision is Decision.REJECTED


def test_an_altered_quote_stands_nowhere() -> None:
    texts = {p.unit.key: p.unit.raw.text for p in material().passages}
    found = made(faults.altered_quote)
    assert found
    for one in found:
        assert one.candidate.quote not in texts[one.asked]


def test_names_of_a_prompt_stand_in_no_passage() -> None:
    texts = {p.unit.key: p.unit.raw.text for p in material().passages}
    found = made(faults.leaked_example)
    assert len(found) == 6
    assert all(one.candidate.quote not in texts[one.asked] for one in found)


def test_an_unknown_type_is_in_no_table() -> None:
    found = made(faults.unknown_type)
    assert len(found) == 6
    assert not any(TABLE.knows(one.candidate.kind, one.candidate.name) for one in found)


def test_reversed_ends_of_what_is_not_symmetric() -> None:
    found = {(one.candidate.name, one.candidate.subject and one.candidate.subject.surface)
             for one in made(faults.reversed_ends)}  # fmt: skip
    assert found == {("Kinship/child", "Rosa Prieto"), ("residence", "Montelargo")}


def test_a_date_that_the_passage_does_not_hold() -> None:
    found = made(faults.unstated_date)
    assert {one.candidate.name for one in found} == {"birthDate", "Kinship/child", "residence"}
    for one in found:
        date = one.candidate.time or one.candidate.value
        assert date is not None
        assert date.lexical not in TEXTS["d1"] + TEXTS["d2"]
        assert one.overreaching


def test_a_stronger_claim_is_none_that_is_annotated() -> None:
    found = made(faults.stronger_claim)
    names = [one.candidate.name for one in found]
    assert "birthplace" in names  # of a residence
    sound = {(c.candidate.name, c.candidate.subject, c.candidate.object) for c in material().sound}
    for one in found:
        said = (one.candidate.name, one.candidate.subject, one.candidate.object)
        assert said not in sound
        unit = next(p.unit for p in material().passages if p.unit.key == one.asked)
        assert not structure.faults(one.candidate, unit, TABLE)


@pytest.mark.parametrize(("words", "fault"), sorted(faults.HEARSAY.items()))
def test_hearsay_is_written_before_the_quote_and_the_claim_stays_exact(
    words: str, fault: str
) -> None:
    found, passages = faults.make(material(), TABLE, 10, seed=1)
    texts = {p.unit.key: p.unit.raw.text for p in passages}
    told = [one for one in found if one.fault == fault]
    phrases = plan("faults")[words]["es"]
    assert len(told) == 2
    for one in told:
        text, candidate = texts[one.asked], one.candidate
        assert text[candidate.start : candidate.end] == candidate.quote
        assert text not in TEXTS.values()
        assert any(text[: candidate.start].endswith(phrase) for phrase in phrases)
        named = [m for m in found if m.asked == one.asked and m.fault == gold.SOUND]
        assert {m.candidate.kind for m in named} == {Kind.MENTION}


def test_no_phrase_of_hearsay_is_in_both_sets() -> None:
    known, fresh = (plan("faults")[words] for words in faults.HEARSAY)
    assert set(known) == set(fresh)
    assert not [p for language in known for p in known[language] if p in fresh[language]]


def test_an_argument_is_given_to_another_event_of_its_passage() -> None:
    document = Document("d3", "test", "lzh", "戊午，楚子伐鄭。晉侯朝。")
    unit = corpora.unit_of(document, 1, 0, len(document.text), "page")
    quoting, sound = Quoting(unit, gold.PROPOSER), []
    for group, word, type_ in (("a", "伐", "MilitaryConflict"), ("b", "朝", "DiplomacyMeeting")):
        at = document.text.index(word)
        trigger = quoting.anchor((at, at + 1))
        told = quoting.candidate(Kind.EVENT, type_, subject=trigger, group=group)
        sound.append(Made(told, unit.key))
    king = quoting.anchor((3, 5), "Person")
    told = quoting.candidate(Kind.ARGUMENT, "participant", (3, 6), object=king, group="a")
    corpus = Corpus("test", "first", "Apache-2.0", (document,), {})
    passages = (Passage(document, unit, (), ()),)
    whole = Material(corpus, "annals", passages, (*sound, Made(told, unit.key)), whole=True)
    found = list(faults.other_event(whole, TABLE, random.Random(1)))
    assert [(f.candidate.group, f.candidate.quote, f.supported) for f in found] == [
        ("b", "楚子伐鄭。晉侯朝", None)
    ]
    again = replace(whole, sound=(*whole.sound, *found))
    assert list(faults.other_event(again, TABLE, random.Random(1))) == []


def test_the_same_seed_makes_the_same_faults() -> None:
    keys = [[one.candidate.key for one in faults.make(material(), TABLE, 3, seed=s)[0]]
            for s in (1, 1, 2)]  # fmt: skip
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.parametrize("module", [faults, gold])
def test_the_fault_maker_shares_nothing_with_the_gate(module: ModuleType) -> None:
    """Neither its modules nor its word lists: the measurement would measure itself."""
    source = Path(module.__file__ or "").read_text(encoding="utf-8")
    imported = set(re.findall(r"^(?:from|import) (\S+)", source, re.MULTILINE))
    assert not [name for name in imported if name.startswith("rdfkms.admission")]
    assert not [name for name in imported if "lexicons" in name]
    assert "cues" not in source


# ---- conditions --------------------------------------------------------------------------------


def test_the_form_alone_lets_all_but_the_unreadable_through() -> None:
    unit = material().passages[0].unit
    invented = Candidate("", Kind.MENTION, unit.key, "Dragon", "nowhere", 0, 7)
    unreadable = Candidate("", Kind.UNPARSEABLE, unit.key, "", "", None, None)
    fates = conditions.c0([Made(invented, unit.key), Made(unreadable, unit.key)])
    assert [fate.kept for fate in fates] == [True, False]


def test_an_outcome_tells_validity_and_pointer_apart() -> None:
    from rdfkms.app import evaluating

    tools = evaluating.tools()
    unit = material().passages[0].unit
    good = material().sound[0]
    fate = conditions.Fate(True, False)
    found = conditions.outcome(good, fate, unit, tools)
    assert (found.valid, found.resolved, found.sound) == (True, True, True)
    moved = replace(good.candidate, quote="Rosa  Prieto")
    found = conditions.outcome(Made(moved, unit.key), fate, unit, tools)
    assert (found.valid, found.resolved) == (True, False)
    elsewhere = conditions.outcome(good, fate, unit, tools, cited="another")
    assert (elsewhere.resolved, elsewhere.supported) == (False, False)


def test_the_judge_knows_what_the_annotation_cannot_tell() -> None:
    whole = material()
    judge = Judge.of(whole)
    rosa = whole.sound[0].candidate
    assert rosa.subject is not None
    shorter = replace(rosa, subject=replace(rosa.subject, end=rosa.subject.end - 3))
    assert judge.made(shorter, rosa.unit).fault == gold.SOUND
    assert rosa.start is not None
    other = replace(rosa, subject=Anchor(13, 17, "hija", "Person"))
    assert judge.made(other, rosa.unit).supported is False
    unknown = replace(rosa, name="Ritual", subject=replace(rosa.subject, type="Ritual"))
    assert judge.made(unknown, rosa.unit).supported is None
    age = gold.changed(rosa, kind=Kind.ATTRIBUTE, name="age", value=Value("3", "integer"))
    assert judge.made(age, rosa.unit).supported is False
    assert Judge.of(replace(whole, whole=False)).made(
        gold.changed(rosa, kind=Kind.EVENT, name="RitualEvent"), rosa.unit
    ).supported is None  # fmt: skip


# ---- no switch anywhere else -------------------------------------------------------------------


@pytest.mark.parametrize("command", ["run", "ingest", "extract", "serve", "demo", "init"])
def test_no_command_has_a_switch_for_the_gate(command: str) -> None:
    found = cli.get_command(None, command)  # type: ignore[arg-type]
    assert found is not None
    options = {option for parameter in found.params for option in parameter.opts}
    words = ("gate", "verif", "condition", "ablation", "admit", "screen", "c0", "c1", "c2", "shape")
    assert not [option for option in options if any(word in option.lower() for word in words)]
    assert command in COMMANDS


def test_no_setting_loosens_the_gate() -> None:
    """Who adds a setting to the gate must look here: none may let more through.

    `verifiers` and `vote` can only add to the rules, which always verify.
    """
    assert set(GateSettings.model_fields) == {
        "reanchor", "same_name_similarity", "four_eyes", "verifiers", "vote", "nli_model",
        "nli_download", "pinyin",
    }  # fmt: skip
    for without in ((), ("llm",), ("nli",)):
        with pytest.raises(ValueError, match="rules"):
            GateSettings(verifiers=without)
    everything = repr(Settings().model_dump()).lower()
    assert not [word for word in ("condition", "ablation", "verify", "skip") if word in everything]
