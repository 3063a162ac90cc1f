"""UTF-8 text and Markdown to sections (the pages of a born-digital text) and passages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rdfkms.errors import BadInput, TooLarge
from rdfkms.ingest import language as lang
from rdfkms.ingest.profiles import Profile
from rdfkms.ingest.segmentation import Span, anomalous, split
from rdfkms.model import Flag
from rdfkms.settings import ReadingSettings

LONG_SECTION = 20_000  # code points; a longer one is paged at a paragraph's end
SHORT_ITEM = 3  # words; a shorter list item is not cited by itself
_BOMS = ((b"\xff\xfe\x00\x00", "UTF-32"), (b"\x00\x00\xfe\xff", "UTF-32"),
         (b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))  # fmt: skip
# Not allowed in XML, or invisible: each is replaced one for one, so that offsets hold.
_CONTROL = re.compile("[\x01-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\ufdd0-\ufdef]")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_QUOTE = re.compile(r"(?:[ \t]*>[ \t]?)+")
_RULE = re.compile(r"[ \t]*(?:[-*_][ \t]*){3,}$|[ \t|:+=-]*$")
_STOP = re.compile(r"[.!?…。！？」]['\"»”’)\]*_]*\s*$")
_WORDLIKE = re.compile(r"[^\W_]")
_MISSING = re.compile("[\ufffd\u25a1\ue000-\uf8ff\ufffc]")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands below it: a page of a born-digital text."""

    number: int
    heading: str
    path: str
    text: str


