"""Cue words of a language, found in a passage: for statements, denial, hearsay and modality.

The words stand in ``ingest/lexicons/cues.<lang>.tsv`` (word, kind, statement, order of the ends),
phrases of reporting in ``reporting.<lang>.tsv``. They are matched on the shadow of the text (line
breaks, hyphenation, accents and case folded; Chinese in simplified characters), reported in raw
offsets.
"""

from __future__ import annotations

import bisect
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache

from rdfkms import resources
from rdfkms.admission import reporting
from rdfkms.errors import Misconfigured
from rdfkms.knowledge import lexicons
from rdfkms.knowledge.proposers import shadow

KINDS = frozenset(
    {
        "cue",
        "negation",
        "denial",
        "hearsay",
        "modality",
        "aside",
        "boundary",
        "formula",
        "correction",
        "insertion",
        "truth",
        "complementiser",
        "attribution",
        "source",
        "title",
        "connective",
        "copula",
        "speech",
    }
)
# Kinds that `admission.spent` and `admission.embedding` ask for; by themselves they hedge nothing.
INNER = (
    "correction", "insertion", "truth", "complementiser", "connective", "copula", "attribution",
    "source", "speech", "title",
)  # fmt: skip
# Words so short are other words with other accents: "más" is no "mas", "né" no "ne".
SHORT = 3
_NEVER = re.compile(r"(?!)")
HAN = "zh"
_FILES = {"lzh": HAN, "chi": HAN, "cmn": HAN}
_END = re.compile(r"(?<=[^\W\d_]{3})[.;!?](?=\s|$)|(?<=\d)[.;](?=\s|$)|[。！？；]|\n\s*\n")


