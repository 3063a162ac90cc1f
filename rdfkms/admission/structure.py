"""Structure: does the candidate have the form that its kind needs? Never raises (law 5).

Candidates come from models and files of others, so that even the types of the fields are checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rdfkms.admission.reasons import quoted, reason
from rdfkms.knowledge.mapping import Mapping, StatementRule
from rdfkms.model import Anchor, Candidate, EvidenceUnit, Kind, Reason, Value

_UNWRITABLE = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*\Z")
_INTEGER = re.compile(r"[+-]?[0-9]{1,12}\Z")
_DATE = re.compile(r"-?[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])\Z")
_POINT = r"(?:Y?-?[0-9X]{4,12}(?:-[0-9X]{2}(?:-[0-9X]{2}(?:T[0-9:+Z-]{5,20})?)?)?[?~%]?|\.\.)"
_EDTF = re.compile(rf"(?:{_POINT}(?:/(?:{_POINT})?)?|/{_POINT})\Z")
_IRI = re.compile(
    r"https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?/[!#$%&'()*+,./0-9:;=?@A-Z_a-z~-]{1,1000}\Z"
)
_DATATYPES = ("string", "integer", "date", "edtf", "anyURI")
_ANCHORS = ("subject", "object", "cue", "place")
_VALUES = ("value", "time")


def faults(candidate: Candidate, unit: EvidenceUnit, mapping: Mapping) -> tuple[Reason, ...]:
    """Return what is wrong with the form of the candidate; empty when nothing is."""
    found = tuple(_types(candidate))
    if found:
        return found
    if candidate.kind is Kind.UNPARSEABLE:
        return (reason("unparseable", what=quoted(candidate.note or candidate.raw)),)
    if candidate.unit != unit.key:
        return (reason("wrongUnit", what=quoted(candidate.unit)),)
    if candidate.kind in (Kind.UNCERTAINTY, Kind.TRIPLE):
        return tuple(_text(candidate)) + tuple(_spans(candidate, unit))
    if not mapping.knows(candidate.kind, candidate.name):
        return (reason("unknownName", what=quoted(candidate.name), kind=candidate.kind.value),)
    found = tuple(_text(candidate)) + tuple(_spans(candidate, unit))
    return found or tuple(_form(candidate, mapping))


# ---- the types of the fields -----------------------------------------------------------------


def _types(candidate: Candidate) -> Iterator[Reason]:
    wrong = [] if isinstance(candidate.kind, Kind) else ["kind"]
    texts = ("key", "unit", "name", "quote", "proposer", "raw", "note")
    wrong += [field for field in texts if not isinstance(getattr(candidate, field), str)]
    wrong += [field for field in ("start", "end") if not _is_offset(getattr(candidate, field))]
    if (candidate.start is None) != (candidate.end is None):
        wrong.append("start and end")
    if not isinstance(candidate.group, str | None):
        wrong.append("group")
    wrong += [field for field in _ANCHORS if not _is_anchor(getattr(candidate, field))]
    wrong += [field for field in _VALUES if not _is_value(getattr(candidate, field))]
    for field in wrong:
        yield reason("malformed", field=field)
    if not _is_share(candidate.confidence):
        yield reason("badConfidence")


def _is_share(value: object) -> bool:
    # A number that is none (NaN) is not within the bounds either.
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _is_offset(value: object) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool))


def _is_anchor(value: object) -> bool:
    if value is None:
        return True
    if not isinstance(value, Anchor) or value.start is None or value.end is None:
        return False
    texts = (value.surface, value.type)
    spans = (value.start, value.end)
    return all(isinstance(t, str) for t in texts) and all(_is_offset(s) for s in spans)


def _is_value(value: object) -> bool:
    if value is None:
        return True
    if not isinstance(value, Value):
        return False
    fields = (value.lexical, value.datatype, value.language, value.verbatim)
    return all(isinstance(field, str) for field in fields)


# ---- texts and spans -------------------------------------------------------------------------


def _text(candidate: Candidate) -> Iterator[Reason]:
    if not candidate.quote.strip():
        yield reason("emptyQuote")
    texts = {"quote": candidate.quote, "group": candidate.group or ""}
    for name in _VALUES:
        value: Value | None = getattr(candidate, name)
        if value is not None:
            texts |= {name: value.lexical, f"{name} as written": value.verbatim}
            if value.language and not _LANGUAGE.match(value.language):
                yield reason("malformed", field=f"language of the {name}")
    for field, text in texts.items():
        if _UNWRITABLE.search(text):
            yield reason("unwritableText", field=field)


def _spans(candidate: Candidate, unit: EvidenceUnit) -> Iterator[Reason]:
    text = unit.raw.text
    start, end = candidate.start, candidate.end
    if start is not None and end is not None and not 0 <= start < end <= len(text):
        yield _out_of_range("quote", start, end, len(text))
    for field in _ANCHORS:
        anchor: Anchor | None = getattr(candidate, field)
        if anchor is None:
            continue
        if not 0 <= anchor.start < anchor.end <= len(text):
            yield _out_of_range(field, anchor.start, anchor.end, len(text))
        elif text[anchor.start : anchor.end] != anchor.surface:
            what = quoted(anchor.surface)
            yield reason(
                "anchorNotInText", field=field, what=what, start=anchor.start, end=anchor.end
            )
        elif _UNWRITABLE.search(anchor.surface):
            yield reason("unwritableText", field=field)


def _out_of_range(field: str, start: int, end: int, length: int) -> Reason:
    # A number of thousands of digits cannot be printed; nor need it be.
    first, last = (min(max(at, -(10**9)), 10**9) for at in (start, end))
    return reason("offsetsOutOfRange", field=field, start=first, end=last, length=length)


# ---- what each kind needs --------------------------------------------------------------------


def _form(candidate: Candidate, mapping: Mapping) -> Iterator[Reason]:
    kind = candidate.kind
    if kind in (Kind.EVENT, Kind.ARGUMENT) and not candidate.group:
        yield _missing(candidate, "a group")
    if kind is Kind.ARGUMENT:
        if candidate.subject is not None:
            yield _surplus(candidate, "a subject")
    elif candidate.subject is None:
        yield _missing(candidate, "a subject")
    if kind in (Kind.MENTION, Kind.EVENT):
        yield from _named(candidate)
    else:
        yield from _ends(candidate, mapping.statement(candidate.name), mapping)
    if candidate.place is not None and candidate.place.type != "Location":
        what = quoted(candidate.place.type)
        yield reason("wrongObjectType", name="place", what=what, allowed="Location")
    if candidate.time is not None and not value_fits(candidate.time, "edtf"):
        what = quoted(candidate.time.lexical)
        yield reason("wrongValueType", name="time", what=what, allowed="edtf")


def _named(candidate: Candidate) -> Iterator[Reason]:
    if candidate.object is not None:
        yield _surplus(candidate, "an object")
    if candidate.value is not None:
        yield _surplus(candidate, "a value")
    subject = candidate.subject
    wanted = candidate.name if candidate.kind is Kind.MENTION else ""
    if subject is not None and subject.type != wanted:
        allowed = wanted or "(a trigger has no type)"
        what = quoted(subject.type)
        yield reason("wrongSubjectType", name=candidate.name, what=what, allowed=allowed)


def _ends(candidate: Candidate, rule: StatementRule, mapping: Mapping) -> Iterator[Reason]:
    subject, thing, value = candidate.subject, candidate.object, candidate.value
    told = subject is not None and candidate.kind is not Kind.ARGUMENT
    if told and subject and not mapping.accepts_subject(rule.name, subject.type):
        allowed, what = ", ".join(rule.domain), quoted(subject.type)
        yield reason("wrongSubjectType", name=rule.name, what=what, allowed=allowed)
    if rule.literal is None:
        if thing is None:
            yield _missing(candidate, "an object")
        elif not mapping.accepts_object(rule.name, thing.type):
            allowed, what = ", ".join(rule.range), quoted(thing.type)
            yield reason("wrongObjectType", name=rule.name, what=what, allowed=allowed)
        if value is not None:
            yield _surplus(candidate, "a value")
        return
    if value is None:
        yield _missing(candidate, "a value")
    elif not value_fits(value, rule.literal):
        what = quoted(f"{value.lexical} ({value.datatype})")
        yield reason("wrongValueType", name=rule.name, what=what, allowed=rule.literal)
    if thing is not None:
        yield _surplus(candidate, "an object")


def _missing(candidate: Candidate, field: str) -> Reason:
    return reason("missingField", kind=candidate.kind.value, field=field)


def _surplus(candidate: Candidate, field: str) -> Reason:
    return reason("surplusField", kind=candidate.kind.value, name=candidate.name, field=field)


def value_fits(value: Value, literal: str) -> bool:
    """Return whether the value may stand where `literal` is asked.

    A date that nobody could turn into EDTF may be a string here; verification holds it back.
    """
    if value.datatype not in _DATATYPES or not value.lexical.strip():
        return False
    if value.datatype == "integer":
        return literal == "integer" and _INTEGER.match(value.lexical) is not None
    if value.datatype == "date":
        return literal in ("date", "edtf") and _DATE.match(value.lexical) is not None
    if value.datatype == "edtf":
        return literal == "edtf" and _EDTF.match(value.lexical) is not None
    if value.datatype == "anyURI":
        return literal == "anyURI" and _IRI.match(value.lexical) is not None
    return literal in ("string", "edtf")
