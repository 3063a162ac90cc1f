"""Direction and reach of cues, and roles that stand beside their trigger."""

from __future__ import annotations

import pytest

from rdfkms.admission.roles import Triggers
from rdfkms.admission.verification import verify
from rdfkms.admission.votes import Panel
from rdfkms.knowledge import dates
from rdfkms.model import Candidate, EvidenceUnit, Kind, Label, Value
from tests.tools.passages import about, anchor, candidate, passage

MODEL = "llm:small"


def said(
    text: str, name: str, subject: str, object_: str, types: str, language: str = "es"
) -> tuple[Label, set[str]]:
    unit = passage(text, language)
    first, _, second = types.partition(" ")
    kind = Kind.ATTRIBUTE if name in ("birthplace", "residence") else Kind.RELATION
    made = about(
        unit, kind, name, proposer=MODEL, subject=anchor(unit, subject, first),
        object=anchor(unit, object_, second),
    )  # fmt: skip
    found = verify(made, unit)
    return found.label, {reason.code for reason in found.reasons}


@pytest.mark.parametrize(
    ("text", "name", "subject", "object_", "language"),
    [
        ("Juan, padre de Rosa", "Kinship/child", "Juan", "Rosa", "es"),
        ("Rosa, hija de Juan", "Kinship/child", "Juan", "Rosa", "es"),
        ("Delmas remplace M. Garandel", "Succession", "Garandel", "Delmas", "fr"),
        ("Garandel, remplacé par Delmas", "Succession", "Garandel", "Delmas", "fr"),
        ("Smith succeeded Jones", "Succession", "Jones", "Smith", "en"),
        ("Jones was succeeded by Smith", "Succession", "Jones", "Smith", "en"),
        ("Ansart a pris pour apprenti Corvel", "MasterApprenticeRelation", "Ansart", "Corvel",
         "fr"),
        ("石平學於公子衡", "MasterApprenticeRelation", "公子衡", "石平", "lzh"),
    ],
)  # fmt: skip
def test_a_cue_with_an_order_says_it_one_way_round(
    text: str, name: str, subject: str, object_: str, language: str
) -> None:
    types = "Person Person"
    assert said(text, name, subject, object_, types, language) == (Label.SUPPORTED, {"allThere"})
    assert said(text, name, object_, subject, types, language) == (
        Label.AMBIGUOUS,
        {"otherDirection"},
    )


def test_a_cue_does_not_reach_over_the_cue_of_a_rival_statement() -> None:
    text = "Rosa Ferrer, natural de Castrovil y vecina de Peñarrasa"
    for name, place, expected in (
        ("birthplace", "Castrovil", (Label.SUPPORTED, {"allThere"})),
        ("residence", "Peñarrasa", (Label.SUPPORTED, {"allThere"})),
        ("birthplace", "Peñarrasa", (Label.AMBIGUOUS, {"otherEnd"})),
    ):
        assert said(text, name, "Rosa Ferrer", place, "Person Location") == expected


def test_a_cue_inside_a_name_is_none() -> None:
    found = said("公子衡與石平", "Kinship/child", "石平", "公子衡", "Person Person", "lzh")
    assert found == (Label.UNSUPPORTED, {"noCue"})


def test_a_trade_says_itself_what_it_is() -> None:
    for words, label in (("molinero", Label.SUPPORTED), ("rubio", Label.UNSUPPORTED)):
        unit = passage(f"Julián Cortés, {words}")
        made = about(
            unit, Kind.ATTRIBUTE, "occupation", proposer=MODEL,
            subject=anchor(unit, "Julián Cortés", "Person"),
            value=Value(words, "string", "es", words),
        )  # fmt: skip
        assert verify(made, unit).label is label


