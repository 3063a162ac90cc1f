"""Readers of annotated corpora, on tiny files written here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rdfkms.errors import BadInput, NotFound
from rdfkms.evaluation import corpora, export, gold, hipe, histories
from rdfkms.evaluation.corpora import Document, Happening, Span
from rdfkms.evaluation.metrics import Spot

HEADER = "\t".join(
    ["TOKEN", "NE-COARSE-LIT", "NE-COARSE-METO", "NE-FINE-LIT", "NE-FINE-METO", "NE-FINE-COMP",
     "NE-NESTED", "NEL-LIT", "NEL-METO", "MISC"]
)  # fmt: skip


def row(token: str, label: str = "O", misc: str = "_", link: str = "_") -> str:
    return "\t".join([token, label, "_", "_", "_", "_", "_", link, "_", misc])


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def tsv(tmp_path: Path) -> Path:
    return write(
        tmp_path / "newseye-fr.tsv",
        HEADER,
        "# hipe2022:document_id = doc-1",
        "# hipe2022:date = 1851-03-14",
        row("M", "B-PER", "NoSpaceAfter"),
        row(".", "I-PER"),
        row("Rossel", "I-PER", "EndOfLine", "Q1"),
        row("quitte"),
        row("Arvelle", "B-LOC", "NoSpaceAfter", "Q2"),
        row("."),
        "",
        "# hipe2022:document_id = doc-2",
        row("Arvelle", "B-LOC"),
        row("Morin", "B-PER", "NoSpaceAfter"),
        row("Morin", "B-PER"),
    )


def test_a_passage_is_rebuilt_from_its_tokens(tsv: Path) -> None:
    corpus = hipe.load(tsv, "fr", "newseye")
    first, second = corpus.documents
    assert (first.key, first.date, corpus.licence) == ("doc-1", "1851-03-14", "CC BY 4.0")
    assert first.text == "M. Rossel\nquitte Arvelle. "
    assert [(first.text[s.start : s.end], s.type, s.link) for s in first.spans] == [
        ("M. Rossel", "Person", ""),
        ("Arvelle", "Location", "Q2"),
    ]
    assert [second.text[s.start : s.end] for s in second.spans] == ["Arvelle", "Morin", "Morin"]
    assert corpus.hashes == {"newseye-fr.tsv": corpora.digest(tsv)}


def test_labels_without_a_type_of_ours_are_counted_and_new_ones_refused(tmp_path: Path) -> None:
    lines = (HEADER, "# hipe2022:document_id = d", row("v", "B-scope"), row("12", "I-scope"))
    corpus = hipe.load(write(tmp_path / "ajmc-de.tsv", *lines), "de", "ajmc")
    assert corpus.unmapped == {"scope": 1}
    assert corpus.documents[0].spans[0].type == ""
    strange = write(tmp_path / "x.tsv", HEADER, row("v", "B-dragon"))
    with pytest.raises(BadInput, match="dragon"):
        hipe.load(strange, "de", "ajmc")


def test_a_line_without_a_token_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"bad\.tsv:2"):
        hipe.load(write(tmp_path / "bad.tsv", HEADER, "\tO"), "fr", "newseye")


def test_predictions_go_back_into_the_tokens_of_the_corpus(tsv: Path) -> None:
    found = list(
        hipe.relabelled(
            tsv.read_text(encoding="utf-8").splitlines(),
            lambda key: [(0, 9, "Person")] if key == "doc-1" else [(8, 18, "Person")],
            {"Person": "PER"},
        )
    )
    labels = [tuple(line.split("\t")[:2]) for line in found if line and not line.startswith("#")]
    assert labels[1:4] == [("M", "B-PER"), (".", "I-PER"), ("Rossel", "I-PER")]
    assert labels[5] == ("Arvelle", "O")
    assert labels[-2:] == [("Morin", "B-PER"), ("Morin", "I-PER")]


def test_chapters_with_triggers(tmp_path: Path) -> None:
    chapter = {
        "doc_id": "卷一",
        "text": "春伐岑。大旱。",
        "entities": [
            {"label": "自然-天气", "start_offset": 4, "end_offset": 6},
            {"label": "军事-作战-攻击-征伐", "start_offset": 1, "end_offset": 2},
            {"label": "移动-到达", "start_offset": 0, "end_offset": 1},
        ],
    }
    path = write(tmp_path / "docs.jsonl", json.dumps(chapter, ensure_ascii=False))
    corpus = histories.ched(path)
    triggers = [e.trigger for e in corpus.documents[0].events]
    assert [(t.start, t.type) for t in triggers] == [
        (0, ""), (1, "MilitaryConflict"), (4, "NaturalPhenomenon"),
    ]  # fmt: skip
    assert corpus.unmapped == {"移动-到达": 1}
    halves = [len(histories.ched(path, half).documents) for half in ("tuning", "measured")]
    assert sorted(halves) == [0, 1]


def test_sentences_with_arguments_and_wrong_offsets(tmp_path: Path) -> None:
    event = {
        "event_type": "政治/任职管辖", "trigger": "授", "trigger_start_index": 4,
        "arguments": [{"role": "时间", "argument": "戊午", "argument_start_index": 0}],
    }  # fmt: skip
    sentence = {"id": "s1", "text": "戊午，衡授史。", "event_list": [event]}
    path = write(tmp_path / "sentences.jsonl", json.dumps(sentence, ensure_ascii=False))
    found = histories.guwenee(path).documents[0].events[0]
    assert (found.trigger.type, found.arguments[0].role) == ("InstitutionalChange", "time")
    event["arguments"] = [{"role": "时间", "argument": "戊午", "argument_start_index": 1}]
    bad = write(tmp_path / "bad.jsonl", json.dumps({**sentence, "event_list": [event]}))
    with pytest.raises(BadInput, match=r"bad\.jsonl:1.*does not stand"):
        histories.guwenee(bad)
    with pytest.raises(BadInput, match="not a line of JSON"):
        histories.guwenee(write(tmp_path / "worse.jsonl", "{"))


def test_person_place_pairs_are_placed_where_their_names_stand(tmp_path: Path) -> None:
    document = {
        "document_id": "d1", "date": "1900-01-01", "text": "Ida Morin quitte\nArvelle. Arvelle!",
        "sampled_pairs": [
            {"pers_mentions_list": ["Ida Morin"], "loc_mentions_list": ["Arvelle", "velle"],
             "at": "TRUE"}
        ],
    }  # fmt: skip
    corpus = gold.person_places(write(tmp_path / "r.jsonl", json.dumps(document)), "fr")
    spans = corpus.documents[0].spans
    assert [(s.start, s.end, s.type) for s in spans] == [
        (0, 9, "Person"), (17, 24, "Location"), (26, 33, "Location"),
    ]  # fmt: skip


def test_passages_are_cut_without_a_look_at_the_annotation() -> None:
    sentence = "Le maire de la ville d'Arvelle a lu son rapport devant le conseil réuni. "
    text = sentence * 12
    spans = (Span(23, 30, "LOC", "Location"), Span(len(text) - 5, len(text) - 1, "LOC", "Location"))
    events = (Happening(Span(3, 8, "x", "RitualEvent")),)
    document = Document("d1", "test", "fr", text, spans, events)
    found = corpora.passages([document], "press-fr")
    assert len(found) > 1
    assert [p.unit.ordinal for p in found] == list(range(1, len(found) + 1))
    for passage in found:
        raw = passage.unit.raw
        assert text[raw.start : raw.end] == raw.text
    spots = [spot for passage in found for spot in passage.spots()]
    assert [s.unit for s in spots] == [found[0].unit.key, found[-1].unit.key]
    assert found[0].unit.raw.text[spots[0].start : spots[0].end] == "Arvelle"
    assert len(found[0].events) == 1


def test_exported_lines_have_the_offsets_of_the_document(tmp_path: Path) -> None:
    text = "Ida Morin a lu son rapport devant tout le conseil. " * 40
    passages = corpora.passages([Document("d1", "test", "fr", text)], "press-fr")
    last = passages[-1]
    path = export.spots(tmp_path, "test", passages, [Spot("d1", last.unit.key, 0, 9, "Person")])
    line = json.loads(path.read_text(encoding="utf-8"))
    assert line["text"] == text[line["start"] : line["end"]] == "Ida Morin"
    assert line["start"] == last.unit.raw.start > 0


def test_an_absent_corpus_is_named_with_its_folder(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"data/corpora/hipe-2022"):
        corpora.folder(tmp_path, "hipe-2022")
