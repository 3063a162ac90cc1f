"""How links are counted, what is read as gold, and the figures that are published."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rdfkms import resources
from rdfkms.errors import BadInput, NotFound
from rdfkms.evaluation import linkedmentions, samplementions
from rdfkms.evaluation.linkcounts import exact, pairs, score
from rdfkms.evaluation.reconciliation import compared, evaluate, link, publish
from rdfkms.publish.linking_rules import linking_rules
from rdfkms.settings import GateSettings

SHARED = Path(os.environ.get("RDFKMS_SHARED", "../shared"))
HEAD = "TOKEN\tNE-COARSE-LIT\tNE-COARSE-METO\tNE-FINE-LIT\tNE-FINE-METO\tNE-FINE-COMP\tNE-NESTED"
HEAD += "\tNEL-LIT\tNEL-METO\tMISC"


def row(token: str, tag: str = "O", link: str = "_", misc: str = "_") -> str:
    return "\t".join([token, tag, "O", "O", "O", "O", "O", link, "_", misc])


def document(name: str, *rows: str, kind: str = "newspaper") -> list[str]:
    head = {"document_id": name, "language": "fr", "document_type": kind}
    return [*(f"# hipe2022:{key} = {value}" for key, value in head.items()), *rows]


def write(path: Path, *documents: list[str]) -> Path:
    path.write_text("\n".join([HEAD, *(line for d in documents for line in d)]), encoding="utf-8")
    return path


def test_pairs_are_counted_once() -> None:
    counted = pairs(["a", "a", "b", "b"], ["x", "x", "x", "y"])
    assert (counted.made, counted.true, counted.right) == (2, 3, 1)
    assert counted.scores()["precision"] == 0.5
    assert counted.scores()["recall"] == 0.3333
    assert pairs([], []).scores()["f1"] == 0.0


def test_a_file_is_read_with_its_spans_identifiers_and_records(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a-fr.tsv",
        document("d1", row("La", "B-loc", "Q1"), row("Chaux", "I-loc", "Q1", "EndOfLine"),
                 row("dit", "O"), row("Ana", "B-pers", "NIL", "NoSpaceAfter"), row(",")),
        document("livre_0001", row("Ajax", "B-pers", "Q2"), kind="commentary"),
        document("livre_0002", row("Ajax", "B-pers", "Q2"), kind="commentary"),
    )  # fmt: skip
    found = linkedmentions.read(path)
    told = [(m.candidate.quote, m.type, m.identifier) for m in found.mentions]
    assert told == [
        ("La Chaux", "Location", "Q1"), ("Ana", "Person", "NIL"), ("Ajax", "Person", "Q2"),
        ("Ajax", "Person", "Q2"),
    ]  # fmt: skip
    texts = [unit.raw.text for unit in found.units.values()]
    assert texts[0] == "La Chaux\ndit Ana, "
    records = [unit.record for unit in found.units.values()]
    assert records[1] == records[2] != records[0]
    for mention in found.mentions:
        text = found.units[mention.candidate.unit].raw.text
        assert text[mention.candidate.start : mention.candidate.end] == mention.candidate.quote
    # Pages of one book are one record: a single name goes on from page to page.
    labels = link(found)
    assert labels[2] == labels[3]


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "b.tsv"
    path.write_text(f"{HEAD}\nword\tO\n", encoding="utf-8")
    with pytest.raises(BadInput, match=":2"):
        linkedmentions.read(path)
    with pytest.raises(NotFound):
        evaluate(tmp_path)


def test_what_nobody_identified_is_counted_apart(tmp_path: Path) -> None:
    path = write(
        tmp_path / "c.tsv",
        document("d1", row("Paris", "B-loc", "Q90")),
        document("d2", row("Paris", "B-loc", "NIL")),
        document("d3", row("Paris", "B-loc", "Q90")),
        document("d4", row("Paris", "B-loc", "Q830149")),
    )
    collection = linkedmentions.read(path)
    scored = score([collection], lambda one: [exact(m) for m in one.mentions])
    assert (scored.whole.made, scored.whole.true, scored.whole.right) == (3, 1, 1)
    assert (scored.nil.true, scored.nil.made) == (1, 3)
    assert scored.beyond.made == scored.beyond.true == 0
    assert dict(scored.wrong) == {("Location", "Paris", "Paris"): 2}


def test_links_on_the_sample_are_right_and_find_what_equal_names_find() -> None:
    sample = resources.folder("examples") / "first"
    found = compared([samplementions.read(sample)], GateSettings())
    assert found["mentions"] > 300
    assert found["linked"]["precision"] >= 0.98
    assert found["linked"]["recall"] >= found["exact"]["recall"]
    assert found["linked"]["precision"] > found["exact"]["precision"]


@pytest.mark.skipif(not (SHARED / "data").is_dir(), reason="the shared corpora are not here")
def test_links_on_the_corpus_are_no_worse_than_equal_names(tmp_path: Path) -> None:
    figures = evaluate(SHARED)
    found = figures["corpora"]["hipe-2022 dev"]
    assert found["linked"]["recall"] >= found["exact"]["recall"]
    assert found["linked"]["precision"] >= found["exact"]["precision"]
    assert found["linked"]["worst_wrong"]
    publish(figures, "2026-01-31", tmp_path / "out.json")
    told = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert told["date"] == "2026-01-31"
    assert told["corpora"]["hipe-2022 dev"]["linked"]["precision"] == found["linked"]["precision"]
    assert "worst" not in (tmp_path / "out.json").read_text(encoding="utf-8")


@pytest.mark.skipif(not (SHARED / "data").is_dir(), reason="the shared corpora are not here")
def test_the_published_figures_are_those_of_these_rules() -> None:
    figures = evaluate(SHARED, sample=resources.folder("examples") / "first")
    told = {(f.corpus, f.kind): f for f in linking_rules().figures}
    for name, found in figures["corpora"].items():
        row = told[name, ""]
        assert row.precision == found["linked"]["precision"], name
        assert row.recall == found["linked"]["recall"], name