@pytest.mark.parametrize(
    ("text", "who", "trade", "language", "good"),
    [
        ("El molinero Juan Pérez vino.", "Juan Pérez", "molinero", "es", True),
        ("Juan Pérez, molinero, vino.", "Juan Pérez", "molinero", "es", True),
        ("El molinero mató a Juan Pérez.", "Juan Pérez", "molinero", "es", False),
        (
            "Juan Pérez compró la casa del molinero Tomás Gil.",
            "Juan Pérez",
            "molinero",
            "es",
            False,
        ),
        ("Juan Pérez, hijo de Pedro Ruiz, molinero.", "Pedro Ruiz", "molinero", "es", False),
        ("The miller killed John Brown.", "John Brown", "miller", "en", False),
        ("Ana Ruiz, de treinta\naños de edad, casada, maestra.", "Ana Ruiz", "maestra", "es", True),
        (
            "Ana Ruiz: treinta años, natural de Castro Gil, maestra.",
            "Ana Ruiz",
            "maestra",
            "es",
            True,
        ),
        ("Ana Ruiz, de treinta años, saludó a Eva, maestra.", "Ana Ruiz", "maestra", "es", False),
        ("Ana Ruiz, hija de Eva Gil, era maestra.", "Ana Ruiz", "maestra", "es", True),
        ("La testigo Ana Ruiz, casada, era maestra.", "Ana Ruiz", "maestra", "es", True),
        ("El hijo de la testigo Ana Ruiz era maestro.", "Ana Ruiz", "maestro", "es", False),
        ("Ana Ruiz, hija de Eva Gil, maestra.", "Ana Ruiz", "maestra", "es", False),
        ("Ana Ruiz, que firma A. Ruiz, maestra.", "Ana Ruiz", "maestra", "es", True),
        ("Ana Ruiz, casada, no maestra.", "Ana Ruiz", "maestra", "es", False),
        ("Ana Ruiz, maestra no, sino modista.", "Ana Ruiz", "maestra", "es", False),
        ("Ann Brown was a schoolteacher.", "Ann Brown", "schoolteacher", "en", True),
        ("Ann Brown was not a schoolteacher.", "Ann Brown", "schoolteacher", "en", False),
        ("The owner of the mill of Ann Brown was a baker.", "Ann Brown", "baker", "en", False),
        ("M. Paul Corvel, notaire, est parti.", "Paul Corvel", "notaire", "fr", True),
    ],
)
def test_a_trade_is_that_of_the_name_beside_it(
    text: str, who: str, trade: str, language: str, good: bool
) -> None:
    unit = passage(text, language)
    made = about(
        unit, Kind.ATTRIBUTE, "occupation", proposer=MODEL, subject=anchor(unit, who, "Person"),
        value=Value(trade, "string", language, trade),
    )  # fmt: skip
    assert (verify(made, unit).label is Label.SUPPORTED) is good


# ---- roles -------------------------------------------------------------------------------------


def event(unit: EvidenceUnit, word: str, group: str) -> Candidate:
    trigger = anchor(unit, word)
    return candidate(
        unit, Kind.EVENT, "MilitaryConflict", trigger.start, trigger.end, subject=trigger,
        group=group, proposer=MODEL,
    )  # fmt: skip


def role(unit: EvidenceUnit, name: str, words: str, group: str = "a") -> Candidate:
    type_ = {"participant": "Person", "location": "Location"}.get(name)
    if type_ is not None:
        fields: dict[str, object] = {"object": anchor(unit, words, type_)}
    elif name == "time":
        fields = {"value": dates.time_value(words, unit.language)}
    else:
        fields = {"value": Value(words, "string", unit.language, words)}
    return about(unit, Kind.ARGUMENT, name, proposer=MODEL, group=group, **fields)


