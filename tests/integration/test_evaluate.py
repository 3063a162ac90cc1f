"""`rdfkms evaluate` on a tiny folder of corpora, and on the real ones where they are there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from rdfkms.evaluation import governance, hipe, histories, tools
from rdfkms.evaluation import report as page
from tests.tools.small_run import command

HEADER = "\t".join(
    ["TOKEN", "NE-COARSE-LIT", "NE-COARSE-METO", "NE-FINE-LIT", "NE-FINE-METO", "NE-FINE-COMP",
     "NE-NESTED", "NEL-LIT", "NEL-METO", "MISC"]
)  # fmt: skip
SENTENCES = {
    "fr": "M./B-PER Rossel/I-PER quitte Lausanne/B-LOC .",
    "de": "Herr/B-PER Keller/I-PER reist nach Bern/B-LOC .",
    "en": "Mr./B-PER Hale/I-PER left London/B-LOC .",
}
PLAIN = {"PER": {"hipe2020": "pers", "letemps": "pers", "ajmc": "pers"},
         "LOC": {"hipe2020": "loc", "letemps": "loc", "ajmc": "loc"}}  # fmt: skip


def tsv(dataset: str, language: str) -> str:
    lines = [HEADER, f"# hipe2022:document_id = {dataset}-{language}-1"]
    for word in SENTENCES[language].split():
        token, _, label = word.partition("/")
        mark, _, type_ = label.partition("-")
        named = PLAIN.get(type_, {}).get(dataset, type_)
        if dataset == "topres19th" and type_ != "LOC":
            mark = ""
        cell = f"{mark}-{named}" if mark else "O"
        lines.append("\t".join([token, cell, *["_"] * 7, "_"]))
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shared folder with every file that the plans name, each of one tiny document."""
    root = tmp_path_factory.mktemp("shared")
    corpora = root / "data" / "corpora"
    extraction, ablation = tools.plan("extraction"), tools.plan("governance")
    files = {row["file"]: row["language"] for row in extraction["entities"]}
    files |= {file: row["language"] for row in ablation["names"] for file in row["files"]}
    for file, language in files.items():
        path = corpora / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(tsv(path.stem.rpartition("-")[0], language), encoding="utf-8")
    chapters = [
        {"doc_id": f"卷{n}", "text": "夏，京师地震。", "entities": [
            {"label": "自然-灾害-地震", "start_offset": 4, "end_offset": 6}]}
        for n in range(4)
    ]  # fmt: skip
    sentences = [
        {"id": f"s{n}", "text": "戊午，京师地震。", "event_list": [
            {"event_type": "地理/地震", "trigger": "地震", "trigger_start_index": 5, "arguments": [
                {"role": "时间", "argument": "戊午", "argument_start_index": 0}]}]}
        for n in range(4)
    ]  # fmt: skip
    pairs = {
        language: [{"document_id": "p1", "date": "1900-01-01", "text": text, "sampled_pairs": [
            {"pers_mentions_list": [person], "loc_mentions_list": [place], "at": "TRUE"}]}]
        for language, text, person, place in (
            ("fr", "Ida Morin vit à Arvelle.", "Ida Morin", "Arvelle"),
            ("de", "Ida Keller lebt in Bern.", "Ida Keller", "Bern"),
            ("en", "Ida Hale lives in London.", "Ida Hale", "London"),
        )
    }  # fmt: skip
    lines(corpora / "ched-events/dev/docs.jsonl", chapters)
    lines(corpora / "guwenee-events/dev/sentences.jsonl", sentences)
    for language, rows in pairs.items():
        lines(corpora / f"hipe-2026-relations/dev/relations.{language}.jsonl", rows)
    return root


def lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")


