"""Predictions as HIPE TSV and JSON Lines, so that other scorers can run on them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rdfkms.evaluation import corpora, hipe
from rdfkms.evaluation.corpora import Corpus, Passage
from rdfkms.evaluation.metrics import Spot

Span = tuple[int, int, str]


def spots(target: Path, name: str, passages: Sequence[Passage], found: Sequence[Spot]) -> Path:
    """Write one JSON object a prediction; offsets are those of the document. Returns the file."""
    target.mkdir(parents=True, exist_ok=True)
    path = target / f"{name}.jsonl"
    texts = {passage.document.key: passage.document.text for passage in passages}
    lines = [
        json.dumps(
            {"document_id": key, "start": start, "end": end, "type": type_,
             "text": texts[key][start:end]},
            ensure_ascii=False,
        )
        for key, spans in in_documents(passages, found).items()
        for start, end, type_ in spans
    ]  # fmt: skip
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def in_documents(passages: Sequence[Passage], found: Sequence[Spot]) -> dict[str, list[Span]]:
    """Return predictions by document, in the document's offsets, in order of place."""
    starts = {passage.unit.key: passage.unit.raw.start for passage in passages}
    spans: defaultdict[str, list[Span]] = defaultdict(list)
    for spot in found:
        shift = starts[spot.unit]
        spans[spot.document].append((spot.start + shift, spot.end + shift, spot.type))
    return {key: sorted(spans[key]) for key in dict.fromkeys(p.document.key for p in passages)}


def hipe_tsv(
    target: Path, shared: Path, corpus: Corpus, passages: Sequence[Passage], found: Sequence[Spot]
) -> list[Path]:
    """Write the corpus's own tokens with our labels in the column of coarse entities."""
    target.mkdir(parents=True, exist_ok=True)
    labels = _labels(corpus)
    spans = in_documents(passages, found)
    written = []
    for name in corpus.hashes:
        lines = corpora.read_text(_source(shared, name)).splitlines()
        path = target / name
        relabelled = hipe.relabelled(lines, lambda key: spans.get(key, []), labels)
        path.write_text("".join(f"{line}\n" for line in relabelled), encoding="utf-8")
        written.append(path)
    return written


def _source(shared: Path, name: str) -> Path:
    found: Iterator[Path] = iter(
        sorted((shared / "data" / "corpora" / "hipe-2022").glob(f"*/{name}"))
    )
    return next(found)


def _labels(corpus: Corpus) -> Mapping[str, str]:
    """Return our types with the label that the corpus uses for each."""
    dataset = corpus.name.rpartition("-")[0]
    names = corpora.types(dataset).names
    return {type_: label for (_, label), type_ in reversed(names.items()) if type_}
