"""HIPE-2022: annotated newspapers as TSV, a token a line, the passage rebuilt from its tokens.

A token is followed by nothing (flag NoSpaceAfter), by a line break (EndOfLine) or by a space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rdfkms.errors import BadInput
from rdfkms.evaluation import corpora
from rdfkms.evaluation.corpora import Corpus, Document, Span, Types

LICENCES = {"newseye": "CC BY 4.0", "sonar": "CC BY 4.0", "ajmc": "CC BY 4.0"}
NON_COMMERCIAL = "CC BY-NC-SA 4.0"
COLUMN, LINK = "NE-COARSE-LIT", "NEL-LIT"


@dataclass(frozen=True, slots=True)
class Token:
    """A token with its offsets in the rebuilt text, its IOB label and its link."""

    start: int
    end: int
    label: str
    link: str


@dataclass
class _Draft:
    """A document that is being read."""

    headers: dict[str, str] = field(default_factory=dict)
    pieces: list[str] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    length: int = 0

    def put(self, word: str, label: str, link: str, after: str) -> None:
        self.tokens.append(Token(self.length, self.length + len(word), label, link))
        self.pieces.append(word + after)
        self.length += len(word) + len(after)


def load(path: Path, language: str, dataset: str, split: str = "dev") -> Corpus:
    """Return the documents of a HIPE file; raises `BadInput` with the faulty line."""
    types = corpora.types(dataset)
    text = corpora.read_text(path)
    drafts = _drafts(text.splitlines(), path)
    documents = tuple(
        _document(draft, language, dataset, types, f"{path.stem}:{number}")
        for number, draft in enumerate(drafts, 1)
    )
    return Corpus(
        name=f"{dataset}-{language}",
        split=split,
        licence=LICENCES.get(dataset, NON_COMMERCIAL),
        documents=documents,
        hashes={path.name: corpora.digest(path)},
        unmapped=dict(types.missed),
    )


def _drafts(lines: Iterable[str], path: Path) -> Iterator[_Draft]:
    columns: list[str] = []
    draft = _Draft()
    for number, line in enumerate(lines, 1):
        if line.startswith("# "):
            name, _, value = line[2:].partition(" = ")
            if name.rpartition(":")[2] == "document_id" and draft.tokens:
                yield draft
                draft = _Draft()
            draft.headers.setdefault(name.rpartition(":")[2], value.strip())
        elif line.startswith("TOKEN\t"):
            columns = line.split("\t")
        elif line.strip():
            cells = dict(zip(columns, line.split("\t"), strict=False))
            if COLUMN not in cells or not cells["TOKEN"]:
                raise BadInput(f"{path}:{number}: no token with a column {COLUMN}.")
            draft.put(
                cells["TOKEN"], cells[COLUMN], cells.get(LINK, ""), _after(cells.get("MISC", ""))
            )
    if draft.tokens:
        yield draft


def _after(flags: str) -> str:
    given = flags.split("|")
    if "EndOfLine" in given:
        return "\n"
    return "" if "NoSpaceAfter" in given else " "


def _document(draft: _Draft, language: str, dataset: str, types: Types, fallback: str) -> Document:
    text = "".join(draft.pieces)
    spans = tuple(
        Span(first.start, last.end, label, types.of(label, "entity"), first.link.strip("_"))
        for label, first, last in _entities(draft.tokens)
    )
    headers = draft.headers
    return Document(
        key=headers.get("document_id", fallback),
        dataset=dataset,
        language=language,
        text=text,
        spans=spans,
        date=headers.get("date", ""),
    )


def _entities(tokens: Sequence[Token]) -> Iterator[tuple[str, Token, Token]]:
    """Yield label, first and last token; an I- without its B- begins an entity too."""
    open_: tuple[str, Token, Token] | None = None
    for token in tokens:
        mark, _, label = token.label.partition("-")
        if open_ is not None and mark == "I" and label == open_[0]:
            open_ = (label, open_[1], token)
            continue
        if open_ is not None:
            yield open_
        open_ = (label, token, token) if mark in ("B", "I") and label else None
    if open_ is not None:
        yield open_


# ---- writing -----------------------------------------------------------------------------------


def relabelled(
    lines: Sequence[str],
    spans_of: Callable[[str], Sequence[tuple[int, int, str]]],
    labels: Mapping[str, str],
) -> Iterator[str]:
    """Yield the lines of a file with predicted labels; all other columns of entities empty.

    `spans_of` gives the predictions of a document as (start, end, our type).
    """
    columns: list[str] = []
    length, spans, open_ = 0, list[tuple[int, int, str]](), -1
    for line in lines:
        if line.startswith("# "):
            name, _, value = line[2:].partition(" = ")
            if name.rpartition(":")[2] == "document_id":
                length, spans, open_ = 0, sorted(spans_of(value.strip())), -1
            yield line
            continue
        if line.startswith("TOKEN\t") or not line.strip():
            columns = line.split("\t") if line.strip() else columns
            yield line
            continue
        cells = dict(zip(columns, line.split("\t"), strict=False))
        word = cells["TOKEN"]
        at = _touched(spans, length, length + len(word))
        label = labels[spans[at][2]] if at >= 0 else ""
        mark = f"{'I' if at == open_ else 'B'}-{label}" if label else "O"
        open_ = at
        length += len(word) + len(_after(cells.get("MISC", "")))
        empty = {name: "_" for name in columns[1:-1]}
        yield "\t".join(
            {**empty, "TOKEN": word, COLUMN: mark, "MISC": cells.get("MISC", "")}[c]
            for c in columns
        )


def _touched(spans: Sequence[tuple[int, int, str]], start: int, end: int) -> int:
    found = (at for at, span in enumerate(spans) if span[0] < end and start < span[1])
    return next(found, -1)