def test_extraction_is_scored_reported_and_exported(folder: Path, tmp_path: Path) -> None:
    json_file, html_file, export = tmp_path / "f.json", tmp_path / "f.html", tmp_path / "export"
    done = command(
        "evaluate", "extraction", "--shared", folder, "--json", json_file, "--html", html_file,
        "--export", export,
    )  # fmt: skip
    assert "Entities" in done.stdout
    result = json.loads(json_file.read_text(encoding="utf-8"))
    german = result["languages"]["de"]["ours"]["strict"]["micro"]
    assert (german["right"], german["true"], german["f1"]) == (8, 8, 1.0)
    assert result["languages"]["de"]["baseline"]["strict"]["micro"]["right"] == 4  # places alone
    triggers = result["events"]["ched"]["triggers"]["strict"]["micro"]
    assert triggers["right"] == triggers["true"] == triggers["predicted"]
    assert result["events"]["guwenee"]["roles"]["strict"]["types"]["time"]["f1"] == 1.0
    assert {row["corpus"] for row in result["data"]} >= {"hipe2020-fr", "ched"}
    html = html_file.read_text(encoding="utf-8")
    assert "<svg" in html
    assert "http" not in html.replace("http://www.w3.org", "")
    assert "<script" not in html
    written = (export / "hipe2020-de.tsv").read_text(encoding="utf-8").splitlines()
    assert written[2].startswith("Herr\tB-pers\t")
    exported = hipe.load(export / "hipe2020-de.tsv", "de", "hipe2020").documents[0]
    assert [(s.start, s.end, s.type) for s in exported.spans] == [
        (0, 11, "Person"), (23, 27, "Location"),
    ]  # fmt: skip
    lines_ = (export / "hipe2020-de.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines_]
    assert [one["text"] for one in found] == ["Herr Keller", "Bern"]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the small model away, and most faults: they need minutes."""
    from collections.abc import Iterator
    from contextlib import contextmanager

    from rdfkms.app import evaluating
    from rdfkms.errors import Missing
    from rdfkms.ports import Proposer

    @contextmanager
    def absent() -> Iterator[Proposer]:
        raise Missing("There is no model here.")
        yield

    monkeypatch.setattr(evaluating, "_small_model", absent)
    few = {**tools.plan("governance"), "most_faults": 6}
    monkeypatch.setattr(governance, "plan", lambda name: few)


@pytest.mark.slow
def test_governance_on_the_sample_and_a_tiny_folder(folder: Path, quick: None) -> None:
    from rdfkms.app import evaluating

    result = evaluating.evaluate("governance", folder, lambda *_: None)
    whole = result["all_gold_and_faults"]
    assert set(whole) == {"C0", "C1", "C2", "RAG"}
    assert whole["C0"]["kept"] == whole["C0"]["proposed"]
    assert whole["C0"]["r_valid"] < 1 == whole["C1"]["r_valid"]
    assert whole["C0"]["kept"] > whole["C1"]["kept"] > whole["C2"]["kept"] > 0
    assert whole["C0"]["r_mis"] >= whole["C1"]["r_mis"] > whole["C2"]["r_mis"]
    assert whole["RAG"]["r_mis"] > whole["C2"]["r_mis"]
    assert result["pointers"]["share"] == 1.0
    for fault in ("wrong unit", "altered quote", "leaked example", "unknown type"):
        row = result["faults"][fault]["all"]
        assert (row["made"] > 0, row["admitted"]) == (True, 0), fault
    assert result["faults"]["sound"]["all"]["admitted"] > 0
    assert result["settings"]["small model"] == "not asked: There is no model here."
    assert "Faults under C2" in page.html(result)


def test_an_absent_corpus_is_told_with_the_folder_looked_for(tmp_path: Path) -> None:
    done = command("evaluate", "extraction", "--shared", tmp_path, check=False)
    assert done.returncode == 4
    assert str(tmp_path / "data" / "corpora" / "hipe-2022") in done.stderr
    assert "RDFKMS_SHARED" in done.stderr


def test_a_measurement_of_another_name_is_refused(tmp_path: Path) -> None:
    assert command("evaluate", "beauty", check=False).returncode == 2


# ---- the real corpora --------------------------------------------------------------------------


def real(shared: Path, name: str) -> Path:
    path = shared / "data" / "corpora" / name
    if not path.is_dir():
        pytest.skip(f"the corpus {name} is not there")
    return path


def test_every_real_file_is_read_and_its_offsets_hold(shared: Path) -> None:
    for path in sorted(real(shared, "hipe-2022").glob("dev/*.tsv")):
        dataset, _, language = path.stem.rpartition("-")
        corpus = hipe.load(path, language, dataset)
        assert corpus.documents
        for document in corpus.documents:
            for span in document.spans:
                words = document.text[span.start : span.end]
                assert words == words.strip(), (path.name, words)
    chapters = real(shared, "ched-events") / "dev/docs.jsonl"
    halves = [histories.ched(chapters, half) for half in ("tuning", "measured", "all")]
    counts = [sum(len(d.events) for d in corpus.documents) for corpus in halves]
    assert counts[0] + counts[1] == counts[2] > 10_000


@pytest.mark.model
def test_our_names_beat_the_bare_finder_on_a_real_file(shared: Path, tmp_path: Path) -> None:
    from rdfkms.app import evaluating

    names = real(shared, "hipe-2022") / "dev"
    for other in ("ched-events", "guwenee-events"):
        real(shared, other)
    small = tmp_path / "shared" / "data" / "corpora"
    shutil.copytree(names, small / "hipe-2022" / "dev")
    for other in ("ched-events", "guwenee-events"):
        shutil.copytree(shared / "data" / "corpora" / other, small / other)
    result = evaluating.evaluate("extraction", tmp_path / "shared", lambda *_: None, limit=6)
    found = {
        language: [row[side]["strict"]["micro"]["f1"] for side in ("ours", "baseline")]
        for language, row in result["languages"].items()
    }
    if found["fr"][1] == 0.0:
        pytest.skip("spaCy or its models are not installed: no baseline")
    assert all(ours > baseline for ours, baseline in found.values()), found
