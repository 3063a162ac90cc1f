"""The figures of verification: measures against cases worked by hand, and the goals on corpora."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from rdfkms.admission import textual
from rdfkms.errors import BadInput, NotFound
from rdfkms.evaluation import claim_corpora, verification
from rdfkms.evaluation.claim_corpora import Grade, Pair
from rdfkms.evaluation.verification import Judgement
from rdfkms.model import Label, Reason, Verification

S, O_, U = Grade.SUPPORTED, Grade.OVERREACHING, Grade.UNSUPPORTED
C = Grade.CONTRADICTED


def test_macro_f1_is_the_mean_of_the_grades() -> None:
    gold, said = [S, S, O_, U], [S, O_, O_, O_]
    # supported 1/1 and 1/2: 2/3; overreaching 1/3 and 1/1: 1/2; unsupported: 0
    assert verification.macro_f1(gold, said, [S, O_, U]) == pytest.approx(
        (2 / 3 + 0.5) / 3, abs=1e-4
    )


@pytest.mark.parametrize(
    ("label", "code", "grades", "grade"),
    [
        (Label.SUPPORTED, "saidInPassage", [S, U], S),
        (Label.UNSUPPORTED, "contradicted", [S, U, C], C),
        (Label.UNSUPPORTED, "contradicted", [S, O_, U], O_),
        (Label.UNSUPPORTED, "contradicted", [S, U], U),
        (Label.UNSUPPORTED, "hardlySpeaks", [S, O_, U, C], U),
        (Label.OVERREACHING, "nameUnstated", [S, O_, U], O_),
        (Label.PARTIAL, "wordsUnstated", [S, O_, U], O_),
        (Label.AMBIGUOUS, "scattered", [S, U, C], U),
    ],
)
def test_a_finding_amounts_to_a_grade_of_the_corpus(
    label: Label, code: str, grades: list[Grade], grade: Grade
) -> None:
    assert verification.grade_of(Verification(label, (Reason(code, ""),)), grades) is grade


def judged(gold: Grade, score: float) -> Judgement:
    label = Label.SUPPORTED if score >= 0.68 else Label.OVERREACHING
    pair = Pair("k", "c", ("e",), gold, "en", "g")
    return Judgement(pair, Verification(label, score=score), S)


def test_the_curve_and_the_rate_of_overreach() -> None:
    cases = [judged(S, 0.9), judged(O_, 0.8), judged(S, 0.7), judged(S, 0.3), judged(U, 0.2)]
    curve = verification.curve(cases)
    assert [p["threshold"] for p in curve] == [0.9, 0.8, 0.7, 0.3, 0.2]
    assert [p["supported_recall"] for p in curve] == [0.3333, 0.3333, 0.6667, 1.0, 1.0]
    assert [p["overreaching_passed"] for p in curve] == [0.0, 1.0, 1.0, 1.0, 1.0]
    found = verification.overreach(cases)
    assert found["threshold"] == 0.7 and found["passed_wrong"] == 0.3333
    assert found["shipped"] == 1.0 and found["shipped_supported_recall"] == 0.6667


def corpus(folder: Path, rows: Sequence[object]) -> Path:
    place = folder / "data" / "corpora" / "claims-begin" / "dev"
    place.mkdir(parents=True)
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (place / "turns.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def row(response: str, knowledge: str, label: str) -> dict[str, str]:
    return {"response": response, "knowledge": knowledge, "begin_label": label}


def test_a_corpus_is_split_by_document(tmp_path: Path) -> None:
    rows = [row(f"r{n}", f"k{n % 7}", "Generic") for n in range(70)]
    found = claim_corpora.load(corpus(tmp_path, rows), "claims-begin")
    tune, report = (found.part(name) for name in claim_corpora.PARTS)
    assert len(tune) + len(report) == 70 and tune and report
    assert not {pair.group for pair in tune} & {pair.group for pair in report}
    assert found.grades == (U,)


def test_what_is_no_pair_is_named_by_its_line(tmp_path: Path) -> None:
    shared = corpus(tmp_path, [row("r", "k", "Generic"), row("r", "k", "Perhaps")])
    with pytest.raises(BadInput, match="line 2"):
        claim_corpora.load(shared, "claims-begin")
    with pytest.raises(NotFound, match="no corpus file"):
        claim_corpora.load(shared, "claims-wice")


def test_the_figures_name_settings_confusion_and_worst_cases(tmp_path: Path) -> None:
    rows = []
    for n in range(40):
        said = f"the mayor of town {n} resigned"
        rows.append(row(said, f"{said} in spring.", "Fully attributable"))
        rows.append(row(f"the queen of land {n} danced", said, "Not fully attributable"))
    rows.append(row("the miller wed", "the miller wed", "Not fully attributable"))
    found = verification.evaluate(corpus(tmp_path, rows), ["claims-begin"])
    assert found["settings"]["supported_from"] == textual.SUPPORTED
    figures = found["corpora"]["claims-begin"]
    whole = figures["whole"]
    assert whole["confusion"]["supported"] == {"supported": 40, "unsupported": 0}
    assert whole["confusion"]["unsupported"]["unsupported"] == 40
    assert whole["macro_f1"]["majority"] < 0.5 < whole["macro_f1"]["overlap"]
    assert sum(figures["pairs"].values()) == 81
    json.dumps(found)


@pytest.mark.parametrize("name", list(claim_corpora.SOURCES))
def test_the_rules_are_better_than_both_baselines(shared: Path, name: str) -> None:
    figures = verification.evaluate(shared, [name])["corpora"][name]
    for part in ("report", "whole"):
        f1 = figures[part]["macro_f1"]
        assert f1["rules"] > f1["overlap"] and f1["rules"] > f1["majority"], (part, f1)
    reach = figures["report"]["overreach"]
    assert reach["supported_recall"] >= 0.5 and reach["overreaching_passed"] < 0.2
