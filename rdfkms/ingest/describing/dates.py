"""Dates of descriptions in the Extended Date/Time Format (EDTF, ISO 8601-2, levels 0 to 2).

`edtf` reads what a file gives as a normal form (``@normal``, ``@standarddate``), `span` what stands
in words. Both return "" rather than guess: the words are kept in any case. An end that is not
known is left empty ("1850/"), one of which the file says that it is open is ".." ("1850/..").
"""

from __future__ import annotations

import html
import re
from calendar import monthrange
from functools import cache

from babel import Locale
from babel.dates import get_month_names

from rdfkms.model import Value

_LANGUAGES = ("en", "fr", "de", "es", "it", "pt", "nl", "ca", "pl", "cs", "ru", "uk", "sv", "da")

_NORMAL = re.compile(
    r"(?P<year>-?(?:[0-9]{4}|[0-9]{3}X|[0-9]{2}XX))(?:-?(?P<month>[0-9X]{2})(?:-?(?P<day>[0-9X]{2}))?)?"
    r"(?:T[0-9:.]+(?:Z|[+-][0-9:]+)?)?(?P<mark>[?~%]?)"
)
_MARKS = {(False, False): "", (True, False): "~", (False, True): "?", (True, True): "%"}
OPEN = ".."
_OPEN = frozenset({OPEN, "9999", "9999-12-31", "99991231", "present", "open"})
_UNKNOWN = frozenset({"", "?", "unknown"})
_CERTAINTY = (
    (re.compile(r"circa|approx", re.I), "~"),
    (re.compile(r"uncertain|question|probab|inferred", re.I), "?"),
)


def edtf(normal: str) -> str:
    """Return a normal form as EDTF, an open end as "..", equal ends as one date; "" if it is none.

    The hyphens of ISO 8601 may be missing, months and days that are 00 are left out. There is no
    year 0000: it stands where the year is not known.
    """
    begin, slash, end = (piece.strip() for piece in normal.partition("/"))
    if not slash:
        return _normal(begin)
    first = begin if begin == OPEN else _normal(begin)
    last = OPEN if end.casefold() in _OPEN else _normal(end)
    if begin.casefold() in _UNKNOWN or end.casefold() in _UNKNOWN or begin == OPEN:
        # One end is told and has to be a date.
        told = [one for one in (first, last) if one and one != OPEN]
        wrong = any(not one and raw.casefold() not in _UNKNOWN
                    for one, raw in ((first, begin), (last, end)))  # fmt: skip
        return f"{first}/{last}" if len(told) == 1 and not wrong else ""
    return _interval(first, last)


def edges(normal: str, words: str = "") -> tuple[str, str]:
    """Return the first and the last date of an interval, each "" where it is none or not told.

    "Between 1850 and 1860" in `words` is some time between them, which neither of them is.
    """
    first, slash, last = normal.partition("/")
    if not slash or _BETWEEN.search(_SPACE.sub(" ", words).strip(" .,;:[(")):
        return "", ""
    return first.replace(OPEN, ""), last.replace(OPEN, "")


def marked(date: str, certainty: str) -> str:
    """Return a date in EDTF with what a file says of its certainty at each end without a mark."""
    mark = next((mark for form, mark in _CERTAINTY if form.search(certainty)), "")
    ends = (end if end[-1:] in ("", ".", "?", "~", "%") else end + mark for end in date.split("/"))
    return "/".join(ends)


def _normal(text: str) -> str:
    found = _NORMAL.fullmatch(text.strip())
    if found is None:
        return ""
    month, day = (("" if part == "00" else part or "") for part in (found["month"], found["day"]))
    return _point(found["year"], month, day if month else "", found["mark"])


def _point(year: str, month: str, day: str, mark: str = "") -> str:
    """Return a day, month or year as EDTF, or "" where the calendar has no such day or year."""
    if not year.strip("-0"):
        return ""
    if month.isdigit() and not 1 <= int(month) <= 12:
        return ""
    if day.isdigit():
        known = year.isdigit() and month.isdigit() and int(year) > 0
        longest = monthrange(int(year), int(month))[1] if known else 31
        if not 1 <= int(day) <= longest:
            return ""
    return "-".join(part for part in (year, month, day) if part) + mark


def _interval(first: str, last: str) -> str:
    if not first or not last:
        return ""
    if first == last:
        return first
    return f"{first}/{last}" if last == OPEN or not _after(first, last) else ""


def _after(one: str, other: str) -> bool:
    """Return whether a date begins after another is over, as far as both tell."""
    a, b = _numbers(one), _numbers(other)
    common = min(len(a), len(b))
    return a[:common] > b[:common]


