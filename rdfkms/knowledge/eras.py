"""Chinese numbers and dates: era names, the Republic, Gregorian dates in Han characters (R12).

Of an era date the year is known; months and days of the moon are not turned into Gregorian ones
but kept in words, and so are the days of the sixty-day cycle (甲子 ... 癸亥). The months of eras
marked ``solar`` in ``ingest/lexicons/eras.tsv`` are those of the Gregorian calendar.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache

from rdfkms.knowledge import lexicons

_STEMS, _BRANCHES = "甲乙丙丁戊己庚辛壬癸", "子丑寅卯辰巳午未申酉戌亥"
ERA_AND_PART = 3  # characters of 同光初, 明昌末
LONGEST = 20  # characters of a date in words
_DIGITS = "〇零一二三四五六七八九"
_COUNT = "[元一二三四五六七八九十百廿卅卌有又]"
_YEAR = re.compile(rf"({_COUNT}{{1,6}})年")
_SOLAR = re.compile(rf"(?:({_COUNT}{{1,4}})月(?:({_COUNT}{{1,5}})[日號号])?)?\Z")
# The sixty days of the cycle.
PAIR = "|".join(_STEMS[i % 10] + _BRANCHES[i % 12] for i in range(60))
# A date as annals write it: era and year, season, month, day of the cycle or the month.
_SAID = re.compile(
    r"(?:(?P<named>[\u4e00-\u9fff]{1,6}?)??(?P<year>" + _COUNT + r"{1,6}[年載载祀]))?"
    r"(?:(?:[是其此明前次翌每同來来昔往當当]|[先後后]是)?(?:年|歲|岁|日|月|春|夏|秋|冬|旬|夜|夕|旦))?"
    r"(?P<season>[春夏秋冬])?"
    r"(?P<month>閏?闰?(?:" + _COUNT + r"{1,3}|正|臘|腊)月|閏月|闰月)?"
    r"(?:[初末中上下]旬?)?(?:朔|望|晦)?(?:之?(?P<pair>" + PAIR + r"))?(?:朔|望|晦|日)?"
    r"(?P<day>初?"
    + _COUNT
    + r"{1,4}[日夜])?(?:[夜夕旦晨暮])?(?:[初末中])?(?:[以之]?[前後后間间時时])?\Z"
)
# When something happened, as annals say it of what was told before.
_LATER = frozenset(
    {
        *("未幾", "未几", "尋", "寻", "俄", "俄而", "既而", "頃之", "顷之", "久之", "已而"),
        *("至是", "先是", "初", "時", "时", "後", "后", "今", "是時", "是时"),
    }
)
_WESTERN = re.compile(
    rf"(?:公元|西元|西曆|西历)?([{_DIGITS}]{{4}}|[12][0-9]{{3}})年"
    rf"(?:({_COUNT}{{1,4}}|[0-9]{{1,2}})月(?:({_COUNT}{{1,5}}|[0-9]{{1,2}})[日號号])?)?\Z"
)


@cache
def _values() -> dict[str, int]:
    return {row[0]: int(row[2]) for row in lexicons.rows("numbers") if row[1] == "lzh"}


@cache
def _eras() -> tuple[tuple[str, int, bool], ...]:
    """Names, first years and whether the months are solar; the longest names first."""
    rows = [row for row in lexicons.rows("eras") if len(row) > 1 and row[1]]
    found = [(row[0], int(row[1]), len(row) > 2 and row[2] == "solar") for row in rows]
    return tuple(sorted(found, key=lambda era: (-len(era[0]), era)))


def number(text: str) -> int | None:
    """Return the value of Han numerals such as 三百二十 or 二十有三, or None."""
    total, digit = 0, 0
    text = re.sub("(?<=[十百千])[有又]", "", text)
    if not 0 < len(text) <= 12:
        return None
    for character in text:
        value = _values().get(character)
        if value is None:
            return None
        if value in {10, 100, 1000}:
            total, digit = total + max(digit, 1) * value, 0
        else:
            total, digit = total + digit, value
    return total + digit


def edtf(text: str) -> str | None:
    """Return the EDTF form of a Chinese date, or None for what is not understood.

    ``貞觀三年春正月`` 0629, ``民國二十六年七月七日`` 1937-07-07, ``一九三七年七月`` 1937-07.
    """
    text = "".join(text.split())
    western = _WESTERN.match(text)
    if western:
        year = _digits(western[1])
        return _solar(year, western[2], western[3]) if year else None
    for name, first, solar in _eras():
        match = _YEAR.match(text, len(name)) if text.startswith(name) else None
        count = number(match[1]) if match else None
        if match and count is not None and 1 <= count <= 100:
            year = first + count - 1
            rest = _SOLAR.match(text, match.end()) if solar else None
            return _solar(year, rest[1], rest[2]) if rest else _written(year)
    return None


def is_date(text: str) -> bool:
    """Return whether the text is a date of annals, whole or in part: 夏四月戊子, 明年, 戊午."""
    text = "".join(text.split())
    if not text or len(text) > LONGEST:
        return False
    part = len(text) == ERA_AND_PART and text[-1] in "初末" and text.isalpha()
    return part or text in _LATER or edtf(text) is not None or _SAID.match(text) is not None


def is_sexagenary(text: str) -> bool:
    """Return whether the text is a pair of the sixty-day cycle; 甲丑 is none."""
    if len(text) != 2 or text[0] not in _STEMS or text[1] not in _BRANCHES:
        return False
    return _STEMS.index(text[0]) % 2 == _BRANCHES.index(text[1]) % 2


def _digits(text: str) -> int:
    if text.isascii():
        return int(text)
    return int("".join(str(_values()[character]) for character in text))


def _solar(year: int, month: str | None, day: str | None) -> str | None:
    if month is None:
        return _written(year)
    months = int(month) if month.isascii() else number(month)
    days = (int(day) if day.isascii() else number(day)) if day else 1
    try:
        found = date(year, months or 0, days or 0).isoformat()
    except ValueError:
        return None
    return found if day else found[:7]


def _written(year: int) -> str:
    return f"{year:05d}" if year < 0 else f"{year:04d}"
