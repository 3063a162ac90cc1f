"""Values of properties in RiC-O: names, words and dates, given directly or by a node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rdfkms.ingest.describing.dates import edtf, span
from rdfkms.ingest.describing.rico_graph import Arc, Node
from rdfkms.ingest.describing.rico_terms import RDFS, Rule, rico, rules
from rdfkms.model import Value

# In which property a node that tells of another thing has its words; the first that it has counts.
_LABEL = RDFS + "label"
_WORDS = (*map(rico, ("textualValue", "name", "title", "identifier", "measure")), _LABEL)
_NORMAL = tuple(map(rico, ("normalizedDateValue", "normalizedValue")))
_IN_WORDS = (
    *map(rico, ("expressedDate", "textualValue", "date", "name", "generalDescription")), _LABEL,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Told:
    """A value with the place of its words; `arcs` are those that it was read from."""

    value: Value
    start: int
    end: int
    arcs: tuple[Arc, ...]


def of_kind(node: Node, *kinds: str) -> Iterator[tuple[Arc, Rule]]:
    """Yield the arcs of a node that the table reads in one of these ways, with the first rule.

    A more general term counts only where no nearer one tells another way: the creation of a record
    is no beginning of something that goes on.
    """
    for arc in node.arcs:
        rule = next((one for one in rules(arc.predicate) if not one.flipped), None)
        if rule is not None and rule.kind in kinds:
            yield arc, rule


def words_of(arc: Arc) -> list[Told]:
    """Return what a literal says, or each literal that gives the words of the node pointed to."""
    if arc.text is not None:
        return [_told(arc)] if arc.text else []
    if arc.target is None:
        return []
    inner = [one for one in arc.target.arcs if one.predicate in _WORDS and one.text]
    inner.sort(key=lambda one: _WORDS.index(one.predicate))
    return [_told(one) for one in inner]


def date_of(arc: Arc) -> Told | None:
    """Return a date, in EDTF where that is sure, given directly or by a node."""
    if arc.text is not None:
        return _date(arc) if arc.text else None
    inner = [one for one in arc.target.arcs if one.text] if arc.target is not None else []
    normal = [one for one in inner if one.predicate in _NORMAL and edtf(one.text or "")]
    plain = [one for name in _IN_WORDS for one in inner if one.predicate == name]
    if normal:
        found = _date(normal[0])
        also = [one for one in inner if one.predicate in _NORMAL and one.text == normal[0].text]
        return Told(found.value, found.start, found.end, tuple(also))
    plain += [one for one in inner if one.predicate in _NORMAL]
    return _date(plain[0]) if plain else None


def period(node: Node, raw: str, *, is_xml: bool) -> Told | None:
    """Return the time between the beginning and the end of a node; one may be missing.

    None where one of them is no date, or the end is before the beginning.
    """
    begin, end = (_edge(node, kind) for kind in ("begin", "end"))
    if begin is None and end is None:
        return None
    given = [one for one in (begin, end) if one is not None]
    if any(one.value.datatype != "edtf" or "/" in one.value.lexical for one in given):
        return None
    ends = (one.value.lexical if one is not None else "" for one in (begin, end))
    normal = edtf("/".join(ends))  # of an end that is missing the file says nothing
    if not normal:
        return None
    arcs = tuple(arc for one in given for arc in one.arcs)
    start, stop = min(one.start for one in given), max(one.end for one in given)
    # The words are shown where nothing else stands between them.
    apart = raw[given[0].arcs[-1].outer_end : given[-1].arcs[0].outer_start].strip()
    together = len(given) == 1 or (is_xml and given[0].start < given[1].start and not apart)
    verbatim = " ".join(one.value.verbatim for one in given) if together else ""
    return Told(Value(normal, "edtf", verbatim=verbatim), start, stop, arcs)


def when(node: Node, raw: str, *, is_xml: bool) -> tuple[Value | None, tuple[Arc, ...]]:
    """Return when a relation held, by its ends or its date, and the arcs that say so."""
    found = period(node, raw, is_xml=is_xml)
    if found is None:
        for arc, _ in of_kind(node, "date"):
            told = date_of(arc)
            if told is not None and told.value.datatype == "edtf":
                return told.value, (arc, *told.arcs)
        return None, ()
    pointing = tuple(arc for arc, _ in of_kind(node, "begin", "end"))
    return found.value, (*pointing, *found.arcs)


def in_use(node: Node) -> tuple[Value | None, tuple[Arc, ...]]:
    """Return when a name was in use, and the arcs that say so."""
    ends: list[str] = []
    used: list[Arc] = []
    words: list[str] = []
    for kind in ("from", "to"):
        found = next(
            ((arc, told) for arc, _ in of_kind(node, kind) if (told := date_of(arc))), None
        )
        if found is None or found[1].value.datatype != "edtf":
            ends.append("")
            continue
        ends.append(found[1].value.lexical)
        words.append(found[1].value.verbatim)
        used += [found[0], *found[1].arcs]
    if not used:
        return None, ()
    normal = edtf("/".join(ends))
    return (Value(normal, "edtf", verbatim=" ".join(words)), tuple(used)) if normal else (None, ())


def commonest(languages: Sequence[str]) -> str:
    """Return the language that most of the words of a block are in, or ""."""
    return max(sorted(set(languages)), key=languages.count, default="")


def _edge(node: Node, kind: str) -> Told | None:
    return next((told for arc, _ in of_kind(node, kind) if (told := date_of(arc))), None)


def _told(arc: Arc) -> Told:
    return Told(Value(arc.text or "", language=arc.language), arc.start, arc.end, (arc,))


def _date(arc: Arc) -> Told:
    told = arc.text or ""
    normal = edtf(told) or span(told)
    value = (
        Value(normal, "edtf", arc.language, told) if normal else Value(told, language=arc.language)
    )
    return Told(value, arc.start, arc.end, (arc,))