@pytest.mark.parametrize(
    ("text", "name", "words", "good"),
    [
        ("戊午，楚子伐鄭。", "time", "戊午", True),
        ("夏四月，楚子朝。戊子，伐鄭。", "time", "夏四月", True),
        ("丙寅，楚子朝。戊子，伐鄭。", "time", "丙寅", False),
        ("楚子伐鄭。", "participant", "楚子", True),
        ("楚子伐鄭。", "participant", "鄭", True),
        ("楚子伐鄭。晉侯怒。", "participant", "晉侯", False),
        ("楚子伐鄭，戰于新城。", "location", "新城", False),
        ("楚子伐鄭于新城。", "location", "新城", True),
        ("楚子伐鄭，敗績。", "outcome", "敗績", True),
        ("敗績，楚子伐鄭。", "outcome", "敗績", False),
        ("楚子，楚子伐鄭。", "time", "楚子", False),
    ],
)
def test_a_role_without_a_word_is_told_by_its_place(
    text: str, name: str, words: str, good: bool
) -> None:
    unit, panel = passage(text, "lzh"), Panel()
    panel.verify(event(unit, "伐", "a"), unit)
    if "戰" in text:
        panel.verify(event(unit, "戰", "b"), unit)
    assert panel.supports(role(unit, name, words), unit) is good


@pytest.mark.parametrize(
    ("text", "language", "trigger", "name", "words", "good"),
    [
        ("The school was founded in 1852.", "en", "founded", "time", "1852", True),
        ("La escuela fue fundada en 1852.", "es", "fundada", "time", "1852", True),
        ("The school was founded perhaps in 1852.", "en", "founded", "time", "1852", False),
        ("The school was founded, it is said, in 1852.", "en", "founded", "time", "1852", False),
        ("Not in 1852 but in 1860 the school was founded.", "en", "founded", "time", "1852", False),
        ("La escuela fue fundada, no en 1852.", "es", "fundada", "time", "1852", False),
        ("L'école fut fondée, non en 1852.", "fr", "fondée", "time", "1852", False),
        ("The mayor died in 1849 before the school was founded.", "en", "founded", "time", "1849",
         False),
        ("Mme Ana Roy a fondé l'école.", "fr", "fondé", "participant", "Ana Roy", True),
        ("M. Luc Roy, maire de Brou, a fondé l'école.", "fr", "fondé", "participant", "Luc Roy",
         True),
        ("La femme de M. Luc Roy a fondé l'école.", "fr", "fondé", "participant", "Luc Roy", False),
        ("On dit que Luc Roy a fondé l'école.", "fr", "fondé", "participant", "Luc Roy", False),
        ("L'école fut fondée par M. Luc Roy.", "fr", "fondée", "participant", "Luc Roy", True),
        ("En Belmira, a dos de mayo de 1939, reunido el Consejo para juzgar.", "es", "juzgar",
         "location", "Belmira", True),
        ("En Belmira, a dos de mayo de 1939, reunido el Consejo para juzgar.", "es", "juzgar",
         "time", "dos de mayo de 1939", True),
        ("Vista la orden de dos de mayo de 1939, reunido el Consejo para juzgar.", "es", "juzgar",
         "time", "dos de mayo de 1939", False),
        ("El vecino de Belmira, a dos de mayo de 1939, reunido el Consejo para juzgar.", "es",
         "juzgar", "location", "Belmira", False),
        ("It was founded not by the mayor but by the bishop.", "en", "founded", "participant",
         "mayor", False),
        ("It was founded not at Valmorens but at Peyrac.", "en", "founded", "location",
         "Valmorens", False),
        ("楚子未伐鄭。", "lzh", "伐", "participant", "楚子", False),
    ],
)  # fmt: skip
def test_what_hedges_a_filler_keeps_it_from_its_role(
    text: str, language: str, trigger: str, name: str, words: str, good: bool
) -> None:
    unit, panel = passage(text, language), Panel()
    panel.verify(event(unit, trigger, "a"), unit)
    assert panel.supports(role(unit, name, words), unit) is good


def test_a_role_of_an_event_that_is_not_supported_has_no_place() -> None:
    unit = passage("楚子伐鄭。", "lzh")
    assert verify(role(unit, "participant", "楚子"), unit).label is Label.UNSUPPORTED
    panel = Panel()
    panel.verify(event(unit, "伐", "b"), unit)
    assert not panel.supports(role(unit, "participant", "楚子", "a"), unit)
    denied = passage("楚子不伐鄭。", "lzh", name="p2")
    panel.verify(event(denied, "伐", "a"), denied)
    assert not panel.supports(role(denied, "participant", "楚子", "a"), denied)