def decode(data: bytes) -> str:
    """Return the text of UTF-8 bytes, line breaks as LF; `BadInput` says how to convert.

    A byte order mark is dropped. Control characters become U+FFFD one for one.
    """
    if not data:
        raise BadInput("The file is empty.", hint="Copy it again.")
    for mark, name in _BOMS:
        if data.startswith(mark):
            raise _other(f"The text is {name}, not UTF-8", name)
    zero = data.find(b"\x00")
    if zero >= 0:
        if data[:4000].count(b"\x00") * 3 > min(len(data), 4000):
            raise _other("The text looks like UTF-16, not UTF-8", "UTF-16LE")
        raise BadInput(
            f"The text holds a NUL byte at byte {zero}.",
            hint="It is damaged or no text; remove the bytes, e.g. `tr -d '\\000' < in > out`.",
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as err:
        raise _other(
            f"The text is not UTF-8 (byte {err.start} is 0x{data[err.start]:02x}); "
            "it may be Latin-1",
            "ISO-8859-1",
        ) from err
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x85", "\n")
    text = _CONTROL.sub("\ufffd", text)
    if not text.strip():
        raise BadInput("The file holds only white space.", hint="Copy it again.")
    return text


def _other(what: str, name: str) -> BadInput:
    return BadInput(f"{what}.", hint=f"Convert it: `iconv -f {name} -t UTF-8 in.txt > out.txt`.")


def load(path: Path, limits: ReadingSettings, *, markdown: bool) -> tuple[Section, ...]:
    """Return the sections of a text file; `BadInput`/`TooLarge` with the reason."""
    status = path.stat()
    if status.st_size > limits.max_text_bytes:
        raise TooLarge(
            f"The text has {status.st_size:,} bytes, more than {limits.max_text_bytes:,}.",
            hint="Split it, or raise reading.max_text_bytes in archive.toml.",
        )
    return _load(path, status.st_mtime_ns, status.st_size, limits.max_pages, markdown)


@lru_cache(maxsize=2)  # the sections of one file are read one after the other
def _load(path: Path, _mtime: int, _size: int, most: int, markdown: bool) -> tuple[Section, ...]:
    found = tuple(sections(decode(path.read_bytes()), markdown=markdown))
    if len(found) > most:
        raise TooLarge(
            f"The text has {len(found)} sections, more than {most}.",
            hint="Split it, or raise reading.max_pages in archive.toml.",
        )
    return found


def sections(text: str, *, markdown: bool) -> Iterator[Section]:
    """Yield the sections of a text: by heading, by form feed, and by length where too long."""
    number = 0
    for heading, path, body in _by_heading(text) if markdown else [("", "", text)]:
        for part in body.split("\f"):
            for piece in _by_length(part):
                if _WORDLIKE.search(piece):
                    number += 1
                    yield Section(number, heading, path, piece)


def _by_heading(text: str) -> list[tuple[str, str, str]]:
    result: list[tuple[str, str, str]] = []
    lines = text.split("\n")
    titles: list[tuple[int, str]] = []
    heading, fence = "", ""
    body: list[str] = []

    def close() -> None:
        if any(line.strip() for line in body):
            path = " > ".join(title for _, title in titles)
            result.append((heading, path, "\n".join(body)))

    for index, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark and (not fence or mark.group(1).startswith(fence)):
            fence = "" if fence else mark.group(1)[:3]
        found = None if fence else _heading(lines, index)
        if found is not None:
            close()
            level, heading = found
            titles = [*((n, t) for n, t in titles if n < level), (level, heading)]
            body = []
        body.append(line)
    close()
    return result


def _heading(lines: list[str], index: int) -> tuple[int, str] | None:
    line = lines[index]
    if match := _ATX.match(line):
        return len(match.group(1)), (match.group(2) or "").strip()
    following = lines[index + 1] if index + 1 < len(lines) else ""
    before = lines[index - 1] if index else ""
    underlined = _SETEXT.match(following)
    if underlined and line.strip() and not before.strip() and not _ITEM.match(line):
        return (1 if underlined.group(1)[0] == "=" else 2), line.strip()
    return None


def _by_length(text: str) -> Iterator[str]:
    while len(text) > LONG_SECTION:
        stop = text.rfind("\n\n", LONG_SECTION // 2, LONG_SECTION)
        if stop < 0:
            stop = text.rfind("\n", LONG_SECTION // 2, LONG_SECTION)
        if stop < 0:
            ends = [e for e in lang.sentence_ends(text[:LONG_SECTION]) if e < LONG_SECTION]
            stop = ends[-1] if ends else LONG_SECTION
        yield text[:stop]
        text = text[stop:].lstrip("\n")
    yield text


def cut(section: Section, profile: Profile, *, markdown: bool) -> list[Span]:
    """Return the passages of a section: paragraphs, list items and table rows."""
    text = section.text
    name = section.path
    spans: list[Span] = []
    for start, end in _blocks(text, profile, markdown=markdown):
        if not _WORDLIKE.search(text[start:end]):
            continue
        name = profile.section_of(text[start:end]) or name
        size = lang.count_words(text[start:end])
        limit = profile.longest
        if profile.granularity == "passage":
            limit = profile.passage_words[1]
        pieces = [(0, end - start)] if size <= limit else split(text[start:end], profile)
        spans.extend(Span(start + a, start + b, section=name) for a, b in pieces)
    return [_flagged(text, span, profile) for span in spans]


def _flagged(text: str, span: Span, profile: Profile) -> Span:
    flags = []
    if _MISSING.search(text, span.start, span.end):
        flags.append(Flag.MISSING_GLYPHS)
    if anomalous(text, span, profile):
        flags.append(Flag.SEGMENTATION_ANOMALY)
    return Span(span.start, span.end, (), tuple(flags), span.section)


def _blocks(text: str, profile: Profile, *, markdown: bool) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of paragraphs without markers and surrounding white space."""
    for lines in _groups(text, profile, markdown=markdown):
        start, end = lines[0][0], lines[-1][1]
        if markdown and (mark := _QUOTE.match(text, start, end)):
            start = mark.end()
        if mark := _ITEM.match(text, start, end):
            start = mark.end()
        piece = text[start:end]
        start += len(piece) - len(piece.lstrip())
        end -= len(piece) - len(piece.rstrip())
        if start < end:
            yield start, end


def _groups(text: str, profile: Profile, *, markdown: bool) -> Iterator[list[tuple[int, int]]]:
    """Yield the lines (start, end) of each paragraph, list item or table row."""
    group: list[tuple[int, int]] = []
    result: list[list[tuple[int, int]]] = []
    at = 0
    for number, line in enumerate(text.split("\n")):
        span = (at, at + len(line))
        at += len(line) + 1
        blank = not line.strip() or (markdown and _RULE.match(line) is not None)
        heading = markdown and number == 0 and _ATX.match(line) is not None
        row = markdown and line.lstrip().startswith("|")
        begins = row or _ITEM.match(line) is not None or profile.opens(line)
        if group and (blank or begins or heading):
            result.append(group)
            group = []
        if blank or heading:
            continue
        group.append(span)
    if group:
        result.append(group)
    return _entries(text, result)


def _entries(text: str, groups: list[list[tuple[int, int]]]) -> Iterator[list[tuple[int, int]]]:
    """Where every line of a paragraph ends a sentence, each line is an entry of its own.

    List items too short to cite stay with the one before.
    """
    pending: list[tuple[int, int]] = []
    for group in groups:
        separate = len(group) > 1 and all(_STOP.search(text[a:b]) for a, b in group)
        for lines in [[line] for line in group] if separate else [group]:
            short = lang.count_words(text[lines[0][0] : lines[-1][1]]) < SHORT_ITEM
            item = _ITEM.match(text, *lines[0]) is not None
            if pending and short and item and text[pending[-1][1] : lines[0][0]] == "\n":
                pending = pending + lines
                continue
            if pending:
                yield pending
            pending = lines
    if pending:
        yield pending
