"""Digital copies of a unit, and its scans in the archive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest

from lxml import etree

from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.publish.describing.reading import Said
from rdfkms.publish.describing.xmlwriting import one_line
from rdfkms.publish.ead.draft import Draft

COPY, SCAN = "description/digitalCopy", "description/scan"
_WHERE = ("description/address", "description/identifier")


def say_copies(draft: Draft, did: etree._Element, unit: str) -> None:
    """Write each digital copy: where it is, its title, its caption. A scan goes by its address."""
    told = draft.account.of(unit, COPY)
    times = Counter((said.object, said.unit) for said in told)
    for said, following in zip_longest(told, told[1:]):
        end = following.start if following is not None and following.unit == said.unit else None
        is_alone = times[said.object, said.unit] == 1
        about = list(_about(draft, said, (0, None) if is_alone else (said.start, end)))
        where = [one for one in about if one.name in _WHERE][:1]
        names = [one for one in about if one.name == NAMED_AS]
        draft.take([said], moved=not where)
        draft.take(where)
        reference = _reference(where[0]) if where else said.object
        _say_copy(draft, did, reference, names)
    for said in draft.take(draft.account.of(unit, SCAN), moved=True):
        _say_copy(draft, did, said.object, [])


def _about(draft: Draft, said: Said, within: tuple[int, int | None]) -> Iterator[Said]:
    """Yield what is said of a copy where it is named, and where it is, wherever that was said.

    `within` are the limits of the place where it is named, if it is named there again. Where
    nothing is said of it there, its names are those that are not written yet.
    """
    of_copy = draft.account.of(said.object, *_WHERE, NAMED_AS)
    start, end = within
    here = [
        one for one in of_copy
        if one.unit == said.unit and one.start >= start and (end is None or one.start < end)
    ]  # fmt: skip
    yield from here
    if not any(one.name in _WHERE for one in here):
        yield from (one for one in of_copy if one.name in _WHERE)
    if not here:
        yield from draft.open(said.object, NAMED_AS)


def _reference(said: Said) -> str:
    """Return an address or identifier as it was written."""
    if said.words is not None and said.words.value:
        return said.words.value
    return said.text


def _say_copy(draft: Draft, did: etree._Element, reference: str, names: list[Said]) -> None:
    dialect = draft.dialect
    titles = [one for one in names if _is_title(draft, one)][:1]
    captions = [one for one in names if one not in titles][:1]
    more = {dialect.caption: one_line(titles[0].text)} if titles else {}
    element = draft.maker.add(did, "dao", **dialect.dao, **{dialect.link: reference}, **more)
    for said in draft.take(titles):
        draft.as_around(said)
    for said in captions:
        draft.prose(element, dialect.description, said)


def _is_title(draft: Draft, said: Said) -> bool:
    """Return whether a name was read from an attribute: then it is in one line."""
    raw = draft.markup.raw.get(said.unit, "")
    return "\n" not in said.text and raw[said.start - 1 : said.start] in ('"', "'", "")