@dataclass(frozen=True, slots=True)
class Hit:
    """A cue word in the text: raw span, its kind and words."""

    start: int
    end: int
    kind: str
    surface: str


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue for a statement: raw span, and in which order it stands with the ends ("" = any)."""

    start: int
    end: int
    order: str


@dataclass(frozen=True, slots=True)
class Rules:
    """The compiled word lists of one language, and whether it is written without spaces.

    `short` holds the short words of the lists with their accents; `orders` the order in which a
    cue (statement, folded word) stands with its ends.
    """

    language: str
    kinds: tuple[tuple[str, re.Pattern[str]], ...]
    statements: dict[str, re.Pattern[str]]
    spaces: bool
    short: frozenset[str] = frozenset()
    inner: tuple[tuple[str, re.Pattern[str]], ...] = ()
    orders: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def of(self, kind: str) -> re.Pattern[str]:
        """Return the pattern of a kind of `INNER`, on folded text; matches nothing if unlisted."""
        return dict(self.inner).get(kind, _NEVER)


@dataclass(frozen=True, slots=True)
class Marked:
    """A passage with its hedges and sentence ends, ready for many questions."""

    text: str
    shadow: shadow.Shadow
    folded: str
    hits: tuple[Hit, ...]
    ends: tuple[int, ...]  # raw offsets just behind each end of a sentence

    def sentence(self, start: int, end: int) -> tuple[int, int]:
        """Return the raw span of the sentences that the span touches."""
        before = bisect.bisect_right(self.ends, start)
        after = bisect.bisect_left(self.ends, end)
        first = self.ends[before - 1] if before else 0
        return first, self.ends[after] if after < len(self.ends) else len(self.text)


def rules(language: str) -> Rules:
    """Return the rules of a BCP 47 language; one without a word list has none, so no cues."""
    primary = language.lower().partition("-")[0]
    return _rules(_FILES.get(primary, primary))


@cache
def _rules(name: str) -> Rules:
    path = resources.file(f"ingest/lexicons/cues.{name}.tsv")
    spaces = name != HAN
    if not re.fullmatch(r"[a-z]{2,8}", name) or not path.is_file():
        return Rules(name, (), {}, spaces)
    by_kind: defaultdict[str, list[str]] = defaultdict(list)
    by_statement: defaultdict[str, list[str]] = defaultdict(list)
    orders: dict[tuple[str, str], str] = {}
    for row in lexicons.rows(f"cues.{name}"):
        if len(row) < 2 or row[1] not in KINDS or (row[1] == "cue") != (2 < len(row) < 5):
            raise Misconfigured(f"{path}: {row[0]!r}: needs a kind, and a cue its statement.")
        if row[1] == "cue":
            by_statement[row[2]].append(row[0])
            if len(row) == 4 and set(row[3]) <= set("soc"):
                orders[row[2], _fold(row[0], name)] = row[3]
        else:
            by_kind[row[1]].append(row[0])
    compiled = [(kind, _pattern(words, name)) for kind, words in sorted(by_kind.items())]
    told = reporting.phrases(name, KINDS, lambda word: _fold(word, name), spaces=spaces)
    kinds = tuple(pair for pair in (*compiled, *told) if pair[0] not in INNER)
    inner = tuple(pair for pair in (*compiled, *told) if pair[0] in INNER)
    short = {_accented(word) for words in by_kind.values() for word in words if len(word) <= SHORT}
    statements = {cue: _pattern(words, name) for cue, words in by_statement.items()}
    return Rules(name, kinds, statements, spaces, frozenset(short), inner, orders)


def _pattern(words: list[str], name: str) -> re.Pattern[str]:
    spaces = name != HAN
    folded = sorted({_fold(word, name) for word in words}, key=lambda word: (-len(word), word))
    alternatives = "|".join(re.escape(word) for word in folded)
    # An elided word such as n' has no boundary behind it.
    return re.compile(rf"(?<!\w)(?:{alternatives})(?:(?<=')|(?!\w))" if spaces else alternatives)


@lru_cache(maxsize=512)
def mark(text: str, language: str) -> Marked:
    """Return the passage with the hedges of its language."""
    known = rules(language)
    cast = shadow.cast(text, spaces=known.spaces, accents=False)
    folded = _plain(_lower(cast.text), known.language)
    hits = [
        Hit(*span, kind, text[slice(*span)])
        for kind, pattern in known.kinds
        for match in pattern.finditer(folded)
        for span in [cast.raw_span(*match.span())]
        if not _other_word(known, match[0], text[slice(*span)])
    ]
    ends = [match.end() for match in _END.finditer(text)]
    hits.sort(key=lambda hit: (hit.start, hit.end, hit.kind))
    return Marked(text, cast, folded, tuple(_outside_formulas(hits)), tuple(ends))


def _other_word(known: Rules, word: str, surface: str) -> bool:
    """Return whether a short word of the text is another one by its accents."""
    return known.spaces and len(word) <= SHORT and _accented(surface) not in known.short


def _accented(word: str) -> str:
    return _lower(shadow.cast(word).text.strip())


def _outside_formulas(hits: list[Hit]) -> Iterator[Hit]:
    """Yield the hedges; a word in a set phrase, as in "supuesto delito", hedges nothing else."""
    formulas = [hit for hit in hits if hit.kind == "formula"]
    for hit in hits:
        within = any(f.start <= hit.start and hit.end <= f.end for f in formulas)
        if hit.kind != "formula" and not within:
            yield hit


def found(marked: Marked, statement: str, language: str, start: int, end: int) -> Iterator[Cue]:
    """Yield the cues for the statement in the raw span, in order of place."""
    known = rules(language)
    pattern = known.statements.get(statement)
    if pattern is None:
        return
    starts = marked.shadow.starts
    first, last = bisect.bisect_left(starts, start), bisect.bisect_left(starts, end)
    for match in pattern.finditer(marked.folded, first, last):
        span = marked.shadow.raw_span(*match.span())
        if start <= span[0] and span[1] <= end:
            yield Cue(*span, known.orders.get((statement, match[0]), ""))


def folded(text: str) -> str:
    """Return a stretch of text as the patterns of `Rules` want it: folded, trimmed."""
    return _fold(text)


def plain(text: str) -> str:
    """Return Chinese text as its patterns want it: in simplified characters."""
    return _plain(text, HAN)


def _fold(word: str, name: str = "") -> str:
    return _plain(_lower(shadow.cast(word, accents=False).text.strip()), name)


def _plain(text: str, name: str) -> str:
    """Return Chinese in simplified characters, one for one: the lists are in traditional ones."""
    return text.translate(_simplified()) if name == HAN else text


@cache
def _simplified() -> dict[int, str]:
    return {ord(row[0]): row[1] for row in lexicons.rows("simplified.lzh") if len(row[1]) == 1}


def _lower(text: str) -> str:
    """Lower case, character for character, so that offsets stay."""
    return "".join(low if len(low := c.lower()) == 1 else c for c in text)
