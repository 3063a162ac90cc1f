"""What a harvester asks: the verb and its arguments, checked (OAI-PMH 2.0, sections 3.6 and 4)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

LONGEST = 2_000  # characters of a value
_SET = re.compile(r"[A-Za-z0-9\-_.!~*'()]{1,200}(:[A-Za-z0-9\-_.!~*'()]{1,200}){0,20}")
_PREFIX = re.compile(r"[A-Za-z0-9\-_.!~*'()]{1,100}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")

_LIST = ("metadataPrefix", "from", "until", "set", "resumptionToken")
# verb -> (arguments it takes, those it cannot do without)
VERBS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "Identify": ((), ()),
    "ListMetadataFormats": (("identifier",), ()),
    "ListSets": (("resumptionToken",), ()),
    "GetRecord": (("identifier", "metadataPrefix"), ("identifier", "metadataPrefix")),
    "ListIdentifiers": (_LIST, ("metadataPrefix",)),
    "ListRecords": (_LIST, ("metadataPrefix",)),
}


class OaiError(Exception):
    """An error of the protocol: its code and a sentence; answered with HTTP status 200."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Asked:
    """A request whose verb and arguments are as the protocol wants them."""

    verb: str
    arguments: dict[str, str]

    def get(self, name: str) -> str:
        """Return an argument, "" where it was not given."""
        return self.arguments.get(name, "")


def read(pairs: Iterable[tuple[str, str]]) -> Asked:
    """Return what is asked; raises `OaiError` badVerb or badArgument."""
    given = list(pairs)
    verbs = [value for name, value in given if name == "verb"]
    if len(verbs) != 1 or verbs[0] not in VERBS:
        known = ", ".join(VERBS)
        raise OaiError("badVerb", f"Give one verb, of these: {known}.")
    verb, (allowed, needed) = verbs[0], VERBS[verbs[0]]
    arguments: dict[str, str] = {}
    for name, value in given:
        if name == "verb":
            continue
        if name not in allowed:
            told = ", ".join(allowed) or "none"
            raise OaiError(
                "badArgument", f"{verb} has no argument {_short(name)}; it takes {told}."
            )
        if name in arguments:
            raise OaiError("badArgument", f"The argument {name} stands there twice.")
        if not value or len(value) > LONGEST:
            raise OaiError("badArgument", f"The argument {name} is empty or too long.")
        arguments[name] = value
    if "resumptionToken" in arguments:
        if len(arguments) > 1:
            raise OaiError("badArgument", "A resumptionToken stands alone beside the verb.")
        return Asked(verb, arguments)
    for name in needed:
        if name not in arguments:
            raise OaiError("badArgument", f"{verb} needs the argument {name}.")
    _check_form(arguments)
    return Asked(verb, arguments)


def _check_form(arguments: dict[str, str]) -> None:
    for name, pattern in (("set", _SET), ("metadataPrefix", _PREFIX)):
        if name in arguments and not pattern.fullmatch(arguments[name]):
            raise OaiError("badArgument", f"{_short(arguments[name])} cannot be a {name}.")
    if "identifier" in arguments and re.search(
        r"[^!-~\u00a1-\ud7ff\ue000-\ufffd]", arguments["identifier"]
    ):
        raise OaiError("badArgument", "The identifier is no URI.")


def window(asked: Asked) -> tuple[int | None, int | None]:
    """Return the first and last second of from and until; raises `OaiError` badArgument.

    A day as until is meant to its end. Both must be of one granularity.
    """
    first, last = asked.get("from"), asked.get("until")
    if first and last and len(first) != len(last):
        raise OaiError("badArgument", "from and until must both be days, or both seconds.")
    low = _second("from", first) if first else None
    high = _second("until", last) if last else None
    if high is not None and len(last) == 10:
        high += int(timedelta(days=1).total_seconds()) - 1
    if low is not None and high is not None and low > high:
        raise OaiError("badArgument", "from is later than until.")
    return low, high


def _second(name: str, text: str) -> int:
    day, time = _DAY.fullmatch(text), _TIME.fullmatch(text)
    try:
        if day is None and time is None:
            raise ValueError(text)
        found = datetime.fromisoformat(text)
    except ValueError as err:
        said = f"{name} must be a day or a second in UTC, as 2026-01-31 or 2026-01-31T12:00:00Z."
        raise OaiError("badArgument", said) from err
    return int(found.replace(tzinfo=UTC).timestamp())


def _short(text: str) -> str:
    return repr(text[:40])
