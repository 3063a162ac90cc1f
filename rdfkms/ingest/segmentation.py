"""Paragraphs to evidence units (R37): spans of a version that can be cited, with their place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rdfkms.ingest import language as lang
from rdfkms.ingest.layout import Line, Paragraph, columns_of, lines_of, paragraphs, same_column
from rdfkms.ingest.profiles import Profile
from rdfkms.model import Box, Flag, Word

_STOP = re.compile(r"[.!?…:;。！？」]['\"»”’)\]]*\s*$")
_MISSING = re.compile("[\ufffd\u25a1\ue000-\uf8ff\ufffc]")
_WORDLIKE = re.compile(r"[^\W_]")
SMALL = 8  # a paragraph of fewer words that ends no sentence is a heading or half a line


@dataclass(frozen=True, slots=True)
class Span:
    """A passage to cite: ``version.text[start:end]``, the boxes it covers, flags, section, juan."""

    start: int
    end: int
    boxes: tuple[Box, ...] = ()
    flags: tuple[Flag, ...] = ()
    section: str = ""
    juan: str = ""


def cut(text: str, words: Sequence[Word], profile: Profile) -> list[Span]:
    """Return the passages of a page reading, in reading order."""
    vertical = profile.layout == "vertical"
    lines = lines_of(text, words, vertical=vertical)
    found = [p for p in paragraphs(lines, profile.opens) if _WORDLIKE.search(_text(text, p))]
    if profile.granularity == "passage" and found:
        found = _by_section(found, profile)
    else:
        found = _join_small(found, profile)
    spans = [span for p in found for span in _passages(text, p, profile)]
    spans = _sections(text, spans, profile)
    return [replace(s, flags=_flags(text, s, words, profile)) for s in spans]


def _text(text: str, paragraph: Paragraph) -> str:
    return text[paragraph.start : paragraph.end]


def _by_section(found: list[Paragraph], profile: Profile) -> list[Paragraph]:
    """Join all paragraphs of a section: the text is to be cut by length alone."""
    result: list[list[Line]] = []
    for paragraph in found:
        if not result or profile.opens(paragraph.lines[0].text):
            result.append([])
        result[-1].extend(paragraph.lines)
    return [Paragraph(tuple(group)) for group in result]


def _join_small(found: list[Paragraph], profile: Profile) -> list[Paragraph]:
    """Join headings and half lines to what follows them in the same column."""
    result: list[Paragraph] = []
    for paragraph in found:
        last = result[-1] if result else None
        if last is not None and _goes_on(last, paragraph, profile):
            result[-1] = Paragraph(last.lines + paragraph.lines)
        else:
            result.append(paragraph)
    return result


def _goes_on(last: Paragraph, following: Paragraph, profile: Profile) -> bool:
    if profile.opens(following.lines[0].text):
        return False
    words = sum(lang.count_words(line.text) for line in last.lines)
    a, b = last.lines[-1].flow, following.lines[0].flow
    near = same_column(a, b) and b.y - (a.y + a.h) < 3 * max(a.h, b.h)
    header_alone = len(last.lines) == 1 and profile.opens(last.lines[0].text) and words < SMALL
    return near and (header_alone or (words < SMALL and not _STOP.search(last.lines[-1].text)))


def _passages(text: str, paragraph: Paragraph, profile: Profile) -> list[Span]:
    start, end = paragraph.start, paragraph.end
    limit = profile.longest
    if profile.granularity == "passage":
        limit = profile.passage_words[1]
    if lang.count_words(text[start:end]) <= limit:
        pieces = [(start, end)]
    else:
        pieces = [(start + a, start + b) for a, b in split(text[start:end], profile)]
    return [Span(a, b, _boxes(paragraph.lines, a, b)) for a, b in pieces]


def split(text: str, profile: Profile) -> list[tuple[int, int]]:
    """Return (start, end) of passages of the profile's length, cut at sentence ends.

    Each passage after the first begins with the last sentences of the one before, up to
    `overlap` words. A sentence longer than a passage is cut between words.
    """
    least, most = profile.passage_words
    sentences = _sentences(text, most)
    sizes = [lang.count_words(text[a:b]) for a, b in sentences]
    result: list[tuple[int, int]] = []
    first = 0
    while first < len(sentences):
        last, size = first, sizes[first]
        while last + 1 < len(sentences) and (
            size + sizes[last + 1] <= most or (size < least and sizes[last + 1] <= least)
        ):
            last += 1
            size += sizes[last]
        rest = sum(sizes[last + 1 :])
        if 0 < rest < least // 2:  # no crumb at the end
            last = len(sentences) - 1
        result.append((sentences[first][0], sentences[last][1]))
        following, repeated = last + 1, 0
        if following < len(sentences):
            while following - 1 > first and repeated + sizes[following - 1] <= profile.overlap:
                following -= 1
                repeated += sizes[following]
        first = following
    return result


def _sentences(text: str, most: int) -> list[tuple[int, int]]:
    result: list[tuple[int, int]] = []
    start = 0
    for end in lang.sentence_ends(text):
        while start < end and text[start].isspace():
            start += 1
        if start < end:
            result.extend(_within(text, start, end, most))
        start = end
    return result


def _within(text: str, start: int, end: int, most: int) -> list[tuple[int, int]]:
    """Cut an over-long sentence, if possible after a comma, else after a word."""
    pieces = []
    while lang.count_words(text[start:end]) > most:
        words = list(lang.TOKEN.finditer(text, start, end))
        at = words[most].start()
        comma = max(text.rfind(mark, words[most // 2].start(), at) for mark in ",;:，、")
        stop = comma + 1 if comma > start else at
        pieces.append((start, len(text[:stop].rstrip())))
        start = stop + len(text[stop:end]) - len(text[stop:end].lstrip())
    pieces.append((start, start + len(text[start:end].rstrip())))
    return pieces


def _boxes(lines: Sequence[Line], start: int, end: int) -> tuple[Box, ...]:
    return columns_of([(x.box, x.flow) for x in lines if x.start < end and x.end > start])


def _sections(text: str, spans: list[Span], profile: Profile) -> list[Span]:
    juan = re.compile(profile.juan) if profile.juan else None
    section = number = ""
    result = []
    for span in spans:
        piece = text[span.start : span.end]
        section = profile.section_of(piece) or section
        if juan is not None and (match := juan.search(piece)):
            number = match.group()
        result.append(replace(span, section=section, juan=number))
    return result


def _flags(text: str, span: Span, words: Sequence[Word], profile: Profile) -> tuple[Flag, ...]:
    piece = text[span.start : span.end]
    inside = [w for w in words if w.start < span.end and w.end > span.start]
    known = [w.confidence for w in inside if w.confidence is not None]
    flags = []
    if known and sum(known) / len(known) < profile.low_confidence:
        flags.append(Flag.LOW_CONFIDENCE)
    if _MISSING.search(piece):
        flags.append(Flag.MISSING_GLYPHS)
    if anomalous(text, span, profile):
        flags.append(Flag.SEGMENTATION_ANOMALY)
    return tuple(flags)


def anomalous(text: str, span: Span, profile: Profile) -> bool:
    """Whether a passage looks badly cut: a crumb, too long, or a sentence torn at an end."""
    piece = text[span.start : span.end].strip()
    size = lang.count_words(piece)
    if size < 2 or size > 1.5 * profile.longest:
        return True
    first = next((c for c in piece if c.isalnum()), "")
    return first.islower() or (size >= SMALL and piece[-1] in "-¬,")