def test_a_trigger_is_no_filler_and_its_quote_must_hold_it() -> None:
    unit = passage("楚子伐鄭。", "lzh")
    own = Triggers(((2, 3),))
    assert verify(role(unit, "participant", "伐"), unit, own).label is Label.UNSUPPORTED
    short = candidate(
        unit, Kind.ARGUMENT, "participant", 0, 2, proposer=MODEL, group="a",
        object=anchor(unit, "楚子", "Person"),
    )  # fmt: skip
    assert verify(short, unit, own).label is Label.UNSUPPORTED


def test_a_date_in_words_is_true_as_it_stands_and_no_more() -> None:
    unit = passage("戊午，楚子伐鄭。", "lzh")
    own = Triggers(((5, 6),))
    assert verify(role(unit, "time", "戊午"), unit, own).label is Label.SUPPORTED
    made = about(
        unit, Kind.ARGUMENT, "time", proposer=MODEL, group="a",
        value=Value("0618", "edtf", "", "戊午"),
    )  # fmt: skip
    assert verify(made, unit, own).label is Label.AMBIGUOUS


@pytest.mark.parametrize(
    ("words", "language", "expected"),
    [
        ("戊午", "lzh", True), ("夏四月戊子", "lzh", True), ("明年", "lzh", True),
        ("昌寧元年春正月", "lzh", True), ("同光初", "lzh", True), ("甲丑", "lzh", False),
        ("楚子", "lzh", False), ("廢帝即位", "lzh", False), ("", "lzh", False),
        ("9 de mayo de 1938", "es", True), ("mardi dernier", "fr", True),
        ("la maison", "fr", False),
    ],
)  # fmt: skip
def test_what_is_a_date(words: str, language: str, expected: bool) -> None:
    assert dates.is_date(words, language) is expected


@pytest.mark.parametrize(
    ("text", "name", "who", "label"),
    [
        ("El testigo Ana Ruiz declara no haber visto a nadie.", "witness", "Ana Ruiz",
         Label.SUPPORTED),
        ("No fue testigo Ana Ruiz.", "witness", "Ana Ruiz", Label.AMBIGUOUS),
        ("El acusado Juan Gil no compareció.", "accused", "Juan Gil", Label.SUPPORTED),
        ("Se dice que el acusado Juan Gil huyó.", "accused", "Juan Gil", Label.OVERREACHING),
    ],
)  # fmt: skip
def test_who_is_called_by_a_role_has_it_whatever_is_denied_then(
    text: str, name: str, who: str, label: Label
) -> None:
    unit = passage(text)
    made = about(
        unit, Kind.ARGUMENT, name, proposer=MODEL, group="a", object=anchor(unit, who, "Person")
    )
    assert verify(made, unit).label is label


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("Juan Gil, alcalde de Belmira.", True),
        ("Alcalde: Juan Gil.", True),
        ("Citado por el Alcalde: Juan Gil.", False),
        ("El vice-alcalde Juan Gil habló.", False),
        ("Juan Gil saludó al alcalde.", False),
        ("Vocal: Ana Roy Alcalde: Capitán D. Juan Gil.", True),
        ("Eva casó con Juan Gil, que fue alcalde.", True),
        ("El hijo de Juan Gil fue alcalde.", False),
    ],
)
def test_an_office_beside_a_name_is_held(text: str, good: bool) -> None:
    unit = passage(text)
    title = "Alcalde" if "Alcalde" in text else "alcalde"
    made = about(
        unit, Kind.RELATION, "OfficeHolding", proposer=MODEL,
        subject=anchor(unit, "Juan Gil", "Person"), object=anchor(unit, title, "Title"),
    )  # fmt: skip
    assert (verify(made, unit).label is Label.SUPPORTED) is good


