"""Learn which words report which events in the histories: writes ingest/lexicons/triggers.lzh.tsv.

    python benchmarks/learn_triggers.py --shared DIR > ingest/lexicons/triggers.lzh.tsv

Learnt from the half `tuning` of GuwenEE alone (`rdfkms.evaluation.histories`; CC BY 4.0); the half
`measured` is for figures. No other corpus is read: CHED is for non-commercial use, and a list made
from it could not be shipped. A word is listed where it is annotated with one type of event at least
twice and in a fifth of its places. Characters before or after it that all but rule an event out are
listed with it; the row ``*`` holds those that do so for any trigger of one character. The words of
``triggers-own.lzh.tsv``, written from general knowledge, are added.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rdfkms.evaluation import corpora, histories
from rdfkms.evaluation.corpora import Document
from rdfkms.knowledge import lexicons

SHARE, LEAST = 0.2, 2  # of the places of a word
HIDDEN_SHARE, HIDDEN_LEAST = 0.2, 2  # beside one word
ANY_RATIO, ANY_LEAST = 0.4, 15  # beside any word, against what those words would make expect
WIDE_SHARE = 0.1  # words over which the ratio is taken
LONGEST = 4

HEAD = """# Words that report events in classical Chinese: word, event type, characters that may
# not stand before it, characters that may not stand behind it; the row "*" is for any word of one
# character. Written by benchmarks/learn_triggers.py: counted on one half of GuwenEE (CC BY 4.0, see
# NOTICE), with the words of triggers-own.lzh.tsv."""
OWN = "triggers-own.lzh"


def events(documents: Sequence[Document]) -> Iterator[tuple[Document, int, int, str]]:
    """Yield document, start, end and type of each event that has a type of ours."""
    for document in documents:
        for event in document.events:
            if event.trigger.type:
                yield document, event.trigger.start, event.trigger.end, event.trigger.type


def lexicon(documents: Sequence[Document], share: float) -> dict[str, str]:
    """Return word -> event type."""
    types: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for document, start, end, type_ in events(documents):
        types[document.text[start:end]][type_] += 1
    found = {}
    for word, counts in types.items():
        type_, count = counts.most_common(1)[0]
        places = sum(document.text.count(word) for document in documents)
        if count >= LEAST and len(word) <= LONGEST and count / places >= share:
            found[word] = type_
    return found


def places(text: str, words: Mapping[str, str]) -> Iterator[tuple[int, int]]:
    """Yield the places of listed words, the longest first, without overlap."""
    at = 0
    while at < len(text):
        for length in range(min(LONGEST, len(text) - at), 0, -1):
            if text[at : at + length] in words:
                yield at, at + length
                at += length
                break
        else:
            at += 1


def main() -> None:
    """Print the list."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shared", type=Path, required=True)
    shared = parser.parse_args().shared
    path = corpora.folder(shared, "guwenee-events") / "dev/sentences.jsonl"
    documents = histories.guwenee(path, "tuning").documents
    wide = lexicon(documents, WIDE_SHARE)
    seen: defaultdict[tuple[str, int, str], list[bool]] = defaultdict(list)
    hits: defaultdict[str, list[bool]] = defaultdict(list)
    true = {(id(d), start, end, type_) for d, start, end, type_ in events(documents)}
    beside: defaultdict[tuple[int, str], list[tuple[str, bool]]] = defaultdict(list)
    for document in documents:
        for start, end in places(document.text, wide):
            word = document.text[start:end]
            right = (id(document), start, end, wide[word]) in true
            hits[word].append(right)
            for side, character in enumerate(
                (document.text[start - 1 : start] if start else "", document.text[end : end + 1])
            ):
                if "\u4e00" <= character <= "\u9fff":
                    seen[word, side, character].append(right)
                    beside[side, character].append((word, right))
    mean = {word: sum(found) / len(found) for word, found in hits.items()}
    found = {"*": ("-", _any(beside, mean, 0), _any(beside, mean, 1))}
    for word, type_ in sorted(lexicon(documents, SHARE).items()):
        found[word] = (type_, _hidden(seen, word, 0), _hidden(seen, word, 1))
    for word, type_, *sides in lexicons.rows(OWN):
        old = found.get(word, (type_, "", ""))
        own = (side.strip("-") for side in sides)
        before, behind = ("".join(sorted({*a, *b})) for a, b in zip(old[1:], own, strict=True))
        found[word] = (old[0], before, behind)
    print(HEAD)
    for word, (type_, before, behind) in found.items():
        print("\t".join((word, type_, before or "-", behind or "-")))


def _hidden(seen: Mapping[tuple[str, int, str], list[bool]], word: str, side: int) -> str:
    return "".join(
        sorted(
            character
            for (w, s, character), found in seen.items()
            if (w, s) == (word, side)
            and len(found) >= HIDDEN_LEAST
            and sum(found) / len(found) <= HIDDEN_SHARE
        )
    )


def _any(
    beside: Mapping[tuple[int, str], list[tuple[str, bool]]], mean: Mapping[str, float], side: int
) -> str:
    return "".join(
        sorted(
            character
            for (s, character), found in beside.items()
            if s == side
            and len(found) >= ANY_LEAST
            and sum(right for _, right in found) <= ANY_RATIO * sum(mean[w] for w, _ in found)
        )
    )


if __name__ == "__main__":
    main()