def _numbers(date: str) -> list[int]:
    bare = date.rstrip("?~%").replace("X", "0")
    sign, digits = (-1, bare[1:]) if bare.startswith("-") else (1, bare)
    year, *rest = digits.split("-")
    return [sign * int(year), *map(int, rest)]


# ---- words --------------------------------------------------------------------------------------

_SPACE = re.compile(r"\s+")
_ABOUT = re.compile(
    r"^(?:circa|ca?\.?|approximately|approx\.?|about|around|um|etwa|vers|environ|env\.?|autour de|"
    r"hacia|verso|omstreeks|около)(?=[\s\d\[])\s*",
    re.I,
)
_DOUBT = re.compile(r"\s*(?:\(\?\)|\[\?\]|\?|\((?:probably|uncertain|incertain)\))$", re.I)
_FRAME = re.compile(r"^(?:from|de|du|von|vom|dal?|van)\s+(?=.*\d)", re.I)
_BETWEEN = re.compile(r"^(?:between|entre(?: le)?|zwischen|tra|fra|tussen|mellan)\s+(?=.*\d)", re.I)
_LEADING = re.compile(r"^(?:le|the|den|am|el|il)\s+(?=\d)", re.I)
_RANGE = re.compile(
    r"\s*(?:--|[–—/~～至])\s*|\s+-\s*|\s*-\s+|(?<=\d{4})-(?=\d{4})|(?<=\d{4}[?s])-(?=\d{4})|"
    r"(?:(?<=\d{4})|(?<=\b\d)|(?<=\b\d\d)|(?<=[年月日号]))-(?=\d{1,2}\.?\s+[^\W\d]|\d+\s?年)|"
    r"\s+(?:to|till|until|through|bis|à|au|a|al|tot)\s+|(?<=[^\W\d])-(?=[^\W\d])"
)
# Two years, or their range: only behind "between" is it that.
_AND = re.compile(r"\s+(?:and|und|et|y|e|en|och|og)\s+", re.I)
_SINCE = re.compile(r"^(?:since|depuis|seit|desde|dal)\s+(?=.*\d)", re.I)
_ONGOING = re.compile(
    r"\s*[-–—]\s*(?:present|ongoing|aujourd'hui|heute|hoy|oggi|\.{2,4})$|(?<=\d)-\.{2,4}$", re.I
)
_NOT_KNOWN = r"(?:\?|\[\?\]|\(\?\)|unknown)"
_NO_END = re.compile(rf"(?<=[\w\])?])\s*[-–—]\s*{_NOT_KNOWN}?$", re.I)
_NO_BEGIN = re.compile(rf"^{_NOT_KNOWN}\s*[-–—]\s*(?=[\w\[(])", re.I)
_ONE_END = ((_NO_END, "", "/"), (_NO_BEGIN, "/", ""), (_SINCE, "", "/.."), (_ONGOING, "", "/.."))
_SHORT = re.compile(r"([12]\d)(\d\d)\s*[-–/]\s*(\d\d)")
_YEAR = r"(?P<year>[12]\d{3})"
_DECADE = re.compile(r"([12]\d\d)0'?s")
_ISO = re.compile(rf"{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)")
_ONE_YEAR = re.compile(_YEAR)
_DOTTED = re.compile(rf"(?P<day>\d{{1,2}})\.\s?(?P<month>\d{{1,2}})\.\s?{_YEAR}")
_CHINESE = re.compile(
    rf"{_YEAR}\s?年(?:\s?(?P<month>\d{{1,2}})\s?月(?:\s?(?P<day>\d{{1,2}})\s?[日号])?)?"
)
_NAME = r"(?P<name>[^\W\d_]+)\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|re|\.|º|°)?"
_OF = r"(?:\s+(?:de|del|di|of)\s+|[\s,]+)"
_NAMED = tuple(
    re.compile(form)
    for form in (
        rf"(?:{_DAY}{_OF})?{_NAME}(?:{_OF}{_YEAR})?",
        rf"{_NAME}\s+{_DAY}(?:,?\s+{_YEAR})?",
        rf"{_YEAR},?\s+{_NAME}(?:\s+{_DAY})?",
    )
)
_BARE_DAY = re.compile(_DAY)