@pytest.mark.parametrize(
    ("text", "who", "title", "language"),
    [
        ("Juan Gil fue nombrado alcalde de Belmira.", "Juan Gil", "alcalde", "es"),
        ("John Brown was appointed mayor.", "John Brown", "mayor", "en"),
        ("M. Luc Roy a été nommé trésorier.", "Luc Roy", "trésorier", "fr"),
        ("Delmas remplace M. Luc Roy comme maire.", "Delmas", "maire", "fr"),
        ("Juan Gil tomó posesión como alcalde.", "Juan Gil", "alcalde", "es"),
        ("Juan Gil, alcalde de Belmira, habló.", "Juan Gil", "alcalde", "es"),
        ("El alcalde Juan Gil habló.", "Juan Gil", "alcalde", "es"),
        ("Notre maire, M. Luc Roy.", "Luc Roy", "maire", "fr"),
        ("Vocal Capitán D. Pío Roy", "Pío Roy", "Vocal", "es"),
        ("Juan Gil ocupó el cargo de alcalde.", "Juan Gil", "alcalde", "es"),
        ("M. Luc Roy, notaire, est parti.", "Luc Roy", "notaire", "fr"),
    ],
)
def test_who_holds_an_office_is_told(text: str, who: str, title: str, language: str) -> None:
    assert holds(text, who, title, language) is Label.SUPPORTED


@pytest.mark.parametrize(
    ("text", "who", "title", "language"),
    [
        (
            "Presidente: Comandante D. Luis Sanz\nVocal: Capitán D. Pío Roy",
            "Luis Sanz",
            "Vocal",
            "es",
        ),
        ("Vocal: Ana Roy Alcalde: Juan Gil.", "Ana Roy", "Alcalde", "es"),
        ("Juan Pérez, alcalde Ana Ruiz y el cura llegaron.", "Juan Pérez", "alcalde", "es"),
        ("John Brown, mayor Tom Smith and others.", "John Brown", "mayor", "en"),
        ("M. Paul Corvel, son notaire Luc Roy.", "Paul Corvel", "notaire", "fr"),
        ("Juan Gil fue nombrado por el alcalde.", "Juan Gil", "alcalde", "es"),
        ("John Brown was appointed by the mayor.", "John Brown", "mayor", "en"),
        ("M. Luc Roy fut nommé par le maire.", "Luc Roy", "maire", "fr"),
        ("Luc Roy salua le maire nouvellement élu.", "Luc Roy", "maire", "fr"),
        ("John Brown went to the office of the mayor.", "John Brown", "mayor", "en"),
        ("El teniente de alcalde Juan Gil habló.", "Juan Gil", "alcalde", "es"),
        ("El candidato a alcalde Juan Gil habló.", "Juan Gil", "alcalde", "es"),
        ("The deputy mayor John Brown spoke.", "John Brown", "mayor", "en"),
        ("L'adjoint au maire Luc Roy parla.", "Luc Roy", "maire", "fr"),
        ("El ex alcalde Juan Gil habló.", "Juan Gil", "alcalde", "es"),
        ("El falso alcalde Juan Gil habló.", "Juan Gil", "alcalde", "es"),
        ("La viuda de Juan Pérez, alcalde.", "Juan Pérez", "alcalde", "es"),
        ("¿Era Juan Pérez, alcalde?", "Juan Pérez", "alcalde", "es"),
        ("John Brown was the mayor's son.", "John Brown", "mayor", "en"),
        ("Fue nombrado alcalde Luis Sanz por Juan Gil.", "Juan Gil", "alcalde", "es"),
    ],
)
def test_an_office_of_another_or_none_is_not_given(
    text: str, who: str, title: str, language: str
) -> None:
    assert holds(text, who, title, language) is not Label.SUPPORTED


def holds(text: str, who: str, title: str, language: str) -> Label:
    unit = passage(text, language)
    made = about(
        unit, Kind.RELATION, "OfficeHolding", proposer=MODEL,
        subject=anchor(unit, who, "Person"), object=anchor(unit, title, "Title"),
    )  # fmt: skip
    return verify(made, unit).label
