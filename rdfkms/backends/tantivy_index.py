"""Full text by tantivy; the text comes in words that the caller's `split` makes (DESIGN 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

import tantivy

from rdfkms.errors import Broken

_HEAP = 30_000_000  # bytes that the writer may hold
_FUZZY_FROM = 5  # shorter words have too many neighbours at distance 1
_FUZZY_WEIGHT = 0.25
_FOR_ONE = tantivy.Occur.Should
_FOR_ALL = tantivy.Occur.Must


class Split(Protocol):
    """A text taken apart: words (with pairs of Han characters) and single Han characters."""

    @property
    def words(self) -> tuple[str, ...]:
        """Words in order."""
        ...

    @property
    def singles(self) -> tuple[str, ...]:
        """Single Han characters in order."""
        ...


class TantivyIndex:
    """A full-text index in a folder. Any thread searches; one thread at a time changes."""

    name = "tantivy"
    version = metadata.version("tantivy")

    def __init__(
        self, folder: Path, split: Callable[[str], Split], split_query: Callable[[str], Split]
    ) -> None:
        self._split = split
        self._split_query = split_query
        folder.mkdir(parents=True, exist_ok=True)
        builder = tantivy.SchemaBuilder()
        for field in ("key", "kind", "graph", "record"):
            builder.add_text_field(field, stored=field == "key", tokenizer_name="raw")
        builder.add_text_field("words", tokenizer_name="given")
        builder.add_text_field("singles", tokenizer_name="given", index_option="freq")
        self._schema = builder.build()
        try:
            self._index = tantivy.Index(self._schema, path=str(folder))
        except (ValueError, OSError) as err:
            raise Broken(f"{folder}: the full-text index is damaged: {err}.") from err
        given = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
        self._index.register_tokenizer("given", given)
        self._writer: Any = None

    def _writing(self) -> Any:
        if self._writer is None:
            self._writer = self._index.writer(_HEAP, 1)
        return self._writer

    def add(self, documents: Sequence[Mapping[str, str]]) -> None:
        """Add or replace documents: fields key, kind, graph, text, record."""
        writer = self._writing()
        for document in documents:
            writer.delete_documents_by_term("key", document["key"])
            made = tantivy.Document()
            for field in ("key", "kind", "graph", "record"):
                made.add_text(field, document.get(field, ""))
            split = self._split(document["text"])
            made.add_text("words", " ".join(split.words))
            made.add_text("singles", " ".join(split.singles))
            writer.add_document(made)

    def remove(self, keys: Sequence[str]) -> None:
        """Remove the documents with these keys."""
        if keys:
            writer = self._writing()
            for key in keys:
                writer.delete_documents_by_term("key", key)

    def search(
        self, query: str, k: int, *, kind: str = "", graphs: Sequence[str] = (), record: str = ""
    ) -> list[tuple[str, float]]:
        """Return up to k (key, score) pairs with any of the words, best first."""
        split = self._split_query(query)
        wished = [self._word(word) for word in dict.fromkeys(split.words)]
        wished += [self._term("singles", single) for single in dict.fromkeys(split.singles)]
        if not wished or k < 1:
            return []
        parts = [(_FOR_ALL, tantivy.Query.boolean_query([(_FOR_ONE, word) for word in wished]))]
        if kind:
            parts.append((_FOR_ALL, self._filter("kind", [kind])))
        if record:
            parts.append((_FOR_ALL, self._filter("record", [record])))
        if graphs:
            parts.append((_FOR_ALL, self._filter("graph", graphs)))
        searcher = self._index.searcher()
        found = searcher.search(tantivy.Query.boolean_query(parts), k).hits
        return [(str(searcher.doc(address)["key"][0]), float(score)) for score, address in found]

    def _term(self, field: str, value: str) -> Any:
        return tantivy.Query.term_query(self._schema, field, value)

    def _filter(self, field: str, values: Sequence[str]) -> Any:
        any_of = [(_FOR_ONE, self._term(field, value)) for value in values]
        return tantivy.Query.const_score_query(tantivy.Query.boolean_query(any_of), 0.0)

    def _word(self, word: str) -> Any:
        """Return the query for a word and, weaker, for its neighbours (misread letters)."""
        exact = self._term("words", word)
        if len(word) < _FUZZY_FROM or not word.isascii() or not word.isalpha():
            return exact
        near = tantivy.Query.fuzzy_term_query(self._schema, "words", word, 1, True, False)
        weak = tantivy.Query.boost_query(near, _FUZZY_WEIGHT)
        return tantivy.Query.disjunction_max_query([exact, weak])

    def commit(self) -> None:
        """Make additions and removals visible and durable."""
        if self._writer is not None:
            self._writer.commit()
            self._writer.wait_merging_threads()
            self._writer = None
        self._index.reload()

    def size(self) -> int:
        """Return the number of documents."""
        return int(self._index.searcher().num_docs)
