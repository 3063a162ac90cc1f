"""What the readers of the sections of EAC-CPF share: languages, dates, names and quotes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from rdfkms.ingest.describing import languages
from rdfkms.ingest.describing.dates import OPEN, edtf, marked, span
from rdfkms.ingest.describing.saying import Saying
from rdfkms.ingest.describing.things import by_name, folded, is_address
from rdfkms.ingest.describing.xmlfile import Element, Part, words
from rdfkms.model import Fault, Statement, Thing, Unmapped, Value

DATES = ("date", "dateRange", "dateSet")
PLACE_NAMES = ("placeEntry", "placeName")
_ALL_DATES = (*DATES, "fromDate", "toDate")
_BOUNDS = ("notBefore", "notAfter")

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
_NOT_KNOWN = frozenset({"?", "unknown"})
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

    @property
    def scope(self) -> str:
        """Within what a name means one thing: the record, or the file where it has no id."""
        return self.id or self.source


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
    if element.name == "toDate" and _is_open(element, normal, told):
        return OPEN
    if is_before_christ(element) and not normal.startswith("-"):
        return ""  # its number would say a year of our era
    found = edtf(normal) if normal else ""
    # "1764" with notBefore is some time after that, which the words alone would not say.
    if not found and not any(has.get(name) for name in _BOUNDS):
        found = span(told)
    return marked(found, has.get("certainty", ""))


def edge(element: Element | None) -> str | None:
    """Return the end of a range in EDTF, ".." for none yet, "" for one that is not known.

    None for words alone, and for some time between two dates, which is no end.
    """
    if element is None:
        return ""
    normal = element.attributes.get("standardDate", "").strip()
    unknown = _status(element).startswith("unknown") or folded(one_line(element)) in _NOT_KNOWN
    if unknown and not normal:
        return ""
    found = moment(element)
    return found if found and "/" not in found else None


def _is_open(element: Element, normal: str, told: str) -> bool:
    if _FAR_YEARS.fullmatch(normal or told):
        return True  # what systems that need an end write for "still"
    still = _status(element) == "ongoing" or folded(told).strip(" .") in _STILL
    return still and not normal


def _status(element: Element) -> str:
    return element.attributes.get("status", "").strip().casefold()


def is_before_christ(element: Element) -> bool:
    """Return whether a date says that it is of the era before year 1."""
    era = element.attributes.get("era", "")
    return "".join(era.split()).replace(".", "").casefold() in ("bc", "bce")


def unsaid(element: Element) -> tuple[Unmapped, ...]:
    """Return the attributes of dates of which no statement is made: bounds, forms not read."""
    found: list[Unmapped] = []
    for one in (element, *element.within(*_ALL_DATES)):
        if one.name in _ALL_DATES:
            left = [name for name in _BOUNDS if one.attributes.get(name)]
            if one.attributes.get("standardDate") and not one_line(one) and not moment(one):
                left.append("standardDate")
            path = re.sub(r"\[\d+\]", "", one.path)
            found += [Unmapped(f"{path}/@{name}", one.line) for name in left]
    return tuple(found)


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
    start, end = edge(first), edge(last)
    sure = start is not None and end is not None and not is_before_christ(element)
    normal = marked(edtf(f"{start}/{end}"), element.attributes.get("certainty", "")) if sure else ""
    return Value(normal, "edtf", language, told) if normal else _in_words(told, language)


def _has_date(element: Element) -> bool:
    has = element.attributes
    return any(has.get(name) for name in ("standardDate", *_BOUNDS, "status")) or bool(
        words(element)
    )


def _in_words(told: str, language: str) -> Value | None:
    return Value(told, language=language) if told else None


# ---- things and quotes --------------------------------------------------------------------------


def named(kind: str, account: Account, name: str, element: Element | None = None) -> Thing:
    """Return the thing of this type that an element names, by its address where it has one."""
    address = address_of(element) if element is not None else ""
    if address and element is not None:
        source = "" if is_address(address) else element.attributes.get("vocabularySource", "")
        return Thing(kind, ("authority", source.strip(), address))
    return by_name(kind, account.scope, name)


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
