"""CHED and GuwenEE: events in the Twenty-Four Histories, as JSON Lines.

Neither corpus comes with a training part here. Each is halved by a hash of the document's id:
words are learnt from the half ``tuning``, figures are given for the half ``measured``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from rdfkms.errors import BadInput
from rdfkms.evaluation import corpora
from rdfkms.evaluation.corpora import Argument, Corpus, Document, Happening, Span, Types

HALVES = ("tuning", "measured", "all")


def half_of(key: str) -> str:
    """Return the half that a document belongs to, by a hash of its id."""
    return HALVES[sha256(key.encode("utf-8")).digest()[0] % 2]


def ched(path: Path, half: str = "all") -> Corpus:
    """Return the chapters of CHED with their triggers."""
    return _load(path, "ched", "CC BY-NC 4.0", half, _chapter)


def guwenee(path: Path, half: str = "all") -> Corpus:
    """Return the sentences of GuwenEE with triggers and arguments."""
    return _load(path, "guwenee", "CC BY 4.0", half, _sentence)


def _load(
    path: Path, dataset: str, licence: str, half: str, read: Callable[[Any, Types], Document]
) -> Corpus:
    types = corpora.types(dataset)
    documents = []
    for number, row in rows(path):
        try:
            document = read(row, types)
        except (KeyError, TypeError, ValueError) as err:
            raise BadInput(
                f"{path}:{number}: a field is missing or of another form: {err}."
            ) from err
        documents.append(document)
    return Corpus(
        name=dataset,
        split=f"dev ({half})",
        licence=licence,
        documents=tuple(d for d in documents if half in ("all", half_of(d.key))),
        hashes={path.name: corpora.digest(path)},
        unmapped=dict(types.missed),
    )


def rows(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield line number and value of a JSON Lines file; raises `BadInput` naming the line."""
    for number, line in enumerate(corpora.read_text(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except ValueError as err:
            raise BadInput(f"{path}:{number}: not a line of JSON: {err}.") from err


def _chapter(row: dict[str, Any], types: Types) -> Document:
    text = row["text"]
    events = tuple(
        Happening(_trigger(text, e["start_offset"], e["end_offset"], e["label"], types))
        for e in sorted(row["entities"], key=lambda e: (e["start_offset"], e["end_offset"]))
    )
    return Document(str(row["doc_id"]), "ched", "lzh", text, events=events)


def _sentence(row: dict[str, Any], types: Types) -> Document:
    text = row["text"]
    events = []
    for event in row["event_list"]:
        start = event["trigger_start_index"]
        end = start + len(event["trigger"])
        trigger = _trigger(text, start, end, event["event_type"], types)
        arguments = tuple(_argument(text, one, types) for one in event["arguments"])
        events.append(Happening(trigger, arguments))
    return Document(str(row["id"]), "guwenee", "lzh", text, events=tuple(events))


def _trigger(text: str, start: int, end: int, label: str, types: Types) -> Span:
    _check(text, start, end)
    return Span(start, end, label, types.of(label, "event"))


def _argument(text: str, row: dict[str, Any], types: Types) -> Argument:
    start = row["argument_start_index"]
    end = start + len(row["argument"])
    _check(text, start, end)
    if text[start:end] != row["argument"]:
        raise ValueError(f"the argument {row['argument']!r} does not stand at {start}")
    return Argument(start, end, row["role"], types.of(row["role"], "role"))


def _check(text: str, start: int, end: int) -> None:
    if not 0 <= start < end <= len(text):
        raise ValueError(f"the span {start}-{end} is not within the text")