def span(words: str) -> str:
    """Return a date or a range in words as EDTF, or "" where that is not sure.

    A mark of doubt or of nearness outside of a range counts for both of its ends; square brackets
    only tell that the cataloguer supplied the date.
    """
    text = _SPACE.sub(" ", words).strip(" ,;:")
    if text.startswith("[") and text.endswith("]") and text.count("[") == 1:
        text = text[1:-1].strip()
    text = text if _ONGOING.search(text) else text.strip(" .")
    for form, before, after in _ONE_END:  # before a mark is taken for one of doubt
        if form.search(text):
            one = _one(form.sub("", text), about=False, doubt=False)
            return one and f"{before}{one}{after}"
    text, about, doubt = _marks(text)
    short = _SHORT.fullmatch(text)
    if short:
        begin, end = short[1] + short[2], short[1] + short[3]
        # "1914-12" may be a month as well
        sure = int(short[3]) > 12 and short[3] > short[2]
        return _interval(*(_one(year, about, doubt) for year in (begin, end))) if sure else ""
    if _ISO.fullmatch(text) or _DECADE.fullmatch(text):
        return _one(text, about, doubt)
    framed = _FRAME.sub("", text)
    ends = _RANGE.split(framed)
    if _BETWEEN.search(text):
        framed = _BETWEEN.sub("", text)
        ends = _AND.split(framed) if _AND.search(framed) else _RANGE.split(framed)
    if len(ends) == 2:
        return _range(ends[0], ends[1], about, doubt)
    return _one(text, about, doubt) if len(ends) == 1 and framed == text else ""


def _marks(text: str) -> tuple[str, bool, bool]:
    """Return the words without brackets and marks, whether they are about, whether in doubt."""
    about = doubt = False
    while True:
        bare = text.strip(" .,;:")
        if bare.startswith("[") and bare.endswith("]") and bare.count("[") == 1:
            bare = bare[1:-1].strip()
        if _ABOUT.search(bare):
            bare, about = _ABOUT.sub("", bare), True
        if _DOUBT.search(bare):
            bare, doubt = _DOUBT.sub("", bare), True
        if bare == text:
            return bare, about, doubt
        text = bare


def _range(begin: str, end: str, about: bool, doubt: bool) -> str:
    """Return the interval; what the first end leaves out, it has from the last."""
    start, start_about, start_doubt = _marks(begin)
    stop, stop_about, stop_doubt = _marks(end)
    last = _parsed(stop)
    first = _parsed(start)
    if first is None and last and last[2] and _BARE_DAY.fullmatch(start):
        first = ("", last[1], start.rstrip("stndrhe.º°").zfill(2))
    if first is None or last is None or not last[0]:
        return ""
    year, month, day = first
    one = _point(year or last[0], month, day)
    other = _point(*last)
    if not one or not other:
        return ""
    return _interval(
        one + _MARKS[about or start_about, doubt or start_doubt],
        other + _MARKS[about or stop_about, doubt or stop_doubt],
    )


def _one(text: str, about: bool, doubt: bool) -> str:
    bare, more_about, more_doubt = _marks(text)
    found = _parsed(bare)
    if found is None or not found[0]:
        return ""
    point = _point(*found)
    return point and point + _MARKS[about or more_about, doubt or more_doubt]


def _parsed(text: str) -> tuple[str, str, str] | None:
    """Return year, month and day of one date in words, "" for what it does not tell."""
    text = _LEADING.sub("", text.strip(" ,;"))
    decade = _DECADE.fullmatch(text)
    if decade:
        return decade[1] + "X", "", ""
    for form in (_ONE_YEAR, _ISO, _DOTTED, _CHINESE):
        found = form.fullmatch(text)
        if found:
            told = found.groupdict()
            return found["year"], _two(told.get("month")), _two(told.get("day"))
    for form in _NAMED:
        found = form.fullmatch(text)
        month = _months().get(found["name"].casefold()) if found else None
        if found and month:
            return found["year"] or "", month, _two(found["day"])
    return None


def _two(number: str | None) -> str:
    return number.zfill(2) if number else ""


@cache
def _months() -> dict[str, str]:
    """Return the number of each month by its names, those that differ by language left out."""
    known: dict[str, set[int]] = {}
    for language in _LANGUAGES:
        for width in ("wide", "abbreviated"):
            for context in ("format", "stand-alone"):
                names = get_month_names(width, context, Locale.parse(language))
                for number, name in names.items():
                    bare = name.casefold().rstrip(".").strip()
                    known.setdefault(bare.removeprefix("de ").removeprefix("d’"), set()).add(number)
    known["sept"] = {9}
    return {name: f"{numbers.pop():02}" for name, numbers in known.items()
            if len(numbers) == 1 and name.isalpha()}  # fmt: skip


# ---- where a date is said -----------------------------------------------------------------------

_FIRST_NUMBER = re.compile(r"-?(\d+)")


def stands_in(date: Value, quote: str) -> bool:
    """Return whether a quote says a date: its years, tags included, or words that mean it."""
    written = html.unescape(quote)
    if date.datatype != "edtf":
        return all(word in written for word in date.lexical.split())
    told = span(date.verbatim)
    is_meant = date.lexical in (told, *edges(told, date.verbatim))
    if is_meant and all(word in written for word in date.verbatim.split()):
        return True
    ends = (_FIRST_NUMBER.match(end) for end in date.lexical.split("/"))
    return all(end[1].lstrip("0") in written for end in ends if end is not None)
