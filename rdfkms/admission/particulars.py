"""What stands in commas behind a name and keeps it in mind: age, state, origin, trade, office.

"Andrés Vidal, de treinta años, casado, carpintero": the trade is that of the name, because all that
lies between are particulars of the same person. The forms stand in ``particulars.tsv``; anything
else between, a verb, a denial or another person's relation, and nothing follows from the order.
"""

from __future__ import annotations

import re
from functools import cache

from rdfkms.admission import cues
from rdfkms.admission.cues import Marked
from rdfkms.errors import Misconfigured
from rdfkms.knowledge import dates, lexicons

MOST = 8  # particulars in a row
FURTHEST = 600  # characters in which a trade stands behind its name
OPENED = 80  # characters between the opening of a session and what it does
_NUMBER = r"(?:\d{1,3}|[^\W\d_]+(?:\s+[^\W\d_]+){0,3})"
_CAPITAL = r"[^\W\d_a-zß-öø-ÿ]"
_WORD = rf"(?:{_CAPITAL}[\w'’-]*|{_CAPITAL}\.)"
_LINK = r"(?:(?:de|del|la|las|los|el|du|des|le|les|the|of)\s+){0,2}"
_NAME = rf"(?:{_LINK}){_WORD}(?:\s+{_LINK}{_WORD}){{0,4}}"
# A clause begins at the start, behind a full stop (of no abbreviation), a blank line, a heading in
# capitals, or "que".
_CLAUSE = re.compile(
    r"(?:\A|(?<=[^\W\d_]{3})[.;:!?]|(?<=\d)[.;:]|\n\s*\n|(?:\A|\n)[^\na-zß-öø-ÿ]{3,}\n|"
    r"(?<!\w)[Qq]u[eé])\s*\Z"
)
_AT_HEAD = re.compile(r"(?<!\w)En(?:\s+la\s+(?:plaza|villa|ciudad))?(?:\s+de)?\s+\Z")
_HONORIFIC = re.compile(r"(?:(?<!\w))([^\W\d_]{1,12})\.?\s+\Z")
# A label begins a line or sentence, or follows a name: never "by the mayor: ...".
_LABEL = r"(?:\A|[.;\n]|(?<!\w)[^\W\d_a-zß-öø-ÿ]\w*\s)\s*"
_OF = re.compile(r"(?<!\w)(?:de|del|de\s+la|du|des|of|d['’])\s*\Z", re.IGNORECASE)
_AGENT = re.compile(r"(?<!\w)(?:por|by|par)\s+(?:(?:el|la|le|the)\s+)?\Z", re.IGNORECASE)
_COMME = re.compile(r"(?<!\w)(?:comme|como|as)\s+(?:(?:el|la|le|the)\s+)?\Z", re.IGNORECASE)
_DATED = re.compile(r"(?:,|\A|\n)\s*[Aa]\s+\Z")
_PLACED = re.compile(r"\s*,\s*a\s+([^,]{4,80})(?=,)")


def told_before(marked: Marked, name_start: int, words: str, language: str) -> bool:
    """Return whether the words stand right before a name: "el molinero Juan", "Alcalde: Juan".

    What stands before them must begin them: behind "teniente de", "candidato a", "deputy" or
    "former" they are the end of another title.
    """
    before = without_honorifics(marked.text[max(0, name_start - 300) : name_start])
    told = _spaced(words)
    ours = _alternatives(language, "possessive") or r"(?!)"
    label = rf"{_LABEL}(?i:{told})\s*:\s+\Z|(?<!\w)(?:{ours})\s+(?i:{told})\s*,\s+\Z"
    if re.search(label, before) is not None:
        return True
    ahead = re.search(rf"(?<![\w-])(?i:{told})\s+\Z", before)
    if ahead is None:
        return False
    begins = (
        rf"(?:\A|[.,;:(\n«\"]|(?<!\w)(?:{_alternatives(language, 'determiner') or '(?!)'}))\s*\Z"
    )
    return re.search(begins, before[: ahead.start()]) is not None


def told_after(marked: Marked, name: tuple[int, int], words: str, language: str) -> bool:
    """Return whether the words follow a name with nothing but its particulars between.

    Behind a copula only where the name opens its clause: "the owner of Ana's mill was a baker".
    What comes after must end or extend them: in "Ana Ruiz, la maestra Eva Gil" they are Eva's.
    """
    before = _before(marked, name[0])
    if _OF.search(without_honorifics(before)):  # "la viuda de Juan, maestra": whose it is is open
        return False
    between, after = _between(language, is_subject=_opens(before, language)), _after(language)
    told = re.compile(rf"(?<!\w)(?i:{_spaced(words)})(?!\w)")
    for found in told.finditer(marked.text, name[1], name[1] + FURTHEST):
        if between.fullmatch(marked.text, name[1], found.start()) is None:
            continue
        if after.match(marked.text, found.end()) is not None:
            return not any(
                h.kind in ("negation", "aside") and 0 <= h.start - found.end() <= 2
                for h in marked.hits
            )
    return False


@cache
def _between(language: str, *, is_subject: bool) -> re.Pattern[str]:
    """Return what may stand between a name and its trade; before a copula, where it is subject."""
    article = rf"(?:(?:{_alternatives(language, 'article') or '(?!)'})\s+)?"
    forms, verbs, relative = (
        _alternatives(language, kind) or r"(?!)" for kind in ("particular", "copula", "relative")
    )
    row = rf"(?:(?:{forms})\s*[,:]\s*){{0,{MOST}}}"
    longer = rf"(?:(?:{_before_verbs(language)})\s*[,:]\s*){{0,{MOST}}}"
    between = rf"(?:\s*[,:(]\s*{row}|[^\S\n]){article}|\s*,\s*(?:{relative})\s+{article}"
    if is_subject:
        between += rf"|\s*(?:,\s*)?{longer}(?:{verbs})\s+{article}"
    return re.compile(between)


