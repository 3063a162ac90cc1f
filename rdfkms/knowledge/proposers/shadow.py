"""The shadow of a text: what patterns are matched on, each character tied to the raw text.

The shadow has single spaces for line breaks, printed hyphenation joined, specks between words
gone, typographic variants made equal and, where a profile says so, no accents. Spans found on it
lead back to exact spans of the raw text, so that a quote is always what was read (law 1).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_VARIANTS = str.maketrans(
    {"’": "'", "‘": "'", "ſ": "s", "—": "-", "–": "-", "―": "-", "\u00ad": "-", "\u00a0": " "}
    | dict.fromkeys("“”„«»", '"')
)
# In Chinese, marks in their western forms are readings of the full ones.
_HAN_MARKS = str.maketrans({",": "，", ".": "。", ";": "；", ":": "：", "．": "。", "｡": "。"})
# A hyphen at the end of a line goes with the break; before a capital only the break goes.
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad¬=]\n[ \t]{0,8}(?=[a-zà-öø-ÿ])")
_BREAK = re.compile(r"(?<=[^\W\d_]-)\n[ \t]{0,8}(?=[A-ZÀ-ÖØ-Þ])")


# Specks of faded or dirty paper that OCR reads as marks: before a word, alone, between two words.
_SPECK = re.compile(r"(?<=\s)(?:[.,:;·'’_°|~-]{1,2}(?=[^\W\d_])|[.,·'’_°|~=]{1,3}(?=\s))")
_GLUE = re.compile(r"(?<=[^\W\d_]{2})[._](?=[^\W\d_A-ZÀ-ÖØ-Þ])|_")


# Markup of born-digital registers: emphasis goes; an item or a field "Label: value" begins anew.
_EMPHASIS = re.compile(r"\*{2,3}|`|(?<!\w)__|__(?!\w)")
_ITEM = re.compile(r"\n(?=[ \t]{0,8}(?:[-*\u2022]|[0-9]{1,3}[.)]) )")
_FIELD = re.compile(
    r"(?<=[^\W_.,;:])\n(?=[ \t]{0,8}[A-ZÀ-ÖØ-Þ][^\n:.,;]{1,30}(?: ?: |[ \t]?(?:\.{4,200}|…{2,60})))"
)
# Dotted leaders lead from a label to its value as a colon does.
_LEADERS = re.compile(r"(?<=[^\W\d_])[ \t]{0,3}(?:\.{4,200}|…{2,60})(?=[ \t:]{0,3}\w)")
# A dash between words and a cell of a table part as a comma does.
_DASH = re.compile(r"(?<=[^\W\d_])[ \n][—–](?=\s)|(?<=\))[ \n][—–](?=\s)")
_ROW = re.compile(r"^[ \t]{0,8}\|.*$", re.MULTILINE)
_CELL = re.compile(r"\s*\|")


@dataclass(frozen=True, slots=True)
class Shadow:
    """`text[i]` stands for raw characters from `starts[i]` up to `ends[i]`."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the raw span of the non-empty shadow span [start, end)."""
        return self.starts[start], self.ends[end - 1]


def fold_accents(text: str) -> str:
    """Return `text` without combining marks; one character stays one."""
    return "".join(_bare(c) for c in text)


def _bare(character: str) -> str:
    if character.isascii():
        return character
    return unicodedata.normalize("NFD", character)[0]


def _layout(raw: str) -> tuple[set[int], dict[int, str]]:
    """Return what of the markup of `raw` goes, and what stands for the rest of it."""
    gone = {i for match in _EMPHASIS.finditer(raw) for i in range(*match.span())}
    put = {match.start(): ". " for match in _ITEM.finditer(raw)}
    put |= {match.start(): "; " for match in _FIELD.finditer(raw)}
    for match in _LEADERS.finditer(raw):
        gone |= set(range(match.start(), match.end() - 1))
        put[match.end() - 1] = ":"
    rows = [cell for row in _ROW.finditer(raw) for cell in _CELL.finditer(raw, *row.span())]
    for match in (*_DASH.finditer(raw), *rows):
        gone |= set(range(match.start(), match.end() - 1))
        put[match.end() - 1] = "," if raw[: match.start()].strip() else " "
    return gone, put


def cast(raw: str, *, spaces: bool = True, accents: bool = True) -> Shadow:
    """Return the shadow of `raw`; without `spaces` all white space goes (Chinese)."""
    breaks = [*_HYPHEN.finditer(raw), *_BREAK.finditer(raw)]
    breaks += _SPECK.finditer(raw) if spaces else ()
    joined = {i for match in breaks for i in range(match.start(), match.end())}
    glue = {match.start() for match in _GLUE.finditer(raw)} if spaces else set()
    gone, put = _layout(raw) if spaces else (set(), {})
    joined = (joined - set(put)) | gone
    text: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for at, character in enumerate(raw):
        if at in joined:
            continue
        if at in put:
            text += put[at]
            starts += [at] * len(put[at])
            ends += [at + 1] * len(put[at])
            continue
        space = character.isspace() or at in glue
        if space and not (spaces and text and text[-1] != " "):
            if spaces and text:
                ends[-1] = at + 1
            continue
        if unicodedata.combining(character) and text:
            if text[-1] != " ":
                composed = unicodedata.normalize("NFC", text[-1] + character)
                text[-1] = composed if accents and len(composed) == 1 else text[-1]
                ends[-1] = at + 1
            continue
        plain = " " if space else character.translate(_VARIANTS)
        plain = plain if spaces else plain.translate(_HAN_MARKS)
        text.append(plain if accents else _bare(plain))
        starts.append(at)
        ends.append(at + 1)
    return Shadow("".join(text), tuple(starts), tuple(ends))
