"""Phrases by which a passage only reports, read from a small grammar of each language.

``ingest/lexicons/reporting.<lang>.tsv`` holds classes of words (``%name``) and phrases made of
them with their kind; so "se dice", "se murmura" and "se le supone" are one row. The notation is
told in the files. A phrase is matched on the folded text, as the words of `admission.cues` are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from rdfkms import resources
from rdfkms.errors import Misconfigured
from rdfkms.knowledge import lexicons

JOINERS = "joiner"  # the class of words behind which a clause begins
GAP = r"(?:[^\s,;:.!?()]+ ){0,4}"
_HAN_TOKENS = re.compile(r"%[a-z]+\??|[^%?]+\??")
_STARTS = r"\A", r"(?<=[,;:.!?()-] )", r"(?<=[,;:.!?()-])"

Fold = Callable[[str], str]
Found = tuple[str, re.Pattern[str]]


def phrases(language: str, kinds: frozenset[str], fold: Fold, *, spaces: bool) -> tuple[Found, ...]:
    """Return kind and pattern of what the grammar of a language says; () where there is none.

    `fold` makes words as the text that is searched. Raises `Misconfigured` with file and row.
    """
    path = resources.file(f"ingest/lexicons/reporting.{language}.tsv")
    if not path.is_file():
        return ()
    classes: dict[str, list[str]] = {}
    rows: defaultdict[str, list[str]] = defaultdict(list)
    for row in lexicons.rows(path.stem):
        known = len(row) == 2 and (row[1] in kinds or (row[0][0] == "%" and " " in row[1]))
        if not known:
            raise Misconfigured(f"{path}: {row[0]!r}: needs the words of a class, or a kind.")
        if row[1] in kinds:
            rows[row[1]].append(row[0])
        else:
            classes[row[0][1:]] = [word.replace("_", " ") for word in row[1].split()]
    write = _spaced if spaces else _han
    return tuple(
        (kind, re.compile("|".join(write(phrase, classes, fold, path) for phrase in found)))
        for kind, found in sorted(rows.items())
    )


def _spaced(phrase: str, classes: Mapping[str, list[str]], fold: Fold, path: Path) -> str:
    """Return the expression of a phrase of words, bounded as a word is."""
    parts = list(_parts(phrase, classes, fold, path))
    # A word that ends in an apostrophe or a mark needs no space behind it.
    return rf"(?<![\w-]){''.join(parts)}(?:(?<=')|(?<=[,;.])|(?!\w))"


def _parts(phrase: str, classes: Mapping[str, list[str]], fold: Fold, path: Path) -> Iterator[str]:
    tokens = phrase.split()
    for number, token in enumerate(tokens):
        last = number == len(tokens) - 1
        if token == "^":
            joiners = (rf"(?<=\b{re.escape(fold(w))} )" for w in classes.get(JOINERS, ()))
            yield "(?:" + "|".join((*_STARTS, *joiners)) + ")"
        elif token == "..":
            yield GAP
        elif token == ",":
            yield ", ?"
        else:
            words = _alternatives(token.rstrip("?"), classes, fold, path)
            space = "" if last else r"(?: |(?<=')|(?=[,;.-]))"
            yield rf"(?:(?:{words}){space}){'?' if token.endswith('?') else ''}"


def _han(phrase: str, classes: Mapping[str, list[str]], fold: Fold, path: Path) -> str:
    """Return the expression of a phrase without spaces."""
    return "".join(
        f"(?:{_alternatives(token.rstrip('?'), classes, fold, path)})"
        + ("?" if token.endswith("?") else "")
        for token in _HAN_TOKENS.findall(phrase)
    )


def _alternatives(token: str, classes: Mapping[str, list[str]], fold: Fold, path: Path) -> str:
    words: list[str] = []
    for part in token.split("/"):
        if not part.startswith("%"):
            words.append(part.replace("_", " "))
        elif part[1:] in classes:
            words += classes[part[1:]]
        else:
            raise Misconfigured(f"{path}: {token!r}: there is no class {part!r}.")
    folded = sorted({fold(word) for word in words}, key=lambda word: (-len(word), word))
    return "|".join(re.escape(word) for word in folded)
