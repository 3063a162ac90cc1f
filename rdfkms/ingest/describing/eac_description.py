"""The description section of EAC-CPF: dates, places, functions, prose, set by set."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rdfkms.ingest.describing.dates import OPEN, edges, marked
from rdfkms.ingest.describing.eac_control import say_language
from rdfkms.ingest.describing.eac_telling import (
    DATES,
    PLACE_NAMES,
    Account,
    dated,
    edge,
    ends,
    is_before_christ,
    lines,
    named,
    one_line,
    place_in,
    say_between,
    say_name,
    say_words,
    saying_of,
    time_of,
    tongue,
)
from rdfkms.ingest.describing.saying import Saying
from rdfkms.ingest.describing.things import ends_of_span
from rdfkms.ingest.describing.xmlfile import Element, Part, words
from rdfkms.model import Stretch, Thing, Value

# Dates of work are often given for lives that are not known; they are no birth and no death.
_OF_WORK = re.compile(
    r"\bactiv|\bexerci[sc]e|\bflourish|\bfl\.|\bfloruit|\bwirk|\bt[äa]tig|\bactif|\bejerci",
    re.IGNORECASE,
)
_SETS = {
    "places": "place", "functions": "function", "occupations": "occupation",
    "legalStatuses": "legalStatus", "mandates": "mandate", "languagesUsed": "languageUsed",
    "localDescriptions": "localDescription",
}  # fmt: skip
_CITED = ("citation", "reference", "source")
_ASIDE = ("head", "abstract", *_CITED)


def description(part: Part, account: Account) -> Stretch:
    """Return what an element of the description, or a set of such elements, says of the agent."""
    element = part.element
    saying = saying_of(part, account.agent, account)
    single = _SETS.get(element.name, element.name)
    tell = _READERS.get(single)
    if tell is None:
        return saying.stretch()
    if single == element.name:
        tell(saying, account, element)
        return saying.stretch()
    for one in element.all():
        if one.name == single:
            tell(saying, account, one)
        elif one.name in _CITED:
            say_words(saying, "description/source", one)
        else:
            say_words(saying, "description/note", one)
    return saying.stretch()


def belongs(name: str) -> bool:
    """Return whether an element of this name belongs to the description."""
    return name in _READERS or name in _SETS


# ---- dates --------------------------------------------------------------------------------------


def _existence(saying: Saying, account: Account, element: Element) -> None:
    """Say when the agent existed; of a person, when they were born and died."""
    values = [(one, dated(one, saying.language)) for one in _single_dates(element)]
    spans = [(one, value) for one, value in values if value is not None]
    for one, value in spans:
        saying.say("description/unitDate", one, value)
    of_work = _OF_WORK.search(lines(element)) or any(
        _OF_WORK.search(one.attributes.get("localType", ""))
        for one in (element, *element.within(*DATES, "fromDate", "toDate"))
    )
    if len(spans) == 1 and not (of_work and saying.about.type == "Person"):
        _ends_of_existence(saying, *spans[0])
    for one in element.all("descriptiveNote"):
        say_words(saying, "description/note", one)


def _single_dates(element: Element) -> Iterator[Element]:
    for one in element.all(*DATES):
        if one.name == "dateSet":
            yield from _single_dates(one)
        else:
            yield one


def _ends_of_existence(saying: Saying, element: Element, whole: Value) -> None:
    """Say the two ends of a span, those that are sure."""
    names = ends_of_span(saying.about.type)
    told: list[tuple[Element | None, str]]
    if element.name == "date":  # "1850-1901" as one date; a single day is neither of its ends
        normal = whole.lexical if whole.datatype == "edtf" else ""
        told = [(element, end) for end in edges(normal, whole.verbatim)]
    else:
        certainty = element.attributes.get("certainty", "")
        told = [(one, marked(edge(one) or "", certainty)) for one in ends(element)]
    wrong = is_before_christ(element) or all(normal for _, normal in told)
    if whole.datatype != "edtf" and wrong:
        return  # it ends before it begins, or in another era: none of them is sure
    for name, (one, normal) in zip(names, told, strict=True):
        if one is not None and normal and normal != OPEN:
            attribute = "" if words(one) else "standardDate"
            value = Value(normal, "edtf", saying.language, one_line(one))
            saying.say(name, one, value, attribute=attribute)


# ---- places -------------------------------------------------------------------------------------


def _place(saying: Saying, account: Account, element: Element) -> None:
    """Say the places of an entry; its role and notes are told as they stand, with the place.

    Entries in several languages name one place; other entries name a place each, since a street
    and an address in it are often given together.
    """
    time = time_of(saying, element)
    place: Thing | None = None
    for entry in element.all(*PLACE_NAMES):
        name = one_line(entry)
        if not name:
            continue
        if place is None or not tongue(entry):
            place = named("Location", account, name, entry)
            saying.say("description/place", entry, object=place, time=time)
        say_name(saying, place, entry)
    more = (one for one in element.all() if one.name not in (*PLACE_NAMES, *DATES))
    if any(lines(one) for one in more):
        say_words(saying, "description/note", element)


# ---- what the agent does, is and may ------------------------------------------------------------


def _function(saying: Saying, account: Account, element: Element) -> None:
    _term(saying, account, element, "description/function", "Activity")


def _legal_status(saying: Saying, account: Account, element: Element) -> None:
    _term(saying, account, element, "description/legalStatus", "LegalStatus")


def _occupation(saying: Saying, account: Account, element: Element) -> None:
    if saying.about.type == "Person":
        _term(saying, account, element, "description/occupationOf", "OccupationType")
    else:
        say_words(saying, "description/note", element)


def _mandate(saying: Saying, account: Account, element: Element) -> None:
    """Say a mandate; where no term names it, the citation of its text does (1.x, and 2.0 from it).

    Several texts without a term are a mandate each.
    """
    if any(one_line(one) for one in element.all("term")):
        _term(saying, account, element, "description/mandate", "Mandate")
        return
    texts = [one for one in element.all("citation", "reference") if one_line(one)]
    for note in element.all("descriptiveNote"):
        alone = [_lone_reference(paragraph) for paragraph in note.all("p")]
        texts += [one for one in alone if one is not None]
        if not alone or None in alone:
            say_words(saying, "description/note", note)
    time = time_of(saying, element) if texts else None
    place = place_in(saying, account, element) if texts else None
    for one in texts:
        mandate = named("Mandate", account, one_line(one), one)
        saying.say("description/mandate", one, object=mandate, time=time, place=place)
        say_name(saying, mandate, one, saying.language)


def _lone_reference(paragraph: Element) -> Element | None:
    """Return the reference that is all that a paragraph holds."""
    inner = paragraph.first("reference")
    said = one_line(inner) if inner is not None else ""
    return inner if said and said == one_line(paragraph) else None


def _term(saying: Saying, account: Account, element: Element, statement: str, kind: str) -> None:
    """Say what a term names, when and where it held; notes and sources are told beside it."""
    terms = [one for one in element.all("term") if one_line(one)]
    if not terms and one_line(element) and not list(element.all()):
        terms = [element]  # no term, which the standard requires
    if terms:
        thing = named(kind, account, one_line(terms[0]), terms[0])
        time = time_of(saying, element)
        place = place_in(saying, account, element)
        saying.say(statement, terms[0], object=thing, time=time, place=place)
        for one in terms:
            say_name(saying, thing, one, saying.language)
    for one in element.all("citation", "reference"):
        say_words(saying, "description/source", one)
    for one in element.all("descriptiveNote"):
        say_words(saying, "description/note", one)


def _language_used(saying: Saying, account: Account, element: Element) -> None:
    say_language(saying, element)


# ---- prose --------------------------------------------------------------------------------------


def _note(saying: Saying, account: Account, element: Element) -> None:
    say_words(saying, "description/note", element)


def _context(saying: Saying, account: Account, element: Element) -> None:
    _prose(saying, element, "description/context")


def _history(saying: Saying, account: Account, element: Element) -> None:
    _prose(saying, element, "description/biographyOrHistory")


def _prose(saying: Saying, element: Element, statement: str) -> None:
    """Say a text, its abstract and what it cites apart; headings are not part of what it says."""
    language = tongue(element, saying.language)
    if any(isinstance(child, str) and child.strip() for child in element.children):
        saying.say(statement, element, Value(words(element), language=language))
        return
    run: list[Element] = []
    for one in [*element.all(), None]:
        if one is not None and one.name not in _ASIDE:
            run.append(one)
            continue
        text = "\n".join(told for told in map(words, run) if told)
        say_between(saying, statement, run, Value(text, language=language))
        run = []
        if one is None:
            return
        if one.name == "head":
            saying.heed(one)
        else:
            say_words(saying, _beside(one), one)


def _beside(element: Element) -> str:
    return "description/abstract" if element.name == "abstract" else "description/source"


_READERS: dict[str, Callable[[Saying, Account, Element], None]] = {
    "existDates": _existence,
    "place": _place,
    "function": _function,
    "occupation": _occupation,
    "legalStatus": _legal_status,
    "mandate": _mandate,
    "languageUsed": _language_used,
    "localDescription": _note,
    "structureOrGenealogy": _context,
    "generalContext": _context,
    "biogHist": _history,
}
