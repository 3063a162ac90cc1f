"""Numbers in words and time expressions: Spanish, French, English, Chinese (R12, EDTF).

`number` and `edtf` are pure and total: what they do not understand gives None, and the caller
keeps the words as written. A day that is only relative ("mardi dernier") needs the date of issue.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta
from functools import cache

from rapidfuzz.distance import Levenshtein

from rdfkms.knowledge import eras, lexicons
from rdfkms.model import Value

_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_ROMAN_SHAPE = re.compile(r"M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
# First day (1 vendémiaire) of the years I to XIV of the French Republic.
_REPUBLICAN = (
    date(1792, 9, 22), date(1793, 9, 22), date(1794, 9, 22), date(1795, 9, 23),
    date(1796, 9, 22), date(1797, 9, 22), date(1798, 9, 22), date(1799, 9, 23),
    date(1800, 9, 23), date(1801, 9, 23), date(1802, 9, 23), date(1803, 9, 24),
    date(1804, 9, 23), date(1805, 9, 23),
)  # fmt: skip
_JOINERS = {"y", "et", "and", "de", "of", "the", "e", "&"}
_ABOUT = re.compile(r"^(?:hacia|circa|ca\.?|vers|environ|about|around|c\.) ")
# What says only when in the day, or names the day again: "hier matin", "hier dimanche", "ce soir".
_SAME_DAY = re.compile(r"(?P<day>hier|avant-hier|ce|demain)(?: au)? (?P<again>\S{4,10})")
_DAYTIMES = {"matin", "soir", "midi", "apres-midi"}
_PAST = {"dernier", "derniere", "ultimo", "pasado", "pasada", "last", "passe", "passee"}
_NEXT = {"prochain", "prochaine", "proximo", "proxima", "next"}
_THIS_DAY = {"aujourd'hui": 0, "hier": -1, "avant-hier": -2, "demain": 1, "hoy": 0,
             "ayer": -1, "anteayer": -2, "manana": 1, "today": 0, "yesterday": -1,
             "tomorrow": 1}  # fmt: skip


def fold(text: str) -> str:
    """Return `text` in lower case without accents, its white space as single spaces."""
    text = unicodedata.normalize("NFD", text.replace("’", "'").replace("-\n", ""))
    bare = "".join(c for c in text if not unicodedata.combining(c))
    return " ".join(bare.lower().split())


@cache
def _table(name: str, language: str) -> dict[str, int]:
    return {fold(row[0]): int(row[2]) for row in lexicons.rows(name) if row[1] == language}


def _lookup(table: dict[str, int], word: str) -> int | None:
    """Return the value of `word`; one wrong letter is forgiven in words of six and more."""
    if word in table or len(word) < 6:
        return table.get(word)
    near = {
        value
        for known, value in table.items()
        if len(known) >= 6 and Levenshtein.distance(word, known, score_cutoff=1) <= 1
    }
    return near.pop() if len(near) == 1 else None


def roman(text: str) -> int | None:
    """Return the value of a Roman numeral in capitals, or None."""
    if not text or not _ROMAN_SHAPE.fullmatch(text):
        return None
    values = [_ROMAN[c] for c in text]
    signed = (-v if v < w else v for v, w in zip(values, [*values[1:], 0], strict=True))
    return sum(signed)


def number(text: str, language: str) -> int | None:
    """Return the integer that `text` writes in digits, Roman capitals or words, or None.

    ``treinta y dos`` 32, ``quatre-vingt-dix`` 90, ``mil novecientos`` 1900, ``XIV`` 14, ``二十``
    20. Words with one wrong letter are forgiven where only one number word is that near.
    """
    text = text.strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return int(text)
    value = roman(text)
    if value is not None:
        return value
    if language == "lzh" or language.startswith("zh"):
        return eras.number("".join(text.split()))
    words = [w for w in re.split(r"[\s-]+", fold(text)) if w and w not in _JOINERS]
    return _additive(words, _table("numbers", language[:2]))


def _additive(words: list[str], table: dict[str, int]) -> int | None:
    total, current = 0, 0
    if not words or len(words) > 12:
        return None
    for word in words:
        value = _lookup(table, word)
        if value is None:
            return None
        if value in {100, 1000} or (value == 20 and current == 4):  # quatre-vingt
            current = max(current, 1) * value if value != 100 or current < 100 else current + value
            if value == 1000:
                total, current = total + current, 0
        else:
            current += value
    return total + current


def edtf(text: str, language: str, issued: date | None = None) -> str | None:
    """Return the EDTF form of a time expression, or None when it is not understood.

    `issued` is the date of the paper that the words stand in; relative words need it.
    """
    if language == "lzh" or language.startswith("zh"):
        return eras.edtf(text)
    words = _without_part(fold(text).strip(" ,.;"), language)
    about = _ABOUT.match(words)
    if about:
        found = edtf(words[about.end() :], language, issued)
        return f"{found}~" if found else None
    span = _span(words, language, issued) or _republican_year(words)
    if span:
        return span
    words = re.sub(r"^(?:el|le|la|les|on|in|the|en|du|del|dia|a|an) (?!an\b)", "", words)
    if language.startswith("es"):
        words = _set_words_gone(words)
    for reader in (_numeric, _republican, _season, _written, _relative):
        found = reader(words, language, issued)
        if found:
            return found
    return None


def _span(words: str, language: str, issued: date | None) -> str | None:
    """Return the interval of "de 1931 à 1936", "from March to May 1851", "1931-1936"."""
    bare = re.fullmatch(r"([12][0-9]{3}) ?[-/] ?([12][0-9]{3})", words)
    if bare:
        return f"{bare[1]}/{bare[2]}" if bare[1] <= bare[2] else None
    for row in lexicons.rows("date-spans"):
        first, second = fold(row[0]), fold(row[1])
        if row[2] != language[:2] or not words.startswith(f"{first} "):
            continue
        start, found, end = words[len(first) + 1 :].partition(f" {second} ")
        ends = [edtf(part, language, issued) for part in (start, end)] if found else []
        # An end that is itself a span or about a time is more than the words can bear.
        if all(one and not set(one) & set("/~") for one in ends) and len(ends) == 2:
            return f"{ends[0]}/{ends[1]}" if str(ends[0]) <= str(ends[1]) else None
    return None


@cache
def _parts(language: str) -> re.Pattern[str]:
    rows = [re.escape(fold(r[0])) for r in lexicons.rows("date-parts") if r[1] == language]
    longest = sorted(rows, key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(longest) or '(?!)'})[ -]")


def _without_part(words: str, language: str) -> str:
    """Return the month or year of "a mediados de mayo de 1938": EDTF has no word for the part."""
    part = _parts(language[:2]).match(words)
    rest = words[part.end() :] if part else words
    # "Early 14 March" would be a day, and a day has no early part that anybody writes so.
    return rest if part and not re.match(r"\d{1,2}\b(?!\d)", rest) else words


def _season(words: str, language: str, issued: date | None) -> str | None:
    """Return "1851-22" for "summer of 1851", "18XX" for "siglo XIX"."""
    century = re.fullmatch(
        r"(?:siglo|s\.) ([ivx]{1,5})|([ivx]{1,5}|\d{1,2})(?:e|eme|th|st|nd|rd) (?:siecle|century)",
        words,
    )
    if century:
        said = century[1] or century[2]
        count = int(said) if said.isdigit() else roman(said.upper())
        return f"{count - 1:02d}XX" if count and 1 < count <= 21 else None
    match = re.fullmatch(r"(\S{3,9}) (?:(?:of|de|del|de l'annee) )?([12][0-9]{3})", words)
    season = _table("seasons", language[:2]).get(match[1]) if match else None
    return f"{match[2]}-{season}" if match and season else None


def _set_words_gone(words: str) -> str:
    """Return `words` without "a los ... días del mes": a bare "quince días" is a span of time."""
    formula = re.match(r"(?:a )?los \S|.{1,30} dias? del mes de ", words)
    bare = re.sub(r"^(?:a )?los |\bdias?(?= de(?:l mes)? )|\bdel mes(?= de )", " ", words)
    return " ".join(bare.split()) if formula else words


def _numeric(words: str, language: str, issued: date | None) -> str | None:
    if re.fullmatch(r"[12][0-9]{3}", words):
        return words
    if match := re.fullmatch(r"([12][0-9]{2})0s", words):
        return f"{match[1]}X"
    if match := re.fullmatch(r"([12][0-9]{3})-([01][0-9])-([0-3][0-9])", words):
        return _day(int(match[1]), int(match[2]), int(match[3]))
    match = re.fullmatch(r"([0-9]{1,2})[-/. ]([0-9]{1,2}|[ivx]{1,4})[-/. ]([12][0-9]{3})", words)
    if match:
        month = roman(match[2].upper()) or (int(match[2]) if match[2].isdigit() else 0)
        return _day(int(match[3]), month, int(match[1]))
    return None


def _republican_year(words: str) -> str | None:
    """Return the interval of "an VIII", "l'an 8 de la République" (September to September)."""
    match = re.fullmatch(
        r"(?:en )?(?:l')?an ([ivx]{1,4}|[0-9]{1,2})( de la republique(?: \S{3,12})?)?", words
    )
    if not match or (match[1].isdigit() and not match[2]):
        return None
    year = number(match[1].upper(), "fr")
    if year is None or not 1 <= year < len(_REPUBLICAN):
        return None
    return f"{_REPUBLICAN[year - 1]}/{_REPUBLICAN[year] - timedelta(days=1)}"


def _republican(words: str, language: str, issued: date | None) -> str | None:
    words = re.sub(r" de la republique(?: \S{3,12})?$", "", words)
    words = re.sub(r"^(?:primi|duo|tri|quarti|quinti|sexti|septi|octi|noni|deca)di,? ", "", words)
    match = re.fullmatch(r"(?:(\S{1,12}) )?([a-z]{6,11}),? (?:de l'|l')?an ([a-z0-9]{1,8})", words)
    if not match:
        return _complementary(words)
    month = _lookup(_table("months", "republican"), match[2])
    year = number(match[3].upper(), "fr") or number(match[3], "fr")
    if month is None or year is None or not 1 <= year <= len(_REPUBLICAN):
        return None
    start = _REPUBLICAN[year - 1] + timedelta(days=30 * (month - 1))
    if match[1] is None:
        return f"{start.isoformat()}/{(start + timedelta(days=29)).isoformat()}"
    day = number(match[1].removesuffix("er"), "fr")
    if day is None or not 1 <= day <= 30:
        return None
    return (start + timedelta(days=day - 1)).isoformat()


def _complementary(words: str) -> str | None:
    """Return the day of "3e jour complémentaire an V": the five or six after the twelve months."""
    match = re.fullmatch(
        r"(\S{1,9}) (?:jour complementaire|sans-culottide),? (?:de l'|l')?an ([a-z0-9]{1,8})", words
    )
    if not match:
        return None
    ordinals = {"premier": 1, "deuxieme": 2, "second": 2, "troisieme": 3, "quatrieme": 4,
                "cinquieme": 5, "sixieme": 6}  # fmt: skip
    day = ordinals.get(match[1]) or number(re.sub(r"(?<=\d)(?:er|e|eme|nd)$", "", match[1]), "fr")
    year = number(match[2].upper(), "fr") or number(match[2], "fr")
    if day is None or year is None or not 1 <= year < len(_REPUBLICAN):
        return None
    found = _REPUBLICAN[year - 1] + timedelta(days=360 + day - 1)
    return found.isoformat() if found < _REPUBLICAN[year] and day >= 1 else None


def _written(words: str, language: str, issued: date | None) -> str | None:
    """Day, month and year in words or digits; month and year; a year in words."""
    months = _table("months", language[:2])
    tokens = [t.strip(",") for t in words.split()]
    tokens = [t for t in tokens if t not in _JOINERS or t in {"y", "et", "and"}]
    at = next((i for i, t in enumerate(tokens) if _lookup(months, t) is not None), None)
    if at is None:
        year = number(words, language)
        return f"{year:04d}" if year is not None and 1000 <= year <= 2100 else None
    month = _lookup(months, tokens[at]) or 0
    before = [t for t in tokens[:at] if t not in _table("weekdays", language[:2])]
    after = tokens[at + 1 :]
    if language.startswith("en") and not before and len(after) > 1:  # March 14 1851
        before, after = after[:1], after[1:]
    year = _year(after, language, issued, month)
    if not after and before and issued and language.startswith("fr"):
        return _nearest(before, month, issued, language)
    if year is None:
        return None
    if not before:
        return f"{year:04d}-{month:02d}"
    day = number(re.sub(r"(?<=\d)(?:er|st|nd|rd|th|o|°)$", "", " ".join(before)), language)
    return None if day is None else _day(year, month, day)


def _nearest(before: list[str], month: int, issued: date, language: str) -> str | None:
    """Return the day of that month that lies nearest to the date of issue: "le 9 janvier"."""
    day = number(re.sub(r"(?<=\d)er$", "", " ".join(before)), language)
    years = (issued.year - 1, issued.year, issued.year + 1)
    found = [_day(year, month, day) for year in years] if day is not None else []
    days = [one for one in found if one is not None]
    return min(days, key=lambda d: abs(date.fromisoformat(d) - issued), default=None)


def _year(after: list[str], language: str, issued: date | None, month: int) -> int | None:
    if after and after[-1] in _PAST | {"courant", "corriente"} and issued:
        return issued.year if month <= issued.month else issued.year - 1
    if after and after[-1] in _NEXT and issued:
        return issued.year if month > issued.month else issued.year + 1
    year = number(" ".join(after), language) if after else None
    return year if year is not None and 1000 <= year <= 2100 else None


def _relative(words: str, language: str, issued: date | None) -> str | None:
    if issued is None:
        return None
    weekdays = _table("weekdays", language[:2])
    same = _SAME_DAY.fullmatch(words)
    if same and (same["again"] in _DAYTIMES or same["again"] in weekdays):
        words = "aujourd'hui" if same["day"] == "ce" else same["day"]
    if words in _THIS_DAY:
        return (issued + timedelta(days=_THIS_DAY[words])).isoformat()
    tokens = words.split()
    if len(tokens) == 2 and (set(tokens) & _PAST or set(tokens) & _NEXT):
        weekday = next((weekdays[t] for t in tokens if t in weekdays), None)
        if weekday is not None:
            back = set(tokens) & _PAST
            gap = (issued.weekday() - weekday) % 7 if back else (weekday - issued.weekday()) % 7
            return (issued + timedelta(days=(-1 if back else 1) * (gap or 7))).isoformat()
    match = re.fullmatch(
        r"(?:\S{5,9} )?(\S{1,20}) (?:(?:du|de ce|del|de este|of) )?(?:(?:present|mois|mes|this) )?"
        r"(?:mois |mes |month )?"
        r"(courant|corriente|dernier|ultimo|pasado|prochain|proximo|mois|mes|month)",
        words,
    )
    if not match:
        return None
    day = number(match[1].removesuffix("er"), language)
    shift = -1 if match[2] in _PAST else 1 if match[2] in _NEXT else 0
    if day is None:
        return None
    months = issued.year * 12 + issued.month - 1 + shift
    return _day(months // 12, months % 12 + 1, day)


def _day(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def is_date(text: str, language: str) -> bool:
    """Return whether the words are a date, be it one that needs another to be understood.

    So are 戊午 and 夏四月 in Chinese, "mardi dernier" and "3 de mayo de 1938" elsewhere.
    """
    if language == "lzh" or language.startswith("zh"):
        return eras.is_date(text)
    return edtf(text, language, date(2000, 1, 15)) is not None


def time_value(text: str, language: str, issued: date | None = None) -> Value:
    """Return the literal of a time expression: EDTF where understood, else the words as written.

    `verbatim` always keeps the words; the datatype is ``edtf`` or ``string``.
    """
    plain = "".join(text.split()) if language == "lzh" else " ".join(text.split())
    found = edtf(text, language, issued)
    if found is None:
        return Value(plain, "string", language, plain)
    return Value(found, "edtf", "", plain)
