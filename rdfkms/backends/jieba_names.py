"""Names in Chinese by jieba's word classes and an authority list (port NameFinder)."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from rdfkms.errors import Missing
from rdfkms.ports import FoundName

CLASSES = {"nr": "Person", "ns": "Location", "nt": "OrganizationState"}
LONGEST = 50_000


class JiebaNames:
    """Finds names of the authority list (name -> entity type), and jieba's own guesses.

    `guesses=False` keeps to the list: jieba's classes are made for modern Chinese and find false
    names in classical texts.
    """

    name = "jieba"

    def __init__(
        self, authority: Mapping[str, str] | None = None, *, guesses: bool = False
    ) -> None:
        self._authority = dict(authority or {})
        self._guesses = guesses
        self._tagger: Any = None
        try:
            self.version = version("jieba")
        except PackageNotFoundError as err:
            raise Missing(
                "jieba is not installed.", hint="Install rdfkms with the extra `local`."
            ) from err

    def find(self, text: str, language: str) -> list[FoundName]:
        """Return names in order of place; languages other than Chinese give an empty list."""
        if language not in {"lzh", "zh"} and not language.startswith("zh-"):
            return []
        # Line breaks of vertical columns run through names: the text is read without them.
        places = [i for i, character in enumerate(text[:LONGEST]) if not character.isspace()]
        joined = "".join(text[i] for i in places)
        found = []
        at = 0
        for word, class_ in self._words(joined):
            type_ = self._authority.get(word)
            if type_ is None and self._guesses and len(word) > 1:
                type_ = CLASSES.get(class_[:2])
            if type_ is not None:
                found.append(FoundName(places[at], places[at + len(word) - 1] + 1, type_))
            at += len(word)
        return found

    def _words(self, text: str) -> list[tuple[str, str]]:
        if self._tagger is None:
            self._tagger = _tagger(self._authority)
        return [(pair.word, pair.flag) for pair in self._tagger.cut(text)]


def _tagger(authority: Mapping[str, str]) -> Any:
    with warnings.catch_warnings():
        # jieba 0.42 has escapes in its sources that newer Pythons warn of.
        warnings.simplefilter("ignore")
        import jieba
        import jieba.posseg
    jieba.setLogLevel(logging.ERROR)
    tokenizer = jieba.Tokenizer()
    for word in authority:
        tokenizer.add_word(word, freq=100_000, tag="nr")
    return jieba.posseg.POSTokenizer(tokenizer)
