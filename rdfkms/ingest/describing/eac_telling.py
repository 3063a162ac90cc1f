"""What the readers of the sections of EAC-CPF share: languages, dates, names and quotes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from rdfkms.ingest.describing import languages
from rdfkms.ingest.describing.dates import edtf, span
from rdfkms.ingest.describing.saying import Saying
from rdfkms.ingest.describing.things import by_name, folded
from rdfkms.ingest.describing.xmlfile import Element, Part, words
from rdfkms.model import Fault, Statement, Thing, Value

DATES = ("date", "dateRange", "dateSet")
PLACE_NAMES = ("placeEntry", "placeName")
OPEN = ".."

# Its children are pieces of one text, not things that stand beside each other.
_TEXTS = frozenset({"p", "item", "span", "event", "part", "head", "abstract", "term"})
_FAR_YEARS = re.compile(r"(?:2099|9999)(?:-\d\d){0,2}")
_STILL = frozenset(
    {
        "present", "to present", "to date", "ongoing", "today", "now", "current", "aujourd'hui",
        "aujourd’hui", "à nos jours", "à ce jour", "en cours", "heute", "bis heute", "hoy",
        "actualidad", "oggi", "至今", "现在",
    }
)  # fmt: skip
_ABSOLUTE = re.compile(r"https?://[^\s/]+\S*", re.IGNORECASE)
_NOBODY = Thing("Agent", ())


@dataclass(slots=True)
class Account:
    """What is known of the record that is being read; it grows from part to part.

    `file` is the record as a record, `described` the path of the cpfDescription whose identity
    was read last and `agent` whom it describes.
    """

    source: str
    file: Thing
    notes: list[Fault] = field(default_factory=list)
    id: str = ""
    language: str = ""
    described: str = ""
    agent: Thing = _NOBODY


# ---- words --------------------------------------------------------------------------------------


def lines(element: Element) -> str:
    """Return the words of an element, those of each element that stands in it on their own line."""
    inner = list(element.all())
    mixed = any(isinstance(child, str) and child.strip() for child in element.children)
    if not inner or mixed or element.name in _TEXTS:
        return words(element)
    return "\n".join(told for told in map(lines, inner) if told)


def one_line(element: Element) -> str:
    """Return the words of an element as a name is written."""
    return " ".join(words(element).split())


def is_absolute(address: str) -> bool:
    """Return whether an address is one of the web, and says so."""
    return _ABSOLUTE.fullmatch(address) is not None


def address_of(element: Element) -> str:
    """Return what an element points to: EAC-CPF 1 has xlink:href, EAC 2.0 valueURI or href.

    A place in the file itself, or words where an address should be, point to nothing.
    """
    return element.attributes.get(address_attribute(element), "").strip()


def address_attribute(element: Element) -> str:
    """Return the attribute that holds `address_of`, or ""."""
    for name in ("href", "valueURI"):
        address = element.attributes.get(name, "").strip()
        if address and not address.startswith("#") and len(address.split()) == 1:
            return name
    return ""


# ---- languages ----------------------------------------------------------------------------------


def tongue(element: Element, otherwise: str = "") -> str:
    """Return the language that an element says it is in, as a tag."""
    has = element.attributes
    code = has.get("languageOfElement") or has.get("lang") or ""
    return languages.tag(code, has.get("scriptOfElement") or has.get("scriptCode") or "") or (
        otherwise
    )


# ---- dates --------------------------------------------------------------------------------------


def moment(element: Element) -> str:
    """Return a date, or the end of a range, in EDTF; ".." for none yet, "" for words alone."""
    has = element.attributes
    normal = (has.get("standardDate") or "").strip()
    told = one_line(element)
    if element.name == "toDate" and not normal and folded(told).strip(" .") in _STILL:
        return OPEN
    if element.name == "toDate" and _FAR_YEARS.fullmatch(normal or told):
        return OPEN  # what systems that need an end write for "still"
    if normal and (found := edtf(normal)):
        return found
    # "1764" with notBefore is some time after that, which the words alone would not say.
    return "" if has.get("notBefore") or has.get("notAfter") else span(told)


def ends(dates: Element) -> tuple[Element | None, Element | None]:
    """Return the ends of a dateRange that say something."""
    found = (dates.first("fromDate"), dates.first("toDate"))
    first, last = (one if one is not None and _has_date(one) else None for one in found)
    return first, last


def dated(element: Element, language: str = "") -> Value | None:
    """Return the value of a date, dateRange or dateSet: EDTF where it is sure, else its words."""
    if element.name == "dateRange":
        return _range(element, language)
    if element.name == "dateSet":
        inner = [one for one in map(dated, element.all(*DATES)) if one is not None]
        told = "; ".join(one.verbatim or one.lexical for one in inner)
        return inner[0] if len(inner) == 1 else _in_words(told, language)
    normal, told = moment(element), one_line(element)
    return Value(normal, "edtf", language, told) if normal else _in_words(told, language)


def time_of(saying: Saying, element: Element) -> Value | None:
    """Return when something held, by the dates that stand directly in its element."""
    if (holder := element.first("useDates")) is not None:
        element = holder
    for one in element.all(*DATES):
        if (value := dated(one, saying.language)) is not None:
            saying.heed(one)
            return value
    return None


def _range(element: Element, language: str) -> Value | None:
    first, last = ends(element)
    told = " ".join(one_line(one) for one in (first, last) if one is not None and words(one))
    if first is None and last is None:
        return None
    start = _edge(first, 0)
    end = _edge(last, -1)
    normal = edtf(f"{start}/{end}") if start and end else ""
    return Value(normal, "edtf", language, told) if normal else _in_words(told, language)


def _edge(element: Element | None, which: int) -> str:
    return OPEN if element is None else moment(element).split("/")[which]


def _has_date(element: Element) -> bool:
    has = element.attributes
    return any(has.get(name) for name in ("standardDate", "notBefore", "notAfter")) or bool(
        words(element)
    )


def _in_words(told: str, language: str) -> Value | None:
    return Value(told, language=language) if told else None


# ---- things and quotes --------------------------------------------------------------------------


def named(kind: str, account: Account, name: str, element: Element | None = None) -> Thing:
    """Return the thing of this type that an element names, by its address where it has one."""
    address = address_of(element) if element is not None else ""
    if address and element is not None:
        source = "" if is_absolute(address) else element.attributes.get("vocabularySource", "")
        return Thing(kind, ("authority", source.strip(), address))
    return by_name(kind, account.id, name)


def say_name(saying: Saying, thing: Thing, element: Element, language: str = "") -> None:
    """Say that a thing is named as the element says, in the language that it states."""
    value = Value(one_line(element), language=tongue(element, language))
    saying.say("namedAs", element, value, subject=thing)


def say_words(saying: Saying, name: str, element: Element, subject: Thing | None = None) -> None:
    """Say the whole words of an element; one without words says nothing."""
    value = Value(lines(element), language=tongue(element, saying.language))
    saying.say(name, element, value, subject=subject)


def say_between(
    saying: Saying,
    name: str,
    among: Sequence[Element],
    value: Value,
    *,
    subject: Thing | None = None,
    time: Value | None = None,
) -> None:
    """Say what elements that follow each other say together: the quote is from first to last."""
    for element in among:
        saying.heed(element)
    if len(among) == 1:
        saying.say(name, among[0], value, subject=subject, time=time)
    elif among and value.lexical:
        start, end = among[0].start, among[-1].end
        saying.add(Statement(name, subject or saying.about, start, end, value, time=time))


def say_by_tag(
    saying: Saying,
    name: str,
    element: Element,
    thing: Thing,
    *,
    subject: Thing | None = None,
    time: Value | None = None,
    place: Thing | None = None,
) -> None:
    """Say of a thing what an element says by standing where it does: its start tag is the quote."""
    end = element.inner if element.inner > element.start else element.end
    saying.add(
        Statement(
            name, subject or saying.about, element.start, end, object=thing, time=time, place=place
        )
    )


def place_in(saying: Saying, account: Account, element: Element) -> Thing | None:
    """Return the place that stands directly in an element, and say its name.

    Of several none is known to be the one; they stay unmapped.
    """
    entries = [entry for entry in element.all(*PLACE_NAMES) if one_line(entry)]
    if len(entries) != 1:
        return None
    place = named("Location", account, one_line(entries[0]), entries[0])
    say_name(saying, place, entries[0])
    return place


def saying_of(part: Part, about: Thing, account: Account) -> Saying:
    """Return the empty account of a part, in the language that it or what is above it states."""
    language = account.language
    for element in (*part.above, part.element):
        language = tongue(element, language)
    return Saying(part, about, language)
