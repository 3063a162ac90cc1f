"""Tables and charts as plain values, which the report draws and JSON carries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rdfkms.evaluation.corpora import Corpus

Cell = str | int | float | None


def table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]], note: str = ""
) -> dict[str, Any]:
    """Return a table: title, columns, rows of cells and a note."""
    return {
        "title": title,
        "columns": list(columns),
        "rows": [list(row) for row in rows],
        "note": note,
    }


def chart(title: str, bars: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a bar chart of values from 0 to 1."""
    return {"title": title, "bars": [dict(one) for one in bars]}


def bar(label: str, micro: Mapping[str, Any]) -> dict[str, Any]:
    """Return a bar with its interval from the micro row of a table of scores."""
    return {
        "label": label,
        "value": micro["f1"],
        "low": micro.get("f1_low"),
        "high": micro.get("f1_high"),
    }


def by_type(title: str, types: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return a table with a row for each type."""
    columns = ("precision", "recall", "f1", "right", "predicted", "true")
    rows = [[name, *(row[column] for column in columns)] for name, row in types.items()]
    return table(title, ("type", *columns), rows)


def comparison(title: str, compared: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return a table of strict and relaxed micro scores, ours beside the baseline's."""
    rows: list[list[Cell]] = []
    for name, found in compared.items():
        for side, label in (("ours", "ours"), ("baseline", found["baseline_name"])):
            strict, relaxed = (found[side][how]["micro"] for how in ("strict", "relaxed"))
            span = f"{strict['f1_low']:.3f}-{strict['f1_high']:.3f}"
            rows.append(
                [name, label, strict["precision"], strict["recall"], strict["f1"], span,
                 relaxed["f1"], strict["true"]]
            )  # fmt: skip
    columns = (
        "corpus", "who", "precision", "recall", "F1 strict", "95 %", "F1 relaxed", "annotated"
    )  # fmt: skip
    return table(title, columns, rows)


def data_row(corpus: Corpus, passages: int) -> dict[str, Any]:
    """Return what was read: corpus, split, licence, counts, hashes, labels left out."""
    return {
        "corpus": corpus.name,
        "split": corpus.split,
        "licence": corpus.licence,
        "documents": len(corpus.documents),
        "passages": passages,
        "files": dict(corpus.hashes),
        "labels_without_a_type": dict(corpus.unmapped),
    }