@cache
def _after(language: str) -> re.Pattern[str]:
    """Return what may stand behind a trade: an end, or what extends it."""
    rest = _alternatives(language, "extension") or r"(?!)"
    return re.compile(rf"(?=\s*(?:[,;.)!]|\Z)|\s+(?:{rest})(?!\w)|\s*\n)(?!\s*:)")


def installs(marked: Marked, cue_end: int, title: int, subject: int, language: str) -> bool:
    """Return whether a word such as "nombrado" says the office of whom it is said.

    The office follows it, with "como" or an article between at most, and nobody is its agent: not
    "nombrado por el alcalde", nor the one by whom somebody was named.
    """
    gap = marked.text[cue_end:title]
    forms = _alternatives(language, "installing") or r"(?!)"
    if re.fullmatch(rf"\s+(?:(?:{forms})\s+)?", gap) is None and (
        len(gap) > OPENED or _COMME.search(gap) is None
    ):
        return False
    return _AGENT.search(without_honorifics(_before(marked, subject))) is None


def leads(marked: Marked, filler: tuple[int, int], trigger: int, language: str) -> bool:
    """Return whether a name opens its clause, and only particulars part it from the verb."""
    if not _opens(_before(marked, filler[0]), language):
        return False
    return _leading(language).fullmatch(marked.text, filler[1], trigger) is not None


@cache
def _leading(language: str) -> re.Pattern[str]:
    """Return what may stand between a subject and its verb."""
    helping = _alternatives(language, "auxiliary")
    if not helping:
        return re.compile(r"(?!)")
    row = rf"(?:\s*,\s*(?:(?:{_before_verbs(language)})\s*,\s*){{1,{MOST}}})?"
    return re.compile(rf"{row}\s*(?:(?:{helping})\s+)?")


def heads(marked: Marked, filler: tuple[int, int], trigger: int, role: str, language: str) -> bool:
    """Return whether place or day stands at the head of a session that opens before the trigger.

    "Castrovil, a dos de mayo de 1939, reunido el Consejo para ver y fallar": time, location.
    """
    openings = _alternatives(language, "opening")
    if not openings:
        return False
    before, rest = _before(marked, filler[0]), marked.text[filler[1] : trigger]
    if role == "location":
        day = _PLACED.match(rest)
        if day is None or not dates.is_date(day[1], language):
            return False
        if not _AT_HEAD.search(before) and not _opens(before, language):
            return False
        rest = rest[day.end() :]
    elif role != "time" or not (_DATED.search(before) or _opens(before, language)):
        return False
    opened = rf"\s*,\s*(?:{openings})(?!\w)[^.;,:]{{0,{OPENED}}}"
    return re.fullmatch(opened, rest) is not None


def titles(language: str) -> tuple[str, ...]:
    """Return further words for offices, folded."""
    rows = lexicons.rows("particulars")
    return tuple(cues.folded(row[0]) for row in rows if row[1:] == ("title", language))


def _before(marked: Marked, start: int) -> str:
    return marked.text[max(0, start - 200) : start]


def _opens(before: str, language: str) -> bool:
    """Return whether a clause begins after these words, honorifics and epithets at their end."""
    before = without_honorifics(before)
    epithets = _alternatives(language, "epithet")
    if epithets:
        before = re.sub(rf"(?<!\w)(?:{epithets})\s+\Z", "", before)
    return _CLAUSE.search(before) is not None


def without_honorifics(before: str) -> str:
    """Return the words before a name without those at their end that belong to the name."""
    while (found := _HONORIFIC.search(before)) and cues.folded(found[1]) in _honorifics():
        before = before[: found.start()]
    return before


@cache
def _honorifics() -> frozenset[str]:
    ranks = (cues.folded(word) for word in lexicons.words("ranks.es"))
    return frozenset((*lexicons.words("honorifics"), *ranks))


def _before_verbs(language: str) -> str:
    """Return the pattern of what may stand between a subject and its verb, in commas."""
    kinds = (_alternatives(language, kind) for kind in ("particular", "filiation"))
    return "|".join(filter(None, kinds)) or r"(?!)"


@cache
def _alternatives(language: str, kind: str) -> str:
    """Return one pattern for the forms of a kind, the longest first; "" for none."""
    short = language.lower().partition("-")[0]
    forms = [row[0] for row in lexicons.rows("particulars") if row[1:] == (kind, short)]
    return "|".join(_form(form, short) for form in sorted(forms, key=len, reverse=True))


def _form(form: str, language: str) -> str:
    parts = {"%": _NUMBER, "@": _NAME, "+": _trades(language)}
    return r"\s+".join(parts.get(word) or f"(?i:{re.escape(word)})" for word in form.split())


@cache
def _trades(language: str) -> str:
    words: set[str] = set()
    for name in (f"occupations.{language}", f"offices.{language}", f"ranks.{language}"):
        try:
            words.update(lexicons.words(name))
        except Misconfigured:
            continue
    told = "|".join(_spaced(word) for word in sorted(words, key=lambda w: (-len(w), w)))
    return f"(?i:{told})" if told else r"(?!)"


def _spaced(words: str) -> str:
    return r"\s+".join(map(re.escape, words.split()))
