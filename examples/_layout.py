"""Setting of pages: where every character is printed, and the text in reading order.

The text of a page and its picture come from the same lines, so that they cannot drift.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from _markup import Piece, Placed, parse
from PIL import Image, ImageDraw, ImageFont

FONTS = {
    "prime": "/usr/share/fonts/opentype/courier-prime/Courier Prime.otf",
    "gnu": "/usr/share/fonts/truetype/gnutypewriter/GNUTypewriter.ttf",
    "garamond": "/usr/share/fonts/opentype/ebgaramond/EBGaramond12-Regular.otf",
    "oldstandard": "/usr/share/fonts/truetype/fonts-oldstandard/OldStandard-Regular.ttf",
    "ming": "/usr/share/fonts/opentype/noto/NotoSerifCJK-SemiBold.ttc",
    "kai": "/usr/share/fonts/truetype/lxgw-wenkai/LXGWWenKai-Bold.ttf",
}
CJK_FACE = {"ming": 3}
VOWELS = set("aeiouyàâéèêëîïôûùáíóúü")
SHEET = 1240
INK = 20


@dataclass(frozen=True)
class Line:
    """A printed line: its text, its place, and the width it is stretched to (0: none)."""

    text: str
    x: int
    y: int
    size: int
    stretch: int = 0


@dataclass
class Page:
    """A set page: its lines in reading order, its text, and the marks at their place."""

    font: str
    size: tuple[int, int] = (SHEET, 0)
    lines: list[Line] = field(default_factory=list)
    rules: list[tuple[int, int, int, int]] = field(default_factory=list)
    text: str = ""
    marks: list[Placed] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    def put(self, piece: Piece, lines: Sequence[tuple[int, int, bool]], join: str = "\n") -> None:
        """Append a paragraph that was broken into lines (start, end, hyphen)."""
        where: dict[int, int] = {}
        self.starts.append(len(self.text) + len(join) if self.text else 0)
        for start, end, hyphen in lines:
            if self.text:
                self.text += join
            for offset in range(start, end):
                where[offset] = len(self.text) + offset - start
            self.text += piece.text[start:end] + ("-" if hyphen else "")
        for mark in piece.marks:
            first, last = where[mark.start], where[mark.end - 1] + 1
            self.marks.append(Placed(first, last, mark.spec, mark.facts))


Measure = Callable[[str], float]


def load_font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """Open one of the fonts of ``FONTS``; raises OSError when it is not installed."""
    return ImageFont.truetype(FONTS[name], size, index=CJK_FACE.get(name, 0))


def missing_fonts() -> list[str]:
    """The font files that are not on this machine."""
    return [path for path in FONTS.values() if not Path(path).exists()]


def _split(word: str, room: float, measure: Measure) -> int:
    for cut in range(len(word) - 3, 2, -1):
        before, after, then = word[cut - 1], word[cut], word[cut + 1]
        good = before in VOWELS and after not in VOWELS and then in VOWELS
        if good and word.isalpha() and word[0].islower() and measure(word[:cut] + "-") <= room:
            return cut
    return 0


def wrap(text: str, width: float, measure: Measure, hyphens: bool) -> list[tuple[int, int, bool]]:
    """Break a paragraph into lines no wider than ``width``."""
    lines: list[tuple[int, int, bool]] = []
    start, at = 0, 0
    while start < len(text):
        end = start
        while True:
            stop = text.find(" ", at)
            stop = len(text) if stop < 0 else stop
            if measure(text[start:stop]) > width and end > start:
                break
            end, at = stop, stop + 1
            if stop == len(text):
                return [*lines, (start, end, False)]
        rest = text[end + 1 :].split(" ", 1)[0]
        room = width - measure(text[start : end + 1])
        cut = _split(rest, room, measure) if hyphens else 0
        lines.append((start, end + 1 + cut if cut else end, bool(cut)))
        start = at = end + 1 + cut
    return lines


def _typed(page: Page, piece: Piece, x: int, y: int, room: int, size: int, lead: int) -> int:
    font = load_font(page.font, size)
    lines = wrap(piece.text, room, font.getlength, False)
    page.put(piece, lines)
    for start, end, _ in lines:
        page.lines.append(Line(piece.text[start:end], x, y, size))
        y += lead
    return y


def typescript(source: dict[str, Any]) -> Page:
    """A typed page: an optional head in two columns, then paragraphs."""
    page = Page(source.get("font", "prime"))
    size, lead, margin = (26, 38, 100) if page.font == "prime" else (27, 40, 96)
    top = y = 70
    for column, x in (("left", margin), ("right", SHEET // 2 + 130)):
        at = top + (lead // 2 if x > margin else 0)
        for line in source.get(column, []):
            at = _typed(page, parse(line), x, at, SHEET // 2 - 150, size, lead)
        y = max(y, at)
    if source.get("left"):
        page.rules.append((SHEET // 2 + 80, top, SHEET // 2 + 80, y))
        y += 2 * lead
    for paragraph in source["body"]:
        y = _typed(page, parse(paragraph), margin, y, SHEET - 2 * margin, size, lead) + 14
    page.size = (SHEET, y + 60)
    return page


def newspaper(source: dict[str, Any]) -> Page:
    """A printed page: masthead over the whole width, then two justified columns."""
    page = Page(source.get("font", "garamond"))
    y, gap, margin = 50, 90, 60
    for number, head in enumerate(source.get("head", [])):
        size = (64, 30, 27)[min(number, 2)]
        piece, face = parse(head), load_font(page.font, size)
        page.put(piece, [(0, len(piece.text), False)])
        x = int((SHEET - face.getlength(piece.text)) / 2)
        page.lines.append(Line(piece.text, x, y, size))
        y += int(size * 1.45)
    page.rules.append((margin, y, SHEET - margin, y))
    top, bottom, room = y + 22, y, (SHEET - 2 * margin - gap) // 2
    size, lead = 30, 39
    font = load_font(page.font, size)
    for column, x in (("left", margin), ("right", margin + room + gap)):
        at = top
        for paragraph in source[column]:
            piece = parse(paragraph)
            lines = wrap(piece.text, room, font.getlength, True)
            page.put(piece, lines)
            for index, (start, end, hyphen) in enumerate(lines):
                text = piece.text[start:end] + ("-" if hyphen else "")
                stretch = room if index < len(lines) - 1 else 0
                page.lines.append(Line(text, x, at, size, stretch))
                at += lead
            at += 16
        bottom = max(bottom, at)
    page.rules.append((SHEET // 2, top, SHEET // 2, bottom - 16))
    page.size = (SHEET, bottom + 50)
    return page


def annals(source: dict[str, Any]) -> Page:
    """A page of vertical columns from right to left; every column is a line of the text."""
    page = Page(source.get("font", "ming"))
    size, pitch, gap, rows, margin = 50, 58, 112, source.get("rows", 16), 80
    columns: list[str] = []
    for paragraph in source["body"]:
        piece = parse(paragraph)
        count = len(piece.text)
        cuts = [(at, min(at + rows, count), False) for at in range(0, count, rows)]
        page.put(piece, cuts)
        columns += [piece.text[start:end] for start, end, _ in cuts]
    width = 2 * margin + gap * len(columns) - (gap - size)
    for number, column in enumerate(columns):
        x = width - margin - size - gap * number
        for row, sign in enumerate(column):
            page.lines.append(Line(sign, x, margin + pitch * row, size))
    page.size = (width, 2 * margin + pitch * rows)
    return page


def register(source: dict[str, Any]) -> Page:
    """A born-digital section: its text is the file, paragraphs apart by an empty line."""
    page = Page("")
    for paragraph in source["body"]:
        if page.text:
            page.text += "\n"
        for line in paragraph.split("\n"):
            piece = parse(line)
            page.put(piece, [(0, len(piece.text), False)])
    page.text += "\n"
    return page


SETTERS: dict[str, Callable[[dict[str, Any]], Page]] = {
    "court-martial": typescript,
    "newspaper": newspaper,
    "annals": annals,
    "register": register,
}


def draw(page: Page) -> Image.Image:
    """Print a set page, clean and black on white."""
    sheet = Image.new("L", page.size, 255)
    pen = ImageDraw.Draw(sheet)
    for rule in page.rules:
        pen.line(rule, fill=INK, width=2)
    fonts: dict[int, ImageFont.FreeTypeFont] = {}
    for line in page.lines:
        font = fonts.setdefault(line.size, load_font(page.font, line.size))
        if not line.stretch or " " not in line.text:
            pen.text((line.x, line.y), line.text, fill=INK, font=font)
            continue
        words = line.text.split(" ")
        free = line.stretch - sum(font.getlength(word) for word in words)
        x = float(line.x)
        for word in words:
            pen.text((x, line.y), word, fill=INK, font=font)
            x += font.getlength(word) + free / (len(words) - 1)
    return sheet
